"""Sums that rules compare with a bound, and what is added up in them: each part by the facts that it is of.

    can_lead(R) :- need(R,M), against(R,Q), #sum{ N,own,X : has(R,N,X) ; N,more,X : can_add(R,N,X) } >= M.

The outer conditions say of whom a sum is and what it has to reach; what is summed up is unfolded until it stands there of which
facts it is. Only predicates are read that one rule says, with one sum that has a bound below.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from clingo import ast

from ..rules.pattern import Signature
from ..symbolic import names
from ..symbolic.flattening import Flattening, Unprojectable
from ..symbolic.kept import Kept
from ..symbolic.trees import parsed, several, symbolic
from .amounts import Amount, amount
from .clauses import Atom, Clause, Literal, NotShown, Other, Rules, apart, literal_of
from .known import Known
from .terms import Term, show, term, variables

_LESS = (ast.ComparisonOperator.LessThan, ast.ComparisonOperator.LessEqual)


@dataclass(frozen=True)
class Sum:
    """A predicate that holds where a sum reaches a bound.

    Attributes:
        head: What it says.
        outer: The other conditions.
        bound: What the sum has to reach.
        strict: Whether it has to be more than that.
        elements: What is summed up: the conditions, below a weight and what tells it from others.
        texts: The same as texts.
    """

    head: Atom
    outer: tuple[Literal, ...]
    bound: Term
    strict: bool
    elements: tuple[Clause, ...]
    texts: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that stand outside of the sum."""
        every = {v for x in (self.head, *self.outer) for v in x.variables()} | set(variables(self.bound))
        return tuple(sorted(every))


def sums(lines: Iterable[str], rules: Rules, kept: Kept) -> dict[Signature, Sum]:
    """The sums in the rules of a program.

    Args:
        lines: Its rules.
        rules: The same as clauses.
        kept: What is kept.
    """
    found: dict[Signature, list[Sum]] = {}
    flattening = Flattening(kept.shapes)
    for line in lines:
        if "#sum" not in line:
            continue
        rule = parsed(line)
        if rule.ast_type != ast.ASTType.Rule:
            continue
        try:
            flat = flattening.rules(rule)
        except Unprojectable:
            continue
        for one in flat:
            read = _sum(one)
            if read is not None:
                found.setdefault(read.head.signature, []).append(read)
    return {s: f[0] for s, f in found.items() if len(f) == 1 and _only(rules.of(s))}


def _only(clauses: list[Clause] | None) -> bool:
    """Whether one rule says it, and that is one with a sum."""
    if clauses is None or len(clauses) != 1:
        return False
    return any(isinstance(x, Other) and "#sum" in x.rest for x in clauses[0].body)


def _sum(rule: Any) -> Sum | None:
    """The sum of a rule; None where it is of another form."""
    head = symbolic(rule.head) if rule.head.ast_type == ast.ASTType.Literal and not rule.head.sign else None
    inner = [x for x in rule.body if _summing(x)]
    if head is None or several(*head[1]) or len(inner) != 1 or inner[0].sign:
        return None
    atom = inner[0].atom
    guard = atom.left_guard
    if atom.function != ast.AggregateFunction.Sum or atom.right_guard is not None or guard is None:
        return None
    if guard.comparison not in _LESS:
        return None
    elements = []
    for e in atom.elements:
        if any(c.ast_type != ast.ASTType.Literal for c in e.condition) or several(*e.terms):
            return None
        terms = (_weight(e.terms[0]), *map(term, e.terms[1:]))
        elements.append(Clause(Atom("", terms), tuple(map(literal_of, e.condition))))
    outer = tuple(literal_of(x) for x in rule.body if not _summing(x))
    says = Atom(head[0], tuple(map(term, head[1])))
    strict = guard.comparison == _LESS[0]
    return Sum(says, outer, term(guard.term), strict, tuple(elements), tuple(map(str, atom.elements)))


