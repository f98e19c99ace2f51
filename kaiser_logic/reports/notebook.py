"""HTML for notebooks: reports, proofs, answers and differences, without scripts.

All texts are escaped. Boards are SVG in the theme of the page. A record is shown as its page, in a frame (`frame_page`).
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..drawing.image import render as drawn
from ..drawing.svg.pen import escape
from ..errors import KaiserLogicError
from ..evaluation.verdict import Violation
from ..notation.record import Record
from ..position import LegalActions, Position
from ..records.checking import Report
from ..records.coverage import Coverage
from ..records.fault import Fault
from ..rules.phrases import phrases
from .pages import ReportedRecord
from .pages import render as page_of
from .story import story

if TYPE_CHECKING:
    from ..comparison.differences import Difference
    from ..comparison.recorded import RecordDifference
    from ..game import Found
    from ..solving.report import Proof, ProofReport

MOST_BYTES: Final = 200_000
"""The largest size of a record's frame, in letters. A longer record shows its last position and its faults instead."""
_SHOWN: Final = 4
"""The largest number of boards shown for an answer."""
_LISTED: Final = 60
"""The largest number of actions of a role that are listed."""
_MARKS: Final = {"proved": "✓", "falls": "⊘", "undecided": "?"}


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells are HTML."""
    head = "".join(f'<th style="text-align:left">{escape(one)}</th>' for one in heads)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left;vertical-align:top">{cell}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _board(position: Position) -> str:
    """A position's picture; empty if it cannot be drawn."""
    try:
        return f'<div style="max-width:520px">{drawn(position)}</div>'
    except KaiserLogicError:
        return ""


def _facts(facts: Iterable[str], title: str = "the position") -> str:
    text = escape("\n".join(f"{fact}." for fact in facts))
    return f"<details><summary>{escape(title)}</summary><pre>{text}</pre></details>"


def _sources(sources: Iterable[tuple[str, str]]) -> str:
    return "<br>".join(f"{escape(edition)}: {escape(source)}" for edition, source in sources)


# -- records -------------------------------------------------------------------------------------------------


def report(one: Report) -> str:
    """The verdict on a record, its faults, and its last position."""
    name = escape(one.path or "the record")
    if one.unreadable:
        return f"<p><b>{name}</b>: unreadable</p><pre>{escape(one.unreadable)}</pre>"
    end = one.result.summary if one.result else "unfinished"
    verdict = "✓ legal" if one.ok else f"⊘ {len(one.faults)} fault{'s' * (len(one.faults) > 1)}"
    heading = f"<p><b>{name}</b>: {verdict}; {one.moves} moves, {one.judged} judged, {escape(end)}</p>"
    faults = _faults(one.faults) if one.faults else ""
    return heading + faults + (_board(one.final) if one.final is not None else "")


def fault(one: Fault) -> str:
    """A fault, as in the table of a report."""
    return _faults([one])


def _faults(some: Sequence[Fault]) -> str:
    return _table(("line", "@", "move", "rule", "why", "source"), map(_fault, some))


def _fault(one: Fault) -> tuple[str, ...]:
    move = f"{one.role}: {one.action}" if one.role else ""
    return (
        str(one.line or ""),
        "" if one.moves is None else str(one.moves),
        f"<code>{escape(move)}</code>",
        f"<code>{escape(one.rule)}</code>",
        escape(one.message + (f" ({one.note})" if one.note else "")),
        _sources(one.sources.items()),
    )


def actions(one: LegalActions) -> str:
    """Legal actions with their words, by role."""
    words = phrases(one.rulebook.folder)
    rows = [
        (escape(words.phrase(role)), f"<code>{escape(action)}</code>", escape(words.action(action)))
        for role, some in one.items()
        for action in some[:_LISTED]
    ]
    rest = sum(max(0, len(some) - _LISTED) for some in one.values())
    return _table(("role", "action", "in words"), rows) + (f"<p>and {rest} more</p>" if rest else "")


def violation(one: Violation) -> str:
    """A broken rule: what it requires, why it is broken, and its source."""
    facts = ", ".join(f"<code>{escape(fact)}</code>" for fact in one.facts)
    return (
        f"<p><code>{escape(one.rule)}</code>: {escape(one.message)}<br><i>{escape(one.statement)}</i>"
        + (f"<br>because {facts}" if facts else "")
        + f"<br>{_sources(one.sources.items())}</p>"
    )


