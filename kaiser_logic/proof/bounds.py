"""The claim that in every valid position no sum exceeds its stated bound."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..rules.pattern import ANY, Pattern, Signature, show, variables
from ..rules.predicates import BOUND, DECISION, DUE, SUBMITTED, TOTAL, broken
from ..rules.reader import rule_of
from ..rules.rule import Atom, Literal, Rule, top
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import invariants
from ..symbolic.models import decode_facts
from ..symbolic.programs import solver_of
from ..symbolic.solver import SPARSE, Solver
from ..transform.rewrite import literal
from ..transform.slicing import seeds
from .counterexample import Counterexample
from .kept import Answers, key
from .numbers import decided
from .pending import uncovered

_TOGETHER: Final = 10_000
"""So many conflicts of the solver are spent on all ranges together."""
_AS_IT_IS: Final = 20_000
"""So many conflicts are spent on a sum as it is, before"""
_AS_CLAUSES: Final = ("--trans-ext=weight",)
"""its sums are written as clauses: what is hard is refuted in a fraction of the time then, but that takes more memory."""
_EXCEEDS: Final = "exceeds__"
_COMPARED: Final = re.compile(r"^[^#{]*[<>][^#{]*$")
"""A comparison by size."""
_ASKED: Final = "asked__"
_PENDING: Final = (DECISION, DUE)
_ANY: Final = (("v", "Any"),)
_DUE: Final = ("{ due(Step) : step(Step) }.",)
"""What is pending, where it matters: any decisions, and any steps."""
_GATHERED: Final = re.compile(r"(_*[A-Z]\w*) = #(?:sum\+?|count|min|max)(?!\w)")
"""A variable that is bound to what an aggregate gathers."""


def sums(ruleset: Ruleset) -> list[Rule]:
    """The rules whose sum, or what else they gather, has a stated bound."""
    return [
        r
        for r in ruleset.rules
        if any(a.signature == BOUND for a in r.positive) and any(_GATHERED.match(x.text) for x in r.literals)
    ]


def exceeds(
    ruleset: Ruleset, rule: Rule, sorts: Domains, answers: Answers | None = None
) -> Counterexample | None:
    """A valid position in which the sum of such a rule is larger than its bound, or None; ``answers``: where that is kept."""
    question, who = exceeding(rule), _who(rule)
    uses = [
        top(*a.signature) for a in rule_of(question).atoms if a.signature not in (*ruleset.static, *_PENDING)
    ]
    _of_positions(ruleset, rule_of(question))
    pending = _reads_pending(ruleset, sorts, [rule_of(question), *_deriving(ruleset, uses)])
    which: list[Pattern] | None = None if pending else []
    assumed = _assumed(ruleset, () if pending else _PENDING)
    answers = None if answers is None or answers.off else answers
    for exact in (False, True):
        encoding = Encoding(ruleset, sorts)
        encoding.open(_ANY if pending else (), exact=exact)
        encoding.add(*(_DUE if pending else ()))
        encoding.assume(assumed, which, which)
        encoding.derive(uses, which, which)
        encoding.add(question, f":- not {literal(_EXCEEDS, *('_' for _ in who))}.")
        encoding.origins.setdefault(rule)
        solver = solver_of(encoding, SPARSE if exact else ())
        found = key(ruleset, sorts, [(encoding, solver, ())], (), (), "sum") if answers is not None else ""
        if answers is not None and answers.has(found):
            return None
        decided(encoding, solver.control)
        possible = solver.decide(_AS_IT_IS, usual_first=True)
        if possible is None:
            solver = Solver(solver.text, solver.facts, (*solver.options, *_AS_CLAUSES))
            possible = solver.possible()
        if not possible:
            if answers is not None:
                answers.add(found)
            return None
    model = solver.model() or ()
    _at_once(ruleset, model)
    return Counterexample("sum", decode_facts(ruleset, model), (), "the sum exceeds its bound", True)


def _who(rule: Rule) -> list[str]:
    """Of whom, or what, a rule sums something up: the variables of its head that its body's atoms bind."""
    bound = {v for a in rule.positive if a.signature != DUE for v in variables(a.args)}
    head = rule.heads[0]
    return [a[1] for a in head.args if a[0] == "v" and a[1] in bound]


def leaves_range(ruleset: Ruleset, sorts: Domains, answers: Answers | None = None) -> Counterexample | None:
    """A position within all limits in which a total is outside of its stated range, or None; ``answers``: as above.

    Of all ranges together it is asked first; where that is not refuted, of each.
    """
    pending = _reads_pending(ruleset, sorts)
    answers = None if answers is None or answers.off else answers
    facts = sorted(ruleset.facts("range", 3))
    every = ""
    for those in (facts, *([fact] for fact in facts)):
        encoding = _outside(ruleset, sorts, pending, those)
        solver = solver_of(encoding)
        found = key(ruleset, sorts, [(encoding, solver, ())], (), (), "range") if answers is not None else ""
        every = every or found
        if answers is None or not answers.has(found):
            decided(encoding, solver.control)
            several = len(those) > 1
            if solver.decide(_TOGETHER if several else None) is not False:
                if several:
                    continue
                model = solver.model() or ()
                _at_once(ruleset, model)
                shown = decode_facts(ruleset, model)
                return Counterexample("range", shown, (), f"{those[0].arguments[0]} leaves its range", True)
            if answers is not None:
                answers.add(found)
        if those is facts:
            return None
    if answers is not None:
        answers.add(every)
    return None


