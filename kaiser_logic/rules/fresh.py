"""Variables that no rule of a rulebook has, for rules that are built around its terms.

A variable whose name has an underscore is the tool's: ``Role_``, ``A_0``. Authors may write such names too, so the loader renames
the variables of a rulebook's rules (:func:`rename_variables`). Thus a rule built around a term of a rulebook captures no
variable of it:

>>> from kaiser_logic.rules.reader import rule_of
>>> rename_variables(rule_of("add(near(Role_)) :- does(A_0,visit(Role_)); not far(_,Role_).")).text
'add(near(Rolez16)) :- does(A0z2,visit(Rolez16)); not far(_,Rolez16).'

The renaming is injective:

>>> [plain(name) for name in ("Role", "Role_", "Rolez16", "_Role")]
['Role', 'Rolez16', 'Rolez16z0', 'Rolez1']
"""

from __future__ import annotations

import re
from typing import Final

from ..lang.algebra import rebuilt, variables
from ..lang.terms import Term, Var
from .reader import rewrite_rule
from .rule import PlacedRule
from .rulebook import RuleDoc

ROLE_TERM: Final[Term] = Var("Role_")
"""The variable for the role that acts."""
_WORD: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][\w\']*')
"""A string, a name or a variable in a sentence or a message."""
_VARIABLE: Final = re.compile(r"_*[A-Z][\w']*")
_NEW: Final = re.compile(r"(.+)z(\d+)")
"""The form of the new names. An author's variable of this form is renamed, too."""
_TO_RENAME: Final = re.compile(r"(?<!\w)(?:_+[A-Z]|[A-Z][\w']*(?:_|z\d))")
"""Finds whether a text may have a variable to rename."""
_FIELD: Final = re.compile(r"(?<=[{,])[A-Z]\w*(?=[^{}]*\})")


def is_fresh(name: str) -> bool:
    """Whether a variable is the tool's: no rule of a loaded rulebook has it."""
    return "_" in name


def plain(name: str) -> str:
    """The new name of an author's variable; unchanged unless it could be the tool's or a new name.

    The positions of the underscores are encoded as a number, so that different names stay different.
    """
    if not is_fresh(name) and not _NEW.fullmatch(name):
        return name
    places = sum(1 << place for place, letter in enumerate(name) if letter == "_")
    return f"{name.replace('_', '')}z{places}"


def as_written(text: str) -> str:
    """A text with the author's names of the variables in it, for readers. It inverts :func:`plain`.

    >>> as_written("visit(Rolez16,Rolez16z0,N)")
    'visit(Role_,Rolez16,N)'
    """
    return _WORD.sub(lambda match: _name_of_author(match[0]), text)


def _name_of_author(name: str) -> str:
    match = _NEW.fullmatch(name)
    if match is None or not _VARIABLE.fullmatch(name):
        return name
    letters, places = list(match[1]), int(match[2])
    for place in range(places.bit_length()):
        if places >> place & 1:
            letters.insert(place, "_")
    return "".join(letters)


def rename_variables(rule: PlacedRule) -> PlacedRule:
    """Renames the variables of an author's rule that could be the tool's."""
    new = {name: Var(plain(name)) for name in variables(rule.value) if plain(name) != name}
    if not new:
        return rule

    def rename(term: Term) -> Term:
        return new.get(term.name, term) if isinstance(term, Var) else term

    return rewrite_rule(rule, rebuilt(rule.value, rename))


def renamed_doc(doc: RuleDoc) -> RuleDoc:
    """Renames the variables in the sentences and conditions of a documented rule, as :func:`rename_variables` does in its rules.

    >>> doc = RuleDoc("far", "rule", "Not too far.", "{A_B} is {N} off :- off(A_B,N)", {}, "walk.lp", 1)
    >>> renamed_doc(doc).why
    '{ABz2} is {N} off :- off(ABz2,N)'
    """
    if doc.why is None or not _TO_RENAME.search(doc.why):
        return doc
    parts = (part.partition(" :- ") for part in doc.why.split(" | "))
    sentences = ((_FIELD.sub(lambda m: plain(m[0]), s), sign, _plain_text(c)) for s, sign, c in parts)
    return doc._replace(why=" | ".join("".join(one) for one in sentences))


def _plain_text(text: str) -> str:
    if not _TO_RENAME.search(text):
        return text
    return _WORD.sub(lambda match: plain(match[0]) if _VARIABLE.fullmatch(match[0]) else match[0], text)
