"""Proofs, comparisons and queries agree with brute force about random rulebooks with simultaneous decisions.

The tool reads each rulebook in another spelling than the brute force. Answers must depend neither on the names of variables,
nor on the order of rules and literals, nor on predicates that could be inlined.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random

import clingo
import pytest
from support import NAMES, TINY, at_once, spellings
from support.judge import Judge
from support.plain import Plain
from support.proofs import statuses
from support.tables import rows

from kaiser_logic.comparison.compare import compare
from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.mistakes import read_query

SOME = (2, 7, 15)
"""The seeds of the rulebooks in the first test."""
RESPELT = (0, 3, 21)
"""The seeds of rulebooks that were once misread in another spelling."""
MANY, PART = 300, 30
"""The number of rulebooks with ``-m long``, and in one test of these."""
JUDGED = 40
"""The number of joint actions, legal and illegal ones, that are judged."""
MISREAD = ("its encoding is not what the rules say", "because of errors", "do not part")
"""Parts of messages that are shown only if a program differs from the rules."""
WRONG = {("proved", "broken"), ("falls", "kept")}
VALUES = ("on", "off")
QUERIES = [row.values[1] for row in rows("crosscheck/shapes", "at")]
INLINED = ("aims", "helps", "helped")
Spell = Callable[[str, Random], str]
Successors = Mapping[tuple[frozenset[clingo.Symbol], frozenset[clingo.Symbol]], frozenset[clingo.Symbol]]


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", SOME)
def test_random_rulebooks_are_judged_correctly(seed, tmp_path, tally):
    assert not faults_of_answers(seed, tmp_path, tally)


@pytest.mark.slow
@pytest.mark.parametrize("seed", RESPELT)
def test_another_spelling_is_judged_correctly(seed, tmp_path, tally):
    assert not faults_of_answers(seed, tmp_path, tally, partial(spellings.variant, inlined=INLINED))


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, MANY, PART))
def test_many_random_rulebooks_are_judged_correctly(first, tmp_path, scale, tally):
    seen = Counter[str]()
    spell = partial(spellings.variant, inlined=INLINED)
    wrong = [x for seed in range(first, first + PART * scale) for x in faults_of_answers(seed, tmp_path, seen, spell)]
    tally.update(seen)
    assert not wrong, "\n".join(wrong)
    assert seen["at once: claims proved"] > PART
    assert seen["at once: claims fallen"]
    assert seen["at once: different"]


def faults_of_answers(seed: int, folder: Path, tally: Counter[str], spell: Spell = spellings.program) -> list[str]:
    lines = at_once.rulebook(seed)
    plain = at_once.write(folder / f"plain{seed}", lines)
    respelt = at_once.write(folder / f"respelt{seed}", spell("\n".join(lines), Random(seed)))
    truth, game = load(plain), load(respelt)
    judge = Judge(truth)
    report = game.prove(jobs=1, fresh=True)
    verdicts = statuses(report)
    expected = {claim: judge.verdict(claim) for claim in verdicts if judge.knows(claim)}
    wrong = [f"{claim}: {verdicts[claim]}, {v}" for claim, v in expected.items() if (verdicts[claim], v) in WRONG]
    if seed % 3 == 0:
        again = statuses(truth.prove(jobs=1, fresh=True))
        wrong += [
            f"{c}: {verdicts[c]}, in the original spelling {again[c]}" for c in verdicts if verdicts[c] != again[c]
        ]
    tally["at once: rulebooks"] += 1
    tally["at once: claims proved"] += sum(s == "proved" for s in verdicts.values())
    tally["at once: claims fallen"] += sum(s == "falls" for s in verdicts.values())
    here, there = (Plain(load(plain, options={"guard": v})).successors() for v in VALUES)
    (found,) = compare(*(load(respelt, options={"guard": v}) for v in VALUES), workers=1)
    differ = here != there
    tally["at once: different"] += bool(found.how)
    tally["at once: the same"] += found.complete and not found.how
    if (found.how or found.complete) and bool(found.how) != differ:
        wrong.append(f"compare says {found.how or 'nothing'}, the truth is {differ}: {found.words}")
    wrong += [words for words in (*map(str, report.proofs), found.words) if any(m in words for m in MISREAD)]
    wrong += _faults_of_queries(game, truth, tally)
    wrong += _faults_of_judgements(game.evaluator, here, Random(seed))
    return [f"rulebook {seed}: {x}" for x in wrong]


def _faults_of_queries(game: Game, truth: Game, tally: Counter[str]) -> list[str]:
    """The queries whose answer differs from an evaluation in all valid positions."""
    wrong, valid = [], [f for f in _positions(truth) if not truth.evaluator.broken_invariants(f, waive=False)]
    for query in QUERIES if len(truth.ruleset.seats) == 2 else ():
        try:
            found = bool(game.find_result(query).positions)
        except NotDecided as error:
            tally["at once: queries not decided"] += 1
            wrong += [f"find {query}: {error}"] if any(m in str(error) for m in MISREAD) else []
            continue
        tally["at once: queries"] += 1
        check = Evaluation(truth.evaluator, read_query(query, truth.ruleset))
        if any(check.holds(facts) for facts in valid) != found:
            wrong.append(f"find {query}: {found}")
    return wrong


def _positions(game: Game) -> Iterator[frozenset[clingo.Symbol]]:
    """All conceivable positions of such a rulebook."""
    roles = game.ruleset.seats
    seats = [f"seat({role},{i})" for i, role in enumerate(roles, 1)]
    free = [f"mark({role})" for role in roles] + [f"tie({r},{q})" for r in roles for q in roles]
    pending = [[f"decision({role},vote)" for role in some] for n in range(3) for some in combinations(roles, n)]
    for ends in [*(["phase(vote)", *some] for some in pending), ["phase(over)"]]:
        for n in range(len(free) + 1):
            for some in combinations(free, n):
                yield frozenset(map(symbols.read_symbol, [*seats, *ends, *some]))


def _faults_of_judgements(evaluator: Evaluator, successors: Successors, random: Random) -> list[str]:
    """The joint actions, out of a sample, that the evaluator judges differently from brute force."""
    wrong = []
    every = sorted({done for _, done in successors}, key=str)
    positions = sorted({facts for facts, _ in successors}, key=str)
    for _ in range(JUDGED):
        facts, done = random.choice(positions), random.choice(every)
        judged = evaluator.judge(facts, {str(s.arguments[0]): s.arguments[1] for s in done})
        then = None if judged.violations else (facts - frozenset(judged.deleted)).union(judged.added)
        if then != successors.get((facts, done)):
            wrong.append(f"{', '.join(map(str, done))} in {sorted(map(str, facts))}")
    return wrong


def _respelt(name: str, seed: int, folder: Path) -> Game:
    text = (TINY / name / "rules.lp").read_text(encoding="utf-8")
    folder.mkdir()
    (folder / "game.toml").write_text((TINY / name / "game.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "rules.lp").write_text(spellings.program(text, Random(f"{name} {seed}")), encoding="utf-8")
    return load(folder)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", NAMES)
def test_tiny_games_do_not_depend_on_names_of_variables(name, tmp_path):
    game = load(TINY / name)
    for seed in range(5):
        position, other = game.initial(), _respelt(name, seed, tmp_path / str(seed)).initial()
        random = Random(seed)
        for _ in range(20):
            legal = position.legal()
            assert other.legal() == legal
            assert (other.facts, other.broken_invariants()) == (position.facts, position.broken_invariants())
            if not legal or not all(legal.values()):
                break
            chosen = {role: random.choice(actions) for role, actions in legal.items()}
            position, other = position.apply(chosen), other.apply(chosen)


@pytest.mark.slow
@pytest.mark.sample(1, 2)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(2))
def test_proofs_of_tiny_games_do_not_depend_on_names_of_variables(name, seed, tmp_path):
    verdicts = [
        statuses(game.prove(jobs=1, fresh=True))
        for game in (load(TINY / name), _respelt(name, seed, tmp_path / "other"))
    ]
    assert verdicts[0] == verdicts[1]
