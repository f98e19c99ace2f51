"""The explorer in a real browser where steps are not enough (`test_sessions.py`): two users at once, files, long records."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from support.browser import Browser, browser, needs_browser
from support.pages import (
    ACTIONS,
    COUNT,
    LOADED,
    READY,
    VERDICT,
    example,
    handed_in,
    last_played,
    pasted,
    reopened,
)
from support.served import needs_server
from support.written import inserted

from kaiser_logic.explorer.record_handlers import start_game
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay

pytestmark = [needs_browser, needs_server, pytest.mark.slow]


def elsewhere(tab: Browser, address: str) -> set[str]:
    """The requests that went to other addresses than the server."""
    return {
        url for url in tab.requests if not url.startswith((address, "about:", "data:", f"blob:{address}"))
    }


def test_a_game_is_saved_as_a_record(tab: Browser, tmp_path: Path) -> None:
    tab.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    pasted(tab, '[Game "kaiser"]\n')
    tab.wait(LOADED)
    last_played(tab)
    tab.reads(COUNT, "1 of 1")
    tab.blur()
    tab.key("s")
    for _ in range(400):
        saved = [p for p in tmp_path.glob("*.game")]
        if saved:
            break
        time.sleep(0.05)
    replay = Replay(read(saved[0]))
    replay.run()
    assert (replay.moves, replay.faults) == (1, ())


def test_two_users_at_the_same_time(address: str) -> None:
    """Each has a separate game, though the server stores none. A long question of one does not block the other."""
    with browser() as one, browser() as other:
        for tab, name in ((one, "games/four-players.game"), (other, "krone/random-30.game")):
            tab.size(1400, 900)
            tab.open(address, READY)
            pasted(tab, example(name))
        one.value(
            "(()=>{document.getElementById('query').value='sum { N : points(R,N) } = 77, not emperor(red)';"
            "document.getElementById('find-form').requestSubmit()})()"
        )
        for tab in (one, other, other, one):
            tab.key("ArrowRight")
        for tab, question in ((one, "2 of 192"), (other, "2 of 204")):
            tab.reads(COUNT, question)
            tab.wait(LOADED)
        assert "Chance" in other.value(ACTIONS)
        assert "Chance" not in one.value(ACTIONS)


def chosen(tab: Browser, kind: str, **slots: str) -> None:
    """Selects a kind of fact with these arguments, to be put on the board."""
    tab.value(
        f"(()=>{{const s=document.getElementById('tray-kind');s.value=[...s.options].find(o=>o.text==='{kind}').value;"
        "s.dispatchEvent(new Event('change'))})()"
    )
    for label, value in slots.items():
        tab.value(
            f"(()=>{{const s=document.querySelector('.tray [aria-label={label}]');s.value='{value}';"
            "s.dispatchEvent(new Event('change'))})()"
        )


MARKED = "document.querySelectorAll('#board svg.over path[stroke-dasharray]').length"


BOARDED = "games/small-board.game"


def test_a_record_with_a_board_file_is_asked_for_its_board(tab: Browser, address: str) -> None:
    board = example("games/boards/small.lp")
    dialog, notice = "document.getElementById('d-board')", "document.getElementById('notice')"

    def paste(text: str) -> None:
        handed_in(tab, text)
        tab.wait(f"{dialog}.open")

    def given(text: str) -> None:
        tab.value(
            f"(()=>{{document.getElementById('board-text').value={json.dumps(text)};"
            "document.getElementById('board-read').click()})()"
        )

    paste(example(BOARDED))
    assert "small.lp" in tab.text("#board-why")
    for hostile in ("#script(python) 1 #end.", "spaces(mainz,castle,1) :- x.", "f(" * 3000):
        given(hostile)
        tab.wait(f"!{notice}.hidden && {notice}.textContent.includes('small.lp')")
        tab.value(f"{notice}.hidden=true")
        paste(example(BOARDED))
    given(board)
    tab.wait("document.getElementById('name').textContent==='pasted record'")
    tab.wait(LOADED)
    assert tab.value(f"{notice}.hidden")
    tab.key("End")
    tab.shows("#actions-t", "over")
    # the board file stays with the record: in the address, and when a position is edited
    moves = tab.value(COUNT).split()[0]
    tab.wait(f"location.hash.startsWith('#{moves}.')")
    reopened(tab)
    tab.shows("#actions-t", "over")
    tab.key("Home")
    tab.key("e")
    tab.wait(f"{VERDICT}.includes('✓ valid') && document.getElementById('tray-kind')")
    chosen(tab, "aristocrat", player="blue", age="15")
    tab.wait(f"{MARKED}===7")
    assert elsewhere(tab, address) == set()


def test_saved_records_keep_their_text(tab: Browser) -> None:
    """Comments, blank lines and blocks are kept. A branch keeps those of the moves before it."""
    text = example("faults/assertions.game")
    saved = (
        "(async()=>{const made=[],own=URL.createObjectURL;URL.createObjectURL=b=>{made.push(b);return own(b)};"
        "document.getElementById('save').click();for(let i=0;i<200&&!made.length;i++)await new Promise(r=>setTimeout(r,20));"
        "URL.createObjectURL=own;return await made[0].text()})()"
    )
    for name in (
        "faults/assertions.game",
        "games/two-players.game",
        "worked/phase-3-marriage.game",
        "positions/settle.game",
    ):
        text = example(name)
        pasted(tab, text)
        assert tab.value(saved) == text, name
    text = example("games/two-players.game")
    pasted(tab, text)
    tab.wait(LOADED)
    tab.key("ArrowRight")
    tab.wait(LOADED)
    last_played(tab)
    tab.reads(COUNT, "2 of 2")
    branched = tab.value(saved)
    assert inserted(text, branched)
    assert "\n    ( " in branched


def test_a_step_of_a_long_record_writes_one_board(tab: Browser) -> None:
    """Counted, not timed: five steps fetch only boards far ahead, and each writes one board and no list."""
    tags = [["Game", "vive"], ["Option", "limit=300"], ["Seats", "red green blue yellow"]]
    text = start_game({"tags": tags, "moves": 1000, "seed": 1})["text"]
    pasted(tab, text)
    tab.reads(COUNT, "0 of 1000")
    asked = "performance.getEntriesByType('resource').filter(r=>r.name.endsWith('/ask/boards')).length>=12"
    tab.wait(asked)
    tab.wait(LOADED)
    quiet = """(()=>{const n=performance.getEntriesByType('resource').length,now=performance.now();
        if(window.seen!==n){window.seen=n;window.since=now;}return now-window.since>500;})()"""
    tab.wait(quiet)
    found = tab.value("""(async()=>{let boards=0,rows=0;
        new MutationObserver(all=>{for(const m of all){if(m.target.id==='board'&&m.addedNodes[0]?.tagName==='svg'
          &&!m.addedNodes[0].classList.contains('over'))boards++;if(m.target.id==='list')rows++;}})
          .observe(document.body,{subtree:true,childList:true});
        const before=window.fetch;let asked=0;
        window.fetch=(...all)=>{if(`${all[0]?.url??all[0]}`.includes('/boards'))asked++;return before(...all);};
        for(let i=0;i<5;i++)document.dispatchEvent(new KeyboardEvent('keydown',{key:'ArrowRight',bubbles:true}));
        const rest=()=>new Promise(done=>setTimeout(done,20));
        for(let i=0;i<500&&boards<5;i++)await rest();
        await rest();
        return [boards,rows,asked];})()""")
    assert found[:2] == [5, 0]
    assert found[2] <= 1, "at most one block far ahead is fetched"


def test_fast_steps_show_the_right_board(tab: Browser) -> None:
    """The end of a long game and at once a step back, three times; then the same place slowly."""
    tags = [["Game", "krone"], ["Seats", "red green blue yellow white"]]
    text = start_game({"tags": tags, "moves": 400, "seed": 1})["text"]
    board = "document.querySelector('#board > svg').innerHTML"
    fresh = "!document.querySelector('#board.stale')"
    shown = set()
    for _ in range(3):
        pasted(tab, text)
        tab.wait(f"{COUNT}==='0 of 400' && {fresh}")
        tab.key("End")
        tab.wait(f"{COUNT}==='400 of 400' && {fresh}")
        tab.key("ArrowLeft")
        tab.wait(f"{COUNT}==='399 of 400' && {fresh}")
        shown.add(tab.value(board))
    tab.wait(LOADED)
    tab.key("ArrowRight")
    tab.wait(f"{COUNT}==='400 of 400' && {fresh}")
    assert tab.value(board) not in shown
    tab.key("ArrowLeft")
    tab.wait(f"{COUNT}==='399 of 400' && {fresh}")
    assert shown == {tab.value(board)}


def test_a_study_is_written_into_the_record(tab: Browser) -> None:
    """A comment and a branch with one; link, promote, delete, Back, save: the text differs by what was written only."""
    text = example("games/four-players.game")
    tab.value(
        "URL.createObjectURL=b=>{b.text().then(t=>{window.saved=t});return 'about:blank'};"
        "HTMLAnchorElement.prototype.click=()=>{};0"
    )
    pasted(tab, text)
    for _ in range(3):
        tab.key("ArrowRight")
    tab.wait(LOADED)
    tab.key("c")
    tab.type("bold")
    tab.key("ArrowLeft")  # moves the cursor in the field
    tab.blur()
    other = '#groups [data-action="elector(pfalz)"]'
    tab.wait(f"document.querySelector({json.dumps(other)})")
    tab.value(f"document.querySelector({json.dumps(other)}).click()")
    tab.reads(COUNT, "4 of 4")
    tab.key("c")
    tab.type("what if")
    tab.value("document.querySelector('[data-go=\"-1\"]').click()")  # stepping keeps what was typed
    tab.reads(COUNT, "3 of 4")
    tab.key("s")
    tab.wait("window.saved")
    written = text.replace("blue: elector(trier)\n", "blue: elector(trier)  % bold\n", 1).replace(
        "yellow: elector(koeln)\n",
        "yellow: elector(koeln)\n    ( yellow: elector(pfalz)  % what if\n    )\n",
        1,
    )
    assert tab.value("window.saved") == written
    # the same by its link
    tab.key("ArrowRight")
    tab.wait(f"{COUNT}==='4 of 4' && location.hash.startsWith('#193.')")
    reopened(tab)
    tab.wait(f"{COUNT}==='4 of 4' && document.getElementById('told').textContent.includes('what if')")
    tab.key("ArrowLeft")
    tab.shows("#told", "bold")
    tab.key("ArrowRight")
    # promoted, then deleted, then back
    tab.click("#promote")
    tab.wait("document.getElementById('record-before') && document.getElementById('promote').hidden")
    assert tab.value(COUNT) == "4 of 4"
    tab.click("#delete")
    tab.reads(COUNT, "3 of 3")
    tab.value("history.back()")
    tab.reads(COUNT, "4 of 4")
