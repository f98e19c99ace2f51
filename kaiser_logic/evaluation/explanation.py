"""Why an action is illegal, or legal: in a sentence, with the facts of the position that make it so.

Costs a second grounding, of the same program with the rules of :mod:`..transform.magic_sets`; so it is done
only once something is to be explained.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Facts, Grounding, Program
from ..engine.ruleset import Ruleset
from ..notation.terms import Term
from ..rules.pattern import Signature
from ..rules.phrases import Phrases, fields, phrases
from ..rules.predicates import CHANCE, DECISION, DUE
from ..rules.reader import asking
from ..rules.rulebook import RuleDoc
from ..transform.magic_sets import Instance, Told, relevance
from .deciding import deciding
from .evaluator import Evaluator
from .reasons import Found, Reasons, Way, bind
from .relevant import conceivable, relevant
from .unknown_actions import UNKNOWN, unknown_action
from .verdict import Breach, Violation

_ASK: Final[Signature] = ("_ask", 4)
"""The facts by which the second grounding is told what to explain: number, role, action, rule."""
_ASIDE: Final = frozenset({"only_rule", "has_rule", "plausible", "several_plausible", "several_rules"})
"""What only says which of several reasons is told is none itself."""
_MOST: Final = 3
"""So many sentences say why; then an ellipsis."""


@dataclass(frozen=True)
class _Companion:
    """A judging program together with the rules that explain it."""

    program: Program
    instances: tuple[Instance, ...]
    told: tuple[Told, ...]


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

    That somebody has no such decision comes first. An action that is none breaks nothing else, and neither does one
    of a player's by chance.

    Args:
        rules: The rules in force.
        facts: The position in which the actions were judged.
        judged: The actions, by role.
        violations: What the judgement found.

    Warns (RuntimeWarning) where the reasons cannot be found out: then the violations say so, and have no facts.
    """
    violations = _telling(rules, violations)
    if not violations:
        return {}
    try:
        found = reasons(rules, facts, judged, violations)
    except Exception as error:  # the judgement stands, whatever happens to its reasons
        ids = ", ".join(id for _, _, id in violations)
        warnings.warn(f"no explanation for {ids}: {error!r}", RuntimeWarning, stacklevel=2)
        found = [Reasons(failed=True) for _ in violations]
    result: dict[str, list[tuple[str, Violation]]] = {}
    for breach, reason in zip(violations, found, strict=True):
        ruled = {} if reason.failed else deciding(rules, facts, judged, breach)
        violation = _violation(rules, facts, breach, reason, ruled)
        result.setdefault(breach[0], []).append((symbols.text(breach[1]), violation))
    return {role: tuple(pairs) for role, pairs in result.items()}


def _telling(rules: Ruleset, violations: Sequence[Breach]) -> list[Breach]:
    """The violations that say something, for each role the cause first."""
    turns = {"decision.other", *(symbols.text(s.arguments[1]) for s in rules.facts("out_of_turn", 2))}
    senseless = {role for role, _, id in violations if id == UNKNOWN or (role == CHANCE and id in turns)}
    kept = [b for b in violations if b[0] not in senseless or b[2] == UNKNOWN or b[2] in turns]
    kept = [b for b in kept if b[2] == UNKNOWN or (b[0], b[1], UNKNOWN) not in violations]
    return sorted(kept, key=lambda b: (b[0], b[2] not in turns))


def reasons(
    rules: Ruleset, facts: Facts, judged: Mapping[str, clingo.Symbol], violations: Sequence[Breach]
) -> list[Reasons]:
    """What lies behind each violation; raises where :func:`explain` makes do with less."""
    found = [Reasons() for _ in violations]
    if any(rules.kind(action) is None for action in judged.values()):
        return found  # of another game: nothing to look at
    companion = _companion(rules, judged.values(), {id for _, _, id in violations}, legal=False)
    grounding = _ground(rules, companion, facts, judged, violations)
    ways: dict[clingo.Symbol, Way] = {}
    for told in companion.told:
        for atom in grounding.get(told.name, len(told.variables) + 2):
            number, _, *values = atom.arguments
            ways[atom] = Way(dict(zip(told.variables, values, strict=True)))
            found[number.number].told.setdefault((told.place, told.instance), []).append(ways[atom])
    _collect(rules, facts, grounding, found, ways)
    for instance in companion.instances:
        bind(instance, grounding, violations, found)
    return found


def _violation(
    rules: Ruleset, facts: Facts, breach: Breach, reason: Reasons, ruled: Mapping[str, str]
) -> Violation:
    role, action, id = breach
    doc = rules.book.doc(id)
    said: set[clingo.Symbol] = set()
    if id == UNKNOWN:
        message: str | None = unknown_action(rules, facts, role, action)
    else:
        message, said = _message(rules, doc, role, action, reason)
    because, absent = relevant(rules, id, reason.because | said, reason.absent)
    unexplained = f"{doc.statement} (why here, could not be found out)"
    message = unexplained if reason.failed else message or doc.statement
    if ruled:
        values = ", ".join(f"{name} is {value}" for name, value in ruled.items())
        message += f" (ruling{'s' if len(ruled) > 1 else ''} {values})"
    return Violation(id, message, because, doc.sources, absent, doc.statement, ruled)


