"""Checks of rules: predicates that are never read, changes without a cause, unbounded sums, terms that cannot occur."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.compiled import NotCompiled
from ..engine.compiled.source import source
from ..engine.configuration import configure
from ..engine.grounding import Grounding, Undecided
from ..engine.ruleset import Ruleset, check_set_order
from ..errors import FaultyRulebook, Finding
from ..lang import terms as lang
from ..lang.algebra import variables
from ..lang.graph import conditional
from ..lang.printer import show_term
from ..lang.reader import lines_of
from ..lang.terms import Aggregate, Atom, Fun, Int, Literal, Signature, Term, Var
from ..lang.terms import Rule as Value
from ..lang.unification import arguments, functor
from ..notation.terms import Term as Ground
from ..rules.contract.manifest import place_in_toml
from ..rules.contract.predicates import readable
from ..rules.contract.survey import (
    CLAIM_PREDICATES,
    DRAWING_PREDICATES,
    RULEBOOK_PREDICATES,
    PredicateUse,
    Survey,
)
from ..rules.generated import all_rules
from ..rules.loader import label
from ..rules.places import nearest, signature_text
from ..rules.predicates import (
    ACTION,
    ADD,
    BROKEN,
    CANDIDATE,
    CONCEALS,
    COUNTS,
    DECISION,
    DEL,
    DOES,
    DUE,
    EFFECTS,
    FLUENT,
    GOAL,
    INSTEAD,
    MADE,
    SUBMITTED,
    TERMINAL,
    VIOLATES,
    WEIGHT,
    WINNER,
)
from ..rules.reader import rule_from
from ..rules.rule import PlacedRule, predicates_affected, top
from ..rules.rulebook import Rulebook
from ..transform.cross_action_dependencies import collecting
from ..transform.slicing import seeds

# -- usage ---------------------------------------------------------------------------------------------------
#
# These checks find predicates that are derived and never read, programs that are not listed, and repeated rules.


_NEEDED: Final[frozenset[Signature]] = frozenset({("terminal", 0), ("goal", 2)})
"""Predicates that a rulebook may omit, unless a file of the engine that it uses reads them."""
_PRINTED: Final = "book"
"""The program with the tables of the printed rulebook. The manifest need not name it."""
_TABLES: Final = ("game", "english", "names", "sentences", "book", "tests")
"""The tables of a rulebook, whose names end in ``.toml``."""


def check_unused(survey: Survey) -> Iterator[Finding]:
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
            hint = nearest(signature[0], (n for n, _ in {*survey.read, *RULEBOOK_PREDICATES} if n != signature[0]))
            lists = sorted({h.signature for h in uses[0].rule.heads if h.name == signature[0]} - {signature})
            if lists:
                hint = f" beside {signature_text(lists[0])}: a pool 'a;b,2' is two lists of arguments, 'a' and 'b,2'; "
                hint += "write '(a;b),2'"
            yield survey.at(uses[0].rule, "unused", f"nothing reads {signature_text(signature)}{hint}", signature[0])


def check_exports(survey: Survey) -> Iterator[Finding]:
    """The kind ``exports``: every exported predicate is derived, every part of a turn is a decision.

    >>> # exports = ["pwoer/3"]
    """
    exports = survey.book.manifest.get("exports", ())
    known = {signature_text(s) for s in {*survey.derived, *survey.shared}}
    path = survey.folder / "game.toml"
    lines = lines_of(path.read_text(encoding="utf-8"))
    for export in exports:
        if export not in known:
            line, column = place_in_toml(lines, "", "exports", f'"{export}"')
            message = f"no rule derives {export}{nearest(export, sorted(known))}"
            yield Finding(str(path), line, column, "exports", message)
    decisions = {signature[0] for _, term in survey.arguments(ACTION, 0, heads=True) if (signature := functor(term))}
    for name in survey.book.manifest.get("parts_of_turn", ()):
        if name not in decisions:
            line, column = place_in_toml(lines, "", "parts_of_turn", f'"{name}"')
            message = f"no action belongs to a decision {name}{nearest(name, sorted(decisions))}"
            yield Finding(str(path), line, column, "exports", message)


def check_listing(survey: Survey) -> Iterator[Finding]:
    """The kind ``unlisted``: the manifest names each program of the folder; no table there nearly has the name of one.

    >>> # files = ["vocabulary", "play"]     where invariants.lp lies in the folder too
    """
    manifest = survey.book.manifest
    others = (name for key in ("picture", "claims") for name in manifest.get(key, ()))
    listed = {*manifest["files"], manifest.get("drawing"), *others, _PRINTED}
    for path in sorted(path for path in survey.folder.iterdir() if path.suffix.lower() == ".lp"):
        if path.suffix != ".lp" or path.stem not in listed:
            message = "the manifest names this program neither in 'files' nor as 'drawing', 'picture' or 'claims': it is not read"
            yield Finding(str(path), 1, 1, "unlisted", message)
    for path in sorted(path for path in survey.folder.iterdir() if path.suffix.lower() == ".toml"):
        hint = "" if f"{path.stem}.toml" == path.name and path.stem in _TABLES else nearest(path.stem, _TABLES)
        if hint:
            yield Finding(str(path), 1, 1, "unlisted", f"it is not read, as no table of a rulebook has this name{hint}")


def check_repeated(survey: Survey) -> Iterator[Finding]:
    """The kind ``repeated``: no rule occurs twice.

    >>> # step(pass_on).     step(pass_on).
    """
    drawing = survey.book.manifest.get("drawing")
    seen: dict[tuple[str, bool], str] = {}
    for rule in survey.rules:
        # The drawing and the picture are never read together, so a rule may occur in both.
        drawn = rule.file == label(survey.folder, str(drawing))
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
        signature = functor(term)
        if signature is None:
            continue
        if signature not in read and None not in read:
            yield survey.at(use.rule, "idle", f"no rule reads due({signature[0]}): it has no effect", signature[0])
        elif signature not in due and None not in due:
            yield survey.at(use.rule, "idle", f"no rule says add(due({signature[0]})): it is never due", signature[0])


def ending(survey: Survey) -> Iterator[Finding]:
    """The kind ``ending``: a game can end, with points and winners.

    >>> # a rulebook without winner(R)
    """
    known_heads = {*survey.derived, *survey.shared}
    for signature, meaning in ((("terminal", 0), "when the game is over"), (("goal", 2), "how many points each role has"),
                               (("winner", 1), "who has won")):  # fmt: skip
        if signature not in known_heads and survey.rules:
            message = f"no rule derives {signature_text(signature)}: {meaning}"
            yield survey.at(survey.rules[-1], "ending", message)


def engine_needs(survey: Survey) -> Iterator[Finding]:
    """The kind ``needs``: the rulebook derives the predicates that the engine's files read.

    >>> # engine = ["phases"]     without enter(P)
    """
    known = readable(survey) - _NEEDED
    known |= survey.derived.keys() | survey.shared
    missing: dict[Signature, str] = {}
    for rule in survey.book.rules:
        if rule.is_of_engine:
            for signature in rule.uses - known:
                missing.setdefault(signature, rule.file.removeprefix("engine/").removesuffix(".lp"))
    path = survey.folder / "game.toml"
    lines = lines_of(path.read_text(encoding="utf-8")) if missing else []
    for signature, file in missing.items():
        line, column = place_in_toml(lines, "", "engine", f'"{file}"')
        message = (
            f"'{file}' reads {signature_text(signature)}, which is not defined{nearest(signature[0], _names(survey))}"
        )
        yield Finding(str(path), line, column, "needs", message)


def _names(survey: Survey) -> Iterator[str]:
    return (name for name, _ in survey.derived if (name, 0) not in RULEBOOK_PREDICATES)


# -- effects -------------------------------------------------------------------------------------------------
#
# A change depends on an action or a step, a violation on a candidate.


_CAUSES: Final = frozenset({DOES, MADE, DUE})
_SHARED: Final = (("enter", 1), ("score", 3))
"""The predicates of the engine's files from which changes follow."""


