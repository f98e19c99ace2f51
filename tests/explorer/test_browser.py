"""The explorer in a real browser: a session by keyboard, two users at once, hostile input, long records."""

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
    WHY,
    example,
    last_played,
    pasted,
    reopened,
    unfolded,
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


def test_a_session_by_keyboard(tab: Browser, address: str, tmp_path: Path) -> None:
    tab.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    # a faulty record is pasted, and the reason appears at once
    tab.key("o")
    tab.key("Tab")
    assert tab.value("document.activeElement.id") == "text"
    tab.type(example("faults/wrong-landing.game"))
    tab.key("Tab")
    tab.key("Enter")
    tab.wait(f"{WHY}.includes('space.entry')")
    tab.wait("document.querySelectorAll('#board [aria-label^=\"reason \"]').length>0")
    assert "In Mainz 3 of 4 aristocrat spaces are free" in tab.value(WHY)
    tab.key("Escape")
    tab.wait("document.querySelectorAll('#board [aria-label^=\"reason \"]').length===0")
    # an action is searched, shown on the board, and played
    tab.wait(LOADED)
    tab.key("/")
    tab.type("move trier mainz")
    tab.wait("document.querySelectorAll('#groups [data-action]').length===1")
    tab.key("ArrowDown")
    tab.key("ArrowDown")
    tab.wait("document.activeElement.dataset.action==='buy(move,move(trier,15,baron,mainz,free))'")
    tab.wait("document.querySelectorAll('#board svg.over circle').length===4")
    tab.key("Enter")
    tab.reads(COUNT, "1 of 1")
    tab.wait("document.querySelectorAll('#board [aria-label*=\", moved\"]').length>0")
    # undo and redo
    tab.blur()
    tab.key("u")
    tab.wait(f"{COUNT}.startsWith('0 of')")
    tab.key("U", shift=True)
    tab.reads(COUNT, "1 of 1")
    # an illegal action is typed
    tab.wait(LOADED)
    tab.key("w")
    tab.type("red: pass")
    tab.key("Enter")
    tab.wait(f"{WHY}.includes('Illegal')")
    tab.key("Escape")
    # a query has several answers, and the game continues from the second one
    tab.key("q")
    tab.type("emperor(blue), points(blue,N), N >= 10, decision(R,turn)")
    tab.key("Enter")
    tab.shows("#find-out", "answer 1")
    tab.key("Escape")
    tab.key("a")
    tab.shows("#find-out", "answer 2")
    tab.shows("#looked", "Answer 2")
    tab.focus("#play-on")
    tab.key("Enter")
    tab.wait("document.getElementById('name').textContent==='kaiser: answer 2'")
    # the position is edited: broken invariants are shown; after undo the game continues
    tab.blur()
    tab.key("e")
    tab.wait("document.activeElement.id==='edit-filter'")
    tab.wait(f"{VERDICT}.includes('✓ valid') && document.getElementById('tray-kind')")
    tab.type("thalers(red")
    tab.wait("document.querySelectorAll('#edit-list li[data-fact]').length===1")
    tab.focus("#edit-list li")
    for _ in range(15):
        tab.key("+")
    tab.wait(f"{VERDICT}.includes('it breaks')")
    assert tab.value("document.getElementById('edit-play').disabled")
    assert tab.value("document.querySelectorAll('#edit-list .bad .pin').length") == 1
    tab.key("Escape")
    tab.wait("!document.body.classList.contains('editing')")
    tab.wait("document.getElementById('edit-again')")
    # the game is saved as a record
    tab.wait(LOADED)
    unfolded(tab)
    tab.wait("document.querySelector('#groups [data-action]')")
    tab.focus("#groups [data-action]")
    tab.key("Enter")
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
    assert "emperor(blue)" in replay.here().facts
    # another page with the same address shows the same
    tab.wait("location.hash.length>100 && document.documentElement.dataset.saved==='link'")
    reopened(tab)
    tab.reads(COUNT, "1 of 1")
    assert elsewhere(tab, address) == set()


