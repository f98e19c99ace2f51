"""A verdict relies only on those made-up rules and data, and those readings, that took part in its derivation."""

from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant
from support.tables import rows

from kaiser_logic.engine import symbols
from kaiser_logic.engine.assumptions import docs_of_kind
from kaiser_logic.engine.configuration import configure
from kaiser_logic.engine.ruleset import Ruleset, ruleset_of
from kaiser_logic.errors import UnreadableInput
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.evaluation.reliance import Unsaid, relied_on
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.records.checking import check
from kaiser_logic.records.reliance import assumed_by
from kaiser_logic.rules.loader import rulebook

SOURCE = "%!   standard  The course of the game\n"
ENOUGH = {f"{SOURCE}holds_at_least": "%!   standard  assumed\nholds_at_least"}
READING = {f"{SOURCE}holds_at_least": "%!   standard  The course of the game (silent)\nholds_at_least"}
ENDING = {"%!   standard  The end\ngoal": "%!   standard  The end (assumed from its name)\ngoal"}
PASSING = {"%!   standard  The end\nadd": "%!   standard  assumed\nadd"}
RULING = {
    'standard = "wins"': 'standard = "wins"\nsource = { standard = "assumed" }',
    "%! rule take.enough": "%! rule take.last -- Nobody takes the last stone.\n%!   standard  The end\n"
    'violates(R,take(1),"take.last") :- candidate(R,take(1)), heap(1), ruling(last_stone,wins).\n\n%! rule take.enough',
}
PERMITTING = RULING | {'standard = "wins"': 'standard = "loses"'}
BOARD = {
    "amount(1..3).": "%! data amounts -- One to three stones are taken.\n"
    "%!   standard  assumed\n"
    "printed(amount(1;2;3)).\n"
    "% -- as printed, or as a board file says --\n"
    "named         :- board(amount(_)).\n"
    "amount(K)     :- board(amount(K)).\n"
    "amount(K)     :- printed(amount(K)), not named.\n"
    "board_fact(amount(K)) :- number(K), K > 0.\n"
}
FEW = {"init(heap(12)).": "init(heap(2))."}
ONE = {"init(heap(12)).": "init(heap(1))."}


def ruleset(folder: Path, *board: str) -> Ruleset:
    """The rules of a folder, with the facts of a board."""
    configuration, _ = configure(rulebook(folder), folder, board=tuple(map(parse_user_term, board)))
    return ruleset_of(configuration)


CHANGES = {
    **{"ENOUGH": ENOUGH, "READING": READING, "ENDING": ENDING, "PASSING": PASSING, "RULING": RULING},
    **{"PERMITTING": PERMITTING, "FEW": FEW, "ONE": ONE},
}
TABLE = Path(__file__).with_name("reliance.cases")


def words(text: str) -> tuple[str, ...]:
    return tuple(text.strip("-").split())


def changed(folder: Path, names: str) -> Path:
    """The heap game with these changes."""
    changes = {old: new for name in words(names) for old, new in CHANGES[name].items()}
    return variant(folder, changes) if changes else FOLDER


@pytest.mark.parametrize(("changes", "action", "rulings", "assumed", "silent"), rows(TABLE, "verdict"))
def test_only_what_took_part_counts(changes, action, rulings, assumed, silent, tmp_path):
    rules = ruleset(changed(tmp_path, changes))
    facts, done = Evaluator(rules).initial(), {"red": symbols.read_symbol(action)}
    assert relied_on(rules, facts, done, words(rulings)) == Unsaid(words(assumed), words(silent))


GAME = "\n".join(f"{'red' if n % 2 else 'green'}: take(3)" for n in range(1, 5))


@pytest.mark.parametrize(("changes", "moves", "assumed"), rows(TABLE, "record"))
def test_a_record_relies_on_what_its_moves_steps_and_result_read(changes, moves, assumed, tmp_path):
    text = "\n".join(GAME.split("\n")[: int(moves)]) if moves.isdigit() else f"red: {moves}"
    report = check(parse_record(f'[Game "kaiser"]\n\n{text}\n').with_rules(changed(tmp_path, changes)))
    assert report.assumed == words(assumed) == tuple(report.as_json()["assumed"])
    assert report.as_json(examined=False)["assumed"] is None


def test_a_record_of_a_position_relies_on_no_start(tmp_path):
    facts = "heap(3). phase(play). seat(red,1). seat(green,2). decision(red,take)."
    record = parse_record(f'[Game "kaiser"]\n\nposition {{ {facts} }}\nred: take(1)\n')
    start = {"init(heap(12)).": "%! data start -- Twelve.\n%!   standard  assumed\ninit(heap(12)).\n% --"}
    assert assumed_by(record.with_rules(variant(tmp_path, start))) == ()
    assert assumed_by(parse_record('[Game "kaiser"]\n\n').with_rules(tmp_path / "heap")) == ("start",)


def test_a_ruling_under_which_a_record_cannot_be_read_decides_nothing(tmp_path):
    """Under the other value the board file has facts that no board has."""
    changes = {o: n.replace("K > 0.", "K > 0, ruling(last_stone,wins).") for o, n in BOARD.items()}
    folder = variant(tmp_path, changes)
    (tmp_path / "b.lp").write_text("amount(3).")
    text = f'[Game "kaiser"]\n[Board "b.lp"]\n\n{GAME}\n'
    record = parse_record(text, str(tmp_path / "a.game")).with_rules(folder)
    assert check(record).assumed == ()
    with pytest.raises(UnreadableInput):
        check(record.with_rules(None, None, {"last_stone": "loses"}))


@pytest.mark.parametrize(
    ("single", "board", "left"),
    [
        (False, (), ["amounts"]),
        (False, ("amount(1)", "amount(2)"), []),
        (False, ("amount(1)", "amount(2)", "amount(3)"), []),
        (True, ("amount(1)", "amount(2)"), []),
        (True, ("amount(1)",), ["amounts"]),
    ],
)
def test_data_that_a_board_file_replaces_are_not_assumed(single, board, left, tmp_path):
    """With single facts a board file replaces those that it names."""
    changes = dict(BOARD)
    if single:
        changes = {
            o: n.replace("not named", "not board(amount(K))").replace("(1;2;3)", "(1;2)")
            for o, n in BOARD.items()
        }
    assert list(docs_of_kind(ruleset(variant(tmp_path, changes), *board), "assumed")) == left
