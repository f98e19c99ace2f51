"""The function of a rule over relations. At its first use it is read from the cache, or generated and compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from types import FunctionType
from typing import Any, Final

from ...cache import Store
from ...lang.printed import Printed
from ...lang.terms import Signature
from ...rules.rule import Rule
from . import values
from .relations import Database, number
from .values import Row

_HELPERS: Final[dict[str, Any]] = {
    name: getattr(values, name)
    for name in ("checked", "divided", "least", "less", "most", "negated", "rest", "total")
}


class Code:
    """The function of a rule, generated at its first use.

    Attributes:
        rule: The rule.
        needs: The numbers of its positive predicates: it cannot fire if one of them is empty.
        head: The derived predicate; a rule with several heads has several functions.
        store: The store of compiled functions, or None.
    """

    def __init__(
        self, rule: Printed, needs: tuple[int, ...], head: Signature, store: Store | None = None
    ) -> None:
        """Takes the rule; nothing is generated yet."""
        self.rule, self.needs, self.head, self.store = rule, needs, head, store

    @cached_property
    def run(self) -> Callable[[Database, Callable[[Row], None]], None]:
        """The function: it derives rows from a database and passes each to its second argument."""
        entry = ("code", self.rule.text, self.head)
        found = self.store.get(entry) if self.store is not None else None
        if found is None:
            from .code_cache import written

            found = written(self.rule, self.head)
            if self.store is not None:
                self.store.put(entry, found)
        code, read = found
        return FunctionType(code, _HELPERS, "rule", tuple(map(number, read)))


@lru_cache(maxsize=20_000)
def code_of(rule: Rule, head: Signature, store: Store | None = None) -> Code:
    """The function by which a rule derives a predicate of its head."""
    for atom in rule.atoms:
        number(atom.signature)
    return Code(rule.printed, tuple(dict.fromkeys(number(a.signature) for a in rule.positive)), head, store)
