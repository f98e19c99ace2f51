"""Evaluation: questions about a given position. Nothing is searched: each answer follows from the facts.

Whatever the solver finds elsewhere is replayed here before it is shown.

Its modules:

    evaluator        legal actions, judgements, steps, results, broken invariants, views of a role
    verdict          the answers: violations, broken invariants, results, and their exceptions
    origin           whether a position is reachable: by a known game, impossible by a proof, or open
    random_games     random games: each move and step, with the position after it
    explanation      why an action is illegal or legal: sentences, the facts behind them, the rulings that decide
    unknown_actions  what is wrong with an action that the game does not know
"""
