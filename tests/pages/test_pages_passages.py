"""What the search page knows of a page: its sentences, and where each stands."""

from html import escape

from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from booksite.pages.mathtext import on_one_line
from booksite.pages.passages import passages

WORDS = st.text(alphabet="abé <&.0123456789×−", min_size=1, max_size=12).filter(str.strip)
PARTS = st.lists(st.tuples(WORDS, st.booleans(), st.booleans()), min_size=1, max_size=8)


def found(html):
    return list(passages(BeautifulSoup(html, "html.parser")))


@given(PARTS)
def test_a_claim_is_found_where_it_stands_in_its_sentence(parts):
    """Each part is words, whether they are a claim, and whether a line ends after them."""
    html, shown = "", {}
    for number, (words, claimed, ends) in enumerate(parts):
        name = f"claim-{number}"
        html += f'<b class="claim" id="{name}">{escape(words)}</b>' if claimed else escape(words)
        html += "\n" if ends else ""
        if claimed:
            shown[name] = words.strip()
    seen = {}
    for each in found(f'<section id="s"><p>{html}</p></section>'):
        assert "\n" not in each.text
        assert each.text == each.text.strip()
        seen |= {name: each.text[start:end] for start, end, name in each.claims}
    assert {name: words.strip() for name, words in seen.items()} == shown


def test_a_claim_in_a_heading_is_found_too():
    html = '<section id="s"><h1><b class="claim" id="claim-0">Nine</b>\nsteps</h1></section>'
    (title,) = found(html)
    assert (title.text, title.kind, title.claims) == ("Nine steps", "title", [(0, 4, "claim-0")])


def test_a_row_is_one_passage_and_leads_to_its_claimed_table():
    table = "<tr><td><p>B</p></td>\n<td><p>0.3302</p></td></tr>"
    html = f'<section id="s"><div class="claim" id="claim-4"><table>{table}</table></div></section>'
    (row,) = found(html)
    assert (row.text, row.label, row.section, row.kind) == ("B · 0.3302", "claim-4", "s", "row")


def test_a_definition_belongs_to_its_term():
    html = '<section id="s"><dl><dt id="term-head">head</dt><dd><p>One set.</p></dd></dl></section>'
    term, definition = found(html)
    assert (term.text, term.kind) == ("head", "title")
    assert (definition.text, definition.section) == ("One set.", "term-head")


def test_a_solution_is_told_from_the_text():
    (each,) = found('<section id="s"><div class="solution"><p>It is 7.</p></div></section>')
    assert each.kind == "solution"


def test_what_nobody_reads_is_no_passage():
    for silent in ("<script>1</script>", "<button>2</button>", '<a class="headerlink">#</a>'):
        (each,) = found(f"<section><p>Seen{silent}.</p></section>")
        assert each.text == "Seen."
    assert found('<table class="claims-ledger"><tr><td>3</td></tr></table>') == []


def test_a_matrix_is_read_row_by_row():
    row = "<mtr><mtd><mn>{}</mn></mtd><mtd><mn>{}</mn></mtd></mtr>"
    html = f"<math><mtable>{row.format(1, 0)}{row.format(0, 1)}</mtable></math>"
    assert on_one_line(BeautifulSoup(html, "html.parser").math) == "1, 0; 0, 1"
