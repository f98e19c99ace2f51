"""prove, find and compare with actions that name sets of cards: krone, two players."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from support.limits import NO_END
from support.proofs import examined, of_positions

from kaiser_logic.comparison.compare import Difference, compare
from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.solving.goals import ENUMERATION
from kaiser_logic.solving.report import Counterexample
from kaiser_logic.solving.rounds import Rounds

pytestmark = pytest.mark.by_hand

SEATS = ["red", "green"]
GAME = load("krone", seats=SEATS)


# -- prove -------------------------------------------------------------------------------------------------------------


def damaged(folder: Path, file: str, line: str, instead: str) -> Game:
    """The game with a rule changed. ``line`` is the beginning of the rule."""
    shutil.copytree(asp_folder() / "krone", folder)
    path = folder / f"{file}.lp"
    lines = path.read_text(encoding="utf-8").splitlines()
    (at,) = [i for i, text in enumerate(lines) if re.sub(r"\s+", " ", text).startswith(line)]
    while lines[at + 1].startswith("    "):
        del lines[at + 1]
    lines[at] = instead
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load(folder, seats=SEATS)


def replayed_by_hand(game: Game, invariant: str, example: Counterexample) -> bool:
    """Whether all actions are legal in the position, and the invariant is broken after them."""
    facts = frozenset(map(symbols.read_symbol, example.facts))
    assert not game.evaluator.broken_invariants(facts)
    judged = game.evaluator.judge(facts, {r: symbols.read_symbol(a) for r, a in example.actions})
    after = (facts - frozenset(judged.deleted)).union(judged.added)
    found = {i for i, _ in game.evaluator.broken_invariants(after, waive=False)}
    return not judged.violations and invariant in found


# file, beginning of the changed line, its replacement, transition, invariant that falls
ERRORS = [
    ("force", 'violates(R,force(M),"attack.force.enough")', "", "force(M)", "pending_attack"),
    ("force", 'violates(R,force(M),"attack.force.battle")', "", "force(M)", "pending_attack"),
    ("sets", 'violates(R,force(M),"cards.set")', "", "force(M)", "count"),
    ("sets", 'violates(R,vote(V,M),"cards.set")', "", "vote", "count"),
    (
        "sets",
        "shift(hand(R,C),laid(R,C),N,lay)",
        "gain(laid(R,C),N,lay) :- lays(R,M), part(M,C,N).",
        "vote",
        "limit",
    ),
    ("sets", "shift(hand(R,C),laid(R,C),N,lay)", "", "force(M)", "decision_fits"),
    ("revolt", 'violates(R,vote(sword,M),"vote.king")', "", "vote", "votes"),
    ("revolt", 'violates(R,vote(crown,M),"vote.leader")', "", "vote", "votes"),
    ("force", "shift(laid(R,C),discard(C),N,attack)", "", "none", "laid"),
    ("common", 'violates(R,A,"supply.shield")', "", "occupy(F)", "limit"),
    (
        "building",
        "crowned(R) :-",
        "crowned(R) :- due(crown), turn(R), not king(_), owns(R,castle).",
        "step crown",
        "king_owns",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "line", "instead", "label", "invariant"), ERRORS, ids=[f"{e[1][:40]}-{e[4]}" for e in ERRORS]
)
def test_seeded_errors_are_found(
    tmp_path: Path, file: str, line: str, instead: str, label: str, invariant: str
) -> None:
    game = damaged(tmp_path / "krone", file, line, instead)
    example = examined(game, label, invariant).broken[invariant]
    assert example.replayed
    if not label.startswith("step") and invariant in ("pending_attack", "votes", "laid", "limit"):
        assert replayed_by_hand(game, invariant, example)
    if label in ("force(M)", "vote"):
        assert all(re.search(r"\b(none|with\(\d+,\w+,.*)\)$", action) for _, action in example.actions)
        assert not any("set_of" in a or "everything" in a for _, a in example.actions)


@pytest.mark.slow
@pytest.mark.parametrize("label", sorted({e[3] for e in ERRORS}))
def test_correct_rules_pass_the_same_goals(label: str) -> None:
    claims = {e[4] for e in ERRORS if e[3] == label} | {"votes", *([] if "step" in label else [ENUMERATION])}
    found = examined(GAME, label, *sorted(claims))
    assert not found.broken and not found.trouble
    assert found.possible


@pytest.mark.slow
def test_invariants_hold_after_laying_cards() -> None:
    for label in ("force(M)", "vote"):
        assert set(examined(GAME, label).verdicts.values()) == {"proved"}


@pytest.mark.slow
def test_an_incomplete_list_of_sets_is_found(tmp_path: Path) -> None:
    game = damaged(
        tmp_path / "krone",
        "sets",
        "pickable(R,C,N) :- decision(R,force)",
        "pickable(R,C,N) :- decision(R,force), holds(R,C,N), fights(C), C != leader4.",
    )
    unlisted = examined(game, "force(M)", ENUMERATION).broken[ENUMERATION]
    ((role, action),) = unlisted.actions
    position = game.position(unlisted.facts)
    assert "leader4" in action
    assert position.is_legal(role, action) and action not in position.legal()[role]


@pytest.mark.slow
def test_decisions_to_lay_cards_have_legal_actions() -> None:
    for decision in ("force", "vote"):
        assert of_positions(GAME, f"legal action at {decision}").verdict == "proved"


@pytest.mark.slow
def test_a_deadlock_without_enough_cards_is_found(tmp_path: Path) -> None:
    """With this part of decision_fits removed, an attack could be pending with a hand that is too weak."""
    game = damaged(
        tmp_path / "krone",
        "pending",
        "may_decide(R,force)",
        "may_decide(R,force) :- attack(F), turn(R), not laid(_,_,_).",
    )
    found = of_positions(game, "legal action at force").example
    assert found is not None and found.replayed
    assert not any(game.position(found.facts).legal().values())


@pytest.mark.skipif(not os.environ.get("KAISER_LOGIC_PROOFS"), reason="minutes: set KAISER_LOGIC_PROOFS=1")
@pytest.mark.parametrize("edition", ["standard", "nl"])
def test_whole_proof(edition: str) -> None:
    report = Rounds(load("krone", edition=edition, seats=SEATS).ruleset).run(workers=None)
    assert report.proved, [str(p) for p in report.proofs if p.status != "proved"]
    assert report.never_legal == []


# -- find --------------------------------------------------------------------------------------------------------------


def one(query: str) -> Position:
    """The position that is found. It must be valid by the evaluation."""
    (position,) = GAME.find_result(query, timeout=NO_END).positions
    assert not position.broken()
    return position


def none(query: str) -> None:
    found = GAME.find_result(query, timeout=NO_END)
    assert found.positions == () and found.exhausted


@pytest.mark.slow
def test_some_set_is_legal() -> None:
    assert one("legal(red,force(_))").legal()["red"]
    assert one("decision(red,force), legal(red,A)").legal()["red"]


@pytest.mark.slow
def test_a_given_set_is_legal() -> None:
    position = one("legal(red,force(with(1,leader4,none))), hand(red,leader3,2), castle(F), shield(F,green)")
    assert "force(with(1,leader4,none))" in position.legal()["red"]
    assert "hand(red,leader3,2)" in position.facts


@pytest.mark.slow
def test_a_given_set_is_not_legal() -> None:
    given = "force(with(1,leader4,none))"
    position = one(f"decision(red,force), hand(red,leader4,_), not legal(red,{given})")
    assert given not in position.legal()["red"]
    assert [v.rule for v in position.why("red", given)] == ["attack.force.enough"]


@pytest.mark.slow
def test_no_single_card_is_enough() -> None:
    """No set of a shape is legal. The position found is evaluated again."""
    few = "count{C : hand(red,C,_)} <= 3"  # of many cards there are too many sets to be listed
    position = one(f"decision(red,force), hand(red,leader4,_), {few}, not legal(red,force(with(1,_,none)))")
    actions = position.legal()["red"]
    assert actions and not any(re.fullmatch(r"force\(with\(1,\w+,none\)\)", a) for a in actions)


@pytest.mark.slow
def test_no_set_is_legal() -> None:
    position = one("decision(red,vote), not legal(red,vote(crown,_))")
    assert all(a.startswith("vote(sword,") for a in position.legal()["red"])


@pytest.mark.slow
def test_one_set_for_one_and_not_for_the_other() -> None:
    position = one("legal(red,vote(_,M)), not legal(green,vote(_,M))")
    red, green = ({a.partition(",")[2] for a in position.legal()[r]} for r in SEATS)
    assert red - green


@pytest.mark.slow
def test_a_set_that_breaks_a_rule() -> None:
    position = one("violates(red,vote(crown,_),vote.leader), decision(red,vote)")
    assert [v.rule for v in position.why("red", "vote(crown,none)")] == ["vote.leader"]
    position = one("decision(red,force), violates(red,force(with(2,truce,none)),attack.force.battle)")
    assert "attack.force.battle" in {v.rule for v in position.why("red", "force(with(2,truce,none))")}


@pytest.mark.slow
def test_several_positions_differ() -> None:
    positions = GAME.find_result(
        "legal(red,force(with(1,leader4,none))), attack(F)", count=3, timeout=NO_END
    ).positions
    assert len({f for p in positions for f in p.facts if f.startswith("attack(")}) == 3
    assert all("force(with(1,leader4,none))" in p.legal()["red"] for p in positions)


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "decision(red,vote), not legal(red,vote(_,none))",
        "decision(red,vote), hand(red,castle,_), not legal(red,vote(_,with(1,castle,none)))",
        "decision(red,force), not legal(red,force(_))",
        "decision(red,force), not legal(red,_)",
        "legal(red,force(none))",
        "legal(red,force(with(1,ambush,none)))",
        "legal(red,force(with(2,castle,none))), hand(red,castle,1)",
        "violates(red,vote(sword,_),vote.leader)",
        # not a set: copies that there are not, the wrong order, a card twice, an event
        "legal(red,force(with(4,leader4,none)))",
        "legal(red,force(with(1,castle,with(1,leader4,none))))",
        "legal(red,vote(_,with(1,castle,with(1,castle,none))))",
        "legal(red,vote(_,with(1,unrest,none)))",
    ],
)
def test_none_is_proved(query: str) -> None:
    none(query)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("legal(red,vote(sword,_)), legal(red,vote(crown,_))", "not whether several are"),
        ("legal(red,force(with(2,C,_)))", "only a part is given"),
        ("hand(red,C,1), legal(red,force(with(1,C,none)))", "only a part is given"),
        ("legal(red,force(M)), M = with(1,leader4,none)", "only a part is given"),
        (
            "decision(red,vote), hand(red,castle,_), not (hand(red,C,_), not legal(red,vote(_,with(1,C,none))))",
            "not whether several are",
        ),
        ("decision(red,force), not violates(red,force(_),cards.set)", "together with violates"),
        ("violates(red,vote(crown,_),vote.leader), not legal(red,vote(_,_))", "together with violates"),
        (
            "decision(red,force), hand(red,city,15), hand(red,castle,14), hand(red,cathedral,10), "
            "hand(red,leader3,5), hand(red,leader4,3), not legal(red,force(with(1,_,none)))",
            "more than 20000 actions",
        ),
    ],
)
def test_undecided_queries_have_a_reason(query: str, reason: str) -> None:
    with pytest.raises(NotDecided, match=reason):
        GAME.find_result(query, timeout=NO_END)


@pytest.mark.parametrize("name", ["everything(red)", "set_of(red,0)"])
def test_queries_cannot_name_internal_sets(name: str) -> None:
    with pytest.raises(WrongUsage, match="is no set"):
        GAME.find_result(f"decision(red,force), not legal(red,force({name}))")


@pytest.mark.slow
def test_exported_predicates_can_be_queried() -> None:
    position = one(
        "owns(green,castle), not owns(green,city), can_lead(red), can_exceed(red,green), king(red)"
    )
    assert "king(red)" in position.facts and any(f.startswith("castle(") for f in position.facts)
    none("king(red), not owns(red,castle)")
    none("full, not phase(over)")
    none("decision(red,force), not can_exceed(red,green)")


# -- compare -----------------------------------------------------------------------------------------------------------

RING = """
piece(a,a1,octagon,plain,0,0). piece(a,a2,square,plain,1,1). piece(a,a3,octagon,mountain,2,0).
piece(a,a4,square,forest,3,1). piece(a,a5,octagon,plain,4,0).
piece(b,b1,square,plain,0,0). piece(b,b2,octagon,mountain,1,1). piece(b,b3,square,plain,2,0).
piece(b,b4,octagon,plain,3,1). piece(b,b5,octagon,forest,4,0).
join(2,a,0,0). join(2,b,0,3).
border(a1,a2). border(a2,a3). border(a3,a4). border(a4,a5). border(a5,b1).
border(b1,b2). border(b2,b3). border(b3,b4). border(b4,b5). border(b5,a1).
"""


def assert_difference(difference: Difference, first: Game, second: Game) -> None:
    """Asserts that the two games differ at the position found."""
    assert difference.position is not None, difference
    facts, actions = difference.position.facts, dict(difference.actions)
    here, there = first.position(facts), second.position(facts)
    if difference.how == "result":
        assert not actions and here.result() != there.result()
        return
    legal = [all(p.is_legal(r, a) for r, a in actions.items()) for p in (here, there)]
    if difference.how == "legality":
        assert legal[0] != legal[1]
    else:
        assert legal == [True, True] and here.apply(actions) != there.apply(actions)


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board of ten fields, to be fast."""
    path = tmp_path_factory.mktemp("board") / "ring.lp"
    path.write_text(RING)
    return path


