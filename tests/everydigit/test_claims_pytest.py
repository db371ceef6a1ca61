"""Through pytest: the same outcomes however it is asked, failures of one line, the ledger."""

import json
import random
import re

import pytest

from everydigit import ledger

CELL = "```{{code-cell}} python\nx = {n}\n```\n\n"
CLAIMS = "Here {{claim}}`{n} <x>`, {{claim}}`{more} <x + 1>`.\n"
COUNTING = "\n".join((CELL + CLAIMS).format(n=n, more=n + 7) for n in range(3))
LONG = "sum([" + ", ".join(["1"] * 60) + "])"


@pytest.fixture(scope="module")
def shared(new_book):
    """A book that no test changes; every second claim of its page fails."""
    book = new_book("shared")
    book.page("count", COUNTING)
    book.page("fine", "{claim}`3 <1 + 2>`\n")
    return book


@pytest.fixture(scope="module")
def whole(shared):
    return shared.pytest()


def test_a_whole_run(whole):
    outcomes = list(whole.outcomes.values())
    assert whole.code == 1
    # two gates, three cells, seven claims
    assert (outcomes.count("passed"), outcomes.count("failed")) == (9, 3)
    names = [name for name in whole.outcomes if "count.md" in name]
    in_order = [tuple(map(int, re.findall(r"line:(\d+),column:(\d+)", n)[0])) for n in names]
    assert in_order == sorted(in_order)


def test_a_failure_is_one_line_with_its_place(whole):
    before, _, summary = whole.text.partition("what no longer holds")
    assert before.splitlines()[-2] == ""  # set apart from the dots above it
    assert summary.splitlines()[1:-1] == [
        f"book/count.md:{12 + 6 * n}:30: text says {n + 7}, x + 1 is {n + 1} (differs in digit 1)"
        for n in range(3)
    ]


@pytest.mark.parametrize("options", [(), ("-q",), ("--tb=line",), ("--tb=no",), ("-v",), ("-rA",)])
def test_a_failure_is_said_once(shared, options):
    assert_said_once(shared.pytest(*options).text)


def assert_said_once(text):
    assert text.count("text says") == text.count("book/count.md:12:30:") * 3 == 3
    assert "= FAILURES =" not in text
    assert "3 failed, 9 passed" in text


MIXED = """\
```{code-cell} python
def loud():
    print("about to fail")
    return 3
```

{claim}`4 <loud()>` {claim}`5 <1 + 2>` {claim}`3 <1 + 2>`

```{code-cell} python
assert 1 == 2
```

{claim}`6 <1 + 2>`
"""


def test_what_says_more_than_its_line_is_said_as_ever(book):
    book.page("one", MIXED)
    book.write("test_besides.py", """\
import pytest

def test_plain():
    left = 5
    assert left == 6

def test_skipped():
    pytest.skip("for a reason")

@pytest.fixture
def none():
    raise KeyError("setup")

def test_set_up(none):
    pass
""")  # fmt: skip
    text = book.pytest("book", "test_besides.py").text
    long, _, rest = text.partition("what no longer holds")
    ours, _, short = rest.partition("short test summary info")
    assert ours.count("book/one.md:") == 4
    assert "about to fail" in long  # a claim with captured output
    assert 'one.md", line 17, in <module>' in long  # a traceback
    assert "assert left == 6" in long
    assert "KeyError: 'setup'" in long
    assert "text says 5" not in long + short
    assert "not checked: the cell" not in long + short
    listed = re.findall(r"^(ERROR|FAILED|SKIPPED)", short, re.MULTILINE)  # in CI, with more lines
    assert sorted(listed) == ["ERROR", "FAILED", "FAILED", "FAILED", "SKIPPED"]
    assert "5 failed, 3 passed, 1 skipped, 1 error" in short
    assert "= FAILURES" not in book.pytest("--tb=no", "book").text


def test_failures_that_are_said_once_still_fail(book):
    book.page("one", "{claim}`4 <1 + 2>`\n\n{claim}`5 <1 + 2>`\n")
    run = book.pytest("-x", "--junitxml=report.xml")
    assert run.code == 1
    assert "stopping after 1 failures" in run.text
    assert "text says 4" in (book.root / "report.xml").read_text(encoding="utf-8")
    assert "short test summary" not in run.text
    book.write("book/one.md", "fine\n")
    assert "failed" not in book.pytest().text


