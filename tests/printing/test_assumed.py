"""The rules of a rulebook that no text gives."""

from __future__ import annotations

from pathlib import Path

from support.heap_game import variant

from kaiser_logic.printing.sources import unsupported_rules
from kaiser_logic.rules.loader import read_rulebook
from kaiser_logic.rules.rule_texts import RuleTexts

CHANGES = {
    "it is not {R}'s turn\n%!   standard  The course of the game\n": "it is not {R}'s turn\n%!   standard  assumed\n",
    "%!   standard  The course of the game\nholds": "%!   standard  The course of the game (silent)\nholds",
    "%!   standard  The end\nadd": "%!   standard  The end; base game\nadd",
    "stone loses.\n%!   standard  The end\n": "stone loses.\n%!   standard  The end (assumed from its name)\n",
    "amount(1..3).": "%! data amounts -- One to three stones are taken.\n%!   standard  assumed\n"
    "printed(amount(1;2;3)).\namount(K) :- printed(amount(K)), not board(amount(_)).\namount(K) :- board(amount(K)).\n"
    "board_fact(amount(K)) :- number(K).\n",
}


def test_unsupported_rules_are_listed_with_their_replacement(tmp_path: Path) -> None:
    found = unsupported_rules(RuleTexts.of_edition(read_rulebook(variant(tmp_path, CHANGES))))
    assert {kind: {name: replaced for name, _, replaced in entries} for kind, entries in found.items()} == {
        "assumed": {
            "amounts": "a board file with amount(K)",
            "take": "a board file with amount(K); the rest by a copy of the rulebook (--game FOLDER)",
            "ending": "the ruling last_stone; the rest by a copy of the rulebook (--game FOLDER)",
            "last_stone": "another value",
        },
        "base": {"pass_on": "a copy of the rulebook (--game FOLDER)"},
        "silent": {"take.enough": "a copy of the rulebook (--game FOLDER)"},
    }
