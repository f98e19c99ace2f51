"""Positions of Im Schatten des Kaisers for tests: one of each phase, and how to change them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

_BOARD = """
    seat(red,1) seat(green,2) seat(blue,3) seat(yellow,4) round(2) emperor(red) throne(red,35,baron)
    elector(trier,green,35,baron) elector(koeln,red,25,baron) elector(pfalz,blue,45,couple)
    elector(brandenburg,yellow,25,couple)
    aristocrat(trier,red,25,baron,1) aristocrat(trier,blue,15,couple,1) knight(trier,aristocrat,green,1)
    knight(trier,castle,blue,1) city(trier,red,1) empire_city(trier,1)
    aristocrat(mainz,red,45,couple,1) aristocrat(mainz,yellow,35,baron,2)
    aristocrat(boehmen,green,15,baron,1) aristocrat(boehmen,green,15,couple,1)
    knight(boehmen,aristocrat,red,1) knight(boehmen,castle,red,1) city(boehmen,blue,1)
    empire_city(brandenburg,1)
    thalers(red,7) thalers(green,4) thalers(blue,2) thalers(yellow,0)
    points(red,3) points(green,0) points(blue,2) points(yellow,1)
    display(doctor,3) display(move,2) display(permit,4) display(ordinance,3) display(pope,1)
    display(excommunication,1) display(church_influence,1) display(indulgence,1) display(promotion,1)
    display(foreign_daughter,1) display(rival,1) display(gray_eminence,1)
"""

_PAIR = """
    seat(red,1) seat(green,2) round(2) emperor(red) throne(red,35,baron) closed(mainz) closed(sachsen)
    elector(trier,green,35,baron) aristocrat(koeln,red,25,baron,1) aristocrat(boehmen,green,25,couple,1)
    empire_city(trier,1) thalers(red,3) thalers(green,6) points(red,3) points(green,0)
    display(doctor,1) display(move,2) display(permit,2) display(ordinance,1) display(pope,1)
    display(excommunication,1) display(church_influence,1) display(indulgence,1) display(promotion,1)
    display(foreign_daughter,1) display(rival,1) display(gray_eminence,1)
"""

_TAKEN = "- display(doctor,3) + held(green,doctor,1) held(blue,doctor,1) held(yellow,doctor,1)"
_DONE = "+ finished(red) finished(green) finished(blue) finished(yellow)"
_RIVAL = f"- display(rival,1) + held(green,rival,1) {_DONE}"
_AGED = """
    - aristocrat(trier,blue,15,couple,1) aristocrat(boehmen,green,15,baron,1) aristocrat(boehmen,green,15,couple,1)
    + aristocrat(trier,blue,25,couple,1) aristocrat(boehmen,green,25,baron,1) aristocrat(boehmen,green,25,couple,1)
    - thalers(green,4) thalers(blue,2) thalers(yellow,0) + thalers(green,10) thalers(blue,8) thalers(yellow,6)
