"""Texts of records that are edited: what is not edited stays as it was, letter for letter."""

import os
from random import Random
from string import ascii_lowercase

import pytest
from support.written import inserted, written

from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.notation.document import Document
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Move, Record, Variation, items_with_places
from kaiser_logic.notation.syntax import parse_move
from kaiser_logic.notation.terms import Term

COUNT = int(os.environ.get("KAISER_LOGIC_EXAMPLES", "200"))
"""The number of random records that are read and written, and edited if slow tests are run. `10000` takes some minutes."""
NEW = (Move("red", Term("new")), Move("green", Term.make("newer", "x")))


def read(text: str) -> Document:
    """The document, which gives the text again; the usual reader finds the same record in it."""
    found = Document(text)
    assert str(found) == text
    other = parse_record(text)
    assert repr(other) == repr(found.record)
    return found


def moves_of(record: Record) -> str:
    return " ".join(f"{move.role}: {move.action}" for move in record.moves)


def comments_of(record: Record) -> list[str]:
    return sorted(item.comment for _, item in items_with_places(record.items))


def test_random_records_are_read_and_written():
    for seed in range(COUNT):
        read(written(seed))


@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 8))])
def test_random_records_are_edited(part):
    for seed in range(part, COUNT, 20):
        text, random = written(seed), Random(seed)
        one = read(text)
        record = one.record
        again = parse_record(str(record))
        assert (again, again.comments) == (record, record.comments), seed

        # a comment
        places = [place for place, item in items_with_places(record.items) if isinstance(item, Move)]
        place = random.choice(["0", *places])
        for said in ("short", "two\nlines", "", "short again"):
            edited = read(str(one.with_comment(place, said)))
            expected = {**record.comments, place: said}
            assert edited.record == record, seed
            assert edited.record.comments == {k: v for k, v in expected.items() if v or k != place}, (seed, place)
            replaced = text.count("%") + len(said.split("\n")) - str(edited).count("%")  # empty ones
            if place not in record.comments and said and not replaced:
                assert inserted(text, str(edited)), (seed, place)

        # more moves
        names = ["", *record.variations]
        name = random.choice(names)
        edited = read(str(one.with_moves(NEW, name)))
        assert inserted(text, str(edited)), (seed, name)
        assert edited.record.comments == record.comments, (seed, name)
        line = edited.record.variations[name].moves if name else edited.record.moves
        assert line[-2:] == NEW
        short = f"{name}.{len(line) - 1}" if name else str(len(line) - 1)
        assert edited.without_branch(short).record == record

        # another variation
        if places:
            after = random.choice(places)
            head, dot, number = after.rpartition(".")
            before = f"{head}{dot}{int(number) - 1}"
            edited = read(str(one.with_variation(before, NEW)))
            assert inserted(text, str(edited)), (seed, before)
            assert edited.record.comments == record.comments, (seed, before)
            added = [k for k, v in edited.record.variations.items() if k not in record.variations]
            assert len(added) == 1
            assert edited.record.variations[added[0]] == Variation(NEW)
            assert edited.without_branch(added[0]).record == record

        # a line that exists, and one that does not
        for name in names:
            known = record.line(name)[0] if name else record
            assert one.with_line(known.moves) is one
            longer = one.with_line((*known.moves, *NEW))
            assert inserted(text, str(longer))
            assert longer.with_line((*known.moves, *NEW)) is longer

        # a variation that is promoted: all lines of play and all comments are still there
        lines = {name: record.line(name)[0] if name else record for name in names}
        for name in random.sample(names[1:], min(3, len(names) - 1)):
            edited = read(str(one.with_promoted(name))).record
            assert sorted(map(moves_of, lines.values())) == sorted(
                moves_of(edited.line(name)[0] if name else edited) for name in ("", *edited.variations)
            )
            assert comments_of(edited) == comments_of(record)
            above = name.rpartition(".")[0]
            assert moves_of(edited.line(above)[0] if above else edited) == moves_of(lines[name])
            place = one.place_of(lines[name].moves)
            assert place is not None and record.line(place)[0].moves[: len(lines[name].moves)] == lines[name].moves

        # a variation that is moved among those of its move: the same lines and comments, and back again
        for name in random.sample(names[1:], min(3, len(names) - 1)):
            family = [other for other in names if other.rstrip(ascii_lowercase) == name.rstrip(ascii_lowercase)]
            if name == family[-1]:
                with pytest.raises(WrongUsage):
                    one.with_moved(name, 1)
                continue
            after = family[family.index(name) + 1]
            moved = one.with_moved(name, 1)
            edited = read(str(moved)).record
            assert edited.variations[after].items == record.variations[name].items
            assert edited.variations[name].items == record.variations[after].items
            assert comments_of(edited) == comments_of(record)
            assert moved.with_moved(after, -1).record == record, seed

        # tags
        edited = read(str(one.with_tag("Event", 'with "quotes" \\')))
        assert edited.record.items == record.items
        assert edited.record.tag("Event") == 'with "quotes" \\'
        assert edited.record.comments == record.comments


def test_what_cannot_be_edited_is_refused():
    one = Document('[Game "kaiser"]\nred: pass\n( red: go )')
    for edit in (
        lambda: one.with_comment("2", "x"),
        lambda: one.with_comment("0b.1", "x"),
        lambda: one.with_variation("1", NEW),
        lambda: one.with_moves(NEW, "0b"),
        lambda: one.without_branch("0b"),
        lambda: one.without_branch("7"),
    ):
        with pytest.raises(WrongUsage):
            edit()
    with pytest.raises(UnreadableInput):
        Document("red: pass")


def test_a_tag_is_added_changed_and_removed():
    text = '% all\r\n[Game "kaiser"] % one\r\n[Result % no\r\n "*"]\r\n\r\nred: pass % end'
    one = Document(text)
    assert str(one.with_tag("Result", "red")) == text.replace('"*"', '"red"')
    assert str(one.with_tag("Date", "x")) == text.replace(' "*"]', ' "*"]\r\n[Date "x"]')
    assert str(one.with_tag("Result", None)) == '% all\r\n[Game "kaiser"] % one\r\n\r\nred: pass % end'
    under = one.record.with_rules(edition="it")
    assert str(one.with_tags(under.tags)) == text.replace("% one", '% one\r\n[Edition "it"]')
    assert str(one.with_moves([parse_move("red: go")])) == text + "\r\nred: go\r\n"


def test_a_comment_behind_a_branch_stays_with_its_move_when_the_branch_goes():
    one = Document('[Game "kaiser"]\nred: pass\n( red: go ) % why\nred: stop')
    edited = one.without_branch("0a")
    assert str(edited) == '[Game "kaiser"]\n% why\nred: pass\nred: stop'
    assert edited.record.comments == one.record.comments
