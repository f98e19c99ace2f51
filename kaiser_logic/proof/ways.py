"""A hard question asked case by case: by which rule a goal falls, and for which witness.

That a goal falls has several rules, and each of them many instances. What refutes one of them is mostly of no use for the
others, so that all at once are harder than one after the other. For each rule

    wrong__0(strongest,E) :- one_piece__0(E,R,X,N); not other_piece__0(E,R,X); not power(E,R,N).

the program gets its body under another name, and so an atom for each witness:

    by__0(E) :- one_piece__0(E,R,X,N); not other_piece__0(E,R,X); not power(E,R,N).

Each of these atoms is assumed, one after the other, and then that none of them holds. That is all there is, whatever they mean.

Where there are many, the solver itself goes through them (`way_by_way`), each instance of a rule a way of its own, and
decides for one before all else:

    way__(0,(E,R,X,N)) :- one_piece__0(E,R,X,N); not other_piece__0(E,R,X); not power(E,R,N).
    { led__(K,W) : way__(K,W) } 1.      :- way__(_,_), not led__(_,_).

These exclude nothing: where there are ways, one can be chosen. That only one is chosen keeps them apart: a solver that was
led to ``way__`` itself would decide for one after the other, and learn of all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..rules.pattern import variables
from ..rules.predicates import BROKEN, WRONG
from ..rules.reader import rule_of
from ..symbolic import names
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import GENERAL
from ..symbolic.solver import LED, Model, Solver
from .obligations import BAD

_BY: Final = "by__"
_WAY: Final = "way__"
_LED: Final = "led__"
_WHOLE: Final = 1_000
"""So many conflicts of the solver are spent on a question before it is asked case by case."""
_CASES: Final = 256
"""It is asked so if there are so many cases at most."""


def divide(encoding: Encoding, encoded: EncodedTransition, goals: Sequence[str]) -> None:
    """Adds the rules by which goals fall under names of their own."""
    for k, line in enumerate(falling_by(encoding, encoded, goals)):
        head, _, body = line.partition(" :- ")
        if body:
            encoding.add(f"{_BY}{k}(({head.partition(',')[2][:-1]})) :- {body}")


def way_by_way(solver: Solver, falling: Iterable[str]) -> Solver:
    """The same program, grounded, for a solver that goes through the ways in which goals fall one by one.

    Args:
        solver: Of the program.
        falling: The rules by which goals fall (`falling_by`), or some of them: each instance is a way.
    """
    lines = [f"{{ {_LED}(K,W) : {_WAY}(K,W) }} 1.", f":- {_WAY}(_,_), not {_LED}(_,_)."]
    for k, line in enumerate(falling):
        _, _, body = line.partition(" :- ")
        if body:
            lines.append(f"{_WAY}({k},({', '.join(['x', *_told_apart(line)])})) :- {body}")
    lines.append(f"{_WAY}(none,none) :- #false.")
    own = Solver("\n".join([solver.text, *lines]), solver.facts, [*solver.options, *LED])
    ways = sorted(str(atom.symbol) for atom in own.control.symbolic_atoms.by_signature(_LED, 2))
    own.add("led", "\n".join(f"#heuristic {way}. [1,true]" for way in ways))
    return own


def _told_apart(line: str) -> list[str]:
    """The variables of a rule by which its instances are told apart: those of its head, and of what it reads."""
    rule = rule_of(line)
    found = variables(tuple(arg for atom in (*rule.heads, *rule.positive) for arg in atom.args))
    return [name for name in found if not name.startswith("_")]


def falling_by(encoding: Encoding, encoded: EncodedTransition, goals: Sequence[str]) -> list[str]:
    """The rules by which goals fall, each a line; others may do so, too."""
    own = encoding.name(BROKEN), names.of_transition(WRONG[0], encoded.number, encoding.mark)
    starts = tuple(f"{head}({goal}," for goal in goals for head in ((BAD[0],) if goal in GENERAL else own))
    return [line for line in encoding.lines if line.startswith(starts)]


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
