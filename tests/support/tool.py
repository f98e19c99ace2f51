"""The tool as a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support import ROOT


def tool(*words: str, cwd: Path = ROOT, python: str = "-m kaiser_logic", given: Any = None, **variables: str) -> Any:
    """Runs a command, or another Python; ``given``: its input, as a text or a file. Returns the process that has ended."""
    paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, *python.split(), *words], capture_output=True, text=True, check=False, cwd=cwd,
        env={**os.environ, "PYTHONPATH": paths, **variables},
        **({"input": given} if isinstance(given, str) else {"stdin": given}),
    )  # fmt: skip
