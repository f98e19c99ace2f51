"""The claim that all that is pending at once is part of one transition.

A proof looks at one transition at a time: at actions of one kind, or of all kinds at a decision that several roles make
at the same time, or at steps of one name. That covers a game in which never more than that is pending, which is a claim
like others, proved by the same induction: whoever starts from such a position comes to such a position. Where it is not
proved nothing else is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature
from ..rules.predicates import DECISION, DUE
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..symbolic.transitions import functor, simultaneous
from ..transform.rewrite import literal

EXCLUSIVE: Final = "exclusive"
"""The claim's name."""


def alone(ruleset: Ruleset) -> set[str]:
    """The decisions that only one role may have at a time: there are several kinds of action, examined one by one."""
    kinds = Counter(functor(kind.decision) for kind in ruleset.book.kinds)
    return {name for name, count in kinds.items() if count > 1} - simultaneous(ruleset)


def decided_alone(ruleset: Ruleset, kinds: Collection[ActionKind]) -> bool:
    """Whether in every position that is looked at one role alone decides where these actions are done; not of none."""
    one = alone(ruleset)
    return bool(kinds) and all(functor(kind.decision) in one for kind in kinds)


def uncovered(ruleset: Ruleset, facts: Iterable[clingo.Symbol]) -> str | None:
    """What is pending at once in a position and in no transition, or None."""
    facts = list(facts)
    decisions = Counter(s.arguments[1].name for s in facts if symbols.signature(s) == DECISION)
    steps = {s.arguments[0].name for s in facts if symbols.signature(s) == DUE}
    found = sorted({*decisions, *(f"step {s}" for s in steps)})
    if len(found) > 1:
        return " and ".join(found)
    return next((f"two decisions {d}" for d in sorted(alone(ruleset)) if decisions[d] > 1), None)


def pending_rules(encoding: Encoding) -> Iterator[str]:
    """The rules for ``bad(exclusive,_)``, of an encoding's last moment; none where nothing pending may have changed."""
    decision, due = encoding.name(DECISION), encoding.name(DUE)
    if (decision, due) == (DECISION[0], DUE[0]):
        return
    decisions = _decisions(encoding.domains)
    steps = {symbols.signature(s.arguments[0]) for s in encoding.ruleset.facts("step", 1)}
    yield from sorted(f"group__(d,{s[0]}) :- {decision}(_,{_any(s)})." for s in decisions)
    yield from sorted(f"group__(s,{s[0]}) :- {due}({_any(s)})." for s in steps)
    yield "bad(exclusive,both(F,G)) :- group__(T,F), group__(T,G), F < G."
    yield "bad(exclusive,both(F,G)) :- group__(d,F), group__(s,G)."
    yield "group__(none,none) :- #false."
    for name in sorted(alone(encoding.ruleset)):
        terms = (literal(name, *(f"X{k}" for k in range(s[1]))) for s in decisions if s[0] == name)
        elements = "; ".join(f"R,{term} : {decision}(R,{term})" for term in sorted(terms))
        if elements:
            yield f"bad(exclusive,twice({name})) :- #count {{ {elements} }} > 1."


@lru_cache(maxsize=4)
def _decisions(sorts: Domains) -> frozenset[Signature]:
    """The names of the decisions that can come to be."""
    found = (s.arguments[1] for s in sorts.wide if symbols.signature(s) == DECISION)
    return frozenset(map(symbols.signature, found))


def _any(shape: Signature) -> str:
    return literal(shape[0], *("_" for _ in range(shape[1])))
