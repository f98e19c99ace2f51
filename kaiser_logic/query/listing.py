"""Help on the query language: each predicate in words, the values of its arguments, examples, and completions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from ..engine.ruleset import Ruleset
from ..rules.names import known_names, plain
from ..rules.phrases import phrases
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rulebook import Rulebook
from .columns import ANYTHING, Values, columns
from .formula import AFTER
from .in_words import in_english
from .vocabulary import askable, form, line, static_data, vocabulary

_TOKEN: Final = re.compile(r'"[^"]*"?|[A-Za-z_]\w*|\d+|[<>=!]+|\S')
_COMPARED: Final = frozenset("<>=+-*\\")
_MOST_OFFERED: Final = 60
"""So much is offered."""
_BEGUN: Final = 3
"""Of more letters than these it is asked whether a meaning has a word that begins so."""
_IN_A_ROW: Final = 12
"""The largest number of offered numbers in a row."""


@dataclass(frozen=True)
class Suggestion:
    """Something that can stand where a query ends.

    Attributes:
        text: What takes the place of the word that has been begun.
        shown: The whole form of it.
        means: The meaning; empty if there is nothing to say.
        length: So many letters of it have been written.
    """

    text: str
    shown: str
    means: str
    length: int


def suggestions(ruleset: Ruleset, text: str) -> list[Suggestion]:
    """The completions at the end of the beginning of a query: the best first."""
    tokens = _TOKEN.findall(text)
    typed = tokens.pop() if tokens and re.search(r"\w$", text) else ""
    if (tokens and tokens[-1][-1] in _COMPARED) or (typed and not typed[0].islower()):
        return []
    argument = _argument(ruleset, tokens)
    candidates = _facts(ruleset.book, tokens) if argument is None else _values(ruleset, *argument)
    beginning, names = plain(typed), known_names(ruleset.book.folder)
    called = {name for form, meant in names.items() if beginning and form.startswith(beginning) for name in meant}
    fitting = [s for s in candidates if plain(s.text).startswith(beginning) or s.text.rstrip("(") in called]
    if len(typed) > _BEGUN:
        begun = re.compile(rf"(^|_){re.escape(beginning)}")
        fitting += [s for s in candidates if s not in fitting and begun.search(plain(s.means))]
        fitting = fitting or (_holding(ruleset, beginning, called) if argument is None else [])
    return [replace(s, length=len(typed)) for s in fitting if s.text != typed][:_MOST_OFFERED]


def _holding(ruleset: Ruleset, beginning: str, called: set[str]) -> list[Suggestion]:
    """Facts that speak of a value of which somebody has written the beginning: ``doc`` of ``display(doctor,N)``."""
    book, known, completions = ruleset.book, columns(ruleset), []
    static = static_data(book)
    for signature in sorted(askable(book) - static - {LEGAL, VIOLATES, AFTER}):
        written = form(book, signature)
        arguments = written.removesuffix(")").partition("(")[2].split(",")
        for number, values in enumerate(known.columns_of(signature) or ()):
            for name in values.names:
                if name in called or name.startswith(beginning):
                    filled = [*arguments[:number], name, *arguments[number + 1 :]]
                    text = f"{signature[0]}({','.join(filled)})"
                    completions.append(Suggestion(text, text, line(book, signature).partition(" (")[2].rstrip(")"), 0))
    return completions


def _argument(ruleset: Ruleset, tokens: Sequence[str]) -> tuple[str, Values] | None:
    """The argument in which a text ends: what the rulebook calls it, and its values; None if facts can follow."""
    known, book = columns(ruleset), ruleset.book
    static = static_data(book)
    argument: tuple[str, Values] | None = None
    for name, number in _open(tokens):
        inside = argument[1].structures.items() if argument is not None else ()
        structures = [parts for (n, arity), parts in inside if n == name and arity > number]
        every = sorted(s for s in askable(book) if s[0] == name and s[1] > number)
        asked = [s for s in every if s not in static] or every  # those of a position, if there are any
        if structures:
            argument = "", structures[0][number]
        elif not asked or (asked == [AFTER] and number == 2):
            argument = None
        else:
            arguments = form(book, asked[0]).removesuffix(")").partition("(")[2].split(",")
            places = (known.columns_of(s) or (ANYTHING,) * s[1] for s in asked)
            argument = arguments[number], reduce(Values.union, (place[number] for place in places))
    return argument


def _open(tokens: Sequence[str]) -> list[tuple[str, int]]:
    """The open parentheses: the name before each, or none, and the number of its arguments so far."""
    frames: list[tuple[str, int]] = []
    for before, token in zip(("", *tokens), tokens, strict=False):
        if token in ("(", "{"):
            opens = token == "(" and before != "not" and re.fullmatch(r"[a-z]\w*", before)
            frames.append((before if opens else "", 0))
        elif token in (")", "}"):
            frames = frames[:-1]
        elif token == "," and frames:
            name, number = frames.pop()
            frames.append((name, number + 1))
    return frames


def _facts(book: Rulebook, tokens: Sequence[str]) -> list[Suggestion]:
    """The facts that can be asked for, those of a position first; nothing behind what needs a sign first."""
    if tokens and tokens[-1] not in (",", ";", "(", "{", ":", "not"):
        return []
    parts = vocabulary(book)
    return [
        Suggestion(written[: written.find("(") + 1] or written, written, means, 0)
        for part in parts
        for written, means in part.items()
    ] + [Suggestion("not ", "not", "nothing exists for which the following holds", 0)]


def _values(ruleset: Ruleset, name: str, values: Values) -> list[Suggestion]:
    """The completions of an argument: its values, a variable, anything."""
    words = phrases(ruleset.book.folder)
    structures = {n for n, _ in values.structures}
    completions = []
    for text in values.names:
        meaning = words.phrase(text)
        written = f"{text}(" if text in structures else text
        completions.append(Suggestion(written, text, "" if meaning == text else meaning, 0))
    least, most = values.numbers or (0.0, -1.0)
    between = range(int(least), int(most) + 1) if most - least < _IN_A_ROW else ()
    completions += [Suggestion(str(n), str(n), "", 0) for n in sorted({*values.integers, *between})]
    variable = [Suggestion(name, name, "a variable: whatever it is", 0)] if name else []
    return [*completions, *variable, Suggestion("_", "_", "anything", 0)]


_MOST: Final = 30
"""The largest number of listed names or numbers of an argument; of more names, the first ones are listed."""
_LONG: Final = 60
"""A list of values that is longer is written once; where it comes again, it says where it stands."""

SYNTAX: Final = (
    ("points(red,N)", "a fact; capital letters are variables, _ is anything"),
    ("A, B", "A and B"),
    ("A ; B", "A or B; it binds less than the comma"),
    ("not A, not (A, B)", "nothing exists for which it holds"),
    ("N > 3, N != M, N = M+1", "comparisons: < <= > >= = !="),
    ("count{R : points(R,0)} > 2", "how many; likewise sum, min, max"),
    ("legal(R,A)", "what is legal; violates(R,A,Rule): what it would break"),
    ("after(R,A,FACT)", "what holds after a move of R alone"),
    ("terminal, winner(R), goal(R,N)", "the end, who has won, and by what"),
)
"""The forms of a query, with their meanings."""


def list_predicates(ruleset: Ruleset) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]]:
    """The fluent and the static predicates, each with its phrase and the values of its arguments."""
    known = columns(ruleset)
    seen: dict[str, str] = {}

    def place(argument: str, name: str, text: str) -> str:
        where = seen.setdefault(text, f"{argument} of {name}") if len(text) > _LONG else ""
        return f"{argument}: {text}" if where in ("", f"{argument} of {name}") else f"{argument}: as {where}"

    def values(written: str) -> str:
        name, _, inside = written.removesuffix(")").partition("(")
        arguments = inside.split(",") if inside else []
        places = known.columns_of((name, len(arguments))) or ()
        listed = (", ".join(values.list_in_words(_MOST)) for values in places)
        texts = zip(arguments, listed, strict=False)
        return "; ".join(place(argument, name, text) for argument, text in texts if text)

    changing, data = (
        {written: (reads, values(written)) for written, reads in part.items()} for part in vocabulary(ruleset.book)
    )
    return changing, data


def examples(book: Rulebook) -> dict[str, str]:
    """Some queries of a game with what they mean, made of its own facts."""
    queries = []
    counters = sorted((s for s in book.counters if s[1] >= 2), key=lambda s: (s[1], s[0]))
    decision = form(book, ("decision", 2))
    if counters:
        written = form(book, counters[0])
        number = written.removesuffix(")").rpartition(",")[2]
        queries += [f"{written}, {number} > 3", f"{decision}, not ({written}, {number} > 3)"]
    queries += [decision, "legal(R,A), A != pass", "terminal, winner(R)"]
    return {query: in_english(query, book) for query in queries}
