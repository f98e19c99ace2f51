"""Reports in a file: an interrupted check continues, and no report is lost, doubled or out of date."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.records import archive as module
from kaiser_logic.records.archive import KEYS, Archive
from kaiser_logic.records.checking import Report, check_sources
from kaiser_logic.records.tags import Under, files_in, sources_of

HEAD = '[Game "kaiser"] [Seats "red green"]\n'


@pytest.fixture
def folder(tmp_path):
    for name in "abcd":
        (tmp_path / f"{name}.game").write_text(HEAD)
    return tmp_path


def opened(folder: Path, *settings: str) -> Archive:
    return Archive(str(folder / "out.jsonl"), sources_of(files_in(folder)), settings, None)


def checked(archive: Archive) -> Iterator[Report]:
    """The reports on the records that are left."""
    return check_sources(archive.records_left(), 1, "stop", Under(None, None, ()))


def interrupted(folder: Path, after: int) -> None:
    """A check that is interrupted after so many reports."""
    with pytest.raises(KeyboardInterrupt), opened(folder) as archive:
        for number, report in enumerate(checked(archive)):
            if number == after:
                raise KeyboardInterrupt
            archive.add(report)


def names(archive: Archive) -> tuple[list[str], list[str]]:
    """The names of the records that have reports, and of those that are left."""
    left = [Path(str(getattr(one, "file", None) or getattr(one, "path", None))).stem for one in archive.records_left()]
    return [Path(path).stem for path in archive.paths], left


def finished(folder: Path) -> list[str]:
    """Finishes the check. Returns the names of the records in the file of reports, in its order."""
    with opened(folder) as archive:
        for report in reversed(list(checked(archive))):
            archive.add(report)
    lines = (folder / "out.jsonl").read_text().splitlines()
    assert not (folder / f"out.jsonl{KEYS}").exists()
    assert [json.loads(line) for line in lines]
    return [Path(json.loads(line)["path"]).stem for line in lines]


def test_an_interrupted_check_continues(folder):
    interrupted(folder, 2)
    with pytest.raises(KeyboardInterrupt), opened(folder) as archive:
        assert names(archive) == (["a", "b"], ["c", "d"])
        raise KeyboardInterrupt
    interrupted(folder, 1)
    with pytest.raises(KeyboardInterrupt), opened(folder) as archive:
        assert names(archive) == (["a", "b", "c"], ["d"])
        raise KeyboardInterrupt
    assert finished(folder) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("cut", [1, 30, 200, 600, 10_000])
def test_truncated_lines_are_written_again(folder, cut):
    interrupted(folder, 2)
    file = folder / f"out.jsonl{KEYS}"
    file.write_bytes(file.read_bytes()[:-cut])
    interrupted(folder, 1)
    assert finished(folder) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(("old", "new"), [('"moves": 0', '"moves": 1'), (" {", "{"), ("a", "b")])
def test_altered_reports_are_written_again(folder, old, new):
    interrupted(folder, 2)
    file = folder / f"out.jsonl{KEYS}"
    head, first, *lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([head, first.replace(old, new, 1), *lines]))
    with opened(folder) as archive:
        assert names(archive) == (["b"], ["a", "c", "d"])


def test_a_check_that_does_not_finish_leaves_the_earlier_reports(folder):
    (folder / "out.jsonl").write_text("earlier\n")
    interrupted(folder, 2)
    assert (folder / "out.jsonl").read_text() == "earlier\n"
    assert finished(folder) == ["a", "b", "c", "d"]


def test_another_file_with_the_name_of_the_journal_is_not_replaced(folder):
    (folder / f"out.jsonl{KEYS}").write_text("my keys\n")
    with pytest.raises(WrongUsage, match="choose another name for the output"):
        opened(folder)
    assert (folder / f"out.jsonl{KEYS}").read_text() == "my keys\n"


def test_altered_records_are_checked_again(folder):
    interrupted(folder, 3)
    (folder / "b.game").write_text(HEAD + "red: pass\n")
    with opened(folder) as archive:
        assert names(archive) == (["a", "c"], ["b", "d"])


def test_records_with_altered_boards_are_checked_again(folder):
    (folder / "a.game").write_text('[Game "kaiser"] [Board "board.lp"]\n')
    (folder / "board.lp").write_text("")
    interrupted(folder, 2)
    (folder / "board.lp").write_text("capacity(koeln,aristocrat,1).")
    with opened(folder) as archive:
        assert names(archive) == (["b"], ["a", "c", "d"])


@pytest.mark.parametrize("what", ["settings", "rulebooks", "sources"])
def test_other_rules_start_the_check_again(folder, monkeypatch, what):
    interrupted(folder, 2)
    if what == "rulebooks":
        monkeypatch.setattr(module, "fingerprint", lambda _: "other")
    elif what == "sources":
        monkeypatch.setattr(module, "tool", lambda: "other")
    with opened(folder, *(["it"] if what == "settings" else [])) as archive:
        assert names(archive) == ([], ["a", "b", "c", "d"])


def test_unreadable_records_are_tried_again(folder):
    with pytest.raises(KeyboardInterrupt), opened(folder) as archive:
        assert len(list(archive.records_left())) == 4
        archive.add(Report(str(folder / "a.game"), unreadable="a.game: not checked: the process ended"))
        raise KeyboardInterrupt
    with opened(folder) as archive:
        assert names(archive) == ([], ["a", "b", "c", "d"])


def test_paths_given_twice_and_unreadable_paths(folder):
    path = str(folder / "a.game")
    files = [path, path, UnreadableInput("cannot be read", "nowhere")]
    with pytest.raises(KeyboardInterrupt), Archive(str(folder / "out"), sources_of(files), [], None) as archive:
        reports = list(checked(archive))
        for report in reports[1:]:
            archive.add(report)
        raise KeyboardInterrupt
    with Archive(str(folder / "out"), sources_of(files), [], None) as archive:
        assert len(list(archive.records_left())) == 2
        assert len(archive.paths) == 1
