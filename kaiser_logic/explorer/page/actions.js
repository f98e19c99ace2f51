// Legal actions by kind: pointed at they are shown on the board, clicked they are played.

import {$, capital, make, shield} from "./dom.js";
import {ask, latest} from "./ask.js";

const SHOWN = 60, CHUNK = 64, MOST = 512;

export class Actions {
  constructor(app) {
    this.app = app;
    this.open = new Set();
    this.area = null;
    this.legal = latest();
    this.touchers = latest();
    const groups = $("groups");
    $("filter").addEventListener("input", () => this.draw());
    $("filter-form").addEventListener("submit", event => { event.preventDefault(); this.enter(); });
    $("filter").addEventListener("keydown", event => {
      if (event.key === "ArrowDown") { event.preventDefault(); groups.querySelector("li button, .group button")?.focus(); }
    });
    groups.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (!button || groups.hasAttribute("aria-busy")) return;
      if (button.dataset.action !== undefined) app.play(button.dataset.role, button.dataset.action, event.detail === 0);
      else if (button.dataset.kind !== undefined) this.toggle(button.dataset.kind);
      else if (button.dataset.more !== undefined) { this.whole = button.dataset.more; this.draw(); }
    });
    for (const event of ["pointerover", "focusin"])
      groups.addEventListener(event, e => this.point(e.target.closest("[data-action]")));
    groups.addEventListener("pointerleave", () => this.point(document.activeElement?.closest?.("[data-action]")));
    groups.addEventListener("focusout", () => this.point(null));
    groups.addEventListener("keydown", event => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const all = [...groups.querySelectorAll("button")];
      const next = all[all.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) next.focus(); else if (event.key === "ArrowUp") $("filter").focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** A move has been played: what was looked for is done. */
  played() {
    this.area = this.whole = this.pointed = null;
    $("filter").value = $("pointed").textContent = "";
  }

  /** No place is shown any more. */
  leave() {
    clearTimeout(this.timer);
    this.node = null;
  }

  /** Nothing is shown any more. */
  clear() {
    clearTimeout(this.timer);
    this.played();
    this.open.clear();
    $("actions-t").textContent = "Actions";
    $("groups").replaceChildren();
  }

  /** Asks for the actions of the place shown, after a moment: who walks on through a record needs none. */
  load(node) {
    this.node = node;
    clearTimeout(this.timer);
    if (node.legal) { this.draw(); this.touchAll(node); return; }
    $("groups").setAttribute("aria-busy", "true");
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

  /** Which actions touch what, asked in the background: for pointing, and to filter by a place. */
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
      if (this.area !== null) this.draw(); else this.#price();
    } catch { /* pointing asks again */ }
  }

  async touch(node, role, actions) {
    const found = await ask("touch", {...this.app.game.state(node), role, actions});
    for (const [action, touch] of Object.entries(found.touches)) (node.touch ??= {})[role + ": " + action] = touch;
  }

  /** Shows an action on the board. */
  async point(button) {
    const key = button ? button.dataset.role + ": " + button.dataset.action : null;
    if (key === this.pointed) return;
    this.pointed = key;
    $("pointed").textContent = key ?? "";
    if (!key) { this.app.board.mark(null); return; }
    const node = this.node;
    if (!node.touch?.[key]) {
      try { await this.touch(node, button.dataset.role, [button.dataset.action]); } catch { return; }
    }
    if (this.pointed === key && this.node === node) this.app.board.mark(node.touch[key]);
  }

  /** What an action takes and gives at once, where that is known already. */
  #gains(key) {
    const said = this.node.touch?.[key]?.gains;
    return said ? make("span", {class: "gains soft"}, ` ${said}`) : null;
  }

  /** Adds it to the actions that are listed. */
  #price() {
    for (const button of $("groups").querySelectorAll("[data-action]")) {
      const span = button.querySelector(".gains") ? null : this.#gains(button.dataset.role + ": " + button.dataset.action);
      if (span) button.append(span);
    }
  }

  toggle(kind) {
    if (this.open.has(kind)) this.open.delete(kind); else this.open.add(kind);
    this.draw();
    [...$("groups").querySelectorAll("[data-kind]")].find(b => b.dataset.kind === kind)?.focus();
  }

  /** Only what touches a place of the board; null: all. */
  at(area) {
    this.area = area;
    this.draw();
  }

  fits(role, one, wanted) {
    if (this.area !== null) {
      const touch = this.node.touch?.[role + ": " + one.action];
      if (!touch?.areas.includes(this.area)) return false;
    }
    const text = `${role}: ${one.action} ${one.said}`.toLowerCase();
    return wanted.every(word => text.includes(word));
  }

  draw() {
    const legal = this.node.legal, groups = $("groups"), {game} = this.app;
    groups.removeAttribute("aria-busy");
    if (!legal) return;
    const typed = $("filter").value.trim().toLowerCase(), wanted = typed ? typed.split(/\s+/) : [];
    const rows = [];
    let count = 0, fitting = 0;
    if (this.area !== null) rows.push(make("p", {class: "role"}, make("span", {class: "chip"}, `touching ${this.app.areaName(this.area)}`,
      make("button", {"aria-label": "all places", onclick: () => this.at(null)}, "✕"))));
    for (const role of legal.roles) {
      const total = role.groups.reduce((sum, g) => sum + g.actions.length, 0);
      count += total;
      rows.push(make("div", {class: "role"}, shield(game, role.role), make("span", {}, capital(role.decision))));
      if (role.note) rows.push(make("p", {class: "soft role"}, role.note));
      role.groups.forEach(group => {
        const key = role.role + " " + group.kind;
        const fit = group.actions.filter(one => this.fits(role.role, one, wanted));
        fitting += fit.length;
        if (!fit.length) return;
        const open = this.open.has(key) !== (wanted.length > 0 || this.area !== null || total <= 14 || role.groups.length === 1);
        const list = open ? fit.slice(0, this.whole === key ? Infinity : SHOWN) : [];
        rows.push(make("div", {class: "group"},
          make("button", {"data-kind": key, "aria-expanded": String(open)}, make("span", {"aria-hidden": "true"}, open ? "▾" : "▸"), group.kind,
            make("span", {class: "c"}, `${fit.length}`)),
          open ? make("ul", {}, ...list.map(one => make("li", {}, make("button", {"data-role": role.role, "data-action": one.action},
            one.said + (one.odds ? ` (${one.odds[0]} of ${one.odds[1]})` : ""), this.#gains(role.role + ": " + one.action)))),
            fit.length > list.length ? make("li", {}, make("button", {"data-more": key}, `… ${fit.length - list.length} more`)) : null) : null));
      });
    }
    const who = legal.roles.map(r => r.said);
    $("actions-t").textContent = legal.result ? "The game is over" : legal.error ? "No actions"
      : `${capital(who.join(", "))}: ${count} legal action${count === 1 ? "" : "s"}`;
    if (legal.error) rows.push(make("p", {class: "role soft"}, legal.error));
    if (legal.result) {
      const {said, points} = legal.result;
      rows.push(make("p", {class: "role"}, capital(said) + "."),
        make("ul", {class: "facts role"}, ...points.map(([role, word, n]) => make("li", {}, shield(game, role), ` ${word}: ${n}`))));
    }
    if (!fitting && count && (wanted.length || this.area !== null)) rows.push(make("p", {class: "role soft"},
      wanted.length ? "Nothing legal fits. Enter asks why." : "Nothing legal touches this place."));
    groups.replaceChildren(...rows);
  }

  /** Enter in the filter: plays what alone fits, asks why of what does not. */
  enter() {
    const typed = $("filter").value.trim();
    const roles = this.node.legal?.roles ?? [];
    const bare = text => text.replace(/\s+/g, "");
    for (const role of roles)
      for (const group of role.groups)
        for (const one of group.actions)
          if ([one.action, `${role.role}:${one.action}`].some(t => bare(t) === bare(typed))) { this.app.play(role.role, one.action, true); return; }
    const fit = roles.flatMap(r => r.groups.flatMap(g => g.actions.filter(one => this.fits(r.role, one, typed.toLowerCase().split(/\s+/).filter(Boolean)))
      .map(one => [r.role, one.action])));
    if (fit.length === 1) this.app.play(...fit[0], true);
    else if (typed && !fit.length) this.app.why(typed);
    else $("groups").querySelector("li button, .group button")?.focus();
  }
}
