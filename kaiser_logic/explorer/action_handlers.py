"""Answers about actions: the legal ones, their effects, and why one is legal or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from .. import clingo
from ..answers.question_reader import Handler, Most, NotRepeated, unknown
from ..answers.recorded import read_move, term_of
from ..drawing.frame import Frame
from ..drawing.scene import Item, Scene, scene, scene_of
from ..drawing.svg.shapes import FRAMES
from ..drawing.text import events
from ..engine import symbols
from ..engine.ruleset import Ruleset, action_of
from ..errors import NotDecided, WrongUsage
from ..evaluation.explanation import allows
from ..evaluation.reliance import relied_on
from ..lang import terms as lang
from ..lang.unification import label
from ..notation.record import Move
from ..notation.terms import Term
from ..play.match import gains, weights
from ..position import Position
from ..records.fault import Fault
from ..records.replay import Replay
from ..reports.story import frame_after, pins
from ..rules.phrases import Phrases, phrases
from .boards import frame_of, sheet_of, visible_effects
from .state import MOST_FACTS, State, facts_in_words, with_words

_MOST_TOUCHED: Final = 64
"""The largest number of actions in one question."""


@Handler
def legal(question: State) -> dict[str, Any]:
    """The legal actions of all roles that still have to decide, by kind; the result if the game is over."""
    replay = question.replay()
    position = replay.here()
    words = phrases(position.ruleset.book.folder)
    result = position.result()
    if result is not None:
        points = [[role, words.phrase(role), number] for role, number in result.points.items()]
        names = " and ".join(map(words.phrase, result.winners))
        summary = f"won by {names}" if names else result.summary
        return {"roles": [], "result": {"label": summary, "points": points, "winners": result.winners}}
    waiting = [role for role in position.to_move if role not in replay.pending]
    try:
        actions_of = replay.legal()
        given = weights(position)
    except NotDecided as error:
        roles = [_role(words, role, position.decisions[role], [], str(error)) for role in waiting]
        return {"roles": roles, "result": None}
    total = sum(given.values())
    roles = []
    for role in waiting:
        groups: dict[str, list[dict[str, Any]]] = {}
        for action in actions_of[role]:
            one: dict[str, Any] = {"action": action, "label": words.action(action)}
            if role == "chance" and total:
                one["odds"] = [given[action], total]
            groups.setdefault(kind_of(position.ruleset, words, action), []).append(one)
        listed = [{"kind": kind, "actions": actions} for kind, actions in groups.items()]
        roles.append(_role(words, role, position.decisions[role], listed))
    return {"roles": roles, "result": None}


def _role(words: Phrases, role: str, decision: str, groups: list[Any], note: str = "") -> dict[str, Any]:
    question = f"decision({role},{decision})"
    asked = words.short_phrase(question)
    return {
        "role": role,
        "label": words.phrase(role),
        "decision": asked if asked != question else decision,
        "groups": groups,
        "note": note,
    }


def kind_of(rules: Ruleset, words: Phrases, action: str) -> str:
    """A kind of action in words: the names in its pattern."""
    kind = rules.kind(symbols.read_symbol(action))
    if kind is None:
        return action.partition("(")[0]
    parts = [words.phrase(name).replace("_", " ") for name in _names(kind.action)]
    return " · ".join(dict.fromkeys(parts))


def _names(pattern: lang.Term) -> list[str]:
    """The names of functions and constants in a pattern, in the order of reading."""
    if isinstance(pattern, lang.Var):
        return []
    inner = pattern.args if isinstance(pattern, lang.Fun) else ()
    return [label(pattern), *(name for part in inner for name in _names(part))]


@dataclass(frozen=True, kw_only=True)
class TouchQuestion(State):
    """Some actions of a role at a place."""

    role: str
    actions: Annotated[tuple[str, ...], Most(_MOST_TOUCHED)]


@Handler
def touches(question: TouchQuestion) -> dict[str, Any]:
    """The visible effects of each of some actions, and its gains and losses."""
    replay = question.replay()
    position = replay.here()
    role = _playing(position, question.role)
    before = frame_of(position, question.deal)
    if before is None:
        return {"touches": {}}
    effects: dict[str, dict[str, Any]] = {}
    for text in question.actions:
        action = action_of(position.ruleset, text)
        judgement = position.evaluator.judge(position.symbols, {role: action})
        facts = judgement.facts_after(position.symbols)
        shown = scene_of(position.ruleset, facts) if facts != position.symbols else None
        effects[text] = (
            {"areas": [], "from": [], "to": [], "items": [], "moves": []}
            if shown is None
            else visible_effects(before, Frame.frame_of(shown, before))
        )
        if role in position.ruleset.seats:
            effects[text]["gains"] = ", ".join(gains(position, role, action))
    return {"touches": effects}


# -- pointing ------------------------------------------------------------------------------------------------
#
# Answers for the thing under the pointer: the effects of an action, and why nothing can be done there.


_FIRST: Final = 2_000
"""The largest number of legal actions that are varied."""
_JUDGED: Final = 120
"""The largest number of actions that are judged for one place."""
_SHOWN: Final = 8
"""The largest number of actions in an answer: one of each kind for each set of broken rules, the smallest sets first."""
_LINES: Final = 16
_SHAPELESS: Final = frozenset({"action.unknown", "decision.other"})
"""Rules that say nothing about a place: there is no such action, or it is another player's turn."""