def effects(survey: Survey) -> Iterator[Finding]:
    """The kind ``effect``: a rule that changes the position depends on ``does``, ``made`` or ``due``.

    >>> # add(phase(over)) :- heap(0).
    """
    caused = conditional(survey.rules, _CAUSES, _read_predicates)
    wanted = [*EFFECTS, *(s for s in _SHARED if s in survey.wanted)]
    for signature in wanted:
        for use in survey.derived.get(signature, ()):
            if caused.isdisjoint(_read_predicates(use.rule)):
                message = "this depends on no action or step (does, made, due): it would happen at every change"
                yield survey.at(use.rule, "effect", message)


def judging(survey: Survey) -> Iterator[Finding]:
    """The kind ``judging``: a violation depends on ``candidate(R,A)``, and on nothing that is known only after the action.

    >>> # violates(R,take(K),"take.enough") :- player(R), amount(K), not holds_at_least(K).
    >>> # violates(R,take(K),"take.enough") :- does(R,take(K)), not holds_at_least(K).
    """
    questioned = conditional(survey.rules, {CANDIDATE}, _read_predicates)
    afterwards = predicates_affected(survey.rules, {DOES, MADE, SUBMITTED})
    for use in survey.derived.get(VIOLATES, ()):
        if use.rule.uses & afterwards:
            message = "a violation reads what is known only after the action is done (does, made): use candidate(R,A)"
            yield survey.at(use.rule, "judging", message, "does", "made", "submitted")
        elif questioned.isdisjoint(_read_predicates(use.rule)):
            yield survey.at(
                use.rule,
                "judging",
                "a violation must depend on candidate(R,A), directly or through other predicates",
            )


