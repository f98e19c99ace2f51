"""Records and facts: reading, printing, and hostile input."""

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import rows

from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.notation import syntax
from kaiser_logic.notation.reading import (
    build_record,
    parse_position,
    parse_record,
    read_facts,
    read_position,
    read_text,
)
from kaiser_logic.notation.record import (
    Assertion,
    Literal,
    Move,
    PositionBlock,
    Record,
    RecordedFact,
    Tag,
    print_record,
)
from kaiser_logic.notation.sources import read
from kaiser_logic.notation.syntax import MAX_BYTES, MAX_WORDS, parse_facts, parse_move, parse_term
from kaiser_logic.notation.terms import UNKNOWN, Term

GAME = '[Game "kaiser"]\n'

EXAMPLE, EXAMPLE_PRINTED = (
    Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("example.game", "printed.game")
)


def fault(parse: Callable[[str], object], text: str) -> UnreadableInput:
    with pytest.raises(UnreadableInput) as caught:
        parse(text)
    return caught.value


def test_tags_are_read_and_have_defaults():
    record = parse_record(EXAMPLE)
    assert (record.game_id, record.edition, record.board) == ("kaiser", "it", "my-board.lp")
    assert record.options == {"archbishop_marriage": "allowed", "influence_counts_elector": "no"}
    assert (record.seats, record.result) == (("red", "green", "blue", "yellow"), ("yellow", "red"))
    assert (record.tag("Emperor"), record.tag("Nothing"), record.tag_values("Nothing")) == ("red", None, ())
    assert record.tag_values("Event") == ('A "fine" evening \\ night', "the second")
    plain = parse_record(GAME)
    assert plain == Record((Tag("Game", "kaiser"),))
    assert (plain.edition, plain.options, plain.seats, plain.board, plain.result) == ("standard", {}, None, None, None)
    assert parse_record(GAME + '[Result "*"]').result == ()
    with pytest.raises(UnreadableInput, match=r"^some\.game:2:18: the tag 'Emperor' is given twice"):
        parse_record(GAME + '[Emperor "red"] [Emperor "blue"]', "some.game").tag("Emperor")


def test_items_are_read_in_order_with_their_places():
    record = parse_record(EXAMPLE, "some.game")
    assertion = (Literal(True, Term.make("elector", "koeln", "green", 25, "baron")),
                 Literal(False, Term.make("city", "trier", "blue", 1)))  # fmt: skip
    seat, round_ = Term.make("seat", "red", 1), Term.make("round", 2)
    assert record.items == (
        Move("red", Term.make("empire_city", "boehmen")),
        Move("green", Term.make("elector", "mainz")),
        Move("blue", Term.make("vote", "rival")),
        Move("yellow", Term.make("vote", "emperor")),
        Assertion(assertion),
        PositionBlock((RecordedFact(seat), RecordedFact(round_))),
        Move("chance", Term.make("deal", "red", UNKNOWN)),
        Move("green", None),
    )
    assert (len(record.moves), record.path) == (6, "some.game")
    assert [(tag.line, tag.column) for tag in record.tags[:4]] == [(1, 2), (2, 2), (3, 2), (3, 41)]
    places = [(item.line, item.column) for item in record.items]
    assert places == [(10, 1), (11, 1), (12, 1), (12, 20), (13, 1), (14, 1), (15, 1), (16, 1)]
    found, position = record.items[4:6]
    assert isinstance(found, Assertion) and isinstance(position, PositionBlock)
    assert [(literal.line, literal.column) for literal in found.literals] == [(13, 10), (13, 41)]
    assert [(fact.line, fact.column) for fact in position.facts] == [(14, 12), (14, 25)]
    assert position.terms == {seat, round_}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_do_not_matter(end, mark, tmp_path):
    path = tmp_path / "some.game"
    path.write_bytes((mark + EXAMPLE.replace("\n", end)).encode())
    record = read(path)
    assert record == parse_record(EXAMPLE)
    assert record.path == str(path)
    assert (record.items[-1].line, record.tags[0].column) == (16, 2)


def test_a_tab_is_one_column():
    assert parse_record(GAME + "\t\tred:\tpass").moves[0].column == 3
    assert fault(parse_record, GAME + "\t\tred:\tX").column == 8


