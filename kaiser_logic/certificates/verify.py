"""Checks a folder of certificates. This module and the modules that it uses share no code with the prover.

Only clingo grounds the program of each question. The clauses of its completion are made again (`completion`). Each clause
that a proof uses must be one of them, or one of `files.extra_clauses`. Then the proof is checked (`lrat`).
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from .. import clingo
from ..errors import UnreadableInput
from ..workers import Job, job_answers
from . import lrat
from .completion import Clause, Completion, NoCompletion
from .files import (
    DECISION,
    POSITION,
    RULES,
    SETTINGS,
    STEP,
    Claim,
    Manifest,
    Part,
    Question,
    clauses_of,
    extra_clauses,
    goals_of,
    hashes,
    heading,
    read_manifest,
    rule_files,
    unpack,
)

_READ: Final = frozenset({"init", "seat", "broken", "add", "del", "step"})
"""The predicates whose rules are needed to compute the start of the game."""
_OF_THE_RULEBOOK: Final = frozenset({"init", "action", "step"})
"""The predicates that only the rulebook's files define: the start, and what can happen."""
_ENUMERATION: Final = "enumeration"
"""The only claim that is about decisions and not about steps."""
_HEADING: Final = re.compile(r"^%! +(?:invariant|claim) +(\S+) +-- +(.*(?:\n%!     +\S.*)*)", re.MULTILINE)
"""The heading of an invariant or a claim: its id and its statement, which may continue in further lines."""
_STATED: Final = {
    "vocabulary": "Every fact belongs to the game's vocabulary.",
    "count": "A counter has at most one value, and exactly one if it must always be stated.",
    "limit": "No limit is exceeded, below or above.",
    "exclusive": "One decision or step at a time, or one that several roles decide at the same time.",
    "range": "No total leaves its stated range.",
    _ENUMERATION: "The enumeration of legal actions misses none.",
    "bound of": "No sum exceeds its stated bound.",
    "legal action at": "Whoever decides has a legal action.",
}
"""The claims of the tool itself, in words. The ids of the last two continue with a name."""
_PENDING: Final = (("decision", 2), ("due", 1))
"""The predicates of what is pending: in a question about an action, and in one about a step."""
_STEPS: Final = 1_000
"""The largest number of steps before the first decision of a game."""


@dataclass
class Verdict:
    """The result of checking a folder.

    Attributes:
        manifest: The manifest of the folder.
        faults: The faults, in words.
        checked: The claims whose certificates are correct.
        steps: The number of steps of proofs that were checked.
        seconds: The time that it took, by the clock.
        stated: The claims in words, from the rulebook's headings and from this module.
    """

    manifest: Manifest
    faults: list[str] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    steps: int = 0
    seconds: float = 0.0
    stated: dict[str, str] = field(default_factory=dict)

    @property
    def given(self) -> list[str]:
        """The assumptions of the questions about a position, and the claims without a correct certificate."""
        return [claim for claim in self.manifest.supposed if claim not in self.checked]


@dataclass
class Checked:
    """The result of checking a question.

    Attributes:
        claims: The claims that are proved of it.
        covers: The transitions that it covers, if its kind allows them.
        coming: The names of the decisions that arise in its models.
        faults: The faults, in words.
        steps: The number of steps of proofs that were checked.
    """

    claims: set[str] = field(default_factory=set)
    covers: tuple[str, ...] = ()
    coming: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    steps: int = 0


