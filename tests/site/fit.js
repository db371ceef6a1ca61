/* What does not fit in a figure (or an article): text that leaves its place or lies on other text, and boxes that scroll. */
window.fit = (() => {
  "use strict";
  const PLACES = "button, td, th, li, label, legend, p, caption, figcaption, dt, dd, h1, h2, h3, summary, svg, figure, article";
  const SCROLLS = "math, .figure-scroll, .math-display, pre, figure, .pst-scrollable-table-container, .cell_output .text_html";
  const box = (e) => e.getBoundingClientRect();
  const says = (e) => `${e.tagName} ${e.className.baseVal ?? e.className}: ${e.textContent.trim().slice(0, 40)}`;
  const seen = (whole) => [...whole.querySelectorAll("*")].filter((e) => e.checkVisibility({ visibilityProperty: true }));
  const scrollers = (whole) => [...whole.querySelectorAll(SCROLLS)].filter((e) =>
    ["auto", "scroll"].includes(getComputedStyle(e).overflowX));

  /* Each line of text there is, with the element that says it. */
  function lines(whole) {
    const found = [];
    for (const e of seen(whole)) for (const node of e.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) found.push([e, line]);
    }
    return found;
  }

  function outside(whole) {
    const { left, right } = box(whole);
    const scrolled = new Set(scrollers(whole).flatMap((scroller) => [...scroller.querySelectorAll("*")]));
    return seen(whole)
      .filter((e) => !scrolled.has(e))
      .filter((e) => box(e).width && (box(e).left < left - 0.5 || box(e).right > right + 0.5))
      .map((e) => `outside: ${says(e)}`);
  }

  const cut = (whole) => lines(whole)
    .map(([e, line]) => [e, line, box(e.closest(PLACES))])
    .filter(([, line, place]) => line.left < place.left - 0.5 || line.right > place.right + 0.5)
    .map(([e]) => `cut off: ${says(e)}`);

  function overlaps(whole, parts = [...lines(whole), ...seen(whole).filter((e) => e.matches("input")).map((e) => [e, box(e)])]) {
    const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return parts.flatMap(([e, a], i) => parts.slice(i + 1)
      .filter(([, b]) => across(a, b) > 0.5 && down(a, b) > 0.3 * Math.min(a.height, b.height))
      .map(([other]) => `overlap: ${says(e)} and ${says(other)}`));
  }

  const small = (whole) => [...whole.querySelectorAll("button, input")]
    .filter((e) => e.checkVisibility())
    .filter((e) => Math.min(box(e.closest("label") || e).width, box(e.closest("label") || e).height) < 24)
    .map((e) => `small: ${e.outerHTML.slice(0, 80)}`);

  const scrolling = (whole) => scrollers(whole).filter((e) => e.scrollWidth > e.clientWidth);

  /* A box that scrolls is reached by the Tab key, itself or by what is in it. */
  const unreached = (whole) => scrolling(whole)
    .filter((e) => !e.matches('[tabindex="0"]') && !e.querySelector('[tabindex="0"], input, a'))
    .map((e) => `not reached: ${says(e)}`);

  /* The names in each drawing: inside it, and none over another or over a point of a plane. */
  const named = (whole) => [...whole.querySelectorAll("figure > svg")].flatMap(misnamed);

  function misnamed(svg) {
    const { left, right, top, bottom } = box(svg);
    const names = lines(svg);
    const points = [...svg.querySelectorAll(".value circle, .mixture circle")].map((e) => [e, box(e)]);
    return names.filter(([, name]) => name.left < left - 1 || name.right > right + 1 || name.top < top - 1 || name.bottom > bottom + 1)
      .map(([e]) => `outside: ${says(e)}`).concat(overlaps(svg, [...names, ...points]));
  }

  const misfits = (whole) => [outside, cut, overlaps, small, unreached].flatMap((judge) => judge(whole));
  return { misfits, named, outside, unreached, scrolling: (whole) => scrolling(whole).map(says) };
})();
