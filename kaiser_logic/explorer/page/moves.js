// The list of moves: the line through the place shown, with other branches below the moves at which they start.

import {$, capital, changes, make, shield} from "./dom.js";
import {Curve} from "./curve.js";
import {marked} from "./game.js";

/** The length from which parts of the list are folded. */
const LONG = 40;

const RULES = new Set(["Game", "Edition", "Option", "Seats", "Board"]);

export class Moves {
  constructor(app) {
    this.app = app;
    this.curve = new Curve(app);
    $("list").addEventListener("click", event => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.part) { this.#toggle(+button.dataset.part); return; }
      if (button.dataset.node) app.go(+button.dataset.node);
      else if (button.dataset.fault) app.fault(+button.dataset.fault);
    });
    $("undo").addEventListener("click", () => app.undo());
    $("branch").addEventListener("click", () => app.branch());
    for (const change of ["promote", "earlier", "later", "delete"]) $(change).addEventListener("click", () => app.rearrange(change));
  }

  /** Rebuilds the list after a change of the line. */
  rebuild() {
    const {game} = this.app, line = game.line();
    this.line = line;
    this.leads = game.leads(line.map(n => game.nodes[n]));
    const rows = [this.#row(0, "Start")];
    this.parts = [];
    line.forEach((number, k) => {
      const node = game.nodes[number], part = game.nodes[node.parent]?.part;
      if (part && part !== this.parts.at(-1)?.name) {
        this.parts.push({name: part, from: k, rows: []});
        rows.push(make("li", {class: "part"}));
      }
      if (this.parts.length) this.parts.at(-1).to = k;
      if (k) rows.push(this.#row(number));
      for (const other of node.children)
        if (other !== line[k + 1]) rows.push(this.#row(other, null, "other"));
    });
    if (line.at(-1) === game.original && game.rest.length) {
      game.rest.slice(0, 400).forEach(([role, action], i) => {
        const wrong = i === 0 ? game.faults.findIndex(f => f.role !== null && f.moves === line.length - 1) : -1;
        rows.push(make("li", {class: i === 0 ? "bad" : "rest"},
          make("button", wrong >= 0 ? {"data-fault": wrong, title: action} : {disabled: true, title: action},
            make("span", {class: "n"}, `${line.length + i}`), shield(game, role),
            make("span", {class: "t"}, (i === 0 ? "⊘ " : "") + (game.restSaid[i] ?? action)))));
      });
      rows.push(make("li", {class: "soft"}, `${game.rest.length} move${game.rest.length > 1 ? "s" : ""} not followed. `,
        make("button", {onclick: () => this.app.reopen("skip")}, "Go on without the illegal ones")));
    }
    const other = game.rests.get(line.at(-1));
    if (other) {
      const wrong = game.faults.find(f => game.places.get(f.place) === line.at(-1) && f.role !== null);
      other.moves.slice(0, 100).forEach(([role, action], i) => rows.push(make("li", {class: i === 0 ? "bad" : "rest"},
        make("button", {disabled: true, title: i === 0 && wrong ? `${wrong.rule}: ${wrong.message}` : action}, make("span", {class: "n"}, `${line.length + i}`), shield(game, role),
          make("span", {class: "t"}, (i === 0 ? "⊘ " : "") + (other.unfollowed[i] ?? action))))));
    }
    let part = -1;
    for (const row of rows) {
      if (row.className === "part") this.parts[++part].head = row;
      else if (part >= 0) this.parts[part].rows.push(row);
    }
    this.parts.forEach((one, k) => one.head.append(this.#head(one, k)));
    this.toggled = new Set();
    this.part = null;
    $("list").replaceChildren(...rows);
    this.curve.draw();
    this.show();
  }

  /** The heading of a part: its name, the number of its moves, and the points won in it. */
  #head({name, from, to}, k) {
    const {game} = this.app, before = game.nodes[this.line[from - 1]].points;
    const won = Object.entries(game.nodes[this.line[to]].points).map(([role, n]) => [role, n - (before[role] ?? 0)]).filter(([, n]) => n);
    return make("button", {"data-part": k}, make("span", {class: "n", "aria-hidden": "true"}, "▾"), make("span", {class: "t"}, name, " ", ...won.map(one => points(game, one))),
      make("span", {class: "note soft"}, `${to - from + 1}`));
  }

  /** Folds the parts of a long list, but for the one shown and those that have been opened. */
  #fold() {
    this.parts.forEach((one, k) => {
      const open = (this.line.length <= LONG || k === this.part) !== this.toggled.has(k);
      const button = one.head.firstChild;
      button.setAttribute("aria-expanded", String(open));
      button.firstChild.textContent = open ? "▾" : "▸";
      for (const row of one.rows) row.hidden = !open;
    });
  }

  #toggle(part) {
    if (!this.toggled.delete(part)) this.toggled.add(part);
    this.#fold();
  }

  #row(number, text = null, kind = "") {
    const {game} = this.app, node = game.nodes[number];
    const bad = node.faults?.length;
    return make("li", {class: [kind, bad ? "bad" : ""].join(" ").trim() || null},
      make("button", {"data-node": number, title: node.action ?? null},
        make("span", {class: "n"}, `${node.depth}`), node.role ? shield(game, node.role) : null,
        make("span", {class: "t"}, (bad ? "⊘ " : "") + (kind ? "or: " : "") + (text ?? node.label)), node.comment ? make("span", {class: "note", title: node.comment}, "❝") : null, ...this.#won(node)));
  }

  /** The points that a move brings; ▴ for a player who comes to lead by it. */
  #won(node) {
    const {game} = this.app, lead = this.leads.get(node.number), won = game.won(node);
    return [...won, ...(lead && !won.some(([role]) => role === lead) ? [[lead, 0]] : [])].map(([role, n]) => points(game, [role, n], role === lead));
  }

  /** Marks the place shown. */
  show() {
    const {game} = this.app, line = game.line();
    if (this.line !== line) { this.rebuild(); return; }
    const list = $("list"), at = line.indexOf(game.at), part = Math.max(0, this.parts.findLastIndex(one => one.from <= at));
    if (this.part !== part) {
      this.part = part;
      this.toggled.delete(part);
      this.#fold();
    }
    this.curve.show();
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = list.querySelector(`[data-node="${game.at}"]`);
    if (now) {
      now.setAttribute("aria-current", "true");
      const top = now.offsetTop, height = list.clientHeight;
      if (top < list.scrollTop + 40 || top > list.scrollTop + height - 60) list.scrollTop = top - height / 2;
    }
    $("count").textContent = `${game.here.depth} of ${game.nodes[line.at(-1)].depth + (line.at(-1) === game.original ? game.rest.length : 0)}`;
    $("slider").max = line.length - 1;
    $("slider").value = line.indexOf(game.at);
    $("slider").setAttribute("aria-valuetext", $("count").textContent);
    $("undo").disabled = !game.here.mine || game.here.parent < 0;
    $("branch").disabled = game.here.next === null;
    const branch = game.variation();
    $("promote").hidden = !branch;
    $("earlier").hidden = !(branch?.at > 1);
    $("later").hidden = !(branch?.at < branch?.of);
    $("delete").disabled = game.here.parent < 0;
  }

  /** Opens the field for the comment on the move; it is kept as soon as the field is left, Esc leaves the old one. */
  write() {
    const {app} = this, node = app.game.here, button = $("comment");
    if (!button || app.apart) return;
    const field = make("textarea", {id: "comment-in", rows: 3, "aria-label": "comment on the move"});
    field.value = node.comment;
    field.addEventListener("keydown", event => {
      if (event.key === "Escape") { field.value = node.comment; event.stopPropagation(); }
      if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) field.blur();
    });
    field.addEventListener("blur", () => {
      const text = field.value.split("\n").map(line => line.trim()).join("\n").trim();
      this.writing = null;
      if (text !== node.comment) app.say(node, text);
      if (app.game?.here === node && !app.apart) this.tell(node.pictures[app.board.layout.name]);
    });
    this.writing = node;
    button.replaceWith(field);
    field.focus();
  }

  /** Shows the effects of the last move. */
  tell(picture) {
    const {game} = this.app, node = game.here, told = $("told");
    if (this.writing === node) return; // its comment is being written
    $("comment-in")?.blur();
    const lines = [];
    const text = capital(`${game.rules.words[node.role] ?? node.role} ${node.label}`);
    if (node.role) {
      lines.push(make("p", {}, shield(game, node.role), ` ${text} `, make("code", {class: "soft"}, node.action)));
    }
    else lines.push(...game.tags.filter(([name]) => !RULES.has(name)).map(([name, value]) => make("p", {}, make("b", {class: "tag"}, name), " ", value)));
    for (const said of [marked(node.comment).words, node.elsewhere]) if (said) lines.push(make("p", {class: "said"}, said));
    if (game.commentable(node)) lines.push(make("p", {class: "row"}, make("button", {id: "comment", onclick: () => this.write()}, node.comment ? "Edit the comment" : "Comment", make("kbd", {}, "C"))));
    const events = node.events.filter(one => one.toLowerCase() !== text.toLowerCase());
    if (events.length) lines.push(make("ul", {}, ...events.map(one => make("li", {}, one))));
    if (picture?.changes?.length) lines.push(make("details", {open: this.open, ontoggle: e => { this.open = e.target.open; }},
      make("summary", {}, `${picture.changes.length} change${picture.changes.length > 1 ? "s" : ""} on the board`),
      make("ul", {class: "soft"}, ...changes(picture.changes))));
    if (!node.role && node.also.some(text => text.startsWith("position"))) lines.push(make("p", {class: "soft"}, "The record begins with a position of its own."));
    for (const text of node.role ? node.also : node.also.filter(one => !one.startsWith("position"))) lines.push(make("p", {class: "code soft"}, text.length > 120 ? text.slice(0, 120) + " …" : text));
    told.replaceChildren(...lines);
    told.hidden = !lines.length;
  }
}

/** Points won or lost, with the letter of the player; ▴ if that player leads now. */
function points(game, [role, n], leads = false) {
  const name = game.rules.words[role] ?? role, said = [n ? `${name}: ${n} point${Math.abs(n) === 1 ? "" : "s"}` : "", leads ? `${name} leads now` : ""].filter(Boolean).join("; ");
  return make("span", {class: "won", title: said}, [game.rules.letters[role] ?? role, n ? `${n > 0 ? "+" : "−"}${Math.abs(n)}` : "", leads ? "▴" : ""].filter(Boolean).join(" "));
}
