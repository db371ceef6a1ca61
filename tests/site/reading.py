"""What the browser tests share: the pages there are, and a page that remembers what went wrong."""

import time
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

NAMES = sorted(path.stem for path in (Path(__file__).parents[2] / "book").glob("*.md"))
CHAPTERS = [name for name in NAMES if name[:2].isdigit()]
PHONE = {"viewport": {"width": 320, "height": 640}}
LAPTOP = {"viewport": {"width": 1280, "height": 900}}

SHIFTS = """
  window.shift = 0;
  new PerformanceObserver(list => list.getEntries().forEach(e => {
    if (!e.hadRecentInput) window.shift += e.value;
  })).observe({type: 'layout-shift', buffered: true});
"""


class Quiet(SimpleHTTPRequestHandler):
    """A server that says nothing, and takes its time over files of some kinds."""

    late: tuple[str, ...] = ()

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        if self.path.partition("?")[0].endswith(self.late):
            time.sleep(0.4)
        super().do_GET()


def listen(page):
    """Collect what a reader's console would show, and every address that is asked for."""
    errors, asked = [], []
    page.on("console", lambda said: said.type == "error" and errors.append(said.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("requestfailed", lambda request: errors.append(f"failed: {request.url}"))
    page.on("request", lambda request: asked.append(request.url))
    return errors, asked
