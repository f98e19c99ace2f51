"""What may be wrong with a query that no position meets: names that nothing in the game has at their place.

Such a query is no mistake of the language, and "none" is right; but ``elector(colonia,_,_,_)`` was probably not meant.
"""

from __future__ import annotations

from collections.abc import Iterator

import clingo

from ..engine.ruleset import Ruleset
from ..rules.pattern import Pattern, Signature
from ..rules.places import nearest
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rule import Atom
from ..symbolic.domains import domains
from ..transform.action_splitting import numbered
from .check import alike
from .formula import AFTER
from .language import parse_query
from .world import inner


def hints(source: str, ruleset: Ruleset) -> list[str]:
    """Sentences about names in a query that nothing in the game has at their place, with the nearest that something has.

    Args:
        source: The query.
        ruleset: The rules in force.
    """
    found: dict[str, None] = {}
    known = _Known(ruleset)
    for atom in parse_query(source, ruleset.book).atoms:
        if atom.signature in (LEGAL, VIOLATES, AFTER):
            found |= dict.fromkeys(known.strange_action(atom.args[1]))
        if atom.signature == AFTER:
            atom = inner(atom)
        found |= dict.fromkeys(known.strange(atom))
    return list(found)


class _Known:
    """The terms that stand at each place of what there can be."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._facts: dict[Signature, list[clingo.Symbol]] = {}
        for fact in domains(ruleset, margin=0).fluents:
            self._facts.setdefault((fact.name, len(fact.arguments)), []).append(fact)
        for signature, facts in ruleset.static.items():
            self._facts.setdefault(signature, []).extend(facts)

    def strange(self, atom: Atom) -> Iterator[str]:
        """What is said of the constants of an atom that nothing has at their places."""
        facts = self._facts.get(atom.signature, ())
        for k, pattern in enumerate(atom.args):
            words = {s.name for f in facts for s in [f.arguments[k]] if _is_word(s)}
            if pattern[0] == "c" and str(pattern[1])[0].islower() and words and pattern[1] not in words:
                near = nearest(str(pattern[1]), sorted(words))
                yield f"there is no {atom.name}(...) with {pattern[1]} as argument {k + 1}{near}"

    def strange_action(self, action: Pattern) -> Iterator[str]:
        """What is said of an action that is none of the vocabulary's."""
        if action[0] == "v":
            return
        kinds = [numbered(kind)[0] for kind in self._ruleset.book.kinds]
        if not any(alike(action, kind) for kind in kinds):
            name = str(action[1])
            same = any(str(kind[1]) == name for kind in kinds)
            near = "" if same else nearest(name, sorted({str(k[1]) for k in kinds}))
            yield f"the game knows no action {name}" + (" with such arguments" if same else near)


def _is_word(symbol: clingo.Symbol) -> bool:
    return symbol.type == clingo.SymbolType.Function and not symbol.arguments
