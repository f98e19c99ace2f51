// The palette of the editor: pieces to take into the hand; dragging pieces onto the board, on it and off it.

import {$, make} from "./dom.js";
import {ask} from "./ask.js";
import {sample} from "./around.js";

export class Palette {
  constructor(edit) {
    this.edit = edit;
    this.element = make("div", {id: "palette", role: "group", "aria-label": "pieces to put"});
    $("board").addEventListener("pointerdown", event => this.#down(event));
  }

  /** Fetches the pieces of the game. */
  async load() {
    const {edit} = this, {game} = edit.app;
    this.element.replaceChildren();
    try {
      const {pieces} = await ask("palette", {...game.under(), facts: edit.facts});
      if (!edit.open || edit.app.game !== game) return;
      this.element.replaceChildren(...pieces.map(one => make("button", {type: "button", title: one.label, "aria-label": one.label, "data-piece": `${one.name} ${one.args.join()}`,
        onclick: () => this.#take(one), onpointerdown: event => this.edit.app.drag.hold(event, {label: one.label, lift: () => this.#take(one), drop: target => this.#drop(target)})}, sample(one.svg))));
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
    const {edit} = this, {app} = edit;
    if (!edit.open || edit.tray.kind) return;
    const target = app.board.target(event), fact = this.fact(target);
    if (fact) app.drag.hold(event, {label: target.label.split(",")[0], lift: () => edit.pick(fact), drop: onto => this.#drop(onto, fact)});
  }

  /** Puts what is in the hand where it was dropped; a fact that was dropped off the board is removed. */
  #drop(onto, fact = null) {
    const {edit} = this;
    if (!edit.open) return;
    if (onto) { if (!edit.tray.at(onto.area)) edit.putBack(); }
    else if (fact) { edit.picked = null; edit.tray.choose(null); }
  }
}
