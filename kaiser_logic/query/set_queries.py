"""Queries about actions that name sets of cards: there are too many sets to try all of them.

If a query asks for *some* legal set, the solver chooses one. If it demands that *no* set is legal, the program checks this only
for known sets. The plain engine then evaluates the query in each position found; if another set is legal there, it becomes a
known set, and the search is repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.sets import is_set, knows_sets, naming_kinds, sets_in
from ..engine.symbols import symbol_of
from ..errors import NotDecided, WrongUsage
from ..evaluation.evaluator import Evaluator
from ..lang import algebra
from ..lang.algebra import is_ground, variables
from ..lang.printer import show_term
from ..lang.terms import Atom, Fun, Signature, Term, Var
from ..lang.unification import label
from ..rules.predicates import DECISION, LEGAL, VIOLATES
from .actions import one_at_a_time, unifiable
from .evaluation import Evaluation
from .formula import AFTER, Compared, FactPattern, Part, Together, Without, aggregates, atoms, names
from .language import Query, atoms_stated, is_nested

UNDECIDED = (
    "a query can ask whether any set, one fully given set, or no set is legal; "
    "it cannot ask about several sets, or about one that is given in part"
)
_ALL_SETS = "what all sets of things do cannot be asked together with violates(...)"
_ANY: Term = Var("_")
_FEW = 20


class SetQueries:
    """The sets of cards that a query mentions.

    Attributes:
        asks: Whether it mentions any.
        known: The sets that the program tries.
        terms: The terms for sets in the query; also a variable for a whole action that may name one.
        filled: Whether only sets that are not empty are chosen, since the empty one made a query fail; then finding nothing
            proves
            nothing.
    """

    filled = False

    def __init__(self, evaluator: Evaluator, query: Query) -> None:
        """Finds the sets; those that the query writes out are known.

        Raises:
            WrongUsage: The query has another term in the place of a set.
            NotDecided: It makes a statement about all sets, together with ``violates``.
        """
        self._evaluator = evaluator
        self._query = query
        self._places = _places(evaluator.ruleset)
        self.terms = tuple(t for _, t in self._terms(query.atoms))
        self.asks = bool(self.terms)
        for term in self.terms:
            if isinstance(term, Fun) and term.name != "with":
                raise WrongUsage(f"{show_term(term)} is no set of things")
        given = [symbol_of(t) for t in self.terms if isinstance(t, Fun) and is_ground(t)]
        self.known = {t for t in given if is_set(t, evaluator.ruleset.facts("thing", 3))}
        if self._vague and query.asks(VIOLATES):
            raise NotDecided(_ALL_SETS)

    def _terms(self, found_in: Iterable[Atom]) -> list[tuple[Term, Term]]:
        """The terms for sets in these atoms, each with its role; also variables for whole actions that may name one."""
        terms: list[tuple[Term, Term]] = []
        for role, action in (a.args[:2] for a in found_in if a.signature in (LEGAL, VIOLATES, AFTER)):
            if isinstance(action, Var):
                terms += [(role, action)] if self._places and not self._other_decisions else []
            elif isinstance(action, Fun):
                kinds = self._places.get((action.name, len(action.args)), ())
                terms += dict.fromkeys((role, t) for kind, names in kinds for t in _sets_at(kind, names, action))
        return terms

    @cached_property
    def _chosen(self) -> list[tuple[Term, Term]]:
        """The variables for sets in positive facts, each with its role: the solver chooses these sets."""
        return [(role, t) for role, t in self._terms(self._query.stated) if isinstance(t, Var)]

    @property
    def decides(self) -> bool:
        """Whether finding nothing proves that there is nothing: at most one set is chosen, and no part of it is given."""
        parts = [p for b in self._query.branches for p in b.parts if is_nested(p) and not _is_denied(p)]
        counted = self._terms(a for part in parts for a in atoms(part))
        shaped = any(isinstance(t, Fun) and not is_ground(t) for _, t in self._terms(self._query.stated))
        several = len(set(self._chosen)) > 1 or [t for _, t in self._chosen].count(_ANY) > 1
        return not (counted or shaped or several or self._compared)

    @property
    def _compared(self) -> bool:
        """Whether a set occurs in other parts than facts, so that its name in the program may not be enough.

        This does not count for a negated conjunction without chosen sets: the program negates it for fewer actions than there
        are, which leaves more positions, so finding nothing is still a proof.
        """
        sets = {str(t.name) for _, t in self._terms(self._query.atoms) if isinstance(t, Var)}
        others = [p for b in self._query.branches for p in b.parts if not isinstance(p, FactPattern)]
        chosen = {label(t) for _, t in self._chosen}
        return any(sets & names(p) for p in others if not (_is_denied(p) and not chosen & names(p)))

    @cached_property
    def _other_decisions(self) -> bool:
        """Whether in each alternative a decision is pending whose actions name no set.

        Then no legal action names one. This does not hold with ``violates``, which is about any action.
        """
        ruleset, query = self._evaluator.ruleset, self._query
        if query.asks(VIOLATES) or not one_at_a_time(ruleset):
            return False
        naming = [kind.decision for kind in naming_kinds(ruleset.book)]
        pending = [[a.args[1] for a in atoms_stated(b) if a.signature == DECISION] for b in query.branches]
        return all(any(not any(unifiable(d, n) for n in naming) for d in decisions) for decisions in pending)

    @cached_property
    def _vague(self) -> bool:
        """Whether the plain engine has to evaluate the query in each position found, as the program lacks some sets."""
        query = self._query
        chosen_sets = {(role, t) for role, t in self._chosen if t != _ANY}
        denied = self._terms(denied_or_counted(query))
        return self._compared or any(not is_ground(t) and (role, t) not in chosen_sets for role, t in denied)

    @cached_property
    def _check(self) -> Evaluation:
        return Evaluation(self._evaluator, self._query)

    def holds(self, facts: Sequence[str]) -> bool:
        """Whether the query holds in the position for all sets; if not, some sets that are legal there become known.

        Raises:
            NotDecided: There are too many legal actions.
        """
        if not self._vague:
            return True
        position = frozenset(map(symbols.read_symbol, facts))
        actions = [a for _, a in self._evaluator.legal(position)]  # NotDecided: too many
        if self._check.holds(position):
            return True
        more = [s for a in actions for s in sets_in(a) if s not in self.known][:_FEW]
        self.filled = self.filled or not more
        self.known.update(more)
        return False


def denied_or_counted(query: Query) -> list[Atom]:
    """The atoms of a query within ``not``, comparisons and braces."""
    others = (p for b in query.branches for p in b.parts if not isinstance(p, FactPattern))
    return [a for part in others for a in atoms(part)]


def _places(ruleset: Ruleset) -> dict[Signature, list[tuple[Term, set[str]]]]:
    """The kinds of action that name sets, by name and arity; each with its variables for sets."""
    kinds: dict[Signature, list[tuple[Term, set[str]]]] = {}
    for kind in ruleset.book.kinds if knows_sets(ruleset.book) else ():
        set_variables = set(algebra.variables(*kind.drawn_from("set")))
        if isinstance(kind.action, Fun) and set_variables:
            kinds.setdefault((kind.action.name, len(kind.action.args)), []).append((kind.action, set_variables))
    return kinds


def _sets_at(kind: Term, names: Set[str], term: Term) -> Iterator[Term]:
    """The terms at the places of a kind's sets; also a variable for a subterm that contains one."""
    if isinstance(kind, Var):
        if kind.name in names:
            yield term
    elif isinstance(kind, Fun) and isinstance(term, Var):
        if names & set(variables(kind)):
            yield term
    elif isinstance(kind, Fun) and isinstance(term, Fun) and (kind.name, len(kind.args)) == (term.name, len(term.args)):
        for one, other in zip(kind.args, term.args, strict=True):
            yield from _sets_at(one, names, other)


def _is_denied(part: Part) -> bool:
    """Whether a part is a negated fact, or a negated conjunction of facts and comparisons."""
    if not isinstance(part, Without):
        return False
    inner = part.formula.parts if isinstance(part.formula, Together) else (part.formula,)
    return all(isinstance(p, (FactPattern, Compared)) and not aggregates(p) for p in inner)
