"""That all facts are of the vocabulary, where positions are known in part: what is proved is so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.judge import Judge, stratified
from support.spoilt_carts import FOLDER, faults, known_in_part, mechanical, tempted, text, write
from support.thinned import thinned

from kaiser_logic.conservation.vocabulary import Stated, stated
from kaiser_logic.engine import symbols
from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.game import Game, load
from kaiser_logic.proof import prover
from kaiser_logic.proof.conserved import Booked, books
from kaiser_logic.proof.known_part import PartialProgram
from kaiser_logic.proof.sample import Sample
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.flattening import Unprojectable
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.kept import initial, shapes_of
from kaiser_logic.symbolic.projected import decision_sorts
from kaiser_logic.symbolic.projection import ANY
from kaiser_logic.symbolic.transitions import transitions

pytestmark = pytest.mark.slow

SCALES = FOLDER.parent / "scales"
FAULTS = [(folder, name) for folder in (FOLDER, SCALES) for name in faults(folder, "vocabulary")]
SOME = thinned(FAULTS, 6)
"""A sixth of them always, all with -m slow."""
SMALL = ("cart", "hand", "laid", "guard", "flag", "pile", "adding")
LARGE = ("person", "stake", "unplaced", "hand", "pile", "gold")
PERSONS = "fluent(person(R,courtier(B,V),home,G,1..N)) :- player(R), copies(courtier(B,V),N), load(G)."
SPOILT = {
    "no two stakes of a kind": (
        "add(P,V,G)",
        "vocabulary",
        "fluent(stake(R,T,musketeer(V),G,1..N))    :- player(R), T = (earlier;last), copies(musketeer(V),N), load(G).",
        "fluent(stake(R,T,musketeer(V),G,1)) :- player(R), T = (earlier;last), card(musketeer(V)), load(G).",
    ),
    "purses that are too small": (
        "assign(gold(V),person(K,P,G)) at assign",
        "sorts",
        "purse(V,0..N)  :- copies(gold(V),N).",
        "purse(V,0..N-1) :- copies(gold(V),N).",
    ),
    "purses without the middle": (
        "assign(gold(V),person(K,P,G)) at assign",
        "sorts",
        "purse(V,0..N)  :- copies(gold(V),N).",
        "purse(V,0..N) :- copies(gold(V),N), V != 3.\npurse(3,(0;2;3;4;5)).",
    ),
    "courtiers that carry little": (
        "assign(gold(V),person(K,P,G)) at assign",
        "vocabulary",
        PERSONS,
        PERSONS.replace("load(G)", "load(G), G != g(1,0,0)"),
    ),
    "bribes about little": (
        "bribe(R,person(K,P,G))",
        "vocabulary",
        "player(R), person_kind(K), card(K), load(G).",
        "player(R), person_kind(K), card(K), load(G), G != g(8,6,5).",
    ),
    "bribes about anybody but the last": (
        "bribe(R,person(K,P,G))",
        "vocabulary",
        "fluent(exchange(bribe(R,person(K,home,G))))               :- player(R),",
        "fluent(exchange(bribe(R,person(K,home,G)))) :- player(R), not last(R),",
    ),
    "what officials take from the last": (
        "activate(O)",
        "vocabulary",
        "player(Q), R != Q.",
        "player(Q), R != Q, not last(Q).",
    ),
    "the last one is never captive": (
        "step next_event",
        "vocabulary",
        "fluent(king(R,S))    :- player(R), S = (free;captive).",
        "fluent(king(R,free)) :- player(R).\nfluent(king(R,captive)) :- player(R), not last(R).",
    ),
    "nobody is below nothing": (
        "refuse",
        "vocabulary",
        "fluent(points(R,-N)) :- player(R), number(N).",
        "",
    ),
    "points up to a bound": (
        "contest",
        "vocabulary",
        "fluent(points(R,N))  :- player(R), number(N).",
        "fluent(points(R,0..300)) :- player(R).",
    ),
    "the queen is not active": (
        "step claim",
        "vocabulary",
        "fluent(active(R,O))                       :- player(R), courtly(O).",
        "fluent(active(R,O)) :- player(R), courtly(O), not O = queen.",
    ),
    "one musketeer of a kind is placed": (
        "take(province(B,C))",
        "vocabulary",
        "fluent(unplaced(R,musketeer(V),G,1..N))   :- player(R), copies(musketeer(V),N), load(G).",
        "fluent(unplaced(R,musketeer(V),G,1..1)) :- player(R), copies(musketeer(V),N), load(G).",
    ),
}
"""Of Vive le Roi: a transition, the file, and which text becomes which."""


def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What random games break is not looked at: the proof has to see it."""
    real: Callable[..., Sample] = prover.tested

    def tested(*args: Any, **options: Any) -> Sample:
        found = real(*args, **options)
        found.broken.clear()
        return found

    monkeypatch.setattr(prover, "tested", tested)


