"""The page's scripts when answers come late or out of order."""

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


def test_a_block_fetched_ahead_shows_the_place_wanted_meanwhile(tmp_path: Path) -> None:
    """The end of a game, then a step back while the block before is being fetched: that block has the board."""
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
        report([...after, [...arrived], stale(), $("board").textContent, board.shown.text]);
        """,
    )
    assert found == [[400], False, ["f399"], True, [400, 399], False, "f399", "f399"]


def test_continuous_steps_end_at_the_last_board(tmp_path: Path) -> None:
    """A hundred times, another block is already wanted when an answer comes."""
    found = board(
        tmp_path,
        1700,
        """
        for (let block = 0; block < 100; block++) {
          board.show(game.nodes[16 * block + 5]);
          if (block) await brings(asked[0]);
        }
        await brings(asked[0]);
        report([arrived, stale(), board.shown.text]);
        """,
    )
    assert found == [[1589], False, "f1589"]


def test_a_failed_block_does_not_block_the_wanted_one(tmp_path: Path) -> None:
    found = board(
        tmp_path,
        48,
        """
        board.show(game.nodes[47]);
        await brings(asked[0]);
        board.show(game.nodes[0]);
        await asked[0].answer({error: "too late"}, 504);
        await brings(asked[0]);
        report([failed, arrived, stale()]);
        """,
    )
    assert found == [["too late"], [47, 0], False]


def test_boards_of_an_earlier_record_are_not_shown(tmp_path: Path) -> None:
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
        report([before, arrived, board.shown.text]);
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


def test_a_new_error_replaces_an_old_proof(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        FIND
        + """
        find.start("first");
        await asked[0].answer(none);
        const results = [out()];
        find.start("second");
        results.push(out());
        await asked[0].answer({error: "column 5: did not expect 'is' here"}, 422);
        report([...results, out()]);
        """,
    )
    assert found == [
        "No valid position has this property (proved, for 4 players).There is no other that differs in what the query speaks of.",
        "Looking … Stop",
        "column 5: did not expect 'is' here",
    ]


def test_only_the_last_query_is_answered(tmp_path: Path) -> None:
    """The first query is cancelled: neither its answer nor "Stopped." replaces the second."""
    found = scripted(
        tmp_path,
        FIND
        + """
        find.start("first");
        const first = asked[0];
        find.start("second");
        const results = [first.gone];
        await settled();
        results.push(out());
        await first.answer(one("old"));
        await asked[0].answer(one("new"));
        results.push(out().startsWith("←answer 1"), looked);
        find.clear();
        find.another();
        report([...results, out(), asked.length]);
        """,
    )
    assert found == [True, "Looking … Stop", True, ["new"], "", 0]


def test_an_answer_belongs_to_the_record_of_its_query(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        FIND
        + """
        find.start("first");
        const first = asked[0];
        find.clear(); // another record is opened
        await first.answer(one("old"));
        report([out(), looked, find.answers]);
        """,
    )
    assert found == ["", [], []]


def test_a_reason_belongs_to_the_last_action(tmp_path: Path) -> None:
    """If the user leaves the place and comes back before the answer, no reason is shown."""
    found = scripted(
        tmp_path,
        """
        import {Why} from "./page/why.js";
        const pinned = [];
        const app = {game: {rules: {seats: ["red"]}, state: () => ({})}, place: {},
          board: {paper: {}, keep: b => b.pictures},
          tab() {}, unpin() { pinned.length = 0; }, look: picture => pinned.push(picture)};
        const why = new Why(app), out = () => $("why-out").textContent;
        const legal = {legal: true, who: "Red", label: "passes", rules: [], role: "red", action: "pass",
          board: {pictures: ["pins"]}};
        why.judge("pass");
        await asked[0].answer(legal);
        const results = [out(), [...pinned]];
        why.judge("nonsense");
        results.push(out(), [...pinned]);
        await asked[0].answer({error: "no action"}, 422);
        results.push(out());
        why.judge("pass");
        const late = asked[0];
        why.clear();
        await late.answer(legal);
        report([...results, out()]);
        """,
    )
    legal = "✓ Legal: Red passesNo rule forbids it.Play it"
    assert found == [legal, ["pins"], "", [], "no action", ""]


def test_changed_texts_are_saved_under_another_name(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        """
        import {Files} from "./page/saving.js";
        const files = new Files(), results = [];
        files.learn("good.game", "all");
        for (const [name, text] of [["good.game", "all"], ["Good.game", "half"], ["kaiser, a b", "x"], ["?", "y"]])
          results.push(files.propose(name, text));
        files.learn("good-2.game", "half");
        files.learn("linked.game", null);
        for (const [name, text] of [["good.game", "half"], ["good.game", "other"], ["linked.game", "all"]])
          results.push(files.propose(name, text));
        report(results);
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


