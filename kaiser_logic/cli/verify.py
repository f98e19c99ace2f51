"""The command ``verify``: checks certificates of proofs without the prover."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from .common import positive
from .progress import clear, progress


def add_verify(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``verify``."""
    parser.add_argument(
        "folder", metavar="DIR", type=Path, help="the folder that 'prove --certify DIR' has written"
    )
    parser.add_argument(
        "--rulebook", metavar="FOLDER", type=Path, help="the rulebook (default: the one that DIR names)"
    )
    parser.add_argument("--jobs", metavar="N", type=positive, help="processes (default: one for each core)")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="text (default), or one JSON object"
    )
    parser.set_defaults(run=verify)


def verify(args: argparse.Namespace) -> int:
    """Checks certificates."""
    from ..certificates.folder import read_manifest
    from ..certificates.verify import verify as verified
    from ..rules.library import asp_folder, folder_of, game_named

    rulebook = args.rulebook
    if rulebook is None:
        game = game_named(read_manifest(args.folder).game)
        rulebook = game if isinstance(game, Path) else folder_of(game)
    found = verified(args.folder, rulebook, asp_folder() / "engine", args.jobs, progress())
    clear()
    manifest = found.manifest
    if args.format == "json":
        counts = {
            "checked": found.checked,
            "given": found.given,
            "left": manifest.left,
            "faults": found.faults,
        }
        print(
            json.dumps({"game": manifest.game, "settings": manifest.settings, **counts, "steps": found.steps})
        )
        return 1 if found.faults else 0
    print(f"{manifest.game}, {' '.join(manifest.settings['seats'])}")
    width = max(map(len, manifest.claims), default=0)
    for name in found.checked:
        print(f"{name:<{width}}  checked  {found.stated[name]}")
    for name, why in manifest.left.items():
        print(f"{name}: no certificate: {why}")
    for fault in found.faults:
        print(f"fault: {fault}")
    if found.checked and found.given:
        print(f"all this holds only given what is not checked: {', '.join(found.given)}")
    print(
        f"{len(found.checked)} checked, {len(found.faults)} faults, {found.steps:,} steps, in {found.seconds:.1f} s"
    )
    return 1 if found.faults else 0


COMMANDS: Final = {"verify": add_verify}
"""What adds the arguments of each command."""
