"""Reads a rulebook: the text of its files, through clingo's own parser.

A `Book` is what the rest of the checker knows of a game: its rules, as they are written, and the settings as facts. Two
operations change a rule: ``unpool`` of clingo's parser (``p(a;b).`` becomes two rules), and `WrittenRule.with_names`, which gives
predicates other names. No rule is evaluated, split or specialised.

What is not understood for sure raises `NotCovered`, here and everywhere in the checker; then nothing is checked. In
particular a rulebook may only have rules with one positive head, as the contract of rulebooks demands, and no name in it
may contain ``__``, so that all such names are the checker's own.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from .. import clingo
from ..errors import KaiserLogicError, NotDecided, UnreadableInput
from ..wraparound import LARGEST, refuse_wraparound

_EQUAL: Final = 5
"""The operator ``=`` of a comparison in clingo's syntax trees."""
Signature: TypeAlias = tuple[str, int]

REPLACED: Final = {
    "legal": "35f0aaffc38c0405",
    "judge": "7dc88194cf3b8f69",
    "position": "5715a7d5b0c34671",
    "change": "798c1d626be1c4eb",
}
"""The engine's files whose meaning is built into the checker, each with the hash of the rules that it knows."""
SETS: Final = "135c8a68cbd5a3b8"
"""The hash of the rules of ``engine/sets.lp``, which `sets` replaces."""


def predicates(text: str) -> frozenset[Signature]:
    """Predicates from text such as ``seat/2 due/1``."""
    return frozenset((name, int(arity)) for name, arity in (word.split("/") for word in text.split()))


_GIVEN: Final = predicates("seat/2 start/2 ruling/2 board/1 number/1")
"""What the engine states as facts. The checker knows no board files, so ``board`` is empty."""
TRANSIENT: Final = predicates("submitted/2 does/2 made/2 candidate/2 then/1 more/2 total/2")
"""What belongs to one action or one position, and has no rules in a rulebook."""
INTERNAL: Final = predicates(
    "declared/2 offered/2 guard/3 pending/3 is_pending/2 several_rules/2 plausible/3 several_plausible/2 only_rule/3"
    " has_rule/2 legal/2 holds/1 change/2 touched/1"
)
"""What only the engine's files may read and define."""
_BUILT_IN: Final = _GIVEN | TRANSIENT | INTERNAL | predicates(
    "fluent/1 counted/2 stated/2 signed/2 unit/2 step/1 simultaneous/1 action/2 out_of_turn/2 implausible/1 candidate/2"
    " violates/3 too_many/2 weight/2 gain/3 lose/3 shift/4 add/1 del/1 counts/3 limit/3 range/3 bound/2 init/1 terminal/0 goal/2"
    " winner/1 broken/2 waived/1 presumed/1 conceals/2 instead/2 board_fact/1 board_broken/2 due/1 thing/3"
)  # fmt: skip
"""What has a meaning although no rule may read it. A file of claims defines none of it."""
_KINDS: Final = {"SymbolicAtom", "Comparison", "BooleanConstant", "BodyAggregate", "Aggregate"}
_ODD: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]|\r(?!\n)")
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]|#(?=include)")
_QUOTED: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|%\*[^%]*\*%|%[^\n]*')
"""Texts and comments."""
_NUMBER: Final = re.compile(r"(?<![\w'])(?:0x[0-9A-Fa-f]{8,}|0o[0-7]{8,}|0b[01]{8,}|\d{10,})")
_BOUND: Final = 3


class NotCovered(KaiserLogicError):
    """Something that the checker does not know for sure how to treat. What depends on it is not checked."""


def nodes(tree: clingo.Tree) -> Iterator[clingo.Tree]:
    """The nodes of a syntax tree, or of several."""
    left = [tree]
    while left:
        node = left.pop()
        if hasattr(node, "ast_type"):
            yield node
            left += (getattr(node, key) for key in node.child_keys)
        elif isinstance(node, Iterable) and not isinstance(node, str):
            left += node


def kind(tree: clingo.Tree) -> str:
    """The name of a tree's type."""
    return str(tree.ast_type.name)


def signature(atom: clingo.Tree) -> Signature:
    """The signature of a symbolic atom."""
    found = functor(atom.symbol)
    if found is None:
        raise NotCovered(f"the atom {atom}")
    return found


def is_plain(literal: clingo.Tree) -> bool:
    """Whether a literal of a body is an atom, without ``not`` or a condition."""
    return kind(literal) == "Literal" and not int(literal.sign) and kind(literal.atom) == "SymbolicAtom"


