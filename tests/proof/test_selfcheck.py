"""Faults seeded into the transformations: each is caught by comparing an encoding with the evaluate reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.heap_game import SCORED
from support.opened import changed, heap

from kaiser_logic.engine import symbols
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.proof.induction import Induction
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.sample import Sample, sampled
from kaiser_logic.solving.whole import differs
from kaiser_logic.rules import predicates
from kaiser_logic.rules.pattern import anything
from kaiser_logic.rules.rule import Rule
from kaiser_logic.symbolic import domains as sorts_of
from kaiser_logic.symbolic import encoding as encodings
from kaiser_logic.symbolic import totals
from kaiser_logic.symbolic.domains import Domains, domains
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.invariants import GENERAL, invariants
from kaiser_logic.symbolic.transitions import transitions
from kaiser_logic.transform.slicing import Patterns, Slicer

SHIFT = "shift(heap,taken(R),K,taken) :- does(R,take(K))."
HEAD = "%! invariant heap_stated -- The heap is stated."
SPLIT = {SHIFT: "lose(heap,K,out) :- does(R,take(K)). gain(taken(R),K,took) :- does(R,take(K))."}
"""The same game, in which stones do not go from place to place, but vanish here and appear there."""
HANDED = {
    SHIFT: "shift(heap,taken(R),N,taken) :- wants(R,take(N)). wants(R,A) :- does(R,A). wants(R,take(9)) :- does(R,take(8))."
}
WAIVED = {
    **SCORED,
    HEAD: "%! invariant poor -- Nobody who has taken has points.\nbroken(poor,R) :- took(R), points(R,N), N > 0.\n"
    f"waived(poor) :- ruling(last_stone,wins).\n{HEAD}",
    "add(took(R))                 :-": "gain(points(R),500,taking) :- does(R,take(_)).\nadd(took(R)) :-",
}
"""Points beyond any bound, and an invariant that every game breaks."""
OTHERS = {
    HEAD: "%! invariant others -- Nobody has all but one.\nbroken(others,R) :- others(R,N), N > 12.\nbound(others,12).\n"
    f"others(R,N) :- player(R), player(Q), Q != R, bound(others,I), N <= I, N = #sum{{ M : taken(Q,M) }}.\n{HEAD}",
    "default_players = 2": "default_players = 3",
}


def games(game: Game) -> Sample:
    return sampled(game.evaluator, transitions(game.ruleset, domains(game.ruleset)))


def differences(game: Game, sample: Sample) -> list[str]:
    """What the check of all of a game's encodings finds."""
    sorts = domains(game.ruleset)
    assumed = invariants(game.ruleset).assumed
    found: list[str] = []
    for transition in transitions(game.ruleset, sorts):
        pairs = sample.pairs.get(transition.label, [])
        examined = Induction(game.evaluator, transition, sorts).examine(assumed, [*assumed, *GENERAL], pairs)
        found += examined.differs
    return found


@pytest.mark.sample(4)
@pytest.mark.parametrize("changes", [{}, SPLIT, HANDED, OTHERS], ids=["heap", "split", "handed", "others"])
def test_what_is_in_order_does_not_differ(tmp_path: Path, changes: dict[str, str]) -> None:
    game = changed(tmp_path, changes)
    assert differences(game, games(game)) == []


def test_what_is_waived_may_be_broken_where_numbers_are_cut(tmp_path: Path) -> None:
    game = changed(tmp_path, WAIVED)
    sample = games(game)
    late = {
        label: [pair for pair in pairs if not any("points" in f and f.endswith(",0)") for f in pair.facts)]
        for label, pairs in sample.pairs.items()
    }
    assert all(late.values())
    assert differences(game, replace(sample, pairs=late)) == []


Fault = Callable[[pytest.MonkeyPatch], None]


