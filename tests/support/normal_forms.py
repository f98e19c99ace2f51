"""Programs in normal form, and a check that a rule is in normal form."""

from collections.abc import Iterable

from kaiser_logic.lang import terms
from kaiser_logic.lang.algebra import is_simple
from kaiser_logic.lang.normal import has_any, normal
from kaiser_logic.lang.printer import show


def normal_program(rules: Iterable[terms.Rule]) -> terms.Program:
    return tuple(rule for one in rules for rule in normal(one))


def show_program(rules: Iterable[terms.Rule]) -> str:
    """The text of a program, one rule on each line."""
    return "".join(f"{show(rule)}\n" for rule in rules)


def is_normal(rule: terms.Rule) -> bool:
    if isinstance(rule.head, (terms.Either, terms.Choice)) or (
        rule.head and (not _plain(rule.head) or has_any(rule.head.args))
    ):
        return False
    return all(map(_is_normal, rule.body))


def _is_normal(literal: terms.Literal) -> bool:
    if not isinstance(literal, terms.Aggregate):
        return _plain(literal)
    inner = all(
        all(map(is_simple, e.terms)) and not has_any(e.terms) and all(map(_plain, e.condition))
        for e in literal.elements
    )
    return inner and not literal.sign and len(literal.guards) == 1 and is_simple(literal.guards[0][1])


def _plain(literal: terms.Literal) -> bool:
    """Whether an atom or a comparison is in normal form."""
    match literal:
        case terms.Atom(_, args, sign):
            return all(map(is_simple, args)) and (bool(sign) or not has_any(args))
        case terms.Compare(left, op, right, sign):
            if sign or not is_simple(left) or has_any((left, right)):
                return False
            if isinstance(right, terms.Op):
                return type(left) is terms.Var and op == "=" and is_simple(right.left) and is_simple(right.right)
            if isinstance(right, terms.Range):
                return type(left) is terms.Var and op == "=" and is_simple(right.low) and is_simple(right.high)
            return is_simple(right)
        case _:
            return False
