"""What is done, as inputs of a circuit: an action's kind, and for each of its arguments the value it has.

The rules are those of the open reading (:mod:`kaiser_logic.transform.action_splitting`): otherwise an action with many
arguments would be an input for each of thousands of ways to do it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Program
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..rules.fresh import argument
from ..rules.pattern import Signature, outermost, substitute, unify
from ..rules.predicates import ADD, DEL, VIOLATES
from ..rules.rule import Rule, top
from ..rules.rulebook import ActionKind
from ..symbolic.transitions import acting
from ..transform.action_splitting import specialise
from .bits import Group
from .opening import Unsupported

DOES = ("does__0", 2)
"""That a role does an action of a kind."""
ARGUMENT = ("arg__0", 4)
"""That an argument of it has a value."""


@dataclass(frozen=True)
class Doing:
    """What is done at a decision, and the rules for what that changes.

    Attributes:
        rules: The rulebook's rules.
        lines: What has become of them.
        program: What they read.
        inputs: The facts that say what is done, each with its group.
        by_action: For each action, as legal/2, the facts that say that it is done.
    """

    rules: tuple[Rule, ...] = ()
    lines: tuple[Rule | str, ...] = ()
    program: Program = field(default_factory=lambda: Program((), frozenset(), ()))
    inputs: dict[clingo.Symbol, Group | None] = field(default_factory=dict)
    by_action: dict[clingo.Symbol, list[clingo.Symbol]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        ruleset: Ruleset,
        decision: Signature,
        actions: Sequence[clingo.Symbol],
    ) -> Doing:
        """What these actions, as legal/2, do at a decision.

        Args:
            ruleset: The rules.
            decision: The decision.
            actions: The actions.

        Raises:
            Unsupported: An action is of several kinds; or effects depend on what is legal.
        """
        by_kind: dict[int, list[clingo.Symbol]] = defaultdict(list)
        kinds: dict[int, ActionKind] = {}
        for action in actions:
            kind = _kind(ruleset, decision, action.arguments[1])
            kinds[kind.index] = kind
            by_kind[kind.index].append(action)
        lines: dict[str, Rule | str] = {}
        rules: dict[Rule, None] = {}
        inputs: dict[clingo.Symbol, Group | None] = {}
        by_action: dict[clingo.Symbol, list[clingo.Symbol]] = {}
        for index, alike in by_kind.items():
            kind = kinds[index]
            start, several = acting(ruleset, kind)
            found = ruleset.judging.slice(start, [top(*ADD), top(*DEL)])
            try:
                special = specialise(found, kind, 0, several)
            except NotDecided as error:
                raise Unsupported(str(error)) from None
            for rule, line in special.lines:
                if rule.heads[0].signature == VIOLATES or VIOLATES in rule.uses:
                    raise Unsupported("effects depend on what is legal")
                lines[line] = rule if line == rule.text else line
                rules[rule] = None
            for action in alike:
                role, term = action.arguments
                binding = unify(special.action, symbols.value_pattern(term), {})
                assert binding is not None
                own = (substitute(("v", argument(k)), binding) for k in range(special.arguments))
                its = dict(enumerate(map(symbols.ground, own)))
                does = clingo.Function(DOES[0], [role, clingo.Number(index)])
                inputs[does] = (("does", role), clingo.Number(index))
                by_action[action] = [does]
                for k, value in its.items():
                    place = [role, clingo.Number(index), clingo.Number(k)]
                    given = clingo.Function(ARGUMENT[0], [*place, value])
                    inputs[given] = (("arg", *place), value)
                    by_action[action].append(given)
        whole = ruleset.complete(tuple(rules))
        program = Program(whole.rules, whole.inputs | {DOES, ARGUMENT}, whole.static)
        return cls(tuple(rules), tuple(lines.values()), program, inputs, by_action)


def _kind(ruleset: Ruleset, decision: Signature, action: clingo.Symbol) -> ActionKind:
    """The kind that an action is at a decision."""
    alike = [k for k in ruleset.alike(ruleset.kind(action)) if outermost(k.decision) == decision]
    if len(alike) != 1:
        raise Unsupported(f"{action} is of {len(alike)} kinds")
    return alike[0]
