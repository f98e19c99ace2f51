"""Love Letter in plain Python, written from the printed rules: it counts sequences of decisions, one round at a time.

Chance decides like any role: it draws a kind of card that is in the deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

COPIES = {1: 5, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1, 7: 1, 8: 1}
"""The number of cards of each value: 1 guard, 2 priest, 3 baron, 4 handmaid, 5 prince, 6 king, 7 countess, 8 princess."""
NEEDED = {2: 7, 3: 5, 4: 4}
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)


@dataclass(frozen=True)
class State:
    """A state; ``waiting`` is what comes next: ``aside``, ``show``, ``deal``, ``draw``, ``redraw``, ``play`` or ``over``."""

    players: int
    deck: tuple[int, ...]
    waiting: str = "aside"
    who: int = 0
    shown: int = 0
    aside: int = 0
    starter: int = 0
    turn: int = 0
    hands: tuple[tuple[int, ...], ...] = ()
    laid: tuple[tuple[int, ...], ...] = ()
    out: frozenset[int] = field(default_factory=frozenset)
    safe: frozenset[int] = field(default_factory=frozenset)
    tokens: tuple[int, ...] = ()


def start(players: int) -> State:
    """The first state."""
    return _shuffled(State(players, (), tokens=(0,) * players))


def _shuffled(state: State) -> State:
    deck = tuple(sorted(Counter(COPIES).elements()))
    empty: tuple[tuple[int, ...], ...] = ((),) * state.players
    return replace(
        state,
        deck=deck,
        waiting="aside",
        shown=0,
        aside=0,
        hands=empty,
        laid=empty,
        out=frozenset(),
        safe=frozenset(),
    )


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _put(piles: tuple[tuple[int, ...], ...], who: int, *cards: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted((*pile, *cards))) if i == who else pile for i, pile in enumerate(piles))


def _set(piles: tuple[tuple[int, ...], ...], who: int, pile: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(pile if i == who else other for i, other in enumerate(piles))


def successors(state: State) -> Iterator[State]:
    """The states after each legal decision."""
    if state.waiting == "over":
        return
    if state.waiting == "play":
        yield from _plays(state)
        return
    for card in sorted(set(state.deck)):
        yield _drawn(replace(state, deck=_without(state.deck, card)), card)


def _drawn(state: State, card: int) -> State:
    """After chance has drawn a card."""
    n, who = state.players, state.who
    if state.waiting == "aside":
        following = "show" if n == 2 else "deal"
        return replace(state, aside=card, waiting=following, who=state.starter)
    if state.waiting == "show":
        shown = state.shown + 1
        return replace(state, shown=shown, waiting="show" if shown < 3 else "deal", who=state.starter)
    if state.waiting == "deal":
        state = replace(state, hands=_put(state.hands, who, card))
        left = (who + 1) % n
        return replace(state, who=left) if left != state.starter else _begun(state, left)
    state = replace(state, hands=_put(state.hands, who, card))
    return replace(state, waiting="play") if state.waiting == "draw" else _settled(state)


def _begun(state: State, who: int) -> State:
    return replace(state, turn=who, who=who, waiting="draw", safe=state.safe - {who})


def _plays(state: State) -> Iterator[State]:
    who = state.turn
    hand = state.hands[who]
    others = [q for q in range(state.players) if q != who and q not in state.out and q not in state.safe]
    for card in sorted(set(hand)):
        if COUNTESS in hand and card in (KING, PRINCE):
            continue
        kept = _without(hand, card)[0]
        after = replace(state, hands=_set(state.hands, who, (kept,)), laid=_put(state.laid, who, card))
        if card in (HANDMAID, COUNTESS):
            yield _settled(replace(after, safe=after.safe | {who}) if card == HANDMAID else after)
        elif card == PRINCESS:
            yield _settled(_knocked(after, who))
        elif card == PRINCE:
            for q in (*others, who):
                yield _prince(after, q)
        elif not others:
            yield _settled(after)
        else:
            for q in others:
                yield from map(_settled, _aimed(after, who, q, card, kept))


def _aimed(state: State, who: int, q: int, card: int, kept: int) -> Iterator[State]:
    (other,) = state.hands[q]
    if card == GUARD:
        for guess in range(PRIEST, PRINCESS + 1):
            yield _knocked(state, q) if other == guess else state
    elif card == PRIEST:
        yield state
    elif card == BARON:
        yield state if kept == other else _knocked(state, who if kept < other else q)
    else:
        yield replace(state, hands=_set(_set(state.hands, who, (other,)), q, (kept,)))


def _knocked(state: State, who: int) -> State:
    laid = _put(state.laid, who, *state.hands[who])
    return replace(state, out=state.out | {who}, laid=laid, hands=_set(state.hands, who, ()))


def _prince(state: State, q: int) -> State:
    (card,) = state.hands[q]
    if card == PRINCESS:
        return _settled(_knocked(state, q))
    state = replace(state, laid=_put(state.laid, q, card), hands=_set(state.hands, q, ()))
    if state.deck:
        return replace(state, waiting="redraw", who=q)
    return _settled(replace(state, hands=_put(state.hands, q, state.aside), aside=0))


def _settled(state: State) -> State:
    """After a turn: the next turn, the next round or the end."""
    n = state.players
    alive = [q for q in range(n) if q not in state.out]
    if len(alive) > 1 and state.deck:
        following = next(q for i in range(1, n + 1) if (q := (state.turn + i) % n) in alive)
        return _begun(state, following)
    best = max(state.hands[q][0] for q in alive)
    standing = [q for q in alive if state.hands[q][0] == best]
    most = max(sum(state.laid[q]) for q in standing)
    winners = [q for q in standing if sum(state.laid[q]) == most]
    tokens = tuple(t + (q in winners) for q, t in enumerate(state.tokens))
    if max(tokens) >= NEEDED[n]:
        return replace(state, tokens=tokens, waiting="over")
    starter = min(winners, key=lambda q: (q - state.starter) % n)
    return _shuffled(replace(state, tokens=tokens, starter=starter, turn=starter))


def perft(players: int, depth: int) -> list[int]:
    """The number of sequences of 1, 2, ... decisions."""
    level, found = Counter({start(players): 1}), []
    for _ in range(depth):
        following: Counter[State] = Counter()
        for state, paths in level.items():
            for after in successors(state):
                following[after] += paths
        found.append(sum(following.values()))
        level = following
    return found
