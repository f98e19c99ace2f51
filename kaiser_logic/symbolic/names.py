"""What predicates are called in an encoding: the one place that makes such names, and reads them.

| name | what |
|---|---|
| `heap` | a predicate at the first moment, and later as long as nothing on which it depends may have changed |
| `heap__m1` | the same at moment 1, where transition 0 may have changed it |
| `add__0` | what transition 0 derives: its effects, and all that is only so because of it |
| `violates__k3__0` | the same by the rules for actions of kind 3, which leave the action itself out of the arguments |
| `does__0`, `arg__0` | who acts in transition 0, by which kind of action; what he chooses for its arguments |
| `heap__m1__b`, `add__0__b` | the same by a second reading with the mark `__b`, where that may differ from the first |

>>> at_moment("heap", 1), of_transition("violates__k3", 0, "__b")
('heap__m1', 'violates__k3__0__b')
>>> plain("violates__k3__0__b"), plain("heap__m1"), plain("heap")
('violates', 'heap', 'heap')
"""

from __future__ import annotations

from typing import Final

_JOINT: Final = "__"
"""Stands between a predicate's own name and all else; no rulebook has it in a name."""
_KIND: Final = f"{_JOINT}k"
_DOES: Final = "does"
_ARGUMENT: Final = "arg"


def at_moment(name: str, moment: int, mark: str = "") -> str:
    """A predicate at a moment that a transition has led to."""
    return f"{name}{_JOINT}m{moment}{mark}"


def of_transition(name: str, transition: int, mark: str = "") -> str:
    """A predicate that speaks of a transition; of one kind of action alone, where ``name`` does."""
    return f"{name}{_JOINT}{transition}{mark}"


def does(transition: int) -> str:
    """Who does an action of which kind: ``does__0(Role,Kind)``."""
    return of_transition(_DOES, transition)


def argument(transition: int) -> str:
    """The arguments of these actions: ``arg__0(Role,Kind,Position,Value)``."""
    return of_transition(_ARGUMENT, transition)


def is_choice(name: str) -> bool:
    """Whether a name is one of those of `does` and `argument`, which are chosen and not derived."""
    return name.startswith((f"{_DOES}{_JOINT}", f"{_ARGUMENT}{_JOINT}"))


def is_of_kind(name: str) -> bool:
    """Whether a predicate speaks of one kind of action alone."""
    return _KIND in name


def plain(name: str) -> str:
    """The rulebook's name for what a name is a copy of."""
    return name.partition(_JOINT)[0]
