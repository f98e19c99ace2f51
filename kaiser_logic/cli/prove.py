"""The command ``prove``: proves the invariants, or shows how they fall."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..lang.unification import functor
from .common import add_effort, add_game, add_scheduler, add_timeout, game_of, positive
from .progress import clear, progress

if TYPE_CHECKING:
    from ..game import Game
    from ..solving.report import Counterexample, Proof, ProofReport

_ALIKE: Final = 4
"""A reason that so many claims have is said once, after all of them."""


def add_prove(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``prove``."""
    add_game(parser)
    parser.add_argument(
        "invariants", metavar="INVARIANT", nargs="*", help="the invariants or claims to prove (default: all)"
    )
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        action="append",
        default=[],
        help="'never QUERY' or 'some QUERY' (repeatable)",
    )
    parser.add_argument(
        "--claims",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="a file of claims, one on each line",
    )
    parser.add_argument("--jobs", metavar="N", type=positive, help="processes (default: one for each core)")
    parser.add_argument(
        "--all", action="store_true", help="print every counterexample, not only the first two"
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="text (default), or one JSON object for each claim",
    )
    parser.add_argument(
        "--certify",
        metavar="DIR",
        type=Path,
        help="write certificates of the proofs into this folder: 'verify' checks them (extra [certify])",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="prove everything again, also what has been proved before"
    )
    add_scheduler(parser)
    add_effort(parser)
    add_timeout(parser, 600.0)
    parser.set_defaults(run=prove)


def prove(args: argparse.Namespace) -> int:
    """Proves the invariants."""
    from ..claims.parse import parse_claims
    from ..claims.prove import prove as proved
    from ..evaluation.origin import EFFORT

    if args.certify is not None:
        from ..certificates.write import modules

        modules()  # to find out at the end that it is missing would be late
    game = game_of(args)
    claims = parse_claims(args.claim, args.claims, game.ruleset)
    effort = EFFORT if args.effort is None else args.effort
    report = proved(
        game.evaluator,
        args.invariants,
        claims,
        args.timeout,
        args.jobs,
        progress(),
        effort,
        args.fresh,
        args.scheduler,
    )
    clear()
    if args.format == "json":
        for proof in report.proofs:
            print(json.dumps(proof.as_json()))
    else:
        for line in _proof_lines(game, report, args.all):
            print(line)
    if args.certify is not None:
        _certify(game, report, args)
    if any(p.status == "falls" for p in report.proofs):
        return 1
    return 0 if report.proved else 3


def _certify(game: Game, report: ProofReport, args: argparse.Namespace) -> None:
    """Writes certificates, and says on standard error which claims have none."""
    from ..certificates.write import write

    manifest = write(game.ruleset, report, args.certify, args.jobs, progress())
    clear()
    for claim, why in manifest.left.items():
        print(f"no certificate of {claim}: {why}", file=sys.stderr)
    print(f"{len(manifest.claims)} certificates in {args.certify}", file=sys.stderr)


def _proof_lines(game: Game, report: ProofReport, everything: bool) -> list[str]:
    lines = [f"{game.book.title}", f"{game!r}, {len(game.seats)} players", *report.given, ""]
    width = max(len(p.claim) for p in report.proofs)
    # what every encoding is built on takes all others along: that is said once
    plain = [p for p in report.proofs if p.status == "undecided" and len(p.notes) == 1 and not p.given]
    alike = Counter(p.notes[0] for p in plain)
    for proof in report.proofs:
        lines.append(f"{proof.claim:<{width}}  {proof.status:<9}  {proof.statement}")
        if proof.notes and (len(proof.notes) > 1 or alike[proof.notes[0]] < _ALIKE):
            how = "" if proof.status == "falls" else "not decided: "
            lines.append(f"{'':<{width}}  {how}{'; '.join(proof.notes)[:300]}")
        examples = _one_of_each_kind(proof)
        for example in examples if everything else examples[:2]:
            lines += ["", *_example(game, proof, example), ""]
    lines += [f"not decided: {n} claims, {note[:300]}" for note, n in alike.items() if n >= _ALIKE]
    if report.never_legal:
        lines += ["", f"never possible with these players and rulings: {', '.join(report.never_legal)}"]
    fallen = sum(p.status == "falls" for p in report.proofs)
    open_ = sum(p.status == "undecided" for p in report.proofs)
    proved = len(report.proofs) - fallen - open_
    lines += ["", f"{proved} proved, {fallen} fallen, {open_} not decided, in {report.seconds:.1f} s"]
    return lines


def _one_of_each_kind(proof: Proof) -> list[Counterexample]:
    """Counterexamples of different kinds of action first."""
    kinds: dict[str, list[Counterexample]] = {}
    for example in proof.counterexamples:
        kinds.setdefault(example.transition.split("(")[0], []).append(example)
    first = [group[0] for group in kinds.values()]
    return first + [e for group in kinds.values() for e in group[1:]]


def _example(game: Game, proof: Proof, example: Counterexample) -> list[str]:
    from ..evaluation.verdict import InvalidPosition
    from ..notation.record import Move
    from ..notation.syntax import parsed
    from ..records.tags import record_of
    from ..rules.predicates import DUE
    from ..rules.reader import read_term

    played = "played again: confirmed" if example.replayed else "NOT confirmed when played again"
    how = "falls by" if proof.status == "falls" else "is not inductive, by"
    how = f"falls without {' and '.join(proof.given)}, by" if proof.given else how
    title = f"% {proof.claim} {how} {example.transition}: {example.witness} ({played})"
    if example.origin is not None:
        title += f"\n% the position before it is {example.origin}"
        title += "".join(f"\n%   {role}: {action}" for role, action in example.origin.moves)
    facts = game.book.ordered(example.facts)
    if any(functor(read_term(f)) == DUE for f in facts):
        return [title, "% between two decisions:", *(f"%   {f}." for f in facts)]
    try:
        position = game.position(facts)
    except InvalidPosition as error:
        return [title, f"% from a position that is not valid itself: {error}", *(f"%   {f}." for f in facts)]
    record = record_of(position, [Move(role, parsed(action)) for role, action in example.actions])
    return [title, *str(record).splitlines()]


COMMANDS: Final = {"prove": add_prove}
"""What adds the arguments of each command."""
