"""The command ``why``: explains why an action is legal or illegal."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from .common import (
    FILE_AT,
    add_flag,
    add_format,
    add_option,
    add_other_rules,
    assumptions_notes,
    columns,
    replay_to,
)
from .exit_codes import DONE, NO

if TYPE_CHECKING:
    from ..evaluation.verdict import Violation
    from ..position import Position
    from ..rules.rulebook import Rulebook

_WIDTH: Final = 100
_LABEL: Final = 13


def add_why(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``why``."""
    add_option(parser, "file", "FILE[@N]", FILE_AT)
    add_option(parser, "move", '"ROLE: ACTION"', 'the move in question, such as "red: pass"')
    add_other_rules(parser)
    add_format(parser, ("text", "json"), "text (default), or one JSON object")
    add_flag(parser, "--all-sources", "cite the texts of all editions, also of those that rule otherwise")


def why(args: argparse.Namespace) -> int:
    """Explains why an action is legal or illegal."""
    from ..answers.recorded import read_move
    from ..engine import symbols
    from ..engine.ruleset import action_of
    from ..evaluation.reliance import relied_on

    replay = replay_to(args.file, args)
    role, term = read_move(args.move, replay.game.book)
    violations, _ = replay.judge(role, term)
    if args.format == "json":
        from ..answers.handlers import judgement

        print(json.dumps(judgement(replay, role, term, violations), ensure_ascii=False))
        return NO if violations else DONE
    position = replay.here()
    judged = {role: action_of(position.ruleset, term)}
    action = symbols.text(judged[role])
    if violations:
        rules = position.ruleset
        if args.all_sources:
            violations = [replace(one, sources=one.all_sources) for one in violations]
        print(illegal(rules.book, role, action, violations, rules.configuration.edition))
    else:
        print(legal(position, role, action))
    decided = [name for violation in violations for name in violation.rulings]
    unsaid = relied_on(position.ruleset, position.symbols, judged, decided)
    for line in assumptions_notes(position.ruleset.configuration.source, unsaid.assumed, unsaid.readings):
        print(f"\n{line}")
    return NO if violations else DONE


def legal(position: Position, role: str, action: str) -> str:
    """Explains why an action is legal: the rules that were checked, and the facts on which they rest."""
    from ..evaluation.explanation import allows

    book = position.ruleset.book
    rules = allows(position.ruleset, position.symbols, role, action)
    judged = f"{len(rules)} rules apply, and the action keeps all of them:"
    if len(rules) < 2:
        judged = "One rule applies, and the action keeps it:" if rules else "No rule forbids it."
    lines = [f"{role}: {action} is legal.{_meaning(book, action)}", "", judged]
    for rule, statement, facts in rules:
        lines += ["", f"  {rule}", *_part("The rule", [statement], "  ")]
        lines += _part("Here", [_fact_text(book, fact) for fact in facts], "  ")
    return "\n".join(lines)


def illegal(book: Rulebook, role: str, action: str, violations: Sequence[Violation], edition: str = "") -> str:
    """Explains why an action is illegal: each broken rule with its statement, its reason here and its sources.

    ``edition`` is the edition in force; the rulings that it decides itself are marked.
    """
    meaning = "" if any(v.rule == "action.unknown" for v in violations) else _meaning(book, action)
    broken = "a rule" if len(violations) == 1 else f"{len(violations)} rules"
    lines = [f"{role}: {action} is illegal: it breaks {broken}.{meaning}"]
    for number, violation in enumerate(violations, 1):
        lines += ["", f"{number}. {violation.rule}"]
        lines += _part("The rule", [violation.statement])
        lines += _part("Here", [violation.message])
        lines += _part("Because", [_fact_text(book, fact) for fact in violation.facts])
        lines += _part("Missing", [_fact_text(book, fact) for fact in violation.absent])
        lines += _part(
            "Ruling", [_ruling_text(book, name, value, edition) for name, value in violation.rulings.items()]
        )
        if violation.sources:
            sources = columns(list(violation.sources.items()), " " * (_LABEL + 3), _WIDTH)
            lines += [f"   {'Source':<{_LABEL}}{sources[0].lstrip()}", *sources[1:]]
    return "\n".join(lines)


def _ruling_text(book: Rulebook, name: str, value: str, edition: str) -> str:
    """A ruling with its value in force, the meaning of the value, and the edition's source, if it has one."""
    ruling = book.rulings[name]
    own = ruling.by_edition.get(edition) == value
    source = ruling.sources.get(edition)
    place = f" [{source}]" if own and source else ""
    where = f" in the edition {edition}" if own else " here"
    return f"{name} is {value}{where}: {ruling.values[value]}{place}"


def _part(label: str, texts: Iterable[str], indent: str = "") -> list[str]:
    """The lines of texts under a label."""
    lines: list[str] = []
    for text in filter(None, texts):
        lines += textwrap.wrap(
            text,
            _WIDTH,
            initial_indent=f"{indent}   {'' if lines else label:<{_LABEL}}",
            subsequent_indent=f"{indent}   {'':<{_LABEL}}",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def _meaning(book: Rulebook, action: str) -> str:
    """The action in words, if the game has words for it."""
    from ..rules.phrases import phrases

    words = phrases(book.folder).action(action)
    return "" if words == action else f"\n({words})"


def _fact_text(book: Rulebook, fact: str) -> str:
    """A fact in words, then as it is written."""
    from ..rules.phrases import phrases

    words = phrases(book.folder).fact(fact)
    return fact if words == fact else f"{words}: {fact}"
