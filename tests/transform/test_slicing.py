"""A slice has the rules that a question needs, and no others: tested on the heap game and on invented rules."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from support.heap_game import ENOUGH, FOLDER, variant
from support.tables import rows

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.lang.terms import Fun, Name, Signature, Term, Var
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.predicates import ADD, DECISION, DEL, DUE, SUBMITTED, VIOLATES
from kaiser_logic.rules.reader import read_term, rule_of
from kaiser_logic.rules.rule import PlacedRule, top
from kaiser_logic.transform.slicing import Slicer, seeds

SEEDS = (SUBMITTED, DUE, DECISION)
TAKE = read_term("take(K)")


def _cut(rules: Iterable[PlacedRule], outputs: str, actions: Iterable[Term] = (), **more: Iterable[Term]) -> list[str]:
    wanted = [rule_of(f"{output}.").heads[0] for output in outputs.split()]
    found = Slicer(list(rules), SEEDS).slice(seeds(actions=actions, **more), wanted)
    return [rule.text for rule in found]


PROGRAMS: dict[str, str] = {}
for row in rows("transform/slices", "program"):
    PROGRAMS[row.values[0]] = f"{PROGRAMS.get(row.values[0], '')}\n{row.values[1]}"


@pytest.mark.parametrize(("program", "outputs", "given", "expected"), rows("transform/slices", "slice"))
def test_a_slice_has_the_rules_that_can_fire_and_are_needed(program, outputs, given, expected):
    kind, _, term = given.partition(" ")
    found = _cut(parse_rules(PROGRAMS[program]), outputs, **{f"{kind}s": [read_term(term)]})
    assert (" ".join(found) or "-") == expected


def test_patterns_that_grow_without_end_are_cut_off():
    """This may only widen the slice."""
    rules = parse_rules("n(f(X)) :- submitted(_,X). n(f(X)) :- n(X). wanted :- n(f(f(f(f(a))))). other :- n(g).")
    assert "wanted :- n(f(f(f(f(a)))))." in _cut(rules, "wanted", [Name("a")])


def test_the_acting_role_is_independent_of_variables_in_the_action():
    rules = parse_rules("add(x) :- submitted(red,call(green)). add(y) :- decision(red,call(green)).")
    for name in ("R", "Role"):
        call: Term = Fun("call", (Var(name),))
        assert len(Slicer(rules, [SUBMITTED, DECISION]).slice(seeds([call], (), [call]), [top("add", 1)])) == 2


# -- carriers ------------------------------------------------------------------------------------------------


def _heap(folder: Path) -> Game:
    """The heap game, or a variant, for three players."""
    return load(folder, players=3)


def _slice(game: Game, actions: Iterable[Term], outputs: Iterable[Signature], **more: list[Term]) -> list[str]:
    found = game.ruleset.judging.slice(seeds(actions=actions, **more), [top(*o) for o in outputs])
    return [rule.text for rule in found]


def test_slices_of_the_heap_game_have_only_the_rules_of_their_question():
    game = _heap(FOLDER)
    judged = _slice(game, [TAKE], [VIOLATES, ADD, DEL], decisions=[Name("take")])
    assert 'violates(R,take(K),"take.enough") :- candidate(R,take(K)); heap(N); not holds_at_least(K).' in judged
    assert not [r for r in judged if "due(pass_on);" in r or r.startswith(("broken", "goal", "candidate(R,take"))]
    due = _slice(game, [], [ADD, DEL], steps=[Name("pass_on")])
    assert "enter(over) :- due(pass_on); not holds_at_least(1)." in due
    assert not [r for r in due if "does(" in r or "submitted" in r]


@pytest.mark.slow
def test_earlier_slices_do_not_change_later_ones():
    """A slicer caches which patterns the rules derive. Its slices equal those of a new slicer."""
    rules = load("kaiser").evaluator.ruleset
    kinds = rules.book.kinds[::5]
    wanted = [top(*VIOLATES), top(*ADD), top(*DEL)]
    starts = [seeds(None, (), [kind.action]) for kind in kinds]
    starts += [seeds(None, (), [one.action, other.action]) for one, other in pairwise(kinds)]
    shared = Slicer(rules.judging.rules, SEEDS)
    for start in (*starts, *reversed(starts)):
        alone = Slicer(rules.judging.rules, SEEDS)
        assert shared.slice(start, wanted) == alone.slice(start, wanted)


def test_rules_of_actions_at_another_decision_are_left_out():
    """A rule that forbids an action elsewhere is not part of the slice, so a change of it leaves the proofs valid."""
    lines = [f"candidate(R,put{n}(K)) :- decision(R,take), amount(K)." for n in range(40)]
    elsewhere = 'violates(R,rest(K),"rest") :- candidate(R,rest(K)), tired(R).'
    rules = parse_rules("\n".join([*lines, "candidate(R,rest(K)) :- decision(R,lie), amount(K).", elsewhere]))
    slicer = Slicer(rules, SEEDS)
    cut = slicer.slice(seeds([read_term("take")], (), [read_term("put7(K)")]), [top(*VIOLATES), top("candidate", 2)])
    assert {rule.text for rule in cut} == {rule.text for rule in rules[:40]}


# Terms are cut off at a depth, and two terms that are cut off are never taken to be equal.
def nested(term: str, depth: int) -> str:
    """A term inside so many functions."""
    return f"{'f(' * depth}{term}{')' * depth}"


@pytest.mark.parametrize("depth", [1, 5, 6, 7, 8, 12])
def test_terms_that_differ_below_the_cut_may_both_hold(depth):
    pair = f"pair({nested('a', depth)},{nested('b', depth)})"
    rules = parse_rules(f"add(x) :- submitted(_,go), {pair}. {pair} :- fl(1).")
    found = Slicer(rules, [SUBMITTED]).slice(seeds(actions=[read_term("go")]), [top("add", 1)])
    assert len(found) == 2


PAIR = f"pair({nested('a', 7)},{nested('b', 7)})"


@pytest.mark.parametrize(
    ("condition", "more"),
    [
        (PAIR, f"{PAIR} :- heap(2)."),
        ("pp(Z,Z,W,W,Z,W)", "pp(f(X),X,f(Y),Y,U,U) :- amount(X), heap(Y), heap(U).\npp(0,0,0,0,0,0) :- heap(2)."),
    ],
    ids=["deep terms", "cyclic terms never hold"],
)
def test_a_rule_forbids_an_action(condition, more, tmp_path):
    rule = f'violates(R,take(2),"take.enough") :- candidate(R,take(2)), {condition}.'
    folder = variant(tmp_path, {ENOUGH: f"{ENOUGH}\n{more}\n{rule}", "init(heap(12)).": "init(heap(2))."})
    evaluator = load(folder).evaluator
    judged = evaluator.judge(evaluator.initial(), {"red": symbols.read_symbol("take(2)")})
    assert [rule for _, _, rule in judged.violations] == ["take.enough"]
    assert [str(action) for _, action in evaluator.legal(evaluator.initial())] == ["take(1)"]


@pytest.mark.parametrize("name", ["engine", "engine_heap", "generated"])
def test_the_name_of_a_folder_makes_no_difference(tmp_path, name):
    plain = variant(tmp_path, {"init(heap(12)).": "init(heap(2))."})
    usual = load(plain)
    found = load(plain.rename(tmp_path / name))
    for game in (usual, found):
        facts = game.evaluator.initial()
        legal = sorted(str(action) for _, action in game.evaluator.legal(facts))
        assert legal == ["take(1)", "take(2)"]
        for role, action in game.evaluator.legal(facts):
            assert not game.evaluator.judge(facts, {role: action}).violations
