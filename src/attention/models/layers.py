"""What the models are built from: rows of a table, layer norm, a linear map, heads.

Weights have a first axis `models`, so that many models go through one call side by side.
"""

from typing import TypeAlias

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional

from attention.names.grammar import TOKENS

Weights: TypeAlias = dict[str, Tensor]
VOCABULARY = len(TOKENS)
WIDTH = 16  # of a token's vector


def require_tokens(tokens: Tensor, weights: Weights) -> None:
    """Raise unless tokens are ids of the vocabulary, on no more positions than there are.

    Shapes: tokens `(models, names, positions)`.

    Raises:
        TypeError: tokens are no tensor of whole numbers.
        ValueError: the axes do not fit, there is no token, or an id does not exist.

    Examples:
        >>> from attention.models.kinds import draw_weights
        >>> require_tokens(torch.tensor([[[1, 99]]]), draw_weights("E6", [0]))
        Traceback (most recent call last):
        ValueError: token id 99 does not exist: ids are 0 to 24

    """
    if not isinstance(tokens, Tensor):
        raise TypeError(f"tokens is a {type(tokens).__name__}: use torch.tensor(...)")
    if tokens.dtype not in (torch.int64, torch.int32):
        raise TypeError(f"tokens holds {tokens.dtype}: token ids are whole numbers")
    models, vocabulary = weights["token"].shape[:2]
    shape = tuple(tokens.shape)
    if tokens.ndim != 3 or shape[0] != models:
        axes = f"({models} model{'s' * (models != 1)}, names, positions)"
        raise ValueError(f"tokens needs the axes {axes}: tokens {shape}")
    if 0 in shape:
        raise ValueError(f"tokens is empty: tokens {shape}")
    if "position" in weights and shape[-1] > weights["position"].shape[1]:
        most = weights["position"].shape[1]
        raise ValueError(f"tokens has {shape[-1]} positions but there are {most}: tokens {shape}")
    wrong = tokens[(tokens < 0) | (tokens >= vocabulary)]
    if wrong.numel():
        raise ValueError(f"token id {int(wrong[0])} does not exist: ids are 0 to {vocabulary - 1}")


def rows(
    table: Float[Tensor, "models vocabulary width"], tokens: Int[Tensor, "models names positions"]
) -> Float[Tensor, "models names positions width"]:
    """Each token id selects its row of its model's table.

    Examples:
        >>> rows(torch.tensor([[[1.0], [2.0]]]), torch.tensor([[[1, 0]]])).flatten()
        tensor([2., 1.])

    """
    models, vocabulary, width = table.shape
    offset = torch.arange(models)[:, None, None] * vocabulary
    return functional.embedding(tokens + offset, table.reshape(-1, width))


def norm(
    weights: Weights, part: str, x: Float[Tensor, "models names positions width"]
) -> Float[Tensor, "models names positions width"]:
    """Centre and rescale each token's vector, then apply the learned scale and bias.

    Source: Ba et al. 2016, "Layer Normalization", eq. 4.

    Examples:
        >>> weights = {"n.scale": torch.tensor([[3.0, 3.0]]), "n.bias": torch.tensor([[0.0, 1.0]])}
        >>> norm(weights, "n", torch.tensor([[[[4.0, 8.0]]]])).flatten().round()
        tensor([-3.,  4.])

    """
    scale, bias = (weights[f"{part}.{what}"][:, None] for what in ("scale", "bias"))
    normed = functional.layer_norm(x, x.shape[-1:]).flatten(1, 2)
    return (normed * scale + bias).reshape(x.shape)


def linear(
    weights: Weights, part: str, x: Float[Tensor, "models names positions inputs"]
) -> Float[Tensor, "models names positions outputs"]:
    """Each token's vector times the matrix, plus the bias.

    Examples:
        >>> weights = {"w.weight": torch.tensor([[[1.0], [2.0]]]), "w.bias": torch.tensor([[0.5]])}
        >>> linear(weights, "w", torch.tensor([[[[3.0, 4.0]]]])).flatten()
        tensor([11.5000])

    """
    bias, weight = weights[f"{part}.bias"][:, None], weights[f"{part}.weight"]
    flat = torch.baddbmm(bias, x.flatten(1, 2), weight)
    return flat.reshape(*x.shape[:3], flat.shape[-1])


def split_heads(
    x: Float[Tensor, "models names positions width"], heads: int
) -> Float[Tensor, "models names heads positions head_width"]:
    """Cut each vector into equal parts, one a head, and put the heads before the positions.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2.

    Examples:
        >>> split_heads(torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).tolist()
        [[[[[1.0], [3.0]], [[2.0], [4.0]]]]]

    """
    return x.reshape(*x.shape[:-1], heads, -1).transpose(2, 3)


def join_heads(
    x: Float[Tensor, "models names heads positions head_width"],
) -> Float[Tensor, "models names positions width"]:
    """Put the parts side by side again: the reverse of `split_heads`.

    Source: Vaswani et al. 2017, section 3.2.2, "Concat".

    Examples:
        >>> join_heads(torch.tensor([[[[[1.0], [3.0]], [[2.0], [4.0]]]]])).tolist()
        [[[[1.0, 2.0], [3.0, 4.0]]]]

    """
    return x.transpose(2, 3).flatten(3)
