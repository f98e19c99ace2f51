"""The page of checked records: board, slider, events, faults with what was legal, points. One file, no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..drawing.html.page import page
from ..drawing.svg.pen import escaped
from ..records.checking import Report
from ..records.fault import Fault
from ..rules.phrases import Phrases
from .browser import SCRIPT, STYLE
from .plot import plot
from .reel import Reel
from .story import Step, Story

_KEYS = "← → a move · Home End · F the next fault · N P another record"


@dataclass(frozen=True)
class Told:
    """A record on the page: its story, or only why it could not be read."""

    report: Report
    story: Story | None = None


def render(records: Iterable[Told]) -> str:
    """The page of all these records."""
    told = list(records)
    names = [one.report.path or "the record" for one in told]
    title = f"{names[0]} · check" if len(told) == 1 else f"{len(told)} records · check"
    good = sum(one.report.ok for one in told)
    verdict = (
        _verdict(told[0].report)
        if len(told) == 1
        else f"{good} without fault, {len(told) - good} with faults"
    )
    body = [
        f'<header><h1>{escaped(title.removesuffix(" · check"))}</h1><span class="verdict">{escaped(verdict)}</span>',
        f'<span class="soft">{escaped(_KEYS)}</span></header><main>',
    ]
    if len(told) > 1:
        body.append(_index(names, told))
    data = []
    for number, (name, one) in enumerate(zip(names, told, strict=True)):
        html, said = _article(number, name, one)
        body.append(html)
        data.append(said)
    noscript = "<noscript><p>Without scripts the page shows one position of each record, and all faults.</p></noscript>"
    return page(title, "".join([*body, noscript, "</main>"]), STYLE, SCRIPT, {"records": data})


def _verdict(report: Report) -> str:
    if report.unreadable:
        return "unreadable"
    count = len(report.faults)
    return "✓ legal" if not count else f"⊘ {count} fault{'s' * (count > 1)}"


def _index(names: Sequence[str], told: Sequence[Told]) -> str:
    """The table of the records."""
    rows = "".join(
        f'<tr><td><button data-open="{i}">{escaped(name)}</button></td>'
        f"<td>{one.report.moves} move{'s' * (one.report.moves != 1)}</td>"
        f"<td>{escaped(_verdict(one.report))}</td></tr>"
        for i, (name, one) in enumerate(zip(names, told, strict=True))
    )
    return f'<nav class="card records" aria-label="records"><table><tbody>{rows}</tbody></table></nav>'


def _article(number: int, name: str, told: Told) -> tuple[str, dict[str, Any]]:
    """The part of one record, and what the script needs of it."""
    story = told.story
    hidden = " hidden" if number else ""
    if story is None or not story.steps:
        message = escaped(told.report.unreadable or "\n".join(map(str, told.report.faults)))
        html = f'<article{hidden}><h2>{escaped(name)}</h2><section class="card fault"><pre>{message}</pre></section></article>'
        return html, {"steps": [], "faults": [], "begin": 0}
    reel = Reel(story.steps)
    last = len(story.steps) - 1
    placed = [
        (_step_of(fault, before, last), i if len(those) > 1 else 0, fault)
        for before, those in sorted(story.faults.items())
        for i, fault in enumerate(those, 1)
    ]
    bad = sorted({step for step, _, _ in placed})
    begin = bad[0] if bad else last
    words = story.words()
    faults = "".join(_fault(fault, number, words, story, step) for step, number, fault in placed)
    board = reel.svg(0, begin) if reel.layouts else ""
    step = story.steps[begin]
    heading = escaped(_heading(story))
    drawn = plot(story.steps)
    html = (
        f'<article{hidden}><p class="soft">{heading}</p>{_assumed(story.report)}'
        f'<div class="cols"><div>{_bar(last, begin, bool(bad))}'
        f'<div class="frame" data-board>{board}</div></div><div>{_now(step)}{faults}{_moves(story, set(bad))}'
        + (f'<section class="card"><h2>Points</h2>{drawn}</section>' if drawn else "")
        + "</div></div></article>"
    )
    steps = [
        {"said": s.said, "code": _code(s), "events": list(s.events), "changes": list(s.changes)}
        for s in story.steps
    ]
    return html, {"steps": steps, "faults": bad, "begin": begin, "reel": reel.as_json()}


def _assumed(report: Report) -> str:
    """What the verdict rests on that no text says, folded away; empty where there is nothing."""
    if report.final is None or not report.assumed:
        return ""
    book = report.final.ruleset.book
    rules = "".join(
        f"<li>{escaped(id)}: {escaped(book.docs[id].statement)}</li>"
        for id in report.assumed
        if id in book.docs
    )
    return (
        f'<details class="soft"><summary>This rests on what no text says</summary><ul>{rules}</ul></details>'
    )


def _step_of(fault: Fault, before: int, last: int) -> int:
    """After how many moves a fault is shown: a move's after it, what is asserted where it stands, the result at the end."""
    if fault.rule == "record.result":
        return last
    return min(max(before + (fault.role is not None), 0), last)


