"""Programs as native code: rules in order, over relations that lie in the memory."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from llvmlite import binding as llvm
from llvmlite import ir

from ...engine.compiled.given import row_of
from ...engine.compiled.relations import number
from ...engine.compiled.values import Large, Unsupported
from ...engine.grounding import Program
from ...rules.pattern import Signature
from . import adding
from .helpers import announce
from .idle import firing, read
from .layers import OUTPUTS, Layer, Layers, declared, layers
from .memory import Full, Memory
from .places import CLOSED, COUNT, EPOCH, ERROR
from .quick import WORD, WORDS, word
from .writing import Writer

FACTS: Final = 1 << 12
"""So many facts of a predicate a position can have."""
DERIVED: Final = 10_000
"""So many can follow."""
_SPEED: Final = 1
"""How hard LLVM tries."""


@cache
def _engine() -> Any:
    """What compiles, one for the process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    announce()
    target = llvm.Target.from_default_triple().create_target_machine(opt=_SPEED)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(str(adding.module())), target)


class Programs:
    """The programs of one configured game.

    Attributes:
        memory: Where everything lies.
        facts: The relation of a position's facts, by predicate.
        derived: The relation of what follows, by predicate.
        constant: The relations of what no position changes.
        written: The layers that are compiled, by what they are: the name of a function.
        rules: The same of rules, with where they keep how many rows they know.
    """

    def __init__(
        self, memory: Memory, facts: int = FACTS, derived: int = DERIVED, closed: bool = False
    ) -> None:
        """Nothing is compiled yet; there is room for so many facts of a predicate, and so many that follow.

        ``closed``: nothing is a fact that rules derive, unless it is one now; whoever runs programs looks at `CLOSED`.
        """
        self.memory = memory
        self._closed = closed
        self._open: set[Signature] = set()
        self._most = facts, derived
        self.facts: dict[Signature, int] = {}
        self.derived: dict[Signature, int] = {}
        self._static: dict[tuple[Signature, frozenset[Any]], int] = {}
        self.constant: set[int] = set()
        self.written: dict[tuple[Any, ...], str] = {}
        self.rules: dict[tuple[Any, ...], tuple[str, list[int]]] = {}
        self._count = 0

    def fact(self, signature: Signature) -> int:
        """The relation of a position's facts of a predicate."""
        if signature not in self.facts:
            self.facts[signature] = self.memory.relation(signature[1], self._most[0])
        return self.facts[signature]

    def told(self, signature: Signature) -> bool:
        """Whether there may be facts of a predicate that rules derive; if not, its relation of facts is closed."""
        relation = self.fact(signature)
        if not self._closed or signature in self._open or self.memory.words[relation + COUNT]:
            self._open.add(signature)
            return True
        self.memory.words[relation + CLOSED] = 1
        return False

    def follow(self, signature: Signature) -> int:
        """The relation of what follows of a predicate."""
        if signature not in self.derived:
            compared = signature not in OUTPUTS
            self.derived[signature] = self.memory.relation(signature[1], self._most[1], compared)
        return self.derived[signature]

    def address(self, program: Program) -> int:
        """Where a program's native code lies: a function of the memory that says whether something went wrong.

        Raises:
            Unsupported: It has what is not compiled, or there is no more room.
        """
        before = self.written.copy(), self.rules.copy()
        try:
            return _Writing(self, program).address()
        except (Full, Large, Unsupported) as error:
            self.written, self.rules = before  # what was written for it is not compiled
            raise Unsupported(repr(error)) from None

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
            self.constant.add(relation)
        return self._static[key]


class _Writing:
    """A program while it is written."""

    def __init__(self, programs: Programs, program: Program) -> None:
        self.programs, self.program = programs, program
        rows: dict[int, set[Any]] = {}
        for fact in program.static:
            n, row = row_of(fact)
            rows.setdefault(n, set()).add(row)
        self.static = {n: frozenset(its) for n, its in rows.items()}
        derived = {h.signature for rule in program.rules for h in rule.heads}
        self.told = {s for s in program.inputs if s not in derived or programs.told(s)}
        self.rules = firing(program.rules, self._is_given)
        if program.outputs is not None:
            self.rules = read(self.rules, program.outputs.union(OUTPUTS))
        self.heads = {h.signature for rule in self.rules for h in rule.heads}

    def _is_given(self, signature: Signature) -> bool:
        """Whether there may be facts of a predicate that no rule derives."""
        return signature in self.told or number(signature) in self.static

    def given(self, signature: Signature) -> int:
        """The relation of what is given of a predicate."""
        if signature in self.told:
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
        for signature in OUTPUTS:
            if signature not in self.heads:
                blocks.store(word(0), self.programs.follow(signature) + COUNT)
        for layer in layers(self.rules):
            self._layer(blocks, layer)
        wrong = blocks.load(ERROR)
        blocks.store(blocks.builder.add(blocks.load(EPOCH), wrong), EPOCH)
        blocks.builder.ret(wrong)
        return compiled(module, name)

    def _layer(self, blocks: Writer, layer: Layer) -> None:
        """Calls what derives a layer, which is written if no program before had the same."""
        reads = {s: self.relation(s) for s in layer.reads}
        given = {}
        for head in layer.heads:
            if self._is_given(head):
                given[head] = self.given(head)
        key = (layer.key, tuple(reads.items()), tuple(given.items()))
        written = self.programs.written
        if key not in written:
            derived = {head: self.programs.follow(head) for head in layer.heads}
            name = self.programs.fresh("layer")
            Layers(self.programs, blocks.module, layer, reads, given, derived).write(name)
            written[key] = name
        name = written[key]
        blocks.builder.call(declared(blocks.module, name), [blocks.words])


def compiled(module: Any, name: str) -> int:
    """Compiles a module; where a function of it lies."""
    engine = _engine()
    parsed = llvm.parse_assembly(str(module))
    engine.add_module(parsed)
    engine.finalize_object()
    found: int = engine.get_function_address(name)
    return found
