"""Records under other rules, and drawn games."""

import pytest
from support.heap_game import variant
from support.tables import values

import kaiser_logic as kl
from kaiser_logic.notation.reading import parse_record

DRAW = {'"decisions", "end"': '"decisions"', "init(phase(play)).": "init(phase(play)).\nterminal :- phase(over)."}
"""Changes that make the heap game end with points and without a winner."""
RECORD = '[Game "heap"]\nred: take(3) green: take(3) red: take(3) green: take(3)\n'
"""A complete game of two players."""


def test_under_changes_only_what_is_given():
    text = '[Game "kaiser"] [Edition "nl"] [Option "a=1"] [Option "b=2"]\nred: pass'
    record = parse_record(text)
    other = record.with_rules("krone", "it", {"b": "3", "c": "4"})
    assert (other.source, other.edition, other.options) == ("krone", "it", {"a": "1", "b": "3", "c": "4"})
    assert (other.game_id, other.moves) == ("kaiser", record.moves)
    assert record.with_rules() == record
    with pytest.raises(kl.WrongUsage, match="there is no game 'chess'"):
        kl.check(record.with_rules("chess"))


@pytest.mark.parametrize(("result", "drawn", "whole", "ok"), values("cli/commands", "results"))
def test_results_of_drawn_games(tmp_path, result, drawn, whole, ok):
    folder = variant(tmp_path, DRAW if drawn else {})
    text = RECORD.replace("\n", f'\n[Result "{result}"]\n', 1)
    record = parse_record(text if whole else text.rpartition("red:")[0]).with_rules(folder)
    assert [fault.rule for fault in kl.check(record).faults] == ([] if ok else ["record.result"])
    assert kl.complete(record).impossible is not ok


def test_the_last_move_of_a_drawn_game_is_completed(tmp_path):
    text = RECORD.replace("\n", '\n[Result ""]\n', 1).replace("green: take(3)\n", "green: ?\n")
    record = parse_record(text)
    assert record.drawn
    drawn = kl.complete(record.with_rules(variant(tmp_path, DRAW)))
    assert [str(r.moves[-1].action) for r in drawn.records] == ["take(3)"]
