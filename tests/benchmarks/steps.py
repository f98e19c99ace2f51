"""Measures a step in the explorer's page: ``python -m tests.benchmarks.steps`` from the project's folder.

It opens a record in Chromium, and times each step from the key press until the board is laid out. Unlike the other figures
these are wall times, so they are only printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

from support.browser import browser
from support.pages import COUNT, LOADED, READY, pasted
from support.served import served

from kaiser_logic.explorer.record_handlers import start_game

STEPS = """(async()=>{
const found=[],press=key=>document.dispatchEvent(new KeyboardEvent('keydown',{key,bubbles:true}));
for(let i=0;i<%d;i++){
  const start=performance.now();
  press('ArrowRight');
  document.getElementById('board').getBoundingClientRect();
  found.push(performance.now()-start);
  await new Promise(done=>setTimeout(done,0));
}
return found;})()"""
ASKED = "performance.getEntriesByType('resource').filter(r=>r.name.endsWith('/ask/boards')).length"


def main() -> None:
    """Prints for each game the median, the 95th percentile and the maximum of the steps, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("games", nargs="*", default=["vive", "krone"])
    args = parser.parse_args()
    tags = {
        "vive": [["Game", "vive"], ["Option", "limit=300"], ["Seats", "red green blue yellow"]],
        "krone": [["Game", "krone"], ["Seats", "red green blue yellow white"]],
    }
    with served() as address:
        for game in args.games:
            record = start_game({"tags": tags.get(game, [["Game", game]]), "moves": args.moves, "seed": 1})
            with browser() as tab:
                tab.size(1400, 900)
                tab.open(address, READY)
                pasted(tab, record["text"])
                moves = len(record["moves"])
                tab.wait(f"{COUNT}.endsWith('of {moves}')")
                tab.wait(f"{ASKED}>=12||{ASKED}>={moves // 16}")
                tab.key("Home")
                tab.wait(f"{LOADED}||document.getElementById('groups').children.length")
                times = sorted(tab.value(STEPS % min(args.steps, moves)))
                figures = {
                    "game": game, "moves": moves, "steps": len(times), "median": round(median(times), 1),
                    "95th percentile": round(times[len(times) * 95 // 100], 1), "maximum": round(times[-1], 1),
                }  # fmt: skip
                sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
