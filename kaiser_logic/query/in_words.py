"""Translates a query to English, so that its author sees how it was understood.

>>> from kaiser_logic.rules.loader import rulebook
>>> in_english("emperor(red), thalers(red,N), N < 3", rulebook("kaiser"))
'Red is emperor, and Red has N thalers, and N is less than 3'
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from ..engine.ruleset import Ruleset
from ..errors import KaiserLogicError
from ..lang.printer import show_term
from ..lang.terms import ANY, Atom, Fun, Int, Op, Term, Var
from ..lang.unification import arguments, label
from ..rules.phrases import phrases
from ..rules.predicates import GOAL, TERMINAL, WINNER
from ..rules.rulebook import Rulebook
from ..solving.build import fun
from .formula import (
    BraceAggregate,
    Compared,
    Disjunction,
    Expression,
    FactPattern,
    Formula,
    Some,
    Together,
    inner,
)
from .language import parse_formula
from .vocabulary import term_in_words

_NAMED: Final = re.compile(r"\b[A-Z]\w*")
_SIGNS: Final = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_OPERATIONS: Final = {"+": "plus", "-": "minus", "*": "times"}
_RESULT: Final = {
    TERMINAL: "the game is over",
    WINNER: "{} is ahead or has won",
    GOAL: "{} has reached {}",
}
"""The phrases for the result, if a game has none of its own."""
_FUNCTIONS: Final = {
    "count": "the number of",
    "sum": "the sum of",
    "min": "the smallest",
    "max": "the largest",
}


def in_english(source: str, book: Rulebook) -> str:
    """A query in English; terms without a phrase are shown as they are written.

    Raises:
        UnreadableInput: The text is not a query.
        WrongUsage: It names something that the rulebook does not have.
    """
    return _Words(book, source).formula(parse_formula(source, book))


def read_back(source: str, ruleset: Ruleset) -> str:
    """A query in English, or the message about its mistake."""
    from .mistakes import read_query

    try:
        read_query(source, ruleset)
        return in_english(source, ruleset.book)
    except KaiserLogicError as error:
        return str(error)


class _Words:
    """The words of one game."""

    def __init__(self, book: Rulebook, source: str) -> None:
        self._words = phrases(book.folder)
        self._often = {name for name, times in Counter(_NAMED.findall(source)).items() if times > 1}

    def formula(self, formula: Formula) -> str:
        """A formula in words."""
        match formula:
            case Together(parts):
                return ", and ".join(map(self._group, parts))
            case Disjunction(parts):
                return ", or ".join(map(self._group, parts))
            case FactPattern(atom):
                return self._fact(atom)
            case Compared(left, sign, right):
                return f"{self._expression(left)} {_SIGNS.get(sign, sign)} {self._expression(right)}"
            case Some(inner):
                return self.formula(inner)
        return f"it is not the case that {self._group(formula.formula)}"

    def _group(self, formula: Formula) -> str:
        """A part of a larger formula; it gets parentheses if it has several parts itself."""
        text = self.formula(formula)
        return f"({text})" if isinstance(formula, (Together, Disjunction)) else text

    def _fact(self, atom: Atom) -> str:
        match atom.signature, atom.args:
            case (("legal", 2), (role, action)):
                if isinstance(action, Var):
                    return f"{self._term(action)} is legal for {self._term(role)}"
                return f"it is legal that {self._does(role, action)}"
            case (("violates", 3), (role, action, rule)):
                broken = f"would break the rule {self._term(rule)}"
                if isinstance(action, Var):
                    return f"{self._term(action)} {broken} for {self._term(role)}"
                return f"it {broken} that {self._does(role, action)}"
            case (("after", 3), (role, action, _)):
                return f"after {self._does(role, action)}: {self._fact(inner(atom))}"
        term = fun(atom.name, atom.args)
        text = term_in_words(term, self._words.fact)
        if self._loses(term, text):
            text += f" ({show_term(term)})"
        if atom.signature in _RESULT and text == show_term(term):
            return _RESULT[atom.signature].format(*map(self._term, atom.args))
        return text

    def _loses(self, term: Term, text: str) -> bool:
        """Whether the phrase of a fact does not mention an argument that matters: it is the same for any value there."""
        for number, part in enumerate(term.args if isinstance(term, Fun) else ()):
            if isinstance(part, Var) and part.name not in self._often:
                continue
            others: list[Term] = [ANY]
            if isinstance(part, Int) and part.value >= 0:  # "a doctor" may be the words of the number one
                others.append(Int(part.value + 1))
            if all(self._phrase_with(term, number, other) == text for other in others):
                return True
        return False

    def _phrase_with(self, fact: Term, number: int, by: Term) -> str:
        """The phrase of a fact with another value of an argument."""
        before, after = arguments(fact)[:number], arguments(fact)[number + 1 :]
        return term_in_words(Fun(label(fact), (*before, by, *after)), self._words.fact)

    def _does(self, role: Term, action: Term) -> str:
        """A role and its action in words."""
        does = term_in_words(action, self._words.action)
        return f"{self._term(role)} {f'does {self._term(action)}' if isinstance(action, Var) else does}"

    def _term(self, term: Term) -> str:
        return term_in_words(term, self._words.phrase)

    def _expression(self, expression: Expression) -> str:
        match expression:
            case Op(sign, left, right):
                return f"{self._expression(left)} {_OPERATIONS[sign]} {self._expression(right)}"
            case BraceAggregate(function, terms, formula):
                what = " and ".join(map(self._expression, terms))
                return f"{_FUNCTIONS[function]} {what} such that ({self.formula(formula)})"
        return self._term(expression)
