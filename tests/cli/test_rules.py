"""The command rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.commands import Run
from support.own_games import own_game


def test_listing_has_rules_files_and_rulings(run: Run) -> None:
    outcome = run("rules", "kaiser")
    assert outcome.code == 0
    for text in (
        "actions.buy.thalers",
        "kaiser/actions.lp",
        "archbishop_marriage",
        "record.assert",
        "action.unknown",
    ):
        assert text in outcome.out


def test_rules_by_id(run: Run) -> None:
    out = run("rules", "kaiser", "actions.buy.thalers").out
    assert "The price is paid in full" in out
    assert "kaiser/actions.lp:" in out
    assert "  nl  " in out
    assert "  it  " in out


def test_rules_by_prefix(run: Run) -> None:
    out = run("rules", "kaiser", "actions.buy").out
    assert {"actions.buy.thalers", "actions.buy.display"} <= set(out.split())
    out = run("rules", "kaiser", "archbishop_marr").out
    assert "allowed" in out
    assert "(ruling)" in out


def test_rules_by_words_of_their_statements(run: Run) -> None:
    out = run("rules", "kaiser", "tile ten years").out
    assert "actions.doctor.tile " in out
    assert "electors.gray" not in out
    assert "actions.doctor.tile " in run("rules", "kaiser", "Medicus tiles").out
    most = run("rules", "kaiser", "doctor ages a zeppelin").out
    assert most.startswith("No rule has all of these words; with 2 of 3:")
    assert "actions.doctor.tile " in most
    assert "actions.doctor.tile " in run("rules", "kaiser", "doctor ages an elector").out
    outcome = run("rules", "kaiser", "zeppelin")
    assert (outcome.code, outcome.err.count("contains 'zeppelin'")) == (2, 1)


def test_the_beginning_of_a_name_is_a_word_of_other_rules_too(run: Run) -> None:
    out = run("rules", "kaiser", "doctor").out
    assert out.startswith("doctor_successor (ruling)")
    assert "actions.doctor.tile " in out.partition("Others with this word:")[2]
    assert "Others with this word" not in run("rules", "kaiser", "actions.doctor").out


def test_listing_has_sources_and_values_of_rulings(run: Run) -> None:
    out = " ".join(run("rules", "kaiser").out.split())
    assert "[nl: De actiekaarten, Verhuizing; it: Carte Azione, Cambio di Residenza]" in out
    assert "throne_from_electors (ruling)" in out
    assert (
        "last_resort A victorious rival puts an elector of his on the throne if he has no tile on an aristocrat space;"
        in out
    )
    assert "Fase VI: Keizerskeuze" in out


@pytest.mark.slow
def test_many_values_of_a_ruling_are_abbreviated(run: Run) -> None:
    """The sentences of a ruling are not printed below the rule of all games that has the same name."""
    out = run("rules", "vive", "limit").out
    assert "0, 250 to 300" in out
    assert "251" not in out
    assert "sentences" not in out


def test_listing_is_in_the_order_of_play(run: Run) -> None:
    out = run("rules", "kaiser").out
    places = [
        out.index(f"\n  {rule} ") for rule in ("setup.elector", "income", "actions.turn", "election", "end")
    ]
    places.append(out.index("\n  one_emperor "))
    places.append(out.index("record.assert"))
    assert places == sorted(places)


def test_print_as_markdown_and_html(run: Run) -> None:
    outcome = run("rules", "kaiser", "--print")
    assert outcome.code == 0
    assert outcome.out.startswith("# Im Schatten des Kaisers")
    found = re.search(r"\]\((\S+/kaiser/effects\.lp)#L", outcome.out)
    assert found and Path(found[1]).is_file()
    html = run("rules", "kaiser", "--print", "--format", "html", "--edition", "it").out
    assert html.startswith("<!DOCTYPE html>")
    assert "In this edition" in html
    assert "](" not in html


def test_print_with_links(run: Run) -> None:
    assert (
        "](https://example.org/asp/kaiser/"
        in run("rules", "kaiser", "--print", "--links", "https://example.org/asp/").out
    )


def test_print_a_folder_outside_the_package(run: Run, tmp_path: Path) -> None:
    folder = own_game(tmp_path)
    out = run("rules", str(folder), "--print").out
    assert out.startswith("# The mound")
    assert "/mound/play.lp#L" in out
    assert run("rules", str(folder), "--sentences").code == 2


def test_sentences_of_the_printed_text(run: Run) -> None:
    out = run("rules", "krone", "--sentences").out
    assert "nl: Een willekeurig vrij veld bezetten" in out
    assert "no card is needed -> occupy" in out
    assert "sentences" in run("rules", "krone", "occupy").out


def test_names_lists_what_queries_can_use(run: Run) -> None:
    """The message about a wrong name is short and refers to this list."""
    out = run("rules", "kaiser", "--names").out
    assert "thalers(R,M)           R has M thalers\n" in out
    assert out.index("power(E,R,N)") < out.index("What never changes") < out.index("spaces(E,S,N)")
    outcome = run("find", "kaiser", "powr(E,R,N)")
    assert (outcome.code, outcome.out) == (2, "")
    assert "'power'" in outcome.err
    assert "rules kaiser --names" in outcome.err
    assert len(outcome.err) < 250


def test_options_that_exclude_each_other(run: Run) -> None:
    for arguments, message in (
        (("--edition", "nl", "--sentences"), "without --edition"),
        (("take", "--edition", "xx"), "no edition 'xx'"),
        (("--format", "html"), "--format needs --print"),
        (("--links", "x"), "--links needs --print"),
        (("take", "--print"), "without RULE"),
        (("--print", "--sentences"), "without RULE"),
        (("take", "--sentences"), "without RULE"),
        (("take", "--names"), "without RULE"),
        (("--print", "--names"), "without RULE"),
        (("--sentences", "--names"), "other lists"),
        (("--print", "--edition", "xx"), "no edition 'xx'"),
    ):
        outcome = run("rules", "kaiser", *arguments)
        assert outcome.code == 2
        assert message in outcome.err


def test_data_are_printed_as_tables(run: Run) -> None:
    out = " ".join(run("rules", "kaiser", "cards.cost").out.split())
    assert " permit 3 thalers 4 3 2 pink at once " in out
    assert "What the emperor gets" not in out


def test_assumed_lists_rules_without_source(run: Run) -> None:
    outcome = run("rules", "kaiser", "--assumed")
    assert outcome.code == 0
    out = " ".join(outcome.out.split())
    assert re.search(
        r"edition standard: of 125 rules and data 4 assumed, 0 base, \d+ silent; of \d+ rulings", out
    )
    assert "Assumed: no text says it board.spaces" in out
    assert "Replaced by a board file with spaces(E,S,N)." in out


def test_assumed_excludes_other_lists(run: Run) -> None:
    for options in (["--assumed", "--names"], ["--assumed", "income"], ["--assumed", "--print"]):
        assert run("rules", "kaiser", *options).code == 2


def test_names_lists_values(run: Run) -> None:
    out = run("rules", "kaiser", "--names").out
    assert re.search(r"\n  phase\(W\) .*\n +W: actions, aging, descendants, ", out)
    assert "plural(" not in out


def test_output_to_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    outcome = run("rules", "krone", "--print", "--format", "html", "--output", str(path))
    assert (outcome.code, outcome.out) == (0, "")
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    run("rules", "krone", "--output", str(path))
    assert path.read_text(encoding="utf-8") == run("rules", "krone").out
