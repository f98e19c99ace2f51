"""The commands ``prove`` and ``invariants``: proves invariants, proposes invariants."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import NotDecided
from ..files import check_writable
from ..lang.unification import functor
from .common import (
    LEAST,
    about,
    add_flag,
    add_format,
    add_game,
    add_jobs,
    add_option,
    add_origin,
    add_scheduler,
    add_seed,
    add_timeout,
    game_of,
    positive,
    seconds_passed,
    time_left,
    time_limit,
    too_short,
    with_board_beside,
)
from .exit_codes import DONE, NO, NOT_DECIDED
from .outputs import add_replace
from .progress import clear, progress

if TYPE_CHECKING:
    from ..game import Game
    from ..mining.writing import InvariantReport
    from ..solving.report import Counterexample, Proof, ProofReport

_ALIKE: Final = 4
"""A reason that this many claims have is printed once, after all claims."""


def add_prove(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``prove``."""
    add_game(parser)
    add_option(parser, "invariants", "INVARIANT", "the invariants or claims to prove (default: all)", nargs="*")
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        action="append",
        default=[],
        help="a claim of your own, 'never QUERY' or 'some QUERY'; repeatable",
    )
    parser.add_argument(
        "--claims",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="a file with a claim on each line; repeatable",
    )
    add_jobs(parser)
    add_flag(parser, "--all", "print every counterexample, not only the first two")
    add_format(parser, ("text", "json"), "text (default), or one JSON object for each claim")
    add_option(
        parser,
        "--certify",
        "DIR",
        "write certificates of the proofs into this folder, for 'verify' (needs the extra [certify])",
        type=Path,
    )
    add_replace(parser, "the certificate that this folder holds already")
    add_flag(parser, "--fresh", "prove everything again, without stored proofs")
    add_scheduler(parser)
    add_origin(parser)
    add_timeout(parser, 600.0)


def prove(args: argparse.Namespace) -> int:
    """Proves the invariants."""
    if args.certify is not None:
        from ..checker.files import LIST
        from ..checker.search import modules
        from .verify import check_folder

        # errors now, not after the proofs
        modules()
        args.certify.mkdir(parents=True, exist_ok=True)
        check_folder(args.certify, args.replace)
        check_writable(args.certify / LIST)
    with time_limit(args):
        from ..claims.parse import parse_claims
        from ..claims.prove import prove as proved
        from ..evaluation.origin import EFFORT

        game = game_of(args)
        progress()("preparing the proofs")
        claims = parse_claims(args.claim, args.claims, game.ruleset)
        effort = EFFORT if args.origin is None else args.origin
        report = proved(
            game.evaluator,
            args.invariants,
            claims,
            time_left(args),
            args.jobs,
            progress(),
            effort,
            args.fresh,
            args.scheduler,
        )
    report.seconds = seconds_passed(args)
    clear()
    if args.format == "json":
        for proof in report.proofs:
            print(json.dumps(proof.as_json()))
    else:
        for line in _proof_lines(game, report, args.all):
            print(line)
    certified = True
    if args.certify is not None:
        from .verify import certify

        certified = certify(game, report, claims, args.certify, args.jobs)
    if any(p.status == "falls" for p in report.proofs):
        return NO
    return DONE if report.proved and certified else NOT_DECIDED


def _proof_lines(game: Game, report: ProofReport, everything: bool) -> list[str]:
    """The lines of a report; ``everything``: whether all counterexamples are printed."""
    lines = [f"{game.book.title}", f"{game!r}, {len(game.seats)} players", *report.given, ""]
    width = max(len(p.claim) for p in report.proofs)
    wide = max(9, *(len(_answer(p)) for p in report.proofs))
    # one reason may leave many claims undecided: it is printed once
    plain = [p for p in report.proofs if p.status == "undecided" and p.notes and not p.given]
    reasons = Counter(map(_notes, plain))
    for proof in report.proofs:
        lines.append(f"{proof.claim:<{width}}  {_answer(proof):<{wide}}  {proof.statement}")
        if proof.notes and reasons[_notes(proof)] < _ALIKE:
            how = "" if proof.status == "falls" else "not decided: "
            lines.append(f"{'':<{width}}  {how}{_notes(proof)[:300]}")
        examples = _one_of_each_kind(proof)
        for example in examples if everything else examples[:2]:
            lines += ["", *_example(game, proof, example), ""]
    lines += [f"not decided: {n} claims, {note[:300]}" for note, n in reasons.items() if n >= _ALIKE]
    if report.never_legal:
        lines += ["", f"never possible with these players and rulings: {', '.join(report.never_legal)}"]
    fallen = sum(p.status == "falls" for p in report.proofs)
    open_ = sum(p.status == "undecided" for p in report.proofs)
    proved = len(report.proofs) - fallen - open_
    kept, asked = report.answered
    before = f", {kept} of {asked} answers kept" if kept else ""
    lines += ["", f"{proved} proved, {fallen} fallen, {open_} not decided, in {report.seconds:.1f} s{before}"]
    return lines


