"""Comparisons of batches with the engine that evaluates one position at a time."""

from itertools import pairwise
from random import Random

import clingo

from kaiser_logic.batch.layout import layout_of
from kaiser_logic.batch.playing import play_games
from kaiser_logic.batch.playout import playout
from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game
from kaiser_logic.position import Position


def moments(game: Game, games: int, seed: int = 1) -> tuple[list[Position], list[dict[str, str]], list[Position]]:
    """Positions of random games, the moves that are made there, and the next positions."""
    before: list[Position] = []
    moves: list[dict[str, str]] = []
    after: list[Position] = []
    for number in range(games):
        whole = list(playout(game.evaluator, seed, number))
        for (position, taken), (following, _) in pairwise(whole):
            before.append(position)
            moves.append({role: symbols.text(action) for role, action in taken.items()})
            after.append(following)
    return before, moves, after


def same_positions(game: Game, games: int, seed: int = 1) -> int:
    """Compares legal actions, judgements and next positions in random games; returns the number of decisions."""
    before, moves, after = moments(game, games, seed)
    batch = game.batch()
    ends = [p for p in after if not p.to_move]
    assert batch.legal([*before, *ends]) == [p.legal() for p in [*before, *ends]]
    assert [list(its) for its in batch.legal(before)] == [list(p.legal()) for p in before], "the order is the same"
    found = batch.apply(before, moves)
    for old, actions, new, expected in zip(before, moves, found, after, strict=True):
        assert new == expected, (old.decisions, actions, sorted(new.facts ^ expected.facts))
    for old, judgement, actions in zip(before, batch.judge(before, moves), moves, strict=True):
        assert not judgement.violations
        judged = game.evaluator.judge(old.symbols, {r: symbols.read_symbol(a) for r, a in actions.items()})
        expected_facts = (old.symbols - frozenset(judged.deleted)).union(judged.added)
        assert (old.symbols - frozenset(judgement.deleted)).union(judgement.added) == expected_facts
    return len(before)


def same_games(game: Game, games: int, seed: int = 1, lanes: int = 64) -> int:
    """Compares random games, their ends and counts; returns how many decisions the engine took alone."""
    found = game.batch().play(games, seed, lanes=lanes)
    expected = play_games(game.evaluator, games, seed, jobs=1)
    assert [found.outcome_of(n) for n in range(games)] == [expected.outcome_of(n) for n in range(games)]
    assert dict(found.actions) == dict(expected.actions)
    return found.fallbacks


def disturbed(position: Position, random: Random) -> Position:
    """The position with some facts removed and others added; it need not be valid."""
    layout = position.evaluator.ruleset.remember("a layout", lambda: layout_of(position.ruleset))
    facts = set(position.symbols)
    tests = {layout.facts[bit] for *_, bit in layout.tests}  # they follow from numbers and are no facts
    free = [f for f in layout.facts[64 * layout.control :] if f is not None and f not in tests]
    for fact in some(sorted(f for f in facts if f in layout.bits and f not in tests), 4, random):
        if layout.bits[fact] >= 64 * layout.control:
            facts.remove(fact)
    for fact in some(free, 6, random):
        if symbols.signature(fact) in layout.counters:
            facts -= {
                f for f in facts if (group := layout.group(f)) is not None and group[0] == symbols.counter_of(fact)
            }
        facts.add(fact)
    return Position(position.evaluator, frozenset(facts))


def some(facts: list[clingo.Symbol], most: int, random: Random) -> list[clingo.Symbol]:
    return random.sample(facts, random.randint(0, min(most, len(facts))))


def same_disturbed(game: Game, games: int, seed: int = 1) -> int:
    """Compares legal actions and their effects in disturbed positions; returns how many actions were compared."""
    random = Random(seed)
    positions = [disturbed(p, random) for p in moments(game, games, seed)[0] for _ in range(3)]
    batch = game.batch()
    expected = [legal_or_none(p) for p in positions]
    positions = [p for p, legal in zip(positions, expected, strict=True) if legal]
    legal = [its for its in expected if its]
    assert batch.legal(positions) == legal
    able = [(p, its) for p, its in zip(positions, legal, strict=True) if all(its.values())]
    moves = [{role: random.choice(actions) for role, actions in its.items()} for _, its in able]
    for (old, _), actions, judgement in zip(able, moves, batch.judge([p for p, _ in able], moves), strict=True):
        judged = game.evaluator.judge(old.symbols, {r: symbols.read_symbol(a) for r, a in actions.items()})
        assert judgement.violations == judged.violations
        new, wanted = ((old.symbols - frozenset(j.deleted)).union(j.added) for j in (judgement, judged))
        assert new == wanted, (old.decisions, actions, sorted(map(str, new ^ wanted)))
    return sum(len(a) for its in legal for a in its.values())


def legal_or_none(position: Position) -> dict[str, tuple[str, ...]] | None:
    try:
        return position.legal()
    except NotDecided:
        return None
