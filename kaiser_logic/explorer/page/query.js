// The field of a query: its meaning while it is typed, completions, and help.

import {$, make} from "./dom.js";
import {ask, latest} from "./ask.js";

const PAUSE = 150;

export class Query {
  constructor(app) {
    this.app = app;
    this.ask = latest();
    this.field = $("query");
    this.list = $("query-list");
    this.at = -1;
    this.field.addEventListener("input", () => this.#soon());
    this.field.addEventListener("keydown", event => this.#key(event));
    this.field.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", event => { // pointerdown comes before the field loses the focus
      const option = event.target.closest("[role=option]");
      event.preventDefault();
      if (option) this.#take([...this.list.children].indexOf(option));
    });
    $("find-form").addEventListener("submit", () => { this.close(); this.read(false, false); });
    $("query-help").addEventListener("toggle", () => this.#help());
  }

  /** Removes all that is about the last game. */
  clear() {
    this.close();
    $("query-means").textContent = "";
    $("query-help").open = false;
    $("query-help-in").replaceChildren();
  }

  close() {
    clearTimeout(this.timer);
    this.following = [];
    this.at = -1;
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }

  #soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), PAUSE);
  }

  /** Asks for the meaning of the query so far, and for completions; with `all` also where no word has been started. */
  async read(all = false, offered = true) {
    const {field} = this, query = field.value;
    if (!this.app.game) return;
    try {
      const answer = await this.ask("query", {...this.app.game.under(), query, cursor: Math.min(field.selectionStart, 2000)});
      $("query-means").textContent = answer.words ? `Means: ${answer.words}` : answer.following.length ? "" : answer.wrong;
      if (offered && document.activeElement === field) this.#offer(all || /\w$|[(,]\s*$/.test(query.slice(0, field.selectionStart)) ? answer.following : []);
    } catch (error) {
      if (error.name !== "AbortError") $("query-means").textContent = error.message;
    }
  }

  #offer(following) {
    this.following = following;
    this.at = -1;
    this.list.replaceChildren(...following.map(([, shown, means], k) => make("li", {role: "option", id: `query-${k}`, "aria-selected": "false"},
      make("code", {}, shown), means ? " " : null, means ? make("span", {class: "soft"}, means) : null)));
    this.list.hidden = !following.length;
    this.list.scrollTop = 0;
    this.field.setAttribute("aria-expanded", `${!!following.length}`);
    this.field.removeAttribute("aria-activedescendant");
  }

  #key(event) {
    const {list} = this, open = !list.hidden;
    if (event.key === "Escape" && open) { event.preventDefault(); event.stopPropagation(); this.close(); }
    else if (event.key === "ArrowDown" && !open) { event.preventDefault(); this.read(true); }
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && open) {
      event.preventDefault();
      this.#point((this.at + (event.key === "ArrowDown" ? 1 : list.children.length + (this.at < 0 ? 0 : -1))) % list.children.length);
    } else if ((event.key === "Enter" && open && this.at >= 0) || (event.key === "Tab" && open && !event.shiftKey)) {
      event.preventDefault();
      this.#take(Math.max(this.at, 0));
    }
  }

  #point(at) {
    this.at = at;
    [...this.list.children].forEach((option, k) => option.setAttribute("aria-selected", `${k === at}`));
    this.list.children[at].scrollIntoView({block: "nearest"});
    this.field.setAttribute("aria-activedescendant", `query-${at}`);
  }

  /** Replaces the started word by the chosen completion. */
  #take(at) {
    const {field} = this, [text, , , length] = this.following[at], end = field.selectionStart;
    field.focus();
    field.setRangeText(text, end - length, end, "end");
    this.close();
    this.read();
  }

  async #help() {
    const inside = $("query-help-in");
    if (!$("query-help").open || inside.childElementCount) return;
    inside.replaceChildren(make("p", {class: "soft"}, "Looking …"));
    try {
      const {signs, examples, facts} = await ask("queries", this.app.game.under());
      const example = ([query, words]) => make("li", {}, make("button", {type: "button", onclick: () => { this.field.value = query; this.field.focus(); this.read(); }}, make("code", {}, query)), " ", words);
      inside.replaceChildren(make("p", {}, "Facts joined by commas: all of them hold in a position that is found."),
        make("table", {}, ...signs.map(([sign, means]) => make("tr", {}, make("td", {}, make("code", {}, sign)), make("td", {}, means)))),
        make("h3", {}, "Examples"), make("ul", {class: "plain"}, ...examples.map(example)),
        make("h3", {}, "Facts of a position"), make("dl", {class: "terms"}, ...facts.flatMap(([fact, reads, values]) =>
          [make("dt", {}, make("code", {}, fact)), make("dd", {}, reads, reads && values ? make("br") : null, values ? make("span", {class: "soft"}, values) : null)])));
    } catch (error) { inside.replaceChildren(make("p", {}, error.message)); }
  }
}
