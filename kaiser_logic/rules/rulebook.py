"""A rulebook as data: rules with their places, documented rules, rulings, and the declarations of the vocabulary.

:mod:`.loader` reads it from its folder. Nothing here evaluates a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from ..lang.algebra import atoms
from ..lang.printed import Printed
from ..lang.reader import lines_of, without_blocks
from ..lang.terms import Atom, Int, Literal, Signature, Term
from ..lang.unification import functor, label
from .predicates import DUE, MORE, OUTPUTS, RULING, THEN
from .rule import PlacedRule, predicates_affected

# -- provenance ----------------------------------------------------------------------------------------------
#
# The source of a documented rule says where its content comes from.
#
# A source is a text of parts, separated by semicolons. Each part is of one of four kinds:
#
# =========  =======================================================  ================================================
# kind       meaning                                                  form
# =========  =======================================================  ================================================
# says       the section contains the rule                            ``Fase V, Resultaat 1``
# silent     the section leaves it open; the rule is our reading      ``Fase II (silent about ties)``, ``Fase II (silent)``
# assumed    no text contains it; it is made up and can be replaced   ``Cards (assumed from its name)``, ``assumed``
# base       it is from another part of the game, described elsewhere ``base game``, ``base game, as reviews describe it``
# =========  =======================================================  ================================================
#
# >>> [tuple(part) for part in provenance("Chests, Supply (silent about ties); base game")]
# [('silent', 'Chests, Supply', 'about ties'), ('base', '', '')]
# >>> [tuple(part) for part in provenance("Event cards (assumed from its name)")]
# [('assumed', 'Event cards', 'from its name')]


DEFAULT_EDITION: Final = "standard"
"""The default edition; every rulebook has it."""
STATED: Final = "says"
SILENT: Final = "silent"
ASSUMED: Final = "assumed"
BASE: Final = "base"

_PARTS: Final = re.compile(r";\s+(?![^()]*\))")
_BRACKET: Final = re.compile(r"^(?P<section>.*?)\s*\((?P<kind>silent|assumed)\b\s*(?P<note>[^()]*)\)$")
_ALONE: Final = re.compile(r"^(?P<kind>assumed|base game)\b[,:]?\s*(?P<note>.*)$")
_MARK: Final = re.compile(r"\b(silent|assumed|invented|unverified|base game)\b")


class SourcePart(NamedTuple):
    """One part of a source.

    Attributes:
        kind: ``says``, ``silent``, ``assumed`` or ``base``.
        section: The heading of the printed text; empty if there is none.
        note: The point that the section leaves open, the reason for the assumption, or the place of a description.
    """

    kind: str
    section: str
    note: str


def provenance(text: str) -> tuple[SourcePart, ...]:
    """The parts of a source, in their order."""
    return tuple(_source(part.strip()) for part in _PARTS.split(text))


def _source(part: str) -> SourcePart:
    match = _BRACKET.match(part)
    if match:
        return SourcePart(match["kind"], match["section"], match["note"].strip())
    match = _ALONE.match(part)
    if match:
        return SourcePart(ASSUMED if match["kind"] == "assumed" else BASE, "", match["note"].strip())
    return SourcePart(STATED, part, "")


def has_content(source: SourcePart) -> bool:
    """Whether the section contains at least a part of the rule: the whole, or all but a named point."""
    return source.kind == STATED or (source.kind == SILENT and bool(source.note))


def misread(text: str) -> Iterator[str]:
    """The parts of a source that use a mark of provenance where it has no meaning.

    >>> list(misread("Phase 1 (silent); Phase 2, silent"))
    ['Phase 2, silent']
    """
    for part in _PARTS.split(text):
        source = _source(part.strip())
        if _MARK.search(source.section) and source.kind != BASE:
            yield part.strip()


UNREADABLE: Final = (
    "cannot be read as a source: write"
    " 'Section', 'Section (silent about WHAT)', 'Section (assumed from WHAT)', 'assumed', 'base game'"
)
"""What a message says about a part that is misread."""


class Variant(NamedTuple):
    """The statement of a rule under certain rulings.

    Attributes:
        rulings: The rulings for which it is said, each with its value.
        statement: The statement.
    """

    rulings: tuple[tuple[str, str], ...]
    statement: str


class RuleDoc(NamedTuple):
    """A documented rule.

    ``kind`` is ``rule``, ``invariant``, ``board``, ``data`` or ``claim``; ``why`` has the templates of sentences for a violation;
    ``sources`` maps editions to places in their printed texts. ``statement`` is the statement for the rulings of the edition
    ``standard``, ``variants`` has those for other rulings.
    """

    id: str
    kind: str
    default_statement: str
    why: str | None
    sources: Mapping[str, str]
    file: str
    line: int
    variants: tuple[Variant, ...] = ()

    def variant_under(self, options: Mapping[str, str]) -> Variant | None:
        """The variant under some rulings, given by name: of those that fit the one that names most rulings; None without one."""
        fitting = [v for v in self.variants if all(options.get(name) == value for name, value in v.rulings)]
        return max(fitting, key=lambda v: len(v.rulings), default=None)

    @property
    def is_of_engine(self) -> bool:
        """Whether it is from a file of the engine; other files have other labels (:func:`.loader.label`)."""
        return self.file.startswith("engine/")

    @property
    def reasons(self) -> tuple[tuple[str, str], ...]:
        """The sentences of ``why`` with their conditions, in the order of trial; the form is ``sentence :- condition | ...``."""
        parts = (part.partition(" :- ") for part in self.why.split(" | ")) if self.why else ()
        return tuple((sentence.strip(), condition.strip()) for sentence, _, condition in parts)


class Ruling(NamedTuple):
    """A point where the texts differ or are silent.

    Attributes:
        name: Its name.
        about: The question that it answers: "Whether the daughter has to be offered."
        values: Its possible values, each with the sentence that holds under it.
        by_edition: Its value in each edition.
        sources: For editions the place in the printed text, with the marks of a rule's source.
    """

    name: str
    about: str
    values: Mapping[str, str]
    by_edition: Mapping[str, str]
    sources: Mapping[str, str]


_RANGE: Final = re.compile(r"(\d+)\.\.(\d+)")


def means(values: Mapping[str, str]) -> dict[str, str]:
    """The values of a ruling as the manifest gives them, with each range written out. A sentence may contain ``{N}``.

    >>> means({"0": "One game is played.", "250..251": "A series ends at {N} points."})
    {'0': 'One game is played.', '250': 'A series ends at 250 points.', '251': 'A series ends at 251 points.'}
    """
    sentences: dict[str, str] = {}
    for value, sentence in values.items():
        match = _RANGE.fullmatch(value)
        numbers = range(int(match[1]), int(match[2]) + 1)[:_MOST_VALUES] if match else ()
        sentences |= {str(n): sentence.replace("{N}", str(n)) for n in numbers} if match else {value: sentence}
    return sentences


_MOST_VALUES: Final = 1000
"""The largest number of values that a range gives."""


@dataclass(frozen=True)
class ActionKind:
    """A kind of action: the patterns of the decision and of the action, and the rule that declares it."""

    index: int
    decision: Term
    action: Term
    declaration: Printed

    @property
    def sorts(self) -> tuple[Literal, ...]:
        """The literals that restrict its arguments."""
        return self.declaration.value.body

    def drawn_from(self, sort: str) -> tuple[Atom, ...]:
        """The atoms of a predicate among the sorts."""
        return tuple(atom for atom, _ in atoms(self.sorts) if atom.name == sort)


@dataclass(frozen=True, eq=False)
class Rulebook:
    """The rules of one game, the same for all editions and numbers of players.

    Attributes:
        id: The game's id.
        folder: The folder of its files.
        manifest: The content of ``game.toml``.
        rules: The rules of all its files, and of the engine's files that the manifest names.
        docs: The documented rules by id.
        rulings: The rulings by name.
        contents: A hash of its files.
    """

    id: str
    folder: Path
    manifest: Mapping[str, Any]
    rules: tuple[PlacedRule, ...]
    docs: Mapping[str, RuleDoc]
    rulings: Mapping[str, Ruling] = field(repr=False)
    contents: str = ""

    @property
    def title(self) -> str:
        """The game's title with its author and publisher."""
        return str(self.manifest["title"])

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of players, in the order of the default seats."""
        return tuple(self.manifest["roles"])

    @property
    def editions(self) -> Mapping[str, str]:
        """The editions with their descriptions; ``standard`` is the default."""
        return dict(self.manifest["editions"])

    @cached_property
    def fluents(self) -> frozenset[Signature]:
        """The predicates of the facts in a position, also the engine's ``due/1``."""
        return frozenset({DUE, *self._declared})

    @cached_property
    def _declared(self) -> tuple[Signature, ...]:
        """The fluents in the order of the vocabulary."""
        terms = (h.args[0] for r in self.rules for h in r.heads if h.signature == ("fluent", 1))
        return tuple(dict.fromkeys(s for s in map(functor, terms) if s))

    def sort_facts(self, facts: Iterable[str]) -> list[str]:
        """Sorts facts by the order of the vocabulary; undeclared facts come last."""
        order: dict[str, int] = {}
        for name, _ in self._declared:
            order.setdefault(name, len(order))
        return sorted(facts, key=lambda f: (order.get(f.partition("(")[0], len(order)), f))

    def _declared_as(self, *names: str) -> Iterator[tuple[str, Signature]]:
        """The facts such as ``counted(taken,2)``: the name, and the signature that it is about."""
        for head in (h for rule in self.rules for h in rule.heads if h.name in names and len(h.args) == 2):
            counted, arity = head.args
            if isinstance(arity, Int):
                yield head.name, (label(counted), arity.value)

    @cached_property
    def counters(self) -> Mapping[Signature, bool]:
        """The counters; True if the number zero is stated, too."""
        return {counter: name != "counted" for name, counter in self._declared_as("counted", "stated", "signed")}

    @cached_property
    def signed(self) -> frozenset[Signature]:
        """The counters whose number can be negative."""
        return frozenset(counter for _, counter in self._declared_as("signed"))

    @cached_property
    def units(self) -> frozenset[Signature]:
        """The fluents for single pieces, which gain/3 adds and lose/3 deletes."""
        return frozenset(unit for _, unit in self._declared_as("unit"))

    @cached_property
    def kinds(self) -> tuple[ActionKind, ...]:
        """The kinds of action that the vocabulary declares."""
        declared = ((r, h) for r in self.rules for h in r.heads if h.signature == ("action", 2))
        return tuple(ActionKind(i, head.args[0], head.args[1], rule.printed) for i, (rule, head) in enumerate(declared))

    @cached_property
    def static(self) -> frozenset[Signature]:
        """The predicates of the rulebook that depend on no position, among them seat/2."""
        dynamic = set(self.fluents) - {("seat", 2)}
        dynamic |= {
            ("submitted", 2),
            ("does", 2),
            ("candidate", 2),
            ("made", 2),
            ("total", 2),
            ("decision", 2),
            ("due", 1),
            ("touched", 1),
            ("change", 2),
        }
        dynamic |= {("stand_in", 2), ("chosen", 3), THEN, MORE}
        dynamic |= OUTPUTS  # even if they depend on no fluent
        heads = {h.signature for r in self.rules for h in r.heads}
        given = {("seat", 2), ("ruling", 2), ("start", 2), ("board", 1), ("number", 1)}
        return frozenset((heads | given) - predicates_affected(self.rules, dynamic))

    def rulings_of(self, id: str) -> tuple[str, ...]:
        """The rulings that decide a documented rule, in the manifest's order: its logic or its lines ``where`` name them.

        These lines count because a ruling may be read only by rules without a heading.
        """
        return self._rulings_of.get(id, ())

    @cached_property
    def _rulings_of(self) -> Mapping[str, tuple[str, ...]]:
        rulings: dict[str, set[str]] = {}
        for rule in self.rules:
            read = {a.args[0] for a in (*rule.positive, *rule.negative, *rule.inner) if a.signature == RULING}
            if rule.block and read:
                rulings.setdefault(rule.block, set()).update(label(one) for one in read)
        for doc in self.docs.values():
            names_in_variants = {name for variant in doc.variants for name, _ in variant.rulings}
            rulings.setdefault(doc.id, set()).update(names_in_variants)
        return {id: tuple(name for name in self.rulings if name in names) for id, names in rulings.items()}

    def doc(self, id: str) -> RuleDoc:
        """The documentation of a rule, also of one of the engine."""
        return self.docs.get(id) or ENGINE_DOCS.get(id) or RuleDoc(id, "rule", id, None, {}, "", 0)


