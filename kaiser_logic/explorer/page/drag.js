// Dragging with mouse, pen or finger: a thing is held from a press on, lifted when the pointer has moved, and dropped.

import {$} from "./dom.js";

const FAR = 6;

export class Drag {
  constructor(app) {
    this.app = app;
    this.held = null;
    addEventListener("pointermove", event => this.#move(event));
    addEventListener("pointerup", event => this.#up(event));
    addEventListener("pointercancel", () => this.#end());
    addEventListener("touchmove", event => { if (this.held) event.preventDefault(); }, {passive: false}); // or the page would scroll
    $("board").addEventListener("pointerdown", () => { this.done = false; }, true);
    $("board").addEventListener("click", event => { if (this.done) { event.stopImmediatePropagation(); this.done = false; } }, true);
  }

  /**
   * Holds a thing with a label: `lift()` is called when it moves, `drop(target)` where it ends, with the thing of the board there or
   * null. Its element on the board, if it is given, follows the pointer.
   */
  hold(event, thing) { if (!event.button) this.held = {...thing, x: event.clientX, y: event.clientY, lifted: false}; }

  #move(event) {
    const {held} = this;
    if (!held) return;
    const by = [event.clientX - held.x, event.clientY - held.y];
    if (!held.lifted && Math.hypot(...by) > FAR) {
      held.lifted = true;
      document.body.classList.add("dragging");
      held.lift();
    }
    if (!held.lifted) return;
    const scale = held.element ? this.app.board.scale : 1;
    if (held.element) held.element.style.translate = by.map(n => `${n / scale}px`).join(" ");
    this.app.around.tell(held.label, event.clientX, event.clientY);
    event.preventDefault();
  }

  #up(event) {
    const {held} = this, {board} = this.app;
    this.#end();
    if (!held?.lifted) return;
    const over = document.elementFromPoint(event.clientX, event.clientY);
    this.done = !!over?.closest?.("#board");
    held.drop(this.done ? board.target({target: over, clientX: event.clientX, clientY: event.clientY}) : null);
  }

  #end() {
    if (this.held?.lifted) { document.body.classList.remove("dragging"); this.app.around.tell("", 0, 0); }
    if (this.held?.element) this.held.element.style.translate = "";
    this.held = null;
  }
}
