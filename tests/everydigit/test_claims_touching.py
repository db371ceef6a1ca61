"""What touches a claim changes the number that a reader reads."""

import pytest

SIGNS = [
    ("a −{claim}`5 <x>` b", True),
    ("-{claim}`5 <x>`", True),
    ("(+{given}`5`)", True),
    ("x-{claim}`5 <y>`", True),
    ("size−{claim}`5 <y>`", True),
    ("±{claim}`5 <y>`", True),
    ("$-${claim}`5 <y>`", True),
    ("a - {claim}`5 <x>`", False),
    ("{claim}`3 <x>`−{claim}`5 <x>`", False),
    ("{claim}`three <x>`-{claim}`5 <x>`", False),
    ("size-{given}`5`", False),
    ("(a)-{claim}`5 <x>`", False),
    ("- {claim}`5 <x>`", False),
]


@pytest.mark.parametrize(("text", "refused"), SIGNS)
def test_a_sign_belongs_inside(read, text, refused):
    problems = read(text + "\n").problems
    assert [p.message[:8] for p in problems] == ["the sign"] * refused
    assert [p.column for p in problems] == [text.rfind("{claim" if "cl" in text else "{")] * refused


TOUCHING = [
    # after it
    "{claim}`5 <x>`e3",
    "{claim}`5 <x>`⁷",
    "{claim}`5 <x>`½",
    "{claim}`5 <x>`$^7$",
    "{claim}`5 <x>`$_7$",
    r"{claim}`5 <x>`$\times 10^7$",
    r"{claim}`5 <x>`$\cdot 10^7$",
    r"{claim}`5 <x>` $\times 10^7$",
    r"{claim}`5 <x>`$\,\times 10^7$",
    r"{claim}`5 <x>`$\text{k}$",
    r"{claim}`5 <x>`$\pi$",
    r"{claim}`5 <x>`$\inf$",
    r"{claim}`5 <x>`$\,\%$",
    r"{claim}`5 <x>`$\!k$",
    r"{claim}`5 <x>`$\%$",
    "{claim}`5 <x>`k",
    "{claim}`5 <x>`M",
    "{claim}`5 <x>`s",
    "{claim}`sixteen <x>`th",
    "{claim}`5 <x>`%",
    "{claim}`5 <x>` %",
    "{claim}`5 <x>`\u202f%",
    "{claim}`0.67 <x>`…",
    "{claim}`5 <x>`^",
    "{claim}`5 <x>`{claim}`000 <y>`",
    "{claim}`5 <x>`,{claim}`000 <y>`",
    "{claim}`5 <x>`.{given}`5`",
    "{claim}`5 <x>`**e3**",
    "{claim}`*5* <x>`k",
    "{claim}`$5$ <x>`k",
    "{claim}`5 <x>`<b>k</b>",
    "{claim}`5 <x>`<!-- -->k",
    "{claim}`5 <x>``e3`",
    "{claim}`5 <x>`{abbr}`k`",
    "{claim}`5 <x>`&#101;",
    "{given}`5`k",
    "{given}`5`{given}`7`",
    # before it
    "x{claim}`5 <y>`",
    "E{claim}`6 <y>`",
    "a{claim}`three <y>`",
    "*x*{claim}`5 <y>`",
    "$x${claim}`5 <y>`",
    r"$2\times${claim}`5 <y>`",
    "√{claim}`5 <y>`",
    "x^{claim}`5 <y>`",
    " .{claim}`5 <y>`",
    "`x`{claim}`5 <y>`",
    "x{claim}`−5 <y>`",
    "x{given}`5`",
    # in a heading, a list, a table
    "# {claim}`5 <x>`k",
    "- {claim}`5 <x>`k",
    "| a |\n|---|\n| {claim}`5 <x>`k |",
]


@pytest.mark.parametrize("text", TOUCHING)
def test_what_touches_a_number_is_refused(read, text):
    messages = [p.message for p in read(text + "\n").problems]
    assert any("changes the number read: put it inside" in m for m in messages), messages


