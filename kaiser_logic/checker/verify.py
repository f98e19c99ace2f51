"""Checks the claims of a game: makes every question itself, and checks a proof for each.

*Which questions.* The first position, each transition (`program.transitions`), and each claim about positions
(`positions`). All come from the rulebook on disk; nothing of them is read from a certificate.

*When a claim is checked.* The first position does not break it, and for each transition there is a checked proof that no
valid position leads to a position that breaks it. By induction over the moves of a game no game does. A valid position
meets the invariants that are *assumed*, and every assumed one is asked for in the same way: if one of them is not shown, it
is dropped, and everything is asked again. If ``range`` or one of the claims `BASE` is not shown, nothing is checked.

*What a certificate gives.* Settings, which are printed; rules of claims by query, which are printed and may define nothing
that a rule reads; invariants to be dropped, and an assumption that is not made only adds models; predicates whose rules
become choices, which only adds models, too (`text.WrittenRule.weaker`); proofs, each of which is checked against the clauses that
the checker has made. A wrong proof, or a missing one, leaves its claims unchecked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from . import lrat, numbers
from .completion import TRUE, ProgramClauses
from .declared import DECISION, DUE, Declared
from .positions import BOUND, RANGE, STUCK, about_positions, broken_at_start, own_in, tells_others
from .program import BASE, SUBMITTED, Builder, Question, transitions
from .search import ALONE, LARGE, MANY, MOST, SUMS, LratProof, ProgramTooLarge, refuse_large, search
from .text import Book, NotCovered, Settings, functor_of

STATED: Final = {
    "vocabulary": "Every fact belongs to the game's vocabulary.",
    "count": "A counter has at most one value, and exactly one if it must always be stated.",
    "limit": "No limit is exceeded, below or above.",
    "exclusive": "One decision or step at a time, or one that several roles decide at the same time.",
    "range": "No total leaves its stated range.",
    "enumeration": "The enumeration of legal actions misses none.",
    "bound of": "No sum exceeds its stated bound.",
    "legal action at": "Whoever decides has a legal action.",
}
"""The tool's own claims in words. The last two continue with a name."""
ALONE_JUDGED: Final = "alone"
"""What a question about who is stuck shows as well: whether a candidate is legal depends on no other one."""


@dataclass(frozen=True)
class Example:
    """A valid position and what happens, by which a claim is broken: a model of the rules as they are written.

    Attributes:
        label: The transition, or the claim about positions.
        facts: The facts of the position.
        actions: The submitted actions, as ``role: action``.
    """

    label: str
    facts: tuple[str, ...]
    actions: tuple[str, ...] = ()


@dataclass
class ClaimVerdict:
    """What is known of a claim.

    Attributes:
        claim: Its name.
        statement: The claim in words.
        checked: Whether it is checked.
        why: Why it is not.
        example: What breaks it; None if that is not known.
    """

    claim: str
    statement: str
    checked: bool = True
    why: str = ""
    example: Example | None = None

    def fails(self, why: str, example: Example | None = None) -> None:
        """Notes a reason why it is not checked. The first one stays."""
        self.checked = False
        self.why = self.why or why
        self.example = self.example or example


@dataclass(frozen=True)
class QuestionAnswer:
    """The answer to a question.

    Attributes:
        label: What the question is about.
        proved: The claims that are shown.
        left: For each other claim the reason.
        examples: For some of these a counterexample.
        proofs: The proofs.
        figures: Numbers of clauses, proof steps and conflicts.
        too_weak: Whether some claim is not shown, and rules as they are written may show it.
    """

    label: str
    proved: frozenset[str] = frozenset()
    left: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, Example] = field(default_factory=dict)
    proofs: Sequence[LratProof] = ()
    figures: tuple[int, int, int] = (0, 0, 0)
    too_weak: bool = False


