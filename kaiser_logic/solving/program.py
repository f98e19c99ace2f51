"""A program that is grounded in parts and solved under assumptions: the only module that gives rules to clingo.

Why it is right. Rules are printed by `lang.printer`, except that a variable that occurs once in a rule, in an atom that is not
negated, is printed as ``_``. Both mean that there is some value; clingo grounds ``_`` to fewer rules. The facts of a static
predicate are added when a rule first reads it. A later part defines only predicates that no earlier rule reads, so all
parts together are one program (module theorem); `SolverProgram.ground` checks this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..errors import NotDecided
from ..function_caches import cache_until_change
from ..lang.algebra import atoms, occurrences, rebuilt_literal, rename_predicates
from ..lang.graph import components
from ..lang.printer import show_literal
from ..lang.terms import (
    ANY,
    NOWHERE,
    Aggregate,
    Atom,
    Element,
    Fun,
    Int,
    Literal,
    Name,
    Rule,
    Signature,
    Term,
    Text,
    Var,
)
from ..wraparound import Places, find_wraparound, message_about
from .build import ChoiceRule, head_of
from .functional import dependencies

Line: TypeAlias = Rule | ChoiceRule
Assumed: TypeAlias = Sequence[tuple[clingo.Symbol, bool]]

_IF: Final = " :- "
OPTIONS: Final = ("--configuration=trendy", "--sat-prepro=1")
REFUTING, SEARCHING, PROBING = "vsids", "Berkmin", "unit"
"""Heuristics: one that is good if there is no model, one that is good at finding models, and one with lookahead.

