"""Games of lamps for tests: the active player flicks a switch, which lights some lamps and puts out others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

from kaiser_logic.game import Game, load

MANIFEST = """\
id = "lamps"
title = "Lamps"
roles = ["red", "green"]
players = [2, 2]
default_players = 2
files = ["rules"]
engine = ["table"]
[editions]
standard = "as it is"
"""
RULES = """\
fluent(seat(R,I)) :- seat(R,I).
fluent(lit({lamps})).
fluent(decision(R,flick)) :- player(R).
action(flick,flick(S)) :- S = 1..{switches}.
init(decision(R,flick)) :- first(R).
%! rule flick -- In turn a player flicks a switch.
%!   why       it is not {{R}}'s turn
%!   standard  everywhere
out_of_turn(flick,"flick").
candidate(R,flick(1..{switches})) :- decision(R,flick).
%! rule flick.works -- The switch works.
%!   why       it does not
%!   standard  everywhere
add(decision(Q,flick)) :- does(R,flick(_)), left(R,Q).
%! invariant turn -- One player is active.
broken(turn,x) :- #count {{ R : decision(R,flick) }} != 1.
"""


def switch(number: int, lights: str, when: str = "", out: str = "") -> str:
    """The rules of a switch.

    Args:
        number: Its number.
        lights: The lamp that it lights.
        when: What must be lit for it to work; with ``not`` before it what must not be; any number, separated by commas.
        out: The lamp that it puts out.
    """
    lines = [f"add(lit({lights})) :- does(_,flick({number}))."] if lights else []
    lines += [f"del(lit({out})) :- does(_,flick({number})), lit({out})."] if out else []
    for each in filter(None, (part.strip() for part in when.split(","))):
        plain = each.removeprefix("not ")
        other = f"lit({plain})" if each != plain else f"not lit({plain})"
        lines.append(f'violates(R,flick({number}),"flick.works") :- candidate(R,flick({number})), {other}.')
    return "\n".join(lines)


def never(name: str, *lamps: str) -> str:
    """The invariant that these lamps are never all lit; with ``not`` before it that one is not."""
    body = ", ".join(
        f"not lit({x.removeprefix('not ')})" if x.startswith("not ") else f"lit({x})" for x in lamps
    )
    return f"%! invariant {name} -- Never {' and '.join(lamps)}.\nbroken({name},x) :- {body}."


def lamps(folder: Path, switches: int, *rules: str, lamps: Iterable[str] = "abcde", more: str = "") -> Game:
    """A game of lamps, all of them out at the start.

    Args:
        folder: Where it is written.
        switches: How many switches there are.
        rules: The rules of the switches, and invariants.
        lamps: The lamps.
        more: More lines.
    """
    target = folder / "lamps"
    target.mkdir(parents=True)
    (target / "game.toml").write_text(MANIFEST, encoding="utf-8")
    text = RULES.format(switches=switches, lamps=";".join(lamps))
    (target / "rules.lp").write_text("\n".join([text, *rules, more, ""]), encoding="utf-8")
    return load(target)


def random_lamps(folder: Path, random: Random) -> Game:
    """A game with random switches and invariants, most of them of lamps that light one another."""
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
