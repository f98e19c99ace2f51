"""Self-contained pages: checked records (board, slider, events, faults, legal actions, points), and a query's answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..drawing.frame import Frame
from ..drawing.image import picture_and_changes
from ..drawing.page import page
from ..drawing.svg.canvas import Canvas, DrawnParts
from ..drawing.svg.pen import Palette, element, escape, path, text
from ..drawing.svg.picture import draw, panel_rows
from ..errors import FaultyRulebook, KaiserLogicError, UnreadableInput
from ..game import Found, Game
from ..notation.sources import Source
from ..records.checking import Report, verdicts_in_words, why_unread
from ..records.fault import Fault
from ..records.replay import OnIllegal
from ..records.tags import Under, record_of
from ..rules.phrases import Phrases
from .story import Story, StoryStep, story

# -- browser -------------------------------------------------------------------------------------------------
#
# The style and the script of the page of records. The script inserts only markup that this package has made; all else is text.


STYLE: Final = Path(__file__).with_name("pages.css").read_text(encoding="utf-8")

SCRIPT: Final = Path(__file__).with_name("pages.js").read_text(encoding="utf-8")


# -- plot ----------------------------------------------------------------------------------------------------
#
# The points over the moves as a small plot: a stepped line for each player. Letters and dashes distinguish the lines, too.


WIDTH: Final = 360
LEFT: Final = 30
RIGHT: Final = 336
"""The horizontal places of the first and the last move, in px. The page's script uses the same numbers."""
_TOP, _BOTTOM = 14, 150
_DASHES: Final = (None, "7 3", "2 3", "10 3 2 3", "5 2", "1 2")


def points_of(step: StoryStep) -> dict[str, int]:
    """The points of all players after a move, as the panels show them."""
    return {} if step.frame is None else step.frame.scene.points


