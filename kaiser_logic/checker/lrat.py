"""A checker of proofs in the format LRAT (Cruz-Filipe and others 2017). It uses no other module.

A proof is a list of clauses, each with the earlier clauses from which it follows. Suppose that no literal of the clause
holds. Then each of those earlier clauses, in their order, has exactly one literal left, which must hold, until a clause has
no literal left. The last clause of the proof is empty. Deletions are ignored. Steps that use the property RAT are refused,
as their clauses do not follow from the others.

>>> check([(1, 2), (-1, 2), (-2,)], ["4 2 0 1 2 0", "5 0 4 3 0"])
2
>>> check([(1, 2), (-1, 2)], ["3 2 0 1 2 0", "4 0 3 0"])
Traceback (most recent call last):
kaiser_logic.checker.lrat.WrongProof: step 4 does not follow
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class WrongProof(Exception):
    """A proof is wrong."""


def check(clauses: Sequence[Sequence[int]], proof: Iterable[str]) -> int:
    """Checks a proof that some clauses, numbered from 1, cannot all hold, and returns the number of its steps.

    Raises:
        WrongProof: A step does not follow, or no step is the empty clause.
    """
    known: dict[int, Sequence[int]] = dict(enumerate(clauses, 1))
    for line in proof:
        words = line.split()
        if words[1:2] == ["d"]:
            continue
        try:
            number, *numbers = map(int, words)
            end = numbers.index(0)
        except ValueError:
            raise WrongProof(f"this is not a step: {line[:60]}") from None
        literals, hints = numbers[:end], numbers[end + 1 :]
        if hints[-1:] != [0] or 0 in hints[:-1] or number in known:
            raise WrongProof(f"this is not a step: {line[:60]}")
        if not follows(literals, hints[:-1], known):
            raise WrongProof(f"step {number} does not follow")
        if not literals:
            return len(known) - len(clauses) + 1
        known[number] = literals
    raise WrongProof("the proof does not end in the empty clause")


def follows(literals: Sequence[int], hints: Iterable[int], known: dict[int, Sequence[int]]) -> bool:
    """Whether a clause follows from the clauses with the numbers ``hints`` by unit propagation in this order."""
    false = set(literals)
    for hint in hints:
        left = [x for x in known.get(hint, ()) if x not in false] if hint in known else [0, 0]
        if not left:
            return True
        if len(left) > 1:
            return False
        false.add(-left[0])
    return False
