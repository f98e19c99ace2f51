"""Checks of rules: predicates never read, changes without a cause, unbounded sums, rules that are not compiled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..engine.compiled import Unsupported
from ..engine.compiled.source import source
from ..engine.configuration import configure
from ..engine.ruleset import Ruleset
from ..errors import Finding
from ..lang.algebra import variables
from ..lang.printer import show_term
from ..lang.terms import Aggregate, Signature
from ..lang.unification import arguments, functor
from ..rules.contract.manifest import place_in_toml
from ..rules.contract.predicates import readable
from ..rules.contract.survey import CLAIM_PREDICATES, DRAWING_PREDICATES, RULEBOOK_PREDICATES, Survey
from ..rules.loader import label
from ..rules.places import called, nearest
from ..rules.predicates import (
    ADD,
    CANDIDATE,
    COUNTS,
    DECISION,
    DEL,
    DOES,
    DUE,
    EFFECTS,
    MADE,
    SUBMITTED,
    VIOLATES,
    of_engine,
)
from ..rules.rule import Rule, top
from ..rules.rulebook import Rulebook
from ..transform.collecting import collecting
from ..transform.slicing import seeds

# -- usage ---------------------------------------------------------------------------------------------------
#
# Predicates that are derived and never read, and programs that are listed nowhere or twice.


_NEEDED: Final[frozenset[Signature]] = frozenset({("terminal", 0), ("goal", 2)})
"""What a rulebook may leave out, but not where a file of the engine's reads it."""
_PRINTED: Final = "book"
"""A program that the manifest need not name: the printed rulebook's tables."""


def unused(survey: Survey) -> Iterator[Finding]:
    """The kind ``unused``: every predicate that a rulebook derives is read.

    >>> # holds_atleast(1..N) :- heap(N), N > 0.     where the rules read holds_at_least
    """
    exports = {tuple(text.split("/")) for text in survey.book.manifest.get("exports", ())}
    read = {
        *survey.read,
        *survey.conditions,
        *survey.wanted,
        *RULEBOOK_PREDICATES,
        *(DRAWING_PREDICATES if survey.drawing else ()),
        ("party", 2),
    }
    read |= CLAIM_PREDICATES if survey.claims else frozenset()
    for signature, uses in survey.derived.items():
        if signature not in read and (signature[0], str(signature[1])) not in exports:
            hint = nearest(
                signature[0], (n for n, _ in {*survey.read, *RULEBOOK_PREDICATES} if n != signature[0])
            )
            message = f"nothing reads {called(signature)}{hint}"
            yield survey.at(uses[0].rule, "unused", message, signature[0])


def exported(survey: Survey) -> Iterator[Finding]:
    """The kind ``exports``: every exported predicate is derived.

    >>> # exports = ["pwoer/3"]
    """
    exports = survey.book.manifest.get("exports", ())
    known = {called(s) for s in {*survey.derived, *survey.shared}}
    path = survey.folder / "game.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    for export in exports:
        if export not in known:
            line, column = place_in_toml(lines, "", "exports", f'"{export}"')
            message = f"no rule derives {export}{nearest(export, sorted(known))}"
            yield Finding(str(path), line, column, "exports", message)


def unlisted(survey: Survey) -> Iterator[Finding]:
    """The kind ``unlisted``: each program of the folder is read.

    >>> # files = ["vocabulary", "play"]     where invariants.lp lies in the folder too
    """
    manifest = survey.book.manifest
    besides = (name for key in ("picture", "claims") for name in manifest.get(key, ()))
    listed = {*manifest["files"], manifest.get("drawing"), *besides, _PRINTED}
    for path in sorted(survey.folder.glob("*.lp")):
        if path.stem not in listed:
            message = "the manifest names this program neither in 'files' nor as 'drawing', 'picture' or 'claims': it is not read"
            yield Finding(str(path), 1, 1, "unlisted", message)


def repeated(survey: Survey) -> Iterator[Finding]:
    """The kind ``repeated``: no rule stands twice.

    >>> # step(pass_on).     step(pass_on).
    """
    drawing = survey.book.manifest.get("drawing")
    seen: dict[tuple[str, bool], str] = {}
    for rule in survey.rules:
        drawn = rule.file == label(
            survey.folder, str(drawing)
        )  # read without the picture, which is read without it
        if (rule.text, drawn) in seen:
            yield survey.at(rule, "repeated", f"the same rule is at {seen[rule.text, drawn]}")
        seen.setdefault((rule.text, drawn), f"{rule.file}:{rule.line}")


