// The points over the moves of the line: a stepped line for each player. A click goes to the move.

import {$, make} from "./dom.js";

const SVG = "http://www.w3.org/2000/svg", WIDE = 240, HIGH = 84, LEFT = 22, RIGHT = 222, TOP = 8, BOTTOM = 76;
const DASHES = ["", "7 3", "2 3", "10 3 2 3", "5 2", "1 2"];

export class Curve {
  constructor(app) {
    this.app = app;
    this.box = $("curve");
    this.box.addEventListener("click", event => {
      const at = this.box.firstChild?.getBoundingClientRect(), {line} = this;
      if (!at?.width) return;
      const x = (event.clientX - at.left) * WIDE / at.width;
      app.go(line[Math.max(0, Math.min(line.length - 1, Math.round((x - LEFT) / (RIGHT - LEFT) * (line.length - 1))))]);
    });
    for (const what of ["won", "lead"])
      for (const [end, by] of [["before", -1], ["next", 1]]) $(`${what}-${end}`).addEventListener("click", () => this.jump(by, what));
  }

  /** Draws the points of the line; nothing if the game shows none, or if nobody has won any. */
  draw() {
    const {game} = this.app, line = this.line = game.line(), nodes = line.map(n => game.nodes[n]);
    const roles = game.rules.seats.filter(role => nodes.some(node => role in node.points));
    const values = nodes.flatMap(node => Object.values(node.points)), low = Math.min(0, ...values), high = Math.max(5, ...values);
    this.stops = {won: nodes.filter(node => node.number && game.won(node).length).map(node => node.number), lead: [...game.leads(nodes).keys()]};
    this.box.parentElement.hidden = !this.stops.won.length;
    if (!this.stops.won.length) return;
    const x = k => LEFT + (RIGHT - LEFT) * k / (line.length - 1), y = n => BOTTOM - (BOTTOM - TOP) * (n - low) / (high - low);
    const svg = document.createElementNS(SVG, "svg"), last = nodes.at(-1).points;
    const add = (tag, attributes, text = "") => {
      const one = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
      one.textContent = text;
      svg.append(one);
      return one;
    };
    for (const [name, value] of Object.entries({viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img"})) svg.setAttribute(name, value);
    svg.setAttribute("aria-label", `points: ${roles.map(role => `${game.rules.words[role] ?? role} ${last[role]}`).join(", ")}`);
    for (const n of new Set([low, 0, high])) {
      add("path", {d: `M${LEFT},${y(n)}H${RIGHT}`, stroke: "var(--kl-line)", "stroke-width": 0.6});
      if (n || y(low) - y(0) > 10 || !low) add("text", {x: LEFT - 4, y: y(n) + 4, "text-anchor": "end", "font-size": 10, fill: "var(--kl-soft)"}, n);
    }
    let under = -Infinity; // the letters at the ends of the lines keep a distance from one another
    const order = [...roles].sort((a, b) => last[b] - last[a]);
    roles.forEach((role, i) => {
      const points = nodes.map((node, k) => [x(k), y(node.points[role] ?? 0)]), d = points.map(([px, py], k) => k ? `H${px.toFixed(1)}V${py.toFixed(1)}` : `M${px},${py}`).join("");
      add("path", {d, fill: "none", stroke: "var(--kl-ink)", "stroke-width": 3.6});
      add("path", {d, fill: "none", stroke: game.rules.colours[role]?.[0] ?? "var(--kl-page)", "stroke-width": 2.2, "stroke-dasharray": DASHES[i % DASHES.length]});
    });
    for (const role of order) {
      under = Math.max(y(last[role]) + 4, under + 10);
      add("text", {x: RIGHT + 4, y: under, "font-size": 10, "font-weight": "bold", fill: "var(--kl-ink)"}, game.rules.letters[role] ?? role.slice(0, 1));
    }
    for (const n of this.stops.lead) add("path", {d: `M${x(line.indexOf(n)).toFixed(1)},${BOTTOM + 1}l3,6h-6z`, fill: "var(--kl-ink)"});
    this.cursor = add("path", {stroke: "var(--kl-mark)", "stroke-width": 2});
    this.place = k => `M${x(k).toFixed(1)},${TOP - 4}V${BOTTOM + 4}`;
    this.box.replaceChildren(svg);
  }

  /** Marks the place shown. */
  show() {
    const {game} = this.app;
    if (!this.stops.won.length) return;
    this.cursor.setAttribute("d", this.place(this.line.indexOf(game.at)));
    for (const what of ["won", "lead"])
      for (const [end, by] of [["before", -1], ["next", 1]]) $(`${what}-${end}`).disabled = !this.#next(by, what);
  }

  /** The nearest move on the line, before or behind the place shown, at which points were won, or another player took the lead. */
  #next(by, what) {
    const {here} = this.app.game, far = n => this.app.game.nodes[n].depth - here.depth;
    return by > 0 ? this.stops[what].find(n => far(n) > 0) : this.stops[what].findLast(n => far(n) < 0);
  }

  jump(by, what = "won") { const next = this.#next(by, what); if (next) this.app.go(next); }
}
