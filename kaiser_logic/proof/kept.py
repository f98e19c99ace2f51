"""Answers that are kept: what has been proved once is not proved again while nothing that decides it has changed.

Only whole proofs are kept: a question without a model, whose program was compared with the evaluate reading without a
difference and covers all numbers. Nothing is kept of what was not decided, whatever the reason, and of what has fallen.

A proof is found again under a hash of all that decides it: the programs put to the solver with their facts, options and
assumptions; which of the rulebook's rules have come into them; the programs by which the evaluate reading judges the same
moves, lists them and finds broken invariants, with their facts; the sorts of the open position; what is presupposed and
what is to be shown; the package's sources, Python and clingo. A rule that stands in none of these programs is compared
with them all the same by each run, in random games (:mod:`.whole`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from .. import clingo
from ..cache import Store, key_of, store, tool
from ..engine.ruleset import Ruleset
from ..rules.pattern import Pattern, outermost, shape, show
from ..rules.predicates import ADD, BROKEN, CANDIDATE, DEL, LEGAL, OFFERED, TOO_MANY, VIOLATES, WRONG
from ..rules.rule import Rule, top
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..transform.slicing import seeds

_PROVED = "proved"
_SAID = (VIOLATES, ADD, DEL, OFFERED, BROKEN, LEGAL, TOO_MANY, CANDIDATE, WRONG)
"""What the evaluate reading is asked for."""


class Answers:
    """The proofs of one game that are kept on disk."""

    def __init__(self, game: str = "", fresh: bool = False) -> None:
        """Of a game.

        Args:
            game: Its id.
            fresh: Whether nothing is looked up; what is proved replaces what was kept.
        """
        self._game = game
        self._fresh = fresh

    @property
    def some(self) -> bool:
        """Whether there are any to be looked up."""
        kept = self._kept
        return not self._fresh and kept is not None and not kept.empty

    @property
    def off(self) -> bool:
        """Whether nothing is kept at all, so that nobody need know what it would be kept under."""
        return self._kept is None

    def has(self, key: str) -> bool:
        """Whether this has been proved."""
        kept = self._kept
        return not self._fresh and kept is not None and kept.get(key) == _PROVED

    def add(self, key: str) -> None:
        """Keeps that this has been proved: at once, as the process may be ended any time."""
        kept = self._kept
        if kept is not None:
            kept.put(key, _PROVED)
            kept.keep()

    def said(self, key: str) -> str:
        """What else has been said under a key (:mod:`.unchanged`); nothing where nothing has."""
        kept = self._kept
        return "" if self._fresh or kept is None else str(kept.get(key) or "")

    def say(self, key: str, what: str) -> None:
        """Keeps what is said under a key: written with the next proof, or by `write`."""
        kept = self._kept
        if kept is not None and kept.get(key) != what:
            kept.put(key, what)

    def write(self) -> None:
        """Writes what is new."""
        kept = self._kept
        if kept is not None:
            kept.keep()

    @property
    def _kept(self) -> Store | None:
        ours = tool()
        return store("proofs", ours, f"game {self._game}") if ours else None


def key(
    ruleset: Ruleset,
    sorts: Domains,
    questions: Iterable[tuple[Encoding, Solver, Sequence[str]]],
    kinds: Iterable[ActionKind],
    steps: Sequence[Pattern],
    *more: str,
) -> str:
    """The hash of all that decides the answer to a question.

    Args:
        ruleset: The rules in force.
        sorts: Those of the open position.
        questions: What is put to the solver: each program with its assumptions.
        kinds: The kinds of action that the question is about.
        steps: The steps that it is about.
        more: What is presupposed, what is to be shown, and the question's own settings, as texts.
    """
    book = ruleset.book
    parts = ["proof", tool(), clingo.VERSION, *_listed(more)]
    for encoding, solver, assumed in questions:
        parts += [solver.text, *_listed(solver.options), *_listed(assumed), *_listed(_texts(solver.facts))]
        parts += _listed(sorted(rule.text for rule in encoding.origins))
        parts += _listed(map(str, encoding.effects))
    parts.append(_sorts(sorts))
    actions = [k for kind in kinds for k in ruleset.alike(kind)]
    parts += _listed(f"{k.index} {show(k.action)} {show(k.decision)} {k.guard}" for k in actions)
    parts += _listed(f"{show(k.action)} {show(k.decision)}" for k in book.kinds)
    parts += _listed(map(show, steps))
    about = "judging", tuple(k.index for k in actions), tuple(steps)
    rules = ruleset.remember(about, lambda: _judging(ruleset, actions, steps))
    program = ruleset.complete(rules)
    parts += [
        *_listed(rule.text for rule in rules),
        *_listed(_texts(program.static)),
        *_listed(_texts(ruleset.given)),
    ]
    parts += _listed(map(str, sorted(program.inputs)))
    declared = (book.fluents, book.counters.items(), book.units, book.signed, ruleset.waived, ruleset.steps)
    for said in declared:
        parts += _listed(sorted(map(str, said)))
    return key_of(*parts)


def of_all(ruleset: Ruleset, *more: str) -> str:
    """The hash of all that decides any answer about these rules: as `key`, without anything having to be written for it.

    Args:
        ruleset: The rules in force, with what is claimed of moves.
        more: What is asked, as texts.
    """
    own = len(ruleset.book.rules)  # what is generated is told apart by its place, too
    return key_of("all", tool(), clingo.VERSION, ruleset.id, str(own), ruleset.mark, *_listed(more))


def _judging(ruleset: Ruleset, actions: Sequence[ActionKind], steps: Sequence[Pattern]) -> tuple[Rule, ...]:
    """The rules by which the evaluate reading answers about these moves: at least those."""
    done, wanted = [k.action for k in actions], [top(*signature) for signature in _SAID]
    decided = [outermost(k.decision) for k in actions]
    pending = None if None in decided else [shape(d) for d in decided if d is not None]
    judged = ruleset.judging.slice(seeds(None, steps, done), wanted)
    # at other decisions nothing is listed
    listed = ruleset.enumerating.slice(seeds(pending, steps, done), wanted)
    found = dict.fromkeys([*judged, *listed])
    return tuple(found)


@lru_cache(maxsize=4)
def _sorts(sorts: Domains) -> str:
    """A hash of all sorts."""
    its = (sorts.fluents, sorts.wide, sorts.measures, sorts.most)
    return key_of(*(text for facts in its for text in _listed(_texts(facts))))


def _listed(texts: Iterable[str]) -> tuple[str, str]:
    """Texts as one, with a hash that tells where each ends."""
    found = list(texts)
    return str(len(found)), key_of(",".join(str(len(text)) for text in found), "".join(found))


_known: dict[clingo.Symbol, str] = {}


def _texts(facts: Iterable[clingo.Symbol]) -> list[str]:
    """Facts as texts, in an order of their own; strings keep their quotes."""
    found = []
    for fact in facts:
        text = _known.get(fact)
        if text is None:
            text = _known[fact] = str(fact)
        found.append(text)
    return sorted(found)
