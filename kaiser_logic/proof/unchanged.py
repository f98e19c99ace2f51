"""What was found when all was as it is: then no question is written again, nor hashed rule by rule (:mod:`.kept`).

Under a hash of all rules in force and of what is asked stands how a task ended: proved, or with a transition that can never
happen, or that its question was asked in parts. So of rules that are the same nothing need be cut, and after an edit of any rule
nothing of this is found; then proofs are looked up one by one, by what decides them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from ..engine.ruleset import Ruleset
from ..workers import Answer
from .finding import Finding, found_again
from .kept import Answers, of_all
from .report import Proof
from .tasks import Found, Task, collect

_PROVED: Final = "proved"
_LISTED: Final = "proved, and it can happen"
_NEVER: Final = "never happens"
_APART: Final = "asked in parts"


class Unchanged:
    """What has been found of some rules, and is found again where they are the same."""

    def __init__(self, ruleset: Ruleset, answers: Answers | None, *more: str) -> None:
        """Of rules in force.

        Args:
            ruleset: The rules, with what is claimed of moves.
            answers: Where it is kept, or None.
            more: What else decides all answers, as texts.
        """
        self._ruleset = ruleset
        self._answers = None if answers is None or answers.off else answers
        self._more = more
        self._alike: set[str] = set()

    def lacks(self, tasks: Iterable[Task]) -> bool:
        """Whether of some task nothing is known."""
        return any(self._known(task) is None and not self._parts(task) for task in tasks)

    def knows(self, tasks: Iterable[Task]) -> bool:
        """Whether all of these tasks have been proved before."""
        split = [part for task in tasks for part in (self._parts(task) or (task,))]
        return bool(split) and all(self._known(task) is not None for task in split)

    def look_up(
        self, tasks: Iterable[Task], proofs: dict[str, Proof], never: set[str]
    ) -> tuple[int, dict[str, Task]]:
        """Enters what is known; the number of tasks, and by name those that are to be asked."""
        split = [part for task in tasks for part in (self._parts(task) or (task,))]
        if self._answers is not None:
            self._alike |= {key for key, number in Counter(map(self._key, split)).items() if number > 1}
        new: dict[str, Task] = {}
        for number, task in enumerate(split):
            name = f"{number} {task.label}"
            found = self._known(task) or _kept(task)
            if found is None:
                new[name] = task
            else:
                self.enter(task, Answer(name, found, None, 0.0), proofs, never)
        return len(split), new

    def enter(
        self, task: Task, answer: Answer[Found], proofs: dict[str, Proof], never: set[str]
    ) -> tuple[Task, ...]:
        """Enters the answer to a task, and keeps it; the tasks that are to be asked instead, if so."""
        if answer.failure is None:
            self._note(task, answer.value)
        if task.apart and answer.value is None:
            return task.apart
        collect(task, answer, proofs, never)
        return ()

    def write(self) -> None:
        """Writes what is new: so it is there where the process is ended later."""
        if self._answers is not None:
            self._answers.write()

    def _known(self, task: Task) -> Finding | None:
        """What a task has found before: only that all was proved, or that there is no such transition."""
        return _FOUND.get(self._said(task), _nothing)()

    def _parts(self, task: Task) -> tuple[Task, ...]:
        """The tasks that are asked instead where the one for all of them has led to nothing before."""
        return task.apart if self._said(task) == _APART else ()

    def _note(self, task: Task, found: Found) -> None:
        """Keeps what a task has found, if the same is to be said where nothing has changed."""
        if self._answers is None or self._key(task) in self._alike:
            return
        if found is None:
            said = _APART if task.apart else _PROVED
        elif isinstance(found, Finding) and replace(found, possible=None).proved:
            said = {None: _PROVED, True: _LISTED, False: _NEVER}[found.possible]
        else:
            return
        self._answers.say(self._key(task), said)

    def _said(self, task: Task) -> str:
        if self._answers is None or (key := self._key(task)) in self._alike:
            return ""
        return self._answers.said(key)

    def _key(self, task: Task) -> str:
        """What is said of a task stands under this; where several have the same one, nothing is said of any."""
        way = "together" if task.apart else "alone"
        return of_all(self._ruleset, *self._more, way, task.label, *task.claims, "|", *task.put)


def _kept(task: Task) -> Finding | None:
    """What a task's question has found before; where it cannot be written, its child says why."""
    with suppress(Exception):
        return task.known()
    return None


def _nothing() -> Finding | None:
    return None


def _never() -> Finding:
    return replace(found_again(True), possible=False)


_FOUND: Final[dict[str, Callable[[], Finding | None]]] = {
    _PROVED: lambda: found_again(False),
    _LISTED: lambda: found_again(True),
    _NEVER: _never,
}