def _answer(proof: Proof) -> str:
    return "not decided" if proof.status == "undecided" else proof.status


def _notes(proof: Proof) -> str:
    """Its notes in a fixed order; they arrive as processes end."""
    return "; ".join(sorted(proof.notes))


def _one_of_each_kind(proof: Proof) -> list[Counterexample]:
    """The counterexamples; the first one of each kind of action comes first."""
    kinds: dict[str, list[Counterexample]] = {}
    for example in proof.counterexamples:
        kinds.setdefault(example.transition.split("(")[0], []).append(example)
    first = [group[0] for group in kinds.values()]
    return first + [e for group in kinds.values() for e in group[1:]]


def _example(game: Game, proof: Proof, example: Counterexample) -> list[str]:
    """A counterexample as a record, after comments; as comments only, if its position cannot be written as a record."""
    from ..evaluation.verdict import InvalidPosition
    from ..notation.record import Move
    from ..notation.syntax import parse_user_term
    from ..records.tags import record_of
    from ..rules.predicates import DUE
    from ..rules.reader import read_term
    from ..solving.report import AT_START

    played = "played again: confirmed" if example.replayed else "NOT confirmed when played again"
    how = "falls by" if proof.status == "falls" else "is not inductive, by"
    how = f"falls without {' and '.join(proof.given)}, by" if proof.given else how
    title = f"% {proof.claim} {how} {example.transition}: {example.witness} ({played})"
    at_start = example.transition == AT_START and not example.actions
    if example.origin is not None and not at_start:
        title += f"\n% the position before it is {example.origin}"
        title += "".join(f"\n%   {role}: {action}" for role, action in example.origin.moves)
    facts = game.book.sort_facts(example.facts)
    if any(functor(read_term(f)) == DUE for f in facts):
        return [title, "% between two decisions:", *(f"%   {f}." for f in facts)]
    try:
        position = game.position(facts)
    except InvalidPosition as error:
        where = "games begin with" if at_start else "from"
        title += f"\n% {where} a position that is not valid itself: {error}"
        return [title, *(f"%   {f}." for f in facts)]
    record = record_of(position, [Move(role, parse_user_term(action)) for role, action in example.actions])
    return [title, *str(with_board_beside(record, None)).splitlines()]


_GAMES: Final = 20


def add_invariants(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``invariants``."""
    add_game(parser)
    add_option(
        parser,
        "--games",
        "N",
        f"the number of random games before the proofs (default: {_GAMES})",
        type=positive,
        default=_GAMES,
    )
    add_seed(parser, "the random games")
    add_jobs(parser)
    add_format(parser, ("text", "json"), "lines for a rulebook (default), or one JSON object")
    add_timeout(parser, 600.0)


def invariants(args: argparse.Namespace) -> int:
    """Proposes invariants."""
    show, told = progress(), ["nothing yet"]

    def tell(text: str) -> None:
        told.append(text)
        show(text)

    try:
        with time_limit(args):
            from ..mining.miner import Miner

            game = game_of(args)
            report = Miner(game.evaluator).run(args.games, args.seed, time_left(args), args.jobs, tell)
    except NotDecided as error:
        if time_left(args) > LEAST:
            raise
        raise too_short(args, f"; last: {told[-1]}") from error
    clear()
    if args.format == "json":
        print(json.dumps({**about(game, args.seed), **report.as_data()}, ensure_ascii=False))
    else:
        print("\n".join(_text(game, report)))
    return DONE


def _text(game: Game, report: InvariantReport) -> list[str]:
    """The report as lines for a rulebook: all but the proposed lines are comments."""
    counted = (
        f"{report.candidates} candidates, {report.unbroken} not broken in {report.games} random games with "
        f"{report.positions} positions, {report.new} of them new, {report.inductive} inductive"
    )
    sentences = [f"{game!r}, {len(game.seats)} players: {counted}."]
    if report.undecided:
        sentences.append(f"{report.undecided} more were not decided within the budget.")
    if not report.invariants:
        sentences.append("Nothing to propose: all that was found follows from the invariants of the rulebook.")
        return [*_comments(sentences)]
    sentences.append("Proposed, and proved together with the game's own invariants; some may need one another.")
    return [*_comments((*sentences, *report.given)), "", report.lines]


def _comments(sentences: Iterable[str]) -> Iterator[str]:
    """Sentences as comments of a rulebook."""
    for sentence in sentences:
        yield from textwrap.wrap(sentence, 120, initial_indent="% ", subsequent_indent="%   ")