@dataclass(frozen=True, kw_only=True)
class PreviewQuestion(State):
    """An action of a role at a place."""

    role: str
    action: str


@Handler
def preview(question: PreviewQuestion) -> dict[str, Any]:
    """The effects of a legal action and of the steps after it, on the board and in words."""
    replay = question.replay()
    position = replay.here()
    role, action = _playing(position, question.role), action_of(position.ruleset, question.action)
    if role not in position.to_move:
        raise WrongUsage(f"{role[:40]} has nothing to decide here")
    judgement = position.evaluator.judge(position.symbols, {role: action})
    if judgement.violations:
        raise WrongUsage("this is not legal; ask why")
    after = Position(position.evaluator, judgement.facts_after(position.symbols))
    if position.to_move == (role,):
        after = position.successor(judgement)
    before = frame_of(position, question.deal)
    shown = scene(after)
    happened = events(position, after)
    lines: list[str] = []
    if before is not None and shown is not None:
        frame = Frame.frame_of(shown, before)
        lines = frame.change_lines
        happened += _places_vacated(frame, before)
    return {"changes": lines[:_LINES], "more": max(0, len(lines) - _LINES), "events": happened}


def _places_vacated(after: Frame, before: Frame) -> Iterator[str]:
    """Sentences about the places with a frame and a name, such as an elector's seat, that become vacant."""
    shown = after.scene
    for place, (area, kind) in before.dealt.areas.items():
        text = shown.say(f"place({kind})")
        seen = shown.geometry.outlines.get(kind) in FRAMES and not text.startswith("place(")
        if seen and place in before.dealt.placed and place not in after.dealt.placed:
            yield f"{text[:1].upper()}{text[1:]} of {shown.area_called(area)} falls vacant"


@dataclass(frozen=True, kw_only=True)
class WhyNotQuestion(State):
    """A click at a place.

    Attributes:
        role: The role that would act.
        actions: The legal actions that the page shows.
        area: The area of the board that is clicked; empty for none.
        item: The thing in a panel or a box that is clicked, with its owner; empty for none.
        piece: The sort, owner and label of the piece that is clicked; empty for none. Actions that name these come first.
    """

    role: str
    actions: Annotated[tuple[str, ...], Most(MOST_FACTS), NotRepeated] = ()
    area: str = ""
    item: str = ""
    piece: tuple[str, ...] = ()


@Handler
def why_not(question: WhyNotQuestion) -> dict[str, Any]:
    """The illegal actions that a click may mean, and the reasons against them.

    They are variants of the legal actions, or of those that the page names: the thing clicked replaces a thing of its kind,
    or the piece clicked another piece.
    """
    replay = question.replay()
    position = replay.here()
    role = _playing(position, question.role)
    frame = frame_of(position, question.deal)
    if frame is None:
        return {"actions": []}
    try:
        legal = set(replay.legal().get(role, ()))
    except NotDecided:
        legal = set()
    wrong = next((action for action in question.actions if legal and action not in legal), None)
    if wrong is not None:
        raise WrongUsage(f"{wrong[:80]} is not legal here: only legal actions are varied")
    swaps = [*_swaps(frame.scene, question.area, question.item)]
    swaps += _piece_swaps(frame.scene, question.area, question.piece)
    words = phrases(position.ruleset.book.folder)
    groups: dict[str, dict[str, None]] = {}
    for text in sorted(set(question.actions) & legal or legal)[:_FIRST]:
        for varied in _variants_of(symbols.read_symbol(text), swaps):
            if (text := symbols.text(varied)) not in legal:
                groups.setdefault(kind_of(position.ruleset, words, text), {})[text] = None

    def words_missing(action: str) -> int:
        return len({*question.piece} - {*_words_of(action)})

    examples: dict[tuple[str, tuple[str, ...]], str] = {}
    ranked = {kind: sorted(some, key=words_missing) for kind, some in groups.items()}
    for kind, action in _spread(ranked, _JUDGED):
        broken = _rules_broken(position, role, action)
        if broken and not {*broken} & _SHAPELESS:
            examples.setdefault((kind, broken), action)
    chosen = sorted(examples, key=lambda key: (words_missing(examples[key]), len(key[1])))[:_SHOWN]
    return {
        "actions": [_reason(replay, role, examples[key]) | {"label": words.action(examples[key])} for key in chosen]
    }