def test_branches_rulings_and_browser_history(tab: Browser) -> None:
    pasted(tab, example("games/four-players.game"))
    tab.reads(COUNT, "0 of 192")
    tab.key("ArrowRight")
    tab.reads(COUNT, "1 of 192")
    # another first move starts a branch, and the record stays
    tab.key("ArrowLeft")
    tab.wait(LOADED)
    last_played(tab)
    tab.reads(COUNT, "1 of 1")
    assert tab.value("document.querySelectorAll('#list .other').length") == 1
    tab.blur()  # a click by script would continue in the filter
    tab.key("ArrowUp")
    tab.reads(COUNT, "1 of 192")
    tab.key("ArrowDown")
    tab.reads(COUNT, "1 of 1")
    tab.wait("document.documentElement.dataset.saved==='link' && location.hash.startsWith('#193.')")
    # places of the board by keyboard: from one to its neighbour, with only the actions that touch it
    tab.wait(LOADED)
    tab.key("p")
    tab.wait("document.activeElement.dataset.name")
    first = tab.value("document.activeElement.dataset.name")
    tab.key("ArrowDown")
    tab.key("ArrowRight")
    assert tab.value("document.activeElement.dataset.name") not in (first, None)
    assert tab.value("document.activeElement.getAttribute('aria-label')")
    tab.key("Enter")
    tab.wait("document.querySelector('#groups .chip')")
    tab.key("Escape")
    tab.wait("!document.querySelector('#groups .chip')")
    tab.blur()
    # under another edition a later move is illegal
    tab.key("ArrowUp")
    tab.key("r")
    tab.wait("document.getElementById('d-rulings').open")
    tab.value(
        "(()=>{const s=document.querySelector('#rulings-in select');s.value='it';s.dispatchEvent(new Event('change'))})()"
    )
    tab.click("#compare")
    tab.wait("document.getElementById('d-compared').open")
    assert "@34 red: succeed" in tab.text("#compared")
    tab.click("#switch")
    tab.wait("document.getElementById('edition').textContent==='it'")
    tab.wait("document.querySelectorAll('#list .bad').length===1")
    # "back" in the browser leads to the record as it was, then to the empty page
    tab.wait("document.documentElement.dataset.saved==='link'")
    tab.value("history.back()")
    tab.wait("document.getElementById('edition').textContent==='standard'")
    tab.wait(f"{COUNT}.startsWith('1 of')")
    tab.value("history.back()")
    tab.wait("document.body.dataset.state==='empty'")


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


def placed(tab: Browser, area: str) -> None:
    """Clicks a place of the board."""
    tab.value(
        f"document.querySelector('#board [data-name={area}]').dispatchEvent(new MouseEvent('click',{{bubbles:true}}))"
    )


FACTS = "[...document.querySelectorAll('#edit-list li')].map(li=>li.dataset.fact)"
MARKED = "document.querySelectorAll('#board svg.over path[stroke-dasharray]').length"


