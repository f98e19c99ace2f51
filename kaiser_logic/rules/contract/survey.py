"""A survey of a rulebook for all checks: the rules that derive and read each predicate, and the declarations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from ...errors import Finding
from ...lang.algebra import is_fixed
from ...lang.normal import alternatives
from ...lang.terms import Int, Signature, Term
from ...lang.unification import functor, label
from ..places import finding_at, nearest
from ..reader import Simplifier, condition_rule
from ..rule import HEAD, Occurrence, PlacedRule
from ..rulebook import Rulebook, RuleDoc

# -- words ---------------------------------------------------------------------------------------------------
#
# The predicates of the contract, which ``docs/write/rulebooks.md`` explains.


def _signatures(text: str) -> frozenset[Signature]:
    """The signatures of a list such as ``add/1 del/1``."""
    pairs = (word.split("/") for word in text.split())
    return frozenset((name, int(arity)) for name, arity in pairs)


JUDGING: Final = _signatures(
    "declared/2 offered/2 guard/3 pending/3 is_pending/2 several_rules/2 plausible/3 several_plausible/2 only_rule/3"
    " has_rule/2 legal/2 holds/1"
)
"""The predicates of the judge alone. No rulebook reads them: they do not hold in every program (`predicates.NOT_OFFERED`).

The legal actions are known only to programs that list them, and holds/1 only to those that look at the vocabulary."""

ENGINE_PREDICATES: Final = JUDGING | _signatures(
    "seat/2 start/2 ruling/2 board/1 number/1 submitted/2 does/2 made/2 total/2 due/1 touched/1 change/2"
)
"""The engine's predicates. A rulebook does not derive them; it may read those that are not the judge's."""

RULEBOOK_PREDICATES: Final = _signatures(
    "fluent/1 counted/2 stated/2 signed/2 unit/2 step/1 simultaneous/1 action/2 out_of_turn/2 implausible/1 candidate/2"
    " violates/3 too_many/2 weight/2 gain/3 lose/3 shift/4 add/1 del/1 counts/3 limit/3 range/3 bound/2 init/1 terminal/0 goal/2"
    " winner/1 broken/2 waived/1 presumed/1 conceals/2 instead/2 board_fact/1 board_broken/2"
)
"""The predicates that a rulebook derives and the engine reads."""

EXTENDED: Final = _signatures("listed/1 behind/1 most_sets/1")
"""The predicates that a rulebook may derive although a file of the engine that it uses derives them, too."""

DRAWING_PREDICATES: Final = _signatures(
    "headline/2 table/2 column/3 row/3 cell/5 keep/2"
    " layout/2 area/3 place/4 slot/4 scale/3 outline/2 optional/1"
    " heading/2 aside/2 look/2 title/2 sign/2 tag/3 ring/2 tie/3 piece/4 panel/3 box/2 content/3 note/2 frame/2 caption/2"
)
"""The predicates that a drawing and a picture derive."""

CLAIM_PREDICATES: Final = _signatures("wrong/2")
"""The predicates that claims about moves derive."""

AFTER: Final = _signatures("then/1 more/2")
"""The predicates about the position after a move. Only claims about moves read them."""

RESERVED: Final = _signatures("bad/2 chosen/3 dom/3 endless/1 measure/3 most/2 parts/0 ranges/3 stand_in/2 wide/1")
"""The predicates of encodings. Names that contain ``__`` or begin with ``_`` are reserved, too. A rulebook with such a predicate
would change what is proved."""

STATIC: Final = _signatures(
    "fluent/1 action/2 step/1 simultaneous/1 out_of_turn/2 limit/3 range/3 bound/2 init/1 waived/1 presumed/1"
)
"""Static predicates of a rulebook: they are evaluated once, without a position, so they must not depend on one."""

PICKED: Final = _signatures("thing/3 most_sets/1")
"""Further static predicates of a rulebook that uses the engine's file on sets."""

ENGINE_READS: Final = (
    (("legal", 2), ("candidate", 2), True),
    (("legal", 2), ("violates", 3), False),
    (("made", 2), ("does", 2), True),
    (("total", 2), ("counts", 3), False),
    (("lose", 3), ("shift", 4), True),
    (("gain", 3), ("shift", 4), True),
    (("change", 2), ("gain", 3), False),
    (("change", 2), ("lose", 3), False),
    (("touched", 1), ("gain", 3), True),
    (("touched", 1), ("lose", 3), True),
    (("violates", 3), ("implausible", 1), False),
    (("broken", 2), ("total", 2), True),
    (("add", 1), ("change", 2), True),
    (("del", 1), ("change", 2), True),
)
"""The dependencies in the engine's rules: head, body, and whether the head depends monotonically on the body."""


class PredicateUse(NamedTuple):
    """An atom in a rule."""

    rule: PlacedRule
    atom: Occurrence


