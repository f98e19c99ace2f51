"""Expressions and actions that the tests of the explorer's page share."""

import json

from support import EXAMPLES

from .browser import Browser

READY = "document.documentElement.dataset.ready==='yes'"
COUNT = "document.getElementById('count').textContent"
BOARD = "document.querySelector('#board svg')"
WHY = "document.getElementById('why-out').textContent"
VERDICT = "document.getElementById('edit-verdict').textContent"
ACTIONS = "document.getElementById('actions-t').textContent"
LOADED = f"{ACTIONS}.includes('legal action') && !document.querySelector('#groups[aria-busy]')"


def handed_in(tab: Browser, text: str) -> None:
    tab.value(
        f"(()=>{{document.getElementById('text').value={json.dumps(text)};"
        "document.getElementById('d-open').showModal();document.getElementById('read').click()})()"
    )


def pasted(tab: Browser, text: str, name: str = "pasted record") -> None:
    """Opens the text of a record, and waits until it is there."""
    tab.value("document.getElementById('name').textContent=''")
    handed_in(tab, text)
    tab.wait(f"document.getElementById('name').textContent==={json.dumps(name)}")


def example(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


def unfolded(tab: Browser) -> None:
    tab.value("document.querySelector('#groups [data-action]')||document.querySelector('#groups [data-kind]').click()")


def last_played(tab: Browser) -> None:
    unfolded(tab)
    tab.value("[...document.querySelectorAll('#groups [data-action]')].at(-1).click()")


def reopened(tab: Browser) -> None:
    link = tab.value("location.href")
    tab.open("about:blank")
    tab.open(link, READY)