_ENGINE: Mapping[str, tuple[str, str]] = {
    "action.unknown": ("An action is one of the game's vocabulary.", "the game knows no such action"),
    "decision.other": (
        "An action answers a decision that somebody has.",
        "nobody has a decision that this answers",
    ),
    "decision.none": ("Only a role that has a decision acts.", "{R} has nothing to decide now"),
    "vocabulary": ("Every fact belongs to the game's vocabulary.", "no such fact exists in this game"),
    "count": (
        "A counter has at most one value, and exactly one if it must always be stated.",
        "it is counted twice, or not at all",
    ),
    "limit": ("No limit is exceeded, below or above.", "there is more, or less, than there can be"),
    "seats": ("Every seat is taken by another player, clockwise from 1.", "the seats are not in order"),
}
ENGINE_DOCS: Mapping[str, RuleDoc] = {
    id: RuleDoc(id, "rule", statement, why, {}, "engine", 0) for id, (statement, why) in _ENGINE.items()
}


# -- documentation -------------------------------------------------------------------------------------------
#
# The documentation lines of a program stand above the rules that they describe.
#
# >>> docs, blocks, wrong = read_docs("%! rule take -- In turn.\n%!   why  not {R}'s turn\na.", "f.lp")
# >>> docs[0].id, docs[0].why, blocks, wrong
# ('take', "not {R}'s turn", [(1, 'take')], [])
#
# A line ``where RULING is VALUE -- STATEMENT`` gives the statement for a value of a ruling, or for values of several rulings.
#
# >>> text = "%! rule end -- Its taker wins.\n%!   where last is loses -- Its taker loses."
# >>> doc = read_docs(text, "f.lp")[0][0]
# >>> doc.variants[0].rulings, doc.variant_under({"last": "loses"}).statement
# ((('last', 'loses'),), 'Its taker loses.')


