/* E6 live: a name, the shares of a head, the next letter, and what an edited share does to it. */
(function () {
  "use strict";
  const book = window.attentionChecked;
  const { e6, make, fixed } = book;

  function prepare(data) {
    return { ...data, weights: e6.weights(data.weights, data.shapes) };
  }

  /* ---- state ---- */

  function readText(text, data) {
    const name = text.trim().toLowerCase();
    if (name === "") throw book.bad("The name is empty: 1 to 7 letters belong there.".replace("7", data.longest));
    const strange = [...name].find((letter) => !data.letters.includes(letter));
    if (strange) throw book.bad(`“${strange}” is not one of E6’s letters, which are ${data.letters}.`);
    if (name.length > data.longest) throw book.bad(`“${name}” has ${name.length} letters: E6 has room for ${data.longest}.`);
    return name;
  }

  const readEdits = (text) => (text === "" ? [] : text.split("~").map((one) => {
    const [head, query, key, share] = one.split("_").map(Number);
    if (!(share >= 0 && share <= 1)) throw book.bad(`“${one}” is no edit of a share.`);
    return { head, query, key, share };
  }));

  function fields(data) {
    return {
      text: { initial: data.text, parse: (text) => readText(text, data), print: String },
      head: book.fields.whole(0, "The head", 0, 1),
      at: { initial: null, parse: (text) => text.split("_").map(Number), print: (at) => (at ? at.join("_") : "") },
      edits: { initial: [], parse: readEdits, print: (edits) => edits.map((e) => [e.head, e.query, e.key, e.share].join("_")).join("~") },
      silent: { initial: "", parse: (text) => [...text].filter((h) => h === "0" || h === "1").join(""), print: String },
      seed: book.fields.whole(data.seed, "The seed", 0, 4294967295),
    };
  }

  /* ---- what follows from it ---- */

  /* One share set, and the others of its row scaled so that the row is a whole again. */
  function withShare(row, key, share) {
    const others = row.reduce((total, x, i) => (i === key ? total : total + x), 0);
    if (!(others > 0)) throw book.bad("No other key of this row has a share, so there is nothing to take from or give to.");
    return row.map((x, i) => (i === key ? share : (x * (1 - share)) / others));
  }

  function editedShares(own, state) {
    const shares = own.map((table) => table.map((row) => row.slice()));
    for (const { head, query, key, share } of state.edits) {
      const row = shares[head] && shares[head][query];
      if (!row || !(key >= 0 && key <= query)) throw book.bad("An edit is of a share that does not exist.");
      shares[head][query] = withShare(row, key, share);
    }
    return shares.map((table, h) => (state.silent.includes(h) ? table.map((row) => row.map(() => 0)) : table));
  }

  const tokensOf = (text, data) => [data.bos, ...[...text].map((letter) => data.eos + 1 + data.letters.indexOf(letter))];

  function compute(state, data) {
    const seen = e6.look(data.weights, tokensOf(state.text, data));
    const shares = editedShares(seen.shares, state);
    const n = shares[0].length;
    const [query, key] = state.at || [n - 1, n - 1];
    if (!(Number.isInteger(query) && Number.isInteger(key) && key >= 0 && key <= query && query < n))
      throw book.bad("That share does not exist.");
    const own = e6.outcomes(e6.resume(data.weights, seen, seen.shares), data.eos);
    const probabilities = e6.outcomes(e6.resume(data.weights, seen, shares), data.eos);
    return { own, probabilities, shares, query, key, letters: ["end", ...data.letters], labels: ["BOS", ...state.text] };
  }

  /* ---- what is said ---- */

  const likeliest = (row) => row.indexOf(Math.max(...row));
  const written = ({ state, result }) => (result.query ? `“${state.text.slice(0, result.query)}”` : "nothing");

  function prediction(now) {
    const row = now.result.probabilities[now.result.query];
    const best = likeliest(row);
    return `After ${written(now)} the likeliest is ${now.result.letters[best]}, with ${fixed(row[best], 4)}.`;
  }

  function difference(before, after) {
    const [old, now] = [before, after].map(({ result }) => result.probabilities[after.result.query]);
    const gaps = now.map((p, i) => Math.abs(p - old[i]));
    const most = likeliest(gaps);
    if (gaps[most] === 0) return `The prediction after ${written(after)} is unchanged.`;
    const [letter, was, is] = [after.result.letters[most], fixed(old[most]), fixed(now[most])];
    if (was === is) return `The prediction after ${written(after)} is unchanged to the digits shown: ${letter} stays at ${is}.`;
    return `After ${written(after)} the probability of ${letter} went from ${was} to ${is}.`;
  }

  function say(before, after) {
    if (before.state.text !== after.state.text) {
      const dropped = before.state.edits.length ? " The edits went with the other name." : "";
      return prediction(after) + dropped;
    }
    const changed = ["edits", "silent"].some((field) =>
      JSON.stringify(before.state[field]) !== JSON.stringify(after.state[field]));
    if (changed) return difference(before, after);
    const { shares, query, key, labels } = after.result;
    const share = fixed(shares[after.state.head][query][key]);
    return `Head ${after.state.head}: query ${labels[query]} gives ${share} to key ${labels[key]}. ${prediction(after)}`;
  }

  /* ---- what is shown ---- */

  /* Three characters: .07, and 0 or 1 only if it is exactly that. */
  function brief(x) {
    if (x === 0 || x === 1) return String(x);
    return fixed(x, 2) === "1.00" ? "1.0" : fixed(x, 2).slice(1);
  }

  /* The table of shares: one tab stop, arrow keys go from cell to cell. */
  function grid(kit) {
    const holder = make("div", { class: "figure-holder" });
    let buttons = [];
    let labels = "";
    const go = (query, key) => {
      if (kit.attempt({ at: [query, key] })) buttons[query][key].focus();
    };
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    function pressed(event) {
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      const { query, key, labels: all } = kit.now.result;
      const row = Math.max(0, Math.min(all.length - 1, query + step[0]));
      go(row, Math.max(0, Math.min(row, key + step[1])));
    }
    function cells(result) {
      buttons = result.labels.map((_, i) => result.labels.slice(0, i + 1).map((_, j) =>
        make("button", { type: "button", class: "figure-cell", click: () => go(i, j), keydown: pressed })));
      const head = make("tr", {}, make("td", {}), ...result.labels.map((label) => make("th", { scope: "col" }, label)));
      const rows = result.labels.map((label, i) => make("tr", {}, make("th", { scope: "row" }, label),
        ...result.labels.map((_, j) => make("td", {}, ...(j <= i ? [buttons[i][j]] : [])))));
      holder.replaceChildren(kit.box(make("table", { class: "figure-table figure-grid" }, make("caption", {}),
        make("thead", {}, head), make("tbody", {}, ...rows))));
      holder.style.setProperty("--rows-missing", kit.data.longest + 1 - rows.length);
    }
    kit.syncs.push(({ state, result }) => {
      if (labels !== result.labels.join(" ")) cells(result);
      labels = result.labels.join(" ");
      holder.querySelector("caption").textContent = `Head ${state.head}: rows are queries, columns are keys`;
      buttons.forEach((row, i) => row.forEach((button, j) => {
        const share = result.shares[state.head][i][j];
        const chosen = i === result.query && j === result.key;
        button.textContent = brief(share);
        button.style.setProperty("--share", Math.max(0, Math.min(1, share)).toFixed(3));
        button.setAttribute("aria-label", `query ${i} ${result.labels[i]}, key ${j} ${result.labels[j]}: ${brief(share).replace(/^\./, "0.")}`);
        button.setAttribute("aria-pressed", String(chosen));
        button.tabIndex = chosen ? 0 : -1;
      }));
    });
    return holder;
  }

  /* All that can come next, with what E6 says unedited beneath. */
  function nextLetters(kit) {
    const title = make("p", { class: "figure-title", id: `figure-${kit.name}-next` });
    const items = ["end", ...kit.data.letters].map((letter) => {
      const [now, was] = [make("span", { class: "figure-now" }), make("span", { class: "figure-was" })];
      return { now, was, item: make("li", {}, make("b", {}, letter), now, was) };
    });
    kit.syncs.push((now) => {
      const { own, probabilities, query } = now.result;
      title.textContent = `The next letter after ${written(now)}`;
      items.forEach(({ item, now: shown, was }, i) => {
        const [p, before] = [probabilities[query][i], own[query][i]];
        item.style.setProperty("--share", p.toFixed(3));
        shown.textContent = ` ${brief(p)}`;
        was.textContent = brief(p) === brief(before) ? "" : `was ${brief(before)}`;
      });
    });
    return make("div", {}, title, make("ul", { class: "figure-letters", "aria-labelledby": title.id }, ...items.map(({ item }) => item)));
  }

  function edit(kit, share) {
    const { head, edits } = kit.now.state;
    const { query, key } = kit.now.result;
    const last = edits[edits.length - 1];
    const same = last && last.head === head && last.query === query && last.key === key;
    return { edits: [...(same ? edits.slice(0, -1) : edits), { head, query, key, share }] };
  }

  function shareSlider(kit) {
    const held = ({ state, result }) => result.shares[state.head][result.query][result.key];
    const unless = ({ state, result }) => result.query === 0 || state.silent.includes(state.head);
    const slider = kit.slider("share", { min: 0, max: 1, step: 0.01, unless },
      () => held(kit.now), (share) => edit(kit, share), () => fixed(held(kit.now)));
    kit.syncs.push(({ result }) => {
      slider.firstChild.textContent = `share: ${result.labels[result.query]} on ${result.labels[result.key]}`;
    });
    return slider;
  }

  const renamed = (text) => ({ text, edits: [], at: null });

  function write(kit, seed) {
    const { letters, ended } = e6.generate(kit.data.weights, kit.data, seed);
    const name = letters.map((token) => kit.data.letters[token - kit.data.eos - 1]).join("");
    const how = seed === null ? "Always the likeliest" : `Seed ${seed}`;
    if (name === "") return kit.complain(`${how} ends at once: no name.`);
    kit.note = `${how}: ${name}${ended ? "" : ", with no end in sight"}. `;
    return kit.attempt({ ...renamed(name), ...(seed === null ? {} : { seed: (seed + 1) % 4294967296 }) });
  }

  function build(kit) {
    const probes = kit.data.probes.map((probe) => kit.button(probe, () => kit.attempt(renamed(probe))));
    const name = kit.text("name", (state) => state.text, (text) => renamed(readText(text, kit.data)), { size: 9, maxlength: 20 });
    const seed = kit.text("seed", (state) => String(state.seed), (text) => ({ seed: kit.fields.seed.parse(text) }), { size: 6, maxlength: 12 });
    const silence = (h) => kit.toggle(`silence head ${h}`, (state) => state.silent.includes(h),
      (on) => ({ silent: ["0", "1"].filter((x) => (x === String(h) ? on : kit.now.state.silent.includes(x))).join("") }));
    kit.live.append(
      make("div", { class: "figure-controls" }, name,
        ...(probes.length ? [make("div", { class: "figure-buttons", role: "group", "aria-label": "probes" }, ...probes)] : [])),
      make("div", { class: "figure-controls" }, seed,
        kit.button("Generate a name", () => {
          const field = seed.querySelector("input");
          if (field.getAttribute("aria-invalid") === "true") return field.focus(); // what was wrong is said already
          return write(kit, kit.now.state.seed);
        }),
        kit.button("The likeliest name", () => write(kit, null))),
      kit.foot,
      make("div", { class: "figure-row figure-e6" },
        make("div", {}, kit.choice("Show", [["0", "head 0"], ["1", "head 1"]], (state) => String(state.head), (head) => ({ head: Number(head) })),
          make("div", { class: "figure-controls" }, silence(0), silence(1),
            kit.button("Undo edits", () => kit.attempt({ edits: [], silent: "" }))),
          shareSlider(kit), grid(kit)),
        nextLetters(kit)));
    return () => {};
  }

  book.define("e6-live", {
    invitation: "Type a name, choose a share in the table, and move it.",
    longest: "Always the likeliest: wwwwwww, with no end in sight. After “wwwwwww” the likeliest is end, with 0.0000.",
    prepare, fields, compute, build, say,
  });
})();
