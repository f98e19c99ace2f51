"""The commands that ask a rulebook: find, prove, compare, complete."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage
from .common import add_configuration, add_game, configured, game_of, positive, say

if TYPE_CHECKING:
    from ..position import Position
    from ..proof.counterexample import Counterexample
    from ..proof.report import Proof, Report


def _seconds(text: str) -> float:
    """A time of more than nothing."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number of seconds")
    return value


def _add_timeout(parser: argparse.ArgumentParser, default: float) -> None:
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=_seconds,
        default=default,
        help=f"seconds to spend at most ({default:g})",
    )


def _progress() -> Callable[[str], None]:
    """Says what is going on, on a terminal only."""
    if not sys.stderr.isatty():
        return lambda _: None
    last = [0.0]

    def tell(text: str) -> None:
        if time.monotonic() - last[0] > 0.2:
            last[0] = time.monotonic()
            sys.stderr.write(f"\r\033[K{text[:100]}")
            sys.stderr.flush()

    return tell


def _done() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")


# -- find ----------------------------------------------------------------------------------------------------------


def add_find(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``find``."""
    add_game(parser)
    parser.add_argument(
        "query",
        metavar="QUERY",
        help='e.g. "held(R,rival,1), not aristocrat(_,R,_,_,_), not spare(R,aristocrat)"',
    )
    parser.add_argument("--count", metavar="K", type=positive, default=1, help="so many different positions")
    parser.add_argument("--smallest", action="store_true", help="with as few pieces as can be found")
    parser.add_argument(
        "--reachable",
        metavar="N",
        type=positive,
        help="reached by a legal game of at most N moves, given as a record",
    )
    parser.add_argument(
        "--from", dest="origin", metavar="FILE", help="with --reachable: start after this record"
    )
    _add_timeout(parser, 60.0)
    parser.set_defaults(run=find)


def find(args: argparse.Namespace) -> int:
    """Finds positions."""
    if args.reachable is not None:
        return _reach(args)
    if args.origin is not None:
        raise WrongUsage("--from goes with --reachable")
    from ..query.find import find as search

    found = search(game_of(args), args.query, args.count, args.timeout, args.smallest, _progress())
    _done()
    for number, record in enumerate(found.records()):
        print(("\n" if number else "") + str(record), end="")
    if not found.positions:
        say("no valid position is such (proved)")
        return 1
    if found.exhausted and len(found.positions) < args.count:
        say(f"there are no more than these {len(found.positions)}")
    return 0


def _reach(args: argparse.Namespace) -> int:
    from ..search.reach import find_reachable

    origin: Position | None = None
    if args.origin is not None:
        from .common import replayed

        origin = replayed(args.origin).here()
    result = find_reachable(
        game_of(args),
        args.query,
        args.reachable,
        args.timeout,
        args.count,
        origin,
        args.smallest,
        _progress(),
    )
    _done()
    for number, record in enumerate(result.records):
        print(("\n" if number else "") + str(record), end="")
    if not result.records:
        say("no such position can be reached (proved)")
        return 1
    return 0


# -- prove ---------------------------------------------------------------------------------------------------------


def add_prove(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``prove``."""
    add_game(parser)
    parser.add_argument(
        "invariants", metavar="INVARIANT", nargs="*", help="only these (default: all, and all else)"
    )
    parser.add_argument("--jobs", metavar="N", type=positive, help="processes (default: one for each core)")
    parser.add_argument(
        "--all", action="store_true", help="print every counterexample, not only the first two"
    )
    _add_timeout(parser, 600.0)
    parser.set_defaults(run=prove)


def prove(args: argparse.Namespace) -> int:
    """Proves the invariants."""
    from ..proof.prover import Prover

    game = game_of(args)
    report = Prover(game).run(args.invariants, args.timeout, args.jobs, _progress())
    _done()
    for line in _proof_lines(report, args.all):
        print(line)
    if any(p.status == "falls" for p in report.proofs):
        return 1
    return 0 if report.proved else 3


def _proof_lines(report: Report, everything: bool) -> list[str]:
    lines = [f"{report.game.book.title}", f"{report.game!r}, {len(report.game.seats)} players", ""]
    width = max(len(p.claim) for p in report.proofs)
    for proof in report.proofs:
        lines.append(f"{proof.claim:<{width}}  {proof.status:<9}  {proof.statement}")
        if proof.notes:
            lines.append(f"{'':<{width}}  not decided: {'; '.join(proof.notes)[:300]}")
        examples = _telling(proof)
        for example in examples if everything else examples[:2]:
            lines += ["", *_example(report, proof, example), ""]
    if report.never_legal:
        lines += ["", f"never possible with these players and rulings: {', '.join(report.never_legal)}"]
    fallen = sum(p.status == "falls" for p in report.proofs)
    open_ = sum(p.status == "undecided" for p in report.proofs)
    proved = len(report.proofs) - fallen - open_
    lines += ["", f"{proved} proved, {fallen} fallen, {open_} not decided, in {report.seconds:.1f} s"]
    return lines


def _telling(proof: Proof) -> list[Counterexample]:
    """Counterexamples of different kinds of action first."""
    kinds: dict[str, list[Counterexample]] = {}
    for example in proof.counterexamples:
        kinds.setdefault(example.transition.split("(")[0], []).append(example)
    first = [group[0] for group in kinds.values()]
    return first + [e for group in kinds.values() for e in group[1:]]


def _example(report: Report, proof: Proof, example: Counterexample) -> list[str]:
    from ..evaluation.verdict import InvalidPosition
    from ..notation.record import Move
    from ..notation.syntax import parsed
    from ..records.tags import record_of

    played = "played again: confirmed" if example.replayed else "NOT confirmed when played again"
    title = f"% {proof.claim} falls by {example.transition}: {example.witness} ({played})"
    facts = report.game.book.ordered(example.facts)
    if any(f.startswith("next(") for f in facts):
        return [title, "% between two decisions:", *(f"%   {f}." for f in facts)]
    try:
        position = report.game.position(facts)
    except InvalidPosition as error:
        return [title, f"% from a position that is not valid itself: {error}", *(f"%   {f}." for f in facts)]
    record = record_of(position, [Move(role, parsed(action)) for role, action in example.actions])
    return [title, *str(record).splitlines()]


# -- compare -------------------------------------------------------------------------------------------------------


def add_compare(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``compare``."""
    parser.add_argument("game", metavar="GAME", help="the game's id, such as kaiser")
    parser.add_argument("--editions", metavar="A,B", required=True, help="the two editions")
    parser.add_argument("--jobs", metavar="N", type=positive, help="processes (default: one for each core)")
    add_configuration(parser, edition=False)
    _add_timeout(parser, 120.0)
    parser.set_defaults(run=compare)


def compare(args: argparse.Namespace) -> int:
    """Compares two editions."""
    from ..comparison.compare import compare as contrast

    names = args.editions.split(",")
    if len(names) != 2:
        raise WrongUsage("--editions names two editions, separated by a comma")
    first, second = (configured(args.game, args, edition=name.strip()) for name in names)
    differences = contrast(first, second, args.timeout, args.jobs, _progress())
    _done()
    same = [r for r in first.book.rulings.values() if first.options[r.name] == second.options[r.name]]
    for difference in differences:
        ruling, (one, two) = difference.ruling, difference.values
        print(f"{ruling.name}: {names[0]} {one}, {names[1]} {two}. {ruling.about}")
        if difference.record is None:
            print(f"  {difference.words}" if difference.complete else "  not decided in time")
        else:
            print(f"  {difference.words}\n")
            print("\n".join(f"  {line}" for line in str(difference.record).splitlines()))
        print()
    for ruling in same:
        print(f"{ruling.name}: the same in both ({first.options[ruling.name]})")
    if any(d.position is not None for d in differences):
        return 1
    return 0 if all(d.complete for d in differences) else 3


# -- complete ------------------------------------------------------------------------------------------------------


def add_complete(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``complete``."""
    parser.add_argument("file", metavar="FILE", help="a record in which moves are written ?")
    _add_timeout(parser, 60.0)
    parser.set_defaults(run=complete)


def complete(args: argparse.Namespace) -> int:
    """Fills the gaps of a record."""
    from ..completion.complete import complete as fill
    from ..notation.reading import read

    completion = fill(read(args.file), args.timeout, progress=_progress())
    _done()
    if completion.impossible:
        say(str(completion.fault) if completion.fault else "")
        say("the gaps cannot be filled so that everything is legal (proved)")
        return 1
    print(str(completion.records[0]), end="")
    if completion.unique:
        say("this is the only way")
    elif completion.unique is None:
        say("whether there is another way was not decided in time")
    else:
        say("there is more than one way; another differs at")
        for difference in completion.differs:
            say(f"  {difference}")
    return 0


COMMANDS: Final = {"find": add_find, "prove": add_prove, "compare": add_compare, "complete": add_complete}
"""What adds the arguments of each command."""
