"""Rules with every construct that the compiler supports, and random programs of them, over some facts."""

from __future__ import annotations

import clingo
from hypothesis import strategies as st

from kaiser_logic.engine.compiled import compiled_program
from kaiser_logic.engine.grounding import EngineProgram, Grounding
from kaiser_logic.lang.terms import Signature
from kaiser_logic.rules.loader import parse_rules

FACTS = 'a(0..3). a(x). b(1,x). b(1,y). b(2,x). b(-2,f(1)). c(f(1,x),"s"). c(g(2),x). c(f(3,z),s). e. s((1,2)). s((2,1)).'

CONSTRUCTS = [
    "p(X) :- a(X), not b(X,_).",
    "p(X,Y) :- b(X,Y), not c(f(X,Y),_).",
    "p(X) :- a(X), not c(f(_,X),_).",
    "p(X,Y) :- c(f(X,Y),_).",
    'p(X) :- c(X,s). p(X) :- c(X,"s").',
    "p(X+1,X*X,X-3,-X) :- a(X).",
    "p(X/2,X\\2,-X/2,-X\\2,7/X) :- a(X).",
    "p(X) :- a(X), X > 1. q(X) :- a(X), X <= 1. r(X,Y) :- a(X), a(Y), X < Y.",
    "p(X,Y) :- c(X,_), c(Y,_), X < Y. q(X,Y) :- s(X), c(Y,_), X >= Y.",
    "p(X) :- a(X), 1 <= X <= 2.",
    "p(X) :- X = 1..3, not a(X). q(X) :- a(X), X = 2..9. r(1..2,X) :- a(X). t(f(1..2)).",
    "p(X) :- X = (1;x;7), a(X). q((x;y),X) :- b(X,_). r(X) :- b(X,(x;y)).",
    "p(N) :- N = #count { X : a(X) }. q(X,N) :- a(X), N = #count { Y : b(X,Y) }.",
    "p(N) :- N = #sum { X : a(X) ; 10,Y : b(_,Y) }. q :- #sum { X,Y : b(X,Y) } > 1. r :- not #sum { X : a(X) } < 3.",
    "p(N) :- N = #max { X : a(X) }. q(N) :- N = #min { X : b(X,_) }. r(N) :- N = #min { X : a(X), X != X }.",
    "p(X) :- a(X), #max { Y : a(Y), Y < X } < X. q(X) :- a(X), not #max { Y : a(Y), Y > X } >= X.",
    "p(X) :- c(X,_), #max { Y : a(Y), Y != Y } < X. q(X) :- s(X), #min { Y : a(Y), Y != Y } > X. r(1) :- a(_).",
    "p :- #max { X : a(X), X != X } <= -9. q :- #min { X : s(X), X != X } >= z. r :- #min { 1 : not a(_) } > 7.",
    "p(X) :- s(X), X = #min { Y : s(Y) }. q(A,B) :- s(_), (A,B) = #max { Y : s(Y) }.",
    "p :- 2 < #count { X : a(X) } < 9.",
    "p(X) :- a(X), b(X,Y) : b(_,Y). q :- a(X) : b(X,_). r :- not a(X) : c(X,_).",
    "p :- not not e. q :- not not f(1). r :- #true. t :- e, #false.",
    "p(X) :- a(X), b(X+1,_). q(X) :- a(X+1). r(X) :- a(3-X). u(X) :- a(X), not b(X+1,x).",
    "p(X,Y) :- b(X,Y). p(X,Z) :- p(X,Y), b(Z,Y). q(0). q(X+1) :- q(X), X < 5.",
    "p(X) :- a(X), q(X). q(X) :- p(X). q(1). q(7).",
    "p(X;Y) :- b(X,Y). a2(X) :- a(X), e. a2(e).",
    "p((X,Y)) :- s((Y,X)). q(X) :- s(X), X != (1,2).",
    "p(X) :- a(X), X+1 > 2, X*2 != 4.",
    'p("it is {X}",X) :- a(X). q("a\\"b\\\\c").',
    "p(1..X) :- a(X). q(X) :- a(X), 0..X = 1.",
    # an interval is a choice at every place
    "p(X) :- a(X), X != 1..2. q(X) :- a(X), not X = 1..2. r(X) :- a(X), X < 1..2. s(X) :- a(X), not X < 1..2.",
    "p(X) :- a(X), not not X = 1..2. q(X) :- a(X), not X != 1..2. r(X) :- a(X), 1..2 != 1..2. s(X) :- a(X), 1..X = 2..3.",
    "p(X) :- b(X,_), not a(X..4). q(X) :- b(X,_), not not a(X..4). r :- not a(2..5). s(Y) :- b(X,Y), not b(X..2,x).",
    "p(X) :- a(X), not b(1..X,_). q(X) :- a(X), not c(f(1..2,_),_).",
    "r(X) :- a(X), not b((0..1)+X,x). t(X) :- b(X,_), a((0..1)+X).",
    "p(X) :- a(X), a(X..4) : e. q(X) :- a(X), not a(X..4) : e. r(X) :- a(X), a(Y) : Y = 0..X. s(X) :- a(X), X != 1..2 : e.",
    "p(X) :- a(X), a(Y) : a(Y), Y != 1..2, Y > X. q(X) :- a(X), not a((Y..4)) : a(Y), Y < X. r(X) :- a(X), a(Y) : a(0..X), a(Y).",
    "p(X) :- a(X), #count { 1 : X != 2..3 } = 1. q(X) :- a(X), #count { 1..X : e } = 2. r(X) :- a(X), #sum { Y : Y = 0..X } = 3.",
    "p(X) :- a(X), #count { Y : a(Y), Y != 1..X } = 4.",
    "q :- #count { 1 : not a(2..4) } = 1. r(N) :- N = #sum { Y : b(_,_), not a(1..Y), Y = 3..5 }.",
    "p(X) :- a(X), #count { Y : a(Y) } = X..6.",
    "q(X) :- a(X), #count { Y : a(Y) } != X..6. r(X) :- a(X), not #count { Y : a(Y) } = X..6.",
    "p(X) :- a(X), #count { Y : a(Y) } < X..7.",
    "q(X) :- a(X), X..5 < #max { Y : b(Y,_) }. r(X) :- a(X), 3..5 = #count { Y : a(Y), Y != X }.",
    "p(X) :- X = (1..2)+1. q(X) :- X = (1..2)*(1..2). r((1..2)+X) :- b(X,_). s(X) :- X = (1..2)..3. t(f((1..2)..3,(0..1)*2)).",
    # chains
    "p(X) :- a(Y), 1 < X = 2..5. q(X,Y) :- X = 2..3 < Y, a(Y). r(X) :- a(X), 1 < X <= 2..3. s(X) :- a(X), not 1 < X < 2..4.",
    "p(X,Y) :- b(X,_), X = Y < 3. q(X,Y) :- b(X,_), 1 <= X+1 = Y < 9.",
    "r(X,Z) :- a(X), 0 < X != 2 < Z = X+1. s(X) :- a(X), 1 <= 2..3 <= X.",
    "p(X) :- a(X), not 0 < X < 3. q(X) :- a(X), not not 0 < X <= 2.",
    "r(X) :- a(X), 0 < X < 3 : e. s(N) :- N = #count { X : 1 < X = 0..3 }.",
    "p(X) :- a(X), 0 < (1;3) <= X. q(X,Y) :- a(X), 1 < Y = (X;7) < 9.",
    "r(X) :- a(X), X < f(1..2) != f(2). s(X) :- s(X), (1,1) < X < (2,1..2).",
    "p(X-Y) :- a(X), a(Y), X - Y = 1. q(J,M) :- a(J), a(M), (J+M) = K, K = 3.",
]

