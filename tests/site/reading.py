"""What the browser tests share: the pages there are, and a page that remembers what went wrong."""

import functools
import json
import threading
import time
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

NAMES = sorted(path.stem for path in (Path(__file__).parents[2] / "book").glob("*.md"))
CHAPTERS = [name for name in NAMES if name[:2].isdigit()]
PHONE = {"viewport": {"width": 320, "height": 640}}
LAPTOP = {"viewport": {"width": 1280, "height": 900}}
PATIENCE = 60_000  # ms: on a busy machine all takes long, and what is there is not waited for

SHIFTS = """
  window.shift = 0;
  new PerformanceObserver(list => list.getEntries().forEach(e => {
    if (!e.hadRecentInput) window.shift += e.value;
  })).observe({type: 'layout-shift', buffered: true});
"""

# Until all that was asked for is there and drawn, and nothing waits to be done.
SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  do {
    await document.fonts.ready;
    const pictures = [...document.querySelectorAll('img:not([loading=lazy])')];
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
    await frame(), await frame();
    await new Promise(requestIdleCallback);
  } while (document.fonts.status !== 'loaded');
}"""


class Quiet(SimpleHTTPRequestHandler):
    """A server that says nothing, and takes its time over files of some kinds."""

    late: tuple[str, ...] = ()

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        if self.path.partition("?")[0].endswith(self.late):
            time.sleep(0.4)
        super().do_GET()


@contextmanager
def serve(folder, handler=Quiet):
    """The address of a folder on the web, for as long as it is needed."""
    handling = functools.partial(handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handling) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def open_context(browser, **options):
    """A visitor of their own, who waits as long as it takes."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


def settle(page):
    """Wait until the page is as it stays."""
    page.wait_for_load_state("load")
    page.evaluate(SETTLED)


def listen(page):
    """Collect what a reader's console would show, and every address that is asked for."""
    errors, asked = [], []
    page.on("console", lambda said: said.type == "error" and errors.append(said.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("requestfailed", lambda request: errors.append(f"failed: {request.url}"))
    page.on("request", lambda request: asked.append(request.url))
    return errors, asked


def sentences(site):
    """What the search page knows of the book."""
    text = (site.folder / "_static/sentences.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("var bookSentences = ").rstrip().removesuffix(";"))
