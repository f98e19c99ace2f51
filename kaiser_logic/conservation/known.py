"""What is known of positions and moves besides the rules: what determines what, and of which form loads are.

All of it holds of every position in which the invariants hold, the vocabulary's forms among them: of a fluent's argument that
is dropped, it is known whether it always is a structure of the same shape with numbers in it that are not negative
(`Known.structure`), and whether it is always the same one where the kept arguments are of a certain form (`Known.closed`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import clingo

from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.loader import parse_rules
from ..rules.pattern import Signature
from ..rules.pattern import show as written
from ..rules.pattern import variables as names_of
from ..symbolic import names
from ..symbolic.domains import argument_domains
from ..symbolic.kept import Kept, needed, stating
from ..symbolic.transitions import Transition, functor, simultaneous
from ..symbolic.trees import parsed, several, symbolic
from ..transform.action_splitting import Special
from .clauses import Atom, Clause, Literal, NotShown, Other, apart
from .terms import ANONYMOUS, Binding, Term, names_in, substituted, term, unify, variables


@dataclass(frozen=True)
class Stated:
    """What a rule of the vocabulary states of a fluent.

    Attributes:
        args: The fact's arguments; None for one that stands for several.
        body: The conditions under which there are such facts, as text, for the kept arguments.
        kept: The kept arguments as text.
    """

    args: tuple[Term | None, ...]
    body: tuple[str, ...]
    kept: tuple[str, ...]


class Known:
    """What is known of positions and moves of one transition."""

    def __init__(
        self, ruleset: Ruleset, kept: Kept, transition: Transition, single: Iterable[Signature] = ()
    ) -> None:
        """Of a transition; ``single``: the predicates that hold of one thing at most; `alone`: the fluents, also afterwards."""
        self.ruleset, self.kept, self._transition = ruleset, kept, transition
        self.single = frozenset(single)
        self.alone: frozenset[Signature] = frozenset()
        joint = simultaneous(ruleset)
        self.sole = bool(transition.kinds) and not any(functor(k.decision) in joint for k in transition.kinds)
        self._stated: dict[Signature, list[Stated]] = {}

    # -- which arguments are dropped, and what determines them -------------------------------------------------------

    def dropped(self, atom: Atom) -> set[int]:
        """The arguments of an atom that are not kept."""
        if atom.name == names.argument(0):
            return {3} if self._place(atom) in self.kept.hidden else set()
        return self.kept.dropped(atom.signature)

    def _place(self, atom: Atom) -> tuple[int, int] | None:
        kind, place = atom.args[1], atom.args[2]
        return (kind[1], place[1]) if kind[0] == place[0] == "n" else None

    def before(self, atom: Atom) -> bool:
        """Whether it is a fluent of the position before."""
        return atom.signature in self.kept.fluents and atom.name == names.plain(atom.name)

    def key(self, atom: Atom) -> Sequence[int] | None:
        """The arguments that determine the others; None where none do."""
        if atom.name == names.argument(0):
            return (0, 1, 2)
        if atom.name == names.does(0) and self.sole:
            return ()
        if atom.signature in self.single:
            return ()
        if self.before(atom) and atom.signature in self.kept.counters:
            return range(len(atom.args) - 1)
        return None

    # -- forms -------------------------------------------------------------------------------------------------------

    def stated(self, fluent: Signature) -> list[Stated]:
        """What the vocabulary states of a fluent."""
        if fluent not in self._stated:
            dropped = self.kept.fluents[fluent]
            found = []
            for rule, args in stating(self.ruleset, fluent):
                terms = [_term(written(a)) for a in args]
                texts = tuple(written(a) for i, a in enumerate(args) if i not in dropped)
                found.append(Stated(tuple(terms), tuple(needed(rule, list(texts))), texts))
            self._stated[fluent] = found
        return self._stated[fluent]

    def fitting(self, atom: Atom) -> list[tuple[Term | None, ...]]:
        """The arguments of what the vocabulary states of facts with such kept arguments."""
        found = []
        dropped = self.kept.fluents[atom.signature]
        for s in self.stated(atom.signature):
            args = _apart(s.args)
            binding: Binding = {}
            fits = all(
                b is None or unify(a, b, binding) is not None
                for i, (a, b) in enumerate(zip(atom.args, args, strict=True))
                if i not in dropped
            )
            if fits:
                found.append(args)
        return found

    def closed(self, atom: Atom, place: int) -> Term | None:
        """What a dropped argument is wherever the kept ones are these; None where it may differ."""
        found = {args[place] for args in self.fitting(atom)}
        one = next(iter(found), None)
        ground = one is not None and one[0] == "f" and not list(variables(one))
        return one if len(found) == 1 and ground else None

    def structure(self, fluent: Signature, place: int) -> tuple[str, int] | None:
        """The name and the number of parts of what a dropped argument always is, each part a number from 0 on."""
        key = "structure of an argument", fluent, place
        return self.ruleset.remember(key, lambda: _shape(self.values(fluent, place)))

    def values(self, fluent: Signature, place: int) -> frozenset[clingo.Symbol]:
        """What an argument can be; nothing else.

        Raises:
            NotShown: A rule of the vocabulary is of another form.
        """
        key = "values of an argument", fluent, place
        return self.ruleset.remember(key, lambda: self._values(fluent, place))

    def _values(self, fluent: Signature, place: int) -> frozenset[clingo.Symbol]:
        values: set[clingo.Symbol] = set()
        for rule, args in stating(self.ruleset, fluent):
            text = written(args[place])
            if "?" in text:
                raise NotShown(f"it states several facts at once: {rule.text}")
            body = "; ".join(needed(rule, [text]))
            line = f"value__(({text},x)){f' :- {body}' if body else ''}."
            found = Grounding(self.ruleset.complete(tuple(parse_rules(line))), ()).get("value__", 1)
            values.update(s.arguments[0].arguments[0] for s in found)
        return frozenset(values)

    def chosen(self, kind: int, place: int) -> tuple[str, int] | None:
        """The same of an action's argument."""
        return _shape(self.options(kind, place))

    def options(self, kind: int, place: int) -> frozenset[clingo.Symbol]:
        """What an action's argument can be; nothing else."""
        for k in self._transition.kinds:
            if k.index == kind:
                count = len(names_of((k.action,)))
                return frozenset(argument_domains(self.ruleset, Special(k, k.action, count, (), ()))[place])
        return frozenset()

    def form(self, atom: Atom, place: int) -> tuple[str, int] | None:
        """The same of an atom's argument that is dropped."""
        if atom.name == names.argument(0):
            found = self._place(atom)
            return None if found is None else self.chosen(*found)
        if self.before(atom) and not (atom.signature in self.kept.counters and place == len(atom.args) - 1):
            return self.structure(atom.signature, place)
        return None

    # -- what follows at once ----------------------------------------------------------------------------------------

    def settled(self, clause: Clause) -> Clause | None:
        """A clause with all put in that its conditions determine; None where they contradict one another."""
        while True:
            found = self._step(clause)
            if found is None or found == clause:
                return found
            clause = found

    def _step(self, clause: Clause) -> Clause | None:
        binding: Binding = {}
        body: list[Literal] = []
        for x in dict.fromkeys(clause.body):
            if not isinstance(x, Other) or x.kind != "equal":
                body.append(x)
                continue
            left = unify(x.terms[0], x.terms[1], binding)
            if left is None:
                return None
            body += [Other("equal", pair) for pair in left if pair[0] != pair[1]]
        if _contradictory(body):
            return None
        pairs = [*self._determined(body), *self._formed(body)]
        for a, b in pairs:
            left = unify(a, b, binding)
            if left is None:
                return None
            body += [Other("equal", pair) for pair in left]
        return Clause(clause.head, tuple(dict.fromkeys(body))).put(binding)

    def _determined(self, body: Sequence[Literal]) -> Iterable[tuple[Term, Term]]:
        """What is equal as something determines it."""
        first: dict[tuple[object, ...], Atom] = {}
        for x in body:
            if isinstance(x, Other):
                if x.kind == "value":
                    one = ("value", _local(x, body))
                    other = first.setdefault(one, Atom("", x.terms))
                    yield other.args[0], x.terms[0]
                continue
            key = None if x.negated else self.key(x)
            if key is not None:
                other = first.setdefault((x.signature, *(x.args[i] for i in key)), x)
                yield from zip(other.args, x.args, strict=True)

    def _formed(self, body: Sequence[Literal]) -> Iterable[tuple[Term, Term]]:
        """What is of a form that is known."""
        for x in body:
            if not isinstance(x, Atom) or x.negated:
                continue
            for i in self.dropped(x):
                if x.args[i][0] != "v":
                    continue
                constant = self.closed(x, i) if self.before(x) else None
                form = self.form(x, i)
                if constant is not None:
                    yield x.args[i], constant
                elif form is not None:
                    name, parts = form
                    stem, _, mark = str(x.args[i][1]).partition("__v")
                    yield x.args[i], ("f", name, tuple(("v", f"{stem}__{k}__v{mark}") for k in range(parts)))


