"""The program of a query over an open position, and the values of numbers without a limit that it needs.

The position is open, as for a proof (:mod:`..solving.encoder`). All invariants are assumed. Either decisions that the query can
refer to are pending, or none is. The rulebook's own rules derive what the query reads: predicates that follow from the position;
``legal``, by the move generator; ``violates``, for all roles and actions that the query can refer to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.sets import most_named, parts
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..lang import terms as lang
from ..lang.algebra import atoms as atoms_in
from ..lang.algebra import integers, is_ground
from ..lang.normal import normal
from ..lang.terms import Compare, Int, Name, Range, Signature, Term, Truth, Var
from ..lang.unification import arguments, canonical, match
from ..rules.predicates import DECISION, LEGAL, NUMBER, SUBMITTED, VIOLATES
from ..rules.reader import term_of
from ..solving.build import ChoiceRule, anything, atom, never, no, rule, term, variables_x
from ..solving.encoder import EXACT, Encoder
from ..solving.models import facts_in, fewest, put_sets, sets_in
from ..solving.numbers import Thresholds, unfit
from ..solving.positions import EVERYTHING, Positions, refuse_together
from ..solving.program import Assumed, Shared, SolverProgram
from ..solving.theory import SEAT, Theory
from ..solving.totals import Totals
from ..solving.vocabulary import Vocabulary
from .actions import Submission, fresh, one_at_a_time, submissions, unifiable
from .evaluation import Evaluation, Solution
from .formula import ACTED, AFTER
from .language import Query, atoms_stated
from .program import Branch
from .set_queries import SetQueries

_FEW: Final = 40
"""Numbers up to this one are used if not all needed ones can be."""
_MOST: Final = 400
"""The largest number of values of numbers without a limit."""
_JUDGED: Final = "__j"
"""The suffix of the predicates that judge the actions of ``violates``, for which no decision need be pending."""
CALLED: Final = {VIOLATES: VIOLATES[0] + _JUDGED, AFTER: f"{AFTER[0]}__"}
"""The names of the query's predicates that are not the rulebook's."""
FREE: Final = atom("no_goal__")
"""The atom that makes the query unnecessary, for the comparison of the program with the plain engine."""
QUERY: Final = atom("query__")
_DECIDING: Final = atom("deciding__")
"""The atom that holds if somebody decides."""
SPARSE: Final = ("--sign-def=neg",)
"""Options of the solver for finding positions: atoms are false by default, so positions have few facts."""
FEWEST: Final = (*SPARSE, "--opt-strategy=usc,oll,stratify", "--configuration=handy")
"""Options of the solver for a smallest position: optimisation by unsatisfiable cores.

