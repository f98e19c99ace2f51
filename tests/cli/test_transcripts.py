"""The commands of the pages beside this file print what the pages show."""

import shutil
from pathlib import Path
from random import Random

import pytest
from support import ROOT, spellings
from support.transcripts import Transcripts, parameters

PAGES = parameters(Path(__file__).parent)
RENAMED = [page for page in PAGES if page.values[0].page.stem == "captured"]


@pytest.fixture
def transcripts(tmp_path, monkeypatch, capsys):
    """The runner, in an empty folder; the terminal has 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return Transcripts(monkeypatch, capsys)


@pytest.mark.parametrize("section", PAGES)
def test_commands_print_what_pages_show(section, transcripts):
    transcripts.prepare(section)
    transcripts.check(section)


@pytest.mark.sample(3)
@pytest.mark.parametrize("section", RENAMED)
def test_variables_may_have_any_name(section, transcripts):
    """The rulebooks of the page `captured` with the names that the tool generates."""
    transcripts.prepare(section)
    for book in (ROOT / "tests" / "support" / "named").iterdir():
        shutil.copytree(book, book.name)
        path = Path(book.name, "rules.lp")
        path.write_text(spellings.program(path.read_text(encoding="utf-8"), Random(book.name)), encoding="utf-8")
    transcripts.check(section)
