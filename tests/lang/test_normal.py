"""A program and its normal form have the same answers in clingo."""

from collections.abc import Iterable
from pathlib import Path
from random import Random

import clingo
import pytest
from support.constructs import CONSTRUCTS, FACTS
from support.normal_forms import is_normal, normal_program, show_program
from support.programs import GIVEN, answers, program
from support.tables import rows

import kaiser_logic as kl
from kaiser_logic.lang.modes import unsafe
from kaiser_logic.lang.normal import normal
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.reader import read_rule, read_rules
from kaiser_logic.lang.terms import Refused
from kaiser_logic.rules.generated import all_rules
from kaiser_logic.rules.loader import games, rulebook
from kaiser_logic.solving.whole import program as program_of_all

HERE = Path(__file__).parents[1]
SMALL = sorted(path.parent for path in HERE.glob("support/*/game.toml"))


def compared(text: str, given: str) -> bool:
    """Compares clingo's answers for a text and for its normal form. It returns False where either refuses the text."""
    expected = answers(text, given)
    if expected is None:
        return False
    try:
        rules = normal_program(read_rules(text))
    except Refused as refused:
        assert "division by 0" in refused.what, text
        return False
    assert all(map(is_normal, rules)), text
    assert normal_program(rules) == rules, text
    found = answers(show_program(rules), given)
    if found is None:  # clingo drops a rule that never applies before it checks safety: X-(X-Y) > Y
        assert any(map(unsafe, rules)), text
        return False
    assert found == expected, f"{text}\n{show_program(rules)}"
    return True


@pytest.mark.parametrize(("text", "expected"), rows("lang/lang", "normal"))
def test_examples_have_the_expected_normal_form(text, expected):
    assert (" ".join(map(show, normal(read_rule(text)))) or "-") == expected


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_each_construct_has_the_same_answers_in_normal_form(text):
    assert compared(text, FACTS)


@pytest.mark.parametrize("block", range(10))
def test_random_programs_have_the_same_answers_in_normal_form(block):
    assert sum(compared(program(seed), GIVEN) for seed in range(20 * block, 20 * block + 20)) > 8


BOOKS = [*games(), *SMALL]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: getattr(book, "name", book))
def test_every_rule_of_a_game_has_a_safe_normal_form(book):
    for rule in all_rules(rulebook(book)):
        found = normal(read_rule(rule.text))
        assert found
        assert all(map(is_normal, found)), rule.text
        assert not [show(one) for one in found if unsafe(one)], rule.text


def derived(rules: Iterable[str], facts: Iterable[clingo.Symbol]) -> set[str]:
    """The atoms that clingo derives from facts."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join((*rules, *(f"{fact}." for fact in facts))))
    control.ground([("base", [])])
    return {str(atom.symbol) for atom in control.symbolic_atoms if atom.is_fact}


def compare_along_random_game(book: str | Path, decisions: int) -> int:
    """Compares what follows from all rules and from their normal forms in the positions of a random game.

    Returns:
        How many atoms follow in all positions together.
    """
    game = kl.load(book)
    random = Random(f"{book}")
    whole = program_of_all(game.ruleset)
    texts = [rule.text for rule in whole.rules]
    printed = [show(rule) for rule in normal_program(map(read_rule, texts))]
    position, found = game.initial(), 0
    for _ in range(decisions):
        moves = {role: random.choice(actions) for role, actions in position.legal().items()}
        done = game.ruleset.submissions({role: clingo.parse_term(move) for role, move in moves.items()})
        facts = (*whole.static, *position.symbols, *done)
        expected = derived(texts, facts)
        assert derived(printed, facts) == expected
        found += len(expected)
        if not moves:
            break
        position = position.apply(moves)
    return found


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: getattr(book, "name", book))
def test_all_rules_of_a_game_derive_the_same_in_normal_form(book):
    assert compare_along_random_game(book, 2)


def test_a_rule_without_normal_form_is_refused_with_its_place():
    with pytest.raises(Refused) as refused:
        normal_program(read_rules("p.\n q(_) :- p.", "a.lp"))
    assert str(refused.value) == "a.lp:2:2: '_' in a head; name a variable that the body binds"
    for division in ("X/0", "1\\(2*3-6)", "X/(1;0)"):
        with pytest.raises(Refused) as refused:
            normal_program(read_rules(f"p(X) :- q(X), {division} > 1.", "a.lp"))
        assert str(refused.value) == "a.lp:1:1: a division by 0, which has no value; leave the rule out"
    pools = ", ".join("q((1;2;3;4;5;6;7;8))" for _ in range(5))
    with pytest.raises(Refused) as refused:
        normal_program(read_rules(f"p :- {pools}.", "a.lp"))
    assert str(refused.value) == "a.lp:1:1: a rule with too many alternatives; define a predicate for each pool"
