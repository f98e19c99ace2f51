"""That what is left out of facts stays of the form that is known of it: what comes has it, too.

Of a structure of numbers: it is one of that shape, and none of its numbers is negative. Of an argument that is always the
same where the kept ones are of a certain form: it is that one, or it comes from where it may be another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..rules.pattern import Signature
from ..symbolic import names
from ..symbolic.flattening import Shape
from .amounts import never_negative
from .carriers import opening
from .changes import Change
from .clauses import Atom, Clause, NotShown, Rules, apart
from .conditions import natural, rule, word
from .holding import STRAY
from .known import Known
from .terms import Term, show, variables


class Forms:
    """What is demanded of all that comes."""

    def __init__(self, known: Known, rules: Rules) -> None:
        """By these rules."""
        self._known, self._rules = known, rules
        self.lines: list[str] = []
        self.places: set[tuple[str, int, int]] = set()

    def enter(self, changes: Sequence[Change]) -> None:
        """Of all that is gained, and of all that is added otherwise.

        Raises:
            NotShown: Something may be of another form.
        """
        for c in changes:
            if c.gained is not None:
                args = c.gained[2]
                unit = (c.gained[1], len(args)) in self._known.ruleset.book.units
                self._fact((c.gained[1], len(args) + (0 if unit else 1)), args, c.clause, c.told)
        wanted = {s for s, dropped in self._known.kept.derived.items() if dropped}
        for (name, _), clauses in sorted(self._rules.defined.items()):
            if names.plain(name) != "add":
                continue
            for clause in clauses:
                if self._wanting(clause.head.args[0]):
                    for one in self._rules.unfolded(apart(clause), wanted):
                        settled = self._known.settled(one)
                        if settled is not None:
                            self._added(settled)

    def _wanting(self, t: Term) -> bool:
        """Whether something is left out of such facts, besides the values of counters."""
        kept = self._known.kept
        if t[0] != "f":
            return True
        if t[1] in kept.shapes and len(t[2]) == 1:
            return any(kept.fluents[s.signature] for s in kept.shapes[t[1]])
        signature = t[1], len(t[2])
        value = {len(t[2]) - 1} if signature in kept.counters else set()
        return bool(kept.fluents.get(signature, set()) - value)

    def _added(self, clause: Clause) -> None:
        t = clause.head.args[0]
        for signature, args in parts(self._known, t):
            self._fact(signature, args, clause, show(t))

    def _fact(self, fluent: Signature, args: tuple[Term, ...], clause: Clause, told: str) -> None:
        known = self._known
        dropped = known.kept.fluents[fluent]
        for i in sorted(dropped & set(range(len(args)))):
            if fluent in known.kept.counters and i == fluent[1] - 1:
                continue
            form = known.structure(fluent, i)
            t = args[i]
            fits = form is not None and t[0] == "f" and (t[1], len(t[2])) == form
            if not fits or not all(never_negative(a, natural(known, clause.body)) for a in t[2]):
                raise NotShown(f"{show(t)} may be of another form: {told}")
            self._closed(fluent, args, i, clause, told)

    def _closed(
        self, fluent: Signature, args: tuple[Term, ...], place: int, clause: Clause, told: str
    ) -> None:
        """Where it must be a constant it is that one."""
        known = self._known
        constants = {
            t
            for s in known.stated(fluent)
            for t in [s.args[place]]
            if t is not None and t[0] == "f" and not list(variables(t))
        }
        if not constants or constants == {args[place]}:
            return
        dropped = known.kept.fluents[fluent]
        key = [a for i, a in enumerate(args) if i not in dropped]
        atom = Atom(opening(*fluent, place), tuple(key), True)
        body = [*clause.body, atom]
        self.places.add((*fluent, place))
        for x in clause.body:
            if isinstance(x, Atom) and not x.negated and known.before(x):
                source = {
                    s.args[i]
                    for i in known.dropped(x)
                    if x.args[i] == args[place]
                    for s in known.stated(x.signature)
                }
                fixed = {t for t in source if t is not None and t[0] == "f" and not list(variables(t))}
                if fixed == constants and len(fixed) == 1:
                    (i,) = (i for i in known.dropped(x) if x.args[i] == args[place])
                    self.places.add((*x.signature, i))
                    inner = [a for j, a in enumerate(x.args) if j not in known.dropped(x)]
                    body.append(Atom(opening(*x.signature, i), tuple(inner)))
                    break
        why = f"{show(args[place])} may be of another form: {told}"
        self.lines.append(rule(known, f"{STRAY}({word(why.replace('__0', ''))})", body))


def parts(known: Known, t: Term) -> Iterator[tuple[Signature, tuple[Term, ...]]]:
    """A fact, or what it has become where it is about a structure.

    Raises:
        NotShown: It may be any fact.
    """
    if t[0] != "f":
        raise NotShown(f"anything may come: {show(t)}")
    shapes = known.kept.shapes.get(t[1], ()) if len(t[2]) == 1 else ()
    if not shapes:
        yield (t[1], len(t[2])), t[2]
    for shape in shapes:
        found = _of(shape, t[2][0])
        if found is not None:
            yield shape.signature, found


def openings(known: Known, places: set[tuple[str, int, int]]) -> Iterator[str]:
    """The rules that say of which kept arguments a dropped one may be other than a constant."""
    for name, arity, place in sorted(places):
        for s in known.stated((name, arity)):
            t = s.args[place]
            if t is None or t[0] != "f" or list(variables(t)):
                head = f"{opening(name, arity, place)}({','.join(s.kept)})"
                yield f"{head} :- {'; '.join(s.body)}." if s.body else f"{head}."


def _of(shape: Shape, t: Term) -> tuple[Term, ...] | None:
    """The parts of a structure by a shape; None where it has another one."""

    def leaves(skeleton: object, one: Term) -> list[Term] | None:
        if isinstance(skeleton, int):
            return [one]
        assert isinstance(skeleton, tuple)
        if one[0] == "v":
            raise NotShown(f"any structure may come: {show(t)}")
        if one[0] != "f" or one[1] != skeleton[0] or len(one[2]) != len(skeleton) - 1:
            return None
        found: list[Term] = []
        for s, a in zip(skeleton[1:], one[2], strict=True):
            inner = leaves(s, a)
            if inner is None:
                return None
            found += inner
        return found

    found = leaves(shape.skeleton, t)
    return None if found is None else tuple(found)
