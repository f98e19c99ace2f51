"""Terms that can never be: what the vocabulary and the static facts ground to, against the constants in the rules.

Seats, rulings, start tags and numbers of players differ from game to game; a term counts as possible if it is under any of
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import clingo

from ..engine import symbols
from ..engine.configuration import configure
from ..engine.grounding import Grounding, Undecided
from ..engine.ruleset import Ruleset
from ..errors import Finding
from ..notation.terms import Term
from ..rules.contract.survey import Survey
from ..rules.pattern import Pattern, Signature, outermost
from ..rules.places import called, nearest
from ..rules.predicates import ADD, DEL, FLUENT
from ..rules.rulebook import Rulebook

_NUMBERS = 4
_GIVEN = frozenset({("ruling", 2), ("start", 2), ("board", 1)})


def constants(survey: Survey) -> Iterator[Finding]:
    """The kind ``constant``: fluents and static facts in rules have terms that they can have.

    >>> # add(phase(ovr)) :- next(pass_on), not holds_at_least(1).     first(R) :- seat(R,I), start(emperor,R).
    """
    possible = domains(survey.book)
    for rule in survey.rules:
        atoms: list[tuple[str, tuple[Pattern, ...]]] = [
            (a.name, a.args) for a in rule.atoms if a.place != "head"
        ]
        for head in rule.heads:
            term = head.args[0] if head.signature in (ADD, DEL, ("init", 1)) else None
            if term is not None and term[0] == "f":
                atoms.append((term[1], term[2]))
        for name, args in atoms:
            signature = (name, len(args))
            known = possible.get(signature)
            if known is None:
                continue
            for place, arg in enumerate(args):
                term_name = outermost(arg)
                if term_name is None or not term_name[0][:1].islower() or term_name in known[place]:
                    continue
                hint = nearest(term_name[0], sorted(n for n, _ in known[place]))
                message = f"{called(signature)} never has '{term_name[0]}' as argument {place + 1}{hint}"
                yield survey.at(rule, "constant", message, term_name[0])


def domains(book: Rulebook) -> Mapping[Signature, list[set[Signature]]]:
    """For each fluent and static predicate with facts the names of the terms that each argument can have."""
    found: dict[Signature, list[set[Signature]]] = {}
    for facts in _facts(book):
        for fact in facts:
            signature = symbols.signature(fact)
            sets = found.setdefault(signature, [set() for _ in fact.arguments])
            for place, argument in enumerate(fact.arguments):
                if argument.type is clingo.SymbolType.Function:
                    sets[place].add((argument.name, len(argument.arguments)))
    return {s: sets for s, sets in found.items() if s not in _GIVEN}


def _facts(book: Rulebook) -> Iterator[list[clingo.Symbol]]:
    """The static facts and the fluents, under each number of players, with the standard rulings and with all at once."""
    numbers = [clingo.Function("number", [clingo.Number(n)]) for n in range(_NUMBERS)]
    players = book.manifest["players"]
    for count in sorted({players[0], players[-1]}):
        configuration, _ = configure(book, book.folder, players=count)
        for everything in (False, True):
            rules = Ruleset(book, configuration)
            if everything:
                rules.given = (*rules.given, *_all_settings(book, configuration.seats))
            static = rules.static
            yield [fact for facts in static.values() for fact in facts]
            grounding = Grounding(rules.vocabulary_program, numbers)
            yield [fact.arguments[0] for fact in grounding.get(*FLUENT)]


def _all_settings(book: Rulebook, seats: tuple[str, ...]) -> Iterator[clingo.Symbol]:
    """All values of all rulings and start tags."""
    for name, ruling in book.rulings.items():
        for value in ruling.values:
            yield symbols.symbol(Term.of("ruling", name, int(value) if value.isdigit() else value))
    for name, tag in book.manifest.get("tags", {}).items():
        for value in seats if tag["values"] == "seats" else tag["values"]:
            yield symbols.symbol(
                Term.of("start", name.lower(), int(value) if str(value).isdigit() else value)
            )


def grounded(survey: Survey) -> Iterator[Finding]:
    """As :func:`constants`; that the static part cannot be grounded is the kind ``loop``."""
    try:
        yield from constants(survey)
    except Undecided as error:
        yield Finding(
            str(survey.folder), 0, 0, "loop", f"{error} is left open: the static rules are not stratified"
        )
