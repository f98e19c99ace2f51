"""The files of a folder of certificates.

``certificates.json`` names the rulebook, the claims with certificates, and the questions. A question is a program,
``NAME.lp.xz``, with parts. A part consists of claims that no model of the program breaks. For each part there are the clauses
that the proof uses, ``NAME.cnf.xz`` in the format DIMACS, and the proof, ``NAME.lrat.xz``. Any checker of LRAT can check
these two files.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from ..errors import UnreadableInput
from ..files import write_file
from .completion import TRUE, Clause, Completion

RULES: Final = "rules"
"""The name of the file with rules that are in no file of the rulebook: those generated from declarations, and the settings."""
_ALWAYS: Final = ("legal", "judge", "change", "position", "open_sets")
"""The engine's files that are used without being named by a rulebook."""
MANIFEST: Final = "certificates.json"
FORMAT: Final = 3
DECISION: Final = "decision"
STEP: Final = "step"
POSITION: Final = "position"
_OTHER_FILES: Final = re.compile(r"#\s*(include|script)")
SETTINGS: Final = {"seat": 2, "ruling": 2, "start": 2, "board": 1}
"""The predicates of the facts that state a game's settings, with their arities."""


@dataclass(frozen=True)
class Part:
    """Claims that no model of a program breaks.

    Attributes:
        name: The name of its files.
        claims: The claims.
        exact: Whether totals are exact sums in these models. Otherwise they have any values within their limits.
    """

    name: str
    claims: tuple[str, ...]
    exact: bool


@dataclass(frozen=True)
class Question:
    """A program, and claims that hold in its models.

    Attributes:
        name: The name of its file.
        kind: `DECISION` or `STEP` for a transition, or `POSITION`.
        about: The transition, or the claim about positions.
        covers: The transitions that it covers: declarations ``action(Decision,Action)``, or ``step(Name)``.
        parts: The proved claims.
    """

    name: str
    kind: str
    about: str
    covers: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Claim:
    """A claim that has a certificate.

    Attributes:
        statement: The claim in words.
        kind: The questions of which it must be proved: all transitions (`STEP`), all decisions (`DECISION`), or the questions
            about positions with its name (`POSITION`).
    """

    statement: str
    kind: str


@dataclass(frozen=True)
class Manifest:
    """The contents of a folder of certificates.

    Attributes:
        game: The game's id, or the folder of its rulebook.
        settings: ``seats``, the players clockwise, and ``given``, the facts of `SETTINGS`.
        clingo: The version of clingo that numbered the atoms.
        rulebook: The hash of each file of the rulebook.
        supposed: The claims that all questions assume of a position.
        claims: The claims that have certificates.
        left: For each other claim the reason why it has none.
        questions: The questions.
    """

    game: str
    settings: Mapping[str, Sequence[str]]
    clingo: str
    rulebook: Mapping[str, str]
    supposed: tuple[str, ...]
    claims: Mapping[str, Claim]
    left: Mapping[str, str]
    questions: tuple[Question, ...] = field(default_factory=tuple)

    def write(self, folder: Path) -> None:
        """Writes the manifest into a folder."""
        text = json.dumps({"format": FORMAT, **asdict(self)}, indent=1)
        write_file(folder / MANIFEST, f"{text}\n")


def read_manifest(folder: Path) -> Manifest:
    """Reads the manifest of a folder of certificates.

    Raises:
        UnreadableInput: The manifest is missing or cannot be read.
    """
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found.pop("format") != FORMAT:
            raise UnreadableInput("the certificates have another format version", str(path))
        claims = {name: Claim(c["statement"], c["kind"]) for name, c in found["claims"].items()}
        questions = tuple(_question(q) for q in found["questions"])
        settings = {key: list(map(str, found["settings"][key])) for key in ("seats", "given")}
        supposed = tuple(found["supposed"])
        texts = {key: str(found[key]) for key in ("game", "clingo")}
        tables = {key: dict(found[key].items()) for key in ("rulebook", "left")}
        asked = {"settings": settings, "supposed": supposed, "claims": claims, "questions": questions}
        read = {**texts, **tables, **asked}
        return Manifest(**{**found, **read})
    except OSError as error:
        raise UnreadableInput(f"there are no certificates: {error.strerror}", str(path)) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableInput(f"the file is not a list of certificates: {error}", str(path)) from None


def _question(found: Mapping[str, Any]) -> Question:
    parts = (Part(_file(p["name"]), tuple(p["claims"]), bool(p["exact"])) for p in found["parts"])
    return Question(_file(found["name"]), found["kind"], found["about"], tuple(found["covers"]), tuple(parts))


