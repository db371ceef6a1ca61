"""No engine drops a line of our style sheets: one it does not understand, it drops in silence."""

import json
import re
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHEETS = sorted(chain(ROOT.glob("src/**/assets/*.css"), ROOT.glob("book/assets/*.css")))
NAMES = {"--share": "0.5", "--rows-missing": "1"}  # set by a figure
ELSEWHERE = "#123456"  # the theme's, all of them colours
UNKNOWN = """((rules) => {
  const strange = [];
  const understood = (selector) => CSS.supports(`selector(${selector})`);
  for (const [selectors, declarations] of rules) {
    if (!selectors.every(understood)) strange.push(selectors.join());
    for (const [name, value] of declarations)
      if (!CSS.supports(name, value)) strange.push(`${selectors.join()} { ${name}: ${value} }`);
  }
  return strange;
})(%s)"""
# A feature that is not known neither holds nor fails to hold.
UNHEARD = """((features) => features.filter((feature) =>
  !matchMedia(feature).matches && !matchMedia(`not all and ${feature}`).matches))(%s)"""


def read(sheet):
    """A sheet without comments, and without what asks first whether it is understood."""
    css = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"@supports[^{]*\{([^{}]*\{[^{}]*\})*[^{}]*\}", "", css)


def read_rules(css):
    """Each rule's selectors and declarations, every name in them replaced by what it stands for."""
    for selector, body in re.findall(r"([^{};]*)\{([^{}]*)\}", css):
        pairs = [each.partition(":") for each in body.split(";") if each.strip()]
        plain = [(n.strip(), v.replace("!important", "").strip()) for n, _, v in pairs]
        selectors = [each.strip() for each in re.split(r",(?![^(]*\))", selector)]
        yield selectors, [(name, value) for name, value in plain if not name.startswith("--")]


def replace_names(css):
    names = {**dict(re.findall(r"(--[\w-]+):\s*([^;}]+)", css)), **NAMES}
    return re.sub(r"var\((--[\w-]+)\)", lambda found: names.get(found[1], ELSEWHERE), css)


@pytest.fixture(scope="module")
def css():
    return replace_names("\n".join(map(read, SHEETS)))


def test_every_rule_and_declaration_is_understood(engine, css):
    rules = list(read_rules(css))
    assert len(rules) > 200
    assert engine.run(UNKNOWN % json.dumps(rules)) == []


def test_every_question_about_the_device_is_understood(engine, css):
    queries = " ".join(re.findall(r"@media([^{]*)\{", css))
    features = sorted(set(re.findall(r"\([^)]*\)", queries)))
    assert "(scripting: none)" in features
    assert engine.run(UNHEARD % json.dumps([*features, "(feet: 2)"])) == ["(feet: 2)"]


def test_what_no_engine_knows_is_reported(engine):
    rules = list(read_rules("p:is(.a, .b), q:unheard-of { color: red; hue: 3; width: 1furlong }"))
    assert engine.run(UNKNOWN % json.dumps(rules)) == [
        "p:is(.a, .b),q:unheard-of",
        "p:is(.a, .b),q:unheard-of { hue: 3 }",
        "p:is(.a, .b),q:unheard-of { width: 1furlong }",
    ]
