// The trays of the editor: a kind of fact and its arguments are taken into the hand, and put by a click on the board.

import {$, make} from "./dom.js";
import {latest} from "./ask.js";

export class Tray {
  /** `put(fact, add)` is called with a fact to put; with `add`, its number is added to that of the counter. */
  constructor(app, put) {
    this.app = app;
    this.put = put;
    this.spotting = latest();
    this.element = make("div", {class: "tray"});
    this.drop();
  }

  /** Takes over the kinds of facts. */
  learn(kinds) {
    this.kinds = kinds;
    const group = (label, some) => some.length ? make("optgroup", {label}, ...some.map(kind => make("option", {value: kinds.indexOf(kind), title: kind.words?.startsWith(kind.name) ? null : kind.words}, kind.label))) : null;
    this.select = make("select", {id: "tray-kind", "aria-label": "what to put"}, make("option", {value: ""}, "choose …"),
      group("On the board", kinds.filter(k => k.onboard)), group("Beside it", kinds.filter(k => !k.onboard)));
    this.select.addEventListener("change", () => this.choose(kinds[this.select.value] ?? null));
    this.slots = make("span", {class: "row"});
    this.hint = make("p", {class: "soft", "aria-live": "polite"});
    this.button = make("button", {id: "tray-put", type: "button", onclick: () => this.puts()}, "Put it");
    this.element.replaceChildren(make("p", {class: "row"}, make("b", {}, "Put"), this.select, this.slots, this.button), this.hint);
    this.choose(null);
  }

  /** Empties the hand. */
  drop() {
    this.kind = null;
    this.places = {};
    this.wanted = null; // an area that was clicked before the answer about its facts came
    this.inputs = [];
  }

  /** Takes a kind of fact into the hand, with these arguments. */
  choose(kind, args = null) {
    this.drop();
    this.kind = kind;
    this.select.value = kind ? this.kinds.indexOf(kind) : "";
    this.button.hidden = !kind;
    this.hint.textContent = "";
    this.slots.replaceChildren();
    if (!kind) {
      this.hint.textContent = "Choose what to put; or take something from the list into the hand (✎), or away (✕).";
      this.app.board.mark(null);
      return;
    }
    this.inputs = kind.slots.map((slot, k) => this.#input(slot, k === kind.slots.length - 1 && kind.counted, args?.[k]));
    this.slots.append(...this.inputs.map((input, k) => make("label", {}, make("span", {}, kind.slots[k].label || (k === kind.slots.length - 1 && kind.counted ? "how many" : "which")), input)));
    if (kind.words && !kind.words.startsWith(kind.name)) this.slots.append(make("span", {class: "soft"}, kind.words));
    this.look();
  }

  #input(slot, count, value) {
    const label = slot.label || "which";
    if (slot.number || !slot.values.length || slot.values.length > 1200) {
      const ends = slot.number ? slot.values.map(([v]) => +v) : [];
      const input = slot.number
        ? make("input", {type: "number", "aria-label": label, title: label, min: Math.min(...ends), max: slot.open ? null : Math.max(...ends), value: value ?? (count ? Math.max(1, ends[0]) : ends[0])})
        : make("input", {"aria-label": label, title: label, placeholder: label, value: value ?? "", spellcheck: "false", autocomplete: "off"});
      input.addEventListener("change", () => this.look());
      input.addEventListener("keydown", event => { if (event.key === "Enter") { event.preventDefault(); this.puts(); } });
      return input;
    }
    const select = make("select", {"aria-label": label, title: label}, slot.place ? make("option", {value: ""}, `${label === "which" ? "place" : label}: on the board`) : null,
      ...slot.values.map(([v, words]) => make("option", {value: v, selected: v === value}, words)));
    select.addEventListener("change", () => this.look());
    return select;
  }

  /** The arguments; null for those that a click on the board determines. */
  get args() { return this.inputs.map((input, k) => input.value.trim() === "" && this.kind.slots[k].place ? null : input.value.trim()); }

  /** Asks where the fact in the hand can be put, and marks these areas; with `still` the present marks stay meanwhile. */
  async look(still = false) {
    const {kind} = this, args = this.args;
    if (!still) { this.places = {}; this.app.board.mark(null); }
    this.button.disabled = args.includes(null);
    if (!kind.onboard) return;
    this.looking = true;
    try {
      const open = args.map((arg, k) => kind.slots[k].place ? null : arg);
      const found = await this.spotting("spots", {...this.app.game.under(), facts: this.app.edit.facts, name: kind.name, slots: open});
      if (this.kind !== kind) return;
      this.places = found.spots;
      this.looking = false;
      const free = Object.keys(this.places);
      this.hint.textContent = free.length ? `Click a place on the board to put it there (${free.length} marked)${this.button.disabled ? "" : ", or put it where it says"}.`
        : "It fits nowhere on this board.";
      this.app.board.mark({areas: free, from: [], to: []});
      if (this.wanted !== null) this.at(this.wanted);
    } catch (error) {
      if (error.name !== "AbortError") { this.looking = false; this.hint.textContent = error.message; }
    }
  }

  /** Shows the marks again after the board has been drawn. */
  again() { if (this.kind && Object.keys(this.places).length) this.app.board.mark({areas: Object.keys(this.places), from: [], to: []}); }

  /** Puts the fact in the hand on an area; returns false if that is impossible. */
  at(area) {
    const facts = this.places[area];
    if (this.kind && !facts && this.looking) { this.wanted = area; return true; }
    this.wanted = null;
    if (!this.kind || !facts) return false;
    const args = this.args, fits = facts.filter(fact => parts(fact).every((part, k) => !args[k] || args[k] === part || !this.kind.slots[k].place));
    const some = fits.length ? fits : facts;
    this.put(some.find(fact => !this.app.edit.facts.includes(fact)) ?? some[0], this.kind.counted);
    return true;
  }

  /** Puts the fact in the hand, with the typed arguments. */
  puts() {
    if (!this.kind || this.button.disabled) return;
    this.put(this.args.length ? `${this.kind.name}(${this.args.join(",")})` : this.kind.name, false);
  }

  /** Takes a fact into the hand, so that it can be put elsewhere. */
  take(fact) {
    const args = parts(fact), name = fact.split("(")[0];
    const kind = this.kinds?.find(k => k.name === name && k.slots.length === args.length);
    if (!kind) return false;
    this.choose(kind, args.map((arg, k) => kind.slots[k].place ? null : arg));
    return true;
  }
}

/** The arguments of a fact. */
export function parts(fact) {
  const found = [];
  let depth = 0, from = fact.indexOf("(") + 1;
  if (!from) return found;
  for (let i = from; i < fact.length; i++) {
    if (fact[i] === "(") depth++;
    if ((fact[i] === "," || fact[i] === ")") && depth === 0) { found.push(fact.slice(from, i)); from = i + 1; }
    if (fact[i] === ")") depth--;
  }
  return found;
}
