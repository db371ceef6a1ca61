"""What a command is made from: the code it imports from here, and the pins of all else.

Comments, docstrings and layout are no part of it, and neither are the version of Python and the
machine: what they change lies within the room that a record is compared with.
"""

import ast
import functools
import hashlib
import json
import re
import sys
from modulefinder import ModuleFinder
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[1]
PINS = Path("requirements.txt")


@functools.cache
def digest(module: str, source: Path = SOURCE, pins: Path = PINS) -> str:
    """The SHA-256 of all that a module runs: code imported from here, and pins of the rest.

    An import that only comes about at run time, by a name that is computed, is not seen.

    Raises:
        ValueError: a package is imported and not pinned.
        OSError: there is no such file.

    Examples:
        >>> len(digest("attention.names.grammar"))
        64

    """
    files, packages = imported(module, source)
    content = sorted(essence(path.read_text(encoding="utf-8")) for path in files)
    return hashlib.sha256(json.dumps([content, pinned(packages, pins)]).encode()).hexdigest()


def imported(module: str, source: Path = SOURCE) -> tuple[list[Path], list[str]]:
    """The files below `source` that a module imports, itself among them, and packages of others.

    Examples:
        >>> files, packages = imported("attention.names.grammar")
        >>> SOURCE / "arguments.py" in files, "numpy" in packages
        (True, True)

    """
    finder = ModuleFinder([str(source.parent)])
    finder.import_hook(module)
    files = [Path(f) for each in finder.modules.values() if (f := vars(each)["__file__"])]
    missing = {name.partition(".")[0] for name in finder.badmodules}
    return files, sorted(missing - {source.name} - sys.stdlib_module_names)


def pinned(packages: list[str], pins: Path = PINS) -> list[str]:
    """The lines of the pins that name these packages.

    Raises:
        ValueError: a package is not pinned.

    Examples:
        >>> [line.partition("==")[0] for line in pinned(["array_api_compat"])]
        ['array-api-compat']

    """
    lines = {
        re.sub("[-_.]+", "_", line.partition("==")[0]).lower(): line
        for line in pins.read_text(encoding="utf-8").splitlines()
    }
    if strange := [name for name in packages if name.lower() not in lines]:
        raise ValueError(f"{', '.join(strange)}: imported, but not pinned in {pins}")
    return [lines[name.lower()] for name in packages]


@functools.cache
def essence(code: str) -> str:
    """Code without comments, docstrings and layout, in the same words for every version of Python.

    `ast.dump` and `ast.unparse` are of one version: a later one knows more fields, most of them
    empty, and writes an f-string in other quotes.

    Examples:
        >>> essence("def f(): return 1") == essence('def f():  # one' + chr(10) + ' "1"; return 1')
        True

    """
    return json.dumps(_plain(ast.parse(code)))


def _plain(thing: Any) -> Any:
    if isinstance(thing, list):
        return [_plain(each) for each in thing]
    if not isinstance(thing, ast.AST):
        return repr(thing)
    fields = dict(ast.iter_fields(thing))
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    if isinstance(thing, documented) and ast.get_docstring(thing, clean=False) is not None:
        fields["body"] = fields["body"][1:]
    kept = {name: _plain(value) for name, value in fields.items() if value not in (None, [])}
    return [type(thing).__name__, kept]
