"""Parses claims, ``never QUERY`` and ``some QUERY``, from a command line, a file or a rulebook."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..engine.ruleset import Ruleset
from ..errors import UnreadableInput, WrongUsage
from ..lang.reader import lines_of
from ..query.dense import too_dense
from ..query.language import Query, parse_query
from ..query.mistakes import read_query
from ..rules.contract.declared import QUERIES
from ..rules.loader import claims_of
from ..rules.predicates import CLAIMS
from ..rules.rulebook import Rulebook

_KIND: Final = re.compile(rf"\s*({'|'.join(QUERIES)})\b\s*")
_LINE: Final = re.compile(r"\s*(?:([a-z]\w*)\s*:\s*)?(?=(?:never|some)\b)", re.ASCII)
_NAME: Final = re.compile(r"[a-z]\w*", re.ASCII)
MOST: Final = 200
"""The largest number of claims that are proved together."""


@dataclass(frozen=True)
class Claim:
    """A claim about positions.

    Attributes:
        id: Its id.
        kind: ``never`` if the query holds in no position of any game; ``some`` if it holds in some valid position.
        query: The query.
        statement: The claim in words, or as it was written.
    """

    id: str
    kind: str
    query: Query
    statement: str


def read_claim(text: str, rules: Rulebook | Ruleset, id: str = "claim", path: str = "claim", line: int = 1) -> Claim:
    """A claim such as ``never held(R,rival,1), emperor(R)``.

    Args:
        text: The claim.
        rules: The rules in force, or only the rulebook. With the former, literals that can never hold are refused, too.
        id: The id of the claim.
        path: The file that contains it.
        line: Its line in the file.

    Raises:
        UnreadableInput: The text is not a claim; with line and column.
        WrongUsage: It mentions something that the rulebook does not know, or that no position can have.
    """
    match = _KIND.match(text)
    if match is None:
        column = len(text) - len(text.lstrip()) + 1
        raise UnreadableInput("a claim begins with 'never' or 'some'", path, line, column)
    query = _query(re.sub(r"\S", " ", text[: match.end()]) + text[match.end() :], rules, path, line)
    return Claim(id, match[1], query, " ".join(text.split()))


def _query(source: str, rules: Rulebook | Ruleset, path: str, line: int) -> Query:
    """The query of a claim at a line of a file. Blanks before it make the columns of errors those of the file."""
    try:
        query = read_query(source, rules) if isinstance(rules, Ruleset) else parse_query(source, rules)
    except UnreadableInput as error:
        raise UnreadableInput(error.message, path, line + (error.line or 1) - 1, error.column) from None
    except WrongUsage as error:
        raise WrongUsage(f"{path}:{line}: {error}") from None
    if isinstance(rules, Ruleset) and (why := too_dense(rules, query)):
        raise WrongUsage(f"{path}:{line}: {why}")
    return replace(query, source=source.strip())


def read_claims(path: Path, rules: Rulebook | Ruleset) -> list[Claim]:
    """The claims in a file.

    Each claim is on a line of its own: ``[id:] never QUERY``. A line that begins with a blank continues the claim before it.
    Comments begin with ``#`` or ``%``.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableInput("the text is not UTF-8", str(path)) from None
    except OSError as error:
        raise UnreadableInput(f"cannot be read: {error.strerror}", str(path)) from None
    claims: list[Claim] = []
    for number, claim in _joined_lines(text):
        match = _LINE.match(claim)
        if match is None:
            column = len(claim) - len(claim.lstrip()) + 1
            message = "a line is a claim, [ID:] never QUERY or some QUERY"
            raise UnreadableInput(message, str(path), number, column)
        blanks = " " * match.end()  # so that the columns of errors are those of the file
        id = match[1] or f"claim{len(claims) + 1}"
        claims.append(read_claim(blanks + claim[match.end() :], rules, id, str(path), number))
    return claims


def _joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """The texts of claims without comments, each with the number of its first line."""
    begun: tuple[int, list[str]] | None = None
    for number, line in enumerate(lines_of(text), 1):
        bare = re.split(r"[#%]", line, maxsplit=1)[0].rstrip()
        if begun is not None and bare[:1].isspace():
            begun[1].append(bare)
            continue
        if begun is not None and bare:
            yield begun[0], "\n".join(begun[1])
            begun = None
        if bare:
            begun = number, [bare]
        elif begun is not None:
            begun[1].append("")
    if begun is not None:
        yield begun[0], "\n".join(begun[1]).rstrip()


def own_claims(book: Rulebook) -> list[Claim]:
    """The claims about positions that the rulebook states."""
    claims = []
    for doc in claims_of(book)[1].values():
        for kind in QUERIES:
            if kind in doc.sources:
                query = _query(doc.sources[kind], book, doc.file, doc.line)
                claims.append(Claim(doc.id, kind, query, doc.default_statement))
    return claims


def vacuous_literal(claim: Claim, rules: Ruleset) -> str:
    """The reason why the claim says nothing under these rules, as one of its literals can never hold; else empty."""
    try:
        read_query(claim.query.source, rules)
    except WrongUsage as error:
        return str(error)
    return ""


def _unused_id(id: str, known: Collection[str]) -> str:
    """This id if no rule has it, else a similar one."""
    while id in known:
        id = f"my_{id}"
    return id


def parse_claims(texts: Sequence[str], files: Iterable[Path], rules: Ruleset) -> list[Claim]:
    """The claims of a command line and of files, with different ids.

    Args:
        texts: Claims as texts.
        files: Files with claims.
        rules: The rules in force.

    Raises:
        UnreadableInput: A text is not a claim.
        WrongUsage: A claim mentions something that no position can have, two have the same id, or there are too many.
    """
    book = rules.book
    known = {*book.docs, *claims_of(book)[1]}
    all_claims = [
        read_claim(t, rules, _unused_id(f"claim{k}" if len(texts) > 1 else "claim", known), "claim")
        for k, t in enumerate(texts, 1)
    ]
    for path in files:
        for claim in read_claims(path, rules):
            taken = {c.id for c in all_claims}
            id = claim.id
            if id in taken and re.fullmatch(r"claim\d+", id):
                id = f"claim{len(all_claims) + 1}"
            elif id in taken:
                raise WrongUsage(f"{path}: two claims are called {id}")
            all_claims.append(Claim(id, claim.kind, claim.query, claim.statement))
    for claim in all_claims:
        if claim.id in CLAIMS:
            raise WrongUsage(
                f"{claim.id} is the name of a claim that the tool proves itself: give the claim another id"
            )
        if claim.id in known:
            raise WrongUsage(
                f"{claim.id} is already the name of a rule or an invariant of {book.id}: give the claim another id"
            )
    if len(all_claims) > MOST:
        raise WrongUsage(f"at most {MOST} claims are proved at once")
    return all_claims
