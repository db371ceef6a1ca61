/* The controls of a figure. Each reads the state it shows, and makes a change of what is typed or moved. */
(function () {
  "use strict";
  const book = window.attentionChecked;
  const { BadInput, make } = book;

  Object.assign(book.Kit.prototype, {
    button(label, action, attributes) {
      return make("button", { type: "button", class: "figure-button", click: action, ...attributes }, label);
    },

    /* A line of text. `get` reads it from the state; `take` makes a change of it, or throws bad(...). */
    text(label, get, take, attributes) {
      let since = null;
      const input = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...attributes });
      let problem = "";
      input.addEventListener("focus", () => { since = this.now; });
      input.addEventListener("input", () => {
        try {
          problem = this.update(take(input.value), since);
        } catch (error) {
          if (!(error instanceof BadInput)) throw error;
          problem = error.message;
        }
        input.setAttribute("aria-invalid", String(problem !== ""));
      });
      input.addEventListener("change", () => { if (problem) this.complain(problem); }); // not while still typing
      this.syncs.push(({ state }) => {
        if (document.activeElement === input) return;
        input.value = get(state);
        problem = "";
        input.setAttribute("aria-invalid", "false");
      });
      if (attributes && attributes["aria-label"]) return input;
      return make("label", { class: "figure-field" }, make("span", {}, label), input);
    },

    slider(label, range, get, take, describe) {
      const { unless, ...reach } = range; // unless: when there is nothing to move
      const input = make("input", { type: "range", autocomplete: "off", ...reach });
      const output = make("span", { class: "figure-value", "aria-hidden": "true" });
      let since = null;
      const begin = () => { since = this.now; };
      input.addEventListener("pointerdown", begin);
      input.addEventListener("focus", begin);
      input.addEventListener("input", () => this.attempt(take(Number(input.value)), since));
      input.addEventListener("change", begin);
      this.syncs.push((now) => {
        input.value = get(now.state);
        output.textContent = describe(now.state);
        input.setAttribute("aria-valuetext", describe(now.state));
        input.disabled = Boolean(unless && unless(now));
      });
      return make("label", { class: "figure-slider" }, make("span", {}, label), input, output);
    },

    toggle(label, get, take) {
      const input = make("input", { type: "checkbox", autocomplete: "off" });
      input.addEventListener("change", () => this.attempt(take(input.checked)));
      this.syncs.push(({ state }) => { input.checked = get(state); });
      return make("label", { class: "figure-toggle" }, input, make("span", {}, label));
    },

    choice(legend, options, get, take) {
      const group = `${this.name}-${legend.replace(/\W+/g, "-")}`;
      const inputs = options.map(([value, label]) => {
        const input = make("input", { type: "radio", autocomplete: "off", name: group, value });
        input.addEventListener("change", () => this.attempt(take(value)));
        this.syncs.push(({ state }) => { input.checked = get(state) === value; });
        return make("label", { class: "figure-toggle" }, input, make("span", {}, label));
      });
      return make("fieldset", { class: "figure-choice" }, make("legend", {}, legend), ...inputs);
    },

    /* A table wider than its figure scrolls in a box; without controls inside, the box is a tab stop then. */
    box(table) {
      const box = make("div", { class: "figure-scroll" }, table);
      const reach = () => {
        const scrolls = box.scrollWidth > box.clientWidth && !table.querySelector("button, input");
        const reached = { tabindex: "0", role: "group", "aria-label": table.caption.textContent };
        for (const [name, value] of Object.entries(reached)) {
          if (scrolls) box.setAttribute(name, value);
          else box.removeAttribute(name);
        }
      };
      const watch = new ResizeObserver(reach);
      watch.observe(box);
      watch.observe(table);
      return box;
    },

    /* A table whose cells are filled by put(row, column, text, share). */
    table(caption, corner, columns, rows, kind) {
      const head = make("tr", {}, corner ? make("th", { scope: "col" }, corner) : make("td", {}),
        ...columns.map((column) => make("th", { scope: "col" }, column)));
      const cells = rows.map(() => columns.map(() => make("td", {})));
      const body = rows.map((row, i) => make("tr", {}, make("th", { scope: "row" }, row), ...cells[i]));
      const element = this.box(make("table", { class: `figure-table ${kind || ""}` }, make("caption", {}, caption),
        make("thead", {}, head), make("tbody", {}, ...body)));
      const put = (i, j, text, share) => {
        cells[i][j].textContent = text;
        if (share === undefined) cells[i][j].style.removeProperty("--share");
        else cells[i][j].style.setProperty("--share", Math.max(0, Math.min(1, share)).toFixed(3));
      };
      return { element, put };
    },
  });
})();
