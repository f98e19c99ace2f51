"""The answers to an assistant: plain data, computed in a child process.

The games are those of the package and of ``KAISER_LOGIC_GAMES``. A question cannot name a folder, and no file that a record
names is opened. Each answer about all positions has a ``verdict``, one of ``found``, ``none``, ``proved``, ``falls``,
``different``, ``same`` and ``not decided``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from ..errors import FaultyRulebook, NotDecided, WrongUsage
from ..evaluation.explanation import allows
from ..evaluation.verdict import Violation
from ..game import Game, load
from ..notation.reading import parse_record
from ..notation.record import Record
from ..notation.terms import Term
from ..records.checking import report_of
from ..records.grep import SearchedRecord, search_line
from ..records.replay import Replay
from ..rules.library import games as ids
from ..rules.library import no_such_game
from ..rules.loader import rulebook
from ..rules.phrases import phrases
from ..rules.rule_texts import RuleTexts
from ..rules.rulebook import DEFAULT_EDITION, Rulebook, RuleDoc, Ruling
from ..workers import TOO_SHORT
from .question_reader import About, Answer, Handler, Most, NotRepeated, NumberLimits, unknown
from .questions import MOST_SECONDS
from .recorded import action_text, read_move, with_board

MOST_POSITIONS: Final = 10
MOST_CLAIMS: Final = 50
MOST_MATCHES: Final = 200
MOST_WAYS: Final = 20
"""The largest number of ways in which a query holds in a position that an answer lists."""
NOT_DECIDED: Final = "not decided"

GameId = Annotated[str, About("A game's id, as `games` lists it.")]


@dataclass(frozen=True)
class NoArguments:
    """A question without arguments."""


@Handler
def games(_: NoArguments) -> Answer:
    """The games, each with its numbers of players, editions, rulings with their values, roles and start tags."""
    games_data = []
    for game_id in ids():
        try:
            games_data.append(_game_described(rulebook(game_id)))
        except FaultyRulebook as error:
            games_data.append({"id": game_id, "title": game_id, "problem": str(error.findings[0])})
    return {"games": games_data}


def _game_described(book: Rulebook) -> Answer:
    """A game for the choice of games: its editions, tags and rulings."""
    words = phrases(book.folder)
    return {
        "id": book.id,
        "title": book.title,
        "players": list(book.manifest["players"]),
        "default": book.manifest["default_players"],
        "roles": [[role, words.phrase(role)] for role in book.roles],
        "editions": [[name, about] for name, about in book.editions.items()],
        "tags": [
            {
                "name": name,
                "about": tag["about"],
                "values": "seats" if tag["values"] == "seats" else list(map(str, tag["values"])),
                "count": tag.get("count", 1),
            }
            for name, tag in book.manifest.get("tags", {}).items()
        ],
        "rulings": [ruling_answer(ruling) for ruling in book.rulings.values()],
    }


def ruling_answer(ruling: Ruling) -> Answer:
    """A ruling: its values, that of each edition, and its sources."""
    return {
        "name": ruling.name,
        "about": ruling.about,
        "values": [[value, words] for value, words in ruling.values.items()],
        "by": dict(ruling.by_edition),
        "sources": dict(ruling.sources),
    }


@dataclass(frozen=True)
class RulesArguments:
    """Documented rules."""

    game: GameId
    rule: Annotated[
        str,
        About("A rule's id, or words of its id or statement. Then the answer includes the sources."),
    ] = ""
    edition: Annotated[
        str, About("An edition of the game, as `games` lists it: the answer includes the source in it.")
    ] = ""


@Handler
def rules(question: RulesArguments) -> Answer:
    """The rules of a game: all ids and statements, or the rules that contain some words, with their sources in the editions.

    A source 'assumed' or 'silent' means that the rule is an interpretation, and is not in the printed text.
    """
    book = _book(question.game)
    edition, wanted = question.edition, question.rule.lower().split()
    if edition and edition not in book.editions:
        raise WrongUsage(unknown("edition", edition, book.editions))
    texts = RuleTexts.of_edition(book, edition or DEFAULT_EDITION)
    docs = [doc for doc in book.docs.values() if all(w in f"{doc.id} {texts.statement(doc)}".lower() for w in wanted)]
    if not docs:
        raise WrongUsage(f"no rule of {book.id} contains all these words")
    return {
        "game": book.id,
        "rules": [rule_answer(texts, doc, whole=bool(wanted or edition)) for doc in docs],
    }


def rule_answer(texts: RuleTexts, doc: RuleDoc, *, whole: bool) -> Answer:
    """A documented rule; ``whole``: with its sources, those of all editions, and its place."""
    answer: Answer = {"id": doc.id, "kind": doc.kind, "statement": texts.statement(doc)}
    if whole:
        answer |= {"sources": texts.sources(doc), "all_sources": texts.all_sources(doc)}
        answer |= {"file": doc.file, "line": doc.line}
    return answer


# -- records ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RecordArguments:
    """A record."""

    record: Annotated[
        str,
        About("The text of a record: tags, then moves `role: action`. Without moves it is the start."),
        NotRepeated,
    ]
    board: Annotated[str, About("The text of the board file, if the record's tag Board names one."), NotRepeated] = ""

    def read_record(self) -> Record:
        """The record, with its board."""
        return with_board(parse_record(self.record), self.board)


@dataclass(frozen=True, kw_only=True)
class PlaceArguments(RecordArguments):
    """A place in a record."""

    moves: Annotated[
        int | None,
        NumberLimits(0, 10**6),
        About("The number of moves of the record to replay. By default all of them."),
    ] = None

    def replay(self) -> Replay:
        """Replays the record up to this place; FaultyRecord if that is impossible."""
        return Replay.at(self.read_record(), self.moves)


@Handler
def legal(question: PlaceArguments) -> Answer:
    """The position at a place of a record, the roles that decide there, and their legal actions.

    The result, if the game is over.
    """
    replay = question.replay()
    position = replay.here()
    answer: Answer = {
        **_conditions_of(replay.game),
        "position": position.ruleset.book.sort_facts(position.facts),
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


@dataclass(frozen=True, kw_only=True)
class WhyArguments(PlaceArguments):
    """An action at a place of a record."""

    role: Annotated[str, About("The role that acts.")]
    action: Annotated[str, About("The action as a term, such as `buy(pope,hold)`.")]


@Handler
def why(question: WhyArguments) -> Answer:
    """Why an action is legal at that place, or all rules that it breaks, with the facts and the sources."""
    replay = question.replay()
    if question.role not in replay.game.roles:
        raise WrongUsage(unknown("role", question.role, replay.game.roles))
    role, action = read_move(f"{question.role}: {question.action}", replay.game.book)
    violations, _ = replay.judge(role, action)
    return judgement(replay, role, action, violations)


def judgement(replay: Replay, role: str, action: Term, violations: Sequence[Violation]) -> Answer:
    """What is said of an action and the rules that it breaks."""
    position = replay.here()
    text = action_text(position, action)
    answer: Answer = {
        **_conditions_of(replay.game),
        "role": role,
        "action": text,
        "legal": not violations,
    }
    if violations:
        return {**answer, "broken": [one.as_json() for one in violations]}
    kept = allows(position.ruleset, position.symbols, role, text)
    return {**answer, "kept": [{"rule": id, "statement": s, "facts": list(facts)} for id, s, facts in kept]}


@dataclass(frozen=True, kw_only=True)
class CheckArguments(RecordArguments):
    """A record that is to be checked."""

    on_illegal: Annotated[
        Literal["stop", "skip", "force"],
        About("After an illegal move: stop, skip (leave it out) or force (carry it out)."),
    ] = "stop"


@Handler
def check(question: CheckArguments) -> Answer:
    """Checks a recorded game: all faults with line, rule, reason and source; `ok` if there are none; the result."""
    replay = Replay(question.read_record(), question.on_illegal)
    replay.run_all()
    return {**_conditions_of(replay.game), **report_of(replay).as_json()}


@dataclass(frozen=True, kw_only=True)
class GrepArguments(RecordArguments):
    """A query that is asked at every position of a record."""

    query: Annotated[str, About("A query as for `find`, such as `emperor(R), thalers(R,0)`.")]
    count: Annotated[int, NumberLimits(1, MOST_MATCHES), About("The largest number of positions.")] = 20
    context: Annotated[
        int, NumberLimits(0, 10), About("The number of moves before and after each position in the answer.")
    ] = 0


@Handler
def grep(question: GrepArguments) -> Answer:
    """The positions of a recorded game in which a query holds: the number of moves before each, and the variables' values.

    A record that is at fault is searched up to its fault, which `problem` names. `all` says whether these are all of the game.
    """
    replay = Replay(question.read_record())
    record_matches = search_line(replay, question.query, name="the record", context=question.context)
    return {**_conditions_of(replay.game), **matches_answer(record_matches, question.count)}


def matches_answer(matches: SearchedRecord, count: int) -> Answer:
    """The matches of a query in a record, at most ``count``, with at most `MOST_WAYS` ways to hold for each."""
    return {
        "positions": matches.positions,
        "matches": [
            {
                "moves": one.moves,
                "values": list(one.values[:MOST_WAYS]),
                "ways": len(one.values),
                "before": list(one.before),
                "after": list(one.after),
            }
            for one in matches.matches[:count]
        ],
        "all": len(matches.matches) <= count and not matches.problem,
        "problem": matches.problem,
    }


# -- all positions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class GameArguments:
    """What questions about all positions have in common."""

    game: GameId
    players: Annotated[
        int, NumberLimits(0, 100), About("The number of players. With 0, the default number of the game.")
    ] = 0
    options: Annotated[
        dict[str, str] | None,
        About("Values for single rulings, by the name of the ruling, as `games` lists them."),
    ] = None
    seconds: Annotated[
        int, NumberLimits(1, MOST_SECONDS), About(f"The time limit in seconds, at most {MOST_SECONDS}.")
    ] = 60

    def game_in(self, edition: str) -> Game:
        """The game in an edition; the standard one, if it is empty."""
        return load(
            _book(self.game).id,
            edition=edition or "standard",
            options=self.options or {},
            players=self.players or None,
        )


@dataclass(frozen=True, kw_only=True)
class EditionArguments(GameArguments):
    """A question about all positions in one edition."""

    edition: Annotated[str, About("An edition of the game, as `games` lists it. By default: standard.")] = ""

    def requested_game(self) -> Game:
        """The game in the edition."""
        return self.game_in(self.edition)


@dataclass(frozen=True, kw_only=True)
class FindArguments(EditionArguments):
    """A query."""

    query: Annotated[
        str,
        About("Facts of the game's vocabulary separated by commas, such as `emperor(red), thalers(red,0)`."),
    ]
    count: Annotated[int, NumberLimits(1, MOST_POSITIONS), About("The largest number of positions.")] = 1


@Handler
def find(question: FindArguments) -> Answer:
    """Valid positions in which a query holds.

    Verdicts: 'found'; 'none' (proved for these players, edition and rulings); 'not decided'.
    Both are about positions that break no invariant. A game may not reach a position that is found. If 'prove' does not
    prove all invariants, a game may break one, and so reach what 'none' excludes.
    """
    game = question.requested_game()
    try:
        answer = game.find_result(question.query, question.count, timeout=question.seconds)
    except NotDecided as error:
        return _undecided_answer(game, error, question.seconds)
    positions = [
        {
            "facts": position.ruleset.book.sort_facts(position.facts),
            "because": answer.because[number] if number < len(answer.because) else "",
            "differs": answer.differs[number] if number < len(answer.differs) else "",
        }
        for number, position in enumerate(answer.positions)
    ]
    if not positions and not answer.exhausted:
        return _undecided_answer(game, answer.reason or answer.note, question.seconds)
    return {
        "verdict": "found" if positions else "none",
        **_conditions_of(game),
        "positions": positions,
        "all": answer.exhausted,
        "note": " ".join(filter(None, (answer.note, answer.reason))),
    }


@dataclass(frozen=True, kw_only=True)
class ProveArguments(EditionArguments):
    """Claims and invariants."""

    claims: Annotated[
        tuple[str, ...] | None,
        Most(MOST_CLAIMS),
        About("Claims such as `never emperor(R), held(R,rival,1)`."),
    ] = None
    invariants: Annotated[
        tuple[str, ...] | None,
        Most(MOST_CLAIMS),
        About("Names of invariants of the rulebook. If neither is given: all claims and invariants."),
    ] = None


@Handler
def prove(question: ProveArguments) -> Answer:
    """Proves claims and invariants for all positions and moves.

    Each is 'proved', 'falls' (with a counterexample) or 'not decided': see `verdicts`.
    All invariants of a game take minutes, so name one, or a claim.
    """
    game, invariants, claims = question.requested_game(), question.invariants or (), question.claims or ()
    try:
        report = game.prove(invariants, claims=claims, timeout=question.seconds)
    except NotDecided as error:
        return _undecided_answer(game, error, question.seconds)
    falls = any(proof.status == "falls" for proof in report.proofs)
    proofs = [_proof(proof.as_json()) for proof in report.proofs]
    return {
        "verdict": "proved" if report.proved else "falls" if falls else NOT_DECIDED,
        **_advice(question.seconds, *(note for proof in report.proofs for note in proof.notes)),
        "verdicts": [
            {"claim": proof["claim"], "statement": proof["statement"], "verdict": proof["status"]} for proof in proofs
        ],
        **_conditions_of(game),
        "given": list(report.given),
        "proofs": proofs,
    }


def _proof(answer: dict[str, Any]) -> Answer:
    """A proof with its first counterexample."""
    return {**answer, "counterexamples": answer["counterexamples"][:1]}


@dataclass(frozen=True, kw_only=True)
class CompareArguments(GameArguments):
    """Two editions."""

    first: Annotated[str, About("An edition.")]
    second: Annotated[str, About("Another edition.")]


@Handler
def compare(question: CompareArguments) -> Answer:
    """Where two editions differ: for each ruling 'different' with a position and a move, 'same', or 'not decided'."""
    from ..comparison.compare import compare as contrast

    first, second = question.game_in(question.first), question.game_in(question.second)
    try:
        differences_found = contrast(first, second, question.seconds)
    except NotDecided as error:
        return _undecided_answer(first, error, question.seconds)
    differences = [one.as_json() for one in differences_found]
    different = any(one["verdict"] == "different" for one in differences)
    complete = all(one["verdict"] == "same" for one in differences)
    return {
        "verdict": "different" if different else "same" if complete else NOT_DECIDED,
        **_advice(question.seconds, *(one.words for one in differences_found if not one.complete)),
        **_conditions_of(first),
        "rulings": differences,
    }


def _undecided_answer(game: Game, reason: object, seconds: int) -> Answer:
    advice = _advice(seconds, str(reason))
    return {"verdict": NOT_DECIDED, **_conditions_of(game), "reason": str(reason), **advice}


def _advice(seconds: int, *reasons: str) -> Answer:
    """What to do if one of the reasons why something is not decided is the limit of time; empty if none is."""
    if not any(sign in reason for reason in reasons for sign in (TOO_SHORT, f"{seconds} s")):
        return {}
    if seconds < MOST_SECONDS:
        return {"advice": f"give seconds: {min(2 * seconds, MOST_SECONDS)}"}
    return {"advice": "ask for less, such as a single invariant; the command line takes longer limits (--timeout 600)"}


def _conditions_of(game: Game) -> Answer:
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
