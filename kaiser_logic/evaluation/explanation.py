"""Explains why an action is illegal or legal: a sentence, and the facts of the position behind it.

:func:`explain` works in three steps:

1. `reasons` grounds the judging program a second time, with the rules of :mod:`..transform.magic_sets`. They find the facts
   and the missing facts behind each ``violates(R,A,Rule)``. So a reason is computed only on demand.
2. `relevant` leaves out facts that are obvious. `deciding` tries the other values of each ruling that the rule reads: it names
   each ruling that would change the verdict.
3. `_message` takes the first sentence (``%!   why``) whose condition holds, and inserts the values of the rule's variables. For
   a rule without a sentence it takes the statement.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import EngineProgram, Facts, Grounding
from ..engine.ruleset import Ruleset
from ..lang import terms as lang
from ..lang.printer import show_term
from ..lang.terms import Signature
from ..lang.unification import CONSTANTS, functor, label
from ..notation.terms import Term
from ..rules.phrases import Phrases, fields, phrases
from ..rules.predicates import CHANCE, DECISION, DUE, FLUENT, RULING, SELECTING, VIOLATES, is_enumeration
from ..rules.reader import condition_rule
from ..rules.rule import PlacedRule
from ..rules.rulebook import ASSUMED, RuleDoc
from ..transform.magic_sets import ANYTHING, ConditionInstance, Instance, relevance
from .evaluator import Evaluator, evaluator_of
from .unknown_actions import UNKNOWN, unknown_action
from .verdict import Breach, Violation, violation_of

# -- reasons -------------------------------------------------------------------------------------------------
#
# The data about a violation from which its message is built.


Binding: TypeAlias = dict[str, clingo.Symbol]
"""The values of variables."""


@dataclass
class Reasons:
    """The reasons for one violation.

    Attributes:
        because: The facts that make the violation true.
        absent: Facts that would have to hold, with ``_any`` for any value.
        instances: The instances of rules that lead to it.
        condition_instances: The solutions of the conditions of sentences. The key is the number of the sentence among the
            rule's sentences and the predicate of the rule's instances, which is empty if there are none.
        failed: Whether the explanation failed. Then the other attributes are empty.
    """

    because: set[clingo.Symbol] = field(default_factory=set)
    absent: set[clingo.Symbol] = field(default_factory=set)
    instances: list[RuleInstance] = field(default_factory=list)
    condition_instances: dict[tuple[int, str], list[ConditionSolution]] = field(default_factory=dict)
    failed: bool = False


@dataclass(frozen=True)
class RuleInstance:
    """An instance of a rule that leads to a violation.

    Attributes:
        rank: Its distance from the violated rule: 0 for the rule itself; then the heads with the most arguments come first.
        name: The predicate of such instances.
        binding: The values of the rule's variables.
        body: The rule's literals.
    """

    rank: tuple[int, int]
    name: str
    binding: Binding
    body: tuple[lang.Literal, ...] = ()


@dataclass(frozen=True)
class ConditionSolution:
    """A solution of the condition of a sentence.

    Attributes:
        binding: The values of its variables, and of the variables of the rule's instance.
        because: The facts that make it hold. They are part of the reason only if the sentence is used.
    """

    binding: Binding
    because: set[clingo.Symbol] = field(default_factory=set)


def bind(instance: Instance, grounding: Grounding, violations: Sequence[Breach], reasons_of: Sequence[Reasons]) -> None:
    """Records the values of the variables of a rule that is involved in a violation."""
    for atom in grounding.get(instance.name, len(instance.variables) + 2):
        number, level, *values = atom.arguments
        if level.number != 1:
            continue
        binding = dict(zip(instance.variables, values, strict=True))
        id = violations[number.number][2]
        last = instance.last
        if last == lang.Text(id):
            rank = (0, -instance.detail)
        elif isinstance(last, lang.Var) and symbols.text(binding[last.name]) == id:
            rank = (1 if instance.predicate == "violates" else 2, 0)
        else:
            continue
        reasons_of[number.number].instances.append(RuleInstance(rank, instance.name, binding, instance.body))


# -- relevant ------------------------------------------------------------------------------------------------
#
# Only some of the facts and the missing facts are reported.


_ANYTHING: Final = clingo.Function(ANYTHING)
_NUMBERS: Final = 30
"""If the vocabulary allows any number, only facts with numbers below this one are looked for."""
_MANY: Final = 3
"""The largest number of missing facts of a predicate that are listed one by one."""


def conceivable(rules: Ruleset, fact: clingo.Symbol) -> bool:
    """Whether the vocabulary has such a fact, and it is informative."""
    if fact.arguments and all(a == _ANYTHING for a in fact.arguments):
        return False
    return bool(_in_vocabulary(rules, fact))


def _only_match(rules: Ruleset, fact: clingo.Symbol) -> clingo.Symbol:
    """The only fact of the vocabulary that matches a fact; if there is not exactly one, the fact itself."""
    matching = _in_vocabulary(rules, fact)
    return matching[0] if len(matching) == 1 else fact


def _in_vocabulary(rules: Ruleset, fact: clingo.Symbol) -> tuple[clingo.Symbol, ...]:
    """The facts of the vocabulary that match a fact, at most two."""
    return rules.remember(("conceivable", fact), lambda: tuple(islice(_matching_facts(rules, fact), 2)))


def _matching_facts(rules: Ruleset, fact: clingo.Symbol) -> Iterator[clingo.Symbol]:
    numbers = symbols.number_facts(range(_NUMBERS))
    program = rules.conceivable_program(_with_variables(symbols.term_of(fact)))
    declared = (s.arguments[0] for s in Grounding(program, numbers).get(*FLUENT))
    return (symbol for symbol in declared if _fits(fact, symbol))


def _with_variables(term: lang.Term, place: str = "W") -> lang.Term:
    """The pattern with a different variable for each part that may be anything."""
    if term == lang.Name(ANYTHING):
        return lang.Var(f"_{place}")
    return (
        lang.Fun(term.name, tuple(_with_variables(a, f"{place}{k}") for k, a in enumerate(term.args)))
        if isinstance(term, lang.Fun)
        else term
    )


def _fits(wanted: clingo.Symbol, symbol: clingo.Symbol) -> bool:
    """Whether a symbol matches the wanted one, in which `ANYTHING` stands for any term."""
    if wanted in (_ANYTHING, symbol):
        return True
    if wanted.type is not clingo.SymbolType.Function or symbol.type is not clingo.SymbolType.Function:
        return False
    one, other = wanted.arguments, symbol.arguments
    return wanted.name == symbol.name and 0 < len(one) == len(other) and all(map(_fits, one, other))


def relevant(
    rules: Ruleset, id: str, present: Collection[clingo.Symbol], lacking: Collection[clingo.Symbol]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The facts and the missing facts to report, as texts, in order.

    Facts about decisions are left out, unless the rule is about decisions or there are no other facts. Missing decisions are
    left out if another rule than the violated one is about them.
    """
    because = {symbols.text(f) for f in present}
    whose = {s.arguments[0] for s in rules.facts("out_of_turn", 2) if symbols.text(s.arguments[1]) != id}
    about = {
        f
        for f in lacking
        if symbols.signature(f) != DECISION or not any(_fits(f.arguments[1], other) for other in whose)
    }
    about = {_only_match(rules, f) if symbols.signature(f) == DECISION else f for f in about}
    about -= {f for f in about if any(f != other and _fits(f, other) for other in about)}
    absent = {symbols.text(f).replace(ANYTHING, "_") for f in _group_facts(about)}
    others, missing = ({f for f in facts if not f.startswith("decision(")} for facts in (because, absent))
    turns = {symbols.text(s.arguments[1]) for s in rules.facts("out_of_turn", 2)}
    if (others or missing) and id not in turns:
        because, absent = others, missing
    return tuple(rules.book.sort_facts(because)), tuple(rules.book.sort_facts(absent))


