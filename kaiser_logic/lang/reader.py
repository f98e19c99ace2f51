r"""The tokenizer and the parser of rules, by recursive descent.

>>> from .printer import show
>>> [rule] = read_rules("% facts\n  p(R,N+1) :- q(R,N), not r(R,_), N < 3.", "game.lp")
>>> show(rule), rule.place
('p(R,(N+1)) :- q(R,N); not r(R,_); N < 3.', Place(file='game.lp', line=2, column=3))
>>> read_rules("p.\n{ q }.", "game.lp")
Traceback (most recent call last):
kaiser_logic.lang.terms.Refused: game.lp:2:1: a choice in a head; write rules that derive what follows
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from ..function_caches import cache_until_change
from .terms import (
    ABSOLUTE,
    ANY,
    COMPLEMENT,
    FLIPPED,
    LARGEST,
    NEGATIVE,
    NOWHERE,
    ZERO,
    Aggregate,
    Atom,
    Chain,
    Choice,
    Compare,
    Conditional,
    Either,
    Element,
    Fun,
    Int,
    Literal,
    Name,
    Op,
    Place,
    Pool,
    Program,
    Range,
    Refused,
    Rule,
    Term,
    Text,
    Truth,
    Var,
)

_TOKEN: Final = re.compile(
    r"""%[^\n]*|("(?:[^"\\\n]|\\.)*"|[A-Za-z_'][A-Za-z0-9_']*|\d\w*|:[-~]|\.\.|[!<>=]=|<>|\*\*|\#sum\+|\#[a-z]+|[^ \t\r\n])""",
    re.ASCII,
)
"""Blanks, digits and letters are those of clingo: a form feed or a no-break space is a token, which no rule can have."""
_END: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|%[^\n]*|\.\.|(\.)')
_BLOCK: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|%\*|\*%|%[^\n]*')
_IN_BLOCK: Final = re.compile(r"%\*|\*%|%[^\n]*")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]*|0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+")
_NAME: Final = re.compile(r"[_']*[a-z]")
_VARIABLE: Final = re.compile(r"[_']*[A-Z]")
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)

_PRECEDENCE: Final = {
    "..": 1, "^": 2, "?": 3, "&": 4, "+": 5, "-": 5, "*": 6, "/": 6, "\\": 6, "**": 7,
}  # fmt: skip
_POWER: Final = 7
_COMPARED: Final = {**{sign: sign for sign in FLIPPED}, "==": "=", "<>": "!="}
_GOES_ON: Final = frozenset(_PRECEDENCE) | frozenset(_COMPARED)
"""The operators and comparisons: if one follows, what looks like an atom is a term."""
_OPENING: Final = frozenset({"(", "{"})
_CLOSING: Final = frozenset({")", "}"})
_AGGREGATES: Final = frozenset({"#count", "#sum", "#sum+", "#min", "#max"})
_TRUTH: Final = {"#true": True, "#false": False}
_EXTREMES: Final = {"#inf": "#inf", "#infimum": "#inf", "#sup": "#sup", "#supremum": "#sup"}
_UNARY: Final = {"-": NEGATIVE, "~": COMPLEMENT}
_RULES: Final = "write rules that derive what follows"
_SET_OF_ATOMS: Final = "a set of atoms in a body", "write #count { X : p(X) }, compared with a number"
_NEGATED: Final = "write 'not', or define a predicate for the opposite"
_DEEPEST: Final = 100
"""The largest number of brackets and operations inside one another: every consumer goes through terms by recursion."""
_MOST: Final = 500
"""The largest number of literals of a rule, with those in its aggregates and conditions."""
_LONGEST: Final = 1_000
"""The largest number of letters of a name."""


def read_rules(text: str, file: str = "") -> Program:
    """The rules of a program, with their places.

    Raises:
        Refused: The text cannot be read, or has a construct that the language does not have.
    """
    rules, refused = read_all(text, file)
    if refused:
        raise refused[0]
    return rules


