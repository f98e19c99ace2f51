"""Names: what does something is a verb, what gives something a noun; no two classes have one name."""

import ast
import collections
import re

from support.modules import MODULES, tree_of

BARE = re.findall(
    r"\w+",
    """
    above after alike alone among apart around aside away before begun behind below beside between beyond both broken
    by chosen done drawn for found from given gone held in inside into kept known left likely made meant met near of on
    once one others out outside over said seen sent shown sorted_ sought spent strange taken thrown together told under
    unlike with within without worn written
    """,
)
"""Words that are no verb and no noun; a word that ends with "ed" is none either."""
PUBLIC = {"read"}
"""The public functions with such names, which stay."""


def test_functions_are_verbs_or_nouns_and_classes_have_their_own_names():
    nodes = [(name, node) for name in MODULES for node in ast.walk(tree_of(name))]
    bare = [
        f"{module}:{n.lineno} {n.name}"
        for module, n in nodes
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any("property" in ast.unparse(d) for d in n.decorator_list)
        and (name := n.name.strip("_")) not in PUBLIC
        and (name in BARE or re.fullmatch("(?!need$|feed$)[a-z]+ed", name))
    ]
    assert not bare
    classes = collections.Counter(n.name for _, n in nodes if isinstance(n, ast.ClassDef))
    twice = sorted(name for name, number in classes.items() if number > 1)
    assert not twice