def _group_facts(facts: Collection[clingo.Symbol]) -> Iterator[clingo.Symbol]:
    """Yields the facts. Many facts of one predicate are replaced by one, with `ANYTHING` where they differ."""
    kinds: dict[Signature, list[clingo.Symbol]] = {}
    for fact in facts:
        kinds.setdefault(symbols.signature(fact), []).append(fact)
    for (name, _), group in kinds.items():
        if len(group) <= _MANY:
            yield from group
        else:
            places = zip(*(fact.arguments for fact in group), strict=True)
            yield clingo.Function(name, [p[0] if len(set(p)) == 1 else _ANYTHING for p in places])


# -- deciding ------------------------------------------------------------------------------------------------
#
# A ruling decides a violation if the action would not break the rule under another value.


def deciding(rules: Ruleset, facts: Facts, judged: Mapping[str, clingo.Symbol], breach: Breach) -> dict[str, str]:
    """The rulings that decide a violation, each name with its value in force.

    The same action in the same position is judged under each other value of each ruling on which the rule can depend. A ruling
    is left out if the position is not valid under any of its other values.

    Args:
        rules: The rules in force.
        facts: The position.
        judged: The actions, by role.
        breach: The violation, by one of them.
    """
    names = rules.remember(("rulings behind", breach[2]), lambda: tuple(sorted(_rulings_behind(rules, breach[2]))))
    options = rules.configuration.options(rules.book) if names else {}
    return {name: options[name] for name in names if _decides(rules, name, options[name], facts, judged, breach)}


