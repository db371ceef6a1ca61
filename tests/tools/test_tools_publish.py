"""What publishes and releases: pinned, with no right it does not need, and of one version."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def workflow(path):
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def steps(path):
    return [step for job in workflow(path)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_to_a_commit_with_their_version_beside_it(path):
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert len(used) == sum("uses" in step for step in steps(path)) > 0
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_only_the_job_that_publishes_may_write_and_it_runs_no_code_of_ours(path):
    rights = {name: job.get("permissions", {}) for name, job in workflow(path)["jobs"].items()}
    assert workflow(path)["permissions"] == {"contents": "read"}
    assert {name for name, given in rights.items() if given} <= {"publish"}
    assert rights.get("publish", {}) in ({}, {"pages": "write", "id-token": "write"})
    published = workflow(path)["jobs"].get("publish")
    if published:
        assert not any("run" in step for step in published["steps"])
        assert published["needs"] == ["book", "elsewhere"]
        assert published["if"].endswith("github.ref == 'refs/heads/main'")


def test_the_site_is_built_after_the_tests_of_the_same_job_and_from_nothing_else():
    runs = [step["run"] for step in workflow(ROOT / ".github/workflows/test.yml")["jobs"]["book"][
        "steps"] if "run" in step]  # fmt: skip
    assert runs == ["make test", "make site"]


@pytest.mark.parametrize(
    "path", [*(p.relative_to(ROOT).as_posix() for p in WORKFLOWS), ".readthedocs.yaml",
             "netlify.toml", ".ci/run", "README.md", "CONTRIBUTING.md"],
)  # fmt: skip
def test_a_make_target_that_is_named_exists(path):
    named = set(re.findall(r"\bmake ([a-z][a-z-]+)\b(?= *[`\"\n|#=&NT]|$)", read(path)))
    assert named <= set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    assert named or path == "README.md" or not re.search(r"\bmake [a-z]", read(path))


def test_the_pythons_that_are_tested_are_supported_and_begin_with_the_oldest():
    oldest = tomllib.loads(read("pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    jobs = workflow(ROOT / ".github/workflows/test.yml")["jobs"]
    tested = {entry["python"] for entry in jobs["elsewhere"]["strategy"]["matrix"]["include"]}
    assert oldest in tested
    assert all(version >= oldest for version in tested)
    systems = {entry["os"] for entry in jobs["elsewhere"]["strategy"]["matrix"]["include"]}
    assert {name.partition("-")[0] for name in systems} == {"ubuntu", "macos", "windows"}


def test_there_is_one_version():
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    assert tomllib.loads(read("tools/everydigit/pyproject.toml"))["project"]["version"] == version
    assert re.search(r"^## (\S+)", read("CHANGELOG.md"), re.MULTILINE)[1] == version
    if (ROOT / "CITATION.cff").exists():
        assert str(yaml.safe_load(read("CITATION.cff"))["version"]) == version
