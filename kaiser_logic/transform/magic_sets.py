"""Magic sets: the facts that make an atom true, or keep it from being true.

From the rules of a program this module makes further rules that walk them from the top down, asking only
about what is in question (magic sets). An atom asked for *why true* leads through each instance of a rule
that derives it to the facts of that instance; asked for *why false*, through each rule that might have
derived it to the literals that fail, and to those that bind the variables of what fails. The program's own
predicates are left as they are; what is made:

* ``_ask(K,Role,Action,Id)``, given: question number K is why the action breaks the rule (or, with ``legal``,
  why it does not);
* ``_because(K,Fact)``: the fact has a part in the answer;
* ``_absent(K,Fact)``: the fact does not hold and would have to (``_any`` for whatever argument);
* ``_applies(K)``: with ``legal``, the rule judges actions of this form;
* an instance predicate for each rule that was asked *why true*, with all of the rule's variables;
* a predicate for each condition of a sentence, over the variables of the rule that it is about.

The rules for an action that breaks ``take.enough``: what is asked, in which instances it holds, what is missing there:

>>> rules = parse_rules('violates(R,A,"take.enough") :- candidate(R,A), wants(A,K), not holds(K).')
>>> for rule in relevance(rules, {("holds", 1)}).rules:
...     print(rule.text)
_true1(_K,1,R,A,V) :- _ask(_K,R,A,V).
_rule2(_K,_L,A,K,R) :- _true1(_K,_L,R,A,"take.enough"); candidate(R,A); wants(A,K); not holds(K).
_absent(_K,holds(K)) :- _rule2(_K,_L,A,K,R); _L = 1.

Levels: 1 for what is reached without turning from *false* to *true*. Only there is reported what is absent:
deeper it would name everything whose presence could spoil an obstacle, which is nothing that anybody misses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from ..lang.terms import Signature
from ..rules.loader import parse_rules
from ..rules.predicates import DECISION, VIOLATES
from ..rules.rule import Rule
from .clauses import Clause, Part, clauses, names, positive_text, projected
from .rewrite import literal

ANYTHING = "_any"
_Mode: TypeAlias = "tuple[Signature, tuple[bool, ...] | None]"
_OPEN = re.compile(r"(?<![A-Za-z0-9_])_(?![A-Za-z0-9_])")


@dataclass(frozen=True)
class Instance:
    """A predicate whose atoms are the instances of one rule that were asked *why true*.

    Its arguments are the question's number, the level and the ``variables``; ``last`` is the text of the last
    argument of the rule's head: an id in quotes, or a variable; ``detail``: how many names the head has.
    """

    name: str
    variables: tuple[str, ...]
    predicate: str
    last: str
    detail: int


@dataclass(frozen=True)
class ConditionInstance:
    """A predicate whose atoms say for which instances of a rule the condition of a sentence holds.

    Like an instance; ``instance``: the predicate of those, or empty; ``id``, ``place``: whose sentence, and which of them.
    Such an atom is itself the question, in ``_because``, to which the facts behind the condition are the answer.
    """

    name: str
    variables: tuple[str, ...]
    instance: str
    id: str
    place: int


@dataclass(frozen=True)
class Relevance:
    """The rules that were made, to be grounded together with the program."""

    rules: tuple[Rule, ...]
    instances: tuple[Instance, ...]
    condition_instances: tuple[ConditionInstance, ...] = ()


def relevance(
    rules: Sequence[Rule],
    fluents: Collection[Signature],
    *,
    legal: bool = False,
    conditions: Mapping[tuple[str, int], str] = MappingProxyType({}),
) -> Relevance:
    """The rules that explain violations derived by ``rules``, or with ``legal`` why there are none.

    ``fluents`` are the facts that explain; ``conditions``: for an id and the place of a sentence of its the condition.
    """
    deriving: dict[Signature, list[Rule]] = defaultdict(list)
    for rule in rules:
        for signature in {head.signature for head in rule.heads}:
            deriving[signature].append(rule)
    return _Maker(fluents, deriving, conditions).run(legal)


@dataclass
class _Maker:
    """Writes the rules, each mode of asking about a predicate once."""

    fluents: Collection[Signature]
    deriving: Mapping[Signature, Sequence[Rule]]
    conditions: Mapping[tuple[str, int], str] = field(default_factory=dict)
    condition_instances: list[ConditionInstance] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    modes: dict[_Mode, str] = field(default_factory=dict)
    pending: list[_Mode] = field(default_factory=list)
    count: int = 0

    def run(self, legal: bool) -> Relevance:
        """All rules for the question about violations."""
        top = self.false(VIOLATES, (True, True, True)) if legal else self.true(VIOLATES)
        self.lines.append(f"{top}(_K,1,R,A,V) :- _ask(_K,R,A,V).")
        self.walk()
        for id, place in sorted(self.conditions.keys() - {(t.id, t.place) for t in self.condition_instances}):
            self.tell(id, place)
        self.walk()
        return Relevance(
            tuple(parse_rules("\n".join(self.lines))), tuple(self.instances), tuple(self.condition_instances)
        )

    def walk(self) -> None:
        """Follows all questions."""
        while self.pending:
            signature, bound = self.pending.pop()
            for clause in self.clauses(signature):
                if bound is None:
                    self.why_true(clause)
                else:
                    self.why_false(clause, bound)

    def clauses(self, signature: Signature) -> Iterator[Clause]:
        """The clauses that derive a predicate."""
        found = (clause for rule in self.deriving.get(signature, ()) for clause in clauses(rule))
        yield from (clause for clause in found if clause.signature == signature)

    # -- modes -------------------------------------------------------------------------------------

    def fresh(self, kind: str) -> str:
        """A predicate's name that nothing else has."""
        self.count += 1
        return f"_{kind}{self.count}"

    def mode(self, key: _Mode, kind: str) -> str:
        """The predicate that asks in this mode; its rules are made once."""
        if key not in self.modes:
            self.modes[key] = self.fresh(kind)
            self.pending.append(key)
        return self.modes[key]

    def true(self, signature: Signature) -> str:
        """The predicate that asks why an atom is true."""
        return self.mode((signature, None), "true")

    def false(self, signature: Signature, bound: tuple[bool, ...]) -> str:
        """The predicate that asks why no atom with these arguments, where they are bound, is true."""
        return self.mode((signature, bound), "false")

    # -- rules -------------------------------------------------------------------------------------

    def say(self, head: str, body: str) -> None:
        """One more rule."""
        self.lines.append(f"{head} :- {body}.")

    def instance(self, kind: str, variables: Iterable[str], body: Iterable[str]) -> str:
        """A new predicate over the variables that holds where the body does; its atom's text."""
        atom = f"{self.fresh(kind)}({','.join(['_K', '_L', *variables])})"
        self.say(atom, "; ".join(body))
        return atom

    def why_true(self, clause: Clause) -> None:
        """Writes the questions to the rule's literals if an atom is true."""
        ask = f"{self.true(clause.signature)}({','.join(['_K', '_L', *map(str, clause.args)])})"
        variables = sorted(clause.variables)
        atom = self.instance("rule", variables, [ask, *(p.text for p in clause.parts)])
        last = str(clause.args[-1]) if clause.args else ""
        detail = len(re.findall(r"\b[a-z]", ask))
        name = atom.partition("(")[0]
        self.instances.append(Instance(name, tuple(variables), clause.signature[0], last, detail))
        for part in clause.parts:
            self.holds(atom, part, "_L")
        for id, place in (c for c in self.conditions if last == f'"{c[0]}"'):
            self.tell(id, place, atom, variables)

    def tell(self, id: str, place: int, instance: str = "", variables: Sequence[str] = ()) -> None:
        """Writes the answers where the condition of a sentence holds, for an instance of a rule or for the question alone."""
        first, *others = _OPEN.split(self.conditions[id, place])  # its anonymous variables are its own
        body = first + "".join(f"_C{k}{text}" for k, text in enumerate(others))
        (clause,) = clauses(parse_rules(f"_told :- {body}.")[0])
        role, action = (name if name not in variables else "_" for name in "RA")
        asked = [f'_ask(_K,{role},{action},"{id}"), _L = 1', *filter(None, [instance])]
        known = sorted({*variables, *clause.variables, "R", "A"})
        atom = self.instance("told", known, [*asked, *(part.text for part in clause.parts)])
        name, head = atom.partition("(")[0], instance.partition("(")[0]
        self.condition_instances.append(ConditionInstance(name, tuple(known), head, id, place))
        term = atom.replace("_K", "_Q", 1)
        aside = self.instance("aside", known, [term, f"_K = {term}"])
        for part in clause.parts:
            self.holds(aside, part, "2")

    def why_false(self, clause: Clause, bound: tuple[bool, ...]) -> None:
        """Writes the questions to each rule's literals if no such atom is true."""
        args = [a for a, b in zip(clause.args, bound, strict=True) if b]
        ask = f"{self.false(clause.signature, bound)}({','.join(['_K', '_L', *map(str, args)])})"
        given = set().union(*map(names, args)) if args else set()
        if bound[-1:] == (True,) and str(clause.args[-1]).startswith('"'):
            guards = [p.text for p in clause.parts if not p.negated and _judges(p, clause)]
            self.say("_applies(_K)", "; ".join([ask.replace("_L", "1", 1), *guards]))
        for part, support in clause.plan(given):
            variables = sorted(given.union(*(s.variables for s in support)))
            self.fails(part, support, variables, [ask, *(s.text for s in support)])

    def fails(self, part: Part, support: Sequence[Part], variables: Sequence[str], body: list[str]) -> None:
        """Writes the questions for a literal that fails although those that bind its variables hold."""
        if part.gives - set(variables) and part.atom is None:
            return  # binds a variable: cannot fail
        if part.negated and part.atom is not None:
            text, others = positive_text(part)
            atom = self.instance("fails", sorted({*variables, *others}), [*body, text])
            self.atom_holds(atom, part.signature, text, "2")
        elif part.atom is not None:
            atom = self.instance("fails", variables, [*body, _opposite(part, set(variables))])
            self.atom_fails(atom, part.signature, projected(part.atom, set(variables)), "_L")
        elif part.conditional:
            *conditions, last = part.elements[0]
            known = set(variables).union(*(c.variables for c in conditions))
            texts = [c.text for c in conditions]
            atom = self.instance("fails", sorted(known), [*body, *texts, _opposite(last, known)])
            for condition in conditions:
                self.holds(atom, condition, "2")
            if last.atom is not None and not last.negated:
                self.atom_fails(atom, last.signature, projected(last.atom, known), "_L")
        else:
            atom = self.instance("fails", variables, [*body, _opposite(part, set(variables))])
            self.elements(atom, part)
        for other in support:
            self.holds(atom, other, "2")

    def holds(self, instance: str, part: Part, level: str) -> None:
        """Writes the questions for a literal that holds in an instance of its rule."""
        if part.atom is None:
            self.elements(instance, part)
        elif part.negated:
            self.atom_fails(instance, part.signature, projected(part.atom, part.variables), level)
        else:
            self.atom_holds(instance, part.signature, part.text, level)

    def elements(self, instance: str, part: Part) -> None:
        """Writes the questions for the elements of an aggregate: their positive literals that hold."""
        prefix = instance[:-1].partition("(")[2].split(",")[2:]
        for element in part.elements:
            variables = sorted(set(prefix).union(*(p.variables for p in element)))
            atom = self.instance("element", variables, [instance, *(p.text for p in element)])
            for inner in element:
                if inner.atom is not None and not inner.negated:
                    self.atom_holds(atom, inner.signature, inner.text, "2")

    def atom_holds(self, instance: str, signature: Signature, text: str, level: str) -> None:
        """Writes a fact of the reason, or a question about a derived atom."""
        if signature in self.fluents:
            self.say(f"_because(_K,{text})", instance)
        elif signature in self.deriving:
            name, _ = signature
            arguments = text[len(name) + 1 : -1]
            ask = f"{self.true(signature)}(_K,{level}{',' if arguments else ''}{arguments})"
            self.say(ask, instance)

    def atom_fails(
        self, instance: str, signature: Signature, arguments: Sequence[tuple[str, bool]], level: str
    ) -> None:
        """Writes a missing fact, or a question about a derived atom; arguments as of :func:`projected`."""
        if signature in self.fluents:
            if level == "_L":
                missing = literal(signature[0], *(_OPEN.sub(ANYTHING, text) for text, _ in arguments))
                self.say(f"_absent(_K,{missing})", f"{instance}, _L = 1")
        elif signature in self.deriving:
            ask = self.false(signature, tuple(bound for _, bound in arguments))
            self.say(literal(ask, "_K", level, *(text for text, bound in arguments if bound)), instance)


def _judges(part: Part, clause: Clause) -> bool:
    """Whether a positive literal says which actions the clause is about: a decision, or of the action itself."""
    action = [str(a) for a in clause.args[1:2]]
    return part.signature == DECISION or (part.atom and any(str(a) in action for a in part.atom.arguments))


def _opposite(part: Part, bound: set[str]) -> str:
    """The literals that hold where a literal fails, with these variables bound."""
    if part.atom is None or part.negated:
        return part.opposite or f"not {part.text}"
    return f"not {literal(part.signature[0], *(text for text, _ in projected(part.atom, bound)))}"