def test_keywords_are_names_elsewhere():
    record = parse_record(GAME + "position: assert  assert: not(not)  not: position position { not. not(a). }")
    assert [str(move.action) for move in record.moves] == ["assert", "not(not)", "position"]
    assert [move.role for move in record.moves] == ["position", "assert", "not"]
    (assertion,) = parse_record(GAME + "assert { not. not(a). not not. not not(a). not assert }").items
    signed = ((True, "not", 10), (True, "not(a)", 15), (False, "not", 23), (False, "not(a)", 32), (False, "assert", 44))
    found = [(one.positive, str(one.fact), one.column) for one in assertion.literals]
    assert found == list(signed)


def test_a_single_move_is_read():
    assert parse_move(" red: buy(pope,hold) ") == Move("red", Term.make("buy", "pope", "hold"))
    assert parse_move("red: ?") == Move("red", None)
    assert "expected ':' after 'red'" in fault(parse_move, "red").message
    assert "expected nothing more after 'a', found 'blue'" in fault(parse_move, "red: a blue: b").message


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [" ", "% nothing", "red: pass", '[Seats "red"] [Game "kaiser"]', '[game "kaiser"]'])
def test_a_record_begins_with_its_game(text):
    assert '[Game "kaiser"]' in fault(parse_record, text).message


def test_messages_are_short_and_escaped():
    error = fault(parse_record, GAME + "x" * 5000 + " \x1b[2J" + "y" * 5000)
    assert len(str(error)) < 200
    assert "\x1b" not in str(error)


# --- facts and positions ----------------------------------------------------------------------


def test_facts_are_read_with_their_places(tmp_path):
    facts = parse_facts("% a board\nspaces(trier,city,2).\n  colour(pope,blue).attacked")
    assert [(str(fact.term), fact.line, fact.column) for fact in facts] == [
        ("spaces(trier,city,2)", 2, 1),
        ("colour(pope,blue)", 3, 3),
        ("attacked", 3, 21),
    ]
    assert parse_facts("% none") == []
    (tmp_path / "board.lp").write_text("spaces(trier,city,2)\ncolour(pope,blue).")
    with pytest.raises(UnreadableInput, match=r"board\.lp:2:1: expected '\.' after '\)', found 'colour'"):
        read_facts(tmp_path / "board.lp")


@pytest.mark.parametrize(("text", "game"), rows("notation/faults", "stated"))
def test_positions_are_read_alone_or_from_a_record(text, game, tmp_path):
    path = tmp_path / "some.position"
    path.write_text(text)
    position = read_position(path)
    assert position == parse_position(text)
    assert position.terms == {Term.make("seat", "red", 1), Term.make("round", 2)}
    assert (position.record.game_id if position.record else "-") == game


# --- printing ---------------------------------------------------------------------------------


def test_the_printed_record_is_tidy():
    record = parse_record(EXAMPLE)
    assert print_record(record) == str(record) == EXAMPLE_PRINTED
    assert parse_record(EXAMPLE_PRINTED) == record


def test_facts_of_one_predicate_share_lines_of_limited_width():
    facts = [Term.make("seat", "red", 1), Term.make("seat", "blue", 2)]
    facts += [Term.make("aristocrat", "trier", "red", age, "baron", -1) for age in range(6)]
    record = build_record({"Game": "kaiser"}, [PositionBlock(tuple(map(RecordedFact, facts)))])
    lines = str(record).splitlines()
    assert lines[3] == "    seat(red,1). seat(blue,2)."
    assert len(lines) == 8
    assert max(map(len, lines)) <= 100
    assert parse_record(str(record)) == record


@pytest.mark.parametrize(
    ("tags", "items"),
    [
        ({"Game": "kaiser", "Event": "two\nlines"}, []),
        ({"Game": "kaiser", "An event": "x"}, []),
        ({"Game": "kaiser", "Event": "x" * 1001}, []),
        ({"Game": "kaiser"}, [Move("Red", Term("pass"))]),
        ({"Game": "kaiser"}, [Move("red", Term("a blue: b"))]),
        ({"Game": "kaiser"}, [Move("red", Term("pass", (10**9,)))]),
        ({"Game": "kaiser"}, [Move("red", UNKNOWN)]),
        ({"Game": "kaiser"}, [PositionBlock((RecordedFact(Term("a). b(")),))]),
        ({"Game": "kaiser"}, [PositionBlock((RecordedFact(Term("a. b")),))]),
    ],
)
def test_records_that_cannot_be_written_are_refused(tags, items):
    with pytest.raises(WrongUsage, match="these values do not form a record"):
        build_record(tags, items)