The strata give good positions on the way, so that a search that runs out of its budget has one.
"""
_ANY: Final = 10**9
"""A budget of conflicts that means no limit."""
_SHORT: Final = 2_000
"""The budget for a position in which somebody decides, in conflicts."""


def theory_of(ruleset: Ruleset, judging: bool = False) -> Theory:
    """The theory of rules, read once."""
    return ruleset.remember(("theory", judging), lambda: Theory(ruleset, judging=judging))


class OpenQuery:
    """The program of a query over an open position.

    Attributes:
        encoder: Encodes the position.
        decisions: The patterns of the decisions that may be pending.
        own: The rules of the query.
        judging: Encodes the judgement of the actions in ``violates``; None if the query has no such atom.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        query: Query,
        sets: SetQueries,
        values: Iterable[int] = (),
        options: Sequence[str] = SPARSE,
        margin: int = 1,
    ) -> None:
        """Begins the program; nothing is grounded yet.

        Args:
            ruleset: The rules in force.
            query: The query.
            sets: The sets of cards that the query mentions.
            values: Values of numbers without a limit, besides those that the vocabulary has.
            options: The options of the solver.
            margin: By so much these numbers may be larger after an action.
        """
        self.ruleset, self.query, self.sets = ruleset, query, sets
        theory = theory_of(ruleset)
        key = "vocabulary of queries", tuple(values), margin
        vocabulary = ruleset.remember(key, lambda: Vocabulary(theory, None, margin, key[1]).with_room())
        totals = ruleset.remember(("totals", key), lambda: Totals(theory, vocabulary))
        program: SolverProgram = Shared(theory.static, options)
        self.encoder = Encoder(theory, vocabulary, totals, (), program)
        self.decisions = opened_decisions(ruleset, query, vocabulary)
        self.judging: Encoder | None = None
        self.own: list[lang.Rule] = []
        self._unless: list[clingo.Symbol] = []
        self._names: list[clingo.Symbol] = []

    @property
    def program(self) -> SolverProgram:
        """The program into which the encoders write."""
        return self.encoder.program

    # -- the program ---------------------------------------------------------------------------------------------

    def open(self, decisions: Sequence[Term] | None = None) -> None:
        """Writes the open position, and the rules on which the query depends.

        ``decisions``: patterns, one of which is pending; by default those that the query can mean, or none pending.
        """
        encoder, theory = self.encoder, self.encoder.theory
        encoder.open(self.decisions if decisions is None else decisions, idle=decisions is None)
        encoder.count()
        encoder.assume(theory.invariants)
        if self.sets.asks:
            self._name_sets()
        known = {*theory.fluents, *ACTED, *self.ruleset.static}
        others = [a.signature for a in self.query.atoms if a.signature not in known]
        rules = encoder.firing(theory.cone(others, theory.at_rest))
        encoder.origins += rules
        encoder.add(*encoder.at_rest(rules))
        if legal := self.query.asks(LEGAL):
            positions = Positions(theory, encoder.vocabulary, encoder.totals)
            listing = positions.legal([term_of(fresh_atom(a).args[1]) for a in legal])
            encoder.origins += listing
            encoder.add(*listing)
        if self.query.asks(VIOLATES):
            self._judge()

    def _name_sets(self) -> None:
        """Writes the names of sets that any role may use: unknown sets, whose parts the solver chooses, and the known ones."""
        theory, program = self.encoder.theory, self.program
        seated = (s.arguments[0] for s in theory.facts(*SEAT))
        players = sorted({*seated, *self.encoder.vocabulary.deciding})  # chance, too, may choose a set
        program.tell(clingo.Function("decides__", [p]) for p in players)
        several = [[], *([clingo.Number(k)] for k in range(2, most_named(self.ruleset.book) + 1))]
        free = [clingo.Function("set_of__", [p, *more]) for p in players for more in several]
        program.tell(clingo.Function("free__", [name]) for name in free)
        program.tell(clingo.Function("stand_in", [name, name.arguments[0]]) for name in free)
        known = sorted(self.sets.known)
        program.tell(clingo.Function("stand_in", [name, p]) for name in known for p in players)
        program.tell(clingo.Function("chosen", [name, c, n]) for name in known for c, n in parts(name))
        program.add(*EVERYTHING, _FREE_SETS)
        every = [clingo.Function("everything__", [p]) for p in players]
        self._names = [*free, *{clingo.Function("none"), *known}, *every]

    def _judge(self) -> None:
        """Writes the rules for the violations of all roles and actions that the query can mean.

        Their predicates have a suffix, so that the actions submitted here are not mixed with the candidates of ``legal``.
        """
        first, theory = self.encoder, theory_of(self.ruleset, judging=True)
        self.judging = encoder = first.encoder_beside(theory, first.vocabulary, first.totals, _JUDGED)
        encoder.own(SUBMITTED)
        encoder.own(NUMBER)
        every = (p for a in self.query.asks(VIOLATES) for p in submissions(self.ruleset, a, self._names))
        pairs = list(dict.fromkeys(every))
        if len(pairs) > 1:  # each is judged alone, but here they are submitted together
            refuse_together(self.ruleset)
        encoder.tell(clingo.Function(SUBMITTED[0], p) for p in pairs)
        encoder.tell(symbols.number_facts(symbols.numbers(action for _, action in pairs)))
        rules = theory.cone([VIOLATES])
        first.origins += rules
        encoder.add(*rules)

    def demand(self, *unless: lang.Atom) -> None:
        """Writes the rules of the query, and demands that it holds unless one of these atoms does."""
        self._unless = [clingo.Function(a.name) for a in unless]
        encoder = self.encoder
        rules = self.query.values(lang.Atom(QUERY.name, ()), self._names_of())
        self.own = [one for r in rules for one in normal(r)]
        encoder.add(*self.own, *self._matter(), never(no(QUERY), no(FREE), *map(no, unless)))
        encoder.add(rule(_DECIDING, anything((encoder.rest_called(DECISION), DECISION[1]))))
        self.program.add(ChoiceRule(((FREE, ()),)))

    def _names_of(self) -> dict[Signature, str]:
        """The names of the query's predicates in the program."""
        called = {a.signature: self.encoder.rest_called(a.signature) for a in self.query.atoms}
        called |= {s: name for s, name in CALLED.items() if s in called}
        return called | ({LEGAL: LEGAL[0]} if LEGAL in called else {})

    def _matter(self) -> Iterator[lang.Rule]:
        """The rules for ``matters__(Fact)``: the facts by which answers are distinguished."""
        for one in telling(self.ruleset, self.query):
            pattern = fresh_atom(one)
            fact = lang.Atom(self.encoder.rest_called(pattern.signature), pattern.args)
            yield rule(atom("matters__", term(pattern)), QUERY, fact)

    def tell_apart(self, predicates: Iterable[Signature]) -> None:
        """Distinguishes answers by the facts of these predicates too."""
        for name, arity in sorted(set(predicates) - {SEAT}):
            pattern = atom(name, *variables_x(arity))
            self.encoder.add(rule(atom("matters__", term(pattern)), pattern))

    def ground(self) -> None:
        """Grounds the program.

        Raises:
            NotDecided: A calculation may leave clingo's 32 bits.
        """
        self.program.ground()

    # -- answers -------------------------------------------------------------------------------------------------

    def model(self, exact: bool, *more: lang.Atom) -> list[clingo.Symbol] | None:
        """A model in which the query holds, or else the atoms ``more``; None if there is none; ``exact``: with exact totals."""
        return self.program.decide(self._assumptions(exact, *more), _ANY)[1] or None

    def answers(self, count: int, smallest: bool, exact: bool = True) -> Iterator[tuple[list[clingo.Symbol], bool]]:
        """Models in which the query holds, no two of which agree in the facts that matter, at most so many.

        Those in which somebody decides come first, as far as a short search finds them: they look like a game.
        Each comes with whether it is proved to be a smallest one, if ``smallest`` ones are wanted.
        """
        if smallest:
            self.program.minimise(fewest(self.encoder))
        for k in range(count):
            best = self.program.best(self._assumptions(True), EFFORT) if smallest else (self._natural(exact), True)
            if best[0] is None:
                return
            yield best[0], best[1]
            if k + 1 < count:
                self.program.extend(*other(best[0], k))

    def _natural(self, exact: bool) -> list[clingo.Symbol] | None:
        """A model in which the query holds; one in which somebody decides if a short search finds one."""
        deciding = clingo.Function(self.program.ground_name(_DECIDING.signature)), True
        assumed = self._assumptions(exact)
        return self.program.decide([*assumed, deciding], _SHORT)[1] or self.model(exact)

    def _assumptions(self, exact: bool, *more: lang.Atom) -> Assumed:
        """The assumptions: the query is demanded, unless ``more`` are given, which then hold."""
        holding = [clingo.Function(a.name) for a in more]
        others = [(s, s in holding) for s in dict.fromkeys([*self._unless, *holding])]
        return [(clingo.Function(FREE.name), False), (EXACT, exact), *others]

    def facts(self, model: Iterable[clingo.Symbol]) -> tuple[str, ...]:
        """The facts of a model's position, sorted."""
        return tuple(sorted(map(symbols.text, facts_in(self.encoder.theory, model))))


