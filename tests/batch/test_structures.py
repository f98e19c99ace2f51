"""Structures that actions hold: what is legal, what is chosen, what it changes, in a batch as for one position."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.batches import moments, same_disturbed, same_games, same_positions

pytest.importorskip("numba")

import clingo
import numpy as np
from kaiser_logic.batch.arrays import Damaged
from kaiser_logic.batch.asking import entangled
from kaiser_logic.batch.cofactors import cofactors
from kaiser_logic.batch.kernels import may
from kaiser_logic.batch.places import MOST, ROWS, ROWS_END
from kaiser_logic.batch.separating import apart
from kaiser_logic.batch.structures import Parting

from kaiser_logic.batch.bits import Circuit
from kaiser_logic.batch.buckets import Bucket, Key
from kaiser_logic.batch.building import built
from kaiser_logic.batch.lanes import Lanes
from kaiser_logic.batch.layout import layout_of
from kaiser_logic.batch.opening import Unsupported
from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.game import Game, load
from kaiser_logic.rules.reader import rule_of
from kaiser_logic.transform.relaxing import relaxed

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[1] / "support" / "stalls"


def stalls(players: int = 2, gems: str = "allowed") -> Game:
    """In turn everybody buys at a stall, and pays into five boxes."""
    return load(FOLDER, players=players, options={"gems": gems})


@pytest.mark.parametrize("gems", ["allowed", "forbidden"])
def test_structures_beside_other_actions(gems: str) -> None:
    game = stalls(gems=gems)
    batch = game.batch()
    assert not batch.refused
    for lanes in (1, 600):
        handed = same_games(game, 30, seed=3, lanes=lanes)
        assert handed == sum(not any(p.legal().values()) for p in moments(game, 30, 3)[0])
    assert same_positions(game, 8)
    assert same_disturbed(game, 10)
    assert {name for _, name in batch.play(100, 5).actions} == {"buy/3", "buyer/1", "wait/0"}


def test_three_players() -> None:
    game = stalls(3)
    handed = same_games(game, 30, seed=3)
    assert handed == sum(not any(p.legal().values()) for p in moments(game, 30, 3)[0])
    assert same_positions(game, 6)


def test_all_that_can_be_held_comes_into_question() -> None:
    """The structures that are looked at in a position are those of what is listed there, and nearly no others."""
    game = stalls(3)
    batch = game.batch()
    before = [p for p in moments(game, 20)[0] if p.legal()]
    packed = batch.pack(before)
    where = batch.where(packed.state, packed.others)
    assert (where >= 0).all()
    machine, work = batch.stock.machine, batch.work()
    looked, held = 0, 0
    for place, position in enumerate(before):
        bucket = machine.buckets[where[place]]
        may(machine.places[where[place]], machine.data, packed.state, np.array([place]), 1, work)
        first = len(bucket.tickets) + 2
        places = range(first, first + len(bucket.picking.texts))
        here = {bucket.picking.texts[n - first] for n in places if int(work[1][n >> 6, 0]) >> (n & 63) & 1}
        (actions,) = position.legal().values()
        terms = [symbols.read(a) for a in actions]
        own = {symbols.text(t.arguments[1]) for t in terms if t.name == "buy"}
        assert own <= here
        looked, held = looked + len(here), held + len(own)
    assert 0 < held <= looked < 3 * held


def test_every_action_is_as_probable_as_the_others() -> None:
    """The first decision of many games."""
    game = stalls()
    start = game.initial()
    (actions,) = start.legal().values()
    times = dict.fromkeys(actions, 0)
    batch = game.batch()
    games = 100 * len(actions)
    packed = batch.pack([start])
    after = {start.apply({"red": a}): a for a in actions}
    assert len(after) == len(actions), "each leads elsewhere"
    lanes = Lanes(batch.evaluator, batch.stock, batch.least, games, 7, games)
    state, numbers, others = lanes.rows(lanes.stop(1))
    assert not others
    assert state.shape[1] == packed.state.shape[1]
    encoded = {batch.pack([p]).state[0].tobytes(): a for p, a in after.items()}
    for row in state:
        times[encoded[row.tobytes()]] += 1
    chi = sum((n - 100) ** 2 / 100 for n in times.values())
    assert chi < len(actions) + 4 * (2 * len(actions)) ** 0.5
    assert numbers.shape[0] == games


def test_moves_that_hold_structures() -> None:
    game = stalls()
    start = game.initial()
    batch = game.batch()
    fine = {"red": "buy(a,pay(c,x,x,x,g),plain)"}
    assert list(batch.apply([start], [fine])) == [start.apply(fine)]
    assert batch._after(batch.pack([start]), [fine])[1] == [], "by its circuit"
    for wrong in (
        "buy(a,pay(c,x,x,x,x),plain)",
        "buy(a,pay(g,x,x,x,c),dearly)",
        "buy(a,pay(c,c,c,c,c),plain)",
        "buy(a,structure_of(red),plain)",
        "buy(pay(c,x,x,x,g),a,plain)",
        "buy(b,pay(c,x,x,x,g),plain)",
        "buy(a,coin,plain)",
        "buyer(a)",
    ):
        moves = {"red": wrong}
        assert batch._after(batch.pack([start]), [moves])[1] == [0], "not by its circuit"
        with pytest.raises(IllegalMove):
            batch.apply([start], [moves])
        (judged,) = batch.judge([start], [moves])
        assert judged.violations


def test_too_many_structures_are_left_to_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    game = stalls()
    batch = game.batch()
    batch.stock.need()
    places = batch.stock.machine.places.copy()
    held = places[:, ROWS] < places[:, ROWS_END]
    assert held.any()
    places[held, MOST] = 3
    monkeypatch.setattr(batch.stock.machine, "places", places)
    assert same_games(game, 20, seed=3) > 0


# -- what no circuit is made of ----------------------------------------------------------------------------------------------


def altered(tmp_path: Path, old: str, new: str) -> Game:
    """The stalls with another text."""
    text = (FOLDER / "rules.lp").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "rules.lp").write_text(text.replace(old, new), encoding="utf-8")
    (tmp_path / "game.toml").write_bytes((FOLDER / "game.toml").read_bytes())
    return load(tmp_path)


def parting(game: Game) -> Parting | None:
    """How structures of the red player's turn are looked at."""
    return Parting.at(game.ruleset, ("turn", 0), clingo.Function("red"))


