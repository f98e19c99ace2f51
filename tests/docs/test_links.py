"""Links of the documentation have targets, and the pages and files that it and the code name exist."""

import re
from pathlib import Path

from support import ROOT
from support.fences import documents

PAGES = [
    *documents(),
    ROOT / "CHANGELOG.md",
    ROOT / "examples" / "README.md",
    *sorted(ROOT.glob("asp/**/*.md")),
    *sorted(ROOT.glob("tests/*.md")),
    *sorted(ROOT.glob(".github/**/*.md")),
]
_FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_PATH = re.compile(r"`((?:asp|docs|examples|kaiser_logic|\.ci)/[\w./-]+)`")
_PLACEHOLDER = re.compile(r"\b(GAME|NAME|NNN)\b")
_DOC = re.compile(r"\bdocs/[\w/-]+\.md\b")


def prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The names under which the headings of a page can be linked, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.*)$", prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_links_have_targets():
    for page in PAGES:
        check_links(page)


def check_links(page: Path) -> None:
    for link in _LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)}: {link}"
        if re.fullmatch(r"L\d+", anchor) and target.suffix != ".md":
            assert int(anchor[1:]) <= len(target.read_text(encoding="utf-8").splitlines()), f"{name(page)}: {link}"
        elif anchor:
            assert anchor in anchors(target), f"{name(page)}: {link}"


def test_files_named_by_pages_exist():
    named = [(name(page), path) for page in PAGES for path in _PATH.findall(prose(page))]
    assert len(named) > 20
    assert not [(page, path) for page, path in named if not _PLACEHOLDER.search(path) and not (ROOT / path).exists()]


def test_pages_named_by_code_exist():
    files = [
        ROOT / "pyproject.toml",
        *(p for folder in ("kaiser_logic", "tests", "asp") for p in sorted((ROOT / folder).rglob("*.*"))),
    ]
    for file in files:
        if file.suffix in (".py", ".toml", ".lp") and file != Path(__file__):
            for page in _DOC.findall(file.read_text(encoding="utf-8")):
                assert (ROOT / page).exists(), f"{name(file)} names {page}"


def test_the_index_links_every_page():
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in _LINK.findall(prose(index))}
    pages = set((ROOT / "docs").rglob("*.md")) - {index}
    assert not [name(page) for page in sorted(pages - linked)]
