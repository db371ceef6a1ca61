"""E6 and E5-names against the same models built from torch.nn, and what must not matter."""

import numpy as np
import pytest
import torch
from beartype import beartype
from jaxtyping import TypeCheckError, jaxtyped

from attention import attend, causal
from attention.models import e6 as model
from attention.models import layers, steps
from attention.models.e5 import e5
from attention.models.e6 import e6
from attention.models.fitting import losses
from attention.models.kinds import KINDS, draw_weights, parameters
from attention.names.grammar import BOS, PAD, TOKENS, encode

pytestmark = pytest.mark.filterwarnings("error")

NAMES = ["davayis", "mulves", "gamolot", "izpilur", "davas"]  # the last is padded


def sequences(count=2):
    """Give every model its own batch, with right padding in it."""
    return torch.tensor(np.stack([encode(NAMES[i:] + NAMES[:i]) for i in range(count)]))


def strayed(kind, seeds=(0, 1)):
    """Draw weights and move all of them, so that no bias is 0 and no scale 1."""
    rng = np.random.default_rng(8)
    return {
        name: (w + torch.tensor(rng.normal(size=tuple(w.shape), scale=0.3))).requires_grad_()
        for name, w in draw_weights(kind, list(seeds)).items()
    }


class E6Module(torch.nn.Module):
    """E6 from torch's own parts: MultiheadAttention, LayerNorm, Linear, Embedding."""

    def __init__(self):
        super().__init__()
        self.token = torch.nn.Embedding(25, 16)
        self.position = torch.nn.Embedding(8, 16)
        self.norm1 = torch.nn.LayerNorm(16)
        self.attention = torch.nn.MultiheadAttention(16, 2, batch_first=True)
        self.norm2 = torch.nn.LayerNorm(16)
        self.expand = torch.nn.Linear(16, 64)
        self.contract = torch.nn.Linear(64, 16)
        self.head = torch.nn.Linear(16, 25)
        self.double()

    def forward(self, tokens):
        stream = self.token(tokens) + self.position(torch.arange(tokens.shape[1]))
        x = self.norm1(stream)
        forbidden = torch.tensor(~causal(tokens.shape[1]))
        stream = stream + self.attention(x, x, x, attn_mask=forbidden, need_weights=False)[0]
        stream = stream + self.contract(torch.relu(self.expand(self.norm2(stream))))
        return self.head(stream)


class E5Module(torch.nn.Module):
    """E5-names from torch's own GRU."""

    def __init__(self):
        super().__init__()
        self.token = torch.nn.Embedding(25, 16)
        self.gru = torch.nn.GRU(16, 24, batch_first=True)
        self.head = torch.nn.Linear(24, 25)
        self.double()

    def forward(self, tokens):
        return self.head(self.gru(self.token(tokens))[0])


def e6_names(weights):
    """Name our weights as torch.nn does: its matrices are ours transposed."""
    parts = ("query", "key", "value")
    joined = {
        "attention.in_proj_weight": torch.cat([weights[f"{p}.weight"].T for p in parts]),
        "attention.in_proj_bias": torch.cat([weights[f"{p}.bias"] for p in parts]),
        "attention.out_proj.weight": weights["project.weight"].T,
        "attention.out_proj.bias": weights["project.bias"],
        "token.weight": weights["token"],
        "position.weight": weights["position"],
    }
    for part in ("norm1", "norm2"):
        joined[f"{part}.weight"] = weights[f"{part}.scale"]
        joined[f"{part}.bias"] = weights[f"{part}.bias"]
    for part in ("expand", "contract", "head"):
        joined[f"{part}.weight"] = weights[f"{part}.weight"].T
        joined[f"{part}.bias"] = weights[f"{part}.bias"]
    return joined


def e5_names(weights):
    return {
        "token.weight": weights["token"],
        "gru.weight_ih_l0": weights["input.weight"].T,
        "gru.bias_ih_l0": weights["input.bias"],
        "gru.weight_hh_l0": weights["memory.weight"].T,
        "gru.bias_hh_l0": weights["memory.bias"],
        "head.weight": weights["head.weight"].T,
        "head.bias": weights["head.bias"],
    }


