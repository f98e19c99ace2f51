"""Random programs of every construct of the language, from seeds; and clingo's answers."""

from random import Random

import clingo

GIVEN = (
    'a(0..3). a(x). b(1,x). b(1,y). b(2,x). b(-2,f(1)). c(f(1,x),"s"). c(g(2),x). c(f(3,z),s). e. s((1,2)). s((2,1)). n(1..4).'
    " { h(1); h(2); h(x) }."
)
"""The facts of each program; a choice leaves some of them open."""
PREDICATES = {"a": 1, "b": 2, "c": 2, "e": 0, "s": 1, "n": 1, "h": 1}
NAMES = ("X", "Y", "Z", "X1", "V1", "X'", "_Z")
COMPARED = ("=", "!=", "<", "<=", ">", ">=")


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.known = dict(PREDICATES)

    def often(self, chance: float) -> bool:
        return self.random.random() < chance

    def program(self) -> str:
        lines = []
        for k in range(self.random.randint(1, 3)):
            head, arity = f"p{k}", self.random.randint(0, 2)
            for _ in range(self.random.randint(1, 2)):
                lines.append(self.rule(head, arity, again=bool(lines) and self.often(0.2)))
            self.known[head] = arity
        if self.often(0.15):
            lines.append(f":- {self.joined(self.body([]))}.")
        return "\n".join(lines)

    def rule(self, head: str, arity: int, again: bool) -> str:
        bound: list[str] = []
        body = self.body(bound)
        if again and arity:
            body.append(f"{head}({','.join(self.choice(bound or ['1']) for _ in range(arity))})")
        several = 2 if self.often(0.1) else 1
        pool = ";".join(
            ",".join(self.term(bound, 0 if again else 2, "" if again else "opr") for _ in range(arity))
            for _ in range(several)
        )
        return f"{head}{f'({pool})' if arity else ''} :- {self.joined(body)}."

    def joined(self, body: list[str]) -> str:
        """A body. A comma after a conditional literal would belong to its condition."""
        conditional = any(" : " in literal and "{" not in literal for literal in body)
        return ("; " if conditional else self.choice([", ", "; "])).join(body)

    def choice(self, among: list[str]) -> str:
        return self.random.choice(among)

    def body(self, bound: list[str]) -> list[str]:
        """Literals; the variables that they bind are added to ``bound``."""
        found = [self.positive(bound) for _ in range(self.random.randint(1, 2))]
        for _ in range(self.random.randint(0, 3)):
            found.append(self.literal(bound))
        self.random.shuffle(found)
        return found

    def atom(self, term: str) -> str:
        name = self.choice(list(self.known))
        args = ",".join(self.term([], 1, term) for _ in range(self.known[name]))
        return f"{name}({args})" if args else name

    def positive(self, bound: list[str]) -> str:
        """An atom that binds the variables in it."""
        name = self.choice(list(self.known))
        args = []
        for _ in range(self.known[name]):
            kind = self.random.random()
            name_ = self.choice(list(NAMES))
            if kind < 0.7:
                args.append(name_)
                bound.append(name_)
            elif kind < 0.8:
                args.append("_")
            elif kind < 0.85:
                args.append(f"f({name_},_)")
                bound.append(name_)
            elif kind < 0.9:
                args.append(f"{name_}+1")
                bound.append(name_)
            else:
                args.append(self.choice(["1", "x", "(1;x)", "1..2", '"s"']))
        return f"{name}({','.join(args)})" if args else name

    def term(self, bound: list[str], depth: int, kinds: str) -> str:
        """A term; ``kinds``: the letters of what it may contain: operations, pools, ranges, ``_``."""
        kind = self.random.random()
        if depth and "o" in kinds and kind < 0.15:
            op = self.choice(["+", "-", "*", "/", "\\", "**", "&", "?", "^"])
            left, right = self.number(bound, depth - 1, kinds), self.number(bound, depth - 1, kinds)
            if op in "/\\" and right == "0":  # clingo drops such rules before it checks that they are safe
                right = "3"
            return f"{left}**2" if op == "**" else f"({left}{op}{right})"
        if depth and "o" in kinds and kind < 0.19:
            inner = self.number(bound, depth - 1, kinds)
            return self.choice([f"|{inner}|", f"~{inner}", f"-{inner}"])
        if depth and "p" in kinds and kind < 0.23:
            return f"({self.term(bound, depth - 1, kinds)};{self.term(bound, depth - 1, kinds)})"
        if depth and "p" in kinds and kind < 0.25:
            return f"f({self.term(bound, depth - 1, kinds)};{self.term(bound, 0, kinds)},x)"
        if depth and "r" in kinds and kind < 0.31:
            return f"({self.number(bound, 1, 'o')}..{self.choice(['2', '3', '1'])})"
        if depth and kind < 0.37:
            return f"{self.choice(['f', ''])}({self.term(bound, depth - 1, kinds)},{self.term(bound, 0, '')})"
        if "_" in kinds and kind < 0.5:
            return "_"
        if bound and kind < 0.85:
            return self.choice(bound)
        return self.choice(["0", "1", "2", "x", "y", '"s"', "-1", "f(1)", "#sup"])

    def number(self, bound: list[str], depth: int, kinds: str) -> str:
        """A term that can be a number: clingo treats comparisons with terms that never are numbers in different ways."""
        kind = self.random.random()
        if depth and kind < 0.3:
            return (
                f"({self.number(bound, depth - 1, kinds)}{self.choice(['+', '-', '*'])}{self.number(bound, 0, kinds)})"
            )
        if "r" in kinds and kind < 0.4:
            return f"({self.number(bound, 0, '')}..{self.choice(['2', '3', '1'])})"
        if "p" in kinds and kind < 0.45:
            return f"({self.number(bound, 0, '')};{self.number(bound, 0, '')})"
        return self.choice(bound) if bound and kind < 0.85 else self.choice(["0", "1", "2", "-1"])

    def negated(self, bound: list[str]) -> str:
        name = self.choice(list(self.known))
        args = ",".join(self.term(bound, 1, "opr_") for _ in range(self.known[name]))
        return f"{self.choice(['not ', 'not ', 'not not '])}{name}{f'({args})' if args else ''}"

    def test(self, bound: list[str], kinds: str = "opr") -> str:
        """A comparison or a chain of comparisons, perhaps negated."""
        sides = [self.term(bound, 2, kinds) for _ in range(3 if self.often(0.3) else 2)]
        text = sides[0] + "".join(f" {self.choice(list(COMPARED))} {side}" for side in sides[1:])
        return self.choice(["", "", "", "not ", "not not "]) + text

    def condition(self, bound: list[str], kinds: str = "opr") -> list[str]:
        found = [self.positive(bound) for _ in range(self.random.randint(1, 2))]
        if self.often(0.5):
            found.append(self.choice([self.negated(bound), self.test(bound, kinds), "#true", "e"]))
        return found

    def literal(self, bound: list[str]) -> str:
        kind = self.random.random()
        if kind < 0.2:
            return self.negated(bound)
        if kind < 0.4:
            return self.test(bound)
        if kind < 0.55:
            name = self.choice(list(NAMES))
            text = f"{name} = {self.term(bound, 2, 'opr')}"
            bound.append(name)
            return text
        if kind < 0.8:
            return self.aggregate(bound)
        if kind < 0.95:
            own = list(bound)
            condition = self.condition(own)
            if self.often(0.2):  # the literal has a variable of its own
                return f"{self.positive([])} : {', '.join(condition)}"
            literal = self.choice([self.negated(own), self.test(own), self.plain(own, "opr_"), self.plain(own, "")])
            return f"{literal} : {', '.join(condition)}"
        return self.choice(["#true", "not #false", "not not #true", "e", "not e"])

    def plain(self, bound: list[str], kinds: str) -> str:
        name = self.choice(list(self.known))
        args = ",".join(self.term(bound, 1, kinds) for _ in range(self.known[name]))
        return f"{name}({args})" if args else name

    def aggregate(self, bound: list[str]) -> str:
        function = self.choice(["#count", "#sum", "#sum+", "#min", "#max"])
        elements = []
        for _ in range(self.random.randint(1, 2)):
            own = list(bound)
            condition = self.condition(own)
            terms = ",".join(self.term(own, 1, "opr") for _ in range(self.random.randint(1, 2)))
            elements.append(f"{terms} : {', '.join(condition)}")
        inside = f"{function} {{ {'; '.join(elements)} }}"
        kind = self.random.random()
        if kind < 0.4:
            name = self.choice(list(NAMES))
            bound.append(name)
            return f"{name} = {inside}"
        sign = self.choice(["", "", "not ", "not not "])
        right = f" {self.choice(list(COMPARED))} {self.term(bound, 1, 'opr')}"
        if kind < 0.7:
            return f"{sign}{inside}{right}"
        left = f"{self.term(bound, 1, 'opr')} {self.choice(list(COMPARED))} "
        return f"{sign}{left}{inside}{right if kind > 0.85 else ''}"


def program(seed: int) -> str:
    return Writer(seed).program()


def answers(text: str, given: str = GIVEN) -> list[list[str]] | None:
    """The answer sets of a program with the given facts, sorted; None if clingo refuses it."""
    control = clingo.Control(["0", "--warn=none"], logger=lambda *_: None)
    try:
        control.add("base", [], f"{given}\n{text}")
        control.ground([("base", [])])
    except RuntimeError:
        return None
    found: list[list[str]] = []
    control.solve(on_model=lambda model: found.append(sorted(map(str, model.symbols(atoms=True)))))
    return sorted(found)
