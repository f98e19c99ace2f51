"""Mistakes of authors of rulebooks: small changes of the heap game, each with the expected finding and its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from support.heap_game import variant

DRAWING: Final = """\
% What is seen.
table(1,players).
column(players,1,stones).
row(players,I,R) :- seat(R,I).
cell(players,R,stones,1,K) :- taken(R,K).
"""
ENGLISH: Final = """\
[facts]
"heap(N)" = "the heap holds {N}"
[actions]
"take(K)" = "take {K}"
"""
PICTURE: Final = """\
% What is seen.
layout(wide,300).
area(wide,heap,rect(3,43,294,94)).
place(wide,lies(1),50,90).
slot(stone,heap,1,lies(1)).
outline(stone,disc).
piece(stone,heap,look(disc,none,N),1) :- heap(N).
panel(R,1,chip(blue,x,1)) :- player(R).
"""
PICTURED: Final = {"default_players = 2": 'default_players = 2\npicture = ["seen"]'}
DRAWN: Final = {"default_players = 2": 'default_players = 2\ndrawing = "seen"'}
OF_SETS: Final = {
    '"play", "invariants"]': '"play", "invariants", "more"]',
    '"table", "phases"': '"table", "sets", "phases"',
}
THINGS: Final = """thing(shield,2,1).
thing(sword,1,2).
listed(M) :- candidate(_,lay(M)).
picker(R) :- decision(R,take).
pickable(R,C,1) :- picker(R), thing(C,_,_).
action(take,lay(M)) :- set(M).
candidate(R,lay(M)) :- decision(R,take), pick(R,M).
"""


WHERE: Final = "%!   where last_stone is loses -- Whoever takes the last stone loses.\n"
ENDING: Final = "%!   standard  The end\ngoal"
DUTCH: Final = {
    "[rulings.last_stone]": 'nl = "the Dutch text"\n\n[rulings.last_stone]',
    'standard = "wins"': 'standard = "wins"\nnl = "loses"\nsource = { standard = "assumed", nl = "Einde" }',
}
TEXTS: Final = {
    "[editions]": '[editions]\nnl = "Dutch"\nit = "Italian"',
    'standard = "wins"': 'standard = "wins"\nnl = "wins"\nit = "wins"\nsource = { nl = "Einde", it = "Fine" }',
    ENDING: "%!   it  Fine\ngoal",
    "%!   standard  The end\nadd": "%!   nl  Einde\nadd",
}


@dataclass(frozen=True)
class Mistake:
    """A change of the heap game that is a mistake.

    Attributes:
        what: The kind of the expected finding.
        changes: Old lines and their replacements.
        at: A text on the line of the finding; empty if it has no line.
        says: A part of the message.
        files: Additional files of the folder.
        without: A file that is removed.
    """

    what: str
    changes: Mapping[str, str]
    at: str
    says: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    without: str = ""

    def made(self, folder: Path) -> Path:
        """Writes the rulebook with the mistake below a folder, and returns its folder."""
        target = variant(folder, self.changes)
        for name, text in self.files.items():
            (target / name).write_text(text, encoding="utf-8")
        if self.without:
            (target / self.without).unlink()
        return target


def line(what: str, old: str, new: str, says: str = "", at: str = "") -> Mistake:
    """A changed line. ``at`` is on the line of the finding, by default the changed one."""
    return Mistake(what, {old: new}, at or new.splitlines()[-1], says)


def more(what: str, rules: str, says: str = "", at: str = "") -> Mistake:
    """A mistake in rules that are added."""
    return line(what, "stated(heap,1).", f"stated(heap,1).\n{rules}", says, at)


def of_sets(rules: str, says: str) -> Mistake:
    """A mistake in rules about sets that actions name."""
    whole = THINGS.replace("shield,2,1", "shield,1,1").replace("sword,1,2", "sword,2,2") + rules + "\n"
    return Mistake("sets", OF_SETS, rules.splitlines()[-1], says, {"more.lp": whole})


MANIFEST: Final = (
    line("manifest", "players = [2, 3]", "players = 2", "'players' is to be numbers"),
    line("manifest", "[editions]", "[edition]", "no key 'edition'; did you mean 'editions'?"),
    line("manifest", "default_players = 2", "default_players = 5", "5 is not one of the numbers of players"),
    line("manifest", 'roles = ["red", "green", "blue"]', 'roles = ["red", "red", "blue"]', "all different"),
    line("manifest", 'standard = "wins"', 'standard = "win"', "did you mean 'wins'?"),
    line("manifest", 'about = "Whether the last stone wins."', 'text = "Whether the last stone wins."', "no key 'text'"),
    line("manifest", "players = [2, 3]", "players = [2, 3, 4]", "with 3 roles"),
    Mistake("manifest", {'standard = "wins"\n': ""}, "[rulings.last_stone]", "lacks 'standard'"),
    line("manifest", 'id = "heap"', 'id = "The Heap"', "'id' is to be a name"),
    line("file", 'files = ["vocabulary", "play", "invariants"]', 'files = ["vocabulary", "paly"]', "'play'?"),
    Mistake("file", {}, "files =", "no file play.lp", without="play.lp"),
    Mistake("unlisted", {}, "% For later.", "it is not read", {"ending.lp": "% For later.\np :- heap(0).\n"}),
    Mistake("unlisted", {'"vocabulary", "play", "invariants"]': '"vocabulary", "play"]'}, "%! invariant heap_stated"),
    line("engine", '"table", "phases"', '"tabel", "phases"', "did you mean 'table'?"),
    line("engine", '"table", "phases"', '"table", "phases", "judge"', "no shared file 'judge'"),
    line("needs", '"table", "phases"', '"table", "scoring", "phases"', "'scoring' reads score/3"),
    line("needs", "may_decide(R,take)     :-", "may_deicde(R,take) :-", "may_decide/2", at="engine ="),
    Mistake("drawing", DRAWN, "drawing =", "no file seen.lp"),
    Mistake("drawing", {"default_players = 2": 'default_players = 2\ndrawing = "play"'}, "drawing =", "'files' as well"),
    Mistake("cell", DRAWN, "K) :-", "column 'stnoes'; did you mean 'stones'?",
            {"seen.lp": DRAWING.replace("cell(players,R,stones", "cell(players,R,stnoes")}),
    Mistake("cell", DRAWN, "cell(", "'payers'", {"seen.lp": DRAWING.replace("cell(players", "cell(payers")}),
    line("exports", "default_players = 2", 'default_players = 2\nexports = ["hodls_at_least/1"]', "'holds_at_least/1'"),
    line("exports", "default_players = 2", 'default_players = 2\nexports = ["left/3"]', "no rule derives left/3"),
    line("exports", "default_players = 2", 'default_players = 2\nparts_of_turn = ["tkae"]', "did you mean 'take'?"),
    Mistake("things", OF_SETS, "thing(shield", "thing(sword,1,2)", {"more.lp": THINGS.replace("shield,2", "shield,3")}),
    Mistake("things", OF_SETS, "thing(shield", "places 1, 2", {"more.lp": THINGS.replace("shield,2", "shield,1")}),
    of_sets("add(took(red)) :- does(red,lay(M)), does(green,lay(M)).", "two atoms name the set M"),
    of_sets("add(took(R)) :- does(R,lay(M)), does(Q,lay(K)), R != Q, M != K.", "is compared"),
    of_sets("one(M) :- does(R,lay(M)), first(R).\nadd(took(R)) :- does(R,lay(M)), one(M).", "two atoms"),
    of_sets("add(took(red)) :- does(red,lay(M)), offered(green,lay(M)).", "two atoms name the set M"),
    of_sets("gain(taken(R),1,M) :- does(R,lay(M)).", "the set M is stored"),
    of_sets("add(took(red)) :- #count { M : does(_,lay(M)) } > 1.", "is counted"),
    line("syntax", 'title = "Heap (an example)"', "title = Heap"),
    line("syntax", "[editions]", "[editions"),
)  # fmt: skip

FORMS: Final = (
    line("syntax", "amount(1..3).", "amount(1..3)", at="fluent(seat"),
    line("syntax", "holds_at_least(1..N)         :- heap(N), N > 0.", "holds_at_least(1..N) :- heap(N) N > 0."),
    line("syntax", "step(pass_on).", "step(pass_on", at="action(take"),
    more("syntax", "größe(3).", "'ö' is not expected here"),
    more("directive", "#const most = 3."),
    more("directive", "#show heap/1."),
    more("directive", '#include "more.lp".'),
    more("choice", "{ picked(R) : player(R) } = 1."),
    more("choice", "lucky(R) ; poor(R) :- player(R)."),
    more("constraint", ":- heap(N), N > 12.", "broken(Invariant,Witness)"),
    more("constraint", ":- not phase(_)."),
    more("negation", "-empty :- heap(N), N > 0."),
    more("negation", "quiet :- phase(play), -empty.", "write 'not'"),
    more("script", "most(@size())."),
    more("script", "most(N) :- amount(N), &sum { N } < 3."),
    more("syntax", "many' :- heap(N), N > 3.", "many' contains a prime"),
    line("documentation", "%! rule take.enough --", "%! law take.enough --", at="%! law"),
    line("documentation", "%!   why       the heap", "%! why the heap"),
    line("documentation", "%! rule pass_on --", "%! rule pass_on:", at="%! rule pass_on:"),
    line("twice", "%! rule pass_on --", "%! rule take --", "also at heap/play.lp", at="%! rule take -- Then"),
    line("twice", "%! invariant one_taker --", "%! invariant heap_stated --", at="%! invariant heap_stated -- At"),
    line("slow", "add(took(R))                 :- does(R,take(_)).", "add(took(R)) :- does(R,take(K)), |K| > 0.",
         "left to clingo, which is slower: take(K)"),
    line("slow", "not holds_at_least(1).", "not holds_at_least(|1|).", "step pass_on"),
    more("repeated", "stated(heap,1).", "the same rule is at"),
    line("repeated", "init(heap(12)).", "init(heap(12)).\ninit(phase(play)).", "the same rule is at", "init(phase(play))"),
    line("undocumented", 'violates(R,take(K),"take.enough")', 'violates(R,take(K),"take.enouhg")', "'take.enough'?"),
    line("undocumented", "broken(one_taker,due)", "broken(one_player,due)", "one_player"),
    line("undocumented", 'out_of_turn(take,"take").', 'out_of_turn(take,"taking").'),
    line("edition", "%!   standard  The end\nadd(decision", "%!   standart  The end\nadd(decision", "'standard'?",
         at="standart"),
    line("source", "%!   standard  The end\nadd(decision", "%!   standard  The end, silent\nadd(decision",
         "'The end, silent' cannot be read as a source", at="The end, silent"),
    line("source", "%!   standard  The end\ngoal", "%!   standard  unverified\ngoal", "'unverified' cannot be read as a source",
         at="unverified"),
    line("edition", "%!   why       the heap holds only {N}", "%!   wyh       the heap holds only {N}", "'why'?"),
    line("why", "the heap holds only {N}", "the heap holds only {M}", "{M} is no variable"),
    line("why", "the heap holds only {N}", "the heap holds only {N+1}", "{N+1} is not a variable"),
    line("why", "it is not {R}'s turn", "it is {Q}'s turn", "{Q} is no variable of the rules that say take"),
)  # fmt: skip

NAMES: Final = (
    line("undefined", "heap(N), not holds_at_least(K).", "heap(N), not holds_atleast(K).", "'holds_at_least'?"),
    more("undefined", "rich(N) :- number(N), N > 9.\nbroken(heap_stated,N) :- heap(N), rich(N).", "used only in rules for fluent",
         at="rich(N) :- number(N), N > 9."),
    more("undefined", "broken(heap_stated,N) :- heap(N), number(M), M > N.", "number/1 may be used only in rules for"),
    more("undefined", "broken(heap_stated,N) :- heap(N), not fluent(heap(N)).", "fluent/1 may be used only in rules for"),
    more("undefined", "taking(A) :- action(take,A).\nbroken(heap_stated,x) :- not taking(take(1)).", "only in rules for fluent",
         at="taking(A) :- action(take,A)."),
    line("undefined", "candidate(R,take(K))          :- decision(R,take), amount(K).",
         "candidate(R,take(K)) :- decision(R,take), amuont(K).", "did you mean 'amount'?"),
    line("undefined", "shift(heap,taken(R),K,taken) :- does(R,take(K)).",
         "shift(heap,taken(R),K,taken) :- doess(R,take(K)).", "did you mean 'does'?"),
    line("arity", "add(due(pass_on))           :- made(_,take).", "add(due(pass_on)) :- made(take).", "made/1"),
    line("arity", "add(took(R))                 :- does(R,take(_)).", "add(took(R),now) :- does(R,take(_)).",
         "'add' has 1 arguments, not 2"),
    line("arity", "shift(heap,taken(R),K,taken) :- does(R,take(K)).", "shift(heap,taken(R),K) :- does(R,take(K)).",
         "'shift' has 4 arguments"),
    line("arity", "del(took(Q))                 :- does(R,take(_)), took(Q), Q != R.",
         "del(took(Q,1)) :- does(R,take(_)), took(Q), Q != R.", "fluent 'took' has 1 arguments"),
    line("arity", 'violates(R,take(K),"take.enough") :-', 'violates(take(K),"take.enough") :- R = R,', "'violates' has 3"),
    line("head", "init(heap(12)).", "heap(12).", "heap/1 is a fluent"),
    more("head", "submitted(R,take(1)) :- player(R).", "defined by the engine"),
    more("head", "due(pass_on) :- heap(0)."),
    more("head", "left(R,R) :- seat(R,1).", "left/2 is defined by the engine"),
    more("head", "most(R,N) :- taken(R,N).", "proofs have most/2 for what is their own"),
    more("head", "heap__m1(N) :- heap(N).", "it needs another name"),
    more("head", "_told :- heap(0)."),
    more("head", "fluent(wide(R)) :- player(R).", "wide/1"),
)  # fmt: skip

DECLARED: Final = (
    line("fluent", "add(took(R))                 :- does(R,take(_)).", "add(tooked(R)) :- does(R,take(_)).", "'took'?"),
    more("fluent", "fluent(first(R)) :- player(R).", "first/1 means something to the engine"),
    more("fluent", "fluent(winner(R)) :- player(R).", "needs another name"),
    line("fluent", "init(heap(12)).", "init(haep(12)).", "did you mean 'heap'?"),
    Mistake("fluent", {"fluent(took(R))           :- player(R).\n": ""}, "add(took(R))", "no fluent 'took'"),
    Mistake("fluent", {"fluent(seat(R,I))         :- seat(R,I).\n": ""}, "amount(1..3).", "the rule fluent(seat(R,I))"),
    line("counter", "shift(heap,taken(R),K,taken) :-", "shift(heap,phase,K,taken) :- R = R,", "no counter 'phase'"),
    line("counter", "shift(heap,taken(R),K,taken) :-", "shift(heap,takn(R),K,taken) :-", "did you mean 'taken'?"),
    Mistake("counter", {"counted(taken,2).\n": ""}, "shift(heap", "no counter 'taken'"),
    line("counted", "counted(taken,2).", "counted(taken,3).", "it has 2 arguments"),
    line("counted", "counted(taken,2).", "counted(takne,2).", "did you mean 'taken'?"),
    line("counted", "stated(heap,1).", "stated(heap,N) :- amount(N)."),
    line("step", "add(due(pass_on))           :-", "add(due(pas_on)) :-", "did you mean 'pass_on'?"),
    Mistake("step", {"step(pass_on).\n": ""}, "add(due(pass_on))", "no step 'pass_on'"),
    more("step", "step(pass_on(R)) :- player(R).", "another number of arguments", "step(pass_on)."),
    more("step", "step(7).", "has no name"),
    more("fluent", "init(7).", "7 is no fact"),
    more("fluent", "fluent((1,2)).", "this is no fact: numbers, texts and tuples have no name"),
    more("counter", "limit((1,2),0,1).", "a measure is made of names"),
    more("counter", "limit((low;high),0,1).", "a measure is made of names"),
    more("counter", "limit(of(N+1),0,1) :- amount(N).", "a measure is made of names"),
    more("fluent", "add(\"x\") :- does(R,take(_)).", "is no fact"),
    more("decision", "fluent(decision(R,5)) :- player(R).", "the decision 5 has no name"),
    more("idle", "step(refill).", "no rule reads due(refill)"),
    more("idle", "step(refill).\nadd(heap(1)) :- due(refill), heap(0).", "it is never due", "step(refill)"),
    line("decision", "fluent(decision(R,take))  :-", "fluent(decision(R,tkae)) :-", "did you mean 'take'?"),
    line("decision", "action(take,take(K))      :-", "action(D,take(K)) :- D = take,", "the decision of an action needs a name"),
    Mistake("decision", {"fluent(decision(R,take))  :- player(R).\n": ""}, "action(take,take(K))", "as a fluent"),
    Mistake("out_of_turn", {'out_of_turn(take,"take").\n': ""}, "action(take,take(K))", "no rule derives out_of_turn(take,Rule)"),
    more("out_of_turn", "action(discard,discard(K)) :- amount(K).", "out_of_turn(discard,Rule)"),
    line("action", "candidate(R,take(K))          :-", "candidate(R,tkae(K)) :-", "did you mean 'take'?"),
    line("action", "made(_,take).", "does(_,(take(1);pass)).", "no action 'pass'"),
    line("step", "add(due(pass_on))           :- made(_,take).", "add(due((pass_on;refill))) :- made(_,take).",
         "no step 'refill'"),
    line("fluent", "init(phase(play)).", "init((phase(play);took(red);taking)).", "no fluent 'taking'"),
    line("step", "step(pass_on).", "step((pass_on;pass_back)).\nadd(due(pass_bcak)) :- due(pass_back).",
         "did you mean 'pass_back'?", "add(due(pass_bcak))"),
    line("action", "made(_,take).", "does(_,pass).", "no action 'pass'"),
    line("action", "action(take,take(K))      :- amount(K).", "action(take,take(1..3)).", "names, numbers and variables"),
    line("action", "action(take,take(K))      :- amount(K).", "action(take,A) :- taking(A).\ntaking(take(K)) :- amount(K).",
         "the action A has no name", at="action(take,A)"),
    more("action", "action(take,(wait;rest)).\nquestion(R,(wait;rest)) :- decision(R,take).",
         "(wait;rest) has no name", at="action(take,(wait"),
    more("decision", 'fluent(decision(R,rest)) :- player(R).\nwhose(rest,"take").\naction((rest;take),wait).\n'
         "candidate(R,wait) :- decision(R,rest).", "the decision of an action needs a name", at="action((rest"),
    more("action", "action(take,3).\nquestion(R,3) :- decision(R,take).", "the action 3 has no name", at="action(take,3)"),
    more("action", 'action(take,say("hello")).\nquestion(R,say("hello")) :- decision(R,take).', at="action(take,say"),
    Mistake("candidate", {"candidate(R,take(K))          :- decision(R,take), amount(K).\n": ""}, "action(take,take(K))",
            "no rule candidate(R,take"),
    more("candidate", "action(take,pass).", "no rule candidate(R,pass"),
    more("candidate", "aside(K) :- candidate(R,take(K)), candidate(R,take(J)), J > K.", "must not read two candidates"),
    more("candidate", "aside(J) :- J = #max{ K : candidate(_,take(K)) }.", "or collect them"),
    Mistake("init", {"init(phase(play)).\n": "", "init(heap(12)).\n": "", "init(decision(R,take)) :- seat(R,1).\n": ""},
            "amount(1..3).", "there is no init(F)"),
    Mistake("init", {"init(phase(play)).": "start(phase(play)).", "init(heap(12)).": "start(heap(12)).",
                     "init(decision(R,take)) :-": "start(decision(R,take)) :-"}, "amount(1..3)."),
)  # fmt: skip

STATIC: Final = (
    line("static", "limit(stones,12,12).", "limit(stones,12,12).\nlimit(hand,0,1) :- took(red).\ncounts(hand,x,1) :- took(_).",
         "limit/3 holds of the whole game, but took/1", "limit(hand"),
    line("static", "limit(stones,12,12).", "limit(stones,12,12) :- holds_at_least(1).", "holds_at_least/1"),
    more("static", "range(hand,0,12) :- decision(_,take).\ncounts(hand,taken(R),N) :- taken(R,N).", at="range(hand"),
    more("static", "waived(one_taker) :- not terminal.", "terminal/0"),
    more("static", "presumed(one_taker) :- made(_,take).", "made/2"),
    line("static", "step(pass_on).", "step(pass_on) :- not touched(heap).", "touched/1"),
    line("static", "action(take,take(K))      :- amount(K).", "action(take,take(K)) :- amount(K), heap(_).", "action/2"),
    line("static", 'out_of_turn(take,"take").', 'out_of_turn(take,"take") :- phase(play).', "out_of_turn/2"),
    line("static", "init(phase(play)).", "init(phase(play)) :- #sum{ N : total(stones,N) } > 0.", "total/2"),
    line("invariant", "broken(heap_stated,x)  :- not heap(_).", "broken(I,x) :- about(I), not heap(_).\nabout(heap_stated).",
         "a plain name", "broken(I,x)"),
    line("invariant", "broken(heap_stated,x)  :- not heap(_).", "broken(heap_stated(none),x) :- not heap(_)."),
    line("invariant", "broken(heap_stated,x)  :- not heap(_).", "broken((heap_stated;one_taker),x) :- not heap(_)."),
    line("invariant", "broken(heap_stated,x)  :- not heap(_).", "broken(7,x) :- not heap(_)."),
    line("invariant", "broken(heap_stated,x)  :- not heap(_).", 'broken("heap.stated",x) :- not heap(_).'),
    *(more("invariant", f"%! invariant {name} -- Red never holds seven.\nbroken({name},x) :- taken(red,7).", f"called {name}")
      for name in ("limit", "count", "vocabulary", "seats", "exclusive", "range", "enumeration")),
    more("invariant", "broken(limit,x) :- taken(red,7).", "another name"),
    more("invariant", "%! invariant range -- Nothing.", "called range"),
)  # fmt: skip

SETTINGS: Final = (
    line("ruling", "goal(R,1) :- terminal, took(R), ruling(last_stone,wins).",
         "goal(R,1) :- terminal, took(R), ruling(last_stnoe,wins).", "did you mean 'last_stone'?"),
    more("ruling", "large :- ruling(size,big).", "no ruling 'size'"),
    line("value", "goal(R,1) :- terminal, took(R), ruling(last_stone,wins).",
         "goal(R,1) :- terminal, took(R), ruling(last_stone,win).", "did you mean 'wins'?"),
    Mistake("value", {'wins = "Whoever takes': 'win = "Whoever takes', 'standard = "wins"': 'standard = "win"'},
            "goal(R,1) :- terminal, took(R), ruling(last_stone,wins).", "did you mean 'win'?"),
    line("ruling", "%!   where last_stone is", "%!   where last_stnoe is", "did you mean 'last_stone'?"),
    line("value", "where last_stone is loses", "where last_stone is losses", "did you mean 'loses'?"),
    line("documentation", "where last_stone is loses", "where last_stone loses", "cannot be read"),
    line("documentation", "is loses -- Whoever takes the last stone loses.", "is loses", "cannot be read"),
    line("source", 'standard = "wins"', 'standard = "wins"\nsource = { standard = "The end, silent" }', "'The end, silent'"),
    Mistake("statement", {**DUTCH, WHERE: ""}, "%! rule ending", "no statement for nl: %!   where last_stone is loses"),
    line("statement", "where last_stone is loses", "where last_stone is wins", "these are the rulings of standard"),
    line("statement", WHERE, f"{WHERE}%!   where last_stone is loses -- Or so.\n", "can hold too", WHERE.strip()),
    line("statement", "Whoever takes the last stone wins.\n%!", "Its taker wins (ruling last_stone).\n%!", "'%!   where"),
    line("statement", "Whoever takes the last stone wins.\n%!", f"Its taker{' wins' * 60}.\n%!", "62 words"),
    line("about", "Whether the last stone wins.", "The last stone wins.", "no question in indirect speech"),
    line("about", 'wins = "Whoever takes the last stone wins."', 'wins = "it wins"', "no whole sentence", "values ="),
    Mistake("about", {**DUTCH, "source = {": "source = { nl = 'Einde' } # {"}, "source =", "no text says that last_stone is"),
    Mistake("about", DUTCH | {"source = {": "# {"}, "[rulings.last_stone]", "no source for nl"),
    Mistake("unsourced", TEXTS, "%! rule ending", "ending has no source in nl: %!   nl  SECTION (silent)"),
    Mistake("unsourced", TEXTS, "%! rule pass_on", "pass_on has no source in it"),
    line("start", "init(decision(R,take)) :- seat(R,1).", "init(decision(R,take)) :- start(first,R).", "no start tag"),
    Mistake("start", {"[rulings.last_stone]": '[tags.First]\nabout = "who begins"\nvalues = "seats"\n'
                      'default = "first seat"\n\n[rulings.last_stone]',
                      "init(decision(R,take)) :- seat(R,1).": "init(decision(red,take)) :- start(first,rde)."},
            "start(first,rde)", "did you mean 'red'?"),
)  # fmt: skip

LOOPS: Final = (
    more("loop", "free(R) :- player(R), not busy(R).\nbusy(R) :- player(R), not free(R).", "busy/1, free/1", "free(R) :-"),
    more("loop", "odd(N) :- amount(N), not odd(N)."),
    more("loop", "worth(R,N) :- player(R), N = #sum{ M,Q : worth(Q,M), Q != R }."),
    more("loop", "stuck :- not legal(_,_).\ncandidate(R,take(1)) :- decision(R,take), stuck.", "candidate/2", "stuck :- not"),
    more("endless", "size(1).\nsize(N+1) :- size(N)."),
    more("endless", "far(R,N+1) :- far(R,N).\nfar(R,0) :- player(R).", at="far(R,N+1)"),
    line("unsafe", "del(took(Q))                 :- does(R,take(_)), took(Q), Q != R.",
         "del(took(Q)) :- does(R,take(_)), Q != R.", "the variable Q"),
    line("unsafe", "heap(N), not holds_at_least(K).", "not holds_at_least(M).", "the variable M"),
    more("unsafe", "rich(R) :- taken(R,N), N > Most."),
)  # fmt: skip

LIKELY: Final = (
    line("constant", "enter(over)                  :- due(pass_on), not holds_at_least(1).",
         "enter(over) :- due(pass_on), not holds_at_least(1).\n"
         "del(phase(ovr)) :- due(pass_on), not holds_at_least(1).", "did you mean 'over'?"),
    line("constant", "broken(played_out,x)   :- phase(over),", "broken(played_out,x) :- phase(end),", "phase/1 never has 'end'"),
    line("constant", "goal(R,0) :- terminal, took(R), ruling(last_stone,loses).",
         "goal(R,0) :- terminal, took(R), ruling(last_stone,loses), not seat(yellow,_).", "seat/2 never has 'yellow'"),
    line("unused", "holds_at_least(1..N)         :- heap(N), N > 0.",
         "holds_at_least(1..N) :- heap(N), N > 0.\nholds_atleast(1..N) :- heap(N), N > 0.", "'holds_at_least'?"),
    more("unused", "bonus(3)."),
    more("unused", "copies(ace;king,2). amount(K) :- copies(_,K).", "write '(a;b),2'"),
    line("effect", "del(took(Q))                 :- does(R,take(_)), took(Q), Q != R.",
         "del(took(Q)) :- took(Q), took(R), Q != R."),
    more("effect", "enter(over) :- heap(0)."),
    line("judging", 'violates(R,take(K),"take.enough") :- candidate(R,take(K)),',
         'violates(R,take(K),"take.enough") :- does(R,take(K)),', "use candidate(R,A)"),
    line("judging", 'violates(R,take(K),"take.enough") :- candidate(R,take(K)),',
         'violates(R,take(K),"take.enough") :- player(R), amount(K),'),
    more("collecting", 'asked(K) :- candidate(_,take(K)).\n'
         'violates(R,take(K),"take.enough") :- candidate(R,take(K)), asked(J), J > K.', "asked/1 may depend on"),
    more("collecting", 'asked :- candidate(_,take(3)).\nviolates(R,take(K),"take.enough") :- candidate(R,take(K)), asked.'),
    line("measure", "limit(stones,12,12).", "limit(stnoes,12,12).", "did you mean 'stones'?"),
    line("measure", "counts(stones,taken(R),N) :- taken(R,N).", "counts(stone,taken(R),N) :- taken(R,N).", "'stones'?"),
    more("bound", "all(N) :- N = #sum{ K,R : taken(R,K) }.\nbroken(heap_stated,N) :- all(N), N > 12.", "nothing bounds N",
         "all(N) :- N"),
    more("bound", "best(R,N) :- player(R), N = #sum{ K,Q : taken(Q,K), Q != R }.\nbroken(heap_stated,R) :- best(R,20).",
         at="best(R,N) :-"),
    more("initial", "broken(heap_stated,N) :- heap(N), N > 9.", "the start breaks the invariant heap_stated (12)"),
    line("initial", "init(heap(12)).", "init(heap(12)). init(heap(11)).", "breaks the invariant limit", at="init("),
    Mistake("ending", {'"decisions", "end"': '"decisions"'}, "may_decide(R,take)", "no rule derives winner/1"),
    Mistake("ending", {'"decisions", "end"': '"decisions"', "goal(R,1) :- terminal": "winner(R) :- terminal",
                       "goal(R,0) :- terminal": "loser(R) :- terminal"}, "may_decide(R,take)", "no rule derives goal/2"),
    line("heading", "%! rule take.enough --", "%! invariant take.enough --", "%! rule", "%! invariant take.enough"),
    line("heading", "%! invariant heap_stated --", "%! data heap_stated --", at="%! data heap_stated"),
    more("heading", "waived(one_tkaer) :- ruling(last_stone,loses).", "did you mean 'one_taker'?"),
    Mistake("phrase", {}, "haep(N)", "did you mean 'heap'?", {"english.toml": ENGLISH.replace('"heap(N)"', '"haep(N)"')}),
    Mistake("phrase", {}, "heap(N)", "{M} is no variable", {"english.toml": ENGLISH.replace("holds {N}", "holds {M}")}),
    Mistake("phrase", {}, "heap(N)", "{N+1} is not a variable", {"english.toml": ENGLISH.replace("holds {N}", "holds {N+1}")}),
    Mistake("phrase", {}, "[fact]", "did you mean 'facts'?", {"english.toml": ENGLISH.replace("[facts]", "[fact]")}),
    Mistake("phrase", {}, "tkae(K)", "no action tkae/1", {"english.toml": ENGLISH.replace('"take(K)"', '"tkae(K)"')}),
)  # fmt: skip


def seen(what: str, old: str, new: str, says: str, at: str = "") -> Mistake:
    """A mistake in picture rules, by default found on the changed line."""
    assert old in PICTURE
    return Mistake(what, PICTURED, at or new.splitlines()[-1], says, {"seen.lp": PICTURE.replace(old, new)})


PICTURES: Final = (
    seen("picture", "look(disc,none,N)", "look(ship,none,N)", "there is no sort of piece ship"),
    seen("picture", "look(disc,none,N)", "look(dsic,none,N)", "there is no sort of piece dsic; did you mean 'disc'?"),
    seen("picture", "outline(stone,disc).", "outline(stone,dsic).", "did you mean 'disc'?"),
    seen("picture", "rect(3,43,294,94)", "rct(3,43,294,94)", "rect(X,Y,W,H)"),
    seen("picture", "chip(blue,x,1)", "chip(bule,x,1)", "did you mean 'blue'?"),
    seen("picture", "chip(blue,x,1)", "chpi(blue,x,1)", "there is no item chpi; did you mean 'chip'?"),
    seen("picture", "chip(blue,x,1)", "chip(blue,x)", "the item chip has 3 arguments, not 2"),
    seen("picture", "lies(1),50,90)", "lies(1),500,90)", "the place lies(1) lies outside of its area heap", "place(wide"),
    seen("picture", "slot(stone,heap,1,lies(1)).", "slot(rock,heap,1,lies(1)).", "has no slot: slot(stone,heap,1,PLACE)",
         "piece(stone"),
    seen("wordless", "look(disc,none,N)", "look(disc,none,stones(N))", "stones(12) has no words"),
    Mistake("wordless", PICTURED, "area(wide", "pile(1) has no words", {"seen.lp": PICTURE.replace("heap,", "pile(1),")}),
    Mistake("wordless", DRAWN, "cell(players", "lot(green,", {"seen.lp": DRAWING.replace(",1,K)", ",1,lot(R,K))")}),
    Mistake("wordless", DRAWN, "headline(1", "stones(12) has no words",
            {"seen.lp": DRAWING + "headline(1,stones(N)) :- heap(N).\n"}),
    more("aimless", "action(take,hide(K)) :- amount(K).\ncandidate(R,hide(K)) :- decision(R,take), amount(K).",
         "no rule reads does(R,hide(...))", "action(take,hide(K))"),
    more("aimless", "action(take,show(K)) :- amount(K).\ncandidate(R,show(K)) :- decision(R,take), amount(K).\n"
         "dear(R,take(1)) :- candidate(R,take(1)).\nadd(took(R)) :- does(R,A), dear(R,A).",
         "no rule reads does(R,show(...))", "action(take,show(K))"),
)  # fmt: skip

UNWRITABLE: Final = (
    more("fluent", 'card("Big King"). card(queen).\nfluent(laid(C)) :- card(C).', "it is a text", "fluent(laid(C))"),
    more("fluent", 'fluent(laid(f(a,g("x")))).', '"x" can be a part of a fact'),
    more("fluent", "card((king,2)).\nfluent(laid(f(C))) :- card(C).", "(king,2) (heap/vocabulary.lp:", "fluent(laid(f(C)))"),
    more("fluent", 'deck(1,("x",2)).\ncard(C) :- deck(_,(C,_)).\nfluent(laid(C)) :- card(C).', "it is a text", "fluent(laid(C))"),
    more("fluent", "fluent(laid(((),a))).", "it is a tuple"),
    more("fluent", "fluent(laid((a,1;b))).", "it is a tuple"),
    more("fluent", "fluent(laid(#sup)).", "it is no name"),
    more("fluent", "fluent(laid(X)) :- X = (1,2).", "it is a tuple"),
    more("fluent", "fluent(laid(_b)).", "a name that begins with _"),
    more("fluent", "fluent(laid(_b(1))).", "a name that begins with _"),
    more("fluent", "fluent(money(0..1000000000)).", "nine digits"),
    more("fluent", "rich(1500000000).\nfluent(money(N)) :- rich(N).", "a larger number", "fluent(money(N))"),
    more("fluent", 'fluent(laid(a)).\nadd(laid("x")) :- does(_,take(1)).', "it is a text", "add(laid("),
    more("fluent", 'fluent(laid(a)).\ninit(laid((1,2))).', "it is a tuple", "init(laid("),
    more("fluent", 'fluent(laid(a)).\nlaying("x").\ndel(laid(C)) :- does(_,take(1)), laying(C).', "it is a text", "del(laid("),
    more("fluent", 'board_fact(name("x")).', "it is a text"),
    more("step", 'step(refill("x")).\nadd(heap(1)) :- due(refill(_)), heap(0).', "a part of a step", "step(refill("),
    more("action", 'card("x").\naction(take,lay(C)) :- card(C).', "it is a text", "action(take,lay(C))"),
    more("action", 'card(("x",1)).\naction(take,lay(C)) :- card((C,_)).', "it is a text", "action(take,lay(C))"),
    more("action", 'card(a).\naction(take,lay(C)) :- card(C).\ncandidate(R,lay("x")) :- decision(R,take).', "it is a text",
         "candidate(R,lay("),
)  # fmt: skip

SIZES: Final = (
    more("syntax", "much(2147483648).", "the number 2147483648 is too large; the largest number is 2,147,483,647"),
    more("syntax", "much(-99999999999).", "the number 99999999999 is too large"),
    more("syntax", "much(0xFFFFFFFF).", "the number 0xFFFFFFFF is too large"),
    more("syntax", f"much(1{'0' * 5000}).", "the number 10000000000000000000... is too large"),
    more("syntax", "much(N) :- heap(N), N * 4294967296 > 3.", "the number 4294967296 is too large"),
    more("syntax", f"much({'f(' * 101}x{')' * 101}).", "more than 100 brackets and operations inside one another"),
    more("syntax", f"much({'-' * 101}1).", "more than 100 brackets"),
    more("syntax", f"much({'2**' * 101}1).", "more than 100 brackets"),
    more("syntax", f"much({'|' * 60}1{'|' * 60}).", "more than 100 brackets"),
    more("syntax", f"much(x) :- {', '.join(f'heap({k})' for k in range(501))}.", "more than 500 literals in a rule"),
    more("syntax", f"much(x) :- #count {{ {'; '.join(map(str, range(501)))} }} > 1.", "more than 500 literals"),
    more("syntax", f"m{'u' * 1000}ch(x).", "a name of more than 1,000 letters"),
)  # fmt: skip

NAMED: Final = (
    *(line("manifest", "[editions]", f'[editions]\n{name} = "x"', "cannot name an edition", name)
      for name in ("en-US", "2nd", "V1", "_x", "not", "why", "values", '"ü"', '"a b"')),
    line("manifest", "[editions]", '[editions]\n"" = "x"', "cannot name an edition", "[editions]"),
    *(line("manifest", "[rulings.last_stone]", f"[rulings.{name}]", "cannot name a ruling", f"[rulings.{name}]")
      for name in ("tie-break", "2nd", "Tie", "R", '"a b"', "not")),
    line("manifest", 'roles = ["red",', 'roles = ["not",', "'roles' is to be names"),
    line("manifest", "default_players = 2", "default_players = 2\nbound = 4294967296", "(from 0 to 2147483647)", "bound"),
    line("file", '"play", "invariants"]', '"play", "in/invariants"]', "none in folders below it"),
    line("file", '"play", "invariants"]', '"play", "invariants.lp"]', "named without .lp"),
)  # fmt: skip

MISTAKES: Final = (
    *MANIFEST, *FORMS, *NAMES, *DECLARED, *STATIC, *SETTINGS, *LOOPS, *LIKELY, *PICTURES, *UNWRITABLE, *SIZES, *NAMED,
)  # fmt: skip