@pytest.mark.parametrize(
    ("kind", "module", "renamed", "size"),
    [("E6", E6Module, e6_names, 4233), ("E5-names", E5Module, e5_names, 4049)],
)
def test_torchs_own_parts_give_the_same_loss_and_gradients(kind, module, renamed, size):
    weights, rows = strayed(kind), sequences()
    ours = losses(KINDS[kind].logits(weights, rows[..., :-1]), rows[..., 1:])
    ours.sum().backward()
    for i in range(2):
        theirs = module()
        assert sum(p.numel() for p in theirs.parameters()) == size
        theirs.load_state_dict(renamed({k: w[i].detach() for k, w in weights.items()}))
        logits = theirs(rows[i, :, :-1])
        loss = torch.nn.CrossEntropyLoss(ignore_index=PAD)(
            logits.flatten(0, 1), rows[i, :, 1:].flatten()
        )
        loss.backward()
        torch.testing.assert_close(ours[i], loss, rtol=1e-13, atol=0.0)
        gradients = renamed({k: w.grad[i] for k, w in weights.items()})
        for name, parameter in theirs.named_parameters():
            assert name.endswith("in_proj_bias") or parameter.grad.abs().max() > 0
            torch.testing.assert_close(
                gradients[name], parameter.grad, rtol=1e-10, atol=1e-14, msg=name
            )


def test_e6_has_4233_parameters_in_these_parts():
    counts = parameters("E6")

    def of(*parts):
        return sum(n for name, n in counts.items() if name.split(".")[0] in parts)

    assert of("token") == 25 * 16 == 400
    assert of("position") == 8 * 16 == 128
    assert of("query", "key", "value", "project") == 4 * (16 * 16 + 16) == 1088
    assert of("norm1", "norm2") == 2 * 32 == 64
    assert of("expand", "contract") == 2128
    assert of("head") == 16 * 25 + 25 == 425
    assert sum(counts.values()) == 4233
    weights = draw_weights("E6", [0])
    assert {name: w[0].numel() for name, w in weights.items()} == counts
    printed = steps.table(weights, sequences(1)[..., :-1])
    for text in ("5 × 8 × 16", "5 × 2 × 8 × 8", "5 × 8 × 25", "1,088", "4,233"):
        assert text in printed


def test_e6_attends_by_the_same_function_as_the_hand_example(monkeypatch):
    seen = []

    def watched(*arguments):
        seen.append([tuple(x.shape) for x in arguments[:3]])
        return true_attend(*arguments)

    true_attend = vars(model)["attend"]
    assert true_attend is attend
    monkeypatch.setattr(model, "attend", watched)
    e6(draw_weights("E6", [0]), sequences(1)[..., :-1])
    assert seen == [[(1, 5, 2, 8, 8)] * 3]


