"""The command ``verify``, and the certificates of ``prove --certify``: proofs that need no prover to be believed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage, visible_name
from ..files import explained_errors
from ..rules.predicates import EXCLUSIVE
from .common import add_configuration, add_flag, add_format, add_jobs, add_option, game_of, positive
from .exit_codes import DONE, NO
from .progress import clear, progress

if TYPE_CHECKING:
    from ..checker.text import Settings
    from ..checker.verify import CheckReport, ClaimVerdict, QuestionAnswer
    from ..claims.parse import Claim
    from ..game import Game
    from ..solving.report import Proof, ProofReport

_TRUSTED: Final = (
    "kaiser_logic/checker, kaiser_logic/clingo.py, kaiser_logic/function_caches.py, kaiser_logic/wraparound.py"
)
_OF_A_GAME: Final = ("edition", "option", "players", "seats", "board", "start", "claim", "alone", "conflicts")
"""The options that only go with a game."""
_STATUS: Final = {True: "checked", False: "not checked"}


def add_verify(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``verify``."""
    add_option(
        parser,
        "game",
        "GAME|DIR",
        "the game's id or the folder of its rulebook; or a folder that 'prove --certify DIR' has written",
    )
    add_configuration(parser)
    parser.add_argument(
        "--claim",
        metavar="CLAIM",
        action="append",
        default=[],
        help="a claim of your own, 'never QUERY'; repeatable",
    )
    add_option(parser, "--rulebook", "FOLDER", "with DIR: the rulebook (default: the one that DIR names)", type=Path)
    add_flag(parser, "--alone", "do not compare the verdicts with those of the prover")
    add_option(
        parser,
        "--conflicts",
        "N",
        "the largest number of conflicts for each claim of a question",
        type=positive,
    )
    add_jobs(parser)
    add_format(parser, ("text", "json"), "text (default), or one JSON object")


def verify(args: argparse.Namespace) -> int:
    """Checks a game's claims, or a certificate."""
    from ..checker.files import LIST, PROOF, is_certificate

    if not is_certificate(folder := Path(args.game)):
        if any(path.name.endswith(PROOF) for path in folder.glob("p*") if not (folder / "game.toml").exists()):
            raise WrongUsage(f"{visible_name(args.game)} has proofs, but no {LIST} that says of what")
        if args.rulebook is not None:
            raise WrongUsage(f"--rulebook goes with a folder of certificates, and {visible_name(args.game)} is none")
        return _game(args)
    for option in _OF_A_GAME:
        if getattr(args, option) not in (None, False, []):
            raise WrongUsage(
                f"--{option} does not go with a folder of certificates, which has its own settings and claims"
            )
    if (folder / "game.toml").exists():  # a certificate of another game would pass for one of this rulebook
        raise WrongUsage(f"{visible_name(args.game)} holds a rulebook and a certificate")
    return _certificate(args)


def _game(args: argparse.Namespace) -> int:
    """Checks all claims of a game, with a search for proofs, and compares the verdicts with the prover's."""
    from ..checker.search import ALONE
    from ..claims.parse import own_claims, parse_claims
    from ..claims.prove import prove

    game = game_of(args)
    claims = parse_claims(args.claim, [], game.ruleset)
    settings, left = settings_of(game, [*claims, *own_claims(game.book)])
    proofs: ProofReport | None = None
    if not args.alone:
        proofs = prove(game.evaluator, claims=claims, workers=args.jobs, progress=progress())
    report = checked_report(game, settings, args.jobs, args.conflicts or ALONE)
    clear()
    differences = [] if proofs is None else disagreements(game, report, proofs)
    alone = [] if proofs is None else checked_alone(report, proofs)
    return _print_report(args, game.id, report, left, differences, alone)


def _certificate(args: argparse.Namespace) -> int:
    """Checks a folder of proofs."""
    from ..checker.files import read_folder
    from ..checker.positions import POSITION_CLAIMS
    from ..checker.verify import verify as verified
    from ..rules.library import asp_folder, folder_of, game_named

    certificate = read_folder(Path(args.game))
    game = args.rulebook or game_named(certificate.game)
    rulebook = game if isinstance(game, Path) else folder_of(game)
    engine = asp_folder() / "engine"
    report = verified(
        rulebook,
        engine,
        certificate.settings,
        certificate.proofs,
        dropped=certificate.dropped,
        ask=asking(args.jobs),
        progress=progress(),
    )
    clear()
    asked = {answer.label for answer in report.answers}
    unused = [f"there is no question {label!r}" for label in certificate.proofs if asked and label not in asked]
    known = {verdict.claim for verdict in report.verdicts}
    named = {c for proofs in certificate.proofs.values() for proof in proofs for c in proof.claims}
    unused += [f"there is no claim {c!r}" for c in sorted(named - known - POSITION_CLAIMS) if known]
    unused += [f"there is no invariant {n!r}" for n in certificate.dropped if known and n not in report.dropped]
    faults = [*certificate.faults, *unused]
    for fault in faults:
        print(f"fault: {visible_name(fault)}", file=sys.stderr)
    # what was read; a folder's name may look like another one
    name = game if isinstance(game, str) else f"the rulebook in {str(game)!a}"
    code = _print_report(args, name, report, {})
    return NO if faults else code


