"""Checks of documentation lines against the rules that they describe."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ...errors import Finding
from ...lang.algebra import variables
from ...lang.reader import lines_of
from ...lang.terms import Signature, Text, Var
from ...lang.unification import CONSTANTS, label
from ..phrases import fields, no_fields
from ..places import nearest
from ..predicates import BROKEN, VIOLATES
from ..rule import PlacedRule
from ..rulebook import UNREADABLE, RuleDoc, misread
from .survey import Survey

_VARIABLE: Final = re.compile(r"(?<![\w'])_*[A-Z][\w']*")
_JUDGING: Final = frozenset({VIOLATES, ("out_of_turn", 2)})
ID_FIRST: Final = frozenset({("board_broken", 2), BROKEN})
"""The predicates whose first argument is the id of a rule."""


def check_headings(survey: Survey) -> Iterator[Finding]:
    """The kind ``undocumented``: each id of a violation, a decision or an invariant has a heading.

    >>> # violates(R,take(K),"take.enouhg") :- ...     without a line %! rule take.enouhg -- ...
    """
    docs = survey.book.docs
    naming = _naming(survey)
    for (name, arity), uses in survey.derived.items():
        first = (name, arity) in ID_FIRST
        if not first and (name, arity) not in naming:
            continue
        for use in uses if arity else ():
            id_term = use.atom.args[0 if first else -1]
            if not isinstance(id_term, CONSTANTS if first else Text):
                continue
            text = label(id_term)
            id = text.strip('"')
            if id not in docs:
                message = f"{id} has no documentation, %! rule {id} -- ...{nearest(id, docs)}"
                yield survey.at(use.rule, "undocumented", message, text)


def _naming(survey: Survey) -> set[Signature]:
    """The predicates whose last argument is the id of a rule, or is passed on as one.

    >>> # violates(R,A,V) :- candidate(R,A), unfit(R,X,V).     therefore unfit/3 is one of them
    """
    namers, size = set(_JUDGING), 0
    while len(namers) > size:
        size = len(namers)
        for signature in list(namers):
            for use in survey.derived.get(signature, ()):
                id = use.atom.args[-1]
                namers |= {
                    a.signature for a in use.rule.positive if isinstance(id, Var) and a.args and a.args[-1] == id
                }
    return namers


def editions(survey: Survey) -> Iterator[Finding]:
    """The kind ``edition``: the manifest has each edition with a source.

    >>> # %!   standart  The course of the game
    """
    known = survey.book.editions
    for doc in survey.book.docs.values():
        for name in doc.sources:
            if name not in known:
                message = f"the manifest has no edition '{name}'{nearest(name, [*known, 'why'])}"
                yield in_doc(survey, doc, "edition", message, name)


def marks(survey: Survey) -> Iterator[Finding]:
    """The kind ``source``: the marks of provenance in a source have the form that can be read (:mod:`..rulebook`).

    >>> # %!   standard  The course of the game, silent
    """
    for doc in survey.book.docs.values():
        for text in doc.sources.values():
            for part in misread(text):
                yield in_doc(survey, doc, "source", f"'{part}' {UNREADABLE}", part)


def variants(survey: Survey) -> Iterator[Finding]:
    """The kinds ``ruling`` and ``value``: a line ``where`` names rulings of the manifest and their values.

    >>> # %!   where last_stone is win -- Its taker wins.
    """
    known = survey.book.rulings
    for doc in survey.book.docs.values():
        for name, value in dict.fromkeys(pair for variant in doc.variants for pair in variant.rulings):
            if name not in known:
                message = f"the manifest has no ruling '{name}'{nearest(name, known)}"
                yield in_doc(survey, doc, "ruling", message, name)
            elif value not in known[name].values:
                message = f"the ruling '{name}' has no value '{value}'{nearest(value, known[name].values)}"
                yield in_doc(survey, doc, "value", message, f"{name} is {value}")


def sentences(survey: Survey) -> Iterator[Finding]:
    """The kind ``why``: a sentence names only variables of the rules that derive the violation.

    >>> # %!   why       the heap holds only {M}     where the rule says heap(N)
    """
    rules: dict[str, list[PlacedRule]] = defaultdict(list)
    general: list[PlacedRule] = []
    for rule in survey.book.rules:
        for head in rule.heads:
            first = head.signature in ID_FIRST
            id = head.args[0 if first else -1] if head.args else None
            if isinstance(id, CONSTANTS if first else Text):
                rules[label(id).strip('"')].append(rule)
            elif isinstance(id, Var) and head.signature in _JUDGING:
                general.append(rule)
    for doc in survey.book.docs.values():
        for text in [t for sentence, _ in doc.reasons for t in no_fields(sentence)]:
            yield in_doc(survey, doc, "why", f"{text} is not a variable: it would be printed as it stands", text)
        wanted = fields(doc.why) if doc.why and "{" in doc.why else []
        if doc.is_of_engine or not rules[doc.id] or set(wanted) <= {"R", "A"}:
            continue
        known = {"R", "A", *_VARIABLE.findall(" ".join(condition for _, condition in doc.reasons))}.union(
            variables(*(rule.value for rule in (*rules[doc.id], *general)))
        )
        for name in sorted(set(wanted) - known):
            message = f"{{{name}}} is no variable of the rules that say {doc.id}{nearest(name, sorted(known))}"
            yield in_doc(survey, doc, "why", message, f"{{{name}")


def in_doc(survey: Survey, doc: RuleDoc, what: str, message: str, word: str) -> Finding:
    """Makes a finding at the first occurrence of a word in the lines of a heading, otherwise at the heading."""
    path = survey.folder / Path(doc.file).name
    lines = lines_of(path.read_text(encoding="utf-8")) if path.is_file() else []
    for number, line in enumerate(lines[doc.line - 1 :], doc.line):
        if number > doc.line and not line.startswith("%!   "):
            break
        if word in line:
            return Finding(str(path), number, line.index(word) + 1, what, message)
    return survey.at_heading(doc, what, message)
