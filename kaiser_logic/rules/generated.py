"""The rules that follow from a rulebook's declarations of counters, totals and decisions.

A logic program cannot quantify over functors, so there is a copy of these rules for each declared functor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..errors import FaultyRulebook, Finding
from ..function_caches import cache_until_change
from ..lang import terms as lang
from ..lang.algebra import Fresh, rename_predicates, substitute, substitute_term, variables
from ..lang.printer import show_term
from ..lang.reader import read_rules, read_term
from ..lang.terms import NOWHERE, Atom, Literal, Program, Refused, Signature, Term
from ..lang.terms import Rule as Value
from ..lang.unification import Binding, unify
from .loader import engine_rules
from .predicates import NUMBER
from .reader import cached_rules, rule_from, rule_store, term_of
from .rule import PlacedRule, Role
from .rulebook import Rulebook

_COUNTER = """
del(Now_)             :- change(Counter_,D), D != 0, now(N).
add(Next_)            :- change(Counter_,D), D != 0, now(N), N+D > 0.
add(First_)           :- change(Counter_,D), D > 0, not now(_).
broken(count,Counter_) :- now(N), now(M), N < M.
"""
"""``now(N)`` stands for the fact that the counter has the number N."""
_UNIT = """
del(Piece_) :- lose(Piece_,_,_).
add(Piece_) :- gain(Piece_,_,_).
"""
_TOTAL = "total(Measure_,N_) :- bounded(Measure_,_,_), N_ = #sum { W_,X_ : counts(Measure_,X_,W_) }."
_DECISION = """
declared(Role_,Action_)      :- submitted(Role_,Action_), guard.
offered(Role_,Action_)       :- candidate(Role_,Action_), decision(Role_,Decision_), guard.
made(Role_,Decision_)        :- does(Role_,Action_), decision(Role_,Decision_).
guard(Role_,Action_,Rule_)   :- submitted(Role_,Action_), out_of_turn(Decision_,Rule_), guard.
pending(Role_,Action_,Rule_) :- guard(Role_,Action_,Rule_), decision(_,Another_), out_of_turn(Another_,Rule_).
"""
"""``guard`` stands for the sorts of the action's arguments. The names of these variables are the tool's (:mod:`.fresh`)."""


@cache_until_change(8)
def _forms(text: str) -> Program:
    """The templates of a text: rules with variables for the declared terms."""
    return read_rules(text)


def _term(pattern: lang.Term) -> Term:
    """A declared pattern as a term; FaultyRulebook if it has ``_`` or a part that is not simple."""
    from ..lang.normal import has_any

    try:
        term = term_of(pattern)
        if has_any((term,)):
            raise Refused(NOWHERE, "'_' says nothing of what it stands for")
        return term
    except Refused as refused:
        message = f"{show_term(pattern)} cannot be declared: {refused}"
        raise FaultyRulebook([Finding("generated", 0, 0, "syntax", message)]) from None


def _fill_template(form: Value, terms: Mapping[str, Term], parts: Mapping[Signature, Iterable[Literal]]) -> Value:
    """A template with its variables replaced by terms, and some of its body atoms by literals."""
    body: list[Literal] = []
    for literal in form.body:
        replaced = parts.get(literal.signature) if isinstance(literal, lang.Atom) else None
        body += (literal,) if replaced is None else replaced
    return substitute(lang.Rule(form.head, tuple(body)), terms)


def counter_rules(book: Rulebook) -> Iterator[Value]:
    """Yields the rules for the new value of each counter, and the invariant that it has one value."""
    for (name, arity), stated in book.counters.items():
        args = tuple(lang.Var(f"X{k}") for k in range(1, arity))
        counter = lang.Fun(name, args) if args else lang.Name(name)

        def fact(term: Term, args: tuple[Term, ...] = args, name: str = name) -> Term:
            return lang.Fun(name, (*args, term))

        def now(literal: Literal, args: tuple[Term, ...] = args, name: str = name) -> Literal:
            if isinstance(literal, lang.Atom) and literal.name == "now":
                return lang.Atom(name, (*args, *literal.args), literal.sign)
            return literal

        before, changed = lang.Var("N"), lang.Var("D")
        after = lang.Op("+", before, changed)
        terms: dict[str, Term] = {
            "Counter_": counter, "Now_": fact(before), "Next_": fact(after), "First_": fact(changed)
        }  # fmt: skip
        lost, gained, first, single = (lang.Rule(form.head, tuple(map(now, form.body))) for form in _forms(_COUNTER))
        if stated:
            gained = lang.Rule(gained.head, (*gained.body[:-1], lang.Compare(after, ">=", lang.ZERO)))
        if (name, arity) in book.signed:
            gained = lang.Rule(gained.head, gained.body[:-1])
        for form in (lost, gained, *(() if stated else (first,)), single):
            yield _fill_template(form, terms, {})


def unit_rules(book: Rulebook) -> Iterator[Value]:
    """Yields the rules that add and delete single pieces."""
    for name, arity in sorted(book.units):
        args = tuple(lang.Var(f"X{k}") for k in range(1, arity + 1))
        for form in _forms(_UNIT):
            yield _fill_template(form, {"Piece_": lang.Fun(name, args) if args else lang.Name(name)}, {})


def _measures(book: Rulebook) -> list[tuple[str, str]]:
    """The families of measures, each after the name of the predicate that bounds it."""
    heads = (h for r in book.rules for h in r.heads if h.name in ("limit", "range") and len(h.args) == 3)
    return sorted({(h.name, show_term(h.args[0])) for h in heads})


def total_rules(book: Rulebook) -> Iterator[Value]:
    """Yields the rule for the total of each family of measures."""
    (form,) = _forms(_TOTAL)
    for name, measure in _measures(book):
        yield _fill_template(rename_predicates(form, {("bounded", 3): name}), {"Measure_": read_term(measure)}, {})


def decision_rules(book: Rulebook) -> Iterator[Value]:
    """Yields the rules for each kind of action: whether it is declared, whether it is offered, which decision it makes."""
    for kind in book.kinds:
        action, decision = _term(kind.action), _term(kind.decision)
        guard = tuple(_sorts(kind.sorts))
        fresh = Fresh(action, decision, guard)
        another = substitute_term(decision, {name: fresh.take(name) for name in variables(decision)})
        terms = {"Action_": action, "Decision_": decision, "Another_": another}
        for form in _forms(_DECISION):
            yield _fill_template(form, terms, {("guard", 0): guard})


def _sorts(literals: Iterable[Literal]) -> Iterator[Literal]:
    """The sorts of an action's arguments. For ``number(N)`` stands ``N+0 >= 0``: no facts say which actions are listed."""
    for literal in literals:
        if isinstance(literal, Atom) and literal.signature == NUMBER and not literal.sign:
            yield lang.Compare(lang.Op("+", literal.args[0], lang.ZERO), ">=", lang.ZERO)
        else:
            yield literal


