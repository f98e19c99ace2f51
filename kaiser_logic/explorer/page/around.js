// Help around the board: tooltips, the legend, links, and the size of the board.

import {$, make} from "./dom.js";
import {ask} from "./ask.js";
import {packed} from "./link.js";

const SVG = "http://www.w3.org/2000/svg";

export class Around {
  constructor(app) {
    this.app = app;
    const box = $("board");
    box.addEventListener("pointermove", event => { if (event.pointerType !== "touch") this.hover(event); });
    for (const name of ["pointerleave", "pointerdown"]) box.addEventListener(name, () => { $("tip").hidden = true; });
    for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => this.#copy(button));
  }

  /** Shows the name of the thing under the pointer beside it. */
  hover(event) {
    const tip = $("tip"), hint = event.target.closest?.("[role=img][aria-label]")?.getAttribute("aria-label");
    const target = this.app.board.shown ? this.app.board.target(event) : null;
    if (!target && !hint) { tip.hidden = true; return; }
    this.tell(target && (target.kind !== "area" || !hint) ? target.label : hint, event.clientX, event.clientY);
  }

  /** Shows a text beside a point or, if the keyboard is used, beside the board's focus. */
  tell(text, x = null, y = null) {
    const tip = $("tip"), focused = document.activeElement?.getBoundingClientRect?.();
    tip.textContent = text;
    tip.hidden = !text;
    const left = x ?? (focused?.left ?? 0) + 20, top = y ?? (focused?.top ?? 0) + 20;
    tip.style.left = `${Math.max(4, Math.min(left + 14, innerWidth - tip.offsetWidth - 6))}px`;
    tip.style.top = `${top + 18 + tip.offsetHeight > innerHeight ? top - tip.offsetHeight - 10 : top + 18}px`;
    if (x === null) { clearTimeout(this.timer); this.timer = setTimeout(() => { tip.hidden = true; }, 2500); }
  }

  /** Shows the legend of the board. */
  async legend() {
    const {app} = this, out = $("legend-in");
    out.replaceChildren("Looking …");
    $("d-legend").showModal();
    try {
      const {chapters} = await ask("legend", app.game.state());
      out.replaceChildren(...chapters.map(({title, entries}) => make("section", {}, make("h3", {}, title),
        make("ul", {class: "legend"}, ...entries.map(([svg, words]) => make("li", {}, sample(svg), make("span", {}, words)))))),
      make("section", {}, make("h3", {}, "What the last move did"), make("p", {class: "soft"}, "⊕ brought, ⊖ taken away, an arrow for what moved, a dashed outline where it was; a number that has changed stands in a filled field.")));
      if (!chapters.length) out.replaceChildren("This game has no picture: it is drawn as text.");
    } catch (error) { out.replaceChildren(error.message); }
  }

  /** Makes links to the line at this place, to its position alone, and to the whole record. */
  async link() {
    const {app} = this, {game} = app, base = location.href.split("#")[0], tooLong = "too long for a link: save the record";
    for (const name of ["line", "position", "record"]) $(`link-${name}`).value = "…";
    $("d-link").showModal();
    await app.address();
    $("link-record").value = document.documentElement.dataset.saved === "link" ? location.href : tooLong;
    const short = async (text, line, at) => {
      const {link} = await ask("shorten", {text, line, board: game.board}).catch(() => ({}));
      return link ? `${base}#${game.rules.id}.${at}.${link}` : null;
    };
    const tags = game.under().tags.filter(([tag]) => tag !== "Seats").map(([n, v]) => `[${n} "${v.replace(/(["\\])/g, "\\$1")}"]`);
    const text = [...tags, "", "position {", ...app.place.facts.map(fact => fact + "."), "}", ""].join("\n");
    const alone = async () => { const pack = await packed({v: 1, name: `${game.rules.id}: a position`, text, b: [], ...(game.board ? {board: game.board} : {})}); return pack && `${base}#0.${pack}`; };
    $("link-line").value = await short(game.source, game.line().slice(1).map(n => [game.nodes[n].role, game.nodes[n].action]), game.here.depth) ?? "this line has no short link: use that of the whole record";
    $("link-position").value = await short(text, [], 0) ?? await alone() ?? tooLong;
  }

  async #copy(button) {
    const input = $(button.dataset.copy);
    input.select();
    try { await navigator.clipboard.writeText(input.value); button.textContent = "Copied"; } catch { button.textContent = "Selected: copy it"; }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  /** Switches between the size of the window and the board's own size. */
  whole() {
    const now = $("frame").classList.toggle("whole");
    $("whole").setAttribute("aria-pressed", String(now));
  }
}

/** An element with a sample from the server, scaled to fit. */
export function sample(svg) {
  const element = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({viewBox: "-26 -26 52 52", width: 40, height: 40, "aria-hidden": "true"})) element.setAttribute(name, value);
  element.innerHTML = svg; // the server has escaped all texts in it
  return element;
}
