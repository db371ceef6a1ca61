/* Numbers as a reader types them, and as a page shows them: which of these are meant by that. */
var claimsNumbers = (function () {
  "use strict";
  // What precedes is matched too: old browsers know no lookbehind.
  var NUMBER = /(^|[^\p{L}\p{N}_.])([-−]?)((?:[1-9]\d{0,2}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)(?:(?:e([-−+]?\d+))|\s?×\s?10([⁻⁰¹²³⁴-⁹]+))?(\s?%)?/gu;
  var RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  function lowered(signs) {
    return signs.replace("⁻", "-").replace(/[⁰¹²³⁴-⁹]/g, function (sign) { return RAISED.indexOf(sign); });
  }

  // The numbers in a text, each with where it stands.
  function find(text) {
    return Array.from(text.matchAll(NUMBER), function (found) {
      var digits = found[3].replace(/,/g, "");
      var power = found[4] ? found[4].replace("−", "-") : found[5] ? lowered(found[5]) : "";
      return {
        start: found.index + found[1].length,
        end: found.index + found[0].length,
        minus: found[2] !== "",
        digits: digits,
        places: (digits.split(".")[1] || "").length,
        power: Number(power),
        size: Number(digits + (power ? "e" + power : "")),
        percent: Boolean(found[6])
      };
    });
  }

  // A reader may write .5, or a decimal comma.
  function tidy(query) {
    return query.replace(/(^|\s)([-−]?)\./g, "$1$20.")
      .replace(/(^|\s)([-−]?\d+),(\d+)(?=\s|%|$)/g, function (all, before, whole, rest) {
        return rest.length === 3 && !/^[-−]?0/.test(whole) ? all : before + whole + "." + rest;
      });
  }

  function significant(number) {
    return number.digits.replace(".", "").replace(/^0+/, "").length;
  }

  function rounded(fine, coarse) {
    return fine.places > coarse.places && fine.power === coarse.power &&
      (Number(fine.digits).toFixed(coarse.places) === coarse.digits || fine.digits.startsWith(coarse.digits));
  }

  // A percentage as the part of one that it is.
  function part(number) {
    var places = number.places + 2, size = number.size / 100;
    return { minus: number.minus, digits: size.toFixed(places), places: places, power: 0, size: size, percent: true };
  }

  // How well a shown number answers a typed one: 0 as typed, 1 equal, 2 with more digits, 3 with fewer; else -1.
  function rank(typed, shown) {
    if (typed.minus && !shown.minus) return -1;
    if (typed.percent && !shown.percent) typed = part(typed);
    if (typed.size === shown.size) return typed.digits === shown.digits && typed.percent === shown.percent ? 0 : 1;
    if ((typed.places || typed.percent) && rounded(shown, typed)) return 2;
    return shown.places && significant(shown) > 2 && rounded(typed, shown) ? 3 : -1;
  }

  // The best answer to a typed number in a text: where it stands and its rank, or null.
  function best(typed, text) {
    return find(text).reduce(function (held, shown) {
      var value = rank(typed, shown);
      if (value < 0 || (held && held.rank <= value)) return held;
      return { rank: value, start: shown.start, end: shown.end };
    }, null);
  }

  // A query's numbers, and what is left of it.
  function typed(query) {
    var text = tidy(query), numbers = find(text);
    var rest = numbers.reduceRight(function (left, number) {
      return left.slice(0, number.start) + " " + left.slice(number.end);
    }, text);
    return { numbers: numbers, rest: rest.trim() };
  }

  return { best: best, find: find, typed: typed };
})();
