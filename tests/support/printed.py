"""The printed rulebooks in ``docs/rulebooks``; ``PYTHONPATH=.:tests python -m support.printed`` rewrites them."""

from pathlib import Path

from kaiser_logic.printing.book import print_book
from kaiser_logic.printing.markdown import markdown
from kaiser_logic.records.fault import RECORD_RULES
from kaiser_logic.rules.loader import asp_folder, rulebook
from kaiser_logic.rules.rulebook import ENGINE_DOCS, RuleDoc

FOLDER = Path(__file__).parents[2] / "docs" / "rulebooks"
GAMES = sorted(path.parent.name for path in asp_folder().glob("*/game.toml"))


def page(game: str) -> str:
    records = [RuleDoc(id, "rule", text, None, {}, "records", 0) for id, text in RECORD_RULES.items()]
    return markdown(print_book(rulebook(game), more=[*ENGINE_DOCS.values(), *records]), "../../asp")


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        (FOLDER / f"{game}.md").write_text(page(game), encoding="utf-8")


if __name__ == "__main__":
    write()
