"""Two faces that every machine has, because they are made here: one wide, one narrow.

Their letters are boxes: what a layout meets of a face is how far each letter advances and how high
a line is. The wide one is as wide as Verdana and DejaVu Sans, the narrow one as a condensed face.
"""

import base64
import functools
import io

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

FACES = (None, "wide", "narrow")  # the first is the machine's own
SCALES = {"wide": 1, "narrow": 0.66}
ADVANCES = {  # in thousandths of an em
    "il'|": 280,
    " .,fj": 365,
    "t": 395,
    "rI:;!()[]/-": 455,
    "csz": 550,
    "kvxyJF": 595,
    "0123456789abdeghnopquELPTY?$": 636,
    "ABCKRSVXZ": 698,
    "DGHNOQUw+=<>×÷−≤≥≈≠±~^": 838,
    "mMW@%&—…": 990,
}
OTHER, BOLD, MONOSPACE = 700, 1.12, {"": 602}  # of a sign not named; times a regular one; of code
ASCENT, DESCENT = 1005, -210
WEAR = """async (css) => {
  const sheet = document.getElementById('face') || document.createElement('style');
  document.head.append(Object.assign(sheet, { id: 'face', textContent: css }));
  await Promise.all([...document.fonts].map((font) => font.load()));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
ENLARGED = """async (size) => {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.fontSize = 'medium';
  const frame = () => new Promise(requestAnimationFrame);
  while (getComputedStyle(probe).fontSize !== `${size}px`) await frame();
  probe.remove();
  await frame(), await frame();
}"""


def draw_box(advance):
    """A letter that fills its place but for a little room on either side."""
    pen = TTGlyphPen(None)
    pen.moveTo((60, 0))
    for point in ((60, 700), (advance - 60, 700), (advance - 60, 0)):
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()


def font_address(advances, factor):
    """A font with these advances, all times a factor, as a data URI."""
    widths = {signs: round(width * factor) for signs, width in {"": OTHER, **advances}.items()}
    glyphs = {".notdef": widths[""], **{f"w{width}": width for width in widths.values()}}
    by_sign = {sign: width for signs, width in widths.items() for sign in signs}
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([*glyphs])
    font.setupCharacterMap({c: f"w{by_sign.get(chr(c), widths[''])}" for c in range(0x20, 0x2E00)})
    font.setupGlyf({name: draw_box(width) for name, width in glyphs.items()})
    font.setupHorizontalMetrics({name: (width, 60) for name, width in glyphs.items()})
    font.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT)
    font.setupOS2(sTypoAscender=ASCENT, sTypoDescender=DESCENT)
    font.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    font.setupPost()
    file = io.BytesIO()
    font.save(file)
    return f"data:font/ttf;base64,{base64.b64encode(file.getvalue()).decode()}"


@functools.cache
def style_of(face):
    """A style sheet that sets all text in a face (`wide`, `narrow`), but formulas and icons."""
    scale = SCALES[face]
    fonts = [
        ("Boxes", "1 500", font_address(ADVANCES, scale)),
        ("Boxes", "501 999", font_address(ADVANCES, BOLD * scale)),
        ("Boxes Mono", "1 999", font_address(MONOSPACE, scale)),
    ]
    rules = "".join(
        f'@font-face {{ font-family: "{name}"; font-weight: {weight}; src: url({address}); }}\n'
        for name, weight, address in fonts
    )
    code = ":is(code, pre, kbd, samp), :is(code, pre, kbd, samp) *"
    text = f":not([class*=fa-], math, math *, {code})"
    return f"""{rules}{text} {{ font-family: Boxes, sans-serif !important; }}
    {code} {{ font-family: "Boxes Mono", monospace !important; }}"""


def enlarge(page, size):
    """Set the size of text (in percent) as a reader would; it holds where the page goes, too."""
    session = page.context.new_cdp_session(page)  # which must not end
    sizes = {"standard": 16 * size // 100, "fixed": 13 * size // 100}
    session.send("Page.setFontSizes", {"fontSizes": sizes})
    page.evaluate(ENLARGED, sizes["standard"])


def wear(page, face):
    """Show a page in a face."""
    page.evaluate(WEAR, style_of(face) if face else "")
