"""Features and candidates in words, made of the game's own phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import ANY, Pattern, show
from ..rules.phrases import Phrases
from ..rules.predicates import DECISION, DUE
from .candidates import Candidate, Template
from .features import KEY, NUMBER, Feature
from .vocabulary import Shape, Vocabulary

_HERE: Final = "xx0"
"""Stands for the variable while a phrase is made;"""
_OTHER: Final = "xx9"
"""for another constant, to see whether the phrase tells them apart;"""
_ANYBODY: Final = "xx"
"""with a number for what is left open at a place."""
_LISTED: Final = 3
"""So many values are named where a place is left open, else only their sort."""
_MOST_SAID: Final = 4
"""So many places that are left open are put into words at most."""


class Wording:
    """What features and candidates read like."""

    def __init__(self, ruleset: Ruleset, phrases: Phrases, vocabulary: Vocabulary) -> None:
        """In these phrases."""
        self._phrases, self._vocabulary = phrases, vocabulary
        self._players = tuple(sorted(map(symbols.constant, ruleset.seats)))
        self._said: dict[tuple[Feature, int], str] = {}

    # -- sentences -----------------------------------------------------------------------------------------------------

    def statement(self, group: Sequence[Candidate]) -> str:
        """What candidates of one template demand that have the second feature in common.

        For example: Whenever the game is over; or the emperor is being elected: every player has finished.
        """
        one = group[0]
        noun = (one.sort or "").replace("_", " ")
        some, same = f"{_article(noun)} {noun}", f"the same {noun}"
        if one.template in (Template.EXCLUDES, Template.EXCLUDES_SAME) and one.second is not None:
            here = self._cases(group, same)
            text = f"never while {self.feature(one.second, some)}: {here}"
        else:
            here = self._cases(group, some)
            whose = f"every {noun}" if one.template is Template.EACH else same
            there = "" if one.second is None else self.feature(one.second, whose, one.bound)
            text = {
                Template.NEVER: f"never: {here}",
                Template.ALWAYS: f"always: {here}",
                Template.AT_MOST: f"whenever {here}, the most there is: {there}",
                Template.AT_LEAST: f"whenever {here}, the least there is: {there}",
            }.get(one.template, f"whenever {here}: {there}")
        return f"{text[0].upper()}{text[1:]}."

    def _cases(self, group: Sequence[Candidate], key: str) -> str:
        """The first features: one case, or another."""
        cases = [self.feature(c.first, key, c.bound) for c in group]
        return cases[0] if len(cases) == 1 else f"{'; '.join(cases[:-1])}; or {cases[-1]}"

    def why(self, group: Sequence[Candidate]) -> str:
        """The sentence for a position that breaks one of them, with the rule's variables in braces."""
        one = group[0]
        here = self.feature(one.first, "{X}", one.bound)
        there = "" if one.second is None else self.feature(one.second, "{X}", one.bound)
        match one.template:
            case Template.NEVER:
                return here
            case Template.ALWAYS:
                return f"it is not so that {here}"
            case Template.EXCLUDES | Template.EXCLUDES_SAME:
                return there if len(group) > 1 else f"{here}, and {there}"
            case Template.AT_MOST:
                return f"the most there can be: {there}; here the number is {{N}}"
            case Template.AT_LEAST:
                return f"the least there can be: {there}; here the number is {{N}}"
            case _:
                return f"it is not so that {there}"

    # -- phrases -------------------------------------------------------------------------------------------------------

    def feature(self, feature: Feature, key: str, number: int = 0) -> str:
        """A feature in words: ``key`` stands for its variable, ``number`` for a counter's number."""
        found = self._said.get((feature, number))
        if found is None:
            found = self._said[feature, number] = self._phrase(feature.pattern, number)
        return re.sub(rf"\b{_HERE}\b", lambda _: key, found)

    def _phrase(self, pattern: Pattern, number: int) -> str:
        filled = _replaced(pattern, {KEY: ("c", _HERE), NUMBER: ("c", str(number))})
        shape = self._shape(pattern)
        for open_places in self._open(shape, filled) if shape is not None else ({},):
            said = self._fact(filled, open_places)
            if said is not None:
                return said
        if pattern[1] == DUE[0]:
            inner = pattern[2][0]
            return "something is due by itself" if inner == ANY else f"the step {inner[1]} is due"
        return show(filled)

    def _fact(self, filled: Pattern, said: Mapping[tuple[int, ...], str]) -> str | None:
        """The phrase of a fact with words for places that are left open; None where there is none that says it all."""
        marks = {path: f"{_ANYBODY}{k}" for k, path in enumerate(said, 10)}
        fact = _filled(filled, marks, ())
        text = self._phrases.fact(show(fact))
        if text == show(fact) or re.search(rf"\({_ANYBODY}\d", text):
            return None
        for path in _constants(fact):
            other = self._phrases.fact(show(_filled(fact, {path: _OTHER}, ())))
            if other == text:
                return None
        words = {mark: said[path] for path, mark in marks.items()}
        return re.sub(rf"\b{_ANYBODY}\d\d\b", lambda m: words.get(m[0], m[0]), text)

    def _open(self, shape: Shape, filled: Pattern) -> Iterator[dict[tuple[int, ...], str]]:
        """Words for some of the places that a feature leaves open, the fewest first."""
        around = bool(shape.around)
        words: dict[tuple[int, ...], str] = {}
        for place in range(shape.places):
            if shape.around == DUE[0]:
                path: tuple[int, ...] = (0, place)
            else:
                path = ((0,) if place == 0 else (1, place - 1)) if around else (place,)
            word = self._anything(shape, place)
            if _at(filled, path) == ANY and word is not None:
                words[path] = word
        for count in range(min(len(words), _MOST_SAID) + 1):
            for paths in combinations(words, count):
                yield {path: words[path] for path in paths}

    def _anything(self, shape: Shape, place: int) -> str | None:
        """The word for whatever stands at a place."""
        if shape.counted and place == shape.places - 1:
            return "some"
        values = sorted({row[place] for row in shape.rows})
        if tuple(values) == self._players:
            return "somebody"
        if len(values) <= _LISTED and all(v.type is clingo.SymbolType.Function for v in values):
            return _or([self._phrases.phrase(symbols.text(v)) for v in values])
        sort = self._vocabulary.sort_at(shape, place)
        return f"some {sort.replace('_', ' ')}" if sort in self._vocabulary.alike else None

    def _shape(self, pattern: Pattern) -> Shape | None:
        """The shape of a feature's facts."""
        for shape in self._vocabulary.shapes:
            like = shape.pattern([ANY] * shape.places)
            if _name(like) == _name(pattern):
                return shape
        return None


