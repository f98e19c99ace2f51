"""Records of Vive le Roi from before its persons had copy numbers, written anew: python convert.py FILE...

Until November 2026 a person stood with its place and its load, `person(red,general,home,g(1,1,0),1)`, and actions
named both. Now each person is a card of its own with a copy number, and gold lies on it: `person(red,general,1,home)`
`load(general,1,1,1) load(general,1,2,1)`. And an immediate event in the place of the card for the middle is
`play_event(ear(lion))`, was `play(ear(lion))`. Which copy an old action means is told by the position, so each record is
played on the way; of equal ones the lowest is taken. The files are changed where they are. What is unknown (`?`) is
left as it is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import kaiser_logic as kl

KIND = r"\w+(?:\(\w+(?:,\w+)?\))?"
PLACE = r"(?:home|at\(\w+,\d+\))"
LOAD = r"g\((\d+),(\d+),(\d+)\)"
FACT = re.compile(r"(not )?\b([a-z][\w(),]*)\.")
MOVE = re.compile(r"(\w+): ([^%]*[^%\s])(\s*(?:%.*)?)")


class Copies:
    """The persons of a position: (kind, copy) to (owner, place or what they wait for, load)."""

    def __init__(self, facts: frozenset[str]) -> None:
        """`facts`: of a position in the new vocabulary."""
        self.persons: dict[tuple[str, int], tuple[str, str]] = {}
        self.loads: dict[tuple[str, int], list[int]] = {}
        for fact in sorted(facts):
            if found := re.fullmatch(rf"person\((\w+),({KIND}),(\d+),({PLACE})\)", fact):
                self.persons[found[2], int(found[3])] = (found[1], found[4])
            elif found := re.fullmatch(r"staked\((\w+),(\w+),(\d+),(\d+)\)", fact):
                self.persons[f"musketeer({found[3]})", int(found[4])] = (found[1], found[2])
            elif found := re.fullmatch(r"waiting\((\w+),(\d+),(\d+)\)", fact):
                self.persons[f"musketeer({found[2]})", int(found[3])] = (found[1], "waiting")
            elif found := re.fullmatch(rf"load\(({KIND}),(\d+),(\d),(\d+)\)", fact):
                self.loads.setdefault((found[1], int(found[2])), [0, 0, 0])[int(found[3]) - 1] = int(found[4])

    def find(self, owner: str | None, kind: str, place: str | None, load: list[int] | None) -> Iterator[int]:
        """The copies that fit, the lowest first; at last one that nobody uses."""
        for (other, copy), (who, where) in sorted(self.persons.items()):
            fits = other == kind and owner in (None, who) and place in (None, where)
            if fits and (load is None or self.loads.get((kind, copy), [0, 0, 0]) == load):
                yield copy
        yield next(c for c in range(1, 1000) if (kind, c) not in self.persons)

    def take(self, owner: str, kind: str, place: str, load: list[int], count: int) -> list[int]:
        """Copies for new facts."""
        used: list[int] = []
        for _ in range(count):
            copy = next(c for c in range(1, 1000) if (kind, c) not in self.persons)
            self.persons[kind, copy] = (owner, place)
            self.loads[kind, copy] = load
            used.append(copy)
        return used


def new_facts(fact: str, known: Copies | None, fresh: Copies) -> list[str]:
    """A fact in the new vocabulary; its copies as in the position that is known, or new ones."""
    patterns = {
        "person": rf"person\((\w+),({KIND}),({PLACE}),{LOAD},(\d+)\)",
        "stake": rf"stake\((\w+),({KIND}),(\w+),{LOAD},(\d+)\)",
        "unplaced": rf"unplaced\((\w+),({KIND}),{LOAD},(\d+)\)",
        "exchange": rf"exchange\(bribe\((\w+),person\(({KIND}),({PLACE}),{LOAD}\)\)\)",
    }
    name = fact.partition("(")[0]
    found = re.fullmatch(patterns[name], fact) if name in patterns else None
    if found is None:
        return [fact]
    row = list(found.groups())
    if name == "exchange":
        row.append("1")
    load, count = [int(n) for n in row[-4:-1]], int(row[-1])
    owner, kind, place = row[0], row[1], row[2] if len(row) == 7 else "waiting"
    if name == "stake":
        kind, place = row[1:3] if row[2] in ("last", "earlier") else (row[2], row[1])
    if kind.startswith("gold"):
        return [f"{name}({owner},{f'{place},' if name == 'stake' else ''}{kind[5:-1]},{count})"]
    if known is not None or name == "exchange":
        fitting = (known or fresh).find(owner, kind, place, load)
        copies = [next(fitting) for _ in range(count)]
    else:
        copies = fresh.take(owner, kind, place, load, count)
    result: list[str] = []
    for copy in copies:
        if name == "exchange":
            return [f"exchange(bribe({owner},{kind},{copy}))"]
        value = kind[10:-1]
        result.append(
            {
                "person": f"person({owner},{kind},{copy},{place})",
                "stake": f"staked({owner},{place},{value},{copy})",
                "unplaced": f"waiting({owner},{value},{copy})",
            }[name]
        )
        result += [f"load({kind},{copy},{value},{n})" for value, n in enumerate(load, 1) if n]
    return result


def new_action(role: str, action: str, at: Copies) -> str:
    """An action in the new vocabulary."""

    def copy(owner: str | None, kind: str, place: str | None, load: tuple[str, ...] | None) -> int:
        return next(at.find(owner, kind, place, [int(n) for n in load] if load else None))

    person = rf"person\(({KIND}),({PLACE}),{LOAD}\)"
    if found := re.fullmatch(rf"bribe\((\w+),{person}\)", action):
        return f"bribe({found[1]},{found[2]},{copy(found[1], found[2], found[3], found.groups()[3:])})"
    if found := re.fullmatch(rf"take\({person}\)", action):
        return f"take(person({found[1]},{copy(None, found[1], found[2], found.groups()[2:])}))"
    if found := re.fullmatch(rf"assign\((gold\(\d\)),{person}\)", action):
        return f"assign({found[1]},person({found[2]},{copy(role, found[2], found[3], found.groups()[3:])}))"
    if found := re.fullmatch(rf"assign\((musketeer\(\d\)),{LOAD},({PLACE})\)", action):
        number = copy(role, found[1], "waiting", found.groups()[1:4])
        if (found[1], number) not in at.persons:
            number = copy(role, found[1], "home", found.groups()[1:4])
        return f"assign({found[1]},{number},{found[5]})"
    if found := re.fullmatch(rf"add\(({PLACE}),(\d),{LOAD}\)", action):
        return f"add(person,{found[2]},{copy(role, f'musketeer({found[2]})', found[1], found.groups()[2:])})"
    if found := re.fullmatch(rf"ward\(home,(\d),{LOAD}\)", action):
        return f"ward(home,{found[1]},{copy(role, f'musketeer({found[1]})', 'home', found.groups()[1:])})"
    if found := re.fullmatch(r"play\((\w+\((?!\d)\w+\))\)", action):
        immediate = found[1].startswith(("ear(", "executioner(", "excommunication(", "low_birth("))
        return f"play_event({found[1]})" if immediate else action
    if found := re.fullmatch(r"ennoble\((\w+),(\d),(\w+)\)", action):
        number = copy(role, f"courtier({found[1]},{found[2]})", None, None)
        return f"ennoble({found[1]},{found[2]},{number},{found[3]})"
    return action


class Conversion:
    """A record on the way: its text so far, and the position that it has reached."""

    def __init__(self) -> None:
        """At the beginning."""
        self.tags: dict[str, str] = {}
        self.options: dict[str, str] = {}
        self.game: kl.Game | None = None
        self.at: kl.Position | None = None
        self.waiting: dict[str, str] = {}
        self.lines: list[str] = []

    def start(self, seats: list[str] | None) -> None:
        """Loads the game, once."""
        if self.game is None:
            chosen = seats or self.tags.get("Seats", "").split() or None
            self.game = kl.load(
                "vive", seats=chosen, edition=self.tags.get("Edition", "standard"), options=self.options
            )
            self.at = None if seats else self.game.initial()

    def block(self, text: str) -> None:
        """A position or an assertion."""
        known = Copies(self.at.facts) if self.at and text.startswith("assert") else None
        fresh = Copies(frozenset())
        facts: list[str] = []

        def replaced(match: re.Match[str]) -> str:
            new = new_facts(match[2], known, fresh)
            facts.extend(new)
            return " ".join(f"{match[1] or ''}{fact}." for fact in new)

        self.lines.append(wrapped(FACT.sub(replaced, text)))
        if text.startswith("position"):
            seats = {f[5:-1].split(",")[1]: f[5:-1].split(",")[0] for f in facts if f.startswith("seat(")}
            self.start([seats[key] for key in sorted(seats, key=int)])
            assert self.game is not None
            try:
                self.at = self.game.position(facts)
            except kl.InvalidPosition:
                self.at = None

    def move(self, role: str, action: str, rest: str) -> None:
        """A move: played, if it can be."""
        self.start(None)
        new = new_action(role, action, Copies(self.at.facts if self.at else frozenset()))
        self.lines.append(f"{role}: {new}{rest}")
        if self.at is not None and self.at.is_legal(role, new):
            self.waiting[role] = new
            if set(self.waiting) >= set(self.at.to_move):
                self.at, self.waiting = self.at.apply(self.waiting), {}


def wrapped(text: str) -> str:
    """A block whose lines are not too long."""
    lines: list[str] = []
    for line in text.split("\n"):
        indent = "    "
        while len(line) > 110 and (cut := line.rfind(". ", 0, 109)) > 0:
            lines.append(line[: cut + 1])
            line = indent + line[cut + 2 :]
        lines.append(line)
    return "\n".join(lines)


def converted(text: str) -> str:
    """A record of the old vocabulary in the new one."""
    record = Conversion()
    block: list[str] = []
    for line in text.split("\n"):
        if block or re.match(r"(position|assert)\b", line):
            block.append(line)
            if "}" in line:
                record.block("\n".join(block))
                block = []
        elif found := re.match(r'\[(\w+) "(.*)"\]', line):
            if found[1] in ("Option", "Limit"):
                name, _, value = found[2].rpartition("=")
                record.options[name or "limit"] = value
            record.tags[found[1]] = found[2]
            record.lines.append(line)
        elif found := MOVE.fullmatch(line):
            record.move(found[1], found[2], found[3])
        else:
            record.lines.append(line)
    return "\n".join(record.lines)


if __name__ == "__main__":
    for file in map(Path, sys.argv[1:]):
        file.write_text(converted(file.read_text(encoding="utf-8")), encoding="utf-8")