def test_where_actions_ask_for_one_another_none_is_made(tmp_path: Path) -> None:
    assert parting(stalls()) is not None
    rule = 'violates(R,buyer(S),"turn.late") :- candidate(R,buyer(S)), paid(_).\n\n%! rule effects'
    assert parting(altered(tmp_path, "\n%! rule effects", rule)) is None
    its, known = stalls().ruleset, rule_of("asked(R) :- candidate(R,buyer(_)).")
    assert not entangled(its, [known, rule_of("candidate(R,wait) :- decision(R,turn).")])
    assert entangled(its, [known, rule_of("candidate(R,wait) :- asked(R).")])


def test_two_kinds_of_such_actions_are_left_alone(tmp_path: Path) -> None:
    more = "action(turn,buy(none,S,late)) :- stall(S).\naction(turn,wait)."
    assert parting(altered(tmp_path, "action(turn,wait).", more)) is None


def test_actions_mixed_up_in_the_order_of_texts() -> None:
    its = parting(stalls())
    assert its is not None

    def legal(text: str) -> clingo.Symbol:
        return clingo.Function("legal", [clingo.Function("red"), symbols.read(text)])

    named = [legal(f"buy(a,structure_of(red),{way})") for way in ("late", "plain")]
    assert its.blocks([*named, legal("wait")]) == [[0, 2]]
    with pytest.raises(Unsupported):
        its.blocks([legal("buy(a,none,late)"), *named])
    with pytest.raises(Unsupported):
        its.blocks([named[0], legal("buy(a,t,late)"), named[1]])


# -- as data -----------------------------------------------------------------------------------------------------------------


