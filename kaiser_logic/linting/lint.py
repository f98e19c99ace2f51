"""Checks one rulebook in stages: whether its files can be read, then the contract, then likely mistakes."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from ..engine.compiled import RuleTooLarge
from ..errors import FaultyRulebook, Finding, WrongUsage
from ..lang.algebra import variables
from ..lang.printer import show_term
from ..lang.reader import lines_of
from ..lang.terms import Refused
from ..lang.unification import CONSTANTS, functor, label
from ..rules.contract import faults
from ..rules.contract.documented import ID_FIRST, in_doc, sentences
from ..rules.contract.manifest import place_in_toml
from ..rules.contract.predicates import readable
from ..rules.contract.survey import ENGINE_PREDICATES, JUDGING, Survey
from ..rules.library import folder_of, game_named, look_at
from ..rules.loader import claims_of, drawing_rules, picture_rules, read_parts, with_plain_variables
from ..rules.names import known_names
from ..rules.phrases import fields, no_fields, pattern
from ..rules.phrases import phrases as read_phrases
from ..rules.places import nearest, signature_text
from ..rules.reader import condition_rule
from ..rules.rulebook import ENGINE_DOCS
from ..upward import call_above
from .rule_checks import (
    aimless,
    bounds,
    check_collecting,
    check_compilation,
    check_exports,
    check_grounding,
    check_listing,
    check_repeated,
    check_rest,
    check_unused,
    effects,
    ending,
    engine_needs,
    idle_steps,
    judging,
    measures,
)
from .statements import rulings, sources, statements

# -- headings ------------------------------------------------------------------------------------------------
#
# These checks find headings of the wrong kind, and headings that document nothing.


_KINDS: Final = {
    ("violates", 3): ("rule",),
    ("out_of_turn", 2): ("rule",),
    ("broken", 2): ("invariant", "rule"),
    ("board_broken", 2): ("board",),
}


def headings(survey: Survey) -> Iterator[Finding]:
    """The kind ``heading``: an id in ``violates`` needs a heading ``%! rule``, an id in ``broken`` a heading ``%! invariant``.

    A heading of an invariant, or one with a sentence ``why``, needs a rule that derives its id.

    >>> # %! invariant take.enough -- ...     of violates(R,A,"take.enough")
    """
    documented: set[str] = set()
    wrong: dict[str, str] = {}
    for signature in _KINDS:
        for use in survey.heads(*signature):
            term = use.atom.args[0 if signature in ID_FIRST else -1]
            if not isinstance(term, CONSTANTS):
                continue
            id = label(term).strip('"')
            documented.add(id)
            doc = survey.book.docs.get(id)
            if doc and doc.kind not in _KINDS[signature] and not doc.is_of_engine:
                wanted = " or ".join(_KINDS[signature])
                wrong[id] = f"{id} is in {signature[0]}/{signature[1]}: its heading must be %! {wanted}"
    in_heads = _constants_in_heads(survey)
    for id, doc in survey.book.docs.items():
        if doc.is_of_engine:
            continue
        if id in wrong:
            yield survey.at_heading(doc, "heading", wrong[id])
        elif id not in documented | in_heads and (doc.kind == "invariant" or doc.why):
            hint = nearest(id, sorted(documented - survey.book.docs.keys()))
            yield survey.at_heading(doc, "heading", f"no rule says that {id} is broken{hint}")


def check_waivers(survey: Survey) -> Iterator[Finding]:
    """The kind ``heading``: ``waived`` and ``presumed`` name an invariant that exists.

    >>> # check_waivers(one_tkaer) :- ruling(last_stone,wins).
    """
    known = {i for i, d in survey.book.docs.items() if d.kind == "invariant"} | ENGINE_DOCS.keys()
    arguments_of = (survey.arguments((name, 1), 0, heads=True) for name in ("waived", "presumed"))
    for use, term in chain.from_iterable(arguments_of):
        if isinstance(term, CONSTANTS) and show_term(term) not in known:
            message = f"there is no invariant '{show_term(term)}'{nearest(show_term(term), sorted(known))}"
            yield survey.at(use.rule, "heading", message, show_term(term))


def _constants_in_heads(survey: Survey) -> set[str]:
    """The constants in heads of rules, also of the engine's: such a rule may pass an id on to ``violates`` or ``broken``."""
    terms = (a for rule in survey.book.rules for head in rule.heads for a in head.args)
    return {show_term(term).strip('"') for term in terms if isinstance(term, CONSTANTS)}


# -- conditions ----------------------------------------------------------------------------------------------
#
# The condition of a sentence is the body of a rule. It may read known predicates only.


def conditions(survey: Survey) -> Iterator[Finding]:
    """The kind ``why``: the text after ``:-`` in a sentence can be read as a body.

    >>> # %!   why       the heap holds only {N} :- haep(N)
    """
    known = readable(survey) - JUDGING
    for doc in survey.book.docs.values():
        for _, condition in doc.reasons if not doc.is_of_engine else ():
            try:
                rules = [condition_rule(condition)] if condition else []
            except Refused as refused:
                message = f"this condition cannot be read: {refused.message}"
                yield in_doc(survey, doc, "why", message, condition.split()[0])
                continue
            for signature in sorted({s for rule in rules for s in rule.uses} - known):
                hint = nearest(signature[0], (n for n, _ in known))
                message = f"{signature_text(signature)} is neither derived by a rule nor a fluent{hint}"
                yield in_doc(survey, doc, "why", message, signature[0])


# -- words ---------------------------------------------------------------------------------------------------
#
# Each phrase of ``english.toml`` is for a term that exists, and names only variables of its pattern.


_TABLES: Final = ("terms", "facts", "actions", "drawing", "events")


