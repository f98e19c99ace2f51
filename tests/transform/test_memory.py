"""Slices that are remembered: the same as those that are cut, and never handed out twice as one list."""

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
    found = slicer.slice(seeds(actions=actions), [top("add", 1)], **more)  # type: ignore[arg-type]
    return [rule.text for rule in found]


def test_each_question_has_its_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_rules(RULES)
    slicer = Slicer(rules, [SUBMITTED])
    first, second = texts(slicer, TAKE), texts(slicer, PASS)
    assert first != second
    assert texts(slicer, TAKE, PASS) == [r.text for r in rules[:3]]
    assert texts(slicer, TAKE, without=frozenset({("add", 1)})) == []
    monkeypatch.setattr(Slicer, "_forward", None)
    assert (texts(slicer, TAKE), texts(slicer, PASS)) == (first, second), "nothing is cut again"


def test_what_is_done_with_a_slice_is_not_remembered() -> None:
    slicer = Slicer(parse_rules(RULES), [SUBMITTED])
    whole = slicer.slice(seeds(actions=[TAKE]), [top("add", 1)])
    whole.clear()
    assert len(texts(slicer, TAKE)) == 2


def test_not_more_than_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slicing, "_MOST", 2)
    slicer = Slicer(parse_rules(RULES), [SUBMITTED])
    for actions in ([TAKE], [PASS], [TAKE, PASS], []):
        texts(slicer, *actions)
        assert len(vars(slicer)["_slices"]) <= 2
