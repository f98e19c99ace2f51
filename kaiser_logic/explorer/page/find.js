// Queries: shows different positions in which a query holds, one after the other.

import {$, make} from "./dom.js";
import {ask} from "./ask.js";

const MOST = 24;

export class Find {
  constructor(app) {
    this.app = app;
    this.clear();
    $("find-form").addEventListener("submit", event => { event.preventDefault(); this.start($("query").value.trim()); });
    $("find-here").addEventListener("click", () => this.inThisGame($("query").value.trim()));
  }

  async start(query) {
    if (!query) { $("query").focus(); return; }
    this.clear();
    this.query = query;
    await this.more(1);
  }

  /** Lists the positions of the shown line of play in which the query holds. */
  async inThisGame(query) {
    if (!query) { $("query").focus(); return; }
    this.clear();
    const {game} = this.app, line = game.line(), out = $("find-out"), stop = this.stop = new AbortController();
    const moves = line.slice(1).map(n => [game.nodes[n].role, game.nodes[n].action]);
    out.replaceChildren(make("p", {}, "Looking … ", make("button", {onclick: () => stop.abort()}, "Stop")));
    const parts = [];
    try {
      const found = await ask("grep", {text: game.source, board: game.board, illegal: "force", query, line: moves}, stop.signal);
      parts.push(make("p", {}, make("b", {}, `It holds in ${found.all ? "" : "at least "}${found.matches.length} of ${found.positions} positions of this line.`)),
        make("ul", {class: "places"}, ...found.matches.map(one => make("li", {},
          make("button", {onclick: () => this.app.go(line[one.moves])}, one.moves ? `after move ${one.moves}` : "start"),
          " " + one.values.map(way => Object.entries(way).map(([name, value]) => `${name} = ${value}`).join(", ")).filter(Boolean).join("; ")))));
      if (found.problem) parts.push(make("p", {}, found.problem));
    } catch (error) {
      parts.push(make("p", {}, error.name === "AbortError" ? "Stopped." : error.message));
    }
    if (this.stop === stop) out.replaceChildren(...parts);
  }

  /** Forgets the query and its answers. */
  clear() {
    this.stop?.abort();
    this.stop = this.found = null;
    this.answers = [];
    this.at = -1;
    this.end = true;
    $("find-out").replaceChildren();
  }

  /** Looks for another answer, which differs from the present ones. */
  async more(count) {
    this.stop?.abort();
    const stop = this.stop = new AbortController();
    const out = $("find-out");
    out.replaceChildren(make("p", {}, "Looking … ", make("button", {onclick: () => stop.abort()}, "Stop")));
    try {
      const found = await ask("find", {...this.app.game.under(), query: this.query, count, known: this.answers.length}, stop.signal);
      if (this.stop !== stop) return;
      this.found = found;
      const known = new Set(this.answers.map(a => a.facts.join()));
      const fresh = found.answers.filter(a => !known.has(a.facts.join()));
      this.answers.push(...fresh);
      this.at = fresh.length ? this.answers.length - fresh.length : this.answers.length - 1;
      this.end = !fresh.length || found.all || this.answers.length >= MOST;
      this.draw(fresh.length ? "" : "There is no other that differs in what the query speaks of.");
    } catch (error) {
      if (this.stop !== stop) return; // another question has replaced this one
      if (error.name === "AbortError") this.draw("Stopped.");
      else this.draw(error.message);
    }
  }

  draw(note = "") {
    const {answers, at, found} = this, out = $("find-out"), parts = [];
    if (found && !answers.length && !note.startsWith("Stopped")) parts.push(make("p", {}, make("b", {}, "No valid position has this property"), ` (proved, for ${found.for}).`));
    if (at >= 0) {
      const answer = answers[at];
      parts.push(make("p", {class: "row"},
        make("button", {"aria-label": "the answer before", disabled: at === 0, onclick: () => { this.at--; this.draw(); }}, "←"),
        make("b", {}, `answer ${at + 1}${this.end ? ` of ${answers.length}` : ""}`),
        at + 1 < answers.length ? make("button", {"aria-label": "the next answer", onclick: () => { this.at++; this.draw(); }}, "→")
          : make("button", {id: "another", disabled: this.end, onclick: () => this.another()}, "Another, different one")),
      make("p", {class: "row"}, make("button", {class: "primary", id: "play-on", onclick: () => this.app.playFrom(answer.facts, `answer ${at + 1}`)}, "Play on from it"),
        answer.game ? make("button", {id: "watch", onclick: () => this.app.watch(answer.game, `a game to answer ${at + 1}`)}, "Watch the game that leads there") : null),
      answer.because ? make("p", {}, "Because ", answer.because) : null, answer.differs ? make("p", {class: "soft"}, "Unlike the first: ", answer.differs) : null,
      make("p", {class: "soft"}, "A valid position: it breaks no invariant.", answer.origin ? ` Whether a game comes there: ${answer.origin}` : ""));
      this.app.lookAt(answer.facts, `Answer ${at + 1}: a position in which the query holds. `, `answer ${at + 1}`);
    }
    if (found?.note) parts.push(make("p", {class: "soft"}, found.note));
    if (note) parts.push(make("p", {}, note));
    out.replaceChildren(...parts.filter(Boolean));
  }

  another() {
    if (this.at + 1 < this.answers.length) { this.at++; this.draw(); }
    else if (!this.end) this.more(this.answers.length + 1);
  }
}
