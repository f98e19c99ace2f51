"""The GitHub Action, the workflow that uses it, and the hooks for pre-commit: the tests run their commands."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support import ROOT
from support.fences import workshop
from support.heap_game import FOLDER, variant
from support.sarif import faults

yaml = pytest.importorskip("yaml", reason="pyyaml is not installed")
bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/rules.yml").read_text(encoding="utf-8"))
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
_EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
RECORD = '[Game "heap"]\n\nred: take(3)\ngreen: take({})\n'


def steps_of_workflow() -> list[dict[str, Any]]:
    return [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


class Run:
    """A run of the action: its steps in order, with their scripts run."""

    def __init__(self, folder: Path, inputs: dict[str, str]) -> None:
        self.folder = folder
        self.values = {f"inputs.{name}": str(i.get("default", "")) for name, i in ACTION["inputs"].items()}
        self.values |= {f"inputs.{name}": value for name, value in inputs.items()}
        self.values["github.action_path"] = str(ROOT)
        self.codes: dict[str, int] = {}
        self.used: list[dict[str, Any]] = []
        environment = workshop(folder, ROOT / "README.md")
        for step in STEPS:
            if self.holds(step.get("if", "")):
                self.used.append(step)
                if "run" in step and step["name"] != "Install" and not any(self.codes.values()):
                    self.codes[step["name"]] = self.script(step, environment)

    def value(self, text: str) -> str:
        """A text with its expressions replaced by their values."""
        found = lambda m: next((v for n in m[1].split(" || ") if (v := self.values.get(n, ""))), "")  # noqa: E731
        return _EXPRESSION.sub(found, text)

    def holds(self, condition: str) -> bool:
        """Whether all parts of a condition hold."""
        parts = [part.split() for part in condition.split(" && ") if part]
        return all((self.values.get(name, "") == wanted.strip("'")) is (sign == "==") for name, sign, wanted in parts)

    def script(self, step: dict[str, Any], environment: dict[str, str]) -> int:
        """Runs a script as GitHub does, stores its outputs, and returns the exit code."""
        outputs = self.folder / "outputs"
        outputs.write_text("", encoding="utf-8")
        given = {name: self.value(text) for name, text in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder,
            env={**environment, **given, "GITHUB_OUTPUT": str(outputs)},
            check=False,
            capture_output=True,
            text=True,
        )
        for line in outputs.read_text(encoding="utf-8").split():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value
        return done.returncode


def log(folder: Path, name: str) -> list[dict[str, Any]]:
    found = json.loads((folder / f"kaiser-logic-{name}.sarif").read_text(encoding="utf-8"))
    assert list(faults(found)) == []
    return list(found["runs"][0]["results"])


@bash
def test_clean_input_passes_and_is_uploaded(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.game").write_text(RECORD.format(3), encoding="utf-8")
    run = Run(tmp_path, {"rulebooks": str(FOLDER), "records": "games", "games": str(FOLDER.parent)})
    assert set(run.codes.values()) == {0}
    assert len(run.codes) == 3
    assert log(tmp_path, "lint") == log(tmp_path, "check") == []
    uploads = [step["with"]["sarif_file"] for step in run.used if "upload-sarif" in step.get("uses", "")]
    assert uploads == ["kaiser-logic-lint.sarif", "kaiser-logic-check.sarif"]


@pytest.mark.slow
@bash
def test_findings_fail_in_the_last_step(tmp_path):
    """The findings are uploaded before that."""
    variant(tmp_path, {"init(heap(12)).": "init(haep(12))."})
    (tmp_path / "a.game").write_text(RECORD.format(4), encoding="utf-8")
    run = Run(tmp_path, {"rulebooks": "./heap", "records": "a.game", "games": str(FOLDER.parent)})
    assert (run.values["steps.lint.outputs.code"], run.values["steps.check.outputs.code"]) == ("1", "1")
    assert [name for name, code in run.codes.items() if code] == ["Fail where anything was found"]
    assert [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in log(tmp_path, "lint")] == [
        "heap/play.lp"
    ]
    assert [one["ruleId"] for one in log(tmp_path, "check")] == ["action.unknown"]


@bash
def test_wrong_usage_fails_at_once(tmp_path):
    assert Run(tmp_path, {"rulebooks": "nowhere"}).codes == {"Look the rulebooks through": 2}


def test_the_workflow_uses_declared_inputs():
    (step,) = [step for step in steps_of_workflow() if step.get("uses") == "./"]
    assert set(step["with"]) <= set(ACTION["inputs"])
    for name in ("rulebooks", "records"):
        assert all((ROOT / path).exists() for path in step["with"][name].split())
    assert WORKFLOW["permissions"]["security-events"] == "write"
    assert all(step.get("uses", "./") == "./" or "@v" in step["uses"] for step in [*steps_of_workflow(), *STEPS])


def test_the_action_reads_all_inputs_and_outputs():
    texts = [str(step) for step in STEPS] + [str(ACTION["outputs"])]
    read = {name for text in texts for name in re.findall(r"(?:inputs|steps)\.[\w.-]+", text)}
    ids = {step["id"] for step in STEPS if "id" in step}
    known = {f"inputs.{name}" for name in ACTION["inputs"]} | {f"steps.{name}.outputs.code" for name in ids}
    assert read == known


def test_hooks_check_changed_files(tmp_path):
    """Each hook gets the names of changed files. Files outside rulebooks are left out."""
    environment = workshop(tmp_path, ROOT / "README.md")
    variant(tmp_path, {})
    for name in ("a.game", "--output=a.game"):
        (tmp_path / name).write_text(RECORD.format(4), encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    names = ["heap/play.lp", "heap/game.toml", "pyproject.toml", "--output=a.game"]
    codes = {}
    for hook in HOOKS:
        files = [name for name in names if re.search(hook["files"], name)]
        command = [*hook["entry"].split(), *hook["args"], *files]
        given = {**environment, "KAISER_LOGIC_GAMES": str(FOLDER.parent)}
        done = subprocess.run(command, cwd=tmp_path, env=given, check=False, capture_output=True, text=True)
        codes[hook["id"]] = done.returncode, len(files)
        if hook["id"] == "kaiser-logic-lint":
            assert done.stderr == "pyproject.toml: left out, as it belongs to no rulebook\nclean\n"
    assert (tmp_path / "a.game").read_text(encoding="utf-8") == RECORD.format(4), "no name is an option"
    assert codes == {"kaiser-logic-lint": (0, 3), "kaiser-logic-test": (0, 3), "kaiser-logic-check": (1, 1)}
    assert all(hook["language"] == "python" for hook in HOOKS)
    assert not os.path.isabs(HOOKS[0]["entry"])
