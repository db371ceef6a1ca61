"""A page with one figure of each kind and nothing else, so that no site needs to be built."""

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from attention import attend, figures
from attention.models.e6 import E6_SHAPES
from attention.runs.records import RUNS, read_arrays
from attention.runs.train import PROBES
from booksite.pages.scripts import wanted

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "book/assets"
BARE = """<!doctype html><html lang="en" data-theme="{theme}">
<meta charset="utf-8"><title>Figures</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
{styles}<style>body {{ font-family: sans-serif; margin: 1rem; }}
html[data-theme="dark"] body {{ background: #121212; color: #e6e9ee; }}</style>
<div class="bd-content"><a href="#end">to the end</a>{figures}
<h2 id="end">The end</h2></div>{scripts}"""


def write_bare_page(path, shown, theme="light"):
    """Write a page with these figures, their scripts and styles, and nothing else."""
    html = "".join(figure.html for figure in shown)
    scripts = "".join(
        f'<script defer src="{(ASSETS / name).as_uri()}"></script>' for name in wanted(html)
    )
    styles = "".join(
        f'<link rel="stylesheet" href="{(ASSETS / name).as_uri()}">'
        for name in ("book.css", "figures.css")
    )
    page = BARE.format(figures=html, scripts=scripts, styles=styles, theme=theme)
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@dataclass(frozen=True)
class Bench:
    """The address of a page with one figure of each kind, and what the figures were made from."""

    address: str
    names: tuple[str, ...]
    row: np.ndarray  # of shares, in the figure of dropout
    letters: np.ndarray
    roles: np.ndarray


def make_bench(folder):
    pairs, value = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([[1.0, 0], [0, 2], [1, 1]])
    rng = np.random.default_rng(0)
    letters, roles = rng.normal(size=(26, 16)), rng.normal(size=(2, 16, 8)) / 4
    row = attend(pairs, pairs, value).shares[2]
    e6 = read_arrays(ROOT / RUNS / "E6.weights.npz", E6_SHAPES)
    shown = {
        "hand": figures.hand_example(pairs, pairs, value, caption="the hand example"),
        "e6": figures.e6_live(e6, probes=PROBES, caption="E6 live"),
        "saturation": figures.saturation(caption="saturation"),
        "dropout": figures.dropout_means(row, caption="dropout"),
        "looks": figures.where_it_looks(letters, *roles, caption="where it looks"),
        "third": figures.self_check(Fraction(1, 3), ask="One third, as a decimal?", name="third"),
        "root": figures.self_check(math.sqrt(2), ask="The root of two?", name="root"),
    }
    address = write_bare_page(folder / "figures.html", shown.values())
    return Bench(address, tuple(shown), row, letters, roles)
