"""Programs in normal form, and a check that a rule is in normal form."""

from collections.abc import Iterable

from kaiser_logic.lang.algebra import is_simple
from kaiser_logic.lang.normal import has_any, normal
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import (
    Aggregate,
    Atom,
    Choice,
    Compare,
    Either,
    Literal,
    Op,
    Program,
    Range,
    Rule,
    Var,
)


def normal_program(rules: Iterable[Rule]) -> Program:
    return tuple(rule for one in rules for rule in normal(one))


def show_program(rules: Iterable[Rule]) -> str:
    """The text of a program, one rule on each line."""
    return "".join(f"{show(rule)}\n" for rule in rules)


def is_normal(rule: Rule) -> bool:
    if isinstance(rule.head, (Either, Choice)) or (
        rule.head and (not _plain(rule.head) or has_any(rule.head.args))
    ):
        return False
    return all(map(_is_normal, rule.body))


def _is_normal(literal: Literal) -> bool:
    if not isinstance(literal, Aggregate):
        return _plain(literal)
    inner = all(
        all(map(is_simple, e.terms)) and not has_any(e.terms) and all(map(_plain, e.condition))
        for e in literal.elements
    )
    return inner and not literal.sign and len(literal.guards) == 1 and is_simple(literal.guards[0][1])


def _plain(literal: Literal) -> bool:
    """Whether an atom or a comparison is in normal form."""
    match literal:
        case Atom(_, args, sign):
            return all(map(is_simple, args)) and (bool(sign) or not has_any(args))
        case Compare(left, op, right, sign):
            if sign or not is_simple(left) or has_any((left, right)):
                return False
            if isinstance(right, Op):
                return type(left) is Var and op == "=" and is_simple(right.left) and is_simple(right.right)
            if isinstance(right, Range):
                return type(left) is Var and op == "=" and is_simple(right.low) and is_simple(right.high)
            return is_simple(right)
        case _:
            return False
