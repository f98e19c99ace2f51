"""The evaluator on the heap game: legal actions, effects, steps, outcomes, broken invariants, views and boards."""

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from support import SUPPORT
from support.effort import grows_evenly
from support.heap_game import ACTION, DUE, FOLDER, HEAD, OVER, SCORED, SEATS, START, facts, variant
from support.tables import rows

from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Endless
from kaiser_logic.errors import NotDecided, UnreadableInput
from kaiser_logic.evaluation.evaluator import Evaluator, evaluator_of
from kaiser_logic.evaluation.verdict import IllegalMove, InvalidPosition
from kaiser_logic.game import load
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.records.checking import check


@pytest.fixture(scope="module")
def heap():
    return load(FOLDER).evaluator


FEW = facts(f"{SEATS} phase(play) heap(2) taken(red,4) taken(green,6) took(green) decision(red,take)")


def texts(found: object) -> set[str]:
    assert isinstance(found, (frozenset, tuple, list))
    return set(map(symbols.text, found))


@pytest.mark.parametrize(("done", "rules"), rows("evaluation/reasons", "actions"))
def test_a_judgement_has_all_broken_rules(heap, done, rules):
    role, action = done.split()
    judgement = heap.judge(FEW, {role: symbols.read_symbol(action)})
    found = [(r, symbols.text(a), rule) for r, a, rule in judgement.violations]
    assert found == [(role, action, rule) for rule in rules.split()]


@pytest.mark.parametrize("most", [10, 1_000])
def test_endless_steps_are_noticed(most, tmp_path, monkeypatch):
    """There are too many of them, or a position comes again."""
    folder = variant(tmp_path, {"enter(over)                  :- due(pass_on)": "add(due(pass_on)) :- due(pass_on)"})
    monkeypatch.setattr("kaiser_logic.evaluation.evaluator._MOST_STEPS", most)
    game = load(folder)
    with pytest.raises(Endless, match=r"the automatic steps do not end: pass_on is due again and again"):
        game.evaluator.settle(facts(f"{SEATS} phase(play) heap(0) taken(red,12) took(red) due(pass_on)"))
    record = parse_record('[Game "heap"]' + 4 * " red: take(3) green: take(3)").with_rules(folder)
    with pytest.raises(NotDecided, match="do not end"):
        check(record)


@pytest.mark.parametrize(("change", "broken"), rows("evaluation/reasons", "broken"))
def test_broken_invariants_are_found(heap, change, broken):
    words = broken.strip("-").split()
    assert heap.broken_invariants(FEW | facts(change)) == list(zip(words[::2], words[1::2], strict=True))


def test_a_missing_counter_is_noticed(heap):
    """Without its value no rule about the counter applies, so no such position can be judged."""
    bare = FEW - facts("heap(2)")
    assert ("count", "heap(_)") in heap.broken_invariants(bare)
    assert ("count", "heap(_)") in heap.broken_invariants(bare, waive=False)
    assert heap.broken_invariants(FEW - facts("taken(red,4)")) == [
        ("limit", "stones")
    ]  # a counter that need not be stated is zero


@pytest.mark.parametrize(
    ("game", "fact"), [("kaiser", "points(green,0)"), ("kaiser", "thalers(green,0)"), ("krone", "points(green,0)")]
)
def test_a_missing_counter_of_a_player_is_noticed(game, fact):
    position = load(game).initial()
    assert symbols.read_symbol(fact) in position.symbols
    broken = position.evaluator.broken_invariants(position.symbols - {symbols.read_symbol(fact)})
    assert ("count", fact.replace("0", "_")) in broken


def test_pending_steps_are_allowed_between_decisions(heap):
    due = FEW - facts("decision(red,take)") | facts("due(pass_on)")
    assert heap.broken_invariants(due) == [("vocabulary", "due(pass_on)")]
    assert heap.broken_invariants(due, waive=False) == []