def a_carrier(patch: pytest.MonkeyPatch) -> None:
    """What is added is taken for what holds anyway."""
    kept = Slicer.transient.func  # type: ignore[attr-defined]
    patch.setattr(Slicer, "transient", property(lambda self: kept(self) - {predicates.ADD}))


def a_rule_of_a_slice(patch: pytest.MonkeyPatch) -> None:
    """A rule is missed where the pending decisions are known."""
    kept = Slicer.slice
    missed = "add(took(R)) :- does(R,take(_))."

    def cut(self: Slicer, seeds: Patterns, *rest: object) -> list[Rule]:
        found = kept(self, seeds, *rest)  # type: ignore[arg-type]
        known = anything(2) not in seeds[predicates.DECISION]
        return [r for r in found if not (known and r.text == missed)]

    patch.setattr(Slicer, "slice", cut)


def a_shift(patch: pytest.MonkeyPatch) -> None:
    kept = Encoding._renamed
    patch.setattr(
        Encoding,
        "_renamed",
        lambda self, rule, line: kept(self, rule, line.replace("lose(X,N,out(Y,V))", "lose(X,N-1,out(Y,V))")),
    )


def a_renaming(patch: pytest.MonkeyPatch) -> None:
    """The next moment reads what was."""
    kept = Encoding.effect
    patch.setattr(Encoding, "effect", lambda self, s, t: s[0] if s == predicates.DEL else kept(self, s, t))


def a_frame_rule(patch: pytest.MonkeyPatch) -> None:
    kept = encodings.frame
    patch.setattr(encodings, "frame", lambda *given: list(kept(*given))[1:])


def a_del(patch: pytest.MonkeyPatch) -> None:
    kept = encodings.named_in
    patch.setattr(encodings, "named_in", lambda rules, s: set() if s == predicates.DEL else kept(rules, s))


def a_change_of_a_total(patch: pytest.MonkeyPatch) -> None:
    kept = totals._ways
    patch.setattr(totals, "_ways", lambda by: [w for w in kept(by) if "gain" not in w[0]])


def a_sign_of_a_total(patch: pytest.MonkeyPatch) -> None:
    kept = totals._ways
    patch.setattr(totals, "_ways", lambda by: [(e.removeprefix("-"), c) for e, c in kept(by)])


def a_value_of_an_argument(patch: pytest.MonkeyPatch) -> None:
    kept = encodings.with_sets
    patch.setattr(encodings, "with_sets", lambda *a: [values[1:] for values in kept(*a)])


def specialised(patch: pytest.MonkeyPatch, change: Callable[[str], str]) -> None:
    """Rules for a kind of action are other ones; none where the change leaves no text."""
    kept = encodings.specialise

    def found(*args: object) -> object:
        special = kept(*args)  # type: ignore[arg-type]
        return replace(special, lines=tuple((r, new) for r, line in special.lines if (new := change(line))))

    patch.setattr(encodings, "specialise", found)


def an_argument(patch: pytest.MonkeyPatch) -> None:
    specialised(patch, lambda line: line.replace("shift(heap,taken(R),A_0,", "shift(heap,taken(R),1,"))


def a_violation(patch: pytest.MonkeyPatch) -> None:
    specialised(patch, lambda line: "" if "take.enough" in line else line)


def a_fluent(patch: pytest.MonkeyPatch) -> None:
    kept = sorts_of.Domains

    def sorts(fluents: tuple[object, ...], *rest: object) -> Domains:
        return kept(tuple(f for f in fluents if str(f) != "heap(12)"), *rest)  # type: ignore[arg-type]

    patch.setattr(sorts_of, "Domains", sorts)


def a_lemma(patch: pytest.MonkeyPatch) -> None:
    """What is said to be supposed is not."""
    patch.setattr(Encoding, "assume", lambda *_: None)


def a_stated_sum(patch: pytest.MonkeyPatch) -> None:
    """A sum is taken to have one value that has several."""
    constraint = ":- others(R,N), others(R,Other_), N < Other_."
    patch.setattr(
        encodings, "functional", lambda rule, *_: [constraint] if "others(R,N) :-" in rule.text else []
    )


