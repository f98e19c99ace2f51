"""Positions by property: an open position under a query."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import clingo

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.pattern import Pattern, canonical, show, unify
from ..rules.predicates import DECISION, LEGAL, QUESTION, SUBMITTED, VIOLATES
from ..rules.rule import Atom, top
from ..symbolic.domains import bound_of, domains, kind_actions
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import invariants
from ..symbolic.models import FEWEST, decode_facts, fewest
from ..symbolic.solver import SPARSE, Solver
from ..transform.action_splitting import numbered
from ..transform.rewrite import literal
from ..transform.slicing import seeds
from ..workers import OUT_OF_MEMORY, TIMEOUT, Job, Pool
from .language import Query, parse_query
from .set_queries import UNDECIDED, SetQueries

_ROUNDS: Final = 20
"""So often sets of things that make a query fail are tried too."""
_LARGEST: Final = 200
"""Numbers in a query up to this one raise the bound of numbers without a limit."""
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
    """

    positions: tuple[tuple[str, ...], ...]
    exhausted: bool
    note: str = ""


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
        Job(_EXACT, partial(_search, evaluator.ruleset, asked, sets, count, smallest, True)),
        Job(_RELAXED, partial(_search, evaluator.ruleset, asked, sets, 1, False, False)),
    ]
    failures = []
    for answer in Pool(jobs, 2, time.monotonic() + timeout):
        if answer.value is None:
            failures.append(str(answer.failure))
        elif answer.name == _EXACT or (answer.value.exhausted and not answer.value.positions):
            return answer.value
    reason = "its memory limit" if OUT_OF_MEMORY in failures else f"{timeout:g} s"
    if any(f not in (OUT_OF_MEMORY, TIMEOUT) for f in failures):
        raise NotDecided(failures[0])
    raise NotDecided(f"not decided within {reason}")


def _search(
    ruleset: Ruleset, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> FoundFacts:
    """What is found; in a child.

    Where a query says that no set of things is legal, a few sets are tried at first; a position where another one is
    legal is refused, and that one tried too from then on.
    """
    for _ in range(_ROUNDS):
        found = _tried(ruleset, query, sets, count, smallest, exact)
        if exact and not all([sets.holds(facts) for facts in found.positions]):
            continue
        if found.exhausted and not sets.decides:
            raise NotDecided(UNDECIDED)
        return found
    raise NotDecided("too many sets of things had to be tried")


def _tried(
    ruleset: Ruleset, query: Query, sets: SetQueries, count: int, smallest: bool, exact: bool
) -> FoundFacts:
    """What is found with the sets known so far."""
    encoding = _asking(ruleset, query, sets, exact)
    if smallest:
        encoding.add(*fewest(encoding))
    solver = Solver(encoding.text, encoding.facts, FEWEST if smallest else SPARSE)
    found: list[tuple[str, ...]] = []
    note = ""
    for k in range(count):
        model, proved = solver.best(_EFFORT) if smallest else (solver.model(), True)
        if model is None:
            return FoundFacts(tuple(found), True, note)
        if not proved:
            note = "not proved to be the smallest"
        found.append(decode_facts(ruleset, model))
        if k + 1 < count:
            solver.add(f"next{k}", _other(model, found[-1]))
    return FoundFacts(tuple(found), False, note)


def _asking(ruleset: Ruleset, query: Query, sets: SetQueries, exact: bool) -> Encoding:
    """The open position in which the query holds."""
    numbers = [
        int(a[1]) for atom in query.atoms for a in atom.args if a[0] == "c" and a[1].lstrip("-").isdigit()
    ]
    bound = max([bound_of(ruleset.book), *(n for n in numbers if n <= _LARGEST)])
    encoding = Encoding(ruleset, domains(ruleset, bound))
    decisions = _decisions(ruleset, query)
    encoding.open(decisions, [], exact)
    encoding.assume(invariants(ruleset).assumed, decisions, [])
    _derive(encoding, query, decisions, sets)
    encoding.add(f"query :- {query.body}.", ":- not query.")
    for atom in query.stated:
        if atom.args and atom.signature not in (LEGAL, VIOLATES):
            named = literal(atom.name, *_fresh(atom).args)
            encoding.add(f"matters({named}) :- query; {named}.")
    encoding.add("matters(none) :- #false.")
    return encoding


def _other(model: Sequence[clingo.Symbol], position: Sequence[str]) -> str:
    """A constraint that the next answer differs in something that matters."""
    mattering = [symbols.text(s.arguments[0]) for s in model if symbols.signature(s) == ("matters", 1)]
    return f":- {', '.join(mattering or position)}."


def _decisions(ruleset: Ruleset, query: Query) -> list[Pattern]:
    """The kinds of decision that may be pending: those the query names, or all."""
    kinds = [numbered(k) for k in ruleset.book.kinds]
    stated = {a.signature for a in query.stated}
    asked = [_fresh(a).args[1] for a in query.asks(DECISION)]
    acting = [_fresh(a).args[1] for a in (*query.asks(LEGAL), *query.asks(VIOLATES))]
    if DECISION in stated:
        kinds = [k for k in kinds if any(unify(a, k[1], {}) is not None for a in asked)]
    elif LEGAL in stated and not asked:
        kinds = [k for k in kinds if any(unify(a, k[0], {}) is not None for a in acting)]
    return list({canonical((decision,)): decision for _, decision, _ in kinds}.values())


def _fresh(atom: Atom) -> Atom:
    """The atom with each ``_`` a variable of its own."""
    counter = iter(range(1000))

    def visit(term: Pattern) -> Pattern:
        if term[0] == "v":
            return ("v", f"Any{next(counter)}") if term[1] == "_" else term
        return ("f", term[1], tuple(map(visit, term[2]))) if term[0] == "f" else term

    return Atom(atom.name, tuple(map(visit, atom.args)))


def _derive(encoding: Encoding, query: Query, decisions: Sequence[Pattern], sets: SetQueries) -> None:
    """Derives what the query asks about."""
    fluents = encoding.ruleset.book.fluents
    names = encoding.name_sets(sets.known) if sets.asks else []
    others = [a for a in query.atoms if a.signature not in (LEGAL, VIOLATES) and a.signature not in fluents]
    encoding.derive([top(*a.signature) for a in others], decisions, [])
    for atom in query.asks(LEGAL):
        encoding.derive([_fresh(atom)], decisions, [], enumerate=True)
    for atom in query.asks(VIOLATES):
        _submit(encoding, _fresh(atom), decisions, names)
    for name, arity in (LEGAL, VIOLATES, QUESTION, SUBMITTED):
        encoding.add(f"{literal(name, *['none'] * arity)} :- #false.")


def _submit(
    encoding: Encoding, violation: Atom, decisions: Sequence[Pattern], names: Sequence[clingo.Symbol]
) -> None:
    """Submits all actions that can be meant at once, to be judged, and derives such violations."""
    wanted = violation.args[1]
    kinds = [k for k in encoding.ruleset.book.kinds if unify(wanted, numbered(k)[0], {}) is not None]
    start = seeds(decisions, (), [k.action for k in kinds])
    for rule in encoding.ruleset.judging.slice(start, [violation]):
        encoding.emit(rule)
    for kind in kinds:
        actions = kind_actions(encoding.ruleset, kind, names)
        encoding.facts += [clingo.Function("asked_action", [a]) for a in actions]
    action = show(wanted)
    encoding.add(f"submitted(Role,{action}) :- seat(Role,_), asked_action({action}), decision(Role,_).")
