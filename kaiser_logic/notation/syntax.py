"""Parses untrusted text: facts, actions, recorded games.

One LALR grammar (`grammar/record.lark`) describes names, whole numbers, terms and the form of a record. Text that does not
conform becomes an `UnreadableInput` at the first wrong word. A fast scanner (`quick`) reads well-formed text in the
usual forms. Lark is loaded, and its parser built, when the first other text is parsed.
"""

from __future__ import annotations

import re
import sys
import typing
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, get_args

from ..errors import UnreadableInput, WrongUsage
from .nesting import Element, Gap, Paren, Part, nest
from .quick import quick_record, quick_value
from .record import NO_TEXT, Assertion, Literal, Move, PositionBlock, RecordedFact, Tag
from .terms import MAX_DEPTH, MAX_DIGITS, UNKNOWN, Term, Value

if TYPE_CHECKING:
    from lark import Lark, Token, Transformer


MAX_BYTES: Final = 8 * 2**20
"""The largest size of a file in bytes."""

MAX_WORDS: Final = 200_000
"""The largest number of words and signs in a text: some 20,000 moves, a second or two of parsing."""

MAX_FACTS: Final = 2000
"""The largest number of facts in a board file. Rules may join the facts with one another, in quadratic time."""

Start: TypeAlias = typing.Literal["record", "position", "facts", "move", "value"]
"""The kinds of texts, which are start symbols of the grammar."""


# --- reading ----------------------------------------------------------------------------------


def parse_term(text: str) -> Value:
    """The term or number in a text, for instance an action."""
    return cast("Value", parse("value", text))


def parse_move(text: str) -> Move:
    """The move `role: action` in a text."""
    return cast("Move", parse("move", text))


def parse_facts(text: str, path: str | None = None) -> list[RecordedFact]:
    """The facts of a board file: terms separated by full stops."""
    facts = cast("list[RecordedFact]", parse("facts", text, path))
    if len(facts) > MAX_FACTS:
        more = facts[MAX_FACTS]
        raise UnreadableInput(f"a board has at most {MAX_FACTS} facts", path, more.line, more.column)
    return facts


def parse(start: Start, text: str, path: str | None = None, first: tuple[int, int] = (1, 1)) -> Any:
    """Parses a text as `start`: a value, a move, or a list of parts. It begins at this line and column of its file."""
    text = normal(text, path)
    quick = quick_record(text, first) if start == "record" else quick_value(text) if start == "value" else None
    return by_grammar(start, text, path, first) if quick is None else quick


def by_grammar(start: Start, text: str, path: str | None = None, first: tuple[int, int] = (1, 1)) -> Any:
    """Parses a text with the grammar only. Its line ends must be single line feeds."""
    value, words = _parse_by_grammar(start, text, path, first)
    if start not in {"record", "position"} or any(isinstance(one, RecordedFact) for one in value):
        return value
    elements = list(_flat(value))
    return nest(text, elements, list(_gaps(text, words, elements)), path)


class Words(typing.NamedTuple):
    """The words of a record's text, as the grammar reads them.

    Attributes:
        parts: The parts of the record.
        elements: The same parts in the order of the text, and the parentheses of variations.
        spans: The first and the last offset of each element.
        gaps: The gaps that contain comments.
    """

    parts: list[Part]
    elements: list[Element]
    spans: list[tuple[int, int]]
    gaps: list[Gap]


def words_of(text: str, path: str | None = None) -> Words:
    """Parses the text of a record, and keeps where its parts are. Its line ends must be single line feeds."""
    value, words = _parse_by_grammar("record", text, path)
    elements = list(_flat(value))
    gaps = list(_gaps(text, words, elements))
    parts = nest(text, elements, gaps, path)
    spans: list[tuple[int, int]] = []
    for number, word in _number_words(words, elements):
        start, end = cast("int", word.start_pos), cast("int", word.end_pos)
        if number == len(spans):
            spans.append((start, end))
        else:
            spans[number] = spans[number][0], end
    return Words(parts, elements, spans, gaps)


def _flat(value: Iterable[Any]) -> Iterator[Element]:
    """The parts and parentheses in lists of lists."""
    for one in value:
        if isinstance(one, list):
            yield from _flat(one)
        else:
            yield one


def _number_words(words: Iterable[Token], elements: Sequence[Element]) -> Iterator[tuple[int, Token]]:
    """The words, each with the number of the element to which it belongs."""
    number, depth = -1, 0
    for word in words:
        closes = word.type == "RPAR" and depth == 0
        depth += (word.type == "LPAR") - (word.type == "RPAR" and not closes)
        following = elements[number + 1] if number + 1 < len(elements) else None
        if isinstance(following, Tag):
            begins = word.type == "LSQB"
        elif isinstance(following, Paren) and not following.opens:
            begins = closes
        else:
            begins = following is not None and (word.line, word.column) == (following.line, following.column)
        number += begins
        yield number, word