def a_successor(patch: pytest.MonkeyPatch) -> None:
    """What follows is left open."""
    kept = encodings.frame

    def loose(*given: Any) -> Iterator[str]:
        for line in kept(*given):
            head, _, body = line.partition(" :- ")
            yield f"{{ {head} }} :- {body}" if given[0] == ("took", 1) else line

    patch.setattr(encodings, "frame", loose)


FAULTS: list[tuple[Fault, dict[str, str]]] = [
    (a_carrier, {}),
    (a_rule_of_a_slice, {}),
    (a_shift, {}),
    (a_renaming, {}),
    (a_frame_rule, {}),
    (a_del, {}),
    (a_change_of_a_total, SPLIT),
    (a_sign_of_a_total, SPLIT),
    (a_value_of_an_argument, {}),
    (an_argument, {}),
    (a_violation, {}),
    (a_fluent, {}),
    (a_lemma, {}),
    (a_stated_sum, OTHERS),
    (a_successor, {}),
]


@pytest.mark.sample(5)
@pytest.mark.parametrize(("fault", "changes"), FAULTS, ids=[f.__name__ for f, _ in FAULTS])
def test_a_seeded_fault_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Fault, changes: dict[str, str]
) -> None:
    game = changed(tmp_path, changes)
    sample = games(game)
    fault(monkeypatch)
    assert differences(changed_again(tmp_path, changes), sample)


def changed_again(folder: Path, changes: dict[str, str]) -> Game:
    """The same game anew, as what has been made of it once is remembered."""
    other = folder / "again"
    other.mkdir()
    return changed(other, changes)


@pytest.mark.slow
def test_what_differs_leaves_all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    a_del(monkeypatch)
    report = Prover(heap().evaluator).run(workers=1)
    assert not report.proved
    assert all(proof.status != "proved" for proof in report.proofs)
    assert any("its encoding is not what the rules say" in note for p in report.proofs for note in p.notes)


@pytest.mark.slow
def test_games_are_the_same_in_each_run() -> None:
    first, second = games(heap()), games(heap())
    assert first == second
    assert set(first.pairs) == {"take(K)", "step pass_on"}
    assert not first.broken


MISSED = {
    "add(took(R)) :-": "took(red)",
    "del(took(Q)) :-": "took(red)",
    "violates(R,take(K),": "took(red)",
    "broken(one_taker,x)": "took(red). took(green)",
}


@pytest.mark.parametrize(("missed", "took"), MISSED.items())
def test_a_rule_that_every_program_misses_is_found_missing(
    monkeypatch: pytest.MonkeyPatch, missed: str, took: str
) -> None:
    kept = Slicer.slice
    monkeypatch.setattr(
        Slicer, "slice", lambda *given: [r for r in kept(*given) if not r.text.startswith(missed)]
    )
    evaluator = Evaluator(Ruleset(heap().ruleset.book, heap().ruleset.configuration))
    rest = "decision(green,take). heap(2). phase(play). taken(red,10). seat(red,1). seat(green,2)"
    facts = frozenset(map(symbols.read, f"{rest}. {took}".split(". ")))
    assert differs(evaluator, facts, (("green", symbols.read("take(3)")),)) is not None


@pytest.mark.slow
def test_what_is_cut_out_wrongly_leaves_all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Slicer.slice
    monkeypatch.setattr(
        Slicer, "slice", lambda *given: [r for r in kept(*given) if "take.enough" not in r.text]
    )
    report = Prover(Evaluator(Ruleset(heap().ruleset.book, heap().ruleset.configuration))).run(workers=1)
    assert all(proof.status != "proved" for proof in report.proofs)


@pytest.mark.slow
def test_nothing_is_cut_out_wrongly_of_the_games() -> None:
    for name in ("heap", "krone"):
        assert games(heap() if name == "heap" else load(name, players=2)).cut == []
