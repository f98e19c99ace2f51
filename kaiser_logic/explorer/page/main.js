// The explorer: its state, buttons, files and keys.

import {$, make} from "./dom.js";
import {ask} from "./ask.js";
import {Game, marked} from "./game.js";
import {Board} from "./board.js";
import {Moves} from "./moves.js";
import {Actions} from "./actions.js";
import {Why} from "./why.js";
import {Find} from "./find.js";
import {Query} from "./query.js";
import {Edit} from "./edit.js";
import {Rulings} from "./rulings.js";
import {Files} from "./saving.js";
import {packed, unpacked} from "./link.js";
import {Around} from "./around.js";
import {Player} from "./player.js";
import {Drag} from "./drag.js";

const KEYS = [
  ["← →", "a move back, on"], ["Home End", "to the start, to the end"], ["Space", "play the moves, pause"], ["↑ ↓", "another branch"], ["/", "filter the actions; Enter plays"],
  ["W", "why an action is legal or not"], ["Q", "find positions"], ["A", "another answer, a different one"], ["E", "edit the position: arrows go through its facts, + − change a number, Enter takes one into the hand, Delete takes it away"],
  ["U", "undo, also while editing"], ["Shift U", "redo"], ["B", "branch here"], ["C", "a comment on the move"], ["X", "on the board, like the right button or a long press: marks a thing in the comment on the move"], ["N", "on to where points are won"], ["Shift N", "back to where points were won"], ["M", "on to where another takes the lead"], ["Shift M", "back to where another took the lead"], ["R", "edition and rulings"],
  ["P", "the board: arrows go from area to area, Space through what lies there, Enter chooses it; what alone is left is played by Enter once more"],
  ["K", "legend"], ["L", "a link to this place"], ["Z", "the whole board at once"],
  ["O", "open, paste, start"], ["S", "save"], ["T", "light or dark"], ["Esc", "away with what is typed, chosen, marked"], ["?", "these keys"],
];

/** The number of moves of a random game that are fetched at a time. */
const PART = 40;

