"""The small game of docs/write/rulebooks.md, its variants and positions: players take one to three of twelve stones in turn."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.rules.loader import read_parts
from kaiser_logic.rules.rulebook import Rulebook
from support import SUPPORT, exhaustive
from support.rulebook_cases import changes

FOLDER = SUPPORT / "heap"

SCORED = changes("support/heap")["scored"]
"""Changes that add points without a limit; engine/scoring.lp makes them the result of the game."""


INDIFFERENT = changes("support/heap")["indifferent"]
"""Changes after which the ruling makes no difference."""


# Lines that tests change
ACTION = "action(take,take(K))      :- amount(K)."
ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
SHIFT = "shift(heap,taken(R),K,taken) :- does(R,take(K))."
TOOK = "add(took(R))                 :- does(R,take(_))."
DUE = "add(due(pass_on))           :- made(_,take)."
STATED = "broken(heap_stated,x)  :- not heap(_)."
CANDIDATE = "candidate(R,take(K))          :- decision(R,take), amount(K)."
HEAD = "%! invariant heap_stated -- The heap is stated."


def variant(folder: Path, lines: Mapping[str, str], base: Path = FOLDER, more: str = "") -> Path:
    """A copy of a rulebook's folder with other lines, and more rules in its first file; a missing line is an error."""
    target, left = folder / base.name, set(lines)
    target.mkdir(parents=True)
    for file in base.iterdir():
        text = file.read_text(encoding="utf-8")
        for old, new in lines.items():
            left -= {old} if old in text else set()
            text = text.replace(old, new)
        (target / file.name).write_text(text, encoding="utf-8")
    assert not left
    if more:
        with min(target.glob("*.lp")).open("a", encoding="utf-8") as file:
            file.write(f"\n{more}\n")
    return target


@cache
def heap(players: int = 2, last_stone: str = "wins") -> Game:
    return load(FOLDER, players=players, options={"last_stone": last_stone})


def changed(folder: Path, lines: Mapping[str, str]) -> Game:
    return load(variant(folder, lines))


def changed_book(folder: Path, lines: Mapping[str, str]) -> Rulebook:
    """The rulebook of a variant of the heap game, which may break the contract."""
    book, _ = read_parts(variant(folder, lines))
    assert book is not None
    return book


def facts(text: str) -> frozenset[symbols.Symbol]:
    return frozenset(map(symbols.read_symbol, text.split()))


SEATS = "seat(red,1) seat(green,2)"
START = facts(f"{SEATS} phase(play) heap(12) decision(red,take)")
OVER = facts(f"{SEATS} phase(over) heap(0) taken(red,6) taken(green,6) took(red)")


def after(*amounts: int, players: int = 2) -> Position:
    position = heap(players).initial()
    for amount in amounts:
        (role,) = position.to_move
        position = position.apply({role: f"take({amount})"})
    return position


PIGEONS = """fluent(at(P,H)) :- P = 1..7, H = 1..6.
broken(heap_stated,(P,Q)) :- at(P,H), at(Q,H), P < Q.
broken(heap_stated,P) :- at(P,H), at(P,I), H < I.
"""
"""Rules that place seven pigeons in six holes, at most one in each. To refute that all have a hole takes many conflicts."""


def reachable(game: Game) -> list[frozenset[symbols.Symbol]]:
    """All positions of legal games in which somebody decides."""
    found = (facts for facts in exhaustive.reachable(game) if not exhaustive.is_due(facts))
    deciding = (facts for facts in found if any(fact.name == "decision" for fact in facts))
    return sorted(deciding, key=lambda facts: sorted(map(str, facts)))


def small_rulebook(parent: Path, name: str, rules: str) -> Path:
    """A rulebook of one file for two players, written from its rules."""
    folder, manifest = parent / name, (SUPPORT / "small_rulebook.toml").read_text(encoding="utf-8")
    folder.mkdir()
    (folder / "game.toml").write_text(manifest.format(name=name, title=name.capitalize()), encoding="utf-8")
    (folder / "rules.lp").write_text(rules, encoding="utf-8")
    return folder
