"""Positions by property: an open position under a query."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import clingo

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.symbols import ground
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern, canonical, unify
from ..rules.predicates import DECISION, LEGAL, QUESTION, SUBMITTED, VIOLATES
from ..rules.rule import Atom, Rule, top
from ..symbolic.domains import Domains, bound_of, domains
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import invariants
from ..symbolic.models import FEWEST, decode_facts, fewest
from ..symbolic.numbers import SUMMED, Need, need, unlimited
from ..symbolic.open_sets import Sets, opened
from ..symbolic.solver import SPARSE, Solver
from ..transform.action_splitting import numbered
from ..transform.rewrite import literal, rename
from ..transform.slicing import seeds
from ..workers import OUT_OF_MEMORY, TIMEOUT, Job, Pool
from .check import Check, fresh, renamed, submissions
from .language import Query, parse_query
from .set_queries import UNDECIDED, SetQueries

_ROUNDS: Final = 20
"""So often sets of things that make a query fail are tried too."""
_FEW: Final = 40
"""Numbers up to this one are looked at where not all can be."""
_MOST: Final = 400
"""So many numbers are looked at at most."""
_ONE_DECISION: Final = "one_decision"
_JUDGED: Final = "judged__"
"""What marks the predicates by which actions are judged that nobody need have a decision for."""
_EFFORT: Final = 50_000
"""So many conflicts of the solver are spent on making a position small."""
_EXACT: Final = "exact"
"""The question itself: what it finds is an answer, and finding nothing is a proof."""
_RELAXED: Final = "relaxed"
"""The same without exact totals, so of more positions than there are: finding nothing is a proof, and comes sooner."""


@dataclass(frozen=True)
class FoundFacts:
    """Positions in which a query holds.

    Attributes:
        positions: The facts of valid positions, each different in what the query speaks of.
        exhausted: Whether there is none besides these (proved).
        note: What else is to be said, e.g. that a smallest one was not proved to be smallest.
        reason: Why it is not known whether there are more, where that is so though nothing more was found.
    """

    positions: tuple[tuple[str, ...], ...]
    exhausted: bool
    note: str = ""
    reason: str = ""


def find(
    evaluator: Evaluator,
    query: str,
    count: int = 1,
    timeout: float = 60.0,
    smallest: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> FoundFacts:
    """Valid positions in which the query holds.

    Args:
        evaluator: What judges given positions under the rules in force.
        query: See :mod:`.language`.
        count: How many, at most.
        timeout: How long to look, in seconds.
        smallest: Whether they are to have as few pieces as can be found.
        progress: Told what goes on.

    Raises:
        UnreadableInput: The query is none.
        WrongUsage: It asks for what the game does not know.
        NotDecided: The time or the memory was too short to tell, or nobody can.
    """
    asked = parse_query(query, evaluator.ruleset.book)
    sets = SetQueries(evaluator, asked)
    progress("looking for a position")
    jobs = [
        Job(_EXACT, partial(_search, evaluator, asked, sets, count, smallest, True)),
        Job(_RELAXED, partial(_search, evaluator, asked, sets, 1, False, False)),
    ]
    failures = []
    for answer in Pool(jobs, 2, time.monotonic() + timeout):
        if answer.value is None:
            failures.append(str(answer.failure))
        elif not answer.value.positions and not answer.value.exhausted:
            if answer.name == _EXACT or answer.value.reason:
                raise NotDecided(answer.value.reason)
        elif answer.name == _EXACT or not answer.value.positions:
            return answer.value
    reason = "its memory limit" if OUT_OF_MEMORY in failures else f"{timeout:g} s"
    if any(f not in (OUT_OF_MEMORY, TIMEOUT) for f in failures):
        raise NotDecided(failures[0])
    raise NotDecided(f"not decided within {reason}")


def _search(
    evaluator: Evaluator, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> FoundFacts:
    """What is found; in a child.

    Where a query says that no set of things is legal, a few sets are tried at first; a position where another one is
    legal is refused, and that one tried too from then on.
    """
    for _ in range(_ROUNDS):
        found = _tried(evaluator, query, sets, count, smallest, exact)
        if exact and not all([sets.holds(facts) for facts in found.positions]):
            continue
        if found.exhausted and not sets.decides:
            raise NotDecided(UNDECIDED)
        return found
    raise NotDecided("too many sets of things had to be tried")


def _tried(
    evaluator: Evaluator, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> FoundFacts:
    """What is found with the sets known so far."""
    ruleset = evaluator.ruleset
    needed = _numbers(ruleset, query, sets, exact)
    encoding = _asking(ruleset, query, sets, exact, _room(needed, count))
    if smallest:
        encoding.add(*fewest(encoding))
    solver = Solver(encoding.text, encoding.facts, FEWEST if smallest else SPARSE)
    found: list[tuple[str, ...]] = []
    note = ""
    for k in range(count):
        model, proved = solver.best(_EFFORT) if smallest else (solver.model(), True)
        if model is None:
            reason = _unseen(ruleset, query, needed, bool(found))
            return FoundFacts(tuple(found), not reason, note, reason)
        if not proved:
            note = "not proved to be the smallest"
        found.append(decode_facts(ruleset, model))
        if exact:
            _confirm(evaluator, query, sets, model, found[-1])
        if k + 1 < count:
            solver.add(f"next{k}", _other(model, k))
    return FoundFacts(tuple(found), False, note)


# -- numbers without a limit -------------------------------------------------------------------------------------------


class _Reading(Encoding):
    """An encoding that notes which rules it is made of."""

    def __init__(self, ruleset: Ruleset, sorts: Domains) -> None:
        super().__init__(ruleset, sorts)
        self.read: list[Rule] = [*self.totals.counting]
        self.own: list[str] = []

    def emit(self, rule: Rule, moment: int | None = None) -> None:
        """Adds a rule about a moment (by default the last one)."""
        self.read.append(rule)
        super().emit(rule, moment)


def _numbers(ruleset: Ruleset, query: Query, sets: SetQueries, exact: bool) -> Need:
    """Which values of numbers without a limit the question needs."""
    kinds = unlimited(ruleset)
    bound = bound_of(ruleset.book)
    if not kinds:
        return Need((0,), None, frozenset())
    encoding = _asking(ruleset, query, sets, exact, (0,))
    lines = parse_rules("\n".join([*encoding.own, SUMMED]))
    found = need(encoding.ruleset, [*encoding.read, *lines], domains(ruleset, bound, 0).fluents, bound)
    if found.reason is None:
        return found
    # not all can be looked at: those at least that the query names, and some near them
    named = {abs(int(n)) for n in re.findall(r"\b\d+\b", query.body)}
    near = {v + e for v in {*named, *(a + b for a in named for b in named)} for e in range(-3, 4)}
    values = {*found.values, *range(_FEW + 1), *(v for v in near if v >= 0)}
    return Need(tuple(sorted(values)[:_MOST]), found.reason, found.places)


def _room(needed: Need, count: int) -> tuple[int, ...]:
    """These values, and some more where several positions are wanted."""
    top = max(needed.values)
    return (*needed.values, *range(top + 1, top + min(count, _FEW)))


def _unseen(ruleset: Ruleset, query: Query, needed: Need, some: bool) -> str:
    """Why there may be more positions than those that were found; empty if there are none."""
    top = max(needed.values)
    if needed.reason is not None:
        return f"numbers without a limit were not looked at beyond {top}, for {needed.reason}"
    if some and any(p[:2] == a.signature for a in query.stated for p in needed.places):
        return f"numbers without a limit were not all looked at up to {top}, nor any beyond"
    return ""


# -- the question ------------------------------------------------------------------------------------------------------


def _asking(
    ruleset: Ruleset, query: Query, sets: SetQueries, exact: bool, values: Iterable[int]
) -> _Reading:
    """The open position in which the query holds."""
    encoding = _Reading(ruleset, domains(ruleset, margin=0, values=values))
    decisions = _decisions(ruleset, query)
    encoding.open(decisions, [], exact)
    encoding.assume(invariants(ruleset).assumed, decisions, [])
    _derive(encoding, query, decisions, sets)
    spoken = [a for a in query.stated if a.args and a.signature not in (LEGAL, VIOLATES)]
    encoding.own = [f"query :- {renamed(query, _JUDGED + VIOLATES[0])}."]
    for atom in spoken:
        named = literal(atom.name, *_fresh(atom).args)
        encoding.own.append(f"matters({named}) :- query; {named}.")
    encoding.add(*encoding.own, ":- not query.")
    if not spoken:
        for name, arity in {symbols.signature(f) for f in encoding.domains.fluents}:
            fluent = literal(name, *(f"X{k}" for k in range(arity)))
            encoding.add(f"matters({fluent}) :- {fluent}.")
    encoding.add("matters(none) :- #false.")
    return encoding


def _other(model: Sequence[clingo.Symbol], k: int) -> str:
    """Rules that the next answer has not exactly the same of what matters."""
    mattering = [symbols.text(s.arguments[0]) for s in model if symbols.signature(s) == ("matters", 1)]
    lines = [f"seen{k}({m})." for m in mattering]
    lines += [f"seen{k}(none) :- #false.", f"more{k} :- matters(X), not seen{k}(X)."]
    return "\n".join([*lines, f":- {', '.join([*(f'matters({m})' for m in mattering), f'not more{k}'])}."])


def _decisions(ruleset: Ruleset, query: Query) -> list[Pattern]:
    """The kinds of decision that may be pending: those the query names, where others cannot be beside them; or all."""
    kinds = [numbered(k) for k in ruleset.book.kinds]
    stated = {a.signature for a in query.stated}
    asked = [_fresh(a).args[1] for a in query.asks(DECISION)]
    acting = [_fresh(a).args[1] for a in (*query.asks(LEGAL), *query.asks(VIOLATES))]
    if not _one_at_a_time(ruleset):
        pass
    elif DECISION in stated:
        kinds = [k for k in kinds if any(unify(a, k[1], {}) is not None for a in asked)]
    elif LEGAL in stated and not asked:
        kinds = [k for k in kinds if any(unify(a, k[0], {}) is not None for a in acting)]
    return list({canonical((decision,)): decision for _, decision, _ in kinds}.values())


def _one_at_a_time(ruleset: Ruleset) -> bool:
    """Whether the engine's invariant that all who decide have the same decision is met by every valid position."""
    return "decisions" in ruleset.book.manifest.get("engine", ()) and _ONE_DECISION in invariants(ruleset).assumed


