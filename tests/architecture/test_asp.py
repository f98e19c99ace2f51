"""The rulebooks follow one style, and asp/README.md is up to date."""

import pytest
from support.asp_tables import readme, uses
from support.lp_style import faults

from kaiser_logic.lang.unification import label
from kaiser_logic.rules.loader import asp_folder, games, rulebook


def test_the_page_is_up_to_date():
    """If it is not, run ``PYTHONPATH=.:tests python -m support.asp_tables > asp/README.md``."""
    assert (asp_folder() / "README.md").read_text(encoding="utf-8") == readme()


def test_files_follow_the_style():
    texts = {str(path): path.read_text(encoding="utf-8") for path in asp_folder().glob("*/*.lp")}
    assert [fault for name, text in texts.items() for fault in faults(name, text)] == []
    assert all(text.startswith("% ") for text in texts.values()), "each file says what it is for"


@pytest.mark.parametrize("game", games())
def test_no_step_has_the_name_of_a_predicate(game):
    heads = [h for r in rulebook(game).rules for h in r.heads if h.signature == ("step", 1)]
    steps = {label(h.args[0]) for h in heads}
    assert len(steps) >= 5
    assert not steps & {predicate for predicate, _ in uses(game)}
