"""Candidates as an author would write them: documented ``broken/2`` lines to paste into a rulebook."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..lang.printer import show_literal, show_term, show_with_commas
from ..lang.reader import read_rule
from ..lang.terms import ANY, Fun, Int, Name, Program, Term, Var
from ..lang.unification import CONSTANTS, arguments, label
from ..rules.phrases import Phrases
from ..rules.predicates import DECISION, DUE
from .candidates import KEY, NUMBER, Candidate, FactSchema, Feature, Template, Vocabulary

# -- wording -------------------------------------------------------------------------------------------------
#
# Features and candidates in words. They are built from the game's own phrases.


_VARIABLE: Final = "xx0"
"""The constant in the place of the variable while a phrase is built."""
_OTHER: Final = "xx9"
"""Another constant, to see whether the phrase mentions an argument."""
_ANYBODY: Final = "xx"
"""With a number from 10 on, the constant in the place of an open argument."""
_LISTED: Final = 3
"""If an open argument has more values, its sort is named instead of them."""
_MOST_CONSTANTS: Final = 4
"""The largest number of open arguments that are put into words."""


class Wording:
    """The words for features and candidates."""

    def __init__(self, ruleset: Ruleset, phrases: Phrases, vocabulary: Vocabulary) -> None:
        """Uses these phrases."""
        self._phrases, self._vocabulary = phrases, vocabulary
        self._players = tuple(sorted(map(symbols.constant, ruleset.seats)))
        self._phrases_found: dict[tuple[Feature, int], str] = {}

    # -- sentences -----------------------------------------------------------------------------------------------------

    def statement(self, group: Sequence[Candidate]) -> str:
        """The statement of candidates of one template with the same second feature.

        For example: Whenever the game is over; or the emperor is being elected: every player has finished.
        """
        one = group[0]
        noun = (one.sort or "").replace("_", " ")
        some, same = f"{_article(noun)} {noun}", f"the same {noun}"
        if one.template in (Template.EXCLUDES, Template.EXCLUDES_SAME) and one.second is not None:
            text = f"never while {self.feature(one.second, some)}: {self._cases(group, same)}"
        else:
            first = self._cases(group, some)
            whose = f"every {noun}" if one.template is Template.EACH else same
            second = "" if one.second is None else self.feature(one.second, whose, one.bound)
            text = {
                Template.NEVER: f"never: {first}",
                Template.ALWAYS: f"always: {first}",
                Template.AT_MOST: f"whenever {first}, at most: {second}",
                Template.AT_LEAST: f"whenever {first}, at least: {second}",
            }.get(one.template, f"whenever {first}: {second}")
        return f"{text[0].upper()}{text[1:]}."

    def _cases(self, group: Sequence[Candidate], key: str) -> str:
        """The first features as alternatives."""
        cases = [self.feature(c.first, key, c.bound) for c in group]
        return cases[0] if len(cases) == 1 else f"{'; '.join(cases[:-1])}; or {cases[-1]}"

    def why(self, group: Sequence[Candidate]) -> str:
        """The sentence for a position that breaks one of them, with the rule's variables in braces."""
        one = group[0]
        first = self.feature(one.first, "{X}", one.bound)
        second = "" if one.second is None else self.feature(one.second, "{X}", one.bound)
        match one.template:
            case Template.NEVER:
                return first
            case Template.ALWAYS:
                return f"it is not the case that {first}"
            case Template.EXCLUDES | Template.EXCLUDES_SAME:
                return second if len(group) > 1 else f"{first}, and {second}"
            case Template.AT_MOST:
                return f"the most there can be: {second}; here the number is {{N}}"
            case Template.AT_LEAST:
                return f"the least there can be: {second}; here the number is {{N}}"
            case _:
                return f"it is not the case that {second}"

    # -- phrases -------------------------------------------------------------------------------------------------------

    def feature(self, feature: Feature, key: str, number: int = 0) -> str:
        """A feature in words: ``key`` stands for its variable, ``number`` for the number of a counter."""
        found = self._phrases_found.get((feature, number))
        if found is None:
            found = self._phrases_found[feature, number] = self._phrase(feature.pattern, number)
        return re.sub(rf"\b{_VARIABLE}\b", lambda _: key, found)

    def _phrase(self, pattern: Term, number: int) -> str:
        filled = _replace(pattern, {KEY: Name(_VARIABLE), NUMBER: Int(number)})
        schema = self._schema(pattern)
        for open_places in self._open(schema, filled) if schema is not None else ({},):
            wordings = self._fact(filled, open_places)
            if wordings is not None:
                return wordings
        if label(pattern) == DUE[0]:
            inner = arguments(pattern)[0]
            return "a step is due" if inner == ANY else f"the step {label(inner)} is due"
        return show_term(filled)

    def _fact(self, filled: Term, wordings: Mapping[tuple[int, ...], str]) -> str | None:
        """The phrase of a fact, with these words for open arguments; None if the phrase leaves an argument out."""
        marks = {path: f"{_ANYBODY}{k}" for k, path in enumerate(wordings, 10)}
        fact = _fill_arguments(filled, marks)
        text = self._phrases.fact(show_term(fact))
        if text == show_term(fact) or re.search(rf"\({_ANYBODY}\d", text):
            return None
        for path in _constants(fact):
            other = self._phrases.fact(show_term(_fill_arguments(fact, {path: _OTHER})))
            if other == text:
                return None
        words = {mark: wordings[path] for path, mark in marks.items()}
        return re.sub(rf"\b{_ANYBODY}\d\d\b", lambda m: words.get(m[0], m[0]), text)

    def _open(self, schema: FactSchema, filled: Term) -> Iterator[dict[tuple[int, ...], str]]:
        """The choices of words for open arguments of a feature, those with the fewest words first."""
        around = bool(schema.around)
        words: dict[tuple[int, ...], str] = {}
        for place in range(schema.places):
            if schema.around == DUE[0]:
                path: tuple[int, ...] = (0, place)
            else:
                path = ((0,) if place == 0 else (1, place - 1)) if around else (place,)
            word = self._anything(schema, place)
            if _at(filled, path) == ANY and word is not None:
                words[path] = word
        for count in range(min(len(words), _MOST_CONSTANTS) + 1):
            for paths in combinations(words, count):
                yield {path: words[path] for path in paths}

    def _anything(self, schema: FactSchema, place: int) -> str | None:
        """The word for any value of an argument."""
        if schema.counted and place == schema.places - 1:
            return "some"
        values = sorted({row[place] for row in schema.rows})
        if tuple(values) == self._players:
            return "somebody"
        if len(values) <= _LISTED and all(v.type is clingo.SymbolType.Function for v in values):
            return _or([self._phrases.phrase(symbols.text(v)) for v in values])
        sort = self._vocabulary.sort_at(schema, place)
        return f"some {sort.replace('_', ' ')}" if sort in self._vocabulary.interchangeable else None

    def _schema(self, pattern: Term) -> FactSchema | None:
        """The schema of a feature's facts."""
        for schema in self._vocabulary.schemas:
            like = schema.pattern([ANY] * schema.places)
            if _name(like) == _name(pattern):
                return schema
        return None


