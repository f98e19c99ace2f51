"""The kinds of findings, and findings in SARIF 2.1.0, the format of editors and code hosts."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from ..errors import Finding
from ..version import VERSION

# -- kinds ---------------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """A kind of finding.

    Attributes:
        about: A sentence that describes the mistake.
        refuses: Whether loading refuses a rulebook with such a finding.
    """

    about: str
    refuses: bool = True


KINDS: Final = {
    "syntax": Kind("A file cannot be read."),
    "file": Kind("A file that the manifest names is missing."),
    "manifest": Kind("A key of the manifest is missing, unknown, of the wrong type, or has an impossible value."),
    "engine": Kind("The manifest asks for a file of the engine that does not exist."),
    "drawing": Kind("The drawing is missing, or is also one of the programs of rules."),
    "directive": Kind("A program contains something other than rules."),
    "choice": Kind("The head of a rule is a choice, or not an atom."),
    "constraint": Kind("A rule without a head forbids positions; an invariant says this with broken/2."),
    "negation": Kind("A predicate has the sign '-'; there is only 'not'."),
    "script": Kind("A rule calls a function of a script, or has a theory atom."),
    "documentation": Kind("A line that begins with %! cannot be read."),
    "twice": Kind("Two headings have the same id."),
    "undocumented": Kind("An id of a violation, a decision or an invariant has no heading."),
    "source": Kind("A source says in an unknown form that the text is silent, or that the rule is assumed."),
    "edition": Kind("A heading gives the source in an edition that the manifest does not have."),
    "undefined": Kind("A rule reads a predicate that no rule derives."),
    "arity": Kind("A predicate or a term has a different number of arguments elsewhere."),
    "head": Kind("A rule derives a fluent, or a predicate of the engine."),
    "fluent": Kind("A fact that is added, deleted or there at the start is not declared as a fluent."),
    "counter": Kind("A fact that is gained, lost or shifted is neither a counter nor a single piece."),
    "number": Kind("Points, a weight, a limit, or what is gained or counted is no number."),
    "counted": Kind("A fluent or decision that is declared counted, stated, a unit or simultaneous does not exist."),
    "step": Kind("due(S) without step(S)."),
    "decision": Kind("A decision without actions, or without a fluent."),
    "out_of_turn": Kind("A decision has no rule that is broken by acting without it."),
    "action": Kind("A rule is about an action that the vocabulary does not declare."),
    "candidate": Kind("An action is never a candidate, a rule reads several, or another's action may lift a violation."),
    "init": Kind("Nothing holds at the start."),
    "ruling": Kind("A rule reads a ruling that the manifest does not have."),
    "value": Kind("A rule reads a value that the ruling does not have."),
    "start": Kind("A rule reads a start tag, or a value of one, that the manifest does not have."),
    "static": Kind("A fact about the whole game depends on the position or on an action."),
    "things": Kind("The things in sets are not numbered 1, 2 ... each once."),
    "sets": Kind("A rule writes, compares, counts or stores the sets of actions, which have their parts only."),
    "invariant": Kind("An invariant has no plain name, or a name of the engine's."),
    "loop": Kind("Predicates depend on themselves through 'not' or a sum."),
    "endless": Kind("A rule derives ever new numbers."),
    "unsafe": Kind("A variable is not bound by a positive atom."),
    "constant": Kind("A rule reads or adds a term that can never be there.", refuses=False),
    "why": Kind("A sentence names a variable that no rule behind it has, or has a condition that cannot be read.", refuses=False),
    "unlisted": Kind("The manifest does not name a program of the folder.", refuses=False),
    "needs": Kind("A file of the engine reads a predicate that the rulebook does not define.", refuses=False),
    "cell": Kind("A cell, a row or a column of a drawing has no place in a table.", refuses=False),
    "picture": Kind("A picture rule names what the drawing does not know, or something would be drawn wrong.", refuses=False),
    "wordless": Kind("A term of a drawing has no words: it would be shown as it is written.", refuses=False),
    "aimless": Kind("No effect reads an action: it changes nothing, or its arguments mean nothing.", refuses=False),
    "dense": Kind("A rule compares so many variables with one another that it may not end.", refuses=False),
    "slow": Kind("A rule is not compiled: the questions that need it are left to clingo.", refuses=False),
    "repeated": Kind("The same rule occurs twice.", refuses=False),
    "idle": Kind("A step that has no effect, or is never due.", refuses=False),
    "unused": Kind("A predicate is derived and never read.", refuses=False),
    "exports": Kind("The manifest exports a predicate that no rule derives.", refuses=False),
    "effect": Kind("A change depends on no action and no step.", refuses=False),
    "judging": Kind("A violation concerns no candidate, or reads what is known only after the action is done.", refuses=False),
    "collecting": Kind("A violation reads what other candidates may say: lists and verdicts may differ.", refuses=False),
    "rest": Kind("A position is asked for something that only holds while somebody acts: it never holds.", refuses=False),
    "measure": Kind("A measure has no limit, or a limit has nothing that counts.", refuses=False),
    "bound": Kind("A sum has no bound: it would take every value in open positions.", refuses=False),
    "initial": Kind("The start breaks an invariant.", refuses=False),
    "ending": Kind("No rule says when the game is over, or who has won.", refuses=False),
    "heading": Kind("A heading is of the wrong kind, or documents nothing.", refuses=False),
    "statement": Kind("A statement is false or missing under an edition, or too long.", refuses=False),
    "about": Kind("A ruling does not ask, a value has no sentence, or no source supports it.", refuses=False),
    "unsourced": Kind("A rule has a source in some editions, and none in others.", refuses=False),
    "phrase": Kind("A phrase is for something that does not exist, or names a variable that its pattern lacks.", refuses=False),
    "book": Kind("The outline of the printed rulebook has an unknown key, or names a rule that does not exist.", refuses=False),
}  # fmt: skip
"""All kinds of findings."""


# -- sarif ---------------------------------------------------------------------------------------------------
#
# The reports on records use `log` and `result` too.


def sarif(findings: Iterable[Finding]) -> dict[str, Any]:
    """Returns the findings of one run as a SARIF log."""
    all_findings = list(findings)
    used = sorted({finding.what for finding in all_findings})
    rules = {what: KINDS[what].about for what in used}
    return log(rules, [_result(finding, used) for finding in all_findings])


def log(rules: Mapping[str, str], results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns a SARIF log of one run.

    Args:
        rules: The rules that the results name, with their descriptions, in the order of their indices.
        results: The results, made by `result`.
    """
    described = [{"id": name, "shortDescription": {"text": about or name}} for name, about in rules.items()]
    driver = {"name": "kaiser-logic", "version": VERSION, "rules": described}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": list(results)}],
    }


