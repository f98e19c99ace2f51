"""Reads rules of rulebooks: values of :mod:`kaiser_logic.lang` with their atoms, whose terms are made simple."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..cache import Store, folder, has_shape, store, tool
from ..errors import FaultyRulebook, Finding
from ..function_caches import cache_until_change
from ..lang import reader
from ..lang import terms as lang
from ..lang.printed import Printed
from ..lang.reader import read_all
from ..lang.terms import NOWHERE, Place
from .rule import HEAD, INNER, NEGATIVE, POSITIVE, Occurrence, PlacedRule, atoms_with_places, by_place


def rule_from(value: lang.Rule, place: Place = NOWHERE, block: str | None = None) -> PlacedRule:
    """Makes a rule of a value.

    Args:
        value: The rule of the language.
        place: The place in its file.
        block: The id of the documented rule to which it belongs.
    """
    simple = Simplifier()
    atoms = tuple(
        [
            Occurrence(atom.name, simple.all(atom.args), where, number)
            for number, (atom, where) in enumerate(atoms_with_places(value))
        ]
    )
    return PlacedRule(Printed.from_rule(value), place, block, atoms, *by_place(atoms))


def rewrite_rule(rule: PlacedRule, value: lang.Rule) -> PlacedRule:
    """A rule with another value at the same place."""
    return replace(rule_from(value, rule.place, rule.block), role=rule.role)


@cache_until_change(20_000)
def rule_of(text: str) -> PlacedRule:
    """Parses a rule that belongs to no file."""
    return rule_from(reader.read_rule(text))


def condition_rule(condition: str) -> PlacedRule:
    """Makes a rule whose body is the condition of a sentence.

    Raises:
        Refused: The condition cannot be read.
    """
    return rule_from(lang.Rule(lang.Atom("_condition", ()), reader.read_body(condition)))


def read_term(text: str) -> lang.Term:
    """Reads a term and makes it simple."""
    return Simplifier().simplify(reader.read_term(text))


def is_anonymous(term: lang.Term) -> bool:
    """Whether a simple term stands for ``_`` of the rule."""
    return type(term) is lang.Var and term.name[:1] == "_" and term.name[1:].isdigit()


def term_of(term: lang.Term) -> lang.Term:
    """The written term for a simple term: the inverse of :class:`Simplifier`, as far as there is one.

    >>> from kaiser_logic.lang.printer import show_term
    >>> show_term(term_of(read_term("near(X,_,-1)")))
    'near(X,_,-1)'

    Raises:
        Refused: The simple term stands for a term that is not simple.
    """
    if type(term) is lang.Fun:
        return lang.Fun(term.name, tuple([term_of(part) for part in term.args]))
    if type(term) is not lang.Var:
        return term
    if term.name[:2] == "_?":
        raise lang.Refused(lang.NOWHERE, "a calculation, a range, a tuple or a pool of different terms")
    return lang.ANY if is_anonymous(term) else term


class Simplifier:
    """Makes the terms of a rule simple: each ``_`` and each part that is not simple becomes a new variable.

    Operations, ranges, tuples, ``#inf`` and ``#sup`` are not simple here. A pool of one function keeps the name of the function.

    >>> from kaiser_logic.lang.printer import show_term
    >>> show_term(read_term("f(X+1,_,g(1..2),h(1;2))"))
    'f(_?1,_2,g(_?3),h(_?4))'
    """

    def __init__(self) -> None:
        """Begins a new numbering of variables."""
        self._fresh = 0

    def all(self, terms: tuple[lang.Term, ...]) -> tuple[lang.Term, ...]:
        """Several terms, each made simple."""
        return tuple([self.simplify(term) for term in terms])

    def simplify(self, term: lang.Term) -> lang.Term:
        """A term made simple."""
        any_term: Any = term
        kind = type(term)
        if kind is lang.Var:
            return term if any_term.name != "_" else self._variable("")
        if kind is lang.Int or kind is lang.Text or (kind is lang.Name and any_term.text[0] != "#"):
            return term
        if kind is lang.Fun and any_term.name:
            return lang.Fun(any_term.name, self.all(any_term.args))
        if kind is lang.Pool:
            shapes = {(t.name, len(t.args)) if isinstance(t, lang.Fun) else ("", 0) for t in any_term.terms}
            (name, arity), *others = shapes
            if name and not others:
                return lang.Fun(name, tuple([self._variable("?") for _ in range(arity)]))
        return self._variable("?")

    def _variable(self, mark: str) -> lang.Var:
        """A new variable for a part that is not simple (mark ``?``) or for ``_`` (no mark)."""
        self._fresh += 1
        return lang.Var(f"_{mark}{self._fresh}")


# -- parsing -------------------------------------------------------------------------------------------------
#
# Programs are read as rules with their places. Statements that cannot be read, or that are not rules, give findings.


def parse_rules(text: str, file: str = "", blocks: Iterable[tuple[int, str | None]] = ()) -> list[PlacedRule]:
    """Parses a logic program, which must come from a trusted source.

    Args:
        text: The program.
        file: The label of the file.
        blocks: The lines at which documented rules begin, with their ids; None ends a block.

    Raises:
        FaultyRulebook: The program cannot be read, or has something other than rules.
    """
    rules, findings = rules_and_findings(text, file, file, blocks)
    if findings:
        raise FaultyRulebook(findings)
    return rules


def rules_and_findings(
    text: str, file: str, path: str, blocks: Iterable[tuple[int, str | None]]
) -> tuple[list[PlacedRule], list[Finding]]:
    """The rules of a program, and findings about the other statements.

    Args:
        text: The program.
        file: The label of the file in rules.
        path: The path of the file in findings.
        blocks: As for :func:`parse_rules`.
    """
    values, refused = read_all(text, file)
    starts = sorted(blocks, key=lambda b: b[0], reverse=True)
    rules = []
    for value in values:
        block = next((id for start, id in starts if start < value.place.line), None)
        rules.append(rule_from(value, value.place, block))
    return rules, [Finding(path, r.place.line, r.place.column, r.kind, r.message) for r in refused]


# -- rule cache ----------------------------------------------------------------------------------------------
#
# Rules are cached on disk as plain data, so that no later process need parse them.


def rule_store(*texts: str) -> Store | None:
    """The store for the rules of some texts; None if there is no cache."""
    if folder() is None:
        return None
    ours = tool("lang", "rules")
    return store("rules", ours, *texts) if ours else None


def _is_packed(term: Any) -> bool:
    """Whether plain data stands for a simple term."""
    if type(term) is tuple:
        return len(term) > 1 and type(term[0]) is str and all(map(_is_packed, term[1:]))
    return type(term) is int or (type(term) is str and term[:1] in _CLASSES)


def _is_text_or_none(value: Any) -> bool:
    return value is None or type(value) is str


def _is_in_rule(value: Any) -> bool:
    return type(value) is str and value in (HEAD, POSITIVE, NEGATIVE, INNER)


def _is_rules(value: Any) -> bool:
    return value != () and has_shape(value, _PACKED)


_PACKED: Final = [(str, [(str, [_is_packed], _is_in_rule)], int, int, _is_text_or_none)]
"""The shape of the stored rules of a file: text, atoms, line, column, block. Files without rules are not stored."""
PACKED: Final = _is_rules


def cached_rules(where: Store | None, file: str, read: Callable[[], Sequence[PlacedRule]]) -> list[PlacedRule]:
    """The rules of a file from the store; if it has none, they are read and stored."""
    stored = where.get(file, PACKED) if where is not None else None
    if stored is not None:
        return unpack_rules(stored, file)
    rules = list(read())
    if where is not None:
        cache_rules(where, rules)
    return rules


def cache_rules(where: Store, rules: Iterable[PlacedRule]) -> None:
    """Stores rules by their files."""
    files: dict[str, list[Any]] = {}
    for rule in rules:
        atoms = tuple([(a.name, tuple(map(_pack, a.args)), a.place) for a in rule.atoms])
        file, line, column = rule.place
        files.setdefault(file, []).append((rule.text, atoms, line, column, rule.block))
    for file, packed in files.items():
        where.store(file, tuple(packed))


def unpack_rules(data: Iterable[Any] | None, file: str) -> list[PlacedRule]:
    """The rules of a file from the data in its store."""
    return [_rule(file, *values) for values in data or ()]


def _rule(file: str, text: str, atoms: Iterable[Any], line: int, column: int, block: str | None) -> PlacedRule:
    occurrences = tuple(
        [
            Occurrence(name, tuple([_unpack(arg) for arg in args]), place, number)
            for number, (name, args, place) in enumerate(atoms)
        ]
    )
    return PlacedRule(Printed(text), Place(file, line, column), block, occurrences, *by_place(occurrences))


_MARKS: Final = {lang.Name: "'", lang.Text: '"'}
_CLASSES: Final[Mapping[str, Callable[[str], lang.Term]]] = {"?": lang.Var, "'": lang.Name, '"': lang.Text}


def _pack(term: Any) -> Any:
    """A simple term as plain data: a number, a string with a mark for its class, or a tuple.

    >>> _pack(read_term('f(X,a,2,"b")'))
    ('f', '?X', "'a", 2, '"b')
    """
    kind = type(term)
    if kind is lang.Fun:
        return (term.name, *map(_pack, term.args))
    if kind is lang.Int:
        return term.value
    return f"?{term.name}" if kind is lang.Var else f"{_MARKS[kind]}{term.text}"


@cache_until_change(None, typed=True)
def _unpack(data: Any) -> lang.Term:
    """The simple term for plain data; the same object for the same data."""
    if type(data) is str:
        return _CLASSES[data[0]](data[1:])
    if type(data) is int:
        return lang.Int(data)
    name, *args = data
    return lang.Fun(name, tuple([_unpack(arg) for arg in args]))
