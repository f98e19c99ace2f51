"""Rules as native code: what follows, what is legal and how random games go is what the engine for one position says."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from shutil import copytree

import clingo
import pytest
from hypothesis import given, settings
from support.batches import disturbed, legal_or_none, moments
from support.constructs import CONSTRUCTS, FACTS, programs
from support.heap_game import SCORED, variant
from support.heap_positions import heap

pytest.importorskip("numba")

from kaiser_logic.engine.compiled.given import row_of
from kaiser_logic.engine.compiled.values import Unsupported, fact, value
from kaiser_logic.engine.grounding import Grounding, Program
from kaiser_logic.game import Game, load
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.simulation import folder
from kaiser_logic.simulation.native import running
from kaiser_logic.simulation.native.choosing import before, labelled
from kaiser_logic.simulation.native.games import Native
from kaiser_logic.simulation.native.idle import firing
from kaiser_logic.simulation.native.matches import play, sample
from kaiser_logic.simulation.native.memory import Full, Memory
from kaiser_logic.simulation.native.places import BASE, LABEL, TEXT_AT, TEXT_LENGTH
from kaiser_logic.simulation.native.programs import Programs
from kaiser_logic.simulation.native.texts import rendered
from kaiser_logic.simulation.playing import played

pytestmark = pytest.mark.slow

TINY = Path(__file__).parents[1] / "support" / "tiny"
NAMES = sorted(path.parent.name for path in TINY.glob("*/game.toml"))


def facts_of(text: str) -> frozenset[clingo.Symbol]:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    return frozenset(a.symbol for a in control.symbolic_atoms)


def natively(
    program: Program, facts: Iterable[clingo.Symbol], room: int = 500, closed: bool = False
) -> set[str] | None:
    """What follows of everything that the rules derive; None where native code does not know."""
    memory = Memory()
    compiled = Programs(memory, 1_000, room, closed)
    address = 0 if closed else compiled.address(program)
    for signature in {(f.name, len(f.arguments)) for f in facts}:
        rows = [memory.row(row_of(f)[1]) for f in facts if (f.name, len(f.arguments)) == signature]
        memory.fill(compiled.fact(signature), rows)
    run = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(address or compiled.address(program))
    for _ in range(2):  # what was derived before does not stay
        if run(memory.words.ctypes.data):
            return None
    found = [
        str(fact(name, tuple(map(memory.value, row))))
        for name, arity in {h.signature for rule in program.rules for h in rule.heads}
        for row in memory.rows(compiled.follow((name, arity)))
    ]
    assert len(found) == len(set(found)), "each once"
    return set(found)


def program_of(text: str) -> Program:
    rules = tuple(parse_rules(text))
    return Program(rules, frozenset(u for rule in rules for u in rule.uses), ())


def follows(program: Program, facts: Iterable[clingo.Symbol]) -> set[str]:
    """What follows by clingo."""
    ground = Grounding(program, facts)
    return {str(s) for rule in program.rules for h in rule.heads for s in ground.get(*h.signature)}


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_a_construct_means_what_it_means_to_clingo(text: str) -> None:
    assert natively(program_of(text), facts_of(FACTS)) == follows(program_of(text), facts_of(FACTS))


@settings(deadline=None, max_examples=60)  # compiling takes its time
@given(programs())
def test_random_programs_mean_what_they_mean_to_clingo(text: str) -> None:
    program, facts = program_of(text), facts_of(FACTS)
    assert natively(program, facts) == follows(program, facts), text


@settings(deadline=None, max_examples=30)
@given(programs())
def test_random_programs_whose_rules_derive_no_facts(text: str) -> None:
    program, facts = program_of(text), facts_of(FACTS)
    assert natively(program, facts, closed=True) == follows(program, facts), text


IDLE = [
    ("may(X,Y) :- b(X,Y), a(X).", "bad(X,Y) :- may(X,Y), not b(X,_)."),
    ("may(f(X),Y) :- b(X,Y), X < Y.", "bad(X) :- may(f(X),X)."),
    ("may(X,Y) :- b(X,Y). near(X) :- b(X,_).", "bad(X,Y) :- may(X,Y), not near(X)."),
    ("may(X,g(X)) :- a(X). use(X) :- may(X,_).", "bad(X) :- use(X), not a(X)."),
    ("may(X,g(Y)) :- b(X,Y).", "bad(X) :- may(X,h(_))."),
    ("may(X,Y) :- b(X,Y). may(X,X) :- a(X), e.", "bad(X,Y) :- may(X,Y), not b(X,Y), not a(X)."),
    ("may(X,Y) :- b(X,Y), not c(X).", "bad(X) :- may(X,_), c(X)."),
]
"""Rules, and one more that can never fire with them."""
FIRES = [
    ("may(X,Y) :- b(X,Y).", "bad(X,Y) :- may(X,Y), not b(Y,_)."),
    ("may(X,Y) :- b(X,Y).", "bad(X,Y) :- may(X,Y), not b(X,X)."),
    ("may(X,Y) :- b(X,Y). may(X,X) :- a(X).", "bad(X,Y) :- may(X,Y), not b(X,Y)."),
    ("may(f(X,Y)) :- b(X,_), a(Y).", "bad(X,Y) :- may(f(X,Y)), not b(X,Y)."),
    ("may(X) :- b(X,_), b(_,X). near(X) :- b(X,Y), b(Y,X).", "bad(X) :- may(X), not near(X)."),
    ("may(X+1) :- a(X).", "bad(X) :- may(X), not a(X)."),
    ("may(X,Y) :- b(X,Y). near(X) :- b(X,Y), 1 < #count { Z : b(X,Z) }.", "bad(X) :- may(X,_), not near(X)."),
    ("may(X) :- a(X). may(X) :- may(Y), b(Y,X).", "bad(X) :- may(X), not a(X)."),
    ("may(X,Y) :- b(X,Y).", "bad(X) :- may(X,Y), X != Y."),
    ("may(X) :- a(X), not c(X).", "bad(X) :- may(X), not c(Y), a(Y)."),
    ("may(X) :- a(X), not not b(X,_).", "bad(X) :- may(X), not b(X,X)."),
    ("may(1..2,X) :- a(X).", "bad(X,Y) :- may(X,Y), not a(X)."),
    ("may(X) :- a(X), a(1..2).", "bad(X) :- may(X), not a(1..2)."),
    ("may(X) :- a(X).", "bad(X) :- may(X), X..2 != X..2."),
    ("may(X) :- a(X), c(1..2), b(1..2,X). near(X) :- c(Y), b(Y,X).", "bad(X) :- may(X), not near(X)."),
]
"""Rules, and one more that fires in some positions."""


@pytest.mark.parametrize(("text", "last", "never"), [(*t, True) for t in IDLE] + [(*t, False) for t in FIRES])
def test_rules_that_cannot_fire_are_known(text: str, last: str, never: bool) -> None:
    program, random = program_of(f"{text} {last}"), Random(5)
    heads = {h.signature for rule in program.rules for h in rule.heads}
    left = firing(program.rules, lambda signature: signature not in heads)
    assert (program.rules[-1] not in left) == never
    assert set(program.rules[:-1]) <= set(left)
    assert firing(program.rules, lambda _: True) == program.rules, "where all may be facts nothing is known"
    fired = False
    for n in range(60):
        rows = [f"b({random.randrange(4)},{random.randrange(4)})." for _ in range(n % 9)]
        rows += [f"{random.choice('ac')}({random.randrange(4)})." for _ in range(n % 7)]
        found = follows(program, facts_of(" ".join(rows + ["e."] * (n % 2))))
        fired = fired or any(one.startswith("bad") for one in found)
    assert fired != never


def test_a_fact_that_rules_derive_is_left_to_the_engine() -> None:
    game = load("vive", players=4)
    native, facts = Native(game.evaluator), game.initial().symbols
    strange = {*facts, clingo.parse_term("candidate(red,nonsense)")}
    (before_,), _, _ = native._listed([native.encoded(facts)])
    (with_it, without), _, _ = native._listed([native.encoded(strange), native.encoded(facts)])
    assert without == before_ > 0 > with_it


def test_labels_are_in_the_order_of_texts() -> None:
    memory, random = Memory(), Random(6)
    texts = [f"f{'abc'[k % 3]}({k},g(x{k % 7}))" for k in range(700)]
    words = [memory.word(value(clingo.parse_term(text))) for text in texts]
    for k in random.sample(range(len(words)), len(words)):
        labelled(memory.words, memory.texts, words[k])
    by_label = sorted(range(len(words)), key=lambda k: memory.words[words[k] - BASE + LABEL])
    assert [texts[k] for k in by_label] == sorted(texts)
    assert len({int(memory.words[word - BASE + LABEL]) for word in words}) == len(words)


MANY = "a(0..60). b(X,Y) :- a(X), a(Y), Y < 9. c(f(X,g(Y))) :- b(X,Y). d(X) :- a(X), X / 3 * 3 = X."
"""So many that rows are looked up in indexes."""


@pytest.mark.parametrize(
    "text",
    [
        "p(X,Z) :- b(X,Y), b(Y,Z).",
        "p(X) :- d(X), not b(X,X).",
        "p(X,Y) :- c(f(X,g(Y))), not b(Y,X).",
        "p(Y) :- b(_,Y).",
        "p(X,N) :- d(X), N = #sum { Y,Z : b(Y,Z), Y < X }.",
        "p(X,Y) :- d(X), b(X,Y). p(X,Z) :- p(X,Y), b(Y,Z), Z < 5.",
        "t(X,X+1,0) :- a(X), X < 32. t(X,Z,N+1) :- t(X,Y,N), t(Y,Z,N), N < 5.",
        "p(0). p(X+1) :- p(X), X < 300. q(X+Y) :- p(X), d(Y), X < 40.",
        "p(h(X,Y),X) :- b(X,Y). p(g(X,Y),X) :- b(X,Y). p(X,X) :- a(X). q(Y) :- p(h(7,Y),7). r(X) :- d(Y), p(h(X,Y),_).",
        "p(h(X,g(Y))) :- b(X,Y). q(X) :- d(Y), not p(h(Y,g(X))), b(_,X). r(Z) :- d(Y), p(h(Y,Z)), p(h(Z,_)).",
        "p(h(0,0)). p(h(X+1,Y)) :- p(h(X,Y)), X < 40, d(Y). p(h(X,Y+3)) :- p(h(X,Y)), X < 20, Y < 12. q(X) :- p(h(X,3)).",
        "p(h(X,Y)) :- b(X,Y). q(X) :- p(h(X,3)). r(X) :- p(h(3,X)), p(h(X,3)).",
    ],
)
def test_many_rows(text: str) -> None:
    program, facts = program_of(text), facts_of(MANY)
    assert natively(program, facts, 4_000) == follows(program, facts)


def test_what_is_too_much_is_said() -> None:
    facts = facts_of(MANY)
    assert natively(program_of("p(X,Y) :- a(X), a(Y)."), facts, 4_000) is not None
    assert natively(program_of("p(X,Y) :- a(X), a(Y)."), facts, 3_000) is None, "each is new by its text"
    assert natively(program_of("p(X+Y+Z) :- a(X), a(Y), a(Z)."), facts, 100) is None, (
        "compared with what is there"
    )
    assert natively(program_of("p(X*20000) :- a(X)."), facts) is None
    assert natively(program_of("p(N) :- N = #sum { X*20000,X : a(X) }."), facts) is None
    copied = "a(X+1) :- a(X), X < 0."
    assert natively(program_of(copied), facts, 61) is not None
    assert natively(program_of(copied), facts, 60) is None, "what is given does not fit beside what follows"
    for value_ in (10**7, ("f", *range(60))):
        with pytest.raises(Full):
            Memory().word(value_)


STEPS = """
near(X,Y) :- edge(X,Y).   near(Y,X) :- edge(X,Y).
far(X,Y)  :- near(X,Y).   far(X,Z)  :- far(X,Y), near(Y,Z).
lonely(X) :- node(X), not far(X,_).
big(N)    :- N = #sum { X,Y : far(X,Y) }.
kind(f(X,Y)) :- edge(X,Y), X < Y.
low(Y)    :- kind(f(1,Y)).   high(X) :- kind(f(X,Y)), mark(Y).
pair(A,B) :- low(A), kind(f(A,B)).
"""


def test_what_was_derived_before_counts_only_while_nothing_has_changed() -> None:
    """One program over many positions, each a little different from the one before, some too large for it."""
    program, random = program_of(STEPS), Random(3)
    memory = Memory()
    compiled = Programs(memory, 1_000, 300)
    run = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(compiled.address(program))
    heads = {h.signature for rule in program.rules for h in rule.heads}
    predicates = [("edge", 2), ("node", 1), ("mark", 1)]
    now: set[str] = set()
    refused = 0
    for n in range(150):
        size = 25 if n % 10 == 9 else 9  # with so many nodes there are too many pairs
        for _ in range(random.choice([0, 1, 1, 2]) if n % 10 != 9 else 40):
            name, arity = random.choice(predicates if n % 10 != 9 else predicates[:1])
            now ^= {f"{name}({','.join(str(random.randrange(size)) for _ in range(arity))})"}
        facts = facts_of(" ".join(f"{one}." for one in now))
        for name, arity in random.sample(predicates, 3):
            rows = [memory.row(row_of(f)[1]) for f in facts if f.name == name]
            if memory.rows(compiled.fact((name, arity))) != rows:
                memory.fill(compiled.fact((name, arity)), rows)
        if run(memory.words.ctypes.data):
            assert run(memory.words.ctypes.data), "it is still too much"
            refused += 1
            now = set(sorted(now)[:8])
            continue
        found = {
            str(fact(head[0], tuple(map(memory.value, row))))
            for head in heads
            for row in memory.rows(compiled.follow(head))
        }
        assert found == follows(program, facts), n
    assert 3 < refused < 60


def test_programs_that_derive_the_same_predicate_differently() -> None:
    """What one has left behind is not taken for what another one derives."""
    texts = [
        "p(X) :- a(X), X < 3. q(X) :- p(X). r(X,Y) :- q(X), d(Y), X < Y.",
        "p(X) :- a(X), X > 57. q(X) :- p(X). r(X,Y) :- q(X), d(Y), X > Y.",
        "p(X) :- a(X), X < 3. q(X) :- p(X), not d(X). r(X,Y) :- q(X), d(Y), X < Y.",
        "q(X) :- p(X). p(1).",
    ]
    memory = Memory()
    compiled = Programs(memory, 1_000, 1_000)
    facts = facts_of(MANY)
    programs_ = [program_of(text) for text in texts]
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
    runs = [kind(compiled.address(program)) for program in programs_]
    for signature in (("a", 1), ("d", 1)):
        memory.fill(
            compiled.fact(signature), [memory.row(row_of(f)[1]) for f in facts if f.name == signature[0]]
        )
    random = Random(4)
    for k in [0, 1, 0, 2, 2, 0, 3, 0, *(random.randrange(4) for _ in range(40))]:
        assert runs[k](memory.words.ctypes.data) == 0
        heads = {h.signature for rule in programs_[k].rules for h in rule.heads}
        found = {
            str(fact(head[0], tuple(map(memory.value, row))))
            for head in heads
            for row in memory.rows(compiled.follow(head))
        }
        assert found == follows(programs_[k], facts), k


def test_a_program_that_is_not_compiled_leaves_nothing_behind() -> None:
    compiled = Programs(Memory(), 1_000, 500)
    wrong = "p(X) :- a(X), X < 3. q(X) :- p(X), X < 10000000."
    with pytest.raises(Unsupported):
        compiled.address(program_of(wrong))
    right = program_of("p(X) :- a(X), X < 3. r(X) :- p(X).")
    run = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(compiled.address(right))
    memory = compiled.memory
    memory.fill(compiled.fact(("a", 1)), [[n] for n in range(9)])
    assert run(memory.words.ctypes.data) == 0
    assert sorted(memory.rows(compiled.follow(("r", 1)))) == [[0], [1], [2]]


VALUES = [
    "-3", "0", "12", "x", "y", "xy", '"s"', '"a\\"b\\nc"', "()", "(1,)", "(x,2)", "(x,y)", "f(1)", "f(x)", "f(g(1),2)",
    "f(g(1),3)", "g(1)", "gg(1)", 'f("s")', "f((1,2),x,-7)", "f(100)", "f(99)",
]  # fmt: skip


def test_values_are_in_clingo_s_order_and_have_its_texts() -> None:
    memory = Memory()
    terms = list(map(clingo.parse_term, VALUES))
    words = [memory.word(value(t)) for t in terms]
    for a, one in zip(words, terms, strict=True):
        assert memory.value(a) == value(one)
        for b, other in zip(words, terms, strict=True):
            found = running.order(memory.words, a, b)
            assert (found < 0, found == 0) == (one < other, one == other), (one, other)
        if a >= BASE:
            rendered(memory.words, memory.texts, a)
            begin, length = memory.words[a - BASE + TEXT_AT], memory.words[a - BASE + TEXT_LENGTH]
            assert bytes(memory.texts[begin : begin + length]).decode() == str(one)


def test_texts_are_compared_as_texts() -> None:
    memory = Memory()
    inner = [v for v in VALUES if v[0] not in '-0123456789"']
    texts = [*inner, *(f"f({a},{b})" for a in VALUES for b in ("f", "f(1)", "g", "xyz", "-1", "12", "1"))]
    texts += (
        [f"f({a})" for a in VALUES]
        + [f"({a},)" for a in VALUES]
        + [f"h(f({a}),{b})" for a in inner for b in inner]
    )
    words = {memory.word(value(clingo.parse_term(t))): str(clingo.parse_term(t)) for t in texts}
    for word in words:
        rendered(memory.words, memory.texts, word)
    for a, one in words.items():
        for b, other in words.items():
            assert before(memory.words, memory.texts, a, b) == (one.encode() < other.encode()), (one, other)


def test_values_are_found_again_when_their_table_grows() -> None:
    memory = Memory()
    words = [memory.word(("f", n, ("g", n % 7))) for n in range(20_000)]
    assert len(set(words)) == 20_000
    assert [memory.word(("f", n, ("g", n % 7))) for n in range(20_000)] == words
    fresh = {running.intern(memory.words, len(_written(memory, n)) - 1) for n in range(0, 20_000, 500)}
    assert fresh == set(words[::500])


def _written(memory: Memory, n: int) -> list[int]:
    """A value's record in the buffer."""
    record = [memory.shape("f", 2), n, memory.word(("g", n % 7))]
    memory.words[16:19] = record
    return record


