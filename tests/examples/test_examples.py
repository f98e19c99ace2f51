"""The examples: the games are legal, the worked cases hold, and `check` prints the expected output for each fault.

With KAISER_LOGIC_WRITE=1 the tests write the expected outputs anew. Read the difference before you keep it.
"""

import os
import re
from pathlib import Path

import pytest
from support import EXAMPLES, ROOT

from kaiser_logic.cli import main
from kaiser_logic.lang.unification import label
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import PositionBlock
from kaiser_logic.notation.sources import read
from kaiser_logic.records.checking import check
from kaiser_logic.records.fault import RECORD_RULES
from kaiser_logic.rules.loader import rulebook

KAISER_GAMES = sorted((EXAMPLES / "games").glob("*.game"))
KRONE = sorted((EXAMPLES / "krone").glob("*.game"))
VIVE = sorted((EXAMPLES / "vive").glob("*.game"))
KRONE_GAMES = [path for path in KRONE if path.stem.startswith("random-")]
VIVE_GAMES = [path for path in VIVE if path.stem.startswith("random-")]
STAUFER = sorted((EXAMPLES / "staufer").glob("*.game")) + sorted((EXAMPLES / "staufer" / "worked").glob("*.game"))
STAUFER_GAMES = [path for path in STAUFER if path.stem.startswith("random-")]
GAMES = [*KAISER_GAMES, *KRONE_GAMES, *STAUFER_GAMES, *VIVE_GAMES]
WITH_POSITION = [
    *sorted([*(EXAMPLES / "worked").glob("*.game"), *(EXAMPLES / "positions").glob("*.game")]),
    *(path for path in (*KRONE, *STAUFER, *VIVE) if path not in GAMES),
]
VIEWS = sorted((EXAMPLES / "krone" / "views").glob("*.game"))
OTHERS = ("krone", "staufer", "vive")
FAULT_FOLDERS = (EXAMPLES / "faults", *(EXAMPLES / game / "faults" for game in OTHERS))
FAULTS = sorted(path for folder in FAULT_FOLDERS for path in folder.glob("*.game"))
VIEWED = {"third-ambush": "public"}
"""Faults that `check` finds only with ``--view``: the record's name and the view."""


def name(path: Path) -> str:
    games = [game for game in OTHERS if game in path.relative_to(ROOT).parts]
    return "-".join([*games, path.stem])


# -- legal examples ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*GAMES, *WITH_POSITION], ids=name)
def test_games_and_positions_have_no_faults(path):
    """The result that a whole game states is the one that `check` finds."""
    record = read(path)
    report = check(record)
    assert report.ok, str(report)
    assert report.judged == report.moves > 0
    assert path not in GAMES or record.result == (report.result.winners if report.result else ())


@pytest.mark.parametrize("path", WITH_POSITION, ids=name)
def test_positions_are_valid(path, capsys):
    assert main(["validate", str(path)]) == 0
    assert f"a valid position of {read(path).game_id}" in capsys.readouterr().err


@pytest.mark.parametrize("path", WITH_POSITION, ids=name)
def test_every_assertion_can_fail(path):
    """An assertion that always holds would show nothing. So each one, negated, must be a fault."""
    assert isinstance(read(path).items[0], PositionBlock)
    text = path.read_text(encoding="utf-8")
    head, *rest = re.split(r"(?=assert \{)", text)
    negated = 0
    for part in rest:
        inside, closing, after = part.removeprefix("assert {").partition("}")
        literals = [literal.strip() for literal in re.sub(r"%[^\n]*", "", inside).split(".") if literal.strip()]
        opposite = [x[4:] if x.startswith("not ") else f"not {x}" for x in literals]
        negated += len(opposite)
        head += f"assert {{ {'. '.join(opposite)} {closing}{after}"
    assert negated
    report = check(parse_record(head, str(path)))
    assert [fault.rule for fault in report.faults] == ["record.assert"] * negated


