"""The reference of the Python interface is generated from docstrings and complete."""

from support import ROOT
from support.api_reference import reference

PAGE = ROOT / "docs" / "reference" / "api.md"


def test_the_reference_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == reference(), "the second line of the page says how to generate it"
