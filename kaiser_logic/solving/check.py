"""Compares every encoding with the plain engine, on pairs: translation validation.

A pair is a valid position and its actions. Assumptions fix both in the very program that answers the goals. If the engine
judges the actions legal, there must be a model. Its next position must be the engine's, and it must break the same
invariants and claims. If the actions are illegal, there must be no model.

The pairs come from random games and from models of the solver. Each is also tried with other actions of the same transition,
legal or not (in games without sets), and at valid positions that differ in a few facts. So positions that the encoding wrongly
excludes are found too. A pair that takes too many conflicts is skipped. If ``vocabulary``, ``count`` or ``limit`` is broken at
the next position, it is enough that the program breaks one of the three.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from random import Random
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.invariants import by_part
from ..engine.sets import parts
from ..engine.symbols import symbol_of, term_of
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Pair
from ..lang.algebra import atoms, substitute, substitute_term, variables
from ..lang.terms import Atom, Rule, Term, Var
from ..lang.unification import match
from ..rules.predicates import DECISION, DUE, GENERAL, SUBMITTED
from .encoder import EXACT, Encoder
from .models import actions_in, facts_in
from .moves import MoveClaims
from .specialise import ARG
from .theory import SEAT, ActionSchema, Theory, Transition
from .vocabulary import Vocabulary, counter_signature, ground_atoms

_CONFLICTS: Final = 5_000
"""The budget for a pair, in conflicts; a pair that takes more is skipped."""
_GAMES: Final = 2
"""The number of pairs of random games that are compared."""
_OTHERS: Final = 1
"""The number of other actions for each pair."""
_NEAR: Final = 2
"""The number of neighbouring positions for each pair."""
_TRIED: Final = 10
"""The number of attempts to make them."""
_CHANGES: Final = (1, 1, 2)
"""The numbers of facts that an attempt changes, each as likely as it occurs here."""
_SWAPPED: Final = 0.7
"""The probability that an old fact is removed for a new one, or that another counter of the measure makes up for the change."""
_SMALL: Final = 20_000
"""In programs with fewer atoms more pairs are compared."""
_MUCH: Final = 6
"""The largest number of times as many pairs that are compared in such programs."""


def broken_claims(evaluator: Evaluator, facts: frozenset[clingo.Symbol]) -> set[str]:
    """The invariants that a position breaks, waived or not; a part of a claim that is dropped under its own name."""
    return by_part(evaluator.broken_invariants(facts, waive=False), evaluator.ruleset.dropped)


class Neighbours:
    """Makes valid positions that differ in a few facts from given ones."""

    def __init__(self, theory: Theory, vocabulary: Vocabulary, evaluator: Evaluator) -> None:
        """Takes the facts of a vocabulary; the plain engine says which positions are valid."""
        self._theory, self._vocabulary, self._evaluator = theory, vocabulary, evaluator

    def breaks(self, facts: frozenset[clingo.Symbol]) -> set[str]:
        """The invariants that a position breaks, without those that are waived."""
        return broken_claims(self._evaluator, facts) - self._evaluator.ruleset.waived

    def neighbours_of(
        self, facts: frozenset[clingo.Symbol], random: Random, much: int = 1
    ) -> Iterator[frozenset[clingo.Symbol]]:
        """Valid positions that differ in a few facts; seats, decisions and steps stay.

        ``much``: the factor by which more positions are made.
        """
        fixed = {SEAT, DECISION, DUE}
        known = [f for f in self._vocabulary.narrow if symbols.signature(f) not in fixed]
        neighbours: set[frozenset[clingo.Symbol]] = set()
        for _ in range(_TRIED * much if known else 0):
            other = facts
            for _ in range(random.choice(_CHANGES)):
                other = self._change_fact(other, random.choice(known), random)
            if other != facts and other not in neighbours and not self.breaks(other):
                neighbours.add(other)
                yield other
            if len(neighbours) >= _NEAR * much:
                return

    def _change_fact(
        self, facts: frozenset[clingo.Symbol], fact: clingo.Symbol, random: Random
    ) -> frozenset[clingo.Symbol]:
        """A position in which a fact is added, or removed if it holds; or in which a counter has the value of the fact.

        An old fact of the same predicate may go for the new one. Another counter of the same measure may make up for the change.
        """
        signature = symbols.signature(fact)
        if signature not in self._theory.counters:
            same_predicate = sorted((f for f in facts if symbols.signature(f) == signature), key=str)
            if fact in facts:
                return facts - {fact}
            return (
                facts - {random.choice(same_predicate)} if same_predicate and random.random() < _SWAPPED else facts
            ) | {fact}
        values = {symbols.counter_of(f): f for f in facts if symbols.signature(f) in self._theory.counters}
        counter = symbols.counter_of(fact)
        change = _number(values.get(counter)) - fact.arguments[-1].number
        ends = self._vocabulary.ends
        others = [c for c in self._partners.get(counter, ()) if c in values]
        position = self._with_value(facts, values, counter, fact.arguments[-1].number)
        if others and random.random() < _SWAPPED:
            other = random.choice(others)
            number = _number(values[other]) + change
            if ends[other][0] <= number <= ends[other][1]:
                position = self._with_value(position, values, other, number)
        return position

    def _with_value(
        self,
        facts: frozenset[clingo.Symbol],
        values: Mapping[clingo.Symbol, clingo.Symbol],
        counter: clingo.Symbol,
        number: int,
    ) -> frozenset[clingo.Symbol]:
        """A position in which a counter has a value."""
        signature = counter_signature(counter)
        new = clingo.Function(counter.name, [*counter.arguments, clingo.Number(number)])
        gone = frozenset([values[counter]] if counter in values else [])
        return (facts - gone) | ({new} if number or self._theory.counters[signature] else frozenset())

    @cached_property
    def _partners(self) -> dict[clingo.Symbol, list[clingo.Symbol]]:
        """For each counter the others that some measure counts with it."""
        partners: dict[clingo.Symbol, list[clingo.Symbol]] = {}
        for weights in self._vocabulary.measures.values():
            counters = [c for c in weights if counter_signature(c) in self._theory.counters]
            for c in counters:
                partners.setdefault(c, []).extend(o for o in counters if o != c)
        return partners


class Check:
    """Compares one encoding with the plain engine.

    Attributes:
        compared: The number of pairs that were compared.
        near: Makes neighbouring positions.
    """

    def __init__(
        self,
        encoder: Encoder,
        transition: Transition,
        evaluator: Evaluator,
        goals: Iterable[str],
        moves: MoveClaims,
    ) -> None:
        """Takes an encoding that is grounded; its goals may be inactive.

        Args:
            encoder: The encoding.
            transition: Its transition.
            evaluator: The plain engine.
            goals: The claims whose verdicts at the next position are compared.
            moves: The claims about moves, as the plain engine judges them.
        """
        self._encoder, self._transition, self._evaluator, self._moves = encoder, transition, evaluator, moves
        self._theory, self._program = encoder.theory, encoder.program
        self.near = Neighbours(encoder.theory, encoder.vocabulary, evaluator)
        goals = list(goals)
        self._goals = [g for g in goals if g in encoder.theory.invariants]
        self._claims = [g for g in goals if g in encoder.theory.claims]
        self.compared = 0
        self._much = max(1, min(_MUCH, _SMALL // max(1, len(self._program.all_atoms))))
        fluents = sorted(encoder.theory.fluents - {SEAT})
        atoms_ = self._program.all_atoms
        self._free = {a.symbol: (a.literal, a.is_fact) for s in fluents for a in atoms_.by_signature(*s)}
        done = SUBMITTED if transition.joint else (ARG, 2)
        self._chosen = {a.symbol: (a.literal, a.is_fact) for a in atoms_.by_signature(*done)}
        deciding = encoder.vocabulary.deciding
        sets = {_unknown_set(role if transition.joint else None) for role in deciding}
        for a in atoms_.by_signature("chosen", 3) if transition.schemas else ():
            if a.symbol.arguments[0] in sets:  # a query has names of its own
                self._chosen[a.symbol] = (a.literal, a.is_fact)
        exact, ask = atoms_[EXACT], atoms_[clingo.Function("goal_active__")]
        self._fixed = [] if exact is None else [exact.literal]
        self._fixed += [] if ask is None else [-ask.literal]
        after = self._program.literals((f"{name}__n", arity) for name, arity in encoder.changed)
        names = {f"{name}__n": name for name, _ in encoder.changed}
        self._new = {s: clingo.Function(names[s.name], s.arguments) for s, _ in after}
        bad = self._program.literals([("bad__", 2)])
        self._bad = {s: str(s.arguments[0]) for s, _ in bad}
        self._seen = [*after, *bad]

    def differences(
        self, pairs: Sequence[Pair], models: Iterable[Sequence[clingo.Symbol]], random: Random
    ) -> Iterator[str]:
        """The differences, in words.

        Args:
            pairs: Pairs of random games; only the first few are taken.
            models: Models of the solver.
            random: Chooses other actions and positions.
        """
        own = [
            Pair(facts_in(self._theory, m), tuple(actions_in(self._theory, self._transition, m).items()))
            for m in models
        ]
        valid = [p for p in own if not self.near.breaks(p.facts)]
        seen: set[Pair] = set()
        for pair in (*pairs[: _GAMES * self._much], *valid):
            near = (Pair(facts, pair.actions) for facts in self.near.neighbours_of(pair.facts, random, self._much))
            for other in (pair, *self.other_actions(pair, random), *near):
                if other not in seen:
                    seen.add(other)
                    yield from self._difference(other)

    def other_actions(self, pair: Pair, random: Random) -> Iterator[Pair]:
        """The same position with other actions: of one role, or of all if they decide simultaneously; none in games with sets."""
        if not pair.actions or self._theory.has_sets:
            return
        if self._transition.joint:
            yield from self._jointly(pair, random)
            return
        pending = list(pair.actions)
        role, action = pending.pop(random.randrange(len(pending)))
        for schema in self._transition.schemas:
            binding = match(schema.action, term_of(action))
            if binding is None or not variables(schema.action):
                continue
            fixed = set(variables(schema.decision))
            names = [n for n in variables(schema.action) if n not in fixed]
            values = self._values(schema)
            for _ in range(_OTHERS * self._much if names else 0):
                name = random.choice(names)
                some = values.get(name, [])
                if not some:
                    continue
                other = {**binding, name: random.choice(some)}
                if fits(self._theory, schema, other):
                    yield Pair(pair.facts, ((role, symbol_of(substitute_term(schema.action, other))), *pending))

    def _jointly(self, pair: Pair, random: Random) -> Iterator[Pair]:
        """The same position with another action of each role."""
        known: dict[str, list[clingo.Symbol]] = {}
        for s in sorted(self._chosen, key=str):
            if symbols.signature(s) == SUBMITTED:
                known.setdefault(str(s.arguments[0]), []).append(s.arguments[1])
        roles = [role for role, _ in pair.actions if role in known]
        for _ in range(_OTHERS * self._much if len(roles) == len(pair.actions) else 0):
            yield Pair(pair.facts, tuple((role, random.choice(known[role])) for role in roles))

    def _values(self, schema: ActionSchema) -> dict[str, list[Term]]:
        """The possible values of each argument of a schema, in the ground program."""
        values_of: dict[str, list[Term]] = {}
        for n, name in enumerate(variables(schema.action)):
            values = [term_of(s.arguments[1]) for s in self._chosen if s.name == ARG and s.arguments[0].number == n]
            values_of[name] = sorted(dict.fromkeys(values), key=str)
        return values_of

    # -- one pair ------------------------------------------------------------------------------------------------

    def _difference(self, pair: Pair) -> Iterator[str]:
        facts = clip(self._encoder.vocabulary, pair.facts)
        if self.near.breaks(facts):
            return
        assumed = self.assumptions_for(facts, pair)
        legal = True
        if pair.actions:
            judged = self._evaluator.judge(facts, dict(pair.actions))
            legal = not judged.violations
            after = judged.facts_after(facts)
        else:
            after = self._evaluator.step(facts)
        self.compared += 1
        if assumed is None:
            if legal:
                yield f"{self._transition.label}: a legal action or its position is not known: {_text_of(pair)}"
            return
        answer, model = self._program.decide_literals([*assumed, *self._fixed], _CONFLICTS, self._seen)
        if answer is None:
            return
        if answer != legal:
            yield f"{self._transition.label}: {'legal' if legal else 'illegal'} by the rules alone: {_text_of(pair)}"
        elif legal:
            yield from self._follows(pair, facts, after, model)

    def assumptions_for(self, facts: frozenset[clingo.Symbol], pair: Pair) -> list[int] | None:
        """The literals that fix a pair by assumptions; None if the program has no such position or action."""
        seats = frozenset(self._theory.facts(*SEAT))
        action_atoms: set[clingo.Symbol] = set()
        for role, action in pair.actions:
            schema, binding = next(
                ((w, b) for w in self._transition.schemas if (b := match(w.action, term_of(action))) is not None),
                (None, None),
            )
            if schema is None or binding is None:
                return None
            name = _unknown_set(clingo.Function(role) if self._transition.joint else None)
            for a, _ in atoms(schema.guard):
                if a.signature == ("set", 1) and isinstance(a.args[0], Var):
                    chosen = parts(symbol_of(binding[a.args[0].name]))
                    action_atoms |= {clingo.Function("chosen", [name, *part]) for part in chosen}
                    binding[a.args[0].name] = term_of(name)
            if self._transition.joint:
                done = symbol_of(substitute_term(schema.action, binding))
                action_atoms.add(clingo.Function(SUBMITTED[0], [clingo.Function(role), done]))
                continue
            for k, variable in enumerate(variables(schema.action)):
                action_atoms.add(clingo.Function(ARG, [clingo.Number(k), symbol_of(binding[variable])]))
        assumptions = []
        for known, there in ((self._free, facts - seats), (self._chosen, action_atoms)):
            if not there <= known.keys():
                return None
            for symbol, (literal, certain) in known.items():
                if certain:
                    if symbol not in there:
                        return None
                    continue
                assumptions.append(literal if symbol in there else -literal)
        return assumptions

    def _follows(
        self,
        pair: Pair,
        facts: frozenset[clingo.Symbol],
        after: frozenset[clingo.Symbol],
        model: Sequence[clingo.Symbol],
    ) -> Iterator[str]:
        """The differences between the next position of a model and the engine's, and between what they break."""
        seats = frozenset(self._theory.facts(*SEAT))
        kept = {s for s in facts - seats if symbols.signature(s) not in self._encoder.changed}
        new = {self._new[s] for s in model if s in self._new}
        expected = clip(self._encoder.vocabulary, after, self._encoder.vocabulary.far) - seats
        broken = broken_claims(self._evaluator, after)
        if kept | new != expected and broken.isdisjoint(GENERAL):
            more, less = (
                sorted(map(str, (kept | new) - expected))[:3],
                sorted(map(str, expected - (kept | new)))[:3],
            )
            yield f"{self._transition.label}: another position follows: with {more}, without {less}"
        bad = {self._bad[s] for s in model if s in self._bad}
        if broken.isdisjoint(GENERAL):
            ours, theirs = bad.intersection(self._goals), broken.intersection(self._goals)
            if ours != theirs:
                yield f"{self._transition.label}: other invariants are broken: {sorted(ours ^ theirs)}"
            claimed = {c for c, _ in self._moves.wrong(facts, pair.actions, after)} if self._claims else set()
            others = sorted(claimed.symmetric_difference(bad).intersection(self._claims))
            if others:
                yield f"{self._transition.label}: other claims fall: {others}"
        for general in GENERAL:
            if general in broken and bad.isdisjoint(GENERAL):
                yield f"{self._transition.label}: {general} is broken, which is not seen"