def _is_inequality(literal: clingo.Tree) -> bool:
    """Whether a literal compares numbers otherwise than by ``=``, so that it gives no variable its value."""
    return kind(literal.atom) == "Comparison" and any(int(g.comparison) != _EQUAL for g in literal.atom.guards)


def signatures(tree: clingo.Tree) -> frozenset[Signature]:
    """The signatures of the symbolic atoms in a tree, or in several."""
    return frozenset(signature(n) for n in nodes(tree) if kind(n) == "SymbolicAtom")


def variables(tree: clingo.Tree) -> set[str]:
    """The names of the variables in a tree, or in several, but for ``_``."""
    return {n.name for n in nodes(tree) if kind(n) == "Variable"} - {"_"}


def functor(term: clingo.Tree) -> Signature | None:
    """The name and number of arguments of a term; None if it is a variable, a number or a calculation."""
    if kind(term) == "Function" and not term.external and term.name:
        return (term.name, len(term.arguments))
    if kind(term) == "SymbolicTerm" and term.symbol.type is clingo.SymbolType.Function and term.symbol.name:
        return (term.symbol.name, len(term.symbol.arguments))
    return None


def functor_of(symbol: clingo.Symbol) -> Signature:
    """The same of a ground term; numbers and texts have the name ``""``."""
    if symbol.type is not clingo.SymbolType.Function:
        return ("", 0)
    return (symbol.name, len(symbol.arguments))


def _copy_with(tree: Any, change: Callable[[clingo.Tree], clingo.Tree]) -> Any:
    """A copy of a tree in which each symbolic atom is changed."""
    if not hasattr(tree, "ast_type"):
        return [_copy_with(x, change) for x in tree] if isinstance(tree, Iterable) else tree
    if kind(tree) == "SymbolicAtom":
        return change(tree)
    keys = [k for k in tree.child_keys if getattr(tree, k) is not None]
    return tree.update(**{k: _copy_with(getattr(tree, k), change) for k in keys}) if keys else tree


class WrittenRule:
    """One rule, as it is written.

    Attributes:
        tree: Its syntax tree.
        file: The file.
        head: The signature of its head.
        args: The arguments of its head.
        body: The literals of its body.
        reads: The signatures of the atoms in its body.
        text: The rule as text.
    """

    def __init__(self, tree: clingo.Tree, file: str) -> None:
        """Refuses everything that is not a rule with one positive head, or that has other literals than those known here."""
        self.tree, self.file, self.text = tree, file, str(tree)
        head = tree.head
        if kind(head) != "Literal" or int(head.sign) or kind(head.atom) != "SymbolicAtom":
            raise NotCovered(f"{file}: a rule with such a head: {self.text}")
        self.head = signature(head.atom)
        self.args: list[clingo.Tree] = list(head.atom.symbol.arguments) if self.head[1] else []
        self.body: list[clingo.Tree] = list(tree.body)
        for literal in self.body:
            plain = literal.literal if kind(literal) == "ConditionalLiteral" else literal
            if kind(plain) != "Literal" or kind(plain.atom) not in _KINDS:
                raise NotCovered(f"{file}: the literal {literal}")
        for node in nodes(tree):
            if kind(node) == "Function" and node.external:
                raise NotCovered(f"{file}: the script function in {self.text}")
            if kind(node) == "Interval" and str(node.right) == str(LARGEST):
                raise NotCovered(f"{file}: the interval {node}, which does not end in clingo")
        self.reads = signatures(self.body)

    def with_names(self, name: Callable[[Signature], str | None]) -> str:
        """The text of the rule in which predicates have other names; None: the same name."""

        def change(atom: clingo.Tree) -> clingo.Tree:
            new = name(signature(atom))
            if new is None:
                return atom
            term = atom.symbol
            if kind(term) == "SymbolicTerm":
                return atom.update(symbol=term.update(symbol=clingo.Function(new)))
            return atom.update(symbol=term.update(name=new))

        return str(_copy_with(self.tree, change))

    def weaker(self, dynamic: Collection[Signature]) -> WrittenRule:
        """The choice ``{ h } :- B'`` for a rule ``h :- B``; B' is a part of B: atoms that are not dynamic, and what binds h.

        Each answer set of a program with the rule is one with the choice: where B holds B' does, so h may hold, and it need
        not hold elsewhere. The rule stays as it is if a sum in B' has a variable that only the rest of B gives its value.
        """
        new, bound = copy(self), set[str]()
        plain = [x for x in self.body if kind(x) == "Literal" and not int(x.sign) and not _is_inequality(x)]
        new.body = [x for x in self.body if is_plain(x) and signature(x.atom) not in dynamic]
        bound |= variables(new.body)
        for literal in plain:
            if variables(literal) & variables(self.args) - bound:
                new.body.append(literal)
                bound |= variables(literal)
        sums = [x for x in new.body if "Aggregate" in kind(x.atom)]
        given = variables([self.args, [x for x in new.body if x not in sums]])
        if variables(sums) & variables([x for x in self.body if x not in new.body]) - given:
            return self
        new.reads = signatures(new.body)
        new.text = new.at_head(f"{{ {self.tree.head} }}")
        (new.tree,) = (tree for tree in clingo.trees(new.text) if kind(tree) == "Rule")
        return new

    def at_head(self, head: str) -> str:
        """The text of a rule with another head and the same body."""
        body = "; ".join(map(str, self.body))
        return f"{head} :- {body}." if body else f"{head}."


