"""A game's rules over any position, as a reference for statements about all positions.

The rules are not sliced, renamed or replaced by totals. Each predicate that depends on the position has one more argument,
the moment. The moments are ``0`` (any position), ``1`` and so on (after the action or the steps that were due), and
``listed`` (position 0 again, with the rulebook's own move generator). clingo enumerates all positions.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path

import clingo
from clingo import ast

from kaiser_logic.game import Game
from kaiser_logic.lang.printer import show_literal
from kaiser_logic.rules.rule import PlacedRule

MOST = 40
"""The largest value of numbers without a limit, after a move."""

_COMMON = Path(__file__).with_suffix(".lp").read_text(encoding="utf-8")


Facts = frozenset[clingo.Symbol]


class Plain:
    """A game's rules over any position."""

    def __init__(self, game: Game, most: int = 5, last: int = 1, extra: Sequence[str] = (), more: str = "") -> None:
        """Grounds the program.

        ``most``: the largest value of numbers without a limit in the position; ``last``: how many moments follow the position:
        the action, and steps; ``extra``: additional rules about a position; ``more``: additional rules of the program itself.
        """
        self.game = game
        self.last = last
        rules = [r for r in game.ruleset.rules if not _is_vocabulary_rule(r)]
        self.dynamic = _dynamic(rules, {n for n, _ in game.book.fluents} - {"seat"})
        self.dynamic |= {text.partition(" ")[0] for text in extra}
        self.control = clingo.Control(["--warn=none", f"-c last={last}"])
        found = {h.name for r in rules for h in r.heads}.union(n for r in rules for n, _ in r.uses)
        texts = [*_texts(rules), *((text, found | {text.partition(" ")[0]}) for text in extra)]
        lines = [_stamped(text, frozenset(self.dynamic & names)) for text, names in texts]
        self.control.add("base", [], "\n".join([*lines, _COMMON, more, *self._facts(most)]))
        self.control.ground([("base", [])])

    # -- the program ---------------------------------------------------------------------------------------------

    def _facts(self, most: int) -> Iterator[str]:
        game = self.game
        yield from (f"{fact}." for fact in game.ruleset.given)
        narrow, wide = fluents(game, most), fluents(game, MOST)
        yield from (f"some({f})." for f in narrow if f.name != "seat")
        yield from (f"some(due({s.arguments[0]}))." for s in game.ruleset.facts("step", 1))
        yield from (f"h({s},0)." for s in game.ruleset.facts("seat", 2))
        yield from (f"m_fluent({f})." for f in wide)
        yield "below_zero(none)."
        yield "m_never :- m_fluent(none), m_broken(none,none,0), m_lose(none,none,none,0), m_gain(none,none,none,0)."
        yield f"number(0..{MOST})."
        for f in wide:
            value = game.book.counters.get((f.name, len(f.arguments)))
            if value is not None:
                counter = clingo.Function(f.name, f.arguments[:-1])
                yield f"counter({counter}). counter_value({counter},{f.arguments[-1]},{f})."
                if value:
                    yield f"stated_counter({counter},{f})."
                if (f.name, len(f.arguments)) in game.book.signed:
                    yield f"below_zero({counter})."
            if (f.name, len(f.arguments)) in game.book.units:
                yield f"unit_fluent({f})."
        for name, arity in sorted(game.book.fluents):
            args = ",".join(f"X{k}" for k in range(arity))
            term = f"{name}({args})" if arity else name
            stamped = f"m_{name}({args + ',' if arity else ''}M)"
            if name == "seat":
                continue
            yield f"{stamped} :- h({term},M), moment(M)."
        for decision, action in actions(game):
            yield f"action_of({decision},{action})."
            yield f"name_of({decision},{decision.name})."
        for f in narrow:
            if f.name == "decision":
                yield f"name_of({f.arguments[1]},{f.arguments[1].name})."
        yield from (f"waived_invariant({i})." for i in game.ruleset.waived)

    # -- questions -----------------------------------------------------------------------------------------------

    def possible(self, *wanted: str, moving: bool = True) -> bool:
        """Whether there is a valid position (``moving``: with a transition) with these atoms."""
        given = [(clingo.Function("go"), moving), *((clingo.parse_term(w), True) for w in wanted)]
        return bool(self.control.solve(assumptions=given).satisfiable)

    def positions(self, due: bool = False) -> set[frozenset[clingo.Symbol]]:
        """All valid positions; ``due``: with those where a step is due."""
        every = {facts_at(model, 0) for model in self.models(False)}
        return {facts for facts in every if due or not any(f.name == "due" for f in facts)}

    def models(self, moving: bool) -> Iterator[list[clingo.Symbol]]:
        """All positions, with or without a transition."""
        configuration = self.control.configuration
        configuration.solve.models = 0
        with self.control.solve(assumptions=[(clingo.Function("go"), moving)], yield_=True) as handle:
            for model in handle:
                yield list(model.symbols(shown=True))

    def successors(self) -> dict[tuple[Facts, Facts], Facts]:
        """For each valid position and each submitted action (``submitted/2``): the facts at the last moment."""
        found = {}
        for model in self.models(True):
            before, after = facts_at(model, 0), facts_at(model, self.last)
            done = frozenset(clingo.Function("submitted", s.arguments[:2]) for s in model if s.match("m_submitted", 3))
            found[before, done] = after
        return found


