"""When the totals of a measure may be followed: what it counts, and how a transition changes that.

A total follows exactly from gains, losses and shifts on two conditions, which are looked up in each rulebook:

* the measure is regular: each of its rules counts one counter in proportion, ``counts(L,heap,2*N) :- heap(N)``, or one
  piece, ``counts(L,flag(I),1) :- flag(I)``, whatever else there is, and none has two weights; and
* what it counts is changed only by ``gain``, ``lose`` and ``shift``, with marks that shifts do not use themselves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import Pattern, Signature, outermost, unify, variables
from ..rules.predicates import ADD, DEL, GAIN, LOSE, of_engine
from ..rules.rule import TOKEN, Rule

_GENERATED = "generated"
"""Where, beside the engine's `change`, the rules lie by which gains, losses and shifts change counters and pieces."""


def irregular(
    ruleset: Ruleset, counting: Iterable[Rule], measures: Collection[clingo.Symbol], every: bool = False
) -> frozenset[clingo.Symbol]:
    """The measures of which one of the rules counts something else than one counter or piece.

    Args:
        ruleset: The rules in force.
        counting: Rules for ``counts/3``.
        measures: All measures.
        every: Whether all these rules are taken to be such.
    """
    rules = [r for r in counting if every or not _regular(ruleset, r)]
    patterns = [h.args[0] for r in rules for h in r.heads]
    return frozenset(m for m in measures if any(_can_be(p, m) for p in patterns))


def several_weights(measures: Iterable[clingo.Symbol]) -> frozenset[clingo.Symbol]:
    """The measures in which one of a counter, or a piece, weighs so much and so much, by two rules or by one.

    >>> # counts(money,coin,N) :- coin(N).     counts(money,coin,2*N) :- coin(N).
    """
    weights = Counter((measure, counted) for measure, counted, _ in (m.arguments for m in measures))
    return frozenset(measure for (measure, _), number in weights.items() if number > 1)


def _can_be(pattern: Pattern, symbol: clingo.Symbol) -> bool:
    return unify(pattern, symbols.value_pattern(symbol), {}) is not None


def _regular(ruleset: Ruleset, rule: Rule) -> bool:
    """Whether a rule counts one counter in proportion, or one piece, whatever else there is."""
    book, static = ruleset.book, ruleset.static
    moving = [
        a for group in (rule.positive, rule.negative, rule.inner) for a in group if a.signature not in static
    ]
    if len(rule.heads) != 1 or len(moving) != 1 or moving[0] not in rule.positive:
        return False
    fluent, (_, counted, _) = moving[0], rule.heads[0].args
    if fluent.signature in book.units:
        return _whole(fluent.name, fluent.args) == counted and _plain(fluent.args)
    if fluent.signature not in book.counters or fluent.args[-1][0] != "v":
        return False
    value = str(fluent.args[-1][1])
    weight = rule.argument(rule.heads[0], 2).replace(" ", "").strip("()")
    return (
        _whole(fluent.name, fluent.args[:-1]) == counted
        and TOKEN.findall(rule.text).count(value) == 2
        and re.fullmatch(rf"{value}(\*\w+)?|\w+\*{value}", weight) is not None
        and _plain(fluent.args)
    )


def _plain(terms: tuple[Pattern, ...]) -> bool:
    """Whether the variables of terms are such; a pool, an interval or a sum is one of a pattern's variables too."""
    return all(re.fullmatch(r"_*[A-Z]\w*", v) for v in variables(terms))


def _whole(name: str, args: tuple[Pattern, ...]) -> Pattern:
    return ("f", name, args) if args else ("c", name)


def measured(ruleset: Ruleset, counting: Iterable[Rule]) -> frozenset[Signature]:
    """The fluents that measures count."""
    return frozenset(s for r in counting for s in r.uses) - frozenset(ruleset.static)


def changed_otherwise(
    ruleset: Ruleset, rules: Iterable[Rule], counted: frozenset[Signature]
) -> frozenset[Signature] | None:
    """The counted predicates that rules can change in other ways than by following; None for all of them."""
    found: set[Signature] = set()
    book = ruleset.book
    for rule in rules:
        if (of_engine(rule) and rule.file.endswith("change.lp")) or rule.file == _GENERATED:
            continue
        for head in rule.heads:
            named = outermost(head.args[0]) if head.args else None
            if head.signature in (ADD, DEL):
                found |= counted if named is None else counted & {named}
            elif head.signature in (("change", 2), ("touched", 1)):
                return None
            elif head.signature in (GAIN, LOSE) and _may_be_shifted(head.args[2], head.signature):
                whole = (s for s in counted if s in book.units)
                found.update(s for s in whole if named in (None, s))
                found.update(s for s in counted & set(book.counters) if named in (None, (s[0], s[1] - 1)))
    return frozenset(found)


def _may_be_shifted(mark: Pattern, effect: Signature) -> bool:
    """Whether a mark may look like those that the engine gives to shifts."""
    return outermost(mark) in (None, ("into", 2) if effect == GAIN else ("out", 2))
