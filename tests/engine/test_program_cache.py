"""Programs from the cache equal programs that are cut anew. Their key depends on everything that determines them."""

from dataclasses import replace

import pytest
from support.new_process import forget

import kaiser_logic as kl
from kaiser_logic.engine import program_cache as module
from kaiser_logic.engine.grounding import EngineProgram
from kaiser_logic.engine.program_cache import program_cache
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.lang.printed import Printed
from kaiser_logic.position import Position
from kaiser_logic.rules.loader import read_rulebook

pytestmark = pytest.mark.usefixtures("kept_folder")

MOVES = 30


def played(ruleset: Ruleset) -> list[tuple[frozenset[str], dict[str, tuple[str, ...]]]]:
    """The positions of a game, each with its legal actions."""
    evaluator = Evaluator(ruleset)
    position = Position(evaluator, evaluator.initial())
    found = []
    for number in range(MOVES):
        legal = position.legal()
        found.append((position.facts, legal))
        position = position.apply({role: its[number % len(its)] for role, its in legal.items()})
    return found


def ruleset(cached: bool = True) -> Ruleset:
    """The rules of kaiser for two players, read anew."""
    game = kl.load("kaiser", players=2)
    folder = game.position(game.initial().facts).ruleset.book.folder
    return Ruleset(read_rulebook(folder, thorough=False), game.initial().ruleset.configuration, cached)


@pytest.mark.slow
def test_cached_programs_equal_new_ones(monkeypatch):
    plain = ruleset(cached=False)
    expected = played(plain)
    for cached in (ruleset(), ruleset()):
        forget(monkeypatch)
        assert played(cached) == expected
        for key, program in plain._remembered.items():
            if not isinstance(program, EngineProgram):
                continue
            found = cached._remembered[key]
            assert found == program, key
            assert set(found.static) == set(program.static)
        forget(monkeypatch)


def keys(ruleset: Ruleset) -> tuple[str, str]:
    """The keys of the programs and of the compiled code."""
    found = program_cache(ruleset.rules, ruleset.given)
    assert found is not None
    return found._programs._key, found._codes._key


def test_the_keys_depend_on_rules_and_settings(monkeypatch):
    first = ruleset()
    programs, codes = keys(first)
    assert keys(ruleset()) == (programs, codes)
    for number in (0, len(first.book.rules) // 2, len(first.book.rules) - 1):
        rules = list(first.book.rules)
        rules[number] = replace(rules[number], printed=Printed(rules[number].text + " "))
        other = first.with_rules(rules)
        assert keys(other)[0] != programs
        assert keys(other)[1] != codes
    swapped = list(first.book.rules)
    swapped[0], swapped[1] = swapped[1], swapped[0]
    assert keys(first.with_rules(swapped))[0] != programs
    four = kl.load("kaiser", players=4).initial().ruleset
    assert keys(four)[0] != programs
    assert keys(four)[1] == codes
    monkeypatch.setattr(module, "tool", lambda *_: "other sources")
    assert keys(first)[0] != programs
