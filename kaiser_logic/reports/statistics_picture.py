"""The statistics of an archive as a picture: lengths, results and kinds of action by seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..drawing.svg.pen import ROOT, Palette, box, element, fit, path, text
from ..records.statistics import GameStatistics, Statistics, spread

_WIDTH: Final = 720
_LEFT: Final = 150
_RIGHT: Final = _WIDTH - 70
_BARS: Final = 30
"""The largest number of bars of a histogram."""
_ROW: Final = 20


def picture(figures: Statistics, theme: str = "light") -> str:
    """The picture as SVG.

    Args:
        figures: The statistics.
        theme: One of `styles.THEMES` with colours of its own: light, dark or grey.
    """
    palette = Palette(theme)
    parts: list[str] = []
    y = 16.0
    for game in figures.games:
        y = _game(parts, game, palette, y)
    if not figures.games:
        parts.append(text(16, y + 14, "no records", 14, palette["ink"]))
        y += 30
    background = box(0, 0, _WIDTH, y, palette["page"], corner=0)
    return element(
        "svg",
        background,
        *parts,
        **ROOT,
        viewBox=f"0 0 {_WIDTH} {y:.0f}",
        width=_WIDTH,
        height=y,
        role="img",
        aria_label=f"statistics of {sum(game.records for game in figures.games)} records",
    )


def _game(parts: list[str], game: GameStatistics, palette: Palette, y: float) -> float:
    """Draws one game, and returns where the next one begins."""
    parts.append(text(16, y + 16, f"{game.game}, {game.players} players", 17, palette["ink"], bold=True))
    parts.append(text(16, y + 36, summary(game), 12, palette["soft"]))
    y += 56
    y = _histogram(parts, game.lengths, palette, y)
    y = _title(parts, "Games won, by seat", palette, y)
    for number, seat in enumerate(game.seats[1:], 1):
        share = seat.wins / game.finished if game.finished else 0.0
        said = f"{seat.wins} ({share:.0%})" if game.finished else "0"
        y = _bar(parts, f"seat {number}", share, said, palette, y)
    y = _title(parts, "Kinds of action", palette, y + 8)
    totals: dict[str, int] = {}
    for seat in game.seats:
        for kind, times in seat.actions.items():
            totals[kind] = totals.get(kind, 0) + times
    most = max(totals.values(), default=1)
    for kind, times in sorted(totals.items(), key=lambda pair: (-pair[1], pair[0])):
        y = _bar(parts, kind, times / most, str(times), palette, y)
    return y + 24


def summary(game: GameStatistics) -> str:
    """How many records there are and how they end, and their lengths."""
    least, middle, mean, most = spread(game.lengths)
    ends = [
        (game.finished, "finished"),
        (game.drawn, "drawn"),
        (game.unfinished, "unfinished"),
        (game.faulty, "with a fault"),
    ]
    said = ", ".join(f"{number} {what}" for number, what in ends if number)
    count = f"{game.records} record{'s' * (game.records != 1)}"
    return f"{count}: {said}; moves: {least} to {most}, median {middle:g}, mean {mean:.1f}"


def _title(parts: list[str], words: str, palette: Palette, y: float) -> float:
    parts.append(text(16, y + 14, words, 13, palette["ink"], bold=True))
    return y + 24


def _bar(parts: list[str], name: str, share: float, said: str, palette: Palette, y: float) -> float:
    parts.append(text(_LEFT - 8, y + 13, fit(name, 12, _LEFT - 30), 12, palette["ink"], anchor="end"))
    width = (_RIGHT - _LEFT) * share
    parts.append(box(_LEFT, y + 2, max(width, 0.5), _ROW - 6, palette["mark"], corner=2))
    parts.append(text(_LEFT + width + 6, y + 13, said, 12, palette["ink"]))
    return y + _ROW


def _histogram(parts: list[str], lengths: Mapping[int, int], palette: Palette, y: float) -> float:
    """The number of records by their numbers of moves."""
    y = _title(parts, "Moves of a record", palette, y)
    least, most = min(lengths), max(lengths)
    step = max(1, -(-(most - least + 1) // _BARS))
    bars = [0] * ((most - least) // step + 1)
    for moves, times in lengths.items():
        bars[(moves - least) // step] += times
    room, height = (_RIGHT - _LEFT) / len(bars), 90.0
    for number, times in enumerate(bars):
        tall = height * times / max(bars)
        if times:
            gap = min(1.0, room / 8)
            parts.append(
                box(
                    _LEFT + number * room + gap,
                    y + height - tall,
                    room - 2 * gap,
                    tall,
                    palette["mark"],
                    corner=1,
                )
            )
    parts.append(path(f"M{_LEFT},{y + height:.1f}H{_RIGHT}", "none", palette["line"], 1))
    parts.append(text(_LEFT - 8, y + 12, str(max(bars)), 12, palette["soft"], anchor="end"))
    parts.append(text(_LEFT, y + height + 16, str(least), 12, palette["soft"]))
    parts.append(text(_RIGHT, y + height + 16, str(most), 12, palette["soft"], anchor="end"))
    return y + height + 34
