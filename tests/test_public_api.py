"""The public names of ``kaiser_logic``: their homes and their documentation."""

import importlib
import inspect
import subprocess
import sys

import pytest

import kaiser_logic as kl

NAMES = kl.__all__
"""Users rely on these names: to remove one is to break a promise, and the reference, which has them all, changes."""


def test_each_name_is_documented():
    for name in NAMES:
        thing = getattr(kl, name)
        assert inspect.isclass(thing) or inspect.isfunction(thing), name
        assert thing.__name__ == name
        assert len((inspect.getdoc(thing) or "").split()) > 3, name


def test_each_member_is_documented():
    members = [
        (f"{name}.{member}", thing)
        for name in NAMES
        if inspect.isclass(getattr(kl, name))
        for member, thing in vars(getattr(kl, name)).items()
        if not member.startswith("_") and (inspect.isfunction(thing) or isinstance(thing, property))
    ]
    assert len(members) > 50
    assert not [name for name, thing in members if not inspect.getdoc(thing)]


def test_each_name_comes_from_its_home():
    for name in NAMES:
        home = importlib.import_module(f"kaiser_logic.{kl._HOMES[name]}")
        assert getattr(home, name) is getattr(kl, name), name


def test_a_star_import_gives_all_names_and_no_folder_has_one():
    """An import of such a folder would replace the public name."""
    namespace: dict[str, object] = {}
    exec("from kaiser_logic import *", namespace)
    assert set(NAMES) <= set(namespace) & set(dir(kl))
    assert not {home.partition(".")[0] for home in kl._HOMES.values()} & set(NAMES)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'kaiser_logic' has no attribute 'nothing'"):
        kl.nothing  # noqa: B018


def test_modules_are_loaded_on_first_use():
    code = "import sys, kaiser_logic; sys.exit(any(m in sys.modules for m in ('clingo', 'kaiser_logic.errors')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