def permitting(rules: Ruleset, facts: Facts, judged: Mapping[str, clingo.Symbol]) -> tuple[str, ...]:
    """The assumed rulings under another value of which legal actions would break a rule; none if they are illegal."""
    book, options = rules.book, rules.configuration.options(rules.book)
    assumed = [name for name, one in book.rulings.items() if rules.texts.ruling_kind(one) == ASSUMED]
    if not assumed or evaluator_of(rules.configuration).judge(facts, judged).violations:
        return ()
    return tuple(name for name in assumed if any(_judged_elsewhere(rules, name, options[name], facts, judged)))


def _decides(
    rules: Ruleset, name: str, value: str, facts: Facts, judged: Mapping[str, clingo.Symbol], breach: Breach
) -> bool:
    """Whether the action keeps the rule under some other value of the ruling."""
    return any(
        breach not in violations and not any(id == "action.unknown" for _, _, id in violations)
        for violations in _judged_elsewhere(rules, name, value, facts, judged)
    )


def _judged_elsewhere(
    rules: Ruleset, name: str, value: str, facts: Facts, judged: Mapping[str, clingo.Symbol]
) -> Iterator[Collection[Breach]]:
    """The violations of actions under each other value of a ruling; without the values under which there is no such position."""
    for other in rules.book.rulings[name].values:
        if other != value:
            evaluator = evaluator_of(rules.configuration.with_ruling(name, other))
            position = _position_under(evaluator.ruleset, name, facts)
            if position is not None:
                yield evaluator.judge(position, judged).violations


def _position_under(rules: Ruleset, name: str, facts: Facts) -> Facts | None:
    """The position under other rules, without the facts that the ruling excludes; None if other facts are excluded, too."""
    holding = [clingo.Function("holds", [f]) for f in facts]
    holding += symbols.number_facts(symbols.numbers(facts))
    vocabulary = {s.arguments[0] for s in Grounding(rules.known_program, (*facts, *holding)).get(*FLUENT)}
    strange = {f for f in facts if f not in vocabulary}
    by_ruling = rules.remember("ruled facts", lambda: _ruled_facts(rules))
    return facts - strange if all(name in by_ruling.get(symbols.signature(f), ()) for f in strange) else None


def _ruled_facts(rules: Ruleset) -> dict[Signature, set[str]]:
    """Maps the fluents that the vocabulary has only under some value of a ruling to the names of the rulings."""
    rulings: dict[Signature, set[str]] = {}
    for rule in rules.book.rules:
        names = {label(a.args[0]) for a in (*rule.positive, *rule.negative) if a.signature == RULING}
        for head in rule.heads if names else ():
            kind = functor(head.args[0]) if head.signature == FLUENT else None
            if kind:
                rulings.setdefault(kind, set()).update(names)
    return rulings


def _rulings_behind(rules: Ruleset, id: str) -> Iterator[str]:
    """Yields the rulings on which the rules for a violation can depend, also through derived predicates."""
    text = lang.Text(id)
    pending = [r for r in rules.rules if any(h.args and h.args[-1] == text for h in r.heads)]
    deriving = rules.remember("deriving", lambda: _deriving(rules))
    by_ruling = rules.remember("ruled facts", lambda: _ruled_facts(rules))
    seen = {*rules.book.fluents, ("submitted", 2), ("made", 2), ("does", 2), DECISION, VIOLATES}
    while pending:
        rule = pending.pop()
        for atom in (*rule.positive, *rule.negative, *rule.inner):
            if atom.signature == RULING:
                yield from (show_term(a) for a in atom.args[:1] if isinstance(a, CONSTANTS))
            elif atom.signature in by_ruling and atom.signature != DECISION:
                yield from by_ruling[atom.signature]
            elif atom.signature not in seen:
                seen.add(atom.signature)
                pending += deriving.get(atom.signature, ())


