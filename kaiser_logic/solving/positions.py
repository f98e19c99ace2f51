"""Claims about positions: there is no deadlock, sums keep their stated bounds, totals their ranges.

Why it is right. The position is open, as for transitions (:mod:`.encoder`). The invariants are assumed as far as the program can
express them; fewer assumptions only leave more positions. What is pending belongs to one transition, as ``exclusive`` says.

*No deadlock*: in every valid position with the decision, each role that has it has a legal action. The solver tries single
kinds of action first, then all kinds that can be enumerated; one legal action of any kind, with arguments of the declared
sorts, is enough. The rules of the move generator enumerate the candidates. The violations of all candidates are derived at
once (`judging`). This says of each what it says if it is judged alone, provided that no violation reads what is done or what
another candidate is (`refuse_together`).

*Bounds*: for a rule ``income(R,N) :- bound(income,M), N <= M, N = #sum {...}, ...`` the question is whether the sum can exceed
M. Literals that constrain N otherwise are left out, which leaves more cases.

*Ranges*: whether a total can be outside of its range while all totals are within their limits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final

from .. import clingo
from ..engine.invariants import part_of
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..lang.algebra import atoms, independent_groups, rename_apart, substitute, variables
from ..lang.graph import cone
from ..lang.reader import read_rules
from ..lang.terms import ANY, Aggregate, Atom, Compare, Int, Literal, Rule, Signature, Term, Var
from ..lang.unification import label, resolve, unify
from ..rules.predicates import (
    BROKEN,
    CANDIDATE,
    COUNTS,
    DECISION,
    LEGAL,
    SUBMITTED,
    TOTAL,
    VIOLATES,
    WRONG,
)
from .build import ChoiceRule, atom, element, fun, head_of, never, no, number_of, rule, variables_x
from .encoder import EXACT, Encoder, apart_from_all
from .goals import fallen_claims
from .numbers import BoundCheck, TooLow, check_decided
from .program import PROBING, REFUTING, SolverProgram
from .proof_cache import OPEN, PROVED, ProofCache, key_of_encoding
from .report import Counterexample
from .theory import ActionSchema, Theory, positive
from .totals import Totals
from .vocabulary import Vocabulary, ground_atoms

ALONE: Final = 20_000
"""The budget, in conflicts, for the deadlock question with one kind of action;"""
WHOLE: Final = 1_000_000
"""for any other question;"""
EXACTLY: Final = ((20_000, REFUTING), (2_000, PROBING))
"""for the first attempts with exact totals, each with its heuristic."""
LISTED: Final = 20_000
"""An action schema with more combinations of arguments is not enumerated."""
EVERYTHING: Final = read_rules(
    """
    stand_in(none,R) :- decides__(R).
    stand_in(everything__(R),R) :- decides__(R).
    part(everything__(R),C,N) :- decides__(R), thing(C,_,K), N = #max { J : pickable(R,C,J), J <= K }, N > 0.
    """
)
"""Names of sets that a role can pick, whatever a rulebook says of ``pickable``: none, and as many as it can of each thing."""
_GOAL_ACTIVE: Final = clingo.Function("goal_active__")


@dataclass(frozen=True)
class Answer:
    """The answer about a claim.

    Attributes:
        claim: The claim.
        verdict: ``proved``, ``falls`` or ``undecided``.
        model: A model in which it falls. A question gives it up for ``example``.
        reason: Why it is not decided, or why it falls.
        parts: The answers about those of its parts that are not proved and can be dropped.
        example: The counterexample, confirmed or not.
        learned: The answers that later runs may keep, by their keys.
        is_kept: Whether all answers are those of an earlier run.
    """

    claim: str
    verdict: str
    model: Sequence[clingo.Symbol] = ()
    reason: str = ""
    parts: tuple[Answer, ...] = ()
    example: Counterexample | None = None
    learned: Mapping[str, str] = field(default_factory=dict)
    is_kept: bool = False


class Implication:
    """A program about which of some invariants follow from others.

    Attributes:
        beyond: The check of its bound.
    """

    def __init__(self, encoder: Encoder, claims: Collection[str]) -> None:
        """Takes an open position without invariants."""
        program, claim, broken = encoder.program, Var("I"), encoder.rest_called(BROKEN)
        encoder.assume([i for i in encoder.theory.invariants if i not in claims], claims)
        program.tell(clingo.Function("claim__", [clingo.Function(c)]) for c in claims)
        program.add(rule(atom("fallen__", claim), Atom(broken, (claim, Var("W"))), atom("claim__", claim)))
        program.watched = {("fallen__", 1)}
        self._program, self._claims, self.beyond = program, claims, BoundCheck([encoder])
        program.ground()

    def breaking(
        self, claim: str, supposed: Collection[str] = (), conflicts: int = ALONE, exact: bool = False
    ) -> set[str] | None:
        """The claims that some position breaks that breaks this one; empty if there is none, None if that is not decided.

        Args:
            claim: The claim.
            supposed: Other claims that the position meets, with all invariants that are not among the claims.
            conflicts: The budget, in conflicts.
            exact: Whether totals are exact.
        """
        assumed = [(clingo.Function("holds__", [clingo.Function(c)]), c in supposed) for c in self._claims]
        fallen = clingo.Function("fallen__", [clingo.Function(claim)])
        answer, model = self._program.decide([*assumed, (fallen, True), (EXACT, exact)], conflicts)
        return None if answer is None else fallen_claims(model)


class Positions:
    """Decides the claims about positions of one set of rules.

    Attributes:
        learned: What later runs may keep: answers by their keys.
        solved: How many questions the solver was asked.
    """

    def __init__(self, theory: Theory, vocabulary: Vocabulary, totals: Totals, kept: ProofCache | None = None) -> None:
        """Takes a theory, its vocabulary and its totals; ``kept``: the proofs of earlier runs."""
        self.theory, self.vocabulary, self.totals, self.kept = theory, vocabulary, totals, kept
        self.learned: dict[str, str] = {}
        self.solved = 0

    @cached_property
    def questions(self) -> list[tuple[str, str, Callable[[], Answer]]]:
        """All claims: the name of each, its kind, and the function that decides it."""
        claims: list[tuple[str, str, Callable[[], Answer]]] = []
        if self.theory.facts("range", 3):
            claims.append(("range", "bound", self.ranges))
        for one, limit in self.stated_bounds():
            claims.append((f"bound of {head_of(one).name}", "bound", partial(self.exceeds, one, limit)))
        for name in dict(self.vocabulary.decisions):
            claims.append((f"legal action at {name}", "stuck", partial(self.stuck, name)))
        return claims

    def claims(self) -> Iterator[Answer]:
        """The answers about all claims."""
        return (self.decide(number) for number in range(len(self.questions)))

    def decide(self, number: int) -> Answer:
        """The answer about one claim; with a higher bound on numbers if the first one is too low."""
        claim, _, decide = self.questions[number]
        try:
            verdict = decide()
        except TooLow as low:
            wider = Vocabulary(self.theory, low.wanted)
            if wider.bound <= self.vocabulary.bound:
                return Answer(claim, "undecided", (), str(low))
            wide = self.with_vocabulary(wider)
            answer = wide.decide(number)
            self.learned |= wide.learned
            self.solved += wide.solved
            return answer
        except NotDecided as reason:
            return Answer(claim, "undecided", (), str(reason))
        return replace(verdict, claim=claim)

    def with_vocabulary(self, wider: Vocabulary) -> Positions:
        """The same claims over a wider vocabulary."""
        return Positions(self.theory, wider, Totals(self.theory, wider), self.kept)

    # -- open positions ------------------------------------------------------------------------------------------

    def _open(self, decisions: Sequence[Term] = (), any_pending: bool = False) -> Encoder:
        encoder = Encoder(self.theory, self.vocabulary, self.totals)
        encoder.open(decisions, any_pending=any_pending)
        if any_pending:
            encoder.program.add(*self._one_at_a_time())
        encoder.count()
        encoder.assume(self.theory.invariants)
        return encoder

    def _one_at_a_time(self) -> Iterator[Rule]:
        """Rules and constraints by which what is pending belongs to one transition: the claim ``exclusive``."""
        theory, role, group = self.theory, Var("R"), "pending__"
        patterns = [(n, fun(n, variables_x(arity))) for n, arity in self.vocabulary.decisions]
        for name, pattern in patterns:
            yield rule(atom(group, fun("d", ()), fun(name, ())), atom("decision", role, pattern))
        for name in {n for n, _ in patterns} - theory.simultaneous:
            decisions = [element((role, p), atom("decision", role, p)) for n, p in patterns if n == name]
            yield never(number_of(decisions, ">", Int(1)))
        for name, pattern in theory.steps:
            yield rule(atom(group, fun("s", ()), fun(name, ())), atom("due", pattern))
        kind, first, second = Var("T"), Var("F"), Var("G")
        yield never(atom(group, kind, first), atom(group, kind, second), Compare(first, "<", second))
        yield never(atom(group, fun("d", ()), first), atom(group, fun("s", ()), second))

    def _answer(self, encoder: Encoder, conflicts: int, exact: bool = True, others: bool = False) -> Answer:
        """Whether ``found__`` can hold: first with loose totals, then, if ``exact``, with exact ones.

        ``others``: whether other attempts follow if this one proves nothing; then that is kept for later runs, too.
        """
        program = encoder.program
        beyond = BoundCheck([encoder])
        program.add(ChoiceRule(((atom("goal_active__"), ()),)), never(atom("goal_active__"), no(atom("found__"))))
        key, known = self._look_up(encoder, beyond, conflicts, exact, others)
        if known:
            return Answer("", "proved" if known == PROVED else "undecided")
        self.solved += 1
        answer = self._solve(program, beyond, conflicts, exact)
        if key and (answer.verdict == "proved" or others):
            self.learned[key] = PROVED if answer.verdict == "proved" else OPEN
        return answer

    def _look_up(
        self, encoder: Encoder, beyond: BoundCheck, conflicts: int, exact: bool, others: bool
    ) -> tuple[str, str]:
        """The key of an answer, and the answer of an earlier run; empty without proofs of earlier runs."""
        if self.kept is None:
            return "", ""
        key = key_of_encoding(encoder, beyond, ["position", str(conflicts), str(exact), str(others)])
        return key, self.kept.get_at(key)

    @staticmethod
    def _solve(program: SolverProgram, beyond: BoundCheck, conflicts: int, exact: bool) -> Answer:
        """Whether ``found__`` can hold, by the solver."""
        program.ground()
        check_decided(beyond)
        answer, model = program.decide([(_GOAL_ACTIVE, True), (EXACT, False)], conflicts)
        if answer is not False and exact:
            first = EXACTLY if conflicts == WHOLE else ()
            for effort, heuristic in (*first, (conflicts, REFUTING)):
                answer, model = program.decide([(_GOAL_ACTIVE, True), (EXACT, True)], effort, heuristic)
                if answer is not None:
                    break
        if answer is None:
            return Answer("", "undecided", (), f"it takes more than {conflicts:,} conflicts")
        return Answer("", "falls" if answer else "proved", model)

    # -- what invariants imply -----------------------------------------------------------------------------------

    def implication(self, claims: Collection[str]) -> Implication:
        """The program that decides which of these invariants follow from others."""
        encoder = Encoder(self.theory, self.vocabulary, self.totals)
        encoder.open(any_pending=True)
        encoder.program.add(*self._one_at_a_time())
        encoder.count()
        return Implication(encoder, claims)

    def implied_invariants(self, claims: Sequence[str]) -> set[str]:
        """Those of these invariants that follow from the rulebook's other invariants, in every position.

        Raises:
            NotDecided: It depends on numbers that are too large.
        """
        asked = self.implication(claims)
        check_decided(asked.beyond)
        return {c for c in claims if any(asked.breaking(c, exact=x) == set() for x in (False, True))}

    # -- nobody is stuck -----------------------------------------------------------------------------------------

    def stuck(self, name: str) -> Answer:
        """Whether a role that has this decision can have no legal action.

        Raises:
            NotDecided: The rules cannot enumerate legal actions, or judge all candidates at once.
        """
        theory = self.theory
        refuse_together(theory.ruleset)
        schemas = [w for _, d, kinds in theory.kinds if label(d) == name for w in kinds]
        small = [w for w in schemas if combinations(theory, w) <= LISTED]
        small.sort(key=lambda w: (len(variables(w.action)), len(str(w.action))))
        pending = [fun(n, variables_x(k)) for n, k in self.vocabulary.decisions if n == name]
        for schema in small if len(schemas) > 1 else []:
            if self._lost(pending, [schema], ALONE, others=True).verdict == "proved":
                return Answer("", "proved")
        answer = self._lost(pending, small, WHOLE, others=False)
        if answer.verdict == "falls" and len(small) < len(schemas):
            return Answer("", "undecided", (), "there are too many actions to list them in an open position")
        return answer

    def _lost(self, pending: Sequence[Term], schemas: Sequence[ActionSchema], conflicts: int, others: bool) -> Answer:
        """Whether there is a valid position in which some role has no legal action of these schemas."""
        theory = self.theory
        encoder = self._open(pending)
        program = encoder.program
        role, violation = Var("Role__"), Var("Decision__")
        rules = self.judging([w.action for w in schemas])
        guards = {a.signature for w in schemas for a, _ in atoms(w.guard)}
        rules = list(dict.fromkeys([*rules, *theory.cone(guards, theory.possible(theory.rules, _WITHOUT_MOVES))]))
        encoder.origins += rules
        program.add(*rules)
        if theory.has_sets:
            program.add(*EVERYTHING)
            program.tell(clingo.Function("decides__", [r]) for r in self.vocabulary.deciding)
        for schema in schemas:
            forbidden = Atom(VIOLATES[0], (role, schema.action, Var("_")), 1)
            meant = (atom("decision", role, schema.decision), *schema.guard)
            program.add(rule(atom("able__", role), atom("candidate", role, schema.action), *meant, forbidden))
        program.add(rule(atom("found__"), atom("decision", role, violation), no(atom("able__", role))))
        return self._answer(encoder, conflicts, others=others)

    def judging(self, actions: Sequence[Term]) -> list[Rule]:
        """The rules that enumerate the candidates of these patterns, and derive what they violate.

        Raises:
            NotDecided: A rule reads what an action violates.
        """
        theory = self.theory
        base = theory.possible([*theory.rules, *theory.enumeration], _WITHOUT_MOVES)
        judging = [r for r in base if r not in set(theory.enumeration) and SUBMITTED not in _reads(r)]
        violations: dict[Rule, None] = {}
        for r in judging:
            if head_of(r).signature != VIOLATES:
                continue
            for action in actions:
                one = rename_apart(r, action)
                binding = unify(head_of(one).args[1], action, {})
                if binding is not None:
                    full = {n: resolve(Var(n), binding) for n in variables(one)}
                    violations.setdefault(substitute(one, full))
        others = cone([r for r in judging if head_of(r).signature != VIOLATES], _read_by(violations))
        if any(VIOLATES in _reads(r) for r in (*violations, *others)):
            raise NotDecided("a rule reads what an action violates")
        patterns = [*actions, *_candidates((*violations, *others))]
        listing = [r for r in theory.enumeration if _may_be(head_of(r).args[1], patterns)]
        listing_needs = cone(judging, _read_by(listing))
        more = [*_candidates(listing_needs), *_candidates(listing)]
        if more or any(VIOLATES in _reads(r) for r in listing_needs):
            listing = list(theory.enumeration)
        needs = cone(judging, _read_by(listing))
        return list(dict.fromkeys([*violations, *others, *listing, *needs]))

    def legal(self, actions: Sequence[Term]) -> list[Rule]:
        """The rules for ``legal``, for actions of these patterns; and those on which they depend.

        Raises:
            NotDecided: A rule reads what an action violates, or the candidates cannot be judged all at once.
        """
        theory = self.theory
        refuse_together(theory.ruleset)
        offering = [r for r in theory.offering if _may_be(head_of(r).args[1], actions)]
        needs = cone(theory.possible(theory.rules, _WITHOUT_MOVES), _read_by(offering))
        own = [
            rule(atom(LEGAL[0], *head_of(r).args), *r.body, no(atom(VIOLATES[0], *head_of(r).args, ANY)))
            for r in offering
        ]
        return list(dict.fromkeys([*self.judging(actions), *needs, *own]))

    # -- sums ----------------------------------------------------------------------------------------------------

    def stated_bounds(self) -> list[tuple[Rule, Term]]:
        """The stated bounds of aggregates: each rule with an aggregate that reads ``bound/2``, with each bound that it reads."""
        return [
            (r, a.args[1])
            for r in self.theory.rules
            if any(
                isinstance(x, Aggregate) and x.guards[0][0] == "=" and isinstance(x.guards[0][1], Var) for x in r.body
            )
            for a in positive(r.body)
            if a.signature == ("bound", 2)
        ]

    def several_pending(self) -> Answer:
        """Whether more can be pending at once than belongs to one transition; ``exclusive`` is not assumed."""
        encoder = Encoder(self.theory, self.vocabulary, self.totals)
        encoder.open(any_pending=True)
        encoder.program.add(*(rule(atom("found__"), *r.body) for r in self._one_at_a_time() if r.head is None))
        encoder.program.add(*(r for r in self._one_at_a_time() if r.head is not None))
        encoder.count()
        encoder.assume(self.theory.invariants)
        return self._answer(encoder, WHOLE)

    def exceeds(self, one: Rule, limit: Term) -> Answer:
        """Whether the aggregate of a rule can exceed a bound, a term of the rule.

        Raises:
            NotDecided: It is not clear which aggregate has the bound, or the rule depends on actions.
        """
        theory = self.theory
        gathered = [x for x in one.body if isinstance(x, Aggregate) and x.guards[0][0] == "="]
        compared = [x for x in gathered if any(_are_compared(y, x.guards[0][1], limit) for y in one.body)]
        if len(compared) != 1:
            raise NotDecided(f"which sum has the bound is not seen: {one.place.file}:{one.place.line}")
        (what,) = compared
        value = what.guards[0][1]
        assert isinstance(value, Var)
        rest = [x for x in one.body if x is not what and value.name not in variables(x)]
        below = any(_are_compared(x, value, limit) and getattr(x, "op", "") in ("<", ">") for x in one.body)
        exceeding = Aggregate(what.function, what.elements, ((">=" if below else ">", limit),))
        question = rule(atom("found__"), *rest, exceeding)
        if one not in theory.at_rest:
            raise NotDecided("it is a sum of moves, and bounds are shown of positions")
        encoder = self._open(any_pending=True)
        rules = theory.cone(_reads(question), theory.at_rest)
        encoder.origins += [*rules, question]
        encoder.program.add(*encoder.at_rest([*rules, question]))
        return self._answer(encoder, WHOLE)

    def ranges(self) -> Answer:
        """Whether a total can be outside of its range while all totals are within their limits."""
        theory = self.theory
        encoder = Encoder(theory, self.vocabulary, self.totals)
        encoder.open(any_pending=True)
        encoder.program.add(*self._one_at_a_time())
        encoder.program.add(ChoiceRule(((atom("exact__"), ()),)), *_LIMITS)
        encoder.program.tell(self.totals.facts)
        encoder.program.add(*cone(theory.at_rest, [COUNTS]), *_OUTSIDE)
        encoder.origins += cone(theory.at_rest, [COUNTS])
        speaking = {i for i in theory.invariants if TOTAL in {s for r in theory.about([i]) for s in _reads(r)}}
        rules = [r for i in theory.invariants if i not in speaking for r in theory.about([i])]
        rules = list(dict.fromkeys(rules))
        encoder.origins += rules
        encoder.program.add(*encoder.at_rest(rules))
        broken = BROKEN[0] if BROKEN not in theory.transient else f"{BROKEN[0]}__p"
        encoder.program.add(
            *(never(Atom(broken, (fun(i, ()), Var("W")))) for i in theory.invariants if i not in speaking)
        )
        ranges = self.totals.ranges
        encoder.program.tell(clingo.Function("stated__", fact.arguments) for fact in ranges)
        which = atom("which__", *_RANGE)
        encoder.program.add(ChoiceRule(((which, ()),), (atom("stated__", *_RANGE),)))
        found = self._answer(encoder, ALONE, exact=False)
        if found.verdict == "proved":
            return found
        parts: dict[str, Answer] = {}
        for fact in ranges:
            only = [(clingo.Function("which__", other.arguments), other == fact) for other in ranges]
            answer, model = encoder.program.decide([*only, (_GOAL_ACTIVE, True)], WHOLE)
            if answer is False:
                continue
            measure, low, high = map(str, fact.arguments)
            reason = f"{fact} takes more than {WHOLE:,} conflicts"
            if answer:
                reason = (
                    f"{fact} does not follow from the limits of its parts: state it as limit({measure},{low},{high})"
                )
            part, verdict = part_of("range", measure), "undecided" if answer is None else "falls"
            if not self.totals.can_drop(part):
                return Answer("", verdict, model, reason)
            if part not in parts or parts[part].verdict == "undecided":
                parts[part] = Answer(part, verdict, model, reason)
        return Answer("", "proved", parts=tuple(parts.values()))


_WITHOUT_MOVES: Final = frozenset({DECISION, ("due", 1), TOTAL, ("stand_in", 2), ("chosen", 3), CANDIDATE})
_RANGE: Final = (Var("L"), Var("N"), Var("M"))
_LIMITS: Final = read_rules(
    """
    #false :- limited__(L,N,M), #sum { W,X : counts(L,X,W) } > M.
    """
)
_OUTSIDE: Final = read_rules(
    """
    found__ :- which__(L,N,M), #sum { W,X : counts(L,X,W) } < N.
    found__ :- which__(L,N,M), #sum { W,X : counts(L,X,W) } > M.
    """
)


def refuse_together(ruleset: Ruleset) -> None:
    """Refuses to judge several actions at once if that may say something else than to judge each alone.

    Raises:
        NotDecided: It may: a violation reads what is done, what another action is, or concerns another one.
    """
    if ruleset.not_enumerable:
        raise NotDecided(ruleset.not_enumerable)


def combinations(theory: Theory, schema: ActionSchema) -> int:
    """The number of combinations of arguments that the sorts of a schema allow.

    Sets of cards are not counted, nor arguments that only the decision binds.
    """
    number = 1
    for k, (_, part) in enumerate(independent_groups(schema.guard, variables)):
        own = [n for n in variables(schema.action) if n in variables(*part)]
        if own and not any(a.signature == ("set", 1) for a, _ in atoms(part)):
            head = Atom(f"part{k}__", tuple(map(Var, own)))
            number *= max(1, len(ground_atoms(theory.static, [Rule(head, tuple(part))], (), head.signature)))
    return number


def about_move(theory: Theory, claim: str) -> list[Rule]:
    """The rules of a claim about moves, and those on which they depend."""
    own = [r for r in theory.rules if head_of(r).signature == WRONG and head_of(r).args[0] == fun(claim, ())]
    return [*own, *cone(theory.rules, {s for r in own for s in _reads(r)})]


def _reads(one: Rule) -> set[Signature]:
    return {a.signature for a, _ in atoms(one.body)}


def _read_by(rules: Iterable[Rule]) -> set[Signature]:
    return {s for r in rules for s in _reads(r)} - {CANDIDATE}


def _candidates(rules: Iterable[Rule]) -> list[Term]:
    """The actions in the ``candidate`` atoms of rules' bodies."""
    return [a.args[1] for r in rules for a, _ in atoms(r.body) if a.signature == CANDIDATE]


def _may_be(term: Term, patterns: Iterable[Term]) -> bool:
    """Whether a term unifies with one of these patterns."""
    return any(unify(apart_from_all(term), p, {}) is not None for p in patterns)


def _are_compared(x: Literal, one: Term, other: Term) -> bool:
    """Whether a literal says that one term is at most, or less than, the other."""
    if not isinstance(x, Compare):
        return False
    return (x.left, x.op, x.right) in (
        (one, "<=", other),
        (one, "<", other),
        (other, ">=", one),
        (other, ">", one),
    )