def read_all(text: str, file: str = "") -> tuple[Program, list[Refused]]:
    """The rules of a program that can be read, and an error for each statement that cannot."""
    bare, unclosed = _without_blocks(text) if "%*" in text else (text, None)
    lines = [0, *(m.end() for m in re.finditer("\n", bare))]

    def place(offset: int) -> Place:
        line = bisect_right(lines, offset)
        return Place(file, line, offset - lines[line - 1] + 1)

    rules: list[Rule] = []
    refused: list[Refused] = []
    for start, end in _statements(bare):
        first = next((m.start(1) for m in _TOKEN.finditer(bare, start, end) if m[1]), None)
        if first is None:
            continue
        try:
            rules.append(_Parser(bare[first:end], place(first)).rule())
        except _Fault as fault:
            offsets = [m.start(1) for m in _TOKEN.finditer(bare, first, end) if m[1]]
            at = offsets[fault.at] if fault.at < len(offsets) else end
            begins = fault.at and not bare[bare.rfind("\n", 0, at) + 1 : at].strip()
            missing = "is a full stop missing at the end of the line above?" if fault.unexpected and begins else ""
            refused.append(Refused(place(at), fault.what, fault.instead or missing, fault.kind))
    if unclosed is not None:
        refused.append(Refused(place(unclosed), "a comment that does not end: *% is missing"))
    return tuple(rules), refused


@cache_until_change(20_000)
def read_rule(text: str) -> Rule:
    """Reads a rule that belongs to no file. It may be a choice, as in an encoding, but has no block comment."""
    return _alone_in(text, text)


@cache_until_change(20_000)
def read_term(text: str) -> Term:
    """Reads a term."""
    head = _alone_in(f"t(({text})).", text).head
    if not isinstance(head, Atom) or len(head.args) != 1:
        raise Refused(NOWHERE, f"this is not a single term: {text}")
    return head.args[0]


@cache_until_change(20_000)
def read_body(text: str) -> tuple[Literal, ...]:
    """Reads the literals of a body."""
    return _alone_in(f"b :- {text}.", text).body if text.strip() else ()


