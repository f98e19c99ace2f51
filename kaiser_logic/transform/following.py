"""Specialises the move generator to one action: is this action listed, without listing any other.

A rulebook lists the actions in question, ``candidate(R,pay(V,W)) :- ...``. Where an action holds a structure, a term of
many parts, there are too many to list in an open position; there the parts of one action are chosen (``arg``), and the
only question is whether the enumeration has *that* one. So the rules are followed from the head into the body: what a
structure of the action is handed to is asked for that structure alone, as a predicate of its own without it. All else
stays as it is.

>>> from kaiser_logic.rules.loader import parse_rules
>>> from kaiser_logic.rules.reader import read_term
>>> rules = parse_rules('''
...     candidate(R,pay(V,W)) :- decision(R,turn), fits(R,both(V,W)).
...     fits(R,both(V,W)) :- fit(R,1,V), fit(R,2,W).''')
>>> kind = ActionKind(7, read_term("turn"), read_term("pay(V,W)"), "")
>>> for _, line in follow(rules, kind, 0).lines:
...     print(line)
candidate__f0(Role_) :- decision(Role_,turn); fits__f1(Role_,Role_); does__0(Role_,7).
fits__f1(Role_,R) :- fit(R,1,A_0); fit(R,2,A_1); does__0(Role_,7); arg__0(Role_,7,0,A_0); arg__0(Role_,7,1,A_1).

An argument has one value. So what only arguments tie together in a rule is said in rules of its own, and the solver need
not join it: ``ok(R,V) :- cost(V,N), has(R,N), likes(R,V,K), new(K).`` with ``V`` an argument becomes

    ok__f0(Role_) :- ok__f0_0_0(Role_); ok__f0_0_1(Role_); does__0(Role_,7).
    ok__f0_0_0(Role_) :- cost(A_0,N); has(Role_,N); does__0(Role_,7); arg__0(Role_,7,0,A_0).
    ok__f0_0_1(Role_) :- likes(Role_,A_0,K); new(K); does__0(Role_,7); arg__0(Role_,7,0,A_0).

A predicate is asked so only where no aggregate and no condition reads it: there it is read whole. The lines say the
same as the rules for the chosen actions, and nothing of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from ..lang.algebra import variables
from ..lang.printer import show_term
from ..lang.terms import Fun, Signature, Term, Var
from ..lang.unification import Binding, resolve, unify
from ..rules.fresh import ROLE, ROLE_TERM, argument, is_argument
from ..rules.predicates import CANDIDATE
from ..rules.reader import rule_of
from ..rules.rule import TOKEN, Atom, Occurrence, Rule
from ..rules.rulebook import ActionKind
from .action_splitting import numbered
from .rewrite import edit, literal, substituted

_CHOICES: Final = ("does__", "arg__")
_MOST: Final = 200
"""So many predicates are asked for structures at most; further ones are read whole."""
_Subgoal: TypeAlias = tuple[Signature, tuple[tuple[int, Term], ...]]


@dataclass(frozen=True)
class Followed:
    """The specialised move generator.

    Attributes:
        listed: The name of the predicate ``listed(Role)``: what the role does is listed.
        lines: Pairs of a rule and its text.
        whole: What the lines read as it is, in need of its own rules.
    """

    listed: str
    lines: tuple[tuple[Rule, str], ...]
    whole: tuple[Atom, ...]


def follow(rules: Sequence[Rule], kind: ActionKind, transition: int) -> Followed:
    """The rules of an enumeration, followed for the one action of a kind that is chosen in a transition."""
    return _Following(rules, kind, transition).run()


@dataclass
class _Following:
    rules: Sequence[Rule]
    kind: ActionKind
    transition: int
    names: dict[_Subgoal, str] = field(default_factory=dict)
    pending: list[_Subgoal] = field(default_factory=list)
    whole: dict[Atom, None] = field(default_factory=dict)

    def run(self) -> Followed:
        """Follows the action from predicate to predicate."""
        action, _, self.count = numbered(self.kind)
        self.derived = {h.signature for r in self.rules for h in r.heads}
        listed = self.ask((CANDIDATE, ((0, ROLE_TERM), (1, action))))
        lines: list[tuple[Rule, str]] = []
        while self.pending:
            subgoal = self.pending.pop(0)
            for rule in self.rules:
                for head in rule.heads:
                    line = self._line(rule, head, subgoal) if head.signature == subgoal[0] else None
                    if line is not None:
                        lines += [
                            (rule, part) for part in _apart(line, f"{self.names[subgoal]}_{len(lines)}")
                        ]
        return Followed(listed, tuple(lines), tuple(self.whole))

    def ask(self, subgoal: _Subgoal) -> str:
        """The name of a predicate specialised to structures."""
        if subgoal not in self.names:
            self.names[subgoal] = f"{subgoal[0][0]}__f{len(self.names)}"
            self.pending.append(subgoal)
        return self.names[subgoal]

    def _line(self, rule: Rule, head: Occurrence, subgoal: _Subgoal) -> str | None:
        """A rule followed from one of its heads; None where it cannot give what is asked."""
        binding: Binding | None = {}
        for place, part in subgoal[1]:
            binding = unify(head.args[place], part, binding) if binding is not None else None
        if binding is None:
            return None
        fixed, same = _for_role(binding)
        named = {v: show_term(resolve(Var(v), fixed)) for v in fixed if not is_argument(v)}
        kept = [rule.argument(head, i) for i in range(len(head.args)) if i not in dict(subgoal[1])]
        head_text = literal(self.names[subgoal], ROLE, *kept)
        body = "; ".join(self._literals(rule, fixed))
        line = f"{head_text} :- {body}." if body else f"{head_text}."
        line = substituted(line, named)
        more = [*same, f"does__{self.transition}({ROLE},{self.kind.index})", *self._arguments(line, fixed)]
        return edit(rule_of(line), more=more)

    def _literals(self, rule: Rule, binding: Binding) -> Iterator[str]:
        """The body's literals, those asked for structures with their names."""
        single = {a.start: a for a in (*rule.positive, *rule.negative)}
        for (start, end), found in zip(rule.cuts, rule.literals, strict=True):
            atom = next((a for at, a in single.items() if start <= at < end and a.end == end), None)
            subgoal = self._structures(atom, binding) if atom is not None else None
            if atom is None or subgoal is None:
                self._keep(rule, start, end, binding)
                yield found.text
                continue
            kept = [rule.argument(atom, i) for i in range(len(atom.args)) if i not in dict(subgoal[1])]
            sign = "not " if atom.place == "negative" else ""
            yield sign + literal(self.ask(subgoal), ROLE, *kept)

    def _keep(self, rule: Rule, start: int, end: int, binding: Binding) -> None:
        """Notes what a literal reads whole."""
        for atom in rule.atoms:
            if start <= atom.start < end and atom.signature in self.derived:
                self.whole.setdefault(Atom(atom.name, tuple(resolve(a, binding) for a in atom.args)))

    def _structures(self, atom: Occurrence, binding: Binding) -> _Subgoal | None:
        """The structures of the action for which an atom is specialised, if there are any."""
        if atom.signature not in self.derived or atom.signature == CANDIDATE:
            return None
        parts = ((i, resolve(a, binding)) for i, a in enumerate(atom.args))
        bound_arguments = tuple(
            (i, p) for i, p in parts if isinstance(p, Fun) and _closed(p) and self._plain(atom.signature, i)
        )
        subgoal = atom.signature, bound_arguments
        return subgoal if bound_arguments and (subgoal in self.names or len(self.names) < _MOST) else None

    def _plain(self, signature: Signature, place: int) -> bool:
        """Whether each rule for a predicate has a term there that can be looked into: no arithmetic, no pool."""
        heads = (h for r in self.rules for h in r.heads if h.signature == signature)
        return not any(n.startswith("_") for h in heads for n in variables(h.args[place]))

    def _arguments(self, line: str, binding: Binding) -> Iterator[str]:
        """The atoms for the arguments that the line mentions, or that it wants to have a certain value."""
        used = set(TOKEN.findall(line))
        values = [resolve(Var(argument(k)), binding) for k in range(self.count)]
        for k, value in enumerate(values):
            if show_term(value) != argument(k) or argument(k) in used or values.count(value) > 1:
                yield f"arg__{self.transition}({ROLE},{self.kind.index},{k},{show_term(value)})"


