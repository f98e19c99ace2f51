"""The check of encodings notices candidates that are encoded or read wrongly."""

from __future__ import annotations

from random import Random

import pytest
from support.mined import candidate, game, positions, vocabulary

from kaiser_logic.lang.algebra import rename_predicates
from kaiser_logic.lang.terms import Rule
from kaiser_logic.mining import miner
from kaiser_logic.mining.candidates import Candidate, Template
from kaiser_logic.mining.miner import EncodingCheck, InductiveSet
from kaiser_logic.mining.queries import CandidateQuery, sorts_of, with_candidates

CANDIDATES = {
    "never": candidate(Template.NEVER, "taken(_,4)"),
    "always": candidate(Template.ALWAYS, "heap(_)"),
    "apart": candidate(Template.EXCLUDES_SAME, "took(X)", "decision(X,take)", sort="player"),
    "needs": candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player"),
    "over": candidate(Template.IMPLIES, "phase(over)", "heap(0)"),
    "each": candidate(Template.EACH, "phase(over)", "taken(X,_)", sort="player"),
    "most": candidate(Template.AT_MOST, "phase(play)", "taken(_,N)", 3),
    "least": candidate(Template.AT_LEAST, "decision(_,take)", "heap(N)", 1),
    "one": candidate(Template.EXCLUDES, "phase(over)", "due(pass_on)"),
}
"""A candidate for each template."""


def made(candidates: dict[str, Candidate] = CANDIDATES) -> tuple[EncodingCheck, list[CandidateQuery]]:
    ruleset = game("nim").ruleset
    sorts = sorts_of(ruleset)
    work = InductiveSet(ruleset, candidates)
    work.largest(candidates)
    rules = with_candidates(ruleset, candidates)
    seen = sorted(positions("nim"), key=lambda facts: sorted(map(str, facts)))
    found = EncodingCheck(rules, vocabulary("nim"), sorts, candidates, seen, Random(1))
    return found, work.programs(candidates)


def test_each_template_agrees() -> None:
    assert {c.template for c in CANDIDATES.values()} == set(Template)
    found, programs = made()
    assert set(found.positions) == set(CANDIDATES)
    assert len(programs) == 3
    assert found.differs(programs) is None


def test_rules_with_names_of_the_earlier_moment_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule about the position after a transition reads the one before it, so false candidates would survive."""
    found, programs = made()
    right = CandidateQuery.rules

    def rules(opening: CandidateQuery, names: dict[str, Candidate]) -> list[tuple[str, Rule]]:
        old = {(opening.called(("heap", 1)), 1): "heap"}
        return [(name, rename_predicates(rule, old)) for name, rule in right(opening, names)]

    monkeypatch.setattr(CandidateQuery, "rules", rules)
    differs = found.differs(programs)
    assert differs is not None
    assert "is encoded otherwise than it is read" in differs


def test_a_template_with_another_meaning_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = miner.breaks
    monkeypatch.setattr(miner, "breaks", lambda c, f, v: right(c, f, v) and c.template is not Template.EACH)
    found, programs = made()
    differs = found.differs(programs)
    assert differs == "phase(over), player(X), not taken(X,_) is read otherwise than it is meant"


def test_no_candidates_agree() -> None:
    found, programs = made({})
    assert found.differs(programs) is None
