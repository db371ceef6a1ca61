"""The ledger: what was checked, what came of it, and what it depended on."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from everydigit.files import write_whole

FORMAT = 4
DEFAULT_PATH = ".claims/ledger.json"
_PASSED_OVER = ("__pycache__", ".egg-info", ".ipynb_checkpoints")


class LedgerError(Exception):
    """A ledger that cannot be read; the message says why."""


def digest(paths: Iterable[Path], root: Path) -> str:
    """A hash of the files at and under `paths`, by their names relative to `root`."""
    total = hashlib.sha256()
    for path in sorted(_files(paths)):
        total.update(path.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def _files(paths: Iterable[Path]) -> Iterable[Path]:
    for path in paths:
        if path.is_file():
            yield path
        elif (
            path.is_dir() and not path.name.startswith(".") and not path.name.endswith(_PASSED_OVER)
        ):
            yield from _files(path.iterdir())


def load(path: Path) -> dict[str, Any]:
    """The ledger at `path`; an empty one where there is none.

    Raises
    ------
    LedgerError
        If the file is no ledger of this format.

    """
    if not path.exists():
        return {"format": FORMAT, "pages": {}}
    try:
        ledger = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise LedgerError(f"{path} is no ledger: {error}") from error
    if not isinstance(ledger, dict) or ledger.get("format") != FORMAT:
        found = ledger.get("format") if isinstance(ledger, dict) else None
        raise LedgerError(f"{path} has format {found!r}, not {FORMAT}: run pytest again")
    return ledger


def merge(
    ledger: Mapping[str, Any], pages: Mapping[str, dict[str, Any]], depends: Mapping[str, str]
) -> dict[str, Any]:
    """The ledger with the `pages` of this run written over those of earlier runs.

    A page keeps the claims of an earlier run only if neither it nor anything it depends on has
    changed; pages that were not run keep what they had, with the hashes they had.
    """
    merged = dict(ledger["pages"])
    for name, page in pages.items():
        old = merged.get(name, {})
        page = {**page, "depends": dict(depends)}
        if all(old.get(key) == page[key] for key in ("hash", "depends")):
            page |= {part: {**old[part], **page[part]} for part in ("claims", "steps")}
        merged[name] = page
    return {"format": FORMAT, "pages": dict(sorted(merged.items()))}


def save(ledger: Mapping[str, Any], path: Path) -> None:
    """Write the ledger whole or not at all."""
    write_whole(path, json.dumps(ledger, ensure_ascii=False, indent=1))


def current(page: Mapping[str, Any], name: str, root: Path) -> bool:
    """Whether the page and all that it depended on are as they were when it was checked."""
    source = root / name
    if not source.is_file() or digest([source], root) != page["hash"]:
        return False
    return all(digest([root / path], root) == was for path, was in page["depends"].items())