def _file(name: str) -> str:
    """The name of a file in the folder of certificates; ValueError if it could name another file."""
    if not name.replace("-", "").isalnum():
        raise ValueError(f"{name!r} is not the name of a file here")
    return name


def heading(
    question: Question,
    settings: Mapping[str, Sequence[str]],
    supposed: Collection[str],
    goals: Collection[str],
) -> str:
    """The first line of a question's program: a comment that repeats its entry in the manifest, and names its goals.

    The goals are the claims that the program was written for: ``bad__(Claim,_)`` says where one of them is broken.
    """
    described = {"kind": question.kind, "about": question.about, "covers": question.covers}
    return f"% {json.dumps({**described, **settings, 'supposed': [*supposed], 'goals': [*goals]})}"


def goals_of(line: str) -> list[str]:
    """The goals that the first line of a program names; none if it is no such line."""
    try:
        return [str(goal) for goal in json.loads(line.removeprefix("% "))["goals"]]
    except (ValueError, KeyError, TypeError):
        return []


def rule_files(rulebook: Path, engine: Path) -> list[Path]:
    """The files of the rules: the rulebook's manifest, its logic programs, and those of the engine.

    Raises:
        UnreadableInput: There is no rulebook in the folder.
    """
    path = rulebook / "game.toml"
    try:
        manifest = tomllib.loads(path.read_text(encoding="utf-8"))
        own = [rulebook / f"{name}.lp" for name in (*manifest["files"], *manifest.get("claims", ()))]
        return [path, *own, *(engine / f"{name}.lp" for name in (*_ALWAYS, *manifest.get("engine", ())))]
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableInput(f"is not a rulebook: {error}", str(rulebook)) from None


def hashes(files: Iterable[Path]) -> dict[str, str]:
    """The hash of each file; empty for a missing file."""
    texts = ((path, path.read_bytes() if path.is_file() else None) for path in files)
    return {f"{p.parent.name}/{p.name}": "" if t is None else hashlib.sha256(t).hexdigest() for p, t in texts}


def clear(folder: Path) -> None:
    """Creates a folder, or deletes the files of certificates in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in (MANIFEST, "*.lp.xz", "*.cnf.xz", "*.lrat.xz"):
        for path in folder.glob(pattern):
            path.unlink()


def pack(path: Path, lines: Iterable[str]) -> None:
    """Writes lines to a compressed file."""
    write_file(path, lzma.compress("".join(f"{line}\n" for line in lines).encode()))


def unpack(path: Path) -> list[str]:
    """Reads the lines of a compressed file.

    Raises:
        UnreadableInput: The file is missing or damaged, or a program that would make clingo read other files or run scripts.
    """
    try:
        text = lzma.decompress(path.read_bytes()).decode()
    except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise UnreadableInput(
            f"cannot be read: {getattr(error, 'strerror', None) or error}", str(path)
        ) from None
    if path.name.endswith(".lp.xz") and _OTHER_FILES.search(text):
        raise UnreadableInput("cannot be read: it contains #include or #script", str(path))
    return text.removesuffix("\n").split("\n")


def dimacs(clauses: Sequence[Clause]) -> list[str]:
    """Clauses in the format DIMACS."""
    most = max((abs(x) for clause in clauses for x in clause), default=0)
    return [f"p cnf {most} {len(clauses)}", *(" ".join(map(str, (*clause, 0))) for clause in clauses)]


def clauses_of(lines: Sequence[str]) -> list[Clause]:
    """The clauses of a text in the format DIMACS, one on each line.

    Raises:
        UnreadableInput: A line is not a clause.
    """
    try:
        return [tuple(map(int, line.split()))[:-1] for line in lines if line[:1] not in ("p", "c")]
    except ValueError as error:
        raise UnreadableInput(f"the file contains no clauses: {error}") from None


def extra_clauses(completion: Completion, part: Part, question: Question) -> list[Clause]:
    """The clauses in addition to those of the program: one of the claims is broken, and totals are exact or not."""
    if question.kind == POSITION:
        goal = [x for _, x in completion.literals("found__", 0)]
    else:
        goal = [x for s, x in completion.literals("bad__", 2) if str(s.arguments[0]) in part.claims]
    exact: list[Clause] = [
        (x if part.exact else -x,) for _, x in completion.literals("exact__", 0) if x != TRUE
    ]
    return exact if TRUE in goal else [tuple(sorted(goal)), *exact]


def broken_claims(completion: Completion, question: Question, model: Collection[int]) -> set[str]:
    """The claims that a model breaks."""
    if question.kind == POSITION:
        return {question.about}
    return {str(s.arguments[0]) for s, x in completion.literals("bad__", 2) if x == TRUE or x in model}
