"""One predicate for two that have the same rules.

What depends on who decides is derived in a transition, ``price__0``, and for the enumeration once more, ``price``. The solver
would have to find out that they are the same, atom by atom.

Two predicates with the same rules hold of the same where the rules are stratified: what each rule reads is settled before,
or grows with what it derives. With choices, or with recursion through ``not``, they need not (``p :- not q. q :- not p.``
and once more so): there nothing is made one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from .. import clingo
from ..rules.reader import rule_of
from ..rules.rule import HEAD, TOKEN
from ..symbolic import names
from ..transform.rewrite import rename


def shared(lines: Iterable[str], transition: int, facts: Iterable[clingo.Symbol]) -> dict[str, None]:
    """The lines with one predicate for two that have the same rules: that of a moment, for that of a transition too.

    What depends on who decides is derived in a transition, ``price__0``, and for the enumeration once more, ``price``.
    Where rule for rule the one is the other, but for names of which this holds too, they are the same.
    """
    lines = list(lines)
    if not _stratified(lines):
        return dict.fromkeys(lines)
    suffix, given = names.of_transition("", transition), {f.name for f in facts}
    rules: dict[str, set[str]] = defaultdict(set)
    mixed: set[str] = set(given)
    for line in lines:
        heads = rule_of(line).heads
        if len(heads) == 1:
            rules[heads[0].name].add(line)
        else:  # choices and pools
            mixed |= set(TOKEN.findall(line.partition(":-")[0]))
    twins = {n: n.removesuffix(suffix) for n in rules if n.endswith(suffix) and not names.is_of_kind(n)}
    twins = {n: p for n, p in twins.items() if p in rules and not mixed & {n, p}}

    def renamed(line: str) -> str:
        return rename(rule_of(line), lambda signature: twins.get(signature[0]))

    while True:
        wrong = [
            n for n, p in twins.items() if {renamed(x) for x in rules[n]} != {renamed(x) for x in rules[p]}
        ]
        if not wrong:
            return dict.fromkeys(map(renamed, lines)) if twins else dict.fromkeys(lines)
        twins = {n: p for n, p in twins.items() if n not in wrong}


def _stratified(lines: Iterable[str]) -> bool:
    """Whether no predicate of a program depends on itself other than positively."""
    reads: dict[str, set[str]] = defaultdict(set)
    turned: list[tuple[str, str]] = []
    for rule in map(rule_of, lines):
        for head in rule.heads:
            body = {a.name for a in rule.atoms if a.place != HEAD}
            reads[head.name] |= body
            turned += [(head.name, a.name) for a in (*rule.negative, *rule.inner)]

    def reached(name: str) -> set[str]:
        found, pending = {name}, [name]
        while pending:
            new = reads.get(pending.pop(), set()) - found
            found |= new
            pending += new
        return found

    return not any(head in reached(read) for head, read in dict.fromkeys(turned))