def test_each_test_alone(shared, whole):
    for name, outcome in whole.outcomes.items():
        assert shared.pytest(name).outcomes == {name: outcome}


@pytest.mark.parametrize("arguments", [("-k", "line:18"), ("-k", "column:22"), ("-x",)])
def test_a_part_of_the_tests(shared, whole, arguments):
    run = shared.pytest(*arguments)
    assert 0 < len(run.outcomes) < len(whole.outcomes)
    assert run.outcomes.items() <= whole.outcomes.items()


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_any_order(shared, whole, seed):
    names = list(whole.outcomes)
    names.reverse() if seed is None else random.Random(seed).shuffle(names)
    assert shared.pytest(*names).outcomes == whole.outcomes


def test_on_workers_each_test_comes_to_the_same_and_is_said_once(shared, whole):
    """The one run in processes of its own, as a reader starts it."""
    (shared.root / ledger.DEFAULT_PATH).unlink(missing_ok=True)
    run = shared.command("pytest", "-v", "-n2", "--mutate-claims")
    found = re.findall(r"(PASSED|FAILED) (\S+\.md::\S+)\s*$", run.stdout, re.MULTILINE)
    assert run.returncode == 1
    assert {name: outcome.lower() for outcome, name in found} == whole.outcomes
    assert_said_once(run.stdout)
    assert sorted(o for _, o in shared.claims("count")) == ["checked"] * 3 + ["failed"] * 3
    assert shared.claims("fine") == [("3", "checked")]
    changes = re.compile(r"[1-9]\d* changes of numbers in claims were tried")
    alone = shared.pytest("--mutate-claims").text
    assert changes.search(run.stdout)[0] == changes.search(alone)[0]


def test_last_failed(book):
    book.page("count", COUNTING)
    book.write(
        "pytest.ini", (book.root / "pytest.ini").read_text().replace("-p no:cacheprovider", "")
    )
    first = book.pytest()
    assert len(first.failed) == 3
    again = book.pytest("--lf")
    assert again.outcomes == dict.fromkeys(first.failed, "failed")


def test_one_line_is_never_cut(book, monkeypatch):
    book.page("long", f"{{claim}}`7 <{LONG}>`\n")
    monkeypatch.setenv("COLUMNS", "40")
    lines = book.pytest("-q").text.splitlines()
    assert "=" * 41 not in "\n".join(lines)
    assert f"book/long.md:8:9: text says 7, {LONG} is 60 (differs in size)" in lines


def test_the_gate_fails_at_its_line(book):
    book.page("naked", "Row\nand 42 here\n")
    run = book.pytest()
    assert "book/naked.md:9:5: 42 is neither claimed nor given" in run.text.splitlines()


def test_a_cell_fails_with_its_lines_and_values(book):
    book.page(
        "cell", "```{code-cell} python\n:tags: [a]\n\nx = 2\nassert x == 3\n```\n{claim}`2 <x>`\n"
    )
    text = book.pytest().text
    assert "book/cell.md:12:1: the cell raised AssertionError: assert 2 == 3" in text.splitlines()
    assert "book/cell.md:14:1: not checked: the cell at line 8 failed" in text.splitlines()
    assert "assert x == 3" in text
    assert book.claims("cell") == [("2", "not checked")]


def test_a_readme_runs(book):
    book.write("runs/r.json", '{"n": 4233}')
    book.write("README.md", "It has [4,233](runs/r.json#/n) and [4,234](runs/r.json#/n).\n")
    run = book.pytest()
    assert "README.md:1:37: text says 4,234" in run.text
    assert len(run.failed) == 1


def test_docstrings_of_modules_run(book):
    text = (book.root / "conftest.py").read_text()
    book.write("conftest.py", text.replace('"*.md"]', '"*.md", "src/*.py"]'))
    book.write("src/tiny.py", '"""\n>>> 1 + 1\n3\n"""\n')
    run = book.pytest("src")
    assert len(run.failed) == 1


# The ledger


def claims_of(book, page):
    return book.ledger["pages"][f"book/{page}.md"]["claims"]