def result(
    rule: str,
    index: int,
    level: str,
    message: str,
    place: tuple[str | None, int, int],
    distinguished_by: Sequence[object] = (),
) -> dict[str, Any]:
    """Returns one result of a run.

    Args:
        rule: The rule's id.
        index: The index of the rule among the rules of the run.
        level: ``error`` or ``warning``.
        message: The message for the reader.
        place: The file, or None; line and column from 1, or 0 if there is none.
        distinguished_by: Values that stay the same when lines are inserted elsewhere. They give the fingerprint.
    """
    file, line, column = place
    entry: dict[str, Any] = {"ruleId": rule, "ruleIndex": index, "level": level, "message": {"text": message}}
    if file is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": quote(os.fsencode(Path(file).as_posix()))}}
        if line:
            physical["region"] = {"startLine": line, "startColumn": max(column, 1)}
        entry["locations"] = [{"physicalLocation": physical}]
    if distinguished_by:
        text = "\n".join(map(str, (rule, *distinguished_by)))
        digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
        entry["partialFingerprints"] = {"kaiserLogic/v1": digest[:32]}
    return entry


def _result(finding: Finding, used: list[str]) -> dict[str, Any]:
    level = "error" if KINDS[finding.what].refuses else "warning"
    place = (finding.file, finding.line, finding.column)
    return result(
        finding.what,
        used.index(finding.what),
        level,
        finding.message,
        place,
        (Path(finding.file).name, finding.message),
    )
