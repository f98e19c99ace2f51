"""Short links: what they say is what was played, and a damaged one says nothing."""

import pytest
from support import EXAMPLES

from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.short_links import lengthen, shorten
from kaiser_logic.notation.reading import parse_record

BOARDED = EXAMPLES / "games/small-board.game"


def link_of(text: str, board: str | None = None, moves: int | None = None) -> tuple[str, str]:
    record = parse_record(text)
    line = [[move.role, str(move.action)] for move in record.moves[:moves]]
    link = shorten({"text": text, "line": line, "board": board})["link"]
    answer = lengthen({"game": record.game_id, "link": link})
    again = parse_record(answer["text"])
    assert [(move.role, move.action) for move in again.moves] == [
        (move.role, move.action) for move in record.moves[:moves]
    ]
    assert [tag for tag in again.tags if tag.name != "Result"] == [tag for tag in record.tags if tag.name != "Result"]
    assert answer["board"] == board
    return record.game_id, link


@pytest.mark.parametrize("name", ["games/unfinished", "krone/truce", "positions/trier-it", "vive/duel"])
def test_a_link_gives_the_line_back(name):
    text = (EXAMPLES / f"{name}.game").read_text(encoding="utf-8")
    link_of(text)
    link_of(text, moves=1)


def test_a_link_has_the_board():
    link_of(BOARDED.read_text(encoding="utf-8"), (BOARDED.parent / "boards/small.lp").read_text(encoding="utf-8"))


def test_two_hundred_moves_take_two_hundred_letters():
    assert len(link_of((EXAMPLES / "games/four-players.game").read_text(encoding="utf-8"))[1]) < 200


def test_a_damaged_link_is_refused():
    """Each letter in turn, another game, and less than all."""
    game, link = link_of((EXAMPLES / "games/unfinished.game").read_text(encoding="utf-8"), moves=20)
    damaged = [link[:at] + ("B" if link[at] == "A" else "A") + link[at + 1 :] for at in range(len(link) - 1)]
    for other in (*damaged, link[:-4], link + "AAAA", "", "A", "????", "\u00e9"):
        with pytest.raises(WrongUsage, match="cannot be read"):
            lengthen({"game": game, "link": other})
    with pytest.raises(WrongUsage):
        lengthen({"game": "krone", "link": link})


def test_what_is_not_legal_has_no_short_link():
    text = (EXAMPLES / "games/unfinished.game").read_text(encoding="utf-8")
    for line in ([["red", "pass"]], [["red", "nonsense(1)"]], [["nobody", "pass"]]):
        assert shorten({"text": text, "line": line})["link"] == ""