def idle_steps(survey: Survey) -> Iterator[Finding]:
    """The kind ``idle``: every declared step has an effect and is added somewhere.

    >>> # step(pass_on).     where no rule reads due(pass_on)
    """
    read = {functor(term) for _, term in survey.arguments(DUE, 0, heads=False)}
    due = set()
    for name in ("add", "init"):
        for _, term in survey.arguments((name, 1), 0, heads=True):
            if functor(term) == DUE:
                due.add(functor(arguments(term)[0]))
    for use, term in survey.arguments(("step", 1), 0, heads=True):
        named = functor(term)
        if named is None:
            continue
        if named not in read and None not in read:
            yield survey.at(use.rule, "idle", f"no rule reads due({named[0]}): it has no effect", named[0])
        elif named not in due and None not in due:
            yield survey.at(use.rule, "idle", f"no rule says add(due({named[0]})): it is never due", named[0])


def ending(survey: Survey) -> Iterator[Finding]:
    """The kind ``ending``: a game can end, with points and winners.

    >>> # a rulebook without winner(R)
    """
    known_heads = {*survey.derived, *survey.shared}
    for signature, meaning in ((("terminal", 0), "when the game is over"), (("goal", 2), "how many points each role has"),
                               (("winner", 1), "who has won")):  # fmt: skip
        if signature not in known_heads and survey.rules:
            message = f"no rule derives {called(signature)}: {meaning}"
            yield survey.at(survey.rules[-1], "ending", message)


def engine_needs(survey: Survey) -> Iterator[Finding]:
    """The kind ``needs``: the predicates that the engine's files read are derived.

    >>> # engine = ["phases"]     without enter(P)
    """
    known = readable(survey) - _NEEDED
    known |= survey.derived.keys() | survey.shared
    missing: dict[Signature, str] = {}
    for rule in survey.book.rules:
        if of_engine(rule):
            for signature in rule.uses - known:
                missing.setdefault(signature, rule.file.removeprefix("engine/").removesuffix(".lp"))
    path = survey.folder / "game.toml"
    lines = path.read_text(encoding="utf-8").splitlines() if missing else []
    for signature, file in missing.items():
        line, column = place_in_toml(lines, "", "engine", f'"{file}"')
        message = (
            f"'{file}' reads {called(signature)}, which is not defined{nearest(signature[0], _names(survey))}"
        )
        yield Finding(str(path), line, column, "needs", message)


def _names(survey: Survey) -> Iterator[str]:
    return (name for name, _ in survey.derived if (name, 0) not in RULEBOOK_PREDICATES)


# -- effects -------------------------------------------------------------------------------------------------
#
# Causes: a change depends on an action or a step, a violation on a candidate.


_CAUSES: Final = frozenset({DOES, MADE, DUE})
_SHARED: Final = (("enter", 1), ("score", 3))
"""Of the engine's files: what becomes a change."""


def effects(survey: Survey) -> Iterator[Finding]:
    """The kind ``effect``: what changes a position follows from ``does``, ``made`` or ``due``.

    >>> # add(phase(over)) :- heap(0).
    """
    caused = following(survey.rules, _CAUSES)
    wanted = [*EFFECTS, *(s for s in _SHARED if s in survey.wanted)]
    for signature in wanted:
        for use in survey.derived.get(signature, ()):
            if not _reads(use.rule, caused):
                message = (
                    "this depends on no action or step (does, made, due): it would happen at every change"
                )
                yield survey.at(use.rule, "effect", message)


def judging(survey: Survey) -> Iterator[Finding]:
    """The kind ``judging``: a violation follows from ``candidate(R,A)``, and from nothing that is only known afterwards.

    >>> # violates(R,take(K),"take.enough") :- player(R), amount(K), not holds_at_least(K).
    >>> # violates(R,take(K),"take.enough") :- does(R,take(K)), not holds_at_least(K).
    """
    questioned = following(survey.rules, frozenset({CANDIDATE}))
    afterwards = affected(survey.rules, frozenset({DOES, MADE, SUBMITTED}))
    for use in survey.derived.get(VIOLATES, ()):
        if use.rule.uses & afterwards:
            message = "a violation reads what is known only after the action is done (does, made): use candidate(R,A)"
            yield survey.at(use.rule, "judging", message, "does", "made", "submitted")
        elif not _reads(use.rule, questioned):
            yield survey.at(
                use.rule,
                "judging",
                "a violation must depend on candidate(R,A), directly or through other predicates",
            )


def collected(survey: Survey) -> Iterator[Finding]:
    """The kind ``collecting``: a violation reads what another action in question may say.

    >>> # asked(K) :- candidate(_,take(K)).     violates(R,take(K),"most") :- candidate(R,take(K)), asked(J), J > K.
    """
    for rule, atom in collecting(survey.book.rules):
        message = (
            f"{atom.name}/{len(atom.args)} may depend on another candidate: an action is judged alone,"
            " but all candidates are listed together"
        )
        yield survey.at(rule, "collecting", message, atom.name)


def following(rules: Iterable[Rule], causes: frozenset[Signature]) -> frozenset[Signature]:
    """The predicates all of whose rules have one of the causes in their body, directly or through others."""
    found = set(causes)
    by_head: dict[Signature, list[Rule]] = {}
    for rule in rules:
        for head in rule.heads:
            by_head.setdefault(head.signature, []).append(rule)
    grows = True
    while grows:
        new = {s for s, rules in by_head.items() if s not in found and all(_reads(r, found) for r in rules)}
        found |= new
        grows = bool(new)
    return frozenset(found)