def test_a_position_is_edited_with_the_mouse(tab: Browser) -> None:
    pasted(tab, example("games/four-players.game"))
    for _ in range(6):
        tab.key("PageDown")
    tab.reads(COUNT, "60 of 192")
    tab.click("#edit-start")
    tab.wait(f"{VERDICT}.includes('✓ valid') && document.getElementById('tray-kind')")
    # a piece is selected and put on a place of the board
    chosen(tab, "aristocrat", player="blue", age="15")
    tab.wait(f"{MARKED}===7")
    placed(tab, "mainz")
    tab.wait(f"{FACTS}.includes('aristocrat(mainz,blue,15,baron,1)')")
    tab.wait(f"{VERDICT}.includes('✓ valid')")
    tab.wait("document.querySelector('#board [aria-label*=\"Blue baron 15\"]')")
    # again, so there are two; a third exceeds the spaces of Mainz, which is reported at once
    for number in (2, 3, 4):
        tab.wait(f"{MARKED}===7")
        placed(tab, "mainz")
        tab.wait(f"{FACTS}.includes('aristocrat(mainz,blue,15,baron,{number})')")
    tab.wait(f"{VERDICT}.includes('it breaks')")
    tab.wait("document.querySelector('#edit-verdict .pin')")
    tab.click("#edit-undo")
    tab.click("#edit-undo")
    tab.wait(f"{FACTS}.includes('aristocrat(mainz,blue,15,baron,2)')")
    # a number is changed
    row = "[...document.querySelectorAll('#edit-list li')].find(li=>li.dataset.fact.startsWith('aristocrat(mainz,blue'))"
    tab.value(f"{row}.querySelector('[data-by=\"-1\"]').click()")
    tab.wait(f"{FACTS}.includes('aristocrat(mainz,blue,15,baron,1)')")
    # the piece is selected again and put elsewhere
    tab.value(f"{row}.querySelector('[data-pick]').click()")
    tab.wait(f"!{FACTS}.some(f=>f&&f.startsWith('aristocrat(mainz,blue')) && {MARKED}===7")
    placed(tab, "trier")
    tab.wait(f"{FACTS}.includes('aristocrat(trier,blue,15,baron,1)')")
    # with nothing selected, the place lists its pieces, and one is removed
    tab.wait(f"document.getElementById('tray-kind').value==='' && {VERDICT}.includes('valid')")
    placed(tab, "koeln")
    tab.wait(f"{FACTS}.length>0 && {FACTS}.every(f=>f.includes('koeln'))")
    tab.click("#edit-list [data-fact^=empire_city] [data-away]")
    tab.wait(f"!{FACTS}.includes('empire_city(koeln,1)') && !document.getElementById('edit-play').disabled")
    # the game continues from there
    tab.click("#edit-play")
    tab.wait("document.getElementById('name').textContent==='kaiser: edited position'")
    tab.wait(LOADED)
    trier = '#board [data-name=trier] [aria-label="Blue baron 15"]'
    tab.wait(f"document.querySelectorAll({json.dumps(trier)}).length===1")


def test_a_position_is_edited_by_keyboard(tab: Browser) -> None:
    pasted(tab, example("krone/random-30.game"))
    for _ in range(12):
        tab.key("PageDown")
    tab.wait(f"{COUNT}.startsWith('120 of')")
    tab.key("e")
    tab.wait(f"{VERDICT}.includes('✓ valid') && document.getElementById('tray-kind')")
    first = tab.value(f"{FACTS}.find(f=>f.startsWith('castle('))")
    # a filtered fact is selected, then put on another field from the board
    tab.type("castle(")
    tab.wait(f"{FACTS}.length===1")
    tab.focus("#edit-list li")
    tab.key("Enter")
    tab.wait(f"{MARKED}>10 && !{FACTS}.includes('{first}')")
    tab.blur()
    tab.key("p")
    tab.wait("document.activeElement.dataset.name")
    for _ in range(12):
        if tab.value("document.getElementById('board').contains(document.activeElement)"):
            tab.key("Enter")
        if tab.value(f"{FACTS}.some(f=>f&&f.startsWith('castle('))"):
            break
        tab.key("ArrowRight")
    put = tab.value(f"{FACTS}.find(f=>f&&f.startsWith('castle('))")
    assert put not in (first, None)
    # removed, then restored by undo
    tab.focus("#edit-list li")
    tab.key("Delete")
    tab.wait(f"!{FACTS}.includes('{put}')")
    tab.blur()
    tab.key("u")
    tab.wait(f"{FACTS}.includes('{put}')")


BOARDED = "games/small-board.game"


def test_a_record_with_a_board_file_is_asked_for_its_board(tab: Browser, address: str) -> None:
    board = example("games/boards/small.lp")
    dialog, notice = "document.getElementById('d-board')", "document.getElementById('notice')"

    def paste(text: str) -> None:
        tab.value(
            f"(()=>{{document.getElementById('text').value={json.dumps(text)};"
            "document.getElementById('d-open').showModal();document.getElementById('read').click()})()"
        )
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


HOSTILE = [
    ('#script(python) print(1) #end. [Game "kaiser"]', "data, without directives"),
    ('[Game "kaiser"] [Board "/etc/passwd"]', "in the record's folder"),
    ('[Game "../../etc"]', "no game"),
    ("(" * 5000, "expected"),
    ('[Game "kaiser"] position { ' + "a(" * 300 + " }", "parentheses"),
    ('[Game "<img src=x onerror=window.hacked=1>"]', "no game"),
    ('[Game "kaiser"] [Seats "red green"] position { seat(red,999999999). }', "seats"),
]


