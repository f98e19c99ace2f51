// The editor of positions: on the board, in a list, or as text. Broken invariants are shown at once.

import {$, make} from "./dom.js";
import {ask, latest} from "./ask.js";
import {Tray, parts} from "./tray.js";
import {Palette} from "./palette.js";

export class Edit {
  constructor(app) {
    this.app = app;
    this.ask = latest();
    this.open = false;
    this.tray = new Tray(app, (fact, add) => this.puts(fact, add));
    this.facts = [];
    this.words = new Map();
    this.palette = new Palette(this);
  }

  /** Shows the panel of the editor while it is closed. */
  load() {
    if (this.open) return;
    const {left, app} = this;
    $("edit-out").replaceChildren(
      make("p", {class: "soft"}, "Put pieces, take them away, change numbers. What a position may not be is said at once."),
      make("p", {class: "row"}, make("button", {id: "edit-start", onclick: () => this.start()}, "Edit the position"),
        left && left.game === app.game ? make("button", {id: "edit-again", onclick: () => this.start(left.facts)}, "Go on editing") : null));
  }

  /** Starts to edit these facts, by default those of the position shown. */
  async start(facts = null) {
    const {app} = this, {game} = app;
    this.open = true;
    document.body.classList.add("editing");
    app.tab("edit");
    this.origin = app.place.facts;
    this.facts = [...(facts ?? this.origin)];
    this.past = [];
    this.future = [];
    this.words = new Map();
    this.broken = [];
    this.area = null;
    this.picked = null;
    this.filter = make("input", {id: "edit-filter", "aria-label": "only facts with", placeholder: "filter, or click a place of the board", autocomplete: "off", spellcheck: "false"});
    this.filter.addEventListener("input", () => this.draw());
    this.list = make("ul", {id: "edit-list", class: "facts", "aria-label": "facts of the position"});
    this.list.addEventListener("keydown", event => this.#key(event));
    this.list.addEventListener("click", event => this.#click(event));
    this.list.addEventListener("change", event => {
      const row = event.target.closest("li");
      if (row && event.target.type === "number") this.number(row.dataset.fact, +event.target.value);
    });
    this.verdict = make("div", {id: "edit-verdict", "aria-live": "polite"});
    this.play = make("button", {class: "primary", id: "edit-play", disabled: true, onclick: () => app.playFrom(this.facts, "edited position")}, "Play on from it");
    this.undoing = make("button", {id: "edit-undo", disabled: true, onclick: () => this.undo()}, "Undo");
    this.text = make("textarea", {id: "facts", spellcheck: "false", "aria-label": "the facts of the position", autocomplete: "off"});
    this.text.addEventListener("input", () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.typed(), 300); });
    this.chip = make("p", {class: "row", hidden: true});
    this.tray.element.replaceChildren(make("p", {class: "soft"}, "The trays are being laid out …"));
    $("edit-out").replaceChildren(
      make("div", {class: "row"}, this.play, this.undoing, make("button", {id: "edit-leave", onclick: () => this.stop()}, "Leave")),
      this.verdict, this.palette.element, this.tray.element, this.filter, this.chip, this.list,
      make("details", {id: "edit-text"}, make("summary", {}, "As text"), this.text));
    this.filter.focus({preventScroll: true});
    this.draw();
    this.check();
    this.palette.load();
    try {
      const {kinds} = await ask("trays", {...game.under(), facts: this.facts});
      if (!this.open || app.game !== game) return;
      this.tray.learn(kinds);
      this.draw();
    } catch (error) {
      this.tray.element.replaceChildren(make("p", {class: "soft"}, error.message));
    }
  }

  /** Closes the editor because another record is opened. */
  close() {
    this.open = false;
    this.left = null;
    document.body.classList.remove("editing");
    this.tray.drop();
  }

  stop() {
    const changed = this.past.length > 0;
    this.left = changed ? {game: this.app.game, facts: this.facts} : null;
    this.open = false;
    document.body.classList.remove("editing");
    this.tray.drop();
    this.app.unlook();
    this.load();
  }

  // -- changes -----------------------------------------------------------------------------------------------------

  /** Replaces the facts; `undo` brings the old ones back. */
  set(facts, kept = false) {
    if (!kept) { this.past.push(this.facts); this.future = []; }
    this.facts = facts;
    this.draw();
    this.check();
  }

  undo() { if (this.past.length) { this.future.push(this.facts); this.set(this.past.pop(), true); } }
  redo() { if (this.future.length) { this.past.push(this.facts); this.set(this.future.pop(), true); } }

  /** Puts a fact. If it has a counter, its number replaces the old one or, with `add`, is added to it. */
  puts(fact, add = false) {
    const counted = this.tray.kind?.counted, same = counted ? this.facts.find(f => key(f) === key(fact)) : null;
    if (same) {
      const n = add ? +parts(same).at(-1) + +parts(fact).at(-1) : +parts(fact).at(-1);
      this.set(this.facts.map(f => f === same ? numbered(f, n) : f));
    } else if (!this.facts.includes(fact)) this.set([...this.facts, fact]);
    this.shown = fact;
    if (this.picked) { this.picked = null; this.tray.choose(null); }
    else this.tray.look(true);
  }

