"""Finds legal games that lead to a position with a property."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice

from .. import clingo
from ..batch.optional import is_installed
from ..engine import symbols
from ..engine.invariants import invariants
from ..engine.ruleset import Ruleset
from ..errors import NotDecided, WrongUsage
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import REACHABLE
from ..game import Game
from ..notation.record import Item, PositionBlock, Record, RecordedFact
from ..notation.syntax import parse_user_term
from ..position import Position
from ..query.evaluation import Evaluation
from ..query.find import find
from ..query.goal import QueryGoal
from ..query.language import Query
from ..query.mistakes import read_query
from ..records.tags import record_under
from ..rules.predicates import EXCLUSIVE, LEGAL
from ..solving.games import pending_at_once
from ..solving.questions import Setting
from ..solving.report import ProofReport
from ..solving.rounds import BUILT_ON, Rounds
from ..unrolling.circuit import FOREVER
from .search import (
    TO_A_POSITION,
    BreadthFirst,
    Goal,
    Node,
    PositionGoal,
    Search,
    SearchLimits,
    Space,
)

Progress = Callable[[str], None]
_TELLING = 1.0
"""The time in seconds between two messages about the progress."""
_FINDING = 10.0
"""The time limit in seconds for the question whether any valid position has the property. At most a third of the time."""
_LEAST = 0.1
"""The least time for a search, in seconds."""
_LOOKED = 1_000
"""The work, in positions made, of the search for games if no valid position has the property: an invariant may be false."""
_WALKED, _WALKING = 100_000, 0.8
"""The limits of a walk through all positions without circuits: the positions made, and the share of the time that is left."""
_AIMS, _AIMED = 3, 1_500
"""The number of valid positions to which a search looks for a game, and its work for each in positions made."""
_FAR, _FURTHER, _BEYOND, _NO_END = 200, 10, 3_000, 3600.0
"""The limits of `moves_beyond`: the least number of moves, its factor, the work in positions made, and the seconds."""
_SHOWN = 60
"""The largest number of facts of a position that is written out in a message."""


@dataclass(frozen=True)
class ReachResult:
    """The result of a search for games that lead to a property.

    Attributes:
        records: Legal games that end in different positions with the property, the shortest first.
        proved_none: Whether it is proved that there are no other games; with ``smallest``, no shorter ones.
        by_invariants: Whether that proof uses the invariants. They are then proved, too.
        false: The invariants that are broken at the end of one of these games. They do not hold in every game.
        share: The share of the positions of random games that have the property, in words; empty without random games.
        seen: The number of all positions that shorter games reach, without records those of all games of the length: if they were
            all looked at, there are no shorter games. Otherwise 0.
    """

    records: tuple[Record, ...]
    proved_none: bool
    by_invariants: bool = False
    false: tuple[str, ...] = ()
    share: str = ""
    seen: int = 0


def reach(
    start: Game | Position,
    goal: Goal,
    limits: SearchLimits | None = None,
    *,
    count: int = 1,
    smallest: bool = False,
    seed: int = 0,
    progress: Progress = lambda _: None,
    known: Sequence[Node] = (),
    began: float | None = None,
) -> ReachResult:
    """Searches for legal games that lead to positions with the goal's property.

    Args:
        start: A position, or a game for its first position.
        goal: The property. A `SymbolicGoal` allows a further strategy.
        limits: The limits of the search; by default 60 moves and 60 seconds.
        count: The number of games, which lead to different positions.
        smallest: Whether to continue with shorter games until there are none or a limit is reached.
        seed: The seed of the random numbers. With the same seed the search is the same.
        progress: Called from time to time with a message.
        known: Nodes with different positions that have the property.
        began: When the time began that a message tells, by :func:`time.monotonic`; by default now.

    Raises:
        NotDecided: Within the limits, neither a game was found nor a proof that there is none.
    """
    limits = limits or SearchLimits()
    began = time.monotonic() if began is None else began
    search = Search(start.initial() if isinstance(start, Game) else start, goal, limits, seed)
    nodes = {node.position: node for node in known}
    reported = time.monotonic()
    for node in chain([None], search):
        if node is not None and (node.position not in nodes or node.moves < nodes[node.position].moves):
            nodes[node.position] = node
        if len(nodes) >= count:
            if not smallest:
                break
            nodes = {n.position: n for n in _shortest(nodes)[:count]}
            search.space.most = min(search.space.most, max(n.moves for n in nodes.values()) - 1)
        if time.monotonic() - reported > _TELLING:
            reported = time.monotonic()
            progress(search.space.state())
    if not nodes and not search.exhausted:
        within = f"in {time.monotonic() - began:.1f} seconds"
        if search.space.work >= limits.positions:
            within = f"by the work of making {limits.positions} positions"
        raise NotDecided(f"no such game of at most {limits.moves} moves was found {within}")
    ends = _shortest(nodes)[:count]
    return ReachResult(tuple(_record(start, node) for node in ends), search.exhausted, false=_false(ends))


def _broken_invariants(position: Position) -> set[str]:
    """The invariants that a position breaks and no ruling waives."""
    broken = {name for name, _ in position.evaluator.broken_invariants(position.symbols, waive=False)}
    return broken - position.ruleset.waived


def _shortest(nodes: Mapping[Position, Node]) -> list[Node]:
    return sorted(nodes.values(), key=lambda node: node.moves)


def _record(start: Game | Position, node: Node) -> Record:
    """The record of the moves to a node. It begins with a position block if the search did not begin at the game's start."""
    items: list[Item] = list(node.items())
    rules = start.ruleset
    if isinstance(start, Position) and start.symbols != start.evaluator.initial():
        items.insert(
            0,
            PositionBlock(tuple(RecordedFact(parse_user_term(fact)) for fact in rules.book.sort_facts(start.facts))),
        )
    return record_under(rules, items)


