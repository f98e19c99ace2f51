"""Checks of picture rules for ``lint``: unknown names, mistakes in pictures, terms without phrases."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from random import Random
from typing import Final

from ..engine import symbols
from ..engine.configuration import configure
from ..errors import Finding, KaiserLogicError
from ..evaluation.evaluator import evaluator_of
from ..lang.printer import show_term
from ..lang.terms import Fun, Signature, Term, Var
from ..lang.unification import CONSTANTS, label
from ..position import Position
from ..rules.contract.survey import Survey
from ..rules.phrases import phrases
from .image import (
    GROUNDS,
    OUTLINES,
    DrawingProblem,
    problems_of_content,
    problems_of_geometry,
    unknown,
    wordless,
    wordless_text,
)
from .scene import LOOKED, SHAPED, SHAPES, Geometry, WrongPicture, scene
from .svg.shapes import CHIPS, SIGNS, SORTS
from .text import drawing

_NAMED: Final[Mapping[Signature, tuple[int, str, Collection[str]]]] = {
    ("look", 2): (1, "ground", GROUNDS),
    ("sign", 2): (1, "sign", SIGNS),
    ("ring", 2): (1, "sign", SIGNS),
    ("frame", 2): (1, "frame", OUTLINES),
    ("outline", 2): (1, "sort of piece or frame", OUTLINES),
}
"""For each predicate: the argument that is a known name, what it names, and the known names."""
_INSIDE: Final[Mapping[str, tuple[str, Collection[str]]]] = {
    "chip": ("style of chips", CHIPS),
    "price": ("style of chips", CHIPS),
    "supply": ("sort of piece", SORTS),
}
"""The same for the first argument of items."""
_ITEMS: Final = {
    "number": 2, "supply": 2, "chip": 3, "price": 4, "dots": 3, "sign": 1, "line": 2, "head": 1, "rule": 0,
    "stage": 2, "now": 2, "track": 2,
}  # fmt: skip
"""The items of panels and boxes, with the number of their arguments; a ``key`` has two or three."""
_LOOKS: Final = 3
"""The number of arguments of a look."""
_MOVES: Final = 40
"""The number of moves of a random game that are checked, besides the start."""


def pictures(survey: Survey) -> Iterator[Finding]:
    """The findings of the kind ``picture`` that the text of the rules shows.

    >>> # piece(mark,A,look(ship,R,none),1) :- at(A,R).     area(wide,sea,rct(0,40,300,200)).
    """
    for signature, (place, noun, known) in _NAMED.items():
        for use, term in survey.arguments(signature, place, heads=True):
            if isinstance(term, CONSTANTS) and show_term(term) not in known:
                yield survey.at(use.rule, "picture", unknown(noun, show_term(term), known), show_term(term))
    for use, term in survey.arguments(("piece", 4), 2, heads=True):
        if isinstance(term, Var):
            continue
        looks = list(term.args) if isinstance(term, Fun) and term.name == "look" else []
        if len(looks) != _LOOKS:
            yield survey.at(use.rule, "picture", LOOKED, "piece")
        elif isinstance(looks[0], CONSTANTS) and show_term(looks[0]) not in SORTS:
            name = show_term(looks[0])
            yield survey.at(use.rule, "picture", unknown("sort of piece", name, SORTS), name)
    for use, term in survey.arguments(("area", 3), 2, heads=True):
        if isinstance(term, Fun) and SHAPES.get(str(term.name)) != len(term.args):
            yield survey.at(use.rule, "picture", SHAPED, str(term.name))
    for of in ("panel", "content"):
        for use, term in survey.arguments((of, 3), 2, heads=True):
            for word, message in _item(term):
                yield survey.at(use.rule, "picture", message, word)


def _item(term: Term) -> Iterator[tuple[str, str]]:
    """The mistake in an item, if there is one: the word, and a sentence."""
    if isinstance(term, Var):
        return
    name, args = label(term), list(term.args) if isinstance(term, Fun) else []
    arguments = (2, 3) if name == "key" else (_ITEMS.get(name),)
    if name not in _ITEMS and name != "key":
        yield name, unknown("item", name, {*_ITEMS, "key"})
    elif len(args) not in arguments:
        yield name, f"the item {name} has {' or '.join(map(str, arguments))} arguments, not {len(args)}"
    elif name in _INSIDE and isinstance(args[0], CONSTANTS) and show_term(args[0]) not in _INSIDE[name][1]:
        yield show_term(args[0]), unknown(_INSIDE[name][0], show_term(args[0]), _INSIDE[name][1])


def check_drawing(survey: Survey) -> Iterator[Finding]:
    """The findings of the kinds ``picture`` and ``wordless`` in a random game, each at the predicate that causes it.

    >>> # slot(mark,f(1,1),1,nowhere).     cell(players,R,lots,1,lot(N)) :- lots(R,N).     without a phrase for lot(N)
    """
    problems: dict[tuple[str, DrawingProblem], None] = {}
    layouts: Geometry | None = None
    for position in _positions(survey):
        try:
            shown, text = scene(position), drawing(position)
        except WrongPicture as error:
            problems["picture", DrawingProblem(error.of, str(error))] = None
            break
        if shown is not None:
            if shown.geometry is not layouts:  # it depends on no position
                layouts = shown.geometry
                problems |= dict.fromkeys(("picture", one) for one in problems_of_geometry(layouts))
            problems |= dict.fromkeys(("picture", one) for one in problems_of_content(shown))
            problems |= dict.fromkeys(("wordless", one) for one in wordless(shown))
        if text is not None:
            words = phrases(survey.folder)
            problems |= dict.fromkeys(("wordless", one) for one in wordless_text(text, words))
    reported: set[str | tuple[Signature, str]] = {finding.message for finding in pictures(survey)}
    for what, problem in problems:
        uses = survey.derived.get(problem.of)
        key = (problem.of, problem.term) if problem.term else problem.text
        if uses and key not in reported:
            reported.add(key)
            yield survey.at(uses[0].rule, what, problem.text, problem.of[0])


def _positions(survey: Survey) -> Iterator[Position]:
    """The start, and the positions of a random game; none if no game can be set up."""
    if not survey.drawing:
        return
    random = Random(1)
    try:
        configuration, _ = configure(survey.book, survey.folder)
        evaluator = evaluator_of(configuration)
        position = Position(evaluator, evaluator.initial())
        for _ in range(_MOVES):
            yield position
            legal = [*position.evaluator.legal(position.symbols)]
            chosen = {role: symbols.text(action) for role, action in sorted(legal, key=lambda _: random.random())}
            if not chosen:
                return
            position = position.apply(chosen)
    except KaiserLogicError:  # such a fault is not one of the drawing
        return


def checks(survey: Survey) -> Iterator[Finding]:
    """All checks of drawings."""
    yield from pictures(survey)
    yield from check_drawing(survey)
