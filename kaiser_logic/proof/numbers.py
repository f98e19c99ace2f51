"""Numbers without a limit: when an open position, where they run up to a bound, stands for all of them.

Points have no end; in an open position they run to a bound, and from one below 0 where there can be less than nothing.
That is enough for a counter that the rules of a question read only at thresholds, ``points(R,N), N > 8``: if the bound is
so high that a counter there is above every threshold before the transition and after it, then any larger number behaves
as the bound does; likewise below. Where no rule compares a counter, any value behaves as any other. Everything else
that depends on such numbers (sums, differences, two of them compared) is not decided, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..rules.fresh import as_written
from ..rules.pattern import Signature, anonymous, show
from ..rules.predicates import BROKEN, broken
from ..rules.rule import TOKEN, Occurrence, Rule
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..transform.slicing import seeds

_Counter: TypeAlias = tuple[str, tuple[clingo.Symbol, ...]]
"""A counter: its name and its arguments but for the number."""
_NUMBER = re.compile(r"-?\d+")
_COMPARED = re.compile(r"(.+?)\s*(<=|>=|!=|<|>|=)\s*(.+)")


@lru_cache(maxsize=4)
def cut(sorts: Domains) -> frozenset[Signature]:
    """The fluents that are not all in an open position, as the numbers in them run up to a bound."""
    return frozenset(map(symbols.signature, set(sorts.wide) - set(sorts.fluents)))


@lru_cache(maxsize=4)
def in_order(sorts: Domains) -> Sequence[Sequence[tuple[int, clingo.Symbol]]]:
    """The fluents that end in a number, each with it: those together that differ in nothing else, in order."""
    found: dict[_Counter, list[tuple[int, clingo.Symbol]]] = {}
    for f in sorts.fluents:
        *rest, last = f.arguments or [f]
        if last.type is clingo.SymbolType.Number:
            found.setdefault((f.name, tuple(rest)), []).append((last.number, f))
    return [sorted(found[key]) for key in sorted(found, key=str)]


def clipped(facts: frozenset[clingo.Symbol], sorts: Domains) -> frozenset[clingo.Symbol]:
    """The position with each counter that exceeds a bound at the bound."""
    kinds, ends = cut(sorts), _ends(sorts)
    return frozenset(_clipped(f, ends) if symbols.signature(f) in kinds else f for f in facts)


def _clipped(fact: clingo.Symbol, ends: Mapping[_Counter, tuple[int | None, int]]) -> clingo.Symbol:
    """A fact, with its number at the bound where it exceeds that."""
    if not fact.arguments or fact.arguments[-1].type is not clingo.SymbolType.Number:
        return fact
    there = fact.arguments[-1].number
    least, most = ends.get((fact.name, tuple(fact.arguments[:-1])), (there, there))
    kept = min(most, there if least is None else max(least, there))
    return fact if kept == there else clingo.Function(fact.name, [*fact.arguments[:-1], clingo.Number(kept)])


@lru_cache(maxsize=1)
def _ends(sorts: Domains) -> Mapping[_Counter, tuple[int | None, int]]:
    """Of each counter that is cut the lowest and the highest number that there is in an open position.

    The lowest is None where there is none below it: the counter is cut above only.
    """
    kinds = cut(sorts)
    narrow, wide = (
        {
            (name, rest): (min(0, *numbers), max(0, *numbers))
            for (name, rest), numbers in _numbers(fluents, kinds).items()
        }
        for fluents in (sorts.fluents, sorts.wide)
    )
    return {key: (least if wide[key][0] < least else None, most) for key, (least, most) in narrow.items()}


def _numbers(fluents: Iterable[clingo.Symbol], kinds: Collection[Signature]) -> dict[_Counter, list[int]]:
    """The numbers at the end of these kinds of fluents, by what stands before them."""
    found: dict[_Counter, list[int]] = {}
    for fact in fluents:
        if symbols.signature(fact) in kinds and fact.arguments[-1].type is clingo.SymbolType.Number:
            key = fact.name, tuple(fact.arguments[:-1])
            found.setdefault(key, [0]).append(fact.arguments[-1].number)
    return found


class Thresholds:
    """How rules read numbers that are cut at a bound.

    A rule that demands a fact of a predicate that has none, and never will, fires never, and reads nothing.

    Attributes:
        compared: The numbers that a cut counter is compared with: the lowest and the highest; none where it is with none.
        others: The rules that read such numbers otherwise, in words.
        reading: The rules that compare such a number.
    """

    def __init__(self, ruleset: Ruleset, rules: Iterable[Rule], kinds: Collection[Signature]) -> None:
        """Of these rules, where these fluents are cut."""
        self._ruleset = ruleset
        self._kinds = kinds
        self._counters = ruleset.book.counters
        self.compared: tuple[int, ...] = ()
        self.others: list[str] = []
        self.reading: list[Rule] = []
        for rule in rules:
            self._look(rule)

    def _look(self, rule: Rule) -> None:
        if rule.file == "generated" or (all(h.signature == ("fluent", 1) for h in rule.heads) and rule.heads):
            return
        static = self._ruleset.static
        if any(a.signature in static and not self._ruleset.facts(*a.signature) for a in rule.positive):
            return
        for atom in rule.atoms:
            if atom.place == "head":
                if any(_names(arg, s) for arg in atom.args for s in self._kinds) and atom.name in (
                    "add",
                    "del",
                ):
                    self._other(rule)
            elif atom.signature in self._kinds:
                self._reads(rule, atom)

    def _other(self, rule: Rule) -> None:
        self.others.append(f"{rule.file}:{rule.line}: {rule.text}")

    def _reads(self, rule: Rule, atom: Occurrence) -> None:
        """Enters how a rule reads one such fluent."""
        if atom.signature not in self._counters:
            if not all(map(anonymous, atom.args)):
                self._other(rule)
            return
        if not self._counters[atom.signature]:
            self._compares(rule, 0, 0)  # that it is there says that it is more than nothing
        text = rule.argument(atom, len(atom.args) - 1).strip()
        if text == "_":
            return
        if _NUMBER.fullmatch(text):
            self._compares(rule, int(text), int(text))
        elif re.fullmatch(r"_*[A-Z]\w*", text) and atom.place == "positive":
            for values in self._compared(rule, atom, text):
                if values is None:
                    self._other(rule)
                    return
                self._compares(rule, *values)
        else:
            self._other(rule)

    def _compares(self, rule: Rule, least: int, most: int) -> None:
        """Enters that a number is compared with some between these."""
        self.reading.append(rule)
        self.compared = min([least, *self.compared[:1]]), max([most, *self.compared[1:]])

    def _compared(self, rule: Rule, atom: Occurrence, variable: str) -> Iterator[tuple[int, int] | None]:
        """What a counter's number is compared with, at least and at most; None where it is used in another way."""
        uses = TOKEN.findall(rule.text).count(variable) - 1
        for head in rule.heads:
            witness = head.signature == BROKEN and variable not in TOKEN.findall(rule.argument(head, 0))
            if witness:
                uses -= TOKEN.findall(rule.argument(head, 1)).count(variable)
        for literal in rule.literals:
            if literal.signature is not None or "#" in literal.text or ":" in literal.text:
                continue
            found = _COMPARED.fullmatch(literal.text)
            tokens = TOKEN.findall(literal.text)
            if found is None or variable not in tokens or tokens.count(variable) != 1:
                continue
            one, other = found[1].strip(), found[3].strip()
            if variable not in (one, other):
                continue
            uses -= 1
            yield self._span(rule, other if one == variable else one)
        if uses:
            yield None

    def _span(self, rule: Rule, text: str) -> tuple[int, int] | None:
        """The smallest and the largest value of a term that never changes, or None."""
        if _NUMBER.fullmatch(text):
            return int(text), int(text)
        tokens = TOKEN.findall(text)
        if not all(t.isdigit() or t in "+()" or re.fullmatch(r"_*[A-Z]\w*", t) for t in tokens):
            return None
        least = most = 0
        for token in tokens:
            if token.isdigit():
                least, most = least + int(token), most + int(token)
            elif token not in "+()":
                values = self._values(rule, token)
                if values is None:
                    return None
                least, most = least + min([0, *values]), most + max([0, *values])
        return least, most

    def _values(self, rule: Rule, variable: str) -> list[int] | None:
        """The numbers in the facts that bind a variable, where these never change."""
        for atom in rule.positive:
            places = [i for i in range(len(atom.args)) if rule.argument(atom, i).strip() == variable]
            if places and atom.signature in self._ruleset.static:
                facts = self._ruleset.facts(*atom.signature)
                values = [f.arguments[i] for f in facts for i in places]
                if all(v.type is clingo.SymbolType.Number for v in values):
                    return [v.number for v in values]
        return None


