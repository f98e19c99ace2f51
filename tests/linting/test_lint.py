"""lint finds each kind of mistake, with file, line and the nearest name. Clean rulebooks have no findings."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant
from support.rulebook_cases import Entry, entries
from support.tables import rows, values

import kaiser_logic as kl
from kaiser_logic.linting.findings import KINDS

DRAWN = {"default_players = 2": 'default_players = 2\ndrawing = "seen"'}
MEANT = """stated(heap,1).
fluent(meant(A))    :- action(take,A).
add(meant(take(1))) :- does(_,take(1)).
del(meant(A))       :- does(_,take(2)), meant(A).
"""


class Mistake:
    """A rulebook with a mistake: the kind of the finding, a text on its line (none without a line), a part of the message."""

    def __init__(self, entry: Entry) -> None:
        self.what, _, self.says = entry.head.partition(" | ")
        self.at, self._entry = entry.detail("at"), entry

    def made(self, folder: Path) -> Path:
        """Writes the rulebook below a folder, and returns its folder."""
        target = variant(folder, self._entry.lines)
        for name, text in self._entry.files.items():
            (target / name).write_text(text, encoding="utf-8")
        if self._entry.detail("without"):
            (target / self._entry.detail("without")).unlink()
        return target

    def __str__(self) -> str:
        """A short name."""
        return f"{self.what}-{self.at[:30]}"


MISTAKES = [Mistake(entry) for entry in entries(Path(__file__).with_name("mistakes.cases"))]
_READ = [m for m in MISTAKES if m.at]


def test_a_rulebook_that_was_mended_is_clean_in_the_same_process(tmp_path):
    folder = next(one for one in MISTAKES if one.what == "initial").made(tmp_path)
    assert [one.what for one in kl.lint(folder)] == ["initial"]
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    assert not kl.lint(folder)


@pytest.mark.sample(3)
@pytest.mark.parametrize("mistake", _READ, ids=str)
def test_mistakes_are_found(mistake, tmp_path):
    folder = mistake.made(tmp_path)
    found = [f for f in kl.lint(folder) if f.what == mistake.what]
    assert found, kl.lint(folder)
    places = {}
    for finding in found:
        text = Path(finding.file).read_text(encoding="utf-8").splitlines()
        assert 1 <= finding.line <= len(text) + 1
        assert 1 <= finding.column <= len(text[min(finding.line, len(text)) - 1]) + 1
        places[finding] = text[min(finding.line, len(text)) - 1]
    fitting = [f for f, there in places.items() if mistake.at in there and mistake.says in f.message]
    assert fitting, places


@pytest.mark.sample(4)
@pytest.mark.parametrize("mistake", _READ, ids=str)
def test_rulebooks_with_serious_mistakes_do_not_load(mistake, tmp_path):
    folder = mistake.made(tmp_path)
    refusing = {f for f in kl.lint(folder) if KINDS[f.what].refuses}
    if not KINDS[mistake.what].refuses:
        assert not refusing
        kl.load(folder)
        return
    with pytest.raises(kl.FaultyRulebook) as caught:
        kl.load(folder).initial()
    assert caught.value.findings and set(caught.value.findings) <= refusing


def test_texts_and_tuples_that_come_to_no_fact_are_allowed(tmp_path):
    """Also in a sort whose names come to facts, and in a pair of which a fact has one part."""
    rules = """card(("big",king),1). card(("small",queen),2000000000).