def _unknown_set(player: clingo.Symbol | None) -> clingo.Symbol:
    """The name of the unknown set of a player who decides with others; None: of the role that decides alone."""
    return clingo.Function("set_of__", [] if player is None else [player])


def _number(fact: clingo.Symbol | None) -> int:
    """The value that a fact of a counter states; 0 if there is no fact."""
    return 0 if fact is None else fact.arguments[-1].number


def _text_of(pair: Pair) -> str:
    done = ", ".join(f"{role}: {action}" for role, action in pair.actions) or "a step"
    return f"{done} in {' '.join(sorted(map(str, pair.facts)))}"


def clip(vocabulary: Vocabulary, facts: frozenset[clingo.Symbol], bound: int | None = None) -> frozenset[clingo.Symbol]:
    """The position with each number without a limit cut off at a bound; by default the bound of the open position."""
    bound, clipped = vocabulary.bound if bound is None else bound, set[clingo.Symbol]()
    for f in facts:
        if symbols.signature(f) in vocabulary.cut and symbols.counter_of(f) in vocabulary.endless:
            number = max(-bound, min(bound, f.arguments[-1].number))
            f = clingo.Function(f.name, [*f.arguments[:-1], clingo.Number(number)])
        clipped.add(f)
    return frozenset(clipped)


