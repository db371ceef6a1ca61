"""A first visit is light and still, asks nobody but the site itself, and logs no error."""

import functools
import gzip
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from reading import CHAPTERS, LAPTOP, NAMES, PHONE, listen

LIMIT = 300_000  # bytes, compressed, of everything a chapter loads
SHIFTS = """
  window.shift = 0;
  new PerformanceObserver(list => list.getEntries().forEach(e => {
    if (!e.hadRecentInput) window.shift += e.value;
  })).observe({type: 'layout-shift', buffered: true});
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def served(site):
    handler = functools.partial(Quiet, directory=str(site.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def compressed(response):
    body = response.body()
    packed = response.url.partition("?")[0].endswith((".woff", ".woff2", ".png"))
    return len(body) if packed else len(gzip.compress(body))


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("name", NAMES)
def test_a_first_visit_is_light_still_and_silent(browser, served, name, size):
    context = browser.new_context(**size)
    page = context.new_page()
    errors, asked = listen(page)
    weights = []
    page.on("response", lambda response: weights.append(response))
    page.add_init_script(SHIFTS)
    page.goto(f"{served}/book/{name}.html", wait_until="networkidle")
    assert errors == []
    assert [address for address in asked if not address.startswith((served, "data:"))] == []
    assert page.evaluate("window.shift") < 0.05
    if name in CHAPTERS:
        total = sum(map(compressed, weights))
        assert 50_000 < total <= LIMIT, f"{total} bytes"  # below the first, something is missing
    context.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_page_from_disk_is_complete(page, site, name):
    errors, asked = listen(page)
    page.goto(site.address(name), wait_until="load")
    page.evaluate("document.fonts.ready")
    assert errors == []
    assert {address.partition(":")[0] for address in asked} <= {"file", "data"}


@pytest.mark.parametrize("way", ["http", "file"])
def test_search_finds_a_word_on_the_web_and_from_disk(page, served, site, way):
    errors, _ = listen(page)
    page.goto((served if way == "http" else site.folder.as_uri()) + "/search.html?q=convolution")
    page.locator("#search-results a[href*='04-where-it-looks']").first.wait_for()
    # From a disk a browser does not hand out the pages whose summaries are shown under the titles.
    assert [error for error in errors if way == "http" or "fetch" not in error.lower()] == []


def test_every_icon_of_the_pages_is_in_the_small_font(page, site):
    page.goto(site.address(CHAPTERS[0]))
    page.evaluate("document.fonts.ready")
    widths = page.evaluate("""() => [...document.querySelectorAll('i[class*=fa-], span[class*=fa-]')].map(e => {
      const s = getComputedStyle(e, '::before'), c = document.createElement('canvas').getContext('2d');
      const sign = s.content.replace(/^"|"$/g, '');
      c.font = `900 100px "Font Awesome 6 Free", monospace`;
      return [e.className, sign, c.measureText(sign).width, c.measureText('\\uf8fe').width];
    })""")
    assert len(widths) > 8
    for name, sign, width, missing in widths:
        assert len(sign) == 1, name
        assert width != missing, name
