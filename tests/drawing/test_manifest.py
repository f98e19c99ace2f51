"""The key ``picture`` of the manifest: programs of the folder, checked against the contract."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.pictures import OXO, PICTURE, oxo

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.game import load
from kaiser_logic.linting.lint import lint

WRONG = [
    ('picture = "picture"', "'picture' is to be texts"),
    ('picture = ["pictuer"]', "there is no file pictuer.lp in the folder (picture?)"),
    ('picture = ["picture", "play"]', "a picture must not be listed in 'files' as well"),
]


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_wrong_keys_are_reported(tmp_path: Path, line: str, message: str) -> None:
    folder = oxo(tmp_path)
    manifest = (OXO / "game.toml").read_text()
    (folder / "game.toml").write_text(manifest.replace('picture = ["picture"]', line))
    with pytest.raises(FaultyRulebook) as caught:
        load(folder)
    assert message.split(" (", maxsplit=1)[0] in str(caught.value)


def test_noughts_and_crosses_are_clean(tmp_path: Path) -> None:
    assert [str(f) for f in lint(oxo(tmp_path))] == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "piece(mark,f(X,Y),look(disc,R,none),1) :- makred(X,Y,R).",
            "makred/3 is neither derived by a rule nor a fluent",
        ),
        ("piece(mark,f(X,Y)) :- marked(X,Y,_).", "'piece' has 4 arguments, not 2"),
        ("piece(mark,f(X,Y),look(disc,R,none),1) :- marked(X,Y,R", "syntax"),
    ],
)
def test_mistakes_in_picture_rules_are_found(tmp_path: Path, line: str, message: str) -> None:
    folder = oxo(tmp_path, f"{PICTURE}{line}\n")
    assert any(message in str(finding) for finding in lint(folder))