def _gaps(text: str, words: Iterable[Token], elements: Sequence[Element]) -> Iterator[Gap]:
    """The gaps between words that contain comments."""
    if "%" not in text:
        return
    end, before = 0, -1
    for number, word in _number_words(words, elements):
        if text.find("%", end, word.start_pos) >= 0:
            yield Gap(end, cast("int", word.start_pos), before, number)
        end, before = cast("int", word.end_pos), number
    if text.find("%", end) >= 0:
        yield Gap(end, len(text), before, len(elements))


def _parse_by_grammar(
    start: Start, text: str, path: str | None, first: tuple[int, int] = (1, 1)
) -> tuple[Any, list[Token]]:
    """What the grammar makes of a text, and its words."""
    from lark import UnexpectedToken

    parser: Any = _lark().parse_interactive(text, start)
    counter = parser.lexer_thread.state.line_ctr
    counter.line, counter.column = first
    counter.line_start_pos = 1 - first[1]
    words: list[Token] = []
    last: Token | None = None
    try:
        for word in _limit_words(parser.lexer_thread.lex(parser.parser_state)):
            parser.feed_token(word)
            last = word
            words.append(word)
        return parser.feed_eof(last), words
    except UnexpectedToken as error:
        message = _explain(parser, start, last, error.token)
        raise UnreadableInput(message, path, *_start(error.token)) from None
    except UnreadableInput as error:
        raise error.in_file(path) from None


TOO_LARGE: Final = f"the text is larger than {MAX_BYTES // 2**20} MB"


def normal(text: str, path: str | None) -> str:
    """The text with single line feeds as line ends; UnreadableInput if it is too large, empty or not text."""
    if len(text) > MAX_BYTES:
        raise UnreadableInput(TOO_LARGE, path)
    text = text.removeprefix("\ufeff")
    if not text:
        raise UnreadableInput("the text is empty", path)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    before, nul, _ = text.partition("\0")
    if nul:
        raise UnreadableInput("the input is not text: it contains a NUL byte", path, *place_after(before))
    return text


def place_after(before: str) -> tuple[int, int]:
    """The line and column of the place after a text."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _limit_words(words: Iterator[Token]) -> Iterator[Token]:
    """The same words; UnreadableInput at the first word that exceeds the limit of words or of nesting."""
    depth = 0
    for count, word in enumerate(words):
        if word.type in {"LPAR", "VARIATION"}:
            depth += 1
            if depth > MAX_DEPTH:
                raise _fault(f"more than {MAX_DEPTH} parentheses inside one another", word)
        elif word.type == "RPAR":
            depth -= 1
        if count == MAX_WORDS:
            raise _fault(f"the text is too long: more than {MAX_WORDS} words and signs", word)
        yield word


# --- building ---------------------------------------------------------------------------------


@cache
def _lark() -> Lark:
    from lark import Lark

    grammar = Path(__file__).with_name("grammar") / "record.lark"
    return Lark(
        grammar.read_text(encoding="utf-8"),
        start=[*get_args(Start), "foreign"],
        parser="lalr",
        lexer="basic",
        transformer=cast("Transformer[Token, Any]", _RecordBuilder()),
        maybe_placeholders=False,
    )


def _start(word: Token) -> tuple[int, int]:
    """The start of a word; at the end of the text, the end of its last word."""
    if word.type == "$END":
        return word.end_line or 1, word.end_column or 1
    return word.line or 1, word.column or 1


def _fault(message: str, word: Token) -> UnreadableInput:
    return UnreadableInput(message, None, *_start(word))


class _RecordBuilder:
    """Builds the values of the grammar's rules and terminals during parsing."""

    def INT(self, word: Token) -> int:  # noqa: N802
        if len(word.lstrip("-")) > MAX_DIGITS:
            raise _fault(f"number too large: {_quote(word)} has more than {MAX_DIGITS} digits", word)
        return int(word)

    def unknown(self, _: list[Any]) -> Term:
        return UNKNOWN

    def term(self, children: list[Any]) -> Term:
        name, *args = children
        return Term(sys.intern(name.value), tuple(args))

    def fact(self, children: list[Any]) -> RecordedFact:
        return RecordedFact(self.term(children), *_start(children[0]))

    def holds(self, children: list[RecordedFact]) -> Literal:
        (fact,) = children
        return Literal(True, fact.term, fact.line, fact.column)

    def negation(self, children: list[Any]) -> Literal:
        word, fact = children
        if word != "not":
            message = f"expected '.' after {_quote(word)}, found {_quote(fact.term.name)}"
            raise UnreadableInput(message, None, fact.line, fact.column)
        return Literal(False, fact.term, *_start(word))

    def opening(self, children: list[Token]) -> Token:
        (word,) = children
        if word not in {"assert", "position"}:
            raise _fault(f"expected 'assert' or 'position' before '{{', found {_quote(word)}", word)
        return word.update("LBRACE", f"{word} {{")

    def block(self, children: list[Any]) -> Assertion | PositionBlock:
        word, *literals = children
        if word == "assert {":
            return Assertion(tuple(literals), *_start(word))
        for literal in literals:
            if not literal.positive:
                message = "a position lists what holds; 'not' belongs in 'assert'"
                raise UnreadableInput(message, None, literal.line, literal.column)
        facts = tuple(RecordedFact(literal.fact, literal.line, literal.column) for literal in literals)
        return PositionBlock(facts, *_start(word))

    def move(self, children: list[Any]) -> Move:
        word, action = children
        return Move(sys.intern(word.value), None if action is UNKNOWN else action, *_start(word))

    def tag(self, children: list[Token]) -> Tag:
        name, quoted = children
        for part in re.finditer(rf"\\.|{NO_TEXT.pattern}", quoted):
            if part[0] not in {'\\"', "\\\\"}:
                line, column = _start(quoted)
                message = f"{_quote(part[0])} is not allowed in the text of a tag"
                if part[0][0] == "\\":
                    message += ': after \\ stands only " or \\, so a backslash is written \\\\'
                raise UnreadableInput(message, None, line, column + part.start())
        return Tag(name.value, re.sub(r"\\(.)", r"\1", quoted.value[1:-1]), *_start(name))

    def variation(self, children: list[Any]) -> list[Any]:
        word, *items = children
        return [Paren(True, *_start(word)), *items, Paren(False)]

    def _all(self, children: list[Any]) -> list[Any]:
        return children

    record = position = facts = _all


