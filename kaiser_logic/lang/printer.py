"""Prints values, letter by letter as clingo prints its syntax trees."""

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
    Choice,
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
    """A pool; if all terms have one function, as ``f(1;2)``."""
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
            others = "".join(f" {op} {show_term(term)}" for op, term in links)
            return f"{_SIGNS[sign]}{show_term(left)}{others}"
        case Truth(holds):
            return "#true" if holds else "#false"
        case Either(among, sign):
            return f"{_SIGNS[sign]}{among[0].name}({';'.join(_terms(atom.args) for atom in among)})"
        case Aggregate(function, elements, guards, sign):
            return f"{_SIGNS[sign]}{_with_guards(f'{function}{_elements(elements)}', guards)}"
        case Conditional(one, condition):
            return f"{show_literal(one)}: {_join_literals(condition)}"


def show(rule: Rule) -> str:
    """The text of a rule.

    >>> show(Rule(Atom("p", (Var("X"),)), (Atom("q", (Var("X"),)), Atom("r", (), 1))))
    'p(X) :- q(X); not r.'
    """
    head = _head(rule.head)
    return f"{head} :- {'; '.join(map(show_literal, rule.body))}." if rule.body else f"{head}."


def show_with_commas(rule: Rule, width: int = 0) -> str:
    """The text of a rule as authors write it, with commas; the head is padded with blanks to ``width``.

    >>> show_with_commas(Rule(Atom("p", (Var("X"),)), (Atom("q", (Var("X"),)), Atom("r", (), 1))), 6)
    'p(X)   :- q(X), not r.'
    """
    head = _head(rule.head).ljust(width)
    return f"{' :- '.join(filter(None, [head, _join_literals(rule.body)]))}."


def _head(head: Atom | Either | Choice | None) -> str:
    if head is None:
        return "#false"
    return _choice(head) if isinstance(head, Choice) else show_literal(head)


def _choice(head: Choice) -> str:
    elements = [
        f"{show_literal(atom)}: {_join_literals(condition)}" if condition else show_literal(atom)
        for atom, condition in head.elements
    ]
    return _with_guards("{ " + "; ".join(elements) + " }" if elements else "{ }", head.guards)


def _with_guards(text: str, guards: tuple[tuple[str, Term], ...]) -> str:
    before = f"{show_term(guards[0][1])} {FLIPPED[guards[0][0]]} " if guards else ""
    return f"{before}{text}{''.join(f' {op} {show_term(side)}' for op, side in guards[1:])}"


def _elements(elements: tuple[Element, ...]) -> str:
    return f" {{ {'; '.join(map(_element, elements))} }}" if elements else " { }"


def _element(element: Element) -> str:
    terms = _terms(element.terms)
    return f"{terms}: {_join_literals(element.condition)}" if element.condition else terms or ":"


def _join_literals(literals: Iterable[Literal]) -> str:
    return ", ".join(map(show_literal, literals))