_FREE_SETS: Final = ChoiceRule(
    (
        (
            atom("chosen", Var("M"), Var("C"), Var("K")),
            (Compare(Var("K"), "=", Range(Int(1), Var("N"))),),
        ),
    ),
    (atom("free__", Var("M")), atom("thing", Var("C"), Var("I"), Var("N"))),
    None,
    1,
)


def check_calculations(evaluator: Evaluator, query: Query) -> None:
    """Refuses a query whose calculations the solver cannot do with all numbers that a position may have.

    Raises:
        NotDecided: It is one.
    """
    if not {a.signature for a in query.atoms} & ACTED:  # `find` decides the others, and looks itself
        asked = OpenQuery(evaluator.ruleset, query, SetQueries(evaluator, query))
        asked.open()
        asked.demand()
        asked.ground()


def open_query(
    ruleset: Ruleset,
    query: Query,
    sets: SetQueries,
    values: Iterable[int],
    options: Sequence[str] = SPARSE,
    distinguishing: Iterable[Signature] = (),
    more: Sequence[lang.Rule] = (),
) -> OpenQuery:
    """The grounded program of a query.

    Args:
        ruleset: The rules in force.
        query: The query.
        sets: The sets of cards that the query mentions.
        values: Values of numbers without a limit.
        options: The options of the solver.
        distinguishing: Further predicates by which answers are distinguished.
        more: Further rules and constraints.
    """
    question = OpenQuery(ruleset, query, sets, values, options)
    question.open()
    question.demand()
    question.tell_apart(distinguishing)
    question.encoder.add(*more)
    question.ground()
    return question


