"""The gates, tried: each stops what it is there for, and the repository's own settings pass."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CONFIG = ".pre-commit-config.yaml"
BIN = Path(sys.executable).parent
# A file that a gate must stop, by the gate's id.
BAD = {
    "ruff": ("a.py", "import os\n"),
    "ruff-format": ("b.py", "x = {  'a':1 }\n"),
    "codespell": ("a.md", "This is t" + "eh end.\n"),
    "sentences": ("book/a.md", "One. Two.\n"),
    "trailing-whitespace": ("b.md", "a \n"),
    "end-of-file": ("c.md", "no line break"),
    "line-endings": ("d.md", "a\r\nb\r\n"),
    "merge-conflict": ("e.md", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"),
    "large-files": ("big.txt", "word\n" * 200_000),
    "yaml": ("a.yaml", "a: [1\n"),
    "toml": ("a.toml", "a = [1\n"),
    "workflows": (".github/workflows/a.yml", "on: push\njobs: {a: {runs-on: 3}}\n"),
    "dependabot": (".github/dependabot.yml", "version: 1\n"),
    "readthedocs": (".readthedocs.yaml", "version: 1\n"),
    "no-outputs": ("a.ipynb", "{}\n"),
}


def hooks():
    (repository,) = yaml.safe_load((ROOT / CONFIG).read_text(encoding="utf-8"))["repos"]
    return repository["hooks"]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """What the gates say, one paragraph a gate, of a repository with one bad file for each."""
    folder = tmp_path_factory.mktemp("gates")
    for part in (CONFIG, "pyproject.toml"):
        shutil.copy2(ROOT / part, folder / part)
    shutil.copytree(ROOT / "tools", folder / "tools")
    for name, text in BAD.values():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    environment = {
        **os.environ,
        "PATH": path,
        "SKIP": "mypy,rooms",
        "PRE_COMMIT_HOME": str(folder / "c"),
    }
    git = ["git", "-c", "core.autocrlf=false", "-c", "init.defaultBranch=main"]
    for command in ([*git, "init", "-q"], [*git, "add", "-f", "--", *(n for n, _ in BAD.values())],
                    [*git, "add", CONFIG, "pyproject.toml", "tools"]):  # fmt: skip
        subprocess.run(command, cwd=folder, env=environment, check=True)
    done = subprocess.run(
        [BIN / "pre-commit", "run", "--all-files", "--color=never"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    return dict(
        re.findall(r"^- hook id: (\S+)\n(.*?)(?=^\S[^\n]*\.{3,}|\Z)", done.stdout, re.M | re.S)
    )


@pytest.mark.parametrize("gate", BAD)
def test_a_gate_stops_what_it_is_for(gate, outcome):
    assert gate in outcome, f"passed; stopped were {sorted(outcome)}"
    said = outcome[gate]
    assert BAD[gate][0] in said or "files were modified by this hook" in said, said


def test_every_gate_is_tried_here_but_two_that_need_the_whole_house():
    assert {hook["id"] for hook in hooks()} - {"mypy", "rooms"} == set(BAD)


@pytest.mark.parametrize(
    "hook", [h for h in hooks() if h["language"] == "system"], ids=lambda h: h["id"]
)
def test_a_gate_is_a_program_that_the_requirements_install(hook):
    assert shutil.which(hook["entry"].split()[0], path=str(BIN)), hook["entry"]
