"""Rules with every construct that the compiler supports, and random programs of them, over some facts."""

import clingo
from hypothesis import strategies as st

from kaiser_logic.engine.compiled import compiled_program
from kaiser_logic.engine.grounding import EngineProgram, Grounding
from kaiser_logic.lang.terms import Signature
from kaiser_logic.rules.loader import parse_rules

from .tables import rows

FACTS = (
    'a(0..3). a(x). b(1,x). b(1,y). b(2,x). b(-2,f(1)). c(f(1,x),"s"). c(g(2),x). c(f(3,z),s). e. s((1,2)). s((2,1)).'
)

CONSTRUCTS = [row.values[0] for row in rows("support/constructs", "construct")]
TERMS = ["X", "Y", "Z", "_", "1", "x", "f(X,_)", "f(Y,x)"]
GUARDS = [row.values[0] for row in rows("support/constructs", "guard")]
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
            extra = draw(st.sampled_from([*GUARDS, "", "", f"not {inner}({args})", f"{inner}({args}) : a(X), X > 1"]))
            own = ":" in extra and extra[0] != "#"  # a condition that binds a variable which is not bound outside
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
                    body.append(f"{draw(st.sampled_from(['', 'not ']))}#{aggregate} {{ {elements} }} {sign} {side}")
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
