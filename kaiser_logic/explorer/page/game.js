// A record with its branches: a tree of places, each with its facts.

export class Game {
  /** `opened` is the server's answer to "open" or "start". */
  constructor(opened, name) {
    this.name = name;
    this.rules = opened.game;
    this.tags = opened.tags;
    this.board = opened.board ?? null;
    this.source = opened.text ?? "";
    this.faults = opened.faults;
    this.rest = opened.moves.slice(Math.max(0, opened.steps.length - 1));
    this.restSaid = opened.unfollowed ?? [];
    this.nodes = [];
    this.seen = new Map();
    let parent = -1;
    const lines = [[]], places = new Map();
    opened.steps.forEach((step, k) => { lines[0].push(parent = this.add(parent, step, false)); places.set(`${k}`, parent); });
    this.original = parent;
    this.rests = new Map();
    for (const one of opened.variations ?? []) {
      parent = lines[one.line][one.at];
      const line = [parent];
      if (one.name) places.set(`${one.name}.0`, parent);
      one.steps.forEach((step, k) => { line.push(parent = this.add(parent, step, false)); if (one.name) places.set(`${one.name}.${k + 1}`, parent); });
      lines.push(line);
      if (one.moves.length && !this.rests.has(parent)) this.rests.set(parent, one);
    }
    this.places = places;
    for (const [place, number] of places) this.nodes[number].place ??= place; // in the text; played moves have none
    this.comments = new Map(); // those that have been edited, by place
    this.opened = this.nodes.length; // places from this number on have been played here
    this.at = 0;
    this.undone = [];
    for (const fault of this.faults) {
      const node = this.nodes[places.get(fault.role === null ? fault.place || "0" : fault.place.replace(/\d+$/, n => +n + 1))];
      if (node && node.role) (node.faults ??= []).push(fault);
    }
  }

  /** Adds a step below a place, unless it is there already, and returns the number of its place. */
  add(parent, step, mine = true) {
    const known = parent < 0 ? undefined
      : this.nodes[parent].children.find(c => this.nodes[c].role === step.role && this.nodes[c].action === step.action);
    if (known !== undefined) {
      const node = this.nodes[known];
      if (step.comment && step.comment !== node.comment) node.elsewhere = step.comment; // the same move stands in the text twice
      this.kept = null;
      this.nodes[parent].next = known;
      return known;
    }
    const before = parent < 0 ? [] : this.nodes[parent].facts;
    const gone = new Set(step.minus);
    const facts = before.filter(f => !gone.has(f));
    for (const fact of step.plus) {
      if (!this.seen.has(fact)) this.seen.set(fact, fact);
      facts.push(this.seen.get(fact));
    }
    this.kept = null;
    const number = this.nodes.length;
    this.nodes.push({
      number, parent, children: [], next: null, mine, facts, pending: step.pending, over: step.over, also: step.also || [],
      role: step.role, action: step.action, label: step.label, events: step.events || [], depth: parent < 0 ? 0 : this.nodes[parent].depth + 1,
      comment: step.comment ?? "", elsewhere: "", part: step.part ?? "", points: step.points ?? {}, pictures: {},
    });
    if (parent >= 0) {
      this.nodes[parent].children.push(number);
      this.nodes[parent].next = number;
    }
    return number;
  }

  get here() { return this.nodes[this.at]; }

  /** Role, action and comment of each move from the start to a place. */
  path(node = this.here) {
    const up = [];
    for (let n = node; n.parent >= 0; n = this.nodes[n.parent]) up.push([n.role, n.action, n.comment]);
    return up.reverse();
  }