_AT_REST: Final = (BROKEN, COUNTS, TERMINAL, GOAL, WINNER, WEIGHT, CONCEALS, INSTEAD)
"""What a position is asked for, while nobody acts."""


def check_rest(survey: Survey) -> Iterator[Finding]:
    """The kind ``rest``: what a position is asked for reads nothing that holds only while somebody acts.

    >>> # weight(roll(N),N) :- candidate(chance,roll(N)).     broken(greedy,R) :- does(R,take(3)).
    """
    acting = conditional(
        survey.rules, {CANDIDATE, SUBMITTED, DOES, MADE}, lambda rule: {a.signature for a in rule.positive}
    )
    exports = (text.partition("/") for text in survey.book.manifest.get("exports", ()))
    exported = ((name, int(arity)) for name, _, arity in exports if arity.isdigit())
    roots: dict[Signature, str] = {s: s[0] for s in (*_AT_REST, *exported)}
    pending = list(roots)
    while pending:
        signature = pending.pop()
        for use in survey.derived.get(signature, ()):
            hidden = {a.signature for a in (*use.rule.negative, *use.rule.inner)}
            whole = signature in _AT_REST or signature in acting
            read = use.rule.uses if whole else hidden  # other rules may serve actions, too
            for name in sorted({name for name, _ in read & acting})[:1]:
                message = f"{roots[signature]} is asked of a position, in which nobody acts: there {name} never holds"
                yield survey.at(use.rule, "rest", message, name)
            new = sorted(use.rule.uses - acting - roots.keys())
            roots.update((s, roots[signature]) for s in new)
            pending += new


def check_collecting(survey: Survey) -> Iterator[Finding]:
    """The kind ``collecting``: a violation may depend on another candidate.

    >>> # asked(K) :- candidate(_,take(K)).     violates(R,take(K),"most") :- candidate(R,take(K)), asked(J), J > K.
    """
    for rule, atom in collecting(all_rules(survey.book)):
        message = (
            f"{atom.name}/{len(atom.args)} may depend on another candidate: an action is judged alone,"
            " but all candidates are listed together"
        )
        yield survey.at(rule, "collecting", message, atom.name)


def _read_predicates(rule: PlacedRule) -> set[Signature]:
    """The predicates that the body has, not negated or in an aggregate."""
    return {atom.signature for atom in (*rule.positive, *rule.inner)}


# -- sums ----------------------------------------------------------------------------------------------------
#
# A measure has a limit, and every other sum has a bound.


