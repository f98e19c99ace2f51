"""The command rules: what a rulebook says, and where it has that from."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage
from .common import columns

if TYPE_CHECKING:
    from ..rules.rulebook import Rulebook, RuleDoc, Ruling


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``rules``."""
    parser.add_argument(
        "game", metavar="GAME", help="the game's id, such as kaiser, or a folder of one's own with a rulebook"
    )
    parser.add_argument(
        "rule",
        metavar="RULE",
        nargs="?",
        help="a rule's or ruling's name, or how names begin: these with place and sources",
    )
    parser.set_defaults(run=rules)


def rules(args: argparse.Namespace) -> int:
    """Lists the rules."""
    from ..rules.library import game_named
    from ..rules.loader import rulebook

    book = rulebook(game_named(args.game))
    docs = _docs(book)
    if args.rule is None:
        print("\n".join(_overview(book, docs)))
        return 0
    chosen = [doc for doc in docs if doc.id.startswith(args.rule)]
    rulings = [ruling for name, ruling in book.rulings.items() if name.startswith(args.rule)]
    if not chosen and not rulings:
        raise WrongUsage(f"{book.id} has no rule whose name begins with {args.rule[:80]!r}")
    parts = ["\n".join(_rule(doc)) for doc in chosen] + ["\n".join(_ruling(ruling)) for ruling in rulings]
    print("\n\n".join(parts))
    return 0


def _docs(book: Rulebook) -> list[RuleDoc]:
    """The game's documented rules, then those of all games and of records."""
    from ..records.fault import RECORD_RULES
    from ..rules.rulebook import ENGINE_DOCS, RuleDoc

    records = [RuleDoc(id, "rule", text, None, {}, "records", 0) for id, text in RECORD_RULES.items()]
    return [*book.docs.values(), *ENGINE_DOCS.values(), *records]


def _overview(book: Rulebook, docs: Iterable[RuleDoc]) -> Iterator[str]:
    """All rules by file, then the rulings."""
    yield book.title
    yield from columns(list(book.editions.items()))
    for file, group in groupby(docs, lambda doc: doc.file):
        yield ""
        yield {"engine": "of all games", "records": "of all records"}.get(file, file)
        yield from columns([(doc.id, doc.statement) for doc in group])
    if book.rulings:
        yield ""
        yield "rulings: where the texts differ or are silent"
        yield from columns([(name, ruling.about) for name, ruling in book.rulings.items()])


def _rule(doc: RuleDoc) -> Iterator[str]:
    yield f"{doc.id} ({doc.kind})"
    yield from columns([("", doc.statement)], "")
    yield f"  {f'{doc.file}:{doc.line}' if doc.line else f'of all {doc.file}'.replace('engine', 'games')}"
    yield from columns(list(doc.sources.items()))


def _ruling(ruling: Ruling) -> Iterator[str]:
    yield f"{ruling.name} (ruling)"
    yield from columns([("", ruling.about)], "")
    yield "  values"
    yield from columns(list(ruling.values.items()), "    ")
    yield "  editions"
    sources = ruling.sources
    yield from columns(
        [(e, f"{v} ({sources[e]})" if e in sources else v) for e, v in ruling.by_edition.items()], "    "
    )


COMMANDS: Final = {"rules": add_rules}
"""What adds the arguments of each command."""
