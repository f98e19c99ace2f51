// Why an action is legal, or which rules it breaks: rule, statement, facts, source; pins on the board show the facts.

import {$, capital, make} from "./dom.js";
import {latest} from "./ask.js";

export class Why {
  constructor(app) {
    this.app = app;
    this.ask = latest();
    $("why-form").addEventListener("submit", event => { event.preventDefault(); this.typed($("why-in").value.trim()); });
    $("why-in").addEventListener("focus", () => this.#suggest());
    $("why-in").addEventListener("keydown", event => {
      if (event.key === "Escape") $("why-in").value = "";
    });
  }

  /** Offers the actions that are legal here, and those of the record, in words. */
  #suggest() {
    $("why-list").replaceChildren(...[...this.app.words().values()].slice(0, 600).map(([role, action, words]) => make("option", {value: words}, `${role}: ${action}`)));
  }

  /** Judges an action that somebody has typed, in the notation or in words. */
  typed(text) {
    const known = this.app.words(), plain = text.toLowerCase().replace(/\s+/g, " "), who = this.app.game.rules;
    const names = (who.seats ?? []).flatMap(role => [role, (who.words?.[role] ?? role).toLowerCase()]);
    const bare = names.reduce((left, name) => left.startsWith(name) && /^ ?:? ?/.exec(left.slice(name.length))[0] ? left.slice(name.length).replace(/^ ?:? ?/, "") : left, plain);
    const exact = known.get(plain) ?? known.get(bare);
    if (exact) { this.judge(exact[1], exact[0]); return; }
    const wanted = stems(bare), found = [...known.values()].map(one => [stems(one[2]), one])
      .map(([words, one]) => [wanted.filter(word => words.some(other => other.startsWith(word))).length / Math.max(wanted.length, 1), words.length, one])
      .filter(([share]) => share >= 0.5).sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, 8);
    const named = text.includes("(") || !found.length || [...known.values()].some(one => one[1].split("(")[0] === bare);
    if (named && /^\s*(\w+\s*:\s*)?[a-z]\w*\s*(\(.*\))?\s*$/s.test(text)) { this.judge(text); return; } // as records write it
    this.clear();
    this.app.tab("why");
    this.#out(make("p", {}, found.length ? "Which of these is meant?" : `Nothing that can be done here, or was done in this record, reads like that; as it is written, an action looks like pass or buy(doctor,hold).`),
      make("div", {class: "near"}, ...found.map(([, , [role, action, words]]) => make("button", {title: action, onclick: () => this.judge(action, role)}, words))));
  }

  /** Judges an action at the place shown; `by` is the role, if the text does not name one. */
  async judge(typed, by = null) {
    const {app} = this;
    if (!typed) { $("why-in").focus(); return; }
    $("why-in").value = typed;
    app.tab("why");
    this.clear();
    app.unpin(); // the pins belong to another action
    const roles = (app.place.legal?.roles ?? []).map(one => one.role);
    const role = by && (by === "chance" || roles.includes(by)) ? by : roles[0] ?? by ?? app.game.rules.seats[0];
    try {
      const answer = await this.ask("why", {...app.game.state(app.place), ...app.board.paper, role, move: typed});
      this.show(answer);
    } catch (error) {
      if (error.name !== "AbortError") this.#out(make("p", {}, error.message));
    }
  }

  #out(...parts) {
    $("why").classList.add("has");
    $("why-out").replaceChildren(...parts);
  }

  show(answer) {
    const rules = answer.legal ? this.#kept(answer) : this.#broken(answer);
    this.#out(make("p", {}, make("b", {}, answer.legal ? "✓ Legal" : "⊘ Illegal"), `: ${answer.who} ${answer.label}`), ...rules, ...unsaid("This relies on assumptions, not on a printed text", answer.assumed ?? []),
      ...unsaid("This relies on our readings, where the printed text leaves the point open", answer.readings ?? []));
    if (answer.board) this.app.look(this.app.board.keep(answer.board)[0]);
  }

  #kept(answer) {
    if (answer.kept.length) return [
      make("p", {}, answer.kept.length === 1 ? "One rule decides on it, and it is kept." : `${answer.kept.length} rules decide on it, and all are kept.`),
      make("p", {}, make("button", {class: "primary", onclick: () => this.app.play(answer.role, answer.action)}, "Play it")),
      ...answer.kept.map(rule => make("details", {}, make("summary", {}, make("code", {}, rule.rule), " ", rule.statement), facts(rule))),
    ];
    return [make("p", {}, "No rule forbids it."),
      make("p", {}, make("button", {class: "primary", onclick: () => this.app.play(answer.role, answer.action)}, "Play it"))];
  }

  #broken(answer) {
    const several = answer.broken.length > 1;
    const parts = [make("p", {}, several ? `It breaks ${answer.broken.length} rules:` : "It breaks a rule:")];
    answer.broken.forEach((one, k) => parts.push(violation(one, several ? k + 1 : 0)));
    if (answer.near.length) parts.push(make("h3", {}, "Legal, and nearest to it"), make("div", {class: "near"},
      ...answer.near.map(([action, words]) => make("button", {title: action, onclick: () => this.app.play(answer.role, action)}, words))));
    return parts;
  }

  /** Shows a fault of the record. */
  fault(fault) {
    this.clear();
    this.#out(make("p", {}, make("b", {}, "⊘ "), fault.role ? make("code", {}, `${fault.role}: ${fault.action}`) : `In line ${fault.line}`),
      violation(fault, 0));
  }

  /** Removes the answer and cancels the question: they are about another place or another action. */
  clear() {
    this.ask.stop();
    $("why").classList.remove("has");
    $("why-out").replaceChildren();
  }
}

/** The facts of a rule in words, with the numbers of their pins. */
function facts({facts, words}, numbered = false) {
  return make("ul", {class: "facts"}, ...facts.map((fact, k) => make("li", {},
    numbered ? make("span", {class: "pin"}, `${k + 1}`) : null, words[fact], words[fact] === fact ? null : make("span", {class: "code"}, fact))));
}

/** The rules behind the verdict that no printed text states. */
function unsaid(heading, list) {
  return list.length ? [make("details", {class: "soft"}, make("summary", {}, heading),
    ...list.map(([rule, statement]) => make("p", {}, make("code", {}, rule), " ", statement)))] : [];
}

function violation(one, number) {
  const sources = Object.entries(one.sources);
  return make("section", {},
    make("h3", {}, number ? make("span", {class: "pin"}, `${number}`) : null, make("code", {}, one.rule)),
    make("p", {}, one.statement),
    make("p", {}, make("b", {}, capital(one.message))),
    facts(one, !number),
    one.absent.length ? make("p", {class: "soft"}, "Missing: ", one.absent.map(fact => one.words[fact] === fact ? fact : `${one.words[fact]} (${fact})`).join("; ")) : null,
    ...Object.entries(one.rulings).map(([name, value]) => make("p", {class: "soft"}, "Ruling ", make("code", {}, name), `: ${one.words[`${name}=${value}`] ?? value}`)),
    sources.length ? make("p", {class: "soft"}, "Source: ", sources.map(([edition, source]) => `${edition} ${source}`).join("; ")) : null);
}

/** The words of a sentence without endings: "buys the pope" and "buy the Pope" give the same. */
function stems(text) {
  return text.toLowerCase().split(/[^\p{L}\d]+/u).filter(word => word && !/^(the|a|an|of|to|on|in)$/.test(word)).map(word => word.length > 3 ? word.replace(/(es|s|ing|ed)$/, "") : word);
}