VARIED = """
import {Game} from "./page/game.js";
const step = (role, action) => ({role, action, label: action, minus: [], plus: [], pending: [], over: false});
const text = '[Game "toy"]\\n\\nred: a\\ngreen: b ( green: x red: y ( red: z ) )\\nred: c\\n% variation ...';
const open = () => new Game({game: {}, faults: [{role: "red", place: "1a.1", moves: null}], tags: [["Game", "toy"]], text,
  moves: [["red", "a"], ["green", "b"], ["red", "c"]],
  steps: [step(), step("red", "a"), step("green", "b"), step("red", "c")],
  variations: [{line: 0, at: 0, name: "", steps: [step("red", "d")], moves: []},
    {line: 0, at: 1, name: "1a", steps: [step("green", "x"), step("red", "y")], moves: []},
    {line: 2, at: 1, name: "1a.1a", steps: [{...step("red", "z"), comment: "why"}], moves: [["green", "no"]]}]}, "toy");
"""


def test_what_is_played_is_told_from_what_was_opened(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        VARIED
        + """
        const game = open();
        game.straighten();
        const results = [game.edits(), game.branches(), game.places.get("1a.1a.1"), game.nodes[7].comment, game.rests.has(7),
          game.nodes.filter(node => node.faults).map(node => node.number)];
        const one = game.add(1, step("green", "w")), two = game.add(one, step("red", "v"));
        game.add(one, step("red", "u"));
        game.add(4, step("green", "e")); // behind a variation in a comment
        game.add(3, step("green", "f")); // behind the end
        game.add(1, step("green", "x")); // known
        game.go(two);
        game.say(game.here, "so");
        game.say(game.nodes[1], "a");
        const {branches, at} = game.branches();
        results.push(...game.comments, game.edits(), branches, at, game.end.action);
        // opened again by its link: the same tree
        const again = open();
        for (const [from, moves] of branches) {
          let node = again.nodes[from];
          for (const [role, action, comment] of moves)
            node = again.nodes[again.add(node.number, {...step(role, action), comment})];
        }
        again.go(at);
        again.say(again.nodes[1], "a");
        report([...results, JSON.stringify(again.edits()) === JSON.stringify(game.edits()), again.here.action]);
        """,
    )
    assert found == [
        [],
        {"branches": [], "at": 0},
        7,
        "why",
        True,
        [6],
        ["1", "a"],
        [
            [["red", "a", "a"], ["green", "b", ""], ["red", "c", ""], ["green", "f", ""]],
            [["red", "a", "a"], ["green", "w", ""], ["red", "v", "so"]],
            [["red", "a", "a"], ["green", "w", ""], ["red", "u", ""]],
            [["red", "d", ""], ["green", "e", ""]],
        ],
        [
            [1, [["green", "w", ""], ["red", "v", "so"]]],
            [3, [["green", "f", ""]]],
            [4, [["green", "e", ""]]],
            [8, [["red", "u", ""]]],
        ],
        9,
        "f",
        True,
        "v",
    ]


def test_undo_and_redo_affect_only_moves_played_here(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        VARIED
        + """
        const game = open();
        game.straighten();
        game.go(2);
        const results = [game.undo(), game.at];
        game.go(game.add(2, step("red", "x")));
        results.push(game.undo(), game.at, game.redo(), game.here.action, game.undo());
        game.go(1);
        results.push(game.redo(), game.at);
        report(results);
        """,
    )
    assert found == [False, 2, True, 2, True, "x", True, False, 1]


ACTIONS = """
import {Actions} from "./page/actions.js";
const played = [], marks = [];
const board = {picks: [], reach: null, mark: touch => marks.push(touch), reveal() {}, label: area => area.toUpperCase(),
  shown: {deal: {"at(a,1)": ["baron", "red", "15", 1]}},
  layout: {places: {"at(a,1)": [0, 0, 9, "a", "space"], "at(b,1)": [0, 0, 9, "b", "space"], "at(b,2)": [0, 0, 9, "b", "space"]}}};
const app = {board, game: {rules: {colours: {}, words: {}, letters: {}}, state: () => ({})},
  play: (...what) => played.push(what.slice(0, 2)), why: text => played.push(["why", text])};
const actions = new Actions(app), one = (action, label) => ({action, label});
const touch = (areas, from, to, items = []) => ({areas, from, to, items, moves: []});
const node = {legal: {result: null, roles: [{role: "red", label: "Red", decision: "it is Red's turn", note: "",
  groups: [{kind: "move", actions: [one("move(a,b)", "moves to b"), one("move(a,c)", "moves to c")]},
    {kind: "pass", actions: [one("pass", "passes")]}]}]},
  touch: {"red: move(a,b)": touch(["a", "b"], ["at(a,1)"], ["at(b,1)"]),
    "red: move(a,c)": touch(["a", "c"], ["at(a,1)"], []),
    "red: pass": touch([], [], [], ["red dots(points)"])}};
actions.node = node;
const place = (name, area) => ({kind: "place", name, area, label: name});
const area = name => ({kind: "area", name, area: name, label: name.toUpperCase()});
const title = () => $("actions-t").textContent, left = () => actions.picks.map(pick => pick.name).join("+");
"""


