/* The ledger's field: only the rows with the numbers and words that a reader types. */
(function () {
  "use strict";
  var form = document.querySelector(".ledger-filter");
  if (!form) return;
  var field = form.querySelector("input"), status = form.querySelector("[role=status]");
  var sections = Array.from(document.querySelectorAll("table.claims-ledger"), function (table) {
    return table.closest("section");
  });
  var rows = Array.from(document.querySelectorAll("table.claims-ledger tbody tr"), function (row) {
    var cells = Array.from(row.cells).slice(1, 4); // what the text says, its target and its value
    return { row: row, texts: cells.map(function (cell) { return cell.textContent; }) };
  });
  var saying = 0;

  function holds(each, typed, words) {
    var low = each.texts.join(" ").toLowerCase();
    return words.every(function (word) { return low.indexOf(word) >= 0; }) &&
      typed.numbers.every(function (number) {
        return each.texts.some(function (text) { return claimsNumbers.best(number, text); });
      });
  }

  function narrow() {
    var typed = claimsNumbers.typed(field.value);
    var words = typed.rest.toLowerCase().split(/\s+/).filter(Boolean);
    var left = rows.filter(function (each) {
      each.row.hidden = !holds(each, typed, words);
      return !each.row.hidden;
    }).length;
    sections.forEach(function (section) { section.hidden = !section.querySelector("tbody tr:not([hidden])"); });
    window.clearTimeout(saying); // said once the reader pauses
    saying = window.setTimeout(function () {
      status.textContent = field.value.trim() === "" ? "" :
        left === 0 ? "No claim has this." : left + " of " + rows.length + " claims.";
    }, 300);
  }

  // A link to a row must find it, whatever is in the field.
  function reveal() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest("[hidden]")) return;
    field.value = "";
    narrow();
    target.scrollIntoView({ behavior: "instant" });
  }

  field.addEventListener("input", narrow);
  window.addEventListener("hashchange", reveal);
  field.value = new URLSearchParams(location.search).get("find") || field.value; // a reload keeps what was typed
  if (field.value) narrow();
  reveal();
})();
