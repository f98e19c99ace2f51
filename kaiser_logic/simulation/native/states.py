"""What native games and the rest of the package tell one another, as numbers."""

from __future__ import annotations

from typing import Final

FINISHED, HAND, PROGRAM, KIND, RELATION, STOPPED = range(6)
"""Why games stop: all are over; a decision, or steps, for the engine for one position; a program, an action's kind, a relation
of facts is wanted; so much has been decided as was wanted."""
GAME, GAMES, PHASE, MOMENTS, NEED, FIRST, SECOND = range(7)
"""What is known of the games: the one that is played, the number of all, whether it begins (`START`), how much has
been decided; what is needed, or for a program its use and the kinds of what is pending or done."""
WEIGHTED, STOP = 7, 8
"""Whether chance has weights; after how many moments of decision to stop, 0 for never."""
START, SETTLE = range(2)
LISTING, EFFECTS, STEPS, WEIGHTS, OUTCOME = range(1, 6)
"""Uses of programs."""
DECISIONS, DUE, SUBMITTED, LEGAL, MANY, WEIGHT, ADD, DELETE, TERMINAL, GOAL, WINNER = range(11)
"""Which relations: of facts the first three, of what follows the others."""
PROGRAMS: Final = 1 << 13
"""There is room for so many programs."""