# -- games ---------------------------------------------------------------------------------------------------------------


def same(game: Game, games: int, native: Native | None = None) -> int:
    """Compares random games, and lists of what is legal in their positions; how many decisions were handed over."""
    native = native or Native(game.evaluator)
    found, expected = play(native, games, 1), played(game.evaluator, games, 1, jobs=1)
    assert [found.ended(n) for n in range(games)] == [expected.ended(n) for n in range(games)]
    assert dict(found.actions) == dict(expected.actions)
    random = Random(1)
    positions = moments(game, min(games, 10))[0]
    positions += [disturbed(p, random) for p in positions for _ in range(2)]
    counts, whose, what = native.listed(positions)
    done = 0
    for position, count in zip(positions, counts, strict=True):
        its = [
            (game.evaluator.ruleset.roles[whose[k]], native.text(int(what[k])))
            for k in range(done, done + max(count, 0))
        ]
        legal = legal_or_none(position)
        if count >= 0:
            assert legal is not None
            assert its == [(role, action) for role, actions in legal.items() for action in actions]
            assert all(legal.values())
            done += count
    assert done == len(what)
    return found.handed


@pytest.mark.parametrize("name", NAMES)
def test_tiny_games(name: str) -> None:
    same(load(TINY / name), 20)


@pytest.mark.parametrize(("players", "last_stone"), [(2, "wins"), (3, "loses")])
def test_the_heap(players: int, last_stone: str) -> None:
    game = heap(players, last_stone)
    assert same(game, 100) == 0