def coverage(one: Coverage) -> str:
    """The rules that records use, and those that they never use."""
    rows = [
        (
            f"<code>{escape(u.rule)}</code>",
            f"{u.lines}/{u.of}",
            str(u.applies),
            str(u.forbids),
            str(u.records),
        )
        for u in one.rules
        if u.records
    ]
    never = ", ".join(f"<code>{escape(rule)}</code>" for rule in one.never) or "none"
    return (
        f"<p><b>{escape(one.game)}</b>: {one.records} records, {one.moves} moves</p>"
        f"<p>never used: {never}</p>" + _table(("rule", "lines", "applies", "forbids", "records"), rows)
    )


def frame_page(record: Record) -> str:
    """A record's page in a sandboxed frame; the report, if the frame is larger than `MOST_BYTES`.

    The page is compressed, so that a notebook with many records stays small. A script in the frame decompresses it.
    """
    shown = story(record)
    packed = base64.b64encode(zlib.compress(page_of([ReportedRecord(shown.report, shown)]).encode(), 9)).decode()
    inside = escape(_LOADER.replace("PACKED", packed))
    frame = f'<iframe sandbox="allow-scripts" title="a record" width="100%" height="900" srcdoc="{inside}"></iframe>'
    return frame if len(frame) < MOST_BYTES else report(shown.report)


_LOADER: Final = Path(__file__).with_name("loader.html").read_text(encoding="utf-8")
"""The initial page of the frame, which replaces itself by the record's page."""


# -- all positions -------------------------------------------------------------------------------------------


def proofs(one: ProofReport) -> str:
    """The verdicts of a proof, with the first counterexample of each claim that falls."""
    open_ = sum(p.status == "undecided" for p in one.proofs)
    fallen = sum(p.status == "falls" for p in one.proofs)
    proved = len(one.proofs) - open_ - fallen
    heading = f"<p>{proved} proved, {fallen} fallen, {open_} not decided (which says nothing about the game)</p>"
    given = "".join(f"<li>{escape(sentence)}</li>" for sentence in one.given)
    table = _table(("", "claim", "statement", ""), map(_proof, one.proofs))
    return heading + (f"<details><summary>given</summary><ul>{given}</ul></details>" if given else "") + table


def _proof(one: Proof) -> tuple[str, ...]:
    status = "not decided" if one.status == "undecided" else one.status
    notes = escape("; ".join(one.notes)[:300])
    example = ""
    if one.counterexamples:
        first = one.counterexamples[0]
        moves = escape(", ".join(f"{role}: {action}" for role, action in first.actions) or first.transition)
        example = f"<br><code>{moves}</code>{_facts(first.facts)}"
    mark = f"{_MARKS.get(one.status, '')} {status}"
    return mark, f"<code>{escape(one.claim)}</code>", escape(one.statement), notes + example


def difference(one: Difference) -> str:
    """The difference that a ruling makes: the values, the sentence, the position, the moves."""
    first, second = map(escape, one.values)
    head = f"<p><code>{escape(one.ruling.name)}</code>: {first} or {second}. {escape(one.ruling.about)}</p>"
    verdict = "" if one.how else "the same: " if one.complete else "not decided: "
    heading = f"<p>{verdict}{escape(one.words)}</p>"
    moves = "".join(f"<br><code>{escape(f'{role}: {action}')}</code>" for role, action in one.actions)
    board = _board(one.position) if one.position is not None else ""
    return head + heading + (f"<p>{moves.removeprefix('<br>')}</p>" if moves else "") + board


def show_positions(one: Found) -> str:
    """The positions that a query has found."""
    number = len(one.positions)
    if number:
        head = f"{number} position{'s' * (number > 1)}" + ("; there is no other" if one.exhausted else "")
    else:
        head = "no valid position has this property (proved)" if one.exhausted else "not decided"
    notes = escape(" ".join(filter(None, (one.note, one.reason))))
    return f"<p><b>{head}</b> {notes}</p>{boards(one.positions, one.because)}"


def boards(positions: Sequence[Position], because: Sequence[str] = ()) -> str:
    """Some positions, each with its board, its facts and what makes the query true, if that is known."""
    parts = []
    for place, position in enumerate(positions[:_SHOWN]):
        why = because[place] if place < len(because) else ""
        facts = _facts(position.ruleset.book.sort_facts(position.facts))
        parts.append(f"<p>{escape(why)}</p>{_board(position)}{facts}")
    more = len(positions) - _SHOWN
    return "".join(parts) + (f"<p>and {more} more</p>" if more > 0 else "")


def record_difference(one: RecordDifference) -> str:
    """The changes in a record under other rules."""
    lines = list(one.lines(("the first rules", "the second rules"))) or ["nothing changes"]
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<p><b>{escape(one.path or 'the record')}</b></p><ul>{items}</ul>"
