"""A rulebook of one file for two players, written from its rules."""

from pathlib import Path

MANIFEST = """\
id = "{name}"
title = "{title} (for tests)"
roles = ["red", "green"]
players = [2]
default_players = 2
files = ["rules"]
engine = ["table", "phases", "decisions", "end"]

[editions]
standard = "as written"
"""


def small_rulebook(parent: Path, name: str, rules: str) -> Path:
    folder = parent / name
    folder.mkdir()
    (folder / "game.toml").write_text(MANIFEST.format(name=name, title=name.capitalize()), encoding="utf-8")
    (folder / "rules.lp").write_text(rules, encoding="utf-8")
    return folder
