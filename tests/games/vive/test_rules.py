"""Vive le Roi, rule by rule: where each bites and where it does not, what follows, and what is no position."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_cases import Case, Course, assert_bites, assert_does_not_bite, read_cases, read_courses

from .positions import play, position

HERE = Path(__file__).parent
CASES = read_cases(HERE / "rules.cases")
COURSES = read_courses(HERE / "courses.txt")


@pytest.mark.parametrize("case", [c for c in CASES if c.bites], ids=str)
def test_a_rule_bites(case: Case) -> None:
    assert_bites(case, case.position(position))


@pytest.mark.parametrize("case", [c for c in CASES if not c.bites], ids=str)
def test_a_rule_does_not_bite(case: Case) -> None:
    assert_does_not_bite(case, case.position(position))


@pytest.mark.parametrize("course", COURSES, ids=str)
def test_what_follows(course: Course) -> None:
    at = position(course.at, course.details.get("change", ""), options=tuple(course.options))
    after = play(at, *course.moves)
    assert after.facts >= set(course.details.get("then", "").split())
    assert not after.facts & set(course.details.get("without", "").split())
