"""The only module that imports clingo: its symbols, its syntax trees, and the controls that ground and solve programs.

No other module imports clingo. Its version 6 changes all three: then this module changes, and no other.

>>> control = ground(trees("p(X+1) :- q(X)."), [Function("q", [Number(1)])])
>>> [str(atom.symbol) for atom in control.symbolic_atoms.by_signature("p", 1)]
['p(2)']
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, TypeAlias

from clingo import (
    Control,
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
    "trees",
)

Tree: TypeAlias = Any
"""A syntax tree of clingo's: the type of its package has no attributes that a type checker knows."""
_MAY_HOLD: Final = "may_hold"


def control(*options: str) -> Control:
    """An empty control. It prints no warning about harmless conditions.

    One process has one control at work at a time: several in threads make clingo 5.8 crash.
    """
    return Control(["--warn=none", *options])


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
