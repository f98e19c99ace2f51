"""The folder of a certificate: ``certificate.json``, and a file for each proof.

``certificate.json`` gives the game, the settings, the rules of claims by query, the invariants that are not assumed, the
version of clingo, and for each proof its question, its claims and its file. A file ``NAME.lrat.xz`` has a line with the
numbers of the clauses that the proof uses, among those of the question's completion and the clause that some claim is
broken, and then its steps in the format LRAT. Nothing in a folder is believed: see `verify`.
"""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .. import clingo
from ..errors import UnreadableInput
from .search import LratProof
from .text import NotCovered, Settings
from .verify import CheckReport

LIST: Final = "certificate.json"
PROOF: Final = ".lrat.xz"
FORMAT: Final = 5
_MOST: Final = 300_000_000
"""The largest size of an unpacked proof, in bytes; the largest one so far has 69 million (kaiser, four players)."""


@dataclass(frozen=True)
class Certificate:
    """What a folder says.

    Attributes:
        game: The game's id, or the folder of its rulebook.
        settings: What it is played under.
        dropped: The invariants that the proofs do not assume.
        proofs: The proofs by question. A proof that cannot be read is missing.
        faults: What cannot be read, in words.
    """

    game: str
    settings: Settings
    dropped: tuple[str, ...]
    proofs: Mapping[str, Sequence[LratProof]]
    faults: tuple[str, ...] = ()


def is_certificate(folder: Path) -> bool:
    """Whether a folder is one of a certificate."""
    return (folder / LIST).is_file()


def is_part(name: str) -> bool:
    """Whether a file of this name can be one of a certificate."""
    return name == LIST or re.fullmatch(rf"p[0-9]+{re.escape(PROOF)}", name) is not None


def contents(game: str, report: CheckReport) -> dict[str, bytes]:
    """The files of a folder with the proofs of a report, by name."""
    made: dict[str, bytes] = {}
    listed: list[dict[str, object]] = []
    for answer in sorted(report.answers, key=lambda a: a.label):
        for proof in answer.proofs:
            name = f"p{len(listed)}"
            lines = [" ".join(map(str, proof.core)), *proof.steps]
            made[f"{name}{PROOF}"] = lzma.compress("\n".join(lines).encode(), preset=6)
            listed.append({"question": answer.label, "claims": proof.claims, "weak": proof.weak, "file": name})
    settings = report.settings
    found = {
        "format": FORMAT,
        "game": game,
        "clingo": clingo.VERSION,
        "seats": settings.seats,
        "rulings": dict(settings.rulings),
        "start": {tag: list(values) for tag, values in settings.start.items()},
        "claims": rules_in(settings),
        "dropped": report.dropped,
        "proofs": listed,
    }
    return {**made, LIST: f"{json.dumps(found, indent=1)}\n".encode()}


_KEYS: Final = {"format", "game", "clingo", "seats", "rulings", "start", "claims", "dropped", "proofs"}
_PROOF_KEYS: Final = {"question", "claims", "weak", "file"}


