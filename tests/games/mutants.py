"""Thirty semantic mutants of the rulebooks: a rule is changed so that it is plausible but means something else.

Each is an edit of the text of a rule, which is in its file once. They are typical slips of authors: amounts, receivers,
order, thresholds, missing conditions, flags that are not set or never removed.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kaiser_logic.rules.loader import asp_folder


@dataclass(frozen=True)
class Mutant:
    """A rulebook with one rule changed.

    Attributes:
        name: What it is called.
        game: The rulebook.
        file: The file, without ``.lp``.
        old: The rule, or a part of it. Blanks do not matter.
        new: The replacement.
        players: The number of players with which it is examined.
        seen: Whether ``prove`` is known to notice it by invariants or claims.
    """

    name: str
    game: str
    file: str
    old: str
    new: str
    players: int = 3
    seen: bool = True

    def write(self, folder: Path) -> Path:
        """The mutated rulebook in a folder below this one."""
        target = folder / self.game
        shutil.copytree(asp_folder() / self.game, target)
        path = target / f"{self.file}.lp"
        text = path.read_text(encoding="utf-8")
        pattern = r"\s+".join(map(re.escape, self.old.split()))
        assert len(re.findall(pattern, text)) == 1, f"{self.name}: the rule is not in the file exactly once"
        path.write_text(re.sub(pattern, lambda _: self.new, text), encoding="utf-8")
        return target


def _kaiser(name: str, file: str, old: str, new: str, seen: bool = True) -> Mutant:
    return Mutant(name, "kaiser", file, old, new, 3, seen)


def _krone(name: str, file: str, old: str, new: str, seen: bool = True, players: int = 2) -> Mutant:
    return Mutant(name, "krone", file, old, new, players, seen)


MUTANTS: Final = (
    # amounts
    _kaiser("third city 1", "arrivals", "score(R,2,city) :-", "score(R,1,city) :-"),
    _kaiser("income 5", "income", "6,basic", "5,basic"),
    _kaiser("reward 4", "emperor_action", "4,1,2", "4,2,1"),
    _kaiser("couples count 1", "sorts", "couple,2", "couple,1"),
    _krone("building costs 1", "common", "costs(R,A,2)", "costs(R,A,1)"),
    _krone("incite 2", "people", "reveals(3)", "reveals(2)"),
    _krone("king 3", "ending", "score(R,5,king)", "score(R,3,king)", seen=False),
    _krone("crown votes 1", "strength", "weighs(crown,2,vote(R))", "weighs(crown,1,vote(R))", seen=False),
    _krone(
        "votes reveal 1", "revolt",
        "#sum{ 2,R : vote(R,sword) ; 3,two : players(2) } >= I",
        "#sum{ 1,R : vote(R,sword) ; 3,two : players(2) } >= I",
    ),
    # receivers
    _kaiser("daughter's husband scores", "marriage", "score(R,1,daughter)", "score(Q,1,daughter)"),
    _kaiser(
        "who declines is paid", "marriage",
        "earn(R,1) :- does(Q,decline), decision(Q,answer(R,P,G))",
        "earn(Q,1) :- does(Q,decline), decision(Q,answer(R,P,G))",
    ),
    _kaiser("all voters score", "ballot", "elected(V), does(R,vote(V))", "elected(_), does(R,vote(_))"),
    _kaiser("own cities twice", "income", "player(Q), R != Q, bound", "player(Q), bound"),
    _krone("king scores his cities", "events", "king(Q), player(R), R != Q", "king(_), player(R)"),
    _krone(
        "king scores for castles", "victory",
        "score(R,1,castle(F)) :- due(settle), victor(sword), turn(R)",
        "score(R,1,castle(F)) :- due(settle), victor(sword), king(R)",
    ),
    # order
    _kaiser("turns backwards", "turns", "clockwise(R,Q,I), I > 0", "clockwise(Q,R,I), I > 0"),
    _kaiser("rival goes on", "turns", "finishes(R) :- does(R,buy(rival,_)).", ""),
    _krone(
        "turns backwards", "turn",
        "add(turn(Q)) :- turn_over(R), left(R,Q)",
        "add(turn(Q)) :- turn_over(R), left(Q,R)", players=3,
    ),
    _krone("visit gone at once", "turn", "turn_over(R), left(R,Q), visit(Q,N)", "turn_over(Q), visit(Q,N)"),
    # thresholds
    _kaiser("unused with three", "actions", "players(N), N > 2", "players(N), N > 3"),
    _kaiser("equal votes win", "ballot", "supports(R,emperor) } > 0", "supports(R,emperor) } >= 0"),
    _kaiser("equal colours a son", "descendants", "colour(C,pink) } > 0", "colour(C,pink) } >= 0"),
    _krone("three cards", "deal", ">= 3", ">= 2"),
    # conditions left out
    _kaiser("privileges ever again", "privileges", 'violates(R,A,"privilege.used") :- exerts(R,A,E), used(E).', ""),
    _kaiser(
        "knights crowd", "knights",
        'violates(R,knight(E,S,F,T),"space.free") :- candidate(R,knight(E,S,F,T)), not room(F,T).',
        "",
    ),
    _kaiser(
        "own tiles older", "effects",
        'effect_violates(R,age(R,P,G,K),"actions.doctor.other_player") :- intends(R,_,age(R,P,G,K)).',
        "",
    ),
    _krone(
        "attacks ever again", "attack",
        'violates(R,attack(F),"attack.once") :- candidate(R,attack(F)), turn(R), attacked.',
        "",
    ),
    _krone(
        "visits protect nobody", "attack",
        'violates(R,attack(F),"attack.visit") :- candidate(R,attack(F)), shield(F,Q), protected(Q).',
        "",
    ),
    _krone(
        "second field anywhere", "expansion",
        'violates(R,expand(F),"expand.beside") :- candidate(R,expand(F)), turn(R), not beside(R,F).',
        "",
    ),
    # marks
    _kaiser("privileges never fresh", "emperor_action", "del(used(E)) :- another_round, used(E).", ""),
)  # fmt: skip
"""The mutants. Tests notice nearly all of them; ``prove`` notices those that are ``seen``, others not in minutes."""


BLIND_MUTANTS: Final = (
    _kaiser(
        "knights of a space count 1", "votes",
        "M,knight,E,S : sways(R,E)",
        "1,knight,E,S : sways(R,E)",
    ),
    _kaiser("the elector counts 2", "votes", "1,himself,E", "2,himself,E"),
    _kaiser(
        "only own knights pushed", "install",
        "not room(E,aristocrat), knight(E,aristocrat,_,_).",
        "not room(E,aristocrat), knight(E,aristocrat,R,_).",
    ),
    _kaiser("convent 2", "marriage", "earn(R,1) :- does(R,convent).", "earn(R,2) :- does(R,convent)."),
    _kaiser(
        "knights move free", "actions",
        "price(R,knight(E,S,F,T),1) :-",
        "price(R,knight(E,S,F,T),0) :-",
    ),
    _kaiser(
        "kinds of cards", "descendants",
        "#sum{ M,C : held(R,C,M), colour(C,blue) ; -M,C : held(R,C,M), colour(C,pink) } > 0",
        "#sum{ 1,C : held(R,C,M), colour(C,blue) ; -1,C : held(R,C,M), colour(C,pink) } > 0",
    ),
    _kaiser(
        "Mainz at the beginning", "electors",
        "score(R,1,mainz) :- seats_filled, elector(mainz,R,_,_).",
        "score(R,1,mainz) :- due(place_gray), elector(mainz,R,_,_).",
    ),
    _kaiser(
        "excommunication first", "election",
        "chooses(R,influence,2*I) :- held(R,church_influence,_), not influenced(_), challenger(_), order(R,I). "
        "chooses(R,exclude,2*I+1) :-",
        "chooses(R,influence,2*I+1) :- held(R,church_influence,_), not influenced(_), challenger(_), order(R,I). "
        "chooses(R,exclude,2*I) :-",
    ),
    _kaiser(
        "no elector to the throne", "throne",
        "elector_serves(R,E) :- elector(E,R,_,_), not aristocrat(_,R,_,_,_), not spare(R,aristocrat), not some_alone(R).",
        "",
    ),
    _kaiser(
        "empire city stays not", "emperor_action",
        'violates(R,move_empire_city(E,E),"space.city") :- candidate(R,move_empire_city(E,E)), not room(E,city).',
        'violates(R,move_empire_city(E,E),"space.city") :- candidate(R,move_empire_city(E,E)).',
    ),
    _kaiser("foreign cities once", "income", "M,E : city(E,Q,M), elector(E,R,_,_)", "1,E : city(E,Q,M), elector(E,R,_,_)"),
    _kaiser(
        "turn after the emperor", "succession",
        "turn_done(R) :- made(_,succeed), acting(R).",
        "turn_done(R) :- made(R,succeed), acting(_).",
    ),
    _kaiser(
        "Trier free", "actions",
        "price(R,privilege(trier,C,X),N) :-",
        "price(R,privilege(trier,C,X),0) :-",
    ),
    _krone(
        "large cities 2", "events",
        "score(R,1,large_city(S)) :- scores_cities(R)",
        "score(R,2,large_city(S)) :- scores_cities(R)", players=3,
    ),
    _krone(
        "losers' cathedrals", "victory",
        "score(R,1,cathedral(S)) :- due(settle), victor(V), vote(R,V)",
        "score(R,1,cathedral(S)) :- due(settle), victor(V), vote(R,_)", players=3,
    ),
    _krone(
        "swords stay with a new king", "people",
        "gain(people(V),N,back) :- people_return, lies_open(V,N).",
        "gain(people(crown),N,back) :- people_return, lies_open(crown,N).", players=3,
    ),
    _krone(
        "not both areas", "ending",
        "score(R,2,second) :- due(end), second(N), size(F,N), shield(F,R).",
        "score(R,2,second) :- due(end), second(N), size(F,N), shield(F,R), not big(R). "
        "big(R) :- largest(N), size(F,N), shield(F,R).", players=3,
    ),
    _krone(
        "one ambush counts", "force",
        "ambushed(attack,I) :- answered(_,J), nth_ambush(I), I <= J.",
        "ambushed(attack,1) :- answered(_,J), J > 0.", players=3,
    ),
    _krone(
        "one field resettled", "resettle",
        "#sum{ 1,F : shield(F,R) } < 2",
        "#sum{ 1,F : shield(F,R) } < 1", players=3,
    ),
    _krone("discards stay", "building", "shuffle_discards_in :- crowned(_).", "", players=3),
    _krone(
        "second field with 2", "expansion",
        "ap(N), N > 0, reachable",
        "ap(N), N > 1, reachable", players=3,
    ),
    _krone(
        "castles lead", "revolt",
        "can_lead(R) :- player(R), owns(R,castle), owns(R,city).",
        "can_lead(R) :- player(R), owns(R,castle).", players=3,
    ),
    _krone(
        "anybody's points begin the end", "victory",
        "leader_won, turn(R), points(R,I), threshold(N)",
        "leader_won, turn(R), points(_,I), threshold(N)", players=3,
    ),
)  # fmt: skip
"""Mutants that were written without knowledge of the tests. Disturbed positions notice them all."""
