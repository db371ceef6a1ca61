"""Starts an engine, wherever it is installed, and ends it."""

import json
import os
import shutil
import socket
import subprocess
from contextlib import contextmanager
from http.client import HTTPConnection

from websockets.sync.client import connect

from tests.engines.drivers import LAPTOP, PATIENCE, Chromium, Firefox, WebKit, patiently


class Missing(Exception):
    """Something that an engine needs is not on this machine."""


def find(*names):
    """The first of these programs that there is."""
    found = next(filter(None, map(shutil.which, names)), None)
    if not found:
        raise Missing(f"no {' or '.join(names)} in PATH")
    return found


@contextmanager
def running(*command, **options):
    """A program for as long as it is needed; what it says goes nowhere."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet, **options) as process:
        try:
            yield
        finally:
            process.terminate()


@contextmanager
def start_chromium(browser, folder):
    context = browser.new_context(viewport=LAPTOP, has_touch=True)
    yield Chromium(context.new_page())
    context.close()


@contextmanager
def start_firefox(folder):
    program = find("firefox-esr", "firefox")
    settings = ["--headless", "--no-remote", "--remote-debugging-port", "0"]
    # The next page, fetched ahead and broken off when a test leaves, would be an error of this one.
    (folder / "user.js").write_text('user_pref("network.prefetch-next", false);')
    with running(program, *settings, "--profile", folder, "about:blank"):
        said = folder / "WebDriverBiDiServer.json"
        server = patiently(lambda: json.loads(said.read_text(encoding="utf-8")))
        address = f"ws://{server['ws_host']}:{server['ws_port']}/session"
        with connect(address, max_size=None) as connection:
            firefox = Firefox(connection)
            yield firefox
            firefox.ask("browser.close")


@contextmanager
def screen():
    """The number of a screen that nobody sees."""
    readable, writable = os.pipe()
    size = f"{LAPTOP['width']}x{LAPTOP['height'] + 100}x24"
    command = [find("Xvfb"), "-displayfd", str(writable), "-screen", "0", size]
    with running(*command, pass_fds=[writable]), open(readable) as said:
        os.close(writable)
        yield said.readline().strip()


@contextmanager
def start_webkit(folder):
    program = find("WebKitWebDriver")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with screen() as number:
        own = {"DISPLAY": f":{number}", "XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
        own["WEBKIT_DISABLE_COMPOSITING_MODE"] = "1"  # without a graphics card, twice as fast
        with running(program, f"--port={port}", env={**os.environ, **own}):
            patiently(lambda: socket.create_connection(("127.0.0.1", port)))
            webkit = WebKit(HTTPConnection("127.0.0.1", port, timeout=PATIENCE))
            yield webkit
            webkit.ask("", "DELETE")


STARTS = {"chromium": start_chromium, "firefox": start_firefox, "webkit": start_webkit}