def test_one_record_a_claim(book):
    book.write("src/tiny.py", "x = 1\n")
    book.write("book/runs/r.json", '{"a": 1.5}')
    book.page(
        "one",
        "{given}`8`\n\n{claim}`1.5 nats <runs/r.json#/a>` {claim}`holds <1 < 2>`\n"
        "{claim}`0.3, 1 <1/3, 2>`\n",
    )
    book.pytest()
    page = book.ledger["pages"]["book/one.md"]
    assert (page["total"], page["givens"]) == (3, 1)
    assert sorted(page["depends"]) == ["book/runs", "src"]
    assert page["hash"] == ledger.digest([book.root / "book/one.md"], book.root)
    facts = ("line", "column", "shown", "target", "value", "kind", "outcome", "numbers")
    assert [tuple(claim[f] for f in facts) for claim in page["claims"].values()] == [
        (10, 1, "1.5 nats", "runs/r.json#/a", "1.5", "record", "checked", 1),
        (10, 36, "holds", "1 < 2", "True", "truth", "checked", 0),
        (11, 1, "0.3, 1", "1/3, 2", "0.3333333333333333, 2", "value", "failed", 2),
    ]


def test_a_page_is_hashed_once_however_many_claims_it_has(book, monkeypatch):
    hashed, digest = [], ledger.digest
    monkeypatch.setattr(
        ledger, "digest", lambda paths, root: hashed.append(paths) or digest(paths, root)
    )
    page = book.page("one", "{claim}`3 <1+2>`\n" * 20)
    book.pytest()
    assert hashed.count([page]) == 1
    assert len(claims_of(book, "one")) == 20


def test_hashes_know_no_absolute_path(new_book):
    ledgers = []
    for name in "ab":
        book = new_book(name)
        book.write("src/tiny.py", "x = 1\n")
        book.page("one", "{claim}`3 <1+2>`\n")
        book.pytest()
        ledgers.append(book.ledger)
        assert str(book.root) not in json.dumps(book.ledger)
    assert ledgers[0] == ledgers[1]


def test_a_partial_run_merges_by_page(book):
    for page in ("one", "two"):
        book.page(page, "{claim}`3 <1+2>` {claim}`4 <2+2>`\n")
    book.pytest("book/one.md")
    book.pytest("book/two.md::line:8,column:1")
    assert [len(claims_of(book, page)) for page in ("one", "two")] == [2, 1]
    book.pytest("book/two.md::line:8,column:18")
    assert [len(claims_of(book, page)) for page in ("one", "two")] == [2, 2]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("book/one.md", "\n" * 7 + "{claim}`4 <2+2>` {claim}`3 <1+2>`\n"),
        ("src/tiny.py", "x = 2\n"),
        ("src/new.py", ""),
        ("book/runs/r.json", "{}"),
    ],
    ids=["page", "module", "new module", "record"],
)
def test_a_change_drops_what_was_known_of_a_page(book, name, text):
    book.write("src/tiny.py", "x = 1\n")
    book.page("one", "{claim}`3 <1+2>` {claim}`4 <2+2>`\n")
    book.page("two", "{claim}`5 <2+3>`\n")
    book.pytest()
    old = book.ledger["pages"]["book/one.md"]
    assert ledger.current(old, "book/one.md", book.root)
    book.write(name, text)
    assert not ledger.current(old, "book/one.md", book.root)
    book.pytest("book/one.md::line:8,column:1")
    assert len(claims_of(book, "one")) == 1
    two = book.ledger["pages"]["book/two.md"]
    assert ledger.current(two, "book/two.md", book.root) == (name == "book/one.md")


def test_caches_do_not_count(book):
    book.write("src/tiny.py", "x = 1\n")
    before = ledger.digest([book.root / "src"], book.root)
    book.write("src/__pycache__/tiny.pyc", "")
    book.write("src/x.egg-info/PKG-INFO", "")
    book.write("src/.hidden/x", "")
    assert ledger.digest([book.root / "src"], book.root) == before


def test_a_page_that_is_gone_is_dropped(book):
    book.page("one", "{claim}`3 <1+2>`\n")
    path = book.page("two", "{claim}`3 <1+2>`\n")
    book.pytest()
    path.unlink()
    book.pytest()
    assert list(book.ledger["pages"]) == ["book/one.md"]