def _message(
    rules: Ruleset, doc: RuleDoc, role: str, action: clingo.Symbol, reason: Reasons
) -> tuple[str | None, set[clingo.Symbol]]:
    """The rule's sentence filled, once for each way in which the rule is broken; None where there is none.

    Of several sentences counts the first whose condition holds and whose variables all have values. With it come the
    facts behind the conditions of those that are said.
    """
    words = phrases(rules.book.folder)
    ranked = sorted(reason.instances, key=lambda f: f.rank)
    outer = {"R": role, "A": symbols.text(action)}
    for found in reversed(ranked):
        outer |= _texts(found.binding, () if found.rank[0] < 2 else ("R", "A"))
    closest = [f for f in ranked if f.rank == ranked[0].rank and f.rank[0] == 0]
    filled: dict[str, None] = {}
    said: set[clingo.Symbol] = set()
    for found in closest or [Found((0, 0), "", {})]:
        sentences, because = _sentences(words, doc, reason, found, outer)
        if not sentences:
            return None, set()
        filled |= dict.fromkeys(sentences)
        said |= because
    texts = sorted(filled)
    return "; ".join([*texts[:_MOST], *(["…"] if len(texts) > _MOST else [])]), said


def _sentences(
    words: Phrases, doc: RuleDoc, reason: Reasons, found: Found, outer: Mapping[str, str]
) -> tuple[list[str], set[clingo.Symbol]]:
    """What is said of one way in which the rule is broken, and the facts behind it; nothing where no sentence fits."""
    for place, (sentence, condition) in enumerate(doc.reasons):
        ways = reason.told.get((place, found.name), []) if condition else [Way(found.binding)]
        ways = [way for way in ways if way.binding.items() >= found.binding.items()]
        texts = [{**outer, **_texts(way.binding)} for way in ways]
        if texts and all(way.keys() >= set(fields(sentence)) for way in texts):
            return [words.fill(sentence, way) for way in texts], set().union(*(w.because for w in ways))
    return [], set()


def _texts(binding: Mapping[str, clingo.Symbol], without: Collection[str] = ()) -> dict[str, str]:
    """What the variables stand for, as texts."""
    return {name: symbols.text(value) for name, value in binding.items() if name not in without}


# -- legal moves -----------------------------------------------------------------------------------


def allows(rules: Ruleset, facts: Facts, role: str, action: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """The rules that judge an action of this form, for a legal one: id, statement, facts they look at."""
    symbol = symbols.read(action)
    if rules.kind(symbol) is None:
        return []
    judged = {role: symbol}
    questions = [(role, symbol, id) for id, doc in rules.book.docs.items() if doc.kind == "rule"]
    companion = _companion(rules, [symbol], (), legal=True)
    grounding = _ground(rules, companion, facts, judged, questions)
    found = [Reasons() for _ in questions]
    _collect(rules, facts, grounding, found, {})
    claimed = {symbols.text(s.arguments[2]) for s in grounding.get("pending", 3)}
    applying = {questions[s.arguments[0].number][2] for s in grounding.get("_applies", 1)} | claimed
    result = []
    for (_, _, id), reason in zip(questions, found, strict=True):
        if id in applying:
            because = relevant(rules, id, reason.because, reason.absent)[0]
            seen = because if id in claimed else tuple(f for f in because if not f.startswith("decision("))
            result.append((id, rules.book.doc(id).statement, seen))
    return result


# -- the second grounding --------------------------------------------------------------------------


def _companion(
    rules: Ruleset, actions: Iterable[clingo.Symbol], ids: Collection[str], *, legal: bool
) -> _Companion:
    """The program that judges such actions, extended; made at its first use.

    Args:
        rules: The rules in force.
        actions: Those in question.
        ids: The rules whose sentences are wanted.
        legal: Whether the question is why nothing is broken.
    """
    conditions = {
        (id, place): condition
        for id in sorted(ids)
        for place, (_, condition) in enumerate(rules.book.doc(id).reasons)
        if condition
    }
    asked = tuple(map(asking, conditions.values()))
    read = frozenset().union(*(rule.uses for rule in asked))
    program = rules.judge_program(actions, more=read)

    def make() -> _Companion:
        fluents = rules.book.fluents - set(rules.static) - {DUE}
        judging = [r for r in program.rules if not any(h.name in _ASIDE for h in r.heads)]
        made = relevance(judging, fluents, legal=legal, conditions=conditions)
        static = {s: None for s in (*program.static, *rules.complete(asked).static)}
        every = Program((*program.rules, *made.rules), program.inputs | read | {_ASK}, tuple(static))
        return _Companion(every, made.instances, made.told)

    return rules.remember(("explanation", program, legal, tuple(conditions)), make)


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


def _collect(
    rules: Ruleset,
    facts: Facts,
    grounding: Grounding,
    found: Sequence[Reasons],
    ways: Mapping[clingo.Symbol, Way],
) -> None:
    """Sorts the facts that have a part, and those that are missing, under their questions or conditions."""
    for atom in grounding.get("_because", 2):
        number, fact = atom.arguments
        if fact in facts:
            (ways.get(number) or found[number.number]).because.add(fact)
    for atom in grounding.get("_absent", 2):
        number, fact = atom.arguments
        if conceivable(rules, fact):
            found[number.number].absent.add(fact)
    decisions = {fact for fact in facts if symbols.signature(fact) == DECISION}
    for reason in found:
        if any(symbols.signature(fact) == DECISION for fact in reason.absent):
            reason.because |= decisions
