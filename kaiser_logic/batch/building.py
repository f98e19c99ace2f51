"""Circuits made of a rulebook: for each bucket what is legal, and what it changes.

The programs are those by which a single position is evaluated, ground once over a position of which only the kind of
decision is known. What a circuit does not know it says: facts that are not in the vocabulary, totals beyond their limits,
counters with two values. Positions in which it says so, and buckets of which no circuit can be made, are left to the
engine that looks at one position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..rules.pattern import outermost
from ..rules.predicates import ADD, DECISION, DEL, DUE
from ..rules.rule import Rule
from .bits import FALSE, TRUE, TooLarge
from .buckets import NEXT, STEP, Bucket, Key
from .doing import Doing
from .gates import lowered, numbers_of, padded
from .layout import Layout, counter
from .legality import Legality, keys, refuse
from .naming import shifted
from .opening import Opening, Unsupported


def built(ruleset: Ruleset, layout: Layout, key: Key) -> Bucket:
    """The circuits of a bucket.

    Raises:
        Unsupported: None can be made.
    """
    try:
        return _Builder(ruleset, layout, key).bucket()
    except (TooLarge, MemoryError):
        raise Unsupported("its circuit is too large") from None
    except NotDecided as error:
        raise Unsupported(str(error)) from None


class _Builder(Legality):
    """A bucket while it is built."""

    def bucket(self) -> Bucket:
        """The bucket."""
        signature = (self.key.name, self.key.arity)
        actions: list[clingo.Symbol] = []
        tickets: list[int] = []
        may: list[int] = [FALSE]
        doing = Doing()
        if self.key.role == STEP:
            program = self.ruleset.step_program([signature], [])
            rules, lines = program.rules, tuple[Rule | str, ...](program.rules)
        else:
            actions, tickets, may = self.legal()
            doing = Doing.of(self.ruleset, signature, actions)
            if self.naming is not None:
                doing = replace(doing, inputs={**doing.inputs, **self.naming.inputs})
            program, rules, lines = doing.program, doing.rules, doing.lines
        refuse(self.layout, rules)
        opening = Opening(self.circuit, program, lines, self.given, {**self.possible, **doing.inputs})
        changed, added, outputs = self._effects(opening, rules)
        del opening  # the ground program is large
        return self._lowered(actions, tickets, may, doing, changed, added, outputs)

    # -- what changes ------------------------------------------------------------------------------------------------------

    def _effects(
        self, opening: Opening, rules: Iterable[Rule]
    ) -> tuple[list[int], list[tuple[int, int]], list[int]]:
        """The bits that change, what is added to which number, and the outputs with that for "unknown" at the end."""
        circuit, layout = self.circuit, self.layout
        unknown = [opening.beyond_limits()]
        adds, dels = ({s.arguments[0]: x for s, x in opening.get(*what).items()} for what in (ADD, DEL))
        for fact in (*adds, *dels):
            if symbols.signature(fact) in layout.endless:
                raise Unsupported(f"{fact} is added or deleted as a fact")
        unknown += [literal for fact, literal in adds.items() if fact not in layout.bits]
        self._known = set(self.given)
        new: dict[clingo.Symbol, int] = {}
        for fact in dict.fromkeys((*adds, *dels)):
            if fact in layout.bits:
                old = self._old(fact)
                kept = circuit.conj([old, dels.get(fact, FALSE) ^ 1])
                value = circuit.disj([adds.get(fact, FALSE), kept])
                if value != old:
                    new[fact] = value
        unknown += self._values_twice(new, rules)
        changed = sorted(new, key=layout.bits.__getitem__)
        added: list[tuple[int, int]] = []
        amounts: list[int] = []
        for atom, literal in opening.get("change", 2).items():
            what, amount = atom.arguments
            if what in layout.numbers and amount.number:
                added.append((layout.numbers.index(what), amount.number))
                amounts.append(literal)
        outputs = [*(new[f] for f in changed), *amounts, *self._next(new), circuit.disj(unknown)]
        return [layout.bits[f] for f in changed], added, outputs

    def _old(self, fact: clingo.Symbol) -> int:
        """Whether a fact holds before."""
        if fact in self._known:
            return TRUE
        if symbols.signature(fact) in (DECISION, DUE) and fact not in self.pending:
            return FALSE
        return self.circuit.input(fact, self.layout.group(fact))

    def _next(self, new: dict[clingo.Symbol, int]) -> list[int]:
        """The outputs that say what is pending after a change."""
        circuit = self.circuit
        pending = [
            circuit.disj([new[f] if f in new else self._old(f) for f in facts])
            for facts in keys(self.ruleset, self.layout).values()
        ]
        if len(pending) >= 1 << (NEXT - 1):
            raise Unsupported("there are too many kinds of decisions")
        numbers = [
            circuit.disj([its for n, its in enumerate(pending, 1) if n >> bit & 1]) for bit in range(NEXT - 1)
        ]
        return [*numbers, circuit.several(pending)]

    def _values_twice(self, new: dict[clingo.Symbol, int], rules: Iterable[Rule]) -> Iterator[int]:
        """Whether a counter gets two values, for those whose values are not only calculated by the engine."""
        heads = [h for rule in rules if rule.file != "generated" for h in rule.heads if h.signature == ADD]
        kinds = {outermost(h.args[0]) for h in heads}
        touched = {
            counter(f): symbols.signature(f)
            for f in new
            if symbols.signature(f) in self.layout.counters
            and (None in kinds or symbols.signature(f) in kinds)
        }
        values: dict[clingo.Symbol, list[clingo.Symbol]] = defaultdict(list)
        for fact in self.layout.bits:
            if symbols.signature(fact) in touched.values() and counter(fact) in touched:
                values[counter(fact)].append(fact)
        for facts in values.values():
            old = ((f, self.circuit.input(f, self.layout.group(f))) for f in facts if f not in new)
            yield self.circuit.several([*(new[f] for f in facts if f in new), *(x for _, x in old)])

    # -- both as programs --------------------------------------------------------------------------------------------------

    def _lowered(
        self,
        actions: list[clingo.Symbol],
        tickets: list[int],
        may: list[int],
        doing: Doing,
        changed: list[int],
        added: list[tuple[int, int]],
        outputs: list[int],
    ) -> Bucket:
        done = {name: n for n, name in enumerate(doing.inputs)}
        read = sorted(
            (self.layout.bits[name], literal)
            for name, literal in self.circuit.inputs.items()
            if isinstance(name, clingo.Symbol) and name in self.layout.bits
        )
        places = {literal: slot for slot, (_, literal) in enumerate(read)}
        for name, literal in self.circuit.inputs.items():
            if name in done and isinstance(name, clingo.Symbol):
                places[literal] = len(read) + done[name]
        first = len(read) + len(done)
        self.picking = replace(
            self.picking,
            shapes=numbers_of(self.shapes),
            sets=lowered(self.circuit, self.checks or [FALSE], places, first),
            boxes=shifted(self.picking.boxes, [done.get(x, -1) for x in self.sets]),
        )
        return Bucket(
            key=self.key,
            pending=numbers_of(sorted(self.layout.bits[f] for f in self.pending)),
            inputs=numbers_of([bit for bit, _ in read]),
            doing=len(done),
            actions=tuple((symbols.text(a.arguments[0]), symbols.text(a.arguments[1])) for a in actions),
            tickets=numbers_of(tickets),
            legal=lowered(self.circuit, may, places, first),
            done=padded([[done[x] for x in doing.by_action[a]] for a in actions]),
            effects=lowered(self.circuit, outputs, places, first),
            changed=numbers_of(changed),
            added=numbers_of([x for pair in added for x in pair]).reshape(len(added), 2),
            picking=self.picking,
        )
