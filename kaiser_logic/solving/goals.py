"""The goals: rules for ``bad__(Claim,Witness)``, which say where an encoded transition breaks a claim.

An invariant of the game is broken if ``broken`` holds at the next position (``broken__n``), a claim about moves if ``wrong``
holds. For the claims that every game has, the goals judge the change instead:

``count``       no counter falls below its least value, 0; it has one value; a counter whose zero is stated keeps a value. Only a
                piece that is there is lost, only one that is not there is gained, each at most once, and each amount is 1.
``limit``       no total that changes leaves its limits. All other totals stay as they were (:mod:`.totals`).
``vocabulary``  every fact that is added, or follows from gains, is in the vocabulary's wider sort. A counter stays in its range
                and out of its gaps, unless it has no limit (:mod:`.numbers`); one that can be negative does not fall below its
                least value. If the limit of a total excludes all values of a counter beyond its largest one, that one
                is not checked, provided that the total is updated by the changes (one counted anew would miss such values).
``exclusive``   what is pending afterwards belongs to one transition: decisions of one name, held by several roles only if
                they decide simultaneously, or steps of one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from .. import clingo
from ..engine import symbols
from ..lang.algebra import atoms
from ..lang.graph import cone
from ..lang.reader import read_rules
from ..lang.terms import Aggregate, Atom, Compare, Int, Literal, Name, Op, Range, Rule, Signature, Term, Var
from ..rules.predicates import BROKEN, DECISION, DUE, ENUMERATION, EXCLUSIVE, MORE, THEN, WRONG
from .build import atom, element, fun, no, number_of, rule, term, variables_x
from .encoder import NOT_GENERATED, Encoder
from .totals import changes
from .vocabulary import counter_signature

_L, _W, _N = Var("L"), Var("W"), Var("N")
_LARGEST: Final = read_rules(
    """
    covered__(X) :- measure__(L,X,W), W > 0, limited__(L,Z,M), most__(X,N), M <= N*W, not tied__(L), not anew__(L).
    covered__(X) :- endless__(X).
    """
)
_UNITS: Final = read_rules(
    """
    out__(F,N,V)        :- lose(F,N,V), unit__(F).
    out__(F,N,to(Y,V))  :- shift(F,Y,N,V), unit__(F).
    in__(F,N,V)         :- gain(F,N,V), unit__(F).
    in__(F,N,from(Y,V)) :- shift(Y,F,N,V), unit__(F).
    bad__(count,F) :- out__(F,N,V), N != 1.
    bad__(count,F) :- out__(F,N,V), out__(F,M,W), V < W.
    bad__(count,F) :- in__(F,N,V), N != 1.
    bad__(count,F) :- in__(F,N,V), in__(F,M,W), V < W.
    """
)


_MARKS: Final = read_rules(
    """
    outof__(X,N,V) :- shift(X,Y,N,V), grouped__(X).
    several__(X) :- outof__(X,N,V), #count { Y : shift(X,Y,N,V) } > 1.
    """
)


def bad(claim: str, witness: Term) -> Atom:
    """The atom ``bad__(Claim,Witness)``: the claim falls."""
    return atom("bad__", Name(claim), witness)


def fallen_claims(model: Iterable[clingo.Symbol]) -> set[str]:
    """The claims that fall in a model."""
    return {str(s.arguments[0]) for s in model if s.name == "fallen__"}


def add_goals(encoder: Encoder, goals: Iterable[str]) -> None:
    """Adds the rules for these claims. A claim that no possible effect touches gets no rule: it holds."""
    goals = list(goals)
    theory, program = encoder.theory, encoder.program
    for goal in goals:
        if goal == "limit":
            program.add(*_limit(encoder))
        elif goal == "count":
            program.add(*_count(encoder))
        elif goal == "vocabulary":
            program.add(*_vocabulary(encoder))
        elif goal == EXCLUSIVE:
            program.add(*_exclusive(encoder))
        elif goal == ENUMERATION:
            program.add(rule(bad(ENUMERATION, Name("none")), NOT_GENERATED))
        elif goal in theory.claims:
            program.add(rule(bad(goal, _W), atom(WRONG[0], Name(goal), _W)))
        elif BROKEN in encoder.affected:
            program.add(rule(bad(goal, _W), Atom(encoder.name(BROKEN), (Name(goal), _W))))
    if any(goal in theory.claims for goal in goals):
        _look_back(encoder)


def _limit(encoder: Encoder) -> Iterator[Rule]:
    if encoder.name(("total", 2)) == "total":
        return
    low, high = Var("A"), Var("B")
    limit = atom("limited__", _L, low, high)
    followed: list[Literal] = [atom("touched__", _L), no(atom("anew__", _L)), limit]
    anew: list[Literal] = [atom("anew__", _L), limit]
    now = element((_N, fun("now", ())), atom("total", _L, _N))
    new = element((_W, Var("X")), atom(encoder.name(("counts", 3)), _L, Var("X"), _W))
    for case, elements in ((followed, (*changes(), now)), (anew, (new,))):
        if case is anew and not encoder.totals_after.anew:
            continue
        yield rule(bad("limit", _L), *case, Aggregate("#sum", elements, ((">", high),)))
        below = Aggregate("#sum", elements, (("<", low),))
        yield rule(bad("limit", _L), *case, Compare(low, ">", Int(0)), below)
        yield rule(bad("limit", _L), *case, atom("tied__", _L), below)


def _count(encoder: Encoder) -> Iterator[Rule]:
    theory, program = encoder.theory, encoder.program
    directly = {(e, symbols.signature(s.arguments[0])) for e in ("add", "del") for s in program.atoms(e, 1)}
    spread = _spread(encoder)
    if spread:
        yield from _MARKS
    dropped = theory.ruleset.dropped
    asked = {s for s in encoder.changed if f"count of {s[0]}" not in dropped}
    for signature in sorted(asked & set(theory.counters)):
        name, arity = signature
        args = variables_x(arity)
        counter = fun(name, args[:-1])
        if signature not in theory.signed:  # of others the fact that follows is in no vocabulary
            yield from _rules_below(encoder, "count", signature, signature in spread)
        one, other = (atom(f"{name}__n", *args[:-1], Var(n)) for n in ("One", "Other"))
        if ("add", signature) in directly:
            added = atom("add", term(atom(name, *args[:-1], Var("One"))))
            yield rule(bad("count", counter), added, other, Compare(Var("One"), "!=", Var("Other")))
        if theory.counters[signature] and ("del", signature) in directly:
            known = atom("fluent__", term(atom(name, *args[:-1], Var("V"))))
            there = atom(f"there_{name}_{arity}__", *args[:-1])
            yield rule(there, one)
            yield rule(bad("count", counter), known, no(there))
    units = sorted(asked & theory.units)
    for name, arity in units:
        args = variables_x(arity)
        piece = atom(name, *args)
        unit = atom("unit__", term(piece))
        for effect in ("gain", "lose"):
            yield rule(unit, atom(effect, term(piece), Var("N"), Var("V")))
        yield rule(unit, atom("shift", term(piece), Var("Y"), Var("N"), Var("V")))
        yield rule(unit, atom("shift", Var("Y"), term(piece), Var("N"), Var("V")))
        yield rule(bad("count", term(piece)), atom("out__", term(piece), Var("N"), Var("V")), no(piece))
        gone = no(atom("down__", term(piece)))
        yield rule(bad("count", term(piece)), atom("in__", term(piece), Var("N"), Var("V")), piece, gone)
    if units:
        yield from _UNITS


def _rules_below(encoder: Encoder, claim: str, signature: Signature, spread: bool = False) -> Iterator[Rule]:
    """Rules by which a claim falls if a counter falls below its least value; a signed counter without a limit has none.

    ``spread``: whether some counters of this fluent may be shifted to one of several targets: see `_spread`.
    """
    counter = fun(signature[0], variables_x(signature[1])[:-1])
    below = encoder.sum_after(signature, "<", Var("Low"))
    body: list[Literal] = [atom("moved__", counter), atom("least__", counter, Var("Low"))]
    if signature in encoder.theory.signed:
        body.append(no(atom("endless__", counter)))
    grouped = atom("grouped__", counter)
    if spread:
        by_mark = encoder.sum_after(signature, "<", Var("Low"), by_mark=True)
        yield rule(bad(claim, counter), *body, grouped, below, by_mark)
        yield rule(bad(claim, counter), *body, grouped, below, atom("several__", counter))
        body.append(no(grouped))
    yield rule(bad(claim, counter), *body, below)


def _spread(encoder: Encoder) -> set[Signature]:
    """The fluents with counters that may be shifted to one of several targets with the same mark; facts ``grouped__`` name these.

    If no mark has two targets at once, the amount shifted is the sum over the marks. A sum with one element for each target is
    hard to refute, since each target may go with each mark; a sum with one element for each mark is easy. So the goal says: the
    counter falls below its least value, and it also does by the sum over marks, or some mark has two targets. This says the same.
    """
    seen: set[tuple[clingo.Symbol, ...]] = set()
    counters: dict[clingo.Symbol, None] = {}
    for s in encoder.program.atoms("shift", 4):
        counter, _, number, mark = s.arguments
        if (counter, number, mark) in seen and counter.type is clingo.SymbolType.Function:
            counters.setdefault(counter)
        seen.add((counter, number, mark))
    encoder.program.tell(clingo.Function("grouped__", [c]) for c in counters)
    return set(map(counter_signature, counters))


def _vocabulary(encoder: Encoder) -> Iterator[Rule]:
    theory, program, vocabulary = encoder.theory, encoder.program, encoder.vocabulary
    program.tell(clingo.Function("wide__", [f]) for f in vocabulary.wide)
    program.tell(clingo.Function("gap__", [c, clingo.Number(n), clingo.Number(m)]) for c, n, m in vocabulary.gaps)
    yield from _LARGEST
    for signature in sorted(encoder.changed):
        name, arity = signature
        args = variables_x(arity)
        fact = atom(name, *args)
        if signature in theory.counters:
            counter = fun(name, args[:-1])
            if signature in theory.signed:
                yield from _rules_below(encoder, "vocabulary", signature)
            moved, most = atom("moved__", counter), atom("most__", counter, Var("High"))
            above = encoder.sum_after(signature, ">", Var("High"))
            far = (("<", Int(-vocabulary.far)), (">", Int(vocabulary.far)))
            for op, end in far if any(c.name == name for c in vocabulary.endless) else ():
                far_off = encoder.sum_after(signature, op, end, change_only=True)
                yield rule(bad("vocabulary", counter), atom("endless__", counter), moved, far_off)
            yield rule(bad("vocabulary", counter), moved, no(atom("covered__", counter)), most, above)
            yield rule(bad("vocabulary", counter), moved, no(atom("most__", counter, Var("_"))))
            gap = atom("gap__", counter, Var("From"), Var("To"))
            among = (
                encoder.sum_after(signature, ">=", Var("From")),
                encoder.sum_after(signature, "<=", Var("To")),
            )
            yield rule(bad("vocabulary", counter), moved, gap, *among)
        elif signature in theory.units:
            yield rule(bad("vocabulary", term(fact)), atom("up__", term(fact)), no(atom("wide__", term(fact))))
    for signature in sorted({symbols.signature(s.arguments[0]) for s in program.atoms("add", 1)}):
        name, arity = signature
        fact = atom(name, *variables_x(arity))
        known = atom("step", *fact.args) if signature == DUE else atom("wide__", term(fact))
        yield rule(bad("vocabulary", term(fact)), atom("add", term(fact)), no(known))


def _exclusive(encoder: Encoder) -> Iterator[Rule]:
    theory = encoder.theory
    if encoder.changed.isdisjoint((DECISION, DUE)):
        return
    decision, due = (encoder.name(s) for s in (DECISION, DUE))
    group, role = "group__", Var("R")
    for name, arity in encoder.vocabulary.decisions:
        pattern = fun(name, variables_x(arity))
        one = atom(decision, role, pattern)
        yield rule(atom(group, Name("d"), Name(name)), one)
        if name not in theory.simultaneous:
            tuples = [
                element((role, fun(n, variables_x(k))), atom(decision, role, fun(n, variables_x(k))))
                for n, k in encoder.vocabulary.decisions
                if n == name
            ]
            yield rule(bad(EXCLUSIVE, fun("twice", [Name(name)])), number_of(tuples, ">", Int(1)))
    for name, pattern in theory.steps:
        yield rule(atom(group, Name("s"), Name(name)), atom(due, pattern))
    first, second = Var("F"), Var("G")
    two = (atom(group, Var("T"), first), atom(group, Var("T"), second), Compare(first, "<", second))
    yield rule(bad(EXCLUSIVE, first), *two)
    yield rule(bad(EXCLUSIVE, first), atom(group, Name("d"), first), atom(group, Name("s"), second))


def _look_back(encoder: Encoder) -> None:
    """Adds ``then(F)`` and ``more(Counter,N)``, by which move claims read the next position."""
    theory, program = encoder.theory, encoder.program
    rules = cone(encoder.later, [WRONG])
    read_ = {a.signature for r in rules for a, _ in atoms(r.body)}
    program.add(*encoder.later)
    if THEN in read_:
        for name, arity in sorted(theory.fluents - {("seat", 2)}):
            fact = atom(name, *variables_x(arity))
            after = Atom(encoder.name((name, arity)), fact.args)
            program.add(rule(atom("then", term(fact)), after))
    if MORE in read_:
        for signature in sorted(set(theory.counters) & encoder.changed):
            program.add(*_more(encoder, signature))


def _more(encoder: Encoder, signature: Signature) -> Iterator[Rule]:
    """The rules for ``more(Counter,N)``: the counter has N more than before; N is not 0."""
    name, arity = signature
    args = variables_x(arity)[:-1]
    counter = fun(name, args)
    change = Var("D")
    if any(c.name == name and len(c.arguments) == arity - 1 for c in encoder.vocabulary.endless):
        reach = encoder.vocabulary.far
        span = Compare(change, "=", Range(Int(-reach), Int(reach)))
        by = encoder.sum_after(signature, "=", change, change_only=True)
        moved = atom("moved__", counter)
        yield rule(atom("more", counter, change), moved, span, Compare(change, "!=", Int(0)), by)
        return

    def atom_before(number: Term) -> Atom:
        return atom(name, *args, number)

    def atom_after(number: Term) -> Atom:
        return atom(f"{name}__n", *args, number)

    old, new = Var("N"), Var("M")
    yield rule(
        atom("more", counter, change), atom_before(old), atom_after(new), Compare(old, "!=", new),
        Compare(change, "=", Op("-", new, old)),
    )  # fmt: skip
    yield rule(atom("more", counter, new), atom_after(new), no(atom_before(Var("_"))), Compare(new, "!=", Int(0)))
    yield rule(
        atom("more", counter, change), atom_before(old), no(atom_after(Var("_"))), Compare(old, "!=", Int(0)),
        Compare(change, "=", Op("-", Int(0), old)),
    )  # fmt: skip
