"""E6 step by step: what goes in and out, and where its parameters are."""

from typing import NamedTuple

from jaxtyping import Int
from torch import Tensor

from attention.models.e6 import e6
from attention.models.kinds import parameters
from attention.models.layers import Weights


class Step(NamedTuple):
    """One step of E6: the shapes of what goes in and out, without the axis of models."""

    name: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    parameters: int


def steps(weights: Weights, tokens: Int[Tensor, "models names positions"]) -> list[Step]:
    """Send tokens through E6 and note each step's shapes, as they are, and its parameters.

    Shapes are names × positions × width, with heads before positions where there are heads.

    Raises:
        TypeError: as `e6`.
        ValueError: as `e6`.

    Examples:
        >>> import torch
        >>> from attention.models.kinds import draw_weights
        >>> steps(draw_weights("E6", [0]), torch.tensor([[[1, 10, 24]]]))[-1]
        Step(name='head', before=(1, 3, 16), after=(1, 3, 25), parameters=425)

    """
    trace = e6(weights, tokens)
    counts = parameters("E6")
    return [
        Step(
            name,
            tuple(before.shape[1:]),
            tuple(after.shape[1:]),
            sum(n for part, n in counts.items() if part.split(".")[0] in parts),
        )
        for name, before, after, parts in (
            ("look up, add position", tokens, trace.stream, ("token", "position")),
            ("norm", trace.stream, trace.stream, ("norm1",)),
            ("queries", trace.stream, trace.query, ("query",)),
            ("keys", trace.stream, trace.key, ("key",)),
            ("values", trace.stream, trace.value, ("value",)),
            ("scores, softmax", trace.query, trace.shares, ()),
            ("mix", trace.value, trace.mixed, ()),
            ("join, project, add", trace.mixed, trace.attended, ("project",)),
            ("norm", trace.attended, trace.attended, ("norm2",)),
            ("expand, ReLU", trace.attended, trace.hidden, ("expand",)),
            ("contract, add", trace.hidden, trace.dense, ("contract",)),
            ("head", trace.dense, trace.logits, ("head",)),
        )
    ]


def table(weights: Weights, tokens: Int[Tensor, "models names positions"]) -> str:
    """The steps as text, with the sum of their parameters.

    Raises:
        TypeError: as `e6`.
        ValueError: as `e6`.

    Examples:
        >>> import torch
        >>> from attention.models.kinds import draw_weights
        >>> print(table(draw_weights("E6", [0]), torch.tensor([[[1, 10, 24]]])))
        step                   in             out            parameters
        look up, add position  1 × 3          1 × 3 × 16            528
        norm                   1 × 3 × 16     1 × 3 × 16             32
        queries                1 × 3 × 16     1 × 2 × 3 × 8         272
        keys                   1 × 3 × 16     1 × 2 × 3 × 8         272
        values                 1 × 3 × 16     1 × 2 × 3 × 8         272
        scores, softmax        1 × 2 × 3 × 8  1 × 2 × 3 × 3           0
        mix                    1 × 2 × 3 × 8  1 × 2 × 3 × 8           0
        join, project, add     1 × 2 × 3 × 8  1 × 3 × 16            272
        norm                   1 × 3 × 16     1 × 3 × 16             32
        expand, ReLU           1 × 3 × 16     1 × 3 × 64          1,088
        contract, add          1 × 3 × 64     1 × 3 × 16          1,040
        head                   1 × 3 × 16     1 × 3 × 25            425
        all                                                       4,233

    """
    walked = steps(weights, tokens)
    lines = [f"{'step':<23}{'in':<15}{'out':<15}{'parameters':>10}"]
    for name, before, after, number in walked:
        left, right = (" × ".join(map(str, shape)) for shape in (before, after))
        lines.append(f"{name:<23}{left:<15}{right:<15}{number:>10,}")
    lines.append(f"{'all':<53}{sum(step.parameters for step in walked):>10,}")
    return "\n".join(lines)
