/* Where it looks: the tables of a convolution, a recurrence and attention for a word that is typed. */
(function () {
  "use strict";
  const book = window.attentionChecked;
  const { convolutionTable, recurrenceTable, scores, shaped, softmax, sum, times, totalVariation, unpacked } = book.mathematics;
  const TITLES = ["Convolution", "Recurrence, one step", "Attention"];
  const FIRST = "a".charCodeAt(0);
  const CODE = (letter) => letter.charCodeAt(0) - FIRST;

  function prepare(data) {
    const [width] = data.shape;
    return {
      ...data,
      letters: shaped(unpacked(data.letters), [26, width]),
      query: shaped(unpacked(data.query), data.shape),
      key: shaped(unpacked(data.key), data.shape),
    };
  }

  function readWord(text, data) {
    const word = text.trim().toLowerCase();
    if (word === "") throw book.bad(`The word is empty: 1 to ${data.longest} letters belong there.`);
    const strange = [...word].find((letter) => !/[a-z]/.test(letter));
    if (strange) throw book.bad(`“${strange}” has no vector here: the letters are a to z.`);
    if (word.length > data.longest) throw book.bad(`“${word}” has ${word.length} letters: there is room for ${data.longest}.`);
    return word;
  }

  function compute({ word }, data) {
    const x = [...word].map((letter) => data.letters[CODE(letter)]);
    const attention = scores(times(x, data.query), times(x, data.key), true).map((row) => softmax(row));
    return [convolutionTable(word.length, 1), recurrenceTable(word.length), attention];
  }

  /* The mean over rows of the part that has changed hands. */
  const moved = (before, after) => sum(after.map((row, i) => totalVariation(row, before[i]))) / after.length;

  function say(before, after) {
    if (before.state.word.length !== after.state.word.length)
      return `${after.state.word.length} letters, where there were ${before.state.word.length}: type a word of the same length to compare.`;
    const [convolution, recurrence, attention] = after.result.map((rows, i) => moved(before.result[i], rows));
    return `From “${before.state.word}” to “${after.state.word}” the convolution’s table moved by ${book.printNumber(convolution)}, ` +
      `the recurrence’s by ${book.printNumber(recurrence)}, attention’s by ${book.fixed(attention, 2)}.`;
  }

  const brief = (x) => (x === 0 ? "0" : x === 1 ? "1" : book.fixed(x, 2).replace(/^0/, ""));

  function build(kit) {
    const holder = book.make("div", { class: "figure-row figure-looks" });
    const word = kit.text("word", (state) => state.word, (text) => ({ word: readWord(text, kit.data) }), { size: 10, maxlength: 20 });
    const suggestions = ["bandit", "ananab", "cabana"].map((one) => kit.button(one, () => kit.attempt({ word: one })));
    kit.live.append(book.make("div", { class: "figure-controls" }, word,
      book.make("div", { class: "figure-buttons", role: "group", "aria-label": "other words" }, ...suggestions)), kit.foot, holder);
    return ({ state, result }) => {
      holder.replaceChildren(...result.map((rows, which) => {
        const shown = kit.table(TITLES[which], "", [...state.word], [...state.word], "figure-grid");
        rows.forEach((row, i) => row.forEach((x, j) => shown.put(i, j, brief(x), x)));
        return shown.element;
      }));
    };
  }

  book.define("where-it-looks", {
    invitation: "Type another word of the same length.",
    longest: "From “wwwwwwww” to “wwwwwwww” the convolution’s table moved by 0, the recurrence’s by 0, attention’s by 0.00.",
    prepare,
    fields: (data) => ({ word: { initial: data.word, parse: (text) => readWord(text, data), print: String } }),
    compute, build, say,
  });
})();
