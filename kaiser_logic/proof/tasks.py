"""What is asked in children, and what the answers say of the claims that depend on them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TypeAlias

from ..rules.rule import Rule
from ..transform.collecting import collecting
from ..workers import Answer, Job
from .counterexample import Counterexample
from .finding import Finding
from .pending import EXCLUSIVE
from .report import Proof
from .sample import Written
from .together import Together

ENUMERATION = "enumeration"
"""The claim that the enumeration of legal actions misses none."""

Found: TypeAlias = Finding | Counterexample | None
Question: TypeAlias = Callable[[], Found]


@dataclass(frozen=True)
class Task:
    """A question to be asked in a child, and the claims that stay open where it is not answered.

    Attributes:
        label: What it is about.
        question: What to do.
        claims: The claims that depend on it.
        transition: The transition that never happens where that is the answer; None where it is not to be told.
        known: What has been found before, where that is kept; looked up before a child is begun.
        apart: What is asked instead where the question has no answer; none where that is an answer, too.
        write: What can be made before a child is begun that asks it, and
        forget: lets go of it afterwards.
        put: What decides its answer besides the rules, what it is about and the claims, as texts.
    """

    label: str
    question: Question
    claims: tuple[str, ...]
    transition: str | None = None
    known: Callable[[], Finding | None] = lambda: None
    apart: tuple[Task, ...] = ()
    write: Callable[[], None] = lambda: None
    forget: Callable[[], None] = lambda: None
    put: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """The transition's or the claim's own name."""
        return self.label.removeprefix("induction ")


def joined(
    tasks: Sequence[Task],
    step: Together,
    lemmas: Sequence[str],
    parts: Sequence[Sequence[str]],
    pairs: Sequence[Written],
) -> Task:
    """One task for several about a transition, which are asked themselves where its question has no answer."""
    claims = tuple(dict.fromkeys(claim for task in tasks for claim in task.claims))
    question, known = partial(step.settle, lemmas, parts, pairs), partial(step.settled, lemmas, parts)
    write = partial(step.write, lemmas, parts)
    put = repr(list(lemmas)), repr([list(part) for part in parts])
    return Task(
        tasks[0].label, question, claims, tasks[0].transition, known, tuple(tasks), write, step.forget, put
    )


def written(tasks: Mapping[str, Task], until: float = inf) -> Iterator[Job[Found]]:
    """What is to be done in children, by name: each question is written when its child is about to begin.

    What one question makes the next ones need as well, and a child leaves nothing behind but its answer. Where a question
    cannot be written, its child says why.

    Args:
        tasks: By name.
        until: By :func:`time.monotonic`; nothing is written after it, as no child begins then.
    """
    for name, task in tasks.items():
        if time.monotonic() < until:
            with suppress(Exception):
                task.write()
        yield Job(name, task.question)
        task.forget()


def collect(task: Task, answer: Answer[Found], proofs: dict[str, Proof], never: set[str]) -> None:
    """Enters the answer to a question."""
    found = answer.value
    if answer.failure is not None:
        for claim in task.claims:
            proofs[claim].stays_open(
                answer.failure if task.about == claim else f"{task.about}: {answer.failure}"
            )
    elif isinstance(found, Counterexample):
        proofs[task.claims[0]].falls(found)
    elif found is not None:
        if found.possible is False and task.transition is not None:
            never.add(task.transition)
        for claim, example in found.broken:
            if claim == EXCLUSIVE:
                proofs[claim].stays_open(f"after {task.about} there may be more at once: {example.witness}")
            elif (
                example.replayed or not found.differs
            ):  # what its program alone says stays open, as all does then
                proofs[claim].falls(example)
        if found.differs or found.beyond is not None:
            differs = found.differs and f"its encoding is not what the rules say: {found.differs[0]}"
            for claim in task.claims:
                proofs[claim].stays_open(f"{task.about}: {differs or found.beyond}")
        if found.unread and ENUMERATION in proofs:
            proofs[ENUMERATION].stays_open(f"{task.about}: {found.unread}")
        if found.unlisted is not None and ENUMERATION in proofs:
            proofs[ENUMERATION].falls(found.unlisted)


def alone(proofs: Iterable[Proof], rules: Sequence[Rule]) -> None:
    """Leaves open what is asked of all actions at once where a rule may say otherwise of one alone."""
    for _, atom in collecting(rules)[:1]:
        for proof in (p for p in proofs if p.kind in ("stuck", ENUMERATION)):
            proof.stays_open(
                f"a rule reads {atom.name}/{len(atom.args)}, which other actions in question may say"
            )