def test_a_view_hides_concealed_facts(tmp_path, heap):
    assert heap.view(FEW, "green") == FEW
    hiding = {
        "amount(1..3).": "amount(1..3).\n"
        "conceals(R,taken(Q,N)) :- player(R), taken(Q,N), R != Q.\ninstead(R,somewhat(Q)) :- conceals(R,taken(Q,_))."
    }
    seen = load(variant(tmp_path, hiding)).evaluator.view(FEW, "red")
    assert texts(seen) - texts(FEW) == {"somewhat(green)"}
    assert texts(FEW) - texts(seen) == {"taken(green,6)"}


def test_an_action_out_of_turn_is_illegal_though_no_rule_names_it(tmp_path):
    """``out_of_turn`` may depend on the seats, and say nothing about a decision."""
    folder = variant(tmp_path, {'out_of_turn(take,"take").': 'out_of_turn(take,"take") :- seat(_,9).'})
    position = load(folder).initial()
    (idle,) = {"red", "green"} - set(position.to_move)
    assert [v.rule for v in position.why(idle, "take(1)")] == ["decision.other"]
    assert [v.rule for v in position.why(*position.to_move, "take(1)")] == []


def test_the_actions_of_chance_have_weights(tmp_path, heap):
    one, two, three = (symbols.read_symbol(f"take({k})") for k in (1, 2, 3))
    assert heap.weights(FEW, [one]) == {}
    weighing = {"amount(1..3).": "amount(1..3).\nweight(take(K),N-K) :- amount(K), K < 3, heap(N)."}
    weighted = load(variant(tmp_path, weighing)).evaluator
    assert weighted.weights(FEW, [three, one]) == {three: 1, one: 1}
    with pytest.raises(NotDecided, match=r"take\(2\) is legal, but its weight is 0"):
        weighted.weights(FEW, [one, two])


def test_an_action_that_another_may_make_legal_is_judged_only_together(tmp_path):
    rules = "defies(R) :- candidate(R,defy). joined(R) :- player(R), defies(Q), Q != R."
    rules += 'violates(R,defy,"vote.both") :- candidate(R,defy), not joined(R).'
    position = load(variant(tmp_path, {}, SUPPORT / "joint", rules)).initial()
    with pytest.raises(NotDecided, match="others decide at the same time"):
        position.is_legal("red", "defy")
    assert position.is_legal("red", "stay")
    position.apply({"red": "defy", "green": "defy"})
    with pytest.raises(IllegalMove):
        position.apply({"red": "defy", "green": "stay"})


def test_too_many_actions_are_not_listed_but_judged(tmp_path):
    folder = variant(tmp_path, {"amount(1..3).": "amount(1..3).\ntoo_many(R,2) :- decision(R,take), heap(12)."})
    evaluator = load(folder).evaluator
    with pytest.raises(NotDecided, match="red has more than 2 actions"):
        evaluator.legal(START)
    assert not evaluator.judge(START, {"red": symbols.read_symbol("take(3)")}).violations


def test_a_board_with_an_unknown_fact_is_refused(tmp_path):
    boards = {
        "amount(1..3).": "amount(1..3).\n%! board big -- There are stones enough.\n"
        "board_fact(stones(N)) :- number(N).\nboard_broken(big,N) :- board(stones(N)), N < 3."
    }
    evaluator = load(variant(tmp_path, boards)).evaluator
    assert evaluator.board_problem(facts("stones(7)")) is None
    assert evaluator.board_problem(facts("seas(7)")) == ("", "seas(7)")


def test_each_configuration_has_one_evaluator(heap):
    configuration = pickle.loads(pickle.dumps(heap.ruleset.configuration))
    assert evaluator_of(configuration) is heap


def test_a_step_may_read_pending_decisions(tmp_path):
    """The effect of a step may depend on the decisions that are pending at the same time."""
    changes = {
        '"decisions", "end"]': '"end"]',
        "fluent(decision(R,take))  :- player(R).": "fluent(decision(R,take;R,doze)) :- player(R).\n"
        "fluent(dozing(R)) :- player(R).",
        ACTION: "action(take,take(K)) :- amount(K).\naction(doze,doze).",
        DUE: "add(due(pass_on)) :- made(_,take).\n"
        "add(decision(Q,doze)) :- does(R,take(3)), left(R,Q).\n"
        "add(dozing(Q)) :- due(pass_on), decision(Q,doze).\n"
        'candidate(R,doze) :- decision(R,doze).\nout_of_turn(doze,"take").',
    }
    start = load(variant(tmp_path, changes)).initial()
    assert "dozing(green)" in start.apply({"red": "take(3)"}).facts
    assert "dozing(green)" not in start.apply({"red": "take(2)"}).facts


