"""Nothing false is called proved or equal: small rulebooks with a question each, and the answer that is true.

The tables `*.cases` have changes of a rulebook and files of their own (see `support.rulebook_cases`), and these details:

    base NAME                 the rulebook that is changed: a folder of tests/support, kaiser, or `files` for one of its own
    with NAME                 changes of the heap game: a ruling `how` with the values plain and odd; `points` without a
                              limit; the winner does not depend on the ruling (`indifferent`)
    players N
    option RULING=VALUE
    ask examine LABEL         a proof: the induction step of one transition, `about` some claims, or all invariants; with
                              `about all` also whether the list of legal actions is complete
    ask prove [NAMES]         a proof of all claims, or of some; `limit` names all limits, whose verdicts are `limit of x: ...`
    ask position CLAIM        a claim about positions alone: a bound of a sum, a legal action at each decision
    CLAIM: VERDICT            falls, proved, undecided, not proved, not falls, not confirmed; `*` is all others; `some falls` of
                              several. What falls has been replayed, unless `unconfirmed` is said. About actions:
                              `possible: yes`, `never legal: NAMES`
    ask compare RULING=VALUE  the difference that this makes
    how WORDS                 its kind, or none, undecided, difference (any kind); one of several
    listed|unlisted|at|if     an action that is legal at the start, why actions are not listed, a part of a fact of the position,
                              what it says if it is undecided
    ask find QUERY            found N (1), none, or refused; of the position, red's actions: `listed`, `nowhere` (a pattern),
                              `breaks ACTION: RULE`
    ask load, refused TEXT    the rulebook or the question is refused with these words
    says TEXT                 a part of what is said
    mark NAMES                slow, long, by_hand
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import SUPPORT
from support.heap_game import INDIFFERENT, SCORED
from support.limits import NO_END
from support.proofs import examined, of_positions, report_on
from support.rulebook_cases import Entry, entries

from kaiser_logic.comparison.compare import compare
from kaiser_logic.engine.invariants import invariants, whole
from kaiser_logic.errors import KaiserLogicError, NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.rules.predicates import ALWAYS

HOW = {
    "[editions]\n": '[editions]\nother = "another one"\n',
    "[rulings.last_stone]": '[rulings.how]\nabout = "How."\nvalues = { plain = "so", odd = "otherwise" }\n'
    'standard = "plain"\nother = "odd"\n\n[rulings.last_stone]',
    'standard = "wins"': 'standard = "wins"\nother = "wins"',
}
WITH = {"how": HOW, "points": SCORED, "indifferent": INDIFFERENT}
GAMES = {"kaiser", "krone", "staufer", "vive"}
ENTRIES = [entry for path in sorted(Path(__file__).parent.glob("*.cases")) for entry in entries(path)]
OF_ANSWER = {
    *("base", "with", "players", "ask", "about", "how", "says", "at", "if", "listed", "unlisted", "refused"),
    *("mark", "unconfirmed", "option", "found", "none", "breaks", "nowhere"),
}


def written(entry: Entry, folder: Path) -> Path:
    """The folder of the entry's rulebook. A line that is to be changed and does not exist is an error."""
    name = entry.detail("base")
    target = folder / (name.rpartition("/")[2] if name != "files" else "small")
    target.mkdir()
    base = asp_folder() / name if name in GAMES else SUPPORT / name
    there = [] if name == "files" else [file for file in base.rglob("*") if file.is_file()]
    texts = {str(file.relative_to(base)): file.read_text(encoding="utf-8") for file in there} | entry.files
    changes = [change for n, text in entry.details if n == "with" for change in WITH[text].items()]
    for old, new in [*changes, *entry.lines.items()]:
        assert any(old in text for text in texts.values()), old
        texts = {file: text.replace(old, new) for file, text in texts.items()}
    for file, text in texts.items():
        (target / file).write_text(text, encoding="utf-8")
    return target


def verdicts(entry: Entry, game: Game) -> tuple[dict[str, str], str]:
    """The verdicts of a proof by claim, with what it says. Several parts of a claim that fall are one."""
    how, _, what = entry.detail("ask").partition(" ")
    if how == "position":
        found = of_positions(game, what)
        parts = {part.claim: part for part in (found, *found.parts)} | {what: found}
        said = " ".join(part.reason or "" for part in parts.values())
        if found.verdict == "falls" and not (found.example and found.example.replayed):
            said += " (not confirmed)"
        return {c: p.verdict for c, p in parts.items()}, said
    if how == "prove":
        report = report_on(game, *what.split())
        notes = " ".join(note for proof in report.proofs for note in proof.notes)
        named = {"never legal": " ".join(report.never_legal or []) or "no"}
        return {proof.claim: proof.status for proof in report.proofs} | named, notes
    about = entry.detail("about").split() or (*invariants(game.ruleset).assumed, *ALWAYS)
    result = examined(game, what, *([] if about == ["all"] else about))
    confirmed = {whole(claim) for claim, example in result.broken.items() if example.replayed}
    assert entry.detail("unconfirmed") or confirmed == {whole(claim) for claim in result.broken}
    merged = {whole(claim): verdict for claim, verdict in result.verdicts.items()}
    merged |= {whole(claim): "falls" for claim in result.broken}
    if result.trouble:
        merged |= {claim: "undecided" for claim in merged if merged[claim] != "falls"}
    return merged | {"possible": "yes" if result.possible else "no"}, result.reason or ""


