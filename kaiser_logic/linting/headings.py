"""Headings of the wrong kind, or that document nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..errors import Finding
from ..rules.contract.survey import Survey
from ..rules.places import nearest
from ..rules.predicates import of_engine
from ..rules.rulebook import ENGINE_DOCS, RuleDoc

_KINDS: Final = {
    ("violates", 3): ("rule",),
    ("out_of_turn", 2): ("rule",),
    ("broken", 2): ("invariant", "rule"),
    ("board_broken", 2): ("board",),
}
_FIRST: Final = frozenset({("broken", 2), ("board_broken", 2)})


def headings(survey: Survey) -> Iterator[Finding]:
    """The kind ``heading``: what is violated is a rule, what is broken an invariant; a sentence and an invariant have rules.

    >>> # %! invariant take.enough -- ...     of violates(R,A,"take.enough")
    """
    documented: set[str] = set()
    wrong: dict[str, str] = {}
    for signature in _KINDS:
        for use in survey.heads(*signature):
            kind, text = use.atom.args[0 if signature in _FIRST else -1][:2]
            if kind != "c":
                continue
            id = text.strip('"')
            documented.add(id)
            doc = survey.book.docs.get(id)
            if doc and doc.kind not in _KINDS[signature] and not of_engine(doc):
                wanted = " or ".join(_KINDS[signature])
                wrong[id] = f"{id} is in {signature[0]}/{signature[1]}: its heading is to be %! {wanted}"
    through = _strings(survey)
    for id, doc in survey.book.docs.items():
        if of_engine(doc):
            continue
        if id in wrong:
            yield _at(survey, doc, wrong[id])
        elif id not in documented | through and (doc.kind == "invariant" or doc.why):
            hint = nearest(id, sorted(documented - survey.book.docs.keys()))
            yield _at(survey, doc, f"no rule says that {id} is broken{hint}")


def waived(survey: Survey) -> Iterator[Finding]:
    """The kind ``heading``: what is waived or presumed is an invariant.

    >>> # waived(one_tkaer) :- ruling(last_stone,wins).
    """
    known = {i for i, d in survey.book.docs.items() if d.kind == "invariant"} | ENGINE_DOCS.keys()
    spoken = (survey.arguments((name, 1), 0, heads=True) for name in ("waived", "presumed"))
    for use, term in (pair for found in spoken for pair in found):
        if term[0] == "c" and term[1] not in known:
            message = f"there is no invariant '{term[1]}'{nearest(term[1], sorted(known))}"
            yield survey.at(use.rule, "heading", message, term[1])


def _strings(survey: Survey) -> set[str]:
    """The ids that stand anywhere in a head, the engine's too, to be passed on to ``violates`` or ``broken``."""
    terms = (a for rule in survey.book.rules for head in rule.heads for a in head.args)
    return {str(term[1]).strip('"') for term in terms if term[0] == "c"}


def _at(survey: Survey, doc: RuleDoc, message: str) -> Finding:
    return Finding(str(survey.folder / Path(doc.file).name), doc.line, 1, "heading", message)