const app = {
  game: null,
  games: new Map(),
  files: new Files(),
  apart: null,

  /** The place shown: one of the record, or a position outside it. */
  get place() { return app.apart ?? app.game.here; },

  /** Shows a sentence at the top of the page; without a text, removes it. */
  notice(text = "", ...more) {
    $("notice").replaceChildren(text, ...more, text ? make("button", {onclick: () => app.notice()}, "Close") : "");
    $("notice").hidden = !text;
  },

  /** Runs a job that may take long. After a moment its progress is shown, with a button that stops it. */
  async work(job) {
    const stop = new AbortController(), far = make("span", {}, "Working … ");
    app.stopper?.abort();
    app.stopper = stop;
    const timer = setTimeout(() => {
      $("busy").replaceChildren(far, make("button", {onclick: () => stop.abort()}, "Stop"));
      $("busy").hidden = false;
    }, 300);
    try {
      await job(stop.signal, text => { far.textContent = `${text} … `; });
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      clearTimeout(timer);
      if (app.stopper === stop) { app.stopper = null; $("busy").hidden = true; }
    }
  },

  /** Opens the record of an answer; with `push` as a new entry of the browser's history. */
  async opened(answer, name, {depth = null, place = null, push = true, branches = [], comments = [], at = null, line: path = null} = {}) {
    const turn = app.turn = {}, game = new Game(answer, name);
    let lost = 0;
    for (const [from, moves] of branches) {
      let node = game.nodes[from];
      try {
        const answer = node && await ask("line", {...game.state(node), moves: moves.map(([role, action]) => [role, action])});
        for (const [k, step] of (answer?.steps ?? []).entries()) node = game.nodes[game.add(node.number, {...step, comment: moves[k][2]}, true)];
        if ((answer?.steps ?? []).length < moves.length) { lost++; break; }
      } catch { lost++; break; }
    }
    for (const [place, comment] of comments) if (game.places.has(place)) game.say(game.nodes[game.places.get(place)], comment);
    if (push && app.game) await app.address();
    if (turn !== app.turn) return; // another record has been opened meanwhile
    if (/^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName)) document.activeElement.blur(); // it was about the record before
    app.game = game;
    game.go(0);
    game.straighten();
    document.body.dataset.state = "open";
    $("welcome").hidden = true;
    $("table").hidden = false;
    app.notice();
    board.open(game);
    edit.close();
    why.clear();
    find.clear();
    query.clear();
    $("why-in").value = $("query").value = "";
    actions.clear();
    $("name").textContent = name;
    $("title").textContent = game.rules.title.split(/[(,]/)[0].trim();
    $("edition").textContent = game.rules.edition + (game.tags.some(([n]) => n === "Option") ? " …" : "");
    document.title = `${name} · kaiser-logic`;
    $("query").placeholder = `such as decision(${game.rules.seats[0]},_); ↓ lists facts`;
    moves.rebuild();
    const line = game.line();
    const wrong = game.faults.findIndex(fault => fault.role !== null && fault.moves !== null);
    const about = game.faults.filter(fault => fault.role === null);
    about.push(...game.faults.filter(fault => fault.role !== null && fault.moves === null && fault.place));
    if (about.length) app.notice(about.slice(0, 5).map(f => `⊘ ${f.line ? `line ${f.line}: ` : ""}${f.rule}: ${f.message}`).join("\n"));
    if (!game.nodes.length) return;
    const start = at ?? (path && game.follow(path)) ?? game.places.get(place) ?? (depth !== null ? line[Math.min(depth, line.length - 1)] : wrong >= 0 ? null : game.rest.length ? line.at(-1) : 0);
    app.structure(push);
    if (start === null) app.fault(wrong); else app.go(start);
    if (lost) app.notice("Not all variations of the record can be followed: those behind the first that is illegal are left out.");
  },

  /** Opens the text of a record. */
  async open(text, name, options = {}) {
    try {
      await app.work(async signal => {
        const answer = await ask("open", {text, board: options.board ?? null, illegal: options.illegal ?? "stop"}, signal);
        if (!answer.steps.length) {
          app.notice(answer.faults.map(f => `⊘ ${f.line ? `line ${f.line}: ` : ""}${f.rule}: ${f.message}`).join("\n"));
          return;
        }
        await app.opened(answer, name, options);
      });
    } catch (error) {
      if (error.wants === "board") { app.needsBoard(text, name, options, error.message); return; }
      app.notice(`${name}: ${error.message}`);
    }
  },

  /** Asks the user for the board file that a record names. */
  needsBoard(text, name, options, why) {
    app.waiting = {text, name, options};
    $("board-why").textContent = why;
    $("board-file").value = $("board-text").value = "";
    if (!$("d-board").open) { $("d-board").returnValue = ""; $("d-board").showModal(); }
  },

  async reopen(illegal) {
    const {game} = app;
    try { await app.open(await app.written(game), game.name, {illegal, board: game.board, depth: game.here.depth}); } catch (error) { app.notice(error.message); }
  },

  /** The text of the record with all that has been played. What was opened stays as it was written. */
  async written(game, signal) {
    const lines = game.edits(), {end} = game;
    if (!lines.length && !game.comments.size) return game.source;
    const winners = end.number < game.opened || !end.over ? null : (end.legal ?? await ask("legal", game.state(end), signal).catch(() => null))?.result?.winners ?? null;
    return (await ask("write", {text: game.source, lines, comments: [...game.comments], winners}, signal)).text;
  },

  async start(tags, name, more = {}) {
    try {
      await app.work(async (signal, say) => {
        const answer = await ask("start", {tags, ...more, moves: Math.min(more.moves ?? 0, PART)}, signal);
        if (more.moves) await app.playOn(answer, more, signal, say);
        await app.opened(answer, name);
        if (more.moves && !answer.steps.at(-1)?.over) app.notice(`The random game was broken off after ${more.moves} moves: it is not finished.`);
      });
    } catch (error) {
      app.notice(error.message);
    }
  },

  /** Fetches the rest of a random game part by part, and shows the number of moves. */
  async playOn(answer, {moves, seed}, signal, say) {
    const game = new Game(answer, "");
    let made = answer.moves.length, over = answer.steps.at(-1)?.over;
    while (!over && made && made < moves) {
      say(`Playing: move ${made}`);
      const {steps} = await ask("random", {...game.state(game.nodes.at(-1)), moves: Math.min(moves - made, PART), seed: seed + made}, signal);
      if (!steps.length) break;
      for (const step of steps) game.add(game.nodes.length - 1, step, false);
      answer.steps.push(...steps);
      answer.moves.push(...steps.map(step => [step.role, step.action]));
      made += steps.length;
      over = steps.at(-1).over;
    }
    answer.text = (await ask("write", {text: answer.text, lines: [answer.moves.map(move => [...move, ""])]}, signal)).text;
  },

  /** Opens the same record under other rules. */
  replace({opened, depth}) { app.opened(opened, app.game.name, {depth}); },

  /** Opens a record that begins with a position, and plays a move there if one is given. */
  async playFrom(facts, name, ...move) {
    const before = app.game, {tags, board} = before.under();
    try {
      const {text} = await ask("begin", {tags: tags.filter(([tag]) => tag !== "Seats"), board, facts});
      await app.open(text, `${before.rules.id}: ${name}`, {board});
    } catch (error) { app.notice(error.message); }
    if (app.game === before) return;
    if (move.length) await app.play(...move);
    app.wayBack(before);
  },

  /** Opens a record and plays its moves. */
  async watch(text, name) {
    const before = app.game;
    await app.open(text, name, {board: before.board, depth: 0});
    if (app.game === before) return;
    app.wayBack(before);
    player.start();
  },

  /** Says how to come back to the record before. */
  wayBack(before) {
    if (before.linked) app.notice(`The record before, ${before.name}, is still there: the browser's Back leads to it. `, make("button", {id: "record-before", onclick: () => history.back()}, "Back to it"));
    else app.notice(`The record before, ${before.name}, is too long for the browser's history: its way back is a file. `, make("button", {id: "record-before", onclick: () => app.save(before)}, "Save it"));
  },

  // -- the place shown -----------------------------------------------------------------------------------------

  go(number) {
    const {game} = app;
    if (number === undefined || number === null || !game.nodes[number]) return;
    if (!player.stepping) player.stop();
    game.go(number);
    if (edit.open) edit.stop();
    app.settle();
    moves.show();
    const node = game.here;
    board.show(node);
    moves.tell(node.pictures[board.layout.name]);
    edit.load();
    actions.load(node);
    if (node.faults?.length) why.fault(node.faults[0]); else why.clear();
    app.remember();
  },

  /** Steps along the line. */
  step(by) {
    const line = app.game.line(), at = line.indexOf(app.game.at);
    const next = by === "first" ? 0 : by === "last" ? line.length - 1 : Math.max(0, Math.min(line.length - 1, at + by));
    if (next === at && by === 1 && app.game.at === app.game.original && app.game.rest.length) {
      const wrong = app.game.faults.findIndex(f => f.role !== null && f.moves === line.length - 1);
      if (wrong >= 0) app.fault(wrong);
    } else if (next !== at) app.go(line[next]);
  },

  /** Explains a fault of the record at its place. */
  fault(number) {
    const fault = app.game.faults[number], line = app.game.line();
    app.go(line[Math.min(fault.moves, line.length - 1)]);
    if (fault.action && !fault.action.includes("?") && fault.rule !== "record.role") why.judge(`${fault.role}: ${fault.action}`);
    else { app.tab("why"); why.fault(fault); }
  },

  /** Plays an action; `typing` says where the keyboard's focus returns: to the filter or to the list. */
  async play(role, action, typing = "") {
    const {game} = app, node = app.place;
    if (node.apart) { await app.playFrom(node.facts, node.apart, role, action); return; }
    try {
      await app.work(async signal => {
        const answer = await ask("line", {...game.state(node), moves: [[role, action]]}, signal);
        if (app.game !== game || game.here !== node) return;
        if (!answer.steps.length) { why.judge(`${role}: ${action}`); return; }
        game.undone = [];
        const number = game.add(node.number, answer.steps[0]);
        actions.played();
        app.structure();
        app.go(number);
        if (typing) $(typing === "filter" ? "filter" : "groups").focus({preventScroll: true});
      });
    } catch (error) {
      app.notice(error.message);
    }
  },

  /** Promotes or moves the variation shown, or deletes the last move with all that follows it; in the text of the record. */
  async rearrange(change) {
    const {game} = app, path = game.path(), line = path.map(([role, action]) => [role, action]);
    if (app.apart || !line.length || (change !== "delete" && !game.variation())) return;
    try {
      await app.work(async signal => {
        const text = await app.written(game, signal);
        const answer = await ask("rearrange", {text, board: game.board, line, change}, signal);
        if (app.game !== game) return;
        await app.opened(answer, game.name, {line: change === "delete" ? line.slice(0, -1) : line});
        app.wayBack(game);
      });
    } catch (error) { app.notice(error.message); }
  },

  /** Gives a place of the record another comment. */
  say(node, comment) {
    app.game.say(node, comment);
    app.structure();
    moves.show();
    app.remember();
  },

  undo() { if (app.game.undo()) { app.structure(); app.go(app.game.at); } },
  redo() { if (app.game.redo()) { app.structure(); app.go(app.game.at); } },
  branch() { app.game.cut(); app.structure(); app.go(app.game.at); },
  other(by) { if (app.game.other(by)) { app.structure(); app.go(app.game.at); } },
  why(typed) { why.judge(typed); },

  /** Shows another picture of the place in its stead, until Esc or a step. */
  look(picture) {
    app.looking = true;
    board.draw(picture);
  },

  /** Shows a position outside the record, with its own actions, until Esc or a step; `what` describes it. */
  lookAside(picture, what, node) {
    app.glance = null;
    app.apart = node;
    node.pictures[board.layout.name] = picture;
    $("looked").replaceChildren(what, make("button", {onclick: () => app.back()}, "Back to the record"));
    $("looked").hidden = false;
    document.body.classList.add("elsewhere");
    $("told").hidden = true;
    why.clear();
    if (picture) app.look(picture); else board.wait("This position cannot be drawn.");
    actions.load(node);
  },

  /** Shows the picture of the place again. */
  unpin() { if (app.apart) app.look(app.apart.pictures[board.layout.name]); else app.unlook(); },


  async lookAt(facts, what, name) {
    const {game} = app, glance = app.glance = {};
    try {
      const answer = await ask("boards", {...game.under(), ...board.paper, states: [{facts}]});
      if (app.glance === glance) app.lookAside(board.keep(answer)[0], what, game.apart(facts, name));
    } catch (error) { if (app.glance === glance) app.notice(error.message); }
  },

  /** Leaves positions outside the record, and returns whether one was shown. */
  settle() {
    const {apart} = app;
    app.glance = app.apart = null;
    app.looking = false;
    $("looked").hidden = true;
    document.body.classList.remove("elsewhere");
    return !!apart;
  },

  unlook() {
    const {looking} = app;
    if (app.settle()) actions.load(app.game.here);
    if (!looking) return;
    board.show(app.game.here);
    moves.tell(app.game.here.pictures[board.layout.name]);
  },

  /** Removes marks, messages and other positions. */
  back() {
    app.notice();
    if (!app.game) return;
    if (edit.open) edit.stop();
    app.unlook();
    why.clear();
    if (actions.picks.length || actions.armed) { actions.unpick(); actions.point(null); }
  },

  tab(name) {
    $("table").dataset.tab = name;
    for (const tab of document.querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    if (app.game) moves.show();
  },

  // -- address and files -----------------------------------------------------------------------------------------

  /** Prepares a new address: the record or its branches have changed. */
  structure(push = false) {
    moves.line = null;
    app.pack = app.writing = null;
    document.documentElement.dataset.saved = "";
    if (push) history.pushState(null, "", location.pathname);
  },

  remember() {
    clearTimeout(app.timer);
    app.timer = setTimeout(app.address, 250);
  },

  /** Writes the record and the place shown into the page's address, and so into the browser's history. */
  async address() {
    clearTimeout(app.timer);
    const {game} = app, {branches, at} = game.branches(), turn = app.writing = {};
    const pack = app.pack ?? await packed({v: 1, name: game.name, text: game.source, b: branches, ...(game.comments.size ? {c: [...game.comments]} : {}), ...(game.board ? {board: game.board} : {})});
    if (app.game !== game || app.writing !== turn) return;
    app.pack = pack;
    game.linked = pack !== null;
    try { history.replaceState(null, "", pack ? `#${at}.${pack}` : location.pathname); } catch { /* too many calls: the next step writes it */ }
    document.documentElement.dataset.saved = pack ? "link" : "no";
  },

  async restore() {
    const [, id, depth, link] = /^#([a-z]\w*)\.(\d+)\.([\w-]+)$/.exec(location.hash) ?? [];
    if (id) {
      try {
        const {text, board} = await ask("lengthen", {game: id, link});
        await app.open(text, `${id}: from a link`, {push: false, board, depth: +depth});
        return true;
      } catch (error) { app.notice(error.message); return false; }
    }
    const [, at, pack] = /^#(\d+)\.([\w-]+)$/.exec(location.hash) ?? [];
    const kept = pack && await unpacked(pack);
    if (!kept || typeof kept.text !== "string") return false;
    const branches = Array.isArray(kept.b) ? kept.b.slice(0, 200) : [], comments = Array.isArray(kept.c) ? kept.c.filter(one => one?.length === 2 && one.every(text => typeof text === "string")) : [], name = String(kept.name ?? "record").slice(0, 80);
    if (/\.game$/i.test(name)) app.files.learn(name, null); // the file of that name may have changed
    await app.open(kept.text, name, {push: false, branches, comments, at: +at, board: typeof kept.board === "string" ? kept.board : null});
    return true;
  },

  /** Closes the record. */
  close() {
    app.stopper?.abort();
    app.turn = app.writing = null;
    player.stop();
    app.settle();
    app.game = null;
    find.clear();
    query.clear();
    actions.leave();
    document.body.dataset.state = "empty";
    $("welcome").hidden = false;
    $("table").hidden = true;
    $("name").textContent = $("title").textContent = "";
    document.title = "kaiser-logic";
  },

  async save(game = app.game) {
    let text;
    try { text = await app.written(game); } catch (error) { app.notice(error.message); return; }
    const name = app.files.propose(game.name, text);
    const url = URL.createObjectURL(new Blob([text], {type: "text/plain"}));
    make("a", {href: url, download: name}).click();
    app.files.learn(name, text);
    if (text !== game.source) app.notice(`${name} has what you have played, behind the record's end or as variations behind the moves that they replace, and your comments. All else is as it was opened.`);
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  },

  /** The text of a file; null if it is no text. */
  async read(file) {
    if (file.size > 8 * 2 ** 20) { app.notice(`${file.name} is larger than 8 MB`); return null; }
    try { return new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(await file.arrayBuffer()); } catch { app.notice(`${file.name}: this is not a text in UTF-8`); return null; }
  },

  /** Opens a record from a file; a second file is its board file. */
  async chosen(list) {
    const texts = [];
    for (const file of [...list].slice(0, 2)) {
      const text = await app.read(file);
      if (text === null) return;
      texts.push([file.name, text]);
    }
    if (!texts.length) return;
    const at = Math.max(0, texts.findIndex(([, text]) => /^(\s*(%[^\r\n]*[\r\n])?)*\[/.test(text.slice(0, 10000))));
    const other = texts[1 - at];
    for (const [name, text] of texts) app.files.learn(name, text);
    await app.open(texts[at][1], texts[at][0], {board: other ? other[1] : null});
  },

  theme() {
    const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme:dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", document.documentElement.dataset.theme); } catch { /* then it is not stored */ }
  },

  /** The actions that are legal here, and those of the record, by their words. */
  words() {
    const found = new Map(), {game} = app, add = (role, action, text) => {
      const key = text.toLowerCase();
      if (!found.has(key)) found.set(key, [role, action, text]);
    };
    for (const {role, groups} of app.place.legal?.roles ?? [])
      for (const group of groups) for (const one of group.actions) add(role, one.action, one.label);
    for (const node of game.nodes) if (node.role) add(node.role, node.action, node.label);
    return found;
  },
};

const board = app.board = new Board($("board"), {
  picked: target => {
    if (edit.open) { edit.seek(target.area); return; }
    app.tab("actions");
    actions.pick(target);
  },
  failed: error => app.notice(error.message),
  notes: () => app.game && !app.apart && !app.edit?.open ? marked(app.game.here.comment).notes : [],
  noted: note => {
    const {game} = app, here = game.here;
    if (app.apart || edit.open || !game.commentable()) return false;
    app.say(here, game.marking(note));
    board.mark();
    moves.tell(here.pictures[board.layout.name]);
    return true;
  },
  arrived: node => {
    const picture = node.pictures[board.layout.name]; // none if the size of the window has changed meanwhile
    if (app.game?.here !== node || app.looking || !picture) return;
    board.draw(picture);
    board.glide(node);
    moves.tell(picture);
  },
});
app.drag = new Drag(app);
const moves = new Moves(app), actions = new Actions(app), why = new Why(app), find = new Find(app), query = new Query(app), rulings = new Rulings(app);
const edit = app.edit = new Edit(app);
const around = app.around = new Around(app), player = new Player(app);
board.told = text => around.tell(text);

// -- starting a game -----------------------------------------------------------------------------------------------

function setup(about) {
  const players = make("select", {"aria-label": "players"}, ...about.players.map(n => make("option", {value: n, selected: n === about.default}, `${n} players`)));
  const edition = make("select", {"aria-label": "edition"}, ...about.editions.map(([name, words]) => make("option", {value: name, title: words}, name)));
  const tags = () => [["Game", about.id], ["Edition", edition.value], ["Seats", about.roles.slice(0, +players.value).map(([role]) => role).join(" ")]];
  const title = about.title.split(/[(,]/)[0].trim();
  return make("div", {class: "setup"}, players, edition,
    make("button", {class: "primary", "data-start": about.id, type: "button", onclick: () => { $("d-open").close(); app.start(tags(), about.id); }}, "Start"),
    make("button", {"data-random": about.id, type: "button", onclick: () => { $("d-open").close(); const seed = 1 + Math.floor(Math.random() * 1e6); app.start(tags(), `${about.id}, random game ${seed}`, {moves: 2000, seed}); }}, "Look at a random game"),
    make("span", {hidden: true}, title));
}

/** The records that come with the package, by game. */
function exampled(examples) {
  $("examples").hidden = !examples.length;
  $("examples-in").replaceChildren(...examples.map(({game, records}) => make("details", {}, make("summary", {}, `${app.games.get(game)?.title.split(/[(,]/)[0].trim() ?? game} (${records.length})`),
    make("ul", {class: "games"}, ...records.map(({file, label}) => make("li", {}, make("button", {"data-example": file, onclick: async () => {
      try {
        const found = await ask("example", {file});
        app.files.learn(found.name, found.text);
        await app.open(found.text, found.name);
      } catch (error) { app.notice(error.message); }
    }}, file.split("/").at(-1)), label ? make("span", {class: "soft"}, ` ${label}`) : null))))));
}

function listed(games) {
  const entry = about => make("li", {}, make("b", {}, about.title.split(/[(,]/)[0].trim(), " ", make("code", {class: "soft"}, about.id)),
    about.problem ? make("p", {class: "soft"}, about.problem) : setup(about));
  $("games").replaceChildren(...games.map(entry));
  $("starts").replaceChildren(make("ul", {class: "games"}, ...games.map(entry)));
}

// -- buttons, files, keys --------------------------------------------------------------------------------------------

function opening() { $("d-open").returnValue = ""; $("file").value = ""; $("d-open").showModal(); }
function keys() { $("d-keys").showModal(); }

$("open").addEventListener("click", opening);
$("save").addEventListener("click", () => app.save());
$("rulings").addEventListener("click", () => rulings.show());
$("theme").addEventListener("click", app.theme);
$("link").addEventListener("click", () => around.link());
$("legend").addEventListener("click", () => around.legend());
$("whole").addEventListener("click", () => around.whole());
$("slider").addEventListener("input", () => { const line = app.game.line(); app.go(line[Math.min(+$("slider").value, line.length - 1)]); });
$("help").addEventListener("click", keys);
$("keys").replaceChildren(...KEYS.map(([key, what]) => make("tr", {}, make("td", {}, ...key.split(" ").flatMap(k => [make("kbd", {}, k)])), make("td", {}, what))));
$("file").addEventListener("change", () => { $("d-open").close(); app.chosen($("file").files); });
$("board-file").addEventListener("change", async () => { const text = await app.read($("board-file").files[0]); if (text !== null) $("board-text").value = text; });
$("d-board").addEventListener("close", () => {
  const {text, name, options} = app.waiting;
  if ($("d-board").returnValue === "read" && $("board-text").value.trim()) app.open(text, name, {...options, board: $("board-text").value});
});
$("d-open").addEventListener("close", () => { if ($("d-open").returnValue === "read" && $("text").value.trim()) app.open($("text").value, "pasted record"); });
document.querySelector("[data-open]").addEventListener("click", () => { opening(); $("file").click(); });
document.querySelector("[data-paste]").addEventListener("click", () => { opening(); $("text").focus(); });
document.querySelector(".bar").addEventListener("click", event => {
  const go = event.target.closest("button")?.dataset.go;
  if (go) app.step(go === "first" || go === "last" ? go : +go);
});
document.querySelector(".tabs").addEventListener("click", event => { const tab = event.target.closest("[role=tab]"); if (tab) app.tab(tab.dataset.tab); });
for (const name of ["dragover", "dragleave", "drop"]) addEventListener(name, event => {
  event.preventDefault();
  document.body.classList.toggle("dropping", name === "dragover");
  if (name === "drop") app.chosen(event.dataTransfer.files);
});
addEventListener("popstate", async () => { clearTimeout(app.timer); app.writing = null; if (!await app.restore()) app.close(); });
board.wide.addEventListener("change", () => {
  if (!app.game) return;
  if (edit.open) edit.check();
  else if (app.apart) app.lookAt(app.apart.facts, $("looked").firstChild.textContent, app.apart.apart);
  else if (!app.looking) board.show(app.game.here);
});
matchMedia("(min-width:960px)").addEventListener("change", () => { if (app.game) moves.show(); });

addEventListener("keydown", event => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") {
    if (event.target !== document.body) event.target.blur?.();
    app.back();
    return;
  }
  if (typing) return;
  const focus = name => () => { app.tab(name === "filter" ? "actions" : name === "why-in" ? "why" : "find"); $(name).focus(); $(name).select(); };
  const always = {o: opening, "?": keys, t: app.theme};
  const playing = {
    ArrowLeft: () => app.step(-1), ArrowRight: () => app.step(1), Home: () => app.step("first"), End: () => app.step("last"),
    PageUp: () => app.step(-10), PageDown: () => app.step(10),
    ArrowUp: () => app.other(-1), ArrowDown: () => app.other(1), "/": focus("filter"), w: focus("why-in"), q: focus("query"),
    a: () => find.another(), e: () => { if (!edit.open) edit.start(); }, u: () => edit.open ? edit.undo() : app.undo(), U: () => edit.open ? edit.redo() : app.redo(), b: () => app.branch(),
    r: () => rulings.show(), " ": () => player.toggle(), c: () => moves.write(), n: () => moves.curve.jump(1), N: () => moves.curve.jump(-1), m: () => moves.curve.jump(1, "lead"), M: () => moves.curve.jump(-1, "lead"), s: () => app.save(), p: () => board.focus(null), k: () => around.legend(), l: () => around.link(), z: () => around.whole(),
  };
  if ((event.target.type === "range" && event.key.startsWith("Arrow")) || (event.key === " " && event.target !== document.body)) return;
  const action = always[event.key] ?? (app.game ? playing[event.key] : undefined);
  if (!action) return;
  event.preventDefault();
  action();
});

try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch { /* storage is not available */ }
app.tab("actions");
try {
  const {games} = await ask("games", {});
  for (const about of games) app.games.set(about.id, about);
  listed(games);
} catch (error) {
  app.notice(error.message);
}
if (!await app.restore()) {
  try {
    exampled((await ask("examples", {})).examples);
    const given = await (await fetch("/page/given.json")).json();
    if (given.text) await app.open(given.text, given.name, {place: given.at, board: given.board, push: false});
  } catch (error) { app.notice(error.message); }
}
document.documentElement.dataset.ready = "yes";
