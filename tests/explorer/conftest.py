"""The explorer in a browser, for the tests of this folder."""

import pytest
from support.browser import browser
from support.pages import READY
from support.served import served


@pytest.fixture(scope="session")
def address():
    with served() as found:
        yield found


@pytest.fixture
def tab(address):
    """The explorer in a browser of its own; its scripts end without an error. Refused questions are none."""
    with browser() as page:
        page.size(1400, 1000)
        page.open(address, READY)
        yield page
        told = ("422", "ERR_INTERNET_DISCONNECTED")
        assert [error for error in page.errors if not any(word in error for word in told)] == []
