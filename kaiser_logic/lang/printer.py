"""Values as text, letter by letter as clingo prints its own syntax trees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .terms import (
    ABSOLUTE,
    COMPLEMENT,
    FLIPPED,
    NEGATIVE,
    Aggregate,
    Atom,
    Chain,
    Compare,
    Conditional,
    Either,
    Element,
    Fun,
    Int,
    Literal,
    Name,
    Op,
    Pool,
    Range,
    Rule,
    Term,
    Text,
    Truth,
    Var,
)

_SIGNS: Final = ("", "not ", "not not ")
_UNARY: Final = {NEGATIVE: "-{}", ABSOLUTE: "|{}|", COMPLEMENT: "~{}"}
_ESCAPES: Final = str.maketrans({"\\": "\\\\", "\n": "\\n", '"': '\\"'})


def show_term(term: Term) -> str:
    """The text of a term.

    >>> show_term(Fun("", (Op("+", Var("X"), Int(-1)),)))
    '((X+-1),)'
    """
    match term:
        case Var(name):
            return name
        case Int(number):
            return str(number)
        case Name(name):
            return name
        case Text(text):
            return f'"{text.translate(_ESCAPES)}"'
        case Fun("", args):
            return f"({_terms(args)},)" if len(args) == 1 else f"({_terms(args)})"
        case Fun(name, args):
            return f"{name}({_terms(args)})"
        case Op(sign, left, right):
            if sign in _UNARY:
                return _UNARY[sign].format(show_term(right))
            return f"({show_term(left)}{sign}{show_term(right)})"
        case Range(low, high):
            return f"({show_term(low)}..{show_term(high)})"
        case Pool(terms):
            return _pool(terms)


def _terms(terms: Iterable[Term]) -> str:
    return ",".join(map(show_term, terms))


def _pool(terms: tuple[Term, ...]) -> str:
    """A pool; that of one function has its name in front."""
    names = {term.name for term in terms if isinstance(term, Fun)}
    if len(names) == 1 and "" not in names and all(isinstance(term, Fun) for term in terms):
        return f"{names.pop()}({';'.join(_terms(t.args) for t in terms if isinstance(t, Fun))})"
    return f"({';'.join(map(show_term, terms))})"


def show_literal(literal: Literal) -> str:
    """The text of a literal.

    >>> show_literal(Aggregate("#sum", (Element((Var("V"),), (Atom("owns", (Var("V"),)),)),), (("=", Var("N")),)))
    'N = #sum { V: owns(V) }'
    """
    match literal:
        case Atom(name, args, sign):
            return f"{_SIGNS[sign]}{name}({_terms(args)})" if args else f"{_SIGNS[sign]}{name}"
        case Compare(left, op, right, sign):
            return f"{_SIGNS[sign]}{show_term(left)} {op} {show_term(right)}"
        case Chain(left, links, sign):
            return f"{_SIGNS[sign]}{show_term(left)}{''.join(f' {op} {show_term(t)}' for op, t in links)}"
        case Truth(holds):
            return "#true" if holds else "#false"
        case Either(atoms, sign):
            return f"{_SIGNS[sign]}{atoms[0].name}({';'.join(_terms(a.args) for a in atoms)})"
        case Aggregate(function, elements, guards, sign):
            before = f"{show_term(guards[0][1])} {FLIPPED[guards[0][0]]} " if guards else ""
            after = "".join(f" {op} {show_term(side)}" for op, side in guards[1:])
            inside = f"{{ {'; '.join(map(_element, elements))} }}" if elements else "{ }"
            return f"{_SIGNS[sign]}{before}{function} {inside}{after}"
        case Conditional(inner, condition):
            return f"{show_literal(inner)}: {', '.join(map(show_literal, condition))}"


def _element(element: Element) -> str:
    condition = ", ".join(map(show_literal, element.condition))
    return f"{_terms(element.terms)}: {condition}" if condition else _terms(element.terms) or ":"


def show(rule: Rule) -> str:
    """The text of a rule.

    >>> show(Rule(Atom("p", (Var("X"),)), (Atom("q", (Var("X"),)), Atom("r", (), 1))))
    'p(X) :- q(X); not r.'
    """
    head = "#false" if rule.head is None else show_literal(rule.head)
    body = "; ".join(map(show_literal, rule.body))
    return f"{head} :- {body}." if body else f"{head}."


def show_program(rules: Iterable[Rule]) -> str:
    """The text of a program, a rule a line."""
    return "".join(f"{show(rule)}\n" for rule in rules)
