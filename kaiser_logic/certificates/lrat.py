"""A checker of proofs in the format LRAT (Cruz-Filipe and others 2017): it uses nothing else.

A proof is a list of clauses, each with the clauses from which it follows. Suppose that none of its literals holds; then each
clause named, in this order, has one literal left, which has to hold, until one has none left. The last clause is empty.
Deletions are read over; steps that change what can hold (RAT) are refused.

>>> check([(1, 2), (-1, 2), (-2,)], ["4 2 0 1 2 0", "5 0 4 3 0"])
2
>>> check([(1, 2), (-1, 2)], ["3 2 0 1 2 0", "4 0 3 0"])
Traceback (most recent call last):
kaiser_logic.certificates.lrat.WrongProof: step 4 does not follow
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class WrongProof(Exception):
    """A proof proves nothing."""


def check(clauses: Sequence[Sequence[int]], proof: Iterable[str]) -> int:
    """Checks that a proof shows that these clauses, numbered from 1, cannot all hold; says how many steps it takes.

    Raises:
        WrongProof: A step does not follow, or none is the empty clause.
    """
    known: dict[int, Sequence[int]] = dict(enumerate(clauses, 1))
    for line in proof:
        name, *rest = line.split()
        if rest[:1] == ["d"]:
            continue
        try:
            number, numbers = int(name), list(map(int, rest))
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
    """Whether a clause follows from these clauses by unit propagation in this order."""
    false = set(literals)
    for hint in hints:
        left = [x for x in known.get(hint, ()) if x not in false] if hint in known else [0, 0]
        if not left:
            return True
        if len(left) > 1:
            return False
        false.add(-left[0])
    return False
