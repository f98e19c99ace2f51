"""Games for tests: an opening, a complete random game, and an election in the last round."""

from functools import lru_cache
from random import Random

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, game_under, load
from kaiser_logic.play.match import Match, random_actions
from kaiser_logic.position import Position

HEAD = '[Game "kaiser"]\n'

VOTE = """
    seat(red,1). seat(green,2). seat(blue,3). seat(yellow,4). round(5). phase(election). emperor(blue).
    throne(blue,35,baron). elector(boehmen,blue,35,couple). elector(brandenburg,red,35,couple).
    elector(koeln,green,35,baron). elector(pfalz,blue,35,baron). elector(sachsen,yellow,25,couple).
    aristocrat(boehmen,blue,15,baron,1). aristocrat(boehmen,green,25,baron,1).
    aristocrat(boehmen,red,25,baron,1). aristocrat(boehmen,yellow,15,baron,1).
    aristocrat(brandenburg,blue,45,baron,1). aristocrat(brandenburg,yellow,35,baron,1).
    aristocrat(koeln,green,15,couple,1). aristocrat(koeln,green,45,couple,1).
    aristocrat(pfalz,blue,15,couple,1). aristocrat(pfalz,green,25,baron,1).
    aristocrat(pfalz,yellow,45,couple,1). aristocrat(sachsen,green,15,baron,1).
    aristocrat(sachsen,green,25,couple,1). aristocrat(sachsen,yellow,15,couple,1).
    aristocrat(trier,blue,15,couple,1). aristocrat(trier,red,35,couple,1). knight(boehmen,castle,green,1).
    knight(boehmen,castle,red,1). knight(koeln,castle,green,1). knight(pfalz,castle,blue,1).
    knight(sachsen,aristocrat,red,1). knight(sachsen,castle,yellow,1). city(brandenburg,blue,1).
    city(brandenburg,red,1). city(koeln,green,1). city(mainz,yellow,1). city(pfalz,blue,1).
    city(pfalz,green,1). city(sachsen,red,1). city(trier,green,1). city(trier,red,1).
    empire_city(boehmen,2). empire_city(sachsen,1). thalers(blue,0). thalers(green,1). thalers(red,7).
    thalers(yellow,0). points(blue,12). points(green,20). points(red,16). points(yellow,9).
    display(church_influence,1). display(excommunication,1). display(gray_eminence,1). display(move,1).
    display(ordinance,2). display(pope,1). held(blue,doctor,1). held(blue,permit,2). held(green,doctor,1).
    held(green,move,1). held(green,permit,1). held(green,promotion,1). held(red,indulgence,1).
    held(red,rival,1). held(yellow,doctor,1). held(yellow,foreign_daughter,1). held(yellow,ordinance,1).
    held(yellow,permit,1). finished(blue). finished(green). finished(red). finished(yellow). used(koeln).
    decision(green,vote). decision(yellow,vote).
"""
"""Round 5: blue is emperor and red is the rival; green and yellow vote. Green wins after every vote."""

ELECTION = f"{HEAD}position {{{VOTE}}}\n"
"""A record that starts at this position."""


@lru_cache
def opening() -> str:
    """The moves of a set-up with four players up to red's first turn, one on each line."""
    match = Match(load("kaiser"))
    while match.position.decisions != {"red": "turn"}:
        (role,) = match.deciding
        match.do(role, symbols.read_symbol(match.legal(role)[0]))
    return "".join(f"{move.role}: {move.action}\n" for move in match.moves)


@lru_cache
def played(players: int = 2, seed: int = 1) -> str:
    match = Match(load("kaiser", players=players))
    random = Random(seed)
    while match.deciding:
        for role, action in random_actions(match.position, random).items():
            assert symbols.text(action) in match.legal(role)
            match.do(role, action)
    return str(match.record())


def game_at(position: Position) -> Game:
    return game_under(position.ruleset.configuration)
