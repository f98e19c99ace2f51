"""An open position of which too large relations are known in part only, and one transition out of it.

Where a relation has too many facts to be listed, as persons each with a load, arguments of it are dropped until it is
small (:mod:`.projection`); of counters the value always is. What the open position then stands for is all positions
that look so, which may be more than there are: an answer "none" is a proof, any other says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.fresh import ROLE
from ..rules.pattern import Pattern, Signature, show, variables
from ..rules.predicates import ADD, BROKEN, DECISION, DUE, FLUENT, broken
from ..rules.rule import Rule
from ..transform.action_splitting import Special, decisions_of
from ..transform.rewrite import literal
from . import names
from .domains import Domains, argument_domains
from .effects import LOOSE, WAYS
from .encoded_transition import EncodedTransition
from .encoding import Encoding
from .flattening import Unprojectable
from .kept import Kept, initial, needed, shapes_of, stating, vocabulary_rules
from .lasting import lasting
from .numbers import endless_kinds
from .projection import Projection
from .tallies import frame, many, moved, tallied
from .transitions import Transition

_VALUES: Final = 100
"""Arguments of actions with more values than this are not looked at."""
_BROKEN: Final = re.compile(r"broken(?:__m1)?\(([a-z]\w*)[,)]")
_PLAIN: Final = re.compile(r"[A-Z]\w*")
_NOTHING: Final = Domains((), (), (), ())


class ProjectedEncoding(Encoding):
    """An encoding whose fluents do not follow from moment to moment: that is said of what is kept of them."""

    def _arrive(self, transition: EncodedTransition) -> None:
        after = transition.moment + 1
        affected = self._dependence.affected(transition.changed)
        new = {s: names.at_moment(s[0], after) for s in affected}
        self._names.append({**self._names[transition.moment], **new})


class Projected:
    """One transition of a game between two positions that are known in part.

    Attributes:
        kept: What is kept.
        text: The program: the position before, the transition, and what is broken before and after.
        facts: What it must be told besides.
        changed: The fluents that may change.
        lines: The rules before anything is left out of them.
    """

    def __init__(
        self, ruleset: Ruleset, transition: Transition, lemmas: Sequence[str], decisions: Domains
    ) -> None:
        """Of one transition.

        Args:
            ruleset: The rules in force.
            transition: The transition.
            lemmas: The invariants that are looked at.
            decisions: The sorts of what can be pending.

        Raises:
            Unprojectable: A rule cannot be rewritten.
        """
        self.ruleset = ruleset
        self._transition = transition
        if endless_kinds(ruleset).intersection(k.index for k in transition.kinds):
            raise Unprojectable("an action names a number without a limit")
        hidden = frozenset(_hidden(ruleset, transition))
        self.shapes = shapes_of(ruleset)
        book = ruleset.book
        fluents, counters = initial(ruleset), frozenset(book.counters)
        stated = frozenset(c for c, zero in book.counters.items() if zero)
        tallies = tallied(ruleset, fluents)
        self.kept = Kept(fluents, counters, book.units, hidden, self.shapes, stated, moved(ruleset), tallies)
        kinds, steps = transition.kinds, [] if transition.step is None else [transition.step]
        encoding = ProjectedEncoding(ruleset, _NOTHING)
        encoding.domains = decisions
        if encoding.sets.unknown(0, True):
            raise Unprojectable("actions name sets")
        encoding.derive(map(broken, lemmas), decisions_of(kinds), steps)
        encoded = encoding.act(kinds) if kinds else encoding.step(steps)
        encoding.derive(map(broken, lemmas))
        self.broken = encoding.name(BROKEN), encoding.name(BROKEN, 0)
        self.encoding = encoding
        unasked = tuple(f"1 {{ {names.argument(0)}(R,{k},{i},V)" for k, i in hidden)
        own = _counting(encoded) | {x for x in encoding.lines if other_invariant(x, lemmas)}
        lines = [x for x in encoding.lines if x not in own and not x.startswith(unasked)]
        lines = [x for x in lines if not self._stands(x)]
        lines += self._pending(decisions_of(kinds), steps)
        found = Projection(self.kept).lines(lines)
        self.lines = tuple(lines)
        self.changed = frozenset(x for f in encoded.changed for x in self._parts(f))
        frames = [line for f in sorted(self.changed) for line in self._frame(f, found)]
        frames += lasting(lines, self.kept, found)
        self.text = "\n".join(dict.fromkeys([*self._vocabulary(), *self._open(), *found, *frames]))
        self.facts = list(encoding.facts)

    def _stands(self, line: str) -> bool:
        """Whether a line says how an invariant is broken afterwards, of nothing that changes: then it was broken before.

        What was broken before is not asked for: it is supposed not to be, or has been let go.
        """
        head, later = f"{self.broken[0]}(", names.at_moment("", 1)
        return self.broken[0] != self.broken[1] and line.startswith(head) and line.count(later) == 1

    def after(self, fluent: Signature) -> str:
        """What a fluent is called after the transition."""
        shape = next((s for group in self.shapes.values() for s in group if s.signature == fluent), None)
        if shape is None:
            return self.encoding.name(fluent)
        return self.encoding.name((shape.fluent, 1)).replace(shape.fluent, shape.name, 1)

    def _parts(self, fluent: Signature) -> list[Signature]:
        """A fluent, or what it has become where it is about structures."""
        found = [s.signature for s in self.shapes.get(fluent[0], ())] if fluent[1] == 1 else []
        return found or [fluent]

    def _arguments(self, fluent: Signature) -> list[str]:
        dropped = self.kept.fluents[fluent]
        return [f"X{k}" for k in range(fluent[1]) if k not in dropped]

    def _pending(self, decisions: Sequence[Pattern], steps: Sequence[Pattern]) -> Iterator[str]:
        """The position before has only what the transition is about pending, and that."""
        for pattern in decisions:
            decision = f"decision({ROLE},{show(pattern)})"
            yield f"{{ {decision} }} :- can__decision({ROLE},{show(pattern)})."
        for pattern in steps:
            yield f"{{ due({show(pattern)}) }} :- step({show(pattern)})."
        if steps:
            yield ":- not due(_)."

    def _open(self) -> Iterator[str]:
        """Any position."""
        for name, arity in sorted(self.kept.fluents):
            if (name, arity) in (DECISION, DUE, ("seat", 2)):
                continue
            args = self._arguments((name, arity))
            yield f"{{ {literal(name, *args)} }} :- {literal(f'can__{name}', *args)}."
            if (name, arity) in self.kept.tallied:
                yield f"{{ {literal(many(name), *args)} }} :- {literal(name, *args)}."

    def _vocabulary(self) -> Iterator[str]:
        """Which facts there can be, as far as they are kept: at least those of the vocabulary."""
        for name, arity in sorted(self.kept.fluents):
            if (name, arity) == DUE:
                continue
            dropped = self.kept.fluents[name, arity]
            for rule, stated in stating(self.ruleset, (name, arity)):
                left = [a for i, a in enumerate(stated) if i not in dropped]
                args = list(map(show, left))
                if not all(map(_PLAIN.fullmatch, variables(tuple(left)))):
                    yield from self._listed(rule, name, dropped)
                    continue
                head = literal(f"can__{name}", *args)
                body = needed(rule, args)
                yield f"{head} :- {'; '.join(body)}." if body else f"{head}."

    def _listed(self, rule: Rule, name: str, dropped: set[int]) -> Iterator[str]:
        """The facts that a rule of the vocabulary states, as far as they are kept."""
        for s in Grounding(self.ruleset.complete((rule,)), ()).get(*FLUENT):
            args = [str(a) for i, a in enumerate(s.arguments[0].arguments) if i not in dropped]
            yield f"{literal(f'can__{name}', *args)}."

    def _frame(self, fluent: Signature, found: Iterable[str]) -> Iterator[str]:
        """What is kept of a fluent after the transition; and that nothing comes that the vocabulary does not know."""
        name, args = fluent[0], self._arguments(fluent)
        old, new = literal(name, *args), literal(self.after(fluent), *args)

        def way(what: str) -> str:
            return literal(f"{what}__{name}", *args)

        said = [w for w in WAYS if any(f"{w}__{name}" in x for x in found)]
        tallied_ = fluent in self.kept.tallied
        other = f", not {way('known')}" if tallied_ else ""
        dropped = self.kept.fluents[fluent]
        losing = [w for w in ("del", "wipe", "down", "alter") if w in said]
        kept = "".join(
            f", not {way(w)}" for w in losing if w != "wipe" or not dropped or self._often(name, found)
        )
        signed = fluent in self.ruleset.book.signed
        stays = "".join(f", not {way(w)}" for w in losing if w in ("del", "wipe") or not signed)
        yield f"{new} :- {old}{stays}{other}."
        if "add" in said:
            yield f"{new} :- {way('add')}."
        wiped = f", not {way('wipe')}" if "wipe" in said else ""
        if dropped:
            partly = [w for w in losing if w != "wipe"]
            yield from (f"{{ {new} }} :- {old}, {way(w)}{wiped}{other}." for w in partly)
        yield from (f"{{ {new} }} :- {way(w)}{other}." for w in ("up", "alter", "within") if w in said)
        if "up" in said and not self.ruleset.book.counters[fluent] and not self._set(fluent):
            yield f"{new} :- {way('up')}{kept}{other}."
        if tallied_:
            yield from (f"{way(LOOSE)} :- {way(w)}." for w in ("add", "del") if w in said)
            yield from frame(name, self.after(fluent), args)
        if fluent == DUE:
            yield f"escaped__({old}) :- {new}, not step({args[0]})."
        elif fluent != ("seat", 2):
            yield f"escaped__({old}) :- {new}, not {literal(f'can__{name}', *args)}."

    def _often(self, name: str, found: Iterable[str]) -> bool:
        """Whether several rules say that all goes that looks so: what was added up might be lost twice."""
        return sum(f"wipe__{name}" in x.partition(":-")[0] for x in found) > 1

    def _set(self, counter: Signature) -> bool:
        """Whether the rulebook sets values of a counter itself."""
        rules = (r for r in self.ruleset.rules if r.file != "generated")
        effects = (h.args[0] for r in rules for h in r.heads if h.signature == ADD)
        return any(a[0] == "v" or (a[0] == "f" and (a[1], len(a[2])) == counter) for a in effects)


def _hidden(ruleset: Ruleset, transition: Transition) -> Iterator[tuple[int, int]]:
    """Arguments of actions with too many values."""
    for kind in transition.kinds:
        count = len(variables((kind.action,)))
        if count:
            values = argument_domains(ruleset, Special(kind, kind.action, count, (), ()))
            yield from ((kind.index, k) for k, v in enumerate(values) if len(v) > _VALUES)


def _counting(encoded: EncodedTransition) -> set[str]:
    """The engine's own lines that say how counters and pieces follow from what is gained and lost: frames say it here.

    Raises:
        Unprojectable: The rulebook says that itself.
    """
    own = set()
    for e in encoded.emitted:
        heads = {names.plain(h.name) for h in e.heads}
        read = {names.plain(a.name) for a in e.origin.atoms} - {h.name for h in e.origin.heads}
        changes = heads & {"gain", "lose", "touched", "change"}
        effects = heads & {"add", "del"} and read & {"gain", "lose", "change"}
        if (e.origin.file == "engine/change.lp" and changes) or (e.origin.file == "generated" and effects):
            own.add(e.text)
        elif heads & {"touched", "change"}:
            raise Unprojectable(e.text)
    return own


def other_invariant(line: str, lemmas: Sequence[str]) -> bool:
    """Whether a line says how an invariant is broken that is not looked at; a slice may have more than was wanted."""
    found = _BROKEN.match(line)
    return found is not None and found[1] not in lemmas


def decision_sorts(ruleset: Ruleset) -> Domains:
    """The decisions there can be, for what asks which decisions can be pending."""
    rules = tuple(r for r, _ in vocabulary_rules(ruleset, DECISION))
    found = tuple(s.arguments[0] for s in Grounding(ruleset.complete(rules), ()).get(*FLUENT))
    return Domains(found, found, (), ())