_DOC = re.compile(r"^%! +(rule|invariant|board|data|claim) +(\S+) +-- +(.*)$")
_DOC_LINE = re.compile(r"^%!   (\w+)  +(.*)$")
_DOC_MORE = re.compile(r"^%!     +(\S.*)$")
_DOC_VARIANT = re.compile(r"^%!   where +(.*)$")
SAME: Final = "the same"
"""The statement of a line ``where`` if that of the heading holds there as well."""
_CONDITION = re.compile(r"(\w+) is (\w+)")

Blocks: TypeAlias = list[tuple[int, str | None]]
"""The lines at which documented rules begin, with their ids; None ends a block."""


def read_docs(text: str, file: str) -> tuple[list[RuleDoc], Blocks, list[int]]:
    """Reads the documentation lines of a file.

    Args:
        text: The program.
        file: The label of the file.

    Returns:
        The documented rules, the blocks of rules that belong to them, and the lines that cannot be read.
    """
    docs: list[RuleDoc] = []
    blocks: Blocks = []
    wrong: list[int] = []
    lines = lines_of(without_blocks(text))
    for number, line in enumerate(lines, 1):
        if not line.startswith("%!"):
            if line.startswith("% --"):
                blocks.append((number, None))
            continue
        match = _DOC.match(line)
        if match:
            details, where = _details(lines[number:], match[3].strip())
            statement, why = details.pop(""), details.pop("why", None)
            variants = {n: _variant(text, statement) for n, text in where.items()}
            wrong += [number + n for n, variant in variants.items() if variant is None]
            read = tuple(variant for variant in variants.values() if variant is not None)
            docs.append(RuleDoc(match[2], match[1], statement, why, details, file, number, read))
            blocks.append((number, match[2]))
        elif not docs or not any(form.match(line) for form in (_DOC_LINE, _DOC_MORE, _DOC_VARIANT)):
            wrong.append(number)
    return docs, blocks, wrong


def _details(lines: Iterable[str], statement: str) -> tuple[dict[str, str], dict[int, str]]:
    """The texts below a heading by their keys, with its statement at the empty key; and its variants by their lines."""
    details: dict[str, str] = {"": statement}
    where: dict[int, str] = {}
    last: tuple[dict[Any, str], str | int] = details, ""
    for number, line in enumerate(lines, 1):
        variant, detail, more = (form.match(line) for form in (_DOC_VARIANT, _DOC_LINE, _DOC_MORE))
        if variant:
            last = where, number
            where[number] = variant[1].strip()
        elif detail:
            last = details, detail[1]
            details[detail[1]] = detail[2].strip()
        elif more:
            texts, key = last
            texts[key] += " " + more[1].strip()
        else:
            break
    return details, where


def _variant(text: str, default: str) -> Variant | None:
    """Reads ``RULING is VALUE, RULING is VALUE -- STATEMENT``; None if the text has another form."""
    condition, _, statement = text.partition(" -- ")
    matches = [_CONDITION.fullmatch(part.strip()) for part in condition.split(",")]
    if not statement.strip() or None in matches:
        return None
    said = default if statement.strip() == SAME else statement.strip()
    return Variant(tuple((match[1], match[2]) for match in matches if match), said)