def verify(
    folder: Path,
    rulebook: Path,
    engine: Path,
    workers: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Verdict:
    """Checks all certificates of a folder.

    Args:
        folder: The folder.
        rulebook: The folder of the rulebook.
        engine: The folder of the engine's rules.
        workers: The number of processes; None for one for each core.
        progress: Called with a message after each question.

    Raises:
        UnreadableInput: The folder has no readable manifest.
    """
    began = time.monotonic()
    manifest = read_manifest(folder)
    files = rule_files(rulebook, engine)
    found = Verdict(manifest, _changed(manifest, files))
    if found.faults:
        return found
    found.stated = stated(files, manifest.claims)
    try:
        more = unpack(folder / f"{RULES}.lp.xz")
        found.faults = _other_settings(manifest, more)
        if found.faults:
            return found
        begun = start(files, more, manifest.claims)
    except (UnreadableInput, RuntimeError) as error:
        begun = Start(faults=[f"the rules as they are written cannot be read: {error}"])
    found.faults += begun.faults
    coming = begun.coming
    about = {q.name: q.about for q in manifest.questions}
    proved: dict[str, set[str]] = {}
    covered: list[str] = []
    jobs = [Job(q.name, partial(check, folder, q, manifest)) for q in manifest.questions]
    for answer in job_answers(jobs, workers, float("inf")):
        one = answer.value or Checked(faults=[str(answer.failure)])
        proved[answer.name] = one.claims
        covered += one.covers
        coming |= one.coming
        found.faults += (f"{about[answer.name]}: {fault}" for fault in one.faults)
        found.steps += one.steps
        progress(f"{len(proved)}/{len(jobs)} {about[answer.name]}")
    unasked = missing(begun.declared, covered, coming)
    for name, claim in manifest.claims.items():
        needed = _needed(name, claim, manifest)
        left = [about[q] for q in needed if name not in proved[q]]
        if claim.kind not in (STEP, POSITION, DECISION) or (claim.kind == DECISION and name != _ENUMERATION):
            left.append(f"it is not of the kind {claim.kind}")
        if claim.kind != POSITION:
            left += unasked
        words = found.stated.get(name)
        if words is None or claim.statement not in ("", words):
            left.append("it is stated in other words" if words else "the rulebook does not state it")
        if left or not needed:
            found.faults.append(f"{name} is not shown: {', '.join(left) or 'there is no question about it'}")
        else:
            found.checked.append(name)
    found.seconds = time.monotonic() - began
    return found


def _needed(name: str, claim: Claim, manifest: Manifest) -> list[str]:
    """The names of the questions of which a claim must be proved."""
    if claim.kind == POSITION:
        return [q.name for q in manifest.questions if q.kind == POSITION and q.about == name]
    return [q.name for q in manifest.questions if q.kind == DECISION or q.kind == claim.kind == STEP]


def _changed(manifest: Manifest, files: Iterable[Path]) -> list[str]:
    """The faults of a manifest that does not fit the rulebook or clingo, or has two questions of one name."""
    now, then = hashes(files), manifest.rulebook
    faults = [
        f"the rulebook has changed: {name}"
        for name in sorted({*now, *then})
        if now.get(name) != then.get(name)
    ]
    if manifest.clingo != clingo.VERSION:
        faults.append(f"clingo {manifest.clingo} numbered the atoms, and this is {clingo.VERSION}")
    if not manifest.claims:
        faults.append("no claim has a certificate")
    if len({q.name for q in manifest.questions}) < len(manifest.questions):
        faults.append("two questions have one name")
    return faults


def stated(files: Iterable[Path], claims: Iterable[str]) -> dict[str, str]:
    """The claims in words. Those of the rulebook have headings; those of the tool itself are in a table."""
    texts = [p.read_text(encoding="utf-8") for p in files if p.suffix == ".lp"]
    texts.reverse()  # the rulebook's own headings replace the engine's
    headings = {m[1]: re.sub(r"\s*\n%! +", " ", m[2]).strip() for t in texts for m in _HEADING.finditer(t)}
    own = {c: _STATED.get(c) or _STATED.get(c.rpartition(" ")[0]) or headings.get(c) for c in claims}
    return {claim: words for claim, words in own.items() if words is not None}


def _other_settings(manifest: Manifest, more: Iterable[str]) -> list[str]:
    """The faults of the settings, which must be the same in the manifest and in the file `RULES`."""
    rules = clingo.trees("\n".join(more))
    if any(tree.ast_type.name != "Rule" for tree in rules):
        return [f"{RULES}.lp.xz contains something other than rules"]
    own = sorted({name for tree in rules for name in names(tree.head)} & _OF_THE_RULEBOOK)
    if own:
        return [f"{RULES}.lp.xz has rules for {', '.join(own)}, which only the rulebook may have"]
    facts = [str(tree)[:-1] for tree in rules if names(tree.head) & SETTINGS.keys()]
    seats = [f"seat({role},{k})" for k, role in enumerate(manifest.settings["seats"], 1)]
    given = manifest.settings["given"]
    faults = [] if facts == given else [f"{RULES}.lp.xz and the list of certificates have different settings"]
    if seats != [fact for fact in given if fact.startswith("seat(")]:
        faults.append("the list of certificates has other seats than its settings")
    return faults


@dataclass
class Start:
    """The start of the game and the declared transitions, computed by clingo from the files of the rulebook.

    Attributes:
        declared: The shapes of the declared transitions (`shape`), with the number of declarations of each shape.
        coming: The names of the decisions at the start.
        faults: The faults, in words.
    """

    declared: Counter[str] = field(default_factory=Counter)
    coming: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


def start(files: Iterable[Path], more: Iterable[str], claims: Collection[str]) -> Start:
    """The start of the game, with a fault for each claim that it breaks. Only clingo reads and grounds the rules.

    Steps that are due at the start are carried out. The claims about the vocabulary and about pending decisions are not
    checked.

    Args:
        files: The files of the rules.
        more: The lines of the file `RULES`.
        claims: The claims.
    """
    found, broken = Start(), set[str]()
    try:
        texts = [p.read_text(encoding="utf-8") for p in files if p.suffix == ".lp"]
        every = "\n".join([*texts, *more])
        rules = cone(every, _READ)
        ground = clingo.ground(rules, ())
        position = {*_first(ground, "init", 1), *_atoms(ground, "seat", 2)}
        for _ in range(_STEPS):
            ground = clingo.ground(rules, position)
            found.coming |= {s.arguments[1].name for s in position if s.name == "decision"}
            broken |= {str(s) for s in _first(ground, "broken", 2)}
            if not any(s.name == "due" for s in position):
                found.faults = [f"the start breaks {claim}" for claim in claims if claim in broken]
                found.declared = _declared(every) + Counter(
                    {f"step({s.name})" for s in _first(ground, "step", 1)}
                )
                return found
            position = (position - _first(ground, "del", 1)) | _first(ground, "add", 1)
    except (OSError, RuntimeError) as error:
        return Start(faults=[f"the rules as they are written cannot be ground: {error}"])
    return Start(faults=["the game does not come to its start"])


def cone(text: str, wanted: Collection[str]) -> str:
    """The part of a program on which predicates depend: their rules, and all statements that are not rules.

    >>> cone("a :- b, not c(1). b :- d(1;2). e :- b.", {"a"}).splitlines()
    ['a :- b; not c(1).', 'b :- d(1;2).']
    """
    rules, kept = [], []
    for tree in clingo.trees(text):
        own = names(tree.head) if tree.ast_type.name == "Rule" else set()
        if own:
            rules.append((own, names(tree), tree))
        else:
            kept.append(tree)
    needed = set(wanted)
    while True:
        more = {name for own, reads, _ in rules if own & needed for name in reads} - needed
        if not more:
            return "\n".join(map(str, [*kept, *(tree for own, _, tree in rules if own & needed)]))
        needed |= more


def nodes(tree: clingo.Tree) -> Iterator[clingo.Tree]:
    """The nodes of a syntax tree, or of several."""
    left = [tree]
    while left:
        node = left.pop()
        if hasattr(node, "ast_type"):
            yield node
            left += (getattr(node, key) for key in node.child_keys)
        elif isinstance(node, Iterable):
            left += node


def names(tree: clingo.Tree) -> set[str]:
    """The names of the predicates in a syntax tree, or in several."""
    return {symbol_name(node.symbol) for node in nodes(tree) if node.ast_type.name == "SymbolicAtom"}


def symbol_name(term: clingo.Tree) -> str:
    """The name of an atom, also of one with classical negation or a pool."""
    kind = term.ast_type.name
    if kind == "UnaryOperation":
        return symbol_name(term.argument)
    if kind == "Pool":
        return symbol_name(term.arguments[0])
    return str(term.symbol.name if kind == "SymbolicTerm" else term.name)


def shape(declared: str | clingo.Tree) -> str:
    """A declaration in which ``_`` replaces everything except names and functions.

    >>> shape("action(turn(P),buy(doctor,age(R,3)))")
    'action(turn(_),buy(doctor,age(_,_)))'
    """
    if isinstance(declared, str):
        (rule,) = clingo.trees(f"{declared}.")
        return shape(rule.head.atom.symbol)
    if declared.ast_type.name == "SymbolicTerm":
        return str(declared.symbol.name) if declared.symbol.type == clingo.SymbolType.Function else "_"
    if declared.ast_type.name != "Function":
        return "_"
    args = ",".join(map(shape, declared.arguments))
    return f"{declared.name}({args})" if args else str(declared.name)


def _declared(text: str) -> Counter[str]:
    """The shapes of the kinds of action, from each line ``action(Decision,Action)`` that can fire.

    A line can fire if the literals without variables in its body hold. So rulings switch lines on and off.
    """
    lines = [
        one
        for tree in clingo.trees(text)
        if tree.ast_type.name == "Rule" and names(tree.head) == {"action"}
        for one in tree.unpool()
    ]
    fires = [f"fires__({k}) :- {'; '.join(_plain(line.body)) or '#true'}." for k, line in enumerate(lines)]
    ground = clingo.ground("\n".join([cone(text, names([line.body for line in lines])), *fires]), ())
    return Counter(shape(lines[s.number].head.atom.symbol) for s in _first(ground, "fires__", 1))


def _plain(body: Iterable[clingo.Tree]) -> list[str]:
    """The literals of a body that have no variables."""
    return [str(one) for one in body if not any(node.ast_type.name == "Variable" for node in nodes(one))]


def missing(declared: Counter[str], covered: Iterable[str], coming: Collection[str]) -> list[str]:
    """The faults that no question covers a transition. A decision that never arises needs no question."""
    left = declared - Counter(map(shape, covered))
    steps = [s for s in left if s.startswith(STEP)]
    actions = [
        a for a in left if a not in steps and a.removeprefix("action(").split("(")[0].split(",")[0] in coming
    ]
    return [f"no question is about {name}" for name in sorted([*actions, *steps])]


def _atoms(ground: clingo.Control, name: str, arity: int) -> set[clingo.Symbol]:
    """The atoms of a predicate."""
    return {a.symbol for a in ground.symbolic_atoms.by_signature(name, arity)}


def _first(ground: clingo.Control, name: str, arity: int) -> set[clingo.Symbol]:
    """The first arguments of a predicate's facts."""
    return {s.arguments[0] for s in _atoms(ground, name, arity)}


def check(folder: Path, question: Question, manifest: Manifest) -> Checked:
    """Checks a question: its program, and the proofs of its parts."""
    found = Checked(faults=_other_kinds(question))
    found.covers = () if found.faults else question.covers
    if found.faults or not question.parts:
        return found
    try:
        lines = unpack(folder / f"{question.name}.lp.xz")
        made = Completion("\n".join(lines))
    except (NoCompletion, UnreadableInput) as error:
        found.faults = [str(error)]
        return found
    goals = goals_of(lines[0])
    if lines[:1] != [heading(question, manifest.settings, manifest.supposed, goals)]:
        found.faults = ["the list of certificates and its program's first line differ"]
    others = sorted({claim for part in question.parts for claim in part.claims} - {*goals})
    found.faults += [f"its program was not written for the claim {claim}" for claim in others]
    found.faults += [*_other_facts(made, manifest), *_other_pending(made, question)]
    if found.faults:
        return found
    added = (s.arguments[0] for s, _ in made.literals("add", 1))
    found.coming = {s.arguments[1].name for s in added if s.name == "decision" and len(s.arguments) == 2}
    known = set(made.clauses)
    for part in question.parts:
        try:
            if question.kind == POSITION and part.claims != (question.about,):
                raise lrat.WrongProof(f"it is about {question.about} alone")
            found.steps += _check(folder, part, known, extra_clauses(made, part, question))
            found.claims.update(part.claims)
        except (lrat.WrongProof, UnreadableInput) as error:
            found.faults.append(f"{part.name}: {error}")
    return found


def _other_facts(made: Completion, manifest: Manifest) -> list[str]:
    """The fault that a program has other settings than the manifest; empty if there is none."""
    facts = {s for name, arity in SETTINGS.items() for s, _ in made.literals(name, arity)}
    facts |= {s.arguments[0] for s, _ in made.literals("fluent__", 1) if s.arguments[0].name == "seat"}
    other = ", ".join(sorted({*map(str, facts)} - {*manifest.settings["given"]}))
    return [f"its program has other settings than the list of certificates: {other}"] if other else []


def _covered(question: Question) -> list[clingo.Tree]:
    """The transitions that a question covers, as terms."""
    return [tree.head.atom.symbol for c in question.covers for tree in clingo.trees(f"{c}.")]


def _other_kinds(question: Question) -> list[str]:
    """The faults that a question covers transitions that its kind does not allow."""
    own = {STEP: "step", DECISION: "action"}.get(question.kind)
    try:
        other = {symbol_name(term) for term in _covered(question)} - {own}
    except (RuntimeError, AttributeError):
        return ["what it covers cannot be read"]
    return [f"a question of the kind {question.kind} covers no {name}" for name in sorted(other)]


def _other_pending(made: Completion, question: Question) -> list[str]:
    """The fault that a program has something pending that the question does not cover, or that it covers too much."""
    pending = {s.arguments[-1].name for s, _ in made.literals(*_PENDING[question.kind == STEP])}
    terms = _covered(question)
    other = pending - {symbol_name(term.arguments[0]) for term in terms}
    if question.kind != POSITION and other:
        return [f"its program is about {', '.join(sorted(other))}, which it does not cover"]
    if len(terms) > 1 and (question.kind == STEP or made.literals("acts__", 1)):
        return ["its program is about one thing, and it covers several"]
    return []


def _check(folder: Path, part: Part, known: Collection[Clause], more: Collection[Clause]) -> int:
    """Checks the proof of a part, and returns the number of its steps."""
    clauses = clauses_of(unpack(folder / f"{part.name}.cnf.xz"))
    for clause in clauses:
        if clause not in known and clause not in more:
            raise lrat.WrongProof(f"a clause does not follow from the program: {' '.join(map(str, clause))}")
    return lrat.check(clauses, unpack(folder / f"{part.name}.lrat.xz"))
