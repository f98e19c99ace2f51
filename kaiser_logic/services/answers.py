"""The answers to an assistant: plain data, computed in a child process.

The games are those of the package and of ``KAISER_LOGIC_GAMES``. A question cannot name a folder, and no file that a record
names is opened. Each answer about all positions has a ``verdict``, one of ``found``, ``none``, ``proved``, ``falls``,
``different``, ``same`` and ``not decided``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import NotDecided, WrongUsage
from ..evaluation.explanation import allows
from ..explorer.record_handlers import games as listed
from ..explorer.state import action_text, number_of, strings, text_of, with_board
from ..game import Game, load
from ..notation.reading import parse_record
from ..notation.syntax import parse_move
from ..records.checking import report_of
from ..records.replay import Replay
from ..rules.library import games as ids
from ..rules.library import no_such_game
from ..rules.loader import rulebook
from ..rules.rulebook import Rulebook, RuleDoc
from .questions import MOST_SECONDS

MOST_POSITIONS: Final = 10
MOST_CLAIMS: Final = 50
NOT_DECIDED: Final = "not decided"

Data = Mapping[str, Any]
Answer = dict[str, Any]


def games(data: Data) -> Answer:
    """The games with their editions, rulings, roles and start tags."""
    return listed(data)


def rules(data: Data) -> Answer:
    """The documented rules: all with their statements, or those whose id or text contains some words, with their sources."""
    book = _book(text_of(data, "game"))
    edition, wanted = text_of(data, "edition", ""), text_of(data, "rule", "").lower().split()
    if edition and edition not in book.editions:
        raise WrongUsage(
            f"{book.id} has no edition {edition!r}; the editions are: {', '.join(book.editions)}"
        )
    docs = [
        doc for doc in book.docs.values() if all(w in f"{doc.id} {doc.statement}".lower() for w in wanted)
    ]
    if not docs:
        raise WrongUsage(f"no rule of {book.id} contains these words")
    return {"game": book.id, "rules": [_rule(doc, edition, whole=bool(wanted)) for doc in docs]}


def _rule(doc: RuleDoc, edition: str, *, whole: bool) -> Answer:
    """A documented rule; ``whole``: with its sources, or that of one edition, and its place."""
    answer: Answer = {"id": doc.id, "kind": doc.kind, "statement": doc.statement}
    if whole:
        sources = {edition: doc.sources[edition]} if edition in doc.sources else dict(doc.sources)
        answer |= {"sources": sources, "file": doc.file, "line": doc.line}
    return answer


# -- records ---------------------------------------------------------------------------------------------------


def legal(data: Data) -> Answer:
    """The position after a number of moves of a record, and all legal actions there."""
    replay = _replay(data)
    position = replay.here()
    answer: Answer = {
        "position": position.ruleset.book.ordered(position.facts),
        "to_move": list(position.to_move),
    }
    result = position.result()
    if result is not None:
        return {
            **answer,
            "legal": {},
            "result": {"points": dict(result.points), "winners": list(result.winners)},
        }
    try:
        return {**answer, "legal": {role: list(actions) for role, actions in replay.legal().items()}}
    except NotDecided as error:
        return {**answer, "legal": None, "verdict": NOT_DECIDED, "reason": str(error)}


def why(data: Data) -> Answer:
    """Explains why an action is legal at a place of a record, or lists all rules that it breaks."""
    replay = _replay(data)
    position = replay.here()
    role, action = text_of(data, "role"), text_of(data, "action")
    move = parse_move(f"{role}: {action}")
    if move.action is None or "?" in str(move.action):
        raise WrongUsage("the action must not contain a '?'")
    violations, _ = replay.judge(role, move.action)
    text = action_text(position, move.action)
    answer: Answer = {"role": role, "action": text, "legal": not violations}
    if violations:
        broken = [
            {
                "rule": one.rule,
                "statement": one.statement,
                "message": one.message,
                "facts": list(one.facts),
                "missing": list(one.absent),
                "sources": dict(one.sources),
                "rulings": dict(one.rulings),
            }
            for one in violations
        ]
        return {**answer, "broken": broken}
    kept = allows(position.ruleset, position.symbols, role, text)
    return {**answer, "kept": [{"rule": id, "statement": s, "facts": list(facts)} for id, s, facts in kept]}


def check(data: Data) -> Answer:
    """All faults of a record."""
    on_illegal = text_of(data, "on_illegal", "stop")
    if on_illegal not in ("stop", "skip", "force"):
        raise WrongUsage(f"on_illegal must be stop, skip or force, not {on_illegal[:20]!r}")
    record = with_board(parse_record(text_of(data, "record")), text_of(data, "board", "") or None)
    replay = Replay(record, on_illegal)  # type: ignore[arg-type]
    replay.run()
    return report_of(replay).as_json()


def _replay(data: Data) -> Replay:
    """Replays the record up to its place; FaultyRecord if that is impossible."""
    record = with_board(parse_record(text_of(data, "record")), text_of(data, "board", "") or None)
    moves = data.get("moves")
    return Replay.at(record, None if moves is None else number_of(data, "moves", 0, 10**6))


# -- all positions ---------------------------------------------------------------------------------------------


def find(data: Data) -> Answer:
    """Valid positions in which a query holds."""
    game, seconds = _game(data), _seconds(data)
    count = max(1, number_of(data, "count", 1, MOST_POSITIONS))
    try:
        found = game.find_result(text_of(data, "query"), count, timeout=seconds)
    except NotDecided as error:
        return _undecided(game, error)
    positions = [
        {
            "facts": position.ruleset.book.ordered(position.facts),
            "because": found.because[number] if number < len(found.because) else "",
        }
        for number, position in enumerate(found.positions)
    ]
    if not positions and not found.exhausted:
        return _undecided(game, found.reason or found.note)
    return {
        "verdict": "found" if positions else "none",
        **_presupposed(game),
        "positions": positions,
        "all": found.exhausted,
        "note": " ".join(filter(None, (found.note, found.reason))),
    }


def prove(data: Data) -> Answer:
    """The proofs of invariants and claims of a game, or counterexamples."""
    game, seconds = _game(data), _seconds(data)
    named = strings(data.get("invariants") or [], "invariants", MOST_CLAIMS)
    claims = strings(data.get("claims") or [], "claims", MOST_CLAIMS)
    try:
        report = game.prove(named, claims=claims, timeout=seconds)
    except NotDecided as error:
        return _undecided(game, error)
    falls = any(proof.status == "falls" for proof in report.proofs)
    return {
        "verdict": "proved" if report.proved else "falls" if falls else NOT_DECIDED,
        **_presupposed(game),
        "given": list(report.given),
        "proofs": [_proof(proof.as_json()) for proof in report.proofs],
    }


def _proof(answer: dict[str, Any]) -> Answer:
    """A proof with its first counterexample."""
    status = NOT_DECIDED if answer["status"] == "undecided" else answer["status"]
    return {**answer, "status": status, "counterexamples": answer["counterexamples"][:1]}


def compare(data: Data) -> Answer:
    """Compares two editions, ruling by ruling."""
    from ..comparison.compare import compare as contrast

    first, second = (_game({**data, "edition": text_of(data, name)}) for name in ("first", "second"))
    try:
        found = contrast(first, second, _seconds(data))
    except NotDecided as error:
        return _undecided(first, error)
    differences = [
        {
            "ruling": one.ruling.name,
            "about": one.ruling.about,
            "values": list(one.values),
            "verdict": "different" if one.how else "same" if one.complete else NOT_DECIDED,
            "words": one.words,
            "record": None if one.record is None else str(one.record),
        }
        for one in found
    ]
    different = any(one["verdict"] == "different" for one in differences)
    complete = all(one["verdict"] == "same" for one in differences)
    return {
        "verdict": "different" if different else "same" if complete else NOT_DECIDED,
        **_presupposed(first),
        "rulings": differences,
    }


def _undecided(game: Game, reason: object) -> Answer:
    return {"verdict": NOT_DECIDED, **_presupposed(game), "reason": str(reason)}


def _presupposed(game: Game) -> Answer:
    """The conditions under which an answer is true: edition, seats and rulings."""
    return {
        "for": {
            "game": game.id,
            "edition": game.edition,
            "seats": list(game.seats),
            "rulings": dict(game.options),
        }
    }


def _book(game: str) -> Rulebook:
    """The game with an id. A question may not name a folder."""
    if game not in ids():
        raise WrongUsage(no_such_game(game))
    return rulebook(game)


def _game(data: Data) -> Game:
    """The game that a question describes."""
    book = _book(text_of(data, "game"))
    options = data.get("options") or {}
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise WrongUsage("options must be an object from rulings to values")
    players = number_of(data, "players", 0, 100) or None
    edition = text_of(data, "edition", "") or "standard"
    return load(book.id, edition=edition, options=options, players=players)


def _seconds(data: Data) -> int:
    return max(1, number_of(data, "seconds", 60, MOST_SECONDS))
