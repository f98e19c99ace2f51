"""The rulings that decide that a rule is broken."""

from __future__ import annotations

from games.kaiser.positions import position as kaiser
from games.krone.named import position as krone

from kaiser_logic.position import Position


def _rulings(position: Position, role: str, action: str) -> dict[str, dict[str, str]]:
    return {v.rule: dict(v.rulings) for v in position.why(role, action)}


def test_a_ruling_that_decides_is_named_with_its_value() -> None:
    action = "buy(foreign_daughter,marry(elector(koeln),25))"
    (violation,) = (v for v in kaiser("actions").why("red", action) if v.rule == "marriage.archbishop")
    assert dict(violation.rulings) == {"archbishop_marriage": "forbidden"}
    assert violation.message.endswith("(ruling archbishop_marriage is forbidden)")


def test_one_that_does_not_decide_is_not() -> None:
    found = _rulings(kaiser("actions"), "red", "buy(pope,hold)")
    assert not any(found.values())
    assert _rulings(krone("turn", "- castle(a5) city(a6) large_city(a7,a12)"), "red", "attack(b20)") == {
        "attack.beside": {}, "attack.foreign": {},
    }  # fmt: skip


def test_a_fact_that_only_one_value_knows() -> None:
    """Under the other value the mark of a revolt is no fact: that is the ruling's doing, not another board's."""
    found = _rulings(
        krone("turn", "- ap(3) + ap(2) revolted", "standard", (("revolts_per_turn", "one"),)), "red", "revolt"
    )
    assert found["revolt.once"] == {"revolts_per_turn": "one"}


def test_supply_that_runs_out_does_by_a_ruling() -> None:
    found = _rulings(krone("turn", "- castle(a5)"), "red", "revolt")
    assert found["revolt.leader"] == {"leader_condition": "castle_and_city"}