@pytest.mark.parametrize("kind", KINDS)
def test_no_token_moves_a_logit_before_it(kind):
    weights, tokens = strayed(kind), sequences()[..., :-1]
    before = KINDS[kind].logits(weights, tokens)
    for place in range(8):
        changed = tokens.clone()
        changed[..., place] = (changed[..., place] + 7) % 25
        moved = (KINDS[kind].logits(weights, changed) - before).abs().amax(-1)
        assert (moved[..., :place] == 0).all()
        assert (moved[..., place:] > 0).any()
        assert (moved[..., place] > 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_pad_row_moves_no_logit_at_a_real_position_and_has_no_gradient(kind):
    weights, rows = strayed(kind), sequences()
    tokens = rows[..., :-1]
    before = KINDS[kind].logits(weights, tokens)
    losses(before, rows[..., 1:]).sum().backward()
    assert (weights["token"].grad[:, PAD] == 0).all()
    assert (weights["token"].grad[:, BOS] != 0).any()
    with torch.no_grad():
        weights["token"][:, PAD] += 5.0
    after = KINDS[kind].logits(weights, tokens)
    real = tokens != PAD
    assert real.any()
    assert (~real).any()
    assert (after[real] == before[real]).all()
    assert (after[~real] != before[~real]).any()


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_finite_differences(kind):
    weights, rows = strayed(kind, [3]), sequences(1)
    names = list(weights)

    def loss(*arrays):
        logits = KINDS[kind].logits(dict(zip(names, arrays, strict=True)), rows[..., :-1])
        return losses(logits, rows[..., 1:])

    # fast mode: one random direction each way through the Jacobian, over all 4,000 weights
    assert torch.autograd.gradcheck(loss, list(weights.values()), fast_mode=True)


def test_what_scores_are_made_from():
    weights, tokens = strayed("E6"), sequences()[..., :-1]
    changed = tokens.clone()
    changed[..., 1:] = (changed[..., 1:] + 3) % 25
    allowed = torch.tensor(causal(8))
    for looks, moves in (("content", True), ("positions", False), ("uniform", False)):
        shares = e6(weights, tokens, looks).shares
        assert shares.shape == (2, 5, 2, 8, 8)
        assert (shares != e6(weights, changed, looks).shares).any() == moves
        assert (shares[..., ~allowed] == 0).all()
        torch.testing.assert_close(shares.sum(-1), torch.ones(2, 5, 2, 8).double())
    torch.testing.assert_close(shares[0, 0, 0], allowed / torch.arange(1.0, 9.0).double()[:, None])


@pytest.mark.parametrize("kind", KINDS)
def test_models_side_by_side_do_not_touch(kind):
    weights, tokens = strayed(kind, [0, 1, 2]), sequences(3)[..., :-1]
    together = KINDS[kind].logits(weights, tokens)
    for i in range(3):
        alone = KINDS[kind].logits({k: w[i : i + 1] for k, w in weights.items()}, tokens[i : i + 1])
        torch.testing.assert_close(together[i : i + 1], alone, rtol=0.0, atol=1e-13)


def test_first_weights_are_seeded_and_spread_as_stated():
    first, again = draw_weights("E6", [5, 6]), draw_weights("E6", [6])
    for name, w in first.items():
        assert w.dtype == torch.float64
        assert (w[1:] == again[name]).all()
    wide = draw_weights("E6", list(range(40)))
    assert wide["expand.weight"].std() == pytest.approx(0.5 / 4, rel=0.02)
    assert wide["token"].std() == pytest.approx(0.3, rel=0.02)
    assert (wide["norm1.scale"] == 1).all()
    assert (wide["head.bias"] == 0).all()


ONE = {"E6": draw_weights("E6", [0]), "E5-names": draw_weights("E5-names", [0])}


@pytest.mark.parametrize("kind", ONE)
@pytest.mark.parametrize(
    ("tokens", "error", "message"),
    [
        (torch.tensor([[[1, 25]]]), ValueError, "token id 25 does not exist: ids are 0 to 24"),
        (torch.tensor([[[1, -1]]]), ValueError, "token id -1 does not exist"),
        (torch.ones(1, 1, 3), TypeError, "tokens holds torch.float32: token ids are whole"),
        (torch.ones(1, 1, 3).bool(), TypeError, "tokens holds torch.bool"),
        (np.ones((1, 1, 3), int), TypeError, "tokens is a ndarray: use torch.tensor"),
        (
            torch.ones(2, 1, 3).long(),
            ValueError,
            r"\(1 model, names, positions\): tokens \(2, 1, 3\)",
        ),
        (torch.ones(1, 3).long(), ValueError, r"tokens \(1, 3\)"),
        (torch.ones(1, 0, 3).long(), ValueError, "tokens is empty"),
    ],
)
def test_wrong_tokens_are_errors(kind, tokens, error, message):
    with pytest.raises(error, match=message):
        KINDS[kind].logits(ONE[kind], tokens)


def test_nine_positions_are_too_many_for_e6_and_not_for_a_recurrence():
    tokens = torch.ones(1, 2, 9).long()
    with pytest.raises(ValueError, match=r"9 positions but there are 8: tokens \(1, 2, 9\)"):
        e6(ONE["E6"], tokens)
    assert e5(ONE["E5-names"], tokens).shape == (1, 2, 9, len(TOKENS))


def test_wrong_names_are_errors():
    with pytest.raises(ValueError, match="looks is 'left'"):
        e6(ONE["E6"], torch.tensor([[[1]]]), "left")
    with pytest.raises(ValueError, match="there is no model 'E7': choose from E6"):
        parameters("E7")


def test_signatures_hold():
    tokens = sequences(1)[..., :-1]
    for function, weights in ((e6, ONE["E6"]), (e5, ONE["E5-names"])):
        checked = jaxtyped(typechecker=beartype)(function)
        checked(weights, tokens)
        with pytest.raises(TypeCheckError):
            checked(weights, tokens[0])
    x = torch.ones(1, 2, 8, 16).double()
    assert jaxtyped(typechecker=beartype)(layers.split_heads)(x, 2).shape == (1, 2, 2, 8, 8)
    assert (layers.join_heads(layers.split_heads(x, 2)) == x).all()
