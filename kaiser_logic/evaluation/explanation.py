"""Why an action is illegal, or legal: in a sentence, with the facts of the position that make it so.

Costs a second grounding, of the same program with the rules of :mod:`..transform.magic_sets`; so it is done
only once something is to be explained.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import clingo

from ..engine import symbols
from ..engine.grounding import Facts, Grounding, Program
from ..engine.ruleset import Ruleset
from ..notation.terms import Term
from ..rules.pattern import Pattern, Signature
from ..rules.phrases import fields, phrases
from ..rules.predicates import DECISION, FLUENT
from ..transform.magic_sets import ANYTHING, Instance, relevance
from .evaluator import Evaluator
from .verdict import Breach, Violation

_ASK: Final[Signature] = ("_ask", 4)
"""The facts by which the second grounding is told what to explain: number, role, action, rule."""
_ANYTHING: Final = clingo.Function(ANYTHING)
_MOST: Final = 3
"""So many sentences say why; then an ellipsis."""
_NUMBERS: Final = 30
"""The numbers below it count as small: where the vocabulary allows any, a fact that is missing has one of them."""


@dataclass
class Reasons:
    """What was found out about one violation.

    Attributes:
        because: The facts that make it true.
        absent: Facts that would have to hold, ``_any`` in them standing for anything.
        bindings: What the rules' variables stand for, a mapping for each instance of a rule, and how far that
            is from the violated rule: 0 for the rule itself, then by how little its head says.
        failed: Whether finding it out has failed; nothing is known then.
    """

    because: set[clingo.Symbol] = field(default_factory=set)
    absent: set[clingo.Symbol] = field(default_factory=set)
    bindings: list[tuple[tuple[int, int], dict[str, clingo.Symbol]]] = field(default_factory=list)
    failed: bool = False


@dataclass(frozen=True)
class _Companion:
    """A judging program together with the rules that explain it."""

    program: Program
    instances: tuple[Instance, ...]


# -- illegal moves ---------------------------------------------------------------------------------


def explained(
    evaluator: Evaluator, facts: Facts, judged: Mapping[str, clingo.Symbol]
) -> dict[str, tuple[tuple[str, Violation], ...]]:
    """The rules that the actions break, explained: role to pairs of action and violation."""
    return explain(evaluator.ruleset, facts, judged, evaluator.judge(facts, judged).violations)


def explain(
    rules: Ruleset,
    facts: Facts,
    judged: Mapping[str, clingo.Symbol],
    violations: Sequence[Breach],
) -> dict[str, tuple[tuple[str, Violation], ...]]:
    """For each role that breaks rules: its action with each broken rule, why, and the facts that break it.

    Args:
        rules: The rules in force.
        facts: The position in which the actions were judged.
        judged: The actions, by role.
        violations: What the judgement found.

    Warns (RuntimeWarning) where the reasons cannot be found out: then the violations say so, and have no facts.
    """
    if not violations:
        return {}
    try:
        found = reasons(rules, facts, judged, violations)
    except Exception as error:  # the judgement stands, whatever happens to its reasons
        ids = ", ".join(id for _, _, id in violations)
        warnings.warn(f"no explanation for {ids}: {error!r}", RuntimeWarning, stacklevel=2)
        found = [Reasons(failed=True) for _ in violations]
    result: dict[str, list[tuple[str, Violation]]] = {}
    for (role, action, id), reason in zip(violations, found, strict=True):
        violation = _violation(rules, role, action, id, reason)
        result.setdefault(role, []).append((symbols.text(action), violation))
    return {role: tuple(pairs) for role, pairs in result.items()}


def reasons(
    rules: Ruleset, facts: Facts, judged: Mapping[str, clingo.Symbol], violations: Sequence[Breach]
) -> list[Reasons]:
    """What lies behind each violation; raises where :func:`explain` makes do with less."""
    found = [Reasons() for _ in violations]
    if any(rules.kind(action) is None for action in judged.values()):
        return found  # of another game: nothing to look at
    companion = _companion(rules, judged.values(), legal=False)
    grounding = _ground(rules, companion, facts, judged, violations)
    _collect(rules, facts, grounding, found)
    for instance in companion.instances:
        _bind(instance, grounding, violations, found)
    return found


def _violation(rules: Ruleset, role: str, action: clingo.Symbol, id: str, reason: Reasons) -> Violation:
    doc = rules.book.doc(id)
    because, absent = _relevant(rules, id, reason)
    template = doc.why
    message = _message(rules, template, role, action, reason) if template else None
    unexplained = f"{doc.statement} (why here, could not be found out)"
    message = unexplained if reason.failed else message or doc.statement
    return Violation(id, message, because, doc.sources, absent, doc.statement)


def _message(rules: Ruleset, template: str, role: str, action: clingo.Symbol, reason: Reasons) -> str | None:
    """The template filled, once for each way in which the rule is broken; None where a variable has no value.

    Of alternatives, ``this | that``, counts the first whose variables all have values.
    """
    words = phrases(rules.book.folder)
    ranked = sorted(reason.bindings, key=lambda b: b[0])
    outer = {"R": role, "A": symbols.text(action)}
    for _, binding in reversed(ranked):
        outer |= {name: symbols.text(value) for name, value in binding.items()}
    filled: set[str] = set()
    closest = [binding for rank, binding in ranked if rank == ranked[0][0] and rank[0] == 0]
    for binding in closest or [{}]:
        values = outer | {name: symbols.text(value) for name, value in binding.items()}
        fitting = (t for t in template.split(" | ") if values.keys() >= set(fields(t)))
        chosen = next(fitting, None)
        if chosen is None:
            return None
        filled.add(words.fill(chosen.strip(), values))
    sentences = sorted(filled)
    return "; ".join([*sentences[:_MOST], *(["…"] if len(sentences) > _MOST else [])])


def _bind(
    instance: Instance, grounding: Grounding, violations: Sequence[Breach], found: Sequence[Reasons]
) -> None:
    """Notes what the variables of a rule stand for where it has a part in a violation."""
    for atom in grounding.get(instance.name, len(instance.variables) + 2):
        number, level, *values = atom.arguments
        if level.number != 1:
            continue
        binding = dict(zip(instance.variables, values, strict=True))
        id = violations[number.number][2]
        if instance.last == f'"{id}"':
            rank = (0, -instance.detail)
        elif instance.last in binding and symbols.text(binding[instance.last]) == id:
            rank = (1 if instance.predicate == "violates" else 2, 0)
        else:
            continue
        found[number.number].bindings.append((rank, binding))


# -- legal moves -----------------------------------------------------------------------------------


def allows(rules: Ruleset, facts: Facts, role: str, action: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """The rules that judge an action of this form, for a legal one: id, statement, facts they look at."""
    symbol = symbols.read(action)
    if rules.kind(symbol) is None:
        return []
    judged = {role: symbol}
    questions = [(role, symbol, id) for id, doc in rules.book.docs.items() if doc.kind == "rule"]
    companion = _companion(rules, [symbol], legal=True)
    grounding = _ground(rules, companion, facts, judged, questions)
    found = [Reasons() for _ in questions]
    _collect(rules, facts, grounding, found)
    claimed = {symbols.text(s.arguments[2]) for s in grounding.get("pending", 3)}
    applying = {questions[s.arguments[0].number][2] for s in grounding.get("_applies", 1)} | claimed
    result = []
    for (_, _, id), reason in zip(questions, found, strict=True):
        if id in applying:
            because = _relevant(rules, id, reason)[0]
            seen = because if id in claimed else tuple(f for f in because if not f.startswith("decision("))
            result.append((id, rules.book.doc(id).statement, seen))
    return result


# -- the second grounding --------------------------------------------------------------------------


def _companion(rules: Ruleset, actions: Iterable[clingo.Symbol], *, legal: bool) -> _Companion:
    """The program that judges such actions, extended; made at its first use."""
    program = rules.judge_program(actions)

    def make() -> _Companion:
        fluents = rules.book.fluents - set(rules.static) - {("next", 1)}
        made = relevance(program.rules, fluents, legal=legal)
        extended = Program((*program.rules, *made.rules), program.inputs | {_ASK}, program.static)
        return _Companion(extended, made.instances)

    return rules.remember(("explanation", program, legal), make)


def _ground(
    rules: Ruleset,
    companion: _Companion,
    facts: Facts,
    judged: Mapping[str, clingo.Symbol],
    questions: Sequence[Breach],
) -> Grounding:
    asked = [
        clingo.Function("_ask", [clingo.Number(k), symbols.symbol(Term(role)), action, clingo.String(id)])
        for k, (role, action, id) in enumerate(questions)
    ]
    return Grounding(companion.program, (*facts, *rules.submissions(judged), *asked))


def _collect(rules: Ruleset, facts: Facts, grounding: Grounding, found: Sequence[Reasons]) -> None:
    """Sorts the facts that have a part, and those that are missing, under their questions."""
    for atom in grounding.get("_because", 2):
        number, fact = atom.arguments
        if fact in facts:
            found[number.number].because.add(fact)
    for atom in grounding.get("_absent", 2):
        number, fact = atom.arguments
        if _conceivable(rules, fact):
            found[number.number].absent.add(fact)
    decisions = {fact for fact in facts if symbols.signature(fact) == DECISION}
    for reason in found:
        if any(symbols.signature(fact) == DECISION for fact in reason.absent):
            reason.because |= decisions


def _conceivable(rules: Ruleset, fact: clingo.Symbol) -> bool:
    """Whether the vocabulary has such a fact, and it says anything."""
    if fact.arguments and all(a == _ANYTHING for a in fact.arguments):
        return False
    return rules.remember(("conceivable", fact), lambda: _in_vocabulary(rules, fact))


def _in_vocabulary(rules: Ruleset, fact: clingo.Symbol) -> bool:
    """Whether the vocabulary has a fact like this one (with small numbers where it allows any)."""
    numbers = [clingo.Function("number", [clingo.Number(n)]) for n in range(_NUMBERS)]
    program = rules.conceivable_program(_opened(symbols.value_pattern(fact)))
    return any(_fits(fact, s.arguments[0]) for s in Grounding(program, numbers).get(*FLUENT))


def _opened(term: Pattern, place: str = "W") -> Pattern:
    """The pattern with a variable of its own for each term that may be anything."""
    if term == ("c", ANYTHING):
        return ("v", f"_{place}")
    return (
        ("f", term[1], tuple(_opened(a, f"{place}{k}") for k, a in enumerate(term[2])))
        if term[0] == "f"
        else term
    )


def _fits(wanted: clingo.Symbol, symbol: clingo.Symbol) -> bool:
    """Whether the symbol is the wanted one, which may be open in places."""
    if wanted in (_ANYTHING, symbol):
        return True
    if wanted.type is not clingo.SymbolType.Function or symbol.type is not clingo.SymbolType.Function:
        return False
    one, other = wanted.arguments, symbol.arguments
    return wanted.name == symbol.name and 0 < len(one) == len(other) and all(map(_fits, one, other))


def _relevant(rules: Ruleset, id: str, reason: Reasons) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The facts and the missing ones as texts, in order.

    Who decides is left out unless it is all there is; of decisions that are missing only those count that the
    violated rule is about.
    """
    because = {symbols.text(f) for f in reason.because}
    whose = {s.arguments[0] for s in rules.facts("whose", 2) if symbols.text(s.arguments[1]) != id}
    about = {f for f in reason.absent if symbols.signature(f) != DECISION or f.arguments[1] not in whose}
    about -= {f for f in about if any(f != other and _fits(f, other) for other in about)}
    absent = {symbols.text(f).replace(ANYTHING, "_") for f in about}
    others, missing = ({f for f in found if not f.startswith("decision(")} for found in (because, absent))
    if others or missing:
        because, absent = others, missing
    return tuple(rules.book.ordered(because)), tuple(rules.book.ordered(absent))
