"""Random small rulebooks with simultaneous decisions, whose rules join the actions of several roles.

The names of their variables (``Pxx``, ``Qxx``) occur nowhere in the package; :mod:`.spellings` changes them.
"""

import shutil
from pathlib import Path
from random import Random

_TEXT = Path(__file__).with_suffix(".cases").read_text(encoding="utf-8")
_PARTS = {part.partition("\n")[0]: part.strip().split("\n")[1:] for part in _TEXT.split("\n% = ")[1:]}
_MORE = ("", "", "", ", mark(Pxx)", ", not mark(Qxx)", ", tie(Pxx,Qxx)", ", not tie(Qxx,Pxx)", ", Pxx != Qxx")


def rulebook(seed: int) -> list[str]:
    """The lines of the rulebook with this seed; the last but two is in force only under a ruling."""
    random = Random(f"at once {seed}")
    own = random.sample(_PARTS["bans"], random.choice((1, 2, 2, 3)))
    for _ in range(random.choice((1, 2, 2, 3))):
        body = random.choice(_PARTS["bodies of effects"])
        heads = [h for h in _PARTS["heads of effects"] if "Qxx" in body or "Qxx" not in h]
        more = [m for m in _MORE if "Qxx" in body or "Qxx" not in m]
        own.append(f"{random.choice(heads)} :- {body}{random.choice(more)}.")
    guarded = random.choice(own)
    own.remove(guarded)
    return [
        *_PARTS["frame"],
        *_PARTS["rules that all have"],
        *own,
        guarded.removesuffix(".") + ", ruling(guard,on).",
        "%! invariant made_up -- It never comes to that.",
        f"broken(made_up,x) :- {random.choice(_PARTS['claims'])}.",
    ]


def write(folder: Path, lines: list[str] | str) -> Path:
    folder.mkdir(parents=True)
    shutil.copy(Path(__file__).with_suffix(".toml"), folder / "game.toml")
    text = lines if isinstance(lines, str) else "\n".join(lines) + "\n"
    (folder / "rules.lp").write_text(text, encoding="utf-8")
    return folder
