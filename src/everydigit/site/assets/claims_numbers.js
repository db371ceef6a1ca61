/* Numbers as a reader types them, and as a page shows them: which of these are meant by that. */
var claimsNumbers = (function () {
  "use strict";
  // What precedes is matched too: old browsers know no lookbehind. Powers and parts such as 2³ and 1½ are not read.
  var NUMBER = /(^|[^\p{L}\p{N}_.])([-−]?)((?:[1-9]\d{0,2}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)(?!\d|(?:\.\d+)?[⁻⁰¹²³⁴-⁹¼-¾⅐-⅞])(?:(?:e([-−+]?\d+))|\s?×\s?10([⁻⁰¹²³⁴-⁹]+))?(\s?%)?/giu;
  var WORDS = "three four five six seven eight nine ten eleven twelve".split(" ");
  var WORD = new RegExp("(^|[^\\p{L}\\p{N}_-])(" + WORDS.join("|") + ")(?![\\p{L}\\p{N}_]|[- ](?:hundred|thousand|million|billion|trillion))", "giu");

  function lowered(signs) {
    return signs.replace("⁻", "-").replace(/[⁰¹²³⁴-⁹]/g, function (sign) { return "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign); });
  }

  // The value is exact: its digits as an integer, and a power of ten.
  function read(start, end, digits, more) {
    var places = (digits.split(".")[1] || "").length, power = more.power || 0;
    var whole = digits.replace(".", "").replace(/^0+/, ""), kept = whole.replace(/0+$/, "");
    return {
      start: start, end: end, digits: digits, places: places, power: power,
      minus: Boolean(more.minus), percent: Boolean(more.percent),
      value: kept ? kept + "e" + (power - places + whole.length - kept.length) : "0"
    };
  }

  // The numbers in a text that are written in digits, each with where it stands.
  function written(text) {
    return Array.from(text.matchAll(NUMBER), function (found) {
      var power = found[4] ? found[4].replace("−", "-") : found[5] ? lowered(found[5]) : "";
      var more = { minus: found[2], power: Number(power), percent: found[6] };
      return read(found.index + found[1].length, found.index + found[0].length, found[3].replace(/,/g, ""), more);
    });
  }

  // Those in words too, from three to twelve.
  function find(text) {
    return written(text).concat(Array.from(text.matchAll(WORD), function (found) {
      var size = WORDS.indexOf(found[2].toLowerCase()) + 3;
      return read(found.index + found[1].length, found.index + found[0].length, String(size), {});
    }));
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
    var whole = number.digits.replace(".", "").padStart(number.places + 3, "0"), point = whole.length - number.places - 2;
    return read(number.start, number.end, whole.slice(0, point) + "." + whole.slice(point), number);
  }

  // How well a shown number answers a typed one: 0 as typed, 1 equal, 2 with more digits, 3 with fewer; else -1.
  function rank(typed, shown) {
    if (typed.minus && !shown.minus) return -1;
    if (typed.percent && !shown.percent) typed = part(typed);
    if (typed.value === shown.value) return typed.digits === shown.digits && typed.percent === shown.percent ? 0 : 1;
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
    var text = tidy(query), numbers = written(text);
    var rest = numbers.reduceRight(function (left, number) {
      return left.slice(0, number.start) + " " + left.slice(number.end);
    }, text);
    return { numbers: numbers, rest: rest.trim() };
  }

  return { best: best, find: find, typed: typed };
})();
