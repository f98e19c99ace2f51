"""Sets in actions (``engine = ["sets"]``): each role's set is a name, and the program chooses its parts.

In the rulebook's world a set is a term, ``with(N,C,Z)`` or ``none``; here it is ``set__(R)``, the set of the role R. The
rules of ``engine/sets.lp`` are replaced by `RULES`. Let a position and actions be given, where the action of R names the
set S(R). The program can choose the parts of S(R) for ``set__(R)``, as a set has at most one number of copies of each
thing. Then both worlds derive the same atoms, with ``set__(R)`` for S(R), if no rule sees more of a set than its parts and
its owner. `check` holds the rules to that:

* A variable for a set, or for an action with one, has one *owner* in a body: a positive atom that passes on what a role
  named, from the action itself (``does(R,force(M))``) or through the head of such a rule. All else that reads it is
  ``part(M,C,N)`` or ``set(M)``. So no two sets are compared, no set is counted, and nothing is asked of the parts of a set,
  which are sets, too. ``_`` has no owner: it stands for no set whose parts are read.
* No rule has a term in the place of a set, and no head has a set twice, as that compares sets, too.
* No set and no action with one is passed on to what the engine reads: a reason of a gain is counted. A candidate with a set
  breaks a rule of the game only for the role whose candidate it is.
* An action with a set is written only where actions stand. Elsewhere no such action is looked up.
* An action names one set.

Parts exist only of sets that are ``listed``. So each action with a set needs the rule that lists it, ``listed(M) :-
candidate(_,force(M))``, and a move generator that reads parts is not covered (`OF_LISTED`). A predicate of sets that a rule
derives from ``listed(M)`` and parts alone is read as parts are.
``pick`` says that the role picks, and that all parts are pickable. The engine's ``partial`` and ``pick`` say the same of
sets with at most K copies of each thing, as ``partial`` goes through the things in their order, where it may leave out each
one. It begins where ``combinations`` has counted all things: for each it has a largest number of copies, or none, so it
always comes to the last one, unless there are too many sets (`too_many`). Then the engine lists no actions, and says so. A
set with more copies is no ``set``, so no action with it is declared.

What else of ``engine/sets.lp`` is needed: a set names its things in their order, each once (``earlier``), with 1 to K copies, so
it is a choice of a number of copies for each thing. `check` sees to it that the things are numbered 1, 2, .. and that none is
there twice. ``set(none)`` needs no list, but no rule may write ``none`` in the place of a set.

To show that nobody is stuck, two sets are judged: the empty one, and as many copies of each thing as can be picked. If both
are illegal, others may be legal. A third set is any set. In the ground program it and the second one have all parts that sets
can have, so there it is seen if one set's violations depend on another set.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from .. import clingo
from .text import NotCovered, Signature, WrittenRule, functor, is_plain, kind, nodes, signature, variables

SET: Final = ("set", 1)
LISTED: Final = ("listed", 1)
PICK: Final = ("pick", 2)
PICKABLE: Final = ("pickable", 3)
_DEFINED: Final = {
    SET,
    PICK,
    ("part", 3),
    ("earlier", 2),
    ("most_sets", 1),
    ("combinations", 3),
    ("partial", 3),
    ("too_many", 2),
}
"""What only ``engine/sets.lp`` may define."""
OF_LISTED: Final = {SET, LISTED, ("part", 3)}
"""What depends on the candidates, which list their sets."""
_REPLACED: Final = _DEFINED - {SET, PICK, ("part", 3)}
"""What `RULES` does not define. No rule may read it."""
_CONTENT: Final = {(("part", 3), 0), (SET, 0)}
_ACTIONS: Final = {(("candidate", 2), 1), (("does", 2), 1), (("submitted", 2), 1), (("violates", 3), 1)}
RULES: Final = """
set(M) :- stand_in__(M,_).
part(M,C,N) :- stand_in__(M,_), chosen__(M,C,N).
listed(M) :- stand_in__(M,_).
overdrawn__(R,M) :- stand_in__(M,R), chosen__(M,C,N), not pickable(R,C,N).
pick(R,M) :- picker(R), stand_in__(M,R), not overdrawn__(R,M).
"""
CHOSEN: Final = (
    "stand_in__(set__(R),R) :- decision(R,_).",
    "{ chosen__(set__(R),C,N) : N = 1..K } 1 :- thing(C,_,K), decision(R,_).",
)
"""Any set for each role that decides."""
WITNESSES: Final = (
    "stand_in__(none__(R),R) :- decision(R,_). stand_in__(all__(R),R) :- decision(R,_).",
    "chosen__(all__(R),C,N) :- thing(C,_,K), decision(R,_), N = 1..K, pickable(R,C,N), not more__(R,C,N).",
    "more__(R,C,N) :- thing(C,_,K), decision(R,_), pickable(R,C,M), M <= K, N = 1..M-1.",
)
"""Two sets for each role that decides: none, and the most that can be picked."""

_Place: TypeAlias = tuple[Signature, int]
_ACTION, _SET, _ANY, _PARTS = "action", "set", "any listed set", "parts"
"""The sorts of places: an action and a set that a role named, any set that is listed, and what is a matter of parts alone."""


def check(
    rules: Iterable[WrittenRule],
    actions: Sequence[WrittenRule],
    things: Sequence[clingo.Symbol],
    reserved: Collection[Signature],
) -> None:
    """Refuses rules that see more of a set than its parts and its owner.

    Args:
        rules: The rules, without those of ``engine/sets.lp``.
        actions: The declarations of actions.
        things: The facts ``thing(C,I,N)``.
        reserved: What the engine's own rules read.

    Raises:
        NotCovered: There is such a rule.
    """
    places = [clingo.Number(k) for k in range(1, len(things) + 1)]
    if not things or len({s.arguments[0] for s in things}) < len(things):
        raise NotCovered("there are no things of sets, or one of them twice")
    if sorted(s.arguments[1] for s in things) != places:
        raise NotCovered("the things of sets are not numbered 1, 2, ..")
    if any(s.arguments[2].type is not clingo.SymbolType.Number for s in things):
        raise NotCovered("the number of copies of a thing is no number")
    rules = list(rules)
    for rule in rules:
        if rule.head in _DEFINED:
            raise NotCovered(f"{rule.file}: a rule for {rule.head[0]}, which engine/sets.lp defines: {rule.text}")
    listed = {place for rule in rules if rule.head == LISTED and (place := _listing(rule)) is not None}
    sorts: dict[_Place, str] = {
        **dict.fromkeys(_CONTENT, _PARTS),
        **dict.fromkeys(_ACTIONS, _ACTION),
        (LISTED, 0): _ANY,
        (PICK, 1): _SET,
    }
    for rule in actions:
        sorts.update(dict.fromkeys(_sets_of(rule, listed), _SET))
    rules = [rule for rule in rules if rule.head != LISTED]
    last = False
    while not last:
        found = dict(one for rule in rules for one in _passed_on(rule, sorts))
        last = found.items() <= sorts.items()
        if any(sorts.get(place, sort) != sort for place, sort in found.items()):
            raise NotCovered("a predicate is about sets in two ways")
        sorts.update(found)
        if any(place[0] in reserved and place not in _ACTIONS for place in found):
            raise NotCovered("a set, or an action with one, in what the engine reads")
    unsafe = _writing(rules, sorts)
    if ("thing", 3) in unsafe:
        raise NotCovered("an action with a set as a thing")
    for rule in rules:
        if (PICK in rule.reads and rule.head != ("candidate", 2)) or not rule.reads.isdisjoint(_REPLACED):
            raise NotCovered(f"{rule.file}: a rule that reads all sets: {rule.text}")
        _refuse(rule, sorts, unsafe)


def _writing(rules: Sequence[WrittenRule], sorts: dict[_Place, str]) -> set[Signature]:
    """The predicates that may hold of an action with a set where no action stands, as a rule writes or copies it."""
    having = {place[0] for place, sort in sorts.items() if sort == _SET}
    found: set[Signature] = set()
    before = None
    while before != len(found):
        before = len(found)
        for rule in rules:
            fluent = rule.head == ("fluent", 1)
            head = rule.args[0] if fluent else rule.tree.head
            written = any(
                place is not None and sorts.get(place) != _ACTION and _action_of(term) in having
                for term, place in _occurrences(head, sorts)
            )
            if written or _variables_read(rule, found) & variables(head):
                found.add((functor(head) or rule.head) if fluent else rule.head)
    return found


def _variables_read(rule: WrittenRule, unsafe: Collection[Signature]) -> set[str]:
    """The variables in a rule's body that stand in atoms of some predicates."""
    atoms = [n for n in nodes(rule.body) if kind(n) == "SymbolicAtom" and signature(n) in unsafe]
    return variables(atoms)


