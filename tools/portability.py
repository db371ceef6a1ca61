"""Check the book as other machines would: `python tools/portability.py [NAME…]`.

Each environment is first asked whether it is what it says: a variable that is misspelled, or that a
new version of a library no longer knows, changes nothing, so the run would pass as any other does.
That is a failure. What this processor cannot be is said, and never "passed".
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from numpy._core._multiarray_umath import __cpu_features__

ROOT = Path(__file__).parents[1]
UNWANTED = shutil.ignore_patterns(
    ".git", ".venv", "_build", "__pycache__", "*.egg-info", ".*_cache"
)
WORKERS = ("-n", "auto", "--dist", "loadfile")

OPENBLAS = """
import ctypes, pathlib, numpy, torch
site = pathlib.Path(numpy.__file__).parents[1]
(file,) = [f for d in ("numpy.libs", "numpy/.dylibs") for f in (site / d).glob("*openblas*")]
library = ctypes.CDLL(str(file))
core = library.scipy_openblas_get_corename64_
core.restype = ctypes.c_char_p
print(core().decode(), "kernels")
print("threads:", library.scipy_openblas_get_num_threads64_(), "and", torch.get_num_threads())
"""
FEATURES = """
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
print("up to", [name for name in __cpu_dispatch__ if __cpu_features__[name]])
"""
ATEN = "import torch; print(torch.backends.cpu.get_cpu_capability())"
ONEDNN = """
import torch
torch.nn.functional.conv2d(torch.ones(1, 64, 56, 56), torch.ones(64, 64, 3, 3))
"""
MKL = "import torch; torch.ones(64, 64).double() @ torch.ones(64, 64).double()"
ENCODING = "import locale; print(locale.getpreferredencoding(False))"
CLOCK = "import sys, time; print(sys.flags.hash_randomization, time.strftime('%z'))"
ASSERTS = "import sys; print('asserts dropped' if sys.flags.optimize else 'asserts kept')"
FOLDER = "import attention, os; print(os.path.dirname(attention.__file__), 'in', os.getcwd())"
LOCKED = """
import pathlib
try:
    pathlib.Path("book/written").write_text("")
    print("written to")
except OSError:
    print("not written to")
"""


class Environment(NamedTuple):
    """Variables, a question, and the pattern of an answer that says that they took effect."""

    variables: dict[str, str]
    question: str
    answer: str
    needs: str = ""  # what the processor must have, in NumPy's words
    folder: str = ""  # a copy of the checkout with this name, in place of the checkout itself
    read_only: bool = False
    options: tuple[str, ...] = WORKERS


def _blas(core: str, answer: str, needs: str) -> Environment:
    return Environment({"OPENBLAS_CORETYPE": core}, OPENBLAS, f"({answer}) kernels", needs)


def _numpy(*features: str, needs: str) -> Environment:
    """NumPy without these sets of instructions, in its own words for them."""
    pattern = rf"up to \[((?!{'|'.join(features)}).)*\]"
    return Environment({"NPY_DISABLE_CPU_FEATURES": " ".join(features)}, FEATURES, pattern, needs)


def _aten(level: str, needs: str) -> Environment:
    return Environment({"ATEN_CPU_CAPABILITY": level}, ATEN, level.upper(), needs)


def _threads(count: int) -> Environment:
    """So many threads of torch, even on fewer cores, of which OpenBLAS starts one each at most."""
    variables = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(count))
    answer = f"threads: {min(count, os.cpu_count() or 1)} and {count}"
    return Environment({**variables, "MKL_DYNAMIC": "FALSE"}, OPENBLAS, answer)


AVX512 = ("X86_V4", "AVX512_ICL", "AVX512_SPR")
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
ENVIRONMENTS = {
    # an old kernel calls itself by the name of the first processor that had its instructions,
    # and NumPy's build has one kernel for Haswell and Zen; OpenBLAS and torch obey where the
    # processor cannot, and die at the first instruction that it does not know
    "OpenBLAS-Prescott": _blas("Prescott", "Prescott|Katmai", "SSE3"),
    "OpenBLAS-Nehalem": _blas("Nehalem", "Nehalem", "SSE42"),
    "OpenBLAS-Haswell": _blas("Haswell", "Haswell", "AVX2"),
    "OpenBLAS-Zen": _blas("Zen", "Zen|Haswell", "AVX2"),
    "OpenBLAS-SkylakeX": _blas("SkylakeX", "SkylakeX", "AVX512_SKX"),
    "NumPy-without-AVX512": _numpy(*AVX512, needs="AVX512_SKX"),
    "NumPy-without-AVX2-and-FMA3": _numpy("X86_V3", *AVX512, needs="AVX2"),
    "ATen-default": _aten("default", ""),
    "ATen-AVX2": _aten("avx2", "AVX2"),
    "ATen-AVX512": _aten("avx512", "AVX512_SKX"),
    "oneDNN-SSE4.1": Environment(
        {"ONEDNN_MAX_CPU_ISA": "SSE41", "ONEDNN_VERBOSE": "1"}, ONEDNN, "isa:Intel SSE4.1", "SSE41"
    ),
    # torch's matrix products are MKL's, not OpenBLAS's
    "MKL-compatible": Environment(
        {"MKL_CBWR": "COMPATIBLE", "MKL_VERBOSE": "1"}, MKL, "CNR:COMPATIBLE", "SSE3"
    ),
    "1-thread": _threads(1),
    "2-threads": _threads(2),
    "4-threads": _threads(4),
    "ASCII": Environment(ASCII, ENCODING, "ANSI_X3.4-1968|US-ASCII"),
    "another-hash-and-clock": Environment(
        {"PYTHONHASHSEED": "31", "TZ": "XYZ-13:45"}, CLOCK, r"1 \+1345"
    ),
    "python-O": Environment({"PYTHONOPTIMIZE": "1"}, ASSERTS, "asserts dropped"),
    "one-process": Environment({}, "print('one process')", "one process", options=()),
    "spaces-and-é": Environment({}, FOLDER, "(.*a café).* in \\1", folder="a café"),
    "read-only": Environment({}, LOCKED, "not written to", folder="locked", read_only=True),
}


class Verdict(NamedTuple):
    """What came of one environment: how it answered, and pytest's last line."""

    outcome: str
    answer: str
    tests: str = ""
    seconds: float = 0.0


