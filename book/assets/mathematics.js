/* The mathematics of the figures: the functions of src/attention, again, for a page.
   Tests hold each to its Python twin. A matrix is an array of rows. */
(function () {
  "use strict";
  const book = (window.attentionChecked = window.attentionChecked || {});
  const sum = (xs) => xs.reduce((total, x) => total + x, 0);
  const dot = (a, b) => a.reduce((total, x, i) => total + x * b[i], 0);

  /* A row of shares; what is not allowed gets 0 and does not enter the sum. */
  function softmax(scores, allowed) {
    const kept = scores.map((score, i) => (!allowed || allowed[i] ? score : -Infinity));
    const top = Math.max(...kept);
    const grown = kept.map((score) => Math.exp(score - top));
    const total = sum(grown);
    return grown.map((x) => x / total);
  }

  function scores(query, key, scaled) {
    const divisor = scaled ? Math.sqrt(key[0].length) : 1;
    return query.map((q) => key.map((k) => dot(q, k) / divisor));
  }

  /* Forbidden keys are left out of the sum, so that no value of theirs can reach an output. */
  function mix(shares, value, allowed) {
    return shares.map((row, i) =>
      value[0].map((_, column) =>
        row.reduce((total, share, j) =>
          !allowed || allowed[i][j] ? total + share * value[j][column] : total, 0)));
  }

  const causal = (n) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => j <= i));

  function attend(query, key, value, allowed, scaled) {
    const compared = scores(query, key, scaled);
    const shares = compared.map((row, i) => softmax(row, allowed && allowed[i]));
    return { scores: compared, shares, output: mix(shares, value, allowed) };
  }

  function largestAndRest(p) {
    const largest = p.indexOf(Math.max(...p));
    return [largest, sum(p.filter((_, i) => i !== largest))];
  }

  /* A share above one half is taken as 1 minus the others, which keeps its digits. */
  function entropyBits(p) {
    const [largest, rest] = largestAndRest(p);
    return 0 - sum(p.map((share, i) => {
      if (share === 0) return 0;
      return share * (i === largest && rest < 0.5 ? Math.log1p(-rest) / Math.LN2 : Math.log2(share));
    }));
  }

  /* In units of the sum of all shares but the largest: it does not cancel where a row saturates. */
  function jacobianNorm(p) {
    const [largest, rest] = largestAndRest(p);
    if (rest === 0) return 0;
    const parts = p.map((share, i) => (i === largest ? 0 : share / rest));
    const squares = sum(p.map((share) => share * share));
    const together = sum(parts.map((part) => part * part));
    return rest * Math.sqrt(sum(p.map((share, i) =>
      i === largest
        ? share ** 2 * (1 + together)
        : parts[i] ** 2 * ((1 - share) ** 2 + squares - share * share))));
  }

  const totalVariation = (p, q) => sum(p.map((share, i) => Math.abs(share - q[i]))) / 2;

  function convolutionTable(n, reach) {
    return Array.from({ length: n }, (_, i) => {
      const near = Array.from({ length: n }, (_, j) => (Math.abs(i - j) <= reach ? 1 : 0));
      const count = sum(near);
      return near.map((x) => x / count);
    });
  }

  const recurrenceTable = (n) =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (j === Math.max(i - 1, 0) ? 1 : 0)));

  /* Rows times a matrix. */
  const times = (rows, matrix) =>
    rows.map((row) => matrix[0].map((_, column) => row.reduce((total, x, i) => total + x * matrix[i][column], 0)));

  /* Number `index` of the stream of a seed, from 0 to just below 1: see attention.figures.random_bits. */
  function uniform(seed, index) {
    let bits = (seed + Math.imul(index + 1, 0x9e3779b9)) | 0;
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 4294967296;
  }

  /* Float64 numbers from base 64, little-endian on every machine. */
  function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
  }

  /* Cut a list of numbers into nested rows of a shape. */
  function shaped(numbers, shape) {
    if (shape.length < 2) return numbers.slice();
    const size = numbers.length / shape[0];
    return Array.from({ length: shape[0] }, (_, i) => shaped(numbers.slice(i * size, (i + 1) * size), shape.slice(1)));
  }

  book.mathematics = {
    attend, causal, convolutionTable, dot, entropyBits, jacobianNorm, mix, recurrenceTable, scores,
    shaped, softmax, sum, times, totalVariation, uniform, unpacked,
  };
})();
