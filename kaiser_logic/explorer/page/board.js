// The board: pictures fetched in blocks and kept, marks of what is pointed at, places by keyboard.

import {ask} from "./ask.js";

const BLOCK = 16, AHEAD = 12;
const SVG = "http://www.w3.org/2000/svg";

export class Board {
  /**
   * `box`: the element it fills; `picked(area)` is called when an area is chosen, `arrived(node)` when the picture of a
   * place that was waited for is there, `failed(error)` when one does not come.
   */
  constructor(box, {picked, failed, arrived}) {
    this.box = box;
    this.failed = failed;
    this.arrived = arrived;
    this.texts = new Map();
    this.game = null;
    this.fetching = this.waiting = false;
    this.wide = matchMedia("(min-width:740px)");
    this.area = null;
    box.addEventListener("click", event => {
      const group = event.target.closest("[data-name][tabindex]");
      if (group) { this.focus(group.dataset.name); picked(group.dataset.name); }
    });
    box.addEventListener("focusin", event => {
      const group = event.target.closest("[data-name][tabindex]");
      if (group) { this.area = group.dataset.name; this.mark(); }
    });
    box.addEventListener("focusout", () => this.mark());
    box.addEventListener("keydown", event => this.#key(event, picked));
  }

  get layout() {
    const layouts = this.game?.rules.layouts ?? [];
    return (this.wide.matches ? layouts[0] : layouts.at(-1)) ?? {name: "text", width: 700, areas: {}, places: {}};
  }

  open(game) {
    this.game = game;
    this.texts.clear();
    this.shown = null;
    this.touch = null;
    this.area = null;
    this.box.replaceChildren();
  }

  /** Shows a place; where its picture is not there yet, `arrived` is called as soon as any block brings it. */
  show(node) {
    this.wanted = node;
    const picture = node.pictures[this.layout.name];
    this.waiting = !picture;
    if (picture) this.draw(picture);
    else this.box.classList.add("stale");
    this.#fetchAll();
  }

  /** Draws a picture. */
  draw(picture) {
    this.box.classList.remove("stale");
    this.shown = picture;
    this.touch = null;
    const focused = this.box.contains(document.activeElement) && document.activeElement !== this.box;
    if (picture.text !== undefined) {
      const pre = document.createElement("pre");
      pre.textContent = picture.text;
      this.box.replaceChildren(pre);
      return;
    }
    const w = picture.width, h = picture.height;
    // what stands here is markup of the server's own making, in which every foreign text is escaped
    this.box.innerHTML = `<svg role="group" viewBox="0 0 ${+w} ${+h}" width="${+w}" height="${+h}">${picture.groups.join("")}</svg>`;
    this.box.firstChild.setAttribute("aria-label", picture.title);
    const over = document.createElementNS(SVG, "svg");
    for (const [name, value] of Object.entries({class: "over", viewBox: `0 0 ${+w} ${+h}`, width: w, height: h, "aria-hidden": "true"}))
      over.setAttribute(name, value);
    this.box.append(over);
    const areas = this.layout.areas, top = group => Math.min(...areas[group.dataset.name].map(([x, y]) => 4 * y + x));
    let first = null; // in the order of reading
    for (const group of this.box.querySelectorAll("[data-name]"))
      if (areas[group.dataset.name]) {
        group.tabIndex = -1;
        if (!first || top(group) < top(first)) first = group;
      }
    const stop = this.#group(this.area) ?? first;
    if (stop) stop.tabIndex = 0;
    if (focused) this.focus(this.area);
  }

  /** Takes up pictures from an answer of the server. */
  keep(answer) {
    const texts = (answer.texts ?? []).map(text => {
      if (!this.texts.has(text)) this.texts.set(text, text);
      return this.texts.get(text);
    });
    return answer.pictures.map(picture => ({...picture, groups: picture.groups?.map(n => texts[n])}));
  }

  /** What a question about pictures names. */
  get paper() { return {layout: this.layout.name}; }

  /** Fetches the block of pictures around a place; the answer says whether the place has its picture now. */
  async #fetch(node) {
    const line = this.game.line(), nodes = line.map(n => this.game.nodes[n]);
    const at = nodes.indexOf(node);
    if (at < 0) return false;
    const layout = this.layout.name, game = this.game;
    let from = Math.floor(at / BLOCK) * BLOCK, to = Math.min(nodes.length, from + BLOCK);
    while (from < at && nodes[from].pictures[layout]) from++;
    while (to > at + 1 && nodes[to - 1].pictures[layout]) to--;
    const wanted = nodes.slice(from, to);
    const before = from ? nodes[from - 1] : null;
    try {
      const answer = await ask("boards", {
        ...game.all(), ...this.paper,
        states: wanted.map(n => ({facts: n.facts})),
        before: before && {facts: before.facts, deal: before.pictures[layout]?.deal},
      });
      if (game !== this.game) return false;
      this.keep(answer).forEach((picture, i) => { wanted[i].pictures[layout] ??= picture; });
    } catch (error) {
      if (game === this.game) this.failed(error);
    }
    if (this.waiting && this.wanted.pictures[this.layout.name]) {
      this.waiting = false;
      this.arrived(this.wanted);
    }
    return !!node.pictures[layout];
  }

