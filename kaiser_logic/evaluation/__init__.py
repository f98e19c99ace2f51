"""Reading 1: a given position. One grounding answers a question, and everything is a fact.

Whatever the other readings find is played again by this one before it is shown.

Its modules:

    evaluator        legal actions, judgement, steps, result, broken invariants, what a role sees
    verdict          what comes out: violations, broken invariants, results, and their exceptions
    origin           where a position comes from: a legal game, nowhere by a proof, or nobody knows
    random_games     random games: each move and step with the position after it
    explanation      why an action is illegal or legal, in sentences with the facts that make it so; which rulings decide it
    unknown_actions  what is wrong with an action that is none of the game's
"""
