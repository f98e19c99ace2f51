"""Variables that no rule of a rulebook has, for the rules that are written around its terms.

A variable whose name has an underscore is the tool's: ``Role_``, ``A_0``. Authors may write such names too, so a
rulebook's rules are read with others in their places (:func:`renamed`). Thus nothing that is written around a term of
a rulebook can mean one of its variables:

>>> from kaiser_logic.rules.reader import rule_of
>>> renamed(rule_of("add(near(Role_)) :- does(A_0,visit(Role_)); not far(_,Role_).")).text
'add(near(Rolez16)) :- does(A0z2,visit(Rolez16)); not far(_,Rolez16).'

The renaming keeps different names apart, whatever an author writes:

>>> [plain(name) for name in ("Role", "Role_", "Rolez16", "_Role")]
['Role', 'Rolez16', 'Rolez16z0', 'Rolez1']
"""

from __future__ import annotations

import re
from typing import Final

from ..lang.algebra import rebuilt, variables
from ..lang.terms import Term, Var
from .reader import rule_from
from .rule import Rule
from .rulebook import RuleDoc

ROLE: Final = "Role_"
"""The role that acts, in a rule around a term of a rulebook."""
ROLE_TERM: Final[Term] = Var(ROLE)
_WORD: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][\w\']*')
"""A text, a name or a variable in a sentence or a message."""
_VARIABLE: Final = re.compile(r"_*[A-Z][\w']*")
_GIVEN: Final = re.compile(r"(.+)z(\d+)")
"""The names that are given in place of the tool's: an author's own of this form gets another one, too."""
_PERHAPS: Final = re.compile(r"(?<!\w)(?:_+[A-Z]|[A-Z][\w']*(?:_|z\d))")
"""A pattern for either of them in a text."""
_ARGUMENT: Final = re.compile(r"A_\d+(?:_\d+)?")
_FIELD: Final = re.compile(r"(?<=[{,])[A-Z]\w*(?=[^{}]*\})")


def argument(number: int, actor: int = 0) -> str:
    """The variable for an argument of an action, by its number; of several who act at once each has its own.

    >>> argument(2), argument(2, 1)
    ('A_2', 'A_2_1')
    """
    return f"A_{number}_{actor}" if actor else f"A_{number}"


def is_argument(name: str) -> bool:
    """Whether a variable stands for an argument of an action."""
    return _ARGUMENT.fullmatch(name) is not None


def is_fresh(name: str) -> bool:
    """Whether a variable is the tool's: no rule of a rulebook has it once it is read."""
    return "_" in name


def plain(name: str) -> str:
    """The name of an author's variable after parsing: unchanged, unless it may be the tool's.

    The places of the underscores become a number, so that different names stay different.
    """
    if not is_fresh(name) and not _GIVEN.fullmatch(name):
        return name
    places = sum(1 << place for place, letter in enumerate(name) if letter == "_")
    return f"{name.replace('_', '')}z{places}"


def as_written(text: str) -> str:
    """A text with the names that the author gave the variables in it, for readers.

    >>> as_written("visit(Rolez16,Rolez16z0,N)")
    'visit(Role_,Rolez16,N)'
    """
    return _WORD.sub(lambda match: _written(match[0]), text)


def _written(name: str) -> str:
    match = _GIVEN.fullmatch(name)
    if match is None or not _VARIABLE.fullmatch(name):
        return name
    letters, places = list(match[1]), int(match[2])
    for place in range(places.bit_length()):
        if places >> place & 1:
            letters.insert(place, "_")
    return "".join(letters)


def renamed(rule: Rule) -> Rule:
    """An author's rule without variables of the tool's, at its place in the file."""
    new = {name: Var(plain(name)) for name in variables(rule.value) if plain(name) != name}
    if not new:
        return rule

    def put(term: Term) -> Term:
        return new.get(term.name, term) if isinstance(term, Var) else term

    return rule_from(rebuilt(rule.value, put), rule.place, rule.block)


def renamed_doc(doc: RuleDoc) -> RuleDoc:
    """A rule's documentation, whose sentences speak of the variables of its rules.

    >>> doc = RuleDoc("far", "rule", "Not too far.", "{A_B} is {N} off :- off(A_B,N)", {}, "walk.lp", 1)
    >>> renamed_doc(doc).why
    '{ABz2} is {N} off :- off(ABz2,N)'
    """
    if doc.why is None or not _PERHAPS.search(doc.why):
        return doc
    parts = (part.partition(" :- ") for part in doc.why.split(" | "))
    sentences = ((_FIELD.sub(lambda m: plain(m[0]), s), sign, _plain_text(c)) for s, sign, c in parts)
    return doc._replace(why=" | ".join("".join(one) for one in sentences))


def _plain_text(text: str) -> str:
    if not _PERHAPS.search(text):
        return text
    return _WORD.sub(lambda match: plain(match[0]) if _VARIABLE.fullmatch(match[0]) else match[0], text)
