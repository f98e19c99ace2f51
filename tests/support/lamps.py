"""Games of lamps for tests: the active player flicks a switch, which turns some lamps on and others off."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from random import Random

from kaiser_logic.game import Game, load


def switch(number: int, lights: str, when: str = "", out: str = "") -> str:
    """The rules of a switch that turns a lamp on, and perhaps another one out.

    ``when``: the lamps that must be on for it to work, separated by commas; ``not`` before a lamp: it must be off.
    """
    lines = [f"add(lit({lights})) :- does(_,flick({number}))."] if lights else []
    lines += [f"del(lit({out})) :- does(_,flick({number})), lit({out})."] if out else []
    for each in filter(None, (part.strip() for part in when.split(","))):
        plain = each.removeprefix("not ")
        other = f"lit({plain})" if each != plain else f"not lit({plain})"
        lines.append(f'violates(R,flick({number}),"flick.works") :- candidate(R,flick({number})), {other}.')
    return "\n".join(lines)


def never(name: str, *lamps: str) -> str:
    """The invariant that these lamps are never all on; ``not`` before a lamp: while that one is off."""
    body = ", ".join(f"not lit({x.removeprefix('not ')})" if x.startswith("not ") else f"lit({x})" for x in lamps)
    return f"%! invariant {name} -- Never {' and '.join(lamps)}.\nbroken({name},x) :- {body}."


def lamps(folder: Path, switches: int, *rules: str, lamps: Iterable[str] = "abcde", more: str = "") -> Game:
    """A game of lamps that are all off at the start. ``rules``: those of the switches, and invariants."""
    target, here = folder / "lamps", Path(__file__)
    target.mkdir(parents=True)
    shutil.copy(here.with_suffix(".toml"), target / "game.toml")
    text = here.with_suffix(".lp").read_text(encoding="utf-8")
    own = f"lamp({';'.join(lamps)}). switch(1..{switches})."
    (target / "rules.lp").write_text("\n".join([text, own, *rules, more, ""]), encoding="utf-8")
    return load(target)


def random_lamps(folder: Path, random: Random) -> Game:
    """A game with random switches and invariants; most switches need a lamp that another one turns on."""
    names = "abcde"
    rules = []
    switches = random.randint(3, 6)
    for number in range(1, switches + 1):
        when = random.sample(names, random.choice((0, 1, 1, 2)))
        signed = ", ".join(random.choice(("", "", "not ")) + lamp for lamp in when)
        out = random.choice((*names, "", "", ""))
        lights = random.choice(names.replace(out, "") if out else names)
        rules.append(switch(number, lights, signed, out))
    for number in range(random.randint(3, 7)):
        lit = random.sample(names, random.choice((1, 1, 2)))
        unlit = [f"not {x}" for x in names if x not in lit and random.random() < 0.15]
        rules.append(never(f"inv{number}", *lit, *unlit))
    return lamps(folder, switches, *rules, lamps=names)
