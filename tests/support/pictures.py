"""For tests of pictures: noughts and crosses as a game, positions of all games, parsed SVG."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

from kaiser_logic.notation.sources import read
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SHOWN = (
    ("games/four-players.game", 37), ("games/four-players.game", 61), ("games/four-players.game", 190),
    ("games/two-players.game", 20), ("games/three-players.game", 12), ("krone/random-30.game", 40),
    ("staufer/random-2.game", 90), ("staufer/random-5.game", 101), ("vive/random-4.game", 150),
    ("vive/random-6.game", 200),
)  # fmt: skip
"""For every game, records with numbers of moves."""
SVG = "{http://www.w3.org/2000/svg}"

MANIFEST = """\
id = "oxo"
title = "Noughts <and> crosses"
roles = ["nought", "cross"]
players = [2]
default_players = 2
files = ["play"]
engine = ["table", "end", "decisions", "phases"]
picture = ["picture"]

[editions]
standard = "three in a row win"
"""

PLAY = """\
% Noughts and crosses.
cell(X,Y) :- X = 1..3, Y = 1..3.
fluent(seat(R,I)) :- seat(R,I).
fluent(phase(play;over)).
fluent(marked(X,Y,R)) :- cell(X,Y), player(R).
fluent(decision(R,put)) :- player(R).
step(turn(R)) :- player(R).
action(put,put(X,Y)) :- cell(X,Y).
init(phase(play)).
init(decision(R,put)) :- seat(R,1).
%! rule put -- A player marks a cell.
%!   why       it is not {R}'s turn
%!   standard  text
out_of_turn(put,"put").
candidate(R,put(X,Y)) :- decision(R,put), cell(X,Y).
taken(X,Y) :- marked(X,Y,_).
%! rule put.free -- The cell is free.
%!   why       it is marked
%!   standard  text
violates(R,put(X,Y),"put.free") :- candidate(R,put(X,Y)), taken(X,Y).
add(marked(X,Y,R)) :- does(R,put(X,Y)).
add(due(turn(Q))) :- made(R,put), left(R,Q).
free(X,Y) :- cell(X,Y), not taken(X,Y).
line(R) :- player(R), X = 1..3, marked(X,1,R), marked(X,2,R), marked(X,3,R).
line(R) :- player(R), Y = 1..3, marked(1,Y,R), marked(2,Y,R), marked(3,Y,R).
line(R) :- marked(1,1,R), marked(2,2,R), marked(3,3,R).
line(R) :- marked(1,3,R), marked(2,2,R), marked(3,1,R).
done :- line(_).
done :- not free(_,_).
add(decision(R,put)) :- due(turn(R)), not done.
enter(over) :- due(turn(_)), done.
goal(R,1) :- terminal, line(R).
goal(R,0) :- terminal, player(R), not line(R).
may_decide(R,put) :- player(R), phase(play).
"""

PICTURE = """\
% The picture of noughts and crosses.
layout(wide,300).
area(wide,f(X,Y),rect(100*X-97,100*Y-57,94,94)) :- cell(X,Y).
place(wide,at(X,Y),100*X-50,100*Y-10) :- cell(X,Y).
slot(mark,f(X,Y),1,at(X,Y)) :- cell(X,Y).
outline(mark,disc).
piece(mark,f(X,Y),look(disc,R,none),1) :- marked(X,Y,R).
panel(R,1,number(star,N)) :- player(R), N = 0..9, N = #count{ X,Y : marked(X,Y,R) }.
"""


ENGLISH = """\
[drawing]
"f(X,Y)" = "column {X}, row {Y}"
"""


def oxo(folder: Path, picture: str = PICTURE) -> Path:
    """Writes noughts and crosses with a picture to a folder below this one."""
    target = folder / "oxo"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    texts = {"game.toml": MANIFEST, "play.lp": PLAY, "picture.lp": picture, "english.toml": ENGLISH}
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8")
    return target


@cache
def at(name: str, moves: int) -> Position:
    """The position of an example after a number of moves."""
    return Replay.at(read(EXAMPLES / name), moves).here()


def parsed(svg: str) -> ET.Element:
    """An SVG as a tree; it must be well-formed."""
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def texts(root: ET.Element) -> list[str]:
    """The texts in it."""
    return ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]


def sizes(element: ET.Element, scale: float = 1.0) -> Iterator[tuple[float, str]]:
    """Each text with its displayed size."""
    match = re.search(r"scale\(([\d.]+)\)", element.get("transform", ""))
    scale *= float(match[1]) if match else 1.0
    if element.tag == f"{SVG}text":
        yield float(element.get("font-size", "0")) * scale, "".join(element.itertext())
    for inner in element:
        yield from sizes(inner, scale)