# --- messages ---------------------------------------------------------------------------------

_SIGNS: Final = {
    "LSQB": "a tag",
    "STRING": "a text in double quotes",
    "LBRACE": "'{'",
    "COLON": "':'",
    "COMMA": "','",
    "RPAR": "')'",
    "DOT": "'.'",
    "RBRACE": "'}'",
    "RSQB": "']'",
}
"""The names of tokens that may be missing, besides names."""

_NOUNS: Final = {
    "LPAR": "a name or a number",
    "LBRACE": "a fact",
    "LSQB": "the name of a tag",
    "VARIATION": "a move ('role: action')",
    "record": "a move ('role: action')",
    "position": "a fact or a move",
    "facts": "a fact",
    "move": "a move ('role: action')",
    "value": "a name or a number",
}
"""The description of what a name begins: inside a bracket, or outside brackets in each kind of text."""

_HINTS: Final = {
    "CAPITAL": "names begin with a small letter, and there are no variables",
    "STRING": "quotes belong in tags",
    "QUOTE": "a text in quotes ends on its line and has at most 1000 characters",
    "DIRECTIVE": "this is data, without directives and scripts",
    "LSQB": "tags stand before everything else",
}
"""Hints for words in a wrong place, by the type of the token."""


def _explain(parser: Any, start: Start, last: Token | None, token: Token) -> str:
    """The message for the word at which the parser has stopped: the expected words and the word before them."""
    # The stack contains values, and the words that are not part of a value yet.
    stack = parser.parser_state.value_stack
    opened: list[Token] = []
    for word in stack:
        match getattr(word, "type", None):
            case "LPAR" | "LBRACE" | "LSQB" | "VARIATION":
                opened.append(word)
            case "RPAR" | "RBRACE" | "RSQB":
                opened.pop()
    noun = _NOUNS[opened[-1].type if opened else start]
    message = f"expected {_expected_text(parser.accepts(), noun, last)}"
    if last is not None:
        name = stack[-2] if last.type in {"COLON", "LPAR"} else ""
        message += f" after {_quote(f'{name}{last}')}"
    if token.type == "$END":
        hint = f"the '{opened[-1]}' in line {opened[-1].line} is not closed" if opened else None
        message += ", found the end"
    else:
        hint = None if opened and token.type == "LSQB" else _HINTS.get(token.type)
        message += f", found {_quote(token)}"
    return f"{message}: {hint}" if hint else message


def _expected_text(terminals: set[str], noun: str, last: Token | None) -> str:
    if last is not None and last.type == "COLON":
        return "an action"
    if {"COLON", "LBRACE"} <= terminals:
        terminals.remove("COLON" if last in {"assert", "position"} else "LBRACE")
    wanted = [sign for terminal, sign in _SIGNS.items() if terminal in terminals]
    if "NAME" in terminals and not (wanted and last is not None and last.type == "NAME"):
        wanted.insert(0, noun)
    return " or ".join(wanted) or "nothing more"


def _quote(text: str) -> str:
    """Untrusted text in quotes for a message: shortened, without control characters."""
    shown = "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in text[:40])
    return f"'{shown}…'" if len(text) > len(text[:40]) else f"'{shown}'"


@lru_cache(maxsize=50_000)
def parse_user_term(text: str) -> Term:
    """The term in a text of the user; WrongUsage if it is not a term of the grammar."""
    try:
        value = parse_term(text)
    except UnreadableInput as error:
        raise WrongUsage(f"{text[:80]!r} is not a term: {error.message}") from None
    if not isinstance(value, Term):
        raise WrongUsage(f"{text[:80]!r} is a number, not a term")
    return value
