"""What is said and never read, listed nowhere or twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..errors import Finding
from ..rules.contract.manifest import place_in_toml
from ..rules.contract.names import readable
from ..rules.contract.survey import Survey
from ..rules.contract.words import CLAIMED, DRAWN, SAID
from ..rules.loader import label
from ..rules.pattern import Signature, outermost
from ..rules.places import called, nearest
from ..rules.predicates import DUE, of_engine

_NEEDED: Final[frozenset[Signature]] = frozenset({("terminal", 0), ("goal", 2)})
"""What a rulebook may leave out, but not where a file of the engine's reads it."""
_PRINTED: Final = "book"
"""A program that the manifest need not name: the printed rulebook's tables."""


def unused(survey: Survey) -> Iterator[Finding]:
    """The kind ``unused``: whatever a rulebook says somebody reads.

    >>> # holds_atleast(1..N) :- heap(N), N > 0.     where the rules read holds_at_least
    """
    exports = {tuple(text.split("/")) for text in survey.book.manifest.get("exports", ())}
    read = {
        *survey.read,
        *survey.conditions,
        *survey.wanted,
        *SAID,
        *(DRAWN if survey.drawing else ()),
        ("party", 2),
    }
    read |= CLAIMED if survey.claims else frozenset()
    for signature, uses in survey.derived.items():
        if signature not in read and (signature[0], str(signature[1])) not in exports:
            hint = nearest(signature[0], (n for n, _ in {*survey.read, *SAID} if n != signature[0]))
            message = f"nothing reads {called(signature)}{hint}"
            yield survey.at(uses[0].rule, "unused", message, signature[0])


def exported(survey: Survey) -> Iterator[Finding]:
    """The kind ``exports``: what a query may ask is said.

    >>> # exports = ["pwoer/3"]
    """
    exports = survey.book.manifest.get("exports", ())
    known = {called(s) for s in {*survey.derived, *survey.shared}}
    path = survey.folder / "game.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    for export in exports:
        if export not in known:
            line, column = place_in_toml(lines, "", "exports", f'"{export}"')
            message = f"nothing says {export}{nearest(export, sorted(known))}"
            yield Finding(str(path), line, column, "exports", message)


def unlisted(survey: Survey) -> Iterator[Finding]:
    """The kind ``unlisted``: each program of the folder is read.

    >>> # files = ["vocabulary", "play"]     where invariants.lp lies in the folder too
    """
    manifest = survey.book.manifest
    besides = (name for key in ("picture", "claims") for name in manifest.get(key, ()))
    listed = {*manifest["files"], manifest.get("drawing"), *besides, _PRINTED}
    for path in sorted(survey.folder.glob("*.lp")):
        if path.stem not in listed:
            message = "the manifest names this program neither in 'files' nor as 'drawing', 'picture' or 'claims': it is not read"
            yield Finding(str(path), 1, 1, "unlisted", message)


def repeated(survey: Survey) -> Iterator[Finding]:
    """The kind ``repeated``: no rule stands twice.

    >>> # step(pass_on).     step(pass_on).
    """
    drawing = survey.book.manifest.get("drawing")
    seen: dict[tuple[str, bool], str] = {}
    for rule in survey.rules:
        drawn = rule.file == label(
            survey.folder, str(drawing)
        )  # read without the picture, which is read without it
        if (rule.text, drawn) in seen:
            yield survey.at(rule, "repeated", f"the same rule stands at {seen[rule.text, drawn]}")
        seen.setdefault((rule.text, drawn), f"{rule.file}:{rule.line}")


def idle_steps(survey: Survey) -> Iterator[Finding]:
    """The kind ``idle``: what is declared to happen by itself does something, and comes to happen.

    >>> # step(pass_on).     where no rule reads due(pass_on)
    """
    read = {outermost(term) for _, term in survey.arguments(DUE, 0, heads=False)}
    due = set()
    for name in ("add", "init"):
        for _, term in survey.arguments((name, 1), 0, heads=True):
            if outermost(term) == DUE:
                due.add(outermost(term[2][0]))
    for use, term in survey.arguments(("step", 1), 0, heads=True):
        named = outermost(term)
        if named is None:
            continue
        if named not in read and None not in read:
            yield survey.at(
                use.rule, "idle", f"no rule reads due({named[0]}): nothing happens by it", named[0]
            )
        elif named not in due and None not in due:
            yield survey.at(use.rule, "idle", f"no rule says add(due({named[0]})): it never is due", named[0])


def ending(survey: Survey) -> Iterator[Finding]:
    """The kind ``ending``: a game can end, with points and winners.

    >>> # a rulebook without winner(R)
    """
    known_heads = {*survey.derived, *survey.shared}
    for signature, meaning in ((("terminal", 0), "when the game is over"), (("goal", 2), "who has how many points"),
                               (("winner", 1), "who has won")):  # fmt: skip
        if signature not in known_heads and survey.rules:
            message = f"nothing says {called(signature)}: {meaning}"
            yield survey.at(survey.rules[-1], "ending", message)


def asked(survey: Survey) -> Iterator[Finding]:
    """The kind ``needs``: what the engine's files read that the manifest asks for is said.

    >>> # engine = ["phases"]     without enter(P)
    """
    known = readable(survey) - _NEEDED
    known |= survey.derived.keys() | survey.shared
    missing: dict[Signature, str] = {}
    for rule in survey.book.rules:
        if of_engine(rule):
            for signature in rule.uses - known:
                missing.setdefault(signature, rule.file.removeprefix("engine/").removesuffix(".lp"))
    path = survey.folder / "game.toml"
    lines = path.read_text(encoding="utf-8").splitlines() if missing else []
    for signature, file in missing.items():
        line, column = place_in_toml(lines, "", "engine", f'"{file}"')
        message = (
            f"'{file}' reads {called(signature)}, which nothing says{nearest(signature[0], _names(survey))}"
        )
        yield Finding(str(path), line, column, "needs", message)


def _names(survey: Survey) -> Iterator[str]:
    return (name for name, _ in survey.derived if (name, 0) not in SAID)
