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

_MOST: Final = 400
"""So many stages at most."""

_LOST: Final = 6
"""After so many stages that were not decided no more are asked for."""

_SIMPLE: Final = re.compile(r"\(?(\w+)( ?[+-] ?\d+)?\)?$|\w+\(\w+(,\w+)*\)$")
"""Arguments of heads that can be asked for: a variable, a constant, a variable and a number, a structure of these."""

_ROLE: Final = "Role_"
_Key = tuple[str, tuple[int, ...]]


def asked_in_stages(encoding: Encoding, transition: int, root: str) -> tuple[str, ...]:
    """Adds the rules of the stages to a program, each predicate once, and gives the atoms of what may be missing.

    Args:
        encoding: The program.
        transition: The transition in which the action is done.
        root: As in `stages`.
    """
    encoding.lines = shared(encoding.lines, transition, encoding.facts)
    lines, atoms = stages(encoding.lines, root)
    encoding.add(*lines)
    return tuple(atoms)


def stages(lines: Iterable[str], root: str) -> tuple[list[str], list[str]]:
    """The rules that say what is demanded and missing, and the atoms of what may be missing, in the order to be asked.

    Args:
        lines: A program, rule by rule.
        root: A predicate of one argument, the role, whose rules are walked.
    """
    walk = _Walk(lines)
    walk.ask(root, (0,))
    walk.lines.append(f"{walk.demand((root, (0,)))}(R) :- {names.does(0)}(R,_).")
    return walk.lines, [f"missing__{k}" for k in range(walk.count)]


def prove(solver: Solver, atoms: Sequence[str], effort: int, *assumed: str) -> None:
    """Asks stage by stage, and adds what is proved under the assumptions as constraints under the same.

    Args:
        solver: Of the program with the stages' rules.
        atoms: What may be missing.
        effort: So many conflicts are spent on each.
        assumed: Ground atoms of ours.
    """
    lost = 0
    for atom in atoms:
        missing = solver.decide(effort, *assumed, atom)
        if missing is False:
            solver.add(f"proved_{atom}", f":- {', '.join(assumed)}, {atom}.")
        lost += missing is None
        if lost > _LOST:
            break


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

    def ask(self, name: str, bound: tuple[int, ...]) -> None:
        """Walks the rules of a predicate of which the arguments at some places are given."""
        rules, demand = self._rules[name], self.demand((name, bound))
        for rule in rules:
            head = rule.heads[0]
            given = [rule.argument(head, i) for i in bound]
            choices = [rule.part(a.start, a.end) for a in rule.positive if names.is_choice(a.name)]
            acts = given == [_ROLE] and bool(choices)  # whoever acts has to be listed
            body = [*([] if acts else [literal(demand, *given)]), *choices]
            known = {v for part in body for v in _variables(part)}
            for atom in (a for a in rule.positive if not names.is_choice(a.name)):
                if len(rules) == 1:  # of several rules one suffices, so what each wants need not be there
                    self._hand_on(rule, atom, body, known)
                text = rule.part(atom.start, atom.end)
                body.append(text)
                known.update(_variables(text))
                if len(rules) == 1:
                    self._stage(demand, given, body)
            others = [x.text for x in rule.literals if x.text not in body]
            if others and len(rules) == 1:
                self._stage(demand, given, [*body, *others])
        if len(rules) > 1:
            head = rules[0].heads[0]
            args = [f"X{i}" if i in bound else "_" for i in range(len(head.args))]
            given = [f"X{i}" for i in bound]
            self._stage(demand, given, [literal(name, *args)])

    def _hand_on(self, rule: Rule, atom: Occurrence, body: Sequence[str], known: set[str]) -> None:
        """Asks for what an atom of a rule's body demands, where rules derive it."""
        rules = self._rules.get(atom.name)
        if not rules or self.count > _MOST:
            return
        args = [rule.argument(atom, i) for i in range(len(atom.args))]
        simple = (i for i in range(len(args)) if all(_is_simple(r, i) for r in rules))
        bound = tuple(i for i in simple if args[i] != "_" and set(_variables(args[i])) <= known)
        key = atom.name, bound
        new = key not in self._demands
        wanted = literal(self.demand(key), *(args[i] for i in bound))
        self.lines.append(f"{wanted} :- {'; '.join(body)}.")
        if new:
            self.ask(*key)

    def _stage(self, demand: str, given: Sequence[str], body: Sequence[str]) -> None:
        """One stage: the body has no answer for something that is demanded."""
        free = [f"X{i}" for i in range(len(given))]
        met = f"met__{self.count}"
        self.lines.append(f"{literal(met, *given)} :- {'; '.join(body)}.")
        self.lines.append(f"missing__{self.count} :- {literal(demand, *free)}, not {literal(met, *free)}.")
        self.count += 1


def _is_simple(rule: Rule, place: int) -> bool:
    """Whether a value given for an argument of the head says what its variable is."""
    text = rule.argument(rule.heads[0], place)
    return text != "_" and _SIMPLE.match(text) is not None


def _variables(text: str) -> Iterator[str]:
    return (t for t in TOKEN.findall(text) if t.lstrip("_")[:1].isupper())