class _Stamp(ast.Transformer):
    """Adds the moment as the last argument to each predicate that depends on the position."""

    def __init__(self, dynamic: frozenset[str]) -> None:
        self.dynamic = dynamic
        self.used = False

    def visit_SymbolicAtom(self, node: ast.AST) -> ast.AST:  # noqa: N802
        return node.update(symbol=self._term(node.symbol))

    def _term(self, term: ast.AST) -> ast.AST:
        if term.ast_type == ast.ASTType.Pool:
            return term.update(arguments=[self._term(t) for t in term.arguments])
        if term.ast_type == ast.ASTType.SymbolicTerm:
            term = ast.Function(term.location, term.symbol.name, [], False)
        if term.name not in self.dynamic:
            return term
        self.used = True
        moment = ast.Variable(term.location, "Moment")
        return term.update(name=f"m_{term.name}", arguments=[*term.arguments, moment])


def _with_moment(node: ast.AST) -> ast.AST:
    place = node.location
    atom = ast.SymbolicAtom(ast.Function(place, "moment", [ast.Variable(place, "Moment")], False))
    return node.update(body=[*node.body, ast.Literal(place, ast.Sign.NoSign, atom)])


def facts_at(model: Iterable[clingo.Symbol], moment: int) -> frozenset[clingo.Symbol]:
    number = clingo.Number(moment)
    pairs = (s.arguments for s in model if s.name == "h")
    return frozenset(fact for fact, at in pairs if at == number)


def body_of(rule: PlacedRule) -> str:
    return "; ".join(map(show_literal, rule.value.body))


def _texts(rules: Iterable[PlacedRule]) -> Iterator[tuple[str, set[str]]]:
    """The rules as text, with their predicates; rules of the move generator get the moment ``listed``."""
    for rule in rules:
        heads = {h.signature for h in rule.heads}
        listing = ("candidate", 2) in heads and not rule.file.startswith("engine")
        joint = ", " if rule.value.body else " :- "
        text = rule.text.removesuffix(".") + (f"{joint}Moment = listed." if listing else ".")
        yield text, {name for name, _ in heads | rule.uses}


@lru_cache(maxsize=5_000)
def _stamped(text: str, dynamic: frozenset[str]) -> str:
    """A rule with the moment added to each of these predicates."""
    found: list[str] = []

    def change(node: ast.AST) -> None:
        if node.ast_type == ast.ASTType.Rule:
            stamp = _Stamp(dynamic)
            changed = stamp.visit(node)
            found.append(str(_with_moment(changed) if stamp.used or "Moment" in text else changed))

    ast.parse_string(text, change)
    return "\n".join(found)


def _is_vocabulary_rule(rule: PlacedRule) -> bool:
    return "broken(vocabulary" in rule.text or any(h.name in ("fluent", "board_fact") for h in rule.heads)


def _dynamic(rules: Iterable[PlacedRule], fluents: set[str]) -> set[str]:
    """The names of the predicates that depend on the position or on the transition."""
    moves = "submitted holds candidate broken add del gain lose shift does made violates legal change touched"
    found = fluents | set(moves.split())
    while new := {h.name for r in rules if any(n in found for n, _ in r.uses) for h in r.heads} - found:
        found |= new
    return found


def fluents(game: Game, most: int) -> list[clingo.Symbol]:
    """All facts of the vocabulary, with numbers up to ``most``."""
    control = clingo.Control(["--warn=none"])
    rules = [r.text for r in game.ruleset.rules if any(h.name == "fluent" for h in r.heads)]
    static = [f"{f}." for s, group in game.ruleset.static.items() if s != ("number", 1) for f in group]
    control.add("base", [], "\n".join([*rules, *static, f"number(0..{most})."]))
    control.ground([("base", [])])
    return [a.symbol.arguments[0] for a in control.symbolic_atoms.by_signature("fluent", 1)]


def all_sets(game: Game) -> list[clingo.Symbol]:
    things = sorted(
        (f.arguments[1].number, f.arguments[0], f.arguments[2].number) for f in game.ruleset.facts("thing", 3)
    )
    found = []
    for numbers in product(*(range(most + 1) for _, _, most in things)):
        term = clingo.Function("none")
        for (_, thing, _), number in reversed(list(zip(things, numbers, strict=True))):
            if number:
                term = clingo.Function("with", [clingo.Number(number), thing, term])
        found.append(term)
    return found


def actions(game: Game) -> list[tuple[clingo.Symbol, clingo.Symbol]]:
    """All actions of the vocabulary, each with its decision."""
    control = clingo.Control(["--warn=none"])
    rules = [r.text for r in game.ruleset.rules if any(h.name == "action" and len(h.args) == 2 for h in r.heads)]
    static = [f"{f}." for s, group in game.ruleset.static.items() if s[0] != "action" for f in group]
    sets = [f"set({s})." for s in all_sets(game)] if game.ruleset.facts("thing", 3) else []
    control.add("base", [], "\n".join([*rules, *static, *sets, f"number(0..{MOST})."]))
    control.ground([("base", [])])
    return [(a.symbol.arguments[0], a.symbol.arguments[1]) for a in control.symbolic_atoms.by_signature("action", 2)]