def _sets_of(rule: WrittenRule, listed: set[_Place]) -> Iterator[_Place]:
    """The places of sets in a declared action."""
    action = rule.args[1]
    read = sum(kind(n) == "SymbolicAtom" and signature(n) == SET for n in nodes(rule.body))
    if read > 1 or (read and not any(is_plain(x) and signature(x.atom) == SET for x in rule.body)):
        raise NotCovered(f"{rule.file}: an action with two sets, or with a calculation of sets: {rule.text}")
    names = [n.name for n in nodes([*rule.body, *rule.args]) if kind(n) == "Variable"]
    for literal in rule.body:
        if kind(literal) == "Literal" and kind(literal.atom) == "SymbolicAtom" and signature(literal.atom) == SET:
            name = str(literal.atom.symbol.arguments[0])
            args = [str(x) for x in action.arguments] if kind(action) == "Function" else []
            if args.count(name) != 1 or names.count(name) != 2 or int(literal.sign):
                raise NotCovered(f"{rule.file}: a set in {rule.text}")
            place = (f"{action.name}()", len(args)), args.index(name)
            if place not in listed:
                raise NotCovered(f"{rule.file}: no rule lists the sets of {action}")
            yield place


def _listing(rule: WrittenRule) -> _Place | None:
    """The place in an action whose sets a rule lists, such as ``listed(M) :- candidate(_,force(M))``."""
    name = str(rule.args[0])
    if (
        len(rule.body) != 1
        or rule.reads != {("candidate", 2)}
        or kind(rule.args[0]) != "Variable"
        or int(rule.body[0].sign)
    ):
        return None
    role, action = rule.body[0].atom.symbol.arguments
    args = [str(x) for x in action.arguments] if kind(action) == "Function" else []
    if str(role) != "_" or args.count(name) != 1 or args.count("_") != len(args) - 1:
        return None
    return (f"{action.name}()", len(args)), args.index(name)


