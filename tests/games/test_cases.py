"""The four games, rule by rule: tables of cases, on the rulebook and on the independent implementation.

`rules.cases` has actions that break a rule or are legal, with the reasons; `courses.cases` has moves and what holds after
them; `invalid.cases` has facts that are no position; `boards.cases` has board files. Both sides play each course.
"""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from games.positions import GAMES, HERE, actions_of, at, game_of, position, stated
from games.tables import Case, Course, Options, lines_of, options_of, read_cases, read_courses, read_invalid
from support.independent import independent

from kaiser_logic.engine import symbols
from kaiser_logic.errors import UnreadableInput
from kaiser_logic.evaluation.explanation import allows
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.game import load
from kaiser_logic.lang.unification import CONSTANTS, label
from kaiser_logic.position import Position
from kaiser_logic.rules.loader import rulebook

Row = TypeVar("Row")


def rows(read: Callable[[Path], list[Row]], name: str) -> list[tuple[str, Row]]:
    """The rows of the tables of this name, each with its game."""
    return [(game, row) for game in GAMES for row in read(HERE / game / name)]


CASES, COURSES = rows(read_cases, "rules.cases"), rows(read_courses, "courses.cases")
INVALID, BOARDS = rows(read_invalid, "invalid.cases"), rows(lambda file: list(lines_of(file)), "boards.cases")


# -- actions -----------------------------------------------------------------------------------------------------------


def of_case(game: str, case: Case) -> Position:
    details = case.details
    options, edition = options_of(details.get("option", "")), details.get("edition", "standard")
    return position(game, case.at, details.get("change", ""), edition, options)


@pytest.mark.parametrize(("game", "case"), [(g, c) for g, c in CASES if c.breaks], ids=str)
def test_actions_break_their_rules(game, case):
    here = of_case(game, case)
    broken = {v.rule: v for v in here.why(case.role, case.action)}
    assert not here.is_legal(case.role, case.action)
    assert case.action not in independent(here).legal().get(case.role, ())
    if "others" not in case.details:
        assert set(broken) == {case.rule}
    elif case.words("others"):
        assert set(broken) == {case.rule} | case.words("others")
    else:
        assert set(broken) > {case.rule}
    violation = broken[case.rule]
    assert violation.message == case.message
    assert set(violation.facts) == case.words("facts")
    assert set(violation.absent) == case.words("absent")
    doc, texts = here.ruleset.book.doc(case.rule), here.ruleset.texts
    assert (violation.statement, violation.sources) == (texts.statement(doc), texts.sources(doc))


@pytest.mark.parametrize(("game", "case"), [(g, c) for g, c in CASES if not c.breaks], ids=str)
def test_actions_are_legal(game, case):
    here = of_case(game, case)
    assert here.why(case.role, case.action) == []
    assert here.is_legal(case.role, case.action)
    assert case.action in here.legal()[case.role]
    assert case.action in independent(here).legal()[case.role]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("game", "case"), [(g, c) for g, c in CASES if not c.breaks], ids=str)
def test_the_rules_that_allow_a_legal_action(game, case):
    """The rule is among them, unless the case has the detail ``silent``."""
    here = of_case(game, case)
    allowing = allows(here.ruleset, here.symbols, case.role, case.action)
    ids = [rule for rule, _, _ in allowing]
    assert len(ids) == len(set(ids))
    assert (case.rule in ids) != ("silent" in case.details)
    for rule, statement, facts in allowing:
        assert statement == here.ruleset.texts.statement(here.ruleset.book.doc(rule))
        assert here.facts.issuperset(facts)
        assert list(facts) == here.ruleset.book.sort_facts(facts)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_cases(game):
    """For each rule, at least as many cases break it as it has lines, and at least one case does not."""
    lines: Counter[str] = Counter()
    places = {("violates", 3): 2, ("out_of_turn", 2): 1}
    for rule in rulebook(game).rules:
        for head in rule.heads:
            place = places.get(head.signature)
            if place is not None and isinstance(head.args[place], CONSTANTS):
                lines[label(head.args[place]).strip('"')] += 1
    breaking, legal = (Counter(c.rule for g, c in CASES if g == game and c.breaks == b) for b in (True, False))
    assert lines.keys() == breaking.keys() == legal.keys()
    assert not {rule: n for rule, n in lines.items() if breaking[rule] < n}


