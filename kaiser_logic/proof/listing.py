"""Whether the rulebook's enumeration of legal actions lists the one that is done, in an open position.

An action of a kind with few values is looked up among all that the enumeration lists. Where there are too many to list,
as where an argument is a structure, the enumeration is followed for the one action that is chosen
(:mod:`..transform.following`). That is a transformation of its own, so it is compared with the rules as written: over
pairs of a position and an action, legal ones and others, the program must say the same as the enumeration does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding, Program
from ..evaluation.evaluator import Evaluator
from ..rules.fresh import ROLE, ROLE_TERM, argument
from ..rules.pattern import shape, show
from ..rules.predicates import CANDIDATE, DECISION
from ..rules.reader import rule_of
from ..rules.rule import Atom, top
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.domains import structured
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..transform.action_splitting import numbered
from ..transform.following import follow
from ..transform.rewrite import rename
from ..transform.slicing import seeds
from .checked import MATCHED, CheckedProgram
from .fixed import Differs, Nothing
from .sample import Pair


def look_up(encoding: Encoding, kind: ActionKind, encoded: EncodedTransition) -> str | None:
    """``matched__``: the rulebook's enumeration of legal actions lists the one that is done.

    Returns the predicate ``listed(Role)`` where the enumeration is followed.
    """
    action, decision, count = numbered(kind)
    wanted = Atom(CANDIDATE[0], (ROLE_TERM, action))
    encoding.add("candidate(none,none) :- #false.", f"{MATCHED} :- #false.")
    if not structured(encoding.ruleset, kind):
        encoding.derive([wanted], [decision], [], enumerate=True, moment=encoded.moment)
        does, chosen = names.does(encoded.number), names.argument(encoded.number)
        args = "".join(f", {chosen}({ROLE},{kind.index},{k},{argument(k)})" for k in range(count))
        encoding.add(f"{MATCHED} :- {does}({ROLE},{kind.index}){args}, candidate({ROLE},{show(action)}).")
        return None
    rules = encoding.ruleset.enumerating.slice(seeds([decision], []), [wanted])
    followed = follow(rules, kind, encoded.number)
    encoding.derive(followed.whole, [decision], [], enumerate=True, moment=encoded.moment)
    for rule, line in followed.lines:
        encoding.origins.setdefault(rule)
        encoding.add(rename(rule_of(line), lambda signature: encoding.name(signature, encoded.moment)))
    encoding.add(f"{MATCHED} :- {followed.listed}(_).", f"{followed.listed}(none) :- #false.")
    return followed.listed


def misread(evaluator: Evaluator, program: CheckedProgram, pairs: Sequence[Pair]) -> Iterator[str]:
    """Where a followed enumeration does not list what the rules list.

    Args:
        evaluator: Of the rules as written.
        program: In which the enumeration is followed; actions need not be legal.
        pairs: Positions, and what is done in them.
    """
    matched = clingo.Function(MATCHED)
    for pair in pairs:
        try:
            holds = matched in program.determined(pair.facts, pair.actions)
        except Nothing as difference:  # nothing need follow from what is illegal
            if not evaluator.judge(pair.facts, dict(pair.actions)).violations:
                yield str(difference)
            continue
        except Differs as difference:
            yield str(difference)
            continue
        if holds != _lists(evaluator, pair):
            yield f"its enumeration {'lists' if holds else 'misses'} {pair.actions[0][1]}"


def _lists(evaluator: Evaluator, pair: Pair) -> bool:
    """Whether the rulebook's enumeration lists what is done."""
    ruleset = evaluator.ruleset
    kinds = frozenset(
        symbols.signature(s.arguments[1]) for s in pair.facts if symbols.signature(s) == DECISION
    )

    def cut() -> Program:
        return ruleset.complete(tuple(ruleset.enumerating.slice(seeds(map(shape, kinds)), [top(*CANDIDATE)])))

    program = ruleset.remember(("candidate", kinds), cut)
    listed = {
        (symbols.text(s.arguments[0]), s.arguments[1]) for s in Grounding(program, pair.facts).get(*CANDIDATE)
    }
    return listed.issuperset(pair.actions)
