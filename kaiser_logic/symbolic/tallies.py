"""How many there are of what is counted, as far as it is kept: none, one, or more.

Of a counter of which nothing but the value is left out, ``hand(R,K,N)``, it is kept whether there is such a fact,
``hand(R,K)``, and whether its value is more than 1, ``many__hand(R,K)``. What is gained and lost of it is added up where
all of it is known. A sum of such values lies between two bounds: each counts at least 1, or 2 where there are more.

A counter has one value if no rule sets values itself: what there is of it before a move is changed by one amount. So that
there is one, `tallied` takes only counters which nothing but gains, losses and shifts can change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import clingo
from clingo import ast

from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature, outermost, show
from ..rules.predicates import ADD, CHANGE
from ..rules.rule import Rule
from ..transform.rewrite import literal
from .effects import LOOSE, MINUS, PLUS
from .kept import Kept
from .trees import atom_text, is_variable, number_of, symbolic, variables_of

_MANY: Final = "many__"
_LARGE: Final = 1_000_000
"""More than all thresholds: what more than one may come to."""


def many(name: str) -> str:
    """The predicate that says of a counter, by its name at a moment, that its value is more than 1."""
    return _MANY + name


def moved(ruleset: Ruleset) -> frozenset[Signature]:
    """The counters that nothing but gains, losses and shifts can change, and that are absent at 0: each has one value."""

    def make() -> frozenset[Signature]:
        adding = [h.args[0] for r in _alive(ruleset) if not _own(r) for h in r.heads if h.signature == ADD]
        if any(t[0] == "v" for t in adding):
            return frozenset()
        given = {outermost(t) for t in adding}
        return frozenset(f for f, stated in ruleset.book.counters.items() if not stated and f not in given)

    return ruleset.remember("moved", make)


def tallied(ruleset: Ruleset, fluents: dict[Signature, set[int]]) -> frozenset[Signature]:
    """Those of them of which only the value is left out."""
    return frozenset(f for f in moved(ruleset) if fluents.get(f) == {f[1] - 1})


def strange(ruleset: Ruleset, facts: Iterable[clingo.Symbol]) -> bool:
    """Whether one of these counters is 0 or less, or has several values, in a position."""
    counters = moved(ruleset)
    found = [f for f in facts if (f.name, len(f.arguments)) in counters]
    different = {(f.name, *f.arguments[:-1]) for f in found}
    return len(different) < len(found) or any(f.arguments[-1].number < 1 for f in found)


def _own(rule: Rule) -> bool:
    """Whether a rule is one of those by which gains and losses change counters."""
    return rule.file == "generated" and CHANGE in rule.uses


def _alive(ruleset: Ruleset) -> list[Rule]:
    """The rules that can ever fire, also without those that deny what always holds."""
    rules = ruleset.judging.rules
    derived = {h.signature for r in rules for h in r.heads}
    alive = [r for r in rules if not _refused(ruleset, r)]
    while True:
        missing = derived - {h.signature for r in alive for h in r.heads}
        left = [r for r in alive if not any(a.signature in missing for a in r.positive)]
        if len(left) == len(alive):
            return alive
        alive = left


def _refused(ruleset: Ruleset, rule: Rule) -> bool:
    """Whether a rule denies what always holds."""
    return any(
        show(("f", a.name, a.args)) in {str(f) for f in ruleset.facts(a.name, len(a.args))}
        for a in rule.negative
    )


def counted(kept: Kept, name: str, args: Sequence[Any]) -> str | None:
    """What says that a tallied counter has the value 1; None where another one is asked for."""
    fluent = kept.fluent((name, len(args)))
    if fluent not in kept.tallied or number_of(args[-1]) != 1:
        return None
    return "not " + atom_text(many(name), [str(a) for a in args[:-1]])


def summed(node: Any, kept: Kept, readable: Callable[[Any], bool], given: set[str]) -> tuple[str, str] | None:
    """A condition on a sum of what is tallied as one that is not weaker, and one that is not stronger; None for others.

    Args:
        node: The condition.
        kept: What is kept.
        readable: Whether a condition speaks of nothing that is dropped.
        given: The variables that stand outside of it, too.
    """
    if node.sign or node.ast_type != ast.ASTType.Literal or node.atom.ast_type != ast.ASTType.BodyAggregate:
        return None
    atom = node.atom
    less = (ast.ComparisonOperator.LessThan, ast.ComparisonOperator.LessEqual)
    if atom.right_guard is not None or atom.left_guard is None or atom.left_guard.comparison not in less:
        return None
    if atom.function not in (ast.AggregateFunction.Sum, ast.AggregateFunction.SumPlus):
        return None
    bounded = number_of(atom.left_guard.term)
    if bounded is None and not is_variable(atom.left_guard.term):
        return None
    if not _apart(atom.elements):
        return None
    least, most = [], []
    for element in atom.elements:
        bounds = _element(element, kept, readable, given)
        if bounds is None:
            return None
        least += bounds[0]
        most += bounds[1]
    sign = "<" if atom.left_guard.comparison == less[0] else "<="
    head = f"{atom.left_guard.term} {sign} #sum {{ "
    return head + "; ".join(least) + " }", head + "; ".join(most) + " }"


def _element(
    element: Any, kept: Kept, readable: Callable[[Any], bool], given: set[str]
) -> tuple[list[str], list[str]] | None:
    """What an element counts at least, and at most."""
    weight, *rest = element.terms
    if number_of(weight) is not None:
        if not all(map(readable, element.condition)):
            return None
        return [str(element)], [str(element)]
    found = None
    other = []
    for condition in element.condition:
        atom = symbolic(condition)
        fluent = None if atom is None or condition.sign else kept.fluent((atom[0], len(atom[1])))
        if atom is not None and fluent in kept.tallied and str(atom[1][-1]) == str(weight) and found is None:
            found = atom
        elif readable(condition) and str(weight) not in variables_of(condition):
            other.append(str(condition))
        else:
            return None
    if found is None or not is_variable(weight):
        return None
    name, args = found
    known = {v for t in rest for v in variables_of(t)} | given
    if str(weight) in known:
        return None
    if not {v for a in args[:-1] for v in variables_of(a)} <= known or "_" in map(str, args):
        return None
    kept_args = [str(a) for a in args[:-1]]
    here = ", ".join([atom_text(name, kept_args), *other])
    more = ", ".join([atom_text(many(name), kept_args), *other])
    terms = "".join(f",{t}" for t in rest)
    one = f"1{terms},one__ : {here}"
    return [one, f"1{terms},many__ : {more}"], [one, f"{_LARGE}{terms},many__ : {more}"]


def _apart(elements: Sequence[Any]) -> bool:
    """Whether no two elements of a sum can be about the same."""
    for i, one in enumerate(elements):
        for other in elements[i + 1 :]:
            numbers = [number_of(e.terms[0]) for e in (one, other)]
            if any(n is not None and n < 1 for n in numbers) and None in numbers:
                continue
            pairs = list(zip(one.terms[1:], other.terms[1:], strict=False))
            constants = [
                (str(a), str(b)) for a, b in pairs if a.ast_type == b.ast_type == ast.ASTType.SymbolicTerm
            ]
            if len(one.terms) == len(other.terms) and not any(a != b for a, b in constants):
                return False
    return True


def frame(name: str, after: str, args: Sequence[str]) -> Iterator[str]:
    """What is known of a tallied counter after a transition that changes it by known amounts.

    Args:
        name: What it is called before.
        after: What it is called then.
        args: Its arguments, without the value.
    """
    old, more = literal(name, *args), literal(many(name), *args)
    new, then = literal(after, *args), literal(many(after), *args)
    moved, loose, total = (literal(f"{w}__{name}", *args) for w in ("moved", LOOSE, "known"))
    up, down = (literal(f"{w}__{name}", *args, "N", "V") for w in (PLUS, MINUS))
    at = literal(f"sum__{name}", *args, "S")
    yield f"{moved} :- {up}."
    yield f"{moved} :- {down}."
    yield f"{total} :- {moved}, not {loose}."
    yield f"{at} :- {total}, S = #sum {{ N,V,up : {up}; -N,V,down : {down}; 1,one : {old}; 1,more : {more} }}."
    yield f"{new} :- {at}, S > 0."
    yield f"{then} :- {at}, S > 1."
    yield f"{{ {new} }} :- {at}, {more}, S <= 0."
    yield f"{{ {then} }} :- {at}, {more}, {new}, S <= 1."
    yield f"{then} :- {more}, not {moved}, not {loose}."
    yield f"{{ {then} }} :- {new}, {loose}."
