"""Random small rulebooks with simultaneous decisions, whose rules join the actions of several roles.

The names of their variables (``Pxx``, ``Qxx``) occur nowhere in the package; :mod:`.spellings` changes them.
"""

from pathlib import Path
from random import Random

MANIFEST = """\
id = "{id}"
title = "At once (for tests)"
roles = {roles}
players = [{count}]
default_players = {count}
files = ["rules"]
engine = ["table", "phases", "decisions", "end"]

[editions]
standard = "as written"

[rulings.guard]
about = "Whether a rule is in force."
values = {{ on = "it is", off = "it is not" }}
standard = "on"
"""

_FRAME = """\
fluent(seat(Pxx,Ixx)) :- seat(Pxx,Ixx).
fluent(phase(vote;over)).
fluent(mark(Pxx)) :- player(Pxx).
fluent(tie(Pxx,Qxx)) :- player(Pxx), player(Qxx).
fluent(decision(Pxx,vote)) :- player(Pxx).
simultaneous(vote).
action(vote,stay).
action(vote,defy(Pxx)) :- player(Pxx).
action(vote,lend(Pxx,Kxx)) :- player(Pxx), Kxx = 1..2.
action(vote,deal(both(Pxx,Qxx))) :- player(Pxx), player(Qxx).
init(phase(vote)).
init(decision(Pxx,vote)) :- player(Pxx).
%! rule vote -- All decide at the same time.
%!   why       no
%!   standard  s
out_of_turn(vote,"vote").
candidate(Pxx,stay) :- decision(Pxx,vote).
candidate(Pxx,defy(Qxx)) :- decision(Pxx,vote), player(Qxx).
candidate(Pxx,lend(Qxx,Kxx)) :- decision(Pxx,vote), player(Qxx), Kxx = 1..2.
candidate(Pxx,deal(both(Qxx,Sxx))) :- decision(Pxx,vote), player(Qxx), player(Sxx).
enter(over) :- made(_,vote).
goal(Pxx,0) :- terminal, player(Pxx).
party(Pxx,vote) :- player(Pxx), phase(vote).
may_decide(Pxx,vote) :- player(Pxx), phase(vote).
%! rule vote.more -- More is forbidden.
%!   why       it is
%!   standard  s
"""

