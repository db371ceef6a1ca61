"""Kernels that start warm: each a fresh copy of one process that runs nothing but imports.

A chapter's kernel would spend more on importing torch than most chapters on all their cells.
"""

import os
from importlib.metadata import EntryPoint
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.process import BaseProcess
from typing import Any, Final

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from sphinx.application import Sphinx
from sphinx.config import Config

SERVER: Final = "forkserver"  # Windows has none, and starts kernels cold


class _Copy:
    """A copy of the warm process, with what `LocalProvisioner` asks of a `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self.kill, self.terminate = process.kill, process.terminate

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self) -> int | None:
        self._process.join()
        return self._process.exitcode

    def send_signal(self, signum: int) -> None:
        if self._process.pid is not None and self.poll() is None:
            os.kill(self._process.pid, signum)


class WarmProvisioner(LocalProvisioner):
    """Starts a kernel's command line in a copy of the warm process."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start it; cmd is `python -m ipykernel_launcher` and its arguments."""
        arguments = cmd[cmd.index("-m") + 2 :]
        process = get_context(SERVER).Process(
            target=run, args=(arguments, kwargs.get("cwd"), kwargs.get("env"))
        )
        process.start()
        copy: Any = _Copy(process)
        self.process, self.pid = copy, process.pid
        return self.connection_info


def run(arguments: list[str], folder: str | None, environment: dict[str, str] | None) -> None:
    """Be a kernel, in a folder and with an environment of its own, and end with what started it."""
    from ipykernel.kernelapp import launch_new_instance

    os.environ.update(environment or {}, JPY_PARENT_PID=str(os.getppid()))
    os.chdir(folder or ".")
    launch_new_instance(arguments)


def warm_up(_app: Sphinx, config: Config) -> None:
    """Let all kernels of this build start warm, with the modules in `pages_warm` imported."""
    if not config.pages_warm or SERVER not in get_all_start_methods():
        return
    # The kernel sets it for itself, but only before matplotlib is imported does it count.
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    get_context(SERVER).set_forkserver_preload(["__main__", *config.pages_warm])
    factory = KernelProvisionerFactory.instance()
    name = factory.default_provisioner_name = "warm-provisioner"
    factory.provisioners[name] = EntryPoint(
        name, f"{__name__}:{WarmProvisioner.__name__}", factory.GROUP_NAME
    )
