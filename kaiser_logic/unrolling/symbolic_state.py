"""Symbolic states: positions after unknown moves, in which some facts depend on literals.

Facts that are certain stay facts, and everything that follows from them is computed while grounding, as for a given position.
A fact that depends on unknown moves has a literal of one `Circuit` for the whole game. Each step is grounded by itself, over
the facts that are possible at that point. So symbolic execution takes little more time than a replay if few facts are open.
A `Planner` keeps fixed and free steps, and reads the decisions that lead to an aim from a model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import EngineProgram, Grounding
from ..engine.open_grounding import OpenGrounding
from ..engine.ruleset import Ruleset
from ..engine.sets import naming_kinds
from ..errors import NotDecided
from ..function_caches import cache_until_change
from ..lang import terms as lang
from ..lang.terms import Signature
from ..lang.unification import arguments, functor, label
from ..notation.terms import UNKNOWN, Term, Value
from ..rules.predicates import ADD, DECISION, DEL, DUE, LEGAL, SUBMITTED, TERMINAL, TOO_MANY, VIOLATES, WINNER
from ..rules.rulebook import Rulebook
from .circuit import FALSE, TRUE, Circuit, Literal

# -- external grounding --------------------------------------------------------------------------------------
#
# A program grounded over the facts of a symbolic state.


Open: TypeAlias = Mapping[clingo.Symbol, Literal]
"""Atoms that may hold, each with the literal that it holds."""


class ExternalGrounding(OpenGrounding[Circuit]):
    """A program grounded over facts some of which are open."""

    def __init__(self, circuit: Circuit, program: EngineProgram, facts: Open) -> None:
        """Grounds the program over these facts."""
        relevant = {s: v for s, v in facts.items() if symbols.signature(s) in program.inputs}
        self._open = {s: v for s, v in relevant.items() if v != TRUE}
        rules = (clingo.tree(rule.text) for rule in program.rules)
        given = (s for s, literal in relevant.items() if literal == TRUE)
        super().__init__(circuit, rules, (*program.static, *given), self._open)
        circuit.count(self.literals)
        circuit.check_limits()

    def _input(self, fact: clingo.Symbol) -> Literal:
        return self._open[fact]

    def _define_recursive(self, component: Sequence[int]) -> None:
        for atom in component:
            self._known[atom] = self.circuit.recursive()
        for atom in component:
            self.circuit.define(self._known[atom], [self._body(*body) for body in self._bodies(atom)])


# -- unknown sets --------------------------------------------------------------------------------------------
#
# Sets that are unknown in a symbolic state, such as cards laid face down.
#
# Listing all sets that a role may choose from an unknown hand would be far too much. Instead, an action contains the name of a
# set, and the elements of the set are choices of a circuit. The rules read named sets by their elements
# (``asp/engine/open_sets.lp``), and other sets as terms.


_NONE: Final = Term("none")
_NAME: Final = "unknown_set"


@cache_until_change(16)
def naming_decisions(book: Rulebook) -> frozenset[str]:
    """The names of the decisions in which an action can name a set."""
    return frozenset(label(kind.decision) for kind in naming_kinds(book))


class UnknownSet:
    """A set of an action whose elements are unknown.

    Attributes:
        name: Its name, which represents it in an action.
        facts: The facts that describe it in a program.
    """

    def __init__(self, circuit: Circuit, ruleset: Ruleset, role: str, place: int = 1) -> None:
        """A set with any number of copies of each thing; ``place``: its number among the sets that the role names."""
        self._circuit = circuit
        owner = symbols.symbol(Term(role))
        self.name = clingo.Function(_NAME, [owner, clingo.Number(place)])
        self.facts: dict[clingo.Symbol, Literal] = {clingo.Function("stand_in", [self.name, owner]): TRUE}
        self._things: list[tuple[Value, dict[int, Literal]]] = []
        for thing, _, most in sorted((s.arguments for s in ruleset.facts("thing", 3)), key=lambda s: s[1].number):
            copies = {number: circuit.choice() for number in range(1, most.number + 1)}
            circuit.require_at_most_one(copies.values())
            self._things.append((symbols.value(thing), copies))
            for number, literal in copies.items():
                self.facts[clingo.Function("chosen", [self.name, thing, clingo.Number(number)])] = literal

    @property
    def choices(self) -> list[Literal]:
        """The literals that determine its elements."""
        return [literal for _, copies in self._things for literal in copies.values()]

    def belong_to(self, taken: Mapping[clingo.Symbol, Literal]) -> None:
        """Requires that it is empty unless one of the actions that contain its name is taken."""
        is_used = self._circuit.disj(literal for action, literal in taken.items() if _occurs_in(self.name, action))
        for literal in self.choices:
            self._circuit.require(self._circuit.disj([-literal, is_used]))

    def fits(self, pattern: Value, begin: int = 0) -> Literal:
        """The literal that its elements, from the thing with index ``begin`` on, match a pattern."""
        if pattern == UNKNOWN:
            return TRUE
        if pattern == _NONE:
            return self._circuit.conj(-v for _, copies in self._things[begin:] for v in copies.values())
        if not isinstance(pattern, Term) or pattern.name != "with" or len(pattern.args) != 3:
            return FALSE
        number, thing, rest = pattern.args
        alternatives: list[Literal] = []
        absent: list[Literal] = []
        for at, (other, copies) in enumerate(self._things[begin:], begin):
            if thing in (UNKNOWN, other):
                several = [v for n, v in copies.items() if number in (UNKNOWN, n)]
                first = self._circuit.conj([*absent, self._circuit.disj(several)])
                alternatives.append(FALSE if first == FALSE else self._circuit.conj([first, self.fits(rest, at + 1)]))
            absent += (-v for v in copies.values())
        return self._circuit.disj(alternatives)

    def set_in(self, model: Collection[Literal]) -> Term:
        """The set in a model, as a term."""
        term = _NONE
        for thing, copies in reversed(self._things):
            for number, literal in copies.items():
                if literal in model:
                    term = Term("with", (number, thing, term))
        return term


def _occurs_in(name: clingo.Symbol, term: clingo.Symbol) -> bool:
    """Whether a name is a term or occurs in it."""
    if term.type is not clingo.SymbolType.Function:
        return False
    return term == name or any(_occurs_in(name, a) for a in term.arguments)


def written_out(term: Value, sets: Iterable[UnknownSet], model: Collection[Literal]) -> Value:
    """A term in which the names of sets are replaced by the sets in a model."""
    if not isinstance(term, Term):
        return term
    chosen = next((s for s in sets if symbols.value(s.name) == term), None)
    if chosen is not None:
        return chosen.set_in(model)
    return Term(term.name, tuple(written_out(part, sets, model) for part in term.args))


def fitting(circuit: Circuit, pattern: Value, action: clingo.Symbol, sets: Collection[UnknownSet]) -> Literal:
    """The literal that an action matches a pattern, in which `?` stands for any term."""
    if pattern == UNKNOWN:
        return TRUE
    if (unknown := next((s for s in sets if s.name == action), None)) is not None:
        return unknown.fits(pattern)
    value = symbols.value(action)
    if not isinstance(pattern, Term) or not isinstance(value, Term):
        return TRUE if pattern == value else FALSE
    if pattern.name != value.name or len(pattern.args) != len(value.args):
        return FALSE
    pairs = zip(pattern.args, action.arguments, strict=True)
    return circuit.conj(fitting(circuit, part, argument, sets) for part, argument in pairs)


def facts_of(sets: Iterable[UnknownSet]) -> dict[clingo.Symbol, Literal]:
    """The facts that describe several sets in a program."""
    return {fact: literal for one in sets for fact, literal in one.facts.items()}


NARROWING: Final = 0.4
"""The default share of the work for finding facts that have become certain."""
_FIRST_NARROWING: Final = 30_000
"""The work, in the unit of `Circuit.work`, that is added to that of the state so far before the share is taken."""
_GROUNDING: Final = 500
"""The work of grounding if nothing is open, in the unit of `Circuit.work`."""


class SymbolicState:
    """The positions that are possible after some moves, some of which are unknown.

    Attributes:
        facts: The facts that may hold, each with the literal that it holds.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        facts: Iterable[clingo.Symbol],
        circuit: Circuit,
        narrowing: float = NARROWING,
    ) -> None:
        """The state of a given position.

        Args:
            ruleset: The rules in force.
            facts: The facts of the position.
            circuit: The circuit of the literals.
            narrowing: The share of the work for finding facts that have become certain.
        """
        self._ruleset = ruleset
        self._circuit = circuit
        self._before = circuit.work
        self._narrowing = narrowing
        self._settled: tuple[int, frozenset[Literal]] = (0, frozenset())
        # sorted, as the order of a set of symbols differs between processes
        self.facts: dict[clingo.Symbol, Literal] = dict.fromkeys(sorted(facts, key=symbols.text), TRUE)

    # -- what is known ---------------------------------------------------------------------------------------

    def literal(self, fact: clingo.Symbol) -> Literal:
        """The literal that a fact holds now."""
        return self._circuit.value(self.facts.get(fact, FALSE))

    def decisions(self) -> dict[str, Literal]:
        """The roles that may have a pending decision, each with the literal that it has one."""
        literals_of: dict[str, list[Literal]] = {}
        for fact, literal in self.facts.items():
            if symbols.signature(fact) == DECISION:
                literals_of.setdefault(symbols.text(fact.arguments[0]), []).append(literal)
        return {role: self._circuit.disj(literals) for role, literals in literals_of.items()}

    def outcome(self) -> tuple[Literal, dict[str, Literal]]:
        """The literal that the game is over, and for each role that may have won the literal that it has.

        As long as somebody decides, it is not over, whatever `terminal` says.
        """
        terminal, winners = self._outputs(self._ruleset.outcome_program, self.facts, [TERMINAL, WINNER])
        over = -self._circuit.disj([-terminal.get((), FALSE), *self.decisions().values()])
        return over, {symbols.text(role): literal for (role,), literal in winners.items()}

    def derive(self, program: EngineProgram, signature: Signature) -> dict[tuple[clingo.Symbol, ...], Literal]:
        """The atoms of a predicate that a program derives: their arguments, each with its literal."""
        (atoms,) = self._outputs(program, self.facts, [signature])
        return atoms

    def narrow(self) -> bool:
        """Finds facts that have become certain, with limited work; False if no position is possible."""
        open = frozenset(v for v in self.facts.values() if v != TRUE)
        demands, known = self._settled
        if demands == self._circuit.demands and open <= known:
            return True
        if not self._circuit.narrow(open, self._effort()):
            return False
        self._refresh()
        self._settled = self._circuit.demands, frozenset(self.facts.values())
        return True

    # -- moves -----------------------------------------------------------------------------------------------

    def legal(self, sets: Collection[UnknownSet] = ()) -> dict[str, dict[clingo.Symbol, Literal]]:
        """All actions that may be legal now: for each role the actions, each with its literal.

        With ``sets``, the actions contain the names of these sets in place of all possible sets.

        Raises:
            NotDecided: The rulebook states that there are too many actions to list; or the list may not be what the judge allows.
        """
        decisions = [symbols.signature(f.arguments[1]) for f in self.facts if symbols.signature(f) == DECISION]
        # the number of actions is not checked if sets are only named
        program = self._reading(sets).legal_program(decisions, counted=not sets)
        outputs = [LEGAL] if sets else [LEGAL, TOO_MANY]
        legal, *others = self._outputs(program, self.facts | facts_of(sets), outputs)
        too_many = [literal for other in others for literal in other.values()]
        self._circuit.narrow([*legal.values(), *too_many], self._effort())
        if any(self._circuit.value(literal) != FALSE for literal in too_many):
            raise NotDecided("there are too many actions to choose from: they are not listed, only judged")
        actions_of: dict[str, dict[clingo.Symbol, Literal]] = {}
        for (role, action), literal in legal.items():
            literal = self._circuit.value(literal)
            if literal != FALSE:
                actions_of.setdefault(symbols.text(role), {})[action] = literal
        return actions_of

    def play(
        self,
        known: Mapping[str, clingo.Symbol],
        open: Mapping[str, Open],
        together: bool = True,
        sets: Collection[UnknownSet] = (),
    ) -> dict[tuple[str, str], Literal]:
        """Carries out a decision, with known actions of some roles and open actions of the others.

        Args:
            known: The known actions, role to action.
            open: For each other role its possible actions, each with the literal that it is taken. Each is legal by itself.
            together: Whether several roles may decide simultaneously.
            sets: The sets that open actions name.

        Returns:
            Pairs of a role and a rule that it may break, each with the literal that it breaks it. The caller must require
            that none of these literals holds.
        """
        submitted: dict[clingo.Symbol, Literal] = dict.fromkeys(self._ruleset.submissions(known), TRUE)
        for role, choices in open.items():
            for action, literal in choices.items():
                submitted |= dict.fromkeys(self._ruleset.submissions({role: action}), literal)
        alone = not known and (len(open) == 1 or not together)
        taken = {(s.arguments[0], s.arguments[1]): submitted[s] for s in submitted if symbols.signature(s) == SUBMITTED}
        actions = [action for _, action in taken]
        ruleset = self._reading(sets)
        program = ruleset.effects_program(actions) if alone else ruleset.judge_program(actions)
        facts = self.facts | submitted | facts_of(sets)
        violations, added, deleted = self._outputs(program, facts, [VIOLATES, ADD, DEL])
        broken: dict[tuple[str, str], list[Literal]] = {}
        for (who, action, rule), literal in violations.items():
            if (who, action) not in taken:  # a violation of an action that is not taken
                continue
            literal = self._circuit.conj([literal, taken[who, action]])
            broken.setdefault((symbols.text(who), symbols.text(rule)), []).append(literal)
        self._change(added, deleted)
        return {breach: self._circuit.disj(literals) for breach, literals in broken.items()}

    def _reading(self, sets: Collection[UnknownSet]) -> Ruleset:
        """The ruleset whose programs read named sets, if there are any."""
        return self._ruleset.with_open_sets(terms=True) if sets else self._ruleset

    def settle(self) -> None:
        """Carries out all steps that are due."""
        while due := {f.arguments[0]: v for f, v in self.facts.items() if symbols.signature(f) == DUE}:
            self._circuit.check_limits()
            certain = {step for step, literal in due.items() if literal == TRUE}
            if certain:
                self._step(map(symbols.signature, due))
            else:
                step = min(due, key=lambda s: (self._leading_to(s, due), s))
                self._step_if(step, due[step])

    def _step(self, due: Iterable[Signature]) -> None:
        self._change(*self._outputs(self._ruleset.step_program(due), self.facts, [ADD, DEL]))

    def _step_if(self, step: clingo.Symbol, due: Literal) -> None:
        """Carries out a step that may be due. It has a branch of its own, in which far fewer facts are open."""
        fixed = self._circuit.fixed_literals(self.facts.values(), [due], self._effort())
        fact = clingo.Function(DUE[0], [step])
        if fixed is None:  # it cannot be due
            del self.facts[fact]
            return
        branch = SymbolicState(self._ruleset, (), self._circuit, self._narrowing)
        branch.facts = {f: w for f, v in self.facts.items() if (w := _value_under(v, fixed)) != FALSE} | {fact: TRUE}
        branch._step([symbols.signature(f.arguments[0]) for f in branch.facts if symbols.signature(f) == DUE])
        del self.facts[fact]
        for changed in self.facts | branch.facts:
            otherwise, then = self.facts.get(changed, FALSE), branch.facts.get(changed, FALSE)
            if then != otherwise:
                self.facts[changed] = self._either(due, then, otherwise)
        self._refresh()

    def _leading_to(self, step: clingo.Symbol, due: Iterable[clingo.Symbol]) -> int:
        """The number of due steps that can lead to this one, while this one cannot lead to them."""
        after = {kind: self._consequences(kind) for kind in map(symbols.signature, due)}
        own = symbols.signature(step)
        return sum(own in after[kind] and kind not in after[own] for kind in map(symbols.signature, due))

    def _consequences(self, kind: Signature) -> set[Signature]:
        """The kinds of steps that can follow a kind of step, with no decision in between."""
        kinds: set[Signature] = set()
        pending = [kind]
        while pending:
            for rule in self._ruleset.step_program([pending.pop()]).rules:
                for head in rule.heads:
                    if head.signature == ADD and functor(head.args[0]) == DUE:
                        (after,) = arguments(head.args[0])
                        new = (label(after), len(after.args) if isinstance(after, lang.Fun) else 0)
                        if not isinstance(after, lang.Var) and new not in kinds:
                            kinds.add(new)
                            pending.append(new)
        return kinds

    def _either(self, condition: Literal, one: Literal, other: Literal) -> Literal:
        circuit = self._circuit
        return circuit.disj([circuit.conj([condition, one]), circuit.conj([-condition, other])])

    def _effort(self) -> float:
        """The effort for finding certain facts, in the unit of `Circuit.work`."""
        return self._narrowing * (_FIRST_NARROWING + self._circuit.work - self._before)

    # -- steps -----------------------------------------------------------------------------------------------

    def _outputs(
        self, program: EngineProgram, facts: Open, wanted: Sequence[Signature]
    ) -> list[dict[tuple[clingo.Symbol, ...], Literal]]:
        """For each wanted predicate the atoms that can hold: their arguments, each with its literal."""
        self._circuit.count(_GROUNDING)
        grounding: Grounding | ExternalGrounding
        if all(v == TRUE for f, v in facts.items() if symbols.signature(f) in program.inputs):
            grounding = Grounding(program, facts)
            return [{tuple(s.arguments): TRUE for s in grounding.get(*one)} for one in wanted]
        grounding = ExternalGrounding(self._circuit, program, facts)
        return [{tuple(s.arguments): v for s, v in grounding.get(*one).items()} for one in wanted]

    def _change(self, added: Mapping[Any, Literal], deleted: Mapping[Any, Literal]) -> None:
        for (fact,), literal in deleted.items():
            if fact in self.facts:
                self.facts[fact] = self._circuit.conj([self.facts[fact], -literal])
        for (fact,), literal in added.items():
            self.facts[fact] = self._circuit.disj([self.facts.get(fact, FALSE), literal])
        self._refresh()

    def _refresh(self) -> None:
        values = {fact: self._circuit.value(literal) for fact, literal in self.facts.items()}
        self.facts = {fact: literal for fact, literal in values.items() if literal != FALSE}


