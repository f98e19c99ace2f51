"""Candidates as an author would write them: documented ``broken/2`` lines to paste into a rulebook."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, combinations, count
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..lang.algebra import substitute_term
from ..lang.printer import show_literal, show_term, show_with_commas
from ..lang.reader import read_rule
from ..lang.terms import ANY, Fun, Int, Name, Program, Term, Var
from ..lang.unification import CONSTANTS, arguments, label, match, most_general
from ..rules.phrases import Phrases
from ..rules.predicates import DUE
from .candidates import KEY, NUMBER, Candidate, FactSchema, Feature, FeatureVocabulary, Template

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

    def __init__(self, ruleset: Ruleset, phrases: Phrases, vocabulary: FeatureVocabulary) -> None:
        """Uses these phrases."""
        self._phrases, self._vocabulary = phrases, vocabulary
        self._players = tuple(sorted(map(symbols.constant, ruleset.seats)))
        self._feature_phrases: dict[tuple[Feature, int], str] = {}

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
        phrase = self._feature_phrases.get((feature, number))
        if phrase is None:
            phrase = self._feature_phrases[feature, number] = self._phrase(feature.pattern, number)
        return re.sub(rf"\b{_VARIABLE}\b", lambda _: key, phrase)

    def _phrase(self, pattern: Term, number: int) -> str:
        filled = substitute_term(pattern, {label(KEY): Name(_VARIABLE), label(NUMBER): Int(number)})
        for schema in self._vocabulary.schemas:
            binding = match(schema.pattern(most_general(schema.places)), filled)
            for args in self._say_open(schema, list(binding.values())) if binding is not None else ():
                text = self._fact(schema, args)
                if text is not None:
                    return text
        if label(pattern) == DUE[0]:
            inner = arguments(pattern)[0]
            return "a step is due" if inner == ANY else f"the step {label(inner)} is due"
        return show_term(filled)

    def _fact(self, schema: FactSchema, args: Sequence[Term | str]) -> str | None:
        """The phrase of a fact, with words for some of its arguments; None if the phrase leaves an argument out."""
        marks = {f"{_ANYBODY}{k}": arg for k, arg in enumerate(args, 10) if isinstance(arg, str)}
        places = [Name(f"{_ANYBODY}{k}") if isinstance(arg, str) else arg for k, arg in enumerate(args, 10)]
        fact = show_term(schema.pattern(places))
        text = self._phrases.fact(fact)
        if text == fact or re.search(rf"\({_ANYBODY}\d", text):
            return None
        fixed = [k for k, arg in enumerate(args) if isinstance(arg, (Fun, *CONSTANTS))]
        others = [schema.pattern([*places[:k], Name(_OTHER), *places[k + 1 :]]) for k in fixed]
        if schema.around:
            others.append(replace(schema, name=_OTHER).pattern(places))
        if any(self._phrases.fact(show_term(other)) == text for other in others):
            return None
        return re.sub(rf"\b{_ANYBODY}\d\d\b", lambda m: str(marks.get(m[0], m[0])), text)

    def _say_open(self, schema: FactSchema, args: Sequence[Term]) -> Iterator[list[Term | str]]:
        """The arguments with words for open ones, in all ways; those with the fewest words first."""
        words = {k: word for k, arg in enumerate(args) if arg == ANY and (word := self._anything(schema, k))}
        for number in range(min(len(words), _MOST_CONSTANTS) + 1):
            for places in combinations(words, number):
                yield [words[k] if k in places else arg for k, arg in enumerate(args)]

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
    proposals = []
    for group in _groups(candidates):
        name = _unused_name(_id(group), used)
        used.add(name)
        several = len(group) > 1  # then the witness shows which candidate is broken
        program = (c.rule(name, _slug(c.first)) if several else c.rule(name) for c in group)
        rules = tuple(map(show_with_commas, program))
        made = ProposedInvariant(name, wording.statement(group), wording.why(group), rules)
        proposals.append((made, tuple(group)))
    return proposals


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
    names = chain([name], (f"{name}_{number}" for number in count(2)))
    return next(n for n in names if n not in used)


def _align(program: Program) -> Iterator[str]:
    """Rules with aligned bodies, broken if they are too long for a line."""
    width = max(len(show_literal(head)) for rule in program for head in rule.heads)
    for rule in program:
        yield from _wrap(show_with_commas(rule, width), "    ")


def _wrap(text: str, indent: str) -> list[str]:
    """The lines of a text; the indent is for all but the first."""
    return textwrap.wrap(text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


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
        made = [{**asdict(i), "lines": str(i)} for i in self.invariants]
        return {**asdict(self), "invariants": made}
