"""A query as the goal of a search: whether it holds in a position, and how far the position is from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final, Protocol

from .. import clingo
from ..engine.grounding import EngineProgram, Grounding
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..lang import terms as lang
from ..lang.algebra import walk
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.reader import rule_from
from ..rules.rule import top
from ..transform.slicing import position_seeds
from ..unrolling.circuit import FALSE, Circuit, Literal
from ..unrolling.symbolic_state import SymbolicState
from .formula import AFTER, FactPattern, names
from .language import Query
from .program import QueryProgram, list_binders

_REMEMBERED: Final = 200_000
"""The number of positions whose answers are kept in memory."""


class Given(Protocol):
    """A given position, as far as a query needs it."""

    @property
    def symbols(self) -> frozenset[clingo.Symbol]:
        """Its facts."""


class QueryGoal:
    """A query as the goal of a search.

    Attributes:
        query: The query.
        program: The rules that derive ``query__`` if the query holds.
    """

    def __init__(self, ruleset: Ruleset, query: Query) -> None:
        """Prepares the program.

        Raises:
            WrongUsage: The query contains ``violates`` or ``after``, which do not depend on the position alone.
        """
        for name, signature in (("violates", VIOLATES), ("after", AFTER)):
            if query.asks(signature):
                raise WrongUsage(f"{name}(...) cannot be asked together with --reachable; legal(...) can")
        self.query = query
        lines = list(query.values(lang.Atom("query__", ())))
        for k, branch in enumerate(query.branches):
            for n, part in enumerate(branch.parts):
                met = lang.Atom("met__", (lang.Int(k), lang.Int(n)))
                bound = set[str]() if isinstance(part, FactPattern) else names(part).intersection(branch.binder)
                parts = tuple(dict.fromkeys([*list_binders(bound, branch.binder), part]))
                lines += QueryProgram([replace(branch, parts=parts)], f"met__{k}_{n}").rules(met)
        rules = map(rule_from, lines)
        fluents = ruleset.book.fluents
        derived = {a.signature for a in query.atoms if a.signature not in fluents} - set(ruleset.static)
        slicer = ruleset.enumerating if query.asks(LEGAL) else ruleset.judging
        needed = slicer.slice(position_seeds(), [top(*s) for s in sorted(derived)])
        self.program: EngineProgram = ruleset.complete((*dict.fromkeys(needed), *rules))
        self._parts = [len(branch.parts) for branch in query.branches]
        self._known: dict[frozenset[clingo.Symbol], int] = {}

    def unmet(self, facts: frozenset[clingo.Symbol]) -> int:
        """The number of unmet literals of the nearest alternative; 0 exactly if the query holds.

        Raises:
            NotDecided: A calculation may leave clingo's 32 bits.
        """
        distance = self._known.get(facts)
        if distance is None:
            grounding = Grounding(self.program, facts)
            holds = bool(grounding.get("query__", 0))
            met = Counter(m.arguments[0].number for m in grounding.get("met__", 2))
            far = min(parts - met[k] for k, parts in enumerate(self._parts))
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            distance = self._known[facts] = 0 if holds else max(1, far)
        return distance

    def holds(self, position: Given) -> bool:
        """Whether the query holds in a position."""
        return self.unmet(position.symbols) == 0

    def distance(self, position: Given) -> int:
        """The number of unmet literals of the nearest alternative: see `unmet`."""
        return self.unmet(position.symbols)

    @property
    def words(self) -> frozenset[str]:
        """The constants that the query mentions, such as ``green``."""
        return frozenset(one.text for one in walk(self.query.atoms) if isinstance(one, lang.Name))

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        """The circuit's literal for "the query holds" in a symbolic state."""
        return state.derive(self.program, ("query__", 0)).get((), FALSE)
