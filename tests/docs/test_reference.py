"""The reference of the Python interface is generated from docstrings and complete."""

from __future__ import annotations

import inspect

from support.api_reference import markdown, members, reference, signature
from support.fences import ROOT

import kaiser_logic

PAGE = ROOT / "docs" / "reference" / "api.md"
CLASSES = [name for name in kaiser_logic.__all__ if inspect.isclass(getattr(kaiser_logic, name))]


def test_the_reference_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "the second line of the page says how to generate it"
    )


def test_every_public_name_has_a_docstring() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in kaiser_logic.__all__:
        doc = inspect.getdoc(getattr(kaiser_logic, name)) or ""
        assert doc and not doc.startswith(f"{name}("), (
            f"{name}: the docstring is missing, or is the signature that dataclasses generate"
        )
        assert f"\n## `{name}`\n" in page


def test_every_public_method_has_a_docstring() -> None:
    classes = [getattr(kaiser_logic, name) for name in CLASSES]
    assert len(classes) > 10
    undocumented = [
        (c.__name__, m) for c in classes for m, _ in members(c) if not inspect.getdoc(getattr(c, m))
    ]
    assert not undocumented


def test_docstrings_become_markdown() -> None:
    text = """Does it, see :func:`load`.

        Args:
            first: What it is,
                and how much.
            second: ``None`` for nothing.
        """
    expected = "Does it, see `load`.\n\n*Args:*\n\n* `first`: What it is, and how much.\n* `second`: `None` for nothing.\n"
    assert markdown(text) == expected


def test_signatures_are_as_written() -> None:
    def function(a: str | int, *, verbose: object = lambda: 0, n: int = 3) -> None: ...

    assert signature(function) == "(a: str | int, *, verbose: object = ..., n: int = 3) -> None"
