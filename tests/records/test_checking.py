"""Reports on single records and on many."""

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.played import ELECTION, HEAD, played, report, rules

from kaiser_logic.errors import UnreadableInput
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.sources import Source, read
from kaiser_logic.records import checking
from kaiser_logic.records.checking import Report, check, check_many


def test_a_whole_game_is_legal():
    record = parse_record(played(), "my.game")
    found = check(record)
    assert found.ok
    assert found.moves == found.judged == len(record.moves)
    assert found.result is not None
    assert found.final is not None
    assert found.result.winners == record.result
    assert str(found) == f"my.game: {found.moves} moves, all legal, won by {' and '.join(found.result.winners)}"


def test_a_record_may_be_unfinished():
    found = report(HEAD + "red: empire_city(boehmen)")
    assert found.ok
    assert found.final is not None
    assert found.final.to_move == ("green",)
    assert str(found) == "my.game: 1 moves, all legal, unfinished"
    assert report(HEAD).ok


def test_the_result_is_not_judged_after_a_stop():
    assert rules(report(f'{HEAD}[Result "red"] red: pass')) == ["actions.turn"]
    assert rules(report(f'{HEAD}[Result "red"] red: pass', "skip")) == ["actions.turn", "record.result"]


@pytest.fixture
def folder(tmp_path):
    """A folder of legal, faulty and unreadable records."""
    (tmp_path / "b").mkdir()
    texts = {
        "a.game": HEAD,
        "b/c.game": HEAD + "red: pass",
        "b/d.game": "nothing",
        "e.game": ELECTION,
        "f.txt": "no record",
        "z.game": HEAD + "red: empire_city(trier)",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "y.game").write_bytes(b"\xff\x00")
    return tmp_path


def _names(folder: Path) -> Callable[[Report], tuple[str, bool, bool]]:
    return lambda r: (str(Path(r.path or "").relative_to(folder)), r.ok, bool(r.unreadable))


@pytest.mark.parametrize("jobs", [1, 2])
def test_check_many_keeps_the_order(folder, jobs):
    paths = [folder / "z.game", folder, folder / "missing"]
    assert [_names(folder)(found) for found in check_many(paths, jobs)] == [
        ("z.game", True, False),
        ("a.game", True, False),
        ("b/c.game", False, False),
        ("b/d.game", False, True),
        ("e.game", True, False),
        ("y.game", False, True),
        ("z.game", True, False),
        ("missing", False, True),
    ]


def test_check_many_can_be_closed_early(folder):
    reports = check_many(folder, 2)
    assert next(reports).ok
    reports.close()
    assert not multiprocessing.active_children()


def test_check_accepts_paths(folder):
    path = folder / "b" / "c.game"
    assert check(path) == check(str(path)) == check(read(path))
    with pytest.raises(UnreadableInput, match=r"missing\.game: cannot be read"):
        check("missing.game")


def test_a_process_that_dies_loses_only_its_record(folder, monkeypatch):
    def checked(source: Source, *_: object) -> Report:
        if source.file.endswith("d.game"):
            os._exit(1)
        return Report(source.name)

    monkeypatch.setattr(checking, "_check_record", checked)
    found = list(check_many(folder, 2))
    assert [Path(r.path or "").name for r in found if not r.unreadable] == [
        "a.game", "c.game", "e.game", "y.game", "z.game",
    ]  # fmt: skip
    (lost,) = [r for r in found if r.unreadable]
    assert lost.unreadable == f"{folder / 'b' / 'd.game'}: not checked: the process ended unexpectedly"


@pytest.mark.parametrize("jobs", [1, 2])
def test_internal_errors_do_not_end_the_check(folder, monkeypatch, jobs):
    def fail(*_: object) -> Report:
        raise ZeroDivisionError("nothing")

    monkeypatch.setattr(checking, "check", fail)
    found = list(check_many([folder / "a.game", folder / "e.game"], jobs))
    assert [r.unreadable.partition(": ")[2] for r in found] == ["internal error: ZeroDivisionError: nothing"] * 2
