"""Reports, proofs, answers, differences and records in notebooks."""

import base64
import html as entities
import re
import zlib
from xml.etree import ElementTree as ET

import pytest
from support import EXAMPLES
from support.browser import browser, needs_browser
from support.heap_game import FOLDER
from support.played import HEAD

import kaiser_logic as kl
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay
from kaiser_logic.reports.notebook import MOST_BYTES, frame_page

HOSTILE = "<script>alert(1)</script>"
LONGEST = ("games/four-players.game", "staufer/random-5.game", "krone/random-28.game", "vive/random-6.game")


def shown(value: object) -> str:
    """The HTML that a notebook shows for a value. It must be XML without a script."""
    html = value._repr_html_()
    assert isinstance(html, str)
    ET.fromstring(f"<div>{html.replace('<br>', '<br/>')}</div>")
    assert "<script" not in html
    return html


def unpacked(frame: str) -> str:
    inside = re.search(r'srcdoc="([^"]*)"', frame)
    assert inside
    packed = re.search(r'atob\("([^"]*)"\)', entities.unescape(inside[1]))
    assert packed
    return zlib.decompress(base64.b64decode(packed[1])).decode()


def test_reports_are_shown():
    report = kl.check(EXAMPLES / "faults" / "wrong-landing.game")
    faulty = shown(report)
    assert shown(report.faults[0]) in faulty
    assert "⊘ 1 fault" in faulty
    assert "<svg" in faulty
    legal = shown(kl.check(parse_record(HEAD + "red: empire_city(boehmen)")))
    assert "✓ legal" in legal
    assert "1 moves, 1 judged, unfinished" in legal
    (broken,) = kl.load(FOLDER).initial().why("green", "take(1)")
    assert "<code>take</code>: it is not green's turn" in entities.unescape(shown(broken))


def test_positions_of_an_answer_are_drawn():
    assert shown(kl.load("kaiser", players=2).find("emperor(red)")).count("<svg") == 1


def test_texts_of_records_are_escaped():
    report = kl.Report(path=HOSTILE, unreadable=HOSTILE)
    assert "alert" in shown(report)


def test_legal_actions_are_shown_in_words():
    position = kl.load("kaiser").initial()
    legal = position.legal()
    assert legal == dict(legal)
    assert "<code>empire_city(koeln)</code>" in shown(legal)
    assert "places an empire city in Köln" in shown(legal)
    assert "and 7 more" in shown(Replay.at(read(EXAMPLES / "games/four-players.game"), 164).here().legal())


@pytest.mark.slow
def test_proofs_answers_and_differences_are_shown():
    game = kl.load(FOLDER)
    proofs = shown(game.prove(["heap_stated"], claims=["never heap(1), decision(green,take)"]))
    assert "✓ proved" in proofs
    assert "⊘ falls" in proofs
    assert "taken(red,4)." in proofs, "the position of the counterexample is shown"
    assert "1 position" in shown(game.find_result("heap(1)"))
    assert "no valid position has this property (proved)" in shown(game.find_result("heap(0), decision(green,take)"))
    (loses,) = kl.compare(game, kl.load(FOLDER, options={"last_stone": "loses"}))
    assert "last_stone" in shown(loses)


def test_records_are_shown_as_a_packed_page():
    record = parse_record(HEAD + "red: empire_city(boehmen)")
    frame = record._repr_html_()
    assert frame is not None
    assert frame.startswith('<iframe sandbox="allow-scripts"')
    assert unpacked(frame).startswith("<!doctype html>")
    assert "✓ legal" in unpacked(frame)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONGEST)
def test_cells_of_records_are_small(name):
    frame = frame_page(read(EXAMPLES / name))
    assert len(frame) < MOST_BYTES
    assert frame.startswith("<iframe")


@pytest.mark.slow
@needs_browser
def test_the_packed_page_unpacks_itself(tmp_path):
    """The content of the frame in its own window: the page of the record with board and keys."""
    frame = frame_page(read(EXAMPLES / "positions" / "archbishop-marriage.game"))
    inside = re.search(r'srcdoc="([^"]*)"', frame)
    assert inside
    (tmp_path / "cell.html").write_text(entities.unescape(inside[1]), encoding="utf-8")
    with browser() as tab:
        tab.open(
            (tmp_path / "cell.html").as_uri(),
            "document.readyState==='complete' && document.querySelectorAll('[data-board] svg').length===1",
        )
        tab.value("before = document.querySelector('[data-board]').innerHTML")
        tab.key("ArrowRight")
        tab.wait("document.querySelector('[data-board]').innerHTML !== before")
        assert len(tab.requests) == 1
        assert not tab.errors
