// A small document, and a server that the program plays, for the page's scripts without a browser.
class Element {
  constructor(tag) {
    const names = new Set();
    Object.assign(this, {tag, inner: [], dataset: {}, style: {}, value: "", heard: {}});
    this.classList = {add: n => names.add(n), remove: n => names.delete(n), contains: n => names.has(n)};
  }
  append(...more) { this.inner.push(...more); }
  replaceChildren(...more) { this.inner = more; }
  setAttribute(name, value) { this[name] = value; }
  removeAttribute(name) { delete this[name]; }
  addEventListener(name, call) { this.heard[name] = call; }
  querySelector() { return null; }
  querySelectorAll() { return []; }
  contains() { return false; }
  focus() {}
  set textContent(text) { this.inner = [text]; }
  get textContent() { return this.inner.map(one => one.textContent ?? String(one)).join(""); }
}
const known = new Map();
globalThis.document = {createElement: tag => new Element(tag), createElementNS: (_, tag) => new Element(tag),
  getElementById: id => { if (!known.has(id)) known.set(id, new Element(id)); return known.get(id); }};
globalThis.matchMedia = () => ({matches: true, addEventListener() {}});
export const $ = id => document.getElementById(id);

/** Pending questions, in the order in which they were asked. */
export const asked = [];
globalThis.fetch = (url, {body, signal}) => new Promise((good, bad) => {
  const one = {name: url.split("/").at(-1), data: JSON.parse(body), gone: false};
  one.answer = (value, status = 200) => {
    asked.splice(asked.indexOf(one), 1);
    good({ok: status < 400, status, text: async () => JSON.stringify(value)});
    return settled();
  };
  signal?.addEventListener("abort", () => { one.gone = true; bad(signal.reason); });
  asked.push(one);
});
/** Resolves when all pending reactions have run. */
export const settled = () => new Promise(done => setImmediate(done));
