"""Deadlines of tests. No result of a test depends on the clock."""

from typing import Final

NO_END: Final = 36_000.0
"""A deadline in seconds that no machine reaches; effort limits the search instead."""
