"""A hard question about an enumeration asked stage by stage: what is proved of one stage is known at the next.

That an enumeration lists an action is a long conjunction: the rule's literals one after the other, and behind each the
rules that derive it. Put at once, the solver has to find the way from the first to the last by itself. Here the rules are
walked as a query is evaluated: ``demand__N`` says with which arguments a predicate is asked for, ``missing__K`` that for
one of these the first literals of its rule have no answer. For ``ok(R) :- fits(R,V), has(R,V).`` that is

    missing__0 :- demand__0(X1), not met__0(X1).        met__0(R) :- demand__0(R); fits(R,V).
    missing__1 :- demand__0(X1), not met__1(X1).        met__1(R) :- demand__0(R); fits(R,V); has(R,V).

Each stage is asked whether it can be missing at all. If the answer is no, that it is not missing is added as a constraint:
it excludes nothing, as there is nothing to exclude. If the answer is yes, or none within the effort, nothing is added. So
the stages decide nothing themselves: the undivided question does, put after them to the same program.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import clingo

from ..rules.reader import rule_of
from ..rules.rule import TOKEN, Occurrence, Rule
from ..symbolic import names
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..transform.rewrite import literal, rename
from .lesser import between, lesser, loosened

_MOST: Final = 400
"""So many stages at most."""

_BRIEF: Final = 1_000
"""So many conflicts of the solver are spent on a stage before those before it are asked."""

_EFFORT: Final = 16_000
"""So many after it."""

_LOST: Final = 6
"""After so many stages that were not decided no more are asked for."""

_SIMPLE: Final = re.compile(r"\(?(\w+)( ?[+-] ?\d+)?\)?$|\w+\(\w+(,\w+)*\)$")
"""Arguments of heads that can be asked for: a variable, a constant, a variable and a number, a structure of these."""

_ROLE: Final = "Role_"
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


@dataclass(frozen=True)
class Asking:
    """A program to which stages are put.

    Attributes:
        solver: Of the program.
        atoms: Of the stages whose rules it has.
    """

    solver: Solver
    atoms: frozenset[str]


def asked_in_stages(encoding: Encoding, transition: int, root: str) -> Stage:
    """Adds the rules of the stages to a program, each predicate once, and gives the stage of the answer.

    Args:
        encoding: The program.
        transition: The transition in which the action is done.
        root: As in `stages`.
    """
    encoding.lines = shared(encoding.lines, transition, encoding.facts)
    lines, stage = stages(encoding.lines, root)
    encoding.add(*lines)
    return stage


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


def askings(
    encoding: Encoding, whole: Solver, stage: Stage, listed: str, judged: str, assumed: Sequence[str]
) -> tuple[list[Asking], list[Stage]]:
    """The programs to put stages to, those that exclude least first, the whole one last; and what to ask first, and last.

    In the first what the listing and the judging of an action both read is open, whatever it is derived from: the bill.

    Args:
        encoding: The program, with the stages' rules.
        whole: Its solver.
        stage: Whose stages are to be asked.
        listed: The predicate by which an action is listed.
        judged: The predicate by which an action is illegal.
        assumed: Ground atoms of ours that are to be assumed.
    """
    every = stage.every()
    atoms = [s.atom for s in every]
    both = between(encoding.lines, listed, judged)
    opened, facts = loosened(encoding.lines, both, whole.control.symbolic_atoms)
    found = []
    for lines, more in [(opened, facts), (list(encoding.lines), [])]:
        kept, own = lesser(lines, [listed, judged, *assumed], atoms)
        found.append(Asking(Solver("\n".join(kept), [*encoding.facts, *more]), frozenset(own)))
    return [*found, Asking(whole, frozenset(atoms))], [*(s for s in every if s.predicate in both), stage]


def prove(programs: Sequence[Asking], stages: Iterable[Stage], *assumed: str) -> None:
    """Asks stage by stage, and adds what is proved under the assumptions as constraints under the same.

    A stage is asked with little effort first; only where that does not decide it, those before it are asked, and it
    again with more. What is possible in a program that excludes less than the next is asked of the next one.

    Args:
        programs: With the stages' rules: what is impossible in one of them is impossible in the last.
        stages: What may be missing.
        assumed: Ground atoms of ours, open in each program.
    """
    _Proving(programs, assumed).run(stages)


@dataclass
class _Proving:
    """Stages being asked."""

    programs: Sequence[Asking]
    assumed: Sequence[str]
    lost: int = 0
    seen: set[str] = field(default_factory=set)

    def run(self, stages: Iterable[Stage]) -> None:
        """Asks for stages in their order."""
        for stage in stages:
            if stage.atom not in self.seen and self.lost <= _LOST:
                self.seen.add(stage.atom)
                self._ask(stage)

    def _ask(self, stage: Stage) -> None:
        if stage.before:
            missing = self._missing(stage, _BRIEF)
            if missing is None:
                self.run(stage.before)
            if missing is not None or self.lost > _LOST:
                return
        self.lost += self._missing(stage, _EFFORT) is None

    def _missing(self, stage: Stage, effort: int) -> bool | None:
        """Whether it can be missing; if not, that is noted in each program."""
        missing: bool | None = None
        knowing = [p.solver for p in self.programs if stage.atom in p.atoms]
        for solver in knowing:
            missing = solver.decide(effort, *self.assumed, stage.atom)
            if missing is not True:
                break
        if missing is False:
            for solver in knowing:
                solver.add(f"proved_{stage.atom}", f":- {', '.join(self.assumed)}, {stage.atom}.")
        return missing


def shared(lines: Iterable[str], transition: int, facts: Iterable[clingo.Symbol]) -> dict[str, None]:
    """The lines with one predicate for two that have the same rules: that of a moment, for that of a transition too.

    What depends on who decides is derived in a transition, ``price__0``, and for the enumeration once more, ``price``.
    Where rule for rule the one is the other, but for names of which this holds too, they are the same.
    """
    suffix, given = names.of_transition("", transition), {f.name for f in facts}
    rules: dict[str, set[str]] = defaultdict(set)
    lines = list(lines)
    mixed: set[str] = set(given)
    for line in lines:
        heads = rule_of(line).heads
        if len(heads) == 1:
            rules[heads[0].name].add(line)
        else:  # choices and pools
            mixed |= set(TOKEN.findall(line.partition(":-")[0]))
    twins = {n: n.removesuffix(suffix) for n in rules if n.endswith(suffix) and not names.is_of_kind(n)}
    twins = {n: p for n, p in twins.items() if p in rules and not mixed & {n, p}}

    def renamed(line: str) -> str:
        return rename(rule_of(line), lambda signature: twins.get(signature[0]))

    while True:
        wrong = [
            n for n, p in twins.items() if {renamed(x) for x in rules[n]} != {renamed(x) for x in rules[p]}
        ]
        if not wrong:
            return dict.fromkeys(map(renamed, lines)) if twins else dict.fromkeys(lines)
        twins = {n: p for n, p in twins.items() if n not in wrong}


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
        acts = given == [_ROLE] and bool(choices)  # whoever acts has to be listed
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
        self.lines.append(f"{missing} :- {literal(demand, *free)}, not {literal(met, *free)}.")
        self.count += 1
        return missing


def _is_simple(rule: Rule, place: int) -> bool:
    """Whether a value given for an argument of the head says what its variable is."""
    text = rule.argument(rule.heads[0], place)
    return text != "_" and _SIMPLE.match(text) is not None


def _variables(text: str) -> Iterator[str]:
    return (t for t in TOKEN.findall(text) if t.lstrip("_")[:1].isupper())
