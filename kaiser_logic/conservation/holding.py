"""That nothing is lost that is not there, nothing lost twice, and that no piece comes twice: what each change must meet.

So a counter's new value is the old one with all that is gained and without all that is lost, and a piece is there or not.
Each demand is a rule for what must not be, about what is kept; two changes at once are looked at by making the effects
equal first, and putting in what their conditions determine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..symbolic import names
from .amounts import never_negative
from .changes import Change
from .clauses import Atom, Clause, Literal, NotShown, Other, Rules, apart, named, together
from .conditions import called, kept_variables, natural, rule, texts, word
from .known import Known
from .terms import Binding, Term, matches, show, variables

STRAY = "stray__"
"""What must not be."""


class Holding:
    """What the changes of a transition must meet."""

    def __init__(self, known: Known, rules: Rules, denials: Sequence[Clause]) -> None:
        """Where these conditions never hold at once: no action is legal, or no position valid, where they do."""
        self._known, self._rules, self._denials = known, rules, denials
        self.lines: list[str] = []

    def enter(self, changes: Sequence[Change]) -> None:
        """What all changes must meet.

        Raises:
            NotShown: It is not known how to show it.
        """
        for c in changes:
            self._amount(c)
            if c.lost is not None:
                self._there(c)
            if c.gained is not None and self._unit(c.gained):
                self._absent(c, changes)
        for i, one in enumerate(changes):
            for other in changes[i:]:
                for gain in (False, True):
                    self._pair(one, other, gain)

    def _unit(self, t: Term) -> bool:
        return (t[1], len(t[2])) in self._known.ruleset.book.units

    def _stray(self, why: str, body: Sequence[Literal]) -> None:
        self.lines.append(rule(self._known, f"{STRAY}({word(why.replace('__0', ''))})", body))

    # -- one change --------------------------------------------------------------------------------------------------

    def _amount(self, c: Change) -> None:
        """It is a number from 0 on, 1 for a piece, of a counter that nothing else changes."""
        book, kept = self._known.ruleset.book, self._known.kept
        for x in (c.lost, c.gained):
            if x is None:
                continue
            if self._unit(x):
                if c.much != ("n", 1) or kept.fluents[x[1], len(x[2])]:
                    raise NotShown(f"a piece comes or goes otherwise than one by one: {c.told}")
            elif (x[1], len(x[2]) + 1) not in kept.moved or (x[1], len(x[2]) + 1) not in book.counters:
                raise NotShown(f"{x[1]} is stated at 0, or set")
        body = c.clause.body
        above = {v for x in body if isinstance(x, Other) and x.kind == "above" for v in x.variables()}
        if not never_negative(c.much, natural(self._known, body) | above):
            raise NotShown(f"{show(c.much)} may be less than 0: {c.told}")

    def _there(self, c: Change) -> None:
        """What is lost is there."""
        lost = c.lost
        assert lost is not None
        goal = Clause(Atom("lost", (lost, c.much)), c.clause.body)
        if self.there(goal):
            return
        anything: Term = ("v", "_")
        atom = Atom(lost[1], lost[2] if self._unit(lost) else (*lost[2], anything))
        dropped = self._known.kept.fluents[atom.signature]
        fixed = all(
            atom.args[i] == anything or self._known.closed(atom, i) == atom.args[i] for i in sorted(dropped)
        )
        if c.much != ("n", 1) or not fixed:
            raise NotShown(f"it is not seen that what is lost is there: {c.told}")
        args = tuple(anything if i in dropped else a for i, a in enumerate(atom.args))
        none = Atom(atom.name, args, True)
        self._stray(f"{show(lost)} may be lost where there is none", (*c.clause.body, none))

    def there(self, goal: Clause) -> bool:
        """Whether the conditions say that there is so much of a counter: ``lost(Counter,Amount)`` is what is looked for."""
        return self._found(goal) or self._follows(goal, 2)

    def _found(self, goal: Clause) -> bool:
        """Whether the conditions say that there is so much."""
        counter, much = goal.head.args
        for x in goal.body:
            if not isinstance(x, Atom) or x.negated or not self._known.before(x) or x.name != counter[1]:
                continue
            if self._unit(counter):
                if x.args == counter[2] and much == ("n", 1):
                    return True
            elif x.args[:-1] == counter[2] and much in (x.args[-1], ("n", 1)):
                return True
        return False

    def _follows(self, goal: Clause, deep: int) -> bool:
        """Whether it follows from what is denied: each way to meet what must be the case says so."""
        if deep == 0:
            return False
        wanted = {s for s, dropped in self._known.kept.derived.items() if dropped}
        for denial in self._denials:
            for added in self._needed(goal, denial):
                more = Clause(goal.head, (*goal.body, added))
                ways = (self._known.settled(x) for x in self._rules.unfolded(more, wanted))
                found = [x for x in ways if x is not None]
                if found and all(self._found(x) or self._follows(x, deep - 1) for x in found):
                    return True
        return False

    def _needed(self, goal: Clause, denial: Clause) -> Iterator[Atom]:
        """What must hold, as all else of a denial does."""
        for place, x in enumerate(denial.body):
            if not isinstance(x, Atom) or not x.negated or not self._relevant(x, goal.head.args[0]):
                continue
            rest = [y for i, y in enumerate(denial.body) if i != place]
            for binding in _matched(rest, goal.body, {}):
                if all(v in binding for v in x.variables()):
                    yield Atom(x.name, tuple(named(a) for a in x.args)).put(binding)

    def _relevant(self, x: Atom, counter: Term) -> bool:
        unit = self._unit(counter)
        own = (counter[1], len(counter[2]) + (0 if unit else 1))
        return x.signature == own or bool(self._known.kept.derived.get(x.signature))

    def _absent(self, c: Change, changes: Iterable[Change]) -> None:
        """A piece that comes is not there, or goes at once."""
        piece = c.gained
        assert piece is not None
        going = [x for x in changes if x.lost is not None and _signature(x.lost) == _signature(piece)]
        name = f"goes__{piece[1]}_{len(piece[2])}"
        for x in going:
            assert x.lost is not None
            self.lines.append(rule(self._known, called(name, x.lost[2]), x.clause.body))
        there = Atom(piece[1], piece[2])
        goes = (Atom(name, piece[2], True),) if going else ()
        self._stray(f"{show(piece)} may come where it is", (*c.clause.body, there, *goes))

    # -- two at once -------------------------------------------------------------------------------------------------

    def _pair(self, one: Change, other: Change, gain: bool) -> None:
        """Two effects on the same are one, in one way: of losses and of pieces all, of other gains those that are equal."""
        x, y = (one.gained, other.gained) if gain else (one.lost, other.lost)
        if x is None or y is None:
            return
        first = _effect(self._known, one, x, gain)
        second = apart(_effect(self._known, other, y, gain))
        size = len(one.marks(gain)) + 1
        whole = gain and not self._unit(x)
        many = size if whole else 1
        pairs = list(zip(first.head.args[:many], second.head.args[:many], strict=True))
        joined = _joined(first, second, pairs)
        settled = None if joined is None else self._known.settled(joined)
        if settled is None:
            return
        why = f"{one.told} and {other.told} may be the same, or of the same"
        if one.number != other.number:
            self._stray(why, settled.body)
            return
        left, right = _halves(settled, len(first.head.args))
        kept = set(kept_variables(self._known, settled.body))
        differing = [
            (a, b)
            for a, b in zip(left, right, strict=True)
            if a != b and {*variables(a), *variables(b)} <= kept
        ]
        if differing:
            ones, others = (",".join(show(p[i]) for p in differing) for i in (0, 1))
            shown = {v for p in differing for t in p for v in variables(t)}
            conditions = [*texts(self._known, settled.body, shown), f"({ones},x) != ({others},x)"]
            self.lines.append(f"{STRAY}({word(why.replace('__0', ''))}) :- {'; '.join(conditions)}.")
            again = _joined(settled, Clause(Atom("", ()), ()), differing)
            settled = None if again is None else self._known.settled(again)
            if settled is None:
                return
            left, right = _halves(settled, len(first.head.args))
        if left != right:
            raise NotShown(f"{one.told} may happen twice of the same")


def _effect(known: Known, change: Change, counter: Term, gain: bool) -> Clause:
    """An effect with all that tells it from others: the counter, the amount, the mark, and all variables."""
    body = change.clause.body
    every = [*kept_variables(known, body)]
    for x in body:
        if isinstance(x, Atom) and not x.negated:
            every += sorted({v for i in known.dropped(x) for v in variables(x.args[i])})
    args = (counter, *change.marks(gain), *(("v", v) for v in dict.fromkeys(every)))
    return Clause(Atom("effect", args), body)


def _joined(one: Clause, other: Clause, pairs: Sequence[tuple[Term, Term]]) -> Clause | None:
    """Both at once, where these are equal."""
    found = together(Clause(Atom("", (*one.head.args, *other.head.args)), one.body), other, pairs)
    return None if found is None else found[0]


def _halves(clause: Clause, size: int) -> tuple[Sequence[Term], Sequence[Term]]:
    return clause.head.args[:size], clause.head.args[size : 2 * size]


def _matched(rest: Sequence[Literal], body: Sequence[Literal], binding: Binding) -> Iterator[Binding]:
    """How these conditions are among those of a body."""
    if not rest:
        yield binding
        return
    first, *others = rest
    for x in body:
        if not isinstance(x, Atom) or not isinstance(first, Atom):
            continue
        if x.signature != first.signature or x.negated != first.negated or x.negated:
            continue
        trial = dict(binding)
        if all(matches(p, a, trial) for p, a in zip(first.args, x.args, strict=True)):
            yield from _matched(others, body, trial)


def denials(rules: Rules, supposed: Callable[[Term], bool]) -> list[Clause]:
    """What never holds at once: what makes an action illegal, and what breaks an invariant that is supposed."""
    found = []
    for (name, _), clauses in rules.defined.items():
        if names.plain(name) == "violates" and name != names.plain(name):
            found += clauses
        elif name == "broken":
            found += [c for c in clauses if supposed(c.head.args[0])]
    return found


def _signature(t: Term) -> tuple[str, int]:
    return t[1], len(t[2])
