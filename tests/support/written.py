"""Records as people write them: comments anywhere, variations, odd blanks, any line ends. None of them need be legal."""

from random import Random

_WORDS = ["why", "red: pass", "( not a variation )", "[Game", "100%", '"', "{", "é ☃", "", "position {"]


def written(seed: int) -> str:
    return Writer(Random(seed)).record()


def inserted(before: str, after: str) -> bool:
    """Whether a text came about by one insertion into another."""
    pairs = zip(before, after, strict=False)
    kept = next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))
    return len(after) > len(before) and after.endswith(before[kept:])


class Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.end = random.choice(["\n", "\n", "\r\n", "\r", ""])

    def line_end(self) -> str:
        """An end of a line; in a record of mixed ends any of them."""
        return self.end or self.random.choice(["\n", "\r\n", "\r"])

    def comment(self) -> str:
        words = self.random.choices(_WORDS, k=self.random.randrange(4))
        sign = self.random.choice(["%", "% ", "%%  ", "%\t"])
        return f"{sign}{' '.join(words)}{self.random.choice(['', ' '])}{self.line_end()}"

    def between(self, most: int = 3) -> str:
        """Blanks and comments between two words."""
        kinds = [" ", "  ", "\t", "\f", self.line_end(), self.line_end(), self.line_end() + "  "]
        found = self.random.choice([" ", self.line_end(), self.line_end()])
        for _ in range(self.random.randrange(most)):
            found += self.comment() if self.random.random() < 0.4 else self.random.choice(kinds)
        return found

    def term(self, depth: int = 2) -> str:
        name = self.random.choice(["pass", "buy", "city", "a1", "b_C"])
        if depth == 0 or self.random.random() < 0.4:
            return name
        blank = self.random.choice(["", "", " "])
        args = [self.random.choice([self.term(depth - 1), "-3", "12", "?"]) for _ in range(self.random.randint(1, 3))]
        return f"{name}{blank}({blank}{f'{blank},{blank}'.join(args)}{blank})"

    def item(self, first: bool = False) -> str:
        kind = 1.0 if first else self.random.random()
        if kind < 0.1:
            return f"assert {{{self.between(2)}not {self.term()}.{self.between(2)}{self.term()} }}"
        if kind < 0.15:
            return f"position {{ {self.term()}.{self.between(2)}{self.term()}. }}"
        action = "?" if self.random.random() < 0.1 else self.term()
        return f"{self.random.choice(['red', 'green', 'chance', 'position'])}{self.random.choice(['', ' '])}: {action}"

    def items(self, count: int, depth: int) -> str:
        text = ""
        for number in range(count):
            text += self.item(number == 0) + self.between()
            while depth and self.random.random() < 0.25:
                inner = self.items(self.random.randint(1, 4), depth - 1)
                text += f"({self.random.choice(['', ' ', self.between(2)])}{inner}){self.between()}"
        return text

    def record(self) -> str:
        mark = "\ufeff" if self.random.random() < 0.2 else ""
        head = self.comment() if self.random.random() < 0.5 else ""
        tags = [f'[Game "{self.random.choice(["kaiser", "heap"])}"]', '[Event "an \\"open\\" % one"]', '[Site "x"]']
        text = "".join(tag + self.between() for tag in tags[: self.random.randint(1, 3)])
        text += self.items(self.random.randrange(12), 3)
        return mark + head + (text.rstrip() if self.random.random() < 0.3 else text)
