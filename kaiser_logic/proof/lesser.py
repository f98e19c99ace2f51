"""Lesser programs that exclude less: what is impossible in one of them is impossible in the whole.

`lesser` keeps the rules that some predicates depend on, and of the constraints those that speak of them and read no choice
on which they do not depend: the solver has nothing to choose that has nothing to do with the question. An invariant is a
constraint for each of its rules here, as one may speak of the ring of regions, another of the tiles on it.

>>> program = ["{ king(1..2) }.", "{ tile(1..9) }.", "road(X) :- king(X).", ":- broken(one,_).",
...     "broken(one,X) :- king(X), king(Y), X < Y.", "broken(one,X) :- tile(X), king(X)."]
>>> for line in lesser(program, ["road"])[0]:
...     print(line)
{ king(1..2) }.
road(X) :- king(X).
:- king(X); king(Y); X < Y.

Why that is so: the kept rules are closed. With a predicate come all rules for it, choices too, and all that these read; so
each model of the whole, cut down to the kept predicates, is a model of the kept rules (a bottom that is split off), and it
meets the kept constraints, which are some of the whole's or follow from one.

`loosened` leaves some derived predicates open, whatever their rules say: the bill, where two ways to pay it are compared.
Each model of the whole is one of the loosened program, in which just those atoms are chosen that the rules derive.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from .. import clingo
from ..rules.pattern import Pattern, anonymous
from ..rules.reader import rule_of
from ..rules.rule import TOKEN, Rule

_NAME: Final = re.compile(r"[a-z]\w*")
_ELEMENT: Final = re.compile(r"[{;]\s*([a-z]\w*)")
_OPEN: Final = "loose__"
_OURS: Final = "__"
"""In the names of predicates that are an encoding's own."""


def lesser(
    lines: Iterable[str], wanted: Iterable[str], besides: Iterable[str] = ()
) -> tuple[list[str], list[str]]:
    """The part of a program that predicates depend on, with the constraints that read no other choices.

    Args:
        lines: The program, rule by rule. What is given as facts need not be among them.
        wanted: The names of predicates.
        besides: Names of further ones, kept where nothing of the rulebook is read for them alone.

    Returns:
        The lines, and those of ``besides`` that are kept.
    """
    lines, rules, chosen, constraints = (
        list(lines),
        defaultdict[str, list[str]](list),
        set[str](),
        list[Rule](),
    )
    for line in lines:
        rule = rule_of(line)
        if not rule.heads and line.startswith(":-"):
            constraints.append(rule)
            continue
        names = {h.name for h in rule.heads}
        if not rule.heads:
            names = _may_choose(line)
            chosen |= names
        for name in names:
            rules[name].append(line)
    kept, read = _closed(rules, wanted)
    own: list[str] = []
    for name in besides:
        more, reads = _closed(rules, [name])
        if all(n in read or _OURS in n or n not in rules for n in reads):
            own.append(name)
            kept |= more
    free, further = read & chosen, dict[str, None]()
    for constraint in constraints:
        for text in (constraint.text, *_unfolded(constraint, rules)):
            more, reads = _closed(rules, _read(text))
            if reads & chosen <= free and _read(text) & read:
                kept |= more
                further[text] = None
    return [*(x for x in dict.fromkeys(lines) if x in kept), *further], own


def between(lines: Iterable[str], one: str, other: str) -> set[str]:
    """The rulebook's own derived predicates that two of an encoding's predicates both read, each first on its way."""
    rules: dict[str, list[Rule]] = defaultdict(list)
    for rule in map(rule_of, lines):
        for head in rule.heads:
            rules[head.name].append(rule)

    def first(start: str) -> set[str]:
        seen, pending = {start}, [start]
        while pending:
            for rule in rules[pending.pop()]:
                new = {a.name for a in rule.atoms} - seen
                seen |= new
                pending += [n for n in new if _OURS in n]
        return {n for n in seen if _OURS not in n and rules[n]}

    return first(one) & first(other)


def loosened(
    lines: Iterable[str], names: Collection[str], atoms: clingo.SymbolicAtoms
) -> tuple[list[str], list[clingo.Symbol]]:
    """The program with derived predicates left open, and the facts that it wants besides.

    Args:
        lines: The program, rule by rule; each of these predicates has rules with a single head.
        names: The predicates.
        atoms: All atoms that there can be, of the program grounded.
    """
    kept = [line for line in lines if not {h.name for h in rule_of(line).heads} & set(names)]
    facts: list[clingo.Symbol] = []
    for name, arity, positive in atoms.signatures:
        if name in names and positive:
            found = list(atoms.by_signature(name, arity))
            facts += [clingo.Function(_OPEN, [a.symbol]) for a in found if not a.is_fact]
            facts += [a.symbol for a in found if a.is_fact]
            args = f"({','.join(f'X{k}' for k in range(arity))})" if arity else ""
            kept.append(f"{{ {name}{args} : {_OPEN}({name}{args}) }}.")
    return kept, facts


def _closed(rules: dict[str, list[str]], wanted: Iterable[str]) -> tuple[set[str], set[str]]:
    """The lines that predicates depend on, and all names in them."""
    found = set(wanted)
    pending, kept = list(found), set[str]()
    while pending:
        for line in rules.get(pending.pop(), ()):
            if line not in kept:
                kept.add(line)
                new = _read(line) - found
                found |= new
                pending += new
    return kept, found


def _unfolded(constraint: Rule, rules: dict[str, list[str]]) -> Iterator[str]:
    """What a constraint on one derived atom says of each rule for it: that its body does not hold."""
    if len(constraint.atoms) == len(constraint.literals) == len(constraint.positive) == 1:
        atom = constraint.positive[0]
        for rule in map(rule_of, rules.get(atom.name, ())):
            if len(rule.heads) == 1 and rule.body and _covers(atom.args, rule.heads[0].args):
                yield f":- {rule.body}."


def _covers(args: tuple[Pattern, ...], head: tuple[Pattern, ...]) -> bool:
    """Whether an atom with these arguments means whatever a rule with those in its head derives."""
    return len(args) == len(head) and all(
        anonymous(a) or (a[0] == "c" and a == h) for a, h in zip(args, head, strict=True)
    )


def _read(line: str) -> set[str]:
    """The predicates of a rule; those of a choice with all names in what it chooses."""
    rule = rule_of(line)
    names = {a.name for a in rule.atoms}
    return names if rule.heads or line.startswith(":-") else names | _names(line)


def _may_choose(choice: str) -> set[str]:
    """What a choice may choose: what follows a brace or a semicolon; without braces whatever it names."""
    names = set(_ELEMENT.findall(choice.partition(":-")[0]))
    return names if "{" in choice else _names(choice)


def _names(choice: str) -> set[str]:
    """All names in what a choice chooses, those of constants too."""
    return {t for t in TOKEN.findall(choice.partition(":-")[0]) if _NAME.fullmatch(t)}
