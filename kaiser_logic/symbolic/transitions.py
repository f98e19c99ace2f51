"""The transitions of a game: kinds of action that are decided together, and steps that happen by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, count, groupby

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import Pattern, canonical, show
from ..rules.rulebook import ActionKind
from ..transform.slicing import Seeds, seeds
from .domains import Domains

_RULING = re.compile(r"ruling\([a-z]\w*,(?:[a-z]\w*|\d+)\)")


@dataclass(frozen=True)
class Transition:
    """One of a game's transitions.

    Attributes:
        label: What people call it by, e.g. ``take(N)`` or ``step deal``, and it alone of all.
        kinds: The kinds of action that are decided together; none for a step.
        step: The step that happens by itself, its arguments variables.
    """

    label: str
    kinds: tuple[ActionKind, ...] = ()
    step: Pattern | None = None


def transitions(ruleset: Ruleset, sorts: Domains) -> list[Transition]:
    """All transitions: first the actions in the order of the vocabulary, then the steps."""
    together = simultaneous(ruleset)
    decisions = (symbols.value_pattern(f.arguments[1]) for f in sorts.fluents if f.name == "decision")
    possible = set(map(functor, decisions))
    found = []
    kinds_there_are = (k for k in ruleset.book.kinds if is_possible(ruleset, k))
    for name, group in groupby(kinds_there_are, key=lambda k: functor(k.decision)):
        kinds = tuple(group)
        if name not in possible:
            continue
        if name in together:
            found.append(Transition(name, kinds))
        else:
            found += [Transition(_label(ruleset, k), (k,)) for k in kinds]
    steps: dict[str, Pattern] = {}
    for s in ruleset.facts("step", 1):
        step = s.arguments[0]
        args = tuple(("v", f"S{k}") for k in range(len(step.arguments)))
        steps.setdefault(step.name, ("f", step.name, args) if args else ("c", step.name))
    found += [Transition(f"step {name}", (), pattern) for name, pattern in steps.items()]
    return list(_told_apart(found))


def _told_apart(found: Iterable[Transition]) -> Iterator[Transition]:
    """The same, those that would be called alike with a number: ``take(K) at take``, ``take(K) at take (2)``."""
    taken: set[str] = set()
    for transition in found:
        names = (f"{transition.label} ({n})" for n in count(2))
        label = next(name for name in chain([transition.label], names) if name not in taken)
        taken.add(label)
        yield replace(transition, label=label)


def is_possible(ruleset: Ruleset, kind: ActionKind) -> bool:
    """Whether no ruling speaks against a kind of action: else the vocabulary has none such."""
    rulings = [str(r) for r in ruleset.facts("ruling", 2)]
    asked = (t.replace(" ", "") for t in kind.guard.split(";"))
    return all(t in rulings for t in asked if _RULING.fullmatch(t))


def simultaneous(ruleset: Ruleset) -> set[str]:
    """The names of the decisions that several roles make at the same time."""
    return {symbols.text(s.arguments[0]) for s in ruleset.facts("simultaneous", 1)}


def acting(ruleset: Ruleset, kind: ActionKind) -> tuple[Seeds, list[ActionKind]]:
    """What a slice for actions of a kind starts from, and all kinds that may be done at the same time with it.

    These are none if one role makes the decision: where it is not declared simultaneous and there are several kinds of
    action, which :mod:`..proof.pending` looks after. One with a single kind may be made by several.
    """
    alike = [k for k in ruleset.book.kinds if functor(k.decision) == functor(kind.decision)]
    if len(alike) > 1 and functor(kind.decision) not in simultaneous(ruleset):
        return seeds([kind.decision], (), [kind.action]), []
    return seeds([k.decision for k in alike], (), [k.action for k in alike]), alike


def functor(pattern: Pattern) -> str:
    """The name that the pattern of a function term or a constant begins with."""
    return str(pattern[1])


def _label(ruleset: Ruleset, kind: ActionKind) -> str:
    """The action's pattern, with its decision where other decisions have such an action too."""
    shape = canonical((kind.action,))
    alike = [k for k in ruleset.book.kinds if canonical((k.action,)) == shape]
    return show(kind.action) + (f" at {functor(kind.decision)}" if len(alike) > 1 else "")
