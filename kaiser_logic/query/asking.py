"""A query put to an open position: the encoding, and which values of numbers without a limit it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..lang import terms as lang
from ..lang.algebra import integers
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern, Signature, canonical, variables
from ..rules.predicates import CANDIDATE, DECISION, LEGAL, NUMBER, SUBMITTED, VIOLATES
from ..rules.rule import Atom, Rule, top
from ..symbolic.domains import Domains, bound_of, domains
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import invariants
from ..symbolic.numbers import SUMMED, Need, endless_kinds, need, unlimited
from ..transform.action_splitting import numbered
from ..transform.rewrite import literal, rename
from ..transform.slicing import seeds
from .branches import Branch
from .check import alike, fresh, meant_by, one_at_a_time, submissions
from .formula import AFTER
from .language import Query, stated
from .set_queries import SetQueries
from .world import ACTED

_FEW: Final = 40
"""Numbers up to this one are looked at where not all can be."""
_MOST: Final = 400
"""So many numbers are looked at at most."""
JUDGED: Final = "judged__"
"""What marks the predicates by which actions are judged that nobody need have a decision for."""
FREE: Final = "unasked__"
"""Holds where nothing is asked, and the program is checked."""
UNASKED: Final = f"#external {FREE}."
CALLED: Final = {VIOLATES: JUDGED + VIOLATES[0], AFTER: f"{AFTER[0]}__"}
"""What the query's predicates are called that are not the rulebook's."""


# -- numbers without a limit -------------------------------------------------------------------------------------------


class Asking(Encoding):
    """An encoding that notes which rules it is made of; nothing is proved of these, so that all changes are followed."""

    short_changes = False

    def __init__(self, ruleset: Ruleset, sorts: Domains) -> None:
        super().__init__(ruleset, sorts)
        self.read: list[Rule] = [*self.totals.counting]
        self.own: list[str] = []

    def emit(self, rule: Rule, moment: int | None = None) -> None:
        """Adds a rule about a moment (by default the last one)."""
        self.read.append(rule)
        super().emit(rule, moment)


def numbers_needed(ruleset: Ruleset, query: Query, sets: SetQueries, exact: bool) -> Need:
    """Which values of numbers without a limit the question needs."""
    kinds = unlimited(ruleset)
    bound = bound_of(ruleset.book)
    if not kinds:
        return Need((0,), None, frozenset())
    encoding = asking(ruleset, query, sets, exact, (0,))
    lines = parse_rules("\n".join([*encoding.own, SUMMED]))
    found = need(encoding.ruleset, [*encoding.read, *lines], domains(ruleset, bound, 0).fluents, bound)
    if found.reason is None:
        return found
    # not all can be looked at: those at least that the query names, and some near them
    return Need(near(query, found.values), found.reason, found.places)


def near(query: Query, values: Iterable[int], few: int = _FEW) -> tuple[int, ...]:
    """These values, small ones up to ``few``, those that the query names, and some near them."""
    named = set(map(abs, integers(*query.values(lang.Atom("query__", ())))))
    some = {v + e for v in {*named, *(a + b for a in named for b in named)} for e in range(-3, 4)}
    return tuple(sorted({*values, *range(few + 1), *(v for v in some if v >= 0)})[:_MOST])


def room(needed: Need, count: int) -> tuple[int, ...]:
    """These values, and some more where several positions are wanted."""
    top = max(needed.values)
    return (*needed.values, *range(top + 1, top + min(count, _FEW)))


def unseen(ruleset: Ruleset, query: Query, needed: Need, some: bool) -> str:
    """Why there may be more positions than those that were found; empty if there are none."""
    top = max(needed.values)
    if needed.reason is not None:
        return f"numbers without a limit were not all looked at (none beyond {top}), for {needed.reason}"
    if some and any(p[:2] == a.signature for a in telling(ruleset, query) for p in needed.places):
        return f"numbers without a limit were not all looked at (none beyond {top})"
    kinds = [k for a in query.asks(VIOLATES) for k in meant_by(ruleset, a)]
    if any(k.index in endless_kinds(ruleset) for k in kinds):
        return "actions that name a number without a limit were not all looked at"
    return ""


# -- the question ------------------------------------------------------------------------------------------------------


def asking(
    ruleset: Ruleset,
    query: Query,
    sets: SetQueries,
    exact: bool,
    values: Iterable[int],
    apart: Iterable[Signature] = (),
) -> Asking:
    """The open position in which the query holds.

    Args:
        ruleset: The rules in force.
        query: The query.
        sets: The sets of things that it is about.
        exact: Whether totals have to match their sums.
        values: Those of numbers without a limit.
        apart: Predicates by which answers are told apart too.
    """
    encoding = Asking(ruleset, domains(ruleset, margin=0, values=values))
    ask(encoding, query, sets, exact, opened_decisions(ruleset, query))
    for name, arity in sorted(set(apart) - {("seat", 2)}):
        named = literal(name, *(f"X{k}" for k in range(arity)))
        encoding.add(f"matters__({named}) :- {named}.")
    encoding.add(UNASKED, f":- not query__, not {FREE}.")
    return encoding


def ask(encoding: Asking, query: Query, sets: SetQueries, exact: bool, decisions: Sequence[Pattern]) -> None:
    """Opens a valid position, and derives ``query``, which holds where the query does."""
    encoding.open(decisions, [], exact)
    encoding.assume(invariants(encoding.ruleset).assumed, decisions, [])
    _derive(encoding, query, decisions, sets)
    encoding.own = [*query.rules("query__", CALLED), *_matter(encoding, query)]
    encoding.add(*encoding.own, "matters__(none) :- #false.")


def telling(ruleset: Ruleset, query: Query) -> list[Atom]:
    """By what answers are told apart: the facts that the query states, where they are not the same in all.

    Where they are, it is who decides what, and all facts of the predicates that the query speaks of.
    """
    fluents = ruleset.book.fluents
    static = ruleset.static.keys() - {("seat", 2)}
    spoken = [a for a in query.stated if a.signature not in ACTED and a.signature not in static]
    if any(variables(a.args) for a in spoken):
        return spoken
    about = {a.signature for a in query.atoms if a.signature not in ACTED} - static
    about = about | {DECISION} & fluents if about or query.asks(LEGAL) else set(fluents)
    return [top(*s) for s in sorted(about - {("seat", 2)})]


def _matter(encoding: Asking, query: Query) -> Iterator[str]:
    """The rules by which answers are told apart."""
    for atom in telling(encoding.ruleset, query):
        named = literal(atom.name, *fresh_atom(atom).args)
        yield f"matters__({named}) :- query__; {named}."


def opened_decisions(ruleset: Ruleset, query: Query) -> list[Pattern]:
    """The kinds of decision that may be pending: those the query names, where others cannot be beside them; or all."""
    kinds = [numbered(k) for k in ruleset.book.kinds]
    if one_at_a_time(ruleset):
        wanted = [d for branch in query.branches for d in _named_by(branch, kinds)]
    else:
        wanted = [decision for _, decision, _ in kinds]
    return list({canonical((decision,)): decision for decision in wanted}.values())


def _named_by(branch: Branch, kinds: Sequence[tuple[Pattern, Pattern, int]]) -> list[Pattern]:
    """The kinds of decision of which one is pending where this alternative holds."""
    said = stated(branch)
    asked = [a.args[1] for a in said if a.signature == DECISION]
    acting = [a.args[1] for a in said if a.signature in (LEGAL, AFTER)]
    return [
        decision
        for action, decision, _ in kinds
        if all(alike(a, decision) for a in asked[:1])
        and (asked or not acting or any(alike(a, action) for a in acting))
    ]


def fresh_atom(atom: Atom) -> Atom:
    """The atom with each ``_`` a variable of its own."""
    return Atom(atom.name, tuple(fresh(("f", "", atom.args))[2])) if atom.args else atom


def _derive(encoding: Asking, query: Query, decisions: Sequence[Pattern], sets: SetQueries) -> None:
    """Derives what the query asks about."""
    fluents = encoding.ruleset.book.fluents
    names = encoding.name_sets(sets.known) if sets.asks else []
    if sets.filled:
        encoding.add(":- free__(M), not chosen(M,_,_).")
    known = {*fluents, *ACTED, *encoding.ruleset.static}
    others = [a for a in query.atoms if a.signature not in known]
    encoding.derive([top(*a.signature) for a in others], decisions, [])
    for atom in query.asks(LEGAL):
        encoding.derive([fresh_atom(atom)], decisions, [], enumerate=True)
    if query.asks(VIOLATES):
        _submit(encoding, query, decisions, names)
    called = [(CALLED[AFTER], 3)] if query.asks(AFTER) else []
    for name, arity in (LEGAL, VIOLATES, CANDIDATE, SUBMITTED, *called):
        encoding.add(f"{literal(name, *['none'] * arity)} :- #false.")


def _submit(
    encoding: Asking, query: Query, decisions: Sequence[Pattern], names: Sequence[clingo.Symbol]
) -> None:
    """Submits all actions that can be meant at once, by whoever can be meant, and derives what they violate.

    What speaks of submitted actions has names of its own, apart from what is in question because it may be legal.
    """
    pairs = [p for atom in query.asks(VIOLATES) for p in submissions(encoding.ruleset, atom, names)]
    encoding.facts += [clingo.Function(JUDGED + SUBMITTED[0], p) for p in dict.fromkeys(pairs)]
    if encoding.ruleset.numbers:  # as the engine has it for actions that are judged
        written = {abs(n) for n in symbols.numbers(action for _, action in pairs)}
        encoding.facts += [clingo.Function(NUMBER[0], [clingo.Number(n)]) for n in sorted(written)]
    kinds = {k.index: k.action for k in encoding.ruleset.book.kinds}
    meant = [fresh_atom(atom).args[1] for atom in query.asks(VIOLATES)]
    actions = [a for a in kinds.values() if any(alike(m, a) for m in meant)]
    actions += [m for m in meant if m not in actions]
    judging = encoding.ruleset.judging
    own = judging.transient - encoding.ruleset.book.fluents | {SUBMITTED, VIOLATES}
    for rule in judging.slice(seeds(decisions, (), actions), [top(*VIOLATES)]):
        if any(h.signature in own for h in rule.heads):
            encoding.read.append(rule)
            encoding.add(rename(rule, lambda s: JUDGED + s[0] if s in own else encoding.name(s)))
        else:
            encoding.emit(rule)
    for name, arity in (VIOLATES, SUBMITTED):
        encoding.add(f"{literal(JUDGED + name, *['none'] * arity)} :- #false.")
