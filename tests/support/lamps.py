"""Games of lamps for tests: the active player flicks a switch, which turns some lamps on and others off."""

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
        lights: The lamp that it turns on.
        when: The lamps that must be on for it to work, separated by commas; ``not`` before a lamp: it must be off.
        out: The lamp that it turns off.
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
    body = ", ".join(
        f"not lit({x.removeprefix('not ')})" if x.startswith("not ") else f"lit({x})" for x in lamps
    )
    return f"%! invariant {name} -- Never {' and '.join(lamps)}.\nbroken({name},x) :- {body}."


def lamps(folder: Path, switches: int, *rules: str, lamps: Iterable[str] = "abcde", more: str = "") -> Game:
    """A game of lamps that are all off at the start.

    Args:
        folder: The folder of the rulebook.
        switches: The number of switches.
        rules: The rules of the switches, and invariants.
        lamps: The lamps.
        more: Other lines of the rulebook.
    """
    target = folder / "lamps"
    target.mkdir(parents=True)
    (target / "game.toml").write_text(MANIFEST, encoding="utf-8")
    text = RULES.format(switches=switches, lamps=";".join(lamps))
    (target / "rules.lp").write_text("\n".join([text, *rules, more, ""]), encoding="utf-8")
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
