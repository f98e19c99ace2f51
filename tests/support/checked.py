"""Checks records that are given as text."""

from kaiser_logic.notation.reading import parse_record
from kaiser_logic.records.checking import Report, check
from kaiser_logic.records.replay import OnIllegal


def report(text: str, on_illegal: OnIllegal = "stop") -> Report:
    return check(parse_record(text, "my.game"), on_illegal)


def rules(found: Report) -> list[str]:
    return [fault.rule for fault in found.faults]
