/* The hand example: edit a coordinate, switch the mask or the division, and see what follows. */
(function () {
  "use strict";
  const book = window.attentionChecked;
  const { attend, causal } = book.mathematics;
  const PARTS = ["query", "key", "value"];
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

  function vectors(initial, part) {
    return {
      initial,
      parse(text) {
        const rows = text.split("~").map((row, i) =>
          row.split("_").map((x) => book.readNumber(x, `A coordinate of ${part} ${LETTERS[i]}`)));
        if (rows.length !== initial.length || rows.some((row) => row.length !== initial[0].length))
          throw book.bad(`The ${part} vectors are “${text}”: ${initial.length} of width ${initial[0].length} belong there.`);
        return rows;
      },
      print: (rows) => rows.map((row) => row.join("_")).join("~"),
    };
  }

  function edited(rows, i, j, x) {
    return rows.map((row, at) => (at === i ? row.map((old, column) => (column === j ? x : old)) : row));
  }

  function compute(state) {
    const allowed = state.masked ? causal(state.query.length) : null;
    const found = attend(state.query, state.key, state.value, allowed, state.scaled);
    if (![...found.scores, ...found.output].flat().every(Number.isFinite))
      throw book.bad("With numbers this large a score or an output is no longer finite.");
    return { ...found, allowed };
  }

  /* Which tokens' rows moved, and the largest move of a coordinate. */
  function moved(before, after) {
    const gaps = after.map((row, i) => Math.max(...row.map((x, j) => Math.abs(x - before[i][j]))));
    const tokens = gaps.map((gap, i) => (gap > 0 ? LETTERS[i] : "")).join("");
    return { tokens, most: Math.max(...gaps) };
  }

  function told(what, before, after) {
    const { tokens, most } = moved(before, after);
    if (!tokens) return `${what} unchanged`;
    const whose = tokens.length === after.length ? "all tokens" : [...tokens].join(", ");
    return `${what} of ${whose} moved by ${tokens.length > 1 ? "up to " : ""}${book.amount(most)}`;
  }

  function say(before, after) {
    const parts = ["scores", "shares"].map((what) => told(what, before.result[what], after.result[what]));
    if (before.state.masked !== after.state.masked) parts[0] += ", but others are allowed";
    parts.push(told("output", before.result.output, after.result.output));
    const sentence = parts.join("; ");
    return sentence[0].toUpperCase() + sentence.slice(1) + ".";
  }

  function inputs(kit, part) {
    const rows = kit.data[part];
    const body = rows.map((row, i) => book.make("tr", {}, book.make("th", { scope: "row" }, LETTERS[i]),
      ...row.map((_, j) => book.make("td", {}, kit.text("", (state) => book.printNumber(state[part][i][j]),
        (text) => ({ [part]: edited(kit.now.state[part], i, j, book.readNumber(text, `Coordinate ${j + 1} of ${part} ${LETTERS[i]}`)) }),
        { "aria-label": `${part} ${LETTERS[i]}, coordinate ${j + 1}`, size: 4, maxlength: 12 })))));
    return kit.box(book.make("table", { class: "figure-table figure-inputs" },
      book.make("caption", {}, { query: "Queries", key: "Keys", value: "Values" }[part]), book.make("tbody", {}, ...body)));
  }

  function build(kit) {
    const tokens = [...LETTERS.slice(0, kit.data.query.length)];
    const keys = tokens.map((token) => `key ${token}`);
    const scores = kit.table("Scores", "query", keys, tokens);
    const shares = kit.table("Shares", "query", keys, tokens);
    const output = kit.table("Outputs", "token", kit.data.value[0].map((_, j) => `coord. ${j + 1}`), tokens);
    kit.live.append(
      book.make("div", { class: "figure-row" }, ...PARTS.map((part) => inputs(kit, part))),
      book.make("div", { class: "figure-controls" },
        kit.toggle("causal mask", (state) => state.masked, (masked) => ({ masked })),
        kit.toggle("divide by √dₖ", (state) => state.scaled, (scaled) => ({ scaled }))),
      kit.foot,
      book.make("div", { class: "figure-row" }, scores.element, shares.element, output.element));
    return ({ result }) => {
      result.scores.forEach((row, i) => row.forEach((x, j) => {
        const may = !result.allowed || result.allowed[i][j];
        scores.put(i, j, may ? book.fixed(x) : "—");
        shares.put(i, j, book.fixed(result.shares[i][j]), result.shares[i][j]);
      }));
      result.output.forEach((row, i) => row.forEach((x, j) => output.put(i, j, book.fixed(x))));
    };
  }

  book.define("hand-example", {
    invitation: "Change a coordinate: a value first, then a key.",
    longest: "Scores of all tokens moved by up to 0000.00; shares of all tokens moved by up to 0.00; output of all tokens moved by up to 0000.00.",
    fields: (data) => ({
      ...Object.fromEntries(PARTS.map((part) => [part, vectors(data[part], part)])),
      masked: book.fields.yes(data.masked),
      scaled: book.fields.yes(data.scaled),
    }),
    compute, build, say,
  });
})();