def plot(steps: Sequence[StoryStep]) -> str:
    """The plot as SVG in the theme of the page; empty for a game whose panels show no points."""
    series = [points_of(step) for step in steps]
    roles = tuple(dict.fromkeys(role for points in series for role in points))
    first = next((s.frame for s in steps if s.frame is not None), None)
    if not roles or first is None or len(steps) < 2:
        return ""
    palette = Palette("auto", first.scene.seats)
    canvas = Canvas(first.scene, first.dealt, first.scene.geometry.layout(), palette)
    values = [n for points in series for n in points.values()]
    low, high = min(0, *values), max(5, *values)

    def x(k: float) -> float:
        return LEFT + (RIGHT - LEFT) * k / (len(steps) - 1)

    def y(n: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (n - low) / (high - low)

    parts = [path(f"M{LEFT},{_TOP}V{_BOTTOM}H{RIGHT}", "none", palette["line"], 1)]
    every = max(1, -(-(high - low) // 5))
    for n in range(low + -low % every, high + 1, every):
        parts.append(text(LEFT - 5, y(n) + 4, str(n), 11, palette["soft"], anchor="end"))
        parts.append(path(f"M{LEFT},{y(n):.1f}H{RIGHT}", "none", palette["cell2"], 1))
    parts += _sections(steps, x, palette)
    ends = _spread({role: y(next(p[role] for p in reversed(series) if role in p)) for role in roles})
    for i, role in enumerate(roles):
        line = _line([(x(k), y(p[role])) for k, p in enumerate(series) if role in p])
        fill, ink = palette.owner(role)
        parts.append(path(line, "none", palette["ink"], 4.2))
        parts.append(path(line, "none", fill, 2.4, None))
        if i:
            parts.append(path(line, "none", ink, 1.1, _DASHES[i % len(_DASHES)]))
        parts.append(element("circle", cx=RIGHT + 10, cy=ends[role], r=8, fill=fill, stroke=palette["ink"]))
        parts.append(text(RIGHT + 10, ends[role] + 4, canvas.letter(role), 11, ink, bold=True, anchor="middle"))
    parts.append(
        element(
            "line",
            class_="cursor",
            x1=LEFT,
            x2=LEFT,
            y1=_TOP,
            y2=_BOTTOM,
            stroke=palette["mark"],
            stroke_width=2,
        )
    )
    totals = ", ".join(f"{first.scene.say(r)} {next(p[r] for p in reversed(series) if r in p)}" for r in roles)
    return (
        f'<svg class="plot" role="img" aria-label="{escape(f"points at the end: {totals}")}"'
        f' viewBox="0 0 {WIDTH} 172" width="{WIDTH}" height="172">{"".join(parts)}</svg>'
    )


def _line(points: Sequence[tuple[float, float]]) -> str:
    """The path of a stepped line."""
    d = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    last = points[0][1]
    for x, y in points[1:]:
        if y != last:
            d += f"H{x:.1f}V{y:.1f}"
            last = y
    return f"{d}H{points[-1][0]:.1f}"


def _sections(steps: Sequence[StoryStep], x: Callable[[float], float], palette: Palette) -> list[str]:
    """A line and a name at the start of each new part of the game, such as a round."""
    parts = []
    last, edge = "", -99.0
    for k, step in enumerate(steps):
        name = step.frame.scene.aside[0] if step.frame is not None and step.frame.scene.aside else ""
        if name and name != last:
            last = name
            parts.append(path(f"M{x(k):.1f},{_TOP}V{_BOTTOM + 4}", "none", palette["faint"], 1, "2 3"))
            short = name.split(" of ")[0].removeprefix("Round ")[:12]
            if x(k) > edge + 8 and x(k) < RIGHT - 10:
                parts.append(text(x(k) + 2, _BOTTOM + 16, short, 11, palette["soft"]))
                edge = x(k) + 7 * len(short)
    return parts


def _spread(places: dict[str, float]) -> dict[str, float]:
    """The heights of the letters on the right, moved apart so that none covers another."""
    heights: dict[str, float] = {}
    last = -99.0
    for role, y in sorted(places.items(), key=lambda item: item[1]):
        last = heights[role] = max(y, last + 17)
    last = 180.0
    for role, y in sorted(heights.items(), key=lambda item: -item[1]):
        last = heights[role] = min(y, last - 17)
    return heights


# -- shared frames ----------------------------------------------------------------------------------------------------
#
# The pictures of many positions. A picture is a list of groups, and a group is a list of texts. Equal groups and equal texts
# have the same number and are stored once, so a part that a move does not change costs nothing.


class SharedFrames:
    """Pictures for every layout, in the theme of the page.

    Attributes:
        texts: All parts of groups, as SVG.
        groups: All groups, as the numbers of their texts.
        layouts: The name and the width of each layout.
        frames: For each layout and position: height, title, numbers of groups; None if there is no picture.
    """

    def __init__(self, steps: Iterable[StoryStep]) -> None:
        """Draws the positions of these steps."""
        self.texts: list[str] = []
        self.groups: list[list[int]] = []
        self._text: dict[str, int] = {}
        self._group: dict[tuple[int, ...], int] = {}
        steps = list(steps)
        first = next((s.frame for s in steps if s.frame is not None), None)
        layouts = first.scene.geometry.layouts if first is not None else ()
        self.layouts = [{"name": one.name, "width": one.width} for one in layouts]
        self.frames: list[list[list[Any] | None]] = []
        for layout in layouts:
            least: dict[int, float] = {}
            drawn_parts: DrawnParts = {}
            for step in steps:
                if step.frame is not None:
                    for row, height in _heights(step.frame, layout.name, drawn_parts):
                        least[row] = max(height, least.get(row, 0))
            self.frames.append([self._draw(step, layout.name, least, drawn_parts) for step in steps])

    def _draw(self, step: StoryStep, layout: str, least: dict[int, float], drawn_parts: DrawnParts) -> list[Any] | None:
        if step.frame is None:
            return None
        picture = draw(
            step.frame,
            layout=layout,
            theme="auto",
            least=least,
            pinned=step.pinned,
            tried=step.tried,
            drawn_parts=drawn_parts,
        )
        numbers = []
        for group in picture.groups:
            label = f' aria-label="{escape(group.label)}"' if group.label else ""
            parts = tuple(self._number(part) for part in (f'<g role="group"{label}>', *group.parts))
            if parts not in self._group:
                self._group[parts] = len(self.groups)
                self.groups.append(list(parts))
            numbers.append(self._group[parts])
        return [picture.height, picture.title, numbers]

    def _number(self, text: str) -> int:
        if text not in self._text:
            self._text[text] = len(self.texts)
            self.texts.append(text)
        return self._text[text]

    def svg(self, layout: int, step: int) -> str:
        """One of the pictures, assembled as the page's script does it."""
        frame = self.frames[layout][step]
        if frame is None:
            return ""
        height, title, numbers = frame
        width = self.layouts[layout]["width"]
        inner = "".join("".join(self.texts[i] for i in self.groups[g]) + "</g>" for g in numbers)
        return (
            f'<svg role="group" aria-label="{escape(title)}" viewBox="0 0 {width} {height:g}"'
            f' width="{width}" height="{height:g}">{inner}</svg>'
        )

    def as_json(self) -> dict[str, Any]:
        """The data for the page's script."""
        return {"texts": self.texts, "groups": self.groups, "layouts": self.layouts, "frames": self.frames}


def _heights(frame: Frame, layout: str, drawn_parts: DrawnParts) -> Iterable[tuple[int, float]]:
    """The rows of panels with their heights, including the marks of changes."""
    scene = frame.scene
    before = (frame.before.scene, frame.before.dealt) if frame.before is not None else None
    palette = Palette("light", scene.seats)
    geometry = scene.geometry.layout(layout)
    canvas = Canvas(scene, frame.dealt, geometry, palette, frame.change, before, drawn_parts=drawn_parts)
    for row, (_, _, height) in enumerate(panel_rows(canvas)):
        yield row, height


_KEYS = "← → a move · Home End · F the next fault"
MOST_ON_PAGE: Final = 200
"""The largest number of records on one page. A page holds them all, so its memory grows with their number."""


@dataclass(frozen=True)
class ReportedRecord:
    """A record on the page: its story, or the reason why it cannot be read."""

    report: Report
    story: Story | None = None


class RecordsPage:
    """The page of records that come one after another. It keeps the markup of each, not the story."""

    def __init__(self, index: str = "") -> None:
        """``index``: the link to a page that lists this one."""
        self._link = index
        self._reports: list[tuple[str, int, str]] = []
        self._faulty = self._unreadable = 0
        self._articles: list[str] = []
        self._data: list[str] = []

    def add(self, one: ReportedRecord) -> None:
        """Adds a record."""
        report, number = one.report, len(self._reports)
        name = report.path or "the record"
        html, entry = _article(number, name, one)
        self._reports.append((name, report.moves, verdict_of(report)))
        self._faulty += bool(report.faults)
        self._unreadable += bool(report.unreadable)
        self._articles.append(html)
        self._data.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")))

    def __str__(self) -> str:
        """The HTML."""
        count = len(self._reports)
        title, _, verdict = self._reports[0] if count else ("", 0, "")
        if count != 1:
            title = f"{count} records"
            verdict = verdicts_in_words(count, self._faulty, self._unreadable)
        body = [
            f'<header><h1>{escape(title)}</h1><span class="verdict">{escape(verdict)}</span>',
            f'<a href="{escape(self._link)}">all records</a>' if self._link else "",
            f'<span class="soft">{_KEYS}{" · N P another record" if count > 1 else ""}</span></header><main>',
            self._index() if count > 1 else "",
            *self._articles,
            "<noscript><p>Without scripts the page shows one position of each record, and all faults.</p></noscript></main>",
        ]
        data = f'{{"records":[{",".join(self._data)}]}}'
        return page(f"{title} · check", "".join(body), STYLE, SCRIPT, data)

    def _index(self) -> str:
        """The table of the records."""
        rows = "".join(
            f'<tr><td><button data-open="{i}">{escape(name)}</button></td>'
            f"<td>{count_moves(moves)}</td><td>{escape(verdict)}</td></tr>"
            for i, (name, moves, verdict) in enumerate(self._reports)
        )
        return f'<nav class="card records" aria-label="records"><table><tbody>{rows}</tbody></table></nav>'


def render(records: Iterable[ReportedRecord]) -> str:
    """The page of all these records."""
    shown = RecordsPage()
    for one in records:
        shown.add(one)
    return str(shown)


def reported_record(source: Source | UnreadableInput, on_illegal: OnIllegal, rules: Under) -> ReportedRecord:
    """A record as a page shows it.

    Raises:
        WrongUsage: Its game does not have the edition or the rulings.
        FaultyRulebook: The rulebook has a mistake.
    """
    if isinstance(source, UnreadableInput):
        return ReportedRecord(Report(source.path, unreadable=str(source)))
    try:
        record = source.record()
    except UnreadableInput as error:
        return ReportedRecord(Report(source.name, unreadable=why_unread(source, str(error))))
    record = rules.apply(record)  # an error here is a fault of the command
    try:
        one = story(record, on_illegal)
    except FaultyRulebook:
        raise
    except KaiserLogicError as error:
        return ReportedRecord(Report(source.name, unreadable=why_unread(source, str(error))))
    return ReportedRecord(one.report, one)


def verdict_of(report: Report) -> str:
    """The verdict in a few words."""
    if report.unreadable:
        return "unreadable"
    count = len(report.faults)
    return "✓ legal" if not count else f"⊘ {count} fault{'s' * (count > 1)}"


def count_moves(number: int) -> str:
    """The number of moves in words."""
    return f"{number} move{'s' * (number != 1)}"


def _article(number: int, name: str, shown: ReportedRecord) -> tuple[str, dict[str, Any]]:
    """The article of one record, and the data for the script."""
    story = shown.story
    hidden = " hidden" if number else ""
    if story is None or not story.steps:
        message = escape(shown.report.unreadable or "\n".join(map(str, shown.report.faults)))
        html = f'<article{hidden}><h2>{escape(name)}</h2><section class="card fault"><pre>{message}</pre></section></article>'
        return html, {"steps": [], "faults": [], "begin": 0}
    pictures = SharedFrames(story.steps)
    last = len(story.steps) - 1
    placed = [
        (_step_of(fault, before, last), i if len(those) > 1 else 0, fault)
        for before, those in sorted(story.faults.items())
        for i, fault in enumerate(those, 1)
    ]
    bad = sorted({step for step, _, _ in placed})
    begin = bad[0] if bad else 0
    words = story.words()
    faults = "".join(_fault(fault, number, words, story, step) for step, number, fault in placed)
    board = pictures.svg(0, begin) if pictures.layouts else ""
    step = story.steps[begin]
    heading = escape(_heading(story))
    drawn = plot(story.steps)
    html = (
        f'<article{hidden}><p class="soft">{heading}</p>{_assumptions_section(story.report)}'
        f'<div class="cols"><div>{_bar(last, begin, bool(bad))}'
        f'<div class="frame" data-board>{board}</div></div><div>{_current_move(step)}{faults}{_moves(story, set(bad))}'
        + (f'<section class="card"><h2>Points</h2>{drawn}</section>' if drawn else "")
        + "</div></div></article>"
    )
    steps = [
        {
            "text": s.text,
            "code": _code(s),
            "comment": s.comment,
            "events": list(s.events),
            "changes": list(s.changes),
        }
        for s in story.steps
    ]
    return html, {"steps": steps, "faults": bad, "begin": begin, "pictures": pictures.as_json()}


def _assumptions_section(report: Report) -> str:
    """The rules behind the verdict that no printed text states, folded; empty if there are none."""
    if report.final is None or not report.assumed:
        return ""
    ruleset = report.final.ruleset
    book, texts = ruleset.book, ruleset.texts
    rules = "".join(
        f"<li>{escape(id)}: {escape(texts.statement(book.docs[id]))}</li>" for id in report.assumed if id in book.docs
    )
    return f'<details class="soft"><summary>This relies on assumptions, not on a printed text</summary><ul>{rules}</ul></details>'


def _step_of(fault: Fault, before: int, last: int) -> int:
    """The step at which a fault is shown: of a move, the step after it; of an assertion, its place; of the result, the last."""
    if fault.rule == "record.result":
        return last
    return min(max(before + (fault.role is not None), 0), last)


def _heading(story: Story) -> str:
    """The record's tags, and its end."""
    tags = [f"{tag.name} {tag.value}" for tag in story.record.tags]
    report = story.report
    end = (
        report.result.summary
        if report.result
        else "unfinished"
        if report.ok
        else f"followed for {count_moves(report.judged)}"
    )
    return " · ".join([*tags, end])


def _code(step: StoryStep) -> str:
    """The move of a step as the record writes it."""
    return "" if step.move is None else f"{step.move.role}: {'?' if step.move.action is None else step.move.action}"


def _bar(last: int, begin: int, faulty: bool) -> str:
    """The buttons and the slider."""
    buttons = "".join(
        f'<button data-go="{go}" aria-label="{label}">{sign}</button>'
        for go, label, sign in (("first", "start", "⇤"), ("-1", "back", "←"))
    )
    more = "".join(
        f'<button data-go="{go}" aria-label="{label}">{sign}</button>'
        for go, label, sign in (("1", "on", "→"), ("last", "end", "⇥"))
    )
    fault = '<button data-go="fault">next fault</button>' if faulty else ""
    return (
        f'<div class="bar">{buttons}<span class="count" data-count>{begin} of {last}</span>{more}{fault}'
        f'<input type="range" min="0" max="{last}" value="{begin}" data-slider aria-label="move"></div>'
    )


def _current_move(step: StoryStep) -> str:
    """The move shown, its events and changes; the script fills these in for other moves."""
    events = "".join(f"<li>{escape(e)}</li>" for e in step.events)
    changes = "".join(f"<li>{escape(c)}</li>" for c in step.changes)
    return (
        f'<section class="card now" aria-live="polite"><h2 data-text>{escape(step.text)}</h2>'
        f"<code data-code>{escape(_code(step))}</code>"
        f'<p class="said" data-comment>{escape(step.comment)}</p><ul data-events>{events}</ul>'
        f'<ul class="change soft" data-changes>{changes}</ul></section>'
    )


def _moves(story: Story, bad: set[int]) -> str:
    """The list of all moves, which can be clicked."""
    rows = "".join(
        f'<li><button data-step="{k}" class="{"bad" if k in bad else ""}"><span class="n">{k}</span>'
        f"<span>{'⊘ ' if k in bad else ''}{escape(step.text)}</span></button></li>"
        for k, step in enumerate(story.steps)
    )
    return f'<section class="card"><h2>Moves</h2><ol class="moves">{rows}</ol></section>'


def _fault(fault: Fault, number: int, words: Phrases | None, story: Story, step: int) -> str:
    """One fault: its place, the rule, the reason, the facts, the source, and the legal actions."""
    in_variation = not (fault.place or "0").isdigit()
    place = f"@{fault.place}" if in_variation else f"@{step - 1}" if fault.role else f"@{step}"
    if fault.line:
        place += f", line {fault.line}"
    move = f"{fault.role}: {fault.action}" if fault.role else ""
    legal = story.steps[step].legal if fault.role and step < len(story.steps) and number <= 1 else None
    say = words.fact if words is not None else str
    pinned = "" if number == 0 else f'<span class="pin">{number}</span> '
    facts = "".join(
        f"<li>{f'<span class=pin>{i}</span> ' if number == 0 else ''}{escape(say(fact))} <code>{escape(fact)}</code></li>"
        for i, fact in enumerate(fault.facts, 1)
    )
    absent = "".join(f"<li>missing: {escape(say(fact))} <code>{escape(fact)}</code></li>" for fact in fault.absent)
    sources = "; ".join(f"{edition} {source}" for edition, source in fault.sources.items())
    parts = [
        f'<section class="card fault" data-fault="{step}"><h2>⊘ {escape(place)}</h2>',
        f"<p><code>{escape(move)}</code></p>" if move else "",
        f"<h3>{pinned}{escape(fault.rule)}</h3><p>{escape(fault.statement)}</p>",
        f"<p><b>{escape(fault.message)}</b>{escape(f' ({fault.note})' if fault.note else '')}</p>",
        f"<ul>{facts}{absent}</ul>" if facts or absent else "",
        f'<p class="soft">Source: {escape(sources)}</p>' if sources else "",
    ]
    if legal is not None:
        items = "".join(f"<li>{escape(action)}</li>" for action in legal)
        parts.append(f"<details><summary>What was legal ({len(legal)})</summary><ul>{items}</ul></details>")
    return "".join([*parts, "</section>"])


def answers_page(game: Game, query: str, words: str, answer: Found, origins: Sequence[str], presupposed: str) -> str:
    """The answers to a query as one page: the query, and each position with its board, reasons and facts.

    Args:
        game: The game.
        query: The query.
        words: The query in English.
        answer: The answers.
        origins: For each answer, whether the position is reachable, and how.
        presupposed: The players, edition and invariants that the answers assume.
    """
    title = words[:1].upper() + words[1:] if words else query
    more = "there is no other (proved)" if answer.exhausted else ""
    notes = ". ".join(filter(None, (answer.note, answer.reason, more)))
    body = [
        f'<header><h1>{escape(title)}</h1><span class="soft">{escape(game.book.title)}, {escape(presupposed)}</span>',
        f"</header><main><p><code>{escape(query)}</code></p>",
        f"<p>{escape(notes)}</p>" if notes else "",
    ]
    for number, (position, origin) in enumerate(zip(answer.positions, origins, strict=True)):
        picture, _ = picture_and_changes(position, None, "auto", None)
        why = [*answer.because[number : number + 1], *answer.differs[number : number + 1]]
        words_of = "".join(f"<p>{escape(text)}</p>" for text in why if text)
        body.append(
            f'<section class="card"><h2>{escape(picture.title)}</h2>{words_of}<p class="soft">{escape(origin)}</p>'
            f'<div class="frame">{picture.svg("inline")}</div>'
            f"<details><summary>as a record</summary><pre>{escape(str(record_of(position)))}</pre></details></section>"
        )
    return page(f"{query} · {game.id}", "".join([*body, "</main>"]))
