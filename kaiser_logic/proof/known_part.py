"""The program of one transition of positions known in part, and the check that it allows what the rules do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import clingo

from ..engine import symbols
from ..evaluation.evaluator import Evaluator
from ..rules.fresh import argument
from ..rules.pattern import Signature, substitute, unify
from ..symbolic import names
from ..symbolic.flattening import Unprojectable
from ..symbolic.projected import Projected, decision_sorts
from ..symbolic.projection import ANY
from ..symbolic.solver import Solver
from ..symbolic.tallies import many
from ..symbolic.transitions import Transition
from ..transform.action_splitting import numbered
from .deciding import kind_of
from .fixed import ASKED
from .pending import pending_rules
from .sample import Facts, Pair

_BAD: Final = "bad__"


class PartialProgram:
    """The program of one transition, and the check that it allows what the rules do."""

    def __init__(self, evaluator: Evaluator, transition: Transition, lemmas: Sequence[str]) -> None:
        """Of one transition.

        Raises:
            Unprojectable: A rule cannot be rewritten.
        """
        self._evaluator, self._transition = evaluator, transition
        ruleset = evaluator.ruleset
        self.projected = Projected(ruleset, transition, lemmas, decision_sorts(ruleset))
        self.broken, self._before = self.projected.broken
        before = self._before
        lines = [
            self.projected.text,
            *pending_rules(self.projected.encoding),
            f"#external lost__(I,W) : {before}(I,W).",
            f"#external lost__(I,W) : {self.broken}(I,W).",
            f":- {before}(I,W), not lost__(I,W).",
            f"{_BAD} :- {self.broken}(I,W), not lost__(I,W).",
            f"{_BAD} :- bad(_,_).",
            f"{_BAD} :- escaped__(_).",
            f"{{ {ASKED} }}.",
            f":- {ASKED}, not {_BAD}.",
        ]
        self.solver = Solver("\n".join(lines), self.projected.facts)
        self._atoms = self.solver.control.symbolic_atoms

    def let_go(self, lost: Iterable[tuple[str, str]]) -> None:
        """These are neither supposed nor asked for any more; a whole invariant where its witness is not known."""
        given = {(clingo.parse_term(i), clingo.parse_term(w)) for i, w in lost}
        every = {i for i, w in given if w == clingo.Function(ANY)}
        for atom in self._atoms.by_signature("lost__", 2):
            invariant, witness = atom.symbol.arguments
            if invariant in every or (invariant, witness) in given:
                self.solver.control.assign_external(atom.symbol, True)

    def supposed(self) -> frozenset[tuple[str, str]]:
        """What can be supposed: the invariants, with witnesses, that a part of the position before might break."""
        found = (a.symbol.arguments for a in self._atoms.by_signature(self._before, 2))
        return frozenset((symbols.text(i), symbols.text(w)) for i, w in found)

    # -- the check ---------------------------------------------------------------------------------------------------

    def differs(self, pair: Pair) -> str | None:
        """Why the program does not allow a move of a game, or None."""
        facts, actions = pair.facts, pair.actions
        if actions:
            judged = self._evaluator.judge(facts, dict(actions))
            after = (facts - frozenset(judged.deleted)).union(judged.added)
        else:
            after = self._evaluator.step(facts)
        fluents = self.projected.kept.fluents
        try:
            given = [x for f in fluents for x in self._fixed(f, f[0], facts)]
            changed = [f for f in fluents if self.projected.after(f) != f[0]]
            given += [x for f in changed for x in self._fixed(f, self.projected.after(f), after)]
            given += self._actions(facts, actions)
        except Unprojectable as error:
            return str(error)
        control = self.solver.control
        asked = (clingo.Function(ASKED), False)
        with control.solve(assumptions=[*given, asked], yield_=True) as handle:
            if any(True for _ in handle):
                return None
        what = "; ".join(f"{r}: {symbols.text(a)}" for r, a in actions) or "what happens by itself"
        return f"{what} is not possible, or leads elsewhere"

    def _fixed(self, fluent: Signature, name: str, facts: Facts) -> Iterator[tuple[clingo.Symbol, bool]]:
        """The assumptions that fix what is kept of a fluent."""
        if fluent == ("seat", 2):
            return
        dropped = self.projected.kept.fluents[fluent]
        wanted = set()
        for f in facts:
            args = self._parts(fluent, f)
            if args is not None:
                wanted.add(clingo.Function(name, [a for i, a in enumerate(args) if i not in dropped]))
        for symbol in wanted:
            if symbol not in self._atoms:
                raise Unprojectable(f"it does not know {symbol}")
        if fluent in self.projected.kept.tallied:
            more = {f for f in facts if (f.name, len(f.arguments)) == fluent and f.arguments[-1].number > 1}
            several = {clingo.Function(many(name), f.arguments[:-1]) for f in more}
            for symbol in several:
                if symbol not in self._atoms:
                    raise Unprojectable(f"it does not know {symbol}")
            for atom in self._atoms.by_signature(many(name), fluent[1] - 1):
                yield atom.symbol, atom.symbol in several
        for atom in self._atoms.by_signature(name, fluent[1] - len(dropped)):
            if atom.is_fact and atom.symbol not in wanted:
                raise Unprojectable(f"{atom.symbol} always holds")
            yield atom.symbol, atom.symbol in wanted

    def _parts(self, fluent: Signature, fact: clingo.Symbol) -> Sequence[clingo.Symbol] | None:
        """The arguments of a fact as one of a fluent, or None where it is another's."""
        for shape in self.projected.shapes.get(fact.name, ()):
            if shape.signature == fluent and len(fact.arguments) == 1:
                return shape.leaves(fact.arguments[0])
        return fact.arguments if (fact.name, len(fact.arguments)) == fluent else None

    def _actions(
        self, facts: Facts, actions: Sequence[tuple[str, clingo.Symbol]]
    ) -> Iterator[tuple[clingo.Symbol, bool]]:
        """The assumptions that fix who does what."""
        chosen = set()
        for role, action in actions:
            kind = kind_of(self._transition.kinds, facts, role, action)
            if kind is None:
                raise Unprojectable(f"it does not know {action}")
            who, index = symbols.constant(role), clingo.Number(kind.index)
            chosen.add(clingo.Function(names.does(0), [who, index]))
            pattern, _, count = numbered(kind)
            binding = unify(pattern, symbols.value_pattern(action), {}) or {}
            for k in range(count):
                value = symbols.ground(substitute(("v", argument(k)), binding))
                if (kind.index, k) not in self.projected.kept.hidden:
                    place = [who, index, clingo.Number(k), value]
                    chosen.add(clingo.Function(names.argument(0), place))
        for name, arity in ((names.does(0), 2), (names.argument(0), 4)):
            for atom in self._atoms.by_signature(name, arity):
                yield atom.symbol, atom.symbol in chosen
        for symbol in chosen:
            if symbol not in self._atoms:
                raise Unprojectable(f"it does not know {symbol}")