def measures(survey: Survey) -> Iterator[Finding]:
    """The kind ``measure``: each measure has rules for ``counts(L,X,N)`` and for ``limit(L,Least,Most)`` or ``range``.

    >>> # limit(stnoes,12,12).     counts(stones,heap,N) :- heap(N).
    """
    limits = [*survey.arguments(("limit", 3), 0, heads=True), *survey.arguments(("range", 3), 0, heads=True)]
    counts = list(survey.arguments(COUNTS, 0, heads=True))
    limited, counted = ({functor(t) for _, t in terms} for terms in (limits, counts))
    limited |= {functor(h.args[0]) for name in ("limit", "range") for h in survey.declared[name, 3]}
    counted |= {functor(h.args[0]) for h in survey.declared[COUNTS]}
    names = sorted({s[0] for s in limited | counted if s})
    for terms, others, lacks in (
        (counts, limited, "no limit(L,Least,Most)"),
        (limits, counted, "no counts(L,X,N)"),
    ):
        for use, term in terms:
            signature = functor(term)
            if signature and signature not in others and None not in others:
                hint = nearest(signature[0], (n for n in names if n != signature[0]))
                yield survey.at(use.rule, "measure", f"{lacks} names the measure '{signature[0]}'{hint}", signature[0])


def _assigned_sum(rule: Value) -> str | None:
    """Returns the variable to which the body assigns a sum, ``V = #sum { ... }``; None if it assigns none."""
    for literal in rule.body:
        match literal:
            case Aggregate("#sum", _, (("=", Var(name)), *_), 0):
                return name
    return None


def bounds(survey: Survey) -> Iterator[Finding]:
    """The kind ``bound``: a sum over facts of the position has a bound, unless it is a measure.

    >>> # votes(V) :- V = #sum{ N,R : voted(R,N) }.     with bound(votes,B), V <= B it has one
    """
    given = survey.book.fluents - {("seat", 2), DECISION, DUE}
    others = (r for r in survey.rules if CANDIDATE not in (h.signature for h in r.heads))
    changing = predicates_affected(others, given)
    for rule in survey.rules:
        name = _assigned_sum(rule.value)
        if name is None or rule in survey.drawing or changing.isdisjoint(a.signature for a in rule.inner):
            continue
        if not any(name in variables(x) for x in rule.value.body if not isinstance(x, Aggregate)):
            message = f"nothing bounds {name}: write bound(Name,B) and {name} <= B, or make a measure of it"
            yield survey.at(rule, "bound", message, name)


# -- slow ----------------------------------------------------------------------------------------------------
#
# clingo evaluates the questions that need a rule without a compiled form.


_SHOWN = 3
"""The largest number of questions that a message names."""


def check_compilation(survey: Survey) -> Iterator[Finding]:
    """The kind ``slow``: rules that have no compiled form.

    >>> # worth(R,N*M) :- taken(R,N), power(M,|N|).     free(R) :- player(R), not took(R,2**1).
    """
    slow = [rule for rule in survey.book.rules if not _is_compiled(rule)]
    questions = _questions(survey.book, slow) if slow else {}
    for rule in slow:
        names = questions[rule.text]
        list_of_names = f": {', '.join(names[:_SHOWN])}{' …' if len(names) > _SHOWN else ''}" if names else ""
        message = f"this rule is not compiled: what needs it is left to clingo, which is slower{list_of_names}"
        yield survey.at(rule, "slow", message)


def _is_compiled(rule: PlacedRule) -> bool:
    """Whether a rule has a compiled form for each predicate of its head."""
    try:
        for head in dict.fromkeys(h.signature for h in rule.heads):
            source(rule.value, head)
    except NotCompiled:
        return False
    return True


def _questions(book: Rulebook, slow: list[PlacedRule]) -> dict[str, list[str]]:
    """Maps each of these rules to the actions and steps whose programs contain it, with the default seats."""
    configuration, _ = configure(book, book.folder)
    rules = Ruleset(book, configuration)
    wanted = [top(*signature) for signature in (VIOLATES, ADD, DEL)]
    starts = [(show_term(k.action), seeds(None, (), [k.action])) for k in book.kinds]
    steps = {a.args[0] for r in book.rules for a in r.heads if a.signature == ("step", 1)}
    starts += [(f"step {show_term(step)}", seeds(None, [step])) for step in sorted(steps, key=show_term)]
    by_rule: dict[str, list[str]] = {rule.text: [] for rule in slow}
    for question, start in starts:
        for text in {rule.text for rule in rules.judging.slice(start, wanted)} & by_rule.keys():
            by_rule[text].append(question)
    return by_rule


_DONE: Final = (DOES, SUBMITTED)


