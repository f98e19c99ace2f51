"""Drawings: each cell has a place in a table."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Finding
from ..rules.contract.survey import Survey
from ..rules.pattern import outermost
from ..rules.places import nearest


def cells(survey: Survey) -> Iterator[Finding]:
    """The kind ``cell``: tables and columns that cells, columns and rows name are declared.

    >>> # cell(players,R,stnoes,1,K) :- taken(R,K).
    """
    if not survey.drawing:
        return
    tables = {outermost(term) for _, term in survey.arguments(("table", 2), 1, heads=True)}
    columns: dict[object, set[object]] = {}
    for use in survey.heads("column", 3):
        columns.setdefault(outermost(use.atom.args[0]), set()).add(outermost(use.atom.args[2]))
    for signature, at in ((("cell", 5), 2), (("keep", 2), 1), (("column", 3), None), (("row", 3), None)):
        for use in survey.heads(*signature):
            table = outermost(use.atom.args[0])
            if table is None or None in tables:
                continue
            if table not in tables:
                names = [str(t[0]) for t in tables if t]
                message = f"no table(Order,Table) names '{table[0]}'{nearest(table[0], names)}"
                yield survey.at(use.rule, "cell", message, table[0])
                continue
            column = None if at is None else outermost(use.atom.args[at])
            known = columns.get(table, set())
            if column is not None and column not in known and None not in known:
                names = [str(c[0]) for c in known if isinstance(c, tuple)]
                message = f"the table '{table[0]}' has no column '{column[0]}'{nearest(column[0], names)}"
                yield survey.at(use.rule, "cell", message, column[0])
