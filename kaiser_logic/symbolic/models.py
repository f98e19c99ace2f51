"""What a model of an encoding says: the first position's facts, and who does what; and the smallest such position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.fresh import argument
from ..rules.pattern import Substitution, show, substitute
from ..rules.rulebook import ActionKind
from ..transform.action_splitting import numbered
from ..transform.rewrite import literal
from . import names
from .encoding import Encoding
from .open_sets import Sets, opened
from .solver import SPARSE

FEWEST: Final = (*SPARSE, "--opt-strategy=usc,oll,stratify", "--configuration=handy")
"""The solver's options where `fewest` is asked for: what cannot be had together raises the least cost until it can.

The strata give good positions on the way, so that a search that comes to the end of its effort has one.
"""


def fewest(encoding: Encoding) -> list[str]:
    """Minimise what lies in the first position and what sets hold: every fact, a counted one by its count.

    A count below nothing counts like one above: otherwise the deepest debt would make the smallest position.
    """
    counters = encoding.ruleset.book.counters
    lines = []
    for name, arity in sorted({symbols.signature(f) for f in encoding.domains.fluents} - {("seat", 2)}):
        args = [f"X{k}" for k in range(arity)]
        weight = f"|{args[-1]}|" if (name, arity) in counters else "1"
        lines.append(f":~ {literal(name, *args)}. [{','.join((weight, name, *args))}]")
    return [*lines, ":~ chosen(M,C,N). [N,chosen,M,C,N]", "chosen(none,none,0) :- #false."]


def decode_facts(ruleset: Ruleset, model: Iterable[clingo.Symbol]) -> tuple[str, ...]:
    """The facts of a model's first position, sorted."""
    fluents = ruleset.book.fluents
    return tuple(sorted(symbols.text(s) for s in model if symbols.signature(s) in fluents))


def decode_actions(
    ruleset: Ruleset, kinds: Iterable[ActionKind], model: Sequence[clingo.Symbol], transition: int
) -> tuple[tuple[str, str], ...]:
    """Who does what in a transition of a model, by these kinds of action: pairs of role and action, sorted."""
    by_index = {k.index: k for k in kinds}
    sets = Sets(opened(ruleset))
    chosen = [s.arguments for s in model if s.name == names.argument(transition)]
    found = []
    for role, index in (s.arguments for s in model if s.name == names.does(transition)):
        binding: Substitution = {
            ("v", argument(position.number)): symbols.value_pattern(value)
            for r, i, position, value in chosen
            if (r, i) == (role, index)
        }
        action = substitute(numbered(by_index[index.number])[0], binding)
        found.append((symbols.text(role), show(sets.read(action, model))))
    return tuple(sorted(found))