def fits(theory: Theory, schema: ActionSchema, binding: Mapping[str, Term]) -> bool:
    """Whether the sorts of a schema allow these arguments. True if the sorts depend on the position; sets are not looked at."""
    guard = [x for x in schema.guard if not (isinstance(x, Atom) and x.signature == ("set", 1))]
    if any(a.signature not in theory.static for a, _ in atoms(guard)):
        return True
    asked = substitute(Rule(Atom("fits__", ()), tuple(guard)), binding)
    return bool(ground_atoms(theory.static, [asked], (), ("fits__", 0)))


def belongs(theory: Theory, transition: Transition, pair: Pair) -> bool:
    """Whether a pair belongs to a transition: its step is due, or its actions are of the transition's schemas."""
    due = [s.arguments[0] for s in pair.facts if symbols.signature(s) == DUE]
    if transition.step is not None:
        return bool(due) and match(transition.step, term_of(due[0])) is not None
    if due or not pair.actions:
        return False
    pending = [s for s in pair.facts if symbols.signature(s) == DECISION]

    def done_fact(role: str, action: clingo.Symbol) -> bool:
        for schema in transition.schemas:
            binding = match(schema.action, term_of(action))
            if binding is None:
                continue
            own = (s.arguments[1] for s in pending if str(s.arguments[0]) == role)
            if any(match(schema.decision, term_of(d), binding) is not None for d in own):
                asked = partial(fits, theory, schema, binding)
                if theory.ruleset.remember(("fits", schema, action), asked):
                    return True
        return False

    return all(done_fact(role, action) for role, action in pair.actions)
