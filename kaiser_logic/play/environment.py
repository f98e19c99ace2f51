"""A game as an environment for reinforcement learning, with a mask over a fixed list of actions (extra ``rl``).

The interface is that of PettingZoo for agents that act in turn (AEC). Agents that decide simultaneously are asked one after
the other, and do not see the actions of the others. The environment draws the actions of chance by the rulebook's weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium.spaces import Box, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv

from .. import clingo
from ..drawing.styles import render
from ..engine import symbols
from ..engine.domains import kind_actions, unlistable
from ..engine.sets import naming_kinds
from ..errors import NotDecided, WrongUsage
from ..evaluation.verdict import Result
from ..game import Game
from ..position import Position
from ..rules.predicates import CHANCE
from ..solving.questions import Setting
from .match import random_actions

MOST_ACTIONS: Final = 100_000
"""The largest number of actions for which there is a mask."""
LONGEST: Final = 10_000
"""The default limit of moves, after which a game is truncated."""
_LEAST, _LARGEST = -(2**31), 2**31 - 1

Array = NDArray[Any]


def win_or_lose(result: Result) -> Mapping[str, float]:
    """1 for each winner, -1 for all others; 0 for all if nobody wins."""
    return {role: (1.0 if role in result.winners else -1.0) * bool(result.winners) for role in result.points}


class Environment(AECEnv[str, Array, int]):  # type: ignore[misc]
    """A game for agents that act in turn: the roles, in the order of the seats.

    An observation is a number for each of `features`, as the agent sees the position. An action is an index of `actions`;
    ``infos[agent]["action_mask"]`` has 1 for each legal one.

    Attributes:
        game: The game.
        position: The present position.
        actions: All possible actions, sorted by their texts; always the same for the same game.
        features: The meaning of the numbers of an observation. For a fact the number is 1 if it holds, else 0. For a counter
            such as ``thalers(red,_)`` it is the counter's number.
        possible_agents: The players.
        agent_selection: The agent that acts next.
    """

    agent_selection: str

    metadata: ClassVar[dict[str, Any]] = {
        "name": "kaiser_logic_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: Game,
        *,
        rewards: Callable[[Result], Mapping[str, float]] = win_or_lose,
        most_moves: int = LONGEST,
        render_mode: str | None = None,
    ) -> None:
        """An environment without a game in progress: `reset` begins one.

        Args:
            game: The game, with its players, edition and rulings.
            rewards: A function from the result to the reward of each role.
            most_moves: The limit of moves, after which a game ends and all agents are truncated.
            render_mode: With ``ansi``, `render` returns the board as text.

        Raises:
            NotDecided: The game has too many actions to list.
        """
        super().__init__()
        self.game = game
        self.possible_agents = list(game.seats)
        self.agents: list[str] = []
        self.render_mode = render_mode
        self.actions = _actions(game)
        self.features, self._place, self._counters = _features(game)
        self._index = {action: number for number, action in enumerate(self.actions)}
        self._most, self._rewards = most_moves, rewards
        self._random = Random(0)
        observed = Box(_LEAST, _LARGEST, (len(self.features),), np.int32)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observed)
        self.action_spaces = {role: Discrete(len(self.actions)) for role in self.possible_agents}

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game; ``seed``: of chance. Without a seed the random numbers continue."""
        if seed is not None:
            self._random = Random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.moves = 0
        self._go_to(self.game.initial())

    def mask(self, agent: str) -> Array:
        """An array over `actions` with 1 for each action that is legal for an agent; all 0 if it does not decide now."""
        mask = np.zeros(len(self.actions), np.int8)
        if agent not in self._pending:
            for action in self._legal.get(agent, ()):
                mask[self._index[action]] = 1
        return mask

    def observe(self, agent: str) -> Array:
        """The position as an agent sees it: a number for each of `features`."""
        numbers = np.zeros(len(self.features), np.int32)
        for fact in self.position.evaluator.view(self.position.symbols, agent):
            place = self._place.get(fact)
            if place is not None:
                numbers[place] = 1
            elif symbols.signature(fact) in self._counters and fact.arguments:
                place = self._place.get(_counter(fact))
                number = fact.arguments[-1]
                if place is not None and number.type == clingo.SymbolType.Number:
                    numbers[place] = number.number
        return numbers

    def step(self, action: int | None) -> None:
        """Carries out an action of the selected agent.

        Args:
            action: An index of `actions`; None for an agent whose game is over.

        Raises:
            IllegalMove: The action is illegal.
            WrongUsage: The number is not an index of `actions`.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self.actions):
            raise WrongUsage(f"an action is a number from 0 to {len(self.actions) - 1}, not {action}")
        text = self.actions[int(action)]
        if text not in self._legal.get(agent, ()):
            self.position.apply({agent: text})  # raises IllegalMove with the reasons
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._pending[agent] = text
        self.infos[agent] = {"action_mask": self.mask(agent)}
        self.moves += 1
        if len(self._pending) == len(self.position.decisions):
            self._go_to(self.position.apply(self._pending))
        else:
            self.agent_selection = next(r for r in self.position.to_move if r not in self._pending)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text if ``render_mode`` is ``ansi``, else None."""
        return render(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing, as an environment has no open resources."""

    def _go_to(self, position: Position) -> None:
        """Adopts a position, after the decisions of chance that come first."""
        while CHANCE in position.decisions and self.moves < self._most:
            if len(position.decisions) > 1:
                raise NotDecided(
                    "chance and players decide at the same time here, and an environment has no form for that"
                )
            chosen = random_actions(position, self._random)
            position = position.apply({role: symbols.text(action) for role, action in chosen.items()})
            self.moves += 1
        self.position = position
        self._pending: dict[str, str] = {}
        self._legal: Mapping[str, Sequence[str]] = {}
        ends: dict[str, dict[str, Any]] = {}
        result = position.result()
        if result is not None:
            for agent, reward in self._rewards(result).items():
                self.rewards[agent] = float(reward)
                ends[agent] = {"points": result.points.get(agent, 0), "winner": agent in result.winners}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        elif self.moves >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self._legal = position.legal()
            self.agent_selection = position.to_move[0]
        for agent in self.agents:
            self.infos[agent] = {**ends.get(agent, {}), "action_mask": self.mask(agent)}


def _actions(game: Game) -> tuple[str, ...]:
    """All actions of a game, sorted; NotDecided if they cannot be listed."""
    rules = game.ruleset
    why = unlistable(rules, rules.book.kinds)
    if naming_kinds(rules.book):
        why = "actions name sets, of which there are too many to list"
    if why is not None:
        raise NotDecided(f"{game.id} has no fixed list of actions: {why}")
    texts = {symbols.text(action) for kind in rules.book.kinds for action in kind_actions(rules, kind)}
    if len(texts) > MOST_ACTIONS:
        raise NotDecided(
            f"{game.id} has {len(texts)} actions, more than {MOST_ACTIONS}: a mask of them would be too large"
        )
    return tuple(sorted(texts))


def _features(game: Game) -> tuple[tuple[str, ...], dict[clingo.Symbol, int], frozenset[tuple[str, int]]]:
    """The observed facts with their indexes, and the predicates of counters."""
    rules = game.ruleset
    counters = frozenset(rules.book.counters)
    known = Setting(rules).prover.vocabulary.narrow
    facts = {_counter(f) if symbols.signature(f) in counters else f for f in known}
    ordered = sorted(facts, key=symbols.text)
    place = {fact: number for number, fact in enumerate(ordered)}
    return tuple(map(symbols.text, ordered)), place, counters


def _counter(fact: clingo.Symbol) -> clingo.Symbol:
    """A counter with ``_`` for its number."""
    return clingo.Function(fact.name, [*fact.arguments[:-1], clingo.Function("_")])