def _occurrences(
    tree: clingo.Tree, sorts: Mapping[_Place, str], place: _Place | None = None
) -> Iterator[tuple[clingo.Tree, _Place | None]]:
    """The terms in a tree, each with the place in which it stands directly; None for a place in no atom.

    The arguments of a term are in places of their own only if it stands where actions do. A fluent may have their names.
    """
    if not hasattr(tree, "ast_type"):
        for one in tree if isinstance(tree, Iterable) and not isinstance(tree, str) else ():
            yield from _occurrences(one, sorts)
        return
    if kind(tree) == "SymbolicAtom":
        tree = tree.symbol
    elif place is not None or kind(tree) in ("Variable", "SymbolicTerm", "Function"):
        yield tree, place
        if kind(tree) in ("Variable", "SymbolicTerm"):
            return
    inside = place is not None and sorts.get(place) == _ACTION
    if kind(tree) == "Function" and tree.arguments:
        for k, one in enumerate(tree.arguments):
            name = tree.name if place is None else f"{tree.name}()" if inside else f"{tree.name} elsewhere"
            yield from _occurrences(one, sorts, ((name, len(tree.arguments)), k))
    elif kind(tree) != "SymbolicTerm":
        for key in tree.child_keys:
            value = getattr(tree, key)
            if value is not None:
                yield from _occurrences(value, sorts)


