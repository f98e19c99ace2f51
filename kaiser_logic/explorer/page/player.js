// Playback: steps along the line by itself, until the end, or until somebody does something else.

import {$} from "./dom.js";

const PACE = 1400, POLL = 120;

export class Player {
  constructor(app) {
    this.app = app;
    this.on = this.stepping = false;
    $("play").addEventListener("click", () => this.toggle());
  }

  toggle() { if (this.on) this.stop(); else this.start(); }

  /** Starts; at the end of the line, again from its start. */
  start() {
    const {app} = this, line = app.game.line();
    if (app.apart) app.back();
    if (app.game.at === line.at(-1)) this.#step("first");
    this.#show(true);
    this.timer = setTimeout(() => this.#tick(), POLL);
  }

  stop() {
    clearTimeout(this.timer);
    if (this.on) this.#show(false);
  }

  #show(on) {
    this.on = on;
    $("play").textContent = on ? "❚❚" : "▶";
    $("play").setAttribute("aria-label", on ? "Pause" : "Play the moves");
  }

  #step(by) {
    this.stepping = true;
    this.app.step(by);
    this.stepping = false;
  }

  #tick() {
    const {app} = this, at = app.game?.at;
    if (!app.game || app.apart) { this.stop(); return; }
    if (app.board.waiting && !app.board.failing) { this.timer = setTimeout(() => this.#tick(), POLL); return; }
    this.#step(1);
    if (app.game.at === at || app.game.here.next === null) this.stop();
    else this.timer = setTimeout(() => this.#tick(), PACE / +$("speed").value);
  }
}