def phrases(survey: Survey) -> Iterator[Finding]:
    """The kind ``phrase``: the key of a phrase is a known term, and its fields are variables of the key.

    >>> # [facts] "heepa(N)" = "{N} stones"     "heap(N)" = "{M} stones"
    """
    path = survey.folder / "english.toml"
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    lines = lines_of(text)
    known = {
        "facts": {*survey.book.fluents, *survey.derived, *survey.shared, *ENGINE_PREDICATES},
        **({} if survey.actions is None else {"actions": set(survey.actions)}),
    }
    for table, entries in tomllib.loads(text).items():
        if table not in _TABLES:
            line, column = place_in_toml(lines, table, "")
            message = f"there is no table '{table}'{nearest(table, _TABLES)}"
            yield Finding(str(path), line, column, "phrase", message)
            continue
        for key, template in entries.items():
            term = pattern(key)
            signature = functor(term)
            messages = []
            if signature and table in known and signature not in known[table]:
                noun = table.removesuffix("s")
                hint = nearest(signature[0], (n for n, _ in known[table]))
                messages.append(f"there is no {noun} {signature[0]}/{signature[1]}{hint}")
            known_variables = variables(term)
            for name in fields(template):
                if name not in known_variables:
                    messages.append(f"{{{name}}} is no variable of {key}{nearest(name, known_variables)}")
            messages += [f"{text} is not a variable: it would be printed as it stands" for text in no_fields(template)]
            for message in messages:
                line, column = place_in_toml(lines, table, key)
                yield Finding(str(path), line, column, "phrase", message)


# -- cells ---------------------------------------------------------------------------------------------------
#
# Each cell of a drawing has a place in a table.


def cells(survey: Survey) -> Iterator[Finding]:
    """The kind ``cell``: the tables and columns that ``cell``, ``keep``, ``column`` and ``row`` name are declared.

    >>> # cell(players,R,stnoes,1,K) :- taken(R,K).
    """
    if not survey.drawing:
        return
    tables = {functor(term) for _, term in survey.arguments(("table", 2), 1, heads=True)}
    columns: dict[object, set[object]] = {}
    for use in survey.heads("column", 3):
        columns.setdefault(functor(use.atom.args[0]), set()).add(functor(use.atom.args[2]))
    for signature, at in ((("cell", 5), 2), (("keep", 2), 1), (("column", 3), None), (("row", 3), None)):
        for use in survey.heads(*signature):
            table = functor(use.atom.args[0])
            if table is None or None in tables:
                continue
            if table not in tables:
                names = [str(t[0]) for t in tables if t]
                message = f"no table(Order,Table) names '{table[0]}'{nearest(table[0], names)}"
                yield survey.at(use.rule, "cell", message, table[0])
                continue
            column = None if at is None else functor(use.atom.args[at])
            known = columns.get(table, set())
            if column is not None and column not in known and None not in known:
                names = [str(c[0]) for c in known if isinstance(c, tuple)]
                message = f"the table '{table[0]}' has no column '{column[0]}'{nearest(column[0], names)}"
                yield survey.at(use.rule, "cell", message, column[0])


Check: TypeAlias = Callable[[Survey], Iterator[Finding]]

CHECKS: Final[tuple[Check, ...]] = (
    engine_needs,
    check_unused,
    check_exports,
    check_listing,
    check_repeated,
    idle_steps,
    aimless,
    ending,
    effects,
    judging,
    check_rest,
    measures,
    bounds,
    sentences,
    conditions,
    headings,
    check_waivers,
    statements,
    rulings,
    sources,
    phrases,
    cells,
)
"""The checks that do not belong to the contract."""


def lint(game: str | os.PathLike[str]) -> tuple[Finding, ...]:
    """Finds all mistakes and likely mistakes of a rulebook.

    Args:
        game: A folder with a rulebook, or a game's id.

    Returns:
        The findings by file and line; none for a clean rulebook. If a file cannot be read, only such findings are returned.

    Raises:
        WrongUsage: There is no such rulebook.
    """
    game_or_folder = game_named(os.fspath(game))
    folder = folder_of(game_or_folder) if isinstance(game_or_folder, str) else game_or_folder
    if not (folder / "game.toml").is_file():
        raise WrongUsage(f"{folder} is not a rulebook: it has no game.toml")
    return tuple(sorted(set(findings(folder))))


def findings(folder: Path) -> Iterator[Finding]:
    """Yields all findings of a folder, unordered."""
    look_at(folder.absolute())  # some checks ask the loaded rulebook
    book, unreadable = read_parts(folder)
    if book is None:
        yield from unreadable
        return
    try:
        drawing = [*drawing_rules(book), *picture_rules(book)]
        claims, claimed = claims_of(book)
        read_phrases.cache_clear()
        read_phrases(folder)
        known_names(folder)
    except FaultyRulebook as error:
        unreadable += error.findings
    if unreadable:
        yield from unreadable
        return
    survey = Survey(book, drawing, claims, claimed)
    mistakes = faults(survey)
    yield from mistakes
    for check in CHECKS:
        yield from check(survey)
    if not mistakes:
        yield from check_collecting(survey)  # asks the rules that follow from declarations
        read = Survey(with_plain_variables(book), drawing, claims, claimed)
        dense = [*call_above("lint of dense rules", read)]
        yield from dense
        if dense:  # what follows might not end
            return
        ground = [*check_grounding(read)]
        yield from ground
        if any(finding.what == "endless" for finding in ground):  # all that follows would say it again
            return
        yield from check_compilation(read)
        try:
            for checks in ("lint of books", "lint of drawings", "lint of the start"):
                yield from call_above(checks, survey)
        except RuleTooLarge as error:
            place = error.place
            where = str(survey.folder / Path(place.file).name)
            yield Finding(where, place.line, place.column, "endless", error.what)
