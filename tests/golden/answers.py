"""The rows that answer a command of ``kaiser-logic``: in this process, without a cache, and independent of the clock."""

import argparse
import hashlib
import io
import json
import re
import resource
import shlex
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

import kaiser_logic as kl
from kaiser_logic.cli import main

from .table import Row

TIMEOUT: Final = 900_000.0
"""The seconds that a question may take. No question takes so long, so no answer depends on the clock."""
FLAGS: Final = {
    "prove": f"--jobs 1 --fresh --timeout {TIMEOUT:g}",
    "compare": f"--jobs 1 --timeout {TIMEOUT:g}",
    "find": f"--format json --timeout {TIMEOUT:g}",
    "check": "--format json",
    "moves": "--format json",
}
"""The flags that are added to each command."""
SHORT: Final = 300
"""The length up to which a detail is in the table as it is. A longer one is replaced by its main fields and a hash."""


def rows(command: str) -> list[Row]:
    return list(_ANSWERS[command.split(maxsplit=1)[0]](command))


def timed(command: str) -> tuple[list[Row], float]:
    """The rows that answer a command, and the CPU time of this process and its children so far."""
    found = rows(command)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return found, sum(u.ru_utime + u.ru_stime for u in used)


# -- proofs ----------------------------------------------------------------------------------------------------------


def _prove(command: str) -> Iterator[Row]:
    """A row for each claim, and for each kind of action that is never possible."""
    args = _arguments(command)
    claims = [line for file in args.claims for line in claims_in(file)]
    report = _loaded(args).prove(claims=[text for _, text in claims], timeout=TIMEOUT, jobs=1, fresh=True)
    proofs = [proof for proof in report.proofs if proof.kind == "claim"][-len(claims) :] if claims else []
    named = dict(zip(map(id, proofs), (f"{name}: {text}" for name, text in claims), strict=True))
    for proof in report.proofs:
        if not claims or id(proof) in named or proof.status != "proved":
            yield Row(command, named.get(id(proof), proof.claim), proof.status, _reason(proof))
    for label in report.never_legal:
        yield Row(command, f"never possible: {label}", "proved")


def _reason(proof: kl.Proof) -> str:
    """The kinds of action that break the claim, and why it is not decided."""
    kinds = sorted({example.transition.partition("(")[0] for example in proof.counterexamples})
    by = [f"by {', '.join(kinds)}"] if kinds else []
    return "; ".join([*by, *proof.notes])


def claims_in(file: str) -> Iterator[tuple[str, str]]:
    """The names and texts of the claims in a file, one for each line."""
    for line in Path(file).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, text = line.partition(": ")
            yield name, text


def _compare(command: str) -> Iterator[Row]:
    """A row for each ruling in which the editions differ."""
    args = _arguments(command)
    first, second = args.editions.split(",")
    one, two = _loaded(args, first), _loaded(args, second, args.other)
    for found in kl.compare(one, two, TIMEOUT, 1):
        answer = "parted" if found.how else "not parted" if found.complete else "undecided"
        yield Row(command, found.ruling.name, answer, found.how or found.words)


