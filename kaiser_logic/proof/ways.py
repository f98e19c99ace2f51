"""A hard question asked case by case: by which rule a goal falls, and for which witness.

That a goal falls has several rules, and each of them many instances. What refutes one of them is mostly of no use for the
others, so that all at once are harder than one after the other. For each rule

    wrong__0(strongest,E) :- one_piece__0(E,R,X,N); not other_piece__0(E,R,X); not power(E,R,N).

the program gets its body under another name, and so an atom for each witness:

    by__0(E) :- one_piece__0(E,R,X,N); not other_piece__0(E,R,X); not power(E,R,N).

Each of these atoms is assumed, one after the other, and then that none of them holds. That is all there is, whatever they mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..rules.predicates import BROKEN, WRONG
from ..symbolic import names
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import GENERAL
from ..symbolic.solver import Model, Solver
from .obligations import BAD

_BY: Final = "by__"
_WHOLE: Final = 1_000
"""So many conflicts of the solver are spent on a question before it is asked case by case."""
_CASES: Final = 256
"""It is asked so if there are so many cases at most."""


def divide(encoding: Encoding, encoded: EncodedTransition, goals: Sequence[str]) -> None:
    """Adds the rules by which goals fall under names of their own."""
    own = encoding.name(BROKEN), names.of_transition(WRONG[0], encoded.number, encoding.mark)
    starts = tuple(f"{head}({goal}," for goal in goals for head in ((BAD[0],) if goal in GENERAL else own))
    falling = [line.partition(" :- ") for line in encoding.lines if line.startswith(starts)]
    for k, (head, _, body) in enumerate(falling):
        if body:
            encoding.add(f"{_BY}{k}(({head.partition(',')[2][:-1]})) :- {body}")


def some(solver: Solver) -> Model | None:
    """A model in which a goal falls, as the solver's program demands; where that is hard, sought case by case."""
    model, decided = solver.search(_WHOLE, usual_first=True, turn=_WHOLE)
    if decided:
        return model
    cases = list(_cases(solver))
    if not 0 < len(cases) <= _CASES:
        return solver.model()
    none = [f"not {case}" for case in cases]
    found = (solver.search(None, *case, usual_first=True)[0] for case in (*([c] for c in cases), none))
    return next((model for model in found if model is not None), None)


def _cases(solver: Solver) -> Iterator[str]:
    """The atoms for which rule, and which witness, it is that a goal falls."""
    atoms = solver.control.symbolic_atoms
    for name, arity, positive in atoms.signatures:
        if positive and name.startswith(_BY):
            yield from sorted(str(atom.symbol) for atom in atoms.by_signature(name, arity))
