"""Small seeded edits of the tiny games' rules."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from kaiser_logic.game import load
from support import TINY
from support.plain import fluents
from support.spellings import parts

_ROLE = re.compile(r"\b[RQ]\b")
_NUMBER = re.compile(r"(?<![\w.])\d(?![\w.])")
_RULE = re.compile(r"^(?P<head>[^%].*?)(?:\s*:-\s*(?P<body>.*))?\.$")


@dataclass
class Text:
    """A rulebook of one file that is being edited.

    Attributes:
        name: The tiny game.
        manifest: Its manifest.
        lines: The lines of the program.
        random: The random numbers.
        done: The edits so far, as text.
    """

    name: str
    manifest: str
    lines: list[str]
    random: Random
    done: list[str]

    @property
    def rules(self) -> list[int]:
        """The numbers of the lines that are rules with a body, without those of the vocabulary."""
        return [
            i for i, line in enumerate(self.lines) if " :- " in line and not line.startswith(("%", "fluent", "action"))
        ]

    def some(self, *beginnings: str) -> int | None:
        """A random rule whose head begins so."""
        found = [i for i in self.rules if not beginnings or self.lines[i].startswith(beginnings)]
        return self.random.choice(found) if found else None

    def replace(self, index: int, *new: str) -> None:
        self.done.append(f"{self.lines[index].strip()}  =>  {' '.join(new)}")
        self.lines[index : index + 1] = new

    def append(self, *new: str) -> None:
        self.done.append(f"+ {' '.join(new)}")
        self.lines += ["% -- more", *new]

    @property
    def acts(self) -> str:
        """A literal about an action of the role R, for the body of a rule."""
        found = [
            m[0]
            for line in self.lines
            if " :- " in line
            for m in [re.search(r"(does|made)\(R,\w+(\([^()]*\))?\)", line)]
            if m
        ]
        return self.random.choice(found) if found else "made(R,_)"


def _parts(line: str) -> tuple[str, list[str]]:
    head, _, body = line.strip().removesuffix(".").partition(":-")
    return head.strip(), parts(body.strip())


def _rule(head: str, body: list[str]) -> str:
    return f"{head} :- {', '.join(body)}."


def facts_of(text: Text) -> list[str]:
    game = load(TINY / text.name)
    return [str(f) for f in fluents(game, 2) if f.name != "seat"]


# -- the edits ---------------------------------------------------------------------------------------------------


def drop_literal(text: Text) -> None:
    index = text.some()
    head, body = _parts(text.lines[index or 0])
    if len(body) > 1:
        body.pop(text.random.randrange(len(body)))
        text.replace(index or 0, _rule(head, body))


def negate_literal(text: Text) -> None:
    index = text.some()
    head, body = _parts(text.lines[index or 0])
    place = text.random.randrange(len(body))
    if "{" not in body[place] and " " not in body[place].removeprefix("not "):
        body[place] = body[place][4:] if body[place].startswith("not ") else f"not not {body[place]}"
        text.replace(index or 0, _rule(head, body))


def change_number(text: Text) -> None:
    places = [(i, m.span()) for i in text.rules for m in _NUMBER.finditer(text.lines[i])]
    index, (start, end) = text.random.choice(places)
    line = text.lines[index]
    number = max(0, int(line[start:end]) + text.random.choice((-1, 1, 2)))
    text.replace(index, f"{line[:start]}{number}{line[end:]}")


def change_word(text: Text) -> None:
    words = [
        "play", "over", "goat", "cart", "left", "right", "up", "down", "black", "white", "sword", "shield", "walk", "sprint",
    ]  # fmt: skip
    places = [
        (i, m.span(), m[0])
        for i in text.rules
        for m in re.finditer(r"\b[a-z]+\b(?!\()", text.lines[i])
        if m[0] in words
    ]
    if places:
        index, (start, end), word = text.random.choice(places)
        k = words.index(word) ^ 1
        line = text.lines[index]
        text.replace(index, f"{line[:start]}{words[k]}{line[end:]}")


def swap_roles(text: Text) -> None:
    index = text.some()
    head, body = _parts(text.lines[index or 0])
    swapped = [_ROLE.sub(lambda m: "RQ"[m[0] == "R"], part) for part in (head, *body)]
    place = text.random.randrange(len(swapped))
    old = [head, *body]
    old[place] = swapped[place]
    text.replace(index or 0, _rule(old[0], old[1:]))


def drop_rule(*beginnings: str) -> Callable[[Text], None]:
    def drop(text: Text) -> None:
        index = text.some(*beginnings)
        if index is not None:
            text.replace(index, "% nothing")

    return drop


def marks(text: Text) -> None:
    """Replaces a shift by a loss and a gain, with marks of all kinds."""
    index = text.some("shift(")
    if index is None:
        return
    head, body = _parts(text.lines[index])
    x, y, n, _ = parts(head.removeprefix("shift(").removesuffix(")"))
    some = [
        "out", "1", "m(R,2)", "into(a,b)", "into(#inf,#inf)", '"text"', "(R,1)", "out(x,y)", "into(#inf,#sup)", "into",
    ]  # fmt: skip
    one, other = text.random.choice(some), text.random.choice(some)
    new = [_rule(f"lose({x},{n},{one})", body), _rule(f"gain({y},{n},{other})", body)]
    if text.random.random() < 0.3:
        third = text.random.choice(some)
        new.append(_rule(f"{text.random.choice(('gain', 'lose'))}({text.random.choice((x, y))},1,{third})", body))
    text.replace(index, *new)


def more_marks(text: Text) -> None:
    """Adds another gain or loss beside a shift or a gain."""
    index = text.some("shift(", "gain(")
    if index is None:
        return
    head, body = _parts(text.lines[index])
    counter = parts(head.partition("(")[2].removesuffix(")"))[0]
    kind = text.random.choice(("gain", "lose"))
    mark = text.random.choice(("m(R,2)", "into(a,b)", "more", "7", '"more"', "f(f(1))"))
    text.append(_rule(f"{kind}({counter},1,{mark})", body))


def _counters(text: Text) -> list[tuple[str, int]]:
    found = (re.match(r"(counted|stated)\((\w+),(\d)\)\.", line) for line in text.lines)
    return [(m[2], int(m[3])) for m in found if m]


def set_counter(text: Text) -> None:
    """Adds rules that set a counter instead of changing it."""
    counters = _counters(text)
    if not counters:
        return
    name, arity = text.random.choice(counters)
    args = "".join(f"{v}," for v in (["R"] if arity == 2 else ["R", "C"])[: arity - 1])
    change = text.random.choice(("N+1", "N-1", "1", "2", "N"))
    body = f"{text.acts}, {name}({args}N)"
    new = [f"add({name}({args}{change})) :- {body}.", f"del({name}({args}N)) :- {body}, N != {change}."]
    text.append(*new[: text.random.choice((1, 2, 2))])


def _decision(text: Text) -> str:
    found = re.findall(r"fluent\(decision\(R,(\w+)\)\)", "\n".join(text.lines))
    return text.random.choice(found)


def without_decisions(text: Text) -> None:
    """Removes the invariants about who decides: several roles may."""
    text.manifest = text.manifest.replace('"decisions", ', "")
    text.done.append("without decisions")


def second_decider(text: Text) -> None:
    if text.random.random() < 0.7:
        without_decisions(text)
    decision = _decision(text)
    text.append(f"add(decision({text.random.choice('RQ')},{decision})) :- {text.acts}, left(R,Q).")


def two_due(text: Text) -> None:
    if text.random.random() < 0.7:
        without_decisions(text)
    decision = _decision(text)
    effects = [
        f"add(decision(Q,{decision}))",
        "add(phase(over))",
        f"del(decision(Q,{decision}))",
        "add(due(third))",
        "enter(over)",
    ]
    effects += [f"gain({n},1,other)" for n, a in _counters(text) if a == 1]
    effects += [f"lose({n},1,other)" for n, a in _counters(text) if a == 1]
    body = text.random.choice(("due(other), first(Q)", "due(other), last(Q)", "due(other), decision(_,_), first(Q)"))
    text.append(
        "step(other).", "step(third).", f"add(due(other)) :- {text.acts}.", f"{text.random.choice(effects)} :- {body}."
    )


def seedless(text: Text) -> None:
    """Adds an effect whose body mentions no action and no step."""
    facts = facts_of(text)
    fact = text.random.choice(facts)
    body = f"{text.random.choice(facts)}, first(R)"
    heads = [f"add({fact})", f"del({fact})", "enter(over)"]
    for name, arity in _counters(text):
        args = {1: "", 2: "R", 3: "R,C"}[arity]
        heads += [f"{kind}({name}{f'({args})' if args else ''},1,always)" for kind in ("gain", "lose") if arity < 3]
    if text.name == "race":
        heads += ["score(R,1,bonus)"] * 3
    text.append(f"{text.random.choice(heads)} :- {body}.")


def bounded_sum(text: Text) -> None:
    """Adds a sum with a stated bound and a variable of its own, and an invariant about it."""
    counters = [(n, a) for n, a in _counters(text) if a == 2]
    if not counters:
        return
    name, _ = text.random.choice(counters)
    most = text.random.choice((2, 3, 4, 9))
    who = text.random.choice(("player(Q), Q != R", "player(Q)", "left(R,Q)"))
    text.append(
        f"bound(others,{most}).",
        f"others(R,N) :- player(R), {who}, bound(others,M), N <= M, N = #sum{{ K,x : {name}(Q,K) }}.",
        "%! invariant same -- One sum for each.",
        f"broken(same,R) :- others(R,N), others(R,M), {text.random.choice(('N < M', 'N < M, M > 1', 'N > 1'))}.",
    )


def pools(text: Text) -> None:
    """Adds a pool, an interval, an aggregate or a condition to a body."""
    index = text.some()
    head, body = _parts(text.lines[index or 0])
    facts = [f for f in facts_of(text) if "(" in f]
    fact, other = text.random.choice(facts), text.random.choice(facts)
    name, args = fact.partition("(")[0], fact.partition("(")[2][:-1]
    more = [
        f"1 {{ {fact} ; {other} }}",
        f"not {fact}",
        f"{name}({args};{args})",
        f"#count{{ X : X = 1..2, {fact} ; X : X = 3, {other} }} >= {text.random.choice('012')}",
        f"not not {fact}",
        f"{fact} : {other}",
        f"#false : {fact}",
        "first((red;green))",
        "1 = 1..2",
    ]
    text.replace(index or 0, f"{head} :- {'; '.join([*body, text.random.choice(more)])}.")


_TAKEN = [
    "matched", "bad", "fallen", "lost", "exceeds", "query", "met", "matters", "parts", "changed", "covered", "most",
    "measure", "wide", "ranges", "dom", "free",
]  # fmt: skip
"""Names that the engine uses in its own programs."""


def another_name(text: Text) -> None:
    """Renames one of the rulebook's own predicates to a name of the engine's programs."""
    names = "holds_at_least ahead matched across done has rich leads strength holds some current won drawn"
    own = [n for n in names.split() if any(line.startswith((f"{n} ", f"{n}(")) for line in text.lines)]
    old, new = text.random.choice(own), text.random.choice(_TAKEN)
    text.done.append(f"{old} is renamed to {new}")
    text.lines = [re.sub(rf"\b{old}\b", new, line) if not line.startswith("fluent") else line for line in text.lines]
    text.manifest = re.sub(rf"\b{old}\b", new, text.manifest)


EDITS: tuple[Callable[[Text], None], ...] = (
    drop_literal, drop_literal, negate_literal, change_number, change_number, change_word, swap_roles,
    drop_rule("del("), drop_rule("shift(", "gain("), drop_rule("violates("), drop_rule("add("), drop_rule("broken("),
    drop_rule("candidate("), drop_rule("may_decide("), marks, marks, more_marks, set_counter, without_decisions,
    second_decider, two_due, seedless, seedless, bounded_sum, pools, another_name,
)  # fmt: skip