def _name(pattern: Term) -> tuple[object, ...]:
    """A key for the schema of a fact: its name, or the name inside a decision or a step, with the number of arguments."""
    arity = len(pattern.args) if isinstance(pattern, Fun) else 0
    if isinstance(pattern, Fun) and (pattern.name, arity) in (DECISION, DUE):
        return pattern.name, arity, _name(pattern.args[-1]) if pattern.args[-1] != ANY else None
    return label(pattern), arity


def _replace(pattern: Term, by: Mapping[Term, Term]) -> Term:
    if isinstance(pattern, Fun):
        return Fun(pattern.name, tuple(_replace(p, by) for p in pattern.args))
    return by.get(pattern, pattern)


def _fill_arguments(pattern: Term, marks: Mapping[tuple[int, ...], str], path: tuple[int, ...] = ()) -> Term:
    """A pattern with constants for some of its arguments, which are given by their paths."""
    if path in marks:
        return Name(marks[path])
    if isinstance(pattern, Fun):
        return Fun(
            pattern.name, tuple(_fill_arguments(p, marks, (*path, i)) for i, p in enumerate(pattern.args))
        )
    return pattern


def _constants(pattern: Term, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The paths of the constants that a phrase must mention, including those in the place of the variable."""
    if isinstance(pattern, Fun):
        for i, inner in enumerate(pattern.args):
            yield from _constants(inner, (*path, i))
    elif isinstance(pattern, CONSTANTS) and path and not re.fullmatch(rf"{_ANYBODY}\d\d", show_term(pattern)):
        yield path


def _at(pattern: Term, path: tuple[int, ...]) -> Term:
    for place in path:
        if not isinstance(pattern, Fun):
            return pattern
        pattern = pattern.args[place]
    return pattern


def _or(texts: Sequence[str]) -> str:
    """The texts as alternatives: ``one, two, or three``."""
    if len(texts) <= 2:
        return " or ".join(texts)
    return f"{', '.join(texts[:-1])}, or {texts[-1]}"


def _article(noun: str) -> str:
    return "an" if noun[:1] in tuple("aeiou") else "a"


_WIDTH: Final = 120
_SYMMETRIC: Final = (Template.EXCLUDES, Template.EXCLUDES_SAME)
_VERBS: Final = {
    Template.NEVER: ("never", "never"),
    Template.ALWAYS: ("always", "always"),
    Template.EXCLUDES: ("without", "excluded"),
    Template.EXCLUDES_SAME: ("without_same", "excluded_same"),
    Template.IMPLIES: ("needs", "needed"),
    Template.IMPLIES_SAME: ("needs_same", "needed_same"),
    Template.EACH: ("needs_each", "needed_each"),
    Template.AT_MOST: ("at_most", "at_most"),
    Template.AT_LEAST: ("at_least", "at_least"),
}
"""The words of each template in ids: for one candidate, and for several with a shared feature."""


@dataclass(frozen=True)
class ProposedInvariant:
    """A proposed invariant.

    Attributes:
        id: A name that the rulebook does not use yet.
        statement: What it requires, in a sentence.
        why: The sentence for a position that breaks it, with the rules' variables in braces.
        rules: Its rules for ``broken/2``.
    """

    id: str
    statement: str
    why: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        """The lines for a rulebook, without a line break at the end."""
        head = _wrap(f"%! invariant {self.id} -- {self.statement}", "%!       ")
        why = _wrap(f"%!   why  {self.why}", "%!       ")
        return "\n".join([*head, *why, *_align(tuple(map(read_rule, self.rules)))])


def propose(
    candidates: Sequence[Candidate], wording: Wording, taken: Collection[str]
) -> list[tuple[ProposedInvariant, tuple[Candidate, ...]]]:
    """The invariants for candidates, each with its candidates. Candidates with a shared feature become one invariant.

    Args:
        candidates: The candidates, the shortest first.
        wording: The words for them.
        taken: The ids that the rulebook uses.
    """
    used = set(taken)
    found = []
    for group in _groups(candidates):
        name = _unused_name(_id(group), used)
        used.add(name)
        several = len(group) > 1  # then the witness shows which candidate is broken
        program = (c.rule(name, _slug(c.first)) if several else c.rule(name) for c in group)
        rules = tuple(map(show_with_commas, program))
        made = ProposedInvariant(name, wording.statement(group), wording.why(group), rules)
        found.append((made, tuple(group)))
    return found


def _groups(candidates: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """Groups candidates by their requirement. The requirement of an exclusion is the feature that occurs more often."""
    often: Counter[tuple[Template, Feature]] = Counter()
    for c in candidates:
        often.update((c.template, f) for f in (c.first, c.second) if c.template in _SYMMETRIC and f)
    groups: dict[tuple[object, ...], list[Candidate]] = {}
    for c in candidates:
        if c.template in _SYMMETRIC and c.second is not None:
            rarely = often[c.template, c.first] <= often[c.template, c.second]
            c = c if rarely else replace(c, first=c.second, second=c.first)
        alone = c.first if c.second is None else None
        groups.setdefault((c.template, c.second, c.bound, alone), []).append(c)
    yield from groups.values()


def _id(group: Sequence[Candidate]) -> str:
    """A name that describes the requirement."""
    one = group[0]
    single, common = _VERBS[one.template]
    if one.second is None:
        return f"{single}_{_slug(one.first)}"
    bound = f"_{one.bound}" if one.template in (Template.AT_MOST, Template.AT_LEAST) else ""
    if len(group) > 1:
        return f"{_slug(one.second)}_{common}{bound}"
    return f"{_slug(one.first)}_{single}_{_slug(one.second)}{bound}"


def _slug(feature: Feature) -> str:
    """The names and constants of a feature, as part of an id."""
    return re.sub(r"\W+", "_", "_".join(_words(feature.pattern))).strip("_").lower()


def _words(pattern: Term) -> Iterator[str]:
    if isinstance(pattern, Var):
        return
    yield label(pattern)
    for inner in pattern.args if isinstance(pattern, Fun) else ():
        yield from _words(inner)


def _unused_name(name: str, used: Collection[str]) -> str:
    number = 2
    unused = name
    while unused in used:
        unused, number = f"{name}_{number}", number + 1
    return unused


def _align(program: Program) -> Iterator[str]:
    """Rules with aligned bodies, broken if they are too long for a line."""
    width = max(len(show_literal(head)) for rule in program for head in rule.heads)
    for rule in program:
        yield from _wrap(show_with_commas(rule, width), "    ")


def _wrap(text: str, indent: str) -> list[str]:
    """The lines of a text; the indent is for all but the first."""
    return textwrap.wrap(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


# -- report --------------------------------------------------------------------------------------------------
#
# The result of a search for invariants.


@dataclass(frozen=True)
class InvariantReport:
    """The proposed invariants, the assumptions of their proofs, and figures of the search.

    Attributes:
        invariants: The proposed invariants. All are proved.
        given: The assumptions of the proofs, as sentences.
        games: The number of random games.
        positions: The number of their positions.
        candidates: The number of candidates that the templates gave.
        unbroken: The number of them that no game broke.
        new: The number of these that did not follow from the game's own invariants.
        inductive: The number of these that were inductive together.
        undecided: The number that were dropped because the limit on conflicts was reached.
    """

    invariants: tuple[ProposedInvariant, ...]
    given: tuple[str, ...]
    games: int
    positions: int
    candidates: int
    unbroken: int
    new: int
    inductive: int
    undecided: int

    @property
    def lines(self) -> str:
        """All invariants as lines for a rulebook; empty if there are none."""
        return "\n".join(map(str, self.invariants))

    def as_data(self) -> Mapping[str, object]:
        """The report as JSON."""
        counts = ("games", "positions", "candidates", "unbroken", "new", "inductive", "undecided")
        return {
            "given": list(self.given),
            **{name: getattr(self, name) for name in counts},
            "invariants": [
                {"id": i.id, "statement": i.statement, "why": i.why, "rules": list(i.rules), "lines": str(i)}
                for i in self.invariants
            ],
        }
