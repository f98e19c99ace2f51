"""Which actions belong to which decisions, whatever else a position is.

Circuits know what rules enumerate and do not forbid. Of what somebody does it is demanded besides that it is an action of the
vocabulary, and belongs to a decision that he has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set

from .. import clingo
from ..batch.layout import Layout
from ..batch.machine import Machine
from ..engine import symbols
from ..engine.compiled import derived
from ..engine.grounding import Program
from ..engine.ruleset import Ruleset
from ..errors import KaiserLogicError
from ..rules.pattern import substitute, unify, variables
from ..rules.predicates import DECISION, NUMBER, OFFERED, SUBMITTED
from ..transform.slicing import seeds


class Belonging:
    """Says of actions whether they belong to decisions; what cannot be said without the rest of the position does not."""

    def __init__(self, ruleset: Ruleset, layout: Layout, machine: Machine) -> None:
        """Under these rules; with the circuits, all of them ready, whose actions are asked for together."""
        self._ruleset, self._layout, self._machine = ruleset, layout, machine
        self._known: dict[clingo.Symbol, dict[str, bool]] = {}
        self._made: dict[tuple[int, str, str], clingo.Symbol | None] = {}
        self._at_all: dict[tuple[int, str], Set[str]] = {}

    def __call__(self, decision: clingo.Symbol, role: str, text: str) -> bool:
        """Whether a role's action belongs to a decision, given as the fact that he has it."""
        known = self._known.setdefault(decision, {})
        if text not in known:
            known[text] = bool(text) and "?" not in text and self._belongs(decision, role, text)
        return known[text]

    def _belongs(self, decision: clingo.Symbol, role: str, text: str) -> bool:
        bucket = int(self._machine.bucket_of_bit[self._layout.bits[decision]])
        if (bucket, role, text) not in self._made:
            self._made[bucket, role, text] = self._makes(bucket, role, text)
        made = self._made[bucket, role, text]
        if made is not None:
            return made == decision.arguments[1]
        try:
            action = symbols.read(text)
        except (KaiserLogicError, ValueError):
            return False
        program = self._offering(action)
        return program is not None and text in self._offers(program, [decision], role, [action])

    def _makes(self, bucket: int, role: str, text: str) -> clingo.Symbol | None:
        """The only decision that a circuit's action can belong to, and does if it is pending; None where that is not clear."""
        if text not in self._at_some(bucket, role):
            return None
        action, rules = symbols.read(text), self._ruleset
        kinds = rules.alike(rules.kind(action))
        binding = unify(kinds[0].action, symbols.value_pattern(action), {}) if len(kinds) == 1 else None
        if binding is None:
            return None
        made = substitute(kinds[0].decision, binding)
        return None if variables((made,)) else symbols.ground(made)

    def _at_some(self, bucket: int, role: str) -> Set[str]:
        """A circuit's actions of a role that belong to any of its decisions, as far as each does without the others."""
        if (bucket, role) not in self._at_all:
            rules, its = self._ruleset, self._machine.buckets[bucket]
            by_kind: dict[tuple[int, ...], list[clingo.Symbol]] = defaultdict(list)
            for action in [symbols.read(text) for its_role, text in its.actions if its_role == role]:
                by_kind[tuple(kind.index for kind in rules.alike(rules.kind(action)))].append(action)
            decisions = [f for bit in map(int, its.pending) if (f := self._layout.facts[bit]) is not None]
            found: set[str] = set()
            for actions in by_kind.values():
                program = self._offering(actions[0])
                if program is not None and all(
                    h.signature == OFFERED for r in program.rules for h in r.heads
                ):
                    found.update(self._offers(program, decisions, role, actions))
            self._at_all[bucket, role] = found
        return self._at_all[bucket, role]

    def _offering(self, action: clingo.Symbol) -> Program | None:
        """What says whether an action belongs to a decision; None where that depends on more than the decision."""
        rules = self._ruleset
        kinds = rules.alike(rules.kind(action))
        program = rules.program(
            ("offered", frozenset(kind.index for kind in kinds)),
            lambda: seeds(None, (), [kind.action for kind in kinds]),
            [OFFERED],
        )
        said = {head.signature for rule in program.rules for head in rule.heads}
        return program if kinds and program.inputs - said <= {DECISION, NUMBER, SUBMITTED} else None

    def _offers(
        self,
        program: Program,
        decisions: Sequence[clingo.Symbol],
        role: str,
        actions: Sequence[clingo.Symbol],
    ) -> list[str]:
        """Those of the actions that belong to any of the decisions, as texts."""
        given = [s for action in actions for s in self._ruleset.submissions({role: action})]
        found = derived(program, frozenset(decisions), given, self._ruleset.configuration.engine)
        return [symbols.text(action) for _, action in found.arguments(*OFFERED)]
