"""E5-names: a recurrence about as large as E6, to compare it with."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from attention.models.layers import VOCABULARY, WIDTH, Weights, linear, require_tokens, rows

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
        >>> from attention.models.kinds import draw_weights
        >>> tokens = torch.tensor([[[1, 10, 24]]])
        >>> e5(draw_weights("E5-names", [0]), tokens).shape
        torch.Size([1, 1, 3, 25])

    """
    require_tokens(tokens, weights)
    given = linear(weights, "input", rows(weights["token"], tokens))
    return linear(weights, "head", recur(weights, given))


def recur(
    weights: Weights, given: Float[Tensor, "models names positions gates"]
) -> Float[Tensor, "models names positions memory"]:
    """Carry a memory, at first 0, from position to position; what it is at each one.

    `given` is what the inputs say to reset gate, update gate and candidate, side by side.

    Shapes: given `(models, names, positions, 3 × memory)`, result
    `(models, names, positions, memory)`.

    Source: as `e5`.

    Examples:
        >>> weights = {"memory.weight": torch.zeros(1, 1, 3), "memory.bias": torch.zeros(1, 3)}
        >>> recur(weights, torch.tensor([[[[0.0, 0.0, 9.0]] * 3]])).flatten().round(decimals=3)
        tensor([0.5000, 0.7500, 0.8750])

    """
    size = weights["memory.weight"].shape[1]
    memory = given.new_zeros(*given.shape[:2], size)
    memories = []
    for x in given.unbind(2):
        kept = torch.baddbmm(weights["memory.bias"][:, None], memory, weights["memory.weight"])
        gates = torch.sigmoid(x[..., : 2 * size] + kept[..., : 2 * size])
        reset, update = gates.chunk(2, dim=-1)
        candidate = torch.tanh(x[..., 2 * size :] + reset * kept[..., 2 * size :])
        memory = candidate + update * (memory - candidate)
        memories.append(memory)
    return torch.stack(memories, dim=2)
