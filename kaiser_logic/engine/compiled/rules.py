"""The function of a rule over relations. At its first use it is read from the cache, or generated and compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any

from ...cache import Store, has_shape
from ...errors import NotDecided
from ...function_caches import cache_until_change
from ...lang.printed import Printed
from ...lang.terms import Place, Signature
from ...rules.rule import PlacedRule
from .relations import Database, number
from .values import EXACT, HELPERS, MANY, Beyond, Row


class RuleTooLarge(NotDecided):
    """A calculation of a rule leaves 32 bits, or the rule gives too many facts.

    Attributes:
        place: The place of the rule.
        what: What is too large, in words.
    """

    def __init__(self, place: Place, what: str) -> None:
        where = f"{place.file}:{place.line}: " if place.file else ""
        super().__init__(f"{where}{what}")
        self.place, self.what = place, what


class Code:
    """The function of a rule, generated at its first use.

    Attributes:
        rule: The rule.
        needs: The numbers of its positive predicates: it cannot fire if one of them is empty.
        head: The derived predicate; a rule with several heads has several functions.
        store: The store of compiled functions, or None.
    """

    def __init__(self, rule: Printed, needs: tuple[int, ...], head: Signature, store: Store | None = None) -> None:
        """Takes the rule; nothing is generated yet."""
        self.rule, self.needs, self.head, self.store = rule, needs, head, store

    @cached_property
    def run(self) -> Callable[[Database, Callable[[Row], None]], None]:
        """The function: it derives rows from a database and passes each to its second argument."""
        entry = ("code", self.rule.text, self.head)
        entry_value = self.store.get(entry, _is_code) if self.store is not None else None
        if entry_value is None:
            from .code_cache import code_of_rule

            entry_value = code_of_rule(self.rule, self.head)
            if self.store is not None:
                self.store.store(entry, entry_value)
        code, read = entry_value
        return FunctionType(code, HELPERS, "rule", tuple(map(number, read)))


def _is_code(value: Any) -> bool:
    """Whether a stored value is the code of a function and the predicates of its parameters."""
    if not has_shape(value, (CodeType, [(str, int)])):
        return False
    code, read = value
    return bool(code.co_argcount == 2 + len(read) and code.co_name == "rule")


class ExactCode(Code):
    """The function of a rule that calculates exactly, and says of which rule a calculation leaves 32 bits.

    Attributes:
        place: The place of the rule.
    """

    def __init__(self, rule: Printed, needs: tuple[int, ...], head: Signature, place: Place) -> None:
        """Takes the rule; nothing is generated yet."""
        super().__init__(rule, needs, head)
        self.place = place

    @cached_property
    def run(self) -> Callable[[Database, Callable[[Row], None]], None]:
        """The function. It raises `NotDecided` with the place of the rule."""
        from .source import source  # most rules are compiled already

        text, read = source(self.rule.value, self.head, exact=True)
        (code, *_) = compile(text, self.rule.text, "exec").co_consts
        function = FunctionType(code, EXACT, "rule", tuple(map(number, read)))

        def run(database: Database, new: Callable[[Row], None]) -> None:
            rows = 0

            def add(row: Row) -> None:
                nonlocal rows
                rows += 1
                if rows > MANY:
                    raise Beyond(f"the rule gives more than {MANY:,} facts")
                new(row)

            try:
                function(database, add)
            except Beyond as beyond:
                raise RuleTooLarge(self.place, str(beyond)) from None

        return run


@cache_until_change(5_000)
def code_of(rule: PlacedRule, head: Signature, store: Store | None = None) -> Code:
    """The function by which a rule derives a predicate of its head."""
    for atom in rule.atoms:
        number(atom.signature)
    return Code(rule.printed, tuple(dict.fromkeys(number(a.signature) for a in rule.positive)), head, store)
