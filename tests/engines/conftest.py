import io
import os
from pathlib import Path

import pytest

from tests.engines.launch import STARTS, Missing
from tests.site.reading import Quiet, serve

# Keeps what a reader's console would show, of every page and frame, until a test has asked.
LISTEN = b"""<head><script>(() => {
  const complain = (text) => {
    const before = sessionStorage.complaints || "";
    sessionStorage.complaints = `${before}${location.pathname}: ${text}\\n`;
  };
  window.addEventListener("error", (event) => {
    complain(event.message || `cannot load ${event.target.outerHTML}`);
  }, true);
  window.addEventListener("unhandledrejection", (event) => complain(event.reason));
  console.error = (...words) => complain(words.join(" "));
})()</script>"""


class Listening(Quiet):
    """Serves the site, each page with a script that listens."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if path.suffix != ".html" or not path.is_file():
            return super().send_head()
        page = path.read_bytes().replace(b"<head>", LISTEN, 1)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        return io.BytesIO(page)


@pytest.fixture(scope="session")
def address(site):
    with serve(site.folder, Listening) as found:
        yield found


ASKED = os.environ.get("ENGINES", "").split()


@pytest.fixture(scope="session", params=ASKED or STARTS)
def started(request, tmp_path_factory):
    """Each engine, once; those that the variable ENGINES names, if it does, must be there."""
    name = request.param
    try:
        own = {"browser": request.getfixturevalue("browser")} if name == "chromium" else {}
        with STARTS[name](folder=tmp_path_factory.mktemp(name), **own) as engine:
            yield engine
    except (Missing, pytest.skip.Exception) as why:
        if name in ASKED:
            pytest.fail(f"{name} must run: {why}")
        pytest.skip(str(why))


@pytest.fixture
def engine(started, address):
    """The engine, which remembers nothing; what a page complained of fails the test."""
    started.open(f"{address}/nothing")
    yield started
    complaints = started.run("sessionStorage.complaints || ''")
    started.run("(localStorage.clear(), sessionStorage.clear())")
    assert complaints == ""
