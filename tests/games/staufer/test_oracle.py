"""Die Staufer: the rulebook compared with an independent implementation."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
from games.settling import broken_between_steps
from oracles.staufer import RULINGS, Staufer, random_game, sound
from support.played import game_at

from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.transform.slicing import position_seeds

pytestmark = pytest.mark.long

GAMES = int(os.environ.get("KAISER_LOGIC_RANDOM_GAMES", "4"))
MIDDLES, SOUND = 4 * GAMES, 3 * GAMES
ROLES = ("red", "green", "blue", "yellow", "black")
REGIONS = ("augsburg", "aachen", "strasbourg", "nijmegen", "palermo", "milano")
MANY = 400
"""If there are more legal actions than this, only some are judged one by one."""
NO_OPTIONS: dict[str, str] = {}


@dataclass(frozen=True)
class Setting:
    """The common settings of the rulebook and the oracle."""

    seats: tuple[str, ...]
    edition: str
    options: Mapping[str, str]
    privileges: str
    board: Path | None = None

    def game(self) -> Game:
        """The game by the rulebook."""
        return load(
            "staufer",
            seats=self.seats,
            edition=self.edition,
            options=self.options,
            privileges=self.privileges,
            board=self.board,
        )

    def oracle(self) -> Staufer:
        """The game by the oracle."""
        return Staufer(self.seats, self.edition, self.options, self.privileges, self._board)

    def oracle_at(self, facts: frozenset[str]) -> Staufer:
        """The oracle at a position."""
        return Staufer.from_facts(facts, self.edition, self.options, self._board)

    def is_sound(self, facts: frozenset[str]) -> bool:
        """Whether the oracle accepts the facts. Facts outside its vocabulary are wrong."""
        try:
            return not sound(facts, self.edition, self.options, self._board)
        except ValueError:
            return False

    @property
    def _board(self) -> str:
        """The board file's text."""
        return self.board.read_text(encoding="utf-8") if self.board else ""


def any_setting(rng: Random, options: Mapping[str, str] | None = None) -> Setting:
    """Random seats, edition and privileges, and random rulings if none are given."""
    given = {name: rng.choice(values) for name, values in RULINGS.items()} if options is None else options
    seats = tuple(rng.sample(ROLES, rng.randint(2, 5)))
    privileges = " ".join(map(str, rng.sample(range(1, 17), 6)))
    return Setting(seats, rng.choice(("standard", "de")), given, privileges)


# -- everything at every decision ----------------------------------------------------------------------------


def compare(position: Position, oracle: Staufer, rng: Random, limit: int) -> Position:
    """Continues at random and compares everything at each decision."""
    for facts, choices, chosen in random_game(oracle, rng, limit):
        assert position.facts == facts
        assert position.legal() == {role: tuple(sorted(found)) for role, found in choices.items()}
        assert position.weights() == (oracle.weights() if "chance" in choices else {})
        if rng.random() < 0.15:
            assert game_at(position).position(position.facts) == position
            assert not broken_between_steps(position, chosen)
            for role in (*position.ruleset.seats, "public", "chance"):
                assert position.view(role) == oracle.view(role)
            compare_judgements(position, oracle, rng)
        position = position.apply(chosen)
    assert position.facts == oracle.facts()
    result, expected = position.result(), oracle.result()
    assert (result and (dict(result.points), result.winners)) == expected
    return position


def compare_judgements(position: Position, oracle: Staufer, rng: Random) -> None:
    """Legal and nearly legal single actions get the same verdict."""
    for role, actions in position.legal().items():
        for action in rng.sample(actions, min(len(actions), 2)):
            for candidate in (action, near(rng, action, position.ruleset.seats)):
                assert position.is_legal(role, candidate) == oracle.is_legal(role, candidate), candidate


_ALIKE: tuple[Sequence[str], ...] = (
    REGIONS,
    ("x", "e", "n", "ee", "en", "nn"),
    ("envoy", "noble", "envoys"),
    ("walk", "nomove"),
    ("full", "cheap"),
    ("usual", "first"),
    ("vp2", "violet", "brown", "swap", "noble1"),
)


def near(rng: Random, action: str, seats: Sequence[str]) -> str:
    """The action with one argument replaced by another of its sort."""
    words = re.split(r"(\W)", action)
    places = [i for i, word in enumerate(words) if i > 1 and word.isalnum() and word != "pay"]
    if not places:
        return action
    place = rng.choice(places)
    word = words[place]
    for values in (*_ALIKE, seats):
        if word in values:
            words[place] = rng.choice([v for v in values if v != word])
            break
    else:
        if word.isdigit():
            words[place] = str(int(word) + rng.choice((-1, 1)))
    return "".join(words)


@pytest.mark.parametrize("seed", range(GAMES))
def test_games_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    setting = any_setting(rng)
    compare(setting.game().initial(), setting.oracle(), rng, 30 if GAMES < 20 else 600)