def _arguments(command: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("command")
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--edition", default="standard")
    parser.add_argument("--editions")
    parser.add_argument("--claims", action="append", default=[])
    for name in ("--option", "--other"):
        parser.add_argument(name, action="append", default=[], type=lambda text: text.split("="))
    return parser.parse_args(shlex.split(command))


def _loaded(args: argparse.Namespace, edition: str | None = None, other: Any = ()) -> kl.Game:
    options = dict([*args.option, *other])
    return kl.load(args.game, edition=edition or args.edition, players=args.players, options=options)


# -- queries ---------------------------------------------------------------------------------------------------------

_FOUND: Final = {0: "found", 1: "none", 2: "refused", 3: "undecided"}


def _find(command: str) -> Iterator[Row]:
    """A row with the number of positions or games found. The solver chooses which ones, so they are not in it."""
    code, out, err = run(command)
    count = out.count('[Game "') if "--reachable" in command else len(out.splitlines())
    answer = f"found {count}" if code == 0 else _FOUND[code]
    # This line repeats the query in English.
    message = (line for line in err.splitlines() if not line.startswith("looking for: "))
    yield Row(command, "", answer, " ".join(" ".join(message).split()))


# -- records ---------------------------------------------------------------------------------------------------------


def _check(command: str) -> Iterator[Row]:
    """A row for each record: the broken rules, each with its line and column."""
    code, out, err = run(command)
    for line in out.splitlines():
        report = json.loads(line)
        faults = [f"{f['line']}:{f['column']} {f['rule']}" for f in report["faults"]]
        answer = "unreadable" if report["unreadable"] else ", ".join(faults) or "ok"
        fields = {name: report[name] for name in ("moves", "judged", "to_move", "result")}
        yield Row(command, report["path"], answer, _detail(line, fields))
    if not out:
        yield _failed(command, code, err)


def _failed(command: str, code: int, err: str) -> Row:
    return Row(command, "", f"exit {code}", " ".join(err.split()))


def _moves(command: str) -> Iterator[Row]:
    """A row with the number of legal actions of each kind."""
    code, out, err = run(command)
    if code:
        yield _failed(command, code, err)
        return
    found = json.loads(out)
    kinds = {role: Counter(a.partition("(")[0] for a in actions) for role, actions in found["legal"].items()}
    numbers = ", ".join(f"{role} {k} {n}" for role, of in kinds.items() for k, n in sorted(of.items()))
    legal = json.dumps(found["legal"], sort_keys=True)
    yield Row(command, "", f"{numbers or 'nobody decides'} #{_hash(legal)}", _detail(out, {}))


def _position(command: str) -> Iterator[Row]:
    """A row with the number of facts of each predicate."""
    code, out, _ = run(command)
    counts = Counter(re.findall(r"(?:^|\. |\s)([a-z]\w*)(?=\(|\.)", out, re.M))
    yield Row(command, "", f"exit {code}, {_hash(out)}", json.dumps(dict(sorted(counts.items()))))


def _why(command: str) -> Iterator[Row]:
    """A row with the verdict and the rules that are broken."""
    code, out, err = run(command)
    ids = re.findall(r"^(?:\d+\. |  )([a-z][\w.]*)$", out, re.M)
    answer = {0: "legal", 1: "illegal"}.get(code, f"exit {code}")
    yield Row(command, "", f"{answer}: {', '.join(ids)}", _hash(out) if out else " ".join(err.split()))


def _show(command: str) -> Iterator[Row]:
    """A row with a hash of the drawing."""
    code, out, err = run(command)
    size = f"{len(out.splitlines())} lines, {len(out.split())} words"
    yield _failed(command, code, err) if code else Row(command, "", _hash(out), size)


# -- rulebooks -------------------------------------------------------------------------------------------------------


def _rules(command: str) -> Iterator[Row]:
    """A row for each rule and ruling, without line numbers."""
    _, out, _ = run(command)
    if command.endswith("--names"):
        for name, meaning in re.findall(r"^  (\S.*?)(?:  (.*))?$", out, re.M):
            yield Row(command, name, "known", meaning.strip())
        return
    seen: Counter[str] = Counter()
    for text in re.split(r"\n\n(?=[a-z][\w.]* \(\w+\)\n)", out.strip()):
        heading, _, rest = text.partition("\n")
        name, kind = heading.removesuffix(")").split(" (")
        seen[name] += 1
        name += f" ({seen[name]})" if seen[name] > 1 else ""
        body = " ".join(re.sub(r"^  (\S+\.(?:lp|toml)):\d+$", r"  \1", rest, flags=re.M).split())
        yield Row(command, name, kind, body if len(body) <= SHORT else f"{body[:SHORT]}... {_hash(body)}")


def _perft(command: str) -> Iterator[Row]:
    code, out, err = run(command)
    for line in out.splitlines():
        depth, count = line.split()
        yield Row(command, f"length {depth}", count)
    if code:
        yield _failed(command, code, err)


# -- the command line ------------------------------------------------------------------------------------------------


def run(command: str) -> tuple[int, str, str]:
    """The exit code of a command, its standard output and its standard error."""
    words = shlex.split(command)
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        unasked = ["--origin", "0"] if words[0] == "find" and "--reachable" not in words else []
        code = main([*words, *shlex.split(FLAGS.get(words[0], "")), *unasked])
    return code, out.getvalue(), err.getvalue()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _detail(text: str, fields: dict[str, Any]) -> str:
    """A short text as it is; for a long one its main fields and its hash."""
    text = text.strip()
    if len(text) <= SHORT:
        return text
    return json.dumps({**fields, "characters": len(text), "hash": _hash(text)}, ensure_ascii=False)


_EVERY: Final = (_prove, _compare, _find, _check, _moves, _position, _why, _show, _rules, _perft)
_ANSWERS: Final = {answer.__name__[1:]: answer for answer in _EVERY}
