"""Signatures as they stand in the source, where shapes can be read."""

import ast
import inspect
from textwrap import dedent
from typing import Any


def signature(function: Any) -> tuple[str, str | None]:
    """The arguments and the result of a function, word for word as it was written."""
    tree = ast.parse(dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    arguments = tree.args.args
    if arguments and arguments[0].arg in ("self", "cls"):
        del arguments[0]
    return f"({ast.unparse(tree.args)})", ast.unparse(tree.returns) if tree.returns else None


def fields(thing: type) -> list[str]:
    """The annotated names of a class, as a block of code."""
    tree = ast.parse(dedent(inspect.getsource(thing))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found = [ast.unparse(node) for node in tree.body if isinstance(node, ast.AnnAssign)]
    return (
        ["", ".. code-block:: python", "", *(f"   {line}" for line in found), ""] if found else []
    )
