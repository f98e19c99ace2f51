"""What somebody types under the rules in force: actions, and the roles that do them."""

from __future__ import annotations

from .. import clingo
from ..errors import WrongUsage
from ..notation.terms import Term
from . import symbols
from .ruleset import Ruleset
from .sets import in_order, knows_sets


def action_of(rules: Ruleset, typed: str | Term) -> clingo.Symbol:
    """The action, its sets in the order in which they are written; WrongUsage where a text is no term."""
    try:
        action = symbols.read(typed) if isinstance(typed, str) else symbols.symbol(typed)
    except WrongUsage as error:
        from ..rules.names import how_written

        raise WrongUsage(f"{error}{how_written(rules.book.folder, str(typed))}") from None
    return in_order(action, rules.facts("thing", 3)) if knows_sets(rules.book) else action


def no_such_role(rules: Ruleset, role: str) -> str:
    """That a role takes no part, who does, and who may be meant."""
    from ..rules.names import did_you_mean

    hint = did_you_mean(rules.book.folder, role, rules.roles)
    return f"{role[:40]} takes no part in this game: {', '.join(rules.seats)}{hint}"