def ground_exactly(
    text: str, facts: Iterable[clingo.Symbol] = (), observer: clingo.Observer | None = None
) -> clingo.Control:
    """A ground program in which no number has wrapped around.

    Raises:
        NotCovered: clingo does not ground it, or a calculation may leave 32 bits.
    """
    try:
        ground = clingo.ground(text, facts, observer=observer)
        refuse_wraparound(text.split("\n"), ground)
    except (RuntimeError, NotDecided) as error:
        raise NotCovered(f"clingo does not ground it: {error}") from None
    return ground


@lru_cache(maxsize=64)
def rules_of(text: str, file: str) -> Sequence[WrittenRule]:
    """The rules of a text, without pools.

    Raises:
        NotCovered: It cannot be read, or has something that is not a rule.
    """
    _refuse_foreign(text, file)
    try:
        trees = clingo.trees(text)
    except RuntimeError as error:
        raise NotCovered(f"{file}: {error}") from None
    found: list[WrittenRule] = []
    for tree in trees:
        if kind(tree) == "Comment":
            continue
        if kind(tree) != "Rule":
            raise NotCovered(f"{file}: the statement {tree}")
        found += [WrittenRule(one, file) for one in tree.unpool()]
    again = (tree for tree in clingo.trees("\n".join(rule.text for rule in found)) if kind(tree) == "Rule")
    if list(again) != [rule.tree for rule in found]:  # so clingo's printer need not be trusted
        raise NotCovered(f"{file}: clingo prints a rule otherwise than it reads it")
    return found


def _refuse_foreign(text: str, file: str) -> None:
    """Refuses what not all readers take for the same: numbers that clingo wraps around, characters, and other files.

    clingo reads no further than U+0000, and ends no line at some other characters at which Python does. Outside of texts and
    comments a letter that is not ASCII would end the process. A file of ``#include`` would be read without these checks.
    """
    if any(x[0].startswith("%*") and ("%" in x[0][1:-1] or x[0][-2:] != "*%") for x in _QUOTED.finditer(text)):
        raise NotCovered(f"{file}: a block comment with another comment in it")
    bare = _QUOTED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    odd = _ODD.search(text) or _FOREIGN.search(bare)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        raise NotCovered(f"{file}:{line}: the character U+{ord(odd[0]):04X}")
    for number in _NUMBER.finditer(bare):
        if int(number[0], 0 if number[0][1].isalpha() else 10) > LARGEST:
            line = text.count("\n", 0, number.start()) + 1
            raise NotCovered(f"{file}:{line}: the number {number[0][:20]} is too large")


@dataclass(frozen=True)
class Settings:
    """What a game is played under.

    Attributes:
        seats: The roles clockwise.
        rulings: The value of each ruling.
        start: The values of each start tag.
        claims: Further rules for ``broken``: claims by query. They are printed.
    """

    seats: tuple[str, ...]
    rulings: Mapping[str, str] = field(default_factory=dict)
    start: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    claims: str = ""

    def rules_of_claims(self) -> list[str]:
        """The rules of claims by query as they are read: one on each line, without comments, which could pretend to be rules.

        Raises:
            NotCovered: They cannot be read; then nothing is checked.
        """
        return [rule.text for rule in rules_of(self.claims, _BY_QUERY)]

    def facts(self) -> list[str]:
        """The settings as facts."""
        return [
            *(f"seat({role},{number})." for number, role in enumerate(self.seats, 1)),
            *(f"ruling({name},{value})." for name, value in sorted(self.rulings.items())),
            *(f"start({tag},{v})." for tag, values in sorted(self.start.items()) for v in values),
        ]