@contextmanager
def place(environment: Environment) -> Iterator[Path]:
    """Give the folder in which the book is checked."""
    if not environment.folder:
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as above:
        copy = shutil.copytree(ROOT, Path(above, environment.folder), ignore=UNWANTED)
        if environment.read_only:
            for path in (copy, *copy.rglob("*")):
                path.chmod(path.stat().st_mode & ~0o222)
        yield copy


def command(environment: Environment, arguments: Sequence[str]) -> list[str]:
    """Call Python; on a read-only checkout without root's right to write all the same."""
    called = [sys.executable, *arguments]
    if environment.read_only and shutil.which("setpriv") and os.geteuid() == 0:
        return ["setpriv", "--inh-caps=-dac_override", "--bounding-set=-dac_override", *called]
    return called


def check(environment: Environment, arguments: Sequence[str]) -> Verdict:
    """Ask an environment what it is, and if it is what it should be, check the book in it."""
    if environment.needs and not __cpu_features__.get(environment.needs):
        return Verdict("not on this processor", f"no {environment.needs}")
    with place(environment) as folder:
        variables = {**os.environ, "PYTHONPATH": str(folder / "src"), **environment.variables}

        def run(given: Sequence[str]) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                command(environment, given),
                cwd=folder,
                env=variables,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
            )

        said = run(["-c", environment.question]).stdout
        if not (found := re.search(environment.answer, said)):
            return Verdict("failed", f"not {environment.answer}: {said.strip()[-200:]}")
        begun = time.perf_counter()
        for asked in ("ONEDNN_VERBOSE", "MKL_VERBOSE"):
            variables.pop(asked, None)
        done = run(["-m", "pytest", "-q", *environment.options, *arguments])
        seconds = time.perf_counter() - begun
    if done.returncode:
        print(done.stdout[-4_000:], file=sys.stderr)
    tests = done.stdout.strip().rpartition("\n")[2].strip("= ")
    outcome = "failed" if done.returncode else "passed"
    return Verdict(outcome, found[0], re.sub(r" in .*", "", tests), seconds)


def main(
    arguments: Sequence[str] | None = None,
    checked: Callable[[Environment, Sequence[str]], Verdict] = check,
) -> int:
    """Check the book in every environment, or those named; print a table, a row as it comes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ENVIRONMENTS))
    parser.add_argument("--pages", nargs="+", default=["README.md", "book"], metavar="PATH")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if name not in ENVIRONMENTS]:
        parser.error(f"no such environment: {', '.join(unknown)}; there are {list(ENVIRONMENTS)}")
    print("| environment | it says | outcome | tests | seconds |\n|---|---|---|---|---|")
    outcomes = []
    for name in asked.names or ENVIRONMENTS:
        outcome, answer, tests, seconds = checked(ENVIRONMENTS[name], asked.pages)
        answer = " ".join(answer.replace("|", "/").split())
        print(f"| {name} | {answer} | {outcome} | {tests} | {seconds:.0f} |", flush=True)
        outcomes.append(outcome)
    return int("failed" in outcomes or "passed" not in outcomes)


if __name__ == "__main__":
    sys.exit(main())