OF_GAME = {"kaiser": [*KAISER_GAMES, *(p for p in WITH_POSITION if p.parent.parent == EXAMPLES)], "krone": KRONE}
OF_GAME |= {"staufer": STAUFER, "vive": VIVE}
RARE = {"vive": {"accept", "again", "end"}}


@pytest.mark.parametrize("game", OF_GAME)
def test_some_example_has_each_action_of_the_game(game):
    declared = {label(kind.action) for kind in rulebook(game).kinds}
    records = [read(path) for path in OF_GAME[game]]
    assert declared - {str(m.action).partition("(")[0] for r in records for m in r.moves} == RARE.get(game, set())
    assert {record.edition for record in records} >= ({"standard", "nl", "it"} if game == "kaiser" else {"standard"})


# -- hidden cards ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("path", VIEWS, ids=name)
def test_records_with_hidden_cards_can_be_completed(path, capsys):
    """A plain check reports the gaps. With its view the record has no fault, and `complete` fills it."""
    record = read(path)
    assert check(record).faults[0].rule == "record.unknown"
    assert main(["check", "--view", record.tag("View") or "", str(path)]) == 0
    assert main(["complete", str(path)]) == 0
    output = capsys.readouterr()
    full = parse_record(output.out)
    assert check(full).ok
    assert not any("?" in line.partition("%")[0] for line in str(full).splitlines())
    assert ("this is the only way" in output.err) == (path.stem == "votes")


# -- faults ------------------------------------------------------------------------------------------------


def checked(path: Path, policy: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and the output of `check`: faults, then the summary or the unreadable records."""
    options = ["--view", VIEWED[path.stem]] if path.stem in VIEWED else ["--on-illegal", policy]
    code = main(["check", *options, str(path.relative_to(ROOT))])
    output = capsys.readouterr()
    return code, output.out + output.err


def expected(path: Path, policy: str) -> Path:
    return path.with_suffix(".expected" if policy == "stop" else f".{policy}.expected")


OTHER = [(path, policy) for path in FAULTS for policy in ("skip", "force") if expected(path, policy).exists()]


@pytest.mark.parametrize("path", FAULTS, ids=name)
def test_faults_are_reported_as_expected(path, capsys, monkeypatch):
    compare(path, "stop", capsys, monkeypatch)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("path", "policy"), OTHER, ids=lambda x: x if isinstance(x, str) else name(x))
def test_faults_are_reported_as_expected_after_illegal_moves(path, policy, capsys, monkeypatch):
    compare(path, policy, capsys, monkeypatch)


def compare(path: Path, policy: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code, text = checked(path, policy, capsys)
    if os.environ.get("KAISER_LOGIC_WRITE"):
        expected(path, policy).write_text(text, encoding="utf-8")
    assert text == expected(path, policy).read_text(encoding="utf-8")
    assert code == (2 if "1 unreadable" in text else 1)


def test_every_expected_output_has_its_record():
    for folder in FAULT_FOLDERS:
        files = {file.name.partition(".")[0] for file in folder.glob("*.expected")}
        assert files == {path.stem for path in FAULTS if path.parent == folder}


def test_every_rule_of_records_is_broken_by_an_example():
    text = "".join(file.read_text(encoding="utf-8") for file in (EXAMPLES / "faults").glob("*.expected"))
    without_view = RECORD_RULES.keys() - {"record.view", "record.duplicate"}  # found by options of `check`
    assert not [rule for rule in without_view if f": {rule}: " not in text]


def test_readme_lists_every_example():
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    boards = ("games/boards", "positions/boards", "faults/boards")
    folders = ("games", "worked", "positions", "faults", *boards, "krone", "krone/views", "krone/faults")
    folders += ("staufer", "staufer/worked", "staufer/boards", "staufer/faults", "vive", "vive/faults")
    files = [p for f in folders for p in (EXAMPLES / f).iterdir() if p.suffix in (".game", ".lp")]
    assert not [p.name for p in files if f"({p.relative_to(EXAMPLES).as_posix()})" not in listed]
