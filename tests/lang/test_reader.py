"""Programs are read with their places and printed as clingo prints them; faults are refused with advice."""

from pathlib import Path

import pytest
from clingo import ast
from support.programs import program
from support.tables import rows

from kaiser_logic.lang import terms
from kaiser_logic.lang.algebra import variables
from kaiser_logic.lang.normal import normal
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.reader import read_body, read_rule, read_rules, read_term
from kaiser_logic.lang.terms import Aggregate, Atom, Choice, Int, Name, Place, Refused, Text, Var
from kaiser_logic.rules.generated import all_rules
from kaiser_logic.rules.loader import asp_folder, games, rulebook

HERE = Path(__file__).parents[1]
PROGRAMS = sorted([*asp_folder().glob("*/*.lp"), *HERE.glob("support/*/*.lp")])


def printed(text: str) -> list[tuple[str, int, int]]:
    """The rules of a text as clingo prints them, with their lines and columns."""
    found: list[tuple[str, int, int]] = []

    def visit(node: ast.AST) -> None:
        if node.ast_type == ast.ASTType.Rule:
            begin = node.location.begin
            found.append((str(node), begin.line, begin.column))

    ast.parse_string(text, visit)
    return found


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_file_is_read_as_clingo_reads_it(path):
    """The text of each rule is the same, letter by letter, and so are its line and its column."""
    text = path.read_text(encoding="utf-8")
    assert [(show(r), r.place.line, r.place.column) for r in read_rules(text, path.name)] == printed(text)


@pytest.mark.parametrize("game", games())
def test_printed_rules_are_read_back(game):
    for rule in all_rules(rulebook(game)):
        value = read_rule(rule.text)
        assert show(value) == rule.text
        assert read_rule(show(value)) == value


@pytest.mark.parametrize("seed", range(150))
def test_random_programs_are_read_as_clingo_reads_them(seed):
    text = program(seed)
    assert [(show(r), r.place.line, r.place.column) for r in read_rules(text)] == printed(text)


@pytest.mark.parametrize(("text", "value"), rows("lang/lang", "term"))
def test_terms_are_read_as_clingo_reads_them(text, value):
    assert read_term(text) == eval(value, vars(terms))


def test_guards_of_aggregates_are_moved_to_the_right():
    (literal,) = read_body("not 2 < #sum+ { X,a : p(X), not q; 1 } <= 4")
    assert isinstance(literal, Aggregate)
    assert (literal.function, literal.guards, literal.sign) == ("#sum+", ((">", Int(2)), ("<=", Int(4))), 1)
    assert read_body("3 #count { X : p(X) } 5") == read_body("3 <= #count { X : p(X) } <= 5")
    assert read_body("X == 1, Y <> 2") == read_body("X = 1; Y != 2")
    assert read_body("") == ()


def test_comments_are_skipped_and_places_kept():
    text = '% one\n p("% no comment."). %* two\n %* three *% q. *% r :-\n  p(X), % four.\n  X != "*%".\n\n s.'
    assert [(show(r), r.place) for r in read_rules(text, "a.lp")] == [
        ('p("% no comment.").', Place("a.lp", 2, 2)),
        ('r :- p(X); X != "*%".', Place("a.lp", 3, 20)),
        ("s.", Place("a.lp", 7, 2)),
    ]


def test_equality_of_values_ignores_their_places():
    one, two = read_rules("p(X) :- q(X).\n  p(X) :- q(X).", "a.lp")
    assert one == two
    assert one.place != two.place
    assert Var("x") != Name("x") != Text("x")
    assert len({Var("x"), Name("x"), Text("x"), Atom("x", ())}) == 4


@pytest.mark.parametrize(("text", "message"), rows("lang/lang", "refused"))
def test_refusals_name_the_place_and_what_to_write_instead(text, message):
    with pytest.raises(Refused) as refused:
        read_rules(text, "a.lp")
    assert str(refused.value) == message


def test_only_single_rules_may_have_choices():
    for text in ("{ p; q(X): r(X), not s } = 1 :- t(X).", "{ p }.", "1 <= { p(1..3) } <= 2 :- q."):
        rule = read_rule(text)
        assert isinstance(rule.head, Choice)
        assert rule.heads == ()
        assert read_rule(show(rule)) == rule
        with pytest.raises(Refused):
            read_rules(text)
        with pytest.raises(Refused):
            normal(rule)
    assert variables(read_rule("{ p(X): q(X,Y) } = Z :- t(Z).")) == ("Z", "X", "Y")


@pytest.mark.parametrize("text", ["p. q", "p. q :- r", "p), q(", "p :- q", "p, q."])
def test_text_beyond_one_body_or_term_is_refused(text):
    with pytest.raises(Refused):
        read_body(text)
    with pytest.raises(Refused):
        read_term(text)


@pytest.mark.parametrize("text", rows("lang/lang", "comments"))
def test_comments_end_where_they_end_for_clingo(text):
    try:
        expected = printed(text)
    except RuntimeError:
        with pytest.raises(Refused):
            read_rules(text)
    else:
        assert [(show(r), r.place.line, r.place.column) for r in read_rules(text)] == expected


@pytest.mark.parametrize("blank", ["\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\u2028", "\u3000", "\ufeff"])
def test_other_blanks_than_those_of_clingo_are_refused(blank):
    with pytest.raises(RuntimeError):
        printed(f"a.{blank}b.")
    with pytest.raises(Refused, match=rf"a.lp:1:3: 'U\+{ord(blank):04X}' where a term is expected"):
        read_rules(f"a.{blank}b.", "a.lp")


def test_a_text_has_no_character_at_which_clingo_ends_it():
    with pytest.raises(Refused, match="where a term is expected"):
        read_rules('p("a\0b").', "a.lp")