LONELY = [
    (g, c) for g, c in CASES if g == "kaiser" and c.breaks and len(c.words("facts")) == 1 and not c.words("absent")
]


@pytest.mark.parametrize(("game", "case"), [c for c in LONELY if "thalers" not in c[1].details["facts"]], ids=str)
def test_actions_are_legal_without_the_decisive_fact(game, case):
    here = of_case(game, case)
    without = frozenset(here.symbols - {symbols.read_symbol(case.details["facts"])})
    assert case.rule not in {v.rule for v in Position(here.evaluator, without).why(case.role, case.action)}


# -- courses -----------------------------------------------------------------------------------------------------------


def start(game: str, course: Course, edition: str, options: Options) -> Position:
    """The position where a course begins, settled if a step is due."""
    change, hints = course.details.get("change", ""), course.details.get("hints", "")
    if "due(" not in change + "".join(stated(game)[course.at].facts):
        return position(game, course.at, change, edition, options, hints)
    it = at(game, course.at, change, hints)
    evaluator = game_of(game, it.players, edition, options).evaluator
    return Position(evaluator, evaluator.settle(frozenset(map(symbols.read_symbol, it.filled(game)))))


def untrue(game: str, course: Course, options: dict[str, str]) -> str:
    """What does not come true under the options: a move is illegal, or what the course says of its end. Both sides agree."""
    details = course.details
    edition = details.get("edition", "standard")
    given = tuple(sorted(options.items()))
    here = start(game, course, edition, given)
    oracle = independent(here)
    for move in course.moves:
        actions = actions_of(here, move)
        try:
            after = here.apply(actions)
        except IllegalMove:
            legal = oracle.legal()
            assert not all(action in legal.get(role, ()) for role, action in actions.items())
            return f"{move} is illegal"
        here = after
        oracle.apply(actions)
        assert here.facts == oracle.facts()
    legal, result = here.legal(), here.result()
    assert {r: set(a) for r, a in legal.items()} == {r: set(a) for r, a in oracle.legal().items()}
    assert (result and (dict(result.points), result.winners)) == oracle.result()
    known = here.facts | {f"legal({role},{action})" for role, actions in legal.items() for action in actions}
    known |= {f"wins({role})" for role in result.winners} if result else set()
    if "sees(" in "".join(details.values()):
        known |= {f"sees({role},{fact})" for role in (*here.ruleset.seats, "public") for fact in here.view(role)}
    then, without = (set(details.get(name, "").split()) for name in ("then", "without"))
    starts = tuple(f[:-2] for f in without if f.endswith("_)"))
    left = sorted(fact for fact in known if fact in without or fact.startswith(starts))
    return "; ".join([f"{fact} is not there" for fact in sorted(then - known)] + [f"{fact} is there" for fact in left])


@pytest.mark.parametrize(("game", "course"), COURSES, ids=str)
def test_courses_come_true_under_their_ruling(game, course):
    assert course.details.keys() & {"then", "without"}
    assert untrue(game, course, course.options) == ""
    if course.ruling and game == "krone":
        name, value = course.ruling
        for other in rulebook(game).rulings[name].values.keys() - {value}:
            assert untrue(game, course, course.options | {name: other})


@pytest.mark.parametrize("game", ["krone"])
def test_every_ruling_has_a_course_for_each_of_its_values(game):
    expected = {(name, value) for name, ruling in rulebook(game).rulings.items() for value in ruling.values}
    assert {course.ruling for g, course in COURSES if g == game and course.ruling} == expected


