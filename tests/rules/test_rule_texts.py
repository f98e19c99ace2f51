"""Each edition speaks for itself: statements, sources and their kinds under an edition and rulings."""

import pytest
from support.heap_game import variant
from support.rulebook_cases import changes
from support.tables import rows

from kaiser_logic.rules.loader import read_rulebook
from kaiser_logic.rules.rule_texts import RuleTexts
from kaiser_logic.rules.rulebook import RuleDoc, Variant

EDITIONS = changes("rules/editions")["EDITIONS"]


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The heap game with a Dutch and an Italian text, which rule otherwise about the last stone."""
    return read_rulebook(variant(tmp_path_factory.mktemp("heap"), EDITIONS))


WINS, LOSES = "Whoever takes the last stone wins.", "Whoever takes the last stone loses."
FINE = {"it": "Fine (silent about the last)"}


def pairs(text: str) -> dict[str, str]:
    """The pairs of a column of the table."""
    return {key: value for one in text.split("; ") if one != "-" for key, _, value in [one.partition(": ")]}


@pytest.mark.parametrize(("rule", "edition", "changed", "sources", "kind"), rows("rules/rules", "source"))
def test_sources_are_those_that_say_what_is_in_force(book, rule, edition, changed, sources, kind):
    texts = RuleTexts.of_edition(book, edition)
    texts = RuleTexts(book, edition, {**texts.options, **pairs(changed)})
    assert (texts.sources(book.docs[rule]), texts.kind(book.docs[rule])) == (pairs(sources), kind.strip("-"))


@pytest.mark.parametrize(
    ("edition", "statement", "sources", "kind"),
    [
        ("standard", WINS, {"it": "Fine (silent about it)", "standard": "assumed, as many do"}, "silent"),
        ("nl", LOSES, {"nl": "Einde"}, "says"),
        ("it", WINS, {"it": "Fine (silent about it)"}, "silent"),
    ],
)
def test_a_ruling_has_a_statement_sources_and_a_kind_in_each_edition(book, edition, statement, sources, kind):
    texts, ruling = RuleTexts.of_edition(book, edition), book.rulings["last_stone"]
    assert texts.statement(book.docs["ending"]) == statement
    assert (texts.ruling_sources(ruling), texts.ruling_kind(ruling)) == (sources, kind)


def test_a_source_that_rules_otherwise_says_so(book):
    cited = RuleTexts.of_edition(book).all_sources(book.docs["ending"])
    assert cited == {"nl": "Einde (there last_stone is loses)", **FINE}


def test_a_text_that_rules_otherwise_counts_where_the_rule_says_the_same(book):
    doc = book.docs["ending"]._replace(variants=(Variant((("last_stone", "loses"),), WINS),))
    texts = RuleTexts.of_edition(book)
    assert texts.sources(doc) == texts.all_sources(doc) == {"nl": "Einde", **FINE}


def test_a_ruling_without_a_text_supports_the_rules_that_it_decides(book):
    doc = book.docs["ending"]._replace(sources={"nl": "Einde"})
    assert RuleTexts.of_edition(book).sources(doc) == {
        "it": "Fine (silent about it)",
        "standard": "assumed, as many do",
    }


def test_of_several_statements_the_most_specific_is_said(book):
    """Without a statement for a ruling, its sentence follows that of the heading."""
    variants = (Variant((("a", "x"),), "a"), Variant((("a", "x"), ("b", "y")), "both"), Variant((("b", "y"),), "b"))
    doc = RuleDoc("r", "rule", "plain", None, {}, "", 0, variants)
    found = [doc.variant_under({"a": a, "b": b}) for a, b in ("xy", "xz", "zy", "zz")]
    assert [one and one.statement for one in found] == ["both", "a", "b", None]
    without = book.docs["ending"]._replace(variants=())
    assert RuleTexts.of_edition(book, "nl").statement(without) == f"{WINS} But by the ruling last_stone: {LOSES}"
