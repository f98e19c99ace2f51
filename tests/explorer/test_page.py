"""The page in a browser: contrast, accessible names and layout, in all states, both themes and several widths."""

import pytest
from support import EXAMPLES
from support.browser import Browser, needs_browser
from support.page_checks import broken_layout, nameless, pale_marks, pale_texts, roleless
from support.pages import BOARD, LOADED, VERDICT, WHY, example, pasted, unfolded
from support.places import GAMES
from support.served import needs_server

from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay
from kaiser_logic.records.tags import record_of

pytestmark = [needs_browser, needs_server, pytest.mark.slow]

SIZES = ((400, 1800), (1600, 1300))
"""Widths and heights. The windows are high, so that nearly the whole board is visible."""


def check_state(tab: Browser, state: str, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
    """Runs all checks on a state of the page, in both themes and all widths."""
    for width, height in sizes:
        tab.size(width, height)
        tab.wait(BOARD + "||document.body.dataset.state==='empty'")
        assert broken_layout(tab) == [], (state, width)
        for theme in ("light", "dark"):
            tab.value(f"document.documentElement.dataset.theme='{theme}'")
            assert pale_texts(tab) == [], (state, width, theme)
            assert pale_marks(tab) == [], (state, width, theme)
    assert nameless(tab) == [], state
    assert roleless(tab) == [], state


def opened(tab: Browser, selector: str) -> None:
    tab.value(f"document.querySelector('{selector}').click()")
    tab.wait("document.querySelector('dialog[open]')")


def closed(tab: Browser) -> None:
    tab.value("document.querySelector('dialog[open]').close()")


def test_the_empty_page_and_its_dialogs(tab):
    check_state(tab, "empty")
    for selector in ("#open", "#help"):
        opened(tab, selector)
        check_state(tab, selector, ((400, 900), (1600, 900)))
        closed(tab)


@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_pages_of_every_game(tab, name, moves):
    tab.size(1600, 1300)
    pasted(tab, position(name, moves))
    tab.wait(LOADED)
    tab.wait("!document.querySelector('#board.stale')")
    check_state(tab, name)
    for width in (400, 800, 1000, 1300):
        tab.size(width, 900)
        assert tab.value("document.documentElement.scrollWidth") <= width
        drawn = tab.value(f"{BOARD}.getBoundingClientRect().width/{BOARD}.getAttribute('width')")
        assert drawn <= 1.21, "a narrow board is not enlarged much in a wide column"
    tab.size(400, 900)
    tab.wait(f"{BOARD}.getAttribute('width')==='360'")
    small = "[...document.querySelectorAll('#table button')].filter(b=>b.offsetParent&&b.offsetHeight<40).length"
    for tabbed in ("why", "moves", "find", "edit", "actions"):
        tab.value(f"document.querySelector('[data-tab={tabbed}]').click()")
        assert tab.value(f"document.getElementById('{tabbed}').offsetHeight") > 0
        assert broken_layout(tab) == [], tabbed
        assert tab.value(small) == 0, "targets are large enough for fingers"


def test_reason_action_and_rulings(tab):
    tab.size(1600, 1300)
    pasted(tab, example("faults/wrong-landing.game"))
    tab.wait(f"{WHY}.includes('space.entry')")
    tab.wait("document.querySelectorAll('#board [aria-label^=\"reason \"]').length>0")
    check_state(tab, "why")
    tab.key("Escape")
    tab.wait(LOADED)
    unfolded(tab)
    tab.focus("#groups [data-action]")
    tab.wait("document.querySelectorAll('#board svg.over path').length>0")
    assert pale_marks(tab) == []
    opened(tab, "#rulings")
    check_state(tab, "rulings", ((400, 900), (1600, 900)))
    closed(tab)


def position(name: str, moves: int) -> str:
    """A record that consists of a position of another record, so that few pictures are drawn."""
    return str(record_of(Replay.at(read(EXAMPLES / name), moves).here()))


def test_trays_of_the_editor(tab):
    tab.size(1600, 1300)
    pasted(tab, position("games/four-players.game", 60))
    tab.wait(LOADED)
    tab.key("e")
    tab.wait(f"{VERDICT}.includes('✓ valid') && document.getElementById('tray-kind')")
    tab.value(
        "(()=>{const s=document.getElementById('tray-kind');s.value=[...s.options].find(o=>o.text==='aristocrat').value;"
        "s.dispatchEvent(new Event('change'))})()"
    )
    tab.wait("document.querySelectorAll('#board svg.over path').length>4")
    tab.value('document.querySelector(\'#edit-list [data-fact^="thalers"] [data-by="-1"]\').click()')
    tab.wait("document.querySelector('#edit-list .new')")
    tab.wait("document.querySelectorAll('#edit-list .what').length>10 && !document.querySelector('#board.stale')")
    tab.click("[data-tab=edit]")
    check_state(tab, "editing")


def test_the_checks_find_damage(tab):
    """Each check fails on a damaged page."""
    assert (broken_layout(tab), nameless(tab), roleless(tab)) == ([], [], [])
    tab.value(
        "(()=>{const b=document.body;b.insertAdjacentHTML('beforeend','<button id=one>one</button><button id=two></button>"
        "<div tabindex=0>three</div><p id=pale>pale</p>');for(const id of ['one','two'])document.getElementById(id)"
        ".style.cssText='position:absolute;left:1500px;top:500px;width:200px;height:50px;border-color:#eee';"
        "document.getElementById('pale').style.color='#999'})()"
    )
    tab.value("document.documentElement.dataset.theme='light'")
    assert {"one lies on two", "one sticks out of the page"} <= set(broken_layout(tab))
    assert [text[0] for text in pale_texts(tab)] == ["pale"]
    assert {mark[0] for mark in pale_marks(tab)} == {"border of one", "border of two"}
    assert len(nameless(tab)) == len(roleless(tab)) == 1
