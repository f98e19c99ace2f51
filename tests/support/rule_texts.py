"""Random rules that clingo parses, by hypothesis; they need not be safe."""

from __future__ import annotations

from hypothesis import strategies as st

_TERM = st.recursive(
    st.sampled_from(["X", "Y", "_", "a", "b", "7", '"s;:-"', "N+1", "1..3", "-2", "(X,Y)", "(a;b)"]),
    lambda terms: st.builds(
        "{}({}{}{})".format, st.sampled_from(["f", "p"]), terms, st.sampled_from([",", ";"]), terms
    ),
    max_leaves=4,
)
_ATOM = st.one_of(
    st.sampled_from(["p", "q", "notable"]),
    st.builds(
        "{}({})".format, st.sampled_from(["p", "q"]), st.lists(_TERM, min_size=1, max_size=3).map(",".join)
    ),
    st.builds("p({};{})".format, _TERM, _TERM),
)
_SIGNED = st.builds("{}{}".format, st.sampled_from(["", "not ", "not not "]), _ATOM)
_CONDITION = st.lists(st.one_of(_SIGNED, st.just("X != a")), min_size=1, max_size=2).map(", ".join)
_LITERAL = st.one_of(
    _SIGNED,
    st.sampled_from(["X < Y", "X = p(Y)", "p(X) != q"]),
    st.builds("N = #sum {{ X,f: {}; 1,g: {} }}".format, _CONDITION, _CONDITION),
    st.builds("1 < #count {{ X: {}, {}; 1: {} }} < 3".format, _ATOM, _CONDITION, _ATOM),
    st.builds("#count {{ X: {} }} > 1".format, _CONDITION),
)
_BODY = st.lists(_LITERAL, min_size=1, max_size=3).map("; ".join)
_CONDITIONAL = st.builds("{}; {}: {}".format, _BODY, _SIGNED, _CONDITION)
PLAIN = st.builds("{} :- {}.".format, _ATOM, _BODY)
"""Without conditional literals, so that commas separate their literals too."""
RULES = st.one_of(PLAIN, st.builds("{} :- {}.".format, _ATOM, _CONDITIONAL))
"""Any rules."""
