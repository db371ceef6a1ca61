"""The site, made once and tested as it is: the very `_build/html` that is opened and published."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from everydigit import ledger
from everydigit.site.states import Checks

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build/html"
RECORD = ROOT / "_build/made-from"  # digests of what the last good build was made from, and made
SOURCES = [
    *("README.md", "_config.yml", "_toc.yml", "requirements.txt", "constraints.txt"),
    *("book", "src", ledger.DEFAULT_PATH),
]


def make():
    """Check and build what has changed since the last good build; nothing if nothing has."""
    RECORD.parent.mkdir(exist_ok=True)
    with FileLock(RECORD.with_suffix(".lock")):
        recorded = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
        if recorded != state():
            refresh()
            build(anew=not recorded)
            RECORD.write_text(state(), encoding="utf-8")
    return SITE


def state():
    """What the site is made from, and what was made of it."""
    sources = ledger.digest([ROOT / part for part in SOURCES], ROOT)
    addresses = [os.environ.get(name, "") for name in ("BOOK_URL", "BOOK_REPOSITORY")]
    made = ledger.digest([SITE], ROOT)
    return "\n".join([sources, last_change(), sys.version, *addresses, made])


def last_change():
    """The last commit of the pages, which show its date; empty without a history."""
    if not (git := shutil.which("git")):
        return ""
    asked = [git, "log", "-1", "--format=%H", "--", "book", "src"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def refresh():
    """Check the pages that no current record vouches for, and tell what does not hold."""
    run("python", "-m", "everydigit", "refresh", "README.md", "book")
    pages = Checks(ledger.load(ROOT / ledger.DEFAULT_PATH), ROOT).pages()
    wrong = [f"{page.source}:{line}: {why}" for page in pages for line, why in page.failures()]
    assert not wrong, "\n".join(["what no longer holds:", *wrong])


def build(anew):
    """Write the whole site, with warnings as errors.

    A page that was read without a warning is not read again. After a build that failed all are:
    Sphinx does not warn of the same page twice.
    """
    RECORD.unlink(missing_ok=True)
    for folder in [SITE, *([SITE.with_name(".doctrees")] if anew else [])]:
        shutil.rmtree(folder, ignore_errors=True)
    run("jupyter-book", "build", ".", "-W", "-n", "--keep-going")


def run(program, *arguments):
    """A program of this environment, as a reader would call it; its failure shows its output."""
    done = subprocess.run(
        [Path(sys.executable).with_name(program), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, f"{program} gave {done.returncode}:\n{output[-6000:]}"
