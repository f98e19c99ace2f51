"""The domains of an open position: actions of a kind, values of arguments, numbers of facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Final

from .. import clingo
from ..lang.algebra import independent_groups, variables, walk
from ..lang.printer import show_term
from ..lang.terms import (
    Aggregate,
    Atom,
    Chain,
    Compare,
    Either,
    Fun,
    Int,
    Literal,
    Range,
    Signature,
    Term,
    Var,
)
from ..lang.terms import Rule as Value
from ..lang.unification import CONSTANTS, label, resolve_to_depth, unify
from ..rules.fresh import as_written
from ..rules.predicates import FLUENT
from ..rules.reader import rule_from
from ..rules.rule import PlacedRule
from ..rules.rulebook import ActionKind, Rulebook
from .grounding import Grounding
from .ruleset import Ruleset
from .symbols import number_facts, symbol_of, term_of

BOUND = 3
"""The largest value of a number without a limit, such as points, in an open position, unless the manifest has another bound."""

_LISTED = 20_000
"""The largest number of listed actions of a kind with structures."""


class Unbounded(Exception):
    """An argument of an action has no finite domain, so the action cannot occur in open positions."""


def bound_of(book: Rulebook) -> int:
    """The largest value of a number without a limit in an open position."""
    return int(book.manifest.get("bound", BOUND))


def kind_actions(ruleset: Ruleset, kind: ActionKind, sets: Iterable[clingo.Symbol] = ()) -> list[clingo.Symbol]:
    """All actions of a kind in the vocabulary; ``sets`` are the values of arguments that are sets."""
    declared = ("action", 2), (kind.decision, kind.action)
    rules = (r for r in ruleset.rules if declared in ((h.signature, h.args) for h in r.heads))
    return [s.arguments[1] for s in Grounding(ruleset.complete(tuple(rules)), _inputs(sets)).get("action", 2)]


def argument_domains(ruleset: Ruleset, kind: ActionKind) -> list[list[clingo.Symbol]]:
    """The domain of each argument of a kind of action.

    Arguments that share no literal of the declaration are treated separately. Their combinations are never listed: if an argument
    is a structure, there may be millions.

    Raises:
        Unbounded: An argument has no finite domain.
    """
    return ruleset.remember(("argument domains", kind), lambda: _argument_domains(ruleset, kind))


def _argument_domains(ruleset: Ruleset, kind: ActionKind) -> list[list[clingo.Symbol]]:
    names = variables(kind.action)
    domains: list[set[clingo.Symbol]] = [set() for _ in names]
    declared = ("action", 2), (kind.decision, kind.action)
    for rule in ruleset.rules:
        if declared in ((h.signature, h.args) for h in rule.heads):
            for known, values in zip(domains, _values(ruleset, rule, names), strict=True):
                known.update(values)
    if not all(domains):
        raise Unbounded(f"{as_written(show_term(kind.action))} has an argument without a finite domain")
    return list(map(sorted, domains))


def _values(ruleset: Ruleset, rule: PlacedRule, names: Sequence[str]) -> list[set[clingo.Symbol]]:
    """The values of each of these variables of a rule's head, for all values of the others.

    Parts of its body that share no variable are ground separately.
    """
    heads = {h.args[1] for h in rule.heads if h.signature == ("action", 2)}
    if len(heads) > 1 or not set(names).issubset(variables(rule.value)):
        rules = (rule,)
        actions = Grounding(ruleset.complete(rules), _inputs()).get("action", 2)
        bindings = [unify(next(iter(heads)), term_of(s.arguments[1]), {}) or {} for s in actions]
        return [{symbol_of(resolve_to_depth(Var(n), b)) for b in bindings} for n in names]
    asked = []
    parts = independent_groups(rule.value.body, variables)
    for k, (used, literals) in enumerate(parts):
        asked += [_value_rule(names.index(n), n, literals) for n in names if n in used]
        asked.append(Value(Atom("there__", (Int(k),)), tuple(literals)))
    grounding = Grounding(ruleset.complete(tuple(map(rule_from, asked))), _inputs())
    values: list[set[clingo.Symbol]] = [set() for _ in names]
    if len(grounding.get("there__", 1)) == len(parts):
        for s in grounding.get("value__", 2):
            values[s.arguments[0].number].add(s.arguments[1])
    return values


def _value_rule(number: int, name: str, body: Iterable[Literal]) -> Value:
    """The rule ``value__(number,name) :- body``."""
    return Value(Atom("value__", (Int(number), Var(name))), tuple(body))


def _inputs(sets: Iterable[clingo.Symbol] = ()) -> list[clingo.Symbol]:
    """The facts that the declaration of a kind of action reads: numbers, and sets."""
    return [*number_facts(range(100)), *(clingo.Function("set", [name]) for name in sets)]


def has_structures(ruleset: Ruleset, kind: ActionKind) -> bool:
    """Whether actions of a kind have structures as arguments and are too many to be listed."""
    if not isinstance(kind.action, Fun) or not any(isinstance(a, Fun) for a in kind.action.args):
        return False
    try:
        values = argument_domains(ruleset, kind)
    except Unbounded:
        return False
    return prod(map(len, values)) > _LISTED


def unlistable(ruleset: Ruleset, kinds: Iterable[ActionKind]) -> str | None:
    """The reason why actions of these kinds cannot be listed in an open position; None if they can."""
    kind = next((k for k in kinds if has_structures(ruleset, k)), None)
    return None if kind is None else f"there are too many {show_term(kind.action)} to list them in an open position"


# -- vocabulary size -----------------------------------------------------------------------------------------
#
# A vocabulary with too many possible facts has no open positions.


MOST: Final = 100_000
"""The largest number of listed facts in an open position."""


def too_many(ruleset: Ruleset) -> str | None:
    """The reason why the game has no open positions; None if it has."""
    return ruleset.remember("too many", lambda: _too_many(ruleset))


def _too_many(ruleset: Ruleset) -> str | None:
    sizes: dict[Signature, int] = {}
    for fluent in sorted(ruleset.book.fluents):
        size = facts_of(ruleset, fluent)
        if size is None:
            return None
        sizes[fluent] = size
    (name, arity), most = max(sizes.items(), key=lambda item: item[1], default=(("", 0), 0))
    every = sum(sizes.values())
    return f"too many possible facts: {every:,}, of them {most:,} of {name}/{arity}" if every > MOST else None


def facts_of(ruleset: Ruleset, fluent: Signature) -> int | None:
    """An estimate of the number of possible facts of a fluent, not counting numbers without a limit.

    It is the product of the numbers of values of the variables. None if a rule of the vocabulary has several heads, or a head
    that can be any fact.
    """
    number = 0
    for rule in ruleset.judging.rules:
        for head in rule.heads:
            if head.signature != FLUENT:
                continue
            term = head.args[0]
            if not isinstance(term, (Fun, *CONSTANTS)):
                return None
            args = term.args if isinstance(term, Fun) else ()
            if (label(term), len(args)) == fluent:
                if len(rule.heads) > 1:
                    return None
                number += prod(_sizes(ruleset, rule, args))
    return number


def _sizes(ruleset: Ruleset, rule: PlacedRule, args: Sequence[Term]) -> list[int]:
    """An upper bound of the number of values of each argument of a fluent in a rule of the vocabulary."""
    own = set(variables(rule.value))
    names_ = [v for v in variables(*args) if v in own]
    bodies = ((k, name, literals_needed(rule, name)) for k, name in enumerate(names_))
    asked = [rule_from(_value_rule(k, name, body)) for k, name, body in bodies if body]
    grounding = Grounding(ruleset.complete(tuple(asked)), ())
    count = dict.fromkeys(names_, 0)
    for s in grounding.get("value__", 2):
        count[names_[s.arguments[0].number]] += 1
    ranges = [p for a in args for p in walk(a) if isinstance(p, Range)]
    ends = [(r.low.value, r.high.value) for r in ranges if isinstance(r.low, Int) and isinstance(r.high, Int)]
    many = prod(max(0, high - low + 1) for low, high in ends)
    return [many, *(prod(max(1, count[v]) for v in variables(a) if v in count) for a in args)]


def literals_needed(rule: PlacedRule, name: str) -> list[Literal]:
    """The literals of a rule that restrict a variable to values. Without the other literals it has more values, never fewer."""
    atoms = [x for x in rule.value.body if _states(x) and name in variables(x)]
    bound = set(variables(*atoms))
    values: list[Literal] = []
    for literal in rule.value.body:
        defined, used = _variable_defined(literal), variables(literal)
        if defined is not None and name in used and bound.issuperset(v for v in used if v != defined):
            values.append(literal)
    return [*atoms, *values]


def _states(literal: Literal) -> bool:
    """Whether a literal is a positive atom or pool that does not just say that a term is a number."""
    if isinstance(literal, Either):
        return not literal.sign
    return isinstance(literal, Atom) and not literal.sign and literal.name != "number"


def _variable_defined(literal: Literal) -> str | None:
    """The variable X of an equation ``X = ...``; None for any other literal."""
    match literal:
        case Compare(Var(name), "=", _, 0):
            return name
        case Chain(Var(name), links, 0) if all(op == "=" for op, _ in links):
            return name
        case Aggregate(_, _, (("=", Var(name)),), 0):
            return name
        case _:
            return None
