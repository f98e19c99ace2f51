"""Prints values as clingo prints its own syntax trees, letter by letter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

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
    found = Layout()
    found.literal(literal, False)
    return found.text


def show(rule: Rule) -> str:
    """The text of a rule.

    >>> show(Rule(Atom("p", (Var("X"),)), (Atom("q", (Var("X"),)), Atom("r", (), 1))))
    'p(X) :- q(X); not r.'
    """
    found = Layout()
    found.rule(rule)
    return found.text


def show_with_commas(rule: Rule, width: int = 0) -> str:
    """The text of a rule as authors write it, with commas; ``width``: of its head, which blanks fill up.

    >>> show_with_commas(Rule(Atom("p", (Var("X"),)), (Atom("q", (Var("X"),)), Atom("r", (), 1))), 6)
    'p(X)   :- q(X), not r.'
    """
    head = show(Rule(rule.head)).removesuffix(".").ljust(width)
    return f"{' :- '.join(filter(None, [head, ', '.join(map(show_literal, rule.body))]))}."


class Placed(NamedTuple):
    """The place of an atom in a text.

    Attributes:
        atom: The atom.
        inner: Whether it stands within an aggregate, a condition or a pool.
        start: Where its name begins.
        end: Where it ends; the atoms of a pool have the same place.
        args: Where each of its arguments begins and ends.
    """

    atom: Atom
    inner: bool
    start: int
    end: int
    args: tuple[tuple[int, int], ...]


class Layout:
    """The text of a rule, and where its parts stand in it.

    >>> found = Layout()
    >>> found.rule(Rule(Atom("p", (Var("X"),)), (Atom("q", (Int(1), Var("X"))), Atom("r", (), 1))))
    >>> [found.text[a.start : a.end] for a in found.atoms], [found.text[a:b] for a, b in found.cuts]
    (['p(X)', 'q(1,X)', 'r'], ['q(1,X)', 'not r'])

    Attributes:
        atoms: The atoms in their order, those of the head first; those of a choice are left out.
        heads: How many of them stand in the head.
        cuts: Where each literal of the body begins and ends.
    """

    def __init__(self) -> None:
        """Nothing so far."""
        self._parts: list[str] = []
        self._at = 0
        self.atoms: list[Placed] = []
        self.heads = 0
        self.cuts: list[tuple[int, int]] = []

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._parts)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._at += len(text)

    def rule(self, rule: Rule) -> None:
        """Adds a rule."""
        head = rule.head
        if head is None:
            self._put("#false")
        elif isinstance(head, Choice):
            self._choice(head)
        else:
            self.literal(head, False)
        self.heads = len(self.atoms)
        sign = " :- "
        for literal in rule.body:
            self._put(sign)
            start = self._at
            self.literal(literal, False)
            self.cuts.append((start, self._at))
            sign = "; "
        self._put(".")

    def _choice(self, head: Choice) -> None:
        among = [
            f"{show_literal(atom)}: {', '.join(map(show_literal, its))}" if its else show_literal(atom)
            for atom, its in head.elements
        ]
        self._guarded("{ " + "; ".join(among) + " }" if among else "{ }", head.guards)

    def _guarded(self, text: str, guards: tuple[tuple[str, Term], ...]) -> None:
        before = f"{show_term(guards[0][1])} {FLIPPED[guards[0][0]]} " if guards else ""
        self._put(f"{before}{text}{''.join(f' {op} {show_term(side)}' for op, side in guards[1:])}")

    def literal(self, literal: Literal, inner: bool) -> None:
        """Adds a literal; ``inner``: within an aggregate or a condition."""
        match literal:
            case Atom(_, _, sign):
                self._put(_SIGNS[sign])
                self._atoms((literal,), inner)
            case Either(among, sign):
                self._put(_SIGNS[sign])
                self._atoms(tuple([Atom(a.name, a.args, sign) for a in among]), True)
            case Aggregate(function, elements, guards, sign):
                self._put(_SIGNS[sign])
                if guards:
                    self._put(f"{show_term(guards[0][1])} {FLIPPED[guards[0][0]]} ")
                self._put(function)
                self._elements(elements)
                self._put("".join(f" {op} {show_term(side)}" for op, side in guards[1:]))
            case Conditional(one, condition):
                self.literal(one, True)
                self._put(": ")
                self._joined(condition)
            case Compare(left, op, right, sign):
                self._put(f"{_SIGNS[sign]}{show_term(left)} {op} {show_term(right)}")
            case Chain(left, links, sign):
                others = "".join(f" {op} {show_term(term)}" for op, term in links)
                self._put(f"{_SIGNS[sign]}{show_term(left)}{others}")
            case Truth(holds):
                self._put("#true" if holds else "#false")

    def _atoms(self, atoms: tuple[Atom, ...], inner: bool) -> None:
        """Adds an atom, or the alternatives of a pool."""
        name, start = atoms[0].name, self._at
        self._put(name)
        if len(atoms) == 1 and not atoms[0].args:
            self.atoms.append(Placed(atoms[0], inner, start, self._at, ()))
            return
        at, sign, texts, places = self._at, "(", list[str](), list[tuple[tuple[int, int], ...]]()
        for atom in atoms:
            its: list[tuple[int, int]] = []
            if not atom.args:
                texts.append(sign)
                at += len(sign)
            for arg in atom.args:
                text = show_term(arg)
                at += len(sign)
                its.append((at, at + len(text)))
                texts += (sign, text)
                at += len(text)
                sign = ","
            sign = ";"
            places.append(tuple(its))
        self._put(f"{''.join(texts)})")
        self.atoms += [
            Placed(atom, inner, start, self._at, its) for atom, its in zip(atoms, places, strict=True)
        ]

    def _elements(self, elements: tuple[Element, ...]) -> None:
        self._put(" { ")
        for k, element in enumerate(elements):
            if k:
                self._put("; ")
            terms = _terms(element.terms)
            if element.condition:
                self._put(f"{terms}: ")
                self._joined(element.condition)
            else:
                self._put(terms or ":")
        self._put(" }" if elements else "}")

    def _joined(self, literals: Iterable[Literal]) -> None:
        for k, literal in enumerate(literals):
            if k:
                self._put(", ")
            self.literal(literal, True)