"""

_PHASES: Mapping[str, tuple[str, str]] = {
    # name: facts, and what is changed in them
    "actions": (_BOARD, f"{_TAKEN} + phase(actions) decision(red,turn)"),
    "trier": (_BOARD, f"{_TAKEN} + phase(actions) decision(green,turn)"),
    "pair": (_PAIR, "+ phase(actions) decision(red,turn)"),
    "aging": (_BOARD, f"{_AGED} - throne(red,35,baron) + phase(aging) decision(red,succeed)"),
    "offer": (
        _BOARD,
        f"{_AGED} - display(permit,4) + display(permit,3) held(red,permit,1) phase(descendants) decision(red,offer)",
    ),
    "answer": (
        _BOARD,
        f"{_AGED} - display(permit,4) + display(permit,3) held(red,permit,1) phase(descendants)"
        " decision(green,answer(red,aristocrat(boehmen),25))",
    ),
    "son": (
        _BOARD,
        f"{_AGED} - display(doctor,3) + display(doctor,2) held(green,doctor,1) phase(descendants) decision(green,son)",
    ),
    "gray": (
        _BOARD,
        f"{_DONE} - display(gray_eminence,1) + held(yellow,gray_eminence,1) phase(electors) decision(yellow,gray)",
    ),
    "pair gray": (
        _PAIR,
        "+ finished(red) finished(green)"
        " - display(gray_eminence,1) + held(green,gray_eminence,1) phase(electors) decision(green,gray)",
    ),
    "appoint": (_BOARD, f"{_DONE} phase(electors) decision(red,appoint(mainz))"),
    "install": (
        _BOARD,
        f"{_DONE} - aristocrat(trier,red,25,baron,1) + aristocrat(trier,blue,25,baron,1)"
        " phase(electors) decision(blue,install(trier))",
    ),
    "settle": (_BOARD, f"{_DONE} - city(trier,red,1) + phase(electors) decision(green,settle(trier))"),
    "influence": (
        _BOARD,
        f"{_RIVAL} - display(church_influence,1)"
        " + held(blue,church_influence,1) phase(election) decision(blue,influence)",
    ),
    "exclude": (
        _BOARD,
        f"{_RIVAL} - display(excommunication,1)"
        " + held(yellow,excommunication,1) phase(election) decision(yellow,exclude)",
    ),
    "vote": (_BOARD, f"{_RIVAL} + phase(election) decision(blue,vote) decision(yellow,vote)"),
    "enthrone": (
        _BOARD,
        f"{_RIVAL} - emperor(red) + emperor(green) phase(election) decision(green,enthrone)",
    ),
    "retire": (
        _BOARD,
        f"{_RIVAL} - emperor(red) + emperor(green) throne(green,15,baron)"
        " phase(election) decision(red,retire)",
    ),
    "empire_city": (_BOARD, f"{_DONE} phase(emperor_action) decision(red,empire_city)"),
    "move_empire_city": (
        _BOARD,
        f"{_DONE} - round(2) + round(3) phase(emperor_action) decision(red,move_empire_city)",
    ),
    "over": (_BOARD, f"{_DONE} - round(2) + round(5) phase(over)"),
}

_SET_UP: Mapping[str, tuple[int, str]] = {
    # name: players, and the actions so far
    "close": (2, ""),
    "close secular": (2, "close(trier)"),
    "closed": (2, "close(trier) close(pfalz)"),
    "closed elector": (2, "close(trier) close(pfalz) empire_city(mainz)"),
    "start": (4, ""),
    "elector": (4, "empire_city(boehmen) elector(mainz)"),
    "aristocrat": (
        4,
        "empire_city(boehmen) elector(mainz) elector(pfalz) elector(boehmen) aristocrat(trier)",
    ),
    "knight": (
        4,
        "empire_city(boehmen) elector(mainz) elector(pfalz) elector(boehmen)"
        " aristocrat(trier) aristocrat(trier) aristocrat(trier) aristocrat(koeln)"
        " aristocrat(koeln) aristocrat(koeln) aristocrat(mainz) aristocrat(mainz)"
        " aristocrat(mainz) aristocrat(pfalz) aristocrat(pfalz) aristocrat(pfalz)",
    ),
}

NAMES = (*_PHASES, *_SET_UP)


@cache
def game(players: int = 4, edition: str = "standard", options: tuple[tuple[str, str], ...] = ()) -> Game:
    """A game with the first seats."""
    return load("kaiser", players=players, edition=edition, options=dict(options))


@cache
def position(
    name: str, change: str = "", edition: str = "standard", options: tuple[tuple[str, str], ...] = ()
) -> Position:
    """The named position after changes. It must be valid."""
    if name in _SET_UP:
        players, actions = _SET_UP[name]
        found = game(players, edition, options).initial()
        for action in actions.split():
            found = found.apply({found.to_move[0]: action})
        return found
    base, own = _PHASES[name]
    players = base.count("seat(")
    return game(players, edition, options).position(changed(changed(frozenset(base.split()), own), change))


def changed(facts: frozenset[str], change: str) -> frozenset[str]:
    """The facts without those after ``-`` and with those after ``+``. Each change must have an effect."""
    adds = True
    for word in change.split():
        if word in "+-":
            adds = word == "+"
            continue
        assert adds != (word in facts), f"{'+' if adds else '-'} {word}"
        facts = facts | {word} if adds else facts - {word}
    return facts
