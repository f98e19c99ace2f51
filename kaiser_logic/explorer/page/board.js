// The board: fetches pictures in blocks and keeps them; marks; choosing places with the pointer and by keyboard.

import {ask} from "./ask.js";

const BLOCK = 16, AHEAD = 12;
const SVG = "http://www.w3.org/2000/svg";

export class Board {
  /**
   * `box`: the element it fills; `picked(area)` is called when an area is chosen, `arrived(node)` when the picture of a
   * place that was waited for is there, `failed(error)` when one does not come; `noted(note)` when a thing is to be marked
   * or not any more, and `notes()` gives those that are.
   */
  constructor(box, {picked, failed, arrived, noted = () => {}, notes = () => []}) {
    this.box = box;
    this.failed = failed;
    this.arrived = arrived;
    this.notes = notes;
    this.texts = new Map();
    this.game = null;
    this.fetching = this.waiting = false;
    this.wide = matchMedia("(min-width:740px)");
    this.area = null;
    this.picks = []; // the things chosen on the board
    this.reach = null; // the things that the remaining actions touch
    this.movable = []; // the places whose pieces a legal action moves
    this.inner = null; // the piece or item in the focused area that has the keyboard's focus
    box.addEventListener("click", event => {
      const target = this.target(event);
      if (target) { this.focus(target.area); picked(target); }
    });
    box.addEventListener("contextmenu", event => { // by the right button, or a long press
      const target = this.target(event);
      const name = target && this.#note(target);
      if (name && noted(name)) event.preventDefault();
    });
    box.addEventListener("focusin", event => {
      const group = event.target.closest("[data-name][tabindex]");
      if (group) { if (this.area !== group.dataset.name) this.inner = null; this.area = group.dataset.name; this.mark(); }
    });
    box.addEventListener("focusout", () => { this.inner = null; this.mark(); });
    box.addEventListener("keydown", event => this.#key(event, picked, noted));
  }

  get layout() {
    const layouts = this.game?.rules.layouts ?? [];
    return (this.wide.matches ? layouts[0] : layouts.at(-1)) ?? {name: "text", width: 700, areas: {}, places: {}};
  }

  open(game) {
    this.game = game;
    this.texts.clear();
    this.shown = this.drawn = null;
    this.touch = null;
    this.area = this.reach = this.inner = null;
    this.picks = [];
    this.box.replaceChildren();
  }

  /** Shows a place. If its picture is not there yet, `arrived` is called when a block brings it. */
  show(node) {
    this.wanted = node;
    const picture = node.pictures[this.layout.name];
    this.waiting = !picture;
    this.failing = false;
    if (picture) { this.draw(picture); this.glide(node); }
    else this.wait(`Move ${node.depth} is being drawn …`);
    this.#fetchAll();
  }

  /** Lets the picture fade, as it is not that of the place; a text says why. */
  wait(text) {
    this.box.classList.add("stale");
    this.box.dataset.wait = text;
    this.box.firstElementChild?.setAttribute("aria-hidden", "true");
  }

  /** Lets the pieces that have moved glide to their places, if the place before was shown; not for users who want less motion. */
  glide(node) {
    const before = this.drawn, {places} = this.layout;
    this.drawn = node;
    if (!before || before.number !== node.parent || matchMedia("(prefers-reduced-motion:reduce)").matches) return;
    for (const [from, to] of node.pictures[this.layout.name].moves ?? []) {
      if (!places[from] || !places[to]) continue;
      const [[x, y], [u, v]] = [places[from], places[to]];
      this.piece(to)?.animate([{translate: `${x - u}px ${y - v}px`}, {translate: "0px 0px"}], {duration: 600, easing: "ease-in-out"});
    }
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
    // this markup is the server's own, which has escaped all texts in it
    this.box.innerHTML = `<svg role="group" viewBox="0 0 ${+w} ${+h}" width="${+w}" height="${+h}">${picture.groups.join("")}</svg>`;
    this.box.firstChild.setAttribute("aria-label", picture.title);
    this.box.firstChild.style.maxWidth = `${Math.round(1.2 * w)}px`; // a narrow board in a wide column would become too large
    const over = document.createElementNS(SVG, "svg");
    for (const [name, value] of Object.entries({class: "over", viewBox: `0 0 ${+w} ${+h}`, width: w, height: h, "aria-hidden": "true"}))
      over.setAttribute(name, value);
    this.box.firstChild.append(over);
    const top = group => Math.min(...this.corners(group.dataset.name).map(([x, y]) => 4 * y + x));
    let first = null; // the first area in reading order
    for (const group of this.box.querySelectorAll("[data-name][aria-label]")) {
      group.tabIndex = -1;
      if (!first || top(group) < top(first)) first = group;
    }
    const stop = this.#group(this.area) ?? first;
    if (stop) stop.tabIndex = 0;
    if (focused) this.focus(this.area);
    else this.mark();
  }

  /** The corners of an area; of a panel or a box, those of its drawing. */
  corners(name) {
    if (this.layout.areas[name]) return this.layout.areas[name];
    const box = this.#named(name)?.getBBox?.();
    return box ? [[box.x, box.y], [box.x + box.width, box.y], [box.x + box.width, box.y + box.height], [box.x, box.y + box.height]] : [[0, 0]];
  }

  /** The element of the piece at a place; null if there is none. */
  piece(place) {
    const [x, y, , area] = this.layout.places[place];
    return this.#named(area)?.querySelector(`g[role=img][transform^="translate(${x} ${y})"]`) ?? null;
  }

  /**
   * A thing of the board as comments name it: an area, area/sort/owner/label of a piece, or area/kind of a free place, since a piece
   * may be drawn at another place of its area next time. Null for what has no such name.
   */
  #note({kind, name, area}) {
    const {areas, places} = this.layout, look = this.shown?.deal?.[name]?.slice(0, 3);
    const note = kind === "place" ? [area, ...(look ?? [places[name][4]])].join("/") : name in areas ? name : "";
    return /^[^\s\]]+$/.test(note) ? note : null;
  }

  /** The path around a thing that a comment names; empty if it is not there. */
  #outlineOf(note) {
    const {areas, places} = this.layout, [area, ...rest] = note.split("/"), deal = this.shown?.deal ?? {};
    if (!rest.length) return areas[area] ? "M" + areas[area].map(p => p.join(",")).join("L") + "Z" : "";
    const is = name => rest.length === 1 ? !deal[name] && places[name][4] === rest[0] : deal[name]?.slice(0, 3).join("/") === rest.join("/");
    const [x, y, r] = places[Object.keys(places).find(name => places[name][3] === area && is(name))] ?? [];
    return r ? `M${x - r},${y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z` : "";
  }

  #named(name) { return this.box.querySelector(`[data-name="${CSS.escape(name)}"]`); }

  /** The number of pixels of the screen for one of the picture. */
  get scale() { return this.box.querySelector("svg")?.getScreenCTM?.()?.a || 1; }

  /** The point of an event in the picture; null outside the picture. */
  spot(event) {
    const by = this.box.querySelector("svg")?.getScreenCTM?.();
    return by ? [(event.clientX - by.e) / by.a, (event.clientY - by.f) / by.d] : null;
  }

  /** Scrolls a part of the board into view. */
  reveal(names) {
    const frame = this.box.parentElement, svg = this.box.querySelector("svg"), name = names.find(one => this.layout.areas[one]) ?? names[0];
    if (!svg || !name || frame.scrollHeight <= frame.clientHeight + 2) return;
    const ys = this.corners(name).map(p => p[1] * svg.getBoundingClientRect().height / this.shown.height);
    const top = Math.min(...ys), bottom = Math.max(...ys);
    if (top < frame.scrollTop || bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = (top + bottom - frame.clientHeight) / 2;
  }

  /** The pictures of an answer; equal texts are kept once. */
  keep(answer) {
    const texts = (answer.texts ?? []).map(text => {
      if (!this.texts.has(text)) this.texts.set(text, text);
      return this.texts.get(text);
    });
    return answer.pictures.map(picture => ({...picture, groups: picture.groups?.map(n => texts[n])}));
  }

  /** The part of a question that says how pictures are drawn. */
  get paper() { return {layout: this.layout.name}; }

  /** Fetches the block of pictures around a place, and returns whether the place has its picture now. */
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
      if (game !== this.game) return false;
      if (this.waiting) { this.wait(`Move ${this.wanted.depth} could not be drawn.`); this.failing = true; }
      this.failed(error);
    }
    if (this.waiting && this.wanted.pictures[this.layout.name]) {
      this.waiting = false;
      this.arrived(this.wanted);
    }
    return !!node.pictures[layout];
  }

  /** Fetches blocks one by one: first that of the wanted place, then those around it. The wanted place may change meanwhile. */
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

  /** The nearest place on the line without a picture; null if there is none near enough. */
  #around(node) {
    const {game} = this, layout = this.layout.name, nodes = game.line().map(n => game.nodes[n]), at = nodes.indexOf(node);
    for (let by = 1; at >= 0 && by < BLOCK * AHEAD; by++)
      for (const other of [nodes[at + by], nodes[at - by]])
        if (other && !other.pictures[layout]) return other;
    return null;
  }

  // -- marks ---------------------------------------------------------------------------------------------------

  /**
   * Marks the things that an action touches: dotted outlines of areas, rings at places left and taken, arrows for moves. The
   * marks of the last move have another colour, and are fainter meanwhile.
   */
  mark(touch = this.touch) {
    this.touch = touch;
    const over = this.box.querySelector("svg.over");
    if (!over) return;
    over.replaceChildren();
    for (const place of this.movable) if (this.layout.places[place]) this.piece(place)?.classList.add("movable");
    this.box.classList.toggle("pointing", !!touch || this.picks.length > 0);
    const {areas, places} = this.layout;
    const add = (tag, attributes) => {
      const element = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      over.append(element);
    };
    const line = (d, width, dash = "") => {
      add("path", {d, fill: "none", stroke: "var(--kl-page)", "stroke-width": width + 2.5});
      add("path", {d, fill: "none", stroke: "var(--kl-try)", "stroke-width": width, ...(dash ? {"stroke-dasharray": dash, "stroke-linecap": "round"} : {})});
    };
    const outline = (corners, width, dash) => line("M" + corners.map(p => p.join(",")).join("L") + "Z", width, dash);
    const ring = ([cx, cy, r], width, dash) => {
      add("circle", {cx, cy, r, fill: "none", stroke: "var(--kl-page)", "stroke-width": width + 2.5});
      add("circle", {cx, cy, r, fill: "none", stroke: "var(--kl-try)", "stroke-width": width, "stroke-dasharray": dash});
    };
    const item = (name, width, dash) => {
      const shape = this.box.querySelector(`[data-item="${CSS.escape(name)}"]`), svg = this.box.querySelector("svg");
      if (!shape?.getCTM) return;
      const box = shape.getBBox(), by = shape.getCTM(), from = svg.getCTM?.() ?? {a: 1}, to = (x, y) => [(x * by.a + by.e - (from.e ?? 0)) / from.a, (y * by.d + by.f - (from.f ?? 0)) / from.a];
      outline([to(box.x - 2, box.y - 1), to(box.x + box.width + 2, box.y - 1), to(box.x + box.width + 2, box.y + box.height + 1), to(box.x - 2, box.y + box.height + 1)], width, dash);
    };
    for (const d of this.notes().map(note => this.#outlineOf(note)).filter(Boolean))
      add("path", {d, class: "note", fill: "var(--kl-mark)", "fill-opacity": 0.18, stroke: "var(--kl-mark)", "stroke-width": 4, "stroke-dasharray": "1 7", "stroke-linecap": "round"});
    const shown = touch ?? this.reach ?? {};
    const tried = new Set((shown.items ?? []).map(name => name.split(" ")[0]));
    for (const name of shown.areas ?? []) if (areas[name] || !tried.has(name)) outline(this.corners(name), 3, "0.5 6");
    for (const name of shown.items ?? []) item(name, 2, "0.5 5");
    for (const [list, dash] of [[shown.from ?? [], "5 4"], [shown.to ?? [], ""]])
      for (const name of list) if (places[name]) ring(places[name], 3.5, dash);
    for (const [from, to] of touch?.moves ?? []) if (places[from] && places[to]) line(arrow(places[from], places[to]), 3.5, "7 6");
    for (const {kind, name} of this.picks) {
      if (kind === "place" && places[name]) ring(places[name], 5, "");
      else if (kind === "item") item(name, 4, "");
      else if (kind === "area") outline(this.corners(name), 5, "");
    }
    const focused = document.activeElement?.dataset?.name;
    if (focused && this.box.contains(document.activeElement)) {
      outline(this.corners(focused), 3, "");
      if (this.inner?.kind === "place") ring(places[this.inner.name], 5, "2 3");
      else if (this.inner) item(this.inner.name, 4, "2 3");
    }
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

  #key(event, picked, noted) {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    const name = event.target.dataset?.name;
    if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") picked(this.inner ?? {kind: "area", name, area: name, label: this.label(name)});
    else if (event.key === "x") {
      const note = this.#note(this.inner ?? {kind: "area", name, area: name});
      if (note) noted(note);
    } else if (event.key === " ") {
      const inside = this.inside(name), at = inside.findIndex(one => one.name === this.inner?.name);
      this.inner = inside[at + 1] ?? null;
      this.mark();
      this.told?.(this.inner?.label ?? this.label(name));
    } else if (step) {
      const centre = corners => [0, 1].map(i => corners.reduce((sum, p) => sum + p[i], 0) / corners.length);
      const [x, y] = centre(this.corners(name));
      let best = null;
      for (const group of this.box.querySelectorAll("[data-name][tabindex]")) {
        const other = group.dataset.name, [ox, oy] = centre(this.corners(other));
        const along = (ox - x) * step[0] + (oy - y) * step[1], aside = Math.abs((ox - x) * step[1]) + Math.abs((oy - y) * step[0]);
        if (other === name || along <= 1 || aside > 2 * along) continue;
        const cost = along + 2 * aside;
        if (!best || cost < best[0]) best = [cost, other];
      }
      if (best) { this.focus(best[1]); this.reveal([best[1]]); }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // -- the thing under the pointer ---------------------------------------------------------------------------------

  label(area) { return this.#named(area)?.getAttribute("aria-label") || area; }

  /** A place in words: its piece, or that it is free. */
  #placeLabel(name, area, kind) {
    return `${this.piece(name)?.getAttribute("aria-label") ?? this.game.rules.kinds?.[kind] ?? "a free place"}, ${this.label(area)}`;
  }

  /** The pieces, free places and items of an area, a panel or a box, in reading order. */
  inside(area) {
    const found = [];
    for (const [name, [x, y, , of, kind]] of Object.entries(this.layout.places))
      if (of === area && (this.shown.deal?.[name] || this.game.rules.kinds?.[kind])) found.push([[y, x], {kind: "place", name, area, label: this.#placeLabel(name, area, kind)}]);
    found.sort(([a], [b]) => a[0] - b[0] || a[1] - b[1]);
    const items = [...this.box.querySelectorAll(`[data-name="${CSS.escape(area)}"] [data-item]`)].map(item => this.#item(item, area));
    return [...found.map(([, one]) => one), ...items];
  }

  #item(item, area) {
    const texts = [...item.querySelectorAll("text")].map(one => one.textContent).join(" ");
    const text = item.querySelector("[aria-label]")?.getAttribute("aria-label") ?? (texts || item.textContent), of = this.label(area);
    return {kind: "item", name: item.dataset.item, area, label: text === of ? text : `${text}, ${of}`};
  }

  /** The thing at an event: a piece or a free place, an item of a panel or box, or a whole area; null if there is none. */
  target(event) {
    const group = event.target.closest?.("[data-name]"), item = event.target.closest?.("[data-item]");
    if (item && group) return this.#item(item, group.dataset.name);
    const at = this.shown?.text === undefined ? this.spot(event) : null;
    if (!at) return null;
    let best = null;
    for (const [name, [x, y, r, area, kind]] of Object.entries(this.layout.places)) {
      const far = Math.hypot(x - at[0], y - at[1]);
      if (far <= r && (!best || far < best[0]) && this.layout.areas[area] && (this.shown.deal?.[name] || this.game.rules.kinds?.[kind])) best = [far, name, area, kind];
    }
    if (best) return {kind: "place", name: best[1], area: best[2], label: this.#placeLabel(...best.slice(1))};
    const area = Object.keys(this.layout.areas).find(name => within(at, this.layout.areas[name])) ?? (group?.hasAttribute("aria-label") ? group.dataset.name : null);
    return area === null ? null : {kind: "area", name: area, area, label: this.label(area)};
  }
}

/** The path of a curved arrow with an open head. */
function arrow([x, y], [u, v]) {
  const mx = (x + u) / 2 - (v - y) * 0.18, my = (y + v) / 2 + (u - x) * 0.18, long = Math.hypot(u - mx, v - my) || 1;
  const a = (u - mx) / long, b = (v - my) / long, p = u - 18 * a, q = v - 18 * b;
  return `M${x},${y}Q${mx},${my} ${p},${q}M${p - 11 * a - 8 * b},${q - 11 * b + 8 * a}L${p},${q}L${p - 11 * a + 8 * b},${q - 11 * b - 8 * a}`;
}

/** Whether a point lies inside a convex outline. */
function within([x, y], corners) {
  const sides = corners.map(([ax, ay], i) => { const [bx, by] = corners[(i + 1) % corners.length]; return (bx - ax) * (y - ay) - (by - ay) * (x - ax); });
  return sides.every(s => s >= -1e-6) || sides.every(s => s <= 1e-6);
}
