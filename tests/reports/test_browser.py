"""The page of a record in a real browser: by keyboard, at 400 and 1600 px, without network requests."""

import pytest
from support import EXAMPLES
from support.browser import browser, needs_browser

from kaiser_logic.reports.pages import ReportedRecord, render
from kaiser_logic.reports.story import story

pytestmark = pytest.mark.slow

READY = "document.documentElement.dataset.ready==='yes'"
COUNT = "document.querySelector('article:not([hidden]) [data-count]').textContent"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    reported = []
    for name in ("worked/phase-6-election.game", "faults/wrong-landing.game"):
        one = story(EXAMPLES / name)
        reported.append(ReportedRecord(one.report, one))
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(render(reported), encoding="utf-8")
    return path


@needs_browser
def test_a_record_can_be_read_by_keyboard(page):
    with browser() as tab:
        tab.size(1600, 1000)
        tab.open(page.as_uri(), READY)
        last = int(tab.value(COUNT).split()[-1])
        assert tab.value(COUNT) == f"0 of {last}"
        tab.key("Home")
        assert tab.value(COUNT) == f"0 of {last}"
        tab.key("ArrowRight")
        assert tab.value(COUNT) == f"1 of {last}"
        assert tab.value("document.querySelector('[data-text]').textContent.length") > 5
        assert tab.value("document.querySelector('[data-board] svg').getAttribute('width')") == "700"
        tab.key("n")
        assert tab.value("document.querySelectorAll('article:not([hidden]) .fault:not([hidden])').length") == 1
        assert tab.value("document.querySelectorAll('article:not([hidden]) [aria-label=\"reason 1\"]').length") == 1
        tab.key("p")
        tab.value("document.querySelector('[data-go=\"last\"]').click()")
        assert tab.value(COUNT) == f"{last} of {last}"
        assert tab.value("location.hash") == f"#0@{last}"
        assert tab.errors == []
        assert {url.split("#")[0] for url in tab.requests} <= {page.as_uri(), "about:blank"}


@needs_browser
@pytest.mark.parametrize(("width", "board"), [(400, "360"), (1600, "700")])
def test_nothing_is_wider_than_the_window(page, width, board):
    with browser() as tab:
        tab.size(width, 900)
        tab.open(page.as_uri() + "#0@1", READY)
        assert tab.value("document.documentElement.scrollWidth") <= width
        assert (
            tab.value("document.querySelector('article:not([hidden]) [data-board] svg').getAttribute('width')") == board
        )
        covered = """[...document.querySelectorAll('article:not([hidden]) [data-board] g[role=group]')].flatMap(g=>{
            const t=[...g.querySelectorAll('text')].map(e=>e.getBoundingClientRect());
            return t.flatMap((a,i)=>t.slice(i+1).filter(b=>
              a.left<b.right-2&&b.left<a.right-2&&a.top<b.bottom-4&&b.top<a.bottom-4));
            }).length"""
        assert tab.value(covered) == 0, "texts do not overlap"