  away(fact) { this.set(this.facts.filter(f => f !== fact)); }

  number(fact, n) {
    if (!Number.isInteger(n)) { this.draw(); return; }
    const kind = this.#kind(fact);
    if (n <= 0 && kind?.counted && kind.slots.at(-1).values[0]?.[0] !== "0" && !kind.slots.at(-1).values.some(([v]) => v[0] === "-")) { this.away(fact); return; }
    this.set(this.facts.map(f => f === fact ? numbered(fact, n) : f));
  }

  /** Takes a fact into the hand; of a counter, one of several. */
  pick(fact) {
    const kind = this.#kind(fact);
    if (!kind) return;
    const n = +parts(fact).at(-1), rest = kind.counted && kind.onboard && n > 1;
    this.set(rest ? this.facts.map(f => f === fact ? numbered(f, n - 1) : f) : this.facts.filter(f => f !== fact));
    this.tray.take(rest ? numbered(fact, 1) : fact);
    this.picked = fact;
    this.tray.inputs.find(input => input.value !== "")?.focus();
  }

  /** Puts a dragged piece back: it does not fit where it was dropped. */
  putBack() {
    if (this.picked) this.undo();
    this.future = [];
    this.picked = null;
    this.tray.choose(null);
  }

  /** Puts the fact in the hand on a chosen area. If the hand is empty, lists the facts of the area. */
  seek(area) {
    if (this.tray.at(area)) return;
    this.area = this.area === area ? null : area;
    this.draw();
    this.list.querySelector("li")?.focus();
  }

  typed() {
    const facts = [], text = this.text.value.replace(/%[^\n]*/g, "");
    let depth = 0, from = 0;
    for (let i = 0; i <= text.length; i++) {
      if (text[i] === "(") depth++;
      if (text[i] === ")") depth--;
      if ((i === text.length || text[i] === ".") && depth <= 0) {
        const fact = text.slice(from, i).replace(/\s+/g, "");
        if (fact && !facts.includes(fact)) facts.push(fact);
        from = i + 1;
      }
    }
    this.typing = true;
    this.set(facts);
    this.typing = false;
  }

  // -- display -----------------------------------------------------------------------------------------------------

  async check() {
    const {app, facts} = this;
    this.undoing.disabled = !this.past.length;
    this.play.disabled = true;
    let answer;
    try {
      answer = await this.ask("edit", {...app.game.under(), ...app.board.paper, deal: app.game.deal(app.game.here), text: facts.map(fact => fact + ".").join("\n")});
    } catch (error) {
      if (error.name === "AbortError" || !this.open) return;
      if (this.facts !== facts) return;
      this.verdict.replaceChildren(make("p", {}, "⊘ ", error.message));
      this.broken = []; // the pins and the board belong to the facts before
      this.draw();
      this.#show(null, "No actions: this is no position.");
      return;
    }
    if (!this.open || this.facts !== facts) return;
    if (answer.facts.length === facts.length) this.facts = answer.facts; // the same facts, in the order of the rulebook
    this.words = new Map(answer.facts.map((fact, k) => [fact, {words: answer.words[k], areas: answer.areas[k], pieces: answer.pieces?.[k] ?? []}]));
    this.broken = answer.broken;
    this.play.disabled = answer.broken.length > 0;
    this.play.title = answer.broken.length ? "not yet: the position breaks what no position may break" : "";
    this.verdict.replaceChildren(...(answer.broken.length
      ? [make("p", {}, make("b", {}, `⊘ cannot be played on from: it breaks ${answer.broken.length} invariant${answer.broken.length > 1 ? "s" : ""}`)),
        make("ol", {class: "broken"}, ...answer.broken.map((one, k) => make("li", {}, k < 9 ? make("span", {class: "pin"}, `${k + 1}`) : null, make("code", {}, one.rule), ` ${one.message} `,
          make("span", {class: "soft"}, one.words === one.witness ? one.witness : `${one.words}: ${one.witness}`))))]
      : [make("p", {}, make("b", {}, "✓ valid"), ": all invariants hold")]),
    answer.undrawn ? make("p", {class: "soft"}, answer.undrawn) : "");
    this.draw();
    this.#show(answer.board ? app.board.keep(answer.board)[0] : null, answer.broken.length ? "No actions: the position breaks an invariant." : "");
    this.tray.again();
  }

