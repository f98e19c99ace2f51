"""Rules that are specialised to an action have the same models as the original rules, in random programs of every construct."""

from __future__ import annotations

from collections import Counter

import pytest
from support.normal_forms import normal_program
from support.programs import GIVEN, program

from kaiser_logic import clingo
from kaiser_logic.engine.symbols import symbol_of, term_of
from kaiser_logic.lang.algebra import substitute_term
from kaiser_logic.lang.reader import read_rules, read_term
from kaiser_logic.lang.terms import Atom, Fun, Int, Name, Refused, Rule, Term, Text, Var
from kaiser_logic.solving.program import print_line
from kaiser_logic.solving.specialise import OPEN, Specialised, number_variables

pytestmark = pytest.mark.by_hand

ACTIONS = ("f(X,Y)", "g(X)", "x", "f(X,X)", "f(g(X),Y)")
"""Actions with their arguments."""
VALUES = (Int(1), Int(2), Name("x"), Name("z"), Text("s"), Fun("g", (Int(2),)))
_OTHERS = GIVEN.replace('c(f(1,x),"s").', "").replace("c(g(2),x).", "").replace("c(f(3,z),s).", "")


def _answers(rules: list[str]) -> list[set[clingo.Symbol]]:
    """The models of these rules with the given facts."""
    control = clingo.Control(["0"])
    control.add("base", [], "\n".join([_OTHERS, *rules]))
    control.ground([("base", [])])
    found: list[set[clingo.Symbol]] = []
    control.solve(on_model=lambda model: found.append(set(model.symbols(atoms=True))))
    return found


def _original_atoms(
    specialised: Specialised, model: set[clingo.Symbol], values: dict[str, Term]
) -> set[clingo.Symbol]:
    """A model of the specialised rules, as atoms of the original rules."""
    known = {specialised.name(s, v): (s, v) for s, its in specialised.versions.items() for v in its}
    found = set()
    for symbol in model:
        if symbol.name.endswith("__all") or symbol.name == "arg__":
            continue
        if symbol.name not in known:
            found.add(symbol)
            continue
        (name, _), version = known[symbol.name]
        if len(symbol.arguments) != sum(part is OPEN for part in version):
            found.add(symbol)
            continue
        rest = iter(symbol.arguments)
        args = [next(rest) if part is OPEN else symbol_of(substitute_term(part, values)) for part in version]
        found.add(clingo.Function(name, args))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("start", (0, 60))
def test_specialised_rules_have_the_same_models(start: int) -> None:
    seen = Counter[str]()
    for seed in range(start, start + 60):
        try:
            rules = [r for r in normal_program(read_rules(program(seed))) if r.head is not None]
        except Refused:
            continue
        pattern = read_term(ACTIONS[seed % len(ACTIONS)])
        names, chosen = number_variables(pattern)
        version = (substitute_term(pattern, chosen), OPEN)
        specialised = Specialised(rules, ("c", 2), version)
        for k in range(2):
            values: dict[str, Term] = {
                f"A{i}__": VALUES[(seed + 7 * k + 5 * i) % len(VALUES)] for i, _ in enumerate(names)
            }
            action = substitute_term(version[0], values)
            try:
                expected = _answers(
                    [*map(print_line, rules), print_line(Rule(Atom("c", (action, Name("x")))))]
                )
            except RuntimeError:
                seen["unsafe"] += 1
                break
            given = [
                print_line(Rule(Atom("arg__", (Int(i), values[f"A{i}__"])))) for i, _ in enumerate(names)
            ]
            given.append(print_line(Rule(Atom(specialised.name(("c", 2), version), (Name("x"),)))))
            found = [
                _original_atoms(specialised, m, values)
                for m in _answers([*map(print_line, specialised.rules), *given])
            ]
            assert sorted(map(_sorted, expected)) == sorted(map(_sorted, found)), (seed, k, program(seed))
            seen["compared"] += 1
            seen["with versions"] += len(specialised.versions) > 1
    assert seen["compared"] >= 60
    assert seen["with versions"] >= 6


def _sorted(model: set[clingo.Symbol]) -> list[str]:
    return sorted(map(str, model))


def test_symbols_and_terms_are_converted_without_loss() -> None:
    for text in ('f(1,"s",x)', "(1,2)", "-3", "#inf", "#sup", "()", "g((1,),y)"):
        term = read_term(text)
        assert term_of(symbol_of(term)) == term
    assert Var("X") != Name("x")
