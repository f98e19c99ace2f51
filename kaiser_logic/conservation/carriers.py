"""What numbers that are left out are numbers of: one fact, or one action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..symbolic import names
from .clauses import Atom, Literal
from .conditions import called, general
from .known import Known
from .terms import Term, show, variables


@dataclass(frozen=True)
class Carrier:
    """The fact or the action whose numbers an amount is made of.

    Attributes:
        group: What kind of fact or action it is; empty where nothing is known of its numbers.
        key: Its kept arguments.
        called: What its numbers are called.
        places: The conditions that say that there is such a carrier.
        open: The condition that its numbers may be other than 0.
        asked: Of which fluents and arguments that condition asks whether they can be other than a constant.
    """

    group: str
    key: tuple[Term, ...]
    called: dict[str, str]
    places: frozenset[int]
    open: tuple[str, ...] = ()
    asked: tuple[tuple[str, int, int], ...] = ()


def carriers(known: Known, body: Sequence[Literal]) -> Iterator[Carrier]:
    """All that numbers may come from, of these conditions."""
    acts: dict[tuple[Term, Term], list[int]] = {}
    for i, x in enumerate(body):
        if not isinstance(x, Atom) or x.negated or not known.dropped(x):
            continue
        if x.name == names.argument(0):
            acts.setdefault((x.args[0], x.args[1]), []).append(i)
            continue
        if known.before(x):
            yield _fact(known, x, i)
    for (role, kind), places in acts.items():
        called_ = {}
        for i in places:
            atom = body[i]
            assert isinstance(atom, Atom)
            called_.update(_leaves(atom.args[3], f"a{show(atom.args[2])}"))
        yield Carrier(f"action {show(kind)}", (role,), called_, frozenset(places))


def _fact(known: Known, atom: Atom, place: int) -> Carrier:
    dropped = known.dropped(atom)
    nothing = Carrier("", (), {}, frozenset({place}))
    if not all(general(known, atom, i) for i in dropped):
        return nothing
    found: dict[str, str] = {}
    opened, asked = [], []
    key = tuple(a for i, a in enumerate(atom.args) if i not in dropped)
    for i in sorted(dropped):
        leaves = _leaves(atom.args[i], f"p{i}")
        if found.keys() & leaves.keys():
            return nothing
        found |= leaves
        constants = _constants(known, atom.signature, i)
        if leaves and constants:
            if any(c[0] != "f" or any(p != ("n", 0) for p in c[2]) for c in constants):
                return nothing
            asked.append((*atom.signature, i))
            opened.append(called(opening(*atom.signature, i), key))
    group = f"{atom.name}/{len(atom.args)}"
    return Carrier(group, key, found, frozenset({place}), tuple(opened), tuple(asked))


def opening(name: str, arity: int, place: int) -> str:
    """The predicate that says of kept arguments that a dropped one may be other than a constant."""
    return f"open__{name}_{arity}_{place}"


def _constants(known: Known, fluent: tuple[str, int], place: int) -> list[Term]:
    """What the vocabulary states an argument to be."""
    found = (s.args[place] for s in known.stated(fluent))
    return [t for t in found if t is not None and t[0] == "f" and not list(variables(t))]


def _leaves(t: Term, name: str) -> dict[str, str]:
    """The variables of a dropped argument, each by its place."""
    if t[0] == "v":
        return {t[1]: name}
    if t[0] == "f":
        return {a[1]: f"{name}.{i}" for i, a in enumerate(t[2]) if a[0] == "v"}
    return {}