def aimless(survey: Survey) -> Iterator[Finding]:
    """The kind ``aimless``: a rule reads each action that has arguments, in ``does`` or ``submitted``.

    An action without arguments, such as ``pass``, may do nothing but end a decision.

    >>> # action(turn,load(H,N)) :- harbour(H), amount(N).     where no rule reads does(R,load(H,N))
    """
    read: set[Signature | None] = set()
    for signature in _DONE:
        for use, term in survey.arguments(signature, 1, heads=False):
            read |= _actions_of_variable(survey, use, term) if isinstance(term, Var) else {functor(term)}
    if None in read:
        return  # some rule reads every action
    for use, term in survey.arguments(("action", 2), 1, heads=True):
        done = functor(term)
        if done is not None and done[1] and done not in read:
            message = (
                f"no rule reads does(R,{done[0]}(...)): the action changes nothing, and its arguments mean nothing"
            )
            yield survey.at(use.rule, "aimless", message, done[0])


def _actions_of_variable(survey: Survey, use: PredicateUse, variable: Term) -> set[Signature | None]:
    """The actions for which a variable can stand, by another atom of the rule that has it; ``{None}`` if any action can.

    >>> # lose(stones,K) :- does(R,A), size(A,K).     size(take(K),K) :- amount(K).     gives {take/1}
    """
    for atom in use.rule.positive:
        if atom.signature in _DONE or variable not in atom.args:
            continue
        place = atom.args.index(variable)
        heads = [functor(term) for _, term in survey.arguments(atom.signature, place, heads=True)]
        if heads and None not in heads:
            return set(heads)
    return {None}


_NUMBERS = 4
_VALUE = "value__"
_Aim: TypeAlias = tuple[Signature, int, Signature | None]
_GIVEN = frozenset({("ruling", 2), ("start", 2), ("board", 1)})


def constants(survey: Survey) -> Iterator[Finding]:
    """The kind ``constant``: the arguments of fluents and static facts in rules are terms that can occur there.

    >>> # add(phase(ovr)) :- due(pass_on), not holds_at_least(1).     first(R) :- seat(R,I), start(emperor,R).
    """
    possible = domains(survey.book)
    for rule in survey.rules:
        atoms: list[tuple[str, tuple[lang.Term, ...]]] = [(a.name, a.args) for a in rule.atoms if a.place != "head"]
        for head in rule.heads:
            term = head.args[0] if head.signature in (ADD, DEL, ("init", 1)) else None
            if term is not None and isinstance(term, lang.Fun):
                atoms.append((term.name, term.args))
        for name, args in atoms:
            signature = (name, len(args))
            known = possible.get(signature)
            if known is None:
                continue
            for place, arg in enumerate(args):
                term_name = functor(arg)
                if term_name is None or not term_name[0][:1].islower() or term_name in known[place]:
                    continue
                hint = nearest(term_name[0], sorted(n for n, _ in known[place]))
                message = f"{signature_text(signature)} never has '{term_name[0]}' as argument {place + 1}{hint}"
                yield survey.at(rule, "constant", message, term_name[0])


def domains(book: Rulebook) -> Mapping[Signature, list[set[Signature]]]:
    """Maps each fluent, and each static predicate with facts, to the names of the terms that each argument can be.

    The rules are ground with the fewest and the most players, with the standard rulings and with all rulings and start tags. A
    term is possible if it occurs in one of these groundings.
    """
    domains_of: dict[Signature, list[set[Signature]]] = {}

    def add(signature: Signature, place: int, name: Signature | None) -> None:
        sets = domains_of.setdefault(signature, [set() for _ in range(signature[1])])
        if name is not None:
            sets[place].add(name)

    for rules in _rulesets(book):
        facts = [fact for facts in rules.static.values() for fact in facts]
        aims, lines, whole = _project_rules(rules.vocabulary_program.rules)
        for signature, place, name in aims:
            if name is not None or place == 0:
                add(signature, place, name)
        program = rules.complete((*lines, *whole))
        grounding = Grounding(program, symbols.number_facts(range(_NUMBERS)))
        facts += [fact.arguments[0] for fact in grounding.get(*FLUENT)]
        for fact in facts:
            for place, argument in enumerate(fact.arguments):
                add(symbols.signature(fact), place, _name(argument))
        for value in grounding.get(_VALUE, 2):
            signature, place, _ = aims[value.arguments[0].number]
            add(signature, place, _name(value.arguments[1]))
    return {s: sets for s, sets in domains_of.items() if s not in _GIVEN}