def _value_under(literal: Literal, fixed: Mapping[Literal, Literal]) -> Literal:
    """The value of a literal if some literals are fixed."""
    value = fixed.get(abs(literal))
    return literal if value is None else value if literal > 0 else -value


Taken: TypeAlias = Mapping[str, clingo.Symbol]
"""The decisions of one step, by role."""


class Planner:
    """Fixed and free steps from a position, and the symbolic state after them.

    Attributes:
        state: The symbolic state after the steps.
        circuit: The circuit of the literals. Its limits are those of the planner.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        facts: Iterable[clingo.Symbol],
        circuit: Circuit,
        narrowing: float = NARROWING,
    ) -> None:
        """A planner without steps.

        Args:
            ruleset: The rules in force.
            facts: The facts of the position where the plans begin.
            circuit: The circuit of the literals.
            narrowing: The share of the work for finding facts that have become certain.
        """
        self.circuit = circuit
        self.state = SymbolicState(ruleset, facts, circuit, narrowing)
        self._steps: list[dict[str, Open]] = []

    def fix(self, taken: Taken) -> bool:
        """Adds a step in which exactly these actions are taken; False if that is impossible.

        Raises:
            NotDecided: A limit of the circuit has been reached.
        """
        self.circuit.check_limits()
        decides = self.state.decisions()
        for role in sorted(decides.keys() | taken.keys()):
            literal = decides.get(role, FALSE)
            self.circuit.require(literal if role in taken else -literal)
        self._steps.append({role: {action: TRUE} for role, action in taken.items()})
        for literal in self.state.play(taken, {}).values():
            self.circuit.require(-literal)
        self.state.settle()
        return self.state.narrow()

    def free(self, widest: int | None = None) -> bool:
        """Adds a step in which each role that decides takes a legal action; False if no role can decide.

        Decisions with more actions than ``widest`` are excluded.

        Raises:
            NotDecided: A limit of the circuit has been reached, or there are too many actions to list.
        """
        self.circuit.check_limits()
        circuit, decides, legal = self.circuit, self.state.decisions(), self.state.legal()
        wide = [role for role in decides if widest is not None and len(legal.get(role, ())) > widest]
        for role in wide:
            circuit.require(-decides.pop(role))
        circuit.require(circuit.disj(decides.values()))
        step: dict[str, Open] = {}
        for role, literal in decides.items():
            choices = {action: (circuit.choice(), allowed) for action, allowed in legal.get(role, {}).items()}
            for choice, allowed in choices.values():
                circuit.require(circuit.disj([-choice, allowed]))
            circuit.require(circuit.disj([-literal, *(choice for choice, _ in choices.values())]))
            circuit.require_at_most_one([choice for choice, _ in choices.values()])
            step[role] = {action: circuit.value(choice) for action, (choice, _) in choices.items()}
        self._steps.append(step)
        several = circuit.at_least(2, [(literal, 1) for literal in decides.values()])
        joint = several != FALSE and circuit.solve((), [several]) is not None
        for literal in self.state.play({}, step, joint).values():
            circuit.require(-literal)
        self.state.settle()
        return self.state.narrow()

    def plans(self, aim: Literal) -> Iterator[list[Taken]]:
        """All plans after which the aim holds. A plan contains the decisions of all steps.

        Raises:
            NotDecided: A limit of the circuit has been reached.
        """
        open = [v for step in self._steps for choices in step.values() for v in choices.values()]
        # A plan that was found is excluded at this step only: a longer one may begin with it.
        here = self.circuit.choice()
        while aim != FALSE and (model := self.circuit.solve([TRUE, *open], [aim, here])) is not None:
            yield [_actions_in(step, model) for step in self._steps]
            plan = self.circuit.conj([aim, here, *(v if v in model else -v for v in open)])
            self.circuit.require(-plan)


def _actions_in(step: Mapping[str, Open], model: set[Literal]) -> Taken:
    return {role: action for role, choices in step.items() for action, v in choices.items() if v in model}


def equals(state: SymbolicState, circuit: Circuit, facts: Iterable[clingo.Symbol]) -> Literal:
    """The literal that the position is now the one with these facts."""
    wanted = set(facts)
    return circuit.conj([*map(state.literal, wanted), *(-v for f, v in state.facts.items() if f not in wanted)])