def _name(pattern: Pattern) -> tuple[object, ...]:
    """What tells the shape of a fact: its name, and the name in it where it is a decision or a step."""
    arity = len(pattern[2]) if pattern[0] == "f" else 0
    if pattern[0] == "f" and (pattern[1], arity) in (DECISION, DUE):
        return pattern[1], arity, _name(pattern[2][-1]) if pattern[2][-1] != ANY else None
    return pattern[1], arity


def _replaced(pattern: Pattern, by: Mapping[Pattern, Pattern]) -> Pattern:
    if pattern[0] == "f":
        return ("f", pattern[1], tuple(_replaced(p, by) for p in pattern[2]))
    return by.get(pattern, pattern)


def _filled(pattern: Pattern, marks: Mapping[tuple[int, ...], str], here: tuple[int, ...]) -> Pattern:
    """A pattern with constants at some of its places."""
    if here in marks:
        return ("c", marks[here])
    if pattern[0] == "f":
        return ("f", pattern[1], tuple(_filled(p, marks, (*here, i)) for i, p in enumerate(pattern[2])))
    return pattern


def _constants(pattern: Pattern, here: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Where a fact has constants that a phrase has to tell, those for the variable among them."""
    if pattern[0] == "f":
        for i, inner in enumerate(pattern[2]):
            yield from _constants(inner, (*here, i))
    elif pattern[0] == "c" and here and not re.fullmatch(rf"{_ANYBODY}\d\d", str(pattern[1])):
        yield here


def _at(pattern: Pattern, path: tuple[int, ...]) -> Pattern:
    for place in path:
        if pattern[0] != "f":
            return pattern
        pattern = pattern[2][place]
    return pattern


def _or(texts: Sequence[str]) -> str:
    """Some texts in a sentence: one, or another, or a third."""
    if len(texts) <= 2:
        return " or ".join(texts)
    return f"{', '.join(texts[:-1])}, or {texts[-1]}"


def _article(noun: str) -> str:
    return "an" if noun[:1] in tuple("aeiou") else "a"
