/* Self-checks: an answer is right if it is the value, correctly rounded to the digits typed. */
(function () {
  "use strict";
  const book = window.attentionChecked;
  const PROVABLE_DIGITS = 12; // as many as a float may vouch for
  const NUMBER = /^([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3})|×10\^?([+-]?\d{1,3}))?(%?)$/i;
  const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺";

  const size = (x) => (x < 0n ? -x : x);
  const tenTo = (power) => 10n ** BigInt(power);

  /* The number as typed: ± digits × 10^-places, its kind, and how many digits it shows. */
  function read(text) {
    const plain = text.replace(/[\s\u00a0\u2009\u202f]/g, "").replace(/−/g, "-")
      .replace(/×10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+/, (power) => power.replace(/[^×10]/g, (c) => "0123456789-+"[RAISED.indexOf(c)]));
    if (plain === "") throw book.bad("Nothing is typed yet.");
    const found = NUMBER.exec(plain);
    if (!found || (found[2] || "") + (found[3] || "") === "") throw book.bad(`“${text}” is no number that can be read here: write digits, such as 0.25.`);
    const [, sign, whole, decimals = "", power, raised, percent] = found;
    const exponent = power || raised;
    const digits = BigInt(whole.replace(/,/g, "") + decimals) * (sign === "-" ? -1n : 1n);
    return {
      digits,
      places: decimals.length - Number(exponent || 0),
      integer: decimals === "" && exponent === undefined,
      shown: digits === 0n ? decimals.length || 1 : String(size(digits)).length,
      factor: percent ? 100n : 1n,
    };
  }

  /* Right, or a sentence that says why not and does not give the answer away. */
  function judge(text, answer) {
    const typed = read(text);
    const down = typed.places > 0 ? tenTo(typed.places) : 1n; // value × down is in units of the last digit
    const up = typed.places < 0 ? tenTo(-typed.places) : 1n;
    const gap = size(answer.over * typed.factor * down - typed.digits * up * answer.under);
    const unit = up * answer.under;
    if (typed.integer) {
      if (gap === 0n) return { right: true, sentence: "Right, exactly." };
      const near = 2n * gap <= unit ? " An integer must be exact: write decimals." : "";
      return { right: false, sentence: `Not yet.${near}` };
    }
    if (typed.shown > PROVABLE_DIGITS && !answer.exact)
      throw book.bad(`${typed.shown} digits are more than a float can vouch for: ${PROVABLE_DIGITS} are enough.`);
    if (2n * gap <= unit) return { right: true, sentence: `Right, to the ${typed.shown === 1 ? "one digit" : `${typed.shown} digits`} you typed.` };
    const close = 100n * gap <= size(answer.over * typed.factor * down) ? " It is close: look at the last digits." : "";
    const sign = answer.over * typed.digits < 0n ? " Look at the sign." : "";
    return { right: false, sentence: `Not yet.${close}${sign}` };
  }

  function prepare(data) {
    const [value, kind] = atob(data.folded).split(" ");
    const [over, under = "1"] = value.split("/");
    return { ...data, answer: { over: BigInt(over), under: BigInt(under), exact: kind === "exact" } };
  }

  function build(kit) {
    const id = `figure-${kit.name}-answer`;
    const input = book.make("input", { id, type: "text", autocomplete: "off", size: 12, maxlength: 40 });
    const verdict = book.make("span", { class: "figure-verdict", "aria-hidden": "true" });
    const form = book.make("form", { class: "figure-controls" },
      book.make("label", { for: id }, kit.data.ask), input,
      book.make("button", { type: "submit", class: "figure-button" }, "Check"), verdict);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      input.setAttribute("aria-invalid", String(!kit.attempt({ typed: input.value })));
    });
    kit.live.append(form, kit.foot);
    return ({ state, result }) => {
      if (document.activeElement !== input) input.value = state.typed;
      input.setAttribute("aria-invalid", "false");
      verdict.textContent = result ? (result.right ? "✓" : "✗") : "";
    };
  }

  book.judge = judge;
  book.define("self-check", {
    longest: "Not taken: 100 digits are more than a float can vouch for: 12 are enough.",
    prepare,
    fields: () => ({ typed: { initial: "", parse: String, print: String } }),
    compute: ({ typed }, data) => (typed === "" ? null : judge(typed, data.answer)),
    build,
    say: (before, after) => (after.result ? after.result.sentence : "Nothing is typed yet."),
  });
})();
