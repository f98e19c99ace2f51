"""A correct LRAT proof is accepted, and a wrong one is refused."""

import pytest
from support.tables import rows

from kaiser_logic.checker.lrat import WrongProof, check

CLAUSES = [(1, 2), (1, -2), (-1, 3), (-1, -3)]
PROOF = ["5 1 0 1 2 0", "5 d 1 2 0", "6 3 0 5 3 0", "7 0 5 6 4 0"]


def test_a_correct_proof_is_accepted():
    assert check(CLAUSES, PROOF) == 3


@pytest.mark.parametrize(("number", "line"), rows("checker/verify", "step"))
def test_a_proof_with_a_wrong_step_is_refused(number, line):
    proof = [*PROOF]
    proof[int(number)] = line
    with pytest.raises(WrongProof):
        check(CLAUSES, proof)


def test_a_proof_that_is_cut_off_or_belongs_to_other_clauses_is_refused():
    with pytest.raises(WrongProof):
        check(CLAUSES, PROOF[:-1])
    with pytest.raises(WrongProof):
        check(CLAUSES[:-1], PROOF)
    with pytest.raises(WrongProof):
        check([*CLAUSES[:3], (-1, 3)], PROOF)