# -- invalid positions and boards --------------------------------------------------------------------------------------


@pytest.mark.sample(3)
@pytest.mark.parametrize(("game", "case"), INVALID, ids=str)
def test_invalid_positions_break_their_invariants(game, case):
    it = at(game, case.at).whole(game).changed(case.change) if game == "staufer" else at(game, case.at, case.change)
    evaluator = game_of(game, it.players, options=case.options).evaluator
    facts = frozenset(map(symbols.read_symbol, it.filled(game)))
    between = any(fact.name == "due" for fact in facts)
    broken = {invariant for invariant, _ in evaluator.broken_invariants(facts, waive=not between)}
    if game in {"kaiser", "krone"} and "vocabulary" not in broken:
        broken |= {invariant for invariant, _ in evaluator.broken_invariants(facts, waive=False)}
    waived = {symbols.text(s.arguments[0]) for s in evaluator.ruleset.facts("waived", 1)}
    assert broken - waived == case.invariants


ELSEWHERE = {"staufer": {"step_fits"}, "vive": {"stated_points"}}
"""Invariants without a case: positions between automatic steps, which whole games meet; points that are not stated."""


@pytest.mark.parametrize("game", GAMES)
def test_every_invariant_is_broken_by_a_case(game):
    invariants = {doc.id for doc in rulebook(game).docs.values() if doc.kind == "invariant"}
    assert invariants - set().union(*(c.invariants for g, c in INVALID if g == game)) == ELSEWHERE.get(game, set())


RING = re.compile(r"RING\((\d+),(\w+?)(?:,(\d+))?\)")


def ring(found: re.Match[str]) -> str:
    """A board of krone with two pieces that are one ring of octagons, the first of which may be plains."""
    size, terrain, plains = int(found[1]), found[2], int(found[3] or 0)
    land = ["plain"] * plains + [terrain] * (size - plains)
    places = [f"piece({'ab'[i % 2]},f{i},octagon,{land[i]},{2 * i},0)." for i in range(size)]
    return " ".join([*places, *(f"border(f{i},f{(i + 1) % size})." for i in range(size))])


@pytest.mark.sample(3)
@pytest.mark.parametrize(("game", "row"), BOARDS, ids=str)
def test_board_files_are_refused_or_give_their_facts(game, row, tmp_path):
    players, text, expected = (part.strip() for part in row.split("|"))
    file = tmp_path / "board.lp"
    file.write_text(RING.sub(ring, text), encoding="utf-8")
    board = file if text else None
    if expected[0] == "!":
        with pytest.raises(UnreadableInput, match=re.escape(expected[1:].strip())):
            load(game, players=int(players), board=board)
        return
    initial = load(game, players=int(players), board=board).initial()
    words = expected[1:].split()
    names = {
        (symbol.name, len(symbol.arguments)) for symbol in map(symbols.read_symbol, (w.lstrip("-") for w in words))
    }
    known = initial.facts | {symbols.text(fact) for name in names for fact in initial.ruleset.facts(*name)}
    assert {word for word in words if word[0] != "-"} <= known
    assert not {word[1:] for word in words if word[0] == "-"} & known


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_about_boards_is_broken_by_a_case(game):
    rows, texts = " ".join(row for g, row in BOARDS if g == game), load(game).ruleset.texts
    demands = [doc for doc in rulebook(game).docs.values() if doc.kind == "board"]
    assert not [doc.id for doc in demands if texts.statement(doc) not in rows]


@pytest.mark.parametrize("game", ["kaiser", "krone"])
def test_no_rule_names_a_player(game):
    book = rulebook(game)
    named = re.compile(rf"\b({'|'.join(book.roles)})\b")
    # some cards are blue, like a player: colours of cards do not count
    assert [r.text for r in book.rules if named.search(r.text) and "colour(" not in r.text] == []
