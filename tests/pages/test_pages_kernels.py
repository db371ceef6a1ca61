"""Kernels that start warm: a copy of one process, with names and a folder of its own."""

import multiprocessing
from types import SimpleNamespace

import nbclient
import nbformat
import pytest
from jupyter_client.provisioning.factory import KernelProvisionerFactory

from booksite.pages import kernels

pytestmark = pytest.mark.skipif(
    kernels.SERVER not in multiprocessing.get_all_start_methods(), reason="no process is copied"
)
CELL = """
import os, sys
print(os.getpid(), os.getcwd(), "fractions" in sys.modules, "left" in globals(), __name__)
left = 1
"""


@pytest.fixture
def warm(monkeypatch):
    factory = KernelProvisionerFactory.instance()
    monkeypatch.setattr(factory, "default_provisioner_name", factory.default_provisioner_name)
    monkeypatch.setenv("MPLBACKEND", "agg")
    kernels.warm_up(None, SimpleNamespace(pages_warm=["ipykernel.kernelapp", "fractions"]))
    yield
    del factory.provisioners["warm-provisioner"]


def execute(source, folder):
    cell = nbformat.v4.new_code_cell(source)
    book = nbformat.v4.new_notebook(cells=[cell])
    book.metadata.kernelspec = {"name": "python3", "display_name": "Python"}
    nbclient.execute(book, cwd=str(folder), timeout=60)
    return cell.outputs[0].text.split()


def test_each_kernel_is_a_process_of_its_own(warm, tmp_path):
    first, second = execute(CELL, tmp_path), execute(CELL, tmp_path)
    assert first[0] != second[0]
    assert first[1:] == second[1:] == [str(tmp_path.resolve()), "True", "False", "__main__"]


def test_a_cell_that_raises_or_kills_its_kernel_is_told(warm, tmp_path):
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="ZeroDivisionError"):
        execute("1 / 0", tmp_path)
    with pytest.raises(nbclient.exceptions.DeadKernelError):
        execute("import os; os._exit(3)", tmp_path)
