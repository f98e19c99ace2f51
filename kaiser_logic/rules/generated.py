"""The rules that follow mechanically from a rulebook's declarations: counters, totals, decisions; as clingo prints rules.

What cannot be said once for all terms in a logic program is said here once for each declared functor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from .fresh import ROLE
from .kept import kept, kept_rules
from .loader import engine_rules, parse_rules
from .pattern import Pattern, Substitution, show, unify, variables
from .reader import read_rule
from .rule import DEFERRED, Rule
from .rulebook import Rulebook

_UNKNOWN = re.compile(r"_[?\d]")
_VARIABLE = re.compile(r"(?<![\w\"])_*[A-Z]\w*")


def _arguments(count: int) -> str:
    return ",".join(f"X{k}" for k in range(1, count + 1))


def counter_rules(book: Rulebook) -> Iterator[str]:
    """How a counter's new value follows from change/2, and that it has one value."""
    for (name, arity), stated in book.counters.items():
        args = _arguments(arity - 1)
        counter = f"{name}({args})" if args else name
        at = f"{name}({args + ',' if args else ''}"
        least = "" if (name, arity) in book.signed else "; (N+D) >= 0" if stated else "; (N+D) > 0"
        yield f"del({at}N)) :- change({counter},D); D != 0; {at}N)."
        yield f"add({at}(N+D))) :- change({counter},D); D != 0; {at}N){least}."
        if not stated:
            yield f"add({at}D)) :- change({counter},D); D > 0; not {at}_)."
        yield f"broken(count,{counter}) :- {at}N); {at}M); N < M."


def unit_rules(book: Rulebook) -> Iterator[str]:
    """How a single piece comes and goes."""
    for name, arity in sorted(book.units):
        args = _arguments(arity)
        fluent = f"{name}({args})" if args else name
        yield f"del({fluent}) :- lose({fluent},_,_)."
        yield f"add({fluent}) :- gain({fluent},_,_)."


def total_rules(book: Rulebook) -> Iterator[str]:
    """The total of each family of measures."""
    heads = (h for r in book.rules for h in r.heads if h.name in ("limit", "range") and len(h.args) == 3)
    for name, measure in sorted({(h.name, show(h.args[0])) for h in heads}):
        yield f"total({measure},N_) :- {name}({measure},_,_); N_ = #sum {{ W_,X_: counts({measure},X_,W_) }}."


def decision_rules(book: Rulebook) -> Iterator[str]:
    """For each kind of action: is it of its sorts, is it offered, what decision does it make."""
    for kind in book.kinds:
        action, decision = show(kind.action), show(kind.decision)
        guard = f"; {kind.guard}" if kind.guard else ""
        yield f"declared({ROLE},{action}) :- submitted({ROLE},{action}){guard}."
        yield f"offered({ROLE},{action}) :- submitted({ROLE},{action}); decision({ROLE},{decision}){guard}."
        yield f"made({ROLE},{decision}) :- does({ROLE},{action}); decision({ROLE},{decision})."
        yield f"guard({ROLE},{action},Rule_) :- submitted({ROLE},{action}); out_of_turn({decision},Rule_){guard}."
        another = show(_apart(kind.decision))
        pending = f"decision(_,{another}); out_of_turn({another},Rule_)"
        yield f"pending({ROLE},{action},Rule_) :- guard({ROLE},{action},Rule_); {pending}."


def _apart(term: Pattern) -> Pattern:
    """The pattern with variables of its own."""
    if term[0] == "v":
        return ("v", f"Other_{term[1]}")
    return ("f", term[1], tuple(map(_apart, term[2]))) if term[0] == "f" else term


@lru_cache(maxsize=16)
def all_rules(book: Rulebook) -> tuple[Rule, ...]:
    """The rulebook's rules with the engine's own and the generated ones."""
    rules = list(book.rules)
    for name in ("legal", "judge", "change", "position"):
        rules += engine_rules(name)
    texts = [
        *counter_rules(book),
        *unit_rules(book),
        *total_rules(book),
        *decision_rules(book),
    ]
    text = "\n".join(dict.fromkeys(texts))
    return (*rules, *kept_rules(kept(text), "generated", lambda: _read(text)))


def _read(text: str) -> list[Rule]:
    """The rules generated, a line each: they are written as clingo prints them, so that it need not read them.

    Variables that no rulebook can write are what declarations have where a term is not looked into: clingo says so.
    """
    if _UNKNOWN.search(text):
        return parse_rules(text, "generated")
    return [read_rule(line, DEFERRED, "generated", number) for number, line in enumerate(text.split("\n"), 1)]


def among_given(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules of a vocabulary, asked only for the facts that are given as holds/1: ``fluent(f(X)) :- holds(f(X)), ...``.

    A pool in a head is one in the body, too.
    """
    texts = []
    for rule in rules:
        head, _, body = rule.text.rstrip(".").partition(" :- ")
        given = head.replace("fluent(", "holds(", 1)
        among = f"{head} :- {given}; {body}." if body else f"{head} :- {given}."
        texts.append(among if head.startswith("fluent(") else rule.text)
    return tuple(parse_rules("\n".join(texts), "generated"))


def narrowed(rules: Iterable[Rule], fact: Pattern) -> tuple[Rule, ...]:
    """The rules of a vocabulary that can give a fact like this one, with what it states put in place of their variables."""
    texts = []
    for rule in rules:
        heads = [h for h in rule.heads if h.signature == ("fluent", 1)]
        bindings = [b for h in heads if (b := unify(h.args[0], fact, {})) is not None]
        texts += [stated(rule.text, binding) for binding in bindings]
        if not heads:
            texts.append(rule.text)
    return tuple(parse_rules("\n".join(texts), "generated"))


def stated(text: str, binding: Substitution) -> str:
    """The text of a rule or a body with the ground terms of the binding in place of its variables."""
    ground = {v[1]: show(t) for v, t in binding.items() if _VARIABLE.fullmatch(v[1]) and not variables((t,))}
    return _VARIABLE.sub(lambda match: ground.get(match[0], match[0]), text)