def _playing(position: Position, role: str) -> str:
    """A role of the game; WrongUsage, with the nearest one, if there is none of this name."""
    if role not in position.ruleset.roles:
        raise WrongUsage(unknown("role", role, position.ruleset.roles))
    return role


def _rules_broken(position: Position, role: str, action: str) -> tuple[str, ...]:
    """The rules that an action breaks."""
    judgement = position.evaluator.judge(position.symbols, {role: symbols.read_symbol(action)})
    return tuple(dict.fromkeys(rule for _, _, rule in judgement.violations))


def _reason(replay: Replay, role: str, action: str) -> dict[str, Any]:
    """An illegal action with the first rule that it breaks."""
    violations, _ = replay.judge(role, term_of(action))
    return {"action": action, "rule": violations[0].rule, "message": violations[0].message}


_Swap = Mapping[clingo.Symbol, clingo.Symbol]
"""Terms, each with the one that takes its place."""


def _swaps(shown: Scene, area: str, item: str) -> Iterator[_Swap]:
    """The thing clicked in place of other things of the same kind."""
    if area in shown.geometry.layout().areas:
        mine = _items_of(shown, area)
        for other in shown.geometry.layout().areas:
            theirs = _items_of(shown, other)
            if other != area and len(theirs) == len(mine):
                yield from ({old: new} for old, new in zip(theirs, mine, strict=True))
    for items in [*shown.panels.values(), *(box.items for box in shown.boxes)]:
        yield from _other_arguments(items, item.partition(" ")[2])


def _piece_swaps(shown: Scene, area: str, piece: Sequence[str]) -> Iterator[_Swap]:
    """The piece clicked, in its area, in place of each other piece: their owners, labels and sorts are exchanged, too."""
    clicked = next((one.look for one in shown.pieces if one.look == tuple(piece)), None)
    if clicked is None or area not in shown.geometry.layout().areas:
        return
    for other in dict.fromkeys((one.area, one.look) for one in shown.pieces):
        pairs = zip(other[1], clicked, strict=True)
        words = {_symbol(a): _symbol(b) for a, b in pairs if _WORD.fullmatch(a) and _WORD.fullmatch(b)}
        areas = dict(zip(_items_of(shown, other[0]), _items_of(shown, area), strict=False))
        yield {**areas, **words}


def _symbol(word: str) -> clingo.Symbol:
    return clingo.Number(int(word)) if word.isdigit() else clingo.Function(word)


_WORD: Final = re.compile(r"[a-z]\w*|[0-9]{1,6}", re.ASCII)


def _items_of(shown: Scene, area: str) -> list[clingo.Symbol]:
    """The terms for an area in actions: its name, and the term of its title."""
    return [symbols.read_symbol(name) for name in dict.fromkeys([area, shown.subjects.get(area, area)])]


def _other_arguments(items: Sequence[Item], key: str) -> Iterator[_Swap]:
    """The same for items: the arguments of the item clicked in place of those of another item of the kind."""
    mine = next((item for item in items if item.key == key), None)
    for other in items if mine else ():
        if mine and other.kind == mine.kind and other.key != key:
            pairs = zip(other.args, mine.args, strict=False)
            yield from (
                {symbols.read_symbol(a): symbols.read_symbol(b)} for a, b in pairs if a != b and not b.isdigit()
            )


def _variants_of(action: clingo.Symbol, swaps: Sequence[_Swap]) -> Iterator[clingo.Symbol]:
    """The variants of an action by swaps of which the first term stands in it."""
    inside = set(_subterms(action))
    for swap in swaps:
        if next(iter(swap)) in inside:
            yield _replace(action, swap)


