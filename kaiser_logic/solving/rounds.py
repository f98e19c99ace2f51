"""All claims of the rules in force: rounds of proofs, each with fewer invariants assumed, until nothing is lost.

Why it is right. A round supposes all of the rulebook's invariants of the position before a transition, and shows of some
that they hold after it. So where all that are supposed are shown, and hold at the start, they hold in every position of
every game, by induction; and then all else that is shown in such positions holds. An invariant that is not shown is
dropped, and all is asked again without it (Houdini, Flanagan and Leino 2001): what is left in the end is inductive by
itself. What every encoding is built on (`BUILT_ON`) cannot be dropped: where one of these is not shown, nothing is proved.

A claim falls only where the plain engine confirms the counterexample: `confirmed`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from .. import clingo
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from .check import Pair, belongs, pairs_of_games, wrong
from .goals import ALWAYS, ENUMERATION
from .models import actions_in, facts_in
from .positions import Answer, Positions
from .program import signature_of
from .prover import Found, Prover
from .theory import DECISION, DUE, EXCLUSIVE, Theory, Transition

RANGE: Final = "range"
BUILT_ON: Final = (*ALWAYS, RANGE)
"""What every encoding is built on."""
GAMES: Final = 25
DECISIONS: Final = 200
"""So many random games are played at most, with so many decisions at most."""
EACH: Final = 2
"""So many positions and moves of each transition are compared."""


@dataclass
class Claim:
    """What is found of one claim.

    Attributes:
        name: Its name.
        status: ``proved``, ``falls`` or ``undecided``.
        notes: Why it is not proved.
    """

    name: str
    status: str = "proved"
    notes: list[str] = field(default_factory=list)

    def lower(self, status: str, note: str = "") -> None:
        """Enters what is less than proved; what falls stays so."""
        self.status = "falls" if "falls" in (status, self.status) else "undecided"
        if note:
            self.notes.append(note)


class Rounds:
    """The claims of some rules.

    Attributes:
        claims: What is found of each.
        dropped: The invariants that are not assumed in the end.
        never: The transitions that can never happen, where all is proved.
    """

    def __init__(self, ruleset: Ruleset, bound: int | None = None) -> None:
        """Of rules; ``bound``: up to where numbers without a limit run."""
        self._plain, self._bound = ruleset, bound
        self.claims: dict[str, Claim] = {}
        self.dropped: list[str] = []
        self.never: list[str] = []
        self._together: frozenset[str] = frozenset()
        self._alone_no_more: frozenset[str] = frozenset()

    def run(self) -> None:
        """Asks until nothing is lost any more."""
        wanted: set[str] | None = None
        while True:
            ruleset = self._plain.dropping(self.dropped) if self.dropped else self._plain
            found = self._round(ruleset, wanted)
            if self._alone_no_more:
                self._together |= self._alone_no_more
                self._alone_no_more = frozenset()
                continue
            if wanted is None:
                self.claims = found
            else:
                for name, claim in found.items():
                    if name in wanted and claim.status != "proved":
                        self.claims[name] = claim
            supposed = [i for i in Theory(ruleset).invariants if i in self.claims]
            lost = [i for i in supposed if self.claims[i].status != "proved"]
            if any(b in self.claims and self.claims[b].status != "proved" for b in BUILT_ON):
                for claim in self.claims.values():
                    if claim.status == "proved":
                        claim.lower("undecided", "what every proof is built on is not proved")
                return
            if not lost:
                return
            self.dropped += lost
            wanted = {name for name, claim in self.claims.items() if claim.status == "proved"}

    def _round(self, ruleset: Ruleset, wanted: Collection[str] | None) -> dict[str, Claim]:
        """What is found where the invariants of these rules are supposed; of all claims, or those wanted."""
        prover = Prover(ruleset, self._bound, self._together)
        goals = [g for g in prover.goals if wanted is None or g in wanted]
        claims = {g: Claim(g) for g in goals}
        self.never = []
        evaluator = Evaluator(self._plain)
        self._start(prover, evaluator, claims)
        judging = Evaluator(ruleset)
        pairs = self._pairs(prover, judging, claims)
        for transition in prover.transitions:
            try:
                found = prover.examine(transition, goals, judging, pairs.get(transition.label, ()))
            except NotDecided as reason:
                for claim in claims.values():
                    claim.lower("undecided", f"{transition.label}: {reason}")
                continue
            for difference in found.differences[:1]:
                for claim in claims.values():
                    claim.lower("undecided", f"its encoding is not what the rules say: {difference}")
            if found.possible is False:
                self.never.append(transition.label)
            self._enter(prover, evaluator, transition, found, claims)
        positions = Positions(prover.theory, prover.vocabulary, prover.totals)
        for answer in positions.claims():
            if wanted is None or answer.claim in wanted:
                claim = claims.setdefault(answer.claim, Claim(answer.claim))
                if answer.verdict != "proved":
                    sure = answer.verdict == "falls" and stuck_there(prover.theory, evaluator, answer)
                    claim.lower("falls" if sure else "undecided", answer.reason)
        return claims

    def _start(self, prover: Prover, evaluator: Evaluator, claims: dict[str, Claim]) -> None:
        """The induction's base."""
        start = evaluator.initial()
        for name, witness in evaluator.broken(start, waive=False):
            if name in claims:
                claims[name].lower("falls", f"at the start: {witness}")
        several = pending_at_once(prover.theory, start)
        if several and EXCLUSIVE in claims:
            claims[EXCLUSIVE].lower("undecided", f"at the start there are {several} at once")

    def _held_by_several(self, theory: Theory, model: Sequence[clingo.Symbol]) -> frozenset[str]:
        """Decisions with one kind of action that several roles have at once, though the rulebook does not say so."""
        twice = {
            s.arguments[1].arguments[0].name
            for s in model
            if s.name == "bad__" and s.arguments[0].name == EXCLUSIVE and s.arguments[1].name == "twice"
        }
        kinds = [_functor_of(decision) for _, decision, _ in theory.kinds]
        return frozenset(name for name in twice if kinds.count(name) == 1)

    def _pairs(self, prover: Prover, evaluator: Evaluator, claims: dict[str, Claim]) -> dict[str, list[Pair]]:
        """Positions and moves of random games, by transition; one that is of none says that something is left out."""
        found: dict[str, list[Pair]] = {}
        for pair in pairs_of_games(evaluator, GAMES, DECISIONS):
            several = pending_at_once(prover.theory, pair.facts)
            if several and EXCLUSIVE in claims:
                claims[EXCLUSIVE].lower("undecided", f"in a random game there are {several} at once")
            its = [t.label for t in prover.transitions if belongs(prover.theory, t, pair)]
            if not its and not several:
                raise NotDecided("a move of a random game is of no transition")
            for label in its[:1]:
                if len(found.setdefault(label, [])) < EACH:
                    found[label].append(pair)
        return found

    def _enter(
        self,
        prover: Prover,
        evaluator: Evaluator,
        transition: Transition,
        found: Found,
        claims: dict[str, Claim],
    ) -> None:
        """Enters what is found of a transition."""
        for name, verdict in found.verdicts.items():
            claim = claims[name]
            if verdict == "falls" and name == EXCLUSIVE:
                self._alone_no_more |= self._held_by_several(prover.theory, found.models[name])
            if verdict == "falls":
                facts = facts_in(prover.theory, found.models[name])
                actions = actions_in(prover.theory, transition, found.models[name])
                sure = confirmed(prover.theory, evaluator, name, facts, actions)
                claim.lower("falls" if sure else "undecided", found.label)
            elif verdict == "undecided" or (found.reason is not None):
                claim.lower("undecided", f"{found.label}: {found.reason or 'too many conflicts'}")


