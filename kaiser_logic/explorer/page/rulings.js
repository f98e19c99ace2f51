// Another edition or ruling: the changes in the record, and at the place shown.

import {$, make} from "./dom.js";
import {ask} from "./ask.js";

export class Rulings {
  constructor(app) {
    this.app = app;
    $("d-rulings").addEventListener("close", () => { if ($("d-rulings").returnValue === "compare") this.compare(); });
    $("d-compared").addEventListener("close", () => { if ($("d-compared").returnValue === "switch") app.replace(this.other); });
  }

  show() {
    const {app} = this, about = app.games.get(app.game.rules.id);
    if (!about) return;
    const rules = app.game.rules;
    this.edition = make("select", {"aria-label": "edition"}, ...about.editions.map(([name, words]) => make("option", {value: name, selected: name === rules.edition}, `${name}: ${words}`)));
    this.values = new Map();
    const rows = about.rulings.map(ruling => {
      const select = make("select", {"aria-label": ruling.about}, ...ruling.values.map(([value, words]) => make("option", {value, selected: value === rules.options[ruling.name]}, `${value}: ${words}`)));
      const row = make("div", {class: "ruling"}, make("span", {}, ruling.about, " ", make("code", {class: "soft"}, ruling.name)), select);
      const mark = () => row.classList.toggle("changed", select.value !== ruling.by[this.edition.value]);
      select.addEventListener("change", mark);
      this.values.set(ruling.name, {select, mark, ruling});
      mark();
      return row;
    });
    this.edition.addEventListener("change", () => { for (const {select, mark, ruling} of this.values.values()) { select.value = ruling.by[this.edition.value]; mark(); } });
    $("rulings-in").replaceChildren(make("label", {}, "Edition", this.edition), ...rows);
    $("d-rulings").returnValue = "";
    $("d-rulings").showModal();
  }

  /** The edition chosen, and the rulings that differ from it or that the record names. */
  #rules() {
    const named = new Set(this.app.game.tags.filter(([name]) => name === "Option").map(([, value]) => value.split("=")[0].trim()));
    const own = [...this.values.values()].filter(({select, ruling}) => named.has(ruling.name) || select.value !== ruling.by[this.edition.value]);
    return {edition: this.edition.value, options: own.map(({select, ruling}) => [ruling.name, select.value])};
  }

  async compare() {
    const {app} = this, {game} = app, rules = this.#rules();
    const depth = game.here.depth;
    try { await app.work(signal => this.#compared(rules, depth, signal)); } catch (error) { app.notice(error.message); }
  }

  /** Shows the differences under other rules. */
  async #compared(rules, depth, signal) {
    const {app} = this, {game} = app;
    const state = game.state(); // the same place for all questions, even if the user goes to another one
    const opened = await ask("open", {text: await app.written(game, signal), board: game.board, ...rules}, signal);
    const said = error => { if (error.name === "AbortError") throw error; return {error: error.message}; };
    const now = await ask("legal", state, signal).catch(said);
    const then = await ask("legal", {...state, tags: opened.tags}, signal).catch(said);
    if (app.game !== game) return;
    this.other = {opened, depth};
    const all = legal => new Map((legal.roles ?? []).flatMap(r => r.groups.flatMap(g => g.actions.map(a => [`${r.role}: ${a.action}`, `${r.label} ${a.label}`]))));
    const [here, there] = [all(now), all(then)];
    const gone = [...here].filter(([key]) => !there.has(key)), come = [...there].filter(([key]) => !here.has(key));
    const list = (title, entries) => entries.length ? [make("h3", {}, `${title} (${entries.length})`),
      make("ul", {class: "facts"}, ...entries.slice(0, 30).map(([key, words]) => make("li", {}, words, make("span", {class: "code"}, key))))] : [];
    const old = new Set(game.faults.map(f => `${f.place} ${f.rule} ${f.action}`));
    const faults = opened.faults.filter(f => !old.has(`${f.place} ${f.rule} ${f.action}`));
    $("compared").replaceChildren(
      make("p", {}, faults.length ? make("b", {}, "The record is no longer legal:") : "The record is as legal as before."),
      make("ul", {class: "facts"}, ...faults.slice(0, 20).map(f => make("li", {}, f.role ? make("code", {}, `@${f.place} ${f.role}: ${f.action}`) : "", ` ${f.rule}: ${f.message}`))),
      ...(then.error ? [make("p", {}, "This position: ", then.error)] : now.error ? [] : [
        ...list("No longer legal here", gone), ...list("Legal here besides", come),
        gone.length || come.length ? "" : make("p", {}, "In this position the same actions are legal.")]));
    $("d-compared").returnValue = "";
    $("d-compared").showModal();
  }
}
