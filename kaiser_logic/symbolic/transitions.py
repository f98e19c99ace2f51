"""The transitions of a game: kinds of action that are decided together, and steps that happen by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..rules.fresh import as_written
from ..rules.pattern import Pattern, Signature, canonical, outermost, shape, show, unify
from ..rules.reader import rule_of
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
    """All transitions: first the actions in the order of the vocabulary, then the steps.

    Raises:
        NotDecided: Actions belong to a decision without a name, or steps of one name have different numbers of arguments:
            the contract refuses what its rules show of that (:mod:`..rules.contract.declared`).
    """
    together = simultaneous(ruleset)
    # all that may be added: what is left out here is examined by nobody
    decisions = (symbols.value_pattern(f.arguments[1]) for f in sorts.wide if f.name == "decision")
    possible = set(map(functor, decisions))
    found = []
    for name, kinds in _by_decision(ruleset).items():
        if name not in possible:
            continue
        if name in together:
            found.append(Transition(name, tuple(kinds)))
        else:
            found += [Transition(_label(ruleset, k), (k,)) for k in kinds]
    found += [Transition(f"step {step[1]}", (), step) for step in _steps(ruleset)]
    return list(_told_apart(found))


def _by_decision(ruleset: Ruleset) -> dict[str, list[ActionKind]]:
    """The kinds of action that there are, by the names of their decisions, wherever the vocabulary has them."""
    found: dict[str, list[ActionKind]] = {}
    for kind in ruleset.book.kinds:
        if outermost(kind.decision) is None:
            raise NotDecided(
                f"the decision of {as_written(show(kind.action))} has no name in its declaration"
            )
        if is_possible(ruleset, kind):
            found.setdefault(functor(kind.decision), []).append(kind)
    return found


def _steps(ruleset: Ruleset) -> list[Pattern]:
    """The patterns of all steps, one for each name: by it alone steps are told apart."""
    found: dict[str, Pattern] = {}
    for s in ruleset.facts("step", 1):
        name, arity = _named(s.arguments[0])
        args = tuple(("v", f"S{k}") for k in range(arity))
        pattern = ("f", name, args) if args else ("c", name)
        if found.setdefault(name, pattern) != pattern:
            raise NotDecided(f"steps called {name} have different numbers of arguments")
    return list(found.values())


def _named(what: clingo.Symbol) -> Signature:
    """The name of a step or a decision, and the number of its arguments."""
    if what.type is not clingo.SymbolType.Function or not what.name:
        raise NotDecided(f"{what} is no name of a step or a decision")
    return symbols.signature(what)


def _told_apart(found: Iterable[Transition]) -> Iterator[Transition]:
    """The same, those that would be called alike with a number: ``take(K) at take``, ``take(K) at take (2)``."""
    taken: set[str] = set()
    for transition in found:
        names = (f"{transition.label} ({n})" for n in count(2))
        label = next(name for name in chain([transition.label], names) if name not in taken)
        taken.add(label)
        yield replace(transition, label=label)


def is_possible(ruleset: Ruleset, kind: ActionKind) -> bool:
    """Whether no ruling speaks against a kind of action: else the vocabulary has none such.

    Only rulings that are asked for by themselves do, not those within a sum or under a condition.
    """
    rulings = [str(r) for r in ruleset.facts("ruling", 2)]
    literals = rule_of(f"possible__ :- {kind.guard}.").literals if kind.guard else ()
    asked = (literal.text.replace(" ", "") for literal in literals)
    return all(t in rulings for t in asked if _RULING.fullmatch(t))


def simultaneous(ruleset: Ruleset) -> set[str]:
    """The names of the decisions that several roles make at the same time."""
    return {symbols.text(s.arguments[0]) for s in ruleset.facts("simultaneous", 1)}


def unanswered(sorts: Domains, kinds: Sequence[ActionKind]) -> dict[str, list[Pattern]]:
    """The decisions that can come to be at which none of these kinds of action is done: patterns of them, by name.

    A pattern is that of all decisions of a name with so many arguments, even where an action is done at some of them.
    """
    pending: dict[Signature, list[Pattern]] = {}
    for f in sorts.wide:
        if f.name == "decision":
            pending.setdefault(_named(f.arguments[1]), []).append(symbols.value_pattern(f.arguments[1]))
    answers: dict[Signature, list[Pattern]] = {}
    for kind in kinds:
        answers.setdefault(outermost(kind.decision) or ("", 0), []).append(kind.decision)
    found: dict[str, list[Pattern]] = {}
    for signature, its in sorted(pending.items()):
        if any(all(unify(a, d, {}) is None for a in answers.get(signature, ())) for d in its):
            found.setdefault(signature[0], []).append(shape(signature))
    return found


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
    return as_written(show(kind.action)) + (f" at {functor(kind.decision)}" if len(alike) > 1 else "")
