"""Two editions side by side: for each ruling that differs, a position on which they part.

For each ruling whose values differ, and each kind of action, one open position is read under both values: the rules
that depend on a ruling are copied, everything else is shared. First the legality of an action is compared, then what
it does, and last what happens by itself right after it. What is found is played again by the evaluate reading.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from .errors import WrongUsage
from .finding import FEWEST, fewest, record_of
from .game import Game
from .ir import Pattern, Rule, Signature, show
from .opened import NEXT, Chain
from .position import Position
from .prove import Prover, Task, _broken
from .record import Move, Record
from .rulebook import ActionKind, Ruling
from .slicing import anything, top
from .solving import Ground, run
from .specialise import numbered

Seeds = dict[Signature, list[tuple[Pattern, ...]]]
RULING: Signature = ("ruling", 2)


@dataclass(frozen=True)
class Difference:
    """A ruling's effect.

    Attributes:
        ruling: The ruling.
        values: Its value in either game.
        how: ``legality`` or ``outcome``; empty where no difference was found.
        position: A valid position on which the two part, if there is one.
        actions: Who does what there.
        words: The difference in a sentence.
        complete: Whether the search was complete (no difference: proved for a position and one move).
    """

    ruling: Ruling
    values: tuple[str, str]
    how: str = ""
    position: Position | None = None
    actions: tuple[tuple[str, str], ...] = ()
    words: str = ""
    complete: bool = True

    @property
    def record(self) -> Record | None:
        """The position and the moves as a record (legal in one of the games at least)."""
        if self.position is None:
            return None
        from .game import parsed

        moves = [Move(role, parsed(action)) for role, action in self.actions]
        return record_of(self.position, moves)


def compare(
    first: Game,
    second: Game,
    timeout: float = 120.0,
    workers: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Difference]:
    """For each ruling on which two games of one rulebook differ, a position on which they part."""
    if first.id != second.id or first.seats != second.seats or first.board != second.board:
        raise WrongUsage("compared are two editions of one game, with the same seats and the same board")
    differing = [r for n, r in first.book.rulings.items() if first.options[n] != second.options[n]]
    deadline = time.monotonic() + timeout
    jobs, labels = [], []
    for ruling in differing:
        other = _with(first, ruling.name, second.options[ruling.name])
        for task in _groups(first, other):
            jobs.append(_job(first, other, task))
            labels.append((ruling, other))
    found: dict[str, Difference] = {}
    complete = {r.name: True for r in differing}
    for answer in run(jobs, workers, deadline):
        ruling, other = labels[answer.index]
        progress(f"{ruling.name}: {len(found)} of {len(differing)} rulings told apart")
        if answer.failure is not None:
            complete[ruling.name] = False
        elif answer.value is not None:
            difference = _replayed(first, other, ruling, answer.value)
            known = found.get(ruling.name)
            if difference is not None and (known is None or _size(difference) < _size(known)):
                found[ruling.name] = difference
    result = []
    for ruling in differing:
        values = (first.options[ruling.name], second.options[ruling.name])
        words, decided = "no position tells them apart", complete[ruling.name]
        if _apart(first, _with(first, ruling.name, values[1]), outcome_rules):
            words, decided = (
                "it changes the final scoring; no move and what follows it tells them apart",
                False,
            )
        none = Difference(ruling, values, words=words, complete=decided)
        result.append(found.get(ruling.name, none))
    return result


def _with(game: Game, name: str, value: str) -> Game:
    """The game with one ruling changed."""
    changed = {**game.changed, name: value}
    return Game(game.book, game.edition, changed, game.seats, game.start, game.board, game.source)


def _size(difference: Difference) -> tuple[bool, int]:
    assert difference.position is not None
    return difference.how != "legality", len(difference.position.symbols)


def _job(first: Game, second: Game, task: Task) -> Callable[[], Parting | None]:
    return lambda: _differ(first, second, task)


def _groups(game: Game, other: Game) -> list[Task]:
    """The kinds of action that the ruling concerns, directly or through what happens by itself right after them."""
    tasks = Prover(game).tasks()
    steps = {t.label.removeprefix("step "): t.step for t in tasks if t.step is not None}
    concerned = {name for name, step in steps.items() if _apart(game, other, partial(step_rules, step=step))}
    found = []
    for task in tasks:
        if task.step is not None:
            continue
        if any(_apart(game, other, partial(action_rules, kind=kind)) for kind in task.kinds):
            found.append(task)
        follow = {
            str(h.args[0][2][0][1])
            for k in task.kinds
            for r in action_rules(game, k)
            for h in r.heads
            if h.name == "add" and h.args and h.args[0][0] == "f" and h.args[0][1] == "next"
        }
        found += [replace(task, step=steps[name]) for name in sorted(follow & concerned)]
    return found


def _apart(game: Game, other: Game, rules: Callable[[Game], list[Rule]]) -> bool:
    """Whether two games read different rules, or rules about static facts in which they differ."""
    one, two = rules(game), rules(other)
    if {r.text for r in one} != {r.text for r in two}:
        return True
    ours, theirs = game.evaluator.static, other.evaluator.static
    differing = {s for s in {*ours, *theirs} if set(ours.get(s, ())) != set(theirs.get(s, ()))} - {RULING}
    return any(r.uses & differing for r in one)


def action_rules(game: Game, kind: ActionKind) -> list[Rule]:
    """The slice for a kind of action."""
    seeds: Seeds = {
        ("submitted", 2): [(("v", "Role"), kind.action)],
        NEXT: [],
        ("decision", 2): [anything(2)],
    }
    return game.evaluator.judging.slice(seeds, [top("violates", 3), top("add", 1), top("del", 1)])


def step_rules(game: Game, step: Pattern) -> list[Rule]:
    """The slice for a step."""
    seeds: Seeds = {("submitted", 2): [], NEXT: [(step,)], ("decision", 2): []}
    return game.evaluator.judging.slice(seeds, [top("add", 1), top("del", 1)])


def outcome_rules(game: Game) -> list[Rule]:
    """The slice for the end of the game."""
    seeds: Seeds = {("submitted", 2): [], NEXT: [], ("decision", 2): [anything(2)]}
    return game.evaluator.judging.slice(seeds, [top("terminal", 0), top("goal", 2), top("winner", 1)])


# -- in the child ------------------------------------------------------------------------------------------------------

Parting = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]


def _differ(first: Game, second: Game, task: Task) -> Parting | None:
    """The facts of a small position valid in both games, and actions on which the games part; or None."""
    prover, decisions = (
        Prover(first),
        list({str(d): d for d in (numbered(k)[1] for k in task.kinds)}.values()),
    )
    chain = Chain(first.evaluator, prover.domains())
    chain.open(decisions, [])
    other = chain.beside(second.evaluator, "_b")
    for branch, game in ((chain, first), (other, second)):
        assumed = Prover(game).assumed
        branch.derive([_broken(i) for i in assumed], decisions, [])
        branch.assume(assumed)
    changed: set[Signature] = set()
    for branch in (chain, other):
        changed |= branch.act(task.kinds, legal=False).changed
        if task.step is not None:
            changed |= branch.step([task.step]).changed
            step = re.sub(r"\bS\d+\b", "_", show(task.step))
            chain.add(f":- not {branch.name(NEXT, 1)}({step}).")
    chain.add("illegal__0 :- #false.", "illegal__0_b :- #false.")
    if task.step is None:
        chain.add("parts :- illegal__0, not illegal__0_b.", "parts :- illegal__0_b, not illegal__0.")
    for name, arity in sorted(changed):
        args = f"({','.join(f'X{k}' for k in range(arity))})" if arity else ""
        here, there = chain.name((name, arity)) + args, other.name((name, arity)) + args
        both = "not illegal__0; not illegal__0_b"
        if here != there:
            chain.add(f"parts :- {here}; not {there}; {both}.", f"parts :- {there}; not {here}; {both}.")
    chain.add("parts :- #false.", ":- not parts.", *fewest(chain))
    ground = Ground(chain.text, [*chain.facts, *other.facts], FEWEST)
    model, _ = ground.best(2.5)
    if model is None:
        return None
    example = prover.counterexample(task, model, 0)
    return example.facts, example.actions


# -- in words ------------------------------------------------------------------------------------------------------------


def _replayed(first: Game, second: Game, ruling: Ruling, parting: Parting) -> Difference | None:
    """What was found, as the evaluate reading sees it; None where that sees no difference."""
    facts, actions = parting
    values = (first.options[ruling.name], second.options[ruling.name])
    here, there = first.position(facts), second.position(facts)
    chosen = dict(actions)
    said = ", ".join(f"{r}: {a}" for r, a in actions)
    broken = [[v for r, a in actions for v in p.why(r, a)] for p in (here, there)]
    if bool(broken[0]) != bool(broken[1]):
        legal = values[1] if broken[0] else values[0]
        why = "; ".join(map(str, broken[0] or broken[1]))
        words = f"{said}: legal with {legal}, illegal with {values[0] if broken[0] else values[1]} ({why})"
        return Difference(ruling, values, "legality", here, actions, words)
    if broken[0]:
        return None
    after = here.apply(chosen).facts, there.apply(chosen).facts
    if after[0] == after[1]:
        return None
    only = [", ".join(here.game.ordered(a - b)) or "nothing more" for a, b in (after, after[::-1])]
    words = f"after {said}: with {values[0]} {only[0]}; with {values[1]} {only[1]}"
    return Difference(ruling, values, "outcome", here, actions, words)
