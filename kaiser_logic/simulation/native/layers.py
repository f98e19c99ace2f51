"""The rules of a predicate, or of some that depend on one another, as native code that is run only where that is needed.

What a layer has derived stays, also for other programs that have the same layer, as long as nothing has changed that its rules
read, and no other layer has derived the same predicate. What was derived anew and is what it was counts as not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

from llvmlite import ir

from ...engine.compiled.program import ordered
from ...rules import predicates
from ...rules.pattern import Signature
from ...rules.rule import Rule
from .distinct import apart
from .places import CHANGED, COUNT, EPOCH, LAST, OWNER, VERSION
from .quick import WORDS, word
from .rounds import in_order
from .rules import write
from .writing import Writer

OUTPUTS: Final = (
    predicates.LEGAL,
    predicates.TOO_MANY,
    predicates.WEIGHT,
    predicates.ADD,
    predicates.DEL,
    predicates.TERMINAL,
    predicates.GOAL,
    predicates.WINNER,
)
"""What is read of what follows: each program makes it anew, also where it derives none of it."""


Code: TypeAlias = tuple[Rule, Signature]
"""A rule, and the predicate of its head that is derived."""


@dataclass(frozen=True)
class Layer:
    """Rules that are run together.

    Attributes:
        codes: The rules.
        heads: The predicates that they derive.
        again: Whether they depend on one another.
    """

    codes: tuple[Code, ...]
    heads: tuple[Signature, ...]
    again: bool

    @property
    def key(self) -> tuple[Any, ...]:
        """What it is, but for what it reads."""
        return tuple((rule.text, head) for rule, head in self.codes)

    @property
    def reads(self) -> list[Signature]:
        """The other predicates that it reads."""
        return sorted({u for rule, _ in self.codes for u in rule.uses}.difference(self.heads))


def layers(rules: Sequence[Rule]) -> list[Layer]:
    """The rules of a program in an order in which all that is read is derived before it."""
    found = []
    for codes, again in ordered(rules):
        if again:
            parts = [(list(codes), sorted(again))]
        else:
            parts = [(list(its), [head]) for head, its in groupby(codes, key=lambda code: code[1])]
        for its, heads in parts:
            code = tuple((rules[k], head) for k, head in sorted(its))
            found.append(Layer(code, tuple(heads), bool(again)))
    return found


def declared(module: Any, name: str) -> Any:
    """A function of the memory, which may be written in another module."""
    if name not in module.globals:
        ir.Function(module, ir.FunctionType(ir.VoidType(), [WORDS]), name)
    return module.globals[name]


class Layers:
    """A layer while it is written."""

    def __init__(
        self, programs: Any, module: Any, layer: Layer, reads: Mapping[Signature, int], given: Mapping[Signature, int],
        derived: Mapping[Signature, int],
    ) -> None:  # fmt: skip
        """A layer that reads these relations, is given those of what it derives itself, and derives others."""
        self.programs, self.module, self.layer = programs, module, layer
        self.given, self.derived = given, derived
        self.relations = {**reads, **derived}
        self.inputs = sorted({*reads.values(), *given.values()} - programs.constant)
        self._number = len(programs.written) + 1
        self._deriving: dict[Signature, list[str]] = {}
        for rule, head in layer.codes:
            self._deriving.setdefault(head, []).append(rule.text)

    def write(self, name: str) -> None:
        """Writes a function of this name."""
        memory = self.programs.memory
        blocks = Writer(memory, self.module, declared(self.module, name))
        if not any(head in OUTPUTS for head in self.layer.heads):
            self._unless_known(blocks)
        versions = {}
        for head, relation in self.derived.items():
            versions[head] = blocks.load(relation + VERSION)
            last = blocks.builder.add(blocks.load(relation + LAST), word(1))
            blocks.store(last, relation + LAST)
            blocks.store(last, relation + VERSION)
            blocks.store(word(0), relation + COUNT)
            blocks.store(word(self._number), relation + OWNER)
            if head in self.given:
                blocks.call("copy", self.given[head], relation)
        if self.layer.again:
            self._again(blocks)
        else:
            self._call(blocks, self._written(self.layer.codes, frozenset()))
        for head, relation in self.derived.items():
            if head in OUTPUTS:
                blocks.store(blocks.builder.add(blocks.load(relation + CHANGED), word(1)), relation + CHANGED)
            else:
                blocks.call("settle", relation, versions[head])
        blocks.builder.ret_void()

    def _unless_known(self, blocks: Writer) -> None:
        """Goes on only where something that is read has changed since the last time."""
        places = [EPOCH, *(relation + CHANGED for relation in self.inputs)]
        stamps = self.programs.memory.room(len(places))
        same: Any = ir.Constant(ir.IntType(1), 1)
        now = list(map(blocks.load, places))
        for k, value in enumerate(now):
            found = blocks.builder.icmp_signed("==", value, blocks.load(stamps + k))
            same = blocks.builder.and_(same, found)
        for relation in self.derived.values():
            own = blocks.builder.icmp_signed("==", blocks.load(relation + OWNER), word(self._number))
            same = blocks.builder.and_(same, own)
        known, work = blocks.block(), blocks.block()
        blocks.builder.cbranch(same, known, work)
        blocks.builder.position_at_end(known)
        blocks.builder.ret_void()
        blocks.builder.position_at_end(work)
        for k, value in enumerate(now):
            blocks.store(value, stamps + k)

    def _again(self, blocks: Writer) -> None:
        """Runs rules in rounds, until nothing new follows; each looks at what is new to it."""
        derived = frozenset(self.layer.heads)
        codes = self.layer.codes
        recursive = [code for code in codes if any(a.signature in derived for a in code[0].positive)]
        self._call(blocks, self._written((code for code in codes if code not in recursive), frozenset()))
        reads = {
            s: derived.intersection(u for rule, head in codes if head == s for u in rule.uses)
            for s in derived
        }
        places = {s: place for place, s in enumerate(in_order(reads))}
        written = self._written(sorted(recursive, key=lambda code: places[code[1]]), derived)
        for _, _, marks in written:
            for mark in marks:
                blocks.store(word(0), mark)
        relations = [self.derived[s] for s in self.layer.heads]
        loop, end = blocks.block(), blocks.block()
        blocks.away(loop)
        blocks.builder.position_at_end(loop)
        before = [blocks.load(relation + COUNT) for relation in relations]
        self._call(blocks, written)
        same: Any = ir.Constant(ir.IntType(1), 1)
        for relation, count in zip(relations, before, strict=True):
            now = blocks.load(relation + COUNT)
            same = blocks.builder.and_(same, blocks.builder.icmp_signed("==", now, count))
        blocks.builder.cbranch(same, end, loop)
        blocks.builder.position_at_end(end)

    def _written(
        self, codes: Iterable[Code], again: frozenset[Signature]
    ) -> list[tuple[Any, list[int], list[int]]]:
        """The functions of those rules that can fire, with the relations that must not be empty, and their marks."""
        found = []
        for rule, head in codes:
            needs = {self.relations[a.signature] for a in rule.positive}
            open_ = sorted(needs - self.programs.constant)
            if any(not self.programs.memory.words[one + COUNT] for one in needs.difference(open_)):
                continue  # it cannot fire
            others = self._deriving[head].copy()
            others.remove(rule.text)
            new = not self.layer.again and head not in self.given and apart(rule.text, head, others)
            name, marks = self._rule(rule, head, new, again)
            found.append((declared(self.module, name), open_, marks))
        return found

    def _rule(
        self, rule: Rule, head: Signature, new: bool, again: frozenset[Signature]
    ) -> tuple[str, list[int]]:
        """The name of a rule's function, which is written if no layer before had the same, and its marks."""
        signatures = sorted({head, *rule.uses})
        key = (rule.text, tuple((s, self.relations[s]) for s in signatures), head, new, again)
        written: dict[tuple[Any, ...], tuple[str, list[int]]] = self.programs.rules
        if key not in written:
            name = self.programs.fresh("rule")
            blocks = Writer(self.programs.memory, self.module, declared(self.module, name))
            written[key] = name, write(blocks, rule.text, head, self.relations.__getitem__, new, again)
        return written[key]

    def _call(self, blocks: Writer, written: Iterable[tuple[Any, list[int], list[int]]]) -> None:
        """Calls functions where what they need is not empty."""
        for function, needs, _ in written:
            with blocks.inside():
                for relation in needs:
                    count = blocks.load(relation + COUNT)
                    blocks.only(blocks.builder.icmp_signed(">", count, word(0)))
                blocks.builder.call(function, [blocks.words])