def affected(rules: Iterable[Rule], causes: frozenset[Signature]) -> frozenset[Signature]:
    """The predicates some of whose rules read one of the causes, with any sign, directly or through others."""
    found = set(causes)
    rules = list(rules)
    grows = True
    while grows:
        new = {h.signature for r in rules if r.uses & found for h in r.heads} - found
        found |= new
        grows = bool(new)
    return frozenset(found)


def _reads(rule: Rule, found: Iterable[Signature]) -> bool:
    """Whether the body needs one of these predicates."""
    known = set(found)
    return any(atom.signature in known for atom in (*rule.positive, *rule.inner))


# -- sums ----------------------------------------------------------------------------------------------------
#
# Measures and sums: what counts has a limit, and every other sum a bound.


def measures(survey: Survey) -> Iterator[Finding]:
    """The kind ``measure``: ``counts(L,X,N)`` and ``limit(L,Least,Most)`` or ``range`` name the same measures.

    >>> # limit(stnoes,12,12).     counts(stones,heap,N) :- heap(N).
    """
    limits = [*survey.arguments(("limit", 3), 0, heads=True), *survey.arguments(("range", 3), 0, heads=True)]
    counts = list(survey.arguments(COUNTS, 0, heads=True))
    limited, counted = ({functor(t) for _, t in found} for found in (limits, counts))
    names = sorted({s[0] for s in limited | counted if s})
    for found, others, lacks in (
        (counts, limited, "no limit(L,Least,Most)"),
        (limits, counted, "no counts(L,X,N)"),
    ):
        for use, term in found:
            named = functor(term)
            if named and named not in others and None not in others:
                hint = nearest(named[0], (n for n in names if n != named[0]))
                yield survey.at(
                    use.rule, "measure", f"{lacks} names the measure '{named[0]}'{hint}", named[0]
                )


def bounds(survey: Survey) -> Iterator[Finding]:
    """The kind ``bound``: a sum over what a position says, and that is no measure, has a bound.

    >>> # votes(V) :- V = #sum{ N,R : voted(R,N) }.     with bound(votes,B), V <= B it has one
    """
    given = survey.book.fluents - {("seat", 2), DECISION, DUE}
    changing = affected((r for r in survey.rules if CANDIDATE not in (h.signature for h in r.heads)), given)
    for rule in survey.rules:
        name = rule.assigned_sum if "#sum" in rule.text else None
        if name is None or rule in survey.drawing or changing.isdisjoint(a.signature for a in rule.inner):
            continue
        if not any(name in variables(x) for x in rule.value.body if not isinstance(x, Aggregate)):
            message = f"nothing bounds {name}: write bound(Name,B) and {name} <= B, or make a measure of it"
            yield survey.at(rule, "bound", message, name)


# -- slow ----------------------------------------------------------------------------------------------------
#
# Rules that are not compiled, and the questions that are therefore left to clingo.


_SHOWN = 3
"""So many questions are named."""


def uncompiled(survey: Survey) -> Iterator[Finding]:
    """The kind ``slow``: rules of which there is no compiled form.

    >>> # worth(R,N*M) :- taken(R,N), power(M,|N|).     free(R) :- player(R), not took(R,2**1).
    """
    slow = [rule for rule in survey.book.rules if not _is_compiled(rule)]
    questions = _questions(survey.book, slow) if slow else {}
    for rule in slow:
        its = questions[rule.text]
        named = f": {', '.join(its[:_SHOWN])}{' …' if len(its) > _SHOWN else ''}" if its else ""
        message = f"this rule is not compiled: what needs it is left to clingo, which is slower{named}"
        yield survey.at(rule, "slow", message)


def _is_compiled(rule: Rule) -> bool:
    """Whether a rule has a compiled form for each predicate of its head."""
    try:
        for head in dict.fromkeys(h.signature for h in rule.heads):
            source(rule.value, head)
    except Unsupported:
        return False
    return True


def _questions(book: Rulebook, slow: list[Rule]) -> dict[str, list[str]]:
    """For each of these rules the actions and steps whose programs have it, with the default seats."""
    configuration, _ = configure(book, book.folder)
    rules = Ruleset(book, configuration)
    wanted = [top(*signature) for signature in (VIOLATES, ADD, DEL)]
    starts = [(show_term(k.action), seeds(None, (), [k.action])) for k in book.kinds]
    steps = {a.args[0] for r in book.rules for a in r.heads if a.signature == ("step", 1)}
    starts += [(f"step {show_term(step)}", seeds(None, [step])) for step in sorted(steps, key=show_term)]
    found: dict[str, list[str]] = {rule.text: [] for rule in slow}
    for question, start in starts:
        for text in {rule.text for rule in rules.judging.slice(start, wanted)} & found.keys():
            found[text].append(question)
    return found
