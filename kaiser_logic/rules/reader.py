"""Rules of :mod:`kaiser_logic.lang` in the form in which most parts look at them: atoms with simple terms, and their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from ..cache import Store, folder, store, tool
from ..errors import FaultyRulebook, Finding
from ..lang import reader
from ..lang import terms as lang
from ..lang.printed import Printed
from ..lang.reader import read_all
from ..lang.terms import NOWHERE, Place
from .rule import Occurrence, Rule, by_place, placed


def rule_from(value: lang.Rule, place: Place = NOWHERE, block: str | None = None) -> Rule:
    """A value as a rule, at its place in a file."""
    simple = Simplifier()
    atoms = tuple(
        [
            Occurrence(atom.name, simple.all(atom.args), where, number)
            for number, (atom, where) in enumerate(placed(value))
        ]
    )
    return Rule(Printed.of(value), place, block, atoms, *by_place(atoms))


@lru_cache(maxsize=20_000)
def rule_of(text: str) -> Rule:
    """Parses a rule that stands in no file."""
    return rule_from(reader.read_rule(text))


def condition_rule(condition: str) -> Rule:
    """A rule whose body is the condition of a sentence.

    Raises:
        Refused: It cannot be read.
    """
    return rule_from(lang.Rule(lang.Atom("_condition", ()), reader.read_body(condition)))


def read_term(text: str) -> lang.Term:
    """The simple term of a term as text."""
    return Simplifier().of(reader.read_term(text))


def is_anonymous(term: lang.Term) -> bool:
    """Whether a simple term stands for ``_`` in the rule."""
    return type(term) is lang.Var and term.name[:1] == "_" and term.name[1:].isdigit()


def term_of(term: lang.Term) -> lang.Term:
    """The term as it is written for a simple term.

    >>> from kaiser_logic.lang.printer import show_term
    >>> show_term(term_of(read_term("near(X,_,-1)")))
    'near(X,_,-1)'

    Raises:
        Refused: A part of it stands for something that is not simple.
    """
    if type(term) is lang.Fun:
        return lang.Fun(term.name, tuple([term_of(part) for part in term.args]))
    if type(term) is not lang.Var:
        return term
    if term.name[:2] == "_?":
        raise lang.Refused(lang.NOWHERE, "a calculation, a range, a tuple or a pool of different terms")
    return lang.ANY if is_anonymous(term) else term


class Simplifier:
    """Makes the terms of a rule simple: a part that is not, and ``_``, becomes a variable of its own.

    Calculations, ranges, tuples, ``#inf`` and ``#sup`` are not simple here. Of a pool the common name stays.

    >>> from kaiser_logic.lang.printer import show_term
    >>> show_term(read_term("f(X+1,_,g(1..2),h(1;2))"))
    'f(_?1,_2,g(_?3),h(_?4))'
    """

    def __init__(self) -> None:
        """None so far."""
        self._fresh = 0

    def all(self, terms: tuple[lang.Term, ...]) -> tuple[lang.Term, ...]:
        """Several terms, each made simple."""
        return tuple([self.of(term) for term in terms])

    def of(self, term: lang.Term) -> lang.Term:
        """A term made simple."""
        found: Any = term
        kind = type(term)
        if kind is lang.Var:
            return term if found.name != "_" else self._variable("")
        if kind is lang.Int or kind is lang.Text or (kind is lang.Name and found.text[0] != "#"):
            return term
        if kind is lang.Fun and found.name:
            return lang.Fun(found.name, self.all(found.args))
        if kind is lang.Pool:
            shapes = {(t.name, len(t.args)) if isinstance(t, lang.Fun) else ("", 0) for t in found.terms}
            (name, arity), *others = shapes
            if name and not others:  # of a pool only that it has so many arguments
                return lang.Fun(name, tuple([self._variable("?") for _ in range(arity)]))
        return self._variable("?")

    def _variable(self, mark: str) -> lang.Var:
        """A variable that stands for what is not simple (``?``), or for anything."""
        self._fresh += 1
        return lang.Var(f"_{mark}{self._fresh}")


# -- parsing -------------------------------------------------------------------------------------------------
#
# Logic programs of ours as rules, with their places; what cannot be read, and what is no rule, is refused.


def parse_rules(text: str, file: str = "", blocks: Iterable[tuple[int, str | None]] = ()) -> list[Rule]:
    """The rules of a logic program of ours (never a stranger's text).

    Args:
        text: The program.
        file: The file that the rules are said to be from.
        blocks: From which line on the rules belong to which documented rule; None ends a block.

    Raises:
        FaultyRulebook: It cannot be read, or has something else than rules.
    """
    rules, findings = parsed(text, file, file, blocks)
    if findings:
        raise FaultyRulebook(findings)
    return rules


def parsed(
    text: str, file: str, path: str, blocks: Iterable[tuple[int, str | None]]
) -> tuple[list[Rule], list[Finding]]:
    """The rules of a program, and what cannot be read or is no rule."""
    values, refused = read_all(text, file)
    starts = sorted(blocks, key=lambda b: b[0], reverse=True)
    rules = []
    for value in values:
        block = next((id for start, id in starts if start < value.place.line), None)
        rules.append(rule_from(value, value.place, block))
    return rules, [Finding(path, r.place.line, r.place.column, r.kind, r.message) for r in refused]


# -- rule cache ----------------------------------------------------------------------------------------------
#
# Rules that are kept between processes as plain data, so that nobody need read them again.


def rule_store(*texts: str) -> Store | None:
    """The store of the rules of some texts; None if nothing is stored."""
    if folder() is None:
        return None
    ours = tool("lang", "rules")
    return store("rules", ours, *texts) if ours else None


def cached_rules(where: Store | None, file: str, read: Callable[[], Sequence[Rule]]) -> list[Rule]:
    """The rules of a file: the kept ones, or else those that are read now."""
    found = where.get(file) if where is not None else None
    if found is not None:
        return unpacked(found, file)
    rules = list(read())
    if where is not None:
        cache_rules(where, rules)
    return rules


def cache_rules(where: Store, rules: Iterable[Rule]) -> None:
    """Keeps all rules, each file's under its name."""
    files: dict[str, list[Any]] = {}
    for rule in rules:
        atoms = tuple([(a.name, tuple(map(_packed, a.args)), a.place) for a in rule.atoms])
        file, line, column = rule.place
        files.setdefault(file, []).append((rule.text, atoms, line, column, rule.block))
    for file, its in files.items():
        where.put(file, tuple(its))


def unpacked(data: Iterable[Any] | None, file: str) -> list[Rule]:
    """The rules of a file, as they were kept."""
    return [_rule(file, *values) for values in data or ()]


def _rule(file: str, text: str, atoms: Iterable[Any], line: int, column: int, block: str | None) -> Rule:
    found = tuple(
        [
            Occurrence(name, tuple([_unpacked(arg) for arg in args]), place, number)
            for number, (name, args, place) in enumerate(atoms)
        ]
    )
    return Rule(Printed(text), Place(file, line, column), block, found, *by_place(found))


_MARKS: Final = {lang.Name: "'", lang.Text: '"'}
_CLASSES: Final[Mapping[str, Callable[[str], lang.Term]]] = {"?": lang.Var, "'": lang.Name, '"': lang.Text}


def _packed(term: Any) -> Any:
    """A simple term as plain data: a number, a text with a mark of its class, or a tuple.

    >>> _packed(read_term('f(X,a,2,"b")'))
    ('f', '?X', "'a", 2, '"b')
    """
    kind = type(term)
    if kind is lang.Fun:
        return (term.name, *map(_packed, term.args))
    if kind is lang.Int:
        return term.value
    return f"?{term.name}" if kind is lang.Var else f"{_MARKS[kind]}{term.text}"


@lru_cache(maxsize=None, typed=True)
def _unpacked(data: Any) -> lang.Term:
    """The simple term of plain data: the same object for the same data."""
    if type(data) is str:
        return _CLASSES[data[0]](data[1:])
    if type(data) is int:
        return lang.Int(data)
    name, *args = data
    return lang.Fun(name, tuple([_unpacked(arg) for arg in args]))