# -- numbers without a limit -------------------------------------------------------------------------------------------


class Need:
    """The values of numbers without a limit that a query needs.

    Attributes:
        values: The values.
        reason: Why other values may be needed too, in words; None if these are enough.
    """

    def __init__(self, values: Iterable[int], reason: str | None = None) -> None:
        self.values, self.reason = tuple(values), reason


def numbers_needed(ruleset: Ruleset, query: Query, sets: SetQueries) -> Need:
    """The values of numbers without a limit that a query needs: see :mod:`..solving.numbers`."""
    question = OpenQuery(ruleset, query, sets)
    if not question.encoder.vocabulary.endless and not question.encoder.vocabulary.cut:
        return Need(())
    question.open()
    question.demand()
    return need_of(question, [*question.encoder.origins, *question.own], query)


def need_of(question: OpenQuery, rules: Iterable[lang.Rule], query: Query, change: int = 0) -> Need:
    """The values of numbers without a limit that rules need.

    Args:
        question: The program of the query, with few values.
        rules: All rules that read such numbers.
        query: The query. Its own numbers are used if the needed values are not known.
        change: The largest change of such a number.
    """
    vocabulary = question.encoder.vocabulary
    reason = unfit(question.encoder)
    read = Thresholds(question.encoder.theory, vocabulary, rules)
    if reason is None and read.others:
        place = read.others[0].place
        reason = f"it depends on numbers beyond any bound ({place.file}:{place.line})" if place.line else _SUMS
    values: Iterable[int] = ()
    if reason is None and read.largest_difference is not None:
        far = read.far(len(vocabulary.endless), change)
        values = range(far + 1)
        reason = None if far <= _MOST else "the numbers that are compared are too many"
    elif reason is None:
        reach = range(-change - 1, change + 2)
        values = {n for mark in read.marks for e in reach if (n := abs(mark + e)) >= 0}
        few = len(set(values)) <= _MOST and not read.unmarked
        reason = None if few else "the numbers that are compared are too many"
    if reason is not None:  # those at least that the query names, and some near them
        return Need(numbers_near(query, read.marks), reason)
    return Need(sorted(set(values)))


_SUMS: Final = "the query calculates with numbers beyond any bound"


def numbers_near(query: Query, values: Iterable[int], few: int = _FEW) -> tuple[int, ...]:
    """These values, those from 0 to ``few``, those in the query, and their neighbours; at most `_MOST`."""
    figures = set(map(abs, integers(*query.values(lang.Atom("query__", ())))))
    some = {v + e for v in {*figures, *(a + b for a in figures for b in figures)} for e in range(-3, 4)}
    return tuple(sorted({*map(abs, values), *range(few + 1), *(v for v in some if v >= 0)})[:_MOST])


def room(needed: Need, count: int) -> tuple[int, ...]:
    """The needed values, and up to ``count`` - 1 larger ones, so that several positions can differ."""
    top = max((*needed.values, 0))
    return (*needed.values, *range(top + 1, top + min(count, _FEW)))


def unseen(question: OpenQuery, needed: Need, some: bool) -> str:
    """The reason why there may be more positions than were found; empty if there are none."""
    vocabulary = question.encoder.vocabulary
    if needed.reason is not None:
        return f"numbers without a limit were examined only up to {vocabulary.bound}, because {needed.reason}"
    endless = {(c.name, len(c.arguments) + 1) for c in vocabulary.endless}
    if some and any(a.signature in endless for a in telling(question.ruleset, question.query)):
        return f"numbers without a limit were examined only up to {vocabulary.bound}"
    meant = [a.args[1] for a in question.query.asks(VIOLATES)]
    if any(names_an_endless_one(question, term_of(fresh(action))) for action in meant if not is_ground(action)):
        return "not all actions that name a number without a limit were examined"
    return ""


