"""Whether JSON has what is expected of it: patterns of tables."""

import re
from typing import Any


def fits(expected: Any, found: Any) -> bool:
    """Whether a value has the expected form.

    An object has at least these fields, `...` in a list is any entries, and in a text anything; `*` is one value.
    """
    if expected == "*":
        return True
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(k in found and fits(v, found[k]) for k, v in expected.items())
    if isinstance(expected, str) and "..." in expected:
        return re.fullmatch(".*".join(map(re.escape, expected.split("..."))), str(found), re.S) is not None
    if not isinstance(expected, list) or not isinstance(found, list):
        return bool(expected == found)
    if not expected:
        return not found
    if expected[0] == "...":
        return any(fits(expected[1:], found[n:]) for n in range(len(found) + 1))
    return bool(found) and fits(expected[0], found[0]) and fits(expected[1:], found[1:])