def test_of_several_points_of_a_player_the_most_count(tmp_path: Path) -> None:
    """A faulty rulebook that gives a player several numbers ends alike in each way to play it."""
    changes = {line: "" for line in SCORED if line.startswith("goal")}
    first, second, *_ = changes
    changes[first] = "goal(R,(3;4;N)) :- terminal, taken(R,N), R != green."
    changes[second] = "goal(green,(-9;-7;-8)) :- terminal."
    game = load(variant(tmp_path, changes), players=2)
    assert same(game, 20) == 0
    batch, expected = game.batch().play(20, seed=1), played(game.evaluator, 20, 1, jobs=1)
    for n in range(20):
        red, green = batch.points[n]
        assert [red, green] == list(expected.points[n])
        assert green == -7
        assert red >= 4


def test_of_several_weights_of_an_action_the_largest_counts(tmp_path: Path) -> None:
    """A faulty rulebook with several weights is played alike in each way, and as if it stated the largest alone."""
    found = []
    for name, stated in (("one", "N+8"), ("several", "(1;N+8;0;2)")):
        folder = tmp_path / name
        copytree(TINY / "urn", folder)
        text = (folder / "rules.lp").read_text(encoding="utf-8")
        given = "weight(draw(C),N)             :- urn(C,N)."
        assert given in text
        text = text.replace(given, f"weight(draw(C),{stated}) :- urn(C,N).")
        (folder / "rules.lp").write_text(text, encoding="utf-8")
        game = load(folder)
        assert same(game, 20) == 0
        found.append(dict(played(game.evaluator, 20, 1, jobs=1).actions))
        assert dict(game.batch().play(20, seed=1).actions) == found[-1]
    assert found[0] == found[1]


