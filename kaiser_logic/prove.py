"""Proofs by induction: an invariant holds at the start, and no action and no step leads out of it.

For each kind of action (all simultaneous ones together) and each step that happens by itself, one question to the
solver: an open position that meets the invariants, a legal action in it, and after it a position that breaks one.
No answer is the proof; an answer is a counterexample, played again by the evaluate reading. The same grounding tells
whether an action of the kind can ever be legal, and whether the enumeration of legal actions misses one. Besides: in
every valid position each who decides has a legal action, and no sum exceeds its stated bound.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import clingo

from . import symbols
from .errors import WrongUsage
from .game import Game
from .ir import Atom, Pattern, Signature, canonical, show, substitute, unify, variables
from .opened import Chain, Domains, domains
from .rewrite import literal, text_of
from .rulebook import ActionKind
from .sets import Sets, opened
from .slicing import top
from .solving import Ground, run
from .specialise import numbered

BOUND = 3
"""Numbers without a limit of their own (points) run from 0 to this in an open position, unless a manifest says more."""

SPARSE = ("--sign-def=neg",)
"""For positions that are to be found: what need not be there is left out."""

GENERAL = ("vocabulary", "count", "limit")
BROKEN: Signature = ("broken", 2)


@dataclass(frozen=True)
class Counterexample:
    """A position that meets the invariants, and what leads out of them.

    Attributes:
        transition: The kind of action, or the step.
        facts: The position's facts.
        actions: Who does what (empty for a step that happens by itself).
        witness: What is broken afterwards.
        replayed: Whether the evaluate reading confirms it.
    """

    transition: str
    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]
    witness: str
    replayed: bool


@dataclass
class Proof:
    """What was found about one claim: ``proved``, ``falls`` (with counterexamples) or ``undecided``."""

    claim: str
    statement: str
    kind: str = "invariant"
    status: str = "proved"
    counterexamples: list[Counterexample] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """One line."""
        note = f" ({'; '.join(self.notes)})" if self.notes else ""
        return f"{self.claim}: {self.status}{note}"


@dataclass
class Report:
    """All proofs of a run, and the kinds of action that can never be legal."""

    game: Game
    proofs: list[Proof]
    never_legal: list[str]
    seconds: float = 0.0

    @property
    def proved(self) -> bool:
        """Whether everything was proved."""
        return all(p.status == "proved" for p in self.proofs)

    @property
    def undecided(self) -> bool:
        """Whether something was left open and nothing fell."""
        return any(p.status == "undecided" for p in self.proofs)


@dataclass(frozen=True)
class Task:
    """One transition to be examined: kinds of action that are decided together, or a step."""

    label: str
    kinds: tuple[ActionKind, ...] = ()
    step: Pattern | None = None


@dataclass(frozen=True)
class Finding:
    """What a task found: counterexamples by invariant, whether it can happen (None: not asked), an unlisted action."""

    broken: tuple[tuple[str, Counterexample], ...]
    possible: bool | None
    unlisted: Counterexample | None
    grounding: float
    solving: float


class Prover:
    """Proves a game's invariants."""

    def __init__(self, game: Game, bound: int | None = None) -> None:
        """``bound``: up to where numbers without a limit run."""
        self.game = game
        self.evaluator = game.evaluator
        self.bound = int(game.book.manifest.get("bound", BOUND)) if bound is None else bound
        heads = [
            h for r in self.evaluator.rules for h in r.heads if h.signature == BROKEN and h.args[0][0] == "c"
        ]
        self.invariants = tuple(sorted({str(h.args[0][1]) for h in heads} - set(GENERAL)))
        self.waived = frozenset(symbols.text(s.arguments[0]) for s in self.evaluator.facts("waived", 1))
        self.assumed = tuple(i for i in self.invariants if i not in self.waived)

    def domains(self) -> Domains:
        """The sorts of the open position."""
        return domains(self.evaluator, self.bound)

    # -- what there is to prove -------------------------------------------------------------------------------------------

    def tasks(self) -> list[Task]:
        """All transitions."""
        book = self.game.book
        together = {symbols.text(s.arguments[0]) for s in self.evaluator.facts("simultaneous", 1)}
        possible = {_functor(symbols.value_pattern(f.arguments[1])) for f in self._fluents("decision")}
        found = []
        for functor, group in groupby(book.kinds, key=lambda k: _functor(k.decision)):
            kinds = tuple(group)
            if functor not in possible:
                continue
            if functor in together:
                found.append(Task(functor, kinds))
            else:
                found += [Task(self._label(k), (k,)) for k in kinds]
        steps: dict[str, Pattern] = {}
        for s in self.evaluator.facts("step", 1):
            step = s.arguments[0]
            args = tuple(("v", f"S{k}") for k in range(len(step.arguments)))
            steps.setdefault(step.name, ("f", step.name, args) if args else ("c", step.name))
        return found + [Task(f"step {name}", (), pattern) for name, pattern in steps.items()]

    def _label(self, kind: ActionKind) -> str:
        """The action's pattern, with its decision where other decisions have such an action too."""
        shape = canonical((kind.action,))
        alike = [k for k in self.game.book.kinds if canonical((k.action,)) == shape]
        return show(kind.action) + (f" at {_functor(kind.decision)}" if len(alike) > 1 else "")

    def _fluents(self, name: str) -> list[clingo.Symbol]:
        return [f for f in self.domains().fluents if f.name == name]

    # -- induction ----------------------------------------------------------------------------------------------------------

    def examine(self, task: Task, sorts: Domains, lemmas: Sequence[str], goals: Sequence[str]) -> Finding:
        """One induction step: does the transition lead from the lemmas (and the goals) out of the goals?"""
        before = sorted({*lemmas, *(g for g in goals if g not in GENERAL)})
        ground, number = self._leaving(task, sorts, before, goals, exact=False)
        suspected = ground.model() is not None
        if suspected:
            ground, number = self._leaving(task, sorts, before, goals, exact=True)
        broken: list[tuple[str, Counterexample]] = []
        while suspected and len(broken) < len(goals):
            model = ground.model()
            if model is None:
                break
            example = self.counterexample(task, model, number)
            bad = next(s for s in model if s.name == "bad")
            invariant, witness = symbols.text(bad.arguments[0]), symbols.text(bad.arguments[1])
            broken.append((invariant, self._replay(example, invariant, witness)))
            ground.add(f"next{len(broken)}", f":- bad({invariant},_).")
        if goals and all(g in GENERAL for g in goals) and len(goals) < len(self.assumed):
            return Finding(tuple(broken), None, None, ground.grounding, ground.solving)
        possible, unlisted, more = self._possible(task, sorts, before)
        seconds = (ground.grounding + more.grounding, ground.solving + more.solving)
        return Finding(tuple(broken), possible or bool(broken), unlisted, *seconds)

    def _leaving(
        self, task: Task, sorts: Domains, lemmas: Sequence[str], goals: Sequence[str], exact: bool
    ) -> tuple[Ground, int]:
        """The question whether the transition leads from the lemmas out of the goals."""
        chain, number = self._transition(task, sorts, lemmas, exact)
        chain.derive([_broken(i) for i in goals])
        self._goals(chain, number, goals)
        return Ground(chain.text, chain.facts, SPARSE if exact else ()), number

    def _transition(
        self, task: Task, sorts: Domains, lemmas: Sequence[str], exact: bool = True
    ) -> tuple[Chain, int]:
        """An open position that meets the lemmas, and the transition out of it."""
        decisions = list({show(d): d for d in (numbered(k)[1] for k in task.kinds)}.values())
        steps = [task.step] if task.step is not None else []
        chain = Chain(self.evaluator, sorts)
        chain.open(decisions, steps, exact)
        chain.derive([_broken(i) for i in lemmas], decisions, steps)
        chain.assume(lemmas)
        transition = chain.act(task.kinds) if task.kinds else chain.step(steps)
        return chain, transition.number

    def _possible(
        self, task: Task, sorts: Domains, lemmas: Sequence[str]
    ) -> tuple[bool, Counterexample | None, Ground]:
        """Whether the transition can happen at all, and a legal action that the enumeration misses."""
        chain, number = self._transition(task, sorts, lemmas)
        if len(task.kinds) == 1:
            self._listing(chain, task.kinds[0], number)
        ground = Ground(chain.text, chain.facts, SPARSE)
        possible = ground.model() is not None
        if len(task.kinds) != 1 or not possible:
            return possible, None, ground
        ground.add("unlisted", ":- matched.")
        model = ground.model()
        return possible, self.counterexample(task, model, number) if model is not None else None, ground

    def _goals(self, chain: Chain, number: int, goals: Sequence[str]) -> None:
        """bad(Invariant,Witness) after the transition."""
        broken = chain.name(BROKEN)
        if broken != BROKEN[0]:
            chain.add(*(f"bad({i},W) :- {broken}({i},W)." for i in goals if i not in GENERAL))
        changes = chain.changes
        if changes is not None and "limit" in goals:
            for source in changes.sources:
                chain.add(f"changed(L) :- {source}, limit(L,_,_).")
            total = f"#sum {{ {changes.parts}; T,now : {changes.before}(L,T) }}"
            chain.add(f"bad(limit,L) :- changed(L), limit(L,_,M), {total} > M.")
            chain.add(f"bad(limit,L) :- changed(L), limit(L,N,_), N > 0, {total} < N.")
        if "vocabulary" in goals or "count" in goals:
            self._changes(chain, number, goals)
        chain.add("bad(none,none) :- #false.", ":- not bad(_,_).")

    def _changes(self, chain: Chain, number: int, goals: Sequence[str]) -> None:
        """What is added is of the vocabulary; nothing is lost that is not there; no single piece comes twice.

        The totals of the next moment rely on the latter. A counter's new value is judged by one sum; where a limit
        covers its largest value, the limit (proved beside) is enough.
        """
        chain.add("covered(X) :- measure(L,X,W), limit(L,_,M), most(X,N), M <= N*W.", "covered(X) :- endless(X).")
        heads = {name for name in ("gain", "lose", "add") if self._derived(chain, f"{name}__{number}(")}
        moment = chain.now - 1
        parts = ["N,V,up : gain__{0}({1},N,V)"] if "gain" in heads else []
        parts += ["-N,V,down : lose__{0}({1},N,V)"] if "lose" in heads else []
        set_directly: set[Signature] = set()
        for name, arity in self.game.book.counters:
            args = [f"X{k}" for k in range(1, arity)]
            counter, fluent = literal(name, *args), literal(name, *args, "N")
            now = f"N,now : {chain.name((name, arity), moment)}{fluent.removeprefix(name)}"
            total = f"#sum {{ {'; '.join([p.format(number, counter) for p in parts] + [now])} }}"
            if "lose" in heads and "count" in goals:
                chain.add(f"bad(count,{counter}) :- lose__{number}({counter},_,_), {total} < 0.")
            if "gain" in heads and "vocabulary" in goals:
                gained = f"gain__{number}({counter},_,_), not covered({counter})"
                chain.add(f"bad(vocabulary,{counter}) :- {gained}, most({counter},M), {total} > M.")
                chain.add(f"bad(vocabulary,{counter}) :- {gained}, not most({counter},_).")
            if self._derived(chain, f"add__{number}({name}(", "change__"):
                set_directly.add((name, arity))
                if "count" in goals:
                    others = literal(chain.name((name, arity)), *args, "M")
                    chain.add(
                        f"bad(count,{name}) :- {literal(chain.name((name, arity)), *args, 'N')}, {others}, N < M."
                    )
        if "count" in goals:
            for name, arity in self.game.book.units:
                fluent = literal(name, *(f"X{k}" for k in range(1, arity + 1)))
                old = chain.name((name, arity), moment) + fluent.removeprefix(name)
                lost = f", not lose__{number}({fluent},_,_)" if "lose" in heads else ""
                if "lose" in heads:
                    chain.add(f"bad(count,{fluent}) :- lose__{number}({fluent},_,_), not {old}.")
                if "gain" in heads:
                    gain = f"gain__{number}({fluent},_,V)"
                    chain.add(f"bad(count,{fluent}) :- {gain}, {old}{lost}.")
                    chain.add(f"bad(count,{fluent}) :- {gain}, gain__{number}({fluent},_,W), V < W.")
        if "vocabulary" in goals and "add" in heads:
            counted = set(self.game.book.counters) - set_directly
            for name, arity in sorted(self.game.book.fluents - counted):
                fluent = literal(name, *(f"X{k}" for k in range(1, arity + 1)))
                if self._derived(chain, f"add__{number}({name}") or self._derived(
                    chain, f"add__{number}(next"
                ):
                    known = "step(X1)" if name == "next" else f"wide({fluent})"
                    chain.add(f"bad(vocabulary,{fluent}) :- add__{number}({fluent}), not {known}.")

    @staticmethod
    def _derived(chain: Chain, head: str, unless: str = "\n") -> bool:
        """Whether a rule of the chain has such a head."""
        return any(line.replace(" ", "").startswith(head) for line in chain.lines if unless not in line)

    def _listing(self, chain: Chain, kind: ActionKind, number: int) -> None:
        """Whether the rulebook's enumeration of legal actions lists the one that is done."""
        action, decision, count = numbered(kind)
        names = list(chain.names)
        chain.names.append(dict(names[0]))
        chain.derive([Atom("question", (("v", "Role"), action))], [decision], [], enumerate=True)
        chain.names.pop()
        args = "".join(f", arg__{number}(Role,{kind.index},{k},A_{k})" for k in range(count))
        chain.add(
            f"matched :- does__{number}(Role,{kind.index}){args}, question(Role,{show(action)}).",
            "question(none,none) :- #false.",
        )

    def counterexample(self, task: Task, model: Sequence[clingo.Symbol], number: int) -> Counterexample:
        """The position and the actions of a model."""
        fluents = self.game.book.fluents
        facts = sorted(symbols.text(s) for s in model if symbols.signature(s) in fluents)
        actions = []
        kinds = {k.index: k for k in task.kinds}
        sets = Sets(opened(self.evaluator))
        for s in model:
            if s.name == f"does__{number}":
                role, index = s.arguments[0], s.arguments[1].number
                action = numbered(kinds[index])[0]
                binding = {}
                for a in model:
                    if (
                        a.name == f"arg__{number}"
                        and a.arguments[0] == role
                        and a.arguments[1].number == index
                    ):
                        binding[("v", f"A_{a.arguments[2].number}")] = symbols.value_pattern(a.arguments[3])
                actions.append((symbols.text(role), show(sets.read(substitute(action, binding), model))))
        return Counterexample(task.label, tuple(facts), tuple(sorted(actions)), "", False)

    def _replay(self, example: Counterexample, invariant: str, witness: str) -> Counterexample:
        """The counterexample as the evaluate reading sees it."""
        facts = frozenset(map(self.game.fact, example.facts))
        replayed = False
        if example.actions:
            judged = self.evaluator.judge(facts, {r: self.game.action(a) for r, a in example.actions})
            after = (facts - frozenset(judged.deleted)).union(judged.added)
            replayed = not judged.violations
        else:
            after = self.evaluator.step(facts)
            replayed = True
        found = {i for i, _ in self.evaluator.broken(after, waive=False)}
        replayed = replayed and (invariant in found or "vocabulary" in found or invariant == "count")
        return Counterexample(example.transition, example.facts, example.actions, witness, replayed)

    # -- nobody is stuck ------------------------------------------------------------------------------------------------------

    def stuck(self, functor: str, kinds: Sequence[ActionKind], sorts: Domains) -> Counterexample | None:
        """A valid position in which somebody with such a decision has no legal action, or None."""
        found: Counterexample | None = None
        single = sorted(kinds, key=lambda k: len(variables((k.action,))))
        for chosen in [*([k] for k in single if len(kinds) > 1), list(kinds)]:
            decisions = list({show(d): d for d in (numbered(k)[1] for k in kinds)}.values())
            chain = Chain(self.evaluator, sorts)
            chain.open(decisions, [])
            chain.derive([_broken(i) for i in self.assumed], decisions, [])
            chain.assume(self.assumed)
            wanted = [Atom("legal", (("v", "Role"), numbered(k)[0])) for k in chosen]
            chain.derive(wanted, decisions, [], enumerate=True)
            chain.facts += chain.sets.known(())
            chain.add("legal(none,none) :- #false.", ":- not decision(_,_).")
            chain.add("lost :- decision(Role,_), not legal(Role,_).", ":- not lost.")
            model = Ground(chain.text, chain.facts, SPARSE).model()
            if model is None:
                return None
            fluents = self.game.book.fluents
            facts = sorted(symbols.text(s) for s in model if symbols.signature(s) in fluents)
            found = Counterexample(functor, tuple(facts), (), "no legal action", True)
        return found

    # -- bounds ----------------------------------------------------------------------------------------------------------------

    def sums(self) -> list[tuple[str, str]]:
        """The rules whose sum has a stated bound: predicate, and the rule's text."""
        return [
            (r.heads[0].name, r.text)
            for r in self.evaluator.rules
            if "#sum" in r.text and any(a.signature == ("bound", 2) for a in r.positive)
        ]

    def exceeds(self, text: str, sorts: Domains) -> Counterexample | None:
        """A valid position in which the sum is larger than its bound, or None."""
        body = text.partition(" :- ")[2].rstrip(".")
        literals = _split(body)
        bound = next(a.args[1] for a in text_of(text).of("positive") if a.signature == ("bound", 2))
        total = next(x for x in literals if "#sum" in x)
        value, _, aggregate = total.partition("=")
        kept = [
            x
            for x in literals
            if x is not total and not x.startswith(("next(",)) and x.split()[0] != value.strip()
        ]
        rule = f"exceeds :- {'; '.join(kept)}; {show(bound)} < {aggregate}."
        plain = [i for i in self.assumed if not self._pending(i)]
        model: list[clingo.Symbol] | None = None
        for exact in (False, True):
            chain = Chain(self.evaluator, sorts)
            chain.open(exact=exact)
            chain.derive([_broken(i) for i in plain], [], [])
            chain.assume(plain)
            uses = [a for a in text_of(rule).atoms if a.signature not in self.evaluator.static]
            chain.derive([top(*a.signature) for a in uses], [], [])
            chain.add(rule, ":- not exceeds.")
            model = Ground(chain.text, chain.facts, SPARSE if exact else ()).model()
            if model is None:
                return None
        fluents = self.game.book.fluents
        facts = sorted(symbols.text(s) for s in model or () if symbols.signature(s) in fluents)
        return Counterexample("sum", tuple(facts), (), "the sum exceeds its bound", True)

    def _pending(self, invariant: str) -> bool:
        """Whether the invariant speaks of what is pending."""
        rules = self.evaluator.judging.slice(
            {("decision", 2): [(("v", "R"), ("v", "D"))], ("next", 1): [(("v", "S"),)], ("submitted", 2): []},
            [_broken(invariant)],
        )
        return any(u in (("decision", 2), ("next", 1)) for r in rules for u in r.uses)

    # -- all together ------------------------------------------------------------------------------------------------------------

    def run(
        self,
        wanted: Sequence[str] = (),
        timeout: float = 600.0,
        workers: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> Report:
        """Proves the wanted invariants (all, and all else, where none is named)."""
        start = time.monotonic()
        unknown = [w for w in wanted if w not in (*self.invariants, *GENERAL)]
        if unknown:
            known = ", ".join((*self.invariants, *GENERAL))
            raise WrongUsage(f"{self.game.id} has no invariant {unknown[0]!r}; the invariants are: {known}")
        goals = [i for i in (*self.assumed, *GENERAL) if not wanted or i in wanted]
        if "vocabulary" in goals and "limit" not in goals:
            goals.append("limit")
        extra = [i for i in sorted(self.waived) if (not wanted or i in wanted) and i in self.invariants]
        sorts = self.domains()
        proofs = {i: Proof(i, self.game.book.doc(i).statement) for i in (*goals, *extra)}
        never: list[str] = []
        jobs: list[tuple[str, Callable[[], object]]] = []
        tasks = self.tasks()
        for task in sorted(tasks, key=lambda t: t.step is None):
            for part in _parts(goals, task.step is not None):
                jobs.append((f"induction {task.label}", _bind(self.examine, task, sorts, self.assumed, part)))
            for name in extra:
                jobs.append(
                    (
                        f"induction {task.label} ({name})",
                        _bind(self.examine, task, sorts, self.assumed, [name]),
                    )
                )
        if not wanted:
            jobs += self._further(sorts, tasks, proofs)
        for index, (label, answer) in enumerate(self._answers(jobs, start + timeout, workers)):
            progress(f"{index + 1}/{len(jobs)} {label}")
            self._collect(label, answer, proofs, never, goals, extra)
        self._base(proofs)
        return Report(self.game, list(proofs.values()), sorted(never), time.monotonic() - start)

    def _further(
        self, sorts: Domains, tasks: Sequence[Task], proofs: dict[str, Proof]
    ) -> list[tuple[str, Callable[[], object]]]:
        """The jobs besides induction: nobody is stuck, no sum exceeds its bound."""
        jobs: list[tuple[str, Callable[[], object]]] = []
        by_decision: dict[str, list[ActionKind]] = {}
        for task in tasks:
            for kind in task.kinds:
                by_decision.setdefault(_functor(kind.decision), []).append(kind)
        for functor, kinds in by_decision.items():
            claim = f"legal action at {functor}"
            proofs[claim] = Proof(claim, "Whoever decides has a legal action.", "stuck")
            jobs.append((claim, _bind(self.stuck, functor, tuple(kinds), sorts)))
        for name, text in self.sums():
            claim = f"bound of {name}"
            proofs[claim] = Proof(claim, "No sum exceeds its stated bound.", "bound")
            jobs.append((claim, _bind(self.exceeds, text, sorts)))
        proofs["enumeration"] = Proof(
            "enumeration", "The enumeration of legal actions misses none.", "enumeration"
        )
        return jobs

    @staticmethod
    def _answers(
        jobs: Sequence[tuple[str, Callable[[], object]]], deadline: float, workers: int | None
    ) -> Iterator[tuple[str, object]]:
        for answer in run([job for _, job in jobs], workers, deadline):
            yield jobs[answer.index][0], answer.failure if answer.failure else answer.value

    def _collect(
        self,
        label: str,
        answer: object,
        proofs: dict[str, Proof],
        never: list[str],
        goals: Sequence[str],
        extra: Sequence[str],
    ) -> None:
        """Enters one job's answer."""
        if label.startswith("induction "):
            single = next((i for i in extra if label.endswith(f" ({i})")), None)
            concerned = (
                [single] if single else [*goals, *(["enumeration"] if "enumeration" in proofs else [])]
            )
            if not isinstance(answer, Finding):
                for name in concerned:
                    _undecided(proofs[name], f"{label.removeprefix('induction ')}: {answer}")
                return
            if answer.possible is False and not single and label.removeprefix("induction ") not in never:
                never.append(label.removeprefix("induction "))
            for name, example in answer.broken:
                _falls(proofs[name], example)
            if answer.unlisted is not None and "enumeration" in proofs:
                _falls(proofs["enumeration"], answer.unlisted)
            return
        if isinstance(answer, Counterexample):
            _falls(proofs[label], answer)
        elif answer is not None:
            _undecided(proofs[label], str(answer))

    def _base(self, proofs: dict[str, Proof]) -> None:
        """The induction's base: the position at the start."""
        found = {i: w for i, w in self.evaluator.broken(self.evaluator.initial(), waive=False)}
        facts = tuple(sorted(map(symbols.text, self.evaluator.initial())))
        for name, witness in found.items():
            if name in proofs:
                _falls(proofs[name], Counterexample("start", facts, (), witness, True))


def _parts(goals: Sequence[str], step: bool) -> list[list[str]]:
    """The goals in parts that are easier one by one; a step may change much, and all general goals go apart."""
    special, general = [i for i in goals if i not in GENERAL], [i for i in goals if i in GENERAL]
    return [part for part in (special, *([g] for g in general if step), general if not step else []) if part]


def _falls(proof: Proof, example: Counterexample) -> None:
    proof.status = "falls"
    proof.counterexamples.append(example)


def _undecided(proof: Proof, why: str) -> None:
    if proof.status == "proved":
        proof.status = "undecided"
    proof.notes.append(why)


def _bind(function: Callable[..., object], *args: object) -> Callable[[], object]:
    return lambda: function(*args)


def _broken(invariant: str) -> Atom:
    return Atom("broken", (("c", invariant), ("v", "W")))


def _functor(pattern: Pattern) -> str:
    return str(pattern[1])


def _split(body: str) -> list[str]:
    """A body's literals as text."""
    parts, depth, current = [], 0, ""
    for c in body:
        depth += (c in "([{") - (c in ")]}")
        if c == ";" and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    return [*parts, current.strip()]


__all__ = ["Counterexample", "Proof", "Prover", "Report", "unify"]