def test_hostile_records_get_an_error_message(tab: Browser) -> None:
    notice = "document.getElementById('notice')"
    for text, message in HOSTILE:
        tab.value(f"{notice}.hidden=true")
        tab.value(
            f"(()=>{{document.getElementById('text').value={json.dumps(text)};"
            "document.getElementById('d-open').showModal();document.getElementById('read').click()})()"
        )
        tab.wait(f"!{notice}.hidden")
        assert message in tab.value(f"{notice}.textContent")
        assert tab.value(f"{notice}.querySelectorAll('img').length") == 0
    assert tab.value("window.hacked") is None
    pasted(tab, example("games/four-players.game"))
    tab.wait(LOADED)


def test_hostile_queries_and_links_get_an_error_message(tab: Browser, address: str) -> None:
    tab.open(address + "#0." + "A" * 3000, READY)
    assert tab.value("document.body.dataset.state") == "empty"
    pasted(tab, '[Game "kaiser"] [Event "<script>window.hacked=1</script>"]')
    tab.wait(LOADED)
    for query in ("#include <x>", "emperor(R) :- true", "(" * 900, "<script>window.hacked=1</script>"):
        tab.value(
            f"(()=>{{document.getElementById('find-out').textContent='';"
            f"document.getElementById('query').value={json.dumps(query)};"
            "document.getElementById('find-form').requestSubmit()})()"
        )
        out = "document.getElementById('find-out').textContent"
        tab.wait(f"{out}.length>20 && !{out}.startsWith('Looking')")
    assert tab.value("window.hacked") is None
    pasted(tab, example("games/four-players.game"))
    tab.wait(LOADED)
    assert elsewhere(tab, address) == set()


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


def test_branches_and_saving_lose_nothing(tab: Browser, tmp_path: Path) -> None:
    """A text that differs from the opened file gets another name. One can come back from an edited position."""
    names = "window.saved"
    text = example("games/four-players.game")
    tab.ask("Page.setDownloadBehavior", behavior="deny")
    tab.value(
        "(()=>{window.saved=[];HTMLAnchorElement.prototype.click=function(){window.saved.push(this.download)};"
        "const list=new DataTransfer();"
        f"list.items.add(new File([{json.dumps(text)}],'good.game'));"
        "const input=document.getElementById('file');input.files=list.files;input.dispatchEvent(new Event('change'))})()"
    )
    tab.reads(COUNT, "0 of 192")
    tab.key("s")
    tab.wait(f"{names}.join()==='good.game'")
    tab.key("ArrowRight")
    tab.wait(LOADED)
    # to an edited position, and back
    tab.key("e")
    tab.wait("!document.getElementById('edit-play')?.disabled && document.getElementById('edit-play')")
    tab.click("#edit-play")
    tab.wait("document.getElementById('name').textContent==='kaiser: edited position'")
    tab.wait("document.getElementById('record-before')?.textContent==='Back to it'")
    tab.click("#record-before")
    tab.wait("document.getElementById('name').textContent==='good.game'")
    tab.reads(COUNT, "1 of 192")
    tab.wait(LOADED)
    # a branch has another text
    last_played(tab)
    tab.reads(COUNT, "2 of 2")
    tab.blur()
    tab.key("s")
    tab.wait(f"{names}.join()==='good.game,good-2.game'")
    assert "as variations behind the moves" in tab.text("#notice")