def test_a_bucket_is_checked() -> None:
    game = stalls()
    layout = layout_of(game.ruleset)
    key = Key("turn", 0, "red")
    arrays = built(game.ruleset, layout, key).as_arrays()
    sizes = len(layout.facts), 64 * layout.control, len(layout.numbers), game.ruleset.roles

    def checked(**changed: object) -> None:
        Bucket.from_arrays(key, {**arrays, **changed}).check(*sizes)

    checked()
    rows, blocks = arrays["rows"], arrays["blocks"]
    for wrong in (rows[:-1], rows[:, :-1], np.where(rows == 1, 0, rows), rows + 6):
        with pytest.raises(Damaged):
            checked(rows=np.ascontiguousarray(wrong, np.int32))
    for wrong in (blocks[:-1], blocks[::-1], blocks + 1, blocks - 1, blocks[:, ::-1], blocks[:0]):
        with pytest.raises(Damaged):
            checked(blocks=np.ascontiguousarray(wrong, np.int32))
    for place in range(len(arrays["sizes"])):
        for number in (-1, 10**8):
            changed = arrays["sizes"].copy()
            changed[place] = number
            with pytest.raises(Damaged):
                checked(sizes=changed)
    for change in ("pickers", "boxes"):
        with pytest.raises(Damaged):
            checked(**{change: np.ascontiguousarray(arrays[change][:-1])})


# -- its tools ---------------------------------------------------------------------------------------------------------------


def test_cofactors_of_a_loop_are_refused() -> None:
    circuit = Circuit()
    a = circuit.input("a")
    values = circuit.values(1)
    circuit.repeat({values[0]: a})
    root = circuit.conj([values[0], circuit.input("b")])
    with pytest.raises(Unsupported):
        cofactors(circuit, root, [{"a": a}], [("a",)])


def test_a_value_that_no_input_says() -> None:
    circuit = Circuit()
    a, b = circuit.input("a"), circuit.input("b")
    found = cofactors(circuit, circuit.disj([a, b]), [{"a": a}], [("a",), ("other",)])
    assert found == {("a",): 1, ("other",): b}


def test_what_does_not_depend_on_inputs_becomes_one() -> None:
    circuit = Circuit()
    a, b, c = map(circuit.input, "abc")
    inner = circuit.xor(a, b)
    found = apart(circuit, [c], [circuit.xor(inner, c), circuit.conj([inner, c]), inner, c, 0, 1])
    assert [outer for _, outer in found.beside] == [inner & ~1]
    assert found.guards == [1, inner, inner, 1, found.guards[4], 1]
    assert found.outputs[1:4] == [found.circuit.inputs[c], 1, found.circuit.inputs[c]]


def test_what_is_found_out_in_a_loop_of_the_inputs_is_refused() -> None:
    circuit = Circuit()
    a, values = circuit.input("a"), circuit.values(1)
    circuit.repeat({values[0]: a})
    with pytest.raises(Unsupported):
        apart(circuit, [a], [values[0], 1])


def test_what_cannot_be_taken_apart() -> None:
    assert relaxed(rule_of("candidate(R,buy(S,pay(V,S))) :- pays(R,V), stall(S)."), 1, "") is None
    assert relaxed(rule_of("candidate(R,buy(S,pay(V))) :- pays(R,V), fit(S+V,R)."), 1, "") is None
    assert (
        relaxed(
            rule_of("candidate(R,buy(S,pay(V))) :- stall(S), who(R), not dear(V), V = K+1, K < 3."), 1, ""
        )
        is None
    )


def test_only_what_ties_more_than_can_be_said_apart_is_left_out() -> None:
    weak = relaxed(
        rule_of("candidate(R,buy(S,Y)) :- may(R), covers(R,D,Y), due(S,D), not shut(S), free(S,Y), use(U)."),
        1,
        "",
    )
    assert weak is not None
    assert (
        weak.structures[0]
        == "structure__(R,Y) :- covers(R,D,Y); free(S,Y); not shut(S); beside___0(R); beside___1(D,S)."
    )
    assert weak.structures[1:] == ("beside___0(R) :- may(R).", "beside___1(D,S) :- due(S,D).")
    assert weak.shapes == "shape__(R,S) :- may(R); due(S,D); not shut(S); use(U)."
