"""Terms that can never occur: constants in the rules that neither the vocabulary nor the static facts contain.

Both are ground for all seats, rulings, start tags and numbers of players. A term is possible if it occurs for any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.configuration import configure
from ..engine.grounding import Grounding, Undecided
from ..engine.ruleset import Ruleset, disordered
from ..errors import Finding
from ..lang import terms as lang
from ..lang.algebra import variables
from ..lang.terms import Atom, Fun, Int, Literal, Signature
from ..lang.terms import Rule as Value
from ..lang.unification import functor
from ..notation.terms import Term
from ..rules.contract.survey import Survey
from ..rules.places import called, nearest
from ..rules.predicates import ADD, DEL, FLUENT
from ..rules.reader import rule_from
from ..rules.rule import Rule
from ..rules.rulebook import Rulebook

_NUMBERS = 4
_VALUE = "value__"
_Aim: TypeAlias = tuple[Signature, int, Signature | None]
_GIVEN = frozenset({("ruling", 2), ("start", 2), ("board", 1)})


def constants(survey: Survey) -> Iterator[Finding]:
    """The kind ``constant``: fluents and static facts in rules have terms that they can have.

    >>> # add(phase(ovr)) :- due(pass_on), not holds_at_least(1).     first(R) :- seat(R,I), start(emperor,R).
    """
    possible = domains(survey.book)
    for rule in survey.rules:
        atoms: list[tuple[str, tuple[lang.Term, ...]]] = [
            (a.name, a.args) for a in rule.atoms if a.place != "head"
        ]
        for head in rule.heads:
            term = head.args[0] if head.signature in (ADD, DEL, ("init", 1)) else None
            if term is not None and isinstance(term, lang.Fun):
                atoms.append((term.name, term.args))
        for name, args in atoms:
            signature = (name, len(args))
            known = possible.get(signature)
            if known is None:
                continue
            for place, arg in enumerate(args):
                term_name = functor(arg)
                if term_name is None or not term_name[0][:1].islower() or term_name in known[place]:
                    continue
                hint = nearest(term_name[0], sorted(n for n, _ in known[place]))
                message = f"{called(signature)} never has '{term_name[0]}' as argument {place + 1}{hint}"
                yield survey.at(rule, "constant", message, term_name[0])


def domains(book: Rulebook) -> Mapping[Signature, list[set[Signature]]]:
    """For each fluent and static predicate with facts, the names of the terms that each argument can have."""
    found: dict[Signature, list[set[Signature]]] = {}

    def add(signature: Signature, place: int, name: Signature | None) -> None:
        sets = found.setdefault(signature, [set() for _ in range(signature[1])])
        if name is not None:
            sets[place].add(name)

    for rules in _readings(book):
        facts = [fact for facts in rules.static.values() for fact in facts]
        aims, lines, whole = _projected(rules.vocabulary_program.rules)
        for signature, place, name in aims:
            if name is not None or place == 0:
                add(signature, place, name)
        program = rules.complete((*lines, *whole))
        grounding = Grounding(program, [symbols.symbol(Term.of("number", n)) for n in range(_NUMBERS)])
        facts += [fact.arguments[0] for fact in grounding.get(*FLUENT)]
        for fact in facts:
            for place, argument in enumerate(fact.arguments):
                add(symbols.signature(fact), place, _name(argument))
        for value in grounding.get(_VALUE, 2):
            signature, place, _ = aims[value.arguments[0].number]
            add(signature, place, _name(value.arguments[1]))
    return {s: sets for s, sets in found.items() if s not in _GIVEN}


def _name(value: clingo.Symbol) -> Signature | None:
    return (
        (value.name, len(value.arguments))
        if value.type is clingo.SymbolType.Function and value.name
        else None
    )


def _projected(rules: Iterable[Rule]) -> tuple[list[_Aim], list[Rule], list[Rule]]:
    """A vocabulary asked argument by argument: facts of structures are too many to be listed.

    >>> # fluent(stake(R,gold(V),1..N)) :- player(R), copies(gold(V),N).
    >>> # argument 1: value__(0,R) :- player(R).     argument 2 is gold/1.     argument 3 is a number.

    Returns:
        The arguments, each with its name where the rule has it; the rules for those that are variables, with their place
        in that list; the rules that cannot be taken apart.
    """
    aims: list[_Aim] = []
    lines: list[Value] = []
    whole: list[Rule] = []
    for rule in rules:
        if all(h.signature != FLUENT for h in rule.heads):
            continue
        pattern, term = rule.heads[0].args[0], rule.value.heads[0].args[0]
        if len(rule.heads) > 1 or not isinstance(pattern, lang.Fun) or not isinstance(term, Fun):
            whole.append(rule)
            continue
        for place, (name, arg) in enumerate(zip(pattern.args, term.args, strict=True)):
            if isinstance(name, lang.Var):
                body = tuple(_linked(rule, set(variables(arg))))
                lines.append(Value(Atom(_VALUE, (Int(len(aims)), arg)), body))
            aims.append(((term.name, len(term.args)), place, functor(name)))
    return aims, list(map(rule_from, lines)), whole


def _linked(rule: Rule, names: set[str]) -> list[Literal]:
    """The literals of a rule's body that are tied to these variables, by way of others too."""
    literals = [(literal, set(variables(literal))) for literal in rule.value.body]
    known, size = names, -1
    while len(known) > size:
        size = len(known)
        known = known.union(*(used for _, used in literals if used & known))
    return [literal for literal, used in literals if used & known]


def _readings(book: Rulebook) -> Iterator[Ruleset]:
    """The rules under the fewest and the most players, with the standard rulings and with all at once."""
    players = book.manifest["players"]
    for count in sorted({players[0], players[-1]}):
        configuration, _ = configure(book, book.folder, players=count)
        for everything in (False, True):
            rules = Ruleset(book, configuration)
            if everything:
                rules.given = (*rules.given, *_all_settings(book, configuration.seats))
            yield rules


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


def _disordered(book: Rulebook) -> Iterator[Finding]:
    """Mistakes in the elements of sets in any edition, with the fewest and the most players."""
    for edition, count in product(book.editions, sorted({*book.manifest["players"]})):
        configuration, _ = configure(book, book.folder, edition=edition, players=count)
        yield from disordered(Ruleset(book, configuration))


def grounded(survey: Survey) -> Iterator[Finding]:
    """As :func:`constants`, with the order of things in sets; that the static part cannot be grounded is the kind ``loop``."""
    try:
        yield from constants(survey)
        yield from _disordered(survey.book)
    except Undecided as error:
        yield Finding(
            str(survey.folder), 0, 0, "loop", f"{error} is left open: the static rules are not stratified"
        )