_BANS = (
    'violates(Pxx,defy(Pxx),"vote.more") :- candidate(Pxx,defy(Pxx)).',
    'violates(Pxx,defy(Qxx),"vote.more") :- candidate(Pxx,defy(Qxx)), mark(Qxx).',
    'violates(Pxx,defy(Qxx),"vote.more") :- candidate(Pxx,defy(Qxx)), not tie(Qxx,Pxx).',
    'violates(Pxx,lend(Pxx,Kxx),"vote.more") :- candidate(Pxx,lend(Pxx,Kxx)).',
    'violates(Pxx,lend(Pxx,Kxx),"vote.more") :- candidate(Pxx,lend(Pxx,Kxx)), Kxx > 1.',
    'violates(Pxx,lend(Qxx,Kxx),"vote.more") :- candidate(Pxx,lend(Qxx,Kxx)), #count{ Sxx : tie(Sxx,Qxx) } >= Kxx.',
    'violates(Pxx,deal(both(Pxx,Qxx)),"vote.more") :- candidate(Pxx,deal(both(Pxx,Qxx))).',
    'violates(Pxx,deal(both(Qxx,Pxx)),"vote.more") :- candidate(Pxx,deal(both(Qxx,Pxx))), tie(Pxx,Qxx).',
    'violates(Pxx,deal(both(Qxx,Qxx)),"vote.more") :- candidate(Pxx,deal(both(Qxx,Qxx))).',
    'violates(Pxx,Axx,"vote.more") :- aims(Pxx,Axx,Pxx).',
    'violates(Pxx,Axx,"vote.more") :- aims(Pxx,Axx,Qxx), tie(Qxx,Pxx), not mark(Pxx).',
    'violates(Pxx,Axx,"vote.more") :- candidate(Pxx,Axx), Axx = (defy(Pxx);stay), mark(Pxx).',
    'violates(Pxx,Axx,"vote.more") :- candidate(Pxx,Axx), #sum{ 1,Qxx : aims(Pxx,Axx,Qxx), mark(Qxx) } > 0.',
)
_AIMS = (
    "aims(Pxx,defy(Qxx),Qxx) :- candidate(Pxx,defy(Qxx)).",
    "aims(Pxx,lend(Qxx,Kxx),Qxx) :- candidate(Pxx,lend(Qxx,Kxx)).",
    "aims(Pxx,deal(both(Qxx,Sxx)),Sxx) :- candidate(Pxx,deal(both(Qxx,Sxx))).",
)
_BODIES = (
    "does(Pxx,defy(Qxx)), does(Qxx,defy(Pxx))",
    "does(Pxx,defy(Qxx)), does(Qxx,defy(Pxx)), Pxx != Qxx",
    "does(Pxx,defy(Pxx)), player(Qxx)",
    "does(Pxx,defy(Qxx)), does(Sxx,defy(Qxx)), Pxx != Sxx",
    "does(Pxx,lend(Qxx,Kxx)), does(Qxx,lend(Pxx,Kxx))",
    "does(Pxx,lend(Qxx,Kxx)), does(Qxx,lend(Pxx,Mxx)), Kxx < Mxx",
    "does(Pxx,lend(Qxx,1)), does(Qxx,lend(Qxx,2))",
    "does(Pxx,deal(both(Pxx,Qxx)))",
    "does(Pxx,deal(both(Qxx,Sxx))), does(Qxx,deal(both(Sxx,Pxx)))",
    "does(Pxx,deal(both(Qxx,Pxx))), does(Qxx,deal(both(Qxx,Pxx)))",
    "does(Pxx,stay), does(Qxx,stay), Pxx != Qxx",
    "does(Pxx,(stay;defy(Pxx))), tie(Pxx,Qxx)",
    "does(Pxx,defy(Qxx)), not does(Pxx,stay)",
    "does(Pxx,lend(Qxx,Kxx)), Kxx = #count{ Sxx : tie(Sxx,Pxx) }",
    "does(Pxx,lend(Qxx,_)), #count{ Sxx : mark(Sxx), tie(Pxx,Sxx) } = 0",
    "does(Pxx,defy(Qxx)), does(Qxx,defy(Sxx)), Sxx != Pxx",
    "helps(Pxx,Qxx), helps(Qxx,Pxx)",
    "does(Pxx,defy(Qxx)), player(Qxx), not helped(Qxx)",
)
_HELPS = (
    "helps(Pxx,Qxx) :- does(Pxx,lend(Qxx,_)).",
    "helps(Pxx,Pxx) :- does(Pxx,defy(Pxx)).",
    "helped(Qxx) :- does(Qxx,lend(Qxx,_)).",
)
_HEADS = (
    *("add(mark(Pxx))", "add(mark(Qxx))", "add(tie(Pxx,Qxx))", "add(tie(Qxx,Qxx))", "add(tie(Qxx,Pxx))"),
    *("del(mark(Pxx))", "del(tie(Qxx,Pxx))"),
)
_MORE = ("", "", "", ", mark(Pxx)", ", not mark(Qxx)", ", tie(Pxx,Qxx)", ", not tie(Qxx,Pxx)", ", Pxx != Qxx")
_CLAIMS = (
    "mark(_)",
    "tie(Pxx,Pxx)",
    "mark(Pxx), tie(Pxx,Pxx)",
    "tie(Pxx,Qxx), tie(Qxx,Pxx), Pxx != Qxx",
    "tie(Pxx,Qxx), Pxx != Qxx",
    "#count{ Pxx : mark(Pxx) } > 1",
    "mark(Pxx), not tie(Pxx,_)",
)


def rulebook(seed: int) -> list[str]:
    """The lines of the rulebook with this seed; the last but two is in force only under a ruling."""
    random = Random(f"at once {seed}")
    bans = random.sample(_BANS, random.choice((1, 2, 2, 3)))
    effects = []
    for _ in range(random.choice((1, 2, 2, 3))):
        body = random.choice(_BODIES)
        heads = [h for h in _HEADS if "Qxx" in body or "Qxx" not in h]
        more = [m for m in _MORE if "Qxx" in body or "Qxx" not in m]
        effects.append(f"{random.choice(heads)} :- {body}{random.choice(more)}.")
    own = [*bans, *effects]
    guarded = random.choice(own)
    own.remove(guarded)
    return [
        *_FRAME.splitlines(),
        *_AIMS,
        *_HELPS,
        *own,
        guarded.removesuffix(".") + ", ruling(guard,on).",
        "%! invariant made_up -- It never comes to that.",
        f"broken(made_up,x) :- {random.choice(_CLAIMS)}.",
    ]


def write(folder: Path, lines: list[str] | str, players: int = 2) -> Path:
    folder.mkdir(parents=True)
    roles = ["red", "green", "blue"][:players]
    named = "[" + ", ".join(f'"{r}"' for r in roles) + "]"
    text = MANIFEST.format(id=folder.name, roles=named, count=players)
    (folder / "game.toml").write_text(text, encoding="utf-8")
    body = lines if isinstance(lines, str) else "\n".join(lines) + "\n"
    (folder / "rules.lp").write_text(body, encoding="utf-8")
    return folder
