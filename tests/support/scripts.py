"""The explorer's scripts without a browser: Node runs them with a small document and a server that the test plays."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

NODE: Final = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no Node to run the page's scripts in")
PAGE: Final = Path(__file__).parents[2] / "kaiser_logic" / "explorer" / "page"

_STAGE: Final = """
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
"""


def scripted(folder: Path, program: str) -> Any:
    """The value that a program, in place of the page's ``main.js``, passes to ``report``. It can use `$`, `asked` and `settled`.

    Args:
        folder: An empty folder.
        program: JavaScript, with imports from ``./page/``; it ends with ``report(...)``.
    """
    assert NODE is not None
    shutil.copytree(PAGE, folder / "page")
    (folder / "package.json").write_text('{"type":"module"}')
    (folder / "stage.js").write_text(_STAGE)
    head = 'import {$, asked, settled} from "./stage.js";\nconst report = value => console.log(JSON.stringify(value));\n'
    (folder / "program.js").write_text(head + program)
    done = subprocess.run(
        [NODE, "program.js"], check=False, cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
