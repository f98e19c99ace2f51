"""Stories: a record replayed move by move."""

from support.pictures import EXAMPLES
from support.played import HEAD

from kaiser_logic.notation.reading import parse_record
from kaiser_logic.reports.story import Story, story

START = HEAD + "red: empire_city(boehmen)\ngreen: elector(trier)\n"


def story_of(text: str, **options: str) -> Story:
    return story(parse_record(text, "my.game"), **options)  # type: ignore[arg-type]


def test_a_fault_has_place_pins_and_legal_actions():
    found = story(EXAMPLES / "faults" / "wrong-landing.game")
    assert list(found.faults) == [0]
    step = found.steps[1]
    assert list(step.pinned.values()) == [str(n) for n, _ in enumerate(step.pinned, 1)]
    assert step.frame is not None
    place = next(iter(step.pinned))
    look, _ = step.frame.dealt.placed[place]
    assert (look.owner, look.label, step.frame.dealt.areas[place][0]) == ("yellow", "35", "mainz")
    assert step.legal
    assert any("Red" in action for action in step.legal)


def test_an_illegal_move_has_a_tried_change():
    found = story(EXAMPLES / "faults" / "wrong-landing.game")
    tried = found.steps[1].tried
    assert tried is not None
    (moved,) = tried.change.moved
    assert (moved.look.owner, moved.look.label) == ("red", "15")
    assert tried.dealt.areas[moved.target][0] == "mainz"
    assert story_of(START + "blue: no_such(thing)\n").steps[3].tried is None
    assert story_of(START + "blue: ?\n").steps[3].tried is None
    assert story_of(START + "nobody: pass\n").steps[3].tried is None
