"""A query with a literal that can never hold, or always holds, is refused with a reason; other queries are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import FOLDER, SCORED, variant

from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import Game, load
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.query.vocabulary import vocabulary
from kaiser_logic.rules.loader import games, rulebook
from kaiser_logic.search.reach import find_reachable

KAISER, PAIR = load("kaiser"), load("kaiser", players=2)
PLACES = "It is boehmen, brandenburg, koeln, mainz, pfalz, sachsen or trier"
RED = "It is blue, green, red or yellow"


def refusal(query: str, game: Game = KAISER) -> str:
    """The reason why a query is refused; empty if it is not."""
    try:
        read_query(query, game.ruleset)
    except WrongUsage as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("query", "message"),
    [
        # a value that an argument can never have, in positive literals, under not, and in aggregates
        ("elector(cologne,red,_,_)", f"column 9: cologne is never argument 1 of elector(E,R,G,K); did you mean koeln? {PLACES}"),
        ("elector(kolen,red,_,_)", f"column 9: kolen is never argument 1 of elector(E,R,G,K); did you mean koeln? {PLACES}"),
        ("emperor(R),\n not elector(Cologne,R,_,_)", "line 2, column 14: Cologne is a variable, as it begins with a capital"),
        ("not elector(cologne,red,_,_)", "column 13: cologne is never argument 1 of elector"),
        ("not (emperor(R), elector(cologne,R,_,_))", "column 26: cologne is never argument 1 of elector"),
        ("count{R : elector(cologne,R,_,_)} > 1", "column 19: cologne is never argument 1 of elector"),
        ("emperor(red) ; elector(cologne,red,_,_)", "column 24: cologne is never argument 1 of elector"),
        ("emperor(rood)", f"column 9: rood is never argument 1 of emperor(R); did you mean red? {RED}"),
        ("aristocrat(trier,red,15,daughter,1)",
         "column 25: daughter is never argument 4 of aristocrat(E,R,G,K,N). It is baron or couple"),
        ("thalers(red,900)", "column 13: 900 is never argument 2 of thalers(R,M), but 12 can be. It is 0 to 12"),
        ("not thalers(red,13)", "column 17: 13 is never argument 2 of thalers(R,M), but 12 can be. It is 0 to 12"),
        ("points(red,-1)", "column 12: -1 is never argument 2 of points(R,N), but 0 can be. It is a number from 0"),
        ("elector(koeln,red,17,_)",
         "column 19: 17 is never argument 3 of elector(E,R,G,K), but 15 can be. It is 15, 25, 35 or 45"),
        ("emperor(3)", f"column 9: 3 is never argument 1 of emperor(R). {RED}"),
        ("thalers(red,green)", "column 13: green is never argument 2 of thalers(R,M). It is 0 to 12"),
        ("round(6)", "column 7: 6 is never argument 1 of round(N), but 5 can be. It is 1 to 5"),
        ("power(cologne,red,N)", "column 7: cologne is never argument 1 of power(E,R,N); did you mean koeln?"),
        ("winner(roso)", "column 8: roso is never argument 1 of winner(R); did you mean red?"),
        ("spaces(trier,castel,N)", "column 14: castel is never argument 2 of spaces(E,S,N); did you mean castle?"),
        ("decision(red,trun)", "column 14: trun is never argument 2 of decision(R,V); did you mean turn?"),
        ("decision(red,answer(green,thron,15))", "column 27: thron is never argument 2 of answer(...) as argument 2 of decision"),
        ("decision(red,answer(green,15))",
         "column 14: answer as argument 2 of decision(R,V) has 3 arguments, not 2: answer(R,P,G)"),
        # values that facts can have, but not together
        ("aristocrat(koeln,red,15,baron,4)",
         "column 31: 4 is never argument 5 of aristocrat(koeln,red,15,baron,_), but 3 can be. It is 1 to 3"),
        ("emperor(R), not spaces(koeln,castle,2)",
         "column 37: 2 is never argument 3 of spaces(koeln,castle,_), but 1 can be. It is 1"),
        ("(players(7) ; emperor(red))", "column 10: 7 is never argument 1 of players(I), but 4 can be. It is 4"),
        ("players(3)", "column 9: 3 is never argument 1 of players(I), but 4 can be. It is 4; with --players 3 it can be"),
        ("spaces(koeln,castle,2)", "column 21: 2 is never argument 3 of spaces(koeln,castle,_), but 1 can be. It is 1"),
        # aggregates without braces
        ("emperor(green), count(elector(_,green,_,_)) = 0",
         "column 17: what is counted or summed stands in braces: count{X : elector(X,green,_,_)}"),
        ("sum(thalers(R,N)) > 3", "column 1: what is counted or summed stands in braces: sum{R : thalers(R,N)}"),
        # actions
        ("legal(R,pas)", "column 9: pas is never argument 2 of legal(R,A); did you mean pass?"),
        ("legal(R,buy(pope))", "column 9: buy as argument 2 of legal(R,A) has 2 arguments, not 1: buy("),
        ("legal(R,buy(popp,_))",
         "column 13: popp is never argument 1 of buy(...) as argument 2 of legal(R,A); did you mean pope?"),
        ("legal(R,A), A = buyy(_)", "column 17: buyy(_) is never the value of A; did you mean buy?"),
        ("legal(R,A), A != buyy(_)", "column 18: buyy(_) is never the value of A; did you mean buy?"),
        ("violates(R,pass,actions.turns)",
         "column 17: actions.turns is never argument 3 of violates(R,A,Rule); did you mean actions.turn?"),
        ("violates(R,pas,_)", "column 12: pas is never argument 2 of violates(R,A,Rule); did you mean pass?"),
        ("after(R,pass,emperor(rood))", "column 22: rood is never argument 1 of emperor(R); did you mean red?"),
        ("after(rood,pass,emperor(red))", "column 7: rood is never argument 1 of after(R,A,Fact); did you mean red?"),
        # comparisons
        ("thalers(red,N), N = 900", "column 21: 900 is never the value of N, but 12 can be. It is 0 to 12"),
        ("thalers(red,N), N != 900", "column 22: 900 is never the value of N, but 12 can be. It is 0 to 12"),
        ("thalers(red,N), N > 900", "column 21: 900 is never the value of N, but 12 can be. It is 0 to 12"),
        ("thalers(red,N), 900 < N", "column 17: 900 is never the value of N, but 12 can be. It is 0 to 12"),
        ("elector(X,_,_,_), not (X = cologne)", f"column 28: cologne is never the value of X; did you mean koeln? {PLACES}"),
        ("(emperor(R) ; acting(R)), R = rood", f"column 31: rood is never the value of R; did you mean red? {RED}"),
        ("elector(X,_,_,_), not (emperor(R), X != cologne)", "column 41: cologne is never the value of X; did you"),
        ("max{N : thalers(_,N)} = 900",
         "column 25: 900 is never the value of max{N : thalers(_,N)}, but 12 can be. It is 0 to 12"),
        ("max{N : display(_,N)} < 90", "column 25: 90 is never the value of max{N : display(_,N)}, but 4 can be"),
        ("min{N : display(_,N)} > 0", "column 25: 0 is never the value of min{N : display(_,N)}, but 1 can be"),
        ("max{N : display(_,N)} = 0", "column 25: 0 is never the value of max{N : display(_,N)}, but 1 can be"),
        ("emperor(R), R = 3", f"column 17: 3 is never the value of R. {RED}"),
        ("emperor(R), R > 3", f"column 17: 3 is never the value of R. {RED}"),
        ("thalers(R,N), N = R", "column 15: N is 0 to 12, but R is blue, green, red or yellow: they are never the same"),
        ("emperor(R), count{E : elector(E,R,_,_)} = R", "column 13: count{E : elector(E,R,_,_)} is a number, but R is blue"),
        ("emperor(R), R+1 = 2", "column 13: R is blue, green, red or yellow: only numbers are calculated with"),
        ("sum{R : emperor(R)} > 2", "column 5: R is blue, green, red or yellow: only numbers are summed"),
        ("emperor(R), red = green", "column 13: red = green compares nothing of a position: no variable is in it"),
        ("emperor(R), 1 = 1", "column 13: 1 = 1 compares nothing of a position: no variable is in it"),
        # one variable for two kinds of values
        ("elector(R,E,_,_), emperor(R)", "column 27: R cannot be both: as argument 1 of elector(E,R,G,K) it is boehmen"),
        ("elector(E,R,_,_), not emperor(E)", "column 31: E cannot be both: elsewhere it is boehmen"),
        ("thalers(R,R)", "column 9: R cannot be both: as argument 1 of thalers(R,M) it is blue"),
        # variables that should be names
        ("elector(Koeln,red,_,_)",
         "column 9: Koeln is a variable, as it begins with a capital letter; the name is written koeln"),
        ("elector(Keulen,red,_,_)",
         "column 9: Keulen is a variable, as it begins with a capital letter; the name is written koeln"),
        ("elector(Braunenburg,red,_,_)",
         "column 9: Braunenburg is a variable, as it begins with a capital letter; the name is written brandenburg"),
        ("emperor(R), R = Red", "column 17: Red is a variable, as it begins with a capital letter; the name is written red"),
        ("emperor(R), R != Red", "column 18: Red is a variable, as it begins with a capital letter; the name is written red"),
        # facts in the place of values
        ("emperor(red), thalers(red) = 0",
         "column 15: thalers(red) stands for no value, as it lacks an argument of thalers(R,M): "
         "write emperor(red), thalers(red,N), N = 0"),
        ("thalers(red,N) > 3",
         "column 1: thalers(red,N) stands for no value, as it is a fact, which holds or does not: write thalers(red,N), N > 3"),
        ("emperor(red) = true",
         "column 1: emperor(red) is a fact, which holds or does not, and no value: write emperor(red), or not emperor(red)"),
    ],
)  # fmt: skip
def test_a_mistake_is_refused_with_a_reason(query: str, message: str) -> None:
    assert refusal(query).startswith(message)


@pytest.mark.parametrize(
    ("query", "game", "message"),
    [
        ("emperor(yellow)", PAIR,
         "yellow is never argument 1 of emperor(R). It is green or red; yellow does not play here (red, green do)"),
        ("not emperor(yellow)", PAIR, "yellow does not play here (red, green do): see --players and --seats"),
        ("decision(chance,turn)", PAIR, "turn is never argument 2 of decision(chance,_). It is close_archbishopric"),
        ("closed(E)", KAISER, "column 1: there is never closed(E) in this game as it is set up; with --players 2 it can be"),
        ("not closed(koeln)", KAISER,
         "column 5: there is never closed(E) in this game as it is set up; with --players 2 it can be"),
        ("ruling(convent_by_choice,no)", KAISER, "It is yes; with --option convent_by_choice=no it can be"),
        ("revolted", load("krone", players=2), "with --option revolts_per_turn=one it can be"),
    ],
)  # fmt: skip
def test_the_reason_names_the_setting_with_which_it_is_possible(query: str, game: Game, message: str) -> None:
    assert message in refusal(query, game)


@pytest.mark.parametrize(
    "query",
    [
        "held(R,rival,1), not aristocrat(_,R,_,_,_), not spare(R,aristocrat)",
        "decision(red,turn), not (legal(red,A), A != pass)",
        "legal(red,A), A = buy(C,_)",
        "legal(red,A), A != buy(pope,_)",
        "wins(E,R), not suitor(E,R), elector(E,Q,_,_), Q != R",
        "thalers(red,N), N > 12",
        "thalers(red,N), N >= 0",
        "points(red,1000000)",
        "points(red,N), N > 100000",
        "income(red,N), thalers(red,M), N+M > 12",
        "count{E : wins(E,red)} > count{E : wins(E,Q), Q != red}",
        "count{E : elector(E,R,_,_)} >= 7",
        "max{N : thalers(_,N)} = 0",
        # without a value a maximum is below every number, and a minimum above
        "max{N : display(_,N)} < 1", "max{N : display(_,N)} > 0", "max{N : display(_,N)} != 4 ; min{N : display(_,N)} > 90",
        "N = min{M : votes(_,M)}",
        "sum{N,E : power(E,_,N)} > 3",
        "elector(E,R,_,_), elector(E,Q,_,_), R < Q",
        "tile(elector(koeln),red,G,K)",
        "tile(P,red,_,_), P = elector(koeln)",
        "violates(red,buy(cope,hold),action.unknown)",
        "violates(R,A,actions.buy.thalers)",
        "held(R,King,1)",
        "ruling(Name,Value)",
        "(ruling(convent_by_choice,no), emperor(red) ; ruling(convent_by_choice,yes), emperor(green))",
        "not ruling(convent_by_choice,no)",
        "(players(2), acting(red) ; players(4), emperor(red))",
        "not players(3), emperor(red)",
        "archbishopric(E), not spaces(E,castle,1)",
        "after(red,A,thalers(red,0)), thalers(red,N), N >= 3",
        "emperor(R), R = red",
        "X = red, emperor(X)",
    ],
)  # fmt: skip
def test_a_sensible_query_is_not_refused(query: str) -> None:
    assert refusal(query) == ""


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", games())
def test_all_listed_predicates_can_be_asked(name: str) -> None:
    """Exceptions are predicates that hold only for some numbers of players or with some rulings."""
    for players in {min(rulebook(name).manifest["players"]), max(rulebook(name).manifest["players"])}:
        game = load(name, players=players)
        for form in [f for forms in vocabulary(game.book) for f in forms if not f.startswith("after(")]:
            message = refusal(form, game)
            assert not message or "in this game as it is set up" in message, form


def test_an_action_with_the_name_of_a_fact_is_told_apart() -> None:
    """An action castle(F) beside a fact castle(F)."""
    krone = load("krone", players=2)
    assert refusal("legal(red,A), A = castle(F), not castle(F)", krone) == ""
    assert "castle(f1) is a fact" in refusal("castle(f1) = 1", krone)
    assert "placement is a text as argument 2 of out_of_turn" in refusal(
        "out_of_turn(place,placement)", krone
    )


def test_any_set_of_existing_things_is_possible() -> None:
    krone = load("krone", players=2)
    assert refusal("legal(red,force(with(1,leader4,none)))", krone) == ""
    assert refusal("legal(red,vote(crown,none))", krone) == ""
    assert "did you mean crown?" in refusal("legal(red,vote(corwn,none))", krone)


# -- all commands refuse mistakes ----------------------------------------------------------------------------

HEAP = load(FOLDER)
WRONG = "heap = 3"
RIGHT = "write heap(N), N = 3"


def test_find_refuses_mistakes() -> None:
    with pytest.raises(WrongUsage, match="heap"):
        HEAP.find("heap(13)")
    with pytest.raises(WrongUsage) as caught:
        HEAP.find_result(WRONG)
    assert str(caught.value).endswith(RIGHT)


def test_find_reachable_refuses_mistakes() -> None:
    with pytest.raises(WrongUsage) as caught:
        find_reachable(HEAP, WRONG, 5)
    assert str(caught.value).endswith(RIGHT)


@pytest.mark.parametrize("kind", ["never", "some"])
def test_prove_refuses_mistakes(kind: str) -> None:
    with pytest.raises(WrongUsage) as caught:
        HEAP.prove(claims=[f"{kind} {WRONG}"])
    assert str(caught.value).endswith(RIGHT)


def test_mistakes_are_refused_even_in_games_that_are_too_large_for_find() -> None:
    vive = load("vive", players=3)
    with pytest.raises(WrongUsage, match="did you mean eagle"):
        vive.find("noble(red,egle)")


def test_a_variant_of_a_game_has_its_own_values(tmp_path: Path) -> None:
    scored = load(variant(tmp_path, SCORED))
    assert refusal("points(red,40)", scored) == ""
    assert "heap knows no points" in refusal("points(red,40)", HEAP)
