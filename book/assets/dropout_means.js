/* Dropout over many masks: the mean with the factor 1/(1−p), and with 1/p. */
(function () {
  "use strict";
  const book = window.attentionChecked;
  const { sum, uniform } = book.mathematics;
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const [WIDTH, HEIGHT, LEFT, FOOT] = [360, 150, 34, 24]; // of the drawing

  /* How often each key was kept, at every power of two and at the end; and the latest mask. */
  function drawn({ seed, masks, rate }, keys) {
    const counts = new Array(keys).fill(0);
    const course = [];
    let latest = [];
    for (let mask = 0; mask < masks; mask += 1) {
      latest = counts.map((_, key) => uniform(seed, mask * keys + key) >= rate);
      latest.forEach((kept, key) => { if (kept) counts[key] += 1; });
      const n = mask + 1;
      if (n === masks || (n & (n - 1)) === 0) course.push([n, counts.slice()]);
    }
    return { course, latest };
  }

  function compute(state, { shares, most }) {
    if (state.masks > most) throw book.bad(`That would be ${state.masks} masks: a page draws at most ${most}.`);
    const { course, latest } = drawn(state, shares.length);
    const mean = (factor, [n, counts]) => shares.map((share, i) => (share * counts[i] * factor) / n);
    const factors = [1 / (1 - state.rate), 1 / state.rate];
    const [right, wrong] = factors.map((factor) => course.map((at) => mean(factor, at)));
    return {
      dropped: shares.map((share, i) => (latest[i] ? share * factors[0] : 0)),
      right: right[right.length - 1],
      wrong: wrong[wrong.length - 1],
      course: course.map(([n], i) => [n, sum(right[i]), sum(wrong[i])]),
    };
  }

  const farthest = (means, shares) => Math.max(...means.map((mean, i) => Math.abs(mean - shares[i])));

  function say(before, after, { shares }) {
    const { state, result } = after;
    const what = state.masks === 1 ? "After 1 mask" : `Over ${state.masks.toLocaleString("en")} masks`;
    return `${what} at a rate of ${state.rate} the mean with 1/(1−p) is at most ${book.amount(farthest(result.right, shares))} ` +
      `away from the shares, and the mean with 1/p up to ${book.amount(farthest(result.wrong, shares))}. The shares did not change.`;
  }

  /* The mean sum of a row, from the first mask to the latest; a whole is the dotted line. */
  function drawing() {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const add = (tag, attributes, text) => {
      const element = document.createElementNS(space, tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      if (text) element.textContent = text;
      svg.append(element);
      return element;
    };
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("class", "figure-drawing");
    const whole = add("line", { x1: LEFT, x2: WIDTH, class: "figure-whole" });
    const one = add("text", { x: LEFT - 6, "text-anchor": "end" }, "1");
    const lines = ["right", "wrong"].map((which) => add("polyline", { class: `figure-${which}` }));
    const names = [["right", "1/(1−p)"], ["wrong", "1/p"]].map(([which, text]) => add("text", { class: `figure-${which}`, "text-anchor": "end" }, text));
    add("text", { x: LEFT, y: HEIGHT - 6 }, "1 mask");
    const last = add("text", { x: WIDTH - 4, y: HEIGHT - 6, "text-anchor": "end" }, "");
    const draw = ({ state, result }) => {
      const { course } = result;
      const top = 1.25 * Math.max(1.2, ...course.flatMap(([, right, wrong]) => [right, wrong])); // room for a name above
      const across = (n) => LEFT + (WIDTH - LEFT) * (state.masks === 1 ? 0 : Math.log(n) / Math.log(state.masks));
      const up = (y) => (HEIGHT - FOOT) * (1 - y / top) + 4;
      whole.setAttribute("y1", up(1));
      whole.setAttribute("y2", up(1));
      one.setAttribute("y", up(1) + 4);
      const ends = [1, 2].map((which, i) => {
        lines[i].setAttribute("points", course.map((at) => `${across(at[0]).toFixed(1)},${up(at[which]).toFixed(1)}`).join(" "));
        return up(course[course.length - 1][which]);
      });
      const near = Math.abs(ends[0] - ends[1]) < 34; // then one name goes above and one below
      names.forEach((name, i) => {
        name.setAttribute("x", WIDTH - 4);
        name.setAttribute("y", Math.max(14, Math.min(HEIGHT - FOOT, ends[i] + (near && ends[i] >= ends[1 - i] && (i || ends[0] !== ends[1]) ? 18 : -7))));
      });
      last.textContent = state.masks === 1 ? "" : `${state.masks.toLocaleString("en")} masks`;
      svg.setAttribute("aria-label", `The mean sum of a row over ${state.masks} masks: ${book.fixed(course[course.length - 1][1], 3)} ` +
        `with 1/(1−p), ${book.fixed(course[course.length - 1][2], 3)} with 1/p.`);
    };
    return { element: svg, draw };
  }

  function build(kit) {
    const { shares } = kit.data;
    const shown = kit.table("Shares under dropout", "key", ["share", "latest mask", "mean, 1/(1−p)", "mean, 1/p"],
      [...LETTERS.slice(0, shares.length), "sum"]);
    const picture = drawing(kit);
    const more = (count) => kit.button(`${count.toLocaleString("en")} more`, () => kit.attempt({ masks: kit.now.state.masks + count }));
    kit.live.append(
      kit.slider("rate p", { min: 0.05, max: 0.95, step: 0.05 }, (state) => state.rate,
        (rate) => ({ rate: Math.round(rate * 100) / 100 }), (state) => book.fixed(state.rate, 2)),
      book.make("div", { class: "figure-controls" },
        kit.text("seed", (state) => String(state.seed), (text) => ({ seed: kit.fields.seed.parse(text) }), { size: 6, maxlength: 12 }),
        book.make("div", { class: "figure-buttons", role: "group", "aria-label": "masks" },
          kit.button("From one mask", () => kit.attempt({ masks: 1 })), ...[1, 100, 10000].map(more)),
        kit.button("Draw anew", () => kit.attempt({ seed: (kit.now.state.seed + 1) % 4294967296 }))),
      kit.foot,
      book.make("div", { class: "figure-row" }, shown.element, picture.element));
    return (now) => {
      const { result } = now;
      [shares, result.dropped, result.right, result.wrong].forEach((column, j) => {
        column.forEach((x, i) => shown.put(i, j, book.fixed(x), x));
        shown.put(shares.length, j, book.fixed(sum(column)));
      });
      picture.draw(now);
    };
  }

  book.define("dropout-means", {
    invitation: "Draw more masks, then change the rate.",
    longest: "Over 100,000 masks at a rate of 0.00 the mean with 1/(1−p) is at most 0.00000 away from the shares, " +
      "and the mean with 1/p up to 00.00. The shares did not change.",
    fields: (data) => ({
      rate: book.fields.number(data.rate, "The rate", 0.05, 0.95),
      masks: book.fields.whole(data.masks, "The number of masks", 1, data.most),
      seed: book.fields.whole(data.seed, "The seed", 0, 4294967295),
    }),
    compute, build, say,
  });
})();