  /** The number of the last place that a line of play from the start reaches. */
  follow(line) {
    let at = 0;
    for (const [role, action] of line) {
      const next = this.nodes[at].children.find(c => this.nodes[c].role === role && this.nodes[c].action === action);
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  /** The variation in which the present place lies: its number among those of its move, and how many there are; or null. */
  variation() {
    for (let n = this.here; n.parent >= 0; n = this.nodes[n.parent]) {
      const {children} = this.nodes[n.parent], at = children.indexOf(n.number);
      if (at) return {at, of: children.length - 1};
    }
    return null;
  }

  /** Whether a place can have a comment: places that the text of the record has only in a part that is not followed cannot. */
  commentable(node = this.here) { return !!node.place || node.number >= this.opened; }

  /** Marks a thing of the board in the comment of the present place, or removes its mark. */
  marking(note) {
    const {words, notes} = marked(this.here.comment), left = notes.includes(note) ? notes.filter(one => one !== note) : [...notes, note];
    return [words, left.length ? `[marks ${left.join(" ")}]` : ""].filter(Boolean).join("\n");
  }

  /** Gives a place another comment. */
  say(node, comment) {
    node.comment = comment;
    if (node.place) this.comments.set(node.place, comment);
  }

  /** The part of a question that describes a place. */
  state(node = this.here) {
    return {...(node.apart ? this.under() : this.all()), facts: node.facts, pending: node.pending, deal: this.deal(node)};
  }

  /** A place outside the record: a position alone, with the name that a record from there gets. */
  apart(facts, name) { return {apart: name, facts, pending: [], pictures: {}}; }

  /** The part of a question that describes the game: its tags and its board file. */
  all(tags = this.tags) { return {tags, board: this.board}; }

  /** The same without the result of the record: for positions of their own. */
  under() { return this.all(this.tags.filter(([name]) => name !== "Result")); }

  deal(node) { return Object.values(node.pictures)[0]?.deal; }

  /** The numbers of the places on the line, from the start through the present one to its end. Steps do not change it. */
  line() {
    if (this.kept?.places.has(this.at)) return this.kept.line;
    const up = this.#line();
    this.kept = {line: up, places: new Set(up)};
    return up;
  }

  #line() {
    const up = [];
    for (let n = this.at; n >= 0; n = this.nodes[n].parent) up.push(n);
    up.reverse();
    for (let n = this.here.next; n !== null; n = this.nodes[n].next) up.push(n);
    return up;
  }

  /** The points that a move has brought or cost, by role. */
  won(node) {
    const before = this.nodes[node.parent]?.points ?? node.points; // the start brings none
    return Object.entries(node.points).map(([role, n]) => [role, n - (before[role] ?? 0)]).filter(([, n]) => n);
  }

  /** The places of a line at which another player than before comes to lead alone, each with that player. */
  leads(nodes) {
    const found = new Map();
    let leader = null;
    for (const {number, points} of nodes) {
      const most = Math.max(...Object.values(points)), first = Object.keys(points).filter(role => points[role] === most);
      if (first.length === 1 && first[0] !== leader) { if (number) found.set(number, first[0]); leader = first[0]; }
    }
    return found;
  }

  /** Goes to a place, and leads the line through it. */
  go(number) {
    if (!this.kept?.places.has(number)) this.kept = null;
    for (let n = number; this.nodes[n].parent >= 0; n = this.nodes[n].parent) this.nodes[this.nodes[n].parent].next = n;
    this.at = number;
  }

  /** Takes back the last move if it was played here; at the end of its branch it is removed. */
  undo() {
    const node = this.here;
    if (node.parent < 0 || !node.mine) return false;
    const parent = this.nodes[node.parent];
    this.kept = null;
    if (!node.children.length) {
      parent.children = parent.children.filter(c => c !== node.number);
      parent.next = parent.children[0] ?? null;
    }
    this.undone.push(node.number);
    this.at = node.parent;
    return true;
  }

  /** Makes the move again that was taken back last; does nothing if another place is shown now. */
  redo() {
    const number = this.undone.at(-1);
    if (number === undefined || this.nodes[number].parent !== this.at) return false;
    this.undone.pop();
    const parent = this.here;
    this.kept = null;
    if (!parent.children.includes(number)) parent.children.push(number);
    this.go(number);
    return true;
  }

  /** Leads the line through the first move of each place. */
  straighten() {
    this.kept = null;
    for (const node of this.nodes) node.next = node.children[0] ?? null;
  }

  /** Ends the line here, so that the next move starts a branch. */
  cut() {
    this.kept = null;
    this.here.next = null;
  }

  /** Goes to another branch: at the next place if there is one, otherwise at the nearest place before. */
  other(by) {
    for (let n = this.at; n >= 0; n = this.nodes[n].parent) {
      const parent = this.nodes[n].parent;
      const family = n === this.at && this.here.children.length > 1 && this.here.next !== null ? this.here.children
        : parent >= 0 ? this.nodes[parent].children : [];
      if (family.length > 1) {
        const now = family === this.here.children ? this.here.next : n;
        this.go(family[(family.indexOf(now) + by + family.length) % family.length]);
        return true;
      }
    }
    return false;
  }

  /** The lines that end in a move that the text of the record does not have, in the order of the tree. */
  edits() {
    const found = [], pending = [0];
    while (pending.length) {
      const node = this.nodes[pending.pop()];
      if (!node.children.length && node.number >= this.opened) found.push(this.path(node));
      pending.push(...[...node.children].reverse());
    }
    return found;
  }

  /** The last place of the record's own line, with what has been played behind its end. */
  get end() {
    let number = this.original;
    while (!this.rest.length && this.nodes[number].children.length) number = this.nodes[number].children[0];
    return this.nodes[number];
  }

  /** What the text of the record does not have, as branches, each with the place at which it starts; for the link. */
  branches() {
    const old = this.nodes.slice(0, this.opened), order = new Map(old.map(node => [node.number, node.number]));
    const found = [], pending = old.flatMap(node => node.children.filter(child => child >= this.opened));
    while (pending.length) {
      const start = pending.shift(), moves = [], from = order.get(this.nodes[start].parent);
      for (let n = start; n !== undefined; n = this.nodes[n].children[0]) {
        order.set(n, order.size);
        moves.push([this.nodes[n].role, this.nodes[n].action, this.nodes[n].comment]);
        pending.push(...this.nodes[n].children.slice(1));
      }
      found.push([from, moves]);
    }
    return {branches: found, at: order.get(this.at)};
  }
}

/** A comment without the marks at its end, and the things of the board that they name. */
export function marked(comment) {
  const [, words = comment, notes = ""] = /^([^]*?)\s*\[marks ([^\]\s][^\]]*)\]$/.exec(comment) ?? [];
  return {words, notes: notes.split(/\s+/).filter(Boolean)};
}
