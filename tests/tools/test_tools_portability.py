"""The book in other environments: none is passed that was not really there."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def portability():
    spec = importlib.util.spec_from_file_location("portability", ROOT / "tools/portability.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answering(portability, outcomes):
    return lambda *_: portability.Verdict(outcomes.pop(0), "yes", "3 passed", 1.0)


def test_one_that_fails_fails_the_whole_and_the_others_are_still_checked(portability, capsys):
    outcomes = ["passed", "failed", "passed"]
    names = ["1-thread", "2-threads", "4-threads"]
    assert portability.main(names, answering(portability, outcomes)) == 1
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split(" | ")[2] for row in rows] == ["passed", "failed", "passed"]


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [(["passed", "not on this processor"], 0), (["not on this processor"] * 2, 1)],
)
def test_what_cannot_be_here_is_not_passed(portability, outcomes, code):
    assert portability.main(["1-thread", "ASCII"], answering(portability, outcomes)) == code


def test_a_variable_that_has_no_effect_fails_before_anything_is_checked(portability, capfd):
    environment = portability.ENVIRONMENTS["another-hash-and-clock"]
    misspelled = environment._replace(variables={"TZONE": "XYZ-13:45"})
    verdict = portability.check(misspelled, ["no such page"])
    assert (verdict.outcome, verdict.tests) == ("failed", "")
    assert verdict.answer.startswith(r"not 1 \+1345: 1 +")
    assert "no such page" not in capfd.readouterr().err


def test_what_this_processor_does_not_know_is_not_tried(portability):
    environment = portability.ENVIRONMENTS["one-process"]._replace(needs="AVX1024")
    verdict = portability.check(environment, ["no such page"])
    assert verdict == ("not on this processor", "no AVX1024", "", 0.0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no folder that is read-only")
def test_on_a_read_only_checkout_nothing_can_be_written_and_the_book_is_checked(portability):
    environment = portability.ENVIRONMENTS["read-only"]._replace(options=())
    verdict = portability.check(environment, ["README.md"])
    assert (verdict.outcome, verdict.answer) == ("passed", "not written to")
    writable = portability.check(environment._replace(read_only=False), ["README.md"])
    assert writable.outcome == "failed"


def test_a_page_that_fails_is_a_failure(portability, capfd):
    environment = portability.ENVIRONMENTS["another-hash-and-clock"]._replace(options=())
    verdict = portability.check(environment, ["no such page"])
    assert (verdict.outcome, verdict.answer) == ("failed", "1 +1345")
    assert "no such page" in capfd.readouterr().err


def test_the_copy_is_what_is_checked(portability):
    environment = portability.ENVIRONMENTS["spaces-and-é"]._replace(options=("--collect-only",))
    verdict = portability.check(environment, ["README.md"])
    assert verdict.outcome == "passed"
    assert verdict.answer.endswith("a café")


def test_an_environment_that_is_not_listed_is_named(portability, capsys):
    with pytest.raises(SystemExit):
        portability.main(["3-threads"])
    assert "no such environment: 3-threads; there are ['OpenBLAS-Prescott'" in (
        capsys.readouterr().err
    )