def _deriving(rules: Ruleset) -> dict[Signature, list[PlacedRule]]:
    """The rules that derive each predicate, without the move generator."""
    rules_of: dict[Signature, list[PlacedRule]] = {}
    for rule in rules.rules:
        for signature in {h.signature for h in rule.heads} if not is_enumeration(rule) else ():
            rules_of.setdefault(signature, []).append(rule)
    return rules_of


_ASK: Final[Signature] = ("_ask", 4)
"""The predicate of the questions in the second grounding: number, role, action, rule."""
_MOST: Final = 3
"""The largest number of sentences in an explanation; an ellipsis stands for further ones."""


@dataclass(frozen=True)
class _Companion:
    """A judging program together with the rules that explain it."""

    program: EngineProgram
    instances: tuple[Instance, ...]
    condition_instances: tuple[ConditionInstance, ...]


# -- illegal moves ---------------------------------------------------------------------------------


def explain_all(
    evaluator: Evaluator, facts: Facts, judged: Mapping[str, clingo.Symbol]
) -> dict[str, tuple[tuple[str, Violation], ...]]:
    """Judges actions and explains the rules that they break: for each role pairs of action and violation."""
    return explain(evaluator.ruleset, facts, judged, evaluator.judge(facts, judged).violations)


def explain(
    rules: Ruleset, facts: Facts, judged: Mapping[str, clingo.Symbol], violations: Sequence[Breach]
) -> dict[str, tuple[tuple[str, Violation], ...]]:
    """Explains violations: each gets a sentence and the facts behind it.

    A missing decision comes first. Of an unknown action only that is reported, and likewise of a player's action that
    belongs to chance. If the reasons cannot be found, there is a RuntimeWarning, and the violations say so and have no facts.

    Args:
        rules: The rules in force.
        facts: The position in which the actions were judged.
        judged: The actions, by role.
        violations: The violations of the judgement.

    Returns:
        For each role pairs of its action and an explained violation.
    """
    violations = _informative(rules, violations)
    if not violations:
        return {}
    try:
        all_reasons = reasons(rules, facts, judged, violations)
    except Exception as error:  # the judgement is valid even without reasons
        ids = ", ".join(id for _, _, id in violations)
        warnings.warn(f"no explanation for {ids}: {error!r}", RuntimeWarning, stacklevel=2)
        all_reasons = [Reasons(failed=True) for _ in violations]
    result: dict[str, list[tuple[str, Violation]]] = {}
    for breach, reason in zip(violations, all_reasons, strict=True):
        ruled = {} if reason.failed else deciding(rules, facts, judged, breach)
        violation = _violation(rules, facts, breach, reason, ruled)
        result.setdefault(breach[0], []).append((symbols.text(breach[1]), violation))
    return {role: tuple(pairs) for role, pairs in result.items()}


def _informative(rules: Ruleset, violations: Sequence[Breach]) -> list[Breach]:
    """The violations worth reporting, the cause first for each role."""
    turns = {"decision.other", *(symbols.text(s.arguments[1]) for s in rules.facts("out_of_turn", 2))}
    senseless = {role for role, _, id in violations if id == UNKNOWN or (role == CHANCE and id in turns)}
    sensible = [b for b in violations if b[0] not in senseless or b[2] == UNKNOWN or b[2] in turns]
    sensible = [b for b in sensible if b[2] == UNKNOWN or (b[0], b[1], UNKNOWN) not in violations]
    return sorted(sensible, key=lambda b: (b[0], b[2] not in turns))


def reasons(
    rules: Ruleset, facts: Facts, judged: Mapping[str, clingo.Symbol], violations: Sequence[Breach]
) -> list[Reasons]:
    """The reasons for each violation. If it raises an error, :func:`explain` gives no reasons."""
    all_reasons = [Reasons() for _ in violations]
    if any(rules.kind(action) is None for action in judged.values()):
        return all_reasons  # an unknown action has no program
    companion = _companion(rules, judged.values(), {id for _, _, id in violations}, legal=False)
    grounding = _ground(rules, companion, facts, judged, violations)
    solutions: dict[clingo.Symbol, ConditionSolution] = {}
    for condition in companion.condition_instances:
        for atom in grounding.get(condition.name, len(condition.variables) + 2):
            number, _, *values = atom.arguments
            solutions[atom] = ConditionSolution(dict(zip(condition.variables, values, strict=True)))
            all_reasons[number.number].condition_instances.setdefault((condition.place, condition.instance), []).append(
                solutions[atom]
            )
    _collect(rules, facts, grounding, all_reasons, solutions)
    for instance in companion.instances:
        bind(instance, grounding, violations, all_reasons)
    return all_reasons


