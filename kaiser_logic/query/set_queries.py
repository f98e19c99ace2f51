"""Queries about actions that name sets of things, which cannot all be tried.

Whether *some* set is legal the solver tells by choosing one. That *no* set is legal it can only say of sets that it
knows: a position found so is asked again as a given one, and where a set is legal after all, that set is known from
then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.sets import knows_sets, sets_in
from ..engine.symbols import ground
from ..errors import NotDecided, WrongUsage
from ..evaluation.evaluator import Evaluator
from ..rules.pattern import Pattern, Signature, show
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rule import Atom
from ..symbolic.open_sets import Sets, opened
from .check import Check
from .formula import AFTER, Fact, Without, atoms, names
from .language import Query

UNDECIDED = (
    "of sets of things a query can ask whether some set is legal, a given one, or none; "
    "not whether several are, nor whether one is of which only a part is given"
)
_ALL_SETS = "what all sets of things do cannot be asked together with violates(...)"
_ANY: Pattern = ("v", "_")
_FEW = 20
_SORT = re.compile(r"\bset\((\w+)\)")


class SetQueries:
    """The sets that a query is about.

    Attributes:
        asks: Whether it is about any.
        known: The sets that are tried.
        terms: What stands for them in the query; a variable for a whole action too.
    """

    def __init__(self, evaluator: Evaluator, query: Query) -> None:
        """Sets that the query itself names are known from the start.

        Raises:
            WrongUsage: The query has something else in the place of a set.
            NotDecided: It asks what all sets do, together with ``violates``.
        """
        self._evaluator = evaluator
        self._query = query
        self._places = _places(evaluator.ruleset)
        self.terms = tuple(t for _, t in self._terms(query.atoms))
        self.asks = bool(self.terms)
        for term in self.terms:
            if term[0] == "f" and term[1] != "with":
                raise WrongUsage(f"{show(term)} is no set of things")
        given = [ground(t) for t in self.terms if t[0] == "f" and not _open(t)]
        self.known = {t for t in given if Sets(opened(evaluator.ruleset)).real(t)}
        if self._vague and query.asks(VIOLATES):
            raise NotDecided(_ALL_SETS)

    def _terms(self, found_in: Iterable[Atom]) -> list[tuple[Pattern, Pattern]]:
        """What stands in the place of a set in these atoms, after its role; a variable for a whole action too."""
        found: list[tuple[Pattern, Pattern]] = []
        for role, action in (a.args[:2] for a in found_in if a.signature in (LEGAL, VIOLATES, AFTER)):
            if action[0] == "v":
                found += [(role, action)] if self._places else []
            elif action[0] == "f":
                found += [(role, action[2][i]) for i in self._places.get((action[1], len(action[2])), ())]
        return found

    @cached_property
    def _chosen(self) -> list[tuple[Pattern, Pattern]]:
        """The sets that are to be chosen for a role."""
        return [(role, t) for role, t in self._terms(self._query.stated) if t[0] == "v"]

    @property
    def decides(self) -> bool:
        """Whether finding nothing proves that there is nothing: one set is chosen, and it has no shape of its own."""
        counted, stated = self._terms(self._query.counted), self._terms(self._query.stated)
        shaped = any(t[0] == "f" and _open(t) for _, t in stated)
        several = len(set(self._chosen)) > 1 or [t for _, t in self._chosen].count(_ANY) > 1
        return not (counted or shaped or several or self._compared)

    @property
    def _compared(self) -> bool:
        """Whether a set that is chosen stands in a comparison."""
        sets = {str(t[1]) for _, t in self._terms(self._query.atoms) if t[0] == "v"}
        others = [p for b in self._query.branches for p in b.parts if not isinstance(p, Fact)]
        others = [p for p in others if not (isinstance(p, Without) and isinstance(p.formula, Fact))]
        return any(sets & names(p) for p in others)

    @cached_property
    def _vague(self) -> bool:
        """Whether what the solver finds has to be checked: it does not know all sets that the query is about."""
        query = self._query
        named = {(role, t) for role, t in self._chosen if t != _ANY}
        denied = self._terms(denied_or_counted(query))
        return self._compared or any(_open(t) and (role, t) not in named for role, t in denied)

    @cached_property
    def _check(self) -> Check:
        return Check(self._evaluator, self._query)

    def holds(self, facts: Sequence[str]) -> bool:
        """Whether the query holds in the position, all sets considered; else sets that are legal there are known."""
        if not self._vague:
            return True
        position = frozenset(map(symbols.read, facts))
        actions = [a for _, a in self._evaluator.legal(position)]  # NotDecided: too many
        if self._check.holds(position):
            return True
        self.known.update([s for a in actions for s in sets_in(a) if s not in self.known][:_FEW])
        return False


def denied_or_counted(query: Query) -> list[Atom]:
    """The atoms that do not stand by themselves: under ``not`` and in braces."""
    others = (p for b in query.branches for p in b.parts if not isinstance(p, Fact))
    return [a for part in others for a in atoms(part)]


def _places(ruleset: Ruleset) -> dict[Signature, set[int]]:
    """For each kind of action that names a set, which of its arguments is one."""
    found: dict[Signature, set[int]] = {}
    for kind in ruleset.book.kinds if knows_sets(ruleset.book) else ():
        names = set(_SORT.findall(kind.guard))
        if kind.action[0] == "f":
            places = {i for i, a in enumerate(kind.action[2]) if a[0] == "v" and a[1] in names}
            found.setdefault((kind.action[1], len(kind.action[2])), set()).update(places)
    return {signature: places for signature, places in found.items() if places}


def _open(pattern: Pattern) -> bool:
    return pattern[0] == "v" or (pattern[0] == "f" and any(map(_open, pattern[2])))
