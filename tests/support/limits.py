"""Deadlines of tests: none of what a test says depends on the clock."""

from __future__ import annotations

from typing import Final

NO_END: Final = 36_000.0
"""Seconds: a deadline that is never reached, however slow the machine; what is looked for is limited by effort."""
