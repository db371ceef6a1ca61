/* E6, as attention.models.e6.e6 defines it: token + position; norm, attention, add; norm, dense, add; head. */
(function () {
  "use strict";
  const book = window.attentionChecked;
  const { attend, causal, mix, shaped, softmax, sum, times, uniform, unpacked } = book.mathematics;
  const HEADS = 2;
  const EPSILON = 1e-5; // of the layer norm, as in torch

  /* The arrays by name, from one base 64 text that holds them in the order of `shapes`. */
  function weights(text, shapes) {
    const numbers = unpacked(text);
    const arrays = {};
    let start = 0;
    for (const [name, shape] of Object.entries(shapes)) {
      const size = shape.reduce((product, n) => product * n, 1);
      arrays[name] = shaped(numbers.slice(start, start + size), shape);
      start += size;
    }
    return arrays;
  }

  function norm(w, part, rows) {
    return rows.map((row) => {
      const mean = sum(row) / row.length;
      const variance = sum(row.map((x) => (x - mean) ** 2)) / row.length;
      const deviation = Math.sqrt(variance + EPSILON);
      return row.map((x, i) => ((x - mean) / deviation) * w[`${part}.scale`][i] + w[`${part}.bias`][i]);
    });
  }

  const added = (a, b) => a.map((row, i) => row.map((x, j) => x + b[i][j]));

  function linear(w, part, rows) {
    const bias = w[`${part}.bias`];
    return times(rows, w[`${part}.weight`]).map((row) => row.map((x, i) => x + bias[i]));
  }

  function heads(rows) {
    const width = rows[0].length / HEADS;
    return Array.from({ length: HEADS }, (_, h) => rows.map((row) => row.slice(h * width, (h + 1) * width)));
  }

  /* As far as the shares. */
  function look(w, tokens) {
    const stream = tokens.map((token, i) => w.token[token].map((x, j) => x + w.position[i][j]));
    const normed = norm(w, "norm1", stream);
    const [query, key, value] = ["query", "key", "value"].map((part) => heads(linear(w, part, normed)));
    const shares = query.map((q, h) => attend(q, key[h], value[h], causal(tokens.length), true).shares);
    return { stream, value, shares };
  }

  /* From shares to logits: all that follows, whether the shares are E6's own or edited. */
  function resume(w, seen, shares) {
    const mixed = shares.map((table, h) => mix(table, seen.value[h], null));
    const joined = mixed[0].map((_, i) => mixed.flatMap((head) => head[i]));
    const attended = added(seen.stream, linear(w, "project", joined));
    const hidden = linear(w, "expand", norm(w, "norm2", attended)).map((row) => row.map((x) => Math.max(x, 0)));
    return linear(w, "head", added(attended, linear(w, "contract", hidden)));
  }

  /* Probabilities of what can come: EOS and the letters, never PAD or BOS. */
  const outcomes = (logits, eos) => logits.map((row) => softmax(row.slice(eos)));

  /* Write a name, one token a number of the seed's stream, or always the likeliest if seed is null. */
  function generate(w, { bos, eos, longest }, seed) {
    const tokens = [bos];
    for (let i = 0; i <= longest; i += 1) {
      const seen = look(w, tokens);
      const shares = outcomes(resume(w, seen, seen.shares), eos).pop();
      const chosen = seed === null ? shares.indexOf(Math.max(...shares)) : pick(shares, uniform(seed, i));
      if (chosen === 0) return { letters: tokens.slice(1), ended: true };
      if (i < longest) tokens.push(eos + chosen);
    }
    return { letters: tokens.slice(1), ended: false };
  }

  function pick(shares, drawn) {
    let reached = 0;
    for (let i = 0; i < shares.length - 1; i += 1) {
      reached += shares[i];
      if (drawn < reached) return i;
    }
    return shares.length - 1;
  }

  book.e6 = { generate, look, outcomes, resume, weights };
})();