def _heading(story: Story) -> str:
    """What the record's tags say, and how it ends."""
    tags = [f"{tag.name} {tag.value}" for tag in story.record.tags]
    report = story.report
    end = (
        report.result.said
        if report.result
        else "unfinished"
        if report.ok
        else f"followed for {report.judged} move{'s' * (report.judged != 1)}"
    )
    return " · ".join([*tags, end])


def _code(step: Step) -> str:
    """A move as the record has it."""
    return (
        ""
        if step.move is None
        else f"{step.move.role}: {'?' if step.move.action is None else step.move.action}"
    )


def _bar(last: int, begin: int, faulty: bool) -> str:
    """Buttons and slider."""
    buttons = "".join(
        f'<button data-go="{go}" aria-label="{label}">{said}</button>'
        for go, label, said in (("first", "start", "⇤"), ("-1", "back", "←"))
    )
    more = "".join(
        f'<button data-go="{go}" aria-label="{label}">{said}</button>'
        for go, label, said in (("1", "on", "→"), ("last", "end", "⇥"))
    )
    fault = '<button data-go="fault">next fault</button>' if faulty else ""
    return (
        f'<div class="bar">{buttons}<span class="count" data-count>{begin} of {last}</span>{more}{fault}'
        f'<input type="range" min="0" max="{last}" value="{begin}" data-slider aria-label="move"></div>'
    )


def _now(step: Step) -> str:
    """The move shown, its events and changes; filled by the script."""
    events = "".join(f"<li>{escaped(e)}</li>" for e in step.events)
    changes = "".join(f"<li>{escaped(c)}</li>" for c in step.changes)
    return (
        f'<section class="card now" aria-live="polite"><h2 data-said>{escaped(step.said)}</h2>'
        f"<code data-code>{escaped(_code(step))}</code><ul data-events>{events}</ul>"
        f'<ul class="change soft" data-changes>{changes}</ul></section>'
    )


def _moves(story: Story, bad: set[int]) -> str:
    """All moves, to be clicked."""
    rows = "".join(
        f'<li><button data-step="{k}" class="{"bad" if k in bad else ""}"><span class="n">{k}</span>'
        f"<span>{'⊘ ' if k in bad else ''}{escaped(step.said)}</span></button></li>"
        for k, step in enumerate(story.steps)
    )
    return f'<section class="card"><h2>Moves</h2><ol class="moves">{rows}</ol></section>'


def _fault(fault: Fault, number: int, words: Phrases | None, story: Story, step: int) -> str:
    """One fault: where, which rule, why, the facts, the source, and what was legal."""
    place = f"@{step - 1}" if fault.role else f"@{step}"
    if fault.line:
        place += f", line {fault.line}"
    said = f"{fault.role}: {fault.action}" if fault.role else ""
    legal = story.steps[step].legal if fault.role and step < len(story.steps) and number <= 1 else None
    say = words.fact if words is not None else str
    pinned = "" if number == 0 else f'<span class="pin">{number}</span> '
    facts = "".join(
        f"<li>{f'<span class=pin>{i}</span> ' if number == 0 else ''}{escaped(say(fact))} <code>{escaped(fact)}</code></li>"
        for i, fact in enumerate(fault.facts, 1)
    )
    absent = "".join(
        f"<li>missing: {escaped(say(fact))} <code>{escaped(fact)}</code></li>" for fact in fault.absent
    )
    sources = "; ".join(f"{edition} {source}" for edition, source in fault.sources.items())
    parts = [
        f'<section class="card fault" data-fault="{step}"><h2>⊘ {escaped(place)}</h2>',
        f"<p><code>{escaped(said)}</code></p>" if said else "",
        f"<h3>{pinned}{escaped(fault.rule)}</h3><p>{escaped(fault.statement)}</p>",
        f"<p><b>{escaped(fault.message)}</b>{escaped(f' ({fault.note})' if fault.note else '')}</p>",
        f"<ul>{facts}{absent}</ul>" if facts or absent else "",
        f'<p class="soft">Source: {escaped(sources)}</p>' if sources else "",
    ]
    if legal is not None:
        items = "".join(f"<li>{escaped(action)}</li>" for action in legal)
        parts.append(f"<details><summary>What was legal ({len(legal)})</summary><ul>{items}</ul></details>")
    return "".join([*parts, "</section>"])
