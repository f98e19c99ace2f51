"""Books of Vive le Roi's hardest transitions, and of spoilt ones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kaiser_logic.game import Game, load
from kaiser_logic.proof.conserved import Booked, books
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.projected import decision_sorts
from kaiser_logic.symbolic.projection import ANY
from kaiser_logic.symbolic.transitions import transitions

pytestmark = pytest.mark.long

SHOWN = ("step settle", "take(person(K,P,G))", "bribe(R,person(K,P,G))", "assign(gold(V),treasury)")
SPOILT = {
    "the load that was there is forgotten": (
        "step settle",
        "spoils",
        "gain(discard(gold(2)),I,load)                  :- bribed(_,_,_,g(_,I,_)), I > 0.",
        "",
    ),
    "what is paid goes to a faithful person and with a won one": (
        "step settle",
        "spoils",
        "gain(person(Q,K,P,H),1,faithful)                       :- bribed(Q,K,P,G), not won, paid(H).",
        "gain(person(Q,K,P,H),1,faithful) :- bribed(Q,K,P,G), paid(H).",
    ),
    "gold of two stakes is freed under one mark": (
        "step settle",
        "spoils",
        "frees(R,G,N,stake(earlier,K,G))                :- due(settle), stake(R,earlier,K,G,N).",
        "frees(R,G,N,stake) :- due(settle), stake(R,earlier,K,G,N).",
    ),
    "a person is taken that is not there": (
        "take(person(K,P,G))",
        "taking",
        'violates(R,take(person(K,P,G)),"take.there") :- candidate(R,take(person(K,P,G))), takes(R,_,Q), not person(Q,K,P,G,_).',
        "",
    ),
    "a person is bribed who carries something else": (
        "bribe(R,person(K,P,G))",
        "exchange",
        "candidate(R,bribe(Q,person(K,P,G))), not person(Q,K,P,G,_).",
        "candidate(R,bribe(Q,person(K,P,G))), not person(Q,K,P,_,_).",
    ),
}
"""A transition, the file, and which text becomes which."""


def booked(game: Game, label: str) -> Booked:
    """The books of a transition, with loads to be shown as well."""
    ruleset = game.ruleset
    transition = next(t for t in transitions(ruleset, decision_sorts(ruleset)) if t.label == label)
    lost = frozenset({("loads", ANY), ("loads", "person"), ("loads", "two")})
    return books(game.evaluator, transition, invariants(ruleset).assumed, lost, ("loads",))


@pytest.mark.parametrize("label", SHOWN)
def test_nothing_is_lost_or_made(label: str) -> None:
    assert booked(load("vive", players=3), label) == Booked()


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_spoilt_is_not_shown(name: str, tmp_path: Path) -> None:
    label, file, old, new = SPOILT[name]
    folder = tmp_path / "vive"
    shutil.copytree(asp_folder() / "vive", folder)
    text = (folder / f"{file}.lp").read_text(encoding="utf-8")
    assert old in text
    (folder / f"{file}.lp").write_text(text.replace(old, new), encoding="utf-8")
    assert booked(load(folder, players=3), label) != Booked()
