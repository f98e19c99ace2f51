"""A question's program in which a position and what is done in it are fixed by assumptions.

The same program as that of the proof, grounded once: what it says of one pair is read off a model of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import clingo

from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.sets import parts
from ..evaluation.evaluator import Evaluator
from ..rules.pattern import substitute, unify
from ..rules.predicates import BROKEN, COUNTS, VIOLATES
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..transform.action_splitting import numbered
from .obligations import BAD
from .sample import Actions, Facts, kind_of

ASKED: Final = "asked__"
"""Holds where the solver is asked for a transition out of the goals, and is let go where it is checked."""
LAWFUL: Final = "lawful__"
"""Holds where only legal actions are meant."""


class Differs(Exception):
    """The encoding is not what the rules say."""


class Nothing(Differs):
    """The encoding has no way on from a position."""


class CheckedProgram:
    """A question's program.

    Attributes:
        fluents: What a position consists of, without the seats.
        free: The literals of the first position's facts, and whether they always hold.
        after: For each fluent's name after the transition the fluent's own.
        violating: The predicates by which actions break rules.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        kinds: Sequence[ActionKind],
        encoding: Encoding,
        encoded: EncodedTransition,
        solver: Solver,
    ) -> None:
        """Of a question in which `ASKED` and `LAWFUL` are open; ``kinds``: those of the actions, if any."""
        self._evaluator, self._kinds = evaluator, kinds
        self._encoding, self._encoded, self._control = encoding, encoded, solver.control
        book = encoding.ruleset.book
        self.fluents = sorted(book.fluents - {("seat", 2)})
        self.free = self._literals(self.fluents)
        t = encoded.number
        self._acts = self._literals([(names.does(t), 2), (names.argument(t), 4)])
        self._chosen = self._literals([("chosen", 3)])
        self._totals = self._literals([("total", 2)])
        (asked, _), (lawful, _) = self._literals([(ASKED, 0), (LAWFUL, 0)]).values()
        self._asked, self._lawful = asked, lawful
        self.after = {(encoding.name(s), s[1]): s[0] for s in self.fluents}
        heads = (h for e in encoded.emitted for h in e.heads)
        self.violating = {h.signature for h in heads if names.plain(h.name) == VIOLATES[0]}
        self._broken = (encoding.name(BROKEN), 2)
        watched = [*self.after, *self.violating, BAD, *([self._broken] if self._broken != BROKEN else [])]
        self._watched = self._literals(watched)

    def _literals(self, signatures: Iterable[tuple[str, int]]) -> dict[clingo.Symbol, tuple[int, bool]]:
        """For each atom of these predicates its literal, and whether it is a fact."""
        atoms = self._control.symbolic_atoms
        return {
            a.symbol: (a.literal, a.is_fact)
            for name, arity in signatures
            for a in atoms.by_signature(name, arity)
        }

    @property
    def seats(self) -> Facts:
        """Who sits where, which is part of every position."""
        return frozenset(self._encoding.ruleset.facts("seat", 2))

    @property
    def legal(self) -> list[int]:
        """The assumptions for a legal transition, wherever it leads."""
        return [-self._asked, self._lawful]

    def chosen_in(self, model: clingo.Model) -> list[clingo.Symbol]:
        """What a model has chosen: a position, and what is done in it."""
        known = (self.free, self._acts, self._chosen)
        return [s for group in known for s, (lit, certain) in group.items() if certain or model.is_true(lit)]

    def allows(self, facts: Facts, actions: Actions) -> bool:
        """Whether there is such a position, and a way on from it by these actions."""
        try:
            given = [*self._position(facts), *self._actions(facts, actions)]
        except Differs:
            return False
        with self._control.solve(assumptions=[*given, -self._asked, -self._lawful], yield_=True) as handle:
            return any(True for _ in handle)

    def determined(self, facts: Facts, actions: Actions) -> set[clingo.Symbol]:
        """What holds of all that is watched, from a position by actions, legal or not.

        Raises:
            Differs: The program does not know them, or leaves open what follows.
        """
        given = [*self._position(facts), *self._actions(facts, actions)]
        return self._only([*given, -self._asked, -self._lawful])

    def values(self, role: str, kind: int, place: int) -> list[clingo.Symbol]:
        """The values of an argument that a role can choose; none where it is a set."""
        found = [
            s.arguments[3]
            for s in self._acts
            if s.name == names.argument(self._encoded.number)
            and (symbols.text(s.arguments[0]), s.arguments[1].number, s.arguments[2].number)
            == (role, kind, place)
        ]
        return (
            []
            if any(v.name == "set_of" for v in found if v.type is clingo.SymbolType.Function)
            else sorted(found)
        )

    def _position(self, facts: Facts) -> Iterator[int]:
        """The assumptions that fix a position and its totals."""
        for fact in facts - self.seats:
            if fact not in self.free:
                raise Differs(f"it does not know {fact}")
        for symbol, (literal, certain) in self.free.items():
            if not certain:
                yield literal if symbol in facts else -literal
            elif symbol not in facts:
                raise Differs(f"{symbol} always holds")
        totals = self._summed(facts) if self._totals else Counter()
        for symbol, (literal, certain) in self._totals.items():
            measure, number = symbol.arguments
            if not certain:
                yield literal if totals[measure] == number.number else -literal

    def _summed(self, facts: Facts) -> Counter[clingo.Symbol]:
        """The totals of a position."""
        ruleset = self._evaluator.ruleset
        rules = tuple(self._encoding.totals.slice)
        program = ruleset.remember(("counts", rules), lambda: ruleset.complete(rules))
        found: Counter[clingo.Symbol] = Counter()
        for s in Grounding(program, facts).get(*COUNTS):
            found[s.arguments[0]] += s.arguments[2].number
        return found

    def _actions(self, facts: Facts, actions: Actions) -> Iterator[int]:
        """The assumptions that fix who does what."""
        wanted: set[clingo.Symbol] = set()
        chosen: set[clingo.Symbol] = set()
        t = self._encoded.number
        for role, action in actions:
            kind = kind_of(self._kinds, facts, role, action)
            if kind is None:
                raise Differs(f"it does not know {action}")
            who, index = symbols.constant(role), clingo.Number(kind.index)
            wanted.add(clingo.Function(names.does(t), [who, index]))
            pattern, _, count = numbered(kind)
            binding = unify(pattern, symbols.value_pattern(action), {})
            for k in range(count):
                value = symbols.ground(substitute(("v", f"A_{k}"), binding or {}))
                place = [who, index, clingo.Number(k)]
                name = next((s for s in self._acts if list(s.arguments[:3]) == place and _is_name(s)), None)
                if name is not None:
                    chosen |= {clingo.Function("chosen", [name.arguments[3], c, n]) for c, n in parts(value)}
                wanted.add(name if name is not None else clingo.Function(names.argument(t), [*place, value]))
        for known, meant in ((self._acts, wanted), (self._chosen, chosen)):
            if not meant <= set(known):
                raise Differs(f"it does not know {min(meant - set(known))}")
            yield from (lit if s in meant else -lit for s, (lit, fact) in known.items() if not fact)

    def _only(self, assumed: Sequence[int]) -> set[clingo.Symbol]:
        """What holds of all that is watched; Differs where that is not determined."""
        solve: Any = self._control.configuration.solve
        solve.models = 2
        found: list[set[clingo.Symbol]] = []
        with self._control.solve(assumptions=list(assumed), yield_=True) as handle:
            for model in handle:
                found.append({s for s, (lit, fact) in self._watched.items() if fact or model.is_true(lit)})
        solve.models = 1
        if not found:
            raise Nothing("it has no such position, or nothing follows from it")
        if len(found) > 1 and found[0] != found[1]:
            raise Differs(f"it leaves open {min(found[0] ^ found[1])}")
        return found[0]


def _is_name(symbol: clingo.Symbol) -> bool:
    """Whether an argument's atom has the name of a set for its value."""
    if len(symbol.arguments) != 4:
        return False
    value = symbol.arguments[3]
    return value.type is clingo.SymbolType.Function and value.name == "set_of"
