"""Completions for a query that is being typed: facts with their phrases, and values of arguments.

>>> from kaiser_logic.game import load
>>> [s.text for s in suggestions(load("kaiser").ruleset, "emperor(red), tha")]
['thalers(']
>>> [s.text for s in suggestions(load("kaiser").ruleset, "elector(koe")]
['koeln']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

from .. import clingo
from ..engine.ruleset import Ruleset
from ..lang.terms import Signature
from ..rules.names import known_names, plain
from ..rules.phrases import phrases
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rulebook import Rulebook
from .columns import ANYTHING, Values, columns
from .formula import AFTER
from .vocabulary import askable, form, line, static_data, vocabulary

_TOKEN: Final = re.compile(r'"[^"]*"?|[A-Za-z_]\w*|\d+|[<>=!]+|\S')
_COMPARED: Final = frozenset("<>=+-*\\")
_MOST: Final = 60
"""So much is offered."""
_BEGUN: Final = 3
"""Of more letters than these it is asked whether a meaning has a word that begins so."""
_FEW: Final = 12
"""So many numbers in a row are offered."""


@dataclass(frozen=True)
class Suggestion:
    """Something that can stand where a query ends.

    Attributes:
        text: What takes the place of the word that has been begun.
        shown: The whole form of it.
        means: What it means; empty where nothing is to be said.
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
    found = _facts(ruleset.book, tokens) if argument is None else _values(ruleset, *argument)
    wanted, names = plain(typed), known_names(ruleset.book.folder)
    called = {name for form, meant in names.items() if wanted and form.startswith(wanted) for name in meant}
    fitting = [s for s in found if plain(s.text).startswith(wanted) or s.text.rstrip("(") in called]
    if len(typed) > _BEGUN:
        begun = re.compile(rf"(^|_){re.escape(wanted)}")
        fitting += [s for s in found if s not in fitting and begun.search(plain(s.means))]
        fitting = fitting or (_holding(ruleset, wanted, called) if argument is None else [])
    return [replace(s, length=len(typed)) for s in fitting if s.text != typed][:_MOST]


def _holding(ruleset: Ruleset, wanted: str, called: set[str]) -> list[Suggestion]:
    """Facts that speak of a value of which somebody has written the beginning: ``doc`` of ``display(doctor,N)``."""
    book, known, found = ruleset.book, columns(ruleset), []
    static = static_data(book)
    for signature in sorted(askable(book) - static - {LEGAL, VIOLATES, AFTER}):
        written = form(book, signature)
        arguments = written.removesuffix(")").partition("(")[2].split(",")
        for number, values in enumerate(known.of(signature) or ()):
            for name in values.names:
                if name in called or name.startswith(wanted):
                    filled = [*arguments[:number], name, *arguments[number + 1 :]]
                    text = f"{signature[0]}({','.join(filled)})"
                    found.append(
                        Suggestion(text, text, line(book, signature).partition(" (")[2].rstrip(")"), 0)
                    )
    return found


def _argument(ruleset: Ruleset, tokens: Sequence[str]) -> tuple[str, Values] | None:
    """The argument in which a text ends: what the rulebook calls it, and its values; None where facts can follow."""
    known, book = columns(ruleset), ruleset.book
    found: tuple[str, Values] | None = None
    for name, number in _open(tokens):
        if not name:
            found = None
        elif found is not None and (structures := _structures(found[1], name, number)) is not None:
            found = "", structures
        else:
            asked = _signatures(book, name, number)
            if not asked or (asked == [AFTER] and number == 2):
                found = None
                continue
            arguments = form(book, asked[0]).removesuffix(")").partition("(")[2].split(",")
            places = (known.of(s) or (ANYTHING,) * s[1] for s in asked)
            found = arguments[number], reduce(Values.joined, (place[number] for place in places))
    return found


def _structures(values: Values, name: str, number: int) -> Values | None:
    """The values of an argument of a structure; None if no such structure is possible."""
    parts = [parts for (n, arity), parts in values.structures.items() if n == name and arity > number]
    return parts[0][number] if parts else None


def _signatures(book: Rulebook, name: str, number: int) -> list[Signature]:
    """The predicates of a name that have so many arguments, or more: those of a position, if there are any."""
    found = sorted(s for s in askable(book) if s[0] == name and s[1] > number)
    static = static_data(book)
    return [s for s in found if s not in static] or found


def _open(tokens: Sequence[str]) -> list[tuple[str, int]]:
    """The open parentheses: the name before each, or none, and the number of its arguments so far."""
    frames: list[tuple[str, int]] = []
    for before, token in zip(("", *tokens), tokens, strict=False):
        if token in ("(", "{"):
            named = token == "(" and before != "not" and re.fullmatch(r"[a-z]\w*", before)
            frames.append((before if named else "", 0))
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
    ] + [Suggestion("not ", "not", "there is nothing for which the following holds", 0)]


def _values(ruleset: Ruleset, name: str, values: Values) -> list[Suggestion]:
    """The completions of an argument: its values, a variable, anything."""
    words = phrases(ruleset.book.folder)
    structures = {n for n, _ in values.structures}
    found = []
    for text in values.names:
        meaning = words.phrase(text)
        written = f"{text}(" if text in structures else text
        found.append(Suggestion(written, text, "" if meaning == text else meaning, 0))
    least, most = values.range or (None, None)
    short = values.numbers is None or (least is not None and most is not None and most - least < _FEW)
    numbers = range(least, most + 1) if least is not None and most is not None and short else ()
    found += [Suggestion(str(n), str(n), "", 0) for n in numbers if values.has(clingo.Number(n))]
    variable = [Suggestion(name, name, "a variable: whatever it is", 0)] if name else []
    return [*found, *variable, Suggestion("_", "_", "anything", 0)]
