"""."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import clingo

from ..engine import symbols
from ..game import Game
from ..rules.pattern import Substitution, show, substitute
from ..rules.rulebook import ActionKind
from ..transform.action_splitting import numbered
from .encoding import Chain
from .open_sets import Sets, opened
from .solver import SPARSE

FEWEST = (*SPARSE, "--opt-strategy=bb,hier", "--opt-heuristic=sign", "--configuration=handy")


def fewest(chain: Chain) -> list[str]:
    """Minimise what lies in the first position and what sets hold: every fact, a counted one by its count."""
    counters = chain.ruleset.book.counters
    lines = []
    for name, arity in sorted({symbols.signature(f) for f in chain.domains.fluents} - {("seat", 2)}):
        args = [f"X{k}" for k in range(arity)]
        fluent = f"{name}({','.join(args)})" if args else name
        weight = args[-1] if (name, arity) in counters else "1"
        lines.append(f":~ {fluent}. [{weight},{name}{''.join(',' + a for a in args)}]")
    return [*lines, ":~ chosen(M,C,N). [N,chosen,M,C,N]", "chosen(none,none,0) :- #false."]


def facts_of(game: Game, model: Iterable[clingo.Symbol]) -> tuple[str, ...]:
    """The facts of a model's first position."""
    fluents = game.book.fluents
    return tuple(sorted(symbols.text(s) for s in model if symbols.signature(s) in fluents))


def actions_of(
    game: Game, kinds: Iterable[ActionKind], model: Sequence[clingo.Symbol], number: int
) -> tuple[tuple[str, str], ...]:
    """Who does what in a model's transition of this number, by these kinds of action."""
    by_index = {k.index: k for k in kinds}
    sets = Sets(opened(game.ruleset))
    chosen = [s.arguments for s in model if s.name == f"arg__{number}"]
    found = []
    for role, index in (s.arguments for s in model if s.name == f"does__{number}"):
        binding: Substitution = {
            ("v", f"A_{position.number}"): symbols.value_pattern(value)
            for r, i, position, value in chosen
            if (r, i) == (role, index)
        }
        action = substitute(numbered(by_index[index.number])[0], binding)
        found.append((symbols.text(role), show(sets.read(action, model))))
    return tuple(sorted(found))
