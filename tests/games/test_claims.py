"""Claims about moves hold in random games of every number of players, and the rules treat all seats alike."""

from __future__ import annotations

import re
from random import Random

import pytest

from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.random_games import random_game
from kaiser_logic.game import Game, load
from kaiser_logic.rules.loader import rulebook
from kaiser_logic.solving.moves import MoveClaims, claiming

pytestmark = pytest.mark.by_hand

CLAIMING = ("kaiser", "krone")
DECISIONS = 120


def settings() -> list[tuple[str, int, str]]:
    """Each game with each number of players, and each edition at least once."""
    found = []
    for name in CLAIMING:
        editions = sorted(rulebook(name).editions)
        players = rulebook(name).manifest["players"]
        found += [(name, n, editions[k % len(editions)]) for k, n in enumerate(players)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "edition"), settings())
def test_claims_hold_in_random_games(name: str, players: int, edition: str) -> None:
    evaluator = claiming(load(name, players=players, edition=edition).evaluator)
    moves = MoveClaims(evaluator)
    assert len(moves.docs) > 10
    decisions = 0
    for pair, after in random_game(evaluator, Random(players)):
        decisions += bool(pair.actions)
        assert moves.wrong(pair.facts, pair.actions, after) == [], pair
        if decisions >= DECISIONS:
            break
    assert decisions > 50


@pytest.mark.parametrize("name", CLAIMING)
def test_no_rule_names_a_player(name: str) -> None:
    book = rulebook(name)
    named = re.compile(rf"\b({'|'.join(book.roles)})\b")
    # some cards are blue, like a player: colours of cards do not count
    assert [r.text for r in book.rules if named.search(r.text) and "colour(" not in r.text] == []


def renamed(text: str, names: dict[str, str]) -> str:
    """A fact or an action with renamed players."""
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), text)


def legal(game: Game, facts: set[str]) -> dict[str, set[str]]:
    return {role: set(actions) for role, actions in game.position(facts).legal().items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", CLAIMING)
def test_all_seats_are_treated_alike(name: str) -> None:
    """With renamed players, the legal actions and their effects are the same."""
    seats = ("red", "green", "blue")
    names = dict(zip(seats, ("green", "blue", "red"), strict=True))
    one, other = load(name, seats=seats), load(name, seats=[names[s] for s in seats])
    rng = Random(3)
    compared = 0
    for pair, _ in random_game(one.evaluator, Random(1)):
        if not pair.actions or rng.random() > 0.15:
            continue
        facts = {symbols.text(f) for f in pair.facts}
        theirs = {renamed(f, names) for f in facts}
        expected = {
            renamed(r, names): {renamed(a, names) for a in found} for r, found in legal(one, facts).items()
        }
        assert legal(other, theirs) == expected
        done = {role: symbols.text(action) for role, action in pair.actions}
        after = one.position(facts).apply(done)
        same = other.position(theirs).apply({renamed(r, names): renamed(a, names) for r, a in done.items()})
        assert {renamed(f, names) for f in after.facts} == same.facts
        compared += 1
        if compared >= 12:
            break
    assert compared >= 5