def _names(arg: object, signature: Signature) -> bool:
    name, arity = signature
    if not isinstance(arg, tuple) or arg[0] == "v":
        return False
    return bool(arg[1] == name and (len(arg[2]) if arg[0] == "f" else 0) == arity)


def beyond(encoding: Encoding, control: clingo.Control, sorts: Domains) -> str | None:
    """Why larger numbers may behave otherwise than those of an open position, in words; None where they do not.

    Args:
        encoding: Of a question.
        control: In which it is grounded: what may change is read there.
        sorts: The encoding's.
    """
    kinds = cut(sorts)
    if not kinds:
        return None
    limited = no_counter(sorts, kinds.intersection(encoding.ruleset.book.counters))
    if limited is not None:
        return limited
    summed = next((m for m in sorts.measures if _of_kind(m.arguments[1]) in kinds), None)
    if summed is not None:
        return f"it depends on numbers beyond any bound: {summed.arguments[0]} counts {summed.arguments[1]}"
    found = Thresholds(encoding.ruleset, encoding.origins, kinds)
    if found.others:
        return f"it depends on numbers beyond any bound: {found.others[0]}"
    if not found.compared:
        return None
    falls, rises = _changes(encoding, control, kinds)
    place = f"{found.reading[0].file}:{found.reading[0].line}"
    names = ", ".join(sorted({name for name, _ in kinds}))
    for least, most in sorted(set(_ends(sorts).values()), key=str):
        if most + falls <= found.compared[1]:
            return f"it depends on {names} beyond {most}: {place}"
        if least is not None and least + rises >= found.compared[0]:
            return f"it depends on {names} below {least}: {place}"
    return None


