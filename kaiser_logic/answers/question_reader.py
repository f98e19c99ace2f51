"""TypedQuery questions: a reader from JSON to dataclasses that ignores nothing, and the JSON Schema of such a dataclass.

A question is a dataclass. The types of its attributes say what JSON may hold: ``str``, ``int`` with `NumberLimits`, ``Literal``,
``tuple[X, ...]``, ``tuple[X, Y]``, ``dict[str, X]``, another dataclass, and ``X | None``. An unknown key, a missing key, a key
that stands twice and a value of another type are errors, which name the key and the nearest known one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from math import isfinite
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ..errors import WrongUsage
from ..rules.places import nearest

Answer = dict[str, Any]
Q = TypeVar("Q")

MOST_LISTED: Final = 5_000
"""The largest length of a list that has no limit of its own."""


@dataclass(frozen=True)
class NumberLimits:
    """The least and the greatest value of a whole number."""

    least: int
    most: int


@dataclass(frozen=True)
class Most:
    """The largest length of a list."""

    number: int


@dataclass(frozen=True)
class About:
    """The description of an attribute, for the schema."""

    text: str


class NotRepeated:
    """Marks what an answer does not repeat, because it may be large."""


# -- reading -------------------------------------------------------------------------------------------------


def read_json(text: str | bytes) -> Any:
    """Reads JSON strictly.

    Raises:
        WrongUsage: It is no JSON; or it has a key twice, a number that JSON cannot hold, or half a character.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_number, parse_float=_number, parse_int=_int)
    except RecursionError:
        raise WrongUsage("this is nested too deeply") from None
    except ValueError as error:
        raise WrongUsage(f"this is not JSON: {str(error)[:200]}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise WrongUsage(f"{_field_name(name)} stands twice in one object")
        values[name] = value
    return values


def _number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise WrongUsage(f"{text[:40]} is no number that JSON can hold")
    return number


def _int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise WrongUsage(f"a number has {len(digits)} digits, which are too many") from None


def read_value(kind: Any, data: Any, name: str = "") -> Any:
    """Reads a value of a type from JSON.

    Args:
        kind: A dataclass, or another type that the module names.
        data: What `read_json` returns.
        name: The name of the value in messages; empty for the question itself.

    Raises:
        WrongUsage: The JSON does not fit the type.
    """
    return _read_typed(*_parts(kind), data, name)


def _read_typed(base: Any, marks: tuple[Any, ...], data: Any, name: str) -> Any:
    if is_dataclass(base) and isinstance(base, type):
        return _read_object(base, data, name)
    if base is str:
        return _text(data, name)
    if base is int:
        limits = _limits(marks)
        if not isinstance(data, int) or isinstance(data, bool) or not limits.least <= data <= limits.most:
            raise WrongUsage(f"{name} must be a whole number from {limits.least} to {limits.most}")
        return data
    origin, inner = get_origin(base), get_args(base)
    if origin in (Union, UnionType):
        some, inner_marks = _parts(next(one for one in inner if one is not NoneType))
        return None if data is None else _read_typed(some, (*marks, *inner_marks), data, name)
    if origin is Literal:
        if _text(data, name) not in inner:
            raise WrongUsage(f"{name} must be {', '.join(inner[:-1])} or {inner[-1]}, not {_field_name(data)}")
        return data
    if origin is dict:
        if not isinstance(data, dict):
            raise WrongUsage(f"{name} must be an object")
        return {_text(key, name): read_value(inner[1], value, f"{name}.{key[:40]}") for key, value in data.items()}
    return _read_list(inner, marks, data, name)


def _read_list(inner: tuple[Any, ...], marks: tuple[Any, ...], data: Any, name: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise WrongUsage(f"{name} must be a list")
    if inner[-1] is not Ellipsis:
        if len(data) != len(inner):
            raise WrongUsage(f"{name} must be a list of {len(inner)}")
        return tuple(read_value(one, part, name) for one, part in zip(inner, data, strict=True))
    most = next((mark.number for mark in marks if isinstance(mark, Most)), MOST_LISTED)
    if len(data) > most:
        raise WrongUsage(f"{name} has {len(data)} entries: at most {most} are read")
    return tuple(read_value(inner[0], one, f"{name}[{k}]") for k, one in enumerate(data))


def _read_object(kind: type[Any], data: Any, name: str) -> Any:
    if not isinstance(data, dict):
        raise WrongUsage(f"{name or 'a question'} must be an object")
    hints, place = _hints(kind), f"{name}: " if name else ""
    for key in data:
        if key not in hints:
            raise WrongUsage(place + unknown("argument", key, hints))
    arguments: dict[str, Any] = {}
    for one in fields(kind):
        if one.name in data:
            arguments[one.name] = read_value(
                hints[one.name], data[one.name], f"{name}.{one.name}" if name else one.name
            )
        elif not _has_default(one):
            raise WrongUsage(f"{place}the argument '{one.name}' is missing")
    return kind(**arguments)


def _text(data: Any, name: str) -> str:
    if not isinstance(data, str):
        raise WrongUsage(f"{name} must be a text")
    if not data.isascii() and any("\ud800" <= letter <= "\udfff" for letter in data):
        raise WrongUsage(f"{name} contains half a character: a surrogate without its other half")
    return data


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name: the nearest known one, or all of them.

    >>> unknown("argument", "claim", ["game", "claims"])
    "no argument 'claim'; did you mean 'claims'?"
    >>> unknown("argument", "x", ["game", "claims"])
    "no argument 'x'; there are: game, claims"
    """
    names = list(known)
    some = f"; there are: {', '.join(names)}" if names else "; there are none"
    return f"no {what} {_field_name(name)}{nearest(name[:100], names) or some}"


def _field_name(name: str) -> str:
    return f"'{name[:60]}'"


def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without its marks, and the marks."""
    if get_origin(kind) is not Annotated:
        return kind, ()
    base, *marks = get_args(kind)
    return base, tuple(marks)


def _limits(marks: tuple[Any, ...]) -> NumberLimits:
    return next((mark for mark in marks if isinstance(mark, NumberLimits)), NumberLimits(0, 2**31 - 1))


def _hints(kind: Any) -> dict[str, Any]:
    """The types of the attributes of a dataclass, with their marks."""
    if kind not in _KNOWN:
        _KNOWN[kind] = get_type_hints(kind, include_extras=True)
    return _KNOWN[kind]


_KNOWN: Final[dict[Any, dict[str, Any]]] = {}


def _has_default(one: Field[Any]) -> bool:
    return one.default is not MISSING or one.default_factory is not MISSING


# -- questions -----------------------------------------------------------------------------------------------


class Handler(Generic[Q]):
    """A function that answers a typed question, called with JSON.

    Attributes:
        kind: The dataclass of the question.
    """

    def __init__(self, function: Callable[[Q], Answer]) -> None:
        """``function``: its only parameter has a dataclass as its type."""
        wraps(function)(self)
        self._function = function

    @property
    def kind(self) -> type[Q]:
        """The dataclass of the question."""
        hints = get_type_hints(self._function)
        return next(kind for name, kind in hints.items() if name != "return")  # type: ignore[no-any-return]

    def __call__(self, data: Any) -> Answer:
        """The answer, which repeats the question as ``asked``; WrongUsage if the JSON is no such question."""
        question = read_value(self.kind, data)
        return {**self._function(question), "asked": repeat_question(question)}


def repeat_question(question: Any) -> Answer:
    """A question as an answer repeats it: with the values of what was not given, without what is `NotRepeated`."""
    hints = _hints(type(question))
    return {
        one.name: getattr(question, one.name)
        for one in fields(question)
        if NotRepeated not in _parts(hints[one.name])[1]
    }


# -- schema --------------------------------------------------------------------------------------------------


def schema(kind: Any) -> Answer:
    """The JSON Schema of a type."""
    base, marks = _parts(kind)
    type_schema = _schema(base, marks)
    about = [mark.text for mark in marks if isinstance(mark, About)]
    return {**type_schema, "description": about[0]} if about else type_schema


def _schema(base: Any, marks: tuple[Any, ...]) -> Answer:
    origin, inner = get_origin(base), get_args(base)
    if is_dataclass(base) and isinstance(base, type):
        hints = _hints(base)
        parts = {one.name: schema(hints[one.name]) | _default(one) for one in fields(base)}
        needed = [one.name for one in fields(base) if not _has_default(one)]
        return {"type": "object", "properties": parts, "required": needed, "additionalProperties": False}
    if base is str:
        return {"type": "string"}
    if base is int:
        limits = _limits(marks)
        return {"type": "integer", "minimum": limits.least, "maximum": limits.most}
    if origin in (Union, UnionType):
        some, inner_marks = _parts(next(one for one in inner if one is not NoneType))
        return {"anyOf": [_schema(some, (*marks, *inner_marks)), {"type": "null"}]}
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema(inner[1])}
    most = [mark.number for mark in marks if isinstance(mark, Most)]
    return {"type": "array", "items": schema(inner[0])} | ({"maxItems": most[0]} if most else {})


def _default(one: Field[Any]) -> Answer:
    return {"default": one.default} if one.default is not MISSING else {}
