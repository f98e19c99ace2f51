"""The records that come with the package."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.record_handlers import example, examples, open_record
from kaiser_logic.rules.library import examples_folder


def test_each_game_has_examples_with_a_description() -> None:
    found = {one["game"]: one["records"] for one in examples({})["examples"]}
    assert {"kaiser", "krone", "staufer", "vive"} == set(found)
    labels = [record["label"] for records in found.values() for record in records]
    assert sum(map(bool, labels)) > 0.8 * len(labels)
    assert max(map(len, labels)) < 130


@pytest.mark.parametrize("file", ["games/four-players.game", "staufer/supply.game"])
def test_examples_can_be_opened(file: str) -> None:
    found = example({"file": file})
    assert found["name"] == file.split("/")[1]
    assert open_record({"text": found["text"]})["steps"]


@pytest.mark.parametrize("file", ["../pyproject.toml", "games/../games/four-players.game", "/etc/passwd", ""])
def test_other_files_are_not_read(file: str) -> None:
    assert examples_folder().is_dir()
    with pytest.raises(WrongUsage):
        example({"file": file})