def find_reachable(
    game: Game,
    query: str,
    moves: int,
    timeout: float = 60.0,
    count: int = 1,
    origin: Position | None = None,
    smallest: bool = False,
    progress: Progress = lambda _: None,
    began: float | None = None,
) -> ReachResult:
    """Legal games that end in positions in which a query holds.

    First the solver is asked whether the query holds in any valid position. If it does, it gives a few positions, and a short
    search looks for games to them. If it does not, no legal game reaches one,
    provided that all positions of legal games are valid. Then a short search looks for a game nevertheless, and if there is
    none, the invariants are proved as by ``prove``, with its cached proofs. All this is omitted for queries about ``legal``,
    and if the search begins at a position that breaks an invariant or in which decisions or steps are pending together that
    proofs exclude.

    Args:
        game: The game.
        query: A query as for ``find``.
        moves: The largest number of moves.
        timeout: The time limit in seconds.
        count: The number of games, which lead to different positions.
        origin: The position to begin at; by default the game's start.
        smallest: Whether to continue with shorter games.
        progress: Called from time to time with a message.
        began: When the time began, by :func:`time.monotonic`; by default now.

    Raises:
        NotDecided: The time was too short, or an invariant is false or not proved.
        UnreadableInput, WrongUsage: The text is not a query of this game, or ``origin`` is a position of another game.
    """
    if origin is not None and origin.ruleset.configuration != game.configuration:
        raise WrongUsage("the first position belongs to another game, or to one with other settings")
    began = time.monotonic() if began is None else began
    deadline = began + timeout
    goal = QueryGoal(game.ruleset, read_query(query, game.ruleset))
    begin = origin or game.initial()
    has_circuits = is_installed() and not goal.query.asks(LEGAL)

    def search(work: float = FOREVER, known: Sequence[Node] = ()) -> ReachResult:
        """The result of a search with this amount of work."""
        progress("looking for a game")
        limits = SearchLimits(moves, work, max(_LEAST, deadline - time.monotonic()))
        return reach(begin, goal, limits, count=count, smallest=smallest, progress=progress, known=known, began=began)

    def walk() -> ReachResult | None:
        """The nearest games, by a walk through all positions; None if there are too many positions, or too few near games."""
        walked = None
        with suppress(NotDecided):
            if has_circuits:
                end = (time.monotonic() + deadline) / 2
                walked = _nearest(begin, goal, moves, count, end, progress)
            if walked is None:
                limits = SearchLimits(moves, _WALKED, max(_LEAST, _WALKING * (deadline - time.monotonic())))
                space = Space(begin, _EvaluatedQuery(game.evaluator, goal.query), limits)
                walked = _nearest_one_by_one(space, count, progress)
        if walked and (not walked[0] or smallest or len(walked[0]) >= count):
            nodes, seen = walked
            records = tuple(_record(origin or game, node) for node in nodes)
            return ReachResult(records, smallest or not nodes, false=_false(nodes), seen=seen)
        return None

    def searched_and_sampled() -> ReachResult:
        """The result of a walk through all positions, of random games and of a search."""
        sample = _RandomGames(game, query, moves) if has_circuits else None
        if not (sample and sample.are_ready) and not smallest:
            with suppress(NotDecided):
                return search(_LOOKED)
        if (result := walk()) is not None:
            return result
        aimed = _games_to_valid_positions(begin, goal, query, moves, deadline, progress)
        if sample is None or origin is not None:
            return search(known=aimed)
        examples = sample.examples(count, (time.monotonic() + deadline) / 2, progress)
        try:
            return replace(search(known=[*aimed, *examples]), share=sample.share)
        except NotDecided as error:
            raise NotDecided(f"{error}; it holds {sample.share}" if sample.share else str(error)) from None

    proofs_apply = origin is None or not (_broken_invariants(begin) or _several(game.ruleset, begin.symbols))
    if (
        not proofs_apply
        or goal.query.asks(LEGAL)
        or not _in_no_valid_position(game.evaluator, query, min(_FINDING, timeout / 3))
    ):
        return searched_and_sampled()
    with suppress(NotDecided):
        return search(_LOOKED)
    progress("proving the invariants")
    proof = _prove_none(game.evaluator, query, deadline)
    if proof.holds:
        return ReachResult((), True, True)
    if not proof.wrong:
        raise NotDecided(proof.why)
    try:
        return search()
    except NotDecided as error:
        raise NotDecided(f"{proof.why}; {error}") from None


