"""The truth of the claims of ``prove`` by brute force, and a check that rules are stratified."""

import re
from collections.abc import Iterator

from kaiser_logic.game import Game
from kaiser_logic.lang.unification import CONSTANTS, label
from support.plain import Plain, body_of

_SUM = re.compile(r"(^|; )[A-Z]\w* = #sum \{")
_LIMIT = re.compile(r"\b([A-Z]\w*) <= ([A-Z]\w*)")


class Judge:
    """The truth of a game's claims.

    A claim is ``broken`` if a valid position leads to one that breaks it (or the start breaks it), ``kept`` if none does, and
    ``doubtful`` if only facts outside of the vocabulary break it.
    """

    def __init__(self, game: Game, most: int = 5, exclusive: bool = False) -> None:
        """``most``: the largest value of numbers without a limit; ``exclusive``: whether to judge this invariant too."""
        self.game = game
        self.exclusive = exclusive
        self.sums = [r for r in game.ruleset.rules if _SUM.search(body_of(r)) and "bound(" in body_of(r)]
        extra = [
            f"exceeds_{k} :- {_LIMIT.sub(lambda m: f'{m[1]} > {m[2]}', body_of(r))}." for k, r in enumerate(self.sums)
        ]
        more = "\n".join(_exclusive(game)) if exclusive else ""
        self.plain = Plain(game, most, extra=extra, more=more)
        self.start = {i for i, _ in game.evaluator.broken_invariants(game.evaluator.initial(), waive=False)}

    def knows(self, claim: str) -> bool:
        """Whether it can judge this claim."""
        heads = [h for r in self.game.ruleset.rules for h in r.heads if h.name == "broken"]
        own = {label(h.args[0]) for h in heads if isinstance(h.args[0], CONSTANTS)} | {"vocabulary", "count", "limit"}
        own |= {"exclusive"} if self.exclusive else set()
        return claim in own or claim == "enumeration" or claim.startswith(("legal action at ", "bound of "))

    def verdict(self, claim: str) -> str:
        """``broken``, ``kept`` or ``doubtful``."""
        plain = self.plain
        if claim == "enumeration":
            return "broken" if plain.possible("unlisted") else "kept"
        if claim.startswith("legal action at "):
            return "broken" if plain.possible(f"stuck({claim.rpartition(' ')[2]})", moving=False) else "kept"
        if claim.startswith("bound of "):
            name = claim.rpartition(" ")[2]
            found = [k for k, r in enumerate(self.sums) if r.heads[0].name == name]
            over = any(plain.possible(f"m_exceeds_{k}(0)", moving=False) for k in found)
            return "broken" if over else "kept"
        if claim in self.start or plain.possible(f"strictly({claim})"):
            return "broken"
        return "doubtful" if plain.possible(f"loosely({claim})") else "kept"


def _exclusive(game: Game) -> Iterator[str]:
    """The rules of the invariant that everything pending belongs to one transition."""
    for step in game.ruleset.facts("step", 1):
        yield f"step_name({step.arguments[0]},{step.arguments[0].name})."
    yield from (f"decided_alone({name})." for name in sorted(alone(game)))
    yield "group(d,N,M)  :- h(decision(_,D),M), name_of(D,N)."
    yield "group(s,N,M)  :- h(due(S),M), step_name(S,N)."
    yield "wrong(exclusive,both,M)  :- group(T,N,M), group(T,O,M), N < O."
    yield "wrong(exclusive,both,M)  :- group(d,_,M), group(s,_,M)."
    yield "wrong(exclusive,twice,M) :- group(d,N,M), decided_alone(N), 2 { h(decision(R,D),M) : name_of(D,N) }."


def alone(game: Game) -> set[str]:
    """The decisions that only one role may have at a time: those that are not declared simultaneous."""
    together = {str(s.arguments[0]) for s in game.ruleset.facts("simultaneous", 1)}
    return {label(kind.decision) for kind in game.book.kinds} - together


def stratified(game: Game) -> bool:
    rules = game.ruleset.rules
    edges: dict[tuple[str, int], set[tuple[str, int]]] = {}
    negative: list[tuple[tuple[str, int], tuple[str, int]]] = []
    for rule in rules:
        for head in rule.heads:
            edges.setdefault(head.signature, set()).update(rule.uses)
            negative += [(head.signature, a.signature) for a in (*rule.negative, *rule.inner)]

    def reaches(start: tuple[str, int], goal: tuple[str, int]) -> bool:
        seen, pending = {start}, [start]
        while pending:
            one = pending.pop()
            if one == goal:
                return True
            new = edges.get(one, set()) - seen
            seen |= new
            pending.extend(new)
        return False

    return not any(reaches(body, head) for head, body in set(negative))
