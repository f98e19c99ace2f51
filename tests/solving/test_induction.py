"""The induction step of single transitions finds seeded errors in kaiser, and proves the correct rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.kaiser_variant import kaiser_variant
from support.proofs import examined
from support.thinned import thinned

from kaiser_logic.game import load
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.rules.predicates import ENUMERATION

pytestmark = pytest.mark.by_hand

SOUND = load("kaiser")


# the file, the beginning of the line to replace, the new line, the transition, an invariant that falls
ERRORS = [
    (
        "effects",
        'effect_violates(R,move(From,Age,Rank,To,Pushed),"space.entry")',
        "",
        "buy(move,move(From,Age,Rank,To,Pushed))",
        "limit",
    ),
    ("actions", 'violates(R,buy(C,X),"actions.buy.display")', "", "buy(C,hold)", "count"),
    ("arrivals", 'effect_violates(R,baron(E,D),"supply.aristocrat")', "", "buy(permit,baron(E,D))", "limit"),
    (
        "arrivals",
        "pushes_off(E,D)",
        "",
        "buy(permit,baron(E,D))",
        "limit",
    ),
    (
        "effects",
        "leaves(P,Q,45,K)",
        "arrives(P,Q,25,K) :- effect(R,age(Q,P,45,K)).",
        "buy(doctor,age(R,P,G,K))",
        "limit",
    ),
    (
        "effects",
        'effect_violates(R,marry(elector(E),G),"marriage.archbishop")',
        "",
        "buy(foreign_daughter,marry(P,G))",
        "archbishop",
    ),
    ("turns", "add(finished(R))", "", "buy(C,hold)", "marks"),
    (
        "install",
        'violates(R,install(E,G,couple),"electors.install.baron")',
        "",
        "install(E,G,K)",
        "archbishop",
    ),
    (
        "setup",
        'violates(R,elector(E),"setup.elector.vacant") :- candidate(R,elector(E)), seated(E).',
        "",
        "elector(E)",
        "one_elector",
    ),
    ("emperor_action", "del(finished(R))", "", "step round_end", "marks"),
    (
        "common",
        "add(thalers(R,M+N))",
        "add(thalers(R,M+N)) :- earn(R,N), thalers(R,M).",
        "convent",
        "count",
    ),
    (
        "throne",
        "moves(throne,aristocrat(E),R,G,K)",
        "arrives(aristocrat(E),R,G,K) :- does(R,retire(E,D)), deposed(R,G,K).",
        "retire(E,D)",
        "throne",
    ),
]


LABELS = sorted({e[3] for e in ERRORS})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "line", "instead", "label", "invariant"), thinned(ERRORS, 2), ids=[e[1][:40] for e in ERRORS]
)
def test_a_seeded_error_is_found(
    tmp_path: Path, file: str, line: str, instead: str, label: str, invariant: str
) -> None:
    folder = tmp_path / "kaiser"
    shutil.copytree(asp_folder() / "kaiser", folder)
    path = folder / f"{file}.lp"
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(i for i, text in enumerate(lines) if text.startswith(line))
    while lines[at + 1].startswith("    "):
        del lines[at + 1]
    lines[at] = instead
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert examined(load(folder), label, invariant).broken[invariant].replayed


@pytest.mark.slow
@pytest.mark.parametrize("label", thinned(LABELS, 2))
def test_the_correct_rules_are_proved(label: str) -> None:
    found = examined(SOUND, label)
    assert not found.broken and not found.trouble
    assert set(found.verdicts.values()) == {"proved"}
    assert found.possible


@pytest.mark.slow
def test_archbishops_may_be_married_by_a_ruling() -> None:
    game = load("kaiser", options={"archbishop_marriage": "allowed"})
    for label, action in (
        ("accept", "accept"),
        ("buy(foreign_daughter,marry(P,G))", "buy(foreign_daughter,marry("),
    ):
        example = examined(game, label, "archbishop").broken["archbishop"]
        assert example.replayed
        assert example.actions[0][1].startswith(action)


@pytest.mark.slow
def test_impossible_transitions_are_found() -> None:
    assert not examined(SOUND, "buy(C,none)").possible
    assert not examined(SOUND, "step tally", "one_phase").possible


@pytest.mark.slow
def test_a_legal_action_that_is_not_listed_is_found(tmp_path: Path) -> None:
    folder = kaiser_variant(tmp_path, "knights.lp", "room(E,S), spare(R,knight)", "room(E,S), S = castle")
    assert examined(load(folder), "knight(E,S) at turn", ENUMERATION).broken[ENUMERATION].replayed
