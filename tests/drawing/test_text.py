"""Positions drawn as text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from games.positions import game_of, make, names, position
from games.test_oracles import any_setting, reached
from support.heap_game import FOLDER, variant

from kaiser_logic.drawing.text import DrawnTable, _Column, _row, drawing, render
from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.play.match import random_actions
from kaiser_logic.position import Position

ACTIONS = """\
Round 2: actions
Red is emperor
Red's baron of 35 is on the throne
it is Red's turn

Electorate   Elector           Aristocrat spaces                             Castle              Cities
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
Trier        Green baron 35    Blue couple 15, Red baron 25, Green knight    Blue knight         Red city, empire city
Köln         Red baron 25      3 free                                        1 free              2 free
Mainz        vacant            Red couple 45, 2× Yellow baron 35, 1 free                         2 free
Pfalz        Blue couple 45    4 free                                        1 free              2 free
Sachsen      vacant            4 free                                        1 free              2 free
Brandenburg  Yellow couple 25  4 free                                        2 free              empire city, 1 free
Böhmen       vacant            Green baron 15, Green couple 15, Red knight,  Red knight, 1 free  Blue city, 1 free
"""  # noqa: RUF001


def test_the_text() -> None:
    shown = render(position("kaiser", "actions"), layout="120")
    for line in ACTIONS.splitlines():
        assert line.rstrip("─") in shown
    assert shown.endswith("White    gray eminence, rival\n")
    assert not any(line != line.rstrip() for line in shown.splitlines())


EXPECTED_LINES = [
    ("vote", "", "Blue votes"),
    ("vote", "", "Yellow votes"),
    ("influence", "", "Blue chooses an archbishopric for church influence"),
    ("exclude", "- display(church_influence,1) + held(blue,church_influence,1) influenced(mainz)", "church influence"),
    ("vote", "- display(excommunication,1) + held(yellow,excommunication,1) excluded(sachsen)", "excommunicated"),
    ("actions", "+ used(trier)", "privilege used"),
    ("pair", "", "closed"),
    ("over", "", "The game is over"),
    ("over", "", "Red wins with 3 points"),
    ("over", "- points(green,0) + points(green,3)", "Green wins with 3 points"),
    ("start", "", "Set-up"),
    ("start", "", "Red places the first empire city"),
    ("answer", "", "Green answers Red, whose daughter is offered to the baron of 25 on an aristocrat space"),
    ("retire", "", "Red's baron of 35 is on the throne"),
    ("retire", "", "Green's baron of 15 is on the throne"),
    (
        "install",
        "- display(gray_eminence,1) + held(yellow,gray_eminence,1) gray(koeln,yellow)",
        "Yellow gray eminence",
    ),
    ("close secular", "", "chance closes a secular electorate"),
]  # fmt: skip


@pytest.mark.parametrize(("at", "change", "expected"), EXPECTED_LINES)
def test_phases_and_flags_are_drawn(at: str, change: str, expected: str) -> None:
    assert expected in render(position("kaiser", at, change), layout="120")


@pytest.mark.parametrize("name", names("kaiser"))
def test_positions_are_drawn_in_words(name: str) -> None:
    _readable(position("kaiser", name))


@pytest.mark.sample(3)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_are_drawn_to_their_end(players: int) -> None:
    rng = random.Random(players)
    at = game_of("kaiser", players).initial()
    while at.to_move:
        if rng.random() < 0.1:
            _readable(at)
        at = at.apply({role: rng.choice(legal) for role, legal in at.legal().items()})
    _readable(at)


KRONE = """shield(a5,red) castle(a5) shield(a6,red) city(a6) shield(a10,green) castle(a10) shield(a11,green)
    shield(a7,green) large_city(a7,a11) shield(a19,red) king(red) points(green,9) people(crown,11) people(sword,8)
    turn(green) ap(1) hand(green,leader4,1) hand(green,castle,2) visit(green,1) """

KRONE_TEXT = """\
Main phase
Red is king
it is Green's turn, with 1 action point left

