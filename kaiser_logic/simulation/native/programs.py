"""Programs as native code: rules in order, over relations that lie in the memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

from llvmlite import binding as llvm
from llvmlite import ir

from ...engine.compiled.given import row_of
from ...engine.compiled.program import ordered
from ...engine.compiled.relations import number
from ...engine.compiled.values import Large, Unsupported
from ...engine.grounding import Program
from ...rules import predicates
from ...rules.pattern import Signature
from ...rules.rule import Rule
from .blocks import WORD, WORDS, word
from .distinct import apart
from .helpers import announce
from .memory import Full, Memory
from .places import COUNT, ERROR, VERSION
from .rules import write
from .writing import Writer

FACTS: Final = 1 << 12
"""So many facts of a predicate a position can have."""
DERIVED: Final = 10_000
"""So many can follow."""
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
_SPEED: Final = 1
"""How hard LLVM tries."""


Code: TypeAlias = tuple[int, Signature]
"""A rule's place, and the predicate of its head that is derived."""


@cache
def _engine() -> Any:
    """What compiles, one for the process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    announce()
    target = llvm.Target.from_default_triple().create_target_machine(opt=_SPEED)
    empty = llvm.parse_assembly("")
    return llvm.create_mcjit_compiler(empty, target)


class Programs:
    """The programs of one configured game.

    Attributes:
        memory: Where everything lies.
        facts: The relation of a position's facts, by predicate.
        derived: The relation of what follows, by predicate.
        marks: Where the functions of rules that are run in rounds keep how many rows they know, by name.
    """

    def __init__(self, memory: Memory, facts: int = FACTS, derived: int = DERIVED) -> None:
        """Nothing is compiled yet; there is room for so many facts of a predicate, and so many that follow."""
        self.memory = memory
        self._most = facts, derived
        self.facts: dict[Signature, int] = {}
        self.derived: dict[Signature, int] = {}
        self._static: dict[tuple[Signature, frozenset[Any]], int] = {}
        self._rules: dict[tuple[Any, ...], str] = {}
        self.marks: dict[str, list[int]] = {}
        self._count = 0

    def fact(self, signature: Signature) -> int:
        """The relation of a position's facts of a predicate."""
        if signature not in self.facts:
            self.facts[signature] = self.memory.relation(signature[1], self._most[0])
        return self.facts[signature]

    def follow(self, signature: Signature) -> int:
        """The relation of what follows of a predicate."""
        if signature not in self.derived:
            self.derived[signature] = self.memory.relation(signature[1], self._most[1])
        return self.derived[signature]

    def address(self, program: Program) -> int:
        """Where a program's native code lies: a function of the memory that says whether something went wrong.

        Raises:
            Unsupported: It has what is not compiled, or there is no more room.
        """
        try:
            return _Writing(self, program).address()
        except (Full, Large) as error:
            raise Unsupported(repr(error)) from None

    def rule(
        self, rule: Rule, head: Signature, relations: Any, module: Any, new: bool, again: frozenset[Signature]
    ) -> str:
        """The name of the function of a rule, written into the module if it has not been written before."""
        reads = {s: relations(s) for s in sorted({head, *rule.uses, *(h.signature for h in rule.heads)})}
        key = (rule.text, head, tuple(reads.items()), new, again)
        name = self._rules.get(key)
        if name is None:
            name = self.fresh("rule")
            function = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORDS]), name)
            blocks = Writer(self.memory, module, function)
            self.marks[name] = write(blocks, rule.text, head, relations, new, again)
            self._rules[key] = name
        elif name not in module.globals:
            ir.Function(module, ir.FunctionType(ir.VoidType(), [WORDS]), name)
        return name

    def fresh(self, what: str) -> str:
        """A name that no function has."""
        self._count += 1
        return f"{what}_{id(self)}_{self._count}"

    def static(self, signature: Signature, rows: frozenset[Any]) -> int:
        """The relation of what no position changes."""
        key = signature, rows
        if key not in self._static:
            relation = self._static[key] = self.memory.relation(signature[1], len(rows))
            self.memory.fill(relation, [self.memory.row(row) for row in rows])
        return self._static[key]


