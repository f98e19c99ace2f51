"""Small games and candidate invariants for the tests of mining."""

from collections.abc import Collection, Iterable
from functools import cache

import clingo

from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.lang.terms import ANY, Fun, Term, Var
from kaiser_logic.lang.unification import match
from kaiser_logic.mining.candidates import Candidate, Feature, FeatureVocabulary, Template, with_candidates
from kaiser_logic.rules.reader import read_term
from support import TINY
from support.exhaustive import reachable
from support.heap_game import FOLDER

SMALL = ("bank", "cards", "ferry", "nim", "race", "sealed", "urn")


FIRST = '\n\n[tags.First]\nabout = "who begins"\nvalues = "seats"\ndefault = "first seat"\n\n[rulings.last_stone]'
TAGGED = {
    "\n\n[rulings.last_stone]": FIRST,
    "init(decision(R,take)) :- seat(R,1).": "init(decision(R,take)) :- start(first,R).",
}
"""Changes of the heap game: a start tag names the first player."""


@cache
def game(name: str) -> Game:
    return load(FOLDER if name == "heap" else TINY / name)


@cache
def vocabulary(name: str) -> FeatureVocabulary:
    return FeatureVocabulary(game(name).ruleset)


@cache
def positions(name: str) -> frozenset[frozenset[clingo.Symbol]]:
    """All reachable positions, and the position after the automatic steps of the start."""
    made = game(name)
    return frozenset(reachable(made)) | {made.evaluator.initial()}


def feature(text: str, sort: str | None = None) -> Feature:
    return Feature(_plain(read_term(text)), sort, sort is None)


def candidate(template: Template, first: str, second: str = "", bound: int = 0, sort: str = "") -> Candidate:
    """A candidate whose features are written as text; the sort belongs to features with an X."""
    made = [feature(text, sort if "X" in text else None) for text in (first, second) if text]
    return Candidate(template, made[0], made[1] if second else None, bound)


def written(text: str) -> Candidate:
    name, _, rest = text.partition(" ")
    first, second, last, *_ = [*rest.split(" | "), "", ""]
    bound = int(last) if last.isdigit() else 0
    return candidate(Template[name], first, second, bound, "" if bound else last)


def _plain(pattern: Term) -> Term:
    """A pattern with ``_`` for all variables but X and N."""
    if isinstance(pattern, Var):
        return pattern if pattern.name in ("X", "N") else ANY
    return Fun(pattern.name, tuple(map(_plain, pattern.args))) if isinstance(pattern, Fun) else pattern


def breaking(candidates: Iterable[Candidate], name: str) -> list[str]:
    """The candidates that a reachable position of a small game breaks, evaluated as rules."""
    named = {f"candidate_{k}": c for k, c in enumerate(candidates)}
    evaluator = Evaluator(with_candidates(game(name).ruleset, named))
    broken = {i for facts in positions(name) for i, _ in evaluator.broken_invariants(facts, waive=False)}
    return sorted(named[i].body for i in broken & set(named))


def breaks(candidate: Candidate, facts: Collection[clingo.Symbol], values: Iterable[clingo.Symbol]) -> bool:
    """Whether facts break a candidate; ``values`` are the values of its variable, if it has one.

    This is a second definition of the templates, without logic programs.
    """
    one = _values_in(candidate.first, facts)
    other = _values_in(candidate.second, facts) if candidate.second is not None else None
    match candidate.template:
        case Template.NEVER:
            return one is not None
        case Template.ALWAYS:
            return one is None
        case Template.EXCLUDES:
            return one is not None and other is not None
        case Template.IMPLIES:
            return one is not None and other is None
        case Template.EACH:
            return one is not None and not set(values) <= (other or set())
        case Template.EXCLUDES_SAME:
            return bool((one or set()) & (other or set()))
        case Template.IMPLIES_SAME:
            return bool((one or set()) - (other or set()))
        case Template.AT_MOST:
            return one is not None and any(n.number > candidate.bound for n in other or ())
        case Template.AT_LEAST:
            return one is not None and any(n.number < candidate.bound for n in other or ())


def _values_in(feature: Feature, facts: Iterable[clingo.Symbol]) -> set[clingo.Symbol] | None:
    """The values of a feature's variable if the feature holds; None if it does not hold."""
    matches = [m for m in (match(feature.pattern, symbols.term_of(f)) for f in facts) if m is not None]
    return {symbols.symbol_of(v) for m in matches for v in m.values()} if matches else None