def _subterms(term: clingo.Symbol) -> Iterator[clingo.Symbol]:
    yield term
    if term.type is clingo.SymbolType.Function:
        for part in term.arguments:
            yield from _subterms(part)


def _replace(term: clingo.Symbol, swap: _Swap) -> clingo.Symbol:
    if term in swap:
        return swap[term]
    if term.type is not clingo.SymbolType.Function or not term.arguments:
        return term
    return clingo.Function(term.name, [_replace(part, swap) for part in term.arguments], term.positive)


def _spread(groups: Mapping[str, Sequence[str]], most: int) -> list[tuple[str, str]]:
    """Items of several lists taken in turn, each with the name of its list."""
    items: list[tuple[str, str]] = []
    for row in range(max(map(len, groups.values()), default=0)):
        items += [(name, group[row]) for name, group in groups.items() if row < len(group)]
        if len(items) >= most:
            break
    return items[:most]


# -- verdicts ------------------------------------------------------------------------------------------------
#
# Why an action is legal or not, with a board that shows the reasons as pins.


_NEAREST: Final = 5


@dataclass(frozen=True, kw_only=True)
class WhyQuestion(State):
    """An action that somebody has typed.

    Attributes:
        move: ``ROLE: ACTION``, or only the action.
        role: The role that acts if the move names none.
        layout: The layout of the board; by default the widest.
    """

    move: str
    role: str = ""
    layout: str | None = None


@Handler
def why(question: WhyQuestion) -> dict[str, Any]:
    """The judgement of an action: the rules that it keeps; or those that it breaks, with facts, sources and rulings."""
    replay = question.replay()
    position = replay.here()
    book, words = position.ruleset.book, phrases(position.ruleset.book.folder)
    whole = question.move if ":" in question.move else f"{question.role}: {question.move}"
    role, term = read_move(whole, book)
    violations, _ = replay.judge(role, term)
    judged = action_of(position.ruleset, term)
    action = symbols.text(judged)
    decided = [name for one in violations for name in one.rulings]
    unsaid = relied_on(position.ruleset, position.symbols, {role: judged}, decided)
    answer: dict[str, Any] = {
        "role": role,
        "who": words.phrase(role),
        "action": action,
        "label": words.action(action),
        "legal": not violations,
        "assumed": _statements_of(position.ruleset, unsaid.assumed),
        "readings": _statements_of(position.ruleset, unsaid.readings),
    }
    if not violations:
        kept_rules = allows(position.ruleset, position.symbols, role, action)
        rules = [
            {"rule": rule, "statement": statement, "facts": facts, "words": facts_in_words(words, facts)}
            for rule, statement, facts in kept_rules
        ]
        return {**answer, "kept": rules}
    answer["broken"] = [with_words(book, one.as_json()) for one in violations]
    answer["near"] = _nearest_actions(replay, role, term, words)
    frame = frame_of(position, question.deal)
    if frame is not None:
        sheet = sheet_of(frame.scene, question.layout)
        faults = [Fault.at(None, Move(role, term), one) for one in violations]
        picture = sheet.picture(frame, pins(position, frame, faults), frame_after(position, role, term, frame))
        answer["board"] = {"pictures": [picture], **sheet.as_json()}
    return answer


def _statements_of(rules: Ruleset, names: Iterable[str]) -> list[list[str]]:
    """Rules and rulings by name, each with what it says."""
    book, texts = rules.book, rules.texts
    return [
        [n, texts.statement(book.docs[n]) if n in book.docs else book.rulings[n].values[texts.options[n]]]
        for n in names
    ]


def _nearest_actions(replay: Replay, role: str, term: Term, words: Phrases) -> list[list[str]]:
    """The legal actions that differ least from an illegal one: text and words."""
    try:
        legal_actions = replay.legal().get(role, ())
    except NotDecided:
        return []
    wanted = _words_of(str(term))
    same_name = [a for a in legal_actions if a.partition("(")[0] == term.name]
    ranked = sorted(same_name, key=lambda action: (_distance(wanted, _words_of(action)), action))
    return [[action, words.action(action)] for action in ranked[:_NEAREST]]


def _words_of(action: str) -> list[str]:
    """The names and numbers in an action."""
    return action.replace("(", " ").replace(")", " ").replace(",", " ").split()


def _distance(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of names in which two actions differ."""
    return sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))