def _violation(rules: Ruleset, facts: Facts, breach: Breach, reason: Reasons, ruled: Mapping[str, str]) -> Violation:
    role, action, id = breach
    doc = rules.book.doc(id)
    conditions: set[clingo.Symbol] = set()
    if id == UNKNOWN:
        message: str | None = unknown_action(rules, facts, role, action)
    else:
        message, conditions = _message(rules, doc, role, action, reason)
    because, absent = relevant(rules, id, reason.because | conditions, reason.absent)
    statement = rules.texts.statement(doc)
    unexplained = f"{statement} (the reason here could not be found)"
    message = unexplained if reason.failed else message or statement
    if ruled:
        values = ", ".join(f"{name} is {value}" for name, value in ruled.items())
        message += f" (ruling{'s' if len(ruled) > 1 else ''} {values})"
    return violation_of(rules, id, message, because, absent, ruled)


def _message(
    rules: Ruleset, doc: RuleDoc, role: str, action: clingo.Symbol, reason: Reasons
) -> tuple[str | None, set[clingo.Symbol]]:
    """The sentences of a rule, filled with the values of each instance that breaks it.

    The first sentence whose condition holds and whose variables all have values is used.

    Returns:
        The message, None if no sentence can be used; and the facts behind the conditions of the sentences.
    """
    ranked = sorted(reason.instances, key=lambda f: f.rank)
    outer = {"R": role, "A": symbols.text(action)}
    named: dict[str, str] = {}
    for instance in reversed([one for one in ranked if one.rank[0] > 0]):  # others of rank 0 are other reasons
        texts = _texts(instance.binding, () if instance.rank[0] < 2 else ("R", "A"))
        outer |= texts
        named |= _ruling_variables(instance.body, texts)
    closest = [f for f in ranked if f.rank == ranked[0].rank and f.rank[0] == 0]
    filled: dict[str, None] = {}
    conditions: set[clingo.Symbol] = set()
    for instance in closest or [RuleInstance((0, 0), "", {})]:
        sentences, because = _sentences(rules, doc, reason, instance, outer, named)
        if not sentences:
            return None, set()
        filled |= dict.fromkeys(sentences)
        conditions |= because
    said = sorted(filled)
    return "; ".join([*said[:_MOST], *(["…"] if len(said) > _MOST else [])]), conditions


def _sentences(
    rules: Ruleset,
    doc: RuleDoc,
    reason: Reasons,
    instance: RuleInstance,
    outer: Mapping[str, str],
    named: Mapping[str, str],
) -> tuple[list[str], set[clingo.Symbol]]:
    """The sentence for one instance of a broken rule, and the facts behind it; empty if no sentence fits.

    ``outer``: the values of variables of the instances behind it; ``named``: the rulings for whose values these variables stand.
    """
    for place, (sentence, condition) in enumerate(doc.reasons):
        solutions = (
            reason.condition_instances.get((place, instance.name), [])
            if condition
            else [ConditionSolution(instance.binding)]
        )
        solutions = [one for one in solutions if one.binding.items() >= instance.binding.items()]
        texts = [{**outer, **_texts(one.binding)} for one in solutions]
        if texts and all(values.keys() >= set(fields(sentence)) for values in texts):
            words = phrases(rules.book.folder)
            body = (*instance.body, *(condition_rule(condition).value.body if condition else ()))
            own = {**named, **_ruling_variables(body, solutions[0].binding)}
            filled = [words.fill(_with_rulings(rules, words, sentence, own, one), one) for one in texts]
            return filled, set().union(*(one.because for one in solutions))
    return [], set()


def _ruling_variables(body: Iterable[lang.Literal], variables: Iterable[str]) -> dict[str, str]:
    """Maps variables to the ruling for whose value they stand in a body; to an empty name if they stand for none.

    Another rule of the same id can have a variable of the same name that stands for something else.
    """
    positive = (one for one in body if isinstance(one, lang.Atom) and one.sign == 0)
    pairs = [atom.args for atom in positive if atom.signature == RULING]
    ruled = {value.name: label(name) for name, value in pairs if isinstance(value, lang.Var)}
    return {variable: ruled.get(variable, "") for variable in variables}