def _fresh(atom: Atom) -> Atom:
    """The atom with each ``_`` a variable of its own."""
    return Atom(atom.name, tuple(fresh(("f", "", atom.args))[2])) if atom.args else atom


def _derive(encoding: _Reading, query: Query, decisions: Sequence[Pattern], sets: SetQueries) -> None:
    """Derives what the query asks about."""
    fluents = encoding.ruleset.book.fluents
    names = encoding.name_sets(sets.known) if sets.asks else []
    others = [a for a in query.atoms if a.signature not in (LEGAL, VIOLATES) and a.signature not in fluents]
    encoding.derive([top(*a.signature) for a in others], decisions, [])
    for atom in query.asks(LEGAL):
        encoding.derive([_fresh(atom)], decisions, [], enumerate=True)
    if query.asks(VIOLATES):
        _submit(encoding, query, decisions, names)
    for name, arity in (LEGAL, VIOLATES, QUESTION, SUBMITTED):
        encoding.add(f"{literal(name, *['none'] * arity)} :- #false.")


def _submit(
    encoding: _Reading, query: Query, decisions: Sequence[Pattern], names: Sequence[clingo.Symbol]
) -> None:
    """Submits all actions that can be meant at once, by whoever can be meant, and derives what they violate.

    What speaks of submitted actions has names of its own, apart from what is in question because it may be legal.
    """
    pairs = [p for atom in query.asks(VIOLATES) for p in submissions(encoding.ruleset, atom, names)]
    encoding.facts += [clingo.Function(_JUDGED + SUBMITTED[0], p) for p in dict.fromkeys(pairs)]
    kinds = {k.index: k.action for k in encoding.ruleset.book.kinds}
    meant = [_fresh(atom).args[1] for atom in query.asks(VIOLATES)]
    actions = [a for a in kinds.values() if any(unify(m, a, {}) is not None for m in meant)]
    actions += [m for m in meant if m not in actions]
    judging = encoding.ruleset.judging
    own = judging.transient - encoding.ruleset.book.fluents | {SUBMITTED, VIOLATES}
    for rule in judging.slice(seeds(decisions, (), actions), [top(*VIOLATES)]):
        if any(h.signature in own for h in rule.heads):
            encoding.read.append(rule)
            encoding.add(rename(rule, lambda s: _JUDGED + s[0] if s in own else encoding.name(s)))
        else:
            encoding.emit(rule)
    for name, arity in (VIOLATES, SUBMITTED):
        encoding.add(f"{literal(_JUDGED + name, *['none'] * arity)} :- #false.")


