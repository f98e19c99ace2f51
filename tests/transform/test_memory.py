"""Cached slices equal those that are cut, each caller gets a list of its own, and the cache is limited."""

from __future__ import annotations

import pytest

from kaiser_logic.lang.terms import Fun, Name, Var
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.predicates import SUBMITTED
from kaiser_logic.rules.rule import top
from kaiser_logic.transform import slicing
from kaiser_logic.transform.slicing import Slicer, seeds

RULES = """
does(R,A) :- submitted(R,A).
add(last(R)) :- does(R,take(_)).
add(passed(R)) :- does(R,pass).
del(last(R)) :- does(_,take(_)), last(R).
"""
TAKE, PASS = Fun("take", (Var("K"),)), Name("pass")


def texts(slicer: Slicer, *actions: object, **more: object) -> list[str]:
    """The rules of the slice that adds facts by these actions."""
    found = slicer.slice(seeds(actions=actions), [top("add", 1)], **more)  # type: ignore[arg-type]
    return [rule.text for rule in found]


def test_each_question_is_cut_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_rules(RULES)
    slicer = Slicer(rules, [SUBMITTED])
    first, second = texts(slicer, TAKE), texts(slicer, PASS)
    assert first != second
    assert texts(slicer, TAKE, PASS) == [r.text for r in rules[:3]]
    assert texts(slicer, TAKE, without=frozenset({("add", 1)})) == []
    monkeypatch.setattr(Slicer, "_forward", None)
    assert (texts(slicer, TAKE), texts(slicer, PASS)) == (first, second), "nothing is cut again"


def test_changing_a_returned_slice_does_not_change_the_cache() -> None:
    slicer = Slicer(parse_rules(RULES), [SUBMITTED])
    whole = slicer.slice(seeds(actions=[TAKE]), [top("add", 1)])
    whole.clear()
    assert len(texts(slicer, TAKE)) == 2


def test_the_cache_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slicing, "_MOST", 2)
    slicer = Slicer(parse_rules(RULES), [SUBMITTED])
    for actions in ([TAKE], [PASS], [TAKE, PASS], []):
        texts(slicer, *actions)
        assert len(vars(slicer)["_slices"]) <= 2