@pytest.mark.slow
def test_a_presumed_invariant_is_not_required_of_a_given_position(tmp_path):
    """Such a position may lack facts about its history. Between decisions and in proofs the invariant is checked."""
    folder = variant(tmp_path, {"amount(1..3).": "amount(1..3).\npresumed(one_taker)."})
    evaluator = load(folder).evaluator
    none_took = FEW - facts("took(green)")
    assert evaluator.broken_invariants(none_took) == []
    assert evaluator.broken_invariants(none_took, waive=False) == [("one_taker", "none")]
    assert not load(folder).find("not took(_), heap(2)")


def test_static_rules_of_a_rulebook_do_not_disable_the_engine(tmp_path):
    """With points that nobody scores and an invariant without facts, stones still move and limits are still checked."""
    strict = {HEAD: f"%! invariant seated -- Red plays.\nbroken(seated,x) :- not player(red).\n{HEAD}"}
    game = load(variant(tmp_path, {**SCORED, **strict}))
    after = game.initial().apply({"red": "take(2)"})
    assert "taken(red,2)" in after.facts
    assert not after.broken_invariants()
    with pytest.raises(InvalidPosition, match="limit"):
        game.position({*after.facts, "taken(green,9)"})


def test_unknown_facts_of_a_board_do_not_slow_the_check_down(tmp_path):
    """A rule that joins facts of a board with each other sees only facts that a board may have."""
    rules = (
        "board_fact(stones(N)) :- number(N), N < 9.\nboard_broken(big,N) :- board(stones(N)), board(stones(M)), N < M."
    )
    boards = {"amount(1..3).": f"amount(1..3).\n%! board big -- There is one number of stones.\n{rules}"}
    folder = variant(tmp_path, boards)

    def message(text: str) -> str:
        (tmp_path / "board.lp").write_text(text)
        with pytest.raises(UnreadableInput) as refused:
            load(folder, board=tmp_path / "board.lp")
        return refused.value.message

    def refusal(number: int) -> Callable[[], object]:
        return lambda: message(" ".join(f"stones({n})." for n in range(number)))

    assert message("stones(7). stones(8).") == "7: There is one number of stones."
    unknown = "stones(9): this is no fact of a board of this game; stones(N) needs number(N), N < 9"
    assert message("stones(7). stones(9).") == unknown
    assert grows_evenly(refusal, 300)


@pytest.mark.parametrize(("text", "place", "message"), rows("evaluation/reasons", "board"))
def test_a_fault_of_a_board_is_reported_at_its_place(tmp_path, text, place, message):
    """A witness may be a fact of the board, the beginning of one, or its name. The place is the last such fact."""
    rules = """amount(1..3).
        board_fact(stones(I,N)) :- number(I), number(N), N < 9.
        board_fact(size(N))     :- number(N).
        %! board big -- There is one number of stones.
        board_broken(big,stones(I)) :- board(stones(I,N)), board(stones(I,M)), N < M.
        %! board wide -- The board is large enough.
        board_broken(wide,size) :- board(size(N)), board(stones(I,_)), I > N.
    """
    folder = variant(tmp_path, {"amount(1..3).": rules.replace("\n        ", "\n")})
    file = tmp_path / "board.lp"
    file.write_text(text)
    with pytest.raises(UnreadableInput) as refused:
        load(folder, board=file)
    assert f"{refused.value.line}:{refused.value.column}" == place
    assert message in refused.value.message
    assert refused.value.path == str(file)


