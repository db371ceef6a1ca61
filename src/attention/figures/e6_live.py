"""E6, run by the page itself: type a name, look inside, edit a share, generate a name."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float

from attention.figures.operable import Cell, operable, packed, shares_rows, shown, table
from attention.figures.pictures import Element
from attention.names.grammar import BOS, EOS, LETTERS, LONGEST, TOKENS, encode

LIKELIEST = 5  # as many next letters as the default table lists


def e6_live(
    weights: Mapping[str, Float[np.ndarray, "..."]],
    *,
    caption: str,
    text: str = "dava",
    probes: Sequence[str] = (),
    seed: int = 1,
    name: str = "e6",
) -> Element:
    """Run E6 with these weights in the page; the default state is E6 after the letters of `text`.

    Shapes: of weights as in `attention.models.e6.E6_SHAPES`, without an axis for models.

    Units: probabilities of the next letter; PAD and BOS, which cannot come, have none.

    Raises:
        ValueError: a weight is missing or has another shape, or a text or probe is no 1 to 7 of
            the 22 letters.

    Source: `attention.models.e6.e6`.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> weights = {k: w[0].numpy() for k, w in draw_weights("E6", [0]).items()}
        >>> e6_live(weights, caption="E6 before training")
        <figure: E6 before training>

    """
    from attention.models.e6 import E6_SHAPES  # torch is slow to import, and few pages have an E6

    if (found := {k: np.shape(w) for k, w in weights.items()}) != E6_SHAPES:
        odd = ", ".join(k for k in {**E6_SHAPES, **found} if found.get(k) != E6_SHAPES.get(k))
        raise ValueError(f"these are no weights of E6: {odd} missing, unknown or of another shape")
    encode([text, *probes])
    data = {
        "weights": packed(np.concatenate([np.ravel(weights[k]) for k in E6_SHAPES])),
        "shapes": {k: list(shape) for k, shape in E6_SHAPES.items()},
        "letters": LETTERS,
        "longest": LONGEST,
        "bos": BOS,
        "eos": EOS,
        "text": text,
        "probes": list(probes),
        "seed": seed,
    }
    return operable(
        "e6-live",
        name,
        default=_default(weights, text),
        data=data,
        caption=caption,
        scripts=["mathematics.js", "e6.js"],
    )


def _default(weights: Mapping[str, Float[np.ndarray, "..."]], text: str) -> str:
    import torch

    from attention.models.e6 import e6

    tokens = encode([text])[:, : len(text) + 1]
    batched = {k: torch.tensor(np.asarray(w))[None] for k, w in weights.items()}
    trace = e6(batched, torch.tensor(tokens)[None])
    labels = [TOKENS[t] for t in tokens[0]]
    grids = [
        table(f"Head {i}", labels, shares_rows(labels, shares, 2), corner="query")
        for i, shares in enumerate(trace.shares[0, 0].numpy())
    ]
    following = torch.softmax(trace.logits[0, 0, -1, EOS:], dim=-1).numpy()
    order = np.argsort(-following, kind="stable")[:LIKELIEST]
    rows: list[tuple[str, list[Cell]]] = [
        (TOKENS[EOS + i], [(shown(following[i]), float(following[i]))]) for i in order
    ]
    others = float(1.0 - following[order].sum())
    rows.append(("all others", [(shown(max(others, 0.0)), others)]))
    return "".join(grids) + table(f"Next after “{text}”", ["probability"], rows)
