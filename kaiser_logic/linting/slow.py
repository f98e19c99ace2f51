"""Rules that are not compiled, and the questions that are therefore left to clingo."""

from __future__ import annotations

from collections.abc import Iterator

from ..engine.compiled import Unsupported
from ..engine.compiled.source import source
from ..engine.configuration import configure
from ..engine.ruleset import Ruleset
from ..errors import Finding
from ..rules.contract.survey import Survey
from ..rules.pattern import show
from ..rules.predicates import ADD, DEL, VIOLATES
from ..rules.rule import Rule, top
from ..rules.rulebook import Rulebook
from ..transform.slicing import seeds

_SHOWN = 3
"""So many questions are named."""


def uncompiled(survey: Survey) -> Iterator[Finding]:
    """The kind ``slow``: rules of which there is no compiled form.

    >>> # worth(R,N*M) :- taken(R,N), power(M,|N|).     free(R) :- player(R), not took(R,2**1).
    """
    slow = [rule for rule in survey.book.rules if not _is_compiled(rule)]
    questions = _questions(survey.book, slow) if slow else {}
    for rule in slow:
        its = questions[rule.text]
        named = f": {', '.join(its[:_SHOWN])}{' …' if len(its) > _SHOWN else ''}" if its else ""
        message = f"this rule is not compiled: what needs it is left to clingo, and slower{named}"
        yield survey.at(rule, "slow", message)


def _is_compiled(rule: Rule) -> bool:
    """Whether a rule has a compiled form for each predicate of its head."""
    try:
        for head in dict.fromkeys(h.signature for h in rule.heads):
            source(rule.value, head)
    except Unsupported:
        return False
    return True


def _questions(book: Rulebook, slow: list[Rule]) -> dict[str, list[str]]:
    """For each of these rules the actions and steps whose programs have it, with the default seats."""
    configuration, _ = configure(book, book.folder)
    rules = Ruleset(book, configuration)
    wanted = [top(*signature) for signature in (VIOLATES, ADD, DEL)]
    starts = [(show(k.action), seeds(None, (), [k.action])) for k in book.kinds]
    steps = {a.args[0] for r in book.rules for a in r.heads if a.signature == ("step", 1)}
    starts += [(f"step {show(step)}", seeds(None, [step])) for step in sorted(steps, key=show)]
    found: dict[str, list[str]] = {rule.text: [] for rule in slow}
    for label, start in starts:
        for text in {rule.text for rule in rules.judging.slice(start, wanted)} & found.keys():
            found[text].append(label)
    return found
