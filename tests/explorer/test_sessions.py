"""Sessions in a real browser, from `sessions.cases`: a section is one, a line a step, between its arguments `  =>  `.

    open FILE, paste TEXT, hand FILE               an example, a text, an example that is not read at once
    refuse TEXT => SAID                            a text that is refused with a message
    key NAME xN, key NAME shift, type TEXT, type @FILE
    until NAME NAME => JS                          the keys in turn, until something is true
    wait JS, reads JS => TEXT, shows SELECTOR => TEXT
    true JS, false JS, equal JS => JSON, other JS => {NAME}, part JS => TEXT, said SELECTOR => TEXT, no part, no said
    click SELECTOR, focus SELECTOR, blur, run JS, ask for QUERY, ask METHOD JSON (of the devtools)
    press LABEL, point LABEL, right LABEL, drag LABEL => LABEL, touch LABEL => LABEL, tap JS: with the mouse and fingers
    choose KIND A=B, put AREA: in the editor
    unfold, play the last, reopen, go LINK, size W H, no other address
    keep NAME JS, let NAME TEXT: {NAME} stands for it afterwards; {@FILE} for an example as JSON

LABEL is that of a piece, the name of a place or an item, a selector that begins with `#`, or a point `X, Y`.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support import pages
from support.browser import Browser, needs_browser
from support.pages import READY, example, handed_in, last_played, pasted, reopened, unfolded
from support.served import needs_server

pytestmark = [needs_browser, needs_server, pytest.mark.slow]

SECTIONS = {
    part.partition("\n")[0]: [line for line in part.split("\n")[1:] if line and not line.startswith("% ")]
    for part in Path(__file__).with_name("sessions.cases").read_text(encoding="utf-8").split("\n= ")[1:]
}
NAMES = {
    **{name: getattr(pages, name) for name in ("COUNT", "WHY", "VERDICT", "ACTIONS", "LOADED")},
    "FACTS": "[...document.querySelectorAll('#edit-list li')].map(li=>li.dataset.fact)",
    "MARKED": "document.querySelectorAll('#board svg.over path[stroke-dasharray]').length",
    "CHOSEN": "[...document.querySelectorAll('#groups .chip')].map(e=>e.firstChild.data)",
}
_SET = "(()=>{const s=%s;s.value=%s;s.dispatchEvent(new Event('change'))})()"
_ASK = (
    "(()=>{document.getElementById('find-out').textContent='';document.getElementById('query').value=%s;"
    "document.getElementById('find-form').requestSubmit()})()"
)
_LABELLED = (
    "[...document.querySelectorAll('#board [aria-label],#board [data-item]')]"
    ".find(e=>[e.getAttribute('aria-label'),e.dataset.item].includes(%s))"
)


class Session:
    """A page, and the values that were kept."""

    def __init__(self, tab: Browser, address: str) -> None:
        self.tab, self.address = tab, address
        self.names: dict[str, Any] = dict(NAMES)

    def text(self, text: str) -> str:
        """A text with the values of the names in it."""
        for name, value in reversed(self.names.items()):
            text = text.replace(f"{{{name}}}", str(value)).replace(f"{{json {name}}}", json.dumps(value))
        return re.sub(r"\{@(.*?)\}", lambda m: json.dumps(example(m[1])), text)

    def value(self, text: str) -> Any:
        return self.tab.value(self.text(text))

    def expected(self, text: str) -> Any:
        """What is kept under a name, or JSON."""
        return self.names[text[1:-1]] if text[1:-1] in self.names else json.loads(text)

    def at(self, label: str) -> tuple[float, float]:
        """The middle of a thing in the page."""
        if re.fullmatch(r"\d+, \d+", label):
            x, y = map(float, label.split(", "))
            return x, y
        js = f"document.querySelector({json.dumps(label)})" if label[0] == "#" else _LABELLED % json.dumps(label)
        self.tab.value(f"{js}.scrollIntoView({{block:'nearest'}})" if label[0] == "#" else "0")
        x, y = self.tab.value(f"(()=>{{const r={js}.getBoundingClientRect();return [r.x+r.width/2,r.y+r.height/2]}})()")
        return x, y

    def mouse(self, kind: str, at: tuple[float, float], **more: Any) -> None:
        self.tab.ask("Input.dispatchMouseEvent", type=f"mouse{kind}", x=at[0], y=at[1], **more)

    def finger(self, kind: str, *at: tuple[float, float]) -> None:
        self.tab.ask("Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=[{"x": x, "y": y} for x, y in at])

    def press(self, at: tuple[float, float], button: str = "left") -> None:
        """Moves there and clicks."""
        self.mouse("Moved", at, buttons=0)
        for kind in ("Pressed", "Released"):
            self.mouse(kind, at, button=button, clickCount=1)

    def drag(self, a: tuple[float, float], b: tuple[float, float], touching: bool) -> None:
        """Drags with the mouse or with a finger, in five steps."""
        way = [(a[0] + (b[0] - a[0]) * k / 5, a[1] + (b[1] - a[1]) * k / 5) for k in range(1, 6)]
        if touching:
            self.finger("Start", a)
            for at in way:
                self.finger("Move", at)
            self.finger("End")
            return
        self.mouse("Moved", a, buttons=0)
        self.mouse("Pressed", a, button="left", clickCount=1)
        for at in way:
            self.mouse("Moved", at, buttons=1)
        self.mouse("Released", b, button="left", clickCount=1)

    def step(self, line: str) -> None:
        tab = self.tab
        words, _, second = line.partition("  =>  ")
        verb, _, rest = words.partition(" ")
        match verb:
            case "open":
                pasted(tab, example(rest))
            case "hand":
                handed_in(tab, example(rest))
            case "paste":
                pasted(tab, rest)
            case "refuse":
                tab.value("document.getElementById('notice').hidden=true")
                handed_in(tab, rest)
                tab.wait("!document.getElementById('notice').hidden")
                assert second in tab.text("#notice")
                assert tab.value("document.querySelectorAll('#notice img').length") == 0
            case "key":
                name, *more = rest.split(" ")
                for _ in range(int(more[0][1:]) if more and more[0][0] == "x" else 1):
                    tab.key({"Space": " "}.get(name, name), shift=more == ["shift"])
            case "type":
                tab.type(example(rest[1:]) if rest[0] == "@" else rest)
            case "until":
                for name in rest.split() * 12:
                    tab.key({"Space": " "}.get(name, name))
                    if self.value(second):
                        return
                raise AssertionError("the keys do not lead there")
            case "wait" | "reads" | "shows" | "click" | "focus":
                getattr(tab, verb)(self.text(rest), *([self.text(second)] if second else []))
            case "true" | "false":
                assert bool(self.value(rest)) == (verb == "true")
            case "equal":
                assert self.value(rest) == self.expected(second)
            case "other":
                assert self.value(rest) not in (self.expected(second), None)
            case "differ":
                one, other = rest.split()
                assert self.names[one] not in (self.names[other], None)
            case "part" | "said" | "no" if verb != "no" or rest.startswith(("part ", "said ")):
                of = rest.removeprefix("part ").removeprefix("said ") if verb == "no" else rest
                found = tab.text(of) if "said" in (verb, rest[:4]) else self.value(of)
                assert (self.text(second) in found) == (verb != "no"), found
            case "no":
                own = (self.address, "about:", "data:", f"blob:{self.address}")
                assert not [url for url in tab.requests if not url.startswith(own)]
            case "blur":
                tab.blur()
            case "run":
                self.value(rest)
            case "ask" if rest.startswith("for "):
                tab.value(_ASK % json.dumps(rest[4:]))
            case "ask":
                method, _, given = rest.partition(" ")
                tab.ask(method, **json.loads(given))
            case "press":
                self.press(self.at(rest))
            case "point":
                self.mouse("Moved", self.at(rest), buttons=0)
            case "right":
                self.press(self.at(rest), "right")
            case "drag" | "touch":
                self.drag(self.at(rest), self.at(second), verb == "touch")
            case "tap":
                x, y = self.value(rest)
                self.finger("Start", (x, y))
                self.finger("End")
            case "choose":
                kind, *slots = rest.split()
                option = f"[...document.getElementById('tray-kind').options].find(o=>o.text==='{kind}').value"
                tab.value(_SET % ("document.getElementById('tray-kind')", option))
                for label, _, value in (slot.partition("=") for slot in slots):
                    tab.value(_SET % (f"document.querySelector('.tray [aria-label={label}]')", json.dumps(value)))
            case "put":
                place = f"document.querySelector('#board [data-name={rest}]')"
                tab.value(f"{place}.dispatchEvent(new MouseEvent('click',{{bubbles:true}}))")
            case "unfold":
                unfolded(tab)
            case "play":
                last_played(tab)
            case "reopen":
                reopened(tab)
            case "go":
                link = self.text(rest)
                if link[0] == "#":
                    link = self.address + link
                else:
                    tab.open("about:blank")
                tab.open(link, READY)
            case "size":
                tab.size(*map(int, rest.split()))
            case "keep":
                name, _, js = rest.partition(" ")
                self.names[name] = self.value(js)
            case "let":
                name, _, value = rest.partition(" ")
                self.names[name] = self.text(value)
            case _:
                raise ValueError(line)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_session_goes_as_written(name, tab, address):
    session = Session(tab, address)
    for number, line in enumerate(SECTIONS[name], 1):
        try:
            session.step(line)
        except AssertionError as error:
            raise AssertionError(f"step {number}: {line}: {error}") from error
