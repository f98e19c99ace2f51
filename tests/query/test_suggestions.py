"""A hint names the setting with which an impossible value becomes possible: rows `refused` of `queries.cases`."""

from kaiser_logic.game import load
from kaiser_logic.query.suggestions import elsewhere


def test_only_settings_that_matter_are_tried():
    """The numbers of thalers depend on the players, and on no ruling."""
    tried = []
    rules = load("kaiser", players=4).ruleset
    assert elsewhere(rules, ("thalers", 2), "900", lambda other: bool(tried.append(other))) == ""
    assert len(tried) == 2
