"""What is demanded on the way to an answer, and what may be missing: rules walked as a query is evaluated.

``demand__N`` says with which arguments a predicate is asked for, ``missing__K`` that for one of these it has no answer, or
the first literals of its rule have none. For ``ok(R) :- fits(R,V), has(R,V).``, asked for ``R``:

    missing__0 :- lack__0(X0).      lack__0(X0) :- demand__0(X0), not met__0(X0).       met__0(X0) :- ok(X0).
    missing__1 :- lack__1(X0).      lack__1(X0) :- demand__0(X0), not met__1(X0).       met__1(R) :- demand__0(R); fits(R,V).
    demand__1(R) :- demand__0(R).   demand__2(R,V) :- demand__0(R); fits(R,V).

where ``demand__1`` asks for ``fits`` and ``demand__2`` for ``has``, if rules derive these. The rules only look on: nothing of
the program reads them, so they exclude nothing and change nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ..rules.fresh import ROLE
from ..rules.reader import rule_of
from ..rules.rule import TOKEN, Occurrence, Rule
from ..symbolic import names
from ..transform.rewrite import literal

_MOST: Final = 400
"""So many stages at most."""

_SIMPLE: Final = re.compile(r"\(?(\w+)( ?[+-] ?\d+)?\)?$|\w+\(\w+(,\w+)*\)$")
"""Arguments of heads that can be asked for: a variable, a constant, a variable and a number, a structure of these."""


_Key = tuple[str, tuple[int, ...]]


@dataclass
class Stage:
    """Something that may be missing on the way to an answer.

    Attributes:
        atom: Holds where it is missing.
        predicate: Of which something is missing, where that is no part of a rule.
        before: What to ask first where that is hard to decide.
    """

    atom: str
    predicate: str = ""
    before: list[Stage] = field(default_factory=list)

    def every(self) -> list[Stage]:
        """It and all that may be asked before it."""
        found = [self]
        seen = {id(self)}
        for stage in found:
            found += (new := [s for s in stage.before if id(s) not in seen])
            seen |= {id(s) for s in new}
        return found


def stages(lines: Iterable[str], root: str) -> tuple[list[str], Stage]:
    """The rules that say what is demanded and missing, and the stage of the root.

    Args:
        lines: A program, rule by rule.
        root: A predicate of one argument, the role, whose rules are walked.
    """
    walk = _Walk(lines)
    stage = walk.ask(root, (0,))
    walk.lines.append(f"{walk.demand((root, (0,)))}(R) :- {names.does(0)}(R,_).")
    return walk.lines, stage


def lack(missing: str) -> str:
    """The predicate that says for which arguments something is missing."""
    return missing.replace("missing__", "lack__")


@dataclass
class _Walk:
    """The rules of a program walked from one predicate."""

    program: Iterable[str]
    lines: list[str] = field(default_factory=list)
    count: int = 0
    _demands: dict[_Key, str] = field(default_factory=dict)
    _stages: dict[_Key, Stage] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rules: dict[str, list[Rule]] = defaultdict(list)
        several: set[str] = set()
        for rule in map(rule_of, self.program):
            if rule.body == "#false":
                continue
            if len(rule.heads) == 1 and rule.positive:
                self._rules[rule.heads[0].name].append(rule)
            else:
                several |= {h.name for h in rule.heads}
        for name in several:
            self._rules.pop(name, None)

    def demand(self, key: _Key) -> str:
        """The name of the predicate that says for which arguments a predicate is asked."""
        return self._demands.setdefault(key, f"demand__{len(self._demands)}")

    def ask(self, name: str, bound: tuple[int, ...]) -> Stage:
        """The stage of a predicate of which the arguments at some places are given, and those before it."""
        rules, demand = self._rules[name], self.demand((name, bound))
        if (name, bound) in self._stages:
            return self._stages[name, bound]
        args = [f"X{i}" if i in bound else "_" for i in range(len(rules[0].heads[0].args))]
        atom = self._stage(demand, [f"X{i}" for i in bound], [literal(name, *args)])
        whole = self._stages[name, bound] = Stage(atom, name)
        if len(rules) == 1:  # of several rules one suffices, so what each wants need not be there
            whole.before += self._steps(rules[0], bound, demand)
        return whole

    def _steps(self, rule: Rule, bound: Sequence[int], demand: str) -> Iterator[Stage]:
        """The stages of a rule's body, literal by literal; the last one is that of its head."""
        head = rule.heads[0]
        given = [rule.argument(head, i) for i in bound]
        choices = [rule.part(a.start, a.end) for a in rule.positive if names.is_choice(a.name)]
        acts = given == [ROLE] and bool(choices)  # whoever acts has to be listed
        body = [*([] if acts else [literal(demand, *given)]), *choices]
        known = {v for part in body for v in _variables(part)}
        for n, part in enumerate(parts := [a for a in rule.positive if not names.is_choice(a.name)], 1):
            wanted = self._hand_on(rule, part, body, known)
            if wanted is not None:
                yield wanted
            text = rule.part(part.start, part.end)
            body.append(text)
            known.update(_variables(text))
            if n < len(parts) or any(x.text not in body for x in rule.literals):
                yield Stage(self._stage(demand, given, body))

    def _hand_on(self, rule: Rule, atom: Occurrence, body: Sequence[str], known: set[str]) -> Stage | None:
        """Asks for what an atom of a rule's body demands, where rules derive it."""
        rules = self._rules.get(atom.name)
        if not rules or self.count > _MOST:
            return None
        args = [rule.argument(atom, i) for i in range(len(atom.args))]
        simple = (i for i in range(len(args)) if all(_is_simple(r, i) for r in rules))
        bound = tuple(i for i in simple if args[i] != "_" and set(_variables(args[i])) <= known)
        wanted = literal(self.demand((atom.name, bound)), *(args[i] for i in bound))
        self.lines.append(f"{wanted} :- {'; '.join(body)}.")
        return self.ask(atom.name, bound)

    def _stage(self, demand: str, given: Sequence[str], body: Sequence[str]) -> str:
        """The atom that the body has no answer for something that is demanded."""
        free = [f"X{i}" for i in range(len(given))]
        met, missing = f"met__{self.count}", f"missing__{self.count}"
        self.lines.append(f"{literal(met, *given)} :- {'; '.join(body)}.")
        lacking = literal(lack(missing), *free)
        self.lines.append(f"{lacking} :- {literal(demand, *free)}, not {literal(met, *free)}.")
        self.lines.append(f"{missing} :- {lacking}.")
        self.count += 1
        return missing


def _is_simple(rule: Rule, place: int) -> bool:
    """Whether a value given for an argument of the head says what its variable is."""
    text = rule.argument(rule.heads[0], place)
    return text != "_" and _SIMPLE.match(text) is not None


def _variables(text: str) -> Iterator[str]:
    return (t for t in TOKEN.findall(text) if t.lstrip("_")[:1].isupper())
