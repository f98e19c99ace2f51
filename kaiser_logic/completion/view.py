"""Records from a real table: what a role could not see is written ``?``.

Such a record is legal exactly if some full record fits it: the gaps are filled by the rules, as ``complete`` does, with
one filling found being enough.
"""

from __future__ import annotations

from ..errors import WrongUsage
from ..notation.record import Move, Record
from ..notation.terms import has_unknown
from ..records.checking import Report, check
from ..records.fault import Fault
from ..records.tags import game_of
from .complete import complete

PUBLIC = "public"


def check_view(record: Record, role: str, timeout: float = 60.0) -> Report:
    """Checks a record as ``role`` saw the game (``public``: as everybody did).

    A role knows what it did itself, so its own moves are written out. NotDecided where the time was too short.
    """
    game, faults = game_of(record)
    if faults:
        return check(record)
    if role not in (PUBLIC, *game.seats):
        raise WrongUsage(f"{role!r} takes no part in this game: {', '.join((PUBLIC, *game.seats))}")
    moves = [item for item in record.items if isinstance(item, Move)]
    if not any(move.action is None or has_unknown(move.action) for move in moves):
        return check(record)
    own = tuple(
        Fault(
            record.path,
            move.line,
            move.column,
            role,
            str(move.action or "?"),
            "record.view",
            f"{role} knows what {role} did",
            "A role's own moves are written out.",
        )
        for move in moves
        if move.role == role and (move.action is None or has_unknown(move.action))
    )
    if own:
        return Report(record.path, own, len(moves))
    completion = complete(record, timeout, limit=1)
    if completion.fault is not None or not completion.records:
        return Report(record.path, (completion.fault,) if completion.fault else (), len(moves))
    full = check(completion.records[0])
    return Report(
        record.path, full.faults, len(moves), len(moves), full.final, full.result, assumed=full.assumed
    )
