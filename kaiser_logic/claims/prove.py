"""Proves everything that ``prove`` proves: the invariants of a game, its own claims, and further claims about positions.

A claim ``never QUERY`` is first tried in random games, before any proof: a game that breaks it decides. If the query holds in no
valid position, the claim follows from the invariants. Otherwise it is proved by induction. If a transition from a valid position
breaks the claim, the claim need not be false, as that position need not be reachable. Then the verdict is "not decided", with the
note that it is not inductive. If it is inductive together with a stronger claim, the stronger claim is named.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Final

from ..engine import symbols
from ..errors import NotDecided, TimeIsOver
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import EFFORT, LISTED
from ..evaluation.random_games import Facts, Pair, random_game
from ..lang.printer import show_literal
from ..lang.terms import Atom, Program
from ..query.evaluation import Evaluation
from ..query.find import find
from ..query.formula import AFTER, calculates
from ..query.language import Query
from ..query.open_query import check_calculations
from ..rules.predicates import DUE, ENUMERATION, EXCLUSIVE, LEGAL
from ..solving.check import belongs
from ..solving.proof_cache import PROVED, ProofCache
from ..solving.questions import Setting
from ..solving.report import Counterexample, Proof, ProofReport, unproved_in_words
from ..solving.rounds import BUILT_ON, Resources, Rounds
from ..workers import TOO_SHORT
from .induction import inductive, program_of, refusal_of, stronger
from .parse import Claim, own_claims, parse_claims, vacuous_literal

# -- random games --------------------------------------------------------------------------------------------------
#
# A few random games in which claims are tried before the proofs. They depend on a seed and a limit of decisions only.


_DECISIONS: Final = 200
"""The largest number of decisions in all random games together."""
_GAMES: Final = 20
"""The largest number of random games."""


@dataclass
class RandomGames:
    """The results of random games.

    Attributes:
        counterexamples: One counterexample for each claim that does not hold.
        only_at_rest: The claims that were broken only in positions in which a step is due.
    """

    counterexamples: dict[str, Counterexample] = field(default_factory=dict)
    only_at_rest: set[str] = field(default_factory=set)

    def join(self, other: RandomGames) -> RandomGames:
        """These results and those for other claims."""
        return RandomGames({**self.counterexamples, **other.counterexamples}, self.only_at_rest | other.only_at_rest)


def try_random_games(evaluator: Evaluator, claims: Sequence[Claim], setting: Setting, seed: int = 0) -> RandomGames:
    """Tries claims of the kind ``never`` in random games.

    Args:
        evaluator: The evaluator of the rules in force.
        claims: The claims.
        setting: The setting whose transitions name the moves of counterexamples.
        seed: The seed of the random games.
    """
    checks = {c.id: Evaluation(evaluator, c.query) for c in claims}
    outcome = RandomGames()
    random = Random(seed)
    decisions = 0
    start = evaluator.initial()
    _try_at(outcome, checks, start, Counterexample("start", _fact_texts(start), (), "the start", True))
    for _ in range(_GAMES):
        moved = Counterexample("start", _fact_texts(start), (), "the start", True)
        for pair, after in random_game(evaluator, random, start):
            if pair.actions:
                decisions += 1
                moved = _move(setting, pair)
            _try_at(outcome, checks, after, moved)
            if decisions >= _DECISIONS or len(outcome.counterexamples) == len(checks):
                return outcome
    return outcome


def _move(setting: Setting, pair: Pair) -> Counterexample:
    """A counterexample that consists of a transition of a game."""
    prover = setting.prover
    label = next((t.label for t in prover.transitions if belongs(prover.theory, t, pair)), "what is pending")
    actions = tuple((role, symbols.text(a)) for role, a in pair.actions)
    return Counterexample(label, _fact_texts(pair.facts), actions, "in a random game", True)


def _try_at(outcome: RandomGames, checks: dict[str, Evaluation], after: Facts, example: Counterexample) -> None:
    """Tries the claims in a position; ``example``: the counterexample for those that are broken."""
    at_rest = all(symbols.signature(s) != DUE for s in after)
    for id, check in checks.items():
        if id not in outcome.counterexamples and (at_rest or id not in outcome.only_at_rest) and check.holds(after):
            if at_rest:
                outcome.counterexamples[id] = example
            else:
                outcome.only_at_rest.add(id)


def _fact_texts(facts: Facts) -> tuple[str, ...]:
    return tuple(sorted(map(symbols.text, facts)))


_STRONGER: Final = "__stronger"
_NOT_INDUCTIVE: Final = (
    "not inductive: this move breaks it from this valid position; whether a game comes there is open"
)

Progress = Callable[[str], None]


@dataclass(frozen=True)
class _ProofSettings:
    """The settings of a proof of claims.

    Attributes:
        resources: The processes and the time.
        fresh: Whether cached proofs are ignored.
        together: Decisions that several roles may have at once, though the rulebook does not declare that.
        games: The random games in which the claims were tried; None if they were not.
    """

    resources: Resources
    fresh: bool
    together: frozenset[str] = frozenset()
    games: RandomGames | None = None


def prove_texts(
    evaluator: Evaluator,
    invariants: Sequence[str],
    claims: Sequence[str],
    timeout: float,
    workers: int | None,
    fresh: bool,
) -> ProofReport:
    """Proves invariants, and claims that are given as texts: see `prove`; UnreadableInput if a claim cannot be read."""
    read = parse_claims(claims, (), evaluator.ruleset)
    return prove(evaluator, invariants, read, timeout, workers, fresh=fresh)


def prove(
    evaluator: Evaluator,
    invariants: Sequence[str] = (),
    claims: Sequence[Claim] = (),
    timeout: float = 600.0,
    workers: int | None = None,
    progress: Progress = lambda _: None,
    effort: int = EFFORT,
    fresh: bool = False,
    scheduler: str | None = None,
) -> ProofReport:
    """Proves the named invariants and claims; without any, all of the rulebook.

    Args:
        evaluator: The evaluator of the rules in force.
        invariants: Ids of invariants and of the rulebook's own claims.
        claims: Further claims about positions.
        timeout: The time limit in seconds. Claims that are not decided by then stay open.
        workers: The number of processes; by default one for each core.
        progress: Called with a message after each answer.
        effort: The largest number of positions that are visited to find out whether a counterexample is reachable.
        fresh: Whether to ignore cached proofs.
        scheduler: The address of a Dask scheduler whose workers are used in place of processes on this machine.

    Raises:
        NotDecided: The vocabulary is too large to list.
        WrongUsage: There is no such invariant.
    """
    start = time.monotonic()
    own = own_claims(evaluator.ruleset.book)
    everything = not invariants and not claims
    named_invariants = [i for i in invariants if i not in {c.id for c in own}]
    own_wanted = [c for c in own if everything or c.id in invariants]
    vacuous = [p for c in own_wanted if (p := _vacuous(c, evaluator)) is not None]
    wanted = [*claims, *(c for c in own_wanted if c.id not in {p.claim for p in vacuous})]
    settings = _ProofSettings(Resources(workers, scheduler, start + timeout, progress), fresh)
    fallen, games = _fallen_in_games(evaluator, wanted, settings)
    wanted = [c for c in wanted if c.id not in {p.claim for p in fallen}]
    if fallen and not wanted and not vacuous and not named_invariants and not everything:
        return ProofReport(fallen, [], time.monotonic() - start)
    # the invariants are lemmas for the claims, so they are always proved, too
    asked = named_invariants if named_invariants or everything else [EXCLUSIVE]
    rounds = Rounds(evaluator.ruleset, fresh=fresh)
    report = rounds.run(asked, settings.resources.seconds_left, workers, progress, effort, scheduler)
    if wanted:
        settings = replace(settings, together=rounds.together, games=games)
        try:
            proofs = _prove_claims(evaluator, wanted, report, settings)
        except TimeIsOver:
            proofs = [Proof(c.id, c.statement, "claim") for c in wanted]
            for proof in proofs:
                proof.stays_open(TOO_SHORT)
        fallen = [*fallen, *proofs]
    if fallen:
        order = {c.id: number for number, c in enumerate([*claims, *own_wanted])}
        shown = [p for p in report.proofs if named_invariants or everything or p.status == "falls"]
        report.proofs = [*shown, *sorted(fallen, key=lambda p: order[p.claim])]
    report.proofs += vacuous
    report.seconds = time.monotonic() - start
    return report


def _prove_claims(
    evaluator: Evaluator, wanted: Sequence[Claim], report: ProofReport, settings: _ProofSettings
) -> list[Proof]:
    """Proves claims; ``report``: the verdicts on the invariants that they rest on."""
    proofs = _prove_given_all(evaluator, wanted, settings)
    base = {c: status for c, status in report.unproved.items() if c in BUILT_ON}
    never = [(c, p) for c, p in zip(wanted, proofs, strict=True) if c.kind == "never" and p.status == "proved"]
    if base:
        for _, proof in never:
            proof.stays_open(f"proved only given {unproved_in_words([next(iter(base))], base)}")
    elif report.unproved and never:
        _reprove_without(evaluator, never, report.unproved, settings)
    if not any(p.claim == ENUMERATION and p.status == "proved" for p in report.proofs):
        for claim, proof in zip(wanted, proofs, strict=True):
            if proof.status != "undecided" and (claim.query.asks(LEGAL) or claim.query.asks(AFTER)):
                proof.statement += f" ({LISTED})"
    return proofs


def _fallen_in_games(
    evaluator: Evaluator, claims: Sequence[Claim], settings: _ProofSettings
) -> tuple[list[Proof], RandomGames | None]:
    """The claims that random games break, and these games; None if the claims are proved already, or time is over."""
    never = [c for c in claims if c.kind == "never" and not calculates(c.query.formula)]
    if not never or _cached_proofs(evaluator, claims, settings.fresh):
        return [], None
    games = settings.resources.ask_once(partial(try_random_games, evaluator, never, Setting(evaluator.ruleset))).value
    broken = {} if games is None else games.counterexamples
    fallen = {c.id: Proof(c.id, c.statement, "claim") for c in never if c.id in broken}
    for id, proof in fallen.items():
        proof.falls(broken[id])
    return list(fallen.values()), games


def _vacuous(claim: Claim, evaluator: Evaluator) -> Proof | None:
    """The open proof of a claim of the rulebook that says nothing under these rules; None for other claims."""
    why = vacuous_literal(claim, evaluator.ruleset)
    proof = Proof(claim.id, claim.statement, "claim") if why else None
    if proof is not None:
        proof.stays_open(f"it says nothing of any position here: {why}")
    return proof


def _prove_given_all(evaluator: Evaluator, claims: Sequence[Claim], settings: _ProofSettings) -> list[Proof]:
    """Proves claims under the assumption of all invariants of the rules, or takes their proofs from the cache."""
    proofs = _cached_proofs(evaluator, claims, settings.fresh)
    if not proofs:
        proofs = _prove_in_positions(evaluator, claims, settings)
        _cache_proofs(evaluator, claims, proofs)
    return proofs


def _reprove_without(
    evaluator: Evaluator,
    proved: Sequence[tuple[Claim, Proof]],
    unproved: Mapping[str, str],
    settings: _ProofSettings,
) -> None:
    """Proves claims again without the invariants that are not proved, and changes the proofs that fail then.

    Args:
        evaluator: The evaluator of the rules in force.
        proved: The claims that are proved given all invariants, with their proofs.
        unproved: The invariants that are not proved, each with its status.
        settings: The settings of the proofs.
    """
    weaker = Evaluator(evaluator.ruleset.dropping(unproved))
    for (_, proof), later in zip(proved, _prove_given_all(weaker, [c for c, _ in proved], settings), strict=True):
        proof.statement = later.statement
        proof.counterexamples = later.counterexamples
        if later.status == "falls":
            proof.status, proof.notes = later.status, later.notes
        elif later.status != "proved":
            facts = (frozenset(map(symbols.read_symbol, e.facts)) for e in later.counterexamples)
            broken = {name for f in facts for name, _ in evaluator.broken_invariants(f, waive=False)}
            proof.given = tuple(name for name in unproved if name in broken) or tuple(unproved)
            how = "holds" if later.counterexamples else "proved"
            proof.stays_open(f"{how} only given {unproved_in_words(proof.given, unproved)}")
            proof.notes += [f"without it: {note}" for note in later.notes if not later.counterexamples]


def _cached_proofs(evaluator: Evaluator, claims: Sequence[Claim], fresh: bool) -> list[Proof]:
    """The cached proofs of claims; empty unless all of them are cached for exactly these rules and claims.

    The proofs are cached together, because claims can be inductive only together.
    """
    kept = ProofCache(Setting(evaluator.ruleset).claiming, fresh)
    proved = kept.get(*_key(claims)) == PROVED
    return [Proof(c.id, c.statement, "claim") for c in claims] if proved else []


def _cache_proofs(evaluator: Evaluator, claims: Sequence[Claim], proofs: Sequence[Proof]) -> None:
    """Caches the proofs of claims, if all are proved without changes of their statements and without notes."""
    stated = all(p.statement == c.statement for p, c in zip(proofs, claims, strict=True))
    if stated and all(p.status == "proved" and not p.notes for p in proofs):
        ProofCache(Setting(evaluator.ruleset).claiming).store(PROVED, *_key(claims))


def _key(claims: Sequence[Claim]) -> list[str]:
    """The key of cached proofs of claims, in addition to the rules."""
    return ["claims", *(part for c in claims for part in (c.id, c.kind, c.query.source))]


def _prove_in_positions(evaluator: Evaluator, claims: Sequence[Claim], settings: _ProofSettings) -> list[Proof]:
    """Proves claims: random games, if they were not played yet; then for ``some`` a query, for ``never`` an induction."""
    proofs = {c.id: Proof(c.id, c.statement, "claim") for c in claims}
    resources = settings.resources
    for claim in filter(lambda claim: calculates(claim.query.formula), claims):
        checked = resources.ask_once(partial(check_calculations, evaluator, claim.query))
        if checked.failure is not None:
            proofs[claim.id].stays_open(checked.reason)
    claims = [c for c in claims if proofs[c.id].status == "proved"]
    games = settings.games or RandomGames()
    untried = [c for c in claims if c.kind == "never" and (not settings.games or calculates(c.query.formula))]
    setting = Setting(evaluator.ruleset, together=settings.together)
    if untried:
        answer = resources.ask_once(partial(try_random_games, evaluator, untried, setting))
        if answer.value is not None:
            games = games.join(answer.value)
        for claim in untried if answer.value is None else ():
            proofs[claim.id].stays_open(f"random games: {answer.reason}")
    left: list[Claim] = []
    for claim in claims:
        resources.progress(f"claim {claim.id}")
        proof = proofs[claim.id]
        if claim.id in games.counterexamples:
            proof.falls(games.counterexamples[claim.id])
        elif claim.kind == "some":
            _prove_existence(evaluator, claim, proof, resources)
        elif proof.status == "proved":
            left.append(claim)
    if not resources.seconds_left:
        for claim in left:
            proofs[claim.id].stays_open(TOO_SHORT)
    elif left:
        _induction(evaluator, left, games, proofs, settings)
    return list(proofs.values())


def _prove_existence(evaluator: Evaluator, claim: Claim, proof: Proof, resources: Resources) -> None:
    """Proves a claim ``some QUERY`` by a valid position, and notes the result."""
    try:
        answer = find(evaluator, claim.query.source, timeout=max(0.1, resources.seconds_left))
    except NotDecided as error:
        proof.stays_open(str(error))
        return
    if not answer.positions:
        if answer.exhausted:
            proof.status = "falls"
            proof.notes.append("no valid position has this property (proved)")
        else:
            proof.stays_open(answer.reason or "none was found")


def _is_impossible(evaluator: Evaluator, claim: Claim, resources: Resources) -> bool:
    """Whether it is proved that the query of a claim holds in no valid position."""
    try:
        answer = find(evaluator, claim.query.source, timeout=max(0.1, resources.seconds_left))
    except NotDecided:
        return False
    return not answer.positions and answer.exhausted


def _induction(
    evaluator: Evaluator,
    claims: Sequence[Claim],
    games: RandomGames,
    proofs: dict[str, Proof],
    settings: _ProofSettings,
) -> None:
    """Proves claims by induction, and notes the results in their proofs."""
    ruleset, resources, together = evaluator.ruleset, settings.resources, settings.together
    programs: dict[str, Program] = {}
    for claim in claims:
        what = refusal_of(claim.query, ruleset)
        if what is None:
            programs[claim.id] = program_of(claim.id, claim.query, claim.id in games.only_at_rest)
        elif not _is_impossible(evaluator, claim, resources):
            proofs[claim.id].stays_open(
                f"the query holds in some valid position, and an induction cannot prove claims about {what}"
            )
    if not programs:
        return
    try:
        answers = inductive(ruleset, programs, resources, together, settings.fresh)
    except NotDecided as reason:
        for id in programs:
            proofs[id].stays_open(str(reason))
        return
    lost = [c for c in claims if c.id in answers and answers[c.id].status == "falls"]
    helped = _stronger_claims(evaluator, lost, programs, settings)
    for id, one in answers.items():
        proof = proofs[id]
        if id in helped:
            proof.statement += f" (inductive with the stronger claim: {helped[id]})"
        elif one.status == "falls":
            example = min(one.counterexamples, key=lambda e: not e.actions)  # a move, if there is one
            proof.stays_open(_NOT_INDUCTIVE)
            proof.counterexamples.append(replace(example, witness="the claim"))
        elif one.status != "proved":
            proof.stays_open(one.notes[0])


def _stronger_claims(
    evaluator: Evaluator, lost: Sequence[Claim], programs: Mapping[str, Program], settings: _ProofSettings
) -> dict[str, str]:
    """For each claim that is inductive together with a stronger one, that stronger claim in words."""
    candidates = _stronger_candidates(evaluator, lost, settings)
    if not candidates:
        return {}
    extended = {**programs, **{id: program_of(id, query) for id, query in candidates.items()}}
    proofs = inductive(evaluator.ruleset, extended, settings.resources, settings.together, settings.fresh)
    proved_claims = {c for c, proof in proofs.items() if proof.status == "proved"}
    helped = {}
    for claim in lost:
        used = [c for c in candidates if c.startswith(claim.id + _STRONGER) and c in proved_claims]
        if claim.id in proved_claims and used:
            (rule,) = candidates[used[0]].values(Atom("claim", ()))
            helped[claim.id] = "never " + ", ".join(map(show_literal, rule.body))
    return helped


def _stronger_candidates(evaluator: Evaluator, claims: Sequence[Claim], settings: _ProofSettings) -> dict[str, Query]:
    """The stronger claims, by new ids, that random games do not break."""
    known = {f"{claim.id}{_STRONGER}{k}": query for claim in claims for k, query in enumerate(stronger(claim.query))}
    if not known:
        return {}
    tried = [Claim(id, "never", query, "") for id, query in known.items()]
    games = try_random_games(evaluator, tried, Setting(evaluator.ruleset, together=settings.together))
    return {id: q for id, q in known.items() if id not in games.counterexamples and id not in games.only_at_rest}
