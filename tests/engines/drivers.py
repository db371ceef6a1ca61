"""Three browsers behind a few verbs: what a reader does at one, and what a test asks of it."""

import json
import time
from base64 import b64decode
from typing import Any

from playwright.sync_api import Error

PATIENCE = 60  # seconds, after which what a page was to do at once has failed
LAPTOP = {"width": 1280, "height": 900}
KEYS = {
    "Shift": "\ue008",
    "Control": "\ue009",
    "Tab": "\ue004",
    "Enter": "\ue006",
    "Escape": "\ue00c",
    "Space": " ",
}
KEYS |= {"End": "\ue010", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Backspace": "\ue003"}
CENTRE = """(() => {
  const [element] = [...document.querySelectorAll(%s)].filter(e => e.getClientRects().length);
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const box = element.getClientRects()[0];
  return [box.x + box.width / 2, box.y + box.height / 2];
})()"""
FINGER = """(([x, y]) => {
  const under = document.elementFromPoint(x, y), finger = { pointerType: "touch", bubbles: true };
  for (const type of ["pointerdown", "pointerup"])
    under.dispatchEvent(new PointerEvent(type, finger));
  under.click();
})(%s)"""


def patiently(ask):
    """What it gives as soon as that is something, and no error of a page that is just leaving."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if found := ask():
                return found
        except (Error, OSError, ValueError):
            if time.monotonic() > end:
                raise
        assert time.monotonic() < end, "never came true"
        time.sleep(0.02)


class Engine:
    """What is the same in all."""

    visit: Any
    run: Any
    point: Any
    touch: Any
    press: Any

    def open(self, address):
        self.visit(address)
        self.until(f"location.href === '{address}' && document.readyState === 'complete'")

    def until(self, expression):
        return patiently(lambda: self.run(expression))

    def centre(self, css):
        return self.run(CENTRE % json.dumps(css))

    def hover(self, css):
        self.point(*self.centre(css))

    def click(self, css):
        self.point(*self.centre(css), click=True)

    def tap(self, css):
        self.touch(*self.centre(css))

    def type(self, text):
        for letter in text:
            self.press(letter)


class Chromium(Engine):
    """By Playwright, as in tests/site."""

    def __init__(self, page):
        self.visit, self.run = page.goto, page.evaluate
        self.press, self.screenshot = page.keyboard.press, page.screenshot
        self.mouse, self.touch = page.mouse, page.touchscreen.tap

    def point(self, x, y, *, click=False):
        self.mouse.move(x, y)
        if click:
            self.mouse.click(x, y)


class WebDriver(Engine):
    """What W3C's two protocols share: keys and pointers are lists of actions."""

    act: Any

    def press(self, chord):
        keys = [KEYS.get(key, key) for key in chord.split("+")]
        steps = [{"type": "keyDown", "value": key} for key in keys]
        steps += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.act({"type": "key", "id": "keys", "actions": steps})

    def point(self, x, y, *, click=False, kind="mouse"):
        steps = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}]
        if click:
            steps += [{"type": each, "button": 0} for each in ("pointerDown", "pointerUp")]
        how = {"pointerType": kind}
        self.act({"type": "pointer", "id": kind, "parameters": how, "actions": steps})


class Firefox(WebDriver):
    """By WebDriver BiDi, which Firefox itself speaks; Playwright needs a newer one than an ESR."""

    def __init__(self, socket):
        self.socket, self.count = socket, 0
        self.ask("session.new", capabilities={})
        self.tab = self.ask("browsingContext.create", type="tab")["context"]  # which has the focus
        self.ask("browsingContext.setViewport", context=self.tab, viewport=LAPTOP)

    def ask(self, method, **params):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        answer = json.loads(self.socket.recv(PATIENCE))
        if "error" in answer:
            raise Error(f"{method}: {answer['message']}")
        return answer["result"]

    def visit(self, address):
        self.ask("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def run(self, expression):
        asked = f"Promise.resolve({expression}).then(JSON.stringify)"
        target = {"context": self.tab}
        done = self.ask("script.evaluate", expression=asked, target=target, awaitPromise=True)
        if done["type"] == "exception":
            raise Error(done["exceptionDetails"]["text"])
        return json.loads(done["result"].get("value", "null"))

    def act(self, source):
        self.ask("input.performActions", context=self.tab, actions=[source])

    def touch(self, x, y):
        self.point(x, y, click=True, kind="touch")

    def screenshot(self):
        return b64decode(self.ask("browsingContext.captureScreenshot", context=self.tab)["data"])


class WebKit(WebDriver):
    """By classic WebDriver, which is all that WebKitGTK's driver speaks."""

    def __init__(self, host):
        self.host, self.session = host, "/session"
        self.session += "/" + self.ask("", capabilities={})["sessionId"]
        self.ask("/window/rect", x=0, y=0, **LAPTOP)

    def ask(self, path, method="POST", **params):
        body = json.dumps(params) if method == "POST" else None
        self.host.request(method, self.session + path, body)
        answer = json.load(self.host.getresponse())["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise Error(f"{path}: {answer['message']}")
        return answer

    def visit(self, address):
        self.ask("/url", url=address)

    def run(self, expression):
        return self.ask("/execute/sync", script=f"return {expression}", args=[])

    def act(self, source):
        self.ask("/actions", actions=[source])

    def touch(self, x, y):
        """By a script: this driver turns a finger into a mouse."""
        self.run(FINGER % [x, y])

    def screenshot(self):
        return b64decode(self.ask("/screenshot", "GET"))