@pytest.mark.parametrize("seed", range(MIDDLES))
def test_positions_of_games_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    setting = any_setting(rng, NO_OPTIONS if seed % 2 else None)
    facts = reached(setting, rng)
    compare(setting.game().position(facts), setting.oracle_at(facts), rng, 15)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in RULINGS.items() for v in values])
def test_each_ruling_agrees_with_the_oracle(name: str, value: str) -> None:
    rng = Random(f"{name} {value}")
    setting = any_setting(rng, {name: value})
    facts = enriched(setting, rng, reached(setting, rng))
    compare(setting.game().position(facts), setting.oracle_at(facts), rng, 15)


@pytest.mark.parametrize("seed", range(GAMES))
def test_rich_positions_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    setting = any_setting(rng)
    facts = enriched(setting, rng, reached(setting, rng))
    compare(setting.game().position(facts), setting.oracle_at(facts), rng, 25)


@pytest.mark.parametrize("seed", range(GAMES))
def test_ends_of_games_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    setting = any_setting(rng)
    course = [facts for facts, _, _ in random_game(setting.oracle(), rng)]
    last = next(facts for facts in reversed(course) if any("turn)" in fact for fact in facts))
    facts = enriched(setting, rng, last)
    assert compare(setting.game().position(facts), setting.oracle_at(facts), rng, 99).result()


BOARD = """
    office(2,5,augsburg,1,3,any). office(2,5,augsburg,2,3,any). office(2,5,augsburg,3,6,noble).
    office(2,5,aachen,1,5,any). office(2,5,aachen,2,5,any). office(2,5,aachen,3,5,any).
    office(2,5,strasbourg,1,7,any). office(2,5,strasbourg,2,3,any).
    office(2,5,nijmegen,1,4,any). office(2,5,nijmegen,2,6,any).
    office(2,5,palermo,1,6,any). office(2,5,palermo,2,6,noble). office(2,5,milano,1,3,any).
    space(2,5,1,envoy,3). space(2,5,2,noble,1). space(2,5,2,envoy,2).
    steps(6,3). steps(4,2). steps(5,1).
    chests(violet,12). chests(vp5,2). chests(stay,3). chests(envoy3,2). chests(brown,3). chests(first,4).
    figures(envoy,12,3). figures(noble,4,2). brown(1,1). brown(2,7). cards(2,3,1). cards(4,5,4).
    pattern(opposite,0). pattern(opposite,1). pattern(opposite,3). pattern(beside,0). pattern(beside,1).
    pattern(apart,0). pattern(three,0). pattern(three,2). pattern(triangle,4). pattern(triangle,0). pattern(four,5).
"""
"""Seats with equal numbers in a region, few chests, a king who walks round the whole ring, other patterns."""