def test_a_page_changed_while_it_runs_is_not_vouched_for(book):
    code = "from pathlib import Path\nPath('one.md').write_text('{claim}`4 <1+2>`')"
    book.page("one", f"```{{code-cell}} python\n{code}\n```\n\n{{claim}}`3 <1+2>`\n")
    book.pytest()
    page = book.ledger["pages"]["book/one.md"]
    assert not ledger.current(page, "book/one.md", book.root)


def test_a_module_changed_while_it_runs_is_not_vouched_for(book):
    book.write("src/tiny.py", "x = 1\n")
    code = "from pathlib import Path\nPath('../src/tiny.py').write_text('x = 2')"
    book.page("one", f"```{{code-cell}} python\n{code}\n```\n\n{{claim}}`3 <1+2>`\n")
    book.pytest()
    page = book.ledger["pages"]["book/one.md"]
    assert not ledger.current(page, "book/one.md", book.root)


@pytest.mark.parametrize("text", ['{"format": 0, "pages": {"x": 1}}', "[]", "{", ""])
def test_a_ledger_of_another_format_is_replaced(book, text):
    path = book.write(ledger.DEFAULT_PATH, text)
    with pytest.raises(ledger.LedgerError, match=r"ledger\.json"):
        ledger.load(path)
    book.page("one", "{claim}`3 <1+2>`\n")
    assert book.pytest().code == 0
    assert book.claims("one") == [("3", "checked")]


def test_a_crash_leaves_the_ledger_whole(tmp_path):
    path = tmp_path / "ledger.json"
    ledger.save({"format": 2}, path)
    before = path.read_text()
    with pytest.raises(TypeError):
        ledger.save({"format": 2, "pages": {"x": object()}}, path)
    assert path.read_text() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_ledger_that_cannot_be_written_takes_no_verdict_away(book):
    book.page("one", "{claim}`3 <1+2>` {claim}`5 <2+2>`\n")
    book.write(".claims", "a file, where its folder should be")
    run = book.pytest()
    assert run.code == 1
    assert "text says 5, 2+2 is 4" in run.text
    assert run.text.count("\nledger not written: ") == 1
    assert "Traceback" not in run.text


def test_a_run_without_pages_writes_no_ledger(book):
    book.write("test_x.py", "def test_x(): pass\n")
    assert book.pytest("test_x.py").code == 0
    assert not (book.root / ledger.DEFAULT_PATH).exists()


def test_the_same_claim_twice_is_told_apart(book):
    book.page("one", "```{code-cell} python\nx = 3\n```\n{claim}`3 <x>`\n"
              "```{code-cell} python\nx = 4\n```\n{claim}`3 <x>`\n")  # fmt: skip
    book.pytest()
    found = claims_of(book, "one").values()
    assert [(c["twin"], c["outcome"]) for c in found] == [(0, "checked"), (1, "failed")]


def test_two_sybil_objects_over_one_book(book):
    book.page("count", COUNTING)
    one = book.pytest()
    book.write("tiny_second.py", (book.root / "conftest.py").read_text())
    two = book.pytest("-p", "tiny_second")
    assert two.outcomes == one.outcomes
    assert two.text.count("text says") == 2 * one.text.count("text says") == 2 * len(one.failed)


def test_pages_of_one_book_do_not_share_names(book):
    book.page("a", "```{code-cell} python\nx = 3\n```\n")
    book.page("b", "{claim}`3 <x>`\n")
    assert "name 'x' is not defined" in book.pytest().text


def test_collecting_runs_nothing(book):
    book.page("a", "```{code-cell} python\nopen('ran', 'w')\n```\n{claim}`3 <1+2>`\n")
    run = book.pytest("--collect-only", "-q")
    assert run.text.count("a.md::") == 3
    assert not (book.root / "book/ran").exists()


def test_sphinx_is_never_loaded_and_sympy_only_by_a_page_that_uses_it(book):
    page = "```{code-cell} python\nimport sys\n```\n\n{claim}`neither <not found()>`\n"
    cell = 'found = lambda: {"sphinx", "sympy"} & set(sys.modules)'
    book.page("one", page.replace("import sys", f"import sys\n{cell}"))
    assert book.command("pytest", "-q").returncode == 0
