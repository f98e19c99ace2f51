"""The rules for what is legal, asked for the one action that is done: those of the open reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ..engine.grounding import Program
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..rules.fresh import ROLE_TERM
from ..rules.pattern import Signature
from ..rules.predicates import CANDIDATE, LEGAL
from ..rules.reader import rule_of
from ..rules.rule import Atom, Rule
from ..rules.rulebook import ActionKind
from ..transform.action_splitting import numbered, specialise
from ..transform.collecting import collecting
from ..transform.following import follow
from ..transform.slicing import seeds

Line: TypeAlias = tuple[Rule, str]
"""A rule and what has become of it."""


def entangled(ruleset: Ruleset, rules: Sequence[Rule]) -> bool:
    """Whether what one action in question says may matter for others."""
    dependent = {CANDIDATE}
    size = 0
    while len(dependent) > size:
        size = len(dependent)
        dependent |= {h.signature for r in rules if r.uses & dependent for h in r.heads}
    again = any(r.uses & dependent for r in rules if any(h.signature == CANDIDATE for h in r.heads))
    return again or any(rule in rules for rule, _ in collecting(ruleset.rules))


def asked(
    ruleset: Ruleset, program: Program, kind: ActionKind, own: Sequence[Rule]
) -> tuple[tuple[Line, ...], tuple[str, str]]:
    """The rules for whether the action that is done is legal, and the predicates that both say so.

    Raises:
        NotDecided: A rule asks for an action in a way that cannot be split.
    """
    action, decision, _ = numbered(kind)
    special = specialise(program.rules, kind, 0)
    wanted = Atom(CANDIDATE[0], (ROLE_TERM, action))
    rules = ruleset.enumerating.slice(seeds([decision], []), [wanted])
    followed = follow(rules, kind, 0)
    legal = f"{LEGAL[0]}__k{kind.index}"
    whole = ((r, r.text) for r in rules if r not in own)
    lines = reaching(
        dict.fromkeys([*special.lines, *followed.lines, *whole]), {(legal, 1), (followed.listed, 1)}
    )
    if any(CANDIDATE in rule_of(line).uses for _, line in lines):
        raise NotDecided("what is in question is read as a whole")
    return tuple(lines), (legal, followed.listed)


def reaching(lines: Iterable[Line], wanted: Iterable[Signature]) -> list[Line]:
    """The rules that some predicates depend on."""
    read = [(line, rule_of(line[1])) for line in lines]
    needed = set(wanted)
    grows = True
    while grows:
        size = len(needed)
        for _, rule in read:
            if any(h.signature in needed for h in rule.heads):
                needed |= rule.uses
        grows = len(needed) > size
    return [line for line, rule in read if any(h.signature in needed for h in rule.heads)]
