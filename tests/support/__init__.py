"""What several tests share, and where things are."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples"
SUPPORT: Final = Path(__file__).parent
TINY: Final = SUPPORT / "tiny"
NAMES: Final = tuple(sorted(path.parent.name for path in TINY.glob("*/game.toml")))
"""The tiny games."""
