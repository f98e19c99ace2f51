"""A program ground over facts that may or may not hold, read into a circuit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

from .. import clingo
from ..engine import symbols
from ..lang.graph import components
from ..lang.printer import show
from ..lang.terms import Aggregate, Atom, Compare, Range, Signature, Var
from ..lang.terms import Rule as Value
from ..rules.rule import Rule
from .bits import FALSE, TRUE, Circuit, Group

_TOTAL: Final[Signature] = ("total", 2)
_MOST_LITERALS: Final = 3_000_000
"""A program is given up that grounds to more than these."""
_UNROLLED: Final = 12
"""More atoms that depend on one another become a loop of the circuit."""

Body: TypeAlias = tuple[int | None, Sequence[Any]]
"""A rule's body: literals; or, with a bound, pairs of literal and weight."""


class Unsupported(Exception):
    """A question cannot become a circuit; the text says why."""


class GroundInput(Protocol):
    """What is ground: a :class:`~kaiser_logic.engine.grounding.Program`, or rules as values beside it."""

    @property
    def inputs(self) -> frozenset[Signature]:
        """Which facts are read, by signature."""

    @property
    def static(self) -> tuple[clingo.Symbol, ...]:
        """Facts that no position changes."""


class _Recorder(clingo.Observer):
    """Records the ground rules: for each head its bodies."""

    def __init__(self) -> None:
        self.bodies: dict[int, list[Body]] = {}
        self.literals = 0
        self._sums: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._count(1 + len(body))
        for atom in head:
            self.bodies.setdefault(atom, []).append((None, tuple(body)))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        pairs = tuple(map(tuple, body))
        self._count(1 if pairs in self._sums else 1 + len(pairs))
        pairs = self._sums.setdefault(pairs, pairs)  # a sum is compared with each of its values
        for atom in head:
            self.bodies.setdefault(atom, []).append((lower_bound, pairs))

    def _count(self, literals: int) -> None:
        self.literals += literals
        if self.literals > _MOST_LITERALS:
            raise MemoryError("the program is too large")