  /** Fetches, one block at a time, first what is wanted, then what lies around it; what is wanted may change meanwhile. */
  async #fetchAll() {
    if (this.fetching) return;
    this.fetching = true;
    try {
      for (let ahead = 0; ahead < 4 * AHEAD;) {
        const {game, wanted} = this, layout = this.layout.name;
        const next = wanted.pictures[layout] ? this.#around(wanted) : wanted;
        if (!next) return;
        if (next !== wanted) ahead++;
        const came = await this.#fetch(next);
        if (!came && game === this.game && wanted === this.wanted && layout === this.layout.name) return;
      }
    } finally {
      this.fetching = false;
    }
  }

  /** The nearest place on the line that has no picture yet; null where there is none, or it is too far away. */
  #around(node) {
    const {game} = this, layout = this.layout.name, nodes = game.line().map(n => game.nodes[n]), at = nodes.indexOf(node);
    for (let by = 1; at >= 0 && by < BLOCK * AHEAD; by++)
      for (const other of [nodes[at + by], nodes[at - by]])
        if (other && !other.pictures[layout]) return other;
    return null;
  }

  // -- marks of what is pointed at --------------------------------------------------------------------------

  /** Marks what an action touches: areas outlined in dots, places left and taken with rings. */
  mark(touch = this.touch) {
    this.touch = touch;
    const over = this.box.querySelector("svg.over");
    if (!over) return;
    over.replaceChildren();
    const {areas, places} = this.layout;
    const add = (tag, attributes) => {
      const element = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      over.append(element);
    };
    const outline = (corners, width, dash) => {
      const d = "M" + corners.map(p => p.join(",")).join("L") + "Z";
      add("path", {d, fill: "none", stroke: "var(--kl-page)", "stroke-width": width + 2.5});
      add("path", {d, fill: "none", stroke: "var(--kl-mark)", "stroke-width": width, ...(dash ? {"stroke-dasharray": dash, "stroke-linecap": "round"} : {})});
    };
    for (const name of touch?.areas ?? []) {
      if (areas[name]) outline(areas[name], 3, "0.5 6");
      else { // a panel or a box: as large as it is drawn
        const box = this.box.querySelector(`[data-name="${CSS.escape(name)}"]`)?.getBBox();
        if (box) outline([[box.x, box.y], [box.x + box.width, box.y], [box.x + box.width, box.y + box.height], [box.x, box.y + box.height]], 3, "0.5 6");
      }
    }
    for (const [list, dash] of [[touch?.from ?? [], "5 4"], [touch?.to ?? [], ""]])
      for (const name of list) if (places[name]) {
        const [cx, cy, r] = places[name];
        add("circle", {cx, cy, r, fill: "none", stroke: "var(--kl-page)", "stroke-width": 6});
        add("circle", {cx, cy, r, fill: "none", stroke: "var(--kl-mark)", "stroke-width": 3.5, "stroke-dasharray": dash});
      }
    const focused = document.activeElement?.dataset?.name;
    if (focused && areas[focused] && this.box.contains(document.activeElement)) outline(areas[focused], 3, "");
  }

  // -- by keyboard ----------------------------------------------------------------------------------------------

  #group(name) { return name === null ? null : this.box.querySelector(`[data-name="${CSS.escape(name)}"][tabindex]`); }

  focus(name) {
    const group = this.#group(name) ?? this.box.querySelector("[data-name][tabindex='0']");
    if (!group) return;
    for (const other of this.box.querySelectorAll("[data-name][tabindex='0']")) other.tabIndex = -1;
    group.tabIndex = 0;
    group.focus({preventScroll: true});
  }

  #key(event, picked) {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    const name = event.target.dataset?.name;
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") picked(name);
    else if (step) {
      const centre = corners => [0, 1].map(i => corners.reduce((sum, p) => sum + p[i], 0) / corners.length);
      const [x, y] = centre(this.layout.areas[name]);
      let best = null;
      for (const [other, corners] of Object.entries(this.layout.areas)) {
        const [ox, oy] = centre(corners);
        const along = (ox - x) * step[0] + (oy - y) * step[1], aside = Math.abs((ox - x) * step[1]) + Math.abs((oy - y) * step[0]);
        if (other === name || along <= 1 || aside > 2 * along) continue;
        const cost = along + 2 * aside;
        if (!best || cost < best[0]) best = [cost, other];
      }
      if (best) this.focus(best[1]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
