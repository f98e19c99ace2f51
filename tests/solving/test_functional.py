"""A constraint says that an aggregate has one value. It is added only where it holds, and it excludes no model."""

from contextlib import suppress

import pytest
from support.normal_forms import normal_program
from support.programs import GIVEN, Writer, answers
from support.tables import rows

from kaiser_logic.lang.printer import show
from kaiser_logic.lang.reader import read_body, read_rules
from kaiser_logic.lang.terms import Refused, Rule
from kaiser_logic.solving.build import ChoiceRule, anything
from kaiser_logic.solving.functional import dependencies
from kaiser_logic.solving.program import SolverProgram


def constraints(text: str, *others: str) -> list[str]:
    """The constraints for these rules; the predicates in ``others`` have further values."""
    found = dependencies(normal_program(read_rules(text)), {(name, 2) for name in others})
    return [show(one) for one in found]


@pytest.mark.parametrize(("text", "constraint"), rows("solving/functional", "with"))
def test_the_constraint_is_found(text, constraint):
    assert constraints(text) == [constraint]
    assert constraints(text, "p") == []


@pytest.mark.parametrize("text", rows("solving/functional", "without"))
def test_no_constraint_is_added_where_it_could_fail(text):
    assert constraints(text) == []


def test_a_predicate_that_is_also_chosen_has_no_constraint():
    rules: list[Rule | ChoiceRule] = [*read_rules("p(R,N) :- q(R), N = #sum { M : r(R,M,_) }.")]
    rules.append(ChoiceRule(((anything(("p", 2)), tuple(read_body("s(X0,X1)"))),)))
    assert list(dependencies(rules, [])) == []


def test_no_rule_for_the_predicate_may_follow_the_constraint():
    made = SolverProgram({})
    made.add(*read_rules("p(R,N) :- q(R), N = #sum { M : r(R,M,_) }. q(1). r(1,1,1)."))
    made.ground()
    assert made.text.count("#false") + made.text.count(" :- p(") == 1
    made.add(*read_rules("p(R,5) :- q(R)."))
    with pytest.raises(AssertionError, match="come after they are read"):
        made.ground()


def summed(seed: int) -> str:
    """A random rule whose head has the value of an aggregate and some of the other variables."""
    writer = Writer(seed)
    bound: list[str] = []
    body = writer.body(bound)
    while True:
        own = list(bound)
        literal = writer.aggregate(own)
        if len(own) > len(bound) and own[-1] not in bound:
            break
    given = [name for name in dict.fromkeys(bound) if writer.often(0.8)]
    return f"p({','.join([*given, own[-1]])}) :- {writer.joined([*body, literal])}."


@pytest.mark.parametrize("block", range(5))
def test_the_constraint_excludes_no_model(block):
    """A rule has the same models with and without its constraint."""
    count = 0
    for seed in range(60 * block, 60 * block + 60):
        text = summed(seed)
        with suppress(Refused):
            rules = normal_program(read_rules(text))
            more = list(dependencies(rules, []))
            if more and (expected := answers("\n".join(map(show, rules)), GIVEN)) is not None:
                assert answers("\n".join(map(show, [*rules, *more])), GIVEN) == expected, text
                count += 1
    assert count > 5
