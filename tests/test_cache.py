"""The cache on disk: entries are found again; truncated, altered, foreign, stale or exposed files are ignored."""

import marshal
import os
from pathlib import Path

import pytest
from support import ROOT
from support.heap_game import ENOUGH, variant
from support.new_process import forget
from support.tool import tool

from kaiser_logic import cache
from kaiser_logic.game import load
from kaiser_logic.rules.reader import PACKED

ONE_LEFT = ["phase(play)", "heap(1)", "taken(red,5)", "taken(green,6)", "took(green)", "decision(red,take)"]
GAME = ROOT / "examples" / "games" / "unfinished.game"


def only_file(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def test_contents_are_found_only_under_their_key(kept_folder):
    cache.write("kind", "abc", b"contents")
    assert cache.read_entry("kind", "abc") == b"contents"
    assert cache.read_entry("kind", "abd") is None
    assert cache.read_entry("other", "abc") is None
    assert only_file(kept_folder).stat().st_mode & 0o777 == 0o600
    assert kept_folder.stat().st_mode & 0o777 == 0o700


def test_different_texts_have_different_keys():
    texts = ([], [""], ["ab"], ["a", "b"], ["", "ab"], ["ab", ""], ["1:a"])
    assert len({cache.key_of(*one) for one in texts}) == len(texts)


def test_a_truncated_altered_or_renamed_file_is_ignored(kept_folder):
    cache.write("kind", "abc", b"contents")
    file = only_file(kept_folder)
    data = file.read_bytes()
    altered = [data[:n] + bytes([data[n] ^ 1]) + data[n + 1 :] for n in range(len(data))]
    for wrong in (*altered, data + b" ", *(data[:length] for length in (0, 1, 20, 79, 85, -1))):
        file.write_bytes(wrong)
        assert cache.read_entry("kind", "abc") is None, wrong
    file.write_bytes(data)
    assert cache.read_entry("kind", "abc") == b"contents"
    file.rename(kept_folder / "kind-abd")
    assert cache.read_entry("kind", "abd") is None


def test_files_of_others_and_such_as_they_may_write_are_ignored(kept_folder, tmp_path, monkeypatch):
    cache.write("kind", "abc", b"contents")
    file = only_file(kept_folder)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: -1)
        assert cache.read_entry("kind", "abc") is None
    file.chmod(0o620)
    assert cache.read_entry("kind", "abc") is None
    file.chmod(0o600)
    assert cache.read_entry("kind", "abc") == b"contents"
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert cache.read_entry("kind", "abc") is None
    file.unlink()
    os.mkfifo(file, 0o600)
    assert cache.read_entry("kind", "abc") is None


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_open_to_others_is_not_used_and_warned_of(kept_folder, mode):
    kept_folder.mkdir()
    kept_folder.chmod(mode)
    with pytest.warns(RuntimeWarning, match="others may write"):
        assert cache.folder() is None
    cache.write("kind", "abc", b"contents")
    assert not list(kept_folder.iterdir())


def test_a_folder_within_an_open_folder_is_not_used(kept_folder, tmp_path):
    tmp_path.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="others may write"):
        assert cache.folder() is None
    tmp_path.chmod(0o700)


def test_a_cache_that_is_off_stores_nothing(monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, cache.OFF)
    assert cache.folder() is None
    assert cache.read_entry("kind", "abc") is None
    assert cache.store("kind", "text") is None


def test_the_default_folder_belongs_to_the_user(tmp_path, monkeypatch):
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path.resolve() / "kaiser-logic"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.folder() is None


def test_the_oldest_files_of_a_kind_are_deleted(kept_folder, monkeypatch):
    monkeypatch.setattr(cache, "_MOST", 4)
    for number in range(6):
        cache.write("kind", f"{number}", b"contents")
        os.utime(kept_folder / f"kind-{number}", (number, number))
    cache.write("other", "1", b"contents")
    assert len(list(kept_folder.glob("kind-*"))) <= 4
    assert cache.read_entry("kind", "5") == b"contents"
    assert cache.read_entry("other", "1") == b"contents"


def test_concurrent_stores_keep_each_others_entries(kept_folder):
    one = cache.store("kind", "text")
    other = cache.Store("kind", cache.key_of("text"))
    assert one is not None
    one.store(("a", frozenset([1])), (1, "x", ("p", 2)))
    other.store("b", 2)
    one.keep()
    other.keep()
    third = cache.Store("kind", cache.key_of("text"))
    assert third.get(("a", frozenset([1]))) == (1, "x", ("p", 2))
    assert third.get("b") == 2
    assert third.get("c") is None
    assert cache.Store("kind", cache.key_of("text", "more")).get("b") is None


def test_keys_depend_on_the_sources_of_the_package(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "one.py").touch()
    assert cache.tool(os.path.relpath(tmp_path, ROOT / "kaiser_logic")) != ""  # folders in folders count
    assert cache.tool("engine") != cache.tool("rules")
    assert cache.tool("nowhere") == "" and cache.store("kind", "") is None