# Numbers outside of claims are naked too.
NAKED = ["1{claim}`5 <x>`", "{claim}`5 <x>`.5", "{claim}`5 <x>`,000", "{claim}`5 <x>`{sup}`7`"]


@pytest.mark.parametrize("text", [*NAKED, "1.{claim}`5 <x>`", "{claim}`5 <x>`<sup>7</sup>"])
def test_a_number_that_touches_is_named_twice(read, text):
    messages = [p.message for p in read(text + "\n").problems]
    assert [("changes the number" in m) + 2 * ("neither claimed" in m) for m in messages] in (
        [1, 2],
        [2, 1],
    )


# A relation, an arrow, a space or a delimiter parts a number from what follows.
PARTING = r"""
    \le \leq \leqslant \leqq \geqslant \ge \ne \lt \ll \gg \lesssim \approx \sim \simeq \cong \asymp
    \propto \equiv \doteq \prec \succ \in \notin \ni \subset \supset \subseteq \parallel \to \gets
    \mapsto \Rightarrow \Leftarrow \Leftrightarrow \rightarrow \leftarrow \longrightarrow \implies
    \iff \quad \; \enspace \mid \rangle \rceil \} \bigr)
""".split()


@pytest.mark.parametrize("command", PARTING)
def test_a_relation_behind_a_number_is_no_part_of_it(read, command):
    assert read(f"So {{claim}}`5 <x>`${command} y$ holds.\n").problems == []


FREE = [
    "{claim}`16 <x>`-wide and {claim}`3 <x>`×{claim}`3 <y>`, {claim}`3 <x>` × {claim}`4 <y>`",
    "({claim}`5 <x>`) [{claim}`5 <x>`] “{claim}`5 <x>`” {claim}`5 <x>`, {claim}`5 <x>`.",
    "{claim}`5 <x>`: a; {claim}`5 <x>`! {claim}`5 <x>`?",
    "{claim}`5 <x>`—{claim}`5 <x>`–{claim}`6 <y>`",
    "{claim}`1 <x>`/{claim}`3 <y>` and $x$ = {claim}`5 <x>`, $x = ${claim}`5 <x>`",
    "{claim}`it holds <x>`s and {claim}`5 cats <x>`s, the{claim}`se cats <x>`",
    r"{claim}`5 <x>` $\times$ {claim}`5 <x>` and {claim}`5 <x>`$\le x$",
    "{claim}`5 <x>`[^1] and {claim}`5 <x>`'s\n\n[^1]: x",
    "a:{claim}`5 <x>` b={claim}`5 <x>` end.\n{claim}`5 <x>`\nk",
    "**{claim}`5 <x>`** *{claim}`5 <x>`*, [{claim}`5 <x>`](u) {ref}`a <b>`",
]


@pytest.mark.parametrize("text", FREE)
def test_reasonable_text_is_free(read, text):
    assert read(text + "\n").problems == []


def test_a_link_of_a_readme_is_touched_too(read):
    (problem,) = read("[5](a.json#/b)k\n", "README.md").problems
    assert "'k' directly after this claim changes the number read" in problem.message


BROKEN = [
    "12*3*2",
    "2*3*4 = 24",
    "1**2**",
    "*E*6",
    r"4\,233",
    "two\nhundred",
    "1.5\nmillion",
    "5$^7$",
    r"5$\times 10^7$",
    "5{sup}`7`",
    "5{sub}`7`",
    "5<sup>7</sup>",
    "**5**%",
]


@pytest.mark.parametrize("shown", BROKEN)
def test_a_number_that_markup_takes_apart_is_refused(read, shown):
    messages = [p.message for p in read(f"{{claim}}``{shown} <x>``\n").problems]
    assert any("takes a number apart" in m and "for a product write ×" in m for m in messages)


WHOLE = ["*5* and **6**", "$5$, 6", "a\n5", "5 = *5*", "a `E` 6 and 7", "3 × $4$ = 12", "**5 %**"]


@pytest.mark.parametrize("shown", WHOLE)
def test_markup_around_a_number_is_fine(read, shown):
    assert read(f"{{claim}}```{shown} <x>```\n").problems == []