TERMS = ["X", "Y", "Z", "_", "1", "x", "f(X,_)", "f(Y,x)"]
GUARDS = [
    "X < Y",
    "X != Y",
    "X = Y",
    "X+1 = Y",
    "X <= 2",
    "Y > x",
    "X = 0..2",
    "not e",
    "e",
    "X*2 < Y",
    "Z = X+Y",
    "X != 0..2",
    "X < 1..3",
    "not X = 1..2",
    "not not X = 1..2",
    "X = (0..1)+Y",
    "not a(X..4)",
    "not b(X..2,_)",
    "not not a(1..X)",
    "a((0..1)+X)",
    "not a(2..5)",
    "X..3 != Y..4",
    "0 < X <= 2",
    "0 < Y <= X..3",
    "not 0 < X < 3",
    "not X < 1..2 < 3",
    "0 < Z = X..3",
    "Z = X..4 < 4",
    "X = (1;3)",
    "X < (1;3) <= 4",
    "not a(1..2) : a(X), X > 1",
    "a(X..4) : b(X,_)",
    "a(X) : X = 0..2",
    "#count { 1 : not a(X..4) } = 1",
    "#count { V : a(V), V != 1..2 } > X",
    "#count { V : a(V) } = X..5",
    "#count { V : a(V) } != X..5",
    "#sum { V : 0 < V = 1..3 } > X",
    "#sum { (0..1)+V : a(V) } > X",
]
GIVEN = [("a", 1), ("b", 2), ("c", 2)]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A stratified program: each predicate depends on earlier ones, and perhaps on itself."""
    known = list(GIVEN)
    lines = []
    for k in range(draw(st.integers(1, 4))):
        head, arity = f"p{k}", draw(st.integers(1, 2))
        for _ in range(draw(st.integers(1, 3))):
            sources = [*known, *([(head, arity)] if draw(st.booleans()) and lines else [])]
            body = []
            for _ in range(draw(st.integers(1, 3))):
                name, n = draw(st.sampled_from(sources))
                body.append(f"{name}({','.join(draw(st.sampled_from(TERMS)) for _ in range(n))})")
            bound = sorted({v for v in "XYZ" for literal in body if v in literal})
            inner, size = draw(st.sampled_from(known))
            args = ",".join(draw(st.sampled_from([*bound, "_", "1", "x"])) for _ in range(size))
            extra = draw(
                st.sampled_from([*GUARDS, "", "", f"not {inner}({args})", f"{inner}({args}) : a(X), X > 1"])
            )
            own = (
                ":" in extra and extra[0] != "#"
            )  # a condition that binds a variable which is not bound outside
            if extra and all(own or v in bound or (v == "Z" and "Z =" in extra) for v in "XYZ" if v in extra):
                body.append(extra)
                bound += ["Z"] if extra.startswith("Z =") else []
            if draw(st.booleans()):
                aggregate = draw(st.sampled_from(["count", "sum", "max", "min"]))
                shared = draw(st.sampled_from([*bound, "W"])) if bound else "W"
                elements = draw(st.sampled_from(["{} ; 2,q : e", "{}, a(3), not a(3)", "{}"]))
                elements = elements.format(f"W,{shared} : a(W), b({shared},_)")
                if draw(st.booleans()):
                    body.append(f"N = #{aggregate} {{ {elements} }}")
                    bound = [*bound, "N"]
                else:
                    side = draw(st.sampled_from([*bound, "2", "x", "f(1)"]))
                    sign = draw(st.sampled_from(["<", "<=", ">", ">=", "!=", "="]))
                    body.append(
                        f"{draw(st.sampled_from(['', 'not ']))}#{aggregate} {{ {elements} }} {sign} {side}"
                    )
            terms = [*bound, "1", "x", *(f"{v}+1" for v in bound if f"{head}(" not in " ".join(body))]
            lines.append(
                f"{head}({','.join(draw(st.sampled_from(terms)) for _ in range(arity))}) :- {'; '.join(body)}."
            )
        known.append((head, arity))
    return "\n".join(lines)


def atoms(text: str, facts: str = FACTS, output: Signature | None = None) -> tuple[set[str], set[str]]:
    """All atoms that the rules derive, or only those of the output: by clingo, and by the compiled rules."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], facts)
    control.ground([("base", [])])
    given_ = frozenset(a.symbol for a in control.symbolic_atoms)
    rules = tuple(parse_rules(text))
    inputs = frozenset(u for rule in rules for u in rule.uses)
    heads = {output} if output else {h.signature for rule in rules for h in rule.heads}
    program = EngineProgram(rules, inputs, (), outputs=frozenset(heads) if output else None)
    joins = compiled_program(program)
    assert joins is not None, text
    ground, joined = Grounding(program, given_), joins.evaluate(given_)
    return (
        {str(s) for signature in heads for s in ground.get(*signature)},
        {str(s) for signature in heads for s in joined.get(*signature)},
    )
