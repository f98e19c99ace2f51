"""HTML pages: one file, a strict policy, escaped texts."""

import base64
import gzip
import hashlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.browser import browser, needs_browser
from support.pictures import at

from kaiser_logic.drawing.page import compress_text, page
from kaiser_logic.drawing.styles import render


def policy_of(html: str) -> str:
    match = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert match
    return match[1].replace("&#39;", "'")


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_policy_allows_only_the_own_script_and_style():
    html = page("t", "<main></main>", "p{color:red}", "let a=1;", json.dumps({"x": 1}))
    policy = policy_of(html)
    assert policy.startswith("default-src 'none';")
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.S)
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.S)
    assert digest(style) in policy
    assert digest(script) in policy
    assert "unsafe" not in policy
    assert "script-src" not in policy_of(page("t", ""))


def test_the_title_is_escaped():
    assert "<title>&lt;b&gt;</title>" in page("<b>", "")


@pytest.mark.slow
@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_data_cannot_close_their_element(data):
    text = compress_text(json.dumps(data))
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(gzip.decompress(base64.b64decode(text))) == data


def test_page_of_a_position():
    html = render(at("games/four-players.game", 37), "html", before=at("games/four-players.game", 36))
    assert html.count("<svg") == 2
    assert "<li>&gt; Yellow baron 25: Trier → Sachsen</li>" in html
    assert "<script>" not in html
    assert not re.search(r"(src|href)=", html)


@needs_browser
@pytest.mark.slow
def test_the_board_stands_alone_in_a_frame(tmp_path):
    file = tmp_path / "position.html"
    file.write_text(render(at("games/four-players.game", 37), "html"), encoding="utf-8")
    seen = "[...document.querySelectorAll('header,.card,.frame')].filter(e=>e.offsetHeight).map(e=>e.className)"
    with browser() as tab:
        tab.size(1200, 900)
        tab.open(file.as_uri())
        assert tab.value(seen) == ["", "frame wide", "card"]
        tab.open("about:blank")
        tab.open(f"{file.as_uri()}#board")
        assert tab.value(seen) == ["frame wide"]
