"""The predicates of the query language: names for their arguments, and their phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from string import ascii_uppercase
from typing import Final

from ..function_caches import cache_until_change
from ..lang.algebra import rebuilt_term
from ..lang.printer import show_term
from ..lang.reader import read_term
from ..lang.terms import ANY, Fun, Name, Signature, Term, Var
from ..rules.generated import all_rules
from ..rules.library import asp_folder
from ..rules.phrases import phrases
from ..rules.predicates import DUE, FLUENT, GOAL, LEGAL, TERMINAL, VIOLATES, WINNER
from ..rules.rule import predicates_affected
from ..rules.rulebook import Rulebook
from .formula import AFTER

_UNLIMITED: Final = {FLUENT, ("action", 2), ("board_fact", 1), ("board_broken", 2), ("number", 1)}
"""Static predicates with too many atoms to list."""
FOR_ENGINE: Final = {
    ("board", 1), ("bound", 2), ("counted", 2), ("init", 1), ("out_of_turn", 2), ("presumed", 1), ("printed", 1),
    ("replaced", 1), ("signed", 2), ("simultaneous", 1), ("start", 2), ("stated", 2), ("unit", 2), ("viewer", 1),
    ("waived", 1),
}  # fmt: skip
"""Predicates for the engine. A query may contain them, but they say nothing about the game."""
_MARK: Final = "z"
"""The prefix of a variable that stands for a constant while a phrase is built."""
_ANYTHING: Final = f"{_MARK}Anything"
_VARIABLE: Final = re.compile(rf"\b{_MARK}([A-Z]\w*)")
_WRAPPED: Final = re.compile(rf"\b[a-z]\w*\(({_MARK}[A-Z]\w*)\)")
"""A variable in a phrase that needs a form only values have, such as ``plural(K)``."""
_ENGINE: Final = {
    LEGAL: ("legal(R,A)", "A is legal for R"),
    VIOLATES: ("violates(R,A,Rule)", "A would break the rule if R did it, now or out of turn"),
    AFTER: ("after(R,A,Fact)", "R alone decides, A is legal for R, and the fact holds after it"),
    GOAL: ("goal(R,N)", "R has reached N, which decides who wins"),
    WINNER: ("winner(R)", "R has the most by goal/2, alone or with others; at the end R wins"),
    TERMINAL: ("terminal", "the game is over"),
    ("limit", 3): ("limit(L,Least,Most)", "the measure L is from Least to Most"),
    ("range", 3): ("range(L,Least,Most)", "the measure L is from Least to Most, as its parts are limited"),
    ("ruling", 2): ("ruling(Name,Value)", "the ruling of that name has the value"),
    ("step", 1): ("step(S)", "S is a step, which happens without a decision"),
    ("thing", 3): ("thing(C,I,N)", "C is the I-th thing in sets, with N copies at most"),
}
"""The phrases for the engine's predicates, in every game."""
_PREDICATE: Final = r"[a-z]\w*(?:\([\w,]*\))?"
_COMMENTS: Final = re.compile(r"(?:^% (?!--).*\n?)+", re.MULTILINE)
_SENTENCE: Final = re.compile(
    rf"(?:^% |   )({_PREDICATE}): ((?s:.+?))(?=   {_PREDICATE}: |\n% {_PREDICATE}: |\Z)", re.MULTILINE
)


def static_data(book: Rulebook) -> set[Signature]:
    """The static predicates, such as ``spaces/3``, whose facts are the same in all positions and can be listed."""
    return set(book.static) - predicates_affected(all_rules(book), _UNLIMITED)


def askable(book: Rulebook) -> set[Signature]:
    """All predicates that a query can ask for."""
    exported = {_signature(e) for e in book.manifest.get("exports", ())}
    result = {h.signature for r in all_rules(book) for h in r.heads} & {TERMINAL, GOAL, WINNER}
    return {*book.fluents, ("seat", 2), *exported, *result, *static_data(book), LEGAL, VIOLATES, AFTER} - {DUE}