_BY_QUERY: Final = "claims by query"
_PART: Final = re.compile(r"\bclaimed(_[A-Za-z0-9]+)+__(apart|joined)?\d+\b")
"""What the translation of a query calls a part of it. The checker makes no name that ends so."""
_FILE: Final = re.compile(r"[A-Za-z0-9_-]+")
_CONSTANT: Final = re.compile(r"[a-z][A-Za-z0-9_]*|[0-9]+")


class Book:
    """The rules of a game under its settings.

    Attributes:
        rules: All rules: those of the files, of the engine's files that the game names, and of claims by query.
        manifest: The contents of ``game.toml``.
        files: The files that were read, with the hash of each.
    """

    def __init__(self, folder: Path, engine: Path, settings: Settings) -> None:
        """Reads a rulebook.

        Args:
            folder: The folder of the rulebook.
            engine: The folder of the engine's files.
            settings: What it is played under.

        Raises:
            NotCovered: Something in it is not known to the checker.
            UnreadableInput: It cannot be read.
        """
        self.folder, self.engine, self.settings = folder, engine, settings
        self.files: dict[str, str] = {}
        self._texts: list[str] = []
        try:
            self.manifest: dict[str, Any] = tomllib.loads(self._text_of(folder / "game.toml"))
            own = [f"{name}.lp" for name in (*self.manifest["files"], *self.manifest.get("claims", ()))]
            more = [f"{name}.lp" for name in self.manifest.get("engine", ())]
            claims = {f"{name}.lp" for name in self.manifest.get("claims", ())}
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableInput(f"is not a rulebook: {error}", str(folder)) from None
        for file in (*own, *more):  # so no file of the rulebook passes for one of the engine
            if not _FILE.fullmatch(file[:-3]):
                raise NotCovered(f"the file {file}: its name is no plain name")
        self._refuse_settings()
        for name, known in REPLACED.items():
            if not _hash(rules_of(self._text_of(engine / f"{name}.lp"), name)).startswith(known):
                raise NotCovered(f"engine/{name}.lp is not the one that the checker knows")
        self.rules: list[WrittenRule] = []
        for file in own:
            self._texts.append(self._text_of(folder / file))
            self.rules += rules_of(self._texts[-1], file)
        for rule in self.rules:
            _refuse_names(rule)
        for file in more:
            self._texts.append(self._text_of(engine / file))
            rules = rules_of(self._texts[-1], f"engine/{file}")
            if file[:-3] in REPLACED:
                raise NotCovered(f"the game names engine/{file}, which all games have")
            if file == "sets.lp" and not _hash(rules).startswith(SETS):
                raise NotCovered("engine/sets.lp is not the one that the checker knows")
            self.rules += rules
        self._refuse_claims(claims)
        self._claims()
        self.bound = int(self.manifest.get("bound", _BOUND))

    def _text_of(self, path: Path) -> str:
        try:
            data = path.read_bytes()
            self.files[f"{path.parent.name}/{path.name}"] = hashlib.sha256(data).hexdigest()
            return data.decode()
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableInput(f"cannot be read: {getattr(error, 'strerror', None) or error}", str(path)) from None

    def _refuse_claims(self, files: Collection[str]) -> None:
        """Refuses rules of the files of claims for what has another meaning: a game is played without these files."""
        known = _BUILT_IN.union(*((r.head, *r.reads) for r in self.rules if r.file not in files))
        for rule in self.rules:
            if rule.file in files and rule.head != ("wrong", 2) and rule.head in known:
                raise NotCovered(
                    f"{rule.file}: a rule of a claim for {rule.head[0]}, which has another meaning: {rule.text}"
                )

    def _claims(self) -> None:
        """Adds the rules of claims by query. They may define only what no rule of the rulebook reads or defines."""
        added = rules_of(self.settings.claims, _BY_QUERY)
        own = {functor(r.args[0]) for r in self.rules if r.head in {("broken", 2), ("wrong", 2)}}
        read = {s for r in self.rules for s in r.reads}
        known = read.union(*({r.head, *map(functor, r.args[:1])} for r in self.rules))  # fluents, too
        self.by_query: dict[str, str] = {}
        for rule in added:
            _refuse_names(rule)
            if rule.reads & TRANSIENT:
                raise NotCovered(f"a claim by query may not read what is done: {rule.text}")
            if rule.head != ("broken", 2):
                new = rule.head not in known and rule.head[0].startswith(("claimed_", "aux_"))
            else:
                name = functor(rule.args[0])
                new = name is not None and name not in own and rule.head not in read
                said = self.by_query.get(str(rule.args[0]))
                self.by_query[str(rule.args[0])] = f"{said} {rule.text}" if said else rule.text
            if not new:
                raise NotCovered(f"a claim by query may not define this: {rule.text}")
        self.rules += added

    def _refuse_settings(self) -> None:
        """Refuses settings that the manifest does not allow."""
        settings, manifest = self.settings, self.manifest
        rulings, tags = manifest.get("rulings", {}), manifest.get("tags", {})
        seats = set(settings.seats)
        if len(seats) < len(settings.seats) or not seats <= set(manifest["roles"]):
            raise NotCovered(f"the seats {' '.join(settings.seats)}")
        if len(seats) not in manifest["players"]:
            raise NotCovered(f"{len(seats)} players")
        if rulings.keys() != settings.rulings.keys() or any(
            value not in rulings[name]["values"] for name, value in settings.rulings.items()
        ):
            raise NotCovered("the rulings are not those of the manifest")
        if {t.lower() for t in tags} != settings.start.keys():
            raise NotCovered("the start tags are not those of the manifest")
        for name, tag in tags.items():
            values = settings.start[name.lower()]
            allowed = settings.seats if tag["values"] == "seats" else map(str, tag["values"])
            if len(set(values)) != tag.get("count", 1) or len(values) > len(set(values)) or not {*values} <= {*allowed}:
                raise NotCovered(f"the values of the start tag {name}")
        for value in chain(settings.seats, *settings.rulings.items(), settings.start, *settings.start.values()):
            if not _CONSTANT.fullmatch(value):
                raise NotCovered(f"the name or value {value}")

    @cached_property
    def by_head(self) -> dict[Signature, list[WrittenRule]]:
        """The rules of each predicate."""
        return by_head(self.rules)

    def heading(self, id: str) -> str:
        """The statement of an invariant or a claim, as a heading in the files that are read gives it; empty without one."""
        heading = re.compile(rf"^%! +(?:invariant|claim) +{re.escape(id)} +-- +(.*(?:\n%!     +\S.*)*)", re.M)
        for text in self._texts:
            found = heading.search(text)
            if found:
                return re.sub(r"\s*\n%! +", " ", found[1]).strip()
        return ""