def test_weights_and_points_that_no_position_changes(tmp_path: Path) -> None:
    """They were no weights, and no points: nothing had derived them."""
    folder = tmp_path / "urn"
    copytree(TINY / "urn", folder)
    text = (folder / "rules.lp").read_text(encoding="utf-8")
    weights, goals = (
        "weight(draw(C),N)             :- urn(C,N).",
        "goal(R,1)              :- terminal, hit(R).",
    )
    assert weights in text and goals in text
    text = text.replace(weights, "weight(draw(black),99). weight(draw(white),1).")
    text = text.replace(goals, "goal(R,I+1) :- seat(R,I).")
    (folder / "rules.lp").write_text(text, encoding="utf-8")
    game = load(folder)
    assert same(game, 40) == 0
    expected = played(game.evaluator, 40, 1, jobs=1)
    batch = game.batch().play(40, seed=1)
    assert dict(batch.actions) == dict(expected.actions)
    assert [list(row) for row in batch.points] == [[2, 3]] * 40
    assert {row for row in map(tuple, expected.points)} == {(2, 3)}


def test_what_native_code_cannot_do_is_handed_over() -> None:
    game = heap()
    assert same(game, 20, Native(game.evaluator, derived=2)) > 0


def test_positions_of_random_games() -> None:
    game = heap()
    native = Native(game.evaluator)
    found = sample(native, 200, 1, 8)
    assert len(found) >= 200
    assert found == sample(native, 200, 1, 8)
    assert (
        len({len(p.facts) for p in found} | {f for p in found for f in p.facts if f.startswith("heap(")}) > 6
    )
    assert all(p.to_move and not p.broken() for p in found[:30])


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), [("vive", 3), ("staufer", 2), ("krone", 2), ("kaiser", 3)])
def test_games(name: str, players: int) -> None:
    game = load(name, players=players)
    native = Native(game.evaluator)
    found, expected = play(native, 2, 5), played(game.evaluator, 2, 5, jobs=1)
    assert [found.ended(n) for n in range(2)] == [expected.ended(n) for n in range(2)]
    assert dict(found.actions) == dict(expected.actions)
    assert found.handed == 0
    positions = moments(game, 1, 3)[0]
    counts, _, what = native.listed(positions)
    assert counts.tolist() == [sum(map(len, p.legal().values())) for p in positions]
    said = [native.text(int(n)) for n in what]
    assert said == [action for p in positions for actions in p.legal().values() for action in actions]