name(C,T)             :- card((T,C),_).
fluent(laid(C))       :- card((_,C),_).
fluent(named(C,K))    :- name(C,T), T = "big", K = 1..2.
rich(N)               :- card(_,N), N > 999999999.
add(laid(C))          :- does(_,take(1)), name(C,"big"), rich(_).
add(named(king,1))    :- does(_,take(2)), name(_,"small"), laid(_), named(_,_)."""
    folder = variant(tmp_path, {"stated(heap,1).": f"stated(heap,1).\n{rules}"})
    assert not [f for f in kl.lint(folder) if KINDS[f.what].refuses]


def test_each_kind_has_at_least_two_mistakes():
    count = Counter(mistake.what for mistake in MISTAKES)
    assert set(count) == set(KINDS)
    assert all(number >= 2 for number in count.values()), count
    assert len(KINDS) >= 25


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", kl.games())
def test_the_games_are_clean(game):
    assert kl.lint(game) == ()


def test_the_example_is_clean(tmp_path):
    assert kl.lint(FOLDER) == ()
    folder = variant(tmp_path, DRAWN | {"stated(heap,1).": MEANT})
    for name in ("seen.lp", "english.toml"):
        shutil.copy(Path(__file__).with_name(name), folder)
    assert kl.lint(folder) == ()


def test_files_that_are_not_utf_8_are_found(tmp_path):
    for number, name in enumerate(("invariants.lp", "game.toml", "english.toml")):
        (tmp_path / str(number)).mkdir()
        folder = variant(tmp_path / str(number), {})
        (folder / name).write_bytes("% Köln\n".encode("latin-1"))
        (found,) = kl.lint(folder)
        assert (Path(found.file).name, found.what, found.message) == (name, "syntax", "this is not UTF-8")


def test_several_mistakes_are_found_at_once(tmp_path):
    folder = variant(
        tmp_path,
        {
            "stated(heap,1).": "stated(haep,1).",
            'out_of_turn(take,"take").': 'out_of_turn(take,"taking").',
            "broken(played_out,x)   :- phase(over),": "broken(played_out,x) :- pahse(over),",
        },
    )
    with pytest.raises(kl.FaultyRulebook) as caught:
        kl.load(folder)
    found = [(Path(f.file).name, f.what) for f in caught.value.findings]
    assert {("vocabulary.lp", "counted"), ("play.lp", "undocumented"), ("invariants.lp", "undefined")} <= set(found)
    assert list(caught.value.findings) == sorted(caught.value.findings)
    assert isinstance(caught.value, kl.WrongUsage)


def test_text_of_a_finding():
    finding = kl.Finding("heap/play.lp", 3, 7, "fluent", "there is no fluent 'haep'")
    assert str(finding) == "heap/play.lp:3:7: fluent: there is no fluent 'haep'"
    assert str(kl.Finding("heap/x.lp", 0, 0, "file", "cannot be read")) == "heap/x.lp: file: cannot be read"


def test_folders_without_a_rulebook_are_refused(tmp_path):
    with pytest.raises(kl.WrongUsage, match="it has no game"):
        kl.lint(tmp_path)
    with pytest.raises(kl.WrongUsage, match="there is no game 'kasier'; did you mean 'kaiser'"):
        kl.lint("kasier")


@pytest.mark.parametrize(("default", "clean"), values("linting/lint", "defaults"))
def test_start_tags_with_several_default_values(tmp_path, default, clean):
    tag = f'[tags.Stones]\nabout = "two"\nvalues = [1, 2, 3]\ndefault = {default}\ncount = 2\n\n[rulings.last_stone]'
    found = kl.lint(variant(tmp_path, {"[rulings.last_stone]": tag}))
    assert [(f.what, f.line) for f in found] == ([] if clean else [("manifest", 15)])


def test_named_sets_of_values_match_their_start_tag(tmp_path):
    tag = 'about = "two"\nvalues = [1, 2, 3]\ndefault = "1 2"\ncount = 2\nsets = { Rough = "1 4", Smooth = "2 3" }'
    found = kl.lint(variant(tmp_path, {"[rulings.last_stone]": f"[tags.Stones]\n{tag}\n\n[rulings.last_stone]"}))
    assert [(f.what, f.line, "'1 4' is not 2 of" in f.message) for f in found] == [("manifest", 17, True)]


@pytest.mark.parametrize("rules", rows("linting/lint", "correct"))
def test_correct_rules_have_no_findings(tmp_path, rules):
    """Strings that are data, not ids of rules; a counter that is only declared as signed."""
    assert kl.lint(variant(tmp_path, {"stated(heap,1).": f"stated(heap,1).\n{rules}"})) == ()