def _nearest(
    begin: Position, goal: QueryGoal, moves: int, count: int, deadline: float, progress: Progress
) -> tuple[list[Node], int] | None:
    """The nodes of the nearest positions in which the query holds, and the number of all positions nearer than these.

    None if circuits cannot do all of the work.

    Raises:
        NotDecided: There are too many positions, or the time is over.
    """
    from ..batch.level_search import walk_levels
    from ..batch.population import Derived

    report = walk_levels(
        begin,
        lambda layout: Derived(layout, goal.program, ("query__", 0)),
        moves,
        count,
        deadline=deadline,
        progress=progress,
    )
    if report is None:
        return None
    nodes = [
        _link_nodes([(at, {r: symbols.read_symbol(a) for r, a in taken.items()}) for at, taken in game])
        for game in report.games
    ]
    if not all(goal.holds(node.position) for node in nodes):
        raise NotDecided("a fault of the tool: circuits found a position in which the query does not hold")
    return nodes, report.positions


class _EvaluatedQuery:
    """A query as a goal without a distance, which compiled rules evaluate: much faster than one with a distance."""

    words: frozenset[str] = frozenset()

    def __init__(self, evaluator: Evaluator, query: Query) -> None:
        self._evaluation = Evaluation(evaluator, query)

    def holds(self, position: Position) -> bool:
        """Whether the query holds in a position."""
        return self._evaluation.holds(position.symbols)

    def distance(self, position: Position) -> int:
        """0 if it holds, else 1."""
        return 0 if self.holds(position) else 1


