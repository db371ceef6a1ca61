"""E5-names: a recurrence about as large as E6, to compare it with."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention.layers import VOCABULARY, WIDTH, Weights, linear, require_tokens, rows

MEMORY = 24

E5_SHAPES = {
    "token": (VOCABULARY, WIDTH),
    "input.weight": (WIDTH, 3 * MEMORY),  # reset gate, update gate, candidate
    "input.bias": (3 * MEMORY,),
    "memory.weight": (MEMORY, 3 * MEMORY),
    "memory.bias": (3 * MEMORY,),
    "head.weight": (MEMORY, VOCABULARY),
    "head.bias": (VOCABULARY,),
}


def e5(
    weights: Weights, tokens: Int[Tensor, "models names positions"]
) -> Float[Tensor, "models names positions vocabulary"]:
    """A gated recurrent unit: one memory, carried from position to position; a head reads it.

    Shapes: tokens `(models, names, positions)`, result `(models, names, positions, 25)`; any
    number of positions.

    Units: logits are in nats.

    Raises:
        TypeError: tokens are no whole numbers.
        ValueError: a token id does not exist, or the number of models differs.

    Source: Cho et al. 2014, "Learning Phrase Representations using RNN Encoder–Decoder", in the
    variant of `torch.nn.GRU`: the reset gate multiplies after the matrix product.

    Examples:
        >>> from attention.models import draw_weights
        >>> tokens = torch.tensor([[[1, 10, 24]]])
        >>> e5(draw_weights("E5-names", [0]), tokens).shape
        torch.Size([1, 1, 3, 25])

    """
    require_tokens(tokens, weights)
    given = linear(weights, "input", rows(weights["token"], tokens))
    memory = given.new_zeros(*given.shape[:2], MEMORY)
    memories = []
    for x in given.unbind(2):
        kept = torch.baddbmm(weights["memory.bias"][:, None], memory, weights["memory.weight"])
        gates = torch.sigmoid(x[..., : 2 * MEMORY] + kept[..., : 2 * MEMORY])
        reset, update = gates.chunk(2, dim=-1)
        candidate = torch.tanh(x[..., 2 * MEMORY :] + reset * kept[..., 2 * MEMORY :])
        memory = candidate + update * (memory - candidate)
        memories.append(memory)
    return linear(weights, "head", torch.stack(memories, dim=2))
