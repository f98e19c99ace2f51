"""Whoever decides has a legal action, where a position is known in part only."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from support.opened import changed, heap

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.proof import standstill
from kaiser_logic.proof.moves import claiming
from kaiser_logic.proof.partial import Lost
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.sample import Written, random_game, sampled
from kaiser_logic.proof.standstill import StandstillProgram, nobody_stuck, stuck_in_part
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.symbolic import kept
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.projected import decision_sorts
from kaiser_logic.symbolic.projection import ANY
from kaiser_logic.symbolic.standstill import Standstill
from kaiser_logic.symbolic.transitions import Transition, functor, transitions

pytestmark = pytest.mark.slow


@cache
def vive() -> Game:
    return load("vive", players=3)


def spoilt(folder: Path, file: str, old: str, new: str) -> Game:
    """Vive le Roi with another line."""
    shutil.copytree(asp_folder() / "vive", folder / "vive")
    path = folder / "vive" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return load(folder / "vive", players=3)


def found_of(game: Game, name: str) -> list[Transition]:
    every = transitions(game.ruleset, decision_sorts(game.ruleset))
    return [t for t in every if any(functor(k.decision) == name for k in t.kinds)]


def met(game: Game, name: str) -> Iterator[Written]:
    """Positions of random games in which such a decision is made: a few."""
    for seed in range(30):
        for pair, _ in random_game(game.evaluator, Random(seed)):
            if any(f.name == "decision" and f.arguments[1].name == name for f in pair.facts):
                yield Written(tuple(map(symbols.text, pair.facts)), ())


def why(game: Game, name: str, lost: Lost = frozenset(), count: int = 2) -> str | None:
    """Why it is not shown that nobody is stuck at a decision, where all invariants but that of loads are kept."""
    games = list(islice(met(game, name), count))
    assert len(games) == count
    its = found_of(game, name)
    kinds = [k for t in its for k in t.kinds if functor(k.decision) == name]
    lemmas = [i for i in invariants(game.ruleset).assumed if i != "loads"]
    return stuck_in_part(claiming(game.evaluator), kinds, its, lemmas, lost, games)


@pytest.mark.parametrize("name", ["assign", "obey", "deal_noble"])
def test_who_certainly_has_a_legal_action_is_not_stuck(name: str) -> None:
    """A musketeer that has to be placed has some load: with that one he can go home."""
    assert why(vive(), name) is None


def test_what_is_only_a_question_of_sums_is_shown() -> None:
    """Who leads with all he can add, and does not lead yet, has something to add."""
    assert why(vive(), "bid") is None


def test_what_needs_amounts_is_not_decided() -> None:
    """That he leads with all is not known of positions then."""
    found = why(vive(), "bid", frozenset({("reach", ANY)}))
    assert found is not None
    assert "not enough" in found


@pytest.mark.parametrize(
    ("name", "file", "old", "new"),
    [
        (  # loaded musketeers cannot go home
            "assign",
            "assign.lp",
            "arriving(R)                                 :- decision(R,assign).",
            "arriving(R)                                 :- decision(R,assign).\n"
            'violates(R,assign(musketeer(V),G,home),"assign.card") :- '
            "candidate(R,assign(musketeer(V),G,home)), G != g(0,0,0).",
        ),
        (  # loads are offered that nobody has to place
            "assign",
            "assign.lp",
            ":- decision(R,assign), unplaced(R,musketeer(V),G,_).",
            ":- decision(R,assign), unplaced(R,musketeer(V),_,_), load(G).",
        ),
        (  # who is ordered to free the king has points to lose
            "obey",
            "decrees.lp",
            "frees_king         :- does(_,free).",
            "frees_king         :- does(_,free).\n"
            'violates(Q,A,"church.obey") :- candidate(Q,A), decision(Q,obey), points(Q,N), N < 0.',
        ),
        (  # nobody knows where the nobles are
            "deal_noble",
            "setup_invariants.lp",
            "not pile(noble(B),_), not hand(_,noble(B),_),",
            "not pile(noble(B),_), not hand(_,noble(B),_), B = lily,",
        ),
    ],
)
def test_who_may_be_stuck_is_seen(tmp_path: Path, name: str, file: str, old: str, new: str) -> None:
    assert why(spoilt(tmp_path, file, old, new), name) is not None


def test_nothing_rests_on_what_is_not_kept() -> None:
    assert why(vive(), "unrest") is None
    assert why(vive(), "unrest", frozenset({("decision_fits", ANY)})) is not None


def _heap_games(game: Game) -> list[Written]:
    found = transitions(game.ruleset, decision_sorts(game.ruleset))
    return sampled(game.evaluator, found).pairs["take(K)"]


@pytest.mark.parametrize("offers", [True, False])
def test_a_program_that_lets_do_too_much_is_noticed(monkeypatch: pytest.MonkeyPatch, offers: bool) -> None:
    """Bans are left out; or the program thinks that nothing is left where something is."""
    game = heap()
    (its,) = [found_of(game, "take")]
    kinds = [k for t in its for k in t.kinds]
    lemmas = invariants(game.ruleset).assumed
    games = _heap_games(game)
    sound = StandstillProgram(game.evaluator, kinds, lemmas)
    assert {sound.allows_too_much(w.read().facts) for w in games} == {None}
    if offers:
        monkeypatch.setattr(
            Standstill, "_able", lambda self, family: f"able__(X0,{family.number}) :- seat(X0,_)."
        )
    else:
        vocabulary = Standstill._vocabulary
        monkeypatch.setattr(
            Standstill,
            "_vocabulary",
            lambda self: (x for x in vocabulary(self) if not x.startswith("can__heap")),
        )
    program = StandstillProgram(game.evaluator, kinds, lemmas)
    told = [program.allows_too_much(w.read().facts) for w in games]
    assert any(told)
    found = stuck_in_part(game.evaluator, kinds, its, lemmas, frozenset(), games)
    assert found is not None
    assert found.startswith("its program is not what the rules say: ")


@pytest.mark.long
def test_where_no_game_has_a_decision_positions_are_made() -> None:
    assert why(vive(), "answer", count=0) is None


def test_what_was_held_against_no_position_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standstill, "lifted", lambda *_: [])
    found = why(vive(), "deal_noble", count=0)
    assert found is not None
    assert "no random game" in found


def test_nothing_is_asked_where_transitions_are_not_proved() -> None:
    game = heap()
    found = transitions(game.ruleset, decision_sorts(game.ruleset))
    kept_ = ((), frozenset(), "step pass_on: out of time")
    proofs = nobody_stuck(
        game.evaluator, found, kept_, sampled(game.evaluator, found), (1, None), 0.0, lambda _: None
    )
    assert [str(p) for p in proofs.values()] == [
        "legal action at take: undecided (step pass_on: out of time)"
    ]


def test_prove_tells_of_each_decision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_TOO_MANY", 1)
    game = changed(tmp_path, {})
    (proof,) = [p for p in Prover(game.evaluator).run(workers=1).proofs if p.kind == "stuck"]
    assert (proof.claim, proof.status) == ("legal action at take", "undecided")