def asking(
    workers: int | None,
) -> Callable[[Mapping[str, Callable[[], QuestionAnswer]]], Iterator[QuestionAnswer]]:
    """Asks each question in a child process, with a limit of memory."""
    from ..checker.verify import QuestionAnswer
    from ..workers import Job, job_answers

    def ask(jobs: Mapping[str, Callable[[], QuestionAnswer]]) -> Iterator[QuestionAnswer]:
        for answer in job_answers([Job(label, job) for label, job in jobs.items()], workers, float("inf")):
            yield answer.value or QuestionAnswer(answer.name, left={"": f"{answer.name}: {answer.reason}"})

    return ask


def settings_of(game: Game, claims: list[Claim]) -> tuple[Settings, dict[str, str]]:
    """A game's settings for the checker, with the rules of claims by query; and the claims that have no rule, with the reason."""
    from ..checker.text import Settings
    from ..claims.induction import program_of, refusal_of
    from ..lang.terms import Place
    from ..rules.reader import rule_from

    configuration, book = game.configuration, game.book
    left: dict[str, str] = {}
    lines: list[str] = []
    for claim in claims:
        what = refusal_of(claim.query, game.ruleset)
        if claim.kind != "never":
            left[claim.id] = "that some position has a property is not checked"
        elif what is not None:
            left[claim.id] = f"it is about {what}, not about positions alone"
        else:
            lines += [rule_from(value, Place("claim")).text for value in program_of(claim.id, claim.query)]
    rulings = {name: str(one.by_edition[game.edition]) for name, one in book.rulings.items()}
    rulings |= dict(configuration.changed)
    return Settings(tuple(game.seats), rulings, dict(configuration.start), "\n".join(lines)), left


def checked_report(game: Game, settings: Settings, workers: int | None, effort: int) -> CheckReport:
    """The checker's report on a game.

    What the prover leaves open is asked and assumed like the rest: else the checker could not contradict it.
    """
    from ..checker.verify import CheckReport
    from ..checker.verify import verify as verified
    from ..rules.library import asp_folder, folder_of

    if game.configuration.board:  # the settings do not have it
        return CheckReport(settings, uncovered="board files are not covered")
    source = game.configuration.source
    folder = source if isinstance(source, Path) else folder_of(source)
    return verified(
        folder,
        asp_folder() / "engine",
        settings,
        effort=effort,
        ask=asking(workers),
        progress=progress(),
    )


def disagreements(game: Game, report: CheckReport, proofs: ProofReport) -> list[str]:
    """Where the checker and the prover contradict each other, in sentences."""
    by_prover = {p.claim: p for p in proofs.proofs}
    sentences = []
    for verdict in report.verdicts:
        proof = by_prover.get(verdict.claim)
        if proof is None or (verdict.claim == EXCLUSIVE and proofs.together):
            continue  # the checker goes by what is declared simultaneous
        if verdict.checked and proof.status == "falls" and _stands(game, proof, report):
            sentences.append(
                f"{verdict.claim} is checked, but the prover has a counterexample, which the engine confirms"
            )
        if proof.status == "proved" and _breaks(game, verdict, by_prover):
            sentences.append(
                f"{verdict.claim} is proved by the prover, but the checker has a counterexample: {verdict.why}"
            )
    return sentences


def checked_alone(report: CheckReport, proofs: ProofReport) -> list[str]:
    """The claims that are checked, but that the prover did not decide, or was not asked to."""
    decided = {p.claim for p in proofs.proofs if p.status != "undecided"}
    return [v.claim for v in report.verdicts if v.checked and v.claim not in decided]


def _stands(game: Game, proof: Proof, report: CheckReport) -> bool:
    """Whether a counterexample of the prover is confirmed, and its position breaks nothing that is checked."""
    checked = {v.claim for v in report.verdicts if v.checked}
    return any(
        e.replayed and not checked & _broken_invariants(game, e.facts) - {proof.claim} for e in proof.counterexamples
    )


def _breaks(game: Game, verdict: ClaimVerdict, by_prover: Mapping[str, Proof]) -> bool:
    """Whether the checker has a counterexample whose position breaks nothing that the prover proves."""
    if verdict.example is None:
        return False
    if not verdict.example.facts:  # the first position
        return True
    proved = {claim for claim, p in by_prover.items() if p.status == "proved"}
    return not proved & _broken_invariants(game, verdict.example.facts)


def _broken_invariants(game: Game, facts: tuple[str, ...]) -> set[str]:
    from ..engine import symbols

    return {
        name for name, _ in game.evaluator.broken_invariants(frozenset(map(symbols.read_symbol, facts)), waive=False)
    }


