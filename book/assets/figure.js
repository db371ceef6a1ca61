/* What all figures share that a reader operates: state and address, Reset, and what is said aloud.

   A figure is defined by attentionChecked.define(kind, spec):
     prepare(data)          optional: what the page holds, made ready once
     fields(data)           name -> { initial, parse(text), print(value) }; parse may throw bad(...)
     compute(state, data)   -> result; may throw bad(...), and then the last good state stays
     build(kit)             makes the controls, places kit.foot next to them, returns draw({ state, result })
     say(before, after, data)  one sentence: what changed, and what did not
     longest                as long a sentence as say makes: its room is kept, in any face
   What goes wrong in one figure leaves its table as it was, and the other figures alone. */
(function () {
  "use strict";
  const book = (window.attentionChecked = window.attentionChecked || {});
  const SETTLED = 250; // ms without a change before the sentence is said and the address is written

  class BadInput extends Error {}
  const bad = (message) => new BadInput(message);

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "class") element.className = value;
      else if (typeof value === "function") element.addEventListener(name, value);
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children);
    return element;
  }

  const fixed = (x, digits) => x.toFixed(digits === undefined ? 4 : digits).replace("-", "−");

  /* As many digits as a change needs to be seen. */
  function amount(x) {
    const size = Math.abs(x);
    if (size >= 0.01 && size < 1e4) return fixed(x, 2);
    return x.toPrecision(2).replace(/e([+-])(\d+)/, (_, sign, power) => `×10${raised((sign === "-" ? "-" : "") + power)}`).replace("-", "−");
  }
  const raised = (power) => power.replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);

  function readNumber(text, what) {
    const plain = text.trim().replace("−", "-");
    if (plain === "") throw bad(`${what} is empty: a number belongs there.`);
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) throw bad(`${what} is “${text}”: that is no number.`);
    const number = Number(plain);
    if (!Number.isFinite(number)) throw bad(`${what} is “${text}”: that is too large.`);
    return number;
  }

  const printNumber = (x) => String(x).replace("-", "−");

  /* Fields that many figures have. */
  const fields = {
    number: (initial, what, low, high) => ({
      initial,
      parse(text) {
        const x = readNumber(text, what);
        if (x < low || x > high) throw bad(`${what} is ${text}: it must be from ${printNumber(low)} to ${printNumber(high)}.`);
        return x;
      },
      print: String,
    }),
    whole(initial, what, low, high) {
      const field = fields.number(initial, what, low, high);
      return { ...field, parse(text) {
        const x = field.parse(text);
        if (!Number.isInteger(x)) throw bad(`${what} is ${text}: it must be a whole number.`);
        return x;
      } };
    },
    yes: (initial) => ({
      initial,
      parse(text) {
        if (text !== "yes" && text !== "no") throw bad(`“${text}” is neither yes nor no.`);
        return text === "yes";
      },
      print: (value) => (value ? "yes" : "no"),
    }),
  };

  class Kit {
    constructor(figure, spec) {
      this.figure = figure;
      this.name = figure.dataset.name;
      this.spec = spec;
      const held = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
      this.data = spec.prepare ? spec.prepare(held) : held;
      this.fields = spec.fields(this.data);
      this.live = make("div", { class: "figure-live" });
      this.status = make("p", { class: "figure-status", role: "status" });
      this.syncs = [];
      this.timer = 0;
      this.note = ""; // said before the sentence, once
      this.since = null; // the state the next sentence compares with
      this.now = this.at({});
      this.first = this.now;
    }

    at(change) {
      const initial = {};
      for (const [name, field] of Object.entries(this.fields)) initial[name] = field.initial;
      const state = { ...(this.now ? this.now.state : initial), ...change };
      return { state, result: this.spec.compute(state, this.data) };
    }

    /* Take a change, or say why not and keep what there is. `since` is what to compare with. */
    update(change, since) {
      let after;
      try {
        after = this.at(change);
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        return error.message;
      }
      this.since = since || this.since || this.now;
      this.now = after;
      this.sync();
      this.settle();
      return "";
    }

    attempt(change, since) {
      const problem = this.update(change, since);
      if (problem) this.complain(problem);
      return !problem;
    }

    sync() {
      try {
        this.syncs.forEach((sync) => sync(this.now));
        this.draw(this.now);
      } catch (error) {
        this.giveUp();
        throw error;
      }
    }

    settle() {
      this.figure.classList.remove("has-problem");
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => {
        const since = this.since || this.now;
        this.since = null;
        this.status.textContent = this.note + this.spec.say(since, this.now, this.data);
        this.note = "";
        this.remember();
      }, SETTLED);
    }

    complain(message) {
      window.clearTimeout(this.timer);
      this.note = "";
      this.figure.classList.add("has-problem");
      this.status.textContent = `Not taken: ${message}`;
    }

    /* The address holds what differs from the default, and leaves other figures' part alone. */
    remember() {
      const address = new URL(window.location.href);
      for (const [name, field] of Object.entries(this.fields)) {
        const text = field.print(this.now.state[name]);
        if (text === field.print(field.initial)) address.searchParams.delete(`${this.name}.${name}`);
        else address.searchParams.set(`${this.name}.${name}`, text);
      }
      try {
        window.history.replaceState(window.history.state, "", address);
      } catch (error) {
        if (error.name !== "SecurityError") throw error; // a browser that keeps no state for files
      }
    }

    recall() {
      const query = new URL(window.location.href).searchParams;
      const change = {};
      for (const [name, field] of Object.entries(this.fields)) {
        const text = query.get(`${this.name}.${name}`);
        if (text !== null) change[name] = field.parse(text);
      }
      return change;
    }

    restore() {
      let problem = "";
      try {
        const change = this.recall();
        if (Object.keys(change).length) problem = this.update(change, this.first);
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        problem = error.message;
      }
      if (problem) this.complain(`The address asks for something else: ${problem} This is the default.`);
    }

    reset() {
      const change = {};
      for (const [name, field] of Object.entries(this.fields)) change[name] = field.initial;
      if (this.live.contains(document.activeElement)) this.resetButton.focus(); // a field that is left follows the state
      this.update(change);
      window.clearTimeout(this.timer);
      this.since = null;
      this.status.textContent = "Reset: this is the default again.";
      this.remember();
    }

    giveUp() {
      window.clearTimeout(this.timer);
      this.live.remove();
      this.figure.classList.remove("is-live");
    }

    start() {
      this.resetButton = this.button("Reset", () => this.reset());
      const room = make("p", { class: "figure-room", "aria-hidden": "true" }, this.spec.longest);
      this.foot = make("div", { class: "figure-foot" }, make("div", { class: "figure-said" }, room, this.status), this.resetButton);
      this.draw = this.spec.build(this);
      this.status.textContent = this.spec.invitation || "";
      this.figure.querySelector(".figure-default").after(this.live);
      this.sync();
      this.figure.classList.add("is-live");
      this.restore();
    }
  }

  book.running = {}; // by name, for whoever wants to look at a figure's state
  book.specs = {};

  book.define = function (kind, spec) {
    book.specs[kind] = spec;
    for (const figure of document.querySelectorAll(`figure[data-figure="${kind}"]`)) {
      try {
        const kit = new Kit(figure, spec);
        try {
          kit.start();
        } catch (error) {
          kit.giveUp();
          throw error;
        }
        book.running[kit.name] = kit;
      } catch (error) {
        window.console.error(error);
      }
    }
  };

  Object.assign(book, { amount, bad, BadInput, fields, fixed, Kit, make, printNumber, readNumber });
})();
