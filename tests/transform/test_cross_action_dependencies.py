"""Rules that collect facts about several actions are found. Without such rules, listing agrees with judging.

The tests use programs written by hand, the games, and random rules with brute force.
"""

import random

import pytest
from support.heap_game import variant
from support.tables import rows

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.game import load
from kaiser_logic.rules.library import asp_folder
from kaiser_logic.rules.loader import parse_rules, read_parts
from kaiser_logic.transform.cross_action_dependencies import collecting


@pytest.mark.parametrize(("what", "text"), rows("transform/actions", "rules"))
def test_rules_that_collect_other_actions_are_reported(what, text):
    """A rule about its own action only is harmless."""
    found = [rule.text.partition("(")[0] for rule, _ in collecting(parse_rules(text))]
    assert found == (["violates"] if what == "collecting" else [])


@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_no_game_has_a_rule_that_collects_actions(game):
    book, _ = read_parts(asp_folder() / game)
    assert book is not None
    assert collecting(book.rules) == []


ATOMS = ["asked(J)", "asked(K)", "asked(_)", "few(K)", "few(J)", "first(R)", "has(R,K)", "has(R,J)", "has(_,K)", "some"]
HELPERS = [row.values[0] for row in rows("transform/actions", "helper")]


def _rules(random: random.Random) -> str:
    """A few auxiliary rules, and a violation that reads some of their predicates."""
    helpers = random.sample(HELPERS, random.randint(1, 4))
    defined = {h.partition("(")[0].partition(" ")[0] for h in helpers} | {"first"}
    atoms = [a for a in ATOMS if a.partition("(")[0] in defined]
    body = [random.choice(["", "not "]) + a for a in random.sample(atoms, min(len(atoms), random.randint(1, 2)))]
    if any("J" in b for b in body):
        body += ["amount(J)", random.choice(["J > K", "J != K", "J = K"])]
    helpers = [
        h for h in helpers if all(f"{n}(" not in h.partition(":-")[2] or n in defined for n in ("asked", "few", "has"))
    ]
    return "\n".join([*helpers, 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), ' + ", ".join(body) + "."])


@pytest.mark.sample(10)
@pytest.mark.parametrize("seed", range(10))
def test_random_rules_without_collections_list_what_they_judge_legal(tmp_path, seed):
    chosen = random.Random(seed)
    for number in range(40):
        text = _rules(chosen)
        rules = parse_rules(text)
        if any("candidate" in {a.name for a in (*r.negative, *r.inner)} for r in rules) or collecting(rules):
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            game = load(variant(folder, {"stated(heap,1).": f"stated(heap,1).\n{text}"}))
        except FaultyRulebook:  # the rules are not stratified
            continue
        position = game.initial()
        for _ in range(4):
            (role,) = position.to_move
            legal = set(position.legal()[role])
            assert legal == {f"take({k})" for k in (1, 2, 3) if not position.why(role, f"take({k})")}, text
            if not legal:
                break
            position = position.apply({role: chosen.choice(sorted(legal))})
