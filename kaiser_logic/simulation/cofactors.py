"""A circuit with some of its inputs given: one function for each way to give them.

>>> circuit = Circuit()
>>> a, b, c = map(circuit.input, "abc")
>>> root = circuit.disj([circuit.conj([a, c]), circuit.conj([b, c ^ 1])])
>>> found = cofactors(circuit, root, [{"first": a, "second": b}], [("first",), ("second",)])
>>> [found["first",] == c, found["second",] == c ^ 1]
[True, True]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

from .bits import FALSE, TRUE, Circuit
from .opening import Unsupported


def cofactors(
    circuit: Circuit,
    root: int,
    arguments: Sequence[Mapping[Hashable, int]],
    wanted: Iterable[tuple[Hashable, ...]],
) -> dict[tuple[Hashable, ...], int]:
    """What a literal is where each argument has a certain value.

    Args:
        circuit: The circuit, which grows.
        root: The literal.
        arguments: For each argument its values, each with the input that says that it is this one. Of other values no
            input says so.
        wanted: For which values.

    Raises:
        Unsupported: The literal depends on a loop.
    """
    return _Cofactors(circuit, arguments).found(root, list(dict.fromkeys(wanted)))


class _Cofactors:
    """What is known of the nodes so far.

    Attributes:
        reads: For each node which arguments it depends on, as bits.
    """

    def __init__(self, circuit: Circuit, arguments: Sequence[Mapping[Hashable, int]]) -> None:
        self._circuit, self._arguments = circuit, arguments
        self._inputs = {literal >> 1: 1 << k for k, its in enumerate(arguments) for literal in its.values()}
        self._loops = {literal >> 1 for literal in circuit.loop_of}
        self.reads: list[int] = []
        self._known: dict[tuple[int, Hashable], dict[int, int]] = defaultdict(dict)

    def found(
        self, root: int, wanted: list[tuple[Hashable, ...]], at: int = 0
    ) -> dict[tuple[Hashable, ...], int]:
        """The literal for each of these values, the first ones of which are given already."""
        if at == len(self._arguments) or root in (FALSE, TRUE):
            return dict.fromkeys(wanted, root)
        groups: dict[Hashable, list[tuple[Hashable, ...]]] = defaultdict(list)
        for values in wanted:
            groups[values[at]].append(values)
        return {
            values: literal
            for value, its in groups.items()
            for values, literal in self.found(self._given(root, at, value), its, at + 1).items()
        }

    def _given(self, root: int, k: int, value: Hashable) -> int:
        """A literal with the value of an argument given."""
        known = self._known[k, value]
        if not known:
            known |= {x >> 1: TRUE if its == value else FALSE for its, x in self._arguments[k].items()}
        self._extend()
        nodes, reads, bit = self._circuit.nodes, self.reads, 1 << k
        waiting = [root >> 1]
        while waiting:
            n = waiting[-1]
            node = nodes[n]
            if n in self._loops:
                raise Unsupported("whether an action with a structure is legal is found out in a loop")
            if n in known or not reads[n] & bit or node is None:
                known.setdefault(n, 2 * n)
                waiting.pop()
                continue
            missing = [x >> 1 for x in node[1] if x >> 1 not in known]
            if missing:
                waiting += missing
                continue
            parts = [known[x >> 1] ^ (x & 1) for x in node[1]]
            known[n] = self._circuit.xor(*parts) if node[0] else self._circuit.conj(parts)
            waiting.pop()
        return known[root >> 1] ^ (root & 1)

    def _extend(self) -> None:
        """Looks at the nodes that are new."""
        nodes = self._circuit.nodes
        for n in range(len(self.reads), len(nodes)):
            node = nodes[n]
            if n in self._loops:
                self.reads.append(-1)
            elif node is None:
                self.reads.append(self._inputs.get(n, 0))
            else:
                its = 0
                for x in node[1]:
                    its |= self.reads[x >> 1]
                self.reads.append(its)
