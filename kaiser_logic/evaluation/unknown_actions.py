"""Explains an action that the game does not know: the wrong argument, the likely meaning, the nearest legal action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Facts, Grounding
from ..engine.ruleset import Ruleset
from ..engine.sets import NONE, naming_kinds, parts, sets_in, wrong_in_set
from ..errors import NotDecided
from ..lang import algebra
from ..lang.algebra import is_ground, variables
from ..lang.printer import show_term
from ..lang.terms import Atom, Fun, Literal, Term, Var
from ..lang.terms import Rule as Value
from ..lang.unification import CONSTANTS, arguments, functor, label, most_general_term, unify
from ..rules.generated import bind_rule
from ..rules.names import did_you_mean
from ..rules.phrases import phrases
from ..rules.reader import rule_from, term_of
from ..rules.rulebook import ActionKind
from .evaluator import Evaluator

UNKNOWN: Final = "action.unknown"
"""The rule that an unknown action breaks."""
_HOLE: Final[Term] = Var("Hole")
_GIVEN: Final = frozenset({("number", 1), ("set", 1)})
"""The facts that are given to the vocabulary."""
_NUMBERS: Final = 30
"""Numbers below this one are suggested if the vocabulary allows any number."""
_LISTED: Final = 8
"""The largest number of possible values that are listed."""
_NEAR: Final = 0.75
"""The least similarity of an action that is suggested; 1 means equal."""
_SHARED: Final = 0.66
"""The least similarity of the words of another action that is suggested; 1 means equal."""
_FORMS: Final = 3
"""The largest number of forms of an action that are shown."""


@dataclass(frozen=True)
class _Hole:
    """A part of an action. If another term replaces it, the action is one of the game.

    Attributes:
        part: The term there.
        depth: The number of terms around it.
        options: The terms that are possible there.
        sort: The predicate that defines them; empty if no single one does.
    """

    part: Term
    depth: int
    options: tuple[str, ...]
    sort: str


def unknown_action(rules: Ruleset, facts: Facts, role: str, action: clingo.Symbol) -> str:
    """The message about an unknown action, with the action that may be meant."""
    legal = _legal(rules, facts, role)
    near = _nearest(symbols.term_of(_with_sets(rules, action)), legal)
    message = f"the game knows no such action: {_explain(rules, action)}"
    return f"{message}; the nearest legal action is {near}" if near else message


def _explain(rules: Ruleset, action: clingo.Symbol) -> str:
    """The message about the mistake in an unknown action."""
    kinds = [k for k in rules.book.kinds if _is_possible(rules, k)]
    forms = [k.action for k in kinds if label(k.action) == action.name]
    if not forms:
        if any(label(k.action) == action.name for k in rules.book.kinds):
            return f"there is no action {action.name} in this game as it is set up"
        hint = did_you_mean(rules.book.folder, action.name, (label(k.action) for k in kinds))
        return f"there is no action {action.name}{hint}"
    arities = sorted({len(form.args) if isinstance(form, Fun) else 0 for form in forms})
    if len(action.arguments) not in arities:
        numbers = " or ".join(map(str, arities))
        plural = "" if numbers == "1" else "s"
        shown = " or ".join(dict.fromkeys(show_term(form) for form in forms[:_FORMS]))
        hint = _misspelt(rules, action, forms)
        return f"{action.name} has {numbers} argument{plural}, not {len(action.arguments)}: {shown}{hint}"
    things = [s.arguments[0] for s in rules.facts("thing", 3)]
    for chosen in sets_in(action):
        if wrong := wrong_in_set(chosen, rules.facts("thing", 3)):
            return f"{wrong} cannot be in a set{did_you_mean(rules.book.folder, wrong, map(symbols.text, things))}"
    for part in _non_sets(rules, action):
        written = _set_of(part) if part in things else "with(NUMBER,THING,REST)"
        return f"{part} is not a set; a set is written {written}, or none"
    holes = sorted(_holes(rules, action), key=lambda hole: -hole.depth)
    if not holes:
        return "more than one argument is wrong"
    return _wrong_part(rules, holes[0], {o for h in holes if h.part == holes[0].part for o in h.options})


def _misspelt(rules: Ruleset, action: clingo.Symbol, forms: Iterable[Term]) -> str:
    """The hint that an argument is misspelt, if the number of arguments is wrong; empty if no name is near."""
    for place, given in enumerate(action.arguments):
        names = {functor(form.args[place]) for form in forms if isinstance(form, Fun) and len(form.args) > place}
        known = sorted(str(name[0]) for name in names if name is not None)
        if given.type == clingo.SymbolType.Function and given.name not in known:
            hint = did_you_mean(rules.book.folder, given.name, known)
            if hint:
                return hint
    return ""


def _is_possible(rules: Ruleset, kind: ActionKind) -> bool:
    """Whether the conditions of a kind of action hold in this game. Most of them are rulings, which may exclude it."""
    conditions = [
        literal
        for literal in kind.sorts
        if is_ground(literal) and not (isinstance(literal, Atom) and literal.signature in _GIVEN)
    ]
    if not conditions:
        return True
    return rules.remember(("possible", kind.index), lambda: _holds(rules, conditions))


def _holds(rules: Ruleset, literals: Iterable[Literal]) -> bool:
    """Whether ground literals hold in this game."""
    rule = rule_from(Value(Atom("hole", ()), tuple(literals)))
    return bool(Grounding(rules.complete((rule,)), ()).get("hole", 0))


def _non_sets(rules: Ruleset, action: clingo.Symbol) -> list[clingo.Symbol]:
    """The arguments that should be sets but are not."""
    non_sets = []
    for kind in naming_kinds(rules.book):
        if unify(kind.action, most_general_term(symbols.signature(action)), {}) is not None:
            sets = kind.drawn_from("set")
            for declared, given in zip(arguments(kind.action), action.arguments, strict=True):
                is_set_variable = isinstance(declared, Var) and any(Var(declared.name) in a.args for a in sets)
                if is_set_variable and given != NONE and not parts(given):
                    non_sets.append(given)
    return non_sets


def _set_of(thing: clingo.Symbol) -> clingo.Symbol:
    """The set with one copy of a thing."""
    return clingo.Function("with", [clingo.Number(1), thing, NONE])


def _with_sets(rules: Ruleset, action: clingo.Symbol) -> clingo.Symbol:
    """The action with sets of one thing in place of single things, where sets are expected."""
    things = {s.arguments[0] for s in rules.facts("thing", 3)}
    meant = [a for a in _non_sets(rules, action) if a in things]
    return clingo.Function(action.name, [_set_of(a) if a in meant else a for a in action.arguments])


def _wrong_part(rules: Ruleset, hole: _Hole, options: set[str]) -> str:
    """The message that a part of an action is wrong, with the possible values."""
    word = show_term(hole.part)
    words = phrases(rules.book.folder)
    noun = words.phrase(f"no({hole.sort})") if hole.sort else ""
    noun = f"no {hole.sort.replace('_', ' ')}" if noun == f"no({hole.sort})" else noun
    message = f"{word} is {noun}" if noun else f"{word} cannot stand there"
    hint = did_you_mean(rules.book.folder, word, options) if isinstance(hole.part, CONSTANTS) else ""
    if hint:
        return f"{message}{hint}"
    if len(options) > _LISTED:
        return message
    listed = sorted(options, key=lambda o: (not o.isdigit(), int(o) if o.isdigit() else 0, o))
    listing = " or ".join([", ".join(listed[:-1]), listed[-1]] if listed[1:] else listed)
    return f"{message}, but {listing} {('are' if listed[1:] else 'is') if noun else 'can'}"


def _holes(rules: Ruleset, action: clingo.Symbol) -> Iterator[_Hole]:
    """Yields the parts of an action that other terms could replace."""
    given = symbols.term_of(action)
    numbers = symbols.number_facts(range(_NUMBERS))
    for kind in rules.book.kinds:
        if label(kind.action) != action.name:
            continue
        for part, path in _parts(given):
            declared = _part_at(kind.action, path)
            binding = unify(kind.action, _with_hole(given, path), {}) if path and declared else None
            if binding is None or declared is None:
                continue
            guard = _sorts(kind)
            if not {*variables(declared)} <= {*algebra.variables(guard)}:
                continue  # a set
            rule = bind_rule(Value(Atom("hole", (term_of(declared),)), guard), binding)
            atoms = Grounding(rules.complete((rule_from(rule),)), numbers).get("hole", 1)
            if atoms:
                options = tuple(symbols.text(s.arguments[0]) for s in atoms)
                sort = _sort(kind, declared)
                if sort and _holds(rules, [Atom(sort, (part,))]):
                    sort = ""  # the part is wrong only beside the other arguments
                yield _Hole(part, len(path), options, sort)


def _parts(term: Term, path: tuple[int, ...] = ()) -> Iterator[tuple[Term, tuple[int, ...]]]:
    """Yields the parts of a term, each with its path."""
    yield term, path
    if isinstance(term, Fun):
        for place, part in enumerate(term.args):
            yield from _parts(part, (*path, place))


def _part_at(term: Term, path: tuple[int, ...]) -> Term | None:
    """The part of a pattern at a path; None if the pattern does not reach that far."""
    for place in path:
        if not isinstance(term, Fun) or place >= len(term.args):
            return None
        term = term.args[place]
    return term


def _with_hole(term: Term, path: tuple[int, ...]) -> Term:
    """The term with a variable at a path."""
    if not path:
        return _HOLE
    parts = (_with_hole(part, path[1:]) if k == path[0] else part for k, part in enumerate(arguments(term)))
    return Fun(label(term), tuple(parts))


def _sort(kind: ActionKind, wanted: Term) -> str:
    """The predicate of one argument that defines the possible values of a part; empty if there is none."""
    atoms = (x for x in _sorts(kind) if isinstance(x, Atom) and not x.sign)
    return next((x.name for x in atoms if x.args == (term_of(wanted),)), "")


@lru_cache(maxsize=1_000)
def _sorts(kind: ActionKind) -> tuple[Literal, ...]:
    """The literals that give the sorts of an action's arguments, except those of sets."""
    return tuple(x for x in kind.sorts if not (isinstance(x, Atom) and x.signature == ("set", 1)))


