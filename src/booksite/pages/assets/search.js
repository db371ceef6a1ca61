/* On the search page: numbers are found as they are typed, and every hit is quoted where it stands. */
(function () {
  "use strict";
  if (typeof bookSentences === "undefined") return; // Sphinx's own search is better than none
  var MOST = 60;
  var KIND = 2, TEXT = 3, CLAIMS = 4; // of a passage, after the number of its section and its label
  var pages = {};
  bookSentences.pages.forEach(function (page) { pages[page.page] = page; });

  function element(name, text, within) {
    var made = document.createElement(name);
    made.textContent = text || "";
    if (within) within.append(made);
    return made;
  }

  function addressOf(page, label) {
    return page.page + DOCUMENTATION_OPTIONS.LINK_SUFFIX + (label ? "#" + label : "");
  }

  function nameOf(page, passage) {
    var title = page.sections[0][1], section = page.sections[passage[0]];
    if (section[0].startsWith("term-")) return section[1]; // a word of the glossary
    return section[1] && section[1] !== title ? title + " › " + section[1] : title;
  }

  function isProse(passage) { return passage[KIND] === "prose"; }
  function isTitle(passage) { return passage[KIND] === "title"; }

  // Where words begin with these, to the end of each; null unless all are there. Loosely, inside words too.
  function spansOf(words, text, loosely) {
    var low = text.toLowerCase();
    var spans = words.map(function (word) {
      var found = new RegExp("(^|[^\\p{L}\\p{N}_])" + _escapeRegExp(word), "u").exec(low);
      var start = found ? found.index + found[1].length : loosely ? low.indexOf(word) : -1;
      return start < 0 ? null : [start, start + /^[\p{L}\p{N}_]*/u.exec(low.slice(start))[0].length];
    });
    return spans.indexOf(null) < 0 ? spans : null;
  }

  // A sentence with the numbers and words typed; its place is that of the first number found in it.
  function answer(page, passage, query, order) {
    var found = query.numbers.map(function (number) { return claimsNumbers.best(number, passage[TEXT]); });
    var words = spansOf(query.words, nameOf(page, passage) + " " + passage[TEXT]);
    if (found.indexOf(null) >= 0 || !words) return null;
    var claim = passage.slice(CLAIMS).find(function (each) {
      return each[0] <= found[0].start && found[0].start < each[1];
    });
    return {
      page: page,
      passage: passage,
      label: claim ? claim[2] : passage[1] || page.sections[passage[0]][0],
      rank: Math.max.apply(null, found.map(function (each) { return each.rank; })),
      order: order,
      spans: found.map(function (each) { return [each.start, each.end]; })
        .concat(spansOf(query.words, passage[TEXT]) || [])
    };
  }

  // Text and tables first, then code, then what an exercise wants to be found out.
  function late(hit) { return ["code", "solution"].indexOf(hit.passage[KIND]); }
  function plain(hit) { return Number(isProse(hit.passage)); }

  function byNumber(query) {
    var found = [];
    bookSentences.pages.forEach(function (page) {
      page.passages.forEach(function (passage) {
        var hit = answer(page, passage, query, found.length);
        if (hit) found.push(hit);
      });
    });
    return found.sort(function (a, b) {
      return late(a) - late(b) || a.rank - b.rank || plain(b) - plain(a) || a.order - b.order;
    });
  }

  // A word of the glossary in any of its forms.
  function byTerm(words) {
    var stemmer = new Stemmer(), found = [];
    bookSentences.pages.forEach(function (page) {
      page.passages.filter(isTitle).forEach(function (passage) {
        var section = page.sections[passage[0]];
        var stems = splitQuery(section[1].toLowerCase()).map(function (word) { return stemmer.stemWord(word); });
        if (section[0].startsWith("term-") && stems.join(" ") === words.join(" ")) {
          found.push({ page: page, passage: following(page, passage), title: section[1], label: section[0], spans: [] });
        }
      });
    });
    return found;
  }

  // One of Sphinx's results, at the first sentence with all the words, or with one of them.
  function byWord(result, words) {
    var page = pages[result[0]], label = result[2].slice(1);
    var within = page ? page.passages.filter(function (passage) {
      return !label || page.sections[passage[0]][0] === label || passage[1] === label;
    }) : [];
    if (!within.length) return { title: result[1], href: addressOf({ page: result[0] }, label) };
    var tries = result[3] ? [] : [words].concat(words.map(function (word) { return [word]; }), [words]);
    var passage = tries.reduce(function (held, some, number) {
      return held || within.filter(isProse).find(function (each) { return spansOf(some, each[TEXT], number > words.length); });
    }, null) || following(page, within[0]);
    return {
      page: page,
      passage: passage,
      title: result[3] ? result[1] : nameOf(page, label ? within[0] : passage),
      kind: result[3],
      label: label || passage[1] || page.sections[passage[0]][0],
      spans: words.reduce(function (spans, word) { return spans.concat(spansOf([word], passage[TEXT], true) || []); }, [])
    };
  }

  // A term may share its definition with the next one.
  function following(page, passage) {
    return page.passages.slice(page.passages.indexOf(passage)).find(isProse) || passage;
  }

  function quote(text, spans, within) {
    var at = 0;
    spans.sort(function (a, b) { return a[0] - b[0]; }).forEach(function (span) {
      if (span[0] < at) return;
      within.append(text.slice(at, span[0]));
      element("mark", text.slice(span[0], span[1]), within);
      at = span[1];
    });
    within.append(text.slice(at));
  }

  function show(hit) {
    var item = element("li", "", Search.output);
    var link = element("a", hit.title || nameOf(hit.page, hit.passage), item);
    link.href = hit.href || addressOf(hit.page, hit.label);
    var kind = hit.kind || (/^term-/.test(hit.label) ? hit.page.sections[0][1] : "");
    if (kind) item.append(" (" + kind + ")");
    if (!hit.passage || isTitle(hit.passage)) return;
    var said = element("p", "", item);
    quote(hit.passage[TEXT], hit.spans, hit.passage[KIND] === "code" ? element("code", "", said) : said);
  }

  function once(hits) {
    var seen = {};
    return hits.filter(function (hit) {
      var key = hit.href || addressOf(hit.page, hit.label);
      if (seen[key]) return false;
      return (seen[key] = true);
    });
  }

  function say(hits, missed) {
    var text = hits.length === 0 ? "Nothing in the book matches. Try fewer words or fewer digits."
      : hits.length === 1 ? "One place found." : hits.length + " places found.";
    if (missed) text = "The number is not in the book with these words. Of the words alone: " + text;
    if (hits.length > MOST) text += " The first " + MOST + " are listed: another word or digit narrows them down.";
    Search.title.textContent = "Search Results";
    Search.status.setAttribute("role", "status");
    Search.status.textContent = text;
  }

  // Where a number stands, if one was typed; else Sphinx's own results.
  Search.query = function (text) {
    var typed = claimsNumbers.typed(text);
    var parsed = Search._parseQuery(typed.rest), words = Array.from(parsed[1]);
    var hits = typed.numbers.length ? byNumber({ numbers: typed.numbers, words: words }) : [];
    var missed = typed.numbers.length > 0 && hits.length === 0 && words.length > 0;
    if (!hits.length && words.length) {
      hits = once(byTerm(words).concat(Search._performSearch.apply(Search, parsed).reverse().map(function (result) {
        return byWord(result, words);
      })));
    }
    Search.stopPulse();
    say(hits, missed);
    hits.slice(0, MOST).forEach(show);
    if (bookSentences.ledger && typed.numbers.length) {
      var link = element("a", "Find it in the ledger, with what it was checked against", element("p", "", Search.output.parentNode));
      link.href = addressOf({ page: bookSentences.ledger }) + "?find=" + encodeURIComponent(text);
    }
  };
})();