# Rules that read only static facts hold in all positions, and they are evaluated like all other rules.
ENGINES = ["compiled", "clingo"]
GOALS = [
    "goal(R,1) :- terminal, took(R), ruling(last_stone,wins).",
    "goal(R,0) :- terminal, player(R), not took(R), ruling(last_stone,wins).",
    "goal(R,0) :- terminal, took(R), ruling(last_stone,loses).",
    "goal(R,1) :- terminal, player(R), not took(R), ruling(last_stone,loses).",
]


def with_rules(folder: Path, engine: str, rules: str, **more: str) -> Evaluator:
    """The heap game with more rules and other changes."""
    folder = variant(folder, {"amount(1..3).": f"amount(1..3).\n{rules}", **more})
    return load(folder, players=2, engine=engine).evaluator


@pytest.mark.parametrize("engine", ENGINES)
def test_points_may_depend_on_seats_only(engine, tmp_path):
    evaluator = load(
        variant(tmp_path, dict(zip(GOALS, ["goal(R,I) :- seat(R,I).", "", "", ""], strict=True))),
        players=2,
        engine=engine,
    ).evaluator
    assert evaluator.outcome(OVER) == ({"red": 1, "green": 2}, ["green"])
    assert evaluator.outcome(START) is None


@pytest.mark.parametrize("engine", ENGINES)
def test_the_winner_may_depend_on_a_seat_only(engine, tmp_path):
    changes = {'"decisions", "end"]': '"decisions"]'}
    rules = "terminal :- phase(over).\nwinner(R) :- seat(R,2)."
    assert with_rules(tmp_path, engine, rules, **changes).outcome(OVER) == ({"red": 1, "green": 0}, ["green"])


@pytest.mark.parametrize("engine", ENGINES)
def test_weights_may_be_facts(engine, tmp_path):
    rules = "weight(take(1),99). weight(take(K),1) :- amount(K), K > 1."
    legal = [symbols.read_symbol(f"take({k})") for k in (1, 2, 3)]
    assert list(with_rules(tmp_path, engine, rules).weights(START, legal).values()) == [99, 1, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fact_may_be_concealed_in_all_positions(engine, tmp_path):
    evaluator = with_rules(tmp_path, engine, "conceals(green,took(R)) :- player(R).\ninstead(green,someone).")
    assert evaluator.view(OVER, "green") == (OVER | facts("someone")) - facts("took(red)")
    assert evaluator.view(OVER, "red") == OVER


@pytest.mark.parametrize("engine", ENGINES)
def test_actions_may_be_too_many_in_all_positions(engine, tmp_path):
    evaluator = with_rules(tmp_path, engine, "too_many(R,2) :- player(R).")
    with pytest.raises(NotDecided, match="has more than 2 actions"):
        evaluator.legal(START)


@pytest.mark.parametrize("engine", ENGINES)
def test_candidates_and_violations_may_be_static(engine, tmp_path):
    rules = "candidate(green,take(1)).\n%! rule never -- Nobody takes two.\n%!   standard  Nowhere\n"
    evaluator = with_rules(tmp_path, engine, f'{rules}violates(R,take(2),"never") :- player(R).')
    legal = {(role, symbols.text(action)) for role, action in evaluator.legal(START)}
    # what is listed for green, who has no decision, is not offered
    assert legal == {("red", "take(1)"), ("red", "take(3)")}
    assert [rule for _, _, rule in evaluator.judge(START, {"red": symbols.read_symbol("take(2)")}).violations] == [
        "never"
    ]
    for role, action in legal:  # a rule against an action does not forbid others
        found = evaluator.judge(START, {role: symbols.read_symbol(action)}).violations
        assert "never" not in {rule for _, _, rule in found}


@pytest.mark.parametrize("engine", ENGINES)
def test_an_effect_may_depend_on_changes_only(engine, tmp_path):
    rules = "hasty :- change(heap,N), N < -2.\nadd(took(R)) :- hasty, player(R), made(_,take)."
    evaluator = with_rules(tmp_path, engine, rules)
    for number, players in ((2, ["red"]), (3, ["green", "red"])):
        judged = evaluator.judge(START, {"red": symbols.read_symbol(f"take({number})")})
        assert sorted(symbols.text(f.arguments[0]) for f in judged.added if f.name == "took") == players
