"""The only module that imports clingo: its symbols, its syntax trees, and the controls that ground and solve programs.

No other module imports clingo. Its version 6 changes all three: then this module changes, and no other.

>>> control = ground(trees("p(X+1) :- q(X)."), [Function("q", [Number(1)])])
>>> [str(atom.symbol) for atom in control.symbolic_atoms.by_signature("p", 1)]
['p(2)']
"""

from __future__ import annotations

import atexit
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

import clingo
from clingo import (
    Function,
    Infimum,
    Model,
    Number,
    Observer,
    String,
    Supremum,
    Symbol,
    SymbolicAtoms,
    SymbolType,
    parse_term,
)
from clingo import __version__ as VERSION  # noqa: N812

__all__ = (
    "VERSION",
    "Control",
    "Function",
    "Infimum",
    "Model",
    "Number",
    "Observer",
    "String",
    "Supremum",
    "Symbol",
    "SymbolType",
    "SymbolicAtoms",
    "Tree",
    "control",
    "external",
    "ground",
    "may_hold",
    "parse_term",
    "release_nothing_at_exit",
    "tree",
    "trees",
)

Tree: TypeAlias = Any
"""A syntax tree of clingo's: the type of its package has no attributes that a type checker knows."""
_MAY_HOLD: Final = "may_hold"
_WHERE: Final = re.compile(r"<[^<>\s]*>:[\d:-]+ (?:error|note): ")
"""The place in a program of the tool's: nobody can look it up."""


class Control(clingo.Control):
    """A control that prints nothing: what clingo says of a program that it cannot ground, its error says."""

    def __init__(self, options: Iterable[str] = ()) -> None:
        """Without warnings about harmless conditions."""
        said: list[str] = []
        super().__init__(["--warn=none", *options], logger=lambda _, message: said.append(message))
        self._said = said

    def add(self, *args: Any) -> None:
        """Adds a part of a program.

        Raises:
            RuntimeError: It cannot be read.
        """
        self._saying(super().add, *args)

    def ground(self, *args: Any) -> None:
        """Grounds parts of the program.

        Raises:
            RuntimeError: They are too large, or have unsafe variables.
        """
        self._saying(super().ground, *args)

    def _saying(self, call: Callable[..., None], *args: Any) -> None:
        try:
            call(*args)
        except RuntimeError as error:
            said = " ".join(_WHERE.sub("", " ".join(self._said[:1])).split())
            raise RuntimeError(f"{error}: {said}" if said else str(error)) from None


def control(*options: str) -> Control:
    """An empty control.

    One process has one control at work at a time: several in threads make clingo 5.8 crash.
    """
    return Control(options)


def ground(
    program: str | Iterable[Tree],
    facts: Iterable[Symbol],
    *options: str,
    observer: Observer | None = None,
) -> Control:
    """A control with a program, ground over facts.

    Args:
        program: As text that the project has written itself, or as syntax trees: those cost less where they are at hand.
        facts: What holds. They pass the parser by: to print and to parse them would take longer than all else.
        options: The solver's.
        observer: Is told each ground rule.

    Raises:
        RuntimeError: The program is too large, or has unsafe variables.
    """
    made = control(*options)
    if observer is not None:
        made.register_observer(observer)
    if isinstance(program, str):
        made.add("base", [], program)
    else:
        from clingo.ast import ProgramBuilder

        with ProgramBuilder(made) as builder:
            for tree in program:
                builder.add(tree)
    with made.backend() as backend:
        for fact in facts:
            backend.add_rule([backend.add_atom(fact)])
    made.ground([("base", [])])
    return made


def trees(text: str, logger: Callable[[str], None] = lambda _: None) -> list[Tree]:
    """The syntax trees of the statements of a program, without that of ``#program base``.

    Raises:
        RuntimeError: It cannot be read.
    """
    from clingo import ast

    release_nothing_at_exit()
    found: list[Tree] = []
    ast.parse_string(text, found.append, logger=lambda _, message: logger(message))
    return [tree for tree in found if not _is_base(tree)]


@lru_cache(maxsize=20_000)
def tree(rule: str) -> Tree:
    """The syntax tree of a rule, which one program after the other is made of."""
    (found,) = trees(rule)
    return found


def _is_base(tree: Tree) -> bool:
    from clingo import ast

    return bool(tree.ast_type == ast.ASTType.Program) and tree.name == "base" and not tree.parameters


@cache
def external(name: str, arity: int) -> Tree:
    """The statement that lets facts of a predicate be open: those that `may_hold`.

    Without it clingo takes for facts what the backend alone adds.
    """
    term = f"{name}({','.join(f'X{k}' for k in range(arity))})" if arity else name
    return trees(f"#external {term} : {_MAY_HOLD}({term}).")[0]


def may_hold(fact: Symbol) -> Symbol:
    """Replaces a fact of the program by an atom that may hold or not."""
    return Function(_MAY_HOLD, [fact])


@cache
def release_nothing_at_exit() -> None:
    """Sees to it that trees that outlive clingo's module are let go without a word: the process ends anyway.

    clingo releases each tree through a name of its module, which the interpreter may have emptied by then: then there
    would be a traceback for each tree after everything else has been said.
    """
    from clingo import ast

    def let_go(_: Any) -> None:
        """Releases nothing."""

    def silence() -> None:
        for kind in (ast.AST, ast.ASTSequence, ast.StrSequence):
            setattr(kind, "__del__", let_go)  # noqa: B010

    atexit.register(silence)
