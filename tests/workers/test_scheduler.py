"""Workers of a Dask scheduler: a worker may die without harm; without Dask there is a clear error."""

import json
import os
import shutil
import signal
from functools import partial
from pathlib import Path

import pytest
from support import ROOT
from support.tool import tool

from kaiser_logic.errors import WrongUsage
from kaiser_logic.records.checking import check_many
from kaiser_logic.workers import Job, JobRefused, scheduler, workers_of

GAME = ROOT / "examples" / "games" / "unfinished.game"

pytestmark = pytest.mark.filterwarnings("ignore")


def die_once(mark: str) -> str:
    if not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


@pytest.mark.long
def test_an_address_without_a_scheduler_is_refused(monkeypatch):
    monkeypatch.setattr(scheduler, "_WAIT", 0.5)
    with pytest.raises(WrongUsage, match="there is no scheduler at"), workers_of(1, "tcp://127.0.0.1:9"):
        pass


@pytest.mark.long
def test_each_job_has_one_answer_when_a_worker_dies(address, tmp_path):
    jobs = [Job(str(n), partial(pow, n, 2)) for n in range(40)]
    jobs[3] = Job("3", partial(die_once, str(tmp_path / "mark")))
    with workers_of(1, address) as workers:
        found = list(workers.answers(jobs))
    assert (tmp_path / "mark").exists()
    assert sorted(a.name for a in found) == sorted(str(n) for n in range(40))
    assert {a.name: a.value for a in found} == {str(n): n * n for n in range(40)} | {"3": "done"}


@pytest.mark.long
def test_other_sources_are_refused(address, monkeypatch):
    monkeypatch.setattr(scheduler, "tool", lambda: "other")
    with pytest.raises(JobRefused, match="another kaiser-logic"), workers_of(1, address) as workers:
        list(workers.answers([Job("a", partial(pow, 1, 2))]))


@pytest.mark.long
def test_a_cluster_checks_records(address, tmp_path):
    for number in range(6):
        shutil.copy(GAME, tmp_path / f"{number}.game")
    (tmp_path / "bad.game").write_text("nonsense")
    here, there = list(check_many(tmp_path)), list(check_many(tmp_path, scheduler=address))
    assert [r.as_json() for r in here] == [r.as_json() for r in there]
    output = tmp_path / "reports.jsonl"
    done = tool("check", "--format", "json", "--output", str(output), "--scheduler", address, str(tmp_path))
    assert done.returncode == 2
    assert "7 records: 6 without fault, 1 unreadable" in done.stderr.splitlines()
    reports = [json.loads(line) for line in output.read_text().splitlines()]
    assert sorted(map(json.dumps, reports)) == sorted(json.dumps(r.as_json()) for r in here)
