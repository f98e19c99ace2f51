"""The reference of the Python interface, generated from the signatures and docstrings of all public names.

``PYTHONPATH=.:tests python -m support.api_reference > docs/reference/api.md`` rewrites it.
"""

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import kaiser_logic
from kaiser_logic.upward import ShownInNotebooks
from support.spellings import parts

HEAD = """# The Python interface

Made from the docstrings by `PYTHONPATH=.:tests python -m support.api_reference > docs/reference/api.md`; edit those.
All names are those of `import kaiser_logic as kl`. What the questions mean: [asking](../use/asking.md),
[records](../use/records.md), [verdicts](../use/verdicts.md).
"""
_SECTIONS = ("Args", "Attributes", "Raises", "Returns", "Yields")
_ENTRY = re.compile(r"([*\w]+(?: \([^)]*\))?): (.*)")


class _Written:
    """An object whose ``repr`` is a given text: an annotation or a default as the source writes it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(function: Callable[..., Any]) -> str:
    """A function's parameters and what it returns, without ``self``."""
    found = inspect.signature(function)
    parameters = [
        p.replace(annotation=_annotation(p.annotation), default=_default(p.default))
        for p in found.parameters.values()
        if p.name not in ("self", "cls")
    ]
    text = str(found.replace(parameters=parameters, return_annotation=_annotation(found.return_annotation)))
    if len(text) <= 90:
        return text
    given, _, returned = text.rpartition(" -> ") if " -> " in text else (text, "", "")
    lines = [f"    {part},\n" for part in parts(given[1:-1])]
    return f"(\n{''.join(lines)})" + (f" -> {returned}" if returned else "")


def _annotation(annotation: Any) -> Any:
    return _Written(annotation) if isinstance(annotation, str) else annotation


def _default(default: Any) -> Any:
    """A default as text; ``...`` for a default without a text of its own (a function, a fresh list)."""
    if default is inspect.Parameter.empty:
        return default
    text = repr(default)
    return _Written("..." if callable(default) or " at 0x" in text or text == "<factory>" else text)


# -- docstrings --------------------------------------------------------------------------------------------


def markdown(docstring: str) -> str:
    """A docstring in Google's style as Markdown: sections become lists, examples become blocks."""
    lines = inspect.cleandoc(docstring).split("\n")
    out: list[str] = []
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.rstrip(":") in _SECTIONS and line.endswith(":"):
            end = _block_end(lines, i + 1)
            out += [f"*{line}*", "", *_entries(lines[i + 1 : end])]
            i = end
        elif line.startswith("    "):
            end = _block_end(lines, i)
            out += ["```python", *(text[4:] for text in _stripped(lines[i:end])), "```"]
            i = end
        else:
            out.append(_inline(line[:-1] if line.endswith("::") else line))
            i += 1
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip() + "\n"


def _block_end(lines: list[str], start: int) -> int:
    """The end of the indented lines that begin at ``start``; blank lines belong to them."""
    end = start
    while end < len(lines) and (not lines[end] or lines[end].startswith("    ")):
        end += 1
    return end


def _stripped(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def _entries(lines: list[str]) -> Iterator[str]:
    entry: list[str] = []
    for line in [text[4:] for text in _stripped(lines)]:
        named = _ENTRY.fullmatch(line)
        if named or (not entry and line):
            if entry:
                yield " ".join(entry)
            entry = [f"* `{named[1]}`: {_inline(named[2])}" if named else f"* {_inline(line)}"]
        elif line:
            entry.append(_inline(line.strip()))
    if entry:
        yield " ".join(entry)
    yield ""


def _inline(text: str) -> str:
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    return re.sub(r"``([^`]+)``", r"`\1`", text)


# -- names -------------------------------------------------------------------------------------------------


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class and of its private bases, in the order of the source."""
    seen: set[str] = set()
    for base in cls.__mro__:
        if base is cls or base.__name__.startswith("_"):
            for name, member in vars(base).items():
                documented = isinstance(member, (property, cached_property, classmethod, staticmethod))
                if not name.startswith("_") and name not in seen and (documented or inspect.isfunction(member)):
                    seen.add(name)
                    yield name, member


def _member(cls: type, name: str, member: Any) -> str:
    if isinstance(member, (property, cached_property)):
        getter = member.fget if isinstance(member, property) else member.func
        returned = inspect.signature(getter).return_annotation if getter is not None else "Any"
        head, doc = f"{name}: {returned if isinstance(returned, str) else returned.__name__}", member.__doc__
    else:
        function = getattr(cls, name)
        before = f"{cls.__name__}." if isinstance(member, (classmethod, staticmethod)) else ""
        head, doc = f"{before}{name}{signature(function)}", inspect.getdoc(function)
    return f"### `{cls.__name__}.{name}`\n\n```python\n{head}\n```\n\n{markdown(doc or '')}"


def _described(name: str, value: Any) -> str:
    if not inspect.isclass(value):
        return f"## `{name}`\n\n```python\n{name}{signature(value)}\n```\n\n{markdown(inspect.getdoc(value) or '')}"
    given = signature(value).partition(" -> ")[0] if dataclasses.is_dataclass(value) else ""
    unnamed = (object, Exception, ShownInNotebooks)
    bases = [b.__name__ for b in value.__bases__ if b not in unnamed and not b.__name__.startswith("_")]
    derived = f"\n\nA `{'`, `'.join(bases)}`." if bases else ""
    head = f"## `{name}`\n\n```python\nclass {name}{given}\n```{derived}\n\n{markdown(value.__doc__ or '')}"
    return "\n".join([head, *(_member(value, n, m) for n, m in members(value))])


def _line(name: str, value: Any) -> str:
    first = (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ")
    return f"| [`{name}`](#{name.lower()}) | {_inline(first)} |"


def reference() -> str:
    values = {name: getattr(kaiser_logic, name) for name in sorted(kaiser_logic.__all__, key=str.lower)}
    groups = {
        "functions": {n: v for n, v in values.items() if not inspect.isclass(v)},
        "classes": {n: v for n, v in values.items() if inspect.isclass(v) and not issubclass(v, Exception)},
        "exceptions": {n: v for n, v in values.items() if inspect.isclass(v) and issubclass(v, Exception)},
    }
    tables = [
        "\n".join([f"| {title} | |", "|---|---|", *(_line(n, v) for n, v in group.items())]) + "\n"
        for title, group in groups.items()
    ]
    bodies = [_described(name, value) for group in groups.values() for name, value in group.items()]
    return "\n".join([HEAD, *tables, *bodies])


if __name__ == "__main__":
    print(reference(), end="")