def test_choices_on_the_board_filter_the_actions(tmp_path: Path) -> None:
    """A piece, then another free place of the area where its action ends; a card; two places without a legal action."""
    found = scripted(
        tmp_path,
        ACTIONS
        + """
        actions.draw();
        const results = [title()];
        actions.pick(place("at(a,1)", "a"));
        results.push(title(), [...board.reach.to]);
        actions.pick(place("at(b,2)", "b"));
        results.push(title(), left());
        actions.unpick();
        actions.pick({kind: "item", name: "red dots(points)", area: "red", label: "points"});
        results.push(title());
        actions.unpick([area("b")]);
        actions.pick(area("c"));
        results.push(title(), $("groups").textContent);
        report(results);
        """,
    )
    assert found[:6] == [
        "Red: 3 legal actions",
        "Red: 2 of 3 legal actions",
        ["at(a,1)", "at(b,1)"],
        "Red: 1 of 3 legal actions",
        "at(a,1)+at(b,2)",
        "Red: 1 of 3 legal actions",
    ]
    assert found[6] == "Red: 0 of 3 legal actions"
    assert "Nothing legal touches B and C." in found[7]
    assert "Why not?" in found[7]


def test_the_first_tap_shows_an_action_and_the_second_plays_it(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        ACTIONS
        + """
        const button = {dataset: {role: "red", action: "pass"}, closest: () => button};
        const click = (pointerType, detail = 1) => $("groups").heard.click({target: button, pointerType, detail});
        $("groups").hasAttribute = () => false;
        actions.draw();
        click("touch");
        const results = [[...played], $("pointed").textContent.includes("Play it")];
        click("touch");
        results.push([...played]);
        click("mouse");
        report([...results, played.length]);
        """,
    )
    assert found == [[], True, [["red", "pass"]], 2]


def test_enter_on_an_illegal_action_asks_why_and_clears_the_text(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        ACTIONS
        + """
        $("filter").value = "move(a,d)";
        actions.draw();
        const results = [title()];
        actions.enter();
        report([...results, played, $("filter").value, title()]);
        """,
    )
    assert found == ["Red: 0 of 3 legal actions", [["why", "move(a,d)"]], "", "Red: 3 legal actions"]


def test_a_filter_and_a_place_without_common_actions_are_reported(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        ACTIONS
        + """
        actions.pick(area("b"));
        $("filter").value = "pass";
        actions.draw();
        report($("groups").textContent);
        """,
    )
    assert "Nothing legal that touches B fits." in found
    assert "Without what is typed" in found
    assert "Anywhere on the board" in found


WORDS = """
import {Why} from "./page/why.js";
const words = new Map([["buys the pope to hold it", ["red", "buy(pope,hold)", "buys the pope to hold it"]],
  ["buys the pope, removing a tile", ["red", "buy(pope,remove)", "buys the pope, removing a tile"]],
  ["passes", ["red", "pass", "passes"]]]);
const app = {game: {rules: {seats: ["red"], words: {red: "Red"}}, state: () => ({})}, place: {},
  board: {paper: {}}, words: () => words, tab() {}, unpin() {}, look() {}};
const why = new Why(app);
"""


def test_why_accepts_the_words_of_the_move_list(tmp_path: Path) -> None:
    found = scripted(
        tmp_path,
        WORDS
        + """
        const results = [];
        for (const text of ["Red passes", "buys the pope to hold it", "pass", "red: buy(pope,hold)"]) {
          why.typed(text);
          results.push(asked[0].data.move);
          await asked[0].answer({error: "no"}, 422);
        }
        for (const text of ["buy the pope", "red: buy the pope", "bu"]) {
          why.typed(text);
          results.push($("why-out").textContent);
        }
        results.push(asked.length);
        why.typed("fly to the moon");
        report([...results, $("why-out").textContent.slice(0, 12), asked.length]);
        """,
    )
    assert found[:4] == ["pass", "buy(pope,hold)", "pass", "red: buy(pope,hold)"]
    assert all(text.startswith("Which of these is meant?buys the pope") for text in found[4:7])
    assert found[7:] == [0, "Nothing that", 0]