class Survey:
    """The facts about a rulebook that the checks share.

    Attributes:
        book: The rulebook.
        folder: Its folder, as the user wrote it.
        rules: Its own rules, those of the drawing and of the claims, without those of the engine.
        derived: The occurrences of each predicate in heads of these rules.
        read: The occurrences of each predicate in bodies of these rules.
        shared: The predicates that the engine's files derive which the rulebook uses.
        declared: The heads of their rules that are declarations of the rulebook's kind, such as ``counted(deck,2)``.
        wanted: The predicates that these files read.
        drawing: The rules of its drawing and its picture.
        claims: The rules of its claims about moves.
        claimed: The headings of its claims, by id.
    """

    def __init__(
        self,
        book: Rulebook,
        drawing: Iterable[PlacedRule] = (),
        claims: Iterable[PlacedRule] = (),
        claimed: Mapping[str, RuleDoc] | None = None,
    ) -> None:
        """Collects the predicates of the rulebook, and of the further rules of ``drawing`` and ``claims``."""
        self.book = book
        self.folder: Path = book.folder
        self.derived: dict[Signature, list[PredicateUse]] = defaultdict(list)
        self.read: dict[Signature, list[PredicateUse]] = defaultdict(list)
        self.shared: set[Signature] = set()
        self.declared: dict[Signature, list[Occurrence]] = defaultdict(list)
        self.wanted: set[Signature] = set()
        own: list[PlacedRule] = []
        for rule in book.rules:
            if rule.is_of_engine:
                self.shared.update(a.signature for a in rule.heads)
                self.wanted |= rule.uses
                for head in rule.heads:
                    if head.signature in RULEBOOK_PREDICATES:
                        self.declared[head.signature].append(head)
            else:
                own.append(rule)
        self.drawing = tuple(drawing)
        self.claims = tuple(claims)
        self.claimed = dict(claimed or {})
        self.rules = (*own, *self.drawing, *self.claims)
        derived, read = self.derived, self.read
        for rule in self.rules:
            for atom in rule.atoms:
                (derived if atom.place == HEAD else read)[atom.name, len(atom.args)].append(PredicateUse(rule, atom))

    def at(self, rule: PlacedRule, what: str, message: str, *words: str) -> Finding:
        """Makes a finding in a rule, at the first of the words that occurs there."""
        return finding_at(self.folder, rule, what, message, *words)

    def at_heading(self, doc: RuleDoc, what: str, message: str) -> Finding:
        """Makes a finding at the heading of a documented rule."""
        return Finding(str(self.folder / Path(doc.file).name), doc.line, 1, what, message)

    def unknown_names(
        self,
        uses: Iterable[tuple[PredicateUse, Term]],
        known: frozenset[Signature] | None,
        what: str,
        noun: str,
    ) -> Iterator[Finding]:
        """Yields findings about terms whose outermost name is not one of the known names.

        Args:
            uses: Terms with the atoms in which they occur. Variables, numbers and strings are skipped.
            known: The known names; if it is None, any name is possible.
            what: The kind of the finding for an unknown name.
            noun: The word for such a term in the message.
        """
        if known is None:
            return
        for use, term in uses:
            signature = functor(term)
            if signature is None or signature in known or str(signature[0])[:1] in '"-0123456789':
                continue
            name, arity = signature
            arities = sorted(k for n, k in known if n == name)
            if arities:
                counts = " or ".join(map(str, arities))
                message = f"{noun} '{name}' has {counts} argument{'s' * (counts != '1')}, not {arity}"
                yield self.at(use.rule, "arity", message, name)
            else:
                hint = nearest(name, (n for n, _ in known))
                yield self.at(use.rule, what, f"there is no {noun} '{name}'{hint}", name)

    def heads(self, name: str, arity: int) -> Iterator[PredicateUse]:
        """The occurrences of a predicate in heads."""
        return iter(self.derived.get((name, arity), ()))

    def arguments(self, signature: Signature, position: int, *, heads: bool) -> Iterator[tuple[PredicateUse, Term]]:
        """Yields one argument of a predicate in all heads or in all bodies; for a pool each alternative."""
        for use in (self.derived if heads else self.read).get(signature, ()):
            term = use.rule.argument(use.atom, position)
            if is_fixed(term):
                yield use, use.atom.args[position]
                continue
            for one in alternatives(term):
                yield use, Simplifier().simplify(one)

    @cached_property
    def conditions(self) -> frozenset[Signature]:
        """The predicates that conditions of sentences read."""
        texts = (text for doc in self.book.docs.values() for _, text in doc.reasons if text)
        return frozenset().union(*(condition_rule(text).uses for text in texts))

    # -- declarations ------------------------------------------------------------------------------------------------

    @cached_property
    def counters(self) -> frozenset[Signature]:
        """The terms that gain, lose and shift can have: counters without their number, and single pieces."""
        signatures = set()
        for name in ("counted", "stated", "signed", "unit"):
            own = [use.atom for use in self.heads(name, 2)]
            for counted, arity in (head.args for head in (*own, *self.declared[name, 2])):
                if isinstance(arity, Int):
                    signatures.add((label(counted), arity.value - (name != "unit")))
        return frozenset(signatures)

    @cached_property
    def steps(self) -> frozenset[Signature] | None:
        """The names of the steps; None if a declaration has a variable instead of a name."""
        return self._names_at("step", 1, 0)

    @cached_property
    def decisions(self) -> frozenset[Signature] | None:
        """The decisions that have actions; None if a declaration has a variable instead of a name."""
        return self._names_at("action", 2, 0)

    @cached_property
    def actions(self) -> frozenset[Signature] | None:
        """The names of the actions; None if a declaration has a variable instead of a name."""
        return self._names_at("action", 2, 1)

    def _names_at(self, name: str, arity: int, position: int) -> frozenset[Signature] | None:
        signatures = [functor(term) for _, term in self.arguments((name, arity), position, heads=True)]
        return None if None in signatures else frozenset(s for s in signatures if s)