def test_built_records_obey_the_rules_of_tags():
    with pytest.raises(UnreadableInput, match=r"^the tag 'Seats' names a role twice$"):
        build_record({"Game": "kaiser", "Seats": "red red"})


# --- properties -------------------------------------------------------------------------------

NAMES = st.sampled_from(["assert", "position", "not"]) | st.from_regex(r"[a-z][A-Za-z0-9_]{0,5}", fullmatch=True)
SIGNS = [*'[]{}().,:?%"\\\n\r\t 1-Xé']
WORDS = [
    "red", "not", "assert {", "position {", "red: pass ", "f(a,1)", 'Game "kaiser"]', '[Option "a=b"]', "#script",
]  # fmt: skip
SOUP = st.lists(st.sampled_from([*SIGNS, *WORDS, "\0", "\ufeff"]), max_size=30).map("".join)
PARSERS: list[Callable[[str], object]] = [parse_record, parse_position, parse_facts, parse_move, parse_term]


@pytest.mark.parametrize("parse", PARSERS)
@given(text=st.text() | SOUP | SOUP.map(GAME.__add__))
def test_junk_is_read_or_refused(parse, text):
    try:
        parse(text)
    except UnreadableInput as error:
        assert str(error)
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if error.line is not None and error.column is not None:
            assert 1 <= error.column <= len(lines[error.line - 1]) + 1


# --- hostile input ----------------------------------------------------------------------------

SIZE = 5_000_000


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("".join(random.Random(1).choices([chr(i) for i in range(1, 300)], k=SIZE)), id="junk"),
        pytest.param(GAME + "red: " + "f(" * 1_000_000, id="parentheses"),
        pytest.param(GAME + "red: f(" + "9" * SIZE, id="number"),
        pytest.param("a" * SIZE, id="name"),
        pytest.param(GAME + '[A "' + "\\" * SIZE, id="backslashes"),
        pytest.param(GAME + "a:b\r\n" * (SIZE // 5), id="moves"),
        pytest.param(" " * (MAX_BYTES + 1), id="blanks"),
    ],
)
def test_megabytes_are_refused_quickly(text):
    fault(parse_record, text)  # parsing all of it would take hours


@pytest.mark.slow
def test_the_number_of_words_is_limited():
    syntax.parse("facts", "a." * (MAX_WORDS // 2))
    error = fault(partial(syntax.parse, "facts"), "a." * (MAX_WORDS // 2) + "\na")
    assert "too long" in error.message
    assert (error.line, error.column) == (2, 1)


@pytest.mark.parametrize(
    ("data", "place", "part"),
    [
        (b"", "", "the text is empty"),
        (b"\xef\xbb\xbf", "", "the text is empty"),
        (b"abc\ngr\xc3\xbc\xfc", ":2:4", "not a text in UTF-8 (byte 0xfc)"),
        ("red: pass".encode("utf-16"), ":1:1", "not a text in UTF-8 (byte 0xff)"),
        (b'[Game "kaiser"]\nred: \0', ":2:6", "NUL"),
        (b"\x7fELF\x02\x01\x01\0", ":1:8", "NUL"),
        (b" " * (MAX_BYTES + 1), "", "larger than 8 MB"),
    ],
)
def test_files_that_are_not_text_are_refused(tmp_path, data, place, part):
    path = tmp_path / "some.game"
    path.write_bytes(data)
    for load in (read, read_position, read_facts):
        with pytest.raises(UnreadableInput) as caught:
            load(path)
        assert str(caught.value).startswith(f"{path}{place}: ")
        assert part in str(caught.value)


def test_files_that_cannot_be_opened_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere.game", tmp_path / "a\0b"):
        with pytest.raises(UnreadableInput, match="cannot be read") as caught:
            read_text(path)
        assert caught.value.path == str(path)
        assert caught.value.line is None
