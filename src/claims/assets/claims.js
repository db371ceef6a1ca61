/* One tip for all claims of a page, and the switch that makes them visible. */
(function () {
  "use strict";
  var claims = Array.prototype.slice.call(document.querySelectorAll(".claim"));
  if (!claims.length) return;

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
    return /claim--(checked|failed|unchecked)/.exec(claim.className)[1];
  }

  function fill(claim) {
    tip.textContent = "";
    var target = document.createElement("code");
    target.textContent = claim.dataset.target;
    var said = document.createElement("div");
    said.textContent = (stateOf(claim) === "checked" ? "✓ " : "✗ ") + claim.dataset.state;
    said.className = "claim-tip__state--" + stateOf(claim);
    tip.append(target);
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

  function place(claim) {
    var lines = claim.getClientRects();
    var line = { left: lines[0].left, top: lines[0].top, bottom: lines[lines.length - 1].bottom };
    if (claim.classList.contains("claim--block")) line.bottom = line.top; // a table is not to be covered
    var width = document.documentElement.clientWidth;
    tip.style.left = "0px";
    var left = Math.max(8, Math.min(line.left, width - tip.offsetWidth - 8));
    var below = line.bottom + 6;
    var fits = below + tip.offsetHeight < window.innerHeight;
    var top = fits ? below : Math.max(4, line.top - tip.offsetHeight - 6);
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

  claims.forEach(function (claim) {
    claim.removeAttribute("title"); // it was for pages without a script
    claim.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse") open(claim);
    });
    claim.addEventListener("pointerleave", function (event) {
      if (event.pointerType === "mouse") soon();
    });
    claim.addEventListener("click", function (event) {
      if (event.target.closest("a")) return;
      if (asked === claim && held) { close(); return; }
      open(claim);
      held = true;
      event.stopPropagation();
    });
    claim.addEventListener("focusin", function () { open(claim); });
    claim.addEventListener("focusout", soon);
  });
  tip.addEventListener("pointerenter", function () { window.clearTimeout(closing); });
  tip.addEventListener("pointerleave", soon);
  document.addEventListener("click", function (event) {
    if (!tip.contains(event.target) && !event.target.closest(".claim")) close();
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
  var heading = document.querySelector("article h1") || document.querySelector("h1");
  if (heading) heading.after(knob);
  var kept = "";
  try { kept = window.localStorage.getItem("claims-shown") || ""; } catch (e) { /* private */ }
  show(kept === "1");
})();
