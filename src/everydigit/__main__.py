"""`python -m everydigit`: what a text holds, without running it, and what must be run anew.

python -m everydigit coverage FILE…    count numbers: bound to a check, given, naked
python -m everydigit refresh PATH…     run pytest on the pages that no current record vouches for
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from everydigit import ledger
from everydigit.site.states import Checks
from everydigit.text import coverage


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m everydigit", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("coverage", "count the numbers of"), ("refresh", "check anew")):
        command = commands.add_parser(name, help=f"{what} these Markdown files, or all in a folder")
        command.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        if name == "coverage":
            command.add_argument("--naked", action="store_true", help="list each naked number")
        else:
            command.add_argument("--ledger", type=Path, default=Path(ledger.DEFAULT_PATH))
    asked = parser.parse_args(arguments)
    try:
        files = coverage.markdown_files(asked.paths)
    except FileNotFoundError as error:
        parser.error(str(error))
    if asked.command == "refresh":
        return refresh(files, asked.ledger)
    print(coverage.report([coverage.count(file) for file in files], naked=asked.naked))
    return 0


def refresh(files: Sequence[Path], path: Path) -> int:
    """Run pytest on those of the files that are not current; what fails is in the ledger.

    Returns pytest's own exit code only if it could not run at all: a page that does not hold is
    news for the site, which shows it, and no reason to stop building.
    """
    root = Path.cwd()
    try:
        checks = Checks(ledger.load(path), root)
    except ledger.LedgerError:
        checks = Checks({"pages": {}}, root)
    stale = [file for file in files if not checks.page(_name(file, root)).complete]
    if not stale:
        return 0
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", *map(str, stale)]
    code = subprocess.run(command, check=False).returncode
    return 0 if code in (0, 1) else code


def _name(file: Path, root: Path) -> str:
    return file.resolve().relative_to(root).as_posix()


if __name__ == "__main__":
    sys.exit(main())
