"""Whether a ground program may hold a number that is wrong because clingo computes with 32 bits.

clingo wraps around silently: 2147483647 + 1 is -2147483648. A proof over such numbers would be false. So a program that
stands for many positions is looked at after grounding: each calculation of each rule is estimated by intervals.

Why it is right. Suppose that a calculation leaves 32 bits, and take the first that does. All numbers before it are right, and
the atoms of the ground program contain them. A variable that stands in a positive literal has a value that stands at the same
place in an atom of this predicate. So it lies between the smallest and the largest number there. Any other variable equals a term
whose variables are known before it. The interval of a calculation is computed with numbers of any size from those of its
variables, so it contains the number that left 32 bits. A variable of which nothing is known counts as too large. A sum counts
all tuples that there can be, with the largest weight. What clingo inverts (it finds X in ``p(X+1)``) is a calculation, too. It
folds ``c*(X+k)`` to ``c*X+c*k``: the numbers of this form, and the difference by which it is inverted, are calculations as well.

>>> from .clingo import ground
>>> text = "p(1..9). q(X*X*300000000) :- p(X)."
>>> control = ground(text, [])
>>> find_wraparound([text], control.symbolic_atoms)
'p(1..9). q(X*X*300000000) :- p(X).'
>>> find_wraparound(["q(X*X) :- p(X)."], control.symbolic_atoms) is None
True
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from . import clingo
from .errors import NotDecided
from .function_caches import cache_until_change

LARGEST: Final = 2**31 - 1
"""The largest number of clingo."""
_MOST_COMPARED: Final = LARGEST - 2
"""The largest number in an aggregate: clingo adds its total, a guard and one when it compares."""
_CALCULATES: Final = re.compile(r"[+*/\\&?^~|]|(?<!:)-|#(?:sum|min|max)|\d{10}|0[xob]\w{8}")
_MULTIPLIES: Final = re.compile(r"[*^~]|#sum|\d{8}")
_FOLDS: Final = re.compile(r"\*.*[+-]|[+-].*\*", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_NUMBER: Final = re.compile(r"\b\d{10,}|\b0[xob]\w{8,}")

Term: TypeAlias = tuple[Any, ...]
"""
A term: ``("var", name)``, ``("int", number)``, ``("fun", name, *terms)``, ``(operation, *terms)``, ``("one of", *terms)``,
``("range", low, high)``, ``("at", predicate, path)``: what stands there in its atoms, ``("part", term, path)``, ``("sum", k)``.
"""
Signature: TypeAlias = tuple[str, int]
Path: TypeAlias = tuple[tuple[str, int, int], ...]
"""A way into a term: for each step the name and the arity of a function, and which argument."""


class Interval(NamedTuple):
    """What a term can be: its smallest and largest number, none if ``low > high``; and how many values it can have at most."""

    low: float
    high: float
    values: float

    @property
    def size(self) -> float:
        """The largest absolute value of a number."""
        return max(abs(self.low), abs(self.high)) if self.low <= self.high else 0


class Sum(NamedTuple):
    """An aggregate: for each element the weight, the whole tuple, and its positive atoms; what it is compared with.

    The number of tuples is the sum of ones.
    """

    function: int
    elements: tuple[tuple[Term, Term, tuple[Term, ...]], ...]
    guards: tuple[Term, ...]


NOTHING: Final = Interval(1, 0, 0)
ANYTHING: Final = Interval(-math.inf, math.inf, math.inf)


class Statement:
    """What a statement calculates.

    Attributes:
        places: For each variable where it stands in positive literals.
        sources: For each variable the terms that it equals.
        calculations: The operations.
        sums: The sums.
        folds: Whether there is a term of one variable with a factor and a constant.
    """

    def __init__(self, tree: clingo.Tree) -> None:
        """Reads the syntax tree of a statement."""
        self.places: dict[str, list[Term]] = defaultdict(list)
        self.sources: dict[str, list[Term]] = defaultdict(list)
        self.calculations: list[Term] = []
        self.sums: list[Sum] = []
        self.folds = False
        self._scopes = 0
        body = tree.body if "body" in tree.child_keys else ()
        self._shared = {str(v.name) for v in _variables(tree)}
        for key in tree.child_keys:
            if key != "body":
                self._visit_part(getattr(tree, key), "")
        head: Any = getattr(tree, "head", None)
        if _kind(head) in ("Aggregate", "HeadAggregate"):
            guards = (self._term(g.term, "") for g in (head.left_guard, head.right_guard) if g is not None)
            weight: Term = ("int", LARGEST if int(getattr(head, "function", _COUNT)) != _COUNT else 1)
            self.sums.append(Sum(_COUNT, ((weight, ("fun", ""), ()),), tuple(guards)))
        for literal in body:
            self._read_literal(literal, "")

    def _read_literal(self, tree: clingo.Tree, scope: str) -> None:
        """Reads a literal of a body or of a condition. A positive one says what its variables can be."""
        atom = tree.atom if _kind(tree) == "Literal" else tree
        holds = _kind(tree) == "Literal" and not int(tree.sign)
        match _kind(atom):
            case "SymbolicAtom" if holds:
                one = self._term(atom.symbol, scope)
                if one[0] == "fun":
                    for k, term in enumerate(one[2:]):
                        signature = (one[1], len(one) - 2)
                        self._equate(term, ("at", signature, ((*signature, k),)), scope)
            case "Comparison":
                left = self._term(atom.term, scope)
                for guard in atom.guards:
                    right = self._term(guard.term, scope)
                    if holds and int(guard.comparison) == _EQUAL:
                        self._equate(left, right, scope)
                        self._equate(right, left, scope)
                    left = right
            case "BodyAggregate" | "Aggregate":
                self._read_aggregate(atom, scope, holds)
            case _:
                self._visit_part(tree, scope)

    def _read_aggregate(self, atom: clingo.Tree, scope: str, holds: bool) -> None:
        function = int(atom.function) if _kind(atom) == "BodyAggregate" else _COUNT
        elements = []
        for one in atom.elements:
            inner = self._new_scope()
            condition = one.condition if _kind(one) == "BodyAggregateElement" else (one.literal, *one.condition)
            for literal in condition:
                self._read_literal(literal, inner)
            terms = [self._term(t, inner) for t in getattr(one, "terms", ())]
            atoms = (x.atom.symbol for x in condition if _kind(x) == "Literal" and not int(x.sign)
                     and _kind(x.atom) == "SymbolicAtom")  # fmt: skip
            weight = terms[0] if terms and function != _COUNT else ("int", 1)
            elements.append((weight, ("fun", "", *terms), tuple(self._term(a, inner) for a in atoms)))
        guards = [
            (self._term(g.term, scope), holds and int(g.comparison) == _EQUAL)
            for g in (atom.left_guard, atom.right_guard)
            if g is not None
        ]
        self.sums.append(Sum(function, tuple(elements), tuple(t for t, _ in guards)))
        value: Term = ("one of", *(weight for weight, _, _ in elements))
        if function in _TOTALS:
            value = ("sum", len(self.sums) - 1)
        for term, assigned in guards:
            if assigned:
                self._equate(term, value, scope)

    def _visit_part(self, tree: Any, scope: str) -> None:
        """Reads the calculations of a part that says nothing about its variables, but for conditions in it."""
        if _kind(tree) in _TERMS:
            self._term(tree, scope)
        elif "condition" in getattr(tree, "child_keys", ()):
            inner = self._new_scope()
            for literal in tree.condition:
                self._read_literal(literal, inner)
            for key in tree.child_keys:
                if key != "condition":
                    self._visit_part(getattr(tree, key), inner)
        else:
            for child in _children(tree):
                self._visit_part(child, scope)

    def _new_scope(self) -> str:
        self._scopes += 1
        return f"@{self._scopes}"

    def _term(self, tree: clingo.Tree, scope: str) -> Term:
        """A term. Its calculations are noted."""
        match _kind(tree):
            case "Variable":
                name = str(tree.name)
                if name == "_":
                    return ("var", name + self._new_scope() + scope)
                return ("var", name if name in self._shared else name + scope)
            case "SymbolicTerm":
                symbol = tree.symbol
                number = symbol.type is clingo.SymbolType.Number
                return ("int", symbol.number) if number else ("fun", str(symbol))
            case "UnaryOperation":
                term: Term = (_UNARY[int(tree.operator_type)], self._term(tree.argument, scope))
            case "BinaryOperation":
                sign = _BINARY[int(tree.operator_type)]
                term = (sign, self._term(tree.left, scope), self._term(tree.right, scope))
            case "Interval":
                return ("range", self._term(tree.left, scope), self._term(tree.right, scope))
            case "Pool":
                return ("one of", *(self._term(t, scope) for t in tree.arguments))
            case _:
                return ("fun", str(tree.name), *(self._term(t, scope) for t in tree.arguments))
        self.calculations.append(term)
        form = _linear_form(term)
        if form is not None:
            self.calculations += (("int", form.factor), ("int", form.constant))
            self.folds |= form.factor > 1 and form.constant > 0
        return term

    def _equate(self, left: Term, right: Term, scope: str) -> None:
        """Notes that two terms are equal, for the variables of the first one. clingo solves linear terms.

        A condition says something only about its own variables.
        """
        kind = left[0]
        if kind == "var":
            if left[1].endswith(scope):
                (self.places if right[0] == "at" else self.sources)[left[1]].append(right)
            return
        if kind == "fun":
            for k, term in enumerate(left[2:]):
                step = ((left[1], len(left) - 2, k),)
                at = right[0] == "at"
                inner: Term = ("at", right[1], right[2] + step) if at else ("part", right, step)
                self._equate(term, inner, scope)
            return
        if kind not in ("+", "-", "*", "neg"):
            return
        form = _linear_form(left)
        if form is not None:
            self.calculations += ((sign, right, ("int", form.constant)) for sign in "+-")
        solved: Term
        if kind == "neg":
            other, solved = left[1], ("neg", right)
        elif left[2][0] == "int":
            other, solved = left[1], ({"+": "-", "-": "+", "*": "/"}[kind], right, left[2])
        elif left[1][0] == "int":
            other = left[2]
            solved = ("-", left[1], right) if kind == "-" else ({"+": "-", "*": "/"}[kind], right, left[1])
        else:
            return
        self.calculations.append(solved)
        self._equate(other, solved, scope)


class Places:
    """What stands in the atoms of a ground program. It is looked at when it is first asked for, and then kept."""

    def __init__(self, atoms: clingo.SymbolicAtoms) -> None:
        """``atoms``: those of the ground program."""
        self._atoms = atoms
        self._arguments: dict[Signature, list[Sequence[clingo.Symbol]]] = {}
        self._intervals: dict[tuple[Signature, Path], Interval] = {}

    def size(self, signature: Signature) -> int:
        """How many atoms a predicate has."""
        return len(self._arguments_of(signature))

    def interval(self, signature: Signature, path: Path) -> Interval:
        """What stands at a place in the atoms of a predicate."""
        known = self._intervals.get((signature, path))
        if known is None:
            (_, _, first), *rest = path
            values = {_descend(args[first], rest) for args in self._arguments_of(signature)} - {None}
            numbers = [s.number for s in values if s is not None and s.type is clingo.SymbolType.Number]
            known = Interval(min(numbers, default=1), max(numbers, default=0), len(values))
            self._intervals[signature, path] = known
        return known

    def _arguments_of(self, signature: Signature) -> list[Sequence[clingo.Symbol]]:
        known = self._arguments.get(signature)
        if known is None:
            known = [a.symbol.arguments for a in self._atoms.by_signature(*signature)]
            self._arguments[signature] = known
        return known


class _Estimate:
    """The intervals of the terms of one statement over a ground program."""

    def __init__(self, statement: Statement, places: Places) -> None:
        self._statement, self._places = statement, places
        self._known: dict[str, Interval] = {}
        self._paths: dict[str, list[Term]] = dict(statement.places)
        waiting = [v for v in statement.sources if v not in statement.places]
        progress = True
        while progress:  # a variable is known by terms whose variables are known before it
            ready = [v for v in waiting if any(self._is_known(s) for s in statement.sources[v])]
            for v in ready:
                self._paths[v] = [s for s in statement.sources[v] if self._is_known(s)]
            waiting = [v for v in waiting if v not in ready]
            progress = bool(ready)

    def _is_known(self, term: Term) -> bool:
        return all(name in self._paths for name in self._names(term))

    def _names(self, term: Term) -> Iterator[str]:
        """The variables of a term, and those that a sum in it counts."""
        if term[0] == "var":
            yield term[1]
        elif term[0] == "sum":
            for weight, own, _ in self._statement.sums[term[1]].elements:
                yield from self._names(weight)
                yield from self._names(own)
        else:
            for one in term[1:]:
                if isinstance(one, tuple) and one and isinstance(one[0], str) and term[0] != "at":
                    yield from self._names(one)

    def leaves_32_bits(self) -> bool:
        """Whether a calculation or a sum may leave 32 bits."""
        one = self._statement
        if any(self.interval(t).size > LARGEST for t in one.calculations):
            return True
        for number, (function, _, guards) in enumerate(one.sums):
            low, high, _ = self._total(number)
            span = high - low if function in _TOTALS else max(high, -low)
            if span + max((self._size_of_guard(g, number) for g in guards), default=0) > _MOST_COMPARED:
                return True
        return False

    def _size_of_guard(self, guard: Term, number: int) -> float:
        """The largest number with which an aggregate is compared. A variable is compared as each of its literals gives it."""
        given = self._paths.get(guard[1], [guard]) if guard[0] == "var" else [guard]
        return max((self.interval(t).size for t in given if t != ("sum", number)), default=0)

    def interval(self, term: Term, path: Path = ()) -> Interval:
        """What a term can be, or its part at the end of a path."""
        match term[0]:
            case "var":
                return self._of_variable(term[1], path)
            case "int":
                return NOTHING if path else Interval(term[1], term[1], 1)
            case "fun":
                if not path:
                    return Interval(1, 0, _times(self.interval(t).values for t in term[2:]))
                (name, arity, k), *rest = path
                fits = term[1] == name and len(term) - 2 == arity
                return self.interval(term[2 + k], tuple(rest)) if fits else NOTHING
            case "at":
                return self._places.interval(term[1], term[2] + path)
            case "part":
                return self.interval(term[1], term[2] + path)
            case "one of":
                return _hull([self.interval(t, path) for t in term[1:]])
            case _ if path:
                return NOTHING
            case "sum":
                return self._total(term[1])
            case _:
                operands = [self.interval(t) for t in term[1:]]
                if any(x.low > x.high for x in operands):
                    return NOTHING
                low, high = _OPERATIONS[term[0]](*(bound for x in operands for bound in x[:2]))
                count = math.inf if term[0] == "range" else _times(x.values for x in operands)
                return Interval(low, high, min(count, high - low + 1))

    def _of_variable(self, name: str, path: Path) -> Interval:
        if not path and name in self._known:
            return self._known[name]
        if name not in self._paths:
            return ANYTHING
        every = [self.interval(t, path) for t in self._paths[name]]
        low, high = max(x.low for x in every), min(x.high for x in every)
        found = Interval(low, high, min(x.values for x in every))
        if not path:
            self._known[name] = found
        return found

    def _total(self, number: int) -> Interval:
        """What an aggregate can be. In a sum each element has at most so many tuples, each with the largest weight."""
        function, elements, _ = self._statement.sums[number]
        if function not in _TOTALS:
            return _hull([self.interval(weight) for weight, _, _ in elements])
        low = high = 0.0
        for weight, own, atoms in elements:
            value = self.interval(weight)
            if value.low <= value.high and value != (0, 0, 1):
                tuples = self._number_of_tuples(own, atoms)
                low += tuples * value.low if value.low < 0 < tuples else 0
                high += tuples * value.high if value.high > 0 < tuples else 0
        if function == _COUNT:
            high = min(high, 2**30)  # memory holds no more tuples
        return Interval(low, high, math.inf)

    def _number_of_tuples(self, own: Term, atoms: Iterable[Term]) -> float:
        """How many tuples an element has at most.

        There is one for each choice of its variables, of a number of each interval, and of a term of each pool. The variables
        that stand in the arguments of one atom as they are have at most as many choices as it has instances, and each other
        variable as it has values. In ``p(A+B)`` one instance stands for many choices.
        """
        names: set[str] = set()
        factors: list[float] = []
        todo = [own]
        while todo:
            term = todo.pop()
            if term[0] == "var":
                names |= {term[1]} if "@" in term[1] else set()
            elif term[0] == "range":
                factors.append(self.interval(term).values)
            else:
                factors.append(len(term) - 1 if term[0] == "one of" else 1)
                todo += (t for t in term[1:] if isinstance(t, tuple))
        values = {n: self.interval(("var", n)).values for n in names}
        choices = [_times(values.values())]
        for a in atoms:
            others = names - _plain_names(a)
            choices.append(_times([self._places.size((a[1], len(a) - 2)), *(values[n] for n in others)]))
        return _times([*factors, min(choices)])


def find_wraparound(lines: Iterable[str], atoms: clingo.SymbolicAtoms, places: Places | None = None) -> str | None:
    """The first line of a program in which a calculation may leave 32 bits; None if there is none.

    Args:
        lines: The lines of the program, each with whole statements.
        atoms: The atoms of the ground program.
        places: What stands in them, if that is known from earlier; all predicates in it must be complete.
    """
    places = places or Places(atoms)
    for line in lines:
        if not _CALCULATES.search(line):
            continue
        if any(int(n, 0 if n[1].isalpha() else 10) > LARGEST for n in _NUMBER.findall(_STRING.sub("", line))):
            return line
        if any(_Estimate(one, places).leaves_32_bits() for one in _statements(line)):
            return line
    return None


def folds(line: str) -> bool:
    """Whether clingo folds a term of a line to a factor, a variable and a constant: this can go wrong where no calculation does.

    >>> [folds(f"p(X) :- q({term}).") for term in ("3*(X+2)", "X+2", "3*X", "X*Y+2")]
    [True, False, False, False]
    """
    return bool(_FOLDS.search(line)) and any(s.folds for s in _statements(line))


def multiplies(line: str) -> bool:
    """Whether a line of a program gives numbers that may be far larger than those which it reads."""
    return bool(_MULTIPLIES.search(line))


def refuse_wraparound(lines: Iterable[str], control: clingo.Control) -> None:
    """Refuses a ground program in which a calculation may leave 32 bits.

    Raises:
        NotDecided: There is one.
    """
    line = find_wraparound(lines, control.symbolic_atoms)
    if line is not None:
        raise NotDecided(message_about(line))


def message_about(where: str) -> str:
    """The message about a calculation that may leave 32 bits."""
    return f"a calculation may leave {LARGEST:,}, where clingo wraps around: {where}"


@cache_until_change(20_000)
def _statements(text: str) -> tuple[Statement, ...]:
    """The statements of a text that calculate."""
    every = map(Statement, clingo.trees(text))
    return tuple(s for s in every if s.calculations or s.sums)


# -- syntax trees ------------------------------------------------------------------------------------------------------

_TERMS: Final = frozenset(
    {"Variable", "SymbolicTerm", "UnaryOperation", "BinaryOperation", "Interval", "Pool", "Function"}
)
_EQUAL: Final = 5
_COUNT: Final = 0
_TOTALS: Final = frozenset({_COUNT, 1, 2})
_UNARY: Final = {0: "neg", 1: "not", 2: "abs"}
_BINARY: Final = {0: "xor", 1: "or", 2: "and", 3: "+", 4: "-", 5: "*", 6: "/", 7: "rest", 8: "power"}


def _kind(tree: Any) -> str:
    found = getattr(tree, "ast_type", None)
    return "" if found is None else str(found.name)


def _children(tree: Any) -> Iterator[Any]:
    if hasattr(tree, "child_keys"):
        for key in tree.child_keys:
            yield getattr(tree, key)
    elif tree is not None:
        yield from tree


def _variables(tree: Any) -> Iterator[Any]:
    """The variables of a statement, without those that stand only in conditions and elements."""
    if _kind(tree) == "Variable":
        yield tree
    elif "condition" not in getattr(tree, "child_keys", ()):
        for child in _children(tree):
            yield from _variables(child)


class _LinearForm(NamedTuple):
    """A term of at most one variable as clingo folds it: the variable, and how large its factor and the constant can be."""

    variable: str
    factor: float
    constant: float


def _linear_form(term: Term) -> _LinearForm | None:
    """The linear form of a term; None if it is not linear in one variable. A pool counts as the largest of its terms."""
    operation = term[0]
    if operation == "var":
        return _LinearForm(term[1], 1, 0)
    if operation == "int":
        return _LinearForm("", 0, abs(term[1]))
    if operation not in _OPERATIONS and operation != "one of":
        return None
    every = [_linear_form(t) for t in term[1:]]
    forms = [form for form in every if form is not None]
    variable = max((form.variable for form in forms), default="")
    if operation == "one of":
        factor = max((form.factor for form in forms), default=0)
        return _LinearForm(variable, factor, max((form.constant for form in forms), default=0))
    if len(forms) < len(every) or sum(bool(form.variable) for form in forms) > 1:
        return None
    if operation == "neg":
        return forms[0]
    if operation in ("+", "-"):
        return _LinearForm(variable, forms[0].factor + forms[1].factor, forms[0].constant + forms[1].constant)
    if operation == "*":
        (_, a, b), (_, c, d) = forms
        return _LinearForm(variable, a * d + b * c, b * d)
    if variable:
        return None
    return _LinearForm(
        "", 0, max(map(abs, _OPERATIONS[operation](*(b for f in forms for b in _symmetric(f.constant)))))
    )


def _plain_names(term: Term) -> set[str]:
    """The variables that stand in a term as they are, not in a calculation, an interval or a pool."""
    if term[0] == "var":
        return {term[1]}
    return {n for t in term[2:] for n in _plain_names(t)} if term[0] == "fun" else set()


def _descend(symbol: clingo.Symbol, path: Sequence[tuple[str, int, int]]) -> clingo.Symbol | None:
    """The part of a symbol at the end of a path."""
    for name, arity, k in path:
        if symbol.type is not clingo.SymbolType.Function or symbol.name != name:
            return None
        arguments = symbol.arguments
        if len(arguments) != arity:
            return None
        symbol = arguments[k]
    return symbol


# -- intervals ---------------------------------------------------------------------------------------------------------

Bounds: TypeAlias = tuple[float, float]


def _hull(every: list[Interval]) -> Interval:
    some = [x for x in every if x.low <= x.high]
    count = sum(x.values for x in every)
    return Interval(min(x.low for x in some), max(x.high for x in some), count) if some else Interval(1, 0, count)


def _times(counts: Iterable[float]) -> float:
    """The product; nothing where one of them is nothing, also beside infinity."""
    every = list(counts)
    return math.prod(every) if all(every) else 0


def _product(a: float, b: float, c: float, d: float) -> Bounds:
    every = [x * y if x and y else 0 for x in (a, b) for y in (c, d)]
    return min(every), max(every)


def _power(a: float, b: float, _: float, d: float) -> Bounds:
    size = max(abs(a), abs(b))
    most = 1.0 if size <= 1 or d <= 0 else math.inf if d * math.log2(size) > 64 else size**d
    return -most, most


def _bits(*bounds: float) -> Bounds:
    """Of numbers of so many bits, the operations on bits give numbers of so many bits."""
    size = max(map(abs, bounds))
    most = math.inf if size == math.inf else 2 ** int(size).bit_length()
    return -most, most - 1


def _symmetric(size: float) -> Bounds:
    return -size, size


_OPERATIONS: Final[dict[str, Callable[..., Bounds]]] = {
    "+": lambda a, b, c, d: (a + c, b + d),
    "-": lambda a, b, c, d: (a - d, b - c),
    "*": _product,
    "/": lambda a, b, c, d: _symmetric(max(abs(a), abs(b))),
    "rest": lambda a, b, c, d: _symmetric(max(abs(a), abs(b))),
    "power": _power,
    "and": _bits,
    "or": _bits,
    "xor": _bits,
    "neg": lambda a, b: (-b, -a),
    "not": lambda a, b: (-b - 1, -a - 1),
    "abs": lambda a, b: (0 if a <= 0 <= b else min(abs(a), abs(b)), max(abs(a), abs(b))),
    "range": lambda a, b, c, d: (a, d),
}