Lookahead tries each atom both ways before it chooses (failed literals). It is slow, but finds what no single clause implies.
"""


class SolverProgram:
    """A program that is grounded in parts.

    Attributes:
        rules: The number of rules that were grounded.
        watched: The predicates that are read in models; all if it is empty, which takes longer than most calls of the solver.
    """

    def __init__(self, static: Mapping[Signature, Sequence[clingo.Symbol]], options: Iterable[str] = OPTIONS) -> None:
        """``static``: the facts of static predicates, added when a rule reads them; ``options``: of the solver."""
        self._control = clingo.control("--stats=0", *options)
        self.rules = 0
        self.watched: set[Signature] = set()
        self._static = static
        self._new: dict[Line, None] = {}
        self._all: set[Line] = set()
        self._facts: dict[clingo.Symbol, None] = {}
        self._given: set[Signature] = set()
        self._read: set[Signature] = set()
        self._derived: set[Signature] = set()
        self._parts: list[tuple[list[Line], list[clingo.Symbol]]] = []
        self._places = Places(self._control.symbolic_atoms)
        self._heuristic = REFUTING
        self._seen: list[tuple[clingo.Symbol, int]] | None = None

    def add(self, *lines: Line) -> None:
        """Adds rules and choices, without duplicates; `ground` grounds them."""
        self._new.update((line, None) for line in lines if line not in self._all)

    def tell(self, facts: Iterable[clingo.Symbol]) -> None:
        """Adds facts; `ground` grounds them."""
        self._facts.update(dict.fromkeys(facts))

    @property
    def lines(self) -> list[Line]:
        """The rules and choices that are not grounded yet."""
        return list(self._new)

    def extend(self, *lines: Line) -> None:
        """Adds rules, and grounds them."""
        self.add(*lines)
        self.ground()

    def minimise(self, costs: Mapping[Signature, int | None]) -> None:
        """Asks for models whose atoms of these predicates cost little.

        Args:
            costs: For each predicate the argument whose absolute value is what an atom costs; None where each costs 1.
        """
        weighted: list[tuple[int, int]] = []
        for signature, position in sorted(costs.items()):
            for symbol, literal in self.literals([signature]):
                cost = 1 if position is None else _size(symbol.arguments[position])
                if cost:
                    weighted.append((literal, cost))
        with self._control.backend() as backend:
            backend.add_minimize(0, weighted)

    def best(self, assumed: Assumed, conflicts: int) -> tuple[list[clingo.Symbol] | None, bool]:
        """The best model that is found, and whether it is proved to be optimal.

        If the budget yields no model, any model is looked for without a limit. None if there is no model.

        Args:
            assumed: The assumptions.
            conflicts: The budget, in conflicts.
        """
        solving: Any = self._control.configuration.solve
        symbols: list[clingo.Symbol] | None = None
        for effort, mode in ((str(conflicts), "opt"), ("umax", "ignore")):
            solving.solve_limit, solving.opt_mode = effort, mode
            with self._control.solve(assumptions=list(assumed), yield_=True) as handle:
                for model in handle:
                    symbols = list(model.symbols(atoms=True))
                    if mode == "ignore":
                        break
                exhausted = mode == "opt" and bool(handle.get().exhausted)
                if symbols is not None or exhausted:
                    return symbols, exhausted
        return symbols, False

    def ground(self) -> None:
        """Grounds what is new.

        Raises:
            AssertionError: A rule or fact defines a predicate that an earlier part reads.
            NotDecided: clingo cannot ground the program, or a calculation may leave 32 bits.
        """
        lines = list(self._new)
        facts = set(map(symbols.signature, self._facts))
        heads = {s for line in lines for s in _heads(line)} | facts
        late = heads & self._read
        if late:
            raise AssertionError(f"rules for {sorted(late)} come after they are read")
        lines += dependencies(lines, self._derived | facts | self._static.keys())
        self._derived |= heads
        reads = {s for line in lines for s in _reads(line)}
        given = list(self._facts)
        for signature in sorted(reads - self._given):  # the order of atoms decides which model the solver finds
            given += self._static.get(signature, ())
        self._given |= reads
        self._read |= reads
        with self._control.backend() as backend:
            for fact in given:
                backend.add_rule([backend.add_atom(fact)])
        part = f"part{len(self._parts)}"
        self._parts.append((lines, given))
        texts = list(map(print_line, lines))
        self._control.add(part, [], "\n".join(texts))
        try:
            self._control.ground([(part, [])])
        except RuntimeError as error:
            raise NotDecided(f"clingo cannot ground an encoding: {error}") from None
        self._refuse_wraparound(lines, texts)
        self.rules += len(lines)
        self._all.update(lines)
        self._new.clear()
        self._facts.clear()
        self._seen = None

    def _refuse_wraparound(self, lines: Sequence[Line], texts: Sequence[str]) -> None:
        """Raises NotDecided if a calculation of these lines may leave clingo's 32 bits."""
        text = find_wraparound(texts, self.all_atoms, self._places)
        if text is not None:
            place = getattr(lines[texts.index(text)], "place", NOWHERE)
            where = f"{place.file}:{place.line}" if place.file else text
            raise NotDecided(message_about(where))

    @property
    def source(self) -> tuple[str, ...]:
        """All rules that can fire, choices and facts, grounded or not, as sorted texts: what determines the models."""
        lines = [line for lines, _ in self._parts for line in lines] + list(self._new)
        facts = [fact for _, facts in self._parts for fact in facts] + list(self._facts)
        facts += (f for s in {s for line in lines for s in _reads(line)} for f in self._static.get(s, ()))
        lines = _that_can_fire(lines, set(map(symbols.signature, facts)))
        return (*sorted(set(map(print_line, lines))), *sorted(set(map(symbols.text, facts))))

    @property
    def text(self) -> str:
        """All that has been grounded, as the text of one program; without what is minimised."""
        rules = (print_line(line) for lines, _ in self._parts for line in lines)
        return "\n".join([*rules, *(f"{fact}." for _, facts in self._parts for fact in facts), ""])

    @property
    def all_atoms(self) -> clingo.SymbolicAtoms:
        """The atoms of the ground program."""
        return self._control.symbolic_atoms

    def atoms(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The atoms of a predicate in the ground program."""
        known = self.all_atoms.by_signature(self.ground_name((name, arity)), arity)
        return [a.symbol for a in known]

    def ground_name(self, signature: Signature) -> str:
        """The name of a predicate in the ground program."""
        return signature[0]

    def literals(self, signatures: Iterable[Signature]) -> list[tuple[clingo.Symbol, int]]:
        """The atoms of some predicates in the ground program, each with its literal."""
        return [(a.symbol, a.literal) for s in sorted(signatures) for a in self.all_atoms.by_signature(*s)]

    def decide(
        self, assumed: Assumed, conflicts: int, heuristic: str = REFUTING
    ) -> tuple[bool | None, list[clingo.Symbol]]:
        """Whether there is a model, and the watched atoms of one; None if the budget of conflicts runs out."""
        configuration: Any = self._control.configuration
        if heuristic != self._heuristic:
            self._heuristic = heuristic
            configuration.solver.lookahead = "atom" if heuristic == PROBING else "no"
            if heuristic != PROBING:
                configuration.solver.heuristic = heuristic
        if self._seen is None and self.watched:
            self._seen = self.literals(self.watched)
        return self._decide(assumed, conflicts, self._seen)

    def decide_literals(
        self,
        assumed: Sequence[int],
        conflicts: int,
        seen: Iterable[tuple[clingo.Symbol, int]] | None = None,
    ) -> tuple[bool | None, list[clingo.Symbol]]:
        """The same under assumed literals; ``seen``: the atoms to read in a model, with their literals; by default all."""
        return self._decide(assumed, conflicts, seen)

    def _decide(
        self, assumed: Sequence[Any], conflicts: int, seen: Iterable[tuple[clingo.Symbol, int]] | None
    ) -> tuple[bool | None, list[clingo.Symbol]]:
        configuration: Any = self._control.configuration
        configuration.solve.solve_limit = f"{conflicts},umax"
        with self._control.solve(assumptions=list(assumed), yield_=True) as handle:
            model = handle.model()
            if model is not None:
                if seen is None:
                    return True, list(model.symbols(atoms=True))
                return True, [symbol for symbol, literal in seen if model.is_true(literal)]
            result = handle.get()
        return (None if result.interrupted or result.unknown else False), []


class Shared(SolverProgram):
    """A program that merges predicates with the same rules.

    Two sets of rules for one position often differ in little; of all that they share only one copy is left. Predicates are
    compared after those that they read (by strongly connected components).
    """

    def __init__(self, static: Mapping[Signature, Sequence[clingo.Symbol]], options: Iterable[str] = OPTIONS) -> None:
        super().__init__(static, options)
        self._called: dict[Signature, str] = {}
        self._known: dict[frozenset[Rule], tuple[str, ...]] = {}
        self._defined: set[Signature] = set()

    def ground_name(self, signature: Signature) -> str:
        """The name of a predicate in the ground program: that of the predicate with which it was merged."""
        return self._called.get(signature, signature[0])

    def ground(self) -> None:
        """Merges predicates, and grounds what is left of the new rules."""
        self._all.update(self._new)
        self._new = dict.fromkeys(self._merge(list(self._new)))
        super().ground()

    def _merge(self, lines: Sequence[Line]) -> list[Line]:
        other = {s for line in lines if isinstance(line, ChoiceRule) for s in _heads(line)}
        other |= set(map(symbols.signature, self._facts))
        by: dict[Signature, list[Rule]] = {}
        rest: list[Line] = []
        for line in lines:
            if isinstance(line, Rule) and line.head is not None and head_of(line).signature not in other:
                by.setdefault(head_of(line).signature, []).append(line)
            else:
                rest.append(line)
        late = self._defined & (by.keys() | other)
        if late:
            raise AssertionError(f"more rules for {sorted(late)}")
        self._defined |= by.keys()
        merged: list[Line] = []
        for group in components(list(by), lambda s: [x for r in by[s] for x in _reads(r) if x in by]):
            merged += self._rules_of_component(sorted(group), by)
        return [*merged, *(rename_line(line, self._called) for line in rest)]

    def _rules_of_component(self, group: Sequence[Signature], by: Mapping[Signature, Sequence[Rule]]) -> list[Line]:
        """The rules of one component; none if earlier predicates have the same rules, with which they are merged then."""
        names = {**self._called, **{s: f"*{k}" for k, s in enumerate(group)}}
        key = frozenset(rename_predicates(Rule(r.head, r.body), names) for s in group for r in by[s])
        known = self._known.get(key)
        if known is not None:
            self._called.update((s, name) for s, name in zip(group, known, strict=True) if s[0] != name)
            return []
        self._known[key] = tuple(name for name, _ in group)
        return [rename_predicates(r, self._called) for s in group for r in by[s]]


def rename_line(line: Line, names: Mapping[Signature, str]) -> Line:
    """A rule or a choice with predicates renamed."""
    if isinstance(line, Rule):
        return rename_predicates(line, names)

    def rename(x: Any) -> Any:
        return rebuilt_literal(x, lambda t: t, lambda a: Atom(names.get(a.signature, a.name), a.args, a.sign))

    elements = tuple((rename(head), tuple(map(rename, condition))) for head, condition in line.elements)
    return ChoiceRule(elements, tuple(map(rename, line.body)), line.least, line.most)


def signatures(line: Line) -> set[Signature]:
    """The predicates of a rule or a choice."""
    return {*_heads(line), *_reads(line)}


def _that_can_fire(lines: list[Line], facts: set[Signature]) -> list[Line]:
    """The lines without rules that read an atom of which no line's head is an instance; ``facts``: predicates with facts."""
    while True:
        heads: dict[Signature, set[tuple[Term, ...]]] = {}
        for line in lines:
            chosen = [head for head, _ in line.elements] if isinstance(line, ChoiceRule) else line.heads
            for head in chosen:
                heads.setdefault(head.signature, set()).add(head.args)
        firing = [
            line
            for line in lines
            if all(
                x.signature in facts or any(all(map(may_be_equal, x.args, args)) for args in heads.get(x.signature, ()))
                for x in line.body
                if isinstance(x, Atom) and not x.sign
            )
        ]
        if len(firing) == len(lines):
            return firing
        lines = firing


def may_be_equal(one: Term, other: Term) -> bool:
    """Whether two terms may have a common instance; False only if they have none.

    >>> from ..lang.reader import read_term
    >>> may_be_equal(read_term("f(X,a)"), read_term("f(b,Y)")), may_be_equal(read_term("f(X,a)"), read_term("f(X,b)"))
    (True, False)
    """
    if isinstance(one, Fun) and isinstance(other, Fun):
        same = one.name == other.name and len(one.args) == len(other.args)
        return same and all(map(may_be_equal, one.args, other.args))
    fixed = (Fun, Int, Name, Text)
    return one == other or not (isinstance(one, fixed) and isinstance(other, fixed))


def _heads(line: Line) -> list[Signature]:
    if isinstance(line, ChoiceRule):
        return [head.signature for head, _ in line.elements]
    return [head.signature for head in line.heads]


def _reads(line: Line) -> list[Signature]:
    conditions = [c for _, condition in line.elements for c in condition] if isinstance(line, ChoiceRule) else []
    return [a.signature for a, _ in atoms((*line.body, *conditions))]


# -- printing --------------------------------------------------------------------------------------------------------


@cache_until_change(100_000)
def print_line(line: Line) -> str:
    """A rule or a choice as clingo reads it.

    >>> from ..lang.reader import read_rule
    >>> print_line(read_rule("p(X) :- q(X,Y), not r(X), #count { Z : s(Z,W) } > 1."))
    'p(X) :- q(X,_); not r(X); 1 < #count { Z: s(Z,_) }.'
    """
    if isinstance(line, ChoiceRule):
        return _printed_choice(line)
    once = _names_once(line)
    head = "" if line.head is None else show_literal(head_of(line))
    body = "; ".join(show_literal(_shorten(x, once)) for x in line.body)
    return f"{head}{_IF}{body}." if body else f"{head}."


def _printed_choice(line: ChoiceRule) -> str:
    once = _names_once((line.elements, line.body))
    elements = []
    for head, condition in line.elements:
        inner = ", ".join(show_literal(_shorten(x, once)) for x in condition)
        elements.append(f"{show_literal(head)} : {inner}" if inner else show_literal(head))
    body = "; ".join(show_literal(_shorten(x, once)) for x in line.body)
    least = "" if line.least is None else f"{line.least} "
    most = "" if line.most is None else f" {line.most}"
    return f"{least}{{ {'; '.join(elements)} }}{most}{_IF + body if body else ''}."


def _names_once(thing: Any) -> frozenset[str]:
    """The names of the variables that occur once."""
    return frozenset(name for name, n in Counter(occurrences(thing)).items() if n == 1)


def _shorten(literal: Literal, once: frozenset[str]) -> Literal:
    """A literal with ``_`` for these variables in atoms that are not negated."""

    def shorten(part: Term) -> Term:
        return ANY if isinstance(part, Var) and part.name in once else part

    if isinstance(literal, Atom):
        return literal if literal.sign else rebuilt_literal(literal, shorten)
    if isinstance(literal, Aggregate):
        elements = tuple(Element(e.terms, tuple(_shorten(x, once) for x in e.condition)) for e in literal.elements)
        return Aggregate(literal.function, elements, literal.guards, literal.sign)
    return literal


# -- symbols ---------------------------------------------------------------------------------------------------------


def _size(symbol: clingo.Symbol) -> int:
    """The absolute value of a number; 0 of anything else."""
    return abs(symbol.number) if symbol.type is clingo.SymbolType.Number else 0