def unlimited(ruleset: Ruleset, sorts: Domains, names: Iterable[str]) -> set[str]:
    """Those of these invariants whose own rules read numbers without a limit otherwise than at thresholds."""
    kinds = cut(sorts)
    if not kinds:
        return set()
    start = seeds(None, None)
    rules = {name: ruleset.judging.slice(start, [broken(name)]) for name in names}
    return {name for name, its in rules.items() if Thresholds(ruleset, its, kinds).others}


def decided(encoding: Encoding, control: clingo.Control) -> None:
    """Nothing, where an open position stands for all; raises NotDecided, with the reason, where it does not."""
    why = beyond(encoding, control, encoding.domains)
    if why is not None:
        raise NotDecided(why)


def listed(kinds: Iterable[ActionKind]) -> str | None:
    """Why some actions of these kinds are in no open position, in words; None where all are."""
    endless = [as_written(show(k.action)) for k in kinds if re.search(r"\bnumber\(", k.guard)]
    return f"the numbers in {endless[0]} have no end" if endless else None


@lru_cache(maxsize=4)
def no_counter(sorts: Domains, counters: frozenset[Signature]) -> str | None:
    """Why a fluent that is cut is no counter without an end: it ends above the bound, or has such a number elsewhere.

    Args:
        sorts: The open position's.
        counters: Those of the counters that are cut.
    """
    endless = {s.arguments[0] for s in sorts.most if s.name == "endless"}
    keys = [
        {clingo.Function(f.name, f.arguments[:-1]) for f in group if symbols.signature(f) in counters}
        for group in (sorts.fluents, sorts.wide)
    ]
    beside = sorted((keys[1] - keys[0]) | (keys[0] - endless))
    return f"it depends on numbers beyond the bound, of {beside[0]}" if beside else None


def _of_kind(counter: clingo.Symbol) -> Signature:
    """The fluent that states the number of a counter."""
    return counter.name, len(counter.arguments) + 1


def _changes(encoding: Encoding, control: clingo.Control, kinds: Collection[Signature]) -> tuple[int, int]:
    """By how much a cut counter can fall (0 or less) and rise (0 or more) in the encoding's transitions, together."""
    falls = rises = 0
    for transition in encoding.transitions:
        name = encoding.effect(("change", 2), transition)
        changes = [0]
        for atom in control.symbolic_atoms.by_signature(name, 2):
            counter, number = atom.symbol.arguments
            if _of_kind(counter) in kinds and number.type is clingo.SymbolType.Number:
                changes.append(number.number)
        falls, rises = falls + min(changes), rises + max(changes)
    return falls, rises