  /** Shows the edited position on the board, and its actions unless there is a reason against them. */
  #show(picture, error) {
    const {app} = this, node = app.game.apart(this.facts, "edited position");
    if (error) node.legal = {roles: [], result: null, error};
    app.lookAside(picture, "The position as it is being edited. ", node);
  }

  #kind(fact) { return this.tray.kinds?.find(k => k.name === fact.split("(")[0] && k.slots.length === parts(fact).length); }

  draw() {
    const wanted = this.filter.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const at = this.area, pins = new Map(this.broken.slice(0, 9).map((one, k) => [one.witness, k + 1]));
    const fits = fact => {
      const known = this.words.get(fact);
      return (!at || known?.areas.includes(at)) && wanted.every(word => `${fact} ${known?.words ?? ""}`.toLowerCase().includes(word));
    };
    const some = this.facts.filter(fits), had = new Set(this.origin);
    const focused = document.activeElement?.closest?.("#edit-list li")?.dataset.fact, index = [...this.list.children].findIndex(li => li.dataset.fact === focused);
    this.chip.hidden = !at;
    if (at) this.chip.replaceChildren(make("span", {class: "chip"}, `at ${this.app.board.label(at)}`, make("button", {"aria-label": "all places", onclick: () => { this.area = null; this.draw(); }}, "✕")));
    this.list.replaceChildren(...some.map(fact => this.#row(fact, pins.get(fact), had.has(fact))));
    if (!some.length) this.list.append(make("li", {class: "soft"}, this.facts.length ? "No fact is such." : "There is no fact."));
    if (!this.typing) this.text.value = this.facts.map(fact => fact + ".").join("\n");
    const row = [...this.list.children].find(li => li.dataset.fact === (focused ?? null)) ?? (index >= 0 ? this.list.children[Math.min(index, this.list.children.length - 1)] : null);
    row?.focus?.({preventScroll: true});
    const fresh = this.shown && [...this.list.children].find(li => li.dataset.fact && key(li.dataset.fact) === key(this.shown));
    if (fresh) {
      if (fresh.offsetTop < this.list.scrollTop || fresh.offsetTop + fresh.offsetHeight > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = fresh.offsetTop - 60;
      if (this.words.has(fresh.dataset.fact)) this.shown = null; // its row may move again, to its final place
    }
  }

  #row(fact, pin, old) {
    const known = this.words.get(fact), kind = this.#kind(fact), words = known?.words ?? fact;
    const last = parts(fact).at(-1), number = kind?.counted && /^-?\d+$/.test(last ?? "");
    return make("li", {tabindex: "0", "data-fact": fact, class: [pin ? "bad" : "", old ? "" : "new"].join(" ").trim() || null},
      make("span", {class: "what"}, pin ? make("span", {class: "pin"}, `${pin}`) : null, old ? null : make("b", {title: "changed"}, "⊕ "), words, words === fact ? null : make("span", {class: "code"}, fact)),
      number ? make("span", {class: "count"}, make("button", {tabindex: "-1", "data-by": -1, "aria-label": `one less: ${words}`}, "−"),
        make("input", {type: "number", tabindex: "-1", value: last, "aria-label": `number: ${words}`}),
        make("button", {tabindex: "-1", "data-by": 1, "aria-label": `one more: ${words}`}, "+")) : null,
      kind ? make("button", {tabindex: "-1", "data-pick": "", title: "take it into the hand, to put it elsewhere or otherwise", "aria-label": `take into the hand: ${words}`}, "✎") : null,
      !kind && this.tray.kinds ? null : make("button", {tabindex: "-1", "data-away": "", title: "take it away", "aria-label": `take away: ${words}`}, "✕"));
  }

  #click(event) {
    const button = event.target.closest("button"), fact = event.target.closest("li")?.dataset.fact;
    if (!button || !fact) return;
    if (button.dataset.by) this.number(fact, +parts(fact).at(-1) + +button.dataset.by);
    else if (button.dataset.pick !== undefined) this.pick(fact);
    else this.away(fact);
  }

  #key(event) {
    const row = event.target.closest("li");
    if (!row?.dataset.fact || event.target !== row || event.ctrlKey || event.metaKey || event.altKey) return;
    const fact = row.dataset.fact, counted = row.querySelector(".count"), by = {"+": 1, "=": 1, "-": -1}[event.key];
    if (event.key === "ArrowDown") (row.nextElementSibling ?? row).focus();
    else if (event.key === "ArrowUp") (row.previousElementSibling ?? this.filter).focus();
    else if (event.key === "Delete" || event.key === "Backspace") { if (row.querySelector("[data-away]")) this.away(fact); }
    else if (event.key === "Enter") this.pick(fact);
    else if (by && counted) {
      const next = row.previousElementSibling?.dataset.fact;
      this.shown = fact;
      this.number(fact, +parts(fact).at(-1) + by);
      const now = [...this.list.children].find(li => li.dataset.fact && key(li.dataset.fact) === key(fact)) ?? [...this.list.children].find(li => li.dataset.fact === next);
      now?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** A fact without its last argument, the number. */
function key(fact) { return fact.replace(/,?-?\d+\)$/, ")"); }

/** A fact with another number as its last argument. */
function numbered(fact, n) { return fact.replace(/-?\d+\)$/, `${n})`); }