def _uses(rule: WrittenRule, sorts: dict[_Place, str]) -> dict[str, list[str]]:
    """The variables for sets, and for actions, in a rule's body; for each the sorts of its places."""
    uses: dict[str, list[str]] = {}
    for literal in rule.body:
        compared = re.fullmatch(r"(\w+) (?:!=|=) [a-z]\w*", str(literal))  # with a constant
        for term, place in _occurrences(literal, sorts):
            if kind(term) == "Variable" and term.name != "_":
                sort = "" if compared else "?" if place is None else sorts.get(place, "")
                uses.setdefault(term.name, []).append(sort)
    return {name: found for name, found in uses.items() if set(found) - {"", "?"}}


def _action_of(term: clingo.Tree) -> Signature | None:
    """The functor of a term, as it is named in a place of an action."""
    found = functor(term)
    return None if found is None else (f"{found[0]}()", found[1])


def _passed_on(rule: WrittenRule, sorts: dict[_Place, str]) -> Iterator[tuple[_Place, str]]:
    """The places of the head in which a rule puts sets and actions, with their sorts."""
    about = _uses(rule, sorts)
    having = {place[0] for place, sort in sorts.items() if sort == _SET}
    for term, place in _occurrences(rule.tree.head, sorts):
        if functor(term) in having and place is not None and place[0] == rule.head and variables(term) & about.keys():
            yield place, _ACTION
        if kind(term) == "Variable" and term.name in about and place is not None and place[0] == rule.head:
            owner = next((x for x in about[term.name] if x in (_ACTION, _SET)), _PARTS)
            yield place, sorts.get(place, owner) if owner == _SET and sorts.get(place) == _ACTION else owner


def _refuse(rule: WrittenRule, sorts: dict[_Place, str], unsafe: set[Signature]) -> None:
    """Refuses a rule that sees more of a set than it may."""
    about = _uses(rule, sorts)
    copied = _variables_read(rule, unsafe)
    fits = (
        all(_has_one_owner(found) for found in about.values())
        and not any("" in found and name in copied for name, found in about.items())
        and all(_is_body_fit(literal, sorts) for literal in rule.body)
        and _is_head_fit(rule, sorts, about, copied)
    )
    if not fits:
        raise NotCovered(f"{rule.file}: a rule that looks at a set, not only at its parts: {rule.text}")


def _has_one_owner(found: list[str]) -> bool:
    """Whether the places of a variable are those of one set, of which only the parts are read."""
    owners = [x for x in found if x not in (_PARTS, "")]
    # an action may be looked up where no action with a set ever stands
    return len(owners) == 1 and "?" not in found and ("" not in found or (owners == [_ACTION] and _PARTS not in found))


def _is_body_fit(literal: clingo.Tree, sorts: dict[_Place, str]) -> bool:
    """Whether a literal has variables, and no terms, in the places of sets, and names none where it is not an atom."""
    for term, place in _occurrences(literal, sorts):
        sort = "" if place is None else sorts.get(place, "")
        named = kind(term) == "Variable" and term.name != "_"
        if named and sort not in ("", _PARTS) and not is_plain(literal):
            return False
        if not named and (sort in (_PARTS, _ANY) or place == (PICK, 1)):
            return False
        if kind(term) != "Variable" and sort and sort != _ACTION:
            return False
    return True


def _is_head_fit(rule: WrittenRule, sorts: dict[_Place, str], about: dict[str, list[str]], copied: set[str]) -> bool:
    """Whether the head has the sets of the body, and no others, in the places of sets, each once."""
    unnamed = {name for name, found in about.items() if _ANY in found}  # perhaps no role names such a set
    heads: list[str] = []
    for term, place in _occurrences(rule.tree.head, sorts):
        sort = "" if place is None else sorts.get(place, "")
        name = term.name if kind(term) == "Variable" else ""
        if name in about:
            heads.append(name)
        if (name in about) != bool(sort) and sort != _ACTION:
            return False
        if sort and ((name in unnamed and sort != _PARTS) or (name not in about and name in copied)):
            return False
    if len(set(heads)) < len(heads) or not unnamed <= set(heads):
        return False
    judged = [str(x) for x in rule.args[:2]]
    atoms = [x.atom.symbol for x in rule.body if is_plain(x) and kind(x.atom.symbol) == "Function"]
    return (
        rule.head != ("violates", 3)
        or not heads
        or any(x.name in ("candidate", "does") and [str(y) for y in x.arguments] == judged for x in atoms)
    )