def names_an_endless_one(question: OpenQuery, action: Term) -> bool:
    """Whether an action that the term can mean has a number without a limit as an argument."""
    theory = question.encoder.theory
    return any(
        a.signature in theory.numbered
        for _, _, schemas in theory.kinds
        for schema in schemas
        if unifiable(action, schema.action)
        for a, _ in atoms_in(schema.guard)
    )


# -- what the query is about -------------------------------------------------------------------------------------------


def telling(ruleset: Ruleset, query: Query) -> list[lang.Atom]:
    """The facts of the query by which answers are distinguished.

    If all of them are ground, so the same in all answers, these are the pending decisions, and all facts of the query's
    predicates.
    """
    fluents = ruleset.book.fluents
    static = ruleset.static.keys() - {("seat", 2)}
    spoken = [a for a in query.stated if a.signature not in ACTED and a.signature not in static]
    if not is_ground(*(a.args for a in spoken)):
        return spoken
    about = {a.signature for a in query.atoms if a.signature not in ACTED} - static
    about = about | {DECISION} & fluents if about or query.asks(LEGAL) else set(fluents)
    return [atom(name, *variables_x(arity)) for name, arity in sorted(about - {("seat", 2)})]


def opened_decisions(ruleset: Ruleset, query: Query, vocabulary: Vocabulary) -> list[Term]:
    """The patterns of decisions that may be pending: those that the query can mean, or all.

    All, if decisions of different kinds may be pending at once.
    """
    without = _without_action(ruleset, vocabulary)
    if one_at_a_time(ruleset):
        patterns = [d for branch in query.branches for d in _named_by(branch, ruleset, without)]
    else:
        patterns = [*(kind.decision for kind in ruleset.book.kinds), *without]
    return [term_of(d) for d in {canonical((d,)): d for d in patterns}.values()]


def _named_by(branch: Branch, ruleset: Ruleset, without: Sequence[lang.Term]) -> list[lang.Term]:
    """The patterns of decisions, one of which is pending if this alternative holds."""
    literals = atoms_stated(branch)
    asked = [a.args[1] for a in literals if a.signature == DECISION]
    acting = [a.args[1] for a in literals if a.signature in (LEGAL, AFTER)]
    acts = [
        kind.decision
        for kind in ruleset.book.kinds
        if asked or not acting or any(unifiable(a, kind.action) for a in acting)
    ]
    known = [*acts, *(without if asked or not acting else ())]
    return [d for d in known if all(unifiable(a, d) for a in asked[:1])]


def _without_action(ruleset: Ruleset, vocabulary: Vocabulary) -> list[lang.Term]:
    """Patterns of the decisions that the vocabulary has, and for which it declares no action."""
    kinds = [kind.decision for kind in ruleset.book.kinds]
    facts = (f for f in vocabulary.narrow if symbols.signature(f) == DECISION)
    pending = dict.fromkeys(symbols.term_of(f.arguments[1]) for f in facts)
    left = [d for d in pending if not any(match(k, d) is not None for k in kinds)]
    return [lang.Fun(d.name, variables_x(len(d.args))) if isinstance(d, lang.Fun) else d for d in left]


def fresh_atom(one: lang.Atom) -> lang.Atom:
    """The atom with each ``_`` a variable of its own."""
    return lang.Atom(one.name, arguments(fresh(lang.Fun("", one.args))))


MATTERS: Final[Signature] = ("matters__", 1)
"""The facts by which answers are distinguished."""
_DIFFERENCES: Final = 5
"""The largest number of facts that are named as a difference between answers."""
SMALLEST: Final = "the smallest there is (proved)"
NOT_SMALLEST: Final = "not proved to be the smallest"
EFFORT: Final = 50_000
"""The budget for making a position small, in conflicts."""


@dataclass(frozen=True)
class FoundFacts:
    """Positions in which a query holds.

    Attributes:
        positions: The facts of valid positions, no two of which agree in the facts by which answers are distinguished.
        exhausted: Whether it is proved that there are no others.
        note: A remark, such as whether a smallest position was proved to be smallest.
        reason: Why it is not known whether there are more positions; empty if it is known, or if enough were found.
        because: For each position what makes the query true there, in a line.
        differs: For each position the difference from the first one, in these facts; empty for the first.
    """

    positions: tuple[tuple[str, ...], ...]
    exhausted: bool
    note: str = ""
    reason: str = ""
    because: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()


def mattering(model: Iterable[clingo.Symbol]) -> frozenset[str]:
    """The part of a model that distinguishes answers."""
    return frozenset(symbols.text(s.arguments[0]) for s in model if symbols.signature(s) == MATTERS)


