"""The commands ``lint`` and ``new-game``: likely mistakes in a rulebook, and the skeleton of a new one."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import shutil
from pathlib import Path
from typing import Final

from ..errors import WrongUsage, visible_name
from ..files import write_file
from ..rules.library import asp_folder, examples_folder, games
from .common import add_format, add_option, print_note, rulebooks_named
from .exit_codes import DONE, NO
from .outputs import add_output, data_to


def add_lint(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``lint``."""
    parser.epilog = "Each finding is a line FILE:LINE:COLUMN: WHAT: message; docs/write/lint.md lists the kinds."
    add_option(
        parser,
        "games",
        "GAME|FOLDER",
        "a game's id, or a folder with a rulebook of your own; a file means the rulebook that contains it",
        nargs="+",
    )
    add_format(
        parser,
        ("text", "json", "sarif"),
        "one line for each finding (default), one line of JSON for each, or one SARIF 2.1.0 log",
    )
    add_output(parser)


def lint(args: argparse.Namespace) -> int:
    """Looks a rulebook through."""
    from ..linting.lint import lint as look_through

    books = list(dict.fromkeys(rulebooks_named(args.games)))
    findings = [finding for game in books for finding in look_through(game)]
    with data_to(args.output) as out:
        if args.format == "sarif":
            from ..linting.findings import sarif

            print(json.dumps(sarif(findings), indent=2, ensure_ascii=False), file=out)
        for finding in findings:
            if args.format == "text":
                print(finding, file=out)
            elif args.format == "json":
                print(json.dumps(dataclasses.asdict(finding), ensure_ascii=False), file=out)
    kinds = len({finding.what for finding in findings})
    count = f"{len(findings)} finding{'s' * (len(findings) != 1)} of {kinds} kind{'s' * (kinds != 1)}"
    print_note(count if findings else "clean" if books else "none of the files belongs to a rulebook")
    return NO if findings else DONE


# -- new game ------------------------------------------------------------------------------------------------


_NAME: Final = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_TAKEN: Final = frozenset({"engine", "skeleton", "not"})
TOKENS: Final = "tokens"
_LIKE: Final = {TOKENS: "", "board": "connect_four", "cards": "love_letter"}
"""The games after which a new one can be made: the skeleton, or an example rulebook."""


def add_new_game(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``new-game``."""
    add_option(parser, "name", "NAME", "the new game's id: small letters, digits and _")
    add_option(parser, "--folder", "DIR", "the folder in which to make it (default: here)", default=".")
    parser.add_argument(
        "--like",
        choices=_LIKE,
        default=TOKENS,
        help="what to begin with: a game of a few tokens (default), one on a board (Connect Four), one of cards (Love Letter)",
    )


def new_game(args: argparse.Namespace) -> int:
    """Writes the skeleton of a rulebook."""
    folder = os.path.join(write_skeleton(args.name, args.folder, args.like), "")
    print(folder)
    print_note(f"now: kaiser-logic play {folder}, kaiser-logic lint {folder}, kaiser-logic prove {folder}")
    return DONE


def write_skeleton(name: str, folder: str | os.PathLike[str] = ".", like: str = TOKENS) -> Path:
    """Writes the skeleton of a rulebook and returns its folder, which is new.

    Args:
        name: The game's id, which is also the name of the new folder: small letters, digits and ``_``.
        folder: The folder in which it is made.
        like: What it begins with: ``tokens``, ``board`` or ``cards``.

    Raises:
        WrongUsage: The name is not allowed or taken, or the folder cannot be written.
    """
    if not _NAME.fullmatch(name) or name in _TAKEN:
        raise WrongUsage(f"{name[:80]!r} is no id of a game: small letters, digits and _, such as my_game")
    if name in games():
        raise WrongUsage(f"there is a game {name!r} already")
    target = Path(folder) / name
    if os.path.lexists(target):
        raise WrongUsage(f"{visible_name(str(target))} exists already: choose another name, or another --folder")
    draft = target.with_name(f".{name}.{os.urandom(4).hex()}.part")
    try:
        draft.mkdir(parents=True)
        example = _LIKE[like]
        model = examples_folder() / "rulebooks" / example if example else asp_folder() / "skeleton"
        title = name.replace("_", " ").capitalize()
        for source in sorted(model.iterdir()):
            text = source.read_text(encoding="utf-8")
            if source.suffix == ".toml" and example:
                text = text.replace(f"examples/rulebooks/{example}", f"{name}/").replace(example, name)
                text = text.replace(example.replace("_", " ").title(), title)
            elif source.suffix == ".toml":
                text = text.replace("{id}", name).replace("{title}", title)
            write_file(draft / ("game.toml" if source.name == "manifest.toml" else source.name), text)
        os.rename(draft, target)
    except WrongUsage as error:  # it names a file of the draft
        raise WrongUsage(str(error).replace(str(draft), str(target))) from None
    except OSError as error:
        raise WrongUsage(f"{visible_name(str(target))} cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target
