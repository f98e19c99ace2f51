"""The interface to clingo: its symbols, its syntax trees, and the controls that ground and solve programs.

No other module imports clingo. Its version 6 changes all three (``docs/develop/adr/026-one-door-to-clingo.md``).

>>> control = ground(trees("p(X+1) :- q(X)."), [Function("q", [Number(1)])])
>>> [str(atom.symbol) for atom in control.symbolic_atoms.by_signature("p", 1)]
['p(2)']
"""

from __future__ import annotations

import atexit
import re
from collections.abc import Callable, Iterable
from functools import cache
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

from .function_caches import cache_until_change

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
"""A syntax tree of clingo. The type in clingo's package declares no attributes for type checkers."""
_MAY_HOLD: Final = "may_hold"
_WHERE: Final = re.compile(r"<[^<>\s]*>:[\d:-]+ (?:error|note): ")
"""A place in a program that this package has made. It is removed from messages, as the user cannot look it up."""
_FUNCTION: Final = re.compile(r"^.*\)@\d+: ")
"""The function of clingo that reports an error. It is removed from messages, too."""


class Control(clingo.Control):
    """A control that prints nothing. The exceptions contain clingo's message about a program that it cannot ground."""

    def __init__(self, options: Iterable[str] = ()) -> None:
        """An empty control without warnings; ``options``: those of the solver."""
        messages: list[str] = []
        super().__init__(["--warn=none", *options], logger=lambda _, message: messages.append(message))
        self._messages = messages

    def add(self, *args: Any) -> None:
        """Adds a part of a program.

        Raises:
            RuntimeError: The part cannot be read.
        """
        self._with_message(super().add, *args)

    def ground(self, *args: Any) -> None:
        """Grounds parts of the program.

        Raises:
            RuntimeError: The parts are too large, or have unsafe variables.
        """
        self._with_message(super().ground, *args)

    def raise_from_observer(self) -> None:
        """Raises the exception that an observer has raised, if there is one.

        ``ground`` does that by itself. clingo's backend raises an error without a message instead, even where the user has
        interrupted the process.
        """
        if self._error.error is not None:
            _, value, traceback = self._error.error
            raise value.with_traceback(traceback) from None

    def _with_message(self, call: Callable[..., None], *args: Any) -> None:
        """Calls a method of clingo; an error gets clingo's first message."""
        try:
            call(*args)
        except RuntimeError as error:
            message = " ".join(_WHERE.sub("", " ".join(self._messages[:1])).split())
            text = _FUNCTION.sub("", str(error))
            raise RuntimeError(f"{text}: {message}" if message else text) from None


def control(*options: str) -> Control:
    """An empty control.

    Only one control may work at a time in a process: several controls in threads make clingo 5.8 crash.
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
        program: The program as text from this package, or as syntax trees, which are faster if they exist already.
        facts: The facts. They bypass the parser, as printing and parsing them would take longer than everything else.
        options: The options of the solver.
        observer: Receives each ground rule.

    Raises:
        RuntimeError: The program is too large, or has unsafe variables.
        BaseException: What the observer raises, and an interrupt by the user while it works.
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
        try:
            for fact in facts:
                backend.add_rule([backend.add_atom(fact)])
        except RuntimeError:
            made.raise_from_observer()
            raise
    made.ground([("base", [])])
    return made


def trees(text: str) -> list[Tree]:
    """The syntax trees of the statements of a program, without the statement ``#program base``.

    Raises:
        RuntimeError: The program cannot be read.
    """
    from clingo import ast

    release_nothing_at_exit()
    statements: list[Tree] = []
    ast.parse_string(text, statements.append, logger=lambda *_: None)
    return [tree for tree in statements if not _is_base(tree)]


@cache_until_change(20_000)
def tree(rule: str) -> Tree:
    """The syntax tree of one rule, cached, as many programs contain the same rules."""
    (statement,) = trees(rule)
    return statement


def _is_base(tree: Tree) -> bool:
    from clingo import ast

    return bool(tree.ast_type == ast.ASTType.Program) and tree.name == "base" and not tree.parameters


@cache_until_change(1_000)
def external(name: str, arity: int) -> Tree:
    """The statement that makes the atoms of a predicate external, if they are declared with `may_hold`.

    Without this statement clingo treats atoms that only the backend adds as facts.
    """
    term = f"{name}({','.join(f'X{k}' for k in range(arity))})" if arity else name
    return trees(f"#external {term} : {_MAY_HOLD}({term}).")[0]


def may_hold(fact: Symbol) -> Symbol:
    """The fact that declares another one as open: in the program it may hold or not."""
    return Function(_MAY_HOLD, [fact])


@cache
def release_nothing_at_exit() -> None:
    """Stops clingo from freeing syntax trees when the process ends.

    clingo frees a tree through a name of its module. The interpreter may have emptied the module by then, and each tree
    would print a traceback.
    """
    from clingo import ast

    def silence() -> None:
        for kind in (ast.AST, ast.ASTSequence, ast.StrSequence):
            setattr(kind, "__del__", lambda _: None)  # noqa: B010

    atexit.register(silence)
