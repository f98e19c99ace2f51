"""Whatever the tool writes it can read: over manifests and vocabularies with odd names, all that load."""

from __future__ import annotations

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


def _quoted(name: str) -> str:
    return f'"{name}"'


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(24))
def test_records_of_odd_names(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Editions, rulings, values, start tags, roles, actions and facts; a refusal is fine, and says the place."""
    random = Random(seed)
    plain = seed % 3 > 0  # mostly names that are likely to load
    names = (
        [n for n in NAMES if n.isidentifier() and n[0].islower() and n.isascii()] if plain else list(NAMES)
    )
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