def _name(value: clingo.Symbol) -> Signature | None:
    return (value.name, len(value.arguments)) if value.type is clingo.SymbolType.Function and value.name else None


def _project_rules(rules: Iterable[PlacedRule]) -> tuple[list[_Aim], list[PlacedRule], list[PlacedRule]]:
    """Projects the rules of a vocabulary on single arguments, as the fluents over structures are too many to be listed.

    >>> # fluent(stake(R,gold(V),1..N)) :- player(R), copies(gold(V),N).
    >>> # argument 1: value__(0,R) :- player(R).     argument 2 is gold/1.     argument 3 is a number.

    Returns:
        The arguments: the fluent, the place, and the name of the term if the rule has one; the rules ``value__(I,V)`` for the
        arguments that are variables, where I is the index in that list; the rules that cannot be projected, and those for the
        actions that a fluent reads.
    """
    aims: list[_Aim] = []
    lines: list[Value] = []
    whole: list[PlacedRule] = []
    for rule in rules:
        pattern, term = rule.heads[0].args[0], rule.value.heads[0].args[0]
        if (
            rule.heads[0].signature != FLUENT
            or len(rule.heads) > 1
            or not isinstance(pattern, lang.Fun)
            or not isinstance(term, Fun)
        ):
            whole.append(rule)
            continue
        for place, (name, arg) in enumerate(zip(pattern.args, term.args, strict=True)):
            if isinstance(name, lang.Var):
                body = tuple(_linked_literals(rule, set(variables(arg))))
                lines.append(Value(Atom(_VALUE, (Int(len(aims)), arg)), body))
            aims.append(((term.name, len(term.args)), place, functor(name)))
    return aims, list(map(rule_from, lines)), whole


def _linked_literals(rule: PlacedRule, names: set[str]) -> list[Literal]:
    """The literals of a rule's body that share one of these variables, directly or through other literals."""
    literals = [(literal, set(variables(literal))) for literal in rule.value.body]
    known, size = names, -1
    while len(known) > size:
        size = len(known)
        known = known.union(*(used for _, used in literals if used & known))
    return [literal for literal, used in literals if used & known]


def _rulesets(book: Rulebook) -> Iterator[Ruleset]:
    """Yields the rules for the fewest and the most players, with the standard rulings and with all rulings at once."""
    players = book.manifest["players"]
    for count in sorted({players[0], players[-1]}):
        configuration, _ = configure(book, book.folder, players=count)
        for everything in (False, True):
            rules = Ruleset(book, configuration)
            if everything:
                rules.given = (*rules.given, *_all_settings(book, configuration.seats))
            yield rules


def _all_settings(book: Rulebook, seats: tuple[str, ...]) -> Iterator[clingo.Symbol]:
    """Yields a fact for each value of each ruling and start tag."""
    for name, ruling in book.rulings.items():
        for value in ruling.values:
            yield symbols.symbol(Ground.make("ruling", name, int(value) if value.isdigit() else value))
    for name, tag in book.manifest.get("tags", {}).items():
        for value in seats if tag["values"] == "seats" else tag["values"]:
            yield symbols.symbol(Ground.make("start", name.lower(), int(value) if str(value).isdigit() else value))


def _order_mistakes(book: Rulebook) -> Iterator[Finding]:
    """Yields mistakes in the numbering of the elements of sets, in each edition and with each number of players."""
    for edition, count in product(book.editions, sorted({*book.manifest["players"]})):
        configuration, _ = configure(book, book.folder, edition=edition, players=count)
        yield from check_set_order(Ruleset(book, configuration))


def check_grounding(survey: Survey) -> Iterator[Finding]:
    """The kinds ``constant`` and ``things``; and ``loop`` if the static rules cannot be ground."""
    try:
        yield from constants(survey)
        yield from _order_mistakes(survey.book)
    except FaultyRulebook as error:
        yield from error.findings
    except Undecided as error:
        yield Finding(str(survey.folder), 0, 0, "loop", f"{error} is left open: the static rules are not stratified")