def vocabulary(book: Rulebook) -> tuple[dict[str, str], dict[str, str]]:
    """The predicates of the query language, such as ``thalers(R,N)``, with their phrases (empty if there is none).

    Returns:
        What depends on the position, and what never changes.
    """
    data, words = static_data(book), phrases(book.folder)

    def list_phrases(signatures: Iterable[Signature]) -> dict[str, str]:
        phrases = {}
        for signature in sorted(signatures):
            written = form(book, signature)
            phrase = term_in_words(read_term(written), words.fact)
            otherwise = {**_sentences(book), **_ENGINE}.get(signature, ("", ""))[1]
            phrases[written] = phrase if phrase != written else otherwise
        return phrases

    return list_phrases(askable(book) - data), list_phrases(data - FOR_ENGINE)


def term_in_words(term: Term, words: Callable[[str], str]) -> str:
    """A term in words, with the names of its variables. ``_`` becomes the game's word for anything, if there is one."""

    def mark(anything: Term) -> str:
        def constant(part: Term) -> Term:
            if not isinstance(part, Var):
                return part
            return anything if part.name.startswith("_") else Name(f"{_MARK}{part.name}")

        return show_term(rebuilt_term(term, constant))

    open_ = mark(ANY)
    text = words(open_)
    if text == open_ and "_" in open_:
        text = words(mark(Name(_ANYTHING)))
    worded = text if text.startswith(open_.partition("(")[0] + "(") else _WRAPPED.sub(r"\1", text)
    worded = re.sub(rf"\ban? {_ANYTHING}\b(?: of {_ANYTHING}\b)*", "something", worded)
    return _VARIABLE.sub(r"\1", worded.replace(_ANYTHING, "anything")).strip('"')


@cache_until_change(16)
def _sentences(book: Rulebook) -> dict[Signature, tuple[str, str]]:
    """What comments say of predicates that never change, such as ``% left(R,Q): Q sits on R's left``."""
    paths = [book.folder / f"{name}.lp" for name in book.manifest["files"]]
    paths += [asp_folder() / "engine" / f"{name}.lp" for name in book.manifest.get("engine", ())]
    sentences: dict[Signature, tuple[str, str]] = {}
    for block in (b for path in paths for b in _COMMENTS.findall(path.read_text(encoding="utf-8"))):
        for written, said in _SENTENCE.findall(block):
            signature = written.partition("(")[0], len(written.split(",")) if "(" in written else 0
            if signature in book.static:
                sentences.setdefault(signature, (written, said.replace("\n% ", " ").strip(" .\n")))
    return sentences


@cache_until_change(16)
def forms(book: Rulebook) -> dict[Signature, str]:
    """Predicates with the variables that the rulebook, or else its phrases, calls their arguments by."""
    patterns = {signature: written for signature, (written, _) in _sentences(book).items()}
    declared = (h.args[0] for r in book.rules for h in r.heads if h.signature == FLUENT)
    used = (Fun(a.name, a.args) for r in all_rules(book) for a in r.atoms)
    for term in (*declared, *used, *phrases(book.folder).facts):
        if isinstance(term, Fun) and _are_names(term.args):
            patterns.setdefault((term.name, len(term.args)), show_term(term))
    return patterns


def _are_names(args: tuple[Term, ...]) -> bool:
    """Whether the arguments are variables, each another and with a name."""
    names = [arg.name for arg in args if isinstance(arg, Var) and str(arg.name)[:1].isupper()]
    return len(names) == len(set(names)) == len(args) > 0


def form(book: Rulebook, signature: Signature) -> str:
    """A predicate with the variables that the rulebook calls its arguments by, or letters: ``thalers(R,N)``."""
    (name, arity), known = signature, _ENGINE.get(signature, ("",))[0] or forms(book).get(signature)
    return known or (f"{name}({','.join(ascii_uppercase[:arity])})" if arity else name)


def line(book: Rulebook, signature: Signature) -> str:
    """A predicate as the vocabulary lists it: with its arguments, and how it reads in words."""
    written = form(book, signature)
    changing, data = vocabulary(book)
    reads = changing.get(written) or data.get(written)
    return f"{written} ({reads})" if reads else written


def _signature(text: str) -> Signature:
    name, _, arity = text.partition("/")
    return name, int(arity)
