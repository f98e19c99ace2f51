"""Claims about moves: who gains how much, what does not change, who decides next.

They stand beside the rules, in programs of their own (`claims` of the manifest): ``wrong(Claim,Witness)`` follows from a
position, what is done in it or is due, and the position after it, of which ``then(F)`` says that the fact F holds there
and ``more(X,N)`` that there is N more of the counter X than before. No induction is needed: a claim that fails after no
legal move from any valid position holds.

`Moves` are these claims in the evaluate reading. In an encoded transition ``wrong/2`` is derived like the effects; what
it reads of the position after is said by a few rules on top (`look_back`), for the heap game

    then(taken(X1,X2)) :- taken__m1(X1,X2).
    more(heap,M-N) :- heap(N), heap__m1(M), M != N.
    more(points(X1),N) :- change__0(points(X1),N), N != 0.

the last for numbers without a limit, which run to a bound in an open position: what is gained does not depend on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from .. import clingo
from ..engine import symbols
from ..engine.compiled import derived
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..rules.loader import claims_of
from ..rules.pattern import Pattern, Signature, outermost, shape
from ..rules.predicates import ADD, CHANGE, DUE, MORE, THEN, WRONG
from ..rules.reader import rule_of
from ..rules.rule import Rule
from ..rules.rulebook import RuleDoc
from ..symbolic import names
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.transitions import Transition
from ..transform.rewrite import edit, literal
from ..transform.slicing import seeds
from .counterexample import Counterexample
from .numbers import cut
from .sample import Actions, Facts, Sample, sampled


def claiming(evaluator: Evaluator) -> Evaluator:
    """The evaluator of the same rules and, on top of them, what the rulebook claims about moves."""
    ruleset = evaluator.ruleset

    def extended() -> Evaluator:
        rules, _ = claims_of(ruleset.book)
        return Evaluator(ruleset.with_rules((*ruleset.book.rules, *rules))) if rules else evaluator

    return ruleset.remember("claiming", extended)


class Moves:
    """The claims about moves of the rules in force.

    Attributes:
        docs: Their headings, by id.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        """Of rules that include the claims: see `claiming`."""
        self._evaluator = evaluator
        self._ruleset: Ruleset = evaluator.ruleset
        known = {str(h.args[0][1]) for r in self._ruleset.book.rules for h in r.heads if h.signature == WRONG}
        book = self._ruleset.book
        docs = self._ruleset.remember("claims", lambda: claims_of(book)[1]) if known else {}
        self.docs: Mapping[str, RuleDoc] = {id: doc for id, doc in docs.items() if id in known}
        named = {t for t in map(outermost, self._asked(MORE)) if t is not None}
        self._counters = {(name, arity + 1) for name, arity in named}

    def _asked(self, signature: Signature) -> Iterator[Pattern]:
        """The terms about which the claims ask a predicate."""
        rules = self._ruleset.book.rules
        return (a.args[0] for r in rules for a in r.atoms if a.signature == signature)

    def wrong(self, before: Facts, actions: Actions, after: Facts) -> list[tuple[str, str]]:
        """The claims that a move, or what was due, does not keep, with witnesses.

        Args:
            before: The position.
            actions: Who does what; nobody anything where something is due.
            after: The next position, with what is due in it.
        """
        if not self.docs:
            return []
        ruleset = self._ruleset
        kinds = {k.index: k.action for _, a in actions for k in ruleset.alike(ruleset.kind(a))}
        due = frozenset(symbols.signature(s.arguments[0]) for s in before if symbols.signature(s) == DUE)
        steps = () if actions else tuple(map(shape, due))
        key = "wrong", frozenset(kinds), None if actions else due
        program = ruleset.program(key, lambda: seeds(None, steps, kinds.values()), [WRONG])
        given = ruleset.submissions(dict(actions))
        given += [clingo.Function(THEN[0], [f]) for f in (after if THEN in program.inputs else ())]
        given += [clingo.Function(MORE[0], [c, clingo.Number(n)]) for c, n in self._more(before, after)]
        found = derived(program, frozenset(before), given, ruleset.configuration.engine).arguments(*WRONG)
        return sorted((symbols.text(claim), symbols.text(witness)) for claim, witness in found)

    def _more(self, before: Facts, after: Facts) -> Iterator[tuple[clingo.Symbol, int]]:
        """By how much the counters differ about which the claims ask."""
        change: dict[clingo.Symbol, int] = defaultdict(int)
        for facts, sign in ((before - after, -1), (after - before, 1)):
            for f in facts:
                if symbols.signature(f) in self._counters:
                    change[clingo.Function(f.name, f.arguments[:-1])] += sign * f.arguments[-1].number
        return ((counter, n) for counter, n in change.items() if n)

    def judged(self, facts: Facts, actions: Actions) -> list[tuple[str, str]] | None:
        """The same of a position and a move, as the evaluate reading carries it out; None where that is illegal."""
        if actions:
            judged = self._evaluator.judge(facts, dict(actions))
            if judged.violations:
                return None
            return self.wrong(facts, actions, (facts - frozenset(judged.deleted)).union(judged.added))
        return self.wrong(facts, (), self._evaluator.step(facts))

    def replayed(self, example: Counterexample, claim: str, witness: str) -> Counterexample:
        """The counterexample to a claim as the evaluate reading sees it."""
        facts = frozenset(map(symbols.read, example.facts))
        found = self.judged(facts, tuple((role, symbols.read(a)) for role, a in example.actions))
        before = {i for i, _ in self._evaluator.broken(facts, waive=False)} - self._ruleset.waived
        confirmed = found is not None and claim in {c for c, _ in found} and not before
        return replace(example, witness=witness, replayed=confirmed)


