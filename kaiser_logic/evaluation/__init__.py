"""Evaluation: answers questions about a given position. Each answer follows from the facts, without a search.

The evaluation replays every result of the solver before it is shown.

Its modules:

    evaluator        legal actions, judgements, steps, results, broken invariants, views of a role
    verdict          the answers: violations, broken invariants, results, and their exceptions
    origin           decides whether a position is reachable, impossible by a proof, or open
    random_games     random games: each move and step, with the position after it
    explanation      explains why an action is illegal or legal: sentences, facts, deciding rulings
    start            whether the start meets the invariants
    reliance         the rules that no printed text says and on which a verdict relies
    rule_lines       the lines of documented rules that apply or forbid something, for counts of their uses
    unknown_actions  explains the mistake in an action that the game does not know
"""