def _alone_in(rule: str, text: str) -> Rule:
    """Reads the only rule of a text; an error message shows ``text`` instead of it."""
    parser = _Parser(rule, choices=True)
    try:
        rule_read = parser.rule()
        parser.take(".")
        if parser.tokens[parser.at]:
            raise parser.fault(f"{_name_of_token(parser.tokens[parser.at])} after the end of the rule")
        return rule_read
    except _Fault as fault:
        raise Refused(NOWHERE, f"{fault.what} in {text}", fault.instead, fault.kind) from None


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each statement of a text; a statement without a full stop ends with the text."""
    start = 0
    for match in _END.finditer(text):
        if match[1]:
            yield start, match.end()
            start = match.end()
    if text[start:].strip(" \t\r\n"):
        yield start, len(text)


def lines_of(text: str) -> list[str]:
    r"""The lines of a text, without their ends, counted as in every :class:`Place`.

    A form feed, or another character at which ``str.splitlines`` divides a text, ends no line: a comment goes on behind it.

    >>> lines_of("a\r\nb\x0cc\n")
    ['a', 'b\x0cc']
    """
    return re.split(r"\r\n|\r|\n", re.sub(r"(?:\r\n|\r|\n)\Z", "", text)) if text else []


def statement(text: str) -> str:
    """The first statement of a text, up to its full stop, with the comments in it.

    >>> statement('p :- q(1..3), r("a.b"). s.')
    'p :- q(1..3), r("a.b").'
    """
    return next((text[start:end] for start, end in _statements(text)), text)


def without_blocks(text: str) -> str:
    r"""The text with blanks in the place of block comments, so that every place remains what it is.

    >>> without_blocks("p. %* q.\n *% r.")
    'p.      \n    r.'
    """
    return _without_blocks(text)[0] if "%*" in text else text


def _without_blocks(text: str) -> tuple[str, int | None]:
    """Replaces block comments, ``%*`` to ``*%``, by blanks; they may be nested.

    As in clingo a quotation mark says nothing inside such a comment, but ``%`` hides the rest of its line there, too.

    Returns:
        The text, and the start of a block comment that does not end, or None.
    """
    parts: list[str] = []
    opened: list[int] = []
    at = 0
    while match := (_IN_BLOCK if opened else _BLOCK).search(text, at):
        token = match[0]
        before = text[at : match.start()]
        inside = token == "%*" or bool(opened)
        parts += (_blank(before) if opened else before, _blank(token) if inside else token)
        if token == "%*":
            opened.append(match.start())
        elif token == "*%" and opened:
            opened.pop()
        at = match.end()
    rest = text[at:]
    return "".join((*parts, _blank(rest) if opened else rest)), opened[0] if opened else None


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


_UNEXPECTED: Final = " is not expected here"


class _Fault(Exception):
    """An error at a token."""

    def __init__(self, at: int, what: str, instead: str = "", kind: str = "syntax") -> None:
        super().__init__(what)
        self.at, self.what, self.instead, self.kind = at, what, instead, kind
        self.unexpected = what.endswith(_UNEXPECTED)


class _Parser:
    """Reads the tokens of one statement."""

    def __init__(self, text: str, place: Place = NOWHERE, choices: bool = False) -> None:
        self.tokens: list[str] = [token for token in _TOKEN.findall(text) if token]
        self.tokens += ("", "")
        self.at = 0
        self.literals = 0
        self.place = place
        self.choices = choices

    def take(self, *expected: str) -> str:
        """Returns the next token and moves behind it; an error if it is none of those expected."""
        token = self.tokens[self.at]
        if token not in expected:
            raise self.fault(f"{_name_of_token(token)} where {' or '.join(expected)} is expected")
        self.at += 1
        return token

    def fault(self, what: str, instead: str = "", at: int | None = None, kind: str = "syntax") -> _Fault:
        """Makes the error at a token, by default the next one."""
        return _Fault(self.at if at is None else at, what, instead, kind)

    def check_sizes(self) -> None:
        """Refuses numbers beyond 32 bits, very long names, and terms that are nested too deeply."""
        tokens = self.tokens
        for at, token in enumerate(tokens):
            if len(token) > 9:
                if token[0].isdigit() and _NUMBER.fullmatch(token) and (len(token) > 40 or int(token, 0) > LARGEST):
                    what = f"the number {token[:20]}{'...' * (len(token) > 20)} is too large"
                    raise self.fault(what, f"the largest number is {LARGEST:,}", at)
                if len(token) > _LONGEST and _sort(token):
                    raise self.fault(f"a name of more than {_LONGEST:,} letters", at=at)
        most = 2 * _DEEPEST if self.choices else _DEEPEST  # programs of the tool have terms of rules inside others
        if len(tokens) <= most:
            return
        deep = [0]
        for at, token in enumerate(tokens):
            if token in _OPENING:
                deep.append(deep[-1] + 1)
            elif token in _CLOSING:
                if len(deep) > 1:
                    deep.pop()
            elif token in _PRECEDENCE or token in ("~", "|", "not"):
                deep[-1] += 1
            elif token in (",", ";", ":", ":-") or token in _COMPARED:
                deep[-1] = deep[-2] + 1 if len(deep) > 1 else 0
            if deep[-1] > most:
                what = f"more than {most} brackets and operations inside one another"
                raise self.fault(what, "name the parts by predicates of their own", at)

    # -- rules ---------------------------------------------------------------------------------------------------

    def rule(self) -> Rule:
        self.check_sizes()
        head = self.head()
        body: list[Literal] = []
        tokens = self.tokens
        if tokens[self.at] == ":-":
            self.at += 1
            if tokens[self.at] != ".":
                body.append(self.body_literal())
                while tokens[self.at] in (",", ";"):
                    self.at += 1
                    body.append(self.body_literal())
        if tokens[self.at] != ".":
            if not tokens[self.at]:
                raise self.fault("the rule has no end: a full stop is missing")
            raise self.fault(f"{_name_of_token(tokens[self.at])}{_UNEXPECTED}")
        return Rule(head, tuple(body), self.place)

    def head(self) -> Atom | Either | Choice | None:
        token = self.tokens[self.at]
        if token == ":-":
            return None
        if token == ":~" or (token[:1] == "#" and token not in _TRUTH):
            raise self.fault(
                f"{token} is no rule",
                "only rules are allowed: the manifest says what else there is",
                kind="directive",
            )
        if token == "&":
            raise self.fault("a theory atom", _RULES, kind="script")
        if self.choices and "{" in self.tokens and "{" in takewhile(":-".__ne__, self.tokens):
            return self.choice()
        if token == "{" or self.tokens[self.at + 1] == "{":
            raise self.fault("a choice in a head", _RULES, kind="choice")
        if token == "-" and _sort(self.tokens[self.at + 1]) == "name":
            raise self.fault("'-' before an atom", _NEGATED, kind="negation")
        literal = self.literal()
        if self.tokens[self.at] in (";", "|", ":", ","):
            raise self.fault(
                "a head of several atoms",
                "write a rule for each of them, with the conditions in its body",
                kind="choice",
            )
        if isinstance(literal, Truth):
            if not literal.holds:
                return None
            raise self.fault("a head that always holds", "leave the rule out", at=0)
        if not isinstance(literal, (Atom, Either)) or literal.sign:
            raise self.fault("a head that is no atom", _RULES, at=0, kind="choice")
        return literal

    def choice(self) -> Choice:
        """A choice: atoms with conditions, and guards on the left and on the right."""
        tokens = self.tokens
        guards: tuple[tuple[str, Term], ...] = ()
        if tokens[self.at] != "{":
            left = self.term()
            guards = ((">=", left),)
            if tokens[self.at] in _COMPARED:
                guards = ((FLIPPED[_COMPARED[tokens[self.at]]], left),)
                self.at += 1
        self.take("{")
        elements: list[tuple[Atom, tuple[Literal, ...]]] = []
        while tokens[self.at] != "}":
            atom = self.literal()
            if not isinstance(atom, Atom) or atom.sign:
                raise self.fault("a choice of something other than atoms")
            condition: tuple[Literal, ...] = ()
            if tokens[self.at] == ":":
                self.at += 1
                condition = self.condition((";", "}"))
            elements.append((atom, condition))
            if tokens[self.at] != "}":
                self.take(";", "}")
        self.at += 1
        return Choice(tuple(elements), (*guards, *self.guard()))

    def guard(self) -> tuple[tuple[str, Term], ...]:
        """The guard on the right of a choice or an aggregate."""
        op = _COMPARED.get(self.tokens[self.at])
        if op is not None:
            self.at += 1
            return ((op, self.term()),)
        return (("<=", self.term()),) if _begins(self.tokens[self.at]) else ()

    def count(self) -> None:
        """Counts a literal or an element; a rule of a file cannot have too many."""
        self.literals += 1
        if self.literals > _MOST and not self.choices:
            raise self.fault(f"more than {_MOST} literals in a rule", "define predicates by parts of it")

    # -- literals ------------------------------------------------------------------------------------------------

    def body_literal(self) -> Literal:
        literal = self.literal()
        if self.tokens[self.at] != ":":
            return literal
        self.at += 1
        condition = self.condition((",", ";", "."))
        if isinstance(literal, Aggregate):
            raise self.fault("an aggregate with a condition", "put the condition into its elements")
        return Conditional(literal, condition) if condition else literal

    def condition(self, ends: tuple[str, ...]) -> tuple[Literal, ...]:
        """The literals after a colon."""
        tokens = self.tokens
        if tokens[self.at] in ends:
            return ()
        literals = [self.plain_literal()]
        while tokens[self.at] == ",":
            self.at += 1
            literals.append(self.plain_literal())
        return tuple(literals)

    def plain_literal(self) -> Literal:
        """A literal of a condition."""
        start = self.at
        literal = self.literal()
        if isinstance(literal, Aggregate):
            raise self.fault(
                "an aggregate within a condition",
                "define a predicate by the aggregate, and read it here",
                start,
            )
        return literal

    def literal(self) -> Literal:
        tokens = self.tokens
        sign = 0
        self.count()
        while tokens[self.at] == "not":
            self.at += 1
            sign += 1
        if sign > 2:
            raise self.fault("'not' three times", "write it once")
        token = tokens[self.at]
        sort = _sort(token)
        if sort == "name":
            self.at += 1
            if tokens[self.at] == "(":
                alternatives = self.arguments()
                if tokens[self.at] not in _GOES_ON:
                    if len(alternatives) == 1:
                        return Atom(token, alternatives[0], sign)
                    return Either(tuple([Atom(token, args) for args in alternatives]), sign)
                left = _function(token, alternatives)
            else:
                if tokens[self.at] not in _GOES_ON:
                    return Atom(token, (), sign)
                left = Name(token)
            left = self.climb(left, 0)
        elif token in _AGGREGATES:
            return self.aggregate(sign, ())
        elif token in _TRUTH:
            self.at += 1
            return Truth(_TRUTH[token] != bool(sign % 2))
        elif token == "{":
            raise self.fault(*_SET_OF_ATOMS)
        else:
            left = self.term()
        return self.parse_comparison(left, sign)

    def parse_comparison(self, left: Term, sign: int) -> Literal:
        """A comparison, a chain of comparisons, or an aggregate with a guard on the left; the first term has been read."""
        tokens = self.tokens
        op = _COMPARED.get(tokens[self.at])
        if op is None:
            if tokens[self.at] in _AGGREGATES:
                return self.aggregate(sign, ((">=", left),))
            if isinstance(left, Op) and left.sign == NEGATIVE and isinstance(left.right, (Name, Fun)):
                raise self.fault("'-' before an atom", _NEGATED, kind="negation")
            if tokens[self.at] == "{":
                raise self.fault(*_SET_OF_ATOMS)
            raise self.fault(f"{_name_of_token(tokens[self.at])} where a comparison is expected")
        self.at += 1
        if tokens[self.at] in _AGGREGATES:
            return self.aggregate(sign, ((FLIPPED[op], left),))
        if tokens[self.at] == "{":
            raise self.fault(*_SET_OF_ATOMS)
        right = self.term()
        if tokens[self.at] not in _COMPARED:
            return Compare(left, op, right, sign)
        links = [(op, right)]
        while tokens[self.at] in _COMPARED:
            op = _COMPARED[tokens[self.at]]
            self.at += 1
            links.append((op, self.term()))
        return Chain(left, tuple(links), sign)

    def aggregate(self, sign: int, guards: tuple[tuple[str, Term], ...]) -> Aggregate:
        tokens = self.tokens
        function = tokens[self.at]
        self.at += 1
        self.take("{")
        elements: list[Element] = []
        while tokens[self.at] != "}":
            terms = self.terms((":", ";", "}"))
            condition: tuple[Literal, ...] = ()
            if tokens[self.at] == ":":
                self.at += 1
                condition = self.condition((";", "}"))
            self.count()
            elements.append(Element(terms, condition))
            if tokens[self.at] != "}":
                self.take(";", "}")
        self.at += 1
        return Aggregate(function, tuple(elements), (*guards, *self.guard()), sign)

    # -- terms ---------------------------------------------------------------------------------------------------

    def terms(self, ends: tuple[str, ...]) -> tuple[Term, ...]:
        """The terms from here on, separated by commas; none if the next token is one of ``ends``."""
        tokens = self.tokens
        if tokens[self.at] in ends:
            return ()
        terms_read = [self.term()]
        while tokens[self.at] == ",":
            self.at += 1
            terms_read.append(self.term())
        return tuple(terms_read)

    def arguments(self) -> list[tuple[Term, ...]]:
        """The arguments in brackets, for each alternative of a pool."""
        tokens = self.tokens
        self.at += 1
        alternatives = [self.terms((")", ";"))]
        while tokens[self.at] == ";":
            self.at += 1
            alternatives.append(self.terms((")", ";")))
        self.take(")")
        return alternatives

    def term(self) -> Term:
        left = _term_of_token(self.tokens[self.at])
        if left is None:
            left = self.operand()
        else:
            self.at += 1
            if type(left) is Name and self.tokens[self.at] == "(":
                left = _function(left.text, self.arguments())
        return left if self.tokens[self.at] not in _PRECEDENCE else self.climb(left, 0)

    def climb(self, left: Term, least: int) -> Term:
        """The term that begins with an operand, up to an operator that binds no more than ``least``."""
        tokens = self.tokens
        while (binds := _PRECEDENCE.get(tokens[self.at], 0)) > least:
            sign = tokens[self.at]
            self.at += 1
            right = self.climb(self.operand(), binds - 1 if binds == _POWER else binds)
            left = Range(left, right) if sign == ".." else Op(sign, left, right)
        return left

    def operand(self) -> Term:
        tokens = self.tokens
        token = tokens[self.at]
        term = _term_of_token(token)
        if term is not None:
            self.at += 1
            if type(term) is Name and tokens[self.at] == "(":
                return _function(term.text, self.arguments())
            return term
        if token == "(":
            return self.parse_brackets()
        if token in _UNARY:
            self.at += 1
            number = tokens[self.at].isdigit() and tokens[self.at] != "0"
            inner = self.operand()
            if number and token == "-" and type(inner) is Int:
                return Int(-inner.value)
            return Op(_UNARY[token], ZERO, inner)
        if token == "|":
            self.at += 1
            inner = self.term()
            self.take("|")
            return Op(ABSOLUTE, ZERO, inner)
        if token == "@":
            raise self.fault("a function of a program's own", "write a table of facts, or rules", kind="script")
        if token == "&":
            raise self.fault("a theory atom", _RULES, kind="script")
        if not token:
            raise self.fault("the rule has no end: a full stop is missing")
        raise self.fault(f"{_name_of_token(token)} where a term is expected")

    def parse_brackets(self) -> Term:
        """A term in brackets, a tuple, or a pool of terms and tuples."""
        tokens = self.tokens
        self.at += 1
        among: list[Term] = []
        while True:
            start = self.at
            terms: list[Term] = []
            comma = False
            while tokens[self.at] not in (";", ")"):
                if tokens[self.at] == "," and self.at == start:  # (,) is the empty tuple
                    self.at += 1
                    break
                terms.append(self.term())
                comma = tokens[self.at] == ","
                if not comma:
                    break
                self.at += 1
            among.append(terms[0] if len(terms) == 1 and not comma else Fun("", tuple(terms)))
            if self.take(";", ")") == ")":
                return among[0] if len(among) == 1 else Pool(tuple(among))


def _function(name: str, alternatives: list[tuple[Term, ...]]) -> Term:
    """A function term, or a pool of function terms."""
    terms = [Fun(name, args) if args else Name(name) for args in alternatives]
    return terms[0] if len(terms) == 1 else Pool(tuple(terms))


@cache_until_change(20_000)
def _sort(token: str) -> str:
    """``name`` or ``variable``; empty for any other token."""
    if _VARIABLE.match(token):
        return "variable"
    return "name" if _NAME.match(token) and token != "not" else ""


@cache_until_change(20_000)
def _term_of_token(token: str) -> Term | None:
    """The term that consists of this one token; None if it is no term."""
    if _NUMBER.fullmatch(token):
        return Int(int(token, 0))
    if token[:1] == '"' and len(token) > 1 and "\0" not in token:  # clingo would end the program there
        return Text(_ESCAPED.sub(lambda m: "\n" if m[1] == "n" else m[1], token[1:-1]))
    if token == "_":
        return ANY
    sort = _sort(token)
    if sort:
        return Var(token) if sort == "variable" else Name(token)
    return Name(_EXTREMES[token]) if token in _EXTREMES else None


def _begins(token: str) -> bool:
    """Whether a term can begin with a token."""
    return token in ("(", "-", "~", "|", "@") or _term_of_token(token) is not None


def _name_of_token(token: str) -> str:
    """The name of a token in a message."""
    shown = token if token.isprintable() else f"U+{ord(token[0]):04X}"
    return f"'{shown}'" if token else "the end of the text"
