"""A verdict relies only on those made-up rules and data, and those readings, that took part in its derivation."""

from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant
from support.rulebook_cases import changes
from support.tables import rows, values

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

CHANGES = changes("evaluation/changes")
BOARD = CHANGES["BOARD"]


def ruleset(folder: Path, *board: str) -> Ruleset:
    """The rules of a folder, with the facts of a board."""
    configuration, _ = configure(rulebook(folder), folder, board=tuple(map(parse_user_term, board)))
    return ruleset_of(configuration)


def words(text: str) -> tuple[str, ...]:
    return tuple(text.strip("-").split())


def with_changes(folder: Path, names: str) -> Path:
    """The heap game with these changes."""
    changes = {old: new for name in words(names) for old, new in CHANGES[name].items()}
    return variant(folder, changes) if changes else FOLDER


@pytest.mark.parametrize(("changes", "action", "rulings", "assumed", "silent"), rows("evaluation/reliance", "verdict"))
def test_only_what_took_part_counts(changes, action, rulings, assumed, silent, tmp_path):
    rules = ruleset(with_changes(tmp_path, changes))
    facts, done = Evaluator(rules).initial(), {"red": symbols.read_symbol(action)}
    assert relied_on(rules, facts, done, words(rulings)) == Unsaid(words(assumed), words(silent))


GAME = "\n".join(f"{'red' if n % 2 else 'green'}: take(3)" for n in range(1, 5))


@pytest.mark.parametrize(("changes", "moves", "assumed"), rows("evaluation/reliance", "record"))
def test_a_record_relies_on_what_its_moves_steps_and_result_read(changes, moves, assumed, tmp_path):
    text = "\n".join(GAME.split("\n")[: int(moves)]) if moves.isdigit() else f"red: {moves}"
    report = check(parse_record(f'[Game "kaiser"]\n\n{text}\n').with_rules(with_changes(tmp_path, changes)))
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


@pytest.mark.parametrize(("single", "board", "left"), values("evaluation/reliance", "replaced"))
def test_data_that_a_board_file_replaces_are_not_assumed(single, board, left, tmp_path):
    """With single facts a board file replaces those that it names."""
    changes = dict(BOARD)
    if single:
        changes = {
            o: n.replace("not named", "not board(amount(K))").replace("(1;2;3)", "(1;2)") for o, n in BOARD.items()
        }
    assert list(docs_of_kind(ruleset(variant(tmp_path, changes), *board), "assumed")) == left