Player  Points  AP  Hand                    Visits  Shields left
─────────────────────────────────────────────────────────────────
Red          0                                                25  king
Green        9   1  leader of 4, 2× castle       1            25  decides

Fields  Mountains
Red     a5 castle
Green   a10 castle
"""  # noqa: RUF001


def test_the_text_of_krone() -> None:
    shown = render(make(load("krone", players=2), KRONE + "decision(green,turn)"))
    for line in KRONE_TEXT.splitlines():
        assert line.rstrip("─") in shown
    assert "a7+a11 large city" in shown
    assert "8 swords" in shown
    assert "open swords        3" in shown
    assert not any(line != line.rstrip() for line in shown.splitlines())


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("attacked attack(a19) decision(green,force)", "Green attacks a19, a field of Red"),
        ("attacked attack(a19) decision(green,force)", "a19 attacked"),
        ("attacked attack(a19) decision(green,force)", "has attacked"),
        ("revolt decision(red,vote) decision(green,vote)", "Green leads a revolt against Red"),
        ("revolt decision(red,vote) decision(green,vote)", "Red votes"),
        ("revolt vote(red,crown) vote(green,sword) laid(red,city,2) revealing(5) decision(chance,reveal)", "2× city"),  # noqa: RUF001
        ("revolt vote(red,crown) vote(green,sword) revealing(5) decision(chance,reveal)", "5 people cards are to be"),
        ("drawing decision(chance,draw)", "Green is owed a card"),
        ("decision(green,second_field)", "Green may win a second field"),
    ],
)  # fmt: skip
def test_pending_decisions_of_krone(change: str, expected: str) -> None:
    facts = (
        KRONE
        if "attack" not in change
        else KRONE.replace("shield(a19,red)", "shield(a19,red) shield(a15,green)")
    )
    assert expected in render(make(load("krone", players=2), facts + change))


def test_the_end_phase_and_the_end_of_krone() -> None:
    game_of_two = load("krone", players=2)
    facts = (
        KRONE.replace("points(green,9)", "points(green,19)")
        + "draw(game_end,1) draw(city,1) discard(city,14) "
    )
    rest = {"castle": 13, "cathedral": 10, "leader3": 5, "leader4": 2, "incite": 3, "ambush": 2, "truce": 2}
    facts += " ".join(f"discard({card},{n})" for card, n in {**rest, "papal_visit": 2, "unrest": 5}.items())
    at = make(game_of_two, f"{facts} discard(city_scoring,2) drawing decision(chance,draw)")
    assert "The end phase" in render(at)
    over = render(at.apply({"chance": "draw(game_end)"}))
    assert over.startswith("The game is over\n")
    assert "Green wins with" in over


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(12))
def test_random_positions_of_krone_are_drawn_in_words(seed: int) -> None:
    rng = random.Random(seed)
    _readable(reached(any_setting("krone", rng), rng))


@pytest.mark.sample(2)
@pytest.mark.parametrize("players", [2, 5])
def test_games_of_krone_are_drawn(players: int) -> None:
    rng = random.Random(players)
    at = load("krone", players=players).initial()
    for _ in range(200):
        if not at.to_move:
            break
        if rng.random() < 0.1:
            _readable(at)
        at = at.apply({role: rng.choice(legal) for role, legal in at.legal().items()})
    _readable(at)


def _readable(at: Position) -> None:
    shown = render(at)
    assert max(map(len, shown.splitlines())) <= 80
    assert not set("{}_()") & set(shown)
    for role in at.ruleset.seats:
        assert role.capitalize() in shown


def test_a_game_without_drawing_rules_lists_its_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    at = position("kaiser", "actions")
    manifest = {name: value for name, value in at.ruleset.book.manifest.items() if name != "drawing"}
    monkeypatch.setitem(at.ruleset.book.__dict__, "manifest", manifest)
    assert drawing(at) is None
    lines = render(at).splitlines()
    assert len(lines) == len(at.facts)
    assert "Red has 7 thalers" in lines


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("name", "players"), [("kaiser", 4), ("krone", 5), ("staufer", 5), ("vive", 3), ("vive", 6)]
)
def test_whole_games_fit_eighty_columns(name: str, players: int) -> None:
    """Defect D8: no line is wider than the terminal, from start to end."""
    rng = random.Random(players)
    at, moves = load(name, players=players).initial(), 0
    while at.to_move and moves < 600:
        if moves % 12 == 0:
            assert max(map(len, render(at).splitlines())) <= 80
        at = at.apply({role: symbols.text(a) for role, a in random_actions(at, rng).items()})
        moves += 1
    assert max(map(len, render(at).splitlines())) <= 80


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_the_drawing_has_the_given_width(width: int) -> None:
    """Columns without room are drawn below, with the same names of rows. Nothing is lost."""
    shown = render(position("kaiser", "actions"), layout=str(width))
    assert max(map(len, shown.splitlines())) <= width
    assert shown.count("Sachsen") == 1 + (width == 40)
    words = " ".join(shown.split())
    for thing in ("Blue", "empire", "church", "permit"):
        assert thing in words


def test_long_lines_are_wrapped() -> None:
    column = _Column("Things", [["a thing of many words", "another"], [], ["-12"]])
    assert (column.width, column.least, column.whole) == (30, 7, 22)
    column.shrink(10)
    assert column.cells == [["a thing of", " many", " words,", "another"], [""], ["-12"]]
    column.shrink(1)
    assert " ".join(" ".join(column.cells[0]).split()) == "a thing of many words, another"
    assert column.width == 7


def test_numbers_are_aligned_right() -> None:
    assert list(_row([["name"], ["-2"], ["12"]], [6, 4, 4])) == ["name      -2    12"]


# The drawing of a position as data.
DRAWING = """\
headline(2,heap(N)) :- heap(N).
headline(1,phase(P)) :- phase(P).
table(1,players).
column(players,2,stones).
column(players,1,turn).
column(players,3,nothing).
row(players,I,R) :- seat(R,I).
cell(players,R,stones,1,K) :- taken(R,K).
cell(players,R,turn,2,D) :- decision(R,D).
cell(players,R,turn,1,last) :- took(R).
"""


def test_headlines_rows_columns_and_cells_are_ordered(tmp_path: Path) -> None:
    folder = variant(tmp_path, {'title = "Heap (an example)"': 'title = "Heap"\ndrawing = "seen"'})
    (folder / "seen.lp").write_text(DRAWING)
    at = load(folder).initial().apply({"red": "take(3)"}).apply({"green": "take(2)"})
    shown = drawing(at)
    assert shown is not None
    assert shown.headlines == ("phase(play)", "heap(7)")
    assert shown.tables == (
        DrawnTable(
            "players", ("turn", "stones"), ("red", "green"), ((("take",), ("3",)), (("last",), ("2",)))
        ),
    )


def test_empty_columns_can_be_kept(tmp_path: Path) -> None:
    """A board of three columns, the last of them empty, keeps all three."""
    folder = variant(tmp_path, {'title = "Heap (an example)"': 'title = "Heap"\ndrawing = "seen"'})
    (folder / "seen.lp").write_text(f"{DRAWING}keep(players,C) :- column(players,_,C).\n")
    shown = drawing(load(folder).initial())
    assert shown is not None
    (table,) = shown.tables
    assert table.columns == ("turn", "stones", "nothing")
    assert table.cells == ((("take",), (), ()), ((), (), ()))


def test_a_game_without_drawing_rules() -> None:
    assert drawing(load(FOLDER).initial()) is None


def test_drawings_may_extend_predicates_of_the_rules(tmp_path: Path) -> None:
    """The drawing adds a fact to a predicate, and the facts from the rules still hold."""
    folder = variant(tmp_path, {'title = "Heap (an example)"': 'title = "Heap"\ndrawing = "seen"'})
    (folder / "seen.lp").write_text("amount(9).\nheadline(1,ok) :- amount(2).\n", encoding="utf-8")
    game = load(folder)
    assert "ok" in str(drawing(game.initial()))
