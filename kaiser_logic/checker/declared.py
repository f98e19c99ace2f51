"""What a rulebook declares: its vocabulary, counters, measures and transitions, and the rules that follow from these.

*Static* predicates depend on no position and no action. clingo derives them once; they are facts everywhere else. All
others are *dynamic*. The generated rules are written here anew (the engine has its own copy, which the checker does not
read):

* a counter that changes by D has the value N+D afterwards. A counter that is not stated has no fact for zero;
* a piece that is gained is there afterwards; one that is lost is not;
* ``total(L,N)`` is the sum of what is counted, for each measure with a limit or a range. It has a value only within these
  numbers. That a total is within its limits is assumed of a position and asked of the next one (claim ``limit``), and that
  it is within its range is a claim about positions (``range``).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from .. import clingo
from ..wraparound import LARGEST
from . import sets
from .text import (
    INTERNAL,
    TRANSIENT,
    Book,
    NotCovered,
    Signature,
    WrittenRule,
    by_head,
    dependents,
    functor,
    functor_of,
    ground_exactly,
    kind,
    nodes,
    predicates,
    rules_of,
    signature,
    signatures,
    variables,
)

SEAT, DUE, DECISION, TOTAL = ("seat", 2), ("due", 1), ("decision", 2), ("total", 2)
ADD, DEL, GAIN, LOSE, SHIFT = ("add", 1), ("del", 1), ("gain", 3), ("lose", 3), ("shift", 4)
BROKEN, WRONG, VIOLATES, COUNTS = ("broken", 2), ("wrong", 2), ("violates", 3), ("counts", 3)
_EFFECTS: Final = frozenset({ADD, DEL, GAIN, LOSE, SHIFT})
RESERVED: Final = TRANSIENT | INTERNAL | _EFFECTS | predicates(
    "broken/2 wrong/2 violates/3 counts/3 due/1 fluent/1 action/2 step/1 limit/3 range/3 init/1 number/1 start/2"
    " ruling/2 waived/1"
)  # fmt: skip
"""No fluent may have such a name."""
_BOARDS: Final = predicates("board_fact/1 board_broken/2")
"""Rules for board files, which the checker does not read."""
_NO_RULES: Final = TRANSIENT | _EFFECTS | predicates(
    "board/1 number/1 seat/2 start/2 ruling/2 due/1 limit/3 range/3 bound/2 counts/3 simultaneous/1 party/2 terminal/0 goal/2"
    " waived/1 presumed/1 may_decide/2 enter/1 score/3 violates/3"
)  # fmt: skip
"""Predicates that a rule may read although a rulebook has no rule for them: then they hold of nothing, but for what is given."""
_STATIC: Final = predicates(
    "fluent/1 step/1 init/1 waived/1 presumed/1 simultaneous/1 thing/3 counted/2 stated/2 signed/2 unit/2 bound/2 limit/3 range/3"
)
"""Declarations: they may not depend on a position."""
_NAMING: Final = predicates("counted/2 stated/2 signed/2 unit/2 simultaneous/1")
"""Declarations of a name alone."""
OWN_NAMES: Final = ("vocabulary", "count", "limit", "exclusive", "range", "enumeration", "seats")
"""The names of the tool's own claims, which no rulebook may use."""
CHANGE: Final = 40
"""A counter may change by so much at once. That no more happens is a part of the claim ``count``, but see `numbers`."""


def pattern(one: Signature, last: str | None = None) -> str:
    """An atom of a predicate, with variables for its arguments; ``last``: the text of the last one."""
    args = [f"X{k}" for k in range(one[1])]
    if last is not None:
        args[-1] = last
    return f"{one[0]}({','.join(args)})" if args else one[0]


def counter_term(one: Signature) -> str:
    """A counter: the pattern of its fact without the number."""
    return pattern((one[0], one[1] - 1))


def change_of(thing: str) -> str:
    """How much a counter or a piece changes: its gains less its losses."""
    return f"#sum{{ M,V,up : gain({thing},M,V) ; -M,V,down : lose({thing},M,V) }}"


