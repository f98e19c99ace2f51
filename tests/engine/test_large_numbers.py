"""Numbers that leave 32 bits, and rules with too many values: both engines say so with the place, and never differ silently."""

from pathlib import Path

import pytest
from support.heap_game import variant
from support.tables import rows

import kaiser_logic as kl
from kaiser_logic.engine.configuration import ENGINES

_ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
_RULE = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), '
_MORE = """double(0,1). double(I+1,M+M) :- double(I,M), I < 40, heap(_).
most(200000). side(1..2000).
upto(1..M) :- most(M), heap(_).
bounded(1..M*M) :- most(L), M = L/100, heap(_).
wide(X,Y) :- side(X), side(Y), heap(_)."""


def _legal(folder: Path, body: str, engine: str) -> int:
    rules = {_ENOUGH: f"{_RULE}heap(N), {body}."}
    if any(word in body for word in ("double", "upto", "wide", "bounded")):
        rules["stated(heap,1)."] = f"stated(heap,1).\n{_MORE}"
    changes = {**rules, "holds_at_least(1..N)         :- heap(N), N > 0.": "holds_at_least(1..N) :- heap(N), N > 0."}
    target = folder / engine
    target.mkdir()
    return len(kl.load(variant(target, changes), engine=engine).initial().legal()["red"])


@pytest.mark.sample(3)
@pytest.mark.parametrize(("body", "means"), rows("engine/numbers", "fits"))
def test_numbers_that_fit_mean_the_same(body, means, tmp_path):
    assert [_legal(tmp_path, body, engine) for engine in ENGINES] == [3 - 3 * (means == "holds")] * 2


@pytest.mark.sample(3)
@pytest.mark.parametrize(("what", "body"), rows("engine/numbers", "large"))
def test_what_is_too_large_is_told_with_the_rule(what, body, tmp_path):
    for engine in ENGINES:
        with pytest.raises(kl.NotDecided, match=rf"heap/\w+\.lp:\d+: .*{what}"):
            _legal(tmp_path, body, engine)


def test_an_interval_up_to_the_largest_number_is_refused(tmp_path):
    """clingo does not end there, so nothing else may ground it."""
    with pytest.raises(kl.NotDecided, match="does not end in clingo"):
        _legal(tmp_path, "M = N+2147483630..N+2147483635, M > 5", "compiled")


@pytest.mark.sample(3)
@pytest.mark.parametrize(("rule", "read"), rows("engine/numbers", "static"))
def test_static_rules_are_refused_at_their_place(rule, read, tmp_path):
    """Also where a ruling decides how many there are."""
    rules = f"stated(heap,1).\nside(1..2000).\n{rule}\nbroken(heap_stated,x) :- heap(13), {read}."
    folder = variant(tmp_path, {"stated(heap,1).": rules})
    assert [(f.what, f.line) for f in kl.lint(folder) if f.what == "endless"] == [("endless", 12)]
    with pytest.raises(kl.FaultyRulebook, match=r"vocabulary\.lp:12:1"):
        kl.load(folder).initial().legal()


@pytest.mark.sample(3)
@pytest.mark.parametrize("size", [19, 20, 40, 240])
@pytest.mark.parametrize(
    "part", ["taken(R{0},K{0}), K{0} > 99", "K > {0}+9, not heap({0})", "took(R{0}), R{0} != R, R{0} = Q{0}"]
)
def test_bodies_of_every_size(part, size, tmp_path):
    if size * (part.count(",") + 1) > 600:
        size //= 2
    body = ", ".join(part.format(k) for k in range(size))
    assert [_legal(tmp_path, body, engine) for engine in ENGINES] == [3, 3]
