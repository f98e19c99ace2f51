"""The editor: the invariants that edited facts break, their picture if it can be drawn; and the trays.

A tray is a kind of fact with the values of its arguments and its places on the board. No game declares trays. The values come
from the vocabulary. The place of a fact comes from the picture rules: it is the part of the board that differs between a
position with this fact alone and an empty one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Annotated, Any, Final, TypeVar

from .. import clingo
from ..answers.question_reader import Handler, NotRepeated, unknown
from ..answers.recorded import term_of
from ..drawing.frame import deal
from ..drawing.scene import Look, Scene, scene, scene_of
from ..drawing.svg.canvas import Canvas, piece, sort_named
from ..drawing.svg.pen import Palette
from ..engine import symbols
from ..engine.compiled.program import derive
from ..engine.domains import bound_of
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..errors import UnreadableInput, WrongUsage
from ..evaluation.verdict import Broken, InvalidPosition
from ..lang.algebra import independent_groups, variables, walk
from ..lang.terms import Atom, Int, Literal, Pool, Range, Signature, Term, Text, Var
from ..lang.terms import Rule as Value
from ..lang.unification import arguments, label
from ..notation.reading import parse_position
from ..notation.record import RecordedFact
from ..notation.terms import has_unknown
from ..records.fault import Fault, objection
from ..reports.story import pins
from ..rules.phrases import Phrases, phrases
from ..rules.predicates import FLUENT
from ..rules.reader import rule_from
from ..rules.rule import PlacedRule, top
from ..transform.slicing import Slicer, position_seeds
from .boards import as_text, frame_of, sheet_of
from .state import MOST_FACTS, PlacedPieces, RequestedGame, State, Texts

# -- slots ---------------------------------------------------------------------------------------------------
#
# The kinds of facts with the values of their arguments, from the vocabulary. Each argument has its own values: combinations of
# arguments would be too many.


_LISTED: Final = 1_500
"""If an argument has more values, they are not listed, but can be typed."""


@dataclass
class Slot:
    """An argument of a kind of fact.

    Attributes:
        label: The name of its sort in the vocabulary.
        values: Its values, in order.
        open: Whether there are other values, too: it is a number without limit, or has too many values to list.
        place: Whether it determines the place of the fact on the board.
    """

    label: str
    values: list[clingo.Symbol]
    open: bool = False
    place: bool = False

    @property
    def numeric(self) -> bool:
        """Whether all its values are numbers."""
        return bool(self.values) and all(v.type is clingo.SymbolType.Number for v in self.values)


def vocabulary(rules: Ruleset) -> dict[Signature, list[Slot]]:
    """All kinds of facts with their arguments, except seats, which belong to the game, and steps."""
    declaring = [rule for rule in rules.rules if any(head.signature == FLUENT for head in rule.heads)]
    declared = [(rule, head) for rule in declaring for head in rule.value.heads if head.signature == FLUENT]
    kinds: dict[Signature, list[Slot]] = {}
    numbers = symbols.number_facts(range(bound_of(rules.book) + 1))
    for rule, head in declared:
        (stated,) = head.args
        name, parts = label(stated), list[Term | None](arguments(stated))
        if any(isinstance(term, Pool) for term in walk(stated)):  # one rule for several facts, which are few
            facts = [s.arguments[0] for s in Grounding(rules.complete((rule,)), numbers).get(*FLUENT)]
            if not facts:
                continue
            name, parts = facts[0].name, [None] * len(facts[0].arguments)
            values: list[list[clingo.Symbol] | None]
            values = [[fact.arguments[k] for fact in facts] for k in range(len(parts))]
        else:
            values = _values(rules, rule, arguments(stated), numbers)
        slots = kinds.setdefault((name, len(values)), [Slot("", []) for _ in values])
        for slot, part, fresh in zip(slots, parts, values, strict=True):
            slot.label = slot.label or _sort(rule, part)
            slot.open |= fresh is None or _is_number(rule, part)
            slot.values = sorted({*slot.values, *(fresh or ())})
    given = {s.name for s in rules.facts("seat", 2)}
    return {key: kinds[key] for key in sorted(kinds) if key[0] not in given}


def _is_number(rule: PlacedRule, part: Term | None) -> bool:
    """Whether the body of a rule says that a term is a number."""
    return part is not None and Atom("number", (part,)) in rule.value.body


def _values(
    rules: Ruleset, rule: PlacedRule, parts: Sequence[Term], numbers: Iterable[clingo.Symbol]
) -> list[list[clingo.Symbol] | None]:
    """The values of each argument, for any values of the others; None if they are too many to list."""
    groups = independent_groups(rule.value.body, variables)

    def value_asked(name: str, args: tuple[Term, ...], used: set[str]) -> Value:
        literals: list[Literal] = [x for names, own in groups if names & used or not names for x in own]
        return Value(Atom(name, args), tuple(literals))

    used = [set(variables(part)) for part in parts]
    sizes = [value_asked("size__", (Int(k), Text(v), Var(v)), {v}) for k, names in enumerate(used) for v in names]
    counted: dict[tuple[int, str], int] = {}
    for s in _ground(rules, sizes, numbers, "size__", 3):
        key = s.arguments[0].number, s.arguments[1].string
        counted[key] = counted.get(key, 0) + 1
    few = [prod(counted.get((k, v), 0) for v in names) <= _LISTED for k, names in enumerate(used)]
    listed = [value_asked("value__", (Int(k), part), used[k]) for k, part in enumerate(parts) if few[k]]
    domains: list[list[clingo.Symbol] | None] = [[] if fine else None for fine in few]
    for s in _ground(rules, listed, numbers, "value__", 2):
        values = domains[s.arguments[0].number]
        if values is not None:
            values.append(s.arguments[1])
    return domains


def _ground(
    rules: Ruleset, asked: Iterable[Value], numbers: Iterable[clingo.Symbol], name: str, arity: int
) -> Iterator[clingo.Symbol]:
    if program := tuple(map(rule_from, asked)):
        yield from Grounding(rules.complete(program), numbers).get(name, arity)


def _sort(rule: PlacedRule, part: Term | None) -> str:
    """The sort of an argument in the vocabulary; a number if it counts."""
    if _is_number(rule, part) or any(isinstance(term, Range) for term in walk(part)):
        return "number"
    for literal in rule.value.body:
        if isinstance(literal, Atom) and not literal.sign and literal.args == (part,):
            return literal.name.replace("_", " ")
    return ""


_TRIED: Final = 20_000
"""The largest number of combinations of values that are tried for one piece in the hand."""
_SHOWN: Final = 800
"""The largest number of facts among them whose places are looked up."""
_SAMPLES: Final = 6
"""The number of facts of a kind that are drawn to find the arguments that determine its place."""
_REMEMBERED: Final = 16
"""The largest number of cached pictures of positions."""


@dataclass(frozen=True, kw_only=True)
class FactsQuestion(RequestedGame):
    """A game, and the other facts of the position that is edited."""

    facts: Texts = ()

    def symbols(self) -> frozenset[clingo.Symbol]:
        """The other facts."""
        return frozenset(symbols.symbol(term_of(fact)) for fact in self.facts)


@Handler
def trays(question: FactsQuestion) -> dict[str, Any]:
    """All kinds of facts of the game; those that are visible on the board come first."""
    rules = question.game().ruleset
    words = phrases(rules.book.folder)
    kinds = []
    for (name, arity), slots in kinds_of(rules, question.symbols()).items():
        counter = rules.book.counters.get((name, arity))
        kinds.append(
            {
                "name": name,
                "label": name.replace("_", " "),
                "words": words.fact(f"{name}({','.join('_' * arity)})" if arity else name),
                "counted": counter is not None,
                "onboard": any(slot.place for slot in slots),
                "slots": [
                    {
                        "label": slot.label,
                        "place": slot.place,
                        "open": slot.open,
                        "number": slot.numeric,
                        "values": [[text, words.phrase(text)] for text in map(symbols.text, slot.values)],
                    }
                    for slot in slots
                ],
            }
        )
    return {"kinds": sorted(kinds, key=lambda kind: not kind["onboard"])}


@dataclass(frozen=True, kw_only=True)
class SpotsQuestion(FactsQuestion):
    """A fact in the hand.

    Attributes:
        name: Its name.
        slots: Its arguments; None for one that determines the place.
    """

    name: str
    slots: tuple[str | None, ...]


@Handler
def spots(question: SpotsQuestion) -> dict[str, Any]:
    """The places for a fact: each area of the board with the facts that are visible there."""
    rules, name, chosen = question.game().ruleset, question.name, question.slots
    among = question.symbols()
    kinds = kinds_of(rules, among, name)
    slots = kinds.get((name, len(chosen)))
    if slots is None:
        raise WrongUsage(unknown("fact", f"{name}/{len(chosen)}", (f"{one}/{arity}" for one, arity in kinds)))
    ranges = [
        slot.values if one is None else [symbols.read_symbol(one) if not _number(one) else clingo.Number(int(one))]
        for slot, one in zip(slots, chosen, strict=True)
    ]
    if prod(map(len, ranges)) > _TRIED:
        raise WrongUsage("this leaves too much open")
    facts = facts_in_vocabulary(rules, [clingo.Function(name, list(args)) for args in product(*ranges)])
    places: dict[str, list[str]] = {}
    for fact in facts[:_SHOWN]:
        for area in areas_of(rules, fact, among):
            places.setdefault(area, []).append(symbols.text(fact))
    return {"spots": places}


def on_board(rules: Ruleset, facts: frozenset[clingo.Symbol]) -> dict[clingo.Symbol, tuple[str, ...]]:
    """The areas of the board in which each of these facts is visible among the others."""
    kinds = kinds_of(rules, facts)
    return {
        fact: areas_of(
            rules,
            fact,
            facts if any(s.place for s in kinds.get(symbols.signature(fact), ())) else frozenset(),
        )
        for fact in facts
        if symbols.signature(fact) in kinds
    }


def _number(text: str) -> bool:
    return text.lstrip("-").isdigit() and len(text) < 10


def facts_in_vocabulary(rules: Ruleset, facts: list[clingo.Symbol]) -> list[clingo.Symbol]:
    """Those of these facts that belong to the vocabulary."""
    holds = [clingo.Function("holds", [fact]) for fact in facts]
    numbers = symbols.number_facts(symbols.numbers(facts))
    derivation = derive(rules.known_program, frozenset(holds), numbers, rules.configuration.engine)
    fluents = {s.arguments[0] for s in derivation.get(*FLUENT)}
    return [fact for fact in facts if fact in fluents]


# -- the place of a fact -------------------------------------------------------------------------------------


def areas_of(rules: Ruleset, fact: clingo.Symbol, among: frozenset[clingo.Symbol] = frozenset()) -> tuple[str, ...]:
    """The areas of the board in which a fact is visible: alone, or else among other facts."""
    return _look_once("seen at", _differs, rules, fact, among)


def _differs(rules: Ruleset, others: frozenset[clingo.Symbol], fact: clingo.Symbol) -> tuple[str, ...]:
    """The areas that a fact changes."""
    without = _traces(rules, others - {fact})
    traces = _traces(rules, others | {fact})
    return tuple(area for area, trace in traces.items() if without.get(area) != trace)


def looks_at(
    rules: Ruleset, fact: clingo.Symbol, among: frozenset[clingo.Symbol] = frozenset()
) -> tuple[tuple[str, Look], ...]:
    """The pieces that a fact puts on the board, each with its area: alone, or else among other facts."""
    return _look_once("looks at", _pieces_added, rules, fact, among)


T = TypeVar("T")


def _look_once(
    name: str,
    look: Callable[[Ruleset, frozenset[clingo.Symbol], clingo.Symbol], tuple[T, ...]],
    rules: Ruleset,
    fact: clingo.Symbol,
    among: frozenset[clingo.Symbol],
) -> tuple[T, ...]:
    """The result of a look at a fact alone, which is kept under a name; if it is empty, that of a look among other facts."""
    cache: dict[clingo.Symbol, tuple[T, ...]] = rules.remember(name, dict)
    if len(cache) > 4 * MOST_FACTS:
        cache.clear()
    if fact not in cache:
        cache[fact] = look(rules, frozenset(rules.facts("seat", 2)), fact)
    return cache[fact] or (look(rules, among, fact) if among else ())


def _pieces_added(
    rules: Ruleset, others: frozenset[clingo.Symbol], fact: clingo.Symbol
) -> tuple[tuple[str, Look], ...]:
    """The pieces that a fact adds."""
    without, traces = _traces(rules, others - {fact}), _traces(rules, others | {fact})
    pieces_new = []
    for area, (pieces, *_) in traces.items():
        had = {(kind, look): number for kind, look, number in (without[area][0] or () if area in without else ())}
        pieces_new += [(area, look) for kind, look, number in pieces or () if number > had.get((kind, look), 0)]
    return tuple(pieces_new)


def _traces(rules: Ruleset, facts: frozenset[clingo.Symbol]) -> dict[str, Any]:
    """The visible content of each area of the board; the last few results are kept."""
    cache: dict[frozenset[clingo.Symbol], dict[str, Any]] = rules.remember("traces", dict)
    if facts not in cache:
        while len(cache) >= _REMEMBERED:
            cache.pop(next(iter(cache)))
        cache[facts] = _trace(scene_of(rules, facts))
    return cache[facts]


def _trace(shown: Scene | None) -> dict[str, Any]:
    if shown is None:
        return {}
    pieces: dict[str, list[Any]] = {}
    for kind, area, look, number in shown.pieces:
        pieces.setdefault(area, []).append((kind, look, number))
    areas = shown.geometry.layout().areas
    return {
        area: (
            pieces.get(area),
            shown.looks.get(area),
            shown.signs.get(area),
            shown.tags.get(area),
            shown.rings.get(area),
        )
        for area in areas
    }


# -- the kinds -----------------------------------------------------------------------------------------------


def kinds_of(
    rules: Ruleset, among: frozenset[clingo.Symbol] = frozenset(), only: str = ""
) -> dict[Signature, list[Slot]]:
    """All kinds of facts with their arguments, except seats, which belong to the game.

    The arguments that determine a place are found by the facts ``among`` which a fact lies; ``only`` for kinds of this name,
    if it is given.
    """
    kinds: dict[Signature, list[Slot]] = rules.remember("trays", lambda: vocabulary(rules))
    for (name, _), slots in kinds.items() if among else ():
        if (not only or name == only) and not any(slot.place for slot in slots):
            _place(rules, name, slots, among)
    return kinds


def _place(rules: Ruleset, name: str, slots: list[Slot], among: frozenset[clingo.Symbol]) -> None:
    """Finds the arguments that determine the place of a fact: with another value it is visible elsewhere."""
    if not all(slot.values for slot in slots):
        return
    sizes = [len(slot.values) for slot in slots]
    spread = [
        [slot.values[(sample * (size // _SAMPLES + 1)) % size] for slot, size in zip(slots, sizes, strict=True)]
        for sample in range(_SAMPLES)
    ]
    given = [list(f.arguments) for f in sorted(among) if symbols.signature(f) == (name, len(slots))]
    for args in [*given[:_SAMPLES], *spread]:
        areas = areas_of(rules, clingo.Function(name, args), among)
        if not areas:
            continue
        for k, slot in enumerate(slots):
            others = {one[k] for one in given[:_SAMPLES]} | {one[k] for one in spread} - {args[k]}
            for value in sorted(others):
                places = areas_of(rules, clingo.Function(name, [*args[:k], value, *args[k + 1 :]]), among)
                slot.place |= bool(places) and places != areas
        return


# -- palette -------------------------------------------------------------------------------------------------
#
# The palette of the editor: the pieces that can be put on the board, drawn, each with its fact.


_MOST: Final = 60
"""A kind of fact with more pieces has none in the palette, only a tray."""
_SAMPLES_TRIED: Final = 4_000
_PLACES: Final = 6
"""The largest number of places that are tried to find the look of a piece."""
_HALF: Final = 20.0


@Handler
def palette(question: State) -> dict[str, Any]:
    """The pieces of each kind of fact that is visible on the board, with the arguments; null for those of the place."""
    rules = question.game().ruleset
    position = question.position()
    among, shown = position.symbols, scene(position)
    if shown is None:
        return {"pieces": []}
    canvas = Canvas(shown, deal(shown), shown.geometry.layout(), Palette("auto", shown.seats))
    pieces: list[dict[str, Any]] = []
    for (name, _), slots in kinds_of(rules, among).items():
        counted = rules.book.counters.get((name, len(slots))) is not None
        if any(slot.place for slot in slots):
            for args, look in _samples(rules, name, slots, counted, among):
                sample = piece(canvas, look, 0, 0, _HALF / max(sort_named(look.sort).half))
                label = shown.called_in_full(look)
                if not any(one["svg"] == sample and one["name"] == name for one in pieces):
                    pieces.append({"name": name, "args": args, "svg": sample, "label": label})
    return {"pieces": pieces}


def _samples(
    rules: Ruleset, name: str, slots: list[Slot], counted: bool, among: frozenset[clingo.Symbol]
) -> Iterator[tuple[list[str | None], Look]]:
    """Each choice of the arguments that the place does not determine, with its piece."""
    given = [not slot.place and not (counted and k == len(slots) - 1) for k, slot in enumerate(slots)]
    sizes = [len(slot.values) for slot in slots]
    if not all(sizes) or prod(n for n, own in zip(sizes, given, strict=True) if own) > _MOST:
        return
    if prod(n for n, slot in zip(sizes, slots, strict=True) if slot.place or not counted) > _SAMPLES_TRIED:
        return
    ones = [slot.values[:2] if counted and k == len(slots) - 1 else slot.values for k, slot in enumerate(slots)]
    by_args: dict[tuple[clingo.Symbol | None, ...], list[clingo.Symbol]] = {}
    for fact in facts_in_vocabulary(rules, [clingo.Function(name, list(args)) for args in product(*ones)]):
        key = tuple(arg if own else None for arg, own in zip(fact.arguments, given, strict=True))
        by_args.setdefault(key, []).append(fact)
    for key, facts in by_args.items():
        looks = next((look_list for fact in facts[:_PLACES] if (look_list := looks_at(rules, fact, among))), ())
        if len(looks) == 1:
            args = [None if arg is None else symbols.text(arg) for arg in key]
            if counted:
                args[-1] = "1"
            yield args, looks[0][1]


_MOST_LISTED: Final = 50


@dataclass(frozen=True, kw_only=True)
class EditQuestion(RequestedGame):
    """Facts that somebody has typed.

    Attributes:
        text: The facts.
        deal: The pieces at their places on the page.
        layout: The layout of the board; by default the widest.
    """

    text: Annotated[str, NotRepeated]
    deal: PlacedPieces = None
    layout: str | None = None


@Handler
def show_facts(question: EditQuestion) -> dict[str, Any]:
    """Facts that somebody has typed: the invariants that they break, and their picture."""
    game = question.game()
    facts = _read_facts(question.text)
    words = phrases(game.book.folder)
    texts = game.book.sort_facts({str(fact.term) for fact in facts})
    broken: tuple[Broken, ...] = ()
    try:
        game.position_of(fact.term for fact in facts)
    except InvalidPosition as error:
        broken = error.broken
    seen = on_board(game.ruleset, frozenset(map(symbols.read_symbol, texts)))
    measured = _measures(game.ruleset, frozenset(map(symbols.read_symbol, texts))) if broken else {}
    answer = {
        "facts": texts,
        "words": [words.fact(fact) for fact in texts],
        "areas": [list(seen.get(symbols.read_symbol(fact), ())) for fact in texts],
        "pieces": [_pieces(game.ruleset, fact, texts, seen) for fact in texts],
        "broken": [_in_words(one, facts, words, measured) for one in broken[:_MOST_LISTED]],
    }
    return {**answer, **_draw_facts(question, texts, broken)}


def _read_facts(text: str) -> tuple[RecordedFact, ...]:
    """The facts of a text; UnreadableInput, with the place, if they cannot be read."""
    facts = parse_position(text).facts
    if len(facts) > MOST_FACTS:
        raise WrongUsage(f"no position of any game has more than {MOST_FACTS} facts")
    for fact in facts:
        if has_unknown(fact.term):
            raise UnreadableInput(f"{fact.term} contains a '?'", None, fact.line, fact.column)
    return facts


def _pieces(
    rules: Ruleset, fact: str, texts: Sequence[str], seen: Mapping[clingo.Symbol, tuple[str, ...]]
) -> list[list[str]]:
    """The pieces of a fact on the board: area, sort, owner and label of each."""
    term = symbols.read_symbol(fact)
    if not seen.get(term):
        return []
    among = frozenset(map(symbols.read_symbol, texts))
    return [[area, *look] for area, look in looks_at(rules, term, among)]


def _measures(rules: Ruleset, facts: frozenset[clingo.Symbol]) -> dict[str, tuple[int, int, int]]:
    """The measures with a limit: their least and greatest values, and their present value."""
    outputs = ("limit", 3), ("total", 2)
    slicer = Slicer([*rules.judging.rules], (), rules.static)
    program = rules.remember(
        "measures",
        lambda: rules.complete(tuple(slicer.slice(position_seeds(), [top(*output) for output in outputs]))),
    )
    derivation = derive(program, facts, engine=rules.configuration.engine)
    totals = {a[0]: a[1].number for a in (s.arguments for s in derivation.get("total", 2))}
    limits = [s.arguments for s in derivation.get("limit", 3)]
    return {
        symbols.text(what): (least.number, most.number, totals[what]) for what, least, most in limits if what in totals
    }


def _in_words(
    one: Broken, facts: tuple[RecordedFact, ...], words: Phrases, measured: Mapping[str, tuple[int, int, int]]
) -> dict[str, Any]:
    place = next((fact for fact in facts if str(fact.term) == one.witness), None)
    message, subject = one.message, words.fact(one.witness)
    if one.invariant == "limit" and one.witness in measured:
        least, most, total = measured[one.witness]
        measure = words.short_phrase(f"measure({one.witness})")
        subject = one.witness if measure.startswith("measure(") else measure
        bound = f"there are {most}" if least == most else f"there are at most {most}"
        message = f"{subject[:1].upper()}{subject[1:]}: {bound if total > most else f'there are at least {least}'}, not {total}."
        subject = one.witness
    return {
        "rule": one.invariant,
        "message": message,
        "witness": one.witness,
        "words": subject,
        "line": place.line if place else 0,
    }


def _draw_facts(question: EditQuestion, texts: list[str], broken: tuple[Broken, ...]) -> dict[str, Any]:
    """The board of the facts, with pins at those that break an invariant; or the reason why it cannot be drawn."""
    try:
        position = State(tags=question.tags, board=question.board, facts=tuple(texts)).position()
        frame = frame_of(position, question.deal)
        if frame is None:
            return {"board": {"pictures": [as_text(position)], "texts": [], "layout": ""}}
        faults = [
            Fault.at(None, RecordedFact(position_term), objection("record.position", str(one), (one.witness,)))
            for one in broken[:9]
            for position_term in _fact_terms(one)
        ]
        sheet = sheet_of(frame.scene, question.layout)
        return {"board": {"pictures": [sheet.picture(frame, pins(position, frame, faults))], **sheet.as_json()}}
    except Exception as error:  # facts that cannot be drawn are still judged
        return {"undrawn": str(error)[:300] or type(error).__name__}


def _fact_terms(one: Broken) -> list[Any]:
    """The witness as a term, if it is one."""
    from ..notation.syntax import parse_user_term

    try:
        return [parse_user_term(one.witness)]
    except WrongUsage:
        return []