# -- what is found, played again -----------------------------------------------------------------------------------------


def _confirm(
    evaluator: Evaluator,
    query: Query,
    sets: SetQueries,
    model: Sequence[clingo.Symbol],
    facts: Sequence[str],
) -> None:
    """Sees to it that what was found is as asked, by the evaluate reading.

    Raises:
        NotDecided: It is not: the two readings differ, and neither answer can be given.
    """
    position = frozenset(map(symbols.read, facts))
    broken = evaluator.broken(position)
    if broken:
        raise NotDecided(f"a position was found that breaks {broken[0][0]} ({broken[0][1]}): a fault of the tool")
    if sets.asks and query.asks(LEGAL):
        try:
            evaluator.legal(position)
        except NotDecided:
            return  # so many sets that only those can be judged which the solver has chosen
    chosen = []
    if query.asks(VIOLATES):
        known = Sets(opened(evaluator.ruleset))
        judged = (s.arguments for s in model if s.name == _JUDGED + VIOLATES[0])
        for role, action, _ in (a for a in judged if len(a) == 3):
            if sets.asks:
                chosen.append((role, ground(known.read(symbols.value_pattern(action), model))))
    if not Check(evaluator, query).holds(position, chosen):
        raise NotDecided("a position was found that is not as asked when it is looked at: a fault of the tool")