def _contradictory(body: Sequence[Literal]) -> bool:
    """Whether one condition denies what another one says."""
    held = [x for x in body if isinstance(x, Atom) and not x.negated]
    return any(
        isinstance(x, Atom)
        and x.negated
        and any(
            y.signature == x.signature
            and all(a in (ANONYMOUS, b) for a, b in zip(x.args, y.args, strict=True))
            for y in held
        )
        for x in body
    )


def _apart(args: Sequence[Term | None]) -> tuple[Term | None, ...]:
    """The arguments with variables that occur nowhere else."""
    head = Atom("", tuple(a for a in args if a is not None))
    new = iter(apart(Clause(head, ())).head.args)
    return tuple(None if a is None else next(new) for a in args)


def _term(text: str) -> Term | None:
    """The term that a text is; None for what stands for several."""
    atom = symbolic(parsed(f"x({text}).").head)
    if atom is None or several(*atom[1]) or len(atom[1]) != 1:
        return None
    return term(atom[1][0])


def _shape(values: Iterable[clingo.Symbol]) -> tuple[str, int] | None:
    """The name and the number of parts of all values, if they are structures of numbers from 0 on."""
    found = set()
    for v in values:
        if v.type != clingo.SymbolType.Function or not v.arguments:
            return None
        if any(a.type != clingo.SymbolType.Number or a.number < 0 for a in v.arguments):
            return None
        found.add((v.name, len(v.arguments)))
    return found.pop() if len(found) == 1 else None


def _local(x: Other, body: Iterable[Literal]) -> str:
    """An aggregate with its own variables called by their places, so that two equal ones look so."""
    outer = {v for y in body if y is not x for v in y.variables()} | {
        v for t in x.terms for v in variables(t)
    }
    called: dict[str, Term] = {}
    for v in names_in(x.rest):
        if v not in outer and v != "_":
            called.setdefault(v, ("v", f"Local{len(called)}"))
    return substituted(x.rest, called)