# -- similar actions -----------------------------------------------------------------------------------------


def _legal(rules: Ruleset, facts: Facts, role: str) -> list[clingo.Symbol]:
    """The legal actions of the role; none if they are too many to list."""
    try:
        return [action for one, action in Evaluator(rules).legal(facts) if one == role]
    except NotDecided:
        return []


def _nearest(wanted: Term, actions: list[clingo.Symbol]) -> str | None:
    """The action that is most similar to the wanted one, or made of the same words; None if no action is near."""
    patterns = {symbols.text(a): symbols.term_of(a) for a in actions}
    likeness = {text: _similarity(wanted, pattern) for text, pattern in patterns.items()}
    best = max(sorted(likeness), key=lambda text: likeness[text], default=None)
    if best is None or likeness[best] >= _NEAR:
        return best
    shared = {text: _common_words(_words(wanted), _words(pattern)) for text, pattern in patterns.items()}
    best = max(sorted(shared), key=lambda text: shared[text])
    return best if shared[best][0] >= _SHARED else None


def _common_words(one: list[str], other: list[str]) -> tuple[float, int]:
    """The similarity of two lists of words, from 0 to 1, and the number of shared words."""
    return SequenceMatcher(None, one, other).ratio(), (Counter(one) & Counter(other)).total()


def _words(term: Term) -> list[str]:
    """The names and numbers in a term, in order."""
    return [label(part) for part, _ in _parts(term)]


def _similarity(one: Term, other: Term) -> float:
    """The similarity of two terms, from 0 to 1: the name counts as much as all arguments together."""
    names = _name_similarity(label(one), label(other))
    first, second = (term.args if isinstance(term, Fun) else () for term in (one, other))
    if not first and not second:
        return names
    parts = sum(map(_similarity, first, second))
    return (names + parts / max(len(first), len(second))) / 2


@lru_cache(maxsize=10_000)
def _name_similarity(one: str, other: str) -> float:
    """The similarity of two names; numbers are either equal or not."""
    if one.isdigit() or other.isdigit():
        return float(one == other)
    return SequenceMatcher(None, one, other).ratio()
