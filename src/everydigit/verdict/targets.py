"""TARGET: a Python expression, or a JSON pointer into a recorded run."""

import ast
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from symtable import SymbolTable, symtable
from types import CodeType
from typing import Any

import jsonpointer

RECORD = re.compile(r"(?P<path>[^\s#]+\.json)#(?P<pointer>(?:/.*)?)\Z")
_PATH = re.compile(r"[^\s#()\[\]]+\.json\Z")
_NOTEBOOK_ONLY = {"display", "get_ipython"}
SHOWN_KEYS = 8  # how many keys of a record a message lists


class LookupFailedError(Exception):
    """TARGET could not be evaluated; the message is one line."""


def evaluate(target: str, namespace: dict[str, Any], folder: Path) -> Any:
    """The value of TARGET: a Python expression, or a JSON pointer into a record.

    Raises
    ------
    LookupFailedError
        If the expression is no Python, a constant, or raises, or the record or its pointer is
        missing.

    """
    if record := RECORD.match(target):
        return _recorded(folder, record["path"], record["pointer"], target)
    code = _compiled(target)
    try:
        value = eval(code, namespace)
        return list(value) if isinstance(value, Iterator) else value  # it is looked at twice
    except NameError as error:
        if _PATH.match(target):
            raise LookupFailedError(f"a record needs a pointer: {target}#/…") from error
        raise LookupFailedError(f"{target}: {first_line(error, kind=False)}") from error
    except (Exception, SystemExit) as error:
        raise LookupFailedError(f"{target} raised {first_line(error)}") from error


def _compiled(target: str) -> CodeType:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            tree = ast.parse(target.strip(), "<target>", "eval")
            code = compile(tree, "<target>", "eval")
    except SyntaxError as error:
        raise LookupFailedError(f"{target!r} is no Python expression: {error.msg}") from error
    if any(map(_works, ast.walk(tree))) or _looks_up(symtable(target.strip(), "<target>", "eval")):
        return code
    raise LookupFailedError(
        f"{target} is a constant, which proves nothing: give what computes it, or mark an "
        "input that nobody can derive as {given}"
    )


def _works(node: ast.AST) -> bool:
    """Whether a part of TARGET computes, or asks an object to: a lambda of its own is none."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return called or isinstance(node, ast.BinOp | ast.Compare)


def _looks_up(scope: SymbolTable) -> bool:
    """Whether TARGET uses a name that it does not itself bind."""
    found = any(name.is_global() and not name.is_assigned() for name in scope.get_symbols())
    return found or any(map(_looks_up, scope.get_children()))


def _recorded(folder: Path, path: str, pointer: str, target: str) -> Any:
    try:
        record = json.loads((folder / path).read_text(encoding="utf-8"))
        return jsonpointer.resolve_pointer(record, pointer)
    except FileNotFoundError:
        raise LookupFailedError(
            f"there is no file {path}, as seen from the page's folder {folder.name}/"
        ) from None
    except ValueError as error:
        raise LookupFailedError(f"{target}: {path} is no JSON: {error}") from error
    except jsonpointer.JsonPointerException:
        raise LookupFailedError(f"{target}: {_missing(record, pointer)}") from None


def _missing(record: Any, pointer: str) -> str:
    """Where a pointer leads nowhere, and what there is instead."""
    above, here = "", record
    for part in jsonpointer.JsonPointer(pointer).parts:
        try:
            here = jsonpointer.JsonPointer.from_parts([part]).resolve(here)
        except jsonpointer.JsonPointerException:
            break
        above += f"/{part}"
    place = f"at {above}" if above else "at its top"
    if isinstance(here, dict):
        more = ["…"] if len(here) > SHOWN_KEYS else []
        there = ", ".join([*map(str, list(here)[:SHOWN_KEYS]), *more])
        return f"there is no {part!r} {place}, but {there or 'nothing'}"
    if isinstance(here, list):
        return f"there is no {part!r} {place}, a list of {len(here)}"
    return f"there is nothing below {above}, which is {here!r}"


def first_line(error: BaseException, *, kind: bool = True) -> str:
    """An error's first line, and what helps against it."""
    first = next(iter(str(error).strip().splitlines()), "")
    if isinstance(error, NameError) and error.name in _NOTEBOOK_ONLY:
        first += ": cells run as plain Python, not in a notebook"
    return f"{type(error).__name__}: {first}".rstrip(": ") if kind else first