def _nearest_one_by_one(space: Space, count: int, progress: Progress) -> tuple[list[Node], int]:
    """The same as `_nearest` without circuits, within the limits of a space.

    Raises:
        NotDecided: A limit was reached, or will be if each later level is only as large as the present one; or there were too
            many actions to list.
    """
    walk, reported = BreadthFirst(space), time.monotonic()
    nodes: list[Node] = []
    for node in walk.run():
        nodes += [] if node is None else [node]
        least = min((n.moves for n in nodes), default=space.most + 1)
        if walk.moves >= least or (walk.moves + 1 == least and len(nodes) >= count):
            break
        if space.spent or walk.expected > space.limits.positions:
            raise NotDecided("there are too many positions")
        if time.monotonic() - reported > _TELLING:
            reported = time.monotonic()
            progress(f"all positions of games: {len(walk.seen):,}")
    if not walk.listed:
        raise NotDecided("there are too many actions to list")
    least = min((node.moves for node in nodes), default=space.most + 1)
    shorter = sum(moves < least for moves in walk.seen.values())
    return [node for node in nodes if node.moves == least][:count], shorter


def _link_nodes(game: Iterable[tuple[Position, Mapping[str, clingo.Symbol]]]) -> Node:
    """The node at the end of a game, which is given by its positions with the decisions in each.

    Raises:
        NotDecided: The plain engine does not play it.
    """
    (first, taken), *rest = game
    node = Node(first)
    for position, following in rest:
        judgement = first.evaluator.judge(node.position.symbols, taken)
        if judgement.violations or node.position.successor(judgement) != position:
            raise NotDecided("a fault of the tool: circuits found a game that is not legal")
        node = Node(position, node, tuple(taken.items()), node.moves + len(taken))
        taken = following
    return node


def _games_to_valid_positions(
    begin: Position, goal: QueryGoal, query: str, moves: int, deadline: float, progress: Progress
) -> list[Node]:
    """The nodes of valid positions with the property, as the solver finds them, to which a short search finds a game."""
    progress("looking for games to positions with the property")
    nodes: list[Node] = []
    with suppress(NotDecided):
        for facts in find(begin.evaluator, query, _AIMS, (deadline - time.monotonic()) / 6).positions:
            limits = SearchLimits(moves, _AIMED, max(_LEAST, (deadline - time.monotonic()) / 6))
            aim = PositionGoal(map(symbols.read_symbol, facts))
            hits = filter(None, Search(begin, aim, limits, shares=TO_A_POSITION))
            nodes += [node for node in islice(hits, 1) if goal.holds(node.position)]
    return nodes


def _false(nodes: Sequence[Node]) -> tuple[str, ...]:
    """The invariants that are broken at one of these nodes."""
    return tuple(sorted({name for node in nodes for name in _broken_invariants(node.position)}))


class _RandomGames:
    """Evaluates a query in the positions of random games, by circuits.

    Attributes:
        are_ready: Whether the game's circuits are cached.
        share: The share of positions in which the query holds, in words; empty before `examples`.
    """

    def __init__(self, game: Game, query: str, moves: int) -> None:
        """Random games of at most ``moves`` moves. They need the extra for circuits."""
        from ..batch.population import are_cached

        self._game, self._query, self._moves = game, query, moves
        self.are_ready = are_cached(game.evaluator)
        self.share = ""

    def examples(self, count: int, deadline: float, progress: Progress) -> list[Node]:
        """At most ``count`` different positions in which the query holds, those after the fewest moves first."""
        from ..batch.population import Derived, search_random_games

        evaluator = self._game.evaluator
        goal = QueryGoal(evaluator.ruleset, read_query(self._query, evaluator.ruleset))
        population = search_random_games(
            evaluator,
            lambda layout: Derived(layout, goal.program, ("query__", 0)),
            self._moves,
            deadline=deadline,
            progress=progress,
        )
        if population is None or not population.positions:
            return []
        self.share = str(population)
        nodes = [_link_nodes(hit.playout(evaluator)) for hit in population.examples[:count]]
        return [node for node in nodes if goal.holds(node.position)]


