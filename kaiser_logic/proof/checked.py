"""A question's program in which a position and what is done in it are fixed by assumptions.

The same program as that of the proof, grounded once: what it says of one pair is read off a model of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.sets import parts
from ..evaluation.evaluator import Evaluator
from ..rules.fresh import argument
from ..rules.pattern import substitute, unify
from ..rules.predicates import BROKEN, VIOLATES
from ..rules.rulebook import ActionKind
from ..symbolic import names
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..transform.action_splitting import numbered
from .deciding import kind_of
from .fixed import ASKED, Differs, FixedProgram
from .obligations import BAD
from .sample import Actions, Facts

LAWFUL: Final = "lawful__"
"""Holds where only legal actions are meant."""

MATCHED: Final = "matched__"
"""Holds where the enumeration of legal actions lists what is done."""


class CheckedProgram(FixedProgram):
    """A question's program.

    Attributes:
        after: For each fluent's name after the transition the fluent's own, where that is another one.
        violating: The predicates by which actions break rules.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        kinds: Sequence[ActionKind],
        encoding: Encoding,
        encoded: EncodedTransition,
        solver: Solver,
        fixed: Sequence[str] = (),
    ) -> None:
        """Of a question in which `ASKED` and `LAWFUL` are open.

        Args:
            evaluator: Of the rules as written.
            kinds: Those of the actions, if any.
            encoding: The question's.
            encoded: The transition.
            solver: What the encoding was grounded to.
            fixed: Other atoms that are open and say what is asked: what is assumed of them.
        """
        super().__init__(evaluator, encoding, solver)
        self._kinds, self._encoded = kinds, encoded
        t = encoded.number
        self._acts = self.literals([(names.does(t), 2), (names.argument(t), 4)])
        self._chosen = self.literals([("chosen", 3)])
        (asked, _), (lawful, _) = self.literals([(ASKED, 0), (LAWFUL, 0)]).values()
        self._asked, self._lawful = asked, lawful
        self._fixed = list(map(self._assumed, fixed))
        named = {(encoding.name(s), s[1]): s[0] for s in self.fluents}
        self.after = {s: own for s, own in named.items() if s[0] != own}
        self._untouched = {s for s, own in named.items() if s[0] == own}
        heads = (h for e in encoded.emitted for h in e.heads)
        self.violating = {h.signature for h in heads if names.plain(h.name) == VIOLATES[0]}
        self._broken = (encoding.name(BROKEN), 2)
        broken = [self._broken] if self._broken != BROKEN else []
        watched = [(MATCHED, 0), *self.after, *self.violating, BAD, *broken]
        self._watched = self.literals(watched)

    @property
    def legal(self) -> list[int]:
        """The assumptions for a legal transition, wherever it leads."""
        return [-self._asked, self._lawful, *self._fixed]

    def chosen_in(self, model: clingo.Model) -> list[clingo.Symbol]:
        """What a model has chosen: a position, and what is done in it."""
        known = (self.free, self._acts, self._chosen)
        return [s for group in known for s, (lit, certain) in group.items() if certain or model.is_true(lit)]

    def allows(self, facts: Facts, actions: Actions, asked: Sequence[str] = ()) -> bool:
        """Whether there is such a position, and a way on from it by these actions.

        Args:
            facts: The position.
            actions: What is done in it.
            asked: What is assumed besides, atoms that are open or their negation; by default that nothing is asked.
        """
        try:
            given = [*self.position(facts), *self._actions(facts, actions)]
        except Differs:
            return False
        nothing = [-self._asked, -self._lawful, *self._fixed]
        assumed = self.assumed(asked) or nothing
        with self._control.solve(assumptions=[*given, *assumed], yield_=True) as handle:
            return any(True for _ in handle)

    def determined(self, facts: Facts, actions: Actions) -> set[clingo.Symbol]:
        """What holds of all that is watched, from a position by actions, legal or not.

        Raises:
            Differs: The program does not know them, or leaves open what follows.
        """
        given = [*self.position(facts), *self._actions(facts, actions)]
        return self.only([*given, -self._asked, -self._lawful, *self._fixed], self._watched)

    def follows(self, facts: Facts, holds: Iterable[clingo.Symbol]) -> set[clingo.Symbol]:
        """The position after a transition, without the seats.

        What the transition cannot touch has no name of its own afterwards: it is what is assumed of the position.

        Args:
            facts: The position before.
            holds: What holds of all that is watched, as `determined` has it.
        """
        found = {s for s in facts if symbols.signature(s) in self._untouched}
        for s in holds:
            own = self.after.get(symbols.signature(s))
            if own is not None:
                found.add(clingo.Function(own, s.arguments))
        return found

    def assumed(self, asked: Sequence[str]) -> list[int]:
        """The literals of atoms that are open, or of their negation."""
        return list(map(self._assumed, asked))

    def _assumed(self, text: str) -> int:
        """The literal of an atom that is open, negative where its text begins with ``not``."""
        atom = self._control.symbolic_atoms[clingo.parse_term(text.removeprefix("not "))]
        if atom is None:
            raise ValueError(f"the program does not know {text}")
        literal = atom.literal
        return -literal if text.startswith("not ") else literal

    @cached_property
    def _slots(self) -> Mapping[tuple[clingo.Symbol, ...], Sequence[clingo.Symbol]]:
        """The atoms that give an argument a value, by who acts, the kind of action, and the argument's place."""
        found: dict[tuple[clingo.Symbol, ...], list[clingo.Symbol]] = {}
        for s in self._acts:
            if s.name == names.argument(self._encoded.number):
                found.setdefault(tuple(s.arguments[:3]), []).append(s)
        return found

    def values(self, role: str, kind: int, place: int) -> list[clingo.Symbol]:
        """The values of an argument that a role can choose; none where it is a set."""
        slot = symbols.constant(role), clingo.Number(kind), clingo.Number(place)
        found = self._slots.get(slot, ())
        return [] if any(map(_is_name, found)) else sorted(s.arguments[3] for s in found)

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
                value = symbols.ground(substitute(("v", argument(k)), binding or {}))
                place = who, index, clingo.Number(k)
                name = next(filter(_is_name, self._slots.get(place, ())), None)
                if name is not None:
                    chosen |= {clingo.Function("chosen", [name.arguments[3], c, n]) for c, n in parts(value)}
                wanted.add(name if name is not None else clingo.Function(names.argument(t), [*place, value]))
        for known, meant in ((self._acts, wanted), (self._chosen, chosen)):
            if not meant <= set(known):
                raise Differs(f"it does not know {min(meant - set(known))}")
            yield from (lit if s in meant else -lit for s, (lit, fact) in known.items() if not fact)


def _is_name(symbol: clingo.Symbol) -> bool:
    """Whether an argument's atom has the name of a set for its value."""
    value = symbol.arguments[3]
    return value.type is clingo.SymbolType.Function and value.name == "set_of"
