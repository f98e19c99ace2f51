"""Positions by property: the compose reading under a query."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import clingo

from ..engine import symbols
from ..errors import NotDecided
from ..game import Game
from ..notation.record import Record
from ..position import Position
from ..records.tags import record_of
from ..rules.pattern import Pattern, canonical, show, unify
from ..rules.rule import Atom, top
from ..symbolic.domains import bound_of, domains, kind_actions
from ..symbolic.encoding import Chain
from ..symbolic.invariants import invariants
from ..symbolic.models import FEWEST, fewest
from ..symbolic.solver import SPARSE, Ground
from ..transform.action_splitting import numbered
from ..transform.slicing import seeds
from ..workers import Job, Pool
from .language import LEGAL, VIOLATES, Query, parse_query
from .set_queries import UNDECIDED, Naming

_ROUNDS = 20
"""So often sets of things that make a query fail are tried too."""


@dataclass(frozen=True)
class Found:
    """Positions in which a query holds.

    Attributes:
        positions: Valid positions, each different in what the query speaks of.
        exhausted: Whether there is none besides these (proved).
        note: What else is to be said, e.g. that a smallest one was not proved to be smallest.
    """

    positions: tuple[Position, ...]
    exhausted: bool
    note: str = ""

    def records(self) -> list[Record]:
        """Each position as a record that starts from it."""
        return [record_of(p) for p in self.positions]


def find(
    game: Game,
    query: str,
    count: int = 1,
    timeout: float = 60.0,
    smallest: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Found:
    """Valid positions in which the query holds; NotDecided where the time was too short to tell."""
    asked = parse_query(query, game)
    naming = Naming(game, asked)
    deadline = time.monotonic() + timeout
    progress("looking for a position")
    jobs = [
        Job("exact", lambda: _search(game, asked, naming, count, smallest, True)),
        Job("relaxed", lambda: _search(game, asked, naming, 1, False, False)),
    ]
    failures = []
    for answer in Pool(jobs, 2, deadline):
        if answer.value is None:
            failures.append(str(answer.failure))
            continue
        facts, exhausted = answer.value
        if answer.name == "exact" or (exhausted and not facts):
            positions = tuple(game.position(f) for f in facts)
            return Found(positions, exhausted)
    reason = "its memory limit" if "memory" in failures else f"{timeout:g} s"
    if any(f not in ("memory", "timeout") for f in failures):
        raise NotDecided(failures[0])
    raise NotDecided(f"not decided within {reason}")


def _search(
    game: Game, query: Query, naming: Naming, count: int, smallest: bool, exact: bool
) -> tuple[list[tuple[str, ...]], bool]:
    """The facts of the positions found, and whether there are no more. Runs in a child.

    Where a query says that no set of things is legal, a few sets are tried at first; a position where another one is
    legal is refused, and that one tried too from then on.
    """
    for _ in range(_ROUNDS):
        found, exhausted = _tried(game, query, naming, count, smallest, exact)
        if exact and not all([naming.holds(facts) for facts in found]):
            continue
        if exhausted and not naming.decides:
            raise NotDecided(UNDECIDED)
        return found, exhausted
    raise NotDecided("too many sets of things had to be tried")


def _tried(
    game: Game, query: Query, naming: Naming, count: int, smallest: bool, exact: bool
) -> tuple[list[tuple[str, ...]], bool]:
    """The same with the sets known so far."""
    ruleset = game.ruleset
    numbers = [
        int(a[1]) for atom in query.atoms for a in atom.args if a[0] == "c" and a[1].lstrip("-").isdigit()
    ]
    chain = Chain(ruleset, domains(ruleset, max([bound_of(game.book), *(n for n in numbers if n <= 200)])))
    decisions = _decisions(game, query)
    chain.open(decisions, [], exact)
    chain.assume(invariants(ruleset).assumed, decisions, [])
    _ask(chain, game, query, decisions, naming)
    chain.add(f"query :- {query.body}.", ":- not query.")
    mattering = [f for f in query.facts if "(" in f and not f.startswith(("legal(", "violates("))]
    chain.add(*(f"matters({named}) :- query; {named}." for named in map(_named, mattering)))
    chain.add("matters(none) :- #false.")
    fluents = {symbols.signature(f) for f in chain.domains.fluents}
    if smallest:
        chain.add(*fewest(chain))
    ground = Ground(chain.text, chain.facts, FEWEST if smallest else SPARSE)
    found: list[tuple[str, ...]] = []
    for k in range(count):
        model = ground.best(20.0)[0] if smallest else ground.model()
        if model is None:
            return found, True
        position = [s for s in model if symbols.signature(s) in fluents]
        found.append(tuple(map(symbols.text, position)))
        if k + 1 < count:
            ground.add(f"next{k}", _other(model, position))
    return found, False


def _other(model: Sequence[clingo.Symbol], position: Sequence[clingo.Symbol]) -> str:
    """A constraint that the next answer differs in something that matters."""
    mattering = [symbols.text(s.arguments[0]) for s in model if s.name == "matters" and len(s.arguments) == 1]
    chosen = mattering or [symbols.text(s) for s in position]
    return f":- {', '.join(chosen)}."


def _named(fact: str) -> str:
    """The fact with each ``_`` a variable of its own."""
    counter = iter(range(1000))
    return re.sub(r"\b_\b", lambda _: f"Some{next(counter)}", fact)


def _decisions(game: Game, query: Query) -> list[Pattern]:
    """The kinds of decision that may be pending: those the query names, or all."""
    patterns = {canonical((numbered(k)[1],)): numbered(k)[1] for k in game.book.kinds}
    asked = [a.args[1] for a in query.asks(("decision", 2))]
    acting = [a.args[1] for a in (*query.asks(LEGAL), *query.asks(VIOLATES))]
    positive = " ".join(query.facts)
    if "decision(" in positive and asked:
        return [p for p in patterns.values() if any(unify(_fresh(a), p, {}) is not None for a in asked)]
    if "legal(" in positive and acting and not asked:
        kinds = [
            k
            for k in game.book.kinds
            if any(unify(_fresh(a), numbered(k)[0], {}) is not None for a in acting)
        ]
        return list({canonical((numbered(k)[1],)): numbered(k)[1] for k in kinds}.values())
    return list(patterns.values())


def _fresh(pattern: Pattern) -> Pattern:
    """The pattern with each ``_`` a variable of its own."""
    counter = iter(range(1000))

    def visit(term: Pattern) -> Pattern:
        if term[0] == "v":
            return ("v", f"Any{next(counter)}") if term[1] == "_" else term
        return ("f", term[1], tuple(map(visit, term[2]))) if term[0] == "f" else term

    return visit(pattern)


def _ask(chain: Chain, game: Game, query: Query, decisions: Sequence[Pattern], naming: Naming) -> None:
    """Derives what the query asks about."""
    ruleset = chain.ruleset
    names = chain.name_sets(naming.known) if naming.asks else []
    plain = [a for a in query.atoms if a.signature not in (LEGAL, VIOLATES)]
    fluents = ruleset.book.fluents
    chain.derive([top(*a.signature) for a in plain if a.signature not in fluents], decisions, [])
    for atom in query.asks(LEGAL):
        chain.derive([Atom("legal", tuple(map(_fresh, atom.args)))], decisions, [], enumerate=True)
    for atom in query.asks(VIOLATES):
        wanted = _fresh(atom.args[1])
        kinds = [k for k in game.book.kinds if unify(wanted, numbered(k)[0], {}) is not None]
        start = seeds(decisions, (), [k.action for k in kinds])
        for rule in ruleset.judging.slice(start, [Atom("violates", tuple(map(_fresh, atom.args)))]):
            chain.emit(rule)
        for kind in kinds:
            chain.facts += [clingo.Function("asked_action", [a]) for a in kind_actions(ruleset, kind, names)]
        chain.add(
            f"submitted(Role,{show(wanted)}) :- seat(Role,_), asked_action({show(wanted)}), decision(Role,_)."
            if "_" not in show(wanted)
            else "submitted(Role,A) :- seat(Role,_), asked_action(A), decision(Role,_)."
        )
    for name, arity in (LEGAL, VIOLATES, ("question", 2), ("submitted", 2)):
        chain.add(f"{name}({','.join(['none'] * arity)}) :- #false.")