def test_programs_of_other_rules_and_settings_are_not_used(kept_folder, tmp_path, monkeypatch):
    for rules, players, expected in (
        ({}, 2, 3),
        ({"amount(1..3).": "amount(1..2)."}, 2, 2),
        ({ENOUGH: ""}, 2, 3),
        ({}, 3, 3),
    ):
        game = load(variant(tmp_path / f"{expected}{players}{len(rules)}{ENOUGH in rules}", rules), players=players)
        forget(monkeypatch)
        last = game.position([*(f"seat({role},{n})" for n, role in enumerate(game.seats, 1)), *ONE_LEFT])
        assert len(game.initial().legal()["red"]) == expected
        assert last.legal()["red"] == (("take(1)", "take(2)", "take(3)") if ENOUGH in rules else ("take(1)",))


# -- a whole command -------------------------------------------------------------------------------------------------


def moves_of(folder: Path | str) -> tuple[str, str, int]:
    """Output, errors and exit code of ``moves`` on a record."""
    done = tool("moves", str(GAME), **{cache.VARIABLE: str(folder)})
    return done.stdout, done.stderr, done.returncode


@pytest.fixture(scope="module")
def expected():
    return moves_of(cache.OFF)


@pytest.fixture(scope="module")
def filled(tmp_path_factory, expected):
    folder = tmp_path_factory.mktemp("cache") / "kept"
    assert moves_of(folder) == expected
    assert {f.name.partition("-")[0] for f in folder.iterdir()} == {"rules", "programs", "codes"}
    return folder


@pytest.mark.slow
def test_answers_with_a_filled_cache_are_the_same(filled, expected):
    before = {f.name: f.stat().st_mtime_ns for f in filled.iterdir()}
    assert moves_of(filled) == expected
    assert {f.name: f.stat().st_mtime_ns for f in filled.iterdir()} == before, "every entry is found"


@pytest.mark.slow
def test_a_damaged_cache_is_rebuilt(filled, expected):
    whole = {f.name: f.read_bytes() for f in filled.iterdir()}
    for number, (name, data) in enumerate(sorted(whole.items())):
        place = len(data) // 2
        damaged = data[:place] if number % 2 else data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :]
        (filled / name).write_bytes(damaged)
    assert moves_of(filled) == expected
    assert moves_of(filled) == expected
    assert {f.name for f in filled.iterdir()} == set(whole)
    for name in whole:
        assert isinstance(marshal.loads((filled / name).read_bytes().partition(b"\n")[2]), dict)


@pytest.mark.parametrize(
    "contents", [b"", b"no marshal", marshal.dumps(7), marshal.dumps({"a": 7, "b": b"no marshal"})]
)
def test_contents_that_marshal_cannot_read_are_ignored(kept_folder, contents):
    """The hash is right, so only the user can have written such a file."""
    key = cache.key_of("text")
    cache.write("kind", key, contents)
    assert cache.read_entry("kind", key) == contents
    found = cache.store("kind", "text")
    assert found is not None
    assert found.get("a") is found.get("b") is None
    found.store("a", 1)
    found.keep()
    assert found.get("a") == 1


WRONG = (
    None, True, 0, -1, 10**9, 1.5, "x", b"x", (), ("x",), ((),), ((1, 2),), [], {}, {"a": 1}, frozenset({1}), ((("x",),), ()),
    compile("1", "x", "eval"),
)  # fmt: skip
"""Values that marshal can write, none of which is what an entry is."""


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, len(WRONG), 6))
def test_forged_entries_of_another_shape_are_passed_over(kept_folder, first):
    """The header is right, and the dictionary; the value of one entry after the other is not what it should be."""

    def ask(*command: str) -> tuple[int, str]:
        found = tool(*command, **{cache.VARIABLE: str(kept_folder)})
        return found.returncode, found.stdout + found.stderr

    commands = (("check", str(GAME)), ("perft", "tests/support/heap", "2"))
    expected = [ask(*command) for command in commands]
    for file in kept_folder.iterdir():
        kind, _, key = file.name.rpartition("-")
        entries = marshal.loads(file.read_bytes().split(b"\n", 1)[1])
        forged = {entry: marshal.dumps(WRONG[(first + k) % len(WRONG)]) for k, entry in enumerate(entries)}
        cache.write(kind, key, marshal.dumps(forged))
    assert [ask(*command) for command in commands] == expected


def test_forged_parts_of_entries_are_passed_over():
    store = cache.Store("kind", "key")
    store.store("rules", (("p.", (("p", (), "head"),), 1, 1, None),))
    assert store.get("rules", PACKED)
    for other in (
        "p.",
        ((1,),),
        (("p.", (("p", ("a",), "head"),), 1, 1, None),),
        (("p.", (("p", (), "x"),), 1, 1, None),),
    ):
        store.store("rules", other)
        assert store.get("rules", PACKED) is None
