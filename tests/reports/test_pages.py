"""The HTML page of checked records."""

import base64
import gzip
import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support import EXAMPLES
from support.played import HEAD

from kaiser_logic.notation.reading import parse_record
from kaiser_logic.records.checking import Report
from kaiser_logic.reports.pages import ReportedRecord, SharedFrames, render
from kaiser_logic.reports.story import story

HOSTILE = """</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&"""


def reported(text: str) -> ReportedRecord:
    one = story(parse_record(text, "my.game"))
    return ReportedRecord(one.report, one)


def data_of(page: str) -> list[dict[str, Any]]:
    match = re.search(r'<script type="application/gzip" id="data">(.*?)</script>', page, re.S)
    assert match
    return list(json.loads(gzip.decompress(base64.b64decode(match[1])))["records"])


@pytest.fixture(scope="module")
def faulty():
    return story(EXAMPLES / "faults" / "wrong-landing.game")


def test_faults_have_rule_source_place_and_legal_actions(faulty):
    page = render([ReportedRecord(faulty.report, faulty)])
    for part in (
        "@0, line 22",
        "space.entry",
        "in Mainz 3 of 4 aristocrat spaces are free",
        "Source: nl Fase III",
        "What was legal (",
    ):
        assert part in page
    assert "⊘ 1 fault" in page


def test_assumptions_are_named(faulty):
    page = render([ReportedRecord(faulty.report, faulty)])
    assert "This relies on assumptions, not on a printed text" in page
    for rule in faulty.report.assumed:
        assert f"<li>{rule}: " in page


def test_each_fault_is_shown_at_its_step():
    text = HEAD.replace("]", ']\n[Result "red"]', 1) + "red: empire_city(boehmen)\nassert { round(3). }\ngreen: pass\n"
    one = story(parse_record(text, "my.game"), "skip")
    (data,) = data_of(render([ReportedRecord(one.report, one)]))
    rules = [fault.rule for fault in one.report.faults]
    assert rules == ["record.assert", "actions.turn", "record.result"]
    page = render([ReportedRecord(one.report, one)])
    assert [int(k) for k in re.findall(r'data-fault="(\d+)"', page)] == [2, 1, 2]
    assert data["faults"] == [1, 2]


def test_the_page_loads_nothing(faulty):
    page = render([ReportedRecord(faulty.report, faulty)])
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"\b(src|href|action)\s*=", page.partition("<body>")[2].partition("<script")[0])
    assert set(re.findall(r"https?://[^\"'\s<]+", page)) <= {"http://www.w3.org/2000/svg"}


def test_hostile_texts_are_escaped():
    quoted = HOSTILE.replace('"', '\\"')
    page = render([reported(f'[Game "kaiser"]\n[Event "{quoted}"]\n[Red "{quoted}"]\nred: pass\n')])
    assert "<img" not in page
    assert page.count("<script") == 2
    unread = Report(HOSTILE, unreadable=f"{HOSTILE}: cannot be read")
    page = render([ReportedRecord(unread), reported(HEAD)])
    assert "<img" not in page
    assert page.count("<script") == 2


def test_pictures_can_be_assembled(faulty):
    pictures = SharedFrames(faulty.steps)
    for layout in range(2):
        for step in range(len(faulty.steps)):
            ET.fromstring(pictures.svg(layout, step))
    (record,) = data_of(render([ReportedRecord(faulty.report, faulty)]))
    assert record["faults"] == [1]
    assert record["begin"] == 1
    assert len(record["steps"]) == len(record["pictures"]["frames"][0]) == 2


def test_a_collection_has_an_index(faulty):
    unread = Report("bad.game", unreadable="bad.game: cannot be read")
    page = render(
        [reported(HEAD + "red: empire_city(boehmen)"), ReportedRecord(faulty.report, faulty), ReportedRecord(unread)]
    )
    assert "1 without fault, 1 with faults, 1 unreadable" in page
    assert len(re.findall(r'<button data-open="\d"', page)) == 3
    assert [len(r["steps"]) for r in data_of(page)] == [2, 2, 0]


def test_a_game_without_pictures_has_a_page():
    from support.heap_game import FOLDER

    record = parse_record('[Game "heap"]\nred: take(3)\ngreen: take(9)\n').with_rules(FOLDER)
    one = story(record)
    page = render([ReportedRecord(one.report, one)])
    (data,) = data_of(page)
    assert data["steps"][1]["changes"]
    assert data["pictures"]["layouts"] == []