def _functor_of(decision: object) -> str:
    return getattr(decision, "name", "") or getattr(decision, "text", "")


def confirmed(
    theory: Theory,
    evaluator: Evaluator,
    claim: str,
    facts: frozenset[clingo.Symbol],
    actions: dict[str, clingo.Symbol],
) -> bool:
    """Whether the plain engine sees a claim fall there."""
    before = {i for i, _ in evaluator.broken(facts, waive=False)} - evaluator.ruleset.waived
    if before:
        return False
    if actions:
        judged = evaluator.judge(facts, actions)
        if judged.violations:
            return False
        if claim == ENUMERATION:
            try:
                listed = evaluator.legal(facts)
            except NotDecided:
                return False
            return any(pair not in listed for pair in actions.items())
        after = (facts - frozenset(judged.deleted)).union(judged.added)
    else:
        after = evaluator.step(facts)
    if claim in theory.claims:
        return claim in (wrong(theory, facts, actions, after) or ())
    broken = {i for i, _ in evaluator.broken(after, waive=False)}
    if claim == EXCLUSIVE:
        return pending_at_once(theory, after) != ""
    if "vocabulary" in broken:
        return claim in ("vocabulary", "count")
    return claim in broken or claim == "count"


def stuck_there(theory: Theory, evaluator: Evaluator, answer: Answer) -> bool:
    """Whether the plain engine confirms what is found of a position."""
    facts = facts_in(theory, answer.model)
    if {i for i, _ in evaluator.broken(facts, waive=False)} - evaluator.ruleset.waived:
        return False
    if not answer.claim.startswith("legal action at "):
        return True
    try:
        acting = {role for role, _ in evaluator.legal(facts)}
    except NotDecided:
        return False
    return bool({str(s.arguments[0]) for s in facts if signature_of(s) == DECISION} - acting)


def pending_at_once(theory: Theory, facts: Collection[clingo.Symbol]) -> str:
    """What is pending at once in a position and in no transition, in words."""
    decisions = [s for s in facts if signature_of(s) == DECISION]
    steps = [s for s in facts if signature_of(s) == DUE]
    names: Sequence[str] = sorted({f"decision {s.arguments[1].name}" for s in decisions})
    names = [*names, *sorted({f"step {s.arguments[0].name}" for s in steps})]
    if len(names) > 1:
        return " and ".join(names)
    if len(decisions) > 1 and decisions[0].arguments[1].name not in theory.simultaneous:
        return f"several {names[0]}"
    return ""
