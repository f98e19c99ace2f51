"""Jobs run here or on other machines: the answers are the same, even if workers die."""

import pickle
import time
from functools import partial

import pytest
from support.heap_game import heap

from kaiser_logic.engine.ruleset import unpickle_ruleset
from kaiser_logic.game import load
from kaiser_logic.rules.loader import claims_of
from kaiser_logic.workers import OUT_OF_MEMORY, TIMEOUT, Job, JobRefused, by_number, job_answers

pytestmark = pytest.mark.filterwarnings("ignore")


def large() -> int:
    return len(bytearray(2**34))


def test_rulesets_survive_pickling():
    """Rules that were added, and are in no file, are sent too, with their places."""
    book = load("krone", players=2).ruleset
    claims, _ = claims_of(book.book)
    wider = book.with_rules((*book.book.rules, *claims))
    for rules in (book, wider):
        again = pickle.loads(pickle.dumps(rules))
        assert [r.text for r in again.rules] == [r.text for r in rules.rules]
        assert [(r.file, r.line, r.block) for r in again.rules] == [(r.file, r.line, r.block) for r in rules.rules]
        assert pickle.loads(pickle.dumps(rules)) is again, "the second copy is the first one"
    assert len(wider.rules) > len(book.rules)


def test_other_rules_are_refused():
    rules = heap().ruleset
    assert unpickle_ruleset(rules.configuration, None, rules.mark).mark == rules.mark
    with pytest.raises(JobRefused, match="other rulebooks"):
        unpickle_ruleset(rules.configuration, None, rules.with_rules(rules.book.rules[1:]).mark)


def test_values_have_the_order_of_their_numbers():
    assert list(by_number((n, str(n)) for n in (2, 0, 1, 4, 3))) == list("01234")


def test_no_long_job_begins_after_the_deadline():
    assert [answer.failure for answer in job_answers([Job("late", bool)], 1, time.monotonic())] == [TIMEOUT]


@pytest.mark.long
def test_limits_hold_on_a_cluster(address):
    jobs = [
        Job("long", partial(time.sleep, 600)),
        Job("large", large),
        Job("wrong", partial(int, "x")),
        Job("right", partial(pow, 3, 2)),
    ]
    found = {a.name: a for a in job_answers(jobs, None, time.monotonic() + 15, address)}
    assert found["right"].value == 9
    assert found["long"].failure == TIMEOUT
    assert found["large"].failure == OUT_OF_MEMORY
    assert "invalid literal" in str(found["wrong"].failure)