def _with_rulings(
    rules: Ruleset, words: Phrases, sentence: str, named: Mapping[str, str], values: Mapping[str, str]
) -> str:
    """The sentence, with what a ruling's value says for each variable that stands for one, unless the value has a phrase."""
    in_force = rules.configuration.options(rules.book)
    for variable, name in named.items():
        value = values.get(variable, "")
        said = rules.book.rulings[name].values.get(value) if in_force.get(name) == value else None
        if said and words.phrase(value) == value:
            clause = said[0].lower() + said[1:].removesuffix(".")
            sentence = sentence.replace(f"{{{variable}}}", clause)
    return sentence


def _texts(binding: Mapping[str, clingo.Symbol], without: Collection[str] = ()) -> dict[str, str]:
    """The values of variables as texts."""
    return {name: symbols.text(value) for name, value in binding.items() if name not in without}


# -- legal moves -----------------------------------------------------------------------------------


def allows(rules: Ruleset, facts: Facts, role: str, action: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """The rules that a legal action keeps: id, statement, and the facts that they read."""
    symbol = symbols.read_symbol(action)
    if rules.kind(symbol) is None:
        return []
    judged = {role: symbol}
    questions = [(role, symbol, id) for id, doc in rules.book.docs.items() if doc.kind == "rule"]
    companion = _companion(rules, [symbol], (), legal=True)
    grounding = _ground(rules, companion, facts, judged, questions)
    all_reasons = [Reasons() for _ in questions]
    _collect(rules, facts, grounding, all_reasons, {})
    claimed = {symbols.text(s.arguments[2]) for s in grounding.get("pending", 3)}
    applying = {questions[s.arguments[0].number][2] for s in grounding.get("_applies", 1)} | claimed
    result = []
    for (_, _, id), reason in zip(questions, all_reasons, strict=True):
        if id in applying:
            because = relevant(rules, id, reason.because, reason.absent)[0]
            seen = because if id in claimed else tuple(f for f in because if not f.startswith("decision("))
            result.append((id, rules.texts.statement(rules.book.doc(id)), seen))
    return result


# -- the second grounding --------------------------------------------------------------------------


def _companion(rules: Ruleset, actions: Iterable[clingo.Symbol], ids: Collection[str], *, legal: bool) -> _Companion:
    """The judging program for the kinds of some actions, with the rules that explain it; built at its first use.

    Args:
        rules: The rules in force.
        actions: The actions.
        ids: The rules whose sentences are needed.
        legal: Whether to explain why no rule is broken.
    """
    conditions = {
        (id, place): condition
        for id in sorted(ids)
        for place, (_, condition) in enumerate(rules.book.doc(id).reasons)
        if condition
    }
    asked = tuple(map(condition_rule, conditions.values()))
    read = frozenset().union(*(rule.uses for rule in asked))
    program = rules.judge_program(actions, more=read)

    def make() -> _Companion:
        fluents = rules.book.fluents - set(rules.static) - {DUE}
        judging = [r for r in program.rules if not any(h.signature in SELECTING for h in r.heads)]
        added = relevance(judging, fluents, legal=legal, conditions=conditions)
        static = {s: None for s in (*program.static, *rules.complete(asked).static)}
        inputs = program.inputs | read.difference(rules.static) | {_ASK}
        every = EngineProgram((*program.rules, *added.rules), inputs, tuple(static))
        return _Companion(every, added.instances, added.condition_instances)

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
    all_reasons: Sequence[Reasons],
    solutions: Mapping[clingo.Symbol, ConditionSolution],
) -> None:
    """Adds the facts and the missing facts to the reasons or the solutions of conditions to which they belong."""
    for atom in grounding.get("_because", 2):
        number, fact = atom.arguments
        if fact in facts:
            (solutions.get(number) or all_reasons[number.number]).because.add(fact)
    for atom in grounding.get("_absent", 2):
        number, fact = atom.arguments
        if conceivable(rules, fact):
            all_reasons[number.number].absent.add(fact)
    decisions = {fact for fact in facts if symbols.signature(fact) == DECISION}
    for reason in all_reasons:
        if any(symbols.signature(fact) == DECISION for fact in reason.absent):
            reason.because |= decisions
