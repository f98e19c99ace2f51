"""The claim that whoever decides has a legal action, where a position has too much to be listed.

Of a position only a part is known (:mod:`..symbolic.standstill`). Where no such part leaves somebody who decides without an
action that is certainly legal, nobody is ever stuck. Every other answer says nothing about the game: so nothing falls here.

What is supposed of positions is what all transitions keep (:mod:`.partial`). The program is held against positions of games,
or, where none has such a decision, against some that are made: in each of them it must be able to say of nobody that he can
do something of a family of which he has no legal action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import clingo

from ..conservation.clauses import NotShown
from ..conservation.comparing import Comparing
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.pattern import unify
from ..rules.predicates import DECISION
from ..rules.rulebook import ActionKind
from ..symbolic.flattening import Unprojectable
from ..symbolic.projected import decision_sorts
from ..symbolic.solver import Solver
from ..symbolic.standstill import ABLE, Standstill
from ..symbolic.transitions import Transition, functor, unanswered
from ..workers import Job, asked
from .fixed import ASKED
from .known_part import PartialProgram
from .lifted import lifted
from .partial import Lost
from .report import Proof
from .sample import Facts, Sample, Written

STATEMENT: Final = "Whoever decides has a legal action."
_STUCK: Final = "stuck__"
_EFFORT: Final = 300_000
"""So many conflicts are spent on one decision."""
_CHECKED: Final = 12
"""So many positions are compared."""


class StandstillProgram(PartialProgram):
    """The program for one kind of decision, and the check that it does not let do what is not legal."""

    def __init__(self, evaluator: Evaluator, kinds: Sequence[ActionKind], lemmas: Sequence[str]) -> None:
        """Of the decisions at which these kinds of action are done.

        Raises:
            Unprojectable: A rule cannot be rewritten.
        """
        self._evaluator = evaluator
        ruleset = evaluator.ruleset
        self.standstill = Standstill(ruleset, kinds, lemmas, decision_sorts(ruleset))
        self.projected = self.standstill
        self.broken, self._before = self.projected.broken
        lines = [
            self.standstill.text,
            *_summed(ruleset, self.standstill),
            f"#external lost__(I,W) : {self.broken}(I,W).",
            f":- {self.broken}(I,W), not lost__(I,W).",
            ":- not decision(_,_).",
            f"{ABLE}(none,none) :- #false.",
            f"{_STUCK} :- decision(Role,_), not {ABLE}(Role,_).",
            f"{{ {ASKED} }}.",
            f":- {ASKED}, not {_STUCK}.",
        ]
        self.solver = Solver("\n".join(lines), self.standstill.facts)
        self._atoms = self.solver.control.symbolic_atoms

    def allows_too_much(self, facts: Facts) -> str | None:
        """What the program says can be done in a position, and nobody may there; None where it can leave that open."""
        try:
            legal = self._evaluator.legal(facts)
        except NotDecided:  # too many to be listed
            return None
        fluents = self.projected.kept.fluents
        try:
            given = [x for f in fluents for x in self._fixed(f, f[0], facts)]
        except Unprojectable as error:
            return str(error)
        done = {(role, symbols.value_pattern(action)) for role, action in legal}
        patterns = {f.number: f.action for f in self.standstill.families.each}
        able = {(r, n) for r, a in done for n, p in patterns.items() if unify(p, a, {}) is not None}
        for atom in self._atoms.by_signature(ABLE, 2):
            role, number = atom.symbol.arguments
            if (symbols.text(role), number.number) not in able:
                given.append((atom.symbol, False))
        control = self.solver.control
        with control.solve(assumptions=[*given, (clingo.Function(ASKED), False)], yield_=True) as handle:
            if any(True for _ in handle):
                return None
        deciding = sorted(symbols.text(s) for s in facts if symbols.signature(s) == DECISION)
        return f"with {', '.join(deciding)} it lets do what nobody may"


def _summed(ruleset: Ruleset, standstill: Standstill) -> list[str]:
    """What sums say whose amounts are left out; nothing where they are not followed."""
    try:
        return Comparing(ruleset, standstill.kept, standstill.lines).lines()
    except NotShown:
        return []


def stuck_in_part(
    evaluator: Evaluator,
    kinds: Sequence[ActionKind],
    transitions: Sequence[Transition],
    lemmas: Sequence[str],
    lost: Lost,
    games: Sequence[Written],
) -> str | None:
    """Why it is not shown that whoever has such a decision has a legal action; None where it is.

    Args:
        evaluator: Of the rules in force.
        kinds: All kinds of action at that decision.
        transitions: Those in which it is made.
        lemmas: The invariants.
        lost: Those of their witnesses that are not kept.
        games: Positions from games in which it is made.
    """
    try:
        program = StandstillProgram(evaluator, kinds, lemmas)
    except Unprojectable as error:
        return f"it cannot be said of a part of a position: {error}"
    positions = [w.read().facts for w in games[:_CHECKED]] or list(_made(evaluator, transitions, lemmas))
    if not positions:
        return "no random game has it, and no position with it was made"
    for facts in positions:
        differs = program.allows_too_much(facts)
        if differs is not None:
            return f"its program is not what the rules say: {differs}"
    program.let_go(lost)
    found = program.solver.decide(_EFFORT, ASKED)
    if found is None:
        return f"it takes more than {_EFFORT} conflicts"
    return "what is listed of a position is not enough to say what is legal" if found else None


def _made(evaluator: Evaluator, transitions: Sequence[Transition], lemmas: Sequence[str]) -> Iterator[Facts]:
    """Valid positions in which something is done by one of some transitions."""
    for transition in transitions:
        try:
            program = PartialProgram(evaluator, transition, lemmas)
        except Unprojectable:
            continue
        yield from (pair.facts for pair in lifted(evaluator, transition, program, lemmas))


def nobody_stuck(
    evaluator: Evaluator,
    transitions: Sequence[Transition],
    kept: tuple[Sequence[str], Lost, str | None],
    sample: Sample,
    workers: tuple[int | None, str | None],
    deadline: float,
    progress: Callable[[str], None],
) -> dict[str, Proof]:
    """For each decision the claim that whoever has it has a legal action.

    Args:
        evaluator: Of the rules in force.
        transitions: All of them.
        kept: The invariants that were looked at, those of their witnesses that are not kept, and why nothing is proved of
            transitions, if so; then nothing is here.
        sample: Positions and moves of games.
        workers: The number of processes, and the address of a scheduler whose workers are asked instead, or None.
        deadline: By :func:`time.monotonic`.
        progress: Told what has been answered.
    """
    lemmas, lost, failure = kept
    made: dict[str, list[Transition]] = {}
    for transition in transitions:
        for name in dict.fromkeys(functor(k.decision) for k in transition.kinds):
            made.setdefault(name, []).append(transition)
    idle = unanswered(decision_sorts(evaluator.ruleset), [k for t in transitions for k in t.kinds])
    proofs = {
        f"legal action at {name}": Proof(f"legal action at {name}", STATEMENT, "stuck")
        for name in {**made, **idle}
    }
    for name in idle:
        proofs[f"legal action at {name}"].stays_open("it may be made where no action belongs to it")
    if failure is not None:
        for proof in proofs.values():
            proof.stays_open(failure)
        return proofs
    jobs = []
    for name, its in made.items():
        kinds = [k for t in its for k in t.kinds if functor(k.decision) == name]
        games = _in_turn([sample.pairs.get(t.label, []) for t in its])
        question = partial(stuck_in_part, evaluator, kinds, its, lemmas, lost, games)
        jobs.append(Job(f"legal action at {name}", question))
    for count, answer in enumerate(asked(jobs, workers[0], deadline, workers[1]), 1):
        progress(f"{count}/{len(jobs)} {answer.name}")
        why = answer.failure if answer.failure is not None else answer.value
        if why is not None:
            proofs[answer.name].stays_open(why)
    return proofs


def _in_turn(lists: Sequence[Sequence[Written]]) -> list[Written]:
    """One of each list, then another one of each, and so on; as many as are compared."""
    longest = max(map(len, lists), default=0)
    found = [games[k] for k in range(longest) for games in lists if k < len(games)]
    return found[:_CHECKED]
