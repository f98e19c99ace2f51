"""The explorer in a real browser where steps are not enough (`test_sessions.py`): two users at once, long records."""

import pytest
from support.browser import browser, needs_browser
from support.pages import ACTIONS, COUNT, LOADED, READY, example, pasted
from support.served import needs_server

from kaiser_logic.explorer.record_handlers import start_game

pytestmark = [needs_browser, needs_server, pytest.mark.slow]


def test_two_users_at_the_same_time(address):
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


def test_a_step_of_a_long_record_writes_one_board(tab):
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
