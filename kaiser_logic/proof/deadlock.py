"""The claim that in every valid position whoever decides has a legal action.

It is asked of all decisions that the vocabulary knows, also of those at which no action is done: it falls where one of them can
be pending.

The program that decides it is checked like those of transitions (:mod:`.selfcheck`): in positions from games, or where there
are none in one of the solver's own, and in neighbours of these, it derives the legal actions that the evaluate reading lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.fresh import ROLE, ROLE_TERM
from ..rules.pattern import Pattern, show, variables
from ..rules.predicates import DECISION, LEGAL
from ..rules.rule import Atom
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains, structured, unlistable
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import GENERAL, invariants
from ..symbolic.models import decode_facts
from ..symbolic.programs import solver_of
from ..symbolic.solver import SPARSE, Solver
from ..symbolic.transitions import Transition, functor, unanswered
from ..transform.action_splitting import decisions_of, numbered
from .counterexample import Counterexample
from .deciding import kind_of
from .fixed import ASKED, Differs, FixedProgram
from .kept import Answers, key
from .numbers import clipped, decided
from .pairs import FEW, LARGE, SMALL, Nearby
from .sample import Facts, Sample, Written

_TURN: Final = 1_000
"""So many conflicts an exact question has before the other heuristic has its turn."""
_EFFORT: Final = 10_000
"""So many conflicts of the solver are spent on one kind of action alone."""
_CHECKED: Final = 2
"""So many positions from games are compared."""
_CONFLICTS: Final = 2_000
"""So many conflicts of the solver are spent on a position of its own."""


@dataclass(frozen=True)
class _Question:
    """Whether somebody can do nothing of the chosen kinds at such decisions, with the program it is put to."""

    pending: Sequence[Pattern]
    chosen: Sequence[ActionKind]
    encoding: Encoding
    solver: Solver


def decisions(
    found: Sequence[Transition], sample: Sample, sorts: Domains
) -> Iterator[tuple[str, list[ActionKind], list[Written]]]:
    """For each decision its name, all kinds of action at it, and some positions from games in which it is made.

    Args:
        found: All transitions.
        sample: Positions and moves of games.
        sorts: Those of the open position: with the decisions at which no action is done.
    """
    kinds: dict[str, list[ActionKind]] = {}
    met: dict[str, list[Written]] = {}
    for transition in found:
        for kind in transition.kinds:
            kinds.setdefault(functor(kind.decision), []).append(kind)
        for name in {functor(kind.decision) for kind in transition.kinds}:
            met.setdefault(name, []).extend(sample.pairs.get(transition.label, [])[:1])
    for name in unanswered(sorts, [kind for its in kinds.values() for kind in its]):
        kinds.setdefault(name, [])
    for name, its in kinds.items():
        yield name, its, met.get(name, [])


def stuck(
    evaluator: Evaluator,
    functor: str,
    kinds: Sequence[ActionKind],
    sorts: Domains,
    games: Sequence[Written] = (),
    answers: Answers | None = None,
) -> Counterexample | None:
    """A valid position in which somebody with such a decision has no legal action, or None.

    Single kinds of action come first, those with the fewest arguments, and of these the shortest (``pass``): if one of them
    can always be done, the others need not be looked at, which is far easier.

    Args:
        evaluator: What plays the position again.
        functor: The decision's name.
        kinds: All kinds of action at that decision; none where there are none.
        sorts: Those of the open position.
        games: Positions from games in which it is made.
        answers: Where proofs are kept, or None.

    Raises:
        NotDecided: The program is not what the rules say, or does not cover all numbers.
    """
    ruleset = evaluator.ruleset
    pending = [*decisions_of(kinds), *unanswered(sorts, kinds).get(functor, [])]
    single = sorted(kinds, key=lambda k: (len(variables((k.action,))), len(show(k.action))))
    alone = [k for k in single if len(kinds) > 1 and not structured(ruleset, k)]
    tried = [*([k] for k in alone), kinds]
    # what a proof is kept under is made of what can be done
    answers = None if answers is None or answers.off or not kinds else answers
    if answers is not None and answers.some:

        def kept(chosen: Sequence[ActionKind]) -> bool:
            """Whether it is known that something of these can always be done; what cannot be written is not."""
            with suppress(Exception):
                question = _lost(ruleset, pending, chosen, sorts, exact=False)
                return answers.has(_key(ruleset, kinds, question, sorts, functor))
            return False

        if any(map(kept, tried)):
            return None
    for chosen in tried:
        question = _lost(ruleset, pending, chosen, sorts, exact=False)
        decided(question.encoding, question.solver.control)
        effort = _EFFORT if chosen is not kinds else None
        if question.solver.decide(effort, ASKED) is False:
            _check(evaluator, question, games)
            if answers is not None:
                answers.add(_key(ruleset, kinds, question, sorts, functor))
            return None
    exact = _lost(ruleset, pending, kinds, sorts, exact=True)
    decided(exact.encoding, exact.solver.control)
    model, _ = exact.solver.search(None, ASKED, usual_first=True, turn=_TURN)
    if model is None:
        _check(evaluator, exact, games)
        return None
    facts = decode_facts(ruleset, model)
    return Counterexample(functor, facts, (), "no legal action", _is_stuck(evaluator, facts))


def _is_stuck(evaluator: Evaluator, facts: Sequence[str]) -> bool:
    """Whether a given position confirms it: of sets of things, the open one knows only a few."""
    position = frozenset(map(symbols.read, facts))
    deciding = {str(s.arguments[0]) for s in position if symbols.signature(s) == DECISION}
    try:
        return bool(deciding - {role for role, _ in evaluator.legal(position)})
    except NotDecided:
        return False


def _lost(
    ruleset: Ruleset, pending: Sequence[Pattern], chosen: Sequence[ActionKind], sorts: Domains, exact: bool
) -> _Question:
    """The question for a valid position in which somebody can do nothing of the chosen kinds, where that is asked."""
    why = unlistable(ruleset, chosen)
    if why is not None:
        raise NotDecided(why)
    encoding = Encoding(ruleset, sorts)
    encoding.open(pending, exact=exact)
    encoding.assume(invariants(ruleset).assumed, pending, [])
    wanted = [Atom(LEGAL[0], (ROLE_TERM, numbered(k)[0])) for k in chosen]
    encoding.derive(wanted, pending, [], enumerate=True)
    encoding.name_sets(())
    encoding.add("legal(none,none) :- #false.", "can_do__(none) :- #false.", ":- not decision(_,_).")
    # of other kinds the program does not have what forbids them
    encoding.add(*(f"can_do__({ROLE}) :- legal({ROLE},{show(atom.args[1])})." for atom in wanted))
    encoding.add("lost__ :- decision(Role,_), not can_do__(Role).")
    encoding.add(f"{{ {ASKED} }}.", f":- {ASKED}, not lost__.")
    return _Question(pending, chosen, encoding, solver_of(encoding, SPARSE if exact else ()))


def _key(
    ruleset: Ruleset, kinds: Sequence[ActionKind], question: _Question, sorts: Domains, functor: str
) -> str:
    """What the proof that a question has no answer is kept under."""
    asked = [(question.encoding, question.solver, (ASKED,))]
    return key(ruleset, sorts, asked, kinds, (), "stuck", functor)


def _check(evaluator: Evaluator, question: _Question, games: Sequence[Written]) -> None:
    """Compares what the program lists with what the evaluate reading does."""
    program = FixedProgram(evaluator, question.encoding, question.solver)
    sorts = question.encoding.domains
    positions = [clipped(written.read().facts, sorts) for written in games[:_CHECKED]]
    if not positions:
        ruleset = evaluator.ruleset
        kinds = question.chosen
        pending = decisions_of(kinds) or question.pending
        found = _lost(ruleset, pending, kinds, sorts, exact=True).solver.model_within(
            _CONFLICTS, f"not {ASKED}"
        )
        positions = [] if found is None else [frozenset(map(symbols.read, decode_facts(ruleset, found)))]
    for facts in [*positions, *_near(evaluator, sorts, positions)]:
        try:
            _compare(evaluator, question, program, facts)
        except Differs as difference:
            raise NotDecided(f"its encoding is not what the rules say: {difference}") from None


def _near(evaluator: Evaluator, sorts: Domains, positions: Sequence[Facts]) -> Iterator[Facts]:
    """Some neighbours of positions, valid by the plain engine."""
    small = len(sorts.fluents) < FEW
    bounds = SMALL if small else LARGE
    assumed = {*invariants(evaluator.ruleset).assumed, *GENERAL}

    def valid(facts: Facts) -> bool:
        return assumed.isdisjoint(name for name, _ in evaluator.broken(facts, waive=False))

    nearby = Nearby(sorts, evaluator.ruleset.book.counters, valid, bounds.tries)
    random = Random(0)
    for facts in positions if small else positions[:1]:
        yield from nearby.of(facts, random, bounds.nearby)


def _compare(evaluator: Evaluator, question: _Question, program: FixedProgram, facts: Facts) -> None:
    """Differs where other actions of the chosen kinds are legal in a position than by the evaluate reading."""
    try:
        legal = evaluator.legal(facts)
    except NotDecided:  # too many to be listed
        return
    # of unknown sets the solver chooses the parts
    atoms = program.literals([LEGAL])
    watched = {symbol: literal for symbol, literal in atoms.items() if "set_of(" not in str(symbol)}
    asked = program.literals([(ASKED, 0)])
    assumed = [*program.position(facts), *(-literal for literal, _ in asked.values())]
    listed = set(map(_pair, program.only(assumed, watched)))
    naming = [k for k in question.chosen if k in naming_kinds(evaluator.ruleset.book)]
    plain = [k for k in question.chosen if k not in naming]
    some = {role for role, _ in _of(naming, facts, listed)} - {role for role, _ in _of(naming, facts, legal)}
    if some:  # of sets of things, the program knows only a few
        raise Differs(f"{min(some)} would have a legal action")
    ours, theirs = _of(plain, facts, listed), _of(plain, facts, legal)
    if ours != theirs:
        role, action = min(ours ^ theirs, key=str)
        raise Differs(f"{role}: {action} would be {'legal' if (role, action) in ours else 'illegal'}")


def _of(
    kinds: Sequence[ActionKind], facts: Facts, legal: Iterable[tuple[str, clingo.Symbol]]
) -> set[tuple[str, clingo.Symbol]]:
    """Those of some actions that are of these kinds."""
    return {(role, action) for role, action in legal if kind_of(kinds, facts, role, action) is not None}


def _pair(symbol: clingo.Symbol) -> tuple[str, clingo.Symbol]:
    """Role and action of an atom."""
    return symbols.text(symbol.arguments[0]), symbol.arguments[1]
