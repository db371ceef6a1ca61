/* What wide content and links need beyond the theme; the page reads well without it. */
(function () {
  "use strict";

  // A region that scrolls sideways must be reachable by keyboard, and only then be a tab stop.
  // The theme sees to code and tables when the page is loaded, but not when letters grow or another face comes later.
  var WIDE = "math, .math-display, figure, .cell_output .text_html, pre, .pst-scrollable-table-container, .figure-default .figure-scroll";
  function reach(region) {
    var scrolls = getComputedStyle(region).overflowX !== "visible" && region.scrollWidth > region.clientWidth;
    if (scrolls && region.getAttribute("tabindex") !== "0") {
      region.setAttribute("tabindex", "0");
      region.dataset.reach = "";
    } else if (!scrolls && region.dataset.reach === "") {
      region.removeAttribute("tabindex");
      delete region.dataset.reach;
    }
  }
  var regions = document.querySelectorAll("article :is(" + WIDE + ")");
  function reachAll() { regions.forEach(reach); }
  var watch = new ResizeObserver(reachAll);
  document.fonts.addEventListener("loadingdone", reachAll); // a wider face may leave every box its size
  regions.forEach(function (region) {
    watch.observe(region);
    if (region.firstElementChild) watch.observe(region.firstElementChild);
  });

  // Who follows a link into a folded solution sees what it leads to.
  function unfold() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var fold = target && target.closest(".toggle-hidden");
    if (!fold) return;
    fold.querySelector(".toggle-button").click();
    target.scrollIntoView({ behavior: "instant" });
  }
  document.addEventListener("DOMContentLoaded", unfold); // when the folding script has run
  window.addEventListener("hashchange", unfold);

  // The theme takes the focus away from a button that was pressed; a keyboard needs it there.
  document.querySelectorAll(".theme-switch-button").forEach(function (button) {
    button.addEventListener("click", function () {
      window.setTimeout(function () { button.focus({ preventScroll: true }); });
    });
  });

  // The title of a link into the book says what is there; here it is shown at once, also on focus.
  var tip = document.createElement("div");
  tip.id = "preview-tip";
  tip.className = "preview-tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.appendChild(tip);
  var shown = null;
  var closing = 0;

  function open(link) {
    window.clearTimeout(closing);
    if (shown === link) return;
    close();
    shown = link;
    tip.textContent = link.title;
    link.dataset.title = link.title;
    link.removeAttribute("title");
    link.setAttribute("aria-describedby", tip.id);
    tip.hidden = false;
    var line = link.getClientRects()[0];
    var left = Math.min(line.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
    var below = line.bottom + 6;
    var above = line.top - tip.offsetHeight - 6;
    tip.style.left = Math.max(8, left) + window.scrollX + "px";
    tip.style.top = (below + tip.offsetHeight < window.innerHeight || above < 0 ? below : above) + window.scrollY + "px";
  }

  function close() {
    if (!shown) return;
    shown.title = shown.dataset.title;
    delete shown.dataset.title;
    shown.removeAttribute("aria-describedby");
    tip.hidden = true;
    shown = null;
  }

  function soon() { closing = window.setTimeout(close, 250); }

  document.querySelectorAll("article a.preview").forEach(function (link) {
    link.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse") open(link);
    });
    link.addEventListener("pointerleave", soon);
    link.addEventListener("focus", function () { if (link.matches(":focus-visible")) open(link); });
    link.addEventListener("blur", close);
  });
  tip.addEventListener("pointerenter", function () { window.clearTimeout(closing); });
  tip.addEventListener("pointerleave", soon);
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") close(); });
})();