def read_folder(folder: Path) -> Certificate:
    """Reads a folder.

    Raises:
        UnreadableInput: It has no list of proofs that can be read.
    """
    path = folder / LIST
    try:
        found = _with_keys(json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_object), "it", _KEYS)
        if repr(found["format"]) != repr(FORMAT):
            raise UnreadableInput("the certificate has another format version", str(path))
        start = {tag: _texts(found["start"], tag) for tag in _with_keys(found["start"], "'start'")}
        rulings = {ruling: _text(found["rulings"], ruling) for ruling in _with_keys(found["rulings"], "'rulings'")}
        settings = Settings(_texts(found, "seats"), rulings, start, "\n".join(_texts(found, "claims")))
        if not isinstance(found["proofs"], list):
            raise ValueError("'proofs' is no list")
        each = [_with_keys(one, "a proof", _PROOF_KEYS) for one in found["proofs"]]
        listed = [(_text(p, "question"), _texts(p, "claims"), _texts(p, "weak"), _name(p["file"])) for p in each]
        game, dropped, version = _text(found, "game"), _texts(found, "dropped"), _text(found, "clingo")
    except OSError as error:
        raise UnreadableInput(f"there is no certificate: {error.strerror}", str(path)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableInput(f"the file is not a list of proofs: {error}", str(path)) from None
    faults = (
        [f"clingo {version} numbered the clauses, and this is {clingo.VERSION}"] if version != clingo.VERSION else []
    )
    unused = {p.name for p in folder.iterdir() if is_part(p.name)} - {LIST, *(f"{name}{PROOF}" for *_, name in listed)}
    faults += [f"{name} belongs to no proof" for name in sorted(unused)]
    faults += [f"a proof is listed twice: {name}" for name, n in Counter(name for *_, name in listed).items() if n > 1]
    proofs: dict[str, list[LratProof]] = {}
    for question, claims, weak, name in listed:
        try:
            proofs.setdefault(question, []).append(_proof(folder / f"{name}{PROOF}", claims, weak))
        except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
            faults.append(f"{name}{PROOF} cannot be read: {getattr(error, 'strerror', None) or error}")
    return Certificate(game, settings, dropped, proofs, tuple(faults))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; ValueError if it has a key twice."""
    for k, (name, _) in enumerate(pairs):
        if name in dict(pairs[:k]):
            raise ValueError(f"{name!r} stands twice in one object")
    return dict(pairs)


def _with_keys(found: Any, what: str, known: Collection[str] | None = None) -> dict[str, Any]:
    """An object of JSON; ValueError if it is none, or has a key that is not known."""
    if not isinstance(found, dict):
        raise ValueError(f"{what} is no object")
    for key in found.keys() - (found.keys() if known is None else known):
        raise ValueError(f"there is no key {key!r}")
    return found


def _text(found: Mapping[str, Any], key: str) -> str:
    """The text of a key; ValueError if it is none."""
    if not isinstance(found[key], str):
        raise ValueError(f"{key!r} is no text")
    return str(found[key])


def _texts(found: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The list of texts of a key; ValueError if it is none."""
    if not isinstance(found[key], list) or not all(isinstance(one, str) for one in found[key]):
        raise ValueError(f"{key!r} is no list of texts")
    return tuple(found[key])


def _proof(path: Path, claims: tuple[str, ...], weak: tuple[str, ...]) -> LratProof:
    if path.exists() and not path.is_file():
        raise ValueError("it is not a file")
    with lzma.open(path, format=lzma.FORMAT_XZ) as file:  # other formats take zeros without end for proofs of no bytes
        text = file.read(_MOST + 1).decode("ascii")
    if len(text) > _MOST:
        raise ValueError(f"its proof has more than {_MOST:,} bytes")
    first, _, steps = text.partition("\n")
    return LratProof(claims, [int(x) for x in first.split()], steps.split("\n"), weak)


def _name(found: Any) -> str:
    """The name of a file in the folder; ValueError if it could name another one."""
    if not isinstance(found, str) or not found.isalnum() or not found.isascii():
        raise ValueError(f"{found!r} is not the name of a file here")
    return found


def lines_about(settings: Settings) -> Iterable[str]:
    """The settings in words, one on each line; then the rules of claims by query, which a reader has to judge.

    No rule is named if they cannot be read; then nothing is checked.
    """
    yield f"seats: {' '.join(settings.seats)}"
    if settings.rulings:
        yield f"rulings: {', '.join(f'{n}={v}' for n, v in sorted(settings.rulings.items()))}"
    for tag, values in sorted(settings.start.items()):
        yield f"{tag}: {' '.join(values)}"
    for rule in rules_in(settings):
        yield f"claim: {rule}"


def rules_in(settings: Settings) -> list[str]:
    """The rules of claims by query as they are read; none if they cannot be read."""
    try:
        return settings.rules_of_claims()
    except NotCovered:
        return []