def _print_report(
    args: argparse.Namespace,
    game: str,
    report: CheckReport,
    left: Mapping[str, str],
    differences: Sequence[str] = (),
    alone: Sequence[str] = (),
) -> int:
    """Prints a report, and returns the exit code, which what is checked alone does not change."""
    well = report.complete and not report.uncovered and not left and not differences
    if args.format == "json":
        print(json.dumps(_as_data(game, report, left, differences, alone)))
    else:
        # no line of a certificate may look like several ones
        print("\n".join(map(visible_name, _lines(game, report, left, differences, alone))))
    return DONE if well else NO


def _as_data(
    game: str,
    report: CheckReport,
    left: Mapping[str, str],
    differences: Sequence[str],
    alone: Sequence[str],
) -> dict[str, object]:
    from ..checker.files import rules_in

    settings = report.settings
    return {
        "game": game,
        "seats": list(settings.seats),
        "rulings": dict(settings.rulings),
        "start": {tag: list(values) for tag, values in settings.start.items()},
        "rules of claims": rules_in(settings),
        "checked": [v.claim for v in report.verdicts if v.checked],
        "not checked": {**{v.claim: v.why for v in report.verdicts if not v.checked}, **left},
        "not covered": report.uncovered,
        "not assumed": list(report.dropped),
        "disagreements": list(differences),
        "not decided by the prover": list(alone),
        "files": dict(report.files),
    }


def _lines(
    game: str,
    report: CheckReport,
    left: Mapping[str, str],
    differences: Sequence[str],
    alone: Sequence[str],
) -> Iterator[str]:
    from ..checker.files import lines_about
    from ..clingo import VERSION

    yield game
    yield from lines_about(report.settings)
    yield ""
    if report.uncovered:
        yield f"not checked: {report.uncovered}"
    width = max((len(v.claim) for v in report.verdicts), default=0)
    for verdict in report.verdicts:
        yield f"{verdict.claim:<{width}}  {_STATUS[verdict.checked]:<11}  {verdict.statement}"
        if not verdict.checked:
            yield f"{'':<{width}}  {verdict.why[:300]}"
    for claim, why in left.items():
        yield f"{claim}  not checked: {why}"
    for claim in alone:
        yield f"{claim} is checked, but the prover did not decide it"
    for difference in differences:
        yield f"DISAGREEMENT: {difference}. Please report this."
    clauses, steps = (sum(a.figures[k] for a in report.answers) for k in (0, 1))
    checked = sum(v.checked for v in report.verdicts)
    yield ""
    yield f"not assumed: {', '.join(report.dropped) or 'nothing'}"
    yield f"trusted: clingo {VERSION} as parser and grounder, {_TRUSTED}, these settings, {len(report.files)} files"
    yield (
        f"{checked} of {len(report.verdicts) + len(left)} claims checked; "
        f"{len(report.answers)} questions, {clauses:,} clauses, {steps:,} proof steps"
    )


def check_folder(folder: Path, replace: bool) -> None:
    """Raises WrongUsage if a certificate cannot be written into a folder, because it would replace or be mixed with other files.

    Args:
        folder: The folder.
        replace: Whether an earlier certificate, and nothing else, may be there.
    """
    from ..checker.files import is_part

    with explained_errors(folder):
        names = [path.name for path in folder.iterdir()]
    if not all(map(is_part, names)):
        raise WrongUsage(f"{visible_name(str(folder))} cannot be written: the folder is not empty")
    if names and not replace:
        raise WrongUsage(f"{visible_name(str(folder))} holds a certificate already: --replace replaces it")


def certify(game: Game, proofs: ProofReport, claims: list[Claim], folder: Path, workers: int | None) -> bool:
    """Writes a certificate; notes on standard error name the claims without one. Whether every proved claim has one."""
    from ..checker.files import contents, is_part
    from ..checker.search import ALONE
    from ..claims.parse import own_claims

    settings, left = settings_of(game, [*claims, *own_claims(game.book)])
    report = checked_report(game, settings, workers, ALONE)
    clear()
    written = contents(str(game.configuration.source), report)
    with explained_errors(folder), TemporaryDirectory(prefix=".draft-", dir=folder) as draft:  # the disk may be full
        for name, data in written.items():
            (Path(draft) / name).write_bytes(data)
        for path in folder.iterdir():  # an earlier certificate: see `check_folder`
            if is_part(path.name) and path.name not in written:
                path.unlink()
        for name in written:
            (Path(draft) / name).replace(folder / name)
    count = len(written) - 1
    for difference in disagreements(game, report, proofs):
        print(f"DISAGREEMENT: {difference}. Please report this.", file=sys.stderr)
    if alone := checked_alone(report, proofs):
        print(f"checked without a verdict of the prover: {', '.join(alone)}", file=sys.stderr)
    without = {v.claim: v.why for v in report.verdicts if not v.checked} | left
    if report.uncovered:
        without = {p.claim: report.uncovered for p in proofs.proofs}
    for claim, why in without.items():
        print(f"no certificate of {claim}: {why}", file=sys.stderr)
    print(f"{sum(v.checked for v in report.verdicts)} claims with {count} proofs in {folder}", file=sys.stderr)
    proved = {p.claim for p in proofs.proofs if p.status == "proved"}
    return not proved & without.keys()