def _refuse_names(rule: WrittenRule) -> None:
    """Refuses a rule with a name of the checker, and one that defines or reads what only the engine may."""
    if "__" in (_PART.sub("", rule.text) if rule.file == _BY_QUERY else rule.text):
        raise NotCovered(f"{rule.file}: a name with '__', which belongs to the checker: {rule.text}")
    if rule.head in (_GIVEN | TRANSIENT | INTERNAL) - {("candidate", 2)}:
        raise NotCovered(f"{rule.file}: a rule for {rule.head[0]}, which only the engine defines")
    for name, _ in rule.reads & INTERNAL:
        raise NotCovered(f"{rule.file}: a rule that reads {name}: {rule.text}")


def _hash(rules: Iterable[WrittenRule]) -> str:
    return hashlib.sha256("\n".join(r.text for r in rules).encode()).hexdigest()


def by_head(rules: Iterable[WrittenRule]) -> dict[Signature, list[WrittenRule]]:
    """Rules by the predicates of their heads."""
    found: dict[Signature, list[WrittenRule]] = {}
    for rule in rules:
        found.setdefault(rule.head, []).append(rule)
    return found


def reachable(seeds: Iterable[Signature], nexts: Mapping[Signature, Iterable[Signature]]) -> dict[Signature, None]:
    """The predicates that are reached from some predicates, with these, in the order in which they are met."""
    found: dict[Signature, None] = {}
    left = sorted(set(seeds), reverse=True)
    while left:
        one = left.pop()
        if one not in found:
            found[one] = None
            left += sorted(nexts.get(one, ()))
    return found


def cone(seeds: Iterable[Signature], heads: Mapping[Signature, Sequence[WrittenRule]]) -> list[WrittenRule]:
    """The rules on which predicates depend, each once."""
    reads = {head: {s for r in rules for s in r.reads} for head, rules in heads.items()}
    return [rule for one in reachable(seeds, reads) for rule in heads.get(one, ())]


def dependents(seeds: Iterable[Signature], rules: Iterable[WrittenRule]) -> set[Signature]:
    """The predicates that depend on some predicates, with these."""
    readers: dict[Signature, set[Signature]] = {}
    for rule in rules:
        for one in rule.reads:
            readers.setdefault(one, set()).add(rule.head)
    return set(reachable(seeds, readers))
