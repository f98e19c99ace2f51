"""The phrases of ``english.toml``: of what there is, with variables that their patterns have."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Final

from ..errors import Finding
from ..rules.contract.manifest import place_in_toml
from ..rules.contract.survey import Survey
from ..rules.contract.words import GIVEN
from ..rules.pattern import outermost, variables
from ..rules.phrases import fields, no_fields, pattern
from ..rules.places import nearest

_TABLES: Final = ("terms", "facts", "actions", "drawing", "events")


def phrases(survey: Survey) -> Iterator[Finding]:
    """The kind ``phrase``.

    >>> # [facts] "heepa(N)" = "{N} stones"     "heap(N)" = "{M} stones"
    """
    path = survey.folder / "english.toml"
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    known = {
        "facts": {*survey.book.fluents, *survey.derived, *survey.shared, *GIVEN},
        **({} if survey.actions is None else {"actions": set(survey.actions)}),
    }
    for table, entries in tomllib.loads(text).items():
        if table not in _TABLES:
            line, column = place_in_toml(lines, table, "")
            message = f"there is no table '{table}'{nearest(table, _TABLES)}"
            yield Finding(str(path), line, column, "phrase", message)
            continue
        for key, template in entries.items():
            found = pattern(key)
            named = outermost(found)
            messages = []
            if named and table in known and named not in known[table]:
                noun = table.removesuffix("s")
                hint = nearest(named[0], (n for n, _ in known[table]))
                messages.append(f"there is no {noun} {named[0]}/{named[1]}{hint}")
            there = variables((found,))
            for name in fields(template):
                if name not in there:
                    messages.append(f"{{{name}}} is no variable of {key}{nearest(name, there)}")
            messages += [f"{text} is no variable: it would be printed so" for text in no_fields(template)]
            for message in messages:
                line, column = place_in_toml(lines, table, key)
                yield Finding(str(path), line, column, "phrase", message)
