// Branches as variations in the text of a record: comments at its end, which other programs ignore.
//
//   % variation 1 after move 25
//   % red: pass
//   % variation 2 after move 1 of variation 1
//   % green: pass

const HEAD = /^% variation (\d+) after move (\d+)(?: of variation (\d+))?\s*$/;
const MOVE = /^% (\w+): (\S.*?)\s*$/;
const MOST = 200;

/** The variations in the lines of a text, each with its moves and the place of its heading. */
function* read(lines) {
  for (let i = 0; i < lines.length; i++) {
    const head = HEAD.exec(lines[i]);
    if (!head) continue;
    const moves = [];
    let k = i + 1;
    for (let move; k < lines.length && (move = MOVE.exec(lines[k])); k++) moves.push([move[1], move[2]]);
    if (moves.length) yield {from: i, to: k, after: +head[2], of: head[3] ? +head[3] : 0, number: +head[1], moves};
    i = k - 1;
  }
}

/** The variations of a text as branches: the moves, and the number that the game gives to the place at which it starts. */
export function variations(text, steps) {
  const starts = new Map([[0, 0]]), found = [];
  let next = steps;
  for (const one of read(text.split(/\r?\n/))) {
    const start = starts.get(one.of);
    if (start === undefined || found.length >= MOST) break;
    found.push([one.of ? start + one.after - 1 : one.after, one.moves]);
    starts.set(one.number, next);
    next += one.moves.length;
  }
  return found;
}

/** A text without its variations. */
export function without(text) {
  const lines = text.split("\n"), gone = [...read(lines)];
  if (!gone.length) return text;
  const kept = lines.filter((_, i) => !gone.some(one => i >= one.from && i < one.to));
  return kept.join("\n").replace(/\n+$/, "\n");
}

/** The branches of a game besides a line, as text. */
export function written(game, line) {
  const places = new Map(line.map((number, k) => [number, [k, 0]])), texts = [];
  const pending = line.flatMap((number, k) => game.nodes[number].children.filter(child => child !== line[k + 1]));
  while (pending.length) {
    const number = texts.length + 1, start = pending.shift(), moves = [];
    const [after, of] = places.get(game.nodes[start].parent);
    for (let n = start; n !== undefined; n = game.nodes[n].children[0]) {
      moves.push(`% ${game.nodes[n].role}: ${game.nodes[n].action}`);
      places.set(n, [moves.length, number]);
      pending.push(...game.nodes[n].children.slice(1));
    }
    texts.push([`% variation ${number} after move ${after}${of ? ` of variation ${of}` : ""}`, ...moves].join("\n"));
  }
  return texts.length ? `\n${texts.join("\n")}\n` : "";
}