@pytest.mark.parametrize("seed", range(GAMES))
def test_another_board_agrees_with_the_oracle(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    (tmp_path / "board.lp").write_text(BOARD, encoding="utf-8")
    setting = replace(any_setting(rng), board=tmp_path / "board.lp")
    facts = enriched(setting, rng, reached(setting, rng))
    compare(setting.game().position(facts), setting.oracle_at(facts), rng, 40)


def reached(setting: Setting, rng: Random) -> frozenset[str]:
    """A position of a random game of the oracle, after the set-up."""
    course = [facts for facts, _, _ in random_game(setting.oracle(), rng)]
    return rng.choice([facts for facts in course if "phase(setup)" not in facts])


# -- what a query can ask ---------------------------------------------------------------------------------------


def asked(position: Position, name: str, arity: int) -> set[tuple[str, ...]]:
    """The arguments for which a predicate of the rulebook holds."""
    program = position.ruleset.program(("asked", name), position_seeds, [(name, arity)])
    grounding = Grounding(program, position.symbols)
    return {tuple(map(str, symbol.arguments)) for symbol in grounding.get(name, arity)}


@pytest.mark.parametrize("seed", range(2 * GAMES))
def test_exported_predicates_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    setting = any_setting(rng)
    facts = enriched(setting, rng, reached(setting, rng))
    at, oracle = setting.game().position(facts), setting.oracle_at(facts)
    ranks = {(g, r, str(i)) for g in REGIONS for i, r in enumerate(oracle.ranking(g), 1)}
    assert asked(at, "rank", 3) == ranks
    assert asked(at, "b_region", 1) == {(oracle.region_b(),)}
    jobs = {tuple(f[4:-1].split(",")) for f in facts if f.startswith("job(")}
    worth = {(r, j, str(oracle.job_points(r, j))) for r, j in jobs if oracle.job_points(r, j)}
    assert {p for p in asked(at, "prize", 3) if p[2] != "0"} == worth
    assert asked(at, "discarded", 2) == {(c, str(k)) for c, k in oracle.discarded().items() if k}
    could = {r: {int(p) for q, p in asked(at, "may_take", 2) if q == r} for r in setting.seats}
    for role, found in could.items():
        assert oracle.exchangeable(role) in ([], sorted(found))  # a player needs two violet chests
    spare = {
        (r, f, str(i))
        for r in setting.seats
        for f in ("envoy", "noble")
        for i in range(1, oracle.province(r, f) + 1)
    }
    assert asked(at, "in_province", 3) == spare


# -- positions with more in them -------------------------------------------------------------------------------


def enriched(setting: Setting, rng: Random, facts: frozenset[str]) -> frozenset[str]:
    """The position with more figures, chests and privileges, as long as it stays valid."""
    for _ in range(40):
        more = _more(setting, rng, set(facts))
        if setting.is_sound(more):
            facts = more
    return facts


def _more(setting: Setting, rng: Random, facts: set[str]) -> frozenset[str]:
    role, number = rng.choice(setting.seats), rng.randint(1, 4)
    how = rng.randrange(4)
    if how == 0:
        figure = rng.choice(("envoy", "noble"))
        facts = {f for f in facts if not f.startswith(f"court({role},{figure},")}
        facts.add(f"court({role},{figure},{number})")
    elif how == 1:
        chest = rng.choice(("first", "swap", "nomove", "cheap", "stay", "brown", "violet"))
        from_pile = next((f for f in sorted(facts) if f.startswith(f"pile({chest},")), None)
        if from_pile is None or any(f.startswith(f"owns({role},{chest},") for f in facts):
            return frozenset(facts)
        left = int(re.findall(r"\d+", from_pile)[-1])
        number = min(number, left)
        facts.remove(from_pile)
        facts |= {f"owns({role},{chest},{number})"} | (
            {f"pile({chest},{left - number})"} if left > number else set()
        )
    elif how == 2:
        shown = sorted(f for f in facts if f.startswith("display("))
        if shown:
            card = rng.choice(shown)
            privilege, left = map(int, re.findall(r"\d+", card))
            facts.remove(card)
            facts |= {f"has({role},{privilege})"} | (
                {f"display({privilege},{left - 1})"} if left > 1 else set()
            )
    else:
        figure, side = rng.choice(("envoy", "noble")), rng.randint(1, 2)
        facts.add(f"sits({rng.choice(REGIONS)},{number},{side},{role},{figure})")
    return frozenset(facts)


# -- valid positions -----------------------------------------------------------------------------------------------

_SORTS: tuple[Sequence[str], ...] = (
    REGIONS,
    ("envoy", "noble"),
    ("setup", "actions", "scoring", "cleanup", "over"),
    ("vp2", "first", "stay", "violet", "brown", "noble1"),
    ("turn", "exchange", "keep", "bonus"),
    ("place", "tile", "row_a", "row_b", "row_c", "lay", "job", "draw", "reveal"),
    ("supply", "deploy", "drawn"),
    ("king", "chests", "figures"),
    ("threes", "fours", "all", "pairs", "opposite", "three", "augsburg"),
)
_ADDED_TEXT = """
    marker(G) scored(G) king(G) sits(G,N,1,R,envoy) sits(G,N,2,R,envoy) sits(G,N,2,R,noble) has(R,N)
    acting(R,supply) acting(R,drawn) hand(R,violet,1) hand(R,vp2,1) open(vp3,1) picked(R) kept(G,1,1) passed(R)
    to_lay(G,N) to_lay(supply,1) job(R,all) order(1,R) decision(R,turn) decision(R,exchange) decision(R,keep)
    paid(G,R,envoy,N) owns(R,violet,N)
"""
_ADDED = tuple(_ADDED_TEXT.split())


def altered(rng: Random, facts: frozenset[str], seats: Sequence[str]) -> frozenset[str]:
    """The facts with one of them changed, left out or added. They may still be a valid position."""
    names = sorted({f.partition("(")[0] for f in facts} - {"seat"})
    name = rng.choice(names)
    fact = rng.choice(sorted(f for f in facts if f.partition("(")[0] == name))
    how = rng.randrange(4)
    if how == 0:
        return facts - {fact}
    if how == 1:
        added = rng.choice(_ADDED).replace("G", rng.choice(REGIONS)).replace("R", rng.choice(seats))
        return facts | {added.replace("N", str(rng.randint(1, 5)))}
    words = re.split(r"(\W)", fact)
    place = rng.choice([i for i, word in enumerate(words) if i > 1 and word.isalnum()])
    for values in (*_SORTS, seats):
        if words[place] in values:
            words[place] = rng.choice(values)
            break
    else:
        if words[place].isdigit():
            words[place] = str(max(0, int(words[place]) + rng.choice((-1, 1))))
    return (facts - {fact} if how == 2 else facts) | {"".join(words)}


@pytest.mark.parametrize("seed", range(SOUND))
def test_validity_agrees_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    setting = any_setting(rng)
    evaluator = setting.game().evaluator
    course = [facts for facts, _, _ in random_game(setting.oracle(), rng)]
    for facts in rng.sample(course, 5):
        assert not evaluator.broken_invariants(frozenset(map(symbols.read_symbol, facts)))
        for _ in range(3):
            changed = altered(rng, facts, setting.seats)
            found = evaluator.broken_invariants(frozenset(map(symbols.read_symbol, changed)))
            assert (not found) == setting.is_sound(changed), (sorted(changed ^ facts), found)