def test_kept_kernels_are_made_anew_when_one_of_their_modules_changes() -> None:
    here = Path(folder.__file__).parent
    kernels = {
        p for p in here.rglob("*.py") if "@kernel" in p.read_text("utf-8") or "cfunc(" in p.read_text("utf-8")
    }
    assert {p.relative_to(here).with_suffix("").as_posix() for p in kernels} <= {*folder._KERNELS, "vectors"}


@pytest.mark.parametrize(("name", "players"), [("krone", 2), ("kaiser", 3), ("staufer", 2)])
def test_packed_positions_are_the_same_rows(name: str, players: int) -> None:
    """Bits, numbers beside them, counters that state 0 and others, seats: as if each position was made of them."""
    game = load(name, players=players)
    native = Native(game.evaluator)
    positions = moments(game, 3)[0][::7]
    packed = game.batch().pack(positions)
    assert not packed.others
    packed.numbers[:] += Random(1).choices(range(5), k=packed.numbers.shape[1])
    found = native._unpacked(packed, range(len(packed)))
    for rows, position in zip(found, packed, strict=True):
        expected = native.encoded(position.symbols)
        width = min(rows.shape[1], expected.shape[1])
        assert sorted(rows[:, :width].tolist()) == sorted(expected[:, :width].tolist())
        assert not rows[:, width:].any()
        assert not expected[:, width:].any()


