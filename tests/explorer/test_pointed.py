"""The board in a real browser: clicks, taps, keyboard; editing by dragging."""

from __future__ import annotations

import json

import pytest
from support.browser import Browser, needs_browser
from support.pages import ACTIONS, COUNT, LOADED, READY, VERDICT, example, pasted, reopened
from support.served import needs_server

pytestmark = [needs_browser, needs_server, pytest.mark.slow]

CHOSEN = "[...document.querySelectorAll('#groups .chip')].map(e=>e.firstChild.data)"


def opened(tab: Browser) -> None:
    """Opens a place in the middle of a game and waits until pointing works."""
    pasted(tab, example("games/four-players.game"))
    for _ in range(6):
        tab.key("PageDown")
    tab.reads(COUNT, "60 of 192")
    tab.wait(LOADED)
    tab.wait("document.querySelectorAll('#board [role=img]').length>20")


def middle(tab: Browser, label: str) -> tuple[float, float]:
    """The middle of the piece or place with this label, or of the item with this name."""
    found = tab.value(
        "(()=>{const e=[...document.querySelectorAll('#board [aria-label],#board [data-item]')]"
        f".find(e=>[e.getAttribute('aria-label'),e.dataset.item].includes({json.dumps(label)}));"
        "const r=e.getBoundingClientRect();return [r.x+r.width/2,r.y+r.height/2]})()"
    )
    return found[0], found[1]


