/* Saturation: the shares of one query at each width, undivided and divided by the root of the width. */
(function () {
  "use strict";
  const book = window.attentionChecked;
  const { entropyBits, jacobianNorm, scores, softmax, uniform } = book.mathematics;

  const drawn = new Map(); // by seed; a slider asks for the same again and again

  function components(seed, { keys, widths, summed }) {
    if (drawn.has(seed)) return drawn.get(seed);
    const widest = widths[widths.length - 1];
    const vectors = Array.from({ length: 1 + keys }, (_, vector) =>
      Array.from({ length: widest }, (_, place) => {
        let total = -summed / 2;
        for (let i = 0; i < summed; i += 1) total += uniform(seed, (vector * widest + place) * summed + i);
        return total;
      }));
    drawn.clear();
    drawn.set(seed, vectors);
    return vectors;
  }

  function compute({ width, seed }, data) {
    if (!data.widths.includes(width)) throw book.bad(`The width is ${width}: one of ${data.widths.join(", ")} belongs there.`);
    const [query, ...keys] = components(seed, data).map((vector) => vector.slice(0, width));
    return [false, true].map((scaled) => {
      const shares = softmax(scores([query], keys, scaled)[0]);
      return { shares, entropy: entropyBits(shares), norm: jacobianNorm(shares) };
    });
  }

  function say(before, after) {
    const [undivided, divided] = after.result;
    const top = Math.max(...undivided.shares);
    const what = before.state.seed === after.state.seed ? `At a width of ${after.state.width}` : `With seed ${after.state.seed}`;
    return `${what} the largest undivided share is ${book.fixed(top)}; entropy ${book.fixed(undivided.entropy, 2)} bits undivided, ` +
      `${book.fixed(divided.entropy, 2)} divided.`;
  }

  const small = (x) => (x >= 0.00005 || x === 0 ? book.fixed(x) : book.amount(x));

  function build(kit) {
    const { keys, widths } = kit.data;
    const names = ["entropy, bits", "Jacobian norm", ...Array.from({ length: keys }, (_, i) => `key ${i + 1}`)];
    const shown = kit.table("Shares of one query", "", ["undivided", "divided"], names, "figure-bars");
    kit.live.append(
      kit.slider("width dₖ", { min: 0, max: widths.length - 1, step: 1 }, (state) => widths.indexOf(state.width),
        (i) => ({ width: widths[i] }), (state) => String(state.width)),
      book.make("div", { class: "figure-controls" },
        kit.text("seed", (state) => String(state.seed), (text) => ({ seed: kit.fields.seed.parse(text) }), { size: 6, maxlength: 12 }),
        kit.button("Draw anew", () => kit.attempt({ seed: (kit.now.state.seed + 1) % 4294967296 }))),
      kit.foot,
      book.make("div", { class: "figure-row" }, shown.element));
    return ({ result }) => result.forEach(({ shares, entropy, norm }, column) => {
      shown.put(0, column, small(entropy));
      shown.put(1, column, small(norm));
      shares.forEach((share, i) => shown.put(i + 2, column, book.fixed(share), share));
    });
  }

  book.define("saturation", {
    invitation: "Make the keys wider, one step at a time.",
    longest: "With seed 4294967295 the largest undivided share is 0.0000; entropy 0.00 bits undivided, 0.00 divided.",
    fields: (data) => ({
      width: book.fields.whole(data.width, "The width", 1, 1024),
      seed: book.fields.whole(data.seed, "The seed", 0, 4294967295),
    }),
    compute, build, say,
  });
})();