def _summing(node: Any) -> bool:
    """Whether a condition is one on what is summed up."""
    return bool(node.ast_type == ast.ASTType.Literal and node.atom.ast_type == ast.ASTType.BodyAggregate)


def _weight(node: Any) -> Term:
    """A weight; what is taken away is 0 less it."""
    if node.ast_type == ast.ASTType.UnaryOperation and node.operator_type == ast.UnaryOperator.Minus:
        return ("o", "-", ("n", 0), _weight(node.argument))
    if (
        node.ast_type == ast.ASTType.BinaryOperation
        and node.operator_type == ast.BinaryOperator.Multiplication
    ):
        return ("o", "*", _weight(node.left), _weight(node.right))
    return term(node)


@dataclass(frozen=True)
class Part:
    """A part of a sum, of facts of one kind.

    Attributes:
        element: In which of its elements it stands.
        key: What stands for the variables outside of the sum.
        weight: What it adds.
        mark: What tells it from others.
        body: The conditions, those outside of the sum among them.
    """

    element: int
    key: tuple[Term, ...]
    weight: Term
    mark: tuple[Term, ...]
    body: tuple[Literal, ...]

    @property
    def amount(self) -> Amount:
        """What it adds, as a sum of products."""
        return amount(self.weight)


def parts(
    rules: Rules, known: Known, one: Sum, given: Clause | None = None, only: Collection[int] | None = None
) -> Iterator[Part]:
    """All parts of a sum.

    Args:
        rules: What is put in the places of what is summed up.
        known: What is known besides.
        one: The sum.
        given: Conditions under which it is looked at, below what stands for its head's arguments, and for what its key is
            to have besides; None for any.
        only: The elements that are looked at; None for all.

    Raises:
        NotShown: It is not known of what it is a sum.
    """
    wanted = {s for s, dropped in known.kept.derived.items() if dropped}
    for i, e in enumerate(one.elements):
        if only is not None and i not in only:
            continue
        key = tuple(("v", v) for v in one.names)
        whole = Clause(Atom("", (*key, *e.head.args)), (*one.outer, *e.body))
        clause = joined(one, whole, given)
        size = len(clause.head.args) - len(e.head.args)
        for new in rules.unfolded(clause, wanted):
            settled = known.settled(new)
            if settled is None:
                continue
            for x in settled.body:
                _followed(known, x)
            args = settled.head.args
            yield Part(i, args[:size], args[size], args[size + 1 :], settled.body)


def joined(one: Sum, whole: Clause, given: Clause | None) -> Clause:
    """A clause about a sum with what is given of it; its head has first what is to be known of that besides."""
    new = apart(Clause(Atom("", (*one.head.args, *whole.head.args)), whole.body))
    size = len(one.head.args)
    if given is None:
        return Clause(Atom("", new.head.args[size:]), new.body)
    other = apart(given)
    pairs = zip(new.head.args[:size], other.head.args[:size], strict=True)
    equal = tuple(Other("equal", pair) for pair in pairs)
    head = Atom("", (*other.head.args[size:], *new.head.args[size:]))
    return Clause(head, (*other.body, *new.body, *equal))


def _followed(known: Known, x: Literal) -> None:
    """Sees to it that something is a fact, an action, or nothing is left out of it.

    Raises:
        NotShown: It is something else.
    """
    if not isinstance(x, Atom):
        return
    if names.plain(x.name) in known.kept.shapes and len(x.args) == 1:
        raise NotShown(f"it is not known which {x.text()} is")
    if x.negated or x.name == names.argument(0) or not known.dropped(x):
        return
    if known.kept.fluent(x.signature) is None:
        raise NotShown(f"it is not known what {show(('f', x.name, x.args))} is said by")


def bodies(clause: Clause, known: Known, rules: Rules) -> Sequence[Clause]:
    """A clause unfolded like the parts of sums."""
    wanted = {s for s, dropped in known.kept.derived.items() if dropped}
    found = (known.settled(c) for c in rules.unfolded(clause, wanted))
    return [c for c in found if c is not None]