def wrong(entry: Entry, found: dict[str, str], said: str) -> Iterator[str]:
    """The expectations that the verdicts do not meet."""
    expected = [(name, text) for name, text in _expectations(entry)]
    named = {claim for claim, _ in expected}
    for claim, verdict in expected:
        some = "some " in verdict
        others = [c for c in found if c not in named | {"possible", "never legal"}]
        claims = others if claim == "*" else claim.split() if some else [claim]
        its = [found.get(c, "absent") for c in claims]
        good = [v != verdict[4:] if verdict.startswith("not ") else v == verdict.removeprefix("some ") for v in its]
        if verdict == "not confirmed":
            good = [v != "falls" or "(not confirmed)" in said for v in its]
        if not its or not (any(good) if some else all(good)):
            yield f"{claim}: {verdict}, but {dict(zip(claims, its, strict=True))}"


def _expectations(entry: Entry) -> Iterator[tuple[str, str]]:
    for name, text in entry.details:
        if name not in OF_ANSWER:
            claim, _, verdict = f"{name} {text}".partition(": ")
            yield claim, verdict


def assert_difference(entry: Entry, folder: Path, game: Game, players: int | None) -> None:
    name, _, value = entry.detail("ask").partition(" ")[2].partition("=")
    other = load(folder, options={name: value}, players=players)
    (found,) = compare(game, other, NO_END, 1)
    kinds = {found.how or ("none" if found.complete else "undecided"), "difference" if found.how else ""}
    assert kinds & set(entry.detail("how").split()), found.words
    assert entry.detail("says") in found.words
    assert found.how or found.complete or entry.detail("if") in found.words
    assert not entry.detail("at") or entry.detail("at") in " ".join(found.position.facts if found.position else ())
    if entry.detail("listed"):
        assert entry.detail("listed") in other.initial().legal()["red"]
    if entry.detail("unlisted"):
        with pytest.raises(NotDecided) as caught:
            other.initial().legal()
        assert entry.detail("unlisted") in str(caught.value)


def assert_found(entry: Entry, game: Game, query: str) -> None:
    """Asserts what a query finds. What is found is valid by the evaluation."""
    asked = dict(entry.details)
    result = game.find_result(query, int(asked.get("found") or 1), timeout=NO_END)
    if "none" in asked:
        assert result.positions == () and result.exhausted
        return
    assert len(result.positions) == int(asked["found"] or 1)
    for position in result.positions:
        assert not position.broken_invariants()
        assert not entry.detail("at") or entry.detail("at") in " ".join(position.facts)
        assert not entry.detail("listed") or entry.detail("listed") in position.legal()["red"]
        if entry.detail("nowhere"):
            assert not any(re.fullmatch(entry.detail("nowhere"), action) for action in position.legal()["red"])
        if entry.detail("breaks"):
            action, _, rule = entry.detail("breaks").partition(": ")
            assert [v.rule for v in position.why("red", action)] == [rule]


@pytest.mark.parametrize(
    "entry",
    [pytest.param(e, marks=[getattr(pytest.mark, m) for m in e.detail("mark").split()], id=e.head) for e in ENTRIES],
)
def test_the_answer_is_true(entry, tmp_path):
    folder = written(entry, tmp_path)
    players = int(entry.detail("players")) if entry.detail("players") else None
    query = entry.detail("ask").removeprefix("find ") if entry.detail("ask").startswith("find ") else ""
    if entry.detail("refused"):
        with pytest.raises(KaiserLogicError) as caught:
            game = load(folder, players=players)
            (assert_found(entry, game, query) if query else verdicts(entry, game))
        assert entry.detail("refused") in str(caught.value)
    elif query:
        assert_found(entry, load(folder, players=players), query)
    elif entry.detail("ask").startswith("compare"):
        assert_difference(entry, folder, load(folder, players=players), players)
    else:
        option = dict([entry.detail("option").split("=")]) if entry.detail("option") else None
        found, said = verdicts(entry, load(folder, players=players, options=option))
        assert not list(wrong(entry, found, said))
        assert entry.detail("says") in said
