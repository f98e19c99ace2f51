"""Mutants of the tiny games: edited rules, and random invariants over their vocabulary."""

import shutil
from pathlib import Path
from random import Random

from kaiser_logic.game import load
from support import TINY
from support.edits import EDITS, Text
from support.plain import fluents


def invariant(text: Text, name: str) -> None:
    random, game = text.random, load(TINY / text.name)
    known = [f for f in fluents(game, 3) if f.name != "seat"]
    numbered = set(game.book.counters)
    body, names = [], []
    for k in range(random.choice((1, 2, 2, 3))):
        f = random.choice(known)
        args = []
        for a in f.arguments[: len(f.arguments)]:
            args.append(random.choice((str(a), str(a), "_", f"X{k}")))
        if (f.name, len(f.arguments)) in numbered and random.random() < 0.6:
            args[-1] = f"N{k}"
            names.append(args[-1])
        negative = k and random.random() < 0.4
        if negative:
            args = ["_" if "X" in a or "N" in a else a for a in args]
            names = [n for n in names if n != f"N{k}"]
        body.append(f"{'not ' if negative else ''}{f.name}{'(' + ','.join(args) + ')' if args else ''}")
    for n in names:
        other = random.choice(names)
        right = str(random.choice((1, 2, 3, 4))) if other == n else f"{other}{random.choice(('', '+1', '-1'))}"
        body.append(f"{n} {random.choice(('<', '>', '=', '!=', '>='))} {right}")
    text.append(f"%! invariant {name} -- Made up.", f"broken({name},x) :- {', '.join(body)}.")


def mutant(name: str, seed: int, folder: Path) -> Text:
    """The mutant of a tiny game with this seed, written to a folder."""
    random = Random(f"mutant {seed} of {name}")
    text = original(name, random)
    for _ in range(random.choice((0, 1, 1, 1, 2))):
        random.choice(EDITS)(text)
    for k in range(random.choice((0, 0, 1, 2, 3))):
        invariant(text, f"made_up_{k}")
    write(text, folder)
    return text


def original(name: str, random: Random) -> Text:
    lines = (TINY / name / "rules.lp").read_text(encoding="utf-8").splitlines()
    return Text(name, (TINY / name / "game.toml").read_text(encoding="utf-8"), lines, random, [])


def write(text: Text, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "game.toml").write_text(text.manifest, encoding="utf-8")
    (folder / "rules.lp").write_text("\n".join(text.lines) + "\n", encoding="utf-8")
