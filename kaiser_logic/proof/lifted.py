"""A position and a move of a transition that no random game has met, made of what its program says of a part of one.

The solver finds a part of a position in which the transition is possible; what is left out of it is filled in, always in the
same way. The evaluate reading decides whether that is a position in which the move is legal, and where it leads: so the
program is held against the rules there too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import clingo

from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..rules.fresh import argument
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern, Signature, show, substitute
from ..rules.predicates import DECISION, DUE
from ..symbolic import names
from ..symbolic.domains import argument_domains
from ..symbolic.kept import needed, stating
from ..symbolic.tallies import many
from ..symbolic.transitions import Transition
from ..transform.action_splitting import Special, numbered
from .fixed import ASKED
from .known_part import PartialProgram
from .sample import Pair

_ENOUGH: Final = 3
"""So many positions are made of them."""
_STATED: Final = 8
"""Counters that are always stated have values below this one, in turn."""
_TRIES: Final = 12
"""So many parts of positions are looked at."""


def lifted(
    evaluator: Evaluator, transition: Transition, program: PartialProgram, lemmas: Collection[str]
) -> list[Pair]:
    """Positions that break none of the invariants, each with a legal move of a transition; none where none was found.

    Args:
        evaluator: Of the rules in force.
        transition: The transition.
        program: Its program.
        lemmas: The invariants.
    """
    control = program.solver.control
    options: Any = control.configuration.solver
    usual = str(options.seed), str(options.rand_freq)
    found: list[Pair] = []
    try:
        for seed in range(_TRIES):
            options.seed, options.rand_freq = str(seed), "0.05" if seed else "0"
            model = program.solver.model(f"not {ASKED}")
            if model is None or len(found) == _ENOUGH:
                break
            pair = _pair(evaluator, transition, program, model, seed % _STATED)
            if pair is not None and pair not in found and _fits(evaluator, pair, lemmas):
                found.append(pair)
    finally:
        options.seed, options.rand_freq = usual
    return found


def _fits(evaluator: Evaluator, pair: Pair, lemmas: Collection[str]) -> bool:
    """Whether a position breaks no invariant that is looked at, and what is done in it is legal."""
    if any(name in lemmas for name, _ in evaluator.broken(pair.facts, waive=False)):
        return False
    return not pair.actions or not evaluator.judge(pair.facts, dict(pair.actions)).violations


def _pair(
    evaluator: Evaluator,
    transition: Transition,
    program: PartialProgram,
    model: Sequence[clingo.Symbol],
    stated: int,
) -> Pair | None:
    """A position that looks so, with this number where one is stated anyway, and what is done in it."""
    ruleset = evaluator.ruleset
    known = set(model)
    facts = set(ruleset.facts("seat", 2))
    for fluent, dropped in program.projected.kept.fluents.items():
        if fluent == ("seat", 2):
            continue
        for s in model:
            if (s.name, len(s.arguments)) == (fluent[0], fluent[1] - len(dropped)):
                value = 2 if clingo.Function(many(s.name), s.arguments) in known else 1
                value = stated if fluent in program.projected.kept.stated else value
                full = _full(ruleset, program, fluent, s, value)
                if full is None:
                    return None
                facts.add(full)
    return Pair(frozenset(facts), tuple(_done(ruleset, transition, model)))


def _full(
    ruleset: Ruleset, program: PartialProgram, fluent: Signature, fact: clingo.Symbol, value: int
) -> clingo.Symbol | None:
    """A fact with what was left out of it."""
    kept = program.projected.kept
    dropped = kept.fluents[fluent]
    if not dropped and fluent[0] not in {s.name for group in kept.shapes.values() for s in group}:
        return fact
    if fluent in (DECISION, DUE):
        return fact
    given = iter(fact.arguments)
    left = {i: next(given) for i in range(fluent[1]) if i not in dropped}
    if fluent in kept.counters:
        left[fluent[1] - 1] = clingo.Number(value)
    for rule, args in stating(ruleset, fluent):
        open_ = [i for i in range(fluent[1]) if i not in left]
        equal = [f"{show(a)} = {left[i]}" for i, a in enumerate(args) if i in left and (i not in dropped)]
        terms = [show(args[i]) for i in open_]
        every = [show(a) for i, a in enumerate(args) if i not in dropped or i in open_]
        body = "; ".join([*equal, *needed(rule, every)])
        line = f"lift__(({','.join([*terms, 'x'])})){f' :- {body}' if body else ''}."
        found = Grounding(ruleset.complete(tuple(parse_rules(line))), ()).get("lift__", 1)
        if found:
            first = min(s.arguments[0] for s in found)
            values = {**left, **dict(zip(open_, first.arguments, strict=False))}
            return _whole(program, fluent, [values[i] for i in range(fluent[1])])
    return None


def _whole(program: PartialProgram, fluent: Signature, args: Sequence[clingo.Symbol]) -> clingo.Symbol:
    """A fact by its arguments, which may be the parts of a structure."""
    for group in program.projected.kept.shapes.values():
        for shape in group:
            if shape.signature == fluent:
                return clingo.Function(shape.fluent, [_built(shape.skeleton, args)])
    return clingo.Function(fluent[0], args)


def _built(skeleton: Any, parts: Sequence[clingo.Symbol]) -> clingo.Symbol:
    if isinstance(skeleton, int):
        return parts[skeleton]
    return clingo.Function(skeleton[0], [_built(s, parts) for s in skeleton[1:]])


def _done(
    ruleset: Ruleset, transition: Transition, model: Sequence[clingo.Symbol]
) -> Iterator[tuple[str, clingo.Symbol]]:
    """What is done; of arguments that are not looked at the first value there is."""
    chosen = {
        (s.arguments[0], s.arguments[1].number, s.arguments[2].number): s.arguments[3]
        for s in model
        if s.name == names.argument(0)
    }
    for s in model:
        if s.name != names.does(0):
            continue
        role, index = s.arguments[0], s.arguments[1].number
        kind = next(k for k in transition.kinds if k.index == index)
        pattern, _, count = numbered(kind)
        values: Sequence[Collection[clingo.Symbol]] = ()
        binding: dict[Pattern, Pattern] = {}
        for k in range(count):
            value = chosen.get((role, index, k))
            if value is None:
                values = values or argument_domains(ruleset, Special(kind, kind.action, count, (), ()))
                value = min(values[k])
            binding["v", argument(k)] = symbols.value_pattern(value)
        yield symbols.text(role), symbols.ground(substitute(pattern, binding))
