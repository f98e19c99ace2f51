"""A violation names the rulings that decide that the rule is broken."""

from __future__ import annotations

from games.kaiser.positions import position as kaiser
from games.krone.named import position as krone

from kaiser_logic.position import Position


def _rulings(position: Position, role: str, action: str) -> dict[str, dict[str, str]]:
    """The rulings that decide each violation."""
    return {v.rule: dict(v.rulings) for v in position.why(role, action)}


def test_a_decisive_ruling_is_named_with_its_value() -> None:
    action = "buy(foreign_daughter,marry(elector(koeln),25))"
    (violation,) = (v for v in kaiser("actions").why("red", action) if v.rule == "marriage.archbishop")
    assert dict(violation.rulings) == {"archbishop_marriage": "forbidden"}
    assert violation.message.endswith("(ruling archbishop_marriage is forbidden)")


def test_other_rulings_are_not_named() -> None:
    found = _rulings(kaiser("actions"), "red", "buy(pope,hold)")
    assert not any(found.values())
    assert _rulings(krone("turn", "- castle(a5) city(a6) large_city(a7,a12)"), "red", "attack(b20)") == {
        "attack.beside": {}, "attack.foreign": {},
    }  # fmt: skip


def test_a_ruling_may_decide_which_facts_exist() -> None:
    """With the other value of the ruling, positions have no mark of a revolt."""
    found = _rulings(
        krone("turn", "- ap(3) + ap(2) revolted", "standard", (("revolts_per_turn", "one"),)), "red", "revolt"
    )
    assert found["revolt.once"] == {"revolts_per_turn": "one"}


def test_a_ruling_may_decide_about_the_supply() -> None:
    found = _rulings(krone("turn", "- castle(a5)"), "red", "revolt")
    assert found["revolt.leader"] == {"leader_condition": "castle_and_city"}