def test_positions_that_do_not_fit_are_left_to_the_engine_for_one_position() -> None:
    game = heap()
    native = Native(game.evaluator)
    start = game.initial()
    many = [clingo.Function("heap", [clingo.Number(n)]) for n in range(20, 6_000)]
    large = [clingo.Function("heap", [clingo.Number(10**7)])]
    positions = [
        start,
        *(type(start)(game.evaluator, start.symbols.union(more)) for more in (many, large)),
        start,
    ]
    assert native.listed(positions)[0].tolist() == [3, -1, -1, 3]


KEPT = """
import clingo
from kaiser_logic.engine.compiled.values import value
from kaiser_logic.simulation.native import running
from kaiser_logic.simulation.native.texts import rendered
from kaiser_logic.simulation.native.memory import Memory
from kaiser_logic.simulation.native.places import BASE, TEXT_AT, TEXT_LENGTH

memory = Memory()
low, high = (memory.word(value(clingo.parse_term(f"f(g(h({n})),g(h({n},x)),1)"))) for n in (3, 4))
rendered(memory.words, memory.texts, high)
begin, length = memory.words[high - BASE + TEXT_AT : high - BASE + TEXT_LENGTH + 1]
print(bytes(memory.texts[begin : begin + length]).decode(), running.order(memory.words, low, high))
"""


def test_kernels_that_were_kept_do_the_same(tmp_path: Path) -> None:
    """The second process compiles nothing: what it loads must be whole."""
    kept = os.environ | {"KAISER_LOGIC_CACHE": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", KEPT], env=kept, capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.returncode) == ("f(g(h(4)),g(h(4,x)),1) -1\n", 0), done.stderr
    assert [path for path in tmp_path.rglob("*.nbc") if "texts.rendered" in path.name]