@cache_until_change(16)
def all_rules(book: Rulebook) -> tuple[PlacedRule, ...]:
    """The rulebook's rules, those of the engine, and the generated ones."""
    rules = list(book.rules)
    for name in ("legal", "judge", "change", "position"):
        rules += engine_rules(name)
    kinds = [kind.declaration.text for kind in book.kinds]
    counted = list(book.counters.items()), sorted(book.signed), sorted(book.units)
    declared = (*counted, _measures(book), kinds)
    generated = cached_rules(rule_store(repr(declared)), "generated", lambda: _generated_rules(book))
    return (*rules, *(replace(rule, role=Role.GENERATED) for rule in generated))


def _generated_rules(book: Rulebook) -> list[PlacedRule]:
    """The generated rules, without duplicates."""
    values = (*counter_rules(book), *unit_rules(book), *total_rules(book), *decision_rules(book))
    return _number_lines(dict.fromkeys(values))


def _number_lines(values: Iterable[Value]) -> list[PlacedRule]:
    """Values as rules; the line of each is its number."""
    return [rule_from(value, lang.Place("generated", number)) for number, value in enumerate(values, 1)]


def among_given(rules: Iterable[PlacedRule]) -> tuple[PlacedRule, ...]:
    """Restricts the rules of a vocabulary to the facts in ``holds``: ``fluent(f(X)) :- holds(f(X)), ...``."""
    from ..lang.normal import normal

    def literals_given(head: Atom | None) -> Iterator[Literal]:
        if head is not None and head.name == "fluent":
            yield lang.Atom("holds", head.args)

    restricted_rules = [
        lang.Rule(one.head, (*(x for head in one.heads for x in literals_given(head)), *one.body))
        for rule in rules
        for one in normal(rule.value)
    ]
    return tuple(_number_lines(restricted_rules))


def rules_for_fact(rules: Iterable[PlacedRule], fact: lang.Term) -> tuple[PlacedRule, ...]:
    """The rules of a vocabulary that can derive a fact, with variables replaced by the ground terms of that fact."""
    instances: list[Value] = []
    for rule in rules:
        heads = [h for h in rule.heads if h.signature == ("fluent", 1)]
        bindings = [b for h in heads if (b := unify(h.args[0], fact, {})) is not None]
        instances += [bind_rule(rule.value, binding) for binding in bindings]
        if not heads:
            instances.append(rule.value)
    return tuple(_number_lines(instances))


def bind_rule(rule: Value, binding: Binding) -> Value:
    """A rule with variables replaced by the ground terms of a binding."""
    return substitute(rule, {v: term_of(t) for v, t in binding.items() if not variables(t)})