def moved(tab: Browser, at: tuple[float, float], held: bool = False) -> None:
    tab.ask("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1], buttons=int(held))


def clicked(tab: Browser, at: tuple[float, float]) -> None:
    moved(tab, at)
    for kind in ("mousePressed", "mouseReleased"):
        tab.ask("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)


def dragged(tab: Browser, start: tuple[float, float], end: tuple[float, float]) -> None:
    moved(tab, start)
    tab.ask(
        "Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", clickCount=1
    )
    for k in range(1, 6):
        moved(
            tab, (start[0] + (end[0] - start[0]) * k / 5, start[1] + (end[1] - start[1]) * k / 5), held=True
        )
    tab.ask("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)


def test_actions_are_chosen_and_played_by_clicks(tab: Browser) -> None:
    opened(tab)
    # a tooltip names the piece under the pointer
    moved(tab, middle(tab, "Blue baron 35"))
    tab.wait("document.getElementById('tip').textContent==='Blue baron 35, Böhmen'")
    # a click on a piece lists its actions, with rings at their ends
    clicked(tab, middle(tab, "Blue baron 35"))
    tab.reads(ACTIONS, "Blue: 7 of 74 legal actions")
    assert tab.value(CHOSEN) == ["touching Blue baron 35, Böhmen"]
    assert tab.value("document.querySelectorAll('#board svg.over circle').length") > 10
    # a click on a place leaves one action; its preview has another colour than the last move
    clicked(tab, middle(tab, "Trier"))
    tab.reads(ACTIONS, "Blue: 1 of 74 legal actions")
    tab.shows("#pointed", "Blue baron 35: Böhmen → Trier")
    assert tab.value("document.getElementById('board').classList.contains('pointing')")
    strokes = tab.value(
        "[...new Set([...document.querySelectorAll('#board svg.over [stroke]')].map(e=>e.getAttribute('stroke')))]"
    )
    assert sorted(strokes) == ["var(--kl-page)", "var(--kl-try)"]
    # Escape clears the choice; then a card; then a piece and a place without a legal action, with reasons
    tab.key("Escape")
    tab.reads(ACTIONS, "Blue: 74 legal actions")
    clicked(tab, middle(tab, "display price(pink,permit)"))
    tab.reads(ACTIONS, "Blue: 12 of 74 legal actions")
    tab.key("Escape")
    clicked(tab, middle(tab, "Blue baron 35"))
    clicked(tab, middle(tab, "Sachsen"))
    tab.shows("#groups", "Nothing legal touches")
    tab.click("#why-not button")
    tab.wait("document.querySelector('#why-not [data-why*=sachsen]')")
    tab.click("#why-not [data-why*=sachsen]")
    tab.shows("#why-out", "Illegal")
    # a second click on the only action plays it
    tab.key("Escape")
    clicked(tab, middle(tab, "Blue baron 35"))
    clicked(tab, middle(tab, "Trier"))
    tab.wait("document.getElementById('armed-play')")
    clicked(tab, middle(tab, "Trier"))
    tab.reads(COUNT, "61 of 61")
    tab.wait(LOADED)
    # single keys work at once: undo
    tab.key("u")
    tab.wait(f"{COUNT}.startsWith('60 of')")


def test_actions_are_chosen_and_played_by_keyboard(tab: Browser) -> None:
    """From area to area and through their pieces. Enter chooses, and a second Enter plays."""
    opened(tab)
    tab.wait("document.querySelectorAll('#groups [data-kind]').length>5")
    tab.key("p")
    tab.wait("document.activeElement.dataset.name")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        tab.key(key)
    assert tab.value("document.activeElement.dataset.name") == "boehmen"
    for _ in range(8):
        tab.key(" ")
        if tab.text("#tip") == "Blue baron 35, Böhmen":
            break
    tab.key("Enter")
    tab.reads(ACTIONS, "Blue: 7 of 74 legal actions")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
        tab.key(key)
    assert tab.value("document.activeElement.dataset.name") == "trier"
    tab.key("Enter")
    tab.reads(ACTIONS, "Blue: 1 of 74 legal actions")
    tab.wait("document.getElementById('armed-play')")
    tab.key("Enter")
    tab.reads(COUNT, "61 of 61")
    # the legend and the link
    tab.wait(LOADED)
    tab.key("k")
    tab.wait("document.querySelectorAll('#legend-in li').length>15")
    tab.key("Escape")
    tab.wait("!document.querySelector('dialog[open]')")
    tab.key("l")
    tab.wait("document.getElementById('link-position').value.includes('#kaiser.0.')")
    link = tab.value("document.getElementById('link-position').value")
    tab.open("about:blank")
    tab.open(link, READY)
    tab.wait("document.getElementById('name').textContent==='kaiser: from a link'")
    tab.wait(f"{ACTIONS}.startsWith('Yellow:')")


def test_on_a_phone_the_second_tap_plays(tab: Browser) -> None:
    tab.ask("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    tab.size(400, 850)
    opened(tab)
    tab.click("#groups [data-kind]")
    tab.value("document.querySelector('#groups [data-action]').scrollIntoView({block:'center'})")
    place = "(()=>{const r=document.querySelector('#groups [data-action]').getBoundingClientRect();return [r.x+40,r.y+12]})()"

    def tap() -> None:
        x, y = tab.value(place)
        tab.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        tab.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    tap()
    tab.wait("document.getElementById('armed-play')")
    tab.shows("#pointed", "Blue pays 2 thalers")
    assert tab.value(COUNT) == "60 of 192"
    # the board is as wide as the window and scrolled to the touched place
    assert tab.value(
        "(()=>{const r=document.getElementById('frame').getBoundingClientRect();return r.top>=0&&r.bottom<innerHeight*.7})()"
    )
    assert tab.value("document.querySelector('#board>svg').getBoundingClientRect().width") <= 400
    assert tab.value(
        "(()=>{const f=document.getElementById('frame').getBoundingClientRect(),"
        "r=document.querySelector('#board svg.over path').getBoundingClientRect();return r.bottom>f.top&&r.top<f.bottom})()"
    )
    tap()
    tab.reads(COUNT, "61 of 61")


def test_pieces_are_dragged_in_the_editor(tab: Browser) -> None:
    opened(tab)
    tab.key("e")
    tab.wait(f"{VERDICT}.includes('✓ valid') && document.getElementById('tray-kind')")
    tab.wait("document.querySelectorAll('#palette button').length>40")
    facts = "[...document.querySelectorAll('#edit-list li')].map(li=>li.dataset.fact)"
    # from place to place
    dragged(tab, middle(tab, "Green couple 45"), middle(tab, "Trier"))
    tab.wait(f"{facts}.includes('aristocrat(trier,green,45,couple,1)')")
    assert not tab.value(f"{facts}.includes('aristocrat(koeln,green,45,couple,1)')")
    tab.wait(f"{VERDICT}.includes('✓ valid')")
    # off the board
    tab.wait("document.querySelector('#board [aria-label=\"Blue couple 25\"]')")
    dragged(tab, middle(tab, "Blue couple 25"), (120, 700))
    tab.wait(f"!{facts}.includes('aristocrat(koeln,blue,25,couple,1)')")
    # from the palette
    tab.wait(f"{VERDICT}.includes('✓ valid')")
    r = "document.querySelector('#palette [aria-label=\"Red baron 15\"]')"
    tab.value(f"{r}.scrollIntoView({{block:'nearest'}})")
    x, y = tab.value(f"(()=>{{const r={r}.getBoundingClientRect();return [r.x+20,r.y+20]}})()")
    dragged(tab, (x, y), middle(tab, "Mainz"))
    tab.wait(f"{facts}.includes('aristocrat(mainz,red,15,baron,1)')")


def test_pieces_are_dragged_to_play(tab: Browser) -> None:
    """With a mouse and with a finger; what no action brings there is not played."""
    tab.ask("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    opened(tab)
    tab.wait("document.querySelector('#board .movable[aria-label=\"Blue baron 35\"]')")
    before = tab.value(COUNT)
    dragged(tab, middle(tab, "Blue baron 35"), (120, 700))
    dragged(tab, middle(tab, "Mainz"), middle(tab, "Trier"))
    assert tab.value(COUNT) == before
    dragged(tab, middle(tab, "Blue baron 35"), middle(tab, "Trier"))
    tab.reads(COUNT, "61 of 61")
    assert "from Böhmen to Trier" in tab.text("#told")
    tab.key("u")
    tab.wait(f"{COUNT}.startsWith('60')")
    tab.wait("document.querySelector('#board .movable[aria-label=\"Blue baron 35\"]')")
    (x, y), (u, v) = middle(tab, "Blue baron 35"), middle(tab, "Mainz")
    tab.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    for k in range(1, 6):
        point = {"x": x + (u - x) * k / 5, "y": y + (v - y) * k / 5}
        tab.ask("Input.dispatchTouchEvent", type="touchMove", touchPoints=[point])
    tab.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    tab.reads(COUNT, "61 of 61")
    assert "from Böhmen to Mainz" in tab.text("#told")


def test_things_of_the_board_are_marked_in_the_comment(tab: Browser) -> None:
    """A piece, a free place and an area; the piece keeps its mark when the link is opened again."""
    marks = "document.querySelectorAll('#board .note').length"
    opened(tab)
    x, y = middle(tab, "Blue baron 35")
    for kind in ("mousePressed", "mouseReleased"):
        tab.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="right", clickCount=1)
    tab.wait(f"{marks}===1")
    tab.key("p")
    tab.key("x")
    tab.wait(f"{marks}===2")
    area = tab.value("document.activeElement.dataset.name")
    tab.key("Escape")
    tab.key("c")
    written = f"[marks boehmen/baron/blue/35 {area}]"
    assert written in tab.value("document.getElementById('comment-in').value")
    tab.key("Escape")
    assert "[marks" not in tab.text("#told")
    tab.key("ArrowRight")
    tab.wait(f"{COUNT}==='61 of 192' && {marks}===0")
    tab.key("ArrowLeft")
    tab.wait(f"{marks}===2")
    tab.wait("document.documentElement.dataset.saved==='link'")
    reopened(tab)
    tab.wait(f"{marks}===2")
