// The legal actions by kind. An action under the pointer is shown on the board, and a click plays it. Things chosen on the
// board filter the actions: only those that touch all of them are listed.

import {$, capital, changes, make, shield} from "./dom.js";
import {ask, latest} from "./ask.js";

const SHOWN = 60, CHUNK = 64, MOST = 512;

export class Actions {
  constructor(app) {
    this.app = app;
    this.open = new Set();
    this.picks = [];
    this.legal = latest();
    this.previews = latest();
    this.reasons = latest();
    const groups = $("groups");
    $("filter").addEventListener("input", () => this.draw());
    $("filter-form").addEventListener("submit", event => { event.preventDefault(); this.enter(); });
    $("filter").addEventListener("keydown", event => {
      if (event.key === "ArrowDown") { event.preventDefault(); groups.querySelector("li button, .group button")?.focus(); }
      if (event.key === "Escape" && $("filter").value) { $("filter").value = ""; this.draw(); }
    });
    groups.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (!button || groups.hasAttribute("aria-busy")) return;
      if (button.dataset.action !== undefined) this.#clicked(button, event);
      else if (button.dataset.why !== undefined) app.why(button.dataset.why);
      else if (button.dataset.kind !== undefined) this.toggle(button.dataset.kind);
      else if (button.dataset.more !== undefined) { this.whole = button.dataset.more; this.draw(); }
    });
    for (const event of ["pointerover", "focusin"])
      groups.addEventListener(event, e => this.point(e.target.closest("[data-action]")));
    groups.addEventListener("pointerleave", event => { if (event.pointerType !== "touch") this.point(document.activeElement?.closest?.("[data-action]")); });
    groups.addEventListener("focusout", () => { if (!this.armed) this.point(null); });
    $("board").addEventListener("pointerdown", event => this.#hold(event));
    groups.addEventListener("keydown", event => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const all = [...groups.querySelectorAll("button")];
      const next = all[all.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) next.focus(); else if (event.key === "ArrowUp") $("filter").focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** A first tap shows an action, a second one plays it. A mouse has shown it already, so a click plays it. */
  #clicked(button, event) {
    const {role, action} = button.dataset, key = `${role}: ${action}`;
    if (event.pointerType === "touch" && this.armed !== key) this.#arm(button);
    else this.app.play(role, action, event.detail === 0 ? "list" : "");
  }

  /** Shows an action as the next one to play: by another tap, by Enter, or by its button. */
  #arm(button) {
    this.armed = `${button.dataset.role}: ${button.dataset.action}`;
    for (const other of $("groups").querySelectorAll("[data-action]")) other.toggleAttribute("data-armed", other === button);
    this.pointed = null;
    this.point(button);
  }

  /** Resets the choices after a move has been played. */
  played() {
    this.picks = [];
    this.whole = this.pointed = this.armed = null;
    $("filter").value = "";
    $("pointed").replaceChildren();
    this.#picked();
  }

  /** Forgets the place: none is shown any more. */
  leave() {
    clearTimeout(this.timer);
    this.node = null;
  }

  /** Removes all that is shown. */
  clear() {
    clearTimeout(this.timer);
    this.played();
    this.open.clear();
    $("actions-t").textContent = "Actions";
    $("groups").replaceChildren();
  }

  /** Asks for the actions of a place after a short delay: somebody who steps through a record does not need them. */
  load(node) {
    if (this.node !== node && this.picks.length) this.played();
    this.node = node;
    this.armed = null;
    this.app.board.movable = [];
    clearTimeout(this.timer);
    if (node.legal) { this.draw(); this.touchAll(node); return; }
    $("groups").setAttribute("aria-busy", "true"); // what it lists is about another place, and is hidden
    $("actions-t").textContent = "Actions";
    this.point(null);
    this.timer = setTimeout(async () => {
      try {
        node.legal = await this.legal("legal", this.app.game.state(node));
      } catch (error) {
        if (error.name === "AbortError") return;
        node.legal = {roles: [], result: null, error: error.message};
      }
      if (this.node === node) { this.draw(); this.touchAll(node); }
    }, 120);
  }

  /** Asks in the background what each action touches: to show actions, and to filter them by places. */
  async touchAll(node) {
    node.touch ??= {};
    const all = node.legal.roles.flatMap(r => r.groups.flatMap(g => g.actions.map(a => [r.role, a.action])));
    if (all.length > MOST) return;
    try {
      for (const {role} of node.legal.roles) {
        const wanted = all.filter(([r, a]) => r === role && !node.touch[r + ": " + a]).map(([, a]) => a);
        for (let i = 0; i < wanted.length; i += CHUNK) {
          await new Promise(done => setTimeout(done, 60));
          if (this.node !== node) return;
          await this.touch(node, role, wanted.slice(i, i + CHUNK));
        }
      }
      this.app.board.movable = Object.values(node.touch).flatMap(touch => touch.moves.map(([from]) => from));
      this.app.board.mark();
      if (this.picks.length) this.draw(); else this.#price();
    } catch { /* point() asks again */ }
  }

  async touch(node, role, actions) {
    // wait for the picture: only it shows which of several equal pieces is at which place
    for (let tries = 0; !Object.keys(node.pictures).length && this.node === node && tries < 200; tries++) await new Promise(done => setTimeout(done, 50));
    const found = await ask("touch", {...this.app.game.state(node), role, actions});
    for (const [action, touch] of Object.entries(found.touches)) (node.touch ??= {})[role + ": " + action] = touch;
  }

  /** Shows an action on the board, with its effects. */
  async point(button) {
    const key = button ? button.dataset.role + ": " + button.dataset.action : null;
    if (key === this.pointed) return;
    this.pointed = key;
    clearTimeout(this.asking);
    if (!key) {
      $("pointed").replaceChildren();
      this.app.board.mark(null);
      return;
    }
    if (this.armed && this.armed !== key) this.armed = null;
    const {role, action} = button.dataset, {node} = this;
    this.#say(role, action, node);
    if (!node.touch?.[key]) {
      try { await this.touch(node, role, [action]); } catch { return; }
    }
    if (this.pointed !== key || this.node !== node) return;
    this.app.board.mark(node.touch[key]);
    if (this.armed === key) this.app.board.reveal(node.touch[key].areas);
    if (!node.previews?.[key]) this.asking = setTimeout(async () => {
      try {
        const answer = await this.previews("preview", {...this.app.game.state(node), role, action});
        (node.previews ??= {})[key] = answer;
        if (this.pointed === key && this.node === node) this.#say(role, action, node);
      } catch { /* the next call asks again */ }
    }, 120);
  }

  /** Describes the action under the pointer: its notation, and its effects including those of later steps. */
  #say(role, action, node) {
    const key = `${role}: ${action}`, known = node.previews?.[key];
    const lines = known ? [...known.events.map(one => `  ${one}`), ...known.changes, ...(known.more ? [`  … ${known.more} more`] : [])] : [];
    $("pointed").replaceChildren(...[
      this.armed === key ? make("p", {class: "row"}, make("button", {class: "primary", id: "armed-play", onclick: () => this.app.play(role, action)}, "Play it"),
        make("button", {onclick: () => this.app.why(key)}, "Why?"), make("span", {}, this.#words(role, action))) : null,
      lines.length ? make("ul", {"aria-label": "what it would change"}, ...changes(lines)) : null,
      make("p", {class: "code soft"}, key)].filter(Boolean));
  }

  #words(role, action) {
    const groups = this.node.legal?.roles.find(r => r.role === role)?.groups ?? [];
    return groups.flatMap(g => g.actions).find(one => one.action === action)?.label ?? action;
  }

  /** The gains and losses of an action, if they are known already. */
  #gains(key, label) {
    const gains = this.node.touch?.[key]?.gains;
    return gains && gains !== label ? make("span", {class: "gains soft"}, ` ${gains}`) : null;
  }

  /** Adds the gains and losses to the listed actions. */
  #price() {
    for (const button of $("groups").querySelectorAll("[data-action]")) {
      const span = button.querySelector(".gains") ? null : this.#gains(button.dataset.role + ": " + button.dataset.action, button.textContent);
      if (span) button.append(span);
    }
  }

  toggle(kind) {
    if (this.open.has(kind)) this.open.delete(kind); else this.open.add(kind);
    this.draw();
    [...$("groups").querySelectorAll("[data-kind]")].find(b => b.dataset.kind === kind)?.focus();
  }

  /** Chooses a thing on the board: only actions that touch it remain. Choosing it again plays the only remaining action. */
  pick(target) {
    const same = one => one.kind === target.kind && one.name === target.name;
    const left = picks => this.#all().filter(([role, one]) => this.#touches(role, one, picks));
    if (this.picks.length && same(this.picks.at(-1))) {
      const fit = left(this.picks);
      if (fit.length === 1 && this.armed) { this.app.play(fit[0][0], fit[0][1].action); return; }
      this.picks.pop();
    } else {
      const wide = {kind: "area", name: target.area, area: target.area, label: this.app.board.label(target.area)};
      if (target.kind !== "area" && !left([...this.picks, target]).length && left([...this.picks, wide]).length) target = wide;
      this.picks = [...this.picks.filter(one => !same(one)).slice(-2), target];
    }
    this.armed = null;
    this.point(null);
    this.draw();
    const shown = [...$("groups").querySelectorAll("[data-action]")];
    if (this.picks.length && shown.length === 1) this.#arm(shown[0]);
  }

  /** Drops all choices on the board but the given ones. */
  unpick(kept = []) {
    this.picks = kept;
    this.armed = null;
    this.draw();
  }

  #all() { return (this.node?.legal?.roles ?? []).flatMap(r => r.groups.flatMap(g => g.actions.map(one => [r.role, one]))); }

  /** Whether an action touches all chosen things. */
  #touches(role, one, picks) {
    const touch = this.node.touch?.[role + ": " + one.action];
    return picks.every(pick => {
      if (!touch) return false;
      if (pick.kind === "area") return touch.areas.includes(pick.name);
      if (pick.kind === "item") return touch.items.includes(pick.name);
      return [...touch.from, ...touch.to].some(place => this.#alike(place, pick));
    });
  }

  /** Whether a place is the chosen one, or one of its area with the same piece. */
  #alike(place, {name, area}) {
    const {shown, layout: {places}} = this.app.board, look = p => shown?.deal?.[p]?.slice(0, 3).join() ?? "";
    return place === name || (places[place]?.[3] === area && places[place][4] === places[name][4] && look(place) === look(name));
  }

  /** Whether an action brings a piece or an item of a panel to a thing of the board; without that, anywhere. */
  #brings(role, one, thing, onto = null) {
    const touch = this.node.touch?.[role + ": " + one.action], {places} = this.app.board.layout;
    const at = place => !onto || (onto.kind === "place" ? this.#alike(place, onto) : places[place]?.[3] === onto.area);
    if (!touch) return false;
    return thing.kind === "item" ? touch.items.includes(thing.name) && touch.to.some(at) : touch.moves.some(([from, to]) => this.#alike(from, thing) && at(to));
  }

  /** Holds a piece or an item that a legal action brings somewhere. */
  #hold(event) {
    const {app, node} = this, thing = app.edit.open || !this.node?.legal ? null : app.board.target(event);
    if (!thing || thing.kind === "area" || !this.#all().some(([role, one]) => this.#brings(role, one, thing))) return;
    app.drag.hold(event, {label: thing.label.split(",")[0], element: thing.kind === "place" ? app.board.piece(thing.name) : null,
      lift: () => { this.unpick(); this.pick(thing); }, drop: onto => { if (this.node === node) this.#drop(thing, onto); }});
  }

  /** Plays the action that brings a thing to where it was dropped, if there is one only; if there are several, they are listed. */
  #drop(thing, onto) {
    if (!onto || onto.name === thing.name) { this.unpick(); return; }
    const wide = {kind: "area", name: onto.area, area: onto.area, label: this.app.board.label(onto.area)};
    const [fit = [], place = onto] = [onto, wide].map(place => [this.#all().filter(([role, one]) => this.#brings(role, one, thing, place)), place]).find(([some]) => some.length) ?? [];
    if (fit.length === 1) this.app.play(fit[0][0], fit[0][1].action);
    else this.pick(place);
  }

  fits(role, one, wanted) {
    const text = `${role}: ${one.action} ${one.label}`.toLowerCase();
    return this.#touches(role, one, this.picks) && wanted.every(word => text.includes(word));
  }

  /** Shows the chosen things on the board, and the places that the remaining actions touch. */
  #picked(fit = []) {
    const {board} = this.app, touches = fit.map(([role, one]) => this.node.touch?.[`${role}: ${one.action}`]).filter(Boolean);
    const join = name => [...new Set(touches.flatMap(touch => touch[name]))];
    board.picks = this.picks;
    board.reach = this.picks.length && fit.length > 1 && fit.length < 200 ? {areas: [], items: [], from: [], to: [...join("from"), ...join("to")]} : null;
    board.mark(this.pointed ? this.node.touch?.[this.pointed] : null);
    if (this.app.edit?.open) this.app.edit.tray.again(); // the marks of the fact in the hand
  }

  /** Lists illegal actions with the chosen things, and the reasons against them. */
  async whyNot() {
    const {node} = this, role = node.legal?.roles[0]?.role, target = this.picks.at(-1), before = this.picks.slice(0, -1), names = before.map(one => one.label);
    const out = make("div", {id: "why-not", "aria-live": "polite"}, "Looking …");
    $("groups").querySelector("#why-not")?.replaceWith(out);
    const actions = before.length ? this.#all().filter(([r, one]) => r === role && this.#touches(r, one, before)).map(([, one]) => one.action).slice(0, 2000) : [];
    try {
      const answer = await this.reasons("whynot", {...this.app.game.state(node), role, actions, area: target.area,
        item: target.kind === "item" ? target.name : "", piece: target.kind === "place" ? this.app.board.shown.deal?.[target.name]?.slice(0, 3) ?? [] : []});
      if (this.node !== node) return;
      out.replaceChildren(...(answer.actions.length ? answer.actions.map(one => make("button", {"data-why": `${role}: ${one.action}`, title: one.action},
        make("b", {}, "⊘ "), one.label, make("span", {class: "soft"}, ` — ${one.message}`))) : [make("p", {class: "soft"}, `Nothing illegal was found that is like a legal action${names.length ? ` touching ${names.join(" and ")}` : ""} and names ${target.label}.`)]));
    } catch (error) {
      if (error.name !== "AbortError") out.replaceChildren(error.message);
    }
  }

  draw() {
    const legal = this.node.legal, groups = $("groups"), {game} = this.app;
    groups.removeAttribute("aria-busy");
    if (!legal) return;
    const typed = $("filter").value.trim().toLowerCase(), wanted = typed ? typed.split(/\s+/) : [];
    const rows = [];
    const fitting = [];
    let count = 0;
    if (this.picks.length) rows.push(make("p", {class: "role row"}, ...this.picks.map(pick => make("span", {class: "chip"}, `touching ${pick.label}`,
      make("button", {"aria-label": `without ${pick.label}`, onclick: () => this.unpick(this.picks.filter(one => one !== pick))}, "✕")))));
    for (const role of legal.roles) {
      const total = role.groups.reduce((sum, g) => sum + g.actions.length, 0);
      count += total;
      rows.push(make("div", {class: "role"}, shield(game, role.role), make("span", {}, capital(role.decision))));
      if (role.note) rows.push(make("p", {class: "soft role"}, role.note));
      role.groups.forEach(group => {
        const key = role.role + " " + group.kind;
        const fit = group.actions.filter(one => this.fits(role.role, one, wanted));
        fitting.push(...fit.map(one => [role.role, one]));
        if (!fit.length) return;
        const open = this.open.has(key) !== (wanted.length > 0 || this.picks.length > 0 || total <= 14 || role.groups.length === 1);
        const list = open ? fit.slice(0, this.whole === key ? Infinity : SHOWN) : [];
        rows.push(make("div", {class: "group"},
          make("button", {"data-kind": key, "aria-expanded": String(open)}, make("span", {"aria-hidden": "true"}, open ? "▾" : "▸"), group.kind,
            make("span", {class: "c"}, `${fit.length}`)),
          open ? make("ul", {}, ...list.map(one => make("li", {}, make("button", {"data-role": role.role, "data-action": one.action},
            one.label + (one.odds ? ` (${one.odds[0]} of ${one.odds[1]})` : ""), this.#gains(role.role + ": " + one.action, one.label)))),
            fit.length > list.length ? make("li", {}, make("button", {"data-more": key}, `… ${fit.length - list.length} more`)) : null) : null));
      });
    }
    const who = legal.roles.map(r => r.label);
    const waits = this.picks.length && !this.#known; // what they touch is not known yet
    $("actions-t").textContent = legal.result ? "The game is over" : legal.error ? "No actions"
      : `${capital(who.join(", "))}: ${fitting.length < count && !waits ? `${fitting.length} of ` : ""}${count} legal action${count === 1 ? "" : "s"}`;
    if (legal.error) rows.push(make("p", {class: "role soft"}, legal.error));
    if (legal.result) {
      const {label, points} = legal.result;
      rows.push(make("p", {class: "role"}, capital(label) + "."),
        make("ul", {class: "facts role"}, ...points.map(([role, word, n]) => make("li", {}, shield(game, role), ` ${word}: ${n}`))));
    }
    if (!fitting.length && count && (wanted.length || this.picks.length)) rows.push(this.#nothing(wanted.length > 0));
    else if (this.picks.length && count) rows.push(make("div", {id: "why-not", class: "role"}, make("button", {onclick: () => this.whyNot()}, "What is not legal here, and why?")));
    groups.replaceChildren(...rows);
    this.#picked(fitting);
  }

  /** Whether the effects of some legal action are known. */
  get #known() { return Object.keys(this.node.touch ?? {}).length > 0 || !this.#all().length; }

  /** The message when no action remains: how to widen the choice, and a button that asks why. */
  #nothing(typed) {
    const {picks} = this, last = picks.at(-1), names = picks.map(one => one.label).join(" and ");
    return make("div", {class: "role"},
      make("p", {class: "soft"}, !picks.length ? "Nothing legal fits. Enter asks why." : !this.#known ? "One moment …" : typed ? `Nothing legal that touches ${names} fits.` : `Nothing legal touches ${names}.`),
      picks.length ? make("p", {class: "row"}, typed ? make("button", {onclick: () => { $("filter").value = ""; this.draw(); }}, "Without what is typed") : null,
        typed ? make("button", {onclick: () => this.unpick()}, "Anywhere on the board") : null,
        picks.length > 1 ? make("button", {onclick: () => this.unpick([last])}, `Only ${last.label}`) : null) : null,
      picks.length && !typed ? make("div", {id: "why-not"}, make("button", {class: "primary", onclick: () => this.whyNot()}, "Why not?")) : null);
  }

  /** Enter in the filter plays the only action that fits. If none fits, it asks why the typed action is illegal. */
  enter() {
    const typed = $("filter").value.trim();
    const roles = this.node.legal?.roles ?? [];
    const bare = text => text.replace(/\s+/g, "");
    for (const role of roles)
      for (const group of role.groups)
        for (const one of group.actions)
          if ([one.action, `${role.role}:${one.action}`].some(t => bare(t) === bare(typed))) { this.app.play(role.role, one.action, "filter"); return; }
    const fit = roles.flatMap(r => r.groups.flatMap(g => g.actions.filter(one => this.fits(r.role, one, typed.toLowerCase().split(/\s+/).filter(Boolean)))
      .map(one => [r.role, one.action])));
    if (fit.length === 1) this.app.play(...fit[0], "filter");
    else if (typed && !fit.length && !this.picks.length) {
      $("filter").value = "";
      this.draw();
      this.app.why(typed);
    }
    else $("groups").querySelector("li button, .group button")?.focus();
  }
}
