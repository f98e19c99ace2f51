"""Help on the query language: each predicate in words, the values of its arguments, and examples."""

from __future__ import annotations

from typing import Final

from ..engine.ruleset import Ruleset
from ..rules.rulebook import Rulebook
from .columns import Values, columns
from .in_words import in_english
from .vocabulary import form, vocabulary

_MOST: Final = 30
"""So many values of an argument are listed; of more the first ones."""
_FEW: Final = 8
"""So many numbers are listed; of more the first and the last."""
_LONG: Final = 60
"""A list of values that is longer is written once; where it comes again, it says where it stands."""

SYNTAX: Final = (
    ("points(red,N)", "a fact; capital letters are variables, _ is anything"),
    ("A, B", "A and B"),
    ("A ; B", "A or B; it binds less than the comma"),
    ("not A, not (A, B)", "there is nothing for which it holds"),
    ("N > 3, N != M, N = M+1", "comparisons: < <= > >= = !="),
    ("count{R : points(R,0)} > 2", "how many; likewise sum, min, max"),
    ("legal(R,A)", "what is legal; violates(R,A,Rule): what it would break"),
    ("after(R,A,FACT)", "what holds after a move of R alone"),
    ("terminal, winner(R), goal(R,N)", "the end, who has won or is ahead, by what"),
)
"""How a query is written, with what it means."""


def listed(ruleset: Ruleset) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]]:
    """The fluent and the static predicates, each with its phrase and the values of its arguments."""
    known = columns(ruleset)
    seen: dict[str, str] = {}

    def place(argument: str, name: str, text: str) -> str:
        where = seen.setdefault(text, f"{argument} of {name}") if len(text) > _LONG else ""
        return f"{argument}: {text}" if where in ("", f"{argument} of {name}") else f"{argument}: as {where}"

    def values(written: str) -> str:
        name, _, inside = written.removesuffix(")").partition("(")
        arguments = inside.split(",") if inside else []
        places = known.of((name, len(arguments))) or ()
        texts = zip(arguments, map(in_words, places), strict=False)
        return "; ".join(place(argument, name, text) for argument, text in texts if text)

    changing, data = (
        {written: (reads, values(written)) for written, reads in part.items()}
        for part in vocabulary(ruleset.book)
    )
    return changing, data


def in_words(values: Values) -> str:
    """The possible values of an argument: names, then numbers; empty if unknown.

    >>> from .. import clingo
    >>> in_words(Values(frozenset(map(clingo.Number, (15, 25, 35)))))
    '15, 25, 35'
    >>> in_words(Values(frozenset(map(clingo.Number, range(20))), numbers=(0, None)))
    '0 or more'
    """
    if values.anything:
        return ""
    names, numbers = values.names, values.integers
    parts = [*names[:_MOST], *([f"{len(names) - _MOST} more"] if len(names) > _MOST else [])]
    least, most = values.range or (None, None)
    if values.numbers is not None or len(numbers) > _FEW:
        if least is None:
            parts.append("any number" if most is None else f"up to {most}")
        else:
            parts.append(f"{least} or more" if most is None else f"{least} to {most}")
    else:
        parts += map(str, numbers)
    return ", ".join(parts)


def examples(book: Rulebook) -> dict[str, str]:
    """Some queries of a game with what they mean, made of its own facts."""
    found = []
    counters = sorted((s for s in book.counters if s[1] >= 2), key=lambda s: (s[1], s[0]))
    decision = form(book, ("decision", 2))
    if counters:
        written = form(book, counters[0])
        number = written.removesuffix(")").rpartition(",")[2]
        found += [f"{written}, {number} > 3", f"{decision}, not ({written}, {number} > 3)"]
    found += [decision, "legal(R,A), A != pass", "terminal, winner(R)"]
    return {query: in_english(query, book) for query in found}