def difference(first: frozenset[str], here: frozenset[str]) -> str:
    """The differences of an answer from the first one; empty if there are none.

    >>> difference(frozenset({"heap(1)", "took(red)"}), frozenset({"heap(2)", "took(red)"}))
    'heap(2) instead of heap(1)'
    """
    more, less = (_some(sorted(facts)) for facts in (here - first, first - here))
    if more and less:
        return f"{more} instead of {less}"
    return (more and f"besides {more}") or (less and f"without {less}")


def _some(facts: Sequence[str]) -> str:
    rest = f" and {len(facts) - _DIFFERENCES} more" if len(facts) > _DIFFERENCES else ""
    return ", ".join(facts[:_DIFFERENCES]) + rest


def other(model: Iterable[clingo.Symbol], k: int) -> list[lang.Rule]:
    """Rules that exclude answers equal to this one, unless the query is switched off.

    >>> from ..lang.printer import show
    >>> for one in other([clingo.Function("matters__", [clingo.Function("heap", [clingo.Number(2)])])], 0):
    ...     print(show(one))
    seen__0(heap(2)).
    seen__0(none) :- #false.
    more__0 :- matters__(X); not seen__0(X).
    #false :- matters__(heap(2)); not more__0; not no_goal__.
    """
    answers = sorted((s for s in model if symbols.signature(s) == MATTERS), key=symbols.text)
    facts = [symbols.term_of(s.arguments[0]) for s in answers]
    seen, more, anything = f"seen__{k}", atom(f"more__{k}"), Var("X")
    return [
        *(rule(atom(seen, fact)) for fact in facts),
        rule(atom(seen, Name("none")), Truth(False)),
        rule(more, atom(MATTERS[0], anything), no(atom(seen, anything))),
        never(*(atom(MATTERS[0], fact) for fact in facts), no(more), no(FREE)),
    ]


def describe(solution: Solution) -> str:
    """One line on why a query is true: the values of its variables, the facts, and its sums.

    >>> describe(Solution({"N": clingo.Number(2)}, (("heap", (clingo.Number(2),)),)))
    'N = 2: heap(2)'
    """
    values = [f"{n} = {symbols.text(v)}" for n, v in sorted(solution.values.items()) if n[0] != "_"]
    facts = [str(clingo.Function(name, list(args))) for name, args in solution.facts]
    sums = [f"{' '.join(text.split())} is {symbols.text(v)}" for text, v in solution.sums if text]
    parts = "; ".join(filter(None, [", ".join(dict.fromkeys(facts)), ", ".join(dict.fromkeys(sums))]))
    return ": ".join(filter(None, [", ".join(values), parts]))


def actions_chosen(question: OpenQuery, model: Sequence[clingo.Symbol]) -> list[Submission]:
    """The actions that a model chooses for the query, with their sets written out."""
    names = {(question.program.ground_name(s), s[1]) for s in ((CALLED[VIOLATES], VIOLATES[1]), LEGAL)}
    sets = sets_in(question.encoder.theory, model)
    acts = [s.arguments[:2] for s in model if symbols.signature(s) in names]
    return [(role, put_sets(action, sets)) for role, action in acts]


def confirm(evaluator: Evaluator, query: Query, facts: Iterable[str], submitted: Iterable[Submission] = ()) -> str:
    """Why the query is true in a position that was found, by evaluation.

    Args:
        evaluator: The plain engine.
        query: The query.
        facts: The facts of the position.
        submitted: Actions that are judged besides those that can be enumerated.

    Raises:
        NotDecided: It is not true there, or the position is not valid: the two readings differ, and neither answer can
            be given.
    """
    position = frozenset(map(symbols.read_symbol, facts))
    broken = evaluator.broken_invariants(position)
    if broken:
        raise NotDecided(f"a position was found that breaks {broken[0][0]} ({broken[0][1]}): a fault of the tool")
    if any(a.signature in (LEGAL, AFTER) for a in query.atoms if a not in query.stated):
        try:
            evaluator.legal(position)
        except NotDecided:
            return ""  # so many sets that it cannot be said that none of them is legal
    solution = Evaluation(evaluator, query).solution(position, submitted)
    if solution is None:
        raise NotDecided("a position was found that is not as asked when it is looked at: a fault of the tool")
    return describe(solution)