class GroundCircuit:
    """A program ground over an open position; its atoms as literals of a circuit."""

    def __init__(
        self,
        circuit: Circuit,
        program: GroundInput,
        rules: Iterable[Rule | Value],
        given: Iterable[clingo.Symbol],
        possible: Mapping[clingo.Symbol, Group | None],
    ) -> None:
        """Grounds the program.

        Args:
            circuit: To which the atoms are added.
            program: What it reads.
            rules: Its rules; values where they have been rewritten.
            given: Facts that hold.
            possible: Facts that may hold, with their groups.

        Raises:
            Unsupported: It has become too large.
        """
        self.circuit = circuit
        self._recorder = _Recorder()
        inputs = program.inputs
        open_ = {s: group for s, group in possible.items() if symbols.signature(s) in inputs}
        known = [s for s in given if symbols.signature(s) in inputs]
        nodes = [node for rule in rules for node in _nodes(rule)]
        nodes += [clingo.external(*signature) for signature in sorted({symbols.signature(s) for s in open_})]
        given = (*program.static, *known, *map(clingo.may_hold, open_))
        try:
            self._control = clingo.ground(nodes, given, observer=self._recorder)
        except (RuntimeError, MemoryError) as error:
            raise Unsupported(str(error)) from None
        self._literals: dict[int, int] = {}
        for symbol, group in open_.items():
            atom = self._control.symbolic_atoms[symbol]
            if atom is not None and not atom.is_fact:
                self._literals[atom.literal] = circuit.input(symbol, group)

    def get(self, name: str, arity: int) -> dict[clingo.Symbol, int]:
        """The atoms of a predicate that can hold, each with the literal that says whether it does."""
        found = {}
        for atom in self._control.symbolic_atoms.by_signature(name, arity):
            literal = TRUE if atom.is_fact else self._literal(atom.literal)
            if literal != FALSE:
                found[atom.symbol] = literal
        return found

    def beyond_limits(self) -> int:
        """Whether the total of some measure that the program sums up lies outside of its limits.

        Without that the sums would have a value for each of the subsets of what is summed. In positions of a sound
        rulebook it never holds.
        """
        measured: dict[clingo.Symbol, list[int]] = {}
        for kind in ("limit", "range"):
            for atom in self._control.symbolic_atoms.by_signature(kind, 3):
                measured.setdefault(atom.symbol.arguments[0], [])
        for symbol, literal in self.get("total", 2).items():
            measured.setdefault(symbol.arguments[0], []).append(literal)
        summed = {m: its for m, its in measured.items() if its}
        return self.circuit.disj([self.circuit.disj(its) ^ 1 for its in summed.values()])

    # -- from ground rules to the circuit ----------------------------------------------------------------------------------

    def _literal(self, root: int) -> int:
        """The circuit's literal for an atom, with those of all that it depends on."""
        known = self._literals
        if root not in known:
            for component in components([root], self._referred):
                self._define(component)
        return known[root]

    def _referred(self, atom: int) -> list[int]:
        """The atoms that an atom's rules refer to, without those that have a literal already."""
        known = self._literals
        return [
            below
            for bound, body in self._recorder.bodies.get(atom, ())
            for one in body
            if (below := abs(one if bound is None else one[0])) not in known
        ]

    def _define(self, component: Sequence[int]) -> None:
        if len(component) == 1 and component[0] not in self._referred(component[0]):
            self._literals[component[0]] = self._defined(component[0])
            return
        inside = set(component)
        for atom in component:
            for bound, body in self._recorder.bodies[atom]:
                if bound is not None or any(-one in inside for one in body):
                    raise Unsupported("a sum or a negation within a recursion")
        if len(component) > _UNROLLED:
            self._literals.update(zip(component, self.circuit.values(len(component)), strict=True))
            self.circuit.repeat({self._literals[atom]: self._gathered(atom, inside) for atom in component})
            return
        values = dict.fromkeys(component, FALSE)
        for _ in component:  # from below: after as many rounds as atoms nothing new can follow
            self._literals.update(values)
            new = {atom: self._defined(atom) for atom in component}
            if new == values:
                break
            values = new
        self._literals.update(values)

    def _gathered(self, atom: int, inside: set[int]) -> int:
        """An atom's literal, as a function of the values of its component: the bodies are grouped by the values that they read.

        The rest of the bodies is often the same for many components, and then is built once.
        """
        known = self._literals
        ways: dict[int, list[int]] = defaultdict(list)
        for _, body in self._recorder.bodies.get(atom, ()):
            within = self.circuit.conj([known[one] for one in body if one in inside])
            rest = [known[abs(one)] ^ (one < 0) for one in body if one not in inside]
            ways[within].append(self.circuit.conj(rest))
        conj, disj = self.circuit.conj, self.circuit.disj
        return disj([conj([within, disj(rests)]) for within, rests in ways.items()])

    def _defined(self, atom: int) -> int:
        return self.circuit.disj([self._body(*body) for body in self._recorder.bodies.get(atom, ())])

    def _body(self, bound: int | None, body: Sequence[Any]) -> int:
        known = self._literals
        if bound is None:
            return self.circuit.conj([known[a] if a > 0 else known[-a] ^ 1 for a in body])
        return self.circuit.at_least(bound, [(known[a] if a > 0 else known[-a] ^ 1, w) for a, w in body])


def _nodes(rule: Rule | Value) -> Iterable[clingo.Tree]:
    """The syntax trees of a rule; those of a total say between which numbers it lies."""
    if isinstance(rule, Rule) and _TOTAL not in {head.signature for head in rule.heads}:
        return (clingo.tree(rule.text),)
    value = rule.value if isinstance(rule, Rule) else rule
    return clingo.trees(show(_ranged(value) or value))


def _ranged(rule: Value) -> Value | None:
    """The rule for a total with the numbers between which it lies; None for any other rule.

    >>> from kaiser_logic.lang.reader import read_rule
    >>> show(_ranged(read_rule("total(gold,N_) :- limit(gold,_,_), N_ = #sum { W,X : counts(gold,X,W) }.")))
    'total(gold,N_) :- limit(gold,Least_,Most_); N_ = (Least_..Most_); N_ = #sum { W,X: counts(gold,X,W) }.'
    """
    least, most = Var("Least_"), Var("Most_")
    match rule:
        case Value(
            Atom("total", (_, Var("N_") as number)),
            (
                Atom("limit" | "range" as kind, (measure, Var("_"), Var("_")), 0),
                Aggregate("#sum") as total,
                *rest,
            ),
        ) if total.guards == (("=", number),) and not total.sign:
            bounds = Atom(kind, (measure, least, most)), Compare(number, "=", Range(least, most))
            return Value(rule.head, (*bounds, total, *rest))
        case _:
            return None