class _Writing:
    """A program while it is written."""

    def __init__(self, programs: Programs, program: Program) -> None:
        self.programs, self.program = programs, program
        self.heads = {h.signature for rule in program.rules for h in rule.heads}
        self._deriving: dict[Signature, list[int]] = {}
        for k, rule in enumerate(program.rules):
            for head in {h.signature for h in rule.heads}:
                self._deriving.setdefault(head, []).append(k)
        self._repeated: frozenset[Signature] = frozenset()
        rows: dict[int, set[Any]] = {}
        for fact in program.static:
            n, row = row_of(fact)
            rows.setdefault(n, set()).add(row)
        self.static = {n: frozenset(its) for n, its in rows.items()}

    def given(self, signature: Signature) -> int:
        """The relation of what is given of a predicate."""
        if signature in self.program.inputs:
            return self.programs.fact(signature)
        return self.programs.static(signature, self.static.get(number(signature), frozenset()))

    def relation(self, signature: Signature) -> int:
        """The relation that rules read and write."""
        return self.programs.follow(signature) if signature in self.heads else self.given(signature)

    def address(self) -> int:
        """Where its code lies."""
        module = ir.Module()
        name = self.programs.fresh("program")
        function = ir.Function(module, ir.FunctionType(WORD, [WORDS]), name)
        blocks = Writer(self.programs.memory, module, function)
        blocks.store(word(0), ERROR)
        for signature in sorted(self.heads.union(OUTPUTS)):
            relation = self.programs.follow(signature)
            if signature in self.program.inputs or number(signature) in self.static:
                blocks.call("copy", self.given(signature), relation)
            else:
                blocks.store(word(0), relation + COUNT)
                blocks.store(blocks.builder.add(blocks.load(relation + VERSION), word(1)), relation + VERSION)
        for codes, again in ordered(self.program.rules):
            if again:
                self._again(blocks, codes, frozenset(again))
            else:
                self._once(blocks, codes)
        blocks.builder.ret(blocks.load(ERROR))
        return compiled(module, name)

    def _once(self, blocks: Writer, codes: Iterable[Code]) -> None:
        """Runs rules, each once."""
        self._call(blocks, self._written(blocks, codes, frozenset()))

    def _again(self, blocks: Writer, codes: Sequence[Code], derived: frozenset[Signature]) -> None:
        """Runs rules in rounds, until nothing new follows; each looks at what is new to it."""
        self._repeated |= derived
        rules = self.program.rules
        recursive = [code for code in codes if any(a.signature in derived for a in rules[code[0]].positive)]
        self._once(blocks, (code for code in codes if code not in recursive))
        reads = {
            s: derived.intersection(u for k in self._deriving[s] for u in rules[k].uses) for s in derived
        }
        places = {s: place for place, s in enumerate(in_order(reads))}
        written = self._written(
            blocks, sorted(recursive, key=lambda code: (places[code[1]], code[0])), derived
        )
        for name, _ in written:
            for mark in self.programs.marks[name]:
                blocks.store(word(0), mark)
        relations = [self.relation(s) for s in sorted(derived)]
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
        self, blocks: Writer, codes: Iterable[Code], again: frozenset[Signature]
    ) -> list[tuple[str, list[Signature]]]:
        """The functions of those rules that can fire, each with the predicates that must not be empty."""
        found = []
        for k, head in codes:
            rule = self.program.rules[k]
            needs = dict.fromkeys(a.signature for a in rule.positive)
            open_ = [s for s in needs if s in self.heads or s in self.program.inputs]
            if any(number(s) not in self.static for s in needs if s not in open_):
                continue  # it cannot fire
            given = head in self.program.inputs or number(head) in self.static
            others = [self.program.rules[i].text for i in self._deriving[head] if i != k]
            new = head not in self._repeated and not given and apart(rule.text, head, others)
            found.append((self.programs.rule(rule, head, self.relation, blocks.module, new, again), open_))
        return found

    def _call(self, blocks: Writer, written: Iterable[tuple[str, list[Signature]]]) -> None:
        """Calls functions where what they need is not empty."""
        for name, needs in written:
            with blocks.inside():
                for signature in needs:
                    count = blocks.load(self.relation(signature) + COUNT)
                    blocks.only(blocks.builder.icmp_signed(">", count, word(0)))
                blocks.builder.call(blocks.module.globals[name], [blocks.words])


def in_order(reads: Mapping[Signature, frozenset[Signature]]) -> list[Signature]:
    """Predicates that depend on one another, each after what it reads as far as there is no circle.

    >>> a, b, c = ("a", 0), ("b", 0), ("c", 0)
    >>> in_order({a: frozenset([c]), b: frozenset([a]), c: frozenset([b])})
    [('b', 0), ('c', 0), ('a', 0)]
    """
    found: dict[Signature, None] = {}
    seen: set[Signature] = set()

    def visit(one: Signature) -> None:
        seen.add(one)
        for other in sorted(reads[one]):
            if other not in seen:
                visit(other)
        found[one] = None

    for one in sorted(reads):
        if one not in seen:
            visit(one)
    return list(found)


def compiled(module: Any, name: str) -> int:
    """Compiles a module; where a function of it lies."""
    engine = _engine()
    parsed = llvm.parse_assembly(str(module))
    engine.add_module(parsed)
    engine.finalize_object()
    found: int = engine.get_function_address(name)
    return found
