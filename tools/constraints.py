"""Pin what the requirements pulled into this environment.

    python tools/constraints.py > constraints.txt

Run it in an environment that was made from requirements.txt alone: `make upgrade` does.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HEAD = """\
# Every package that requirements.txt pulls in, pinned. Direct pins stand there, not here.
# Written by `make upgrade`.
"""
_PIN = re.compile(r"^([\w.-]+)==([^\s+]+)", re.MULTILINE)
# What a build of torch for graphics cards brings along is torch's own choice.
_WITH_TORCH = re.compile(r"^(?:nvidia-|cuda-|triton$)")


def plain(name: str) -> str:
    """A package's name as all of its spellings have it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def constraints(frozen: str, requirements: str) -> list[str]:
    """The pins of `pip freeze` that the requirements do not state themselves."""
    direct = {plain(name) for name, _ in _PIN.findall(requirements)}
    pins = {plain(name): f"{name}=={version}" for name, version in _PIN.findall(frozen)}
    return [
        pins[name] for name in sorted(pins) if name not in direct and not _WITH_TORCH.match(name)
    ]


def main() -> None:
    """Print the constraints of this environment."""
    freeze = [sys.executable, "-m", "pip", "freeze", "--exclude-editable"]
    frozen = subprocess.run(freeze, capture_output=True, text=True, check=True).stdout
    requirements = Path("requirements.txt").read_text(encoding="utf-8")
    print(HEAD + "\n".join(constraints(frozen, requirements)))


if __name__ == "__main__":
    main()
