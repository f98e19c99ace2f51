"""Programs over fewer arguments: relations that are too large are kept only as far as *that there is such a fact*.

`Projection` rewrites the lines of an encoding. An atom ``person(R,K,P,G,N)`` of which the last two arguments are dropped
becomes ``person(R,K,P)``: there is one with some G and N. Where a rule needs no more than that, it stays a rule. Where it
needs more, it becomes a choice (what it says may hold), besides the rule with stronger conditions where there are such:

    free(R) :- player(R); not person(R,_,_,_,_).             free(R) :- player(R); not person(R,_,_).
    rich(R) :- person(R,_,_,G,_); worth(G,N); N > 3.         { rich(R) } :- person(R,_,_).
    kept(R,K) :- held(R,K); load(G); not person(R,K,P,G,1).  { kept(R,K) } :- held(R,K).

For each model of the program before there is one of the program after in which the same holds of all that is kept: take
what holds for the choices; a rule that stays fires where it fired, and no other fires. So where the second program has no
model of some kind, the first has none: good for proofs, and for proofs only. What depends on a dropped argument in a
head's place is dropped there too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from clingo import ast

from ..rules.rule import TOKEN
from . import names
from .effects import EFFECTS, Effects, Head
from .flattening import Flattening, Unprojectable
from .kept import Kept
from .tallies import counted, summed
from .trees import atom_text, atoms_of, is_variable, number_of, parsed, safe, symbolic, term_of, variables_of
from .unfolding import unfolded

ANY: Final = "any__"
"""Stands for a witness of which nothing is known."""
_NEGATED: Final = 1


@dataclass
class _Body:
    """The body of a rule: the conditions of the choice, those of the rule that stays, if one does; what is bound."""

    may: list[Any] = field(default_factory=list)
    must: list[str] | None = field(default_factory=list)
    exact: bool = True

    def unknown(self) -> None:
        """A condition is left out."""
        self.exact, self.must = False, None

    def also(self, node: Any, text: str) -> None:
        """A condition stays as it is."""
        self.may.append((node, text))
        if self.must is not None:
            self.must.append(text)

    def between(self, node: Any, least: str, most: str) -> None:
        """A condition that certainly holds where ``least`` does, and does not where ``most`` does not."""
        self.exact = False
        self.may.append((node, most))
        if self.must is not None:
            self.must.append(least)


class Projection:
    """Rewrites programs."""

    def __init__(self, kept: Kept) -> None:
        """Dropping these arguments, and what depends on them."""
        self.kept = kept
        self._grown = False
        self._transform = _Projecting(kept)
        self._effects = Effects(kept)

    def lines(self, lines: Iterable[str]) -> list[str]:
        """The lines rewritten.

        Raises:
            Unprojectable: One of them cannot be.
        """
        flattening = Flattening(self.kept.shapes)
        rules = [(line, rule) for line in lines for rule in _flat(flattening, line)]
        rules = unfolded(rules)
        while True:
            self._grown = False
            found = [new for line, rule in rules for new in self._line(line, rule)]
            if not self._grown:
                return list(dict.fromkeys(found))

    def _line(self, line: str, rule: Any) -> Iterator[str]:
        if rule.ast_type != ast.ASTType.Rule:
            raise Unprojectable(line)
        head = rule.head
        atom = symbolic(head) if head.ast_type == ast.ASTType.Literal else None
        acts = atom is not None and names.plain(atom[0]) in EFFECTS
        if not acts and not self._concerns(rule):
            yield line if rule.head.ast_type != ast.ASTType.Literal else str(rule)
        elif atom is not None:
            yield from self._rule(rule, list(self._effects.heads(rule, *atom)))
        elif head.ast_type == ast.ASTType.Literal and str(head) == "#false":
            body = self._body(rule.body, set())
            if body.must is not None:
                yield f":- {'; '.join(body.must)}."
        else:
            raise Unprojectable(line)

    def _concerns(self, rule: Any) -> bool:
        """Whether anything of a rule is dropped."""
        found = atoms_of(rule)
        return any(self._unknown(name, args) or self.kept.dropped((name, len(args))) for name, args in found)

    def _unknown(self, name: str, args: Sequence[Any]) -> bool:
        """Whether nothing is known of an atom in a body."""
        if names.plain(name) in (*EFFECTS, "change", "touched", "total", "counts", "number"):
            return True
        if name != names.argument(0):
            return False
        return (number_of(args[1]), number_of(args[2])) in self.kept.hidden

    # -- rules -------------------------------------------------------------------------------------------------------

    def _rule(self, rule: Any, heads: Sequence[Head]) -> Iterator[str]:
        body = self._body(rule.body, {v for h in heads for v in h.variables})
        may, bound = safe(body.may, rule)
        exact = body.exact and len(may) == len(body.may)
        for given in heads:
            conditions = "; ".join(may)
            head = given if given.key <= bound else given.loose()
            if exact:
                yield f"{head.text()} :- {conditions}." if may else f"{head.text()}."
                if head.name.startswith("del__") and head.about in self.kept.fluents:
                    yield from self._effects.wiped(rule, head, conditions)
                continue
            if body.must is not None and len(may) == len(body.may):
                yield f"{head.text()} :- {'; '.join(body.must)}."
            if names.plain(head.name) == "violates" or head.name == "broken":
                continue  # what may be forbidden, or supposed, need not be
            unbound = head.variables - bound
            if unbound and names.plain(head.name) == "broken":
                yield f"{{ {head.text(ANY)} }} :- {conditions}." if may else f"{{ {head.text(ANY)} }}."
                continue
            if unbound:
                where = {i for i, a in head.args if unbound & set(variables_of(a))}
                self._grown |= self.kept.drop(head.about, where)
            yield f"{{ {head.text()} }} :- {conditions}." if may else f"{{ {head.text()} }}."

    def _body(self, literals: Sequence[Any], wanted: set[str]) -> _Body:  # noqa: PLR0912 (a case for each kind of condition)
        """The conditions of a rule; ``wanted``: the variables that its heads keep."""
        used = Counter(v for x in literals for v in variables_of(x))
        body = _Body()
        some: set[str] = set()

        def free(term: Any) -> bool:
            """Whether a dropped argument is whatever there is."""
            return is_variable(term) and (
                str(term) == "_" or (used[str(term)] == 1 and str(term) not in wanted)
            )

        for node in literals:
            atom = symbolic(node)
            if atom is None:
                bounds = None if self._readable(node) else self._summed(node, literals, wanted)
                if bounds is not None:
                    body.between(node, *bounds)
                elif self._readable(node):
                    body.also(node, str(self._transform.visit(node)))
                else:
                    body.unknown()
                continue
            name, args = atom
            if self._unknown(name, args):
                if name != names.argument(0) or node.sign or not is_variable(args[3]):
                    body.unknown()
                elif not free(args[3]):  # it has some value, whichever
                    body.exact = False
                    some.add(str(args[3]))
                continue
            dropped = self.kept.dropped((name, len(args)))
            text = atom_text(name, [str(a) for i, a in enumerate(args) if i not in dropped])
            given = [args[i] for i in sorted(dropped)]
            new = self._transform.visit(node)
            if node.sign == 0:
                body.also(new, text)
                value = counted(self.kept, name, args)
                if value is not None:
                    body.also(new, value)
                elif not all(map(free, given)):
                    body.unknown()
            elif node.sign == _NEGATED and all(str(a) == "_" for a in given):
                body.also(new, f"not {text}")
            elif node.sign == _NEGATED:
                body.exact = False
                if body.must is not None:
                    body.must.append(f"not {text}")
            else:
                body.unknown()
        if body.must is not None and (some & wanted or any(some & set(TOKEN.findall(x)) for x in body.must)):
            body.must = None
        return body

    def _summed(self, node: Any, literals: Sequence[Any], wanted: set[str]) -> tuple[str, str] | None:
        """The bounds of a sum."""
        given = wanted | {v for x in literals if str(x) != str(node) for v in variables_of(x)}
        return summed(node, self.kept, self._readable, given)

    def _readable(self, node: Any) -> bool:
        """Whether a sum or another condition speaks of nothing that is dropped."""
        for name, args in atoms_of(node):
            dropped = self.kept.dropped((name, len(args)))
            if self._unknown(name, args) or any(str(args[i]) != "_" for i in dropped):
                return False
        return True


class _Projecting(ast.Transformer):
    """Leaves out the arguments that are dropped."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def visit_SymbolicAtom(self, node: Any) -> Any:  # noqa: N802 (clingo's name)
        """An atom without them."""
        name, args = term_of(node.symbol)
        dropped = self._kept.dropped((name, len(args)))
        if not dropped:
            return node
        left = [a for i, a in enumerate(args) if i not in dropped]
        return ast.SymbolicAtom(ast.Function(node.symbol.location, name, left, 0))


def _flat(flattening: Flattening, line: str) -> list[Any]:
    """The rules that a line becomes."""
    rule = parsed(line)
    return flattening.rules(rule) if rule.ast_type == ast.ASTType.Rule else [rule]
