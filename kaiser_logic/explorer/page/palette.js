// The palette of the editor: pieces to take into the hand; dragging pieces onto the board, on it and off it.

import {$, make} from "./dom.js";
import {ask} from "./ask.js";
import {sample} from "./around.js";

const FAR = 6;

export class Palette {
  constructor(edit) {
    this.edit = edit;
    this.element = make("div", {id: "palette", role: "group", "aria-label": "pieces to put"});
    this.held = null;
    const box = $("board");
    box.addEventListener("pointerdown", event => this.#down(event));
    addEventListener("pointermove", event => this.#move(event));
    addEventListener("pointerup", event => this.#up(event));
    addEventListener("pointercancel", () => this.#drop());
    box.addEventListener("click", event => { if (this.dragged) { event.stopImmediatePropagation(); this.dragged = false; } }, true);
  }

  /** Fetches the pieces of the game. */
  async load() {
    const {edit} = this, {game} = edit.app;
    this.element.replaceChildren();
    try {
      const {pieces} = await ask("palette", {...game.under(), facts: edit.facts});
      if (!edit.open || edit.app.game !== game) return;
      this.element.replaceChildren(...pieces.map(one => make("button", {type: "button", title: one.label, "aria-label": one.label, "data-piece": `${one.name} ${one.args.join()}`,
        onclick: () => this.#take(one), onpointerdown: event => { this.held = {piece: one, x: event.clientX, y: event.clientY}; }}, sample(one.svg))));
    } catch { /* the trays offer the same facts */ }
  }

  #take({name, args}) {
    const {tray} = this.edit, kind = tray.kinds?.find(k => k.name === name && k.slots.length === args.length);
    if (kind) tray.choose(kind, args);
  }

  /** The fact behind a piece of the board. */
  fact(target) {
    const look = target?.kind === "place" ? this.edit.app.board.shown.deal?.[target.name] : null;
    const of = look && [target.area, ...look.slice(0, 3)].join();
    return look ? [...this.edit.words].find(([, known]) => known.pieces?.some(one => one.join() === of))?.[0] ?? null : null;
  }

  #down(event) {
    this.dragged = false;
    if (!this.edit.open || this.edit.tray.kind || event.button) return;
    const target = this.edit.app.board.target(event), fact = this.fact(target);
    if (fact) { this.held = {fact, x: event.clientX, y: event.clientY, label: target.label.split(",")[0]}; if (event.pointerType === "touch") event.preventDefault(); }
  }

  #move(event) {
    const {held} = this;
    if (!held || !this.edit.open) return;
    if (!held.on && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) {
      held.on = true;
      document.body.classList.add("dragging");
      if (held.fact) this.edit.pick(held.fact); else this.#take(held.piece);
    }
    if (held.on) { this.edit.app.hint(held.label ?? held.piece.label, event.clientX, event.clientY); event.preventDefault(); }
  }

  #up(event) {
    const {held, edit} = this;
    this.#drop();
    if (!held?.on || !edit.open) return;
    const over = document.elementFromPoint(event.clientX, event.clientY), inside = over?.closest?.("#board");
    this.dragged = !!inside;
    const area = inside ? edit.app.board.target({target: over, clientX: event.clientX, clientY: event.clientY})?.area : null;
    if (area) { if (!edit.tray.at(area)) edit.putBack(); }
    else if (held.fact) { edit.picked = null; edit.tray.choose(null); } // dragged off the board: it is removed
  }

  #drop() {
    if (this.held?.on) { document.body.classList.remove("dragging"); this.edit.app.hint(""); }
    this.held = null;
  }
}