def _asking(fact: clingo.Symbol) -> clingo.Symbol:
    """The fact that asks about a range."""
    return clingo.Function(_ASKED, fact.arguments)


def _outside(ruleset: Ruleset, sorts: Domains, pending: bool, ranges: Iterable[clingo.Symbol]) -> Encoding:
    """The question for a position within all limits in which a total is outside of one of these ranges."""
    encoding = Encoding(ruleset, sorts)
    encoding.add(*sorts.choices(ruleset.book, _ANY if pending else ()), *(_DUE if pending else ()))
    which: list[Pattern] | None = None if pending else []
    encoding.assume(_assumed(ruleset, (TOTAL,) if pending else (*_PENDING, TOTAL)), which, which)
    encoding.add(*(rule.text for rule in encoding.totals.slice))
    encoding.add(":- limit(L,_,M), #sum{ W,X : counts(L,X,W) } > M.")
    encoding.facts += map(_asking, ranges)
    total = "#sum{ W,X : counts(L,X,W) }"
    encoding.add(
        f"outside__ :- {_ASKED}(L,N,_), {total} < N.",
        f"outside__ :- {_ASKED}(L,_,M), {total} > M.",
        ":- not outside__.",
    )
    encoding.origins.update(dict.fromkeys(encoding.totals.slice))
    return encoding


def exceeding(rule: Rule) -> str:
    """The rule that says that a rule's sum exceeds its bound, whatever is pending.

    >>> exceeding(rule_of("income(R,N) :- player(R); bound(income,M); N <= M; N = #sum { W,X : pays(R,X,W) }."))
    'exceeds__(R) :- player(R); bound(income,M); M < #sum { W,X: pays(R,X,W) }.'
    """
    bound = next(a.args[1] for a in rule.positive if a.signature == BOUND)
    total, variable = _bounded(rule, show(bound))
    # whatever else is said of the sum's value goes: the question only grows wider by that
    named = re.compile(rf"(?<!\w){variable}(?!\w)")
    others = (x for x in rule.literals if x.signature != DUE and (x.signature or not named.search(x.text)))
    body = f"{'; '.join(x.text for x in others)}; {show(bound)} <{total.text.partition('=')[2]}"
    return f"{literal(_EXCEEDS, *_who(rule))} :- {body}."


def _bounded(rule: Rule, bound: str) -> tuple[Literal, str]:
    """What a rule gathers that has the bound, and the variable that is bound to it.

    Raises:
        NotDecided: It gathers several things, of which the bound is not compared with just one.
    """
    gathered = [(x, m[1]) for x in rule.literals if (m := _GATHERED.match(x.text))]
    name = re.escape(bound)
    comparing = [
        x.text
        for x in rule.literals
        if re.search(rf"(?<!\w){name}(?!\w)", x.text) and _COMPARED.search(x.text)
    ]
    compared = [
        (x, v) for x, v in gathered if any(re.search(rf"(?<!\w){v}(?!\w)", text) for text in comparing)
    ]
    if len(compared) == 1 or (len(gathered) == 1 and not comparing):
        return (compared or gathered)[0]
    raise NotDecided(f"which sum has the bound {bound} is not seen: {rule.file}:{rule.line}")


def _deriving(ruleset: Ruleset, outputs: Iterable[Atom]) -> list[Rule]:
    """The rules from which these follow, whatever is pending."""
    return ruleset.judging.slice(seeds(None, None), outputs)


def _of_positions(ruleset: Ruleset, question: Rule) -> None:
    """A sum is asked about in positions: where it is only made while somebody acts, nothing would ever be found.

    Raises:
        NotDecided: It is such a sum.
    """
    acting = seeds(None, None, [ANY])
    for atom in question.positive:
        outputs = [top(*atom.signature)]
        there, then = (
            {h.signature for r in rules for h in r.heads}
            for rules in (_deriving(ruleset, outputs), ruleset.judging.slice(acting, outputs))
        )
        if atom.signature == SUBMITTED or atom.signature in then - there - ruleset.book.fluents:
            raise NotDecided(f"it is a sum of moves, by {atom.name}, and bounds are shown of positions")


def _reads_pending(ruleset: Ruleset, sorts: Domains, rules: Iterable[Rule] = ()) -> bool:
    """Whether what is asked by these rules, or what limited totals count, depends on what is pending.

    Most sums do not: in a position without decisions and steps they are what they are, and far easier to decide.
    """
    totals = Encoding(ruleset, sorts).totals
    counting = totals.slice if totals.counting else ()
    return any(s in rule.uses for rule in (*rules, *counting) for s in _PENDING)


def _at_once(ruleset: Ruleset, model: Iterable[clingo.Symbol]) -> None:
    """What is found is no position of a game where several things are pending that never are together.

    Raises:
        NotDecided: It is none.
    """
    facts = (s for s in model if symbols.signature(s) in _PENDING)
    several = uncovered(ruleset, facts)
    if several is not None:
        raise NotDecided(f"it depends on what is pending, and was found only with {several} at once")


def _assumed(ruleset: Ruleset, apart: tuple[Signature, ...]) -> list[str]:
    """The invariants that are assumed: all that do not speak of these predicates."""
    return [i for i in invariants(ruleset).assumed if not _speaks_of(ruleset, i, apart)]


def _speaks_of(ruleset: Ruleset, invariant: str, what: tuple[Signature, ...]) -> bool:
    """Whether the invariant speaks of one of these predicates, such as of what is pending."""
    return any(u in what for r in _deriving(ruleset, [broken(invariant)]) for u in r.uses)