def verdict(folder: Path) -> str:
    """What is found of the vocabulary."""
    report = load(folder).prove(["vocabulary"], jobs=1)
    return next(p.status for p in report.proofs if p.claim == "vocabulary")


@pytest.mark.parametrize("folder", [FOLDER, SCALES])
def test_what_is_of_the_vocabulary_is_proved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known_in_part(monkeypatch)
    assert verdict(folder) == "proved"


@pytest.mark.parametrize(("folder", "name"), SOME)
def test_what_is_spoilt_is_not_proved(
    folder: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_in_part(monkeypatch)
    unseen(monkeypatch)
    assert verdict(write(tempted(name, folder, "vocabulary"), tmp_path, folder)) != "proved"


@pytest.mark.long
@pytest.mark.parametrize(("folder", "name"), FAULTS)
def test_each_fault_leads_out_of_the_vocabulary(folder: Path, name: str, tmp_path: Path) -> None:
    """Else the test before would say nothing."""
    rules = write(tempted(name, folder, "vocabulary"), tmp_path, folder)
    assert Judge(load(rules)).verdict("vocabulary") == "broken"


@pytest.mark.long
@pytest.mark.parametrize("folder", [FOLDER, SCALES])
def test_no_small_change_is_proved_that_breaks_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what random games break left aside."""
    known_in_part(monkeypatch)
    unseen(monkeypatch)
    every = list(mechanical(folder))
    chosen = every if os.environ.get("KAISER_LOGIC_MUTANTS") == "all" else every[3::8]
    wrong, broken, shown = [], 0, 0
    for i, (what, rules) in enumerate(chosen):
        mutant = write(rules, tmp_path / str(i), folder)
        try:
            if not stratified(load(mutant)):
                continue
            proved = verdict(mutant) == "proved"
            judged = Judge(load(mutant)).verdict("vocabulary")
        except (FaultyRulebook, RuntimeError):
            continue
        broken, shown = broken + (judged == "broken"), shown + proved
        if proved and judged == "broken":
            wrong.append(what)
    assert not wrong, "\n".join(wrong)
    assert broken or folder == SCALES  # there none of them leads out of the vocabulary
    assert shown


def test_of_two_constants_one_is_not_taken_for_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Carts at home carry nothing, those that are out one coin: whoever sends one out makes it another one."""
    known_in_part(monkeypatch)
    rules = (
        text()
        .replace("load(g(0..2)).", "load(g(0..3)).")
        .replace("place(home;out).", "place(home;out;barn).")
    )
    carts = "fluent(cart(R,P,G,1..2))    :- player(R), place(P), load(G)."
    assert carts in rules
    apart = (
        "cart(R,home,g(0),1..2)",
        "cart(R,out,g(1),1..2)",
        "cart(R,barn,G,1..2)) :- player(R), load(G).%",
    )
    game = load(write(rules.replace(carts, "\n".join(f"fluent({x}) :- player(R)." for x in apart)), tmp_path))
    assert initial(game.ruleset)["cart", 4] == {2, 3}
    send = next(t for t in transitions(game.ruleset, decision_sorts(game.ruleset)) if t.label == "send")
    assert books(game.evaluator, send, invariants(game.ruleset).assumed, frozenset(), ()).stray is not None


def test_a_vocabulary_of_intervals_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It need not be proved."""
    known_in_part(monkeypatch)
    rules = text().replace("player(R), place(P), load(G).\nfluent(flag", "player(R), place(P).\nfluent(flag")
    rules = rules.replace("fluent(cart(R,P,G,1..2))", "fluent(cart(R,P,g(0..2),1..2))")
    assert verdict(write(rules, tmp_path)) in ("proved", "undecided")


def test_an_action_with_a_number_without_a_limit_is_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its numbers only some can be listed, and the hundredth one is of no vocabulary."""
    known_in_part(monkeypatch)
    rules = text().replace("action(turn,flag).", "action(turn,flag).\naction(turn,name(N)) :- number(N).")
    rules = rules.replace("fluent(flag(R)) ", "fluent(named(0..99)).\nfluent(flag(R)) ")
    rules += "candidate(R,name(3)) :- decision(R,turn).\nadd(named(N)) :- does(_,name(N)).\n"
    game = load(write(rules, tmp_path))
    named = next(t for t in transitions(game.ruleset, decision_sorts(game.ruleset)) if "name" in t.label)
    with pytest.raises(Unprojectable, match="without a limit"):
        PartialProgram(game.evaluator, named, [])


def test_a_structure_that_comes_is_of_a_shape_that_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a rule gives another name may be of any; what was there has one of those of the vocabulary."""
    known_in_part(monkeypatch)
    unknown = "add(target(X)) :- does(R,pass), aim(X).\naim(by(R)) :- player(R).\n"
    known = "add(target(X)) :- does(R,pass), target(X).\n"
    for number, (rule, shown) in enumerate(((unknown, False), (known, True))):
        game = load(write(text(SCALES) + rule, tmp_path / str(number), SCALES))
        found = transitions(game.ruleset, decision_sorts(game.ruleset))
        passing = next(t for t in found if t.label == "pass")
        if shown:
            assert PartialProgram(game.evaluator, passing, []).projected.kept.shapes
            continue
        with pytest.raises(Unprojectable, match="any shape"):
            PartialProgram(game.evaluator, passing, [])


def test_what_a_rulebook_calls_like_a_shape_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known_in_part(monkeypatch)
    assert shapes_of(load(write(text(SCALES), tmp_path / "as it is", SCALES)).ruleset)
    rules = text(SCALES) + "target_of_of(R,near,g(1)) :- player(R).\n"
    assert not shapes_of(load(write(rules, tmp_path / "called so", SCALES)).ruleset)


def test_a_vocabulary_of_any_fact_is_not_known_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_in_part(monkeypatch)
    rules = text() + "fluent(X) :- extra(X).\nextra(cart(R,yard,g(0),1)) :- player(R).\n"
    with pytest.raises(Unprojectable, match="fluent"):
        decision_sorts(load(write(rules, tmp_path)).ruleset)


# -- the vocabulary taken apart ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", [FOLDER, SCALES])
def test_taken_apart_it_has_the_same_facts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known_in_part(monkeypatch)
    ruleset = load(write(text(folder), tmp_path, folder)).ruleset
    known = stated(ruleset)
    assert all(x.whole for x in known.values())
    found = [
        fact
        for (name, arity), x in known.items()
        for part in x.parts
        for key, values in part.values.items()
        for fact in _facts(name, arity, key, values, part.places)
        if name in SMALL
    ]
    assert sorted(found) == sorted(str(f) for f in domains(ruleset).fluents if f.name in SMALL)


def _facts(name: str, arity: int, key: Any, values: Any, places: Any) -> Iterator[str]:
    """The facts with these kept arguments, where one is left out at most besides the value."""
    for value in values or [None]:
        for left in next(iter(places.values())) if places else [None]:
            given = iter(key)
            own = arity - (value is not None)
            args = [str(left) if i in places else str(next(given)) for i in range(own)]
            args += [] if value is None else [str(value)]
            yield f"{name}({','.join(args)})" if args else name


def test_of_large_relations_the_plain_engine_says_the_same() -> None:
    """Of each rule some facts with the largest value are of the vocabulary; with one more they are not."""
    game, random = load("vive", players=3), Random(0)
    inside, outside = [], []
    for (name, arity), known in stated(game.ruleset).items():
        for part in known.parts:
            for key in (
                random.sample(sorted(k for k, v in part.values.items() if v), 2) if name in LARGE else []
            ):
                places = {
                    i: frozenset(random.sample(sorted(x), min(3, len(x)))) for i, x in part.places.items()
                }
                most = max(part.values[key])
                inside += _facts(name, arity, key, [most], places)
                outside += _facts(name, arity, key, [most + 1], places)
    assert len(inside) > 25
    witnesses = {
        w
        for i, w in game.evaluator.broken(frozenset(map(symbols.read, [*inside, *outside])), waive=False)
        if i == "vocabulary"
    }
    assert witnesses == set(outside)


def test_that_no_position_is_of_the_vocabulary_shows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_in_part(monkeypatch)
    game = load(write(text(), tmp_path))
    send = next(t for t in transitions(game.ruleset, decision_sorts(game.ruleset)) if t.label == "send")
    monkeypatch.setattr(Stated, "keys", property(lambda _: set()))
    found = books(game.evaluator, send, invariants(game.ruleset).assumed, frozenset(), ())
    assert found == Booked(outside="no position before it is of the vocabulary")


# -- Vive le Roi -------------------------------------------------------------------------------------------------------


def booked(game: Game, label: str) -> Booked:
    """The books of a transition, with what they keep beside."""
    ruleset = game.ruleset
    transition = next(t for t in transitions(ruleset, decision_sorts(ruleset)) if t.label == label)
    lost = frozenset((i, ANY) for i in ("loads", "reach"))
    return books(game.evaluator, transition, invariants(ruleset).assumed, lost, ("loads", "reach"))


@pytest.mark.long
@pytest.mark.parametrize("label", sorted({label for label, *_ in SPOILT.values()}))
def test_every_transition_keeps_to_the_vocabulary(label: str) -> None:
    assert booked(load("vive", players=3), label) == Booked()


@pytest.mark.long
@pytest.mark.parametrize("name", SPOILT)
def test_what_is_spoilt_is_seen(name: str, tmp_path: Path) -> None:
    label, file, old, new = SPOILT[name]
    folder = tmp_path / "vive"
    shutil.copytree(asp_folder() / "vive", folder)
    rules = (folder / f"{file}.lp").read_text(encoding="utf-8")
    assert old in rules
    (folder / f"{file}.lp").write_text(rules.replace(old, new), encoding="utf-8")
    assert booked(load(folder, players=3), label).outside is not None
