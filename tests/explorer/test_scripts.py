"""The page's scripts when answers come late, or in another order than they were asked for."""

from __future__ import annotations

from pathlib import Path

from support.scripts import needs_node, scripted

pytestmark = needs_node

BOARD = """
import {Board} from "./page/board.js";
const game = {nodes: Array.from({length: COUNT}, (_, number) => ({number, facts: [`f${number}`], pictures: {}})),
  rules: {layouts: [{name: "wide", areas: {}, places: {}}]}, line() { return this.nodes.map(n => n.number); }, all: () => ({})};
const arrived = [], failed = [];
const board = new Board($("board"), {picked() {}, failed: error => failed.push(error.message),
  arrived: node => { arrived.push(node.number); board.draw(node.pictures.wide); }});
board.open(game);
const brings = one => one.answer({texts: [], pictures: one.data.states.map(({facts}) => ({text: facts[0]}))});
const stale = () => $("board").classList.contains("stale");
"""


def board(folder: Path, count: int, program: str) -> object:
    return scripted(folder, BOARD.replace("COUNT", str(count)) + program)


def test_a_block_fetched_ahead_shows_the_place_that_is_wanted_meanwhile(tmp_path: Path) -> None:
    """The end of a game, then a step back while the block before is on its way: that block brings the board."""
    found = board(
        tmp_path,
        401,
        """
        board.show(game.nodes[400]);
        await brings(asked[0]);
        const after = [[...arrived], stale()];
        board.show(game.nodes[399]);
        after.push(asked.map(one => one.data.states.at(-1).facts[0]), stale());
        await brings(asked[0]);
        told([...after, [...arrived], stale(), $("board").textContent, board.shown.text]);
        """,
    )
    assert found == [[400], False, ["f399"], True, [400, 399], False, "f399", "f399"]


def test_whoever_never_stops_to_wait_still_gets_the_last_board(tmp_path: Path) -> None:
    """At each answer another block is wanted already, a hundred times over."""
    found = board(
        tmp_path,
        1700,
        """
        for (let block = 0; block < 100; block++) {
          board.show(game.nodes[16 * block + 5]);
          if (block) await brings(asked[0]);
        }
        await brings(asked[0]);
        told([arrived, stale(), board.shown.text]);
        """,
    )
    assert found == [[1589], False, "f1589"]


def test_a_block_that_fails_does_not_keep_back_what_is_wanted(tmp_path: Path) -> None:
    found = board(
        tmp_path,
        48,
        """
        board.show(game.nodes[47]);
        await brings(asked[0]);
        board.show(game.nodes[0]);
        await asked[0].answer({error: "too late"}, 504);
        await brings(asked[0]);
        told([failed, arrived, stale()]);
        """,
    )
    assert found == [["too late"], [47, 0], False]


def test_a_board_of_another_record_is_not_shown(tmp_path: Path) -> None:
    found = board(
        tmp_path,
        4,
        """
        board.show(game.nodes[1]);
        const other = {...game, nodes: game.nodes.map(node => ({...node, facts: ["other"], pictures: {}}))};
        board.open(other);
        board.show(other.nodes[2]);
        await brings(asked[0]);
        const before = [...arrived];
        await brings(asked[0]);
        told([before, arrived, board.shown.text]);
        """,
    )
    assert found == [[], [2], "other"]


FIND = """
import {Find} from "./page/find.js";
const looked = [];
const find = new Find({game: {under: () => ({})}, lookAt: facts => looked.push(facts[0])});
const out = () => $("find-out").textContent;
const none = {answers: [], hints: [], note: "", for: "4 players", exhausted: true};
const one = fact => ({...none, answers: [{facts: [fact]}]});
"""


def test_no_old_proof_stands_above_a_new_error(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        FIND
        + """
        find.start("first");
        await asked[0].answer(none);
        const said = [out()];
        find.start("second");
        said.push(out());
        await asked[0].answer({error: "query:1:5: did not expect 'is' here"}, 422);
        told([...said, out()]);
        """,
    )
    assert found == [
        "No valid position is such (proved, for 4 players).There is no other that differs in what the query speaks of.",
        "Looking … Stop",
        "query:1:5: did not expect 'is' here",
    ]


def test_only_the_last_query_is_answered(tmp_path: Path) -> None:
    """The first is given up: neither its answer nor "Stopped." is written over the second."""
    found = scripted(
        tmp_path,
        FIND
        + """
        find.start("first");
        const first = asked[0];
        find.start("second");
        const said = [first.gone];
        await settled();
        said.push(out());
        await first.answer(one("old"));
        await asked[0].answer(one("new"));
        said.push(out().startsWith("←answer 1"), looked);
        find.clear();
        find.another();
        told([...said, out(), asked.length]);
        """,
    )
    assert found == [True, "Looking … Stop", True, ["new"], "", 0]


def test_a_query_is_about_the_record_in_which_it_was_asked(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        FIND
        + """
        find.start("first");
        const first = asked[0];
        find.clear(); // another record is opened
        await first.answer(one("old"));
        told([out(), looked, find.answers]);
        """,
    )
    assert found == ["", [], []]


def test_a_reason_is_about_the_action_that_was_asked_last(tmp_path: Path) -> None:
    """The place is left, and come back to, while its answer is on the way: nothing is said there."""
    found = scripted(
        tmp_path,
        """
        import {Why} from "./page/why.js";
        const pinned = [];
        const app = {game: {here: {}, rules: {seats: ["red"]}, state: () => ({})},
          board: {paper: {}, keep: b => b.pictures}, edit: {open: false},
          tab() {}, unlook() { pinned.length = 0; }, look: picture => pinned.push(picture)};
        const why = new Why(app), out = () => $("why-out").textContent;
        const legal = {legal: true, who: "Red", said: "passes", rules: [], role: "red", action: "pass",
          board: {pictures: ["pins"]}};
        why.judge("pass");
        await asked[0].answer(legal);
        const said = [out(), [...pinned]];
        why.judge("nonsense");
        said.push(out(), [...pinned]);
        await asked[0].answer({error: "no action"}, 422);
        said.push(out());
        why.judge("pass");
        const late = asked[0];
        why.clear();
        await late.answer(legal);
        told([...said, out()]);
        """,
    )
    legal = "✓ Legal: Red passesNo rule speaks against it.Play it"
    assert found == [legal, ["pins"], "", [], "no action", ""]


def test_nothing_is_saved_under_the_name_of_a_file_with_another_text(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        """
        import {Files} from "./page/saving.js";
        const files = new Files(), said = [];
        files.learn("good.game", "all");
        for (const [name, text] of [["good.game", "all"], ["Good.game", "half"], ["kaiser, a b", "x"], ["?", "y"]])
          said.push(files.propose(name, text));
        files.learn("good-2.game", "half");
        files.learn("linked.game", null);
        for (const [name, text] of [["good.game", "half"], ["good.game", "other"], ["linked.game", "all"]])
          said.push(files.propose(name, text));
        told(said);
        """,
    )
    assert found == [
        "good.game",
        "Good-2.game",
        "kaiser-a-b.game",
        "-.game",
        "good-2.game",
        "good-3.game",
        "linked-2.game",
    ]