def _for_role(binding: Binding) -> tuple[Binding, list[str]]:
    """A binding that leaves the role its name, and the literals that say what else it binds the role to.

    Where nobody but the role may be an argument, as in ``candidate(R,attack(R))``, that argument is bound to the role.
    """
    role = resolve(ROLE_TERM, binding)
    if role == ROLE_TERM:
        return binding, []
    fixed = {v: t for v, t in binding.items() if v != ROLE}
    if isinstance(role, Var):
        return {**fixed, role.name: ROLE_TERM}, []
    return fixed, [f"{ROLE} = {show_term(role)}"]


def _closed(part: Term) -> bool:
    """Whether all of a structure is the action's: of its arguments, at least one, and constants."""
    found = variables(part)
    return bool(found) and all(map(is_argument, found))


def _apart(line: str, name: str) -> list[str]:
    """A line in lines, one for each part of its body that only the role and arguments tie to the rest and the head.

    >>> _apart("f(Role_) :- p(A_0,N); q(N); r(A_0,K); s(A_1); does__0(Role_,7); arg__0(Role_,7,0,A_0).", "f_0")[1]
    'f_0_0(Role_) :- does__0(Role_,7); arg__0(Role_,7,0,A_0); p(A_0,N); q(N).'
    """
    rule = rule_of(line)
    chosen = [
        x.text for x in rule.literals if x.signature is not None and x.signature[0].startswith(_CHOICES)
    ]
    head = _tying(rule.part(rule.heads[0].start, rule.heads[0].end))
    groups: list[tuple[set[str], list[str]]] = []
    for found in (x.text for x in rule.literals if x.text not in chosen):
        used = _tying(found)
        linked = [g for g in groups if g[0] & used] if used else []
        groups = [g for g in groups if g not in linked]
        groups.append((used.union(*(g[0] for g in linked)), [*(x for g in linked for x in g[1]), found]))
    own = [g[1] for g in groups if g[0] and not g[0] & head]
    if len(own) < 2:
        return [line]
    kept = [x for g in groups if g[1] not in own for x in g[1]]
    heads = rule.part(rule.heads[0].start, rule.heads[0].end)
    parts = [f"{name}_{k}({ROLE})" for k in range(len(own))]
    whole = [*parts, *kept, *_needed(chosen, [heads, *kept])]
    return [
        f"{heads} :- {'; '.join(whole)}.",
        *(f"{p} :- {'; '.join([*_needed(chosen, g), *g])}." for p, g in zip(parts, own, strict=True)),
    ]


def _tying(text: str) -> set[str]:
    """The variables of a text that may have several values: neither the role nor an argument."""
    found = (t for t in TOKEN.findall(text) if t.lstrip("_")[:1].isupper())
    return {t for t in found if t != ROLE and not is_argument(t)}


def _needed(chosen: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Of the literals that say what is chosen those that do not hold an argument, or one that the texts mention."""
    used = {t for text in texts for t in TOKEN.findall(text)}
    bound_arguments = ((x, {t for t in TOKEN.findall(x) if is_argument(t)}) for x in chosen)
    return [x for x, arguments in bound_arguments if arguments <= used]