SLOW = pytest.mark.skipif(
    not os.environ.get("KAISER_LOGIC_PROOFS"), reason="a minute: set KAISER_LOGIC_PROOFS=1"
)


@pytest.mark.long
@pytest.mark.parametrize("same", [["end_shuffle"], pytest.param([], marks=SLOW)], ids=["two", "three"])
def test_standard_and_dutch(same: list[str], ring: Path) -> None:
    """Three rulings differ. The one about the end phase takes longest."""
    first = load("krone", seats=SEATS, board=ring)
    options = {name: first.options[name] for name in same}
    second = load("krone", edition="nl", seats=SEATS, board=ring, options=options)
    found = {d.ruling.name: d for d in compare(first, second, timeout=NO_END)}
    assert set(found) == {"replacement", "truce_in_revolt", "end_shuffle"} - set(same)
    for name, difference in found.items():
        changed = load("krone", seats=SEATS, board=ring, options={name: second.options[name]})
        assert_difference(difference, first, changed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruling", "one", "other"),
    [
        ("area_ties", "next_size", "no_second"),  # differs some steps later
        ("revolts_per_turn", "any", "one"),  # only one vocabulary has the fact
        ("supply", "unlimited", "limited"),  # only the second has limits
    ],
)
def test_one_ruling(ruling: str, one: str, other: str, ring: Path) -> None:
    board = None if ruling == "supply" else ring  # ten fields never take all shields
    first, second = (
        load("krone", seats=SEATS, board=board, options={ruling: value}) for value in (one, other)
    )
    (difference,) = compare(first, second, timeout=NO_END)
    assert difference.values == (one, other)
    assert_difference(difference, first, second)


def test_a_ruling_about_the_result(tmp_path: Path) -> None:
    """The small game of docs/write/rulebooks.md: whoever takes the last stone wins or loses."""
    text = (Path(__file__).parents[3] / "docs" / "write" / "rulebooks.md").read_text(encoding="utf-8")
    blocks = re.findall(r"`heap/([\w.]+)`:\n\n```\w+\n(.*?)```", text, re.S)
    folder = tmp_path / "heap"
    folder.mkdir()
    for name, content in blocks:
        (folder / name).write_text(content, encoding="utf-8")
    first, second = (load(folder, options={"last_stone": value}) for value in ("wins", "loses"))
    (difference,) = compare(first, second, timeout=NO_END)
    assert difference.how == "result"
    assert "with wins " in difference.words and "won" in difference.words
    assert_difference(difference, first, second)