class Declared:
    """What a book declares.

    Attributes:
        book: The book.
        facts: The static facts, without those of ``fluent``, ``number`` and ``action``.
        vocabulary: The facts that an open position may have, where numbers without a limit end at `top`.
        wide: The same for the next position: such numbers end `CHANGE` later.
        top: The largest value of numbers without a limit in an open position.
        counters: Each counter, and whether its zero is stated.
        unlimited: The counters that may have any number.
        dynamic: The dynamic predicates.
    """

    def __init__(self, book: Book, top: int | None = None) -> None:
        """Grounds the static rules.

        Raises:
            NotCovered: Something in the declarations is not known to the checker.
        """
        self.book = book
        self.top = book.bound if top is None else top
        self.sets = "sets" in book.manifest.get("engine", ())
        self._refuse_unknown()
        heads = by_head(book.rules)
        fluents = {f for r in heads.get(("fluent", 1), ()) if (f := functor(r.args[0])) is not None}
        changing = fluents - {SEAT} | TRANSIENT | INTERNAL | _EFFECTS | predicates("due/1 chosen__/3 stand_in__/2")
        self.dynamic = dependents(changing, book.rules)
        # in a position nothing is done, so what follows from an action would never break an invariant, and count nothing
        for one in sorted({COUNTS, BROKEN} & dependents(TRANSIENT - {TOTAL}, book.rules)):
            raise NotCovered(f"{one[0]}/{one[1]} depends on what is done")
        for one in sorted(_STATIC & self.dynamic):
            raise NotCovered(f"{one[0]}/{one[1]} depends on the position or on what is done")
        self._ground([r for r in book.rules if r.head not in self.dynamic and r.head not in _BOARDS | {("action", 2)}])
        self.fluents = frozenset(functor_of(f) for f in self.vocabulary)
        self._declarations()

    def _refuse_unknown(self) -> None:
        """Refuses predicates that nothing defines, and what only the checker may define."""
        heads = {r.head for r in self.book.rules} - _BOARDS
        fluents = {functor(r.args[0]) for r in self.book.rules if r.head == ("fluent", 1)}
        if None in fluents:
            raise NotCovered("a fluent that is a variable")
        for rule in self.book.rules:
            unknown = rule.reads - heads - fluents - _NO_RULES - {SEAT}
            if unknown and rule.head not in _BOARDS:
                raise NotCovered(f"{rule.file}: nothing defines {sorted(unknown)[0][0]}: {rule.text}")
            if rule.head in fluents | {SEAT, DUE}:
                raise NotCovered(f"{rule.file}: a rule for the fluent {rule.head[0]}")
            for one in sorted(rule.reads & {("action", 2), ("fluent", 1)}):
                raise NotCovered(f"{rule.file}: a rule that reads the declarations of {one[0]}: {rule.text}")
            if rule.reads & {BROKEN, WRONG}:  # the programs have these rules claim by claim
                raise NotCovered(f"{rule.file}: a rule that reads what a claim says: {rule.text}")
            if ("number", 1) in rule.reads and rule.head not in {("fluent", 1), *_BOARDS}:
                raise NotCovered(f"{rule.file}: number/1 in {rule.text}")
            if rule.head in (BROKEN, WRONG):
                name = functor(rule.args[0])
                if name is None or name[1] or name[0] in OWN_NAMES:
                    raise NotCovered(f"{rule.file}: a claim with such a name: {rule.text}")
        for reserved in RESERVED & fluents:
            raise NotCovered(f"a fluent with the name {reserved[0]}")

    def _ground(self, rules: Iterable[WrittenRule]) -> None:
        """Derives the static facts: once with the numbers of an open position, once with more of them."""
        rules = list(rules)
        number = [r for r in rules if ("number", 1) in r.reads]
        self.unlimited = frozenset(map(_endless, number))
        for rule in rules:
            if rule.head == ("fluent", 1) and functor(rule.args[0]) in self.unlimited and rule not in number:
                raise NotCovered(f"{rule.file}: a fluent with numbers of two kinds: {rule.text}")
        text = "\n".join([*(r.text for r in rules), *self.book.settings.facts()])
        self.by: dict[Signature, list[clingo.Symbol]] = {}
        for symbol in _facts(f"{text}\nnumber(0..{self.top})."):
            self.by.setdefault((symbol.name, len(symbol.arguments)), []).append(symbol)
        wide = _facts(f"{text}\nnumber(0..{self.top + CHANGE}).") if number else []
        self.vocabulary = sorted(s.arguments[0] for s in self.by.pop(("fluent", 1), []))
        self.wide = sorted(s.arguments[0] for s in wide if s.name == "fluent") if number else self.vocabulary
        self.by.pop(("number", 1), None)
        self.facts = sorted(s for symbols in self.by.values() for s in symbols)
        # the play starts with all of them, and no other fact of a seat may be possible
        seats = set(self.by.get(SEAT, ()))
        first = {s.arguments[0] for s in self.by.get(("init", 1), ()) if functor_of(s.arguments[0]) == SEAT}
        if seats != {f for f in self.vocabulary if functor_of(f) == SEAT} or not first <= seats:
            raise NotCovered("the facts of seats are not those of the settings")
        if any(f.type is not clingo.SymbolType.Function or not f.name for f in self.vocabulary):
            raise NotCovered("a fluent that is no term")
        if any(map(_has_sign, (*self.facts, *self.vocabulary))):
            raise NotCovered("a static fact has a term with a sign, such as -x")
        for one in sorted(_NAMING):
            if any(fact.arguments[0].arguments for fact in self.by.get(one, ())):
                raise NotCovered(f"{one[0]}/{one[1]} of something that is no name")

    def _declarations(self) -> None:
        counted, stated, self.signed, self.units = (
            {(s.arguments[0].name, s.arguments[1].number) for s in self.by.get((name, 2), ())}
            for name in ("counted", "stated", "signed", "unit")
        )
        stated |= self.signed
        self.counters = {one: one in stated for one in sorted(counted | stated)}
        # gains name a counter without its number, so a piece of that name would be the same to them
        named = self.counters.keys() | {(name, n - 1) for name, n in self.counters}
        if counted & stated or self.units & named or any(n < 1 for _, n in self.counters):
            raise NotCovered("a fluent that is declared in two ways")
        for fact in self.vocabulary:
            if functor_of(fact) in self.counters:
                value = fact.arguments[-1]
                if value.type is not clingo.SymbolType.Number:
                    raise NotCovered(f"the counter {fact} has no number")
                if value.number < 0 and functor_of(fact) not in self.signed:
                    raise NotCovered(f"the counter {fact} is negative")
        if self.unlimited - self.counters.keys():
            raise NotCovered("a number without a limit that is no counter")
        for fact in (*self.by.get(("limit", 3), ()), *self.by.get(("range", 3), ())):
            if any(x.type is not clingo.SymbolType.Number for x in fact.arguments[1:]):
                raise NotCovered(f"the limits of {fact} are no numbers")
            if fact.arguments[2].number == LARGEST:
                raise NotCovered(f"the interval of {fact} does not end in clingo")
        self.steps = sorted(s.arguments[0] for s in self.by.get(("step", 1), ()))
        self.decisions = sorted({f.arguments[1] for f in self.vocabulary if functor_of(f) == DECISION})
        for one in (*self.steps, *self.decisions):
            if one.type is not clingo.SymbolType.Function or not one.name:
                raise NotCovered(f"the decision or step {one}")
        self.simultaneous = {str(s.arguments[0]) for s in self.by.get(("simultaneous", 1), ())}
        self.waived = {str(s.arguments[0]) for s in self.by.get(("waived", 1), ())}

    def generated_rules(self) -> list[WrittenRule]:
        """The rules that follow from declarations. The rules of ``engine/change.lp`` are among them."""
        lines = [
            "del(decision(R,D)) :- made(R,D).",
            "del(due(S)) :- due(S).",
            "lose(X,N,out(Y,V)) :- shift(X,Y,N,V).",
            "gain(Y,N,into(X,V)) :- shift(X,Y,N,V).",
            "touched(X) :- gain(X,_,_).",
            "touched(X) :- lose(X,_,_).",
            f"change(X,N) :- touched(X), N = -{CHANGE}..{CHANGE}, N = {change_of('X')}.",
            "total(L,N) :- summed__(L), limit(L,A,B), N = A..B, N = #sum{ W,X : counts(L,X,W) }.",
            "total(L,N) :- summed__(L), range(L,A,B), N = A..B, N = #sum{ W,X : counts(L,X,W) }.",
        ]
        for one, stated in self.counters.items():
            now, counter = pattern(one, "N"), counter_term(one)
            least = "" if one in self.signed else f", N+D {'>=' if stated else '>'} 0"
            lines.append(f"del({now}) :- change({counter},D), D != 0, {now}.")
            lines.append(f"add({pattern(one, 'N+D')}) :- change({counter},D), D != 0, {now}{least}.")
            if not stated:
                lines.append(f"add({pattern(one, 'D')}) :- change({counter},D), D > 0, not {pattern(one, '_')}.")
        for one in sorted(self.units):
            lines += [
                f"del({pattern(one)}) :- lose({pattern(one)},_,_).",
                f"add({pattern(one)}) :- gain({pattern(one)},_,_).",
            ]
        return [*rules_of("\n".join(lines), GENERATED)]

    @cached_property
    def rules(self) -> list[WrittenRule]:
        """All dynamic rules, without the move generator and what concerns boards and the ends of games only."""
        given = [
            r
            for r in self.book.rules
            if r.head in self.dynamic and r.head not in {("candidate", 2), ("action", 2), *_BOARDS}
        ]
        if not self.sets:
            return given + self.generated_rules()
        own = [r for r in given if r.file != "engine/sets.lp"]
        actions = self.book.by_head.get(("action", 2), [])
        every = [r for r in self.book.rules if r.file != "engine/sets.lp" and r.head != ("action", 2)]
        sets.check(every, actions, self.by.get(("thing", 3), []), RESERVED | {("score", 3)})
        replaced = rules_of(sets.RULES, GENERATED)
        return [*(r for r in own if r.head != sets.LISTED), *replaced, *self.generated_rules()]

    @property
    def generator(self) -> list[WrittenRule]:
        """The rules of the move generator."""
        return [r for r in self.book.rules if r.head == ("candidate", 2)]

    @cached_property
    def invariants(self) -> list[str]:
        """The names of the rulebook's invariants."""
        return sorted({str(r.args[0]) for r in self.book.rules if r.head == BROKEN})

    @cached_property
    def claims(self) -> list[str]:
        """The names of the rulebook's claims about moves."""
        return sorted({str(r.args[0]) for r in self.book.rules if r.head == WRONG})

    def thing(self, fact: clingo.Symbol) -> clingo.Symbol:
        """The counter or the piece that a fact is about."""
        counts = functor_of(fact) in self.counters
        return clingo.Function(fact.name, fact.arguments[:-1]) if counts else fact

    @cached_property
    def measures(self) -> tuple[list[clingo.Symbol], set[clingo.Symbol]]:
        """``measure__(L,X,W)``, X counts W for each unit of it in the measure L; and the measures that are not *regular*.

        A measure is regular if each rule for it reads one fact and else static facts only, so that the fact counts the same
        whatever else holds; and if each fact ``c(A,N)`` of a counter counts W*N for ``c(A)``, and each piece W for itself. Then
        the sum is linear in the numbers of the counters and pieces: of each X one fact counts, so no two facts share an
        element ``W,X`` of the sum.
        """
        lines, odd = [], set[Signature | None]()
        # a decision also goes when it is made, a step when it is done, and what is derived follows no gains
        countable = (self.units | self.counters.keys() - self.unlimited) & self.fluents - {DECISION}
        for rule in self.book.by_head.get(COUNTS, ()):
            read = [n for n in nodes(rule.body) if kind(n) == "SymbolicAtom" and signature(n) in self.dynamic]
            one = signature(read[0]) if len(read) == 1 and str(read[0]) in map(str, rule.body) else None
            if one in countable and "_" not in map(str, nodes(read)):
                lines.append(rule.at_head(f"counts__({','.join(map(str, [*rule.args, *read]))})"))
            else:
                odd.add(functor(rule.args[0]))
        irregular = {s.arguments[0] for n in ("limit", "range") for s in self.by.get((n, 3), ())
                     if None in odd or functor_of(s.arguments[0]) in odd}  # fmt: skip
        values: dict[clingo.Symbol, dict[clingo.Symbol, int]] = {}
        for fact in self.vocabulary:
            number = fact.arguments[-1].number if functor_of(fact) in self.counters else 1
            values.setdefault(self.thing(fact), {})[fact] = number
        given = [f for f in self.vocabulary if functor_of(f) != SEAT]
        weights: dict[tuple[clingo.Symbol, clingo.Symbol], dict[clingo.Symbol, clingo.Symbol]] = {}
        for symbol in _facts("\n".join(lines), [*self.facts, *given]):
            if symbol.name == "counts__":
                measure, what, weight, fact = symbol.arguments
                known = weights.setdefault((measure, what), {}).setdefault(fact, weight)
                if what != self.thing(fact) or known != weight or weight.type is not clingo.SymbolType.Number:
                    irregular.add(measure)
        found = []
        for (measure, what), counted in weights.items():
            if measure not in irregular:
                pairs = [(n, counted[f].number if f in counted else 0) for f, n in values[what].items()]
                each = next((counts // n for n, counts in pairs if n), 0)
                if any(counts != each * n for n, counts in pairs):
                    irregular.add(measure)
                found.append(clingo.Function("measure__", [measure, what, clingo.Number(each)]))
        return sorted(found), irregular


GENERATED: Final = "generated"
TOO_MUCH: Final = (
    f"much__(X) :- touched(X), not endless__(X), {change_of('X')} > {CHANGE}.",
    f"much__(X) :- touched(X), {change_of('X')} < -{CHANGE}.",
    f"change(X,{CHANGE}) :- touched(X), endless__(X), {change_of('X')} > {CHANGE}.",
)
"""Where a counter changes by more than the program has numbers for. ``endless__(X)``: `CHANGE` stands for more (`numbers`)."""


def _endless(rule: WrittenRule) -> Signature:
    """The counter without a limit that a rule declares: ``fluent(points(R,N)) :- player(R), number(N)``, or ``-N``."""
    term = rule.args[0]
    name = functor(term)
    number = term.arguments[-1] if kind(term) == "Function" and term.arguments else None
    if number is not None and kind(number) == "UnaryOperation" and str(number) == f"-{number.argument}":
        number = number.argument
    if name is None or number is None or kind(number) != "Variable":
        raise NotCovered(f"{rule.file}: number/1 in {rule.text}")
    others = [x for x in rule.body if str(x) != f"number({number})"]
    if (
        len(others) + 1 != len(rule.body)
        or number.name in variables([others, list(term.arguments[:-1])])
        or ("number", 1) in signatures(others)  # a second number would end where this one does
    ):
        raise NotCovered(f"{rule.file}: number/1 in {rule.text}")
    return name


def _has_sign(symbol: clingo.Symbol) -> bool:
    """Whether a term has a part such as ``-x``. Its name and its arguments are those of ``x``."""
    if symbol.type is not clingo.SymbolType.Function:
        return False
    return symbol.negative or any(map(_has_sign, symbol.arguments))


def _facts(text: str, given: Iterable[clingo.Symbol] = ()) -> list[clingo.Symbol]:
    """The facts that rules derive. All that they derive must be facts, as it is where rules are stratified."""
    ground = ground_exactly(text, given)
    found = [a.symbol for a in ground.symbolic_atoms if a.is_fact]
    if len(found) < len(ground.symbolic_atoms):
        raise NotCovered("static rules that are not stratified")
    return found
