r"""Compiles rules that differ only in names once: they share a template, and each gets a copy of its code with its own names.

>>> from ...lang.printer import show
>>> from ...lang.reader import read_rule
>>> template, names = template_of(read_rule('passed(R,late) :- does(R,take(K)); decision(R,late).'))
>>> show(template)
'p0(V0,a0) :- does(V0,a1(V1)); decision(V0,a0).'
>>> names
{'a0': 'late', 'p0': 'passed', 'a1': 'take'}
"""

from __future__ import annotations

from types import CodeType
from typing import Any, TypeAlias

from ...function_caches import cache_until_change
from ...lang.algebra import rebuilt
from ...lang.normal import normal
from ...lang.printed import Printed
from ...lang.terms import Atom, Fun, Name, Refused, Rule, Signature, Term, Text, Var
from .relations import delta_of, is_added
from .source import FIRST, source
from .values import NotCompiled

Names: TypeAlias = dict[str, str]
"""Maps each name or string of a template to that of the rule."""


def template_of(rule: Rule) -> tuple[Rule, Names]:
    """The template of a rule, with numbered names instead of its own, and the names for which they stand."""
    names: Names = {}
    predicates: dict[str, str] = {}
    words: dict[str, str] = {"": ""}
    variables: dict[str, Var] = {"_": Var("_")}

    def word(own: str, mark: str) -> str:
        placeholder = words.get(own)
        if placeholder is None:
            placeholder = words[own] = f"{mark}{len(words) - 1}"
            names[placeholder] = own
        return placeholder

    def term(term: Term) -> Term:
        if isinstance(term, Var):
            return variables.get(term.name) or variables.setdefault(term.name, Var(f"V{len(variables) - 1}"))
        if isinstance(term, Name):
            return term if term.text[0] == "#" else Name(word(term.text, "a"))
        if isinstance(term, Text):
            return Text(word(f'"{term.text}', '"s')[1:])
        return Fun(word(term.name, "a"), term.args) if isinstance(term, Fun) else term

    def atom(atom: Atom) -> Atom:
        name = atom.name
        if name in FIRST:  # the name affects the order of the joins
            return atom
        placeholder = predicates.get(name)
        if placeholder is None:
            placeholder = f"p{len(predicates)}"
            placeholder = predicates[name] = delta_of((placeholder, 0))[0] if is_added(name) else placeholder
            names[placeholder] = name
        return Atom(placeholder, atom.args, atom.sign)

    return rebuilt(rule, term, atom), names


@cache_until_change(5_000)
def check(rule: Printed) -> None:
    """Checks that a rule has a normal form.

    Raises:
        Unsupported: It has no normal form.
    """
    _normal(template_of(rule.value)[0])


@cache_until_change(5_000)
def _normal(template: Rule) -> list[Rule]:
    try:
        return normal(template)
    except Refused as refused:
        raise NotCompiled(str(refused)) from None


def code_of_rule(rule: Printed, head: Signature) -> tuple[CodeType, tuple[Signature, ...]]:
    """The code of the function by which a rule derives a predicate of its head, and the predicates of its parameters.

    Raises:
        Unsupported: The rule has a construct that is not compiled.
    """
    template, names = template_of(rule.value)
    name, arity = head
    in_template = next((new for new, old in names.items() if old == name and new[0] == "p"), name)
    code, read = _compile_template(template, (in_template, arity))
    return _rename_code(code, names, rule.text), tuple((names.get(n, n), k) for n, k in read)


def _rename_code(code: CodeType, names: Names, rule: str) -> CodeType:
    """The code of a rule for the code of its template; helper functions are among its constants."""
    consts = (
        _rename_code(value, names, rule) if isinstance(value, CodeType) else _own(value, names)
        for value in code.co_consts
    )
    return code.replace(co_consts=tuple(consts), co_filename=rule)


@cache_until_change(5_000)
def _compile_template(template: Rule, head: Signature) -> tuple[CodeType, tuple[Signature, ...]]:
    """The compiled code of a template."""
    text, read = source(template, head)
    (code, *_) = compile(text, "template", "exec").co_consts
    return code, read


def _own(value: Any, names: Names) -> Any:
    """The constant of a rule for a constant of its template."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_own(part, names) for part in value)
    return value
