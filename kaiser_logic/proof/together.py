"""All questions about one transition put to one program, grounded once, one after the other by what is assumed.

What is hard there is asked again in a program of its own, which leaves out what other goals read: that is far less.

Here something is only ever found to be *proved*. Whatever is not, because it is possible, too hard, or not comparable, is left
to the questions of their own (:mod:`.induction`), which say what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeAlias

from ..symbolic.solver import Model
from .checked import LAWFUL
from .finding import Finding, found_again
from .fixed import ASKED
from .induction import EFFORT, TURN, Induction, some_of
from .numbers import beyond, listed
from .obligations import CONSISTENT, COUNT, fallen_in, goal_atom
from .question import UNLISTED, Question
from .sample import Pair, Written
from .seeking import shown

_Asked: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""What holds before, and the parts of what is to hold after."""

_WRITTEN = ("_written_for", "_question")
_BRIEF = 1_000
"""So many conflicts are spent on several goals at once, and then"""
_EACH = 1_000
"""so many on each of them, before one is put to a program of its own."""
_ALONE = 200_000
"""So many are spent on a hard goal in a program of its own."""


class Together(Induction):
    """The induction step for one transition of a game whose actions can be listed."""

    _written_for: _Asked | None = None
    _question: Question | None = None

    def __getstate__(self) -> dict[str, object]:
        """What goes to another process: the question is written there."""
        return {name: its for name, its in vars(self).items() if name not in _WRITTEN}

    def write(self, lemmas: Sequence[str], parts: Sequence[Sequence[str]]) -> None:
        """Writes the question before a child is begun that puts it: what several of them need is made once then."""
        self._written_to(lemmas, parts)

    def forget(self) -> None:
        """Lets go of what has been written: a child has it."""
        self._written_for = self._question = None

    def _written_to(self, lemmas: Sequence[str], parts: Sequence[Sequence[str]]) -> Question:
        """The question, written at its first use."""
        asked = tuple(lemmas), tuple(map(tuple, parts))
        if self._question is None or self._written_for != asked:
            goals = [goal for part in parts for goal in part]
            single = len(self._transition.kinds) == 1
            self._question = self.questions.together(self._before(lemmas, goals), goals, single)
            self._written_for = asked
        return self._question

    def settle(
        self, lemmas: Sequence[str], parts: Sequence[Sequence[str]], pairs: Sequence[Written] = ()
    ) -> Finding | None:
        """That all that is asked of the transition is proved, as it can happen or never can; None where that is not seen.

        Args:
            lemmas: What holds before it.
            parts: What is to hold after it, as it is to be asked: what is in one part is asked at once.
            pairs: As for `examine`.
        """
        before, question, key = self._put(lemmas, parts)
        if self._answers is not None and self._answers.has(key):
            return found_again(True)
        kinds, goals = self._transition.kinds, [goal for part in parts for goal in part]
        if (
            question.unsure
            or listed(kinds)
            or beyond(question.encoding, question.solver.control, self._sorts)
        ):
            return None
        candidate = None if pairs else self._candidate(before)
        if not pairs and candidate is None:
            return self._never(question, before, goals)
        suspected = [self._suspects(question, part) for part in parts]
        fallen, hard = ([goal for one in suspected for goal in one[k]] for k in (0, 1))
        if len(kinds) == 1 and not self._lists(question, before, pairs):
            return None
        seen = self._seen(question, before, goals, pairs, candidate)
        if not seen or not self._keep(before, fallen, hard, seen):
            return None
        if self._answers is not None:
            self._answers.add(key)
        return Finding((), True, None, None, (), None, *question.solver.seconds)

    def settled(self, lemmas: Sequence[str], parts: Sequence[Sequence[str]]) -> Finding | None:
        """What `settle` has found before, if that is kept."""
        if self._answers is None or not self._answers.some:
            return None
        _, _, key = self._put(lemmas, parts)
        if not self._answers.has(key):
            return None
        self.forget()
        return found_again(True)

    def _put(
        self, lemmas: Sequence[str], parts: Sequence[Sequence[str]]
    ) -> tuple[Sequence[str], Question, str]:
        """What holds before; the question; what its proof is kept under, nothing where none is kept."""
        goals = [goal for part in parts for goal in part]
        before = self._before(lemmas, goals)
        question = self._written_to(lemmas, parts)
        how = "together", *(str(len(part)) for part in parts)
        return before, question, self._key([question], before, goals, *how) if self._answers else ""

    def _suspects(self, question: Question, part: Sequence[str]) -> tuple[list[str], list[str]]:
        """The goals of a part that fall, with totals as they may be; and those that are too hard to be seen in a moment."""
        fallen: list[str] = []
        while rest := [goal for goal in part if goal not in fallen]:
            model, decided = self._looked(question, rest, part, _BRIEF)
            if model is None:
                return fallen, [] if decided else [g for g in rest if not self._is_kept(question, g, part)]
            fallen += fallen_in(model, rest)
        return fallen, []

    def _is_kept(self, question: Question, goal: str, part: Sequence[str]) -> bool:
        """Whether it is seen in a moment that one goal of a part does not fall."""
        return self._looked(question, [goal], part, _EACH) == (None, True)

    def _looked(
        self, question: Question, goals: Sequence[str], part: Sequence[str], effort: int
    ) -> tuple[Model | None, bool]:
        """A model in which one of these goals of a part falls, or None; and whether that is decided with this effort."""
        given = supposed(question, map(goal_atom, goals), COUNT not in part)
        return question.solver.search(effort, *given, usual_first=True, turn=TURN)

    def _keep(
        self, lemmas: Sequence[str], fallen: Sequence[str], hard: Sequence[str], seen: Sequence[Pair]
    ) -> bool:
        """Whether none of these goals falls.

        Args:
            lemmas: What holds before.
            fallen: Goals that fall with totals as they may be: these are asked about with totals as they are.
            hard: Others, each of which is put to a program of its own first.
            seen: Valid positions with a legal move, or the step, at which the program of all goals says what the rules say.
        """
        fallen = [*fallen]
        for goal in hard:
            own = self.questions.together(lemmas, [goal], listing=False)
            model, decided = self._looked(own, [goal], [goal], _ALONE)
            if not decided or own.unsure or beyond(own.encoding, own.solver.control, self._sorts):
                return False
            if model is not None:
                fallen.append(goal)
            elif not all(self._same(own, [goal], lemmas, pair) for pair in some_of(seen)):
                return False
        if not fallen:
            return True
        self._refuted = []
        if self._counterexamples(lemmas, fallen)[0]:
            return False
        given = ((question, assumed, some_of(seen), goals) for question, assumed, goals in self._refuted)
        return not any(difference for one in given for difference in self._excluded(*one, lemmas))

    def _same(self, question: Question, goals: Sequence[str], lemmas: Sequence[str], seen: Pair) -> bool:
        """Whether a program says at a valid position with a legal move, or the step, what the rules say, and allows it."""
        check, asked = self._checking(question, goals, lemmas), _all_of(question)
        return check.allows(seen, asked) and check.same(seen)

    def _lists(self, question: Question, lemmas: Sequence[str], pairs: Sequence[Written]) -> bool:
        """Whether the enumeration misses no legal action."""
        given = supposed(question, [UNLISTED], False)
        if question.solver.search(EFFORT, *given, usual_first=True, turn=TURN) == (None, True):
            return True
        exact = self.questions.listing(lemmas, exact=True)
        possible = exact.solver.model() is not None
        return possible and self._unlisted(lemmas, exact, pairs) == (None, None)

    def _candidate(self, lemmas: Sequence[str]) -> Model | None:
        """A valid position with a legal move, or the step: from another program."""
        return shown(self.questions.legal(lemmas))

    def _never(self, question: Question, lemmas: Sequence[str], goals: Sequence[str]) -> Finding | None:
        """That there is no valid position with a legal move, or the step, of any seat; None where there may be one."""
        legal = self.questions.legal(lemmas)
        if legal.possible() or any(self._differences(question, lemmas, goals, (), ())):
            return None
        return Finding((), False, None, None, (), None, *legal.seconds)

    def _seen(
        self,
        question: Question,
        lemmas: Sequence[str],
        goals: Sequence[str],
        pairs: Sequence[Written],
        candidate: Model | None,
    ) -> list[Pair]:
        """Valid positions with a legal move, or the step, if the program says there and elsewhere what the rules say.

        These it must allow, too, where all that is assumed in a question is assumed, but for what is asked for: else the
        answers would be what they are whatever the rules say.
        """
        check, asked = self._checking(question, goals, lemmas), _all_of(question)
        if any(
            check.differences([p.read() for p in pairs], [] if candidate is None else [candidate], Random(0))
        ):
            return []
        if not check.agreed:  # positions whose totals need not match are seldom valid
            candidate = candidate or self._candidate(lemmas)
            if candidate is None or any(check.given(candidate)):
                return []
        # nothing was different at what has been seen: it is not compared once more
        agreed = list(dict.fromkeys(check.agreed))
        return agreed if all(check.allows(pair, asked) for pair in agreed) else []


def _all_of(question: Question) -> list[str]:
    """The assumptions by which all of a program's questions are asked, and what holds anyway."""
    return supposed(question, question.chosen, consistent=True)


def supposed(question: Question, asked: Iterable[str], consistent: bool) -> list[str]:
    """The assumptions by which these of a program's questions are asked, and no other.

    Args:
        question: With the atoms that say what is asked.
        asked: Those of them for what is asked.
        consistent: Whether it is supposed that nothing is lost that is not there.

    Raises:
        ValueError: The program has no such question: without it all would seem to be proved.
    """
    wanted = set(asked)
    needed = (ASKED, LAWFUL, CONSISTENT, *question.chosen, *wanted)
    missing = [atom for atom in needed if not question.solver.knows(atom)]
    if missing or not wanted:
        raise ValueError(f"the program has no question {', '.join(missing)}")
    others = (f"not {atom}" for atom in question.chosen if atom not in wanted)
    return [
        ASKED,
        LAWFUL,
        CONSISTENT if consistent else f"not {CONSISTENT}",
        *sorted(wanted),
        *others,
    ]
