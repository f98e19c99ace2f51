"""The small game of docs/write/rulebooks.md, and variants: three players take one to three of twelve stones in turn."""

from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "heap"

SCORED = {
    '"decisions", "end"]': '"decisions", "end", "scoring"]\nexports = ["goal/2", "winner/1"]',
    "fluent(took(R))           :- player(R).": "fluent(took(R)) :- player(R).\n"
    "fluent(points(R,N)) :- player(R), number(N).\nstated(points,2).",
    "init(heap(12)).": "init(heap(12)).\ninit(points(R,0)) :- player(R).",
    "goal(R,1) :- terminal, took(R), ruling(last_stone,wins).": "",
    "goal(R,0) :- terminal, player(R), not took(R), ruling(last_stone,wins).": "",
    "goal(R,0) :- terminal, took(R), ruling(last_stone,loses).": "",
    "goal(R,1) :- terminal, player(R), not took(R), ruling(last_stone,loses).": "",
}
"""Changes that add points without a limit; engine/scoring.lp makes them the result of the game."""


INDIFFERENT = {
    "goal(R,1) :- terminal, took(R), ruling(last_stone,wins).": "goal(R,1) :- terminal, took(R).",
    "goal(R,0) :- terminal, player(R), not took(R), ruling(last_stone,wins).": "goal(R,0) :- terminal, player(R), not took(R).",
    "goal(R,0) :- terminal, took(R), ruling(last_stone,loses).": "",
    "goal(R,1) :- terminal, player(R), not took(R), ruling(last_stone,loses).": "",
}
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


def variant(folder: Path, changes: Mapping[str, str]) -> Path:
    """A copy of the game's folder with other lines; a missing line is an error."""
    left = set(changes)
    target = folder / "heap"
    target.mkdir()
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8")
        for old, new in changes.items():
            if old in text:
                text = text.replace(old, new)
                left.discard(old)
        (target / file.name).write_text(text, encoding="utf-8")
    assert not left
    return target
