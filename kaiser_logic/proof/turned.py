"""Questions put about one seat for all of them, where a program says the same of all (:mod:`..symbolic.turning`).

What a transition does to one player it does to each, if its program turns: so where somebody acts, or holds what only one holds,
it is enough to ask what happens where that is the first seat. To the program of a question comes

    { turned__ }.
    :- turned__, leads__(R), seated__(R), not leads__(red).
    leads__(R) :- does__0(R,_).

and the question is put with ``turned__``. Of a step `leads__` are those of which the position says something of one role, as
``emperor(R)``. Where there is a position and a move, some turn of both meets that: if any seat leads, the first one does after
some turns. With all that is asked the same then, there is none at all where there is none with ``turned__``.

Where one role alone decides (:func:`.pending.alone`, which ``exclusive`` claims), the first seat is the only one that leads
then. So the other seats' decisions need not be in the program at all: it is ground over facts without

    fluent(decision(blue,turn)).

and what it says of other seats' actions is not there either, which is most of what an action does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import clingo

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..rules.fresh import argument
from ..rules.pattern import substitute, unify
from ..rules.predicates import DECISION
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.shapes import Place
from ..symbolic.solver import Solver
from ..symbolic.transitions import Transition
from ..symbolic.turning import Seats, Turn
from ..symbolic.values import NotUnderstood, symbol_of, term_of
from ..transform.action_splitting import numbered
from .deciding import kind_of
from .pending import decided_alone
from .question import Question
from .sample import Pair

TURNED: Final = "turned__"
"""Holds where it is supposed that the first seat leads, if any does."""
PLAYERS_DECIDE: Final = "linked__(R) :- decision(R,_), player(R)."
"""That roles are where players are: for programs that do not say so, as nobody decides in them. What it derives nothing reads."""
_LEADS: Final = "leads__"
_SEATED: Final = "seated__"
_FLUENT: Final = "fluent"
_DECIDES: Final[Place] = (*DECISION, 0, ())


def turned(question: Question, evaluator: Evaluator, transition: Transition) -> Question:
    """The question with what lets it be put about the first seat; the same as it is where its program does not turn.

    Args:
        question: Not grounded yet.
        evaluator: Says how games begin.
        transition: What the question is about.
    """
    roles = _clockwise(evaluator.ruleset)
    leading = _leading(question, evaluator, transition, roles)
    if leading is None:
        return question
    leads = f"{_LEADS}(R) :- {leading[0]}."
    turn = turning(question.solver, evaluator.ruleset, leads)
    if turn is None or not turn.is_of_roles(leading[1]):
        return question
    if decided_alone(evaluator.ruleset, transition.kinds):
        of_lead = replace(question, turn=turn, lead=roles[0])
        return replace(of_lead, solver=about_lead(of_lead, evaluator, question.solver))
    lines = [
        leads,
        f"{{ {TURNED} }}.",
        f":- {TURNED}, {_LEADS}(R), {_SEATED}(R), not {_LEADS}({roles[0]}).",
    ]
    seated = [clingo.Function(_SEATED, [symbols.constant(role)]) for role in roles]
    solver = Solver(
        "\n".join([question.solver.text, *lines]), [*question.solver.facts, *seated], question.solver.options
    )
    return replace(question, solver=solver, turn=turn)


def turning(solver: Solver, ruleset: Ruleset, *lines: str) -> Turn | None:
    """How the seats of a program turn that has these lines, too; None where it does not.

    Args:
        solver: The program.
        ruleset: Of the rules in force.
        lines: Further rules.
    """
    seats = ruleset.remember("seats that turn", lambda: Seats(_clockwise(ruleset)))
    return seats.turn([*solver.text.split("\n"), *lines], solver.facts)


def other_seats(ruleset: Ruleset) -> list[str]:
    """The roles in all seats but the first."""
    return _clockwise(ruleset)[1:]


def supposing(question: Question) -> list[str]:
    """What is assumed where a question is put: that the first seat leads, if any does; nothing where no other one can."""
    return [] if question.turn is None or question.lead is not None else [TURNED]


def about_lead(question: Question, evaluator: Evaluator, solver: Solver) -> Solver:
    """A program of the question's transition, without the decisions of all seats but the one that the question is about.

    Args:
        question: Which may be about all seats.
        evaluator: Of the rules.
        solver: Of the program, not grounded yet.
    """
    if question.lead is None:
        return solver
    others = frozenset(_clockwise(evaluator.ruleset)) - {question.lead}
    # most facts are those of the program before
    known: dict[clingo.Symbol, bool] = evaluator.ruleset.remember(("others decide", others), dict)
    for fact in solver.facts:
        if fact not in known:
            known[fact] = _decides(fact, others)
    facts = [fact for fact in solver.facts if not known[fact]]
    return Solver(solver.text, facts, solver.options)


def led(
    question: Question, evaluator: Evaluator, transition: Transition, pairs: Iterable[Pair]
) -> list[Pair]:
    """The pairs as a question can be asked about them: turned until the seat acts that it is about, if any seat does.

    Args:
        question: Which may be about all seats: then pairs are as they are.
        evaluator: Of the rules.
        transition: What the question is about.
        pairs: Positions, and what is done in them.
    """
    if question.lead is None:
        return list(pairs)
    seats = frozenset(_clockwise(evaluator.ruleset)) - {question.lead}
    found = []
    for pair in pairs:
        turning = turns(question, evaluator, transition, pair)
        found.append(next((p for p in turning if not any(role in seats for role, _ in p.actions)), pair))
    return found


def turns(question: Question, evaluator: Evaluator, transition: Transition, pair: Pair) -> Iterator[Pair]:
    """A position with what is done in it, and both turned by one, two, and so on; only as it is where nothing turns.

    Where the first seat acts comes first: that is what a question that is turned allows.

    Args:
        question: Whose program turns, or does not.
        evaluator: Of the rules.
        transition: What the question is about.
        pair: The position, and what is done in it.
    """
    first, *_ = _clockwise(evaluator.ruleset)
    others: list[Pair] = []
    for p in _all_turns(question, evaluator, transition, pair):
        if p.actions and all(role != first for role, _ in p.actions):
            others.append(p)
        else:
            yield p
    yield from others


def _all_turns(
    question: Question, evaluator: Evaluator, transition: Transition, pair: Pair
) -> Iterator[Pair]:
    yield pair
    turn = question.turn
    if turn is None:
        return
    for _ in _clockwise(evaluator.ruleset)[1:]:
        try:
            pair = _turned_pair(turn, question, evaluator.ruleset, transition.kinds, pair)
        except NotUnderstood:
            return
        yield pair


def _turned_pair(
    turn: Turn, question: Question, ruleset: Ruleset, kinds: Sequence[ActionKind], pair: Pair
) -> Pair:
    seats = frozenset(ruleset.facts("seat", 2))
    facts = frozenset(symbol_of(turn.fact(term_of(fact))) for fact in pair.facts - seats) | seats
    actions = []
    for role, action in pair.actions:
        kind = kind_of(kinds, pair.facts, role, action)
        if kind is None:
            raise NotUnderstood
        pattern, _, count = numbered(kind)
        binding = dict(unify(pattern, symbols.value_pattern(action), {}) or {})
        for k in range(count):
            place: Place = (names.argument(question.encoded.number), 4, 3, ((1, kind.index), (2, k)))
            value = symbols.ground(substitute(("v", argument(k)), binding))
            binding["v", argument(k)] = symbols.value_pattern(symbol_of(turn.at(place, term_of(value))))
        actions.append((_role(turn, role), symbols.ground(substitute(pattern, binding))))
    return Pair(facts, tuple(actions))


def _decides(fact: clingo.Symbol, roles: Collection[str]) -> bool:
    """Whether a fact says that one of these roles may have something to decide: ``fluent(decision(red,turn))``."""
    if fact.name != _FLUENT or len(fact.arguments) != 1:
        return False
    fluent = fact.arguments[0]
    return symbols.signature(fluent) == DECISION and symbols.text(fluent.arguments[0]) in roles


def _role(turn: Turn, role: str) -> str:
    return str(turn.at(_DECIDES, role))


def _clockwise(ruleset: Ruleset) -> list[str]:
    seats = sorted(ruleset.facts("seat", 2), key=lambda fact: fact.arguments[1])
    return [symbols.text(fact.arguments[0]) for fact in seats]


def _leading(
    question: Question, evaluator: Evaluator, transition: Transition, roles: Sequence[str]
) -> tuple[str, Place] | None:
    """Who leads, as a body about ``R``, and where: who acts, or of whom is said what is said of a role at the start."""
    if transition.kinds:
        does = names.does(question.encoded.number)
        return f"{does}(R,_)", (does, 2, 0, ())
    begun = (
        f for f in evaluator.initial() if len(f.arguments) == 1 and symbols.text(f.arguments[0]) in roles
    )
    name = min((fact.name for fact in begun), default=None)
    if name is None:
        return None
    own = question.encoding.name((name, 1), question.encoded.moment)
    return f"{own}(R)", (own, 1, 0, ())
