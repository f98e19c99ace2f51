"""Checks that facts and actions can be written in records: no texts, no tuples, no names or numbers that records cannot hold.

Such a value may come to a fact through predicates, as in ``card("Big King").  fluent(laid(C)) :- card(C).`` So it is followed
from where it is written through the arguments of predicates, as far as rules can carry it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ...errors import Finding
from ...lang.algebra import walk
from ...lang.normal import normal
from ...lang.printer import show_term
from ...lang.terms import (
    Aggregate,
    Atom,
    Compare,
    Fun,
    Int,
    Literal,
    Name,
    Op,
    Range,
    Refused,
    Signature,
    Term,
    Text,
    Var,
)
from ...lang.terms import Rule as Value
from ..predicates import ACTION, ADD, BOARD_FACT, CANDIDATE, DEL, FLUENT, GAIN, LOSE, SHIFT, VIOLATES
from ..rule import POSITIVE, PlacedRule
from .survey import Survey

_WRITTEN: Final[Mapping[Signature, tuple[str, tuple[int, ...]]]] = {
    **dict.fromkeys((FLUENT, ("init", 1), ADD, DEL, BOARD_FACT, GAIN, LOSE), ("fluent", (0,))),
    SHIFT: ("fluent", (0, 1)),
    ("step", 1): ("step", (0,)),
    ACTION: ("action", (1,)),
    CANDIDATE: ("action", (1,)),
}
"""The predicates with arguments that are written in records: the kind of the finding, and the positions of the arguments."""
_NOUNS: Final = {"fluent": "a fact", "step": "a step", "action": "an action"}
_CLEAN: Final = frozenset({"seat", "start", "ruling", "board", "submitted", "does", "number", "decision", "due"})
"""Predicates whose facts come from records or the manifest, so that all their values can be written."""
_IDS: Final = {VIOLATES: 2, ("out_of_turn", 2): 1}
"""The predicates whose last argument is the id of a documented rule."""
_PERHAPS: Final = re.compile(r"(?<![\w'])(?:_+[a-z]|\(|\d{10}|#inf|#sup)")
"""Only rules whose text has this, or a text, have a strange value; most have none."""
_MOST: Final = 999_999_999
_DEEPEST: Final = 12
"""Values deeper in terms than this are not followed, so that recursive rules come to an end."""


class _Strange(NamedTuple):
    """A value that records cannot hold: its kind in words, and the rule in which it is written."""

    kind: str
    rule: PlacedRule


_Path: TypeAlias = tuple[tuple[str, int, int], ...]
"""A place in a term: for each level from outside the name of the function, its number of arguments, and which one it is."""
_Kinds: TypeAlias = dict[tuple[_Path, str], _Strange]
"""The strange values that a term may contain, by their place in it and their text."""


def unwritable(survey: Survey) -> Iterator[Finding]:
    """The kinds ``fluent``, ``action`` and ``step``: facts and actions consist of names and numbers that records can hold.

    >>> # fluent(laid("queen")).     card((king,2)). fluent(laid(C)) :- card(C).     fluent(money(1..2000000000)).
    """
    ours = _carrying(survey)
    flow = _Flow(ours, survey.book.fluents)
    for rule in ours:
        for head in rule.heads:
            kind, positions = _WRITTEN.get(head.signature, ("", ()))
            values = flow.at(rule, head.signature, positions)
            for (_, text), strange in [*values.items()][:1]:
                where = "" if strange.rule is rule else f" ({strange.rule.file}:{strange.rule.line})"
                others = f" and {len(values) - 1} more" if len(values) > 1 else ""
                message = (
                    f"{text}{where}{others} can be a part of {_NOUNS[kind]}, but it is {strange.kind}: "
                    "records hold names and numbers of at most nine digits"
                )
                yield survey.at(rule, kind, message, text)


def _carrying(survey: Survey) -> list[PlacedRule]:
    """The rules that write a strange value, or read a predicate that may carry one."""
    drawing = set(map(id, survey.drawing))
    rules: dict[int, PlacedRule] = {}
    new = [r for r in survey.rules if id(r) not in drawing and _writes(r)]
    while new:
        rules.update((id(rule), rule) for rule in new)
        heads = {head.signature for rule in new for head in rule.heads}
        new = [
            use.rule
            for head in heads
            for use in survey.read.get(head, ())
            if use.atom.place == POSITIVE and id(use.rule) not in drawing and id(use.rule) not in rules
        ]
    return list(rules.values())


def _writes(rule: PlacedRule) -> bool:
    """Whether a strange value is written in a rule."""
    quoted = rule.text.count('"') > 2 * sum(head.signature in _IDS for head in rule.heads)
    if not (quoted or _PERHAPS.search(rule.text)):
        return False
    return any(map(_is_strange, walk(_parts_without_ids(rule.value))))


def _parts_without_ids(rule: Value) -> tuple[object, ...]:
    """The parts of a rule without the ids of documented rules in its head, which come to no fact."""
    heads = (args for head in rule.heads for args in [head.args[: _IDS.get(head.signature)]])
    return (*heads, *rule.body)


def _is_strange(term: object) -> str:
    """The kind of a term that no record can hold, in words; empty for any other term."""
    match term:
        case Text():
            return "a text"
        case Fun("", _):
            return "a tuple"
        case Fun(name, _) | Name(name) if name[:1] == "_":
            return "a name that begins with _"
        case Name(name) if name[:1] == "#":
            return "no name"
        case Int(number) if abs(number) > _MOST:
            return "a larger number"
    return ""


def _normal(rule: PlacedRule) -> list[Value]:
    """The normal form of a rule; none if it has none, which is another finding."""
    try:
        return normal(rule.value)
    except Refused:
        return []


class _Flow:
    """The strange values that may be in each argument of each predicate."""

    def __init__(self, rules: Sequence[PlacedRule], fluents: Iterable[Signature]) -> None:
        self._clean = {*fluents}
        self._values: dict[tuple[Signature, int], _Kinds] = defaultdict(dict)
        self._normal = {id(rule): _normal(rule) for rule in rules}
        grows = True
        while grows:
            grows = False
            for rule in rules:
                for one in self._normal[id(rule)]:
                    for head in one.heads:
                        for position, term in enumerate(head.args):
                            known = self._values[head.signature, position]
                            new = {k: v for k, v in self._values_of(term, one, rule).items() if k not in known}
                            known.update(new)
                            grows = grows or bool(new)

    def at(self, rule: PlacedRule, signature: Signature, positions: Iterable[int]) -> _Kinds:
        """The strange values that a rule may put into arguments of its head."""
        kinds: _Kinds = {}
        for one in self._normal[id(rule)]:
            for head in one.heads:
                for term in (head.args[k] for k in positions if head.signature == signature):
                    if not (isinstance(term, (Int, Text)) or (isinstance(term, Fun) and not term.name)):
                        kinds |= self._values_of(term, one, rule)  # otherwise it is no fact at all: another finding
        return kinds

    def _values_of(self, term: Term, one: Value, rule: PlacedRule, seen: frozenset[str] = frozenset()) -> _Kinds:
        """The strange values in a term of a rule in normal form, or in a range."""
        kinds: _Kinds = {}
        for path, part in _parts(term):
            if kind := _is_strange(part):
                kinds.setdefault((path, show_term(part)), _Strange(kind, rule))
            elif isinstance(part, Var) and len(path) < _DEEPEST:
                inside = self._of_variable(part.name, one, rule, seen)
                kinds |= {((*path, *below), text): value for (below, text), value in inside.items()}
        return kinds

    def _of_variable(self, name: str, one: Value, rule: PlacedRule, seen: frozenset[str]) -> _Kinds:
        """The strange values that a variable may have: those that every literal that binds it may give."""
        kinds: _Kinds | None = None
        for literal in one.body if name not in seen else ():
            for given in self._values_from(literal, name, one, rule, seen | {name}):
                kinds = given if kinds is None else {k: v for k, v in kinds.items() if k in given}
        return kinds or {}

    def _values_from(
        self, literal: Literal, name: str, one: Value, rule: PlacedRule, seen: frozenset[str]
    ) -> Iterator[_Kinds]:
        """The strange values that a literal gives to a variable, once for each place where it binds it."""
        if isinstance(literal, Atom) and not literal.sign:
            clean = literal.name in _CLEAN or literal.signature in self._clean
            for position, term in enumerate(literal.args):
                for path in _paths(term, name):
                    yield {} if clean else _values_below(self._values[literal.signature, position], path)
        elif isinstance(literal, Compare) and literal.op == "=":
            for side, other in ((literal.left, literal.right), (literal.right, literal.left)):
                for path in _paths(side, name):
                    yield (
                        {} if isinstance(other, Op) else _values_below(self._values_of(other, one, rule, seen), path)
                    )
        elif isinstance(literal, Aggregate) and literal.guards[0] == ("=", Var(name)):
            yield {}


def _parts(term: Term, path: _Path = ()) -> Iterator[tuple[_Path, Term]]:
    """The parts of a term with their paths: outside first."""
    yield path, term
    if isinstance(term, Fun):
        for k, part in enumerate(term.args):
            yield from _parts(part, (*path, (term.name, len(term.args), k)))
    elif isinstance(term, Range):
        yield from ((path, part) for part in (term.low, term.high))


def _paths(term: Term, name: str) -> Iterator[_Path]:
    """The paths at which a pattern has a variable."""
    return (path for path, part in _parts(term) if part == Var(name) and not isinstance(term, (Range, Op)))


def _values_below(values: _Kinds, path: _Path) -> _Kinds:
    """The values at a path or below it, with their paths from there on."""
    size = len(path)
    return {(p[size:], text): value for (p, text), value in values.items() if p[:size] == path}