# -- in an encoding ----------------------------------------------------------------------------------------------------


def wrong_heads(encoded: EncodedTransition) -> dict[str, set[str]]:
    """For each claim that a transition can break the atoms that say so, with the witness as the variable W."""
    found: dict[str, set[str]] = defaultdict(set)
    for emitted in encoded.emitted:
        for head in emitted.heads:
            if names.plain(head.name) == WRONG[0]:
                claim = str(head.args[0][1])
                found[claim].add(literal(head.name, claim, *["W"] * (len(head.args) - 1)))
    return dict(found)


def obliged(encoded: EncodedTransition, claims: Iterable[str]) -> Iterator[str]:
    """The rules for ``bad(Claim,Witness)``."""
    heads = wrong_heads(encoded)
    for claim in claims:
        for atom in sorted(heads.get(claim, ())):
            yield f"bad({claim},{'W' if atom.endswith(',W)') else 'move'}) :- {atom}."


def look_back(encoding: Encoding, encoded: EncodedTransition) -> str | None:
    """Adds what claims read of the position after an encoding's last transition; why they cannot, in words."""
    rules = [e.origin for e in encoded.emitted]
    fluents = _terms(rules, THEN)
    for name, arity in sorted(fluents):
        args = [f"X{k}" for k in range(1, arity + 1)]
        after = literal(encoding.name((name, arity)), *args)
        encoding.add(f"{THEN[0]}({literal(name, *args)}) :- {after}.")
    endless = cut(encoding.domains)
    for rule in rules:
        if any(a.signature == THEN and outermost(a.args[0]) in endless for a in rule.atoms):
            encoding.origins.setdefault(_reading(rule))
    reason = None
    for name, arity in sorted(_terms(rules, MORE)):
        counter = (name, arity + 1)
        if counter not in endless:
            encoding.add(*_differences(encoding, encoded, counter))
        elif counter in encoded.changed:
            fluent = literal(name, *(f"X{k}" for k in range(1, arity + 1)))
            change = encoding.effect(CHANGE, encoded)
            encoding.add(f"more({fluent},N) :- {change}({fluent},N), N != 0.", f"{change}(none,0) :- #false.")
            reason = reason or _set(encoded, counter)
    if rules:
        encoding.add("then(none) :- #false.", "more(none,0) :- #false.")
    return reason


def _terms(rules: Iterable[Rule], predicate: Signature) -> set[Signature]:
    """The names of the terms about which rules ask a predicate."""
    atoms = (a for r in rules for a in r.atoms if a.signature == predicate)
    return {s for s in (outermost(a.args[0]) for a in atoms) if s is not None}


def _reading(rule: Rule) -> Rule:
    """The rule as one that reads the fluents themselves, for those who ask how it reads their numbers."""
    texts = {a.start: rule.argument(a, 0) for a in rule.atoms if a.signature == THEN}
    line = edit(rule, lambda a: texts.get(a.start))
    return replace(rule_of(line), file=rule.file, line=rule.line)


def _differences(encoding: Encoding, encoded: EncodedTransition, counter: Signature) -> Iterator[str]:
    """By how much a counter differs, value by value."""
    if counter not in encoded.changed:
        return
    args = [f"X{k}" for k in range(1, counter[1])]
    more = f"more({literal(counter[0], *args)}"
    old, new = (
        [literal(name, *args, n) for n in ("N", "M", "_")]
        for name in (encoding.name(counter, encoded.moment), encoding.name(counter))
    )
    yield f"{more},M-N) :- {old[0]}, {new[1]}, M != N."
    yield f"{more},M) :- {new[1]}, not {old[2]}, M != 0."
    yield f"{more},0-N) :- {old[0]}, not {new[2]}, N != 0."


def _set(encoded: EncodedTransition, counter: Signature) -> str | None:
    """Why what is gained of a counter is not all that changes it, in words, or None."""
    for emitted in encoded.emitted:
        origin = emitted.origin
        adds = any(h.signature == ADD and outermost(h.args[0]) in (None, counter) for h in origin.heads)
        if adds and CHANGE not in origin.uses and origin.file != "generated":
            return f"{counter[0]} is set, not gained: {origin.file}:{origin.line}"
    return None


def tested(evaluator: Evaluator, moves: Moves, transitions: Sequence[Transition]) -> Sample:
    """What random games show, of invariants and of the claims."""
    sample = sampled(evaluator, transitions)
    for label, group in sample.pairs.items() if moves.docs else ():
        for written in group:
            pair = written.read()
            for claim, witness in moves.judged(pair.facts, pair.actions) or ():
                example = Counterexample(label, written.facts, written.actions, witness, True)
                sample.broken.setdefault(claim, example)
    return sample