@dataclass
class CheckReport:
    """The result of checking a game.

    Attributes:
        settings: What the game is played under.
        verdicts: One for each claim.
        dropped: The invariants that no proof assumes, as they are not shown or waived.
        answers: The answers to the questions.
        uncovered: Why the rulebook is not covered; then nothing is checked. Empty if it is.
        files: The files that were read, with their hashes.
    """

    settings: Settings
    verdicts: list[ClaimVerdict] = field(default_factory=list)
    dropped: tuple[str, ...] = ()
    answers: list[QuestionAnswer] = field(default_factory=list)
    uncovered: str = ""
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every claim is checked."""
        return bool(self.verdicts) and all(v.checked for v in self.verdicts)


Asked: TypeAlias = Callable[[Mapping[str, Callable[[], QuestionAnswer]]], Iterable[QuestionAnswer]]
"""Gives the answers to questions, in any order."""


def verify(
    folder: Path,
    engine: Path,
    settings: Settings,
    proofs: Mapping[str, Sequence[LratProof]] | None = None,
    effort: int = ALONE,
    dropped: Collection[str] = (),
    ask: Asked | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> CheckReport:
    """Checks all claims of a game.

    Args:
        folder: The folder of the rulebook.
        engine: The folder of the engine's rules.
        settings: What it is played under.
        proofs: The proofs of a certificate by question; None to search for proofs.
        effort: The largest number of conflicts of a search for each claim of a question.
        dropped: Invariants that are not assumed.
        ask: Gives the answers; by default one question is asked after the other.
        progress: Called with a message after each answer.
    """
    lost, examples = set(dropped), dict[str, Example]()
    try:
        book = Book(folder, engine, settings)
        declared = numbers.with_enough_numbers(Declared(book))
        lost &= set(declared.invariants)  # so no other text of a certificate is printed as a name
        while True:
            builder = Builder(declared, lost)
            jobs = {
                label: partial(answer_to, builder, label, None if proofs is None else proofs.get(label, ()), effort)
                for label in labels(builder)
            }
            answers = []
            for answer in ask(jobs) if ask else (job() for job in jobs.values()):
                answers.append(answer)
                progress(f"{len(answers)}/{len(jobs)} {answer.label}")
            verdicts = _verdicts(builder, answers)
            # the position of an example from the first round meets the most invariants
            for verdict in verdicts:
                if verdict.example:
                    verdict.example = examples.setdefault(verdict.claim, verdict.example)
            left = {v.claim for v in verdicts if not v.checked}
            if not left.intersection(builder.assumed) or left.intersection((*BASE, RANGE)):
                unused = tuple(sorted({*lost, *declared.waived, *builder.refused}))
                return CheckReport(settings, verdicts, unused, answers, files=book.files)
            lost |= left.intersection(builder.assumed)
    except (NotCovered, RuntimeError) as error:  # clingo's own error is one of the latter
        return CheckReport(settings, uncovered=str(error))


def labels(builder: Builder) -> list[str]:
    """What each question is about."""
    return [*(t.label for t in transitions(builder.declared)), *about_positions(builder)]


def answer_to(builder: Builder, label: str, proofs: Sequence[LratProof] | None, effort: int = ALONE) -> QuestionAnswer:
    """The answer to a question.

    Args:
        builder: Makes the question.
        label: What it is about.
        proofs: Proofs from a certificate; None to search for some.
        effort: The limit of the search.
    """
    if proofs is None:
        return _search(builder, label, effort)
    weak = frozenset(w for p in proofs for w in p.weak)
    if any(set(p.weak) != weak for p in proofs):
        return QuestionAnswer(label, left={"": f"{label}: proofs about several programs"})
    try:
        return _answer(builder, label, proofs, effort, weak, MOST)
    except ProgramTooLarge as error:
        return QuestionAnswer(label, left={"": f"{label}: {error}"})


def _search(
    builder: Builder,
    label: str,
    effort: int,
    weak: frozenset[str] = frozenset(),
    most: int | None = None,
    sums: bool = True,
) -> QuestionAnswer:
    """The answer by a search for proofs, where the rules of ``weak`` are choices, and those beyond the limits become some.

    If it is too weak without large ``sums``, the question is asked with them.
    """
    most = LARGE if most is None else most
    try:
        return _answer(builder, label, None, effort, weak, most, SUMS if sums else None)
    except ProgramTooLarge as error:
        if most == MOST and not error.of_sums:
            return QuestionAnswer(label, left={"": f"{label}: {error}"})
        large = {f"{name.removesuffix('__n')}/{arity}" for (name, arity), n in error.sizes.items() if n > MANY}
        own = own_in(builder, label) if label in about_positions(builder) else builder.own
        more = large.intersection(own) - weak
        if not error.of_sums:
            return _search(builder, label, effort, weak | more, most if more else MOST, sums)
    answer = _search(builder, label, effort, weak | more, most, sums=False)
    if more and answer.too_weak:
        other = _search(builder, label, effort, weak, most, sums=False)
        return other if other.proved > answer.proved or other.examples else answer
    return answer


def _answer(
    builder: Builder,
    label: str,
    proofs: Sequence[LratProof] | None,
    effort: int,
    weak: frozenset[str],
    most: int,
    most_for_sums: int | None = None,
) -> QuestionAnswer:
    """The answer to a question, by proofs or a search, in which the rules of some predicates are choices.

    Raises:
        ProgramTooLarge: The program is beyond the limits.
    """
    try:
        question = _question(builder, label, weak)
        look = partial(refuse_large, most=most, most_for_sums=most_for_sums)
        made = ProgramClauses(question.text, question.facts, look)
        objection = question.objection(builder.declared, made.atoms) or tells_others(made)
        if objection:
            raise NotCovered(objection)
    except ProgramTooLarge:
        raise
    except (NotCovered, MemoryError, RuntimeError) as error:
        why = f"{label}: {error or 'it needs too much memory'}"
        return QuestionAnswer(label, left={"": why}, too_weak=bool(weak))
    literals = {str(s.arguments[0]): x for s, x in made.literals("bad__", 1)}
    # an empty clause says that nothing can happen, so nothing breaks a claim; nor does anything break one that has no atom
    asked = () if () in made.clauses else question.claims
    goals = {c: literals[c] for c in asked if c in literals}
    proved = set(question.claims) - set(goals) | ({ALONE_JUDGED} if label.startswith(STUCK) else set())
    left = {c: f"{label}: {why}" for c, why in question.skipped.items()}
    examples: dict[str, Example] = {}
    steps = conflicts = 0
    if proofs is None:
        found = search(made.clauses, goals, effort)
        proofs, conflicts = [replace(p, weak=tuple(sorted(weak))) for p in found.proofs], found.conflicts
        left.update((c, f"{label}: not decided within {effort:,} conflicts") for c in found.late)
        for claim, model in found.models.items():
            left[claim] = f"{label}: it can{' perhaps' if question.weak else ''} be broken"
            if not question.weak:
                examples[claim] = _example(made, question, label, model)
    for proof in proofs:
        try:
            steps += check_proof(made, goals, proof)
            proved |= set(proof.claims)
        except lrat.WrongProof as error:
            left.update((c, f"{label}: a wrong proof: {error}") for c in proof.claims)
    for claim in question.claims:
        if claim not in proved:
            left.setdefault(claim, f"{label}: there is no proof")
    figures = (len(made.clauses), steps, conflicts)
    too_weak = bool(weak and set(goals) - proved)
    return QuestionAnswer(label, frozenset(proved), left, examples, tuple(proofs), figures, too_weak)


def _question(builder: Builder, label: str, weak: frozenset[str]) -> Question:
    for transition in transitions(builder.declared):
        if transition.label == label:
            return builder.transition(transition, weak)
    return about_positions(builder, weak)[label]()


def check_proof(made: ProgramClauses, goals: Mapping[str, int], proof: LratProof) -> int:
    """Checks a proof that none of its claims is broken, and returns the number of its steps.

    Raises:
        WrongProof: It is wrong.
    """
    if not proof.claims or not set(proof.claims) <= set(goals):
        raise lrat.WrongProof("it is about other claims")
    broken = {goals[c] for c in proof.claims}
    clauses = made.clauses if TRUE in broken else [*made.clauses, tuple(sorted(broken))]
    if any(not 0 <= k < len(clauses) for k in proof.core):
        raise lrat.WrongProof("it uses a clause that the program does not have")
    return lrat.check([clauses[k] for k in proof.core], proof.steps)


def _verdicts(builder: Builder, answers: Iterable[QuestionAnswer]) -> list[ClaimVerdict]:
    """The verdict on each claim: every question about it has to be answered."""
    declared = builder.declared
    positions = [*about_positions(builder)]
    base = [*BASE, *([RANGE] if RANGE in positions else ())]
    own = [*declared.invariants, *declared.claims]
    names = [*own, *BASE, "enumeration", *positions]
    found = {c: ClaimVerdict(c, statement(declared, c)) for c in dict.fromkeys(names)}
    for claim, why in builder.refused.items():
        found[claim].fails(why)
    for claim in sorted(broken_at_start(builder)):
        found[claim].fails("the first position breaks it", Example("start", ()))
    given = {a.label: a for a in answers}
    for claim, verdict in found.items():
        for label, name in _questions_about(claim, positions, declared):
            answer = given.get(label, QuestionAnswer(label))
            if name not in answer.proved:
                why = answer.left.get(name) or answer.left.get("") or f"{label}: it is not shown"
                if claim in positions and label != claim:
                    verdict.fails(f"the list of actions may miss one: {why}")
                else:
                    verdict.fails(why, answer.examples.get(name))
    lacking = [c for c in base if c in found and not found[c].checked]
    for claim, verdict in found.items():
        others = [c for c in lacking if c != claim]
        if others and verdict.checked:
            verdict.fails(f"it is shown only if {' and '.join(others)} holds, which is not shown")
    return list(found.values())


def _questions_about(claim: str, positions: Collection[str], declared: Declared) -> list[tuple[str, str]]:
    """The questions about a claim, each with the claim's name in it."""
    happens = [t for t in transitions(declared) if claim != "enumeration" or not t.is_step]
    if claim in positions:
        listed = [(t.label, "enumeration") for t in happens if claim == STUCK + t.name and not t.is_step]
        name = "range" if claim == RANGE else "bound" if claim.startswith(BOUND) else "stuck"
        return [(claim, name), *listed]
    found = sorted((t.label, claim) for t in happens)
    if claim == "enumeration":
        # where all actions are listed, all are candidates; and where one role is stuck, no transition shows what others may do
        found += [(label, ALONE_JUDGED) for label in positions if label.startswith(STUCK)]
        found += [(STUCK + name, "stuck") for name in sorted(declared.simultaneous) if STUCK + name in positions]
    return found


def statement(declared: Declared, claim: str) -> str:
    """A claim in words. Of a claim by query it is the rule, as no heading shows what a certificate's rule says."""
    own = STATED.get(claim) or STATED.get(claim.rpartition(" ")[0])
    return own or declared.book.by_query.get(claim) or declared.book.heading(claim)


def _example(made: ProgramClauses, question: Question, label: str, model: frozenset[int]) -> Example:
    holding = [a.symbol for a in made.atoms if a.is_fact or a.literal in model]
    position = {s.arguments[0] for s in question.facts if s.name == "fluent"}
    facts = [str(s) for s in holding if s in position or functor_of(s) in (DECISION, DUE)]
    actions = [f"{s.arguments[0]}: {s.arguments[1]}" for s in holding if functor_of(s) == SUBMITTED]
    return Example(label, tuple(sorted(facts)), tuple(sorted(actions)))