def moves_beyond(
    start: Game | Position,
    query: str,
    moves: int,
    progress: Progress = lambda _: None,
    seconds: float = _NO_END,
) -> int | None:
    """The number of moves of a game that reaches the query beyond a limit of moves.

    None if a short search finds no such game, which proves nothing.
    """
    goal = QueryGoal(start.ruleset, read_query(query, start.ruleset))
    limits = SearchLimits(max(_FURTHER * moves, _FAR), _BEYOND, seconds)
    try:
        result = reach(start, goal, limits, progress=progress)
    except NotDecided:
        return None
    return min((len(record.moves) for record in result.records), default=None)


def _several(ruleset: Ruleset, facts: frozenset[clingo.Symbol]) -> bool:
    """Whether decisions or steps are pending together that proofs exclude; also True if the rules are beyond proofs."""
    try:
        return pending_at_once(Setting(ruleset).prover.theory, facts) != ""
    except NotDecided:
        return True


def _in_no_valid_position(evaluator: Evaluator, query: str, seconds: float) -> bool:
    """Whether it is proved, within some seconds, that no valid position has this property."""
    try:
        answer = find(evaluator, query, timeout=max(_LEAST, seconds))
    except NotDecided:
        return False
    return not answer.positions and answer.exhausted


@dataclass(frozen=True)
class _Proof:
    """The answer to the question whether the invariants prove that no game reaches a property.

    Attributes:
        holds: Whether that is proved.
        why: The reason if it is not.
        wrong: Whether an invariant is false, or an invariant that the proof needs is not proved.
    """

    holds: bool
    why: str = ""
    wrong: bool = False


def _prove_none(evaluator: Evaluator, query: str, deadline: float) -> _Proof:
    """Proves the invariants, or finds their proofs in the cache, if no valid position has this property."""
    rounds = Rounds(evaluator.ruleset, fresh=False)
    if rounds.proved_before():
        return _Proof(True)
    supposed = (*invariants(evaluator.ruleset).assumed, EXCLUSIVE)
    report = rounds.run(supposed, max(_LEAST, deadline - time.monotonic()), workers=None)
    base = [claim for claim in report.unproved if claim in BUILT_ON]
    if base:
        return _Proof(False, _why_unproved(report, base), any(report.unproved[claim] == "falls" for claim in base))
    if report.unproved:
        weaker = Evaluator(evaluator.ruleset.dropping(report.unproved))
        if not _in_no_valid_position(weaker, query, min(_FINDING, deadline - time.monotonic())):
            return _Proof(False, _why_unproved(report, list(report.unproved)), True)
    return _Proof(True)


def _why_unproved(report: ProofReport, unproved: Sequence[str]) -> str:
    """The reason why "no valid position has this property" proves nothing: an invariant is false or not proved."""
    name = next((claim for claim in unproved if report.unproved[claim] == "falls"), unproved[0])
    proof = next((p for p in report.proofs if p.claim == name), None)
    verdict_text = f"no valid position has this property, but the invariant {name} is"
    if proof is None or not proof.counterexamples:
        why = f" ({proof.notes[0]})" if proof is not None and proof.notes else ""
        return f"{verdict_text} not proved{why}"
    example = proof.counterexamples[0]
    reached = example.replayed and example.origin is not None and example.origin.verdict == REACHABLE
    moves = ", ".join(f"{role}: {action}" for role, action in example.actions) or example.transition
    facts = " ".join(f"{fact}." for fact in example.facts)
    where = f": {facts}" if len(example.facts) <= _SHOWN else f" that `prove` shows ({name})"
    if reached:
        return f"{verdict_text} false: in a game {moves} breaks it, at the position{where}"
    return f"{verdict_text} not proved: {moves} breaks it, at the position{where} It is {example.origin}"
