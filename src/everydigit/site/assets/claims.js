/* One tip for all claims of a page, and the switch that makes them visible. */
(function () {
  "use strict";
  var claims = Array.prototype.slice.call(document.querySelectorAll(".claim"));
  var givens = Array.prototype.slice.call(document.querySelectorAll("[data-state]:not(.claim)"));
  if (!claims.length && !givens.length) return;

  var tip = document.createElement("div");
  tip.id = "claim-tip";
  tip.className = "claim-tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.appendChild(tip);
  var asked = null; // the claim whose tip is open
  var held = false; // opened by a tap: stays until dismissed
  var closing = 0;

  function stateOf(claim) {
    var found = /claim--(checked|failed|unchecked)/.exec(claim.className);
    return found ? found[1] : "given";
  }

  var MARKS = { checked: "✓ ", failed: "✗ ", unchecked: "✗ ", given: "" };

  function fill(claim) {
    tip.textContent = "";
    var said = document.createElement("div");
    said.textContent = MARKS[stateOf(claim)] + claim.dataset.state;
    said.className = "claim-tip__state--" + stateOf(claim);
    if (claim.dataset.target) {
      var target = document.createElement("code");
      target.textContent = claim.dataset.target;
      tip.append(target);
    }
    if (claim.dataset.value) {
      var value = document.createElement("div");
      value.className = "claim-tip__value";
      value.textContent = "= " + claim.dataset.value;
      tip.append(value);
    }
    tip.append(said);
    if (claim.dataset.ledger) {
      var link = document.createElement("a");
      link.href = claim.dataset.ledger;
      link.textContent = "In the ledger";
      tip.append(link);
    }
  }

  // Below the claim's last line where there is room, else above its first; never over it.
  function place(claim) {
    var lines = claim.getClientRects();
    var first = lines[0], last = lines[lines.length - 1];
    var page = document.documentElement;
    tip.style.left = "0px";
    var left = Math.max(8, Math.min(first.left, page.clientWidth - tip.offsetWidth - 8));
    var below = last.bottom + 6;
    var above = first.top - tip.offsetHeight - 6;
    var top = below + tip.offsetHeight < window.innerHeight || above < 0 ? below : above;
    tip.style.left = left + window.scrollX + "px";
    tip.style.top = top + window.scrollY + "px";
  }

  function open(claim) {
    window.clearTimeout(closing);
    if (asked && asked !== claim) close();
    asked = claim;
    fill(claim);
    tip.hidden = false;
    place(claim);
    described(claim).setAttribute("aria-describedby", tip.id);
  }

  function close() {
    if (asked) described(asked).removeAttribute("aria-describedby");
    tip.hidden = true;
    asked = null;
    held = false;
  }

  function soon() {
    window.clearTimeout(closing);
    closing = window.setTimeout(function () { if (!held) close(); }, 250);
  }

  function described(claim) {
    return claim.querySelector("a.claim-link") || claim;
  }

  var touched = false; // whether the last pointer was a finger or a pen
  document.addEventListener("pointerdown", function (event) {
    touched = event.pointerType !== "mouse";
  }, true);

  claims.concat(givens).forEach(function (claim) {
    claim.removeAttribute("title"); // it was for pages without a script
    claim.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse") open(claim);
    });
    claim.addEventListener("pointerleave", function (event) {
      if (event.pointerType === "mouse") soon();
    });
    claim.addEventListener("click", function (event) {
      var link = event.target.closest("a");
      if (link && !(touched && link.classList.contains("claim-link"))) return;
      event.preventDefault(); // a tap asks first; the tip has the way to the ledger
      if (asked === claim && held) { close(); return; }
      open(claim);
      held = true;
      event.stopPropagation();
    });
    claim.addEventListener("focusin", function (event) {
      if (!touched && event.target.classList.contains("claim-link")) open(claim);
    });
    claim.addEventListener("focusout", soon);
  });
  tip.addEventListener("pointerenter", function () { window.clearTimeout(closing); });
  tip.addEventListener("pointerleave", soon);
  document.addEventListener("click", function (event) {
    if (!tip.contains(event.target) && !event.target.closest("[data-state]")) close();
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") close();
  });

  function show(on) {
    document.documentElement.classList.toggle("claims-shown", on);
    knob.setAttribute("aria-pressed", String(on));
    claims.forEach(on ? link : unlink);
  }

  // Focusable links only while the checks are shown: a reader tabs past none of them otherwise.
  function link(claim) {
    if (claim.querySelector("a.claim-link") || !claim.dataset.ledger) return;
    var anchor = document.createElement("a");
    anchor.className = "claim-link";
    anchor.href = claim.dataset.ledger;
    if (claim.classList.contains("claim--block")) {
      anchor.textContent = stateOf(claim) === "checked" ? "checked" : "not checked";
      claim.append(anchor);
    } else if (!claim.querySelector("a") && !claim.closest("a")) {
      anchor.append.apply(anchor, Array.prototype.slice.call(claim.childNodes));
      claim.append(anchor);
    }
  }

  function unlink(claim) {
    var anchor = claim.querySelector("a.claim-link");
    if (!anchor) return;
    if (!claim.classList.contains("claim--block")) {
      anchor.before.apply(anchor, Array.prototype.slice.call(anchor.childNodes));
    }
    anchor.remove();
  }

  var knob = document.createElement("button");
  knob.type = "button";
  knob.className = "claims-switch";
  knob.textContent = "Show the checks";
  knob.addEventListener("click", function () {
    var on = knob.getAttribute("aria-pressed") !== "true";
    show(on);
    try { window.localStorage.setItem("claims-shown", on ? "1" : ""); } catch (e) { /* private */ }
  });
  if (!claims.length) return;
  var heading = document.querySelector("article h1") || document.querySelector("h1");
  if (heading) heading.after(knob);
  var kept = "";
  try { kept = window.localStorage.getItem("claims-shown") || ""; } catch (e) { /* private */ }
  show(kept === "1");
})();
