"""Whatever the tool writes it can read: over manifests and vocabularies with odd names, all that load."""

import json
from pathlib import Path
from random import Random

import pytest
from support.heap_game import variant

import kaiser_logic as kl
from kaiser_logic.cli import main
from kaiser_logic.engine.ruleset import tags_of

NAMES = (
    "a", "position", "assert", "not", "game", "edition", "option", "seats", "board", "result", "engine", "over", "public",
    "chance", "standard", "count", "sum", "never", "some", "why", "about", "values", "source", "x_1", "aB", "en-US", "2nd", "V1",
    "_x", "tie-break", "a b", "ü", "", "a" * 300, "inf", "sup", "true", "false", "default", "10", "007", "-1",
)  # fmt: skip


BOARD = {
    "amount(1..3).": "printed(amount(1;2;3)).\n"
    "named         :- board(amount(_)).\n"
    "amount(K)     :- board(amount(K)).\n"
    "amount(K)     :- printed(amount(K)), not named.\n"
    "board_fact(amount(K)) :- number(K), K > 0.\n"
}


def _quoted(name: str) -> str:
    return f'"{name}"'


@pytest.mark.sample(4, 2)
@pytest.mark.parametrize("seed", range(24))
def test_records_of_odd_names(seed, tmp_path, capsys):
    """Editions, rulings, values, start tags, roles, actions and facts; a refusal is fine, and says the place."""
    random = Random(seed)
    plain = seed % 3 > 0  # mostly names that are likely to load
    names = [n for n in NAMES if n.isidentifier() and n[0].islower() and n.isascii()] if plain else list(NAMES)
    edition, ruling, value, tag, role, action = random.sample(names, 6)
    tag = tag.capitalize()
    changes = {
        "[editions]": f'[tags.{_quoted(tag)}]\nabout = "who"\nvalues = [{_quoted(value)}, "b"]\ndefault = "b"\n'
        f'[editions]\n{_quoted(edition)} = "x"',
        "[rulings.last_stone]": f'[rulings.{_quoted(ruling)}]\nabout = "x"\n'
        f'values = {{ {_quoted(value)} = "x", y = "y" }}\nstandard = "y"\n{_quoted(edition)} = {_quoted(value)}\n\n'
        f'[rulings.last_stone]\n{_quoted(edition)} = "loses"',
        '"red"': _quoted(role),
        "fluent(took(R))           :- player(R).": f"fluent(took(R)) :- player(R).\nfluent(held({action})).\n"
        f"init(held({action})).",
    }
    folder = variant(tmp_path, changes)
    try:
        game = kl.load(folder, edition=edition)
    except kl.KaiserLogicError as error:
        assert str(error).count(":") >= 2 and "internal" not in str(error)
        return
    path = tmp_path / "a.game"
    tags = "".join(f'[{name} "{text}"]\n' for name, text in tags_of(game.ruleset))
    position = game.initial()
    moves = []
    while position.to_move:
        (who,) = position.to_move
        moves.append(f"{who}: {position.legal()[who][-1]}")
        position = position.apply({who: position.legal()[who][-1]})
    path.write_text(f"{tags}\n" + "\n".join(moves) + f"\nposition {{ {position} }}\n", encoding="utf-8")
    assert main(["check", "--game", str(folder), str(path)]) == 0, capsys.readouterr()
    again = tmp_path / "again.game"
    again.write_text(str(kl.read(path)), encoding="utf-8")
    assert kl.read(again) == kl.read(path)
    assert game.position(position.facts) == position
    found = tmp_path / "found.game"
    assert main(["find", str(folder), "heap(0)", "--edition", edition, "--output", str(found)]) in (0, 3)
    if found.exists():
        assert main(["check", "--game", str(folder), str(found)]) == 0, capsys.readouterr()
    reports = tmp_path / "reports.json"
    assert main(["check", "--game", str(folder), str(path), "--format", "json", "--output", str(reports)]) == 0
    assert json.loads(reports.read_text(encoding="utf-8"))["path"] == str(path)


@pytest.mark.parametrize("name", ["a b.lp", "ü.lp", "in/it.lp", "[x]#1@2.lp", "b'c\"d.lp", "b\\c.lp", "b\nc.lp"])
@pytest.mark.parametrize("command", ["find", "simulate", "play"])
def test_records_beside_boards_of_odd_names(name, command, tmp_path, monkeypatch, capsys):
    """A board is found again from the record that names it; a name that no record can hold is refused."""
    monkeypatch.chdir(tmp_path)
    folder = str(variant(tmp_path, BOARD))
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text("amount(1). amount(2).")
    arguments = {
        "find": ["heap(12)", "--output", "made/found.game"],
        "simulate": ["--games", "1", "--records", "made"],
        "play": ["--random", "--moves", "2"],
    }[command]
    Path("made").mkdir()
    code = main([command, folder, "--board", name, *arguments])
    printed, said = capsys.readouterr()
    if code == 2:
        assert "cannot name the board file" in said and not list(Path("made").iterdir())
        return
    assert code == 0, said
    if command == "play":
        Path("played.game").write_text(printed, encoding="utf-8")
    (path,) = Path().glob("*.game") if command == "play" else Path("made").iterdir()
    record = kl.read(path)
    assert record.board is not None
    assert (path.parent / record.board).read_text() == "amount(1). amount(2)."
    if command == "play":  # check opens no board outside the record's folder
        assert main(["check", "--game", folder, str(path)]) == 0, capsys.readouterr()


@pytest.mark.sample(9, 3)
@pytest.mark.parametrize("name", NAMES)
def test_new_games_of_odd_names(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if main(["new-game", "--", name]) == 2:
        assert "Traceback" not in capsys.readouterr().err and not list(tmp_path.iterdir())
        return
    (folder,) = tmp_path.iterdir()
    assert main(["lint", f"{folder}/"]) == 0, capsys.readouterr()
    capsys.readouterr()
    assert main(["play", f"{folder}/", "--random"]) == 0
    record = tmp_path / "a.game"
    record.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["check", "--game", f"{folder}/", str(record)]) == 0, capsys.readouterr()


@pytest.mark.slow
def test_proposed_invariants_are_read(tmp_path, capsys):
    folder = str(variant(tmp_path, {}))
    assert main(["invariants", folder, "--games", "5"]) == 0
    file = tmp_path / "more.lp"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["find", folder, "heap(3)", "--invariants", str(file)]) == 0, capsys.readouterr()
