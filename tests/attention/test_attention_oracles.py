"""Attention against torch's own, forward and backward, and NumPy against torch."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

from attention import attend, causal, scores

pytestmark = pytest.mark.filterwarnings("error")

DTYPES = [torch.float32, torch.float64]
TOLERANCE = {
    torch.float32: {"rtol": 2e-5, "atol": 2e-5},
    torch.float64: {"rtol": 1e-12, "atol": 1e-14},
}
# batch and head axes, queries, keys, width, value width
SHAPES = [
    ((), 3, 3, 2, 2),
    ((), 4, 7, 5, 3),
    ((2,), 5, 2, 1, 6),
    ((2, 3), 6, 4, 8, 5),
    ((2, 1, 3), 1, 9, 16, 1),
]


def tensors(shapes, dtype, seed):
    rng = np.random.default_rng(seed)
    return [
        torch.tensor(rng.normal(size=shape, scale=2.0), dtype=dtype).requires_grad_()
        for shape in shapes
    ]


def arguments(case, dtype, seed=0):
    batch, queries, keys, width, value_width = case
    return tensors(
        [(*batch, queries, width), (*batch, keys, width), (*batch, keys, value_width)], dtype, seed
    )


def random_mask(case, seed):
    """Draw a mask that forbids about half and leaves no row empty."""
    batch, queries, keys, *_ = case
    rng = np.random.default_rng(seed)
    allowed = rng.random((*batch, queries, keys)) < 0.5
    np.put_along_axis(allowed, rng.integers(keys, size=(*batch, queries, 1)), True, axis=-1)
    return allowed


def assert_same_with_gradients(ours, theirs, inputs, dtype):
    """Compare two outputs, and their gradients under the same random cotangent."""
    torch.testing.assert_close(ours, theirs, **TOLERANCE[dtype])
    cotangent = torch.tensor(np.random.default_rng(9).normal(size=tuple(ours.shape)), dtype=dtype)
    our_gradients = torch.autograd.grad(ours, inputs, cotangent)
    their_gradients = torch.autograd.grad(theirs, inputs, cotangent)
    for our, their in zip(our_gradients, their_gradients, strict=True):
        # where ours is nothing, theirs may be what another order of additions leaves
        assert our.abs().max() > 0 or their.abs().max() <= 16 * torch.finfo(dtype).eps
        torch.testing.assert_close(our, their, **TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("case", SHAPES)
@pytest.mark.parametrize("scale", [None, 1.0, 0.3, -0.5, 0.0])
def test_attend_is_torchs_without_a_mask(case, dtype, scale):
    inputs = arguments(case, dtype)
    ours = attend(*inputs, scale=scale)
    assert ours.output.dtype == ours.shares.dtype == dtype
    assert_same_with_gradients(ours.output, sdpa(*inputs, scale=scale), inputs, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("case", SHAPES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("numpy_mask", [True, False])
def test_attend_is_torchs_under_a_mask(case, dtype, seed, numpy_mask):
    inputs = arguments(case, dtype, seed)
    allowed = random_mask(case, seed)
    tensor_mask = torch.tensor(allowed)
    ours = attend(*inputs, allowed if numpy_mask else tensor_mask)
    theirs = sdpa(*inputs, attn_mask=tensor_mask)
    assert_same_with_gradients(ours.output, theirs, inputs, dtype)
    assert (ours.shares[~tensor_mask] == 0.0).all()
    assert (ours.shares[tensor_mask] > 0.0).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_causal_is_torchs_for_a_square(n, dtype):
    inputs = arguments(((2, 3), n, n, 4, 4), dtype)
    theirs = sdpa(*inputs, is_causal=True)
    assert_same_with_gradients(attend(*inputs, causal(n)).output, theirs, inputs, dtype)


def test_causal_is_not_torchs_for_more_keys_than_queries():
    inputs = arguments(((), 2, 4, 3, 3), torch.float64)
    ours = attend(*inputs, causal(2, 4)).output
    assert (ours - sdpa(*inputs, is_causal=True)).abs().min() > 1e-3
    top_left = causal(4)[:2]
    torch.testing.assert_close(attend(*inputs, top_left).output, sdpa(*inputs, is_causal=True))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("query", "key", "value", "mask"),
    [
        ((4, 3), (2, 5, 3), (2, 5, 2), (4, 5)),
        ((2, 1, 4, 3), (3, 5, 3), (1, 3, 5, 2), (2, 1, 4, 5)),
        ((2, 3, 4, 3), (2, 1, 5, 3), (2, 1, 5, 2), (2, 1, 1, 5)),
        ((4, 3), (5, 3), (6, 5, 2), (4, 5)),
        ((4, 3), (5, 3), (5, 2), (4, 1)),
    ],
)
def test_leading_axes_broadcast(query, key, value, mask, dtype):
    inputs = tensors([query, key, value], dtype, 1)
    allowed = np.random.default_rng(3).random(mask) < 0.6
    allowed[..., 0] = True
    batch = np.broadcast_shapes(query[:-2], key[:-2], value[:-2])
    grown = [x.expand(*batch, *x.shape[-2:]) for x in inputs]
    theirs = sdpa(*grown, attn_mask=torch.tensor(allowed))
    ours = attend(*inputs, allowed)
    assert_same_with_gradients(ours.output, theirs, inputs, dtype)
    assert ours.shares.shape == (*np.broadcast_shapes(query[:-2], key[:-2]), 4, 5)
    assert ours.shares.shape == attend(*inputs).shares.shape


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("masked", [True, False])
def test_heads_are_those_of_multihead_attention(dtype, masked):
    heads, width, length, batch = 2, 8, 6, 3
    torch.manual_seed(4)
    module = torch.nn.MultiheadAttention(width, heads, batch_first=True, dtype=dtype)
    (stream,) = tensors([(batch, length, width)], dtype, 5)
    allowed = causal(length) if masked else np.ones((length, length), bool)
    forbidden = torch.tensor(~allowed)  # torch's module says True = may NOT attend
    theirs, their_shares = module(
        stream, stream, stream, attn_mask=forbidden, average_attn_weights=False
    )
    projected = stream @ module.in_proj_weight.T + module.in_proj_bias
    query, key, value = (
        part.reshape(batch, length, heads, width // heads).swapaxes(1, 2)
        for part in projected.split(width, dim=-1)
    )
    output, shares = attend(query, key, value, allowed)
    joined = output.swapaxes(1, 2).reshape(batch, length, width)
    torch.testing.assert_close(shares, their_shares, **TOLERANCE[dtype])
    parameters = [stream, module.in_proj_weight, module.out_proj.weight]
    assert_same_with_gradients(module.out_proj(joined), theirs, parameters, dtype)


@pytest.mark.parametrize("case", SHAPES)
def test_gradients_are_finite_differences(case):
    inputs = arguments(case, torch.float64, 2)
    allowed = random_mask(case, 2)
    assert torch.autograd.gradcheck(lambda *qkv: tuple(attend(*qkv, allowed)), inputs)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", SHAPES)
def test_numpy_and_torch_give_the_same(case, dtype):
    tensor_inputs = [x.detach() for x in arguments(case, getattr(torch, dtype))]
    array_inputs = [x.numpy() for x in tensor_inputs]
    allowed = random_mask(case, 0)
    for mask in (None, allowed):
        arrays, tensors_out = attend(*array_inputs, mask), attend(*tensor_inputs, mask)
        for array, tensor in zip(arrays, tensors_out, strict=True):
            assert type(array) is np.ndarray
            assert array.dtype == np.dtype(dtype)
            assert type(tensor) is torch.Tensor
            tolerance = TOLERANCE[tensor.dtype]
            np.testing.assert_allclose(array, tensor.numpy(), **tolerance)


@pytest.mark.parametrize("width", [1, 2, 3, 16, 512])
def test_scores_are_dot_products_over_the_root_of_the_width(width):
    rng = np.random.default_rng(width)
    query, key = rng.normal(size=(3, width)), rng.normal(size=(4, width))
    expected = [[math.fsum(q * k) for k in key] for q in query]
    np.testing.assert_allclose(scores(query, key, scale=1.0), expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(
        scores(query, key), np.array(expected) / math.sqrt(width), rtol=1e-12, atol=1e-14
    )
    np.testing.assert_allclose(scores(query, key, scale=-2.5), -2.5 * np.array(expected), 1e-12)