def test_all_panels_are_about_the_position_shown(tab: Browser) -> None:
    """An answer, then an edited position: actions and reasons are their own; after Esc they are the record's again."""
    pasted(tab, example("games/four-players.game"))
    tab.wait(LOADED)
    before = tab.value(ACTIONS)
    tab.key("q")
    tab.type("decision(blue,turn), round(2)")
    tab.key("Enter")
    tab.wait("document.body.classList.contains('elsewhere')")
    tab.wait(f"{ACTIONS}.startsWith('Blue: ')")
    tab.blur()
    tab.key("w")
    tab.type("pass")
    tab.key("Enter")
    tab.wait(f"{WHY}.includes('Legal: Blue passes')")
    tab.blur()
    tab.key("e")
    tab.wait(f"{VERDICT}.includes('✓ valid')")
    assert tab.value(WHY) == ""
    tab.wait(f"{ACTIONS}.startsWith('Blue: ')")
    tab.value("document.getElementById('facts').value+='thalers(red,99).'")
    tab.value("document.getElementById('facts').dispatchEvent(new Event('input'))")
    tab.reads(ACTIONS, "No actions")
    tab.key("Escape")
    tab.wait(f"{ACTIONS}==={json.dumps(before)} && !document.body.classList.contains('elsewhere')")
    # the server ends: the board of another move has no heading
    tab.ask(
        "Network.emulateNetworkConditions",
        offline=True,
        latency=0,
        downloadThroughput=-1,
        uploadThroughput=-1,
    )
    tab.key("End")
    tab.wait("document.getElementById('board').dataset.wait.includes('Move 192 could not be drawn')")
    assert (
        tab.value("getComputedStyle(document.querySelector('#board [data-name=head]')).visibility")
        == "hidden"
    )
    assert tab.value(ACTIONS) in ("Actions", "No actions")


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


def test_moves_are_folded_by_part_and_points_are_found(tab: Browser) -> None:
    """Only the part shown is unfolded; N goes to the moves that change the points, a click on the curve along it."""
    shown = "document.querySelectorAll('#list li:not([hidden]) [data-node]').length"
    tab.value(
        "document.getElementById('d-open').showModal();document.querySelector('#starts [data-random=vive]').click()"
    )
    tab.wait("document.getElementById('name').textContent.startsWith('vive, random game')")
    pasted(tab, example("vive/random-3.game"))
    tab.reads(COUNT, "0 of 317")
    before = tab.value(shown)
    assert 1 < before < tab.value("document.querySelectorAll('#list [data-node]').length") / 3
    tab.value("document.querySelectorAll('#list [data-part]')[1].click()")
    assert tab.value(shown) > before
    tab.key("n")
    tab.wait("document.querySelector('#list [aria-current] .won')")
    assert "point" in tab.text("#told")
    tab.value(
        "(()=>{const r=document.querySelector('#curve svg').getBoundingClientRect();document.querySelector('#curve svg')"
        ".dispatchEvent(new MouseEvent('click',{clientX:r.right-20,clientY:r.y+9,bubbles:true}))})()"
    )
    tab.wait(f"parseInt({COUNT})>280")


def test_moves_are_played_until_somebody_steps(tab: Browser) -> None:
    """A piece that moves glides, but not for those who want less motion; a step, the button and the end stop it."""
    gliding = "document.getAnimations().length"
    pasted(tab, example("games/four-players.game"))
    for still in ("no-preference", "reduce"):
        tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": still}])
        tab.value("document.querySelector('[data-node=\"28\"]').click()")
        tab.value(
            "window.glided=0;new MutationObserver(()=>{window.glided+="
            f"{gliding}}}).observe(document.getElementById('told'),{{childList:true}})"
        )
        tab.value("document.getElementById('speed').value='4'")
        tab.click("#play")
        tab.wait(f"{COUNT}.startsWith('31 ')")
        assert (tab.value("window.glided") > 0) == (still == "no-preference")
        tab.key("ArrowLeft")
        place = tab.value(COUNT)
        assert tab.value("document.getElementById('play').getAttribute('aria-label')") == "Play the moves"
        assert tab.value(f"new Promise(done=>setTimeout(()=>done({COUNT}),900))") == place
    tab.click("[data-go=last]")
    tab.key("ArrowLeft")
    tab.blur()
    tab.key(" ")
    tab.wait(f"{COUNT}.startsWith('192 ') && document.getElementById('play').textContent==='▶'")


def test_a_query_lists_the_positions_of_this_game(tab: Browser) -> None:
    """A button of the list goes to the position."""
    pasted(tab, example("games/four-players.game"))
    tab.wait(LOADED)
    tab.key("q")
    tab.type("emperor(R), points(R,N), N >= 5")
    tab.click("#find-here")
    tab.shows("#find-out", "positions of this line")
    tab.click("#find-out li button")
    move = tab.value("document.querySelector('#find-out li button').textContent.split(' ').at(-1)")
    tab.wait(f"{COUNT}.startsWith('{move} of')")
