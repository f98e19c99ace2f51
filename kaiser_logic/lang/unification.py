"""Unification and one-way matching: bindings, variants, most general terms.

Only simple terms are unified: variables, constants and function terms. A binding maps names of variables to terms. These terms
may contain variables that the binding maps, too; `resolve` replaces them.

>>> from .printer import show_term
>>> from .reader import read_term
>>> one, other = read_term("place(X,2)"), read_term("place(a,Y)")
>>> show_term(resolve(one, unify(one, other)))
'place(a,2)'
>>> unify(one, read_term("place(a,3)"))  # None: they cannot be equal
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import count
from typing import Final, TypeAlias

from ..function_caches import cache_until_change
from .algebra import is_simple, substitute, walk
from .printer import show_term
from .reader import read_term
from .terms import ANY, Compare, Fun, Int, Name, Rule, Signature, Term, Text, Var

Binding: TypeAlias = Mapping[str, Term]
"""Terms for variables, by their names."""
Terms: TypeAlias = tuple[Term, ...]
CONSTANTS: Final = (Int, Name, Text)
"""The classes of the terms without parts."""
DEPTH: Final = 6
"""The depth to which `resolve_to_depth` resolves a term."""

_cut_off = count()


# -- unification -----------------------------------------------------------------------------------------------------


def unify(one: Term, other: Term, binding: Binding | None = None) -> dict[str, Term] | None:
    """The most general unifier of two simple terms that extends a binding; None if there is none.

    The anonymous variable unifies with any term and is not bound.

    >>> from .reader import read_term
    >>> unify(read_term("f(X,g(Y))"), read_term("f(a,X)"))
    >>> unify(read_term("f(X,g(Y))"), read_term("f(Z,Z)"))
    {'X': Var(name='Z'), 'Z': Fun(name='g', args=(Var(name='Y'),))}

    Raises:
        ValueError: A part of a term is not simple: an operation, a range or a pool.
    """
    unifier = dict(binding or ())
    return unifier if _unify(one, other, unifier) else None


def unify_all(ones: Terms, others: Terms, binding: Binding | None = None) -> dict[str, Term] | None:
    """The most general unifier of two sequences of terms of the same length; None if there is none."""
    unifier = dict(binding or ())
    for one, other in zip(ones, others, strict=True):
        if not _unify(one, other, unifier):
            return None
    return unifier


def _unify(a: Term, b: Term, binding: dict[str, Term]) -> bool:
    """Extends a binding so that two terms become equal; whether that is possible."""
    while type(a) is Var and a.name in binding:
        a = binding[a.name]
    while type(b) is Var and b.name in binding:
        b = binding[b.name]
    if type(b) is Var and type(a) is not Var:
        a, b = b, a
    if type(a) is Var:
        if a == b or a.name == "_" or (type(b) is Var and b.name == "_"):
            return True
        if type(b) is not Var and _occurs(a.name, b, binding):
            return False
        binding[a.name] = b
        return True
    if type(a) is Fun and type(b) is Fun:
        if a.name != b.name or len(a.args) != len(b.args):
            return False
        return all(_unify(x, y, binding) for x, y in zip(a.args, b.args, strict=True))
    if a == b:
        return True
    _check_simple(a, b)
    return False


def _check_simple(*terms: Term) -> None:
    if not all(map(is_simple, terms)):
        raise ValueError("only simple terms are unified and matched: rules have them in normal form")


def _occurs(name: str, term: Term, binding: Binding) -> bool:
    """Whether a variable occurs in a term (the occurs check)."""
    term = dereference(term, binding)
    if type(term) is Var:
        return term.name == name
    if type(term) is Fun:
        return any([_occurs(name, arg, binding) for arg in term.args])
    _check_simple(term)
    return False


def match(pattern: Term, term: Term, binding: Binding | None = None) -> dict[str, Term] | None:
    """The binding that extends another and makes a simple pattern equal to a term, whose variables count as constants.

    >>> from .reader import read_term
    >>> match(read_term("f(X,Y,_)"), read_term("f(a,g(X),b)"))
    {'X': Name(text='a'), 'Y': Fun(name='g', args=(Var(name='X'),))}
    >>> match(read_term("f(X,X)"), read_term("f(a,Y)"))
    """
    matched = dict(binding or ())
    pending = [(pattern, term)]
    while pending:
        a, b = pending.pop()
        if a == ANY:
            continue
        if isinstance(a, Var):
            if matched.setdefault(a.name, b) != b:
                return None
        elif isinstance(a, Fun):
            if not isinstance(b, Fun) or a.name != b.name or len(a.args) != len(b.args):
                return None
            pending += zip(reversed(a.args), reversed(b.args), strict=True)
        elif a != b:
            _check_simple(a)
            return None
    return matched


# -- bindings --------------------------------------------------------------------------------------------------------


def dereference(term: Term, binding: Binding) -> Term:
    """The term to which a variable is bound; any other term unchanged."""
    while type(term) is Var and term.name in binding:
        term = binding[term.name]
    return term


def resolve(term: Term, binding: Binding) -> Term:
    """A term with the variables replaced that the binding maps, also those in its terms."""
    term = dereference(term, binding)
    if isinstance(term, Fun):
        return Fun(term.name, tuple([resolve(arg, binding) for arg in term.args]))
    return term


def resolve_to_depth(term: Term, binding: Binding, depth: int = DEPTH) -> Term:
    """Resolves a term down to a depth; each deeper function term becomes a new variable.

    The variables differ, since two parts that are cut off need not be equal. This bounds terms in fixpoint iterations.

    >>> from .printer import show_term
    >>> from .reader import read_term
    >>> show_term(canonical((resolve_to_depth(read_term("f(g(X),g(h(1)))"), {}, 2),))[0])
    'f(g(#0),g(#1))'
    """
    term = dereference(term, binding)
    if type(term) is not Fun:
        return term
    if depth <= 0:
        return Var(f"cut~{next(_cut_off)}")
    return Fun(term.name, tuple([resolve_to_depth(arg, binding, depth - 1) for arg in term.args]))


def solve_equations(rule: Rule) -> Rule:
    """Removes the equations of simple terms from a rule, and replaces their variables.

    An equation without a solution, as ``X = f(X)``, stays; an equation with ``_`` stays, too.

    >>> from .printer import show
    >>> from .reader import read_rule
    >>> show(solve_equations(read_rule("h(A) :- p(X), A = f(X,Y), Y = 1, Z = X+1, A != B, q(A,B).")))
    'h(f(X,1)) :- p(X); Z = (X+1); f(X,1) != B; q(f(X,1),B).'
    """
    binding: dict[str, Term] = {}
    rest = []
    for k, literal in enumerate(rule.body):
        unifier = None
        if type(literal) is Compare and literal.op == "=" and not literal.sign:
            sides = literal.left, literal.right
            if all(map(is_simple, sides)) and ANY not in walk(*sides):
                unifier = unify(*sides, binding)
        if unifier is None:
            rest.append(k)
        else:
            binding = unifier
    if len(rest) == len(rule.body):
        return rule
    # replaced in the whole rule: without its equations a variable could count as local in an aggregate
    whole = substitute(rule, {name: resolve(term, binding) for name, term in binding.items()})
    return Rule(whole.head, tuple([whole.body[k] for k in rest]), rule.place, rule.id)


# -- variants and most general terms ---------------------------------------------------------------------------------


def rename_all(terms: Terms, suffix: str) -> Terms:
    """Adds a suffix to the variables of simple terms, so that they differ from all others."""
    return tuple([_rename(term, suffix) for term in terms])


def _rename(term: Term, suffix: str) -> Term:
    if type(term) is Var:
        return Var(f"{term.name}~{suffix}") if term.name != "_" else term
    return Fun(term.name, tuple([_rename(arg, suffix) for arg in term.args])) if type(term) is Fun else term


@cache_until_change(50_000)
def canonical(terms: Terms) -> Terms:
    """Names the variables of simple terms by their order, so that variants become equal: ``f(X,Y,X)`` is ``f(#0,#1,#0)``."""
    names: dict[str | int, Term] = {}

    def visit(term: Term) -> Term:
        if type(term) is Var:
            return names.setdefault(term.name if term.name != "_" else len(names), _variable_numbered(len(names)))
        return Fun(term.name, tuple([visit(arg) for arg in term.args])) if type(term) is Fun else term

    return tuple([visit(term) for term in terms])


@cache
def _variable_numbered(number: int) -> Var:
    return Var(f"#{number}")


@cache
def most_general(arity: int) -> Terms:
    """The most general arguments: different variables, named as by `canonical`."""
    return tuple(map(_variable_numbered, range(arity)))


def most_general_term(signature: Signature) -> Term:
    """The most general term of this name and number of arguments."""
    name, arity = signature
    return Fun(name, tuple([Var(f"A{k}") for k in range(arity)])) if arity else Name(name)


def functor(term: Term) -> Signature | None:
    """The outermost name of a simple term and its number of arguments; None for a variable.

    The name of a number or a string is its text in a program.
    """
    if type(term) is Fun:
        return term.name, len(term.args)
    if type(term) is Name:
        return term.text, 0
    return (show_term(term), 0) if isinstance(term, (Int, Text)) else None


def label(term: Term) -> str:
    """The name of a function term, a constant or a variable.

    >>> from .reader import read_term
    >>> [label(read_term(text)) for text in ("f(X)", "X", "a", "2", '"a"')]
    ['f', 'X', 'a', '2', '"a"']
    """
    return term.name if isinstance(term, (Fun, Var)) else show_term(term)


def arguments(term: Term) -> Terms:
    """The arguments of a function term; none of any other term."""
    return term.args if isinstance(term, Fun) else ()


def constant_term(text: str) -> Term:
    """The constant for a text: a number, a quoted string, or else a name.

    >>> constant_term("-2"), constant_term('"a b"'), constant_term("a b")
    (Int(value=-2), Text(text='a b'), Name(text='a b'))
    """
    if text[:1] == '"':
        return read_term(text)
    return Int(int(text)) if text.removeprefix("-").isdecimal() else Name(text)
