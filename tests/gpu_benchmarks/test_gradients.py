"""Per-client gradients: right against textbook loops in float64 before anything is timed."""

from __future__ import annotations

import pytest
import torch

import textbook
from gpu_benchmarks import device, gradients, machine
from gpu_benchmarks.layers import WEIGHT_GRADIENTS, Evaluation, Plain, Statistics
from gpu_benchmarks.resnet import Architecture, shortcut

CLIENTS, BATCH = 3, 4
# Sums of up to 4 · 1024 products of size about 1 in float64, rounded differently: 4096 · 2^-53 ≈ 5e-13, and
# the errors pass through 8 layers; ten times that.
TOLERANCE = 5e-12


@pytest.fixture(scope="module")
def case():
    net = Architecture(blocks=1, width=8)
    generator = torch.Generator().manual_seed(1)
    x = net.initial(0, torch.float64)
    images = torch.randn(BATCH * CLIENTS, 3, 32, 32, dtype=torch.float64, generator=generator)
    labels = torch.randint(10, (BATCH * CLIENTS,), generator=generator)
    return net, x, images, labels


def test_resnet20_has_269722_parameters():
    assert Architecture().dimension == 269_722
    assert sum(p.numel() for p in textbook.ResNet().parameters()) == 269_722


def test_network_equals_the_textbook_network(case):
    net, x, images, labels = case
    model = textbook.ResNet(1, 8).double().load(x)
    loss, expected = textbook.gradient(model, images, labels)
    found = gradients.plain(net, x, images, labels)
    assert found.losses.item() == pytest.approx(loss, abs=TOLERANCE)
    torch.testing.assert_close(found.gradients[0], expected, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("rule", WEIGHT_GRADIENTS)
def test_common_point_equals_the_textbook_loop(case, rule):
    net, x, images, labels = case
    found = gradients.of_clients(net, x, images, labels, CLIENTS, rules=gradients.Rules(default=rule))
    for c in range(CLIENTS):
        model = textbook.ResNet(1, 8).double().load(x)
        loss, expected = textbook.gradient(model, images[c::CLIENTS], labels[c::CLIENTS])
        assert found.losses[c].item() == pytest.approx(loss, abs=TOLERANCE)
        torch.testing.assert_close(found.gradients[c], expected, rtol=0, atol=TOLERANCE)


def test_own_points_equal_the_textbook_loop(case):
    net, x, images, labels = case
    points = x + 0.01 * torch.randn(
        CLIENTS, len(x), dtype=x.dtype, generator=torch.Generator().manual_seed(2)
    )
    found = gradients.of_clients(net, points, images, labels, CLIENTS)
    for c in range(CLIENTS):
        model = textbook.ResNet(1, 8).double().load(points[c])
        _, expected = textbook.gradient(model, images[c::CLIENTS], labels[c::CLIENTS])
        torch.testing.assert_close(found.gradients[c], expected, rtol=0, atol=TOLERANCE)


WAYS = {
    "ours": gradients.of_clients,
    "by client": gradients.by_client,
    "loop": gradients.loop,
    "vmap": gradients.mapped,
}


@pytest.mark.parametrize("own_points", [False, True], ids=["common point", "own points"])
@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_every_way_finds_the_same_gradients(case, way, own_points):
    net, x, images, labels = case
    if own_points:
        x = x + 0.01 * torch.randn(CLIENTS, len(x), dtype=x.dtype, generator=torch.Generator().manual_seed(2))
    expected = gradients.loop(net, x, images, labels, CLIENTS)
    found = way(net, x, images, labels, CLIENTS)
    torch.testing.assert_close(found.gradients, expected.gradients, rtol=0, atol=TOLERANCE)
    torch.testing.assert_close(found.losses, expected.losses, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("precision", ["float32", "bf16"])
def test_by_client_no_bit_depends_on_the_number_of_threads(case, precision):
    net, x, images, labels = case
    before, found = torch.get_num_threads(), []
    try:
        for threads in (1, 2, CLIENTS):
            torch.set_num_threads(threads)
            found.append(
                gradients.by_client(net, x.float(), images.float(), labels, CLIENTS, precision=precision)
            )
            assert torch.get_num_threads() == threads, "the caller keeps its own"
    finally:
        torch.set_num_threads(before)
    for other in found[1:]:
        assert torch.equal(other.gradients, found[0].gradients)
        assert torch.equal(other.losses, found[0].losses)


def test_gradient_is_the_derivative_of_the_loss(case):
    """Central differences along a random direction, per client: an oracle that knows no backward pass."""
    net, x, images, labels = case
    direction = torch.randn(len(x), dtype=x.dtype, generator=torch.Generator().manual_seed(3))
    direction /= direction.norm()
    h = 1e-5
    above = gradients.of_clients(net, x + h * direction, images, labels, CLIENTS).losses
    below = gradients.of_clients(net, x - h * direction, images, labels, CLIENTS).losses
    found = gradients.of_clients(net, x, images, labels, CLIENTS).gradients @ direction
    # error h² f'''/6 plus rounding 1e-15/h = 1e-10; third derivatives along unit directions here stay below
    # 1e3
    torch.testing.assert_close(found, (above - below) / (2 * h), rtol=0, atol=1e-6)
    assert found.abs().min() > 1e-3, "the check must see a derivative, not zeros"


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_clients_do_not_see_each_other(case, way):
    """Changing client 0's images changes nothing for the others: batch norm and gradients are their own."""
    net, x, images, labels = case
    changed = images.clone()
    changed[0::CLIENTS] *= 3
    before = way(net, x, images, labels, CLIENTS)
    after = way(net, x, changed, labels, CLIENTS)
    assert torch.equal(before.gradients[1:], after.gradients[1:])
    assert not torch.allclose(before.gradients[0], after.gradients[0])


@pytest.mark.parametrize("way", [gradients.of_clients, gradients.by_client], ids=["ours", "by client"])
def test_statistics_are_each_clients_own(case, way):
    net, x, images, labels = case
    statistics = Statistics.zeros(net.norm_channels, CLIENTS, x)
    way(net, x, images, labels, CLIENTS, statistics)
    means, variances = statistics.flat(CLIENTS)
    for c in range(CLIENTS):
        model = textbook.ResNet(1, 8).double().load(x)
        model(images[c::CLIENTS])
        moved = textbook.running(model)  # 0.9 · (0 or 1) + 0.1 · statistic
        torch.testing.assert_close(means[c] * 0.1, moved[0], rtol=0, atol=TOLERANCE)
        torch.testing.assert_close(0.9 + 0.1 * variances[c], moved[1], rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_bf16_stays_near_float64(case, way):
    net, x, images, labels = case
    exact = gradients.of_clients(net, x, images, labels, CLIENTS).gradients
    rough = way(net, x.float(), images.float(), labels, CLIENTS, precision="bf16")
    assert rough.gradients.dtype == torch.float32
    rough = rough.gradients.double()
    cosine = torch.nn.functional.cosine_similarity(exact, rough)
    # eight bits a number and 8 layers: relative error well under a quarter, so cosine above 0.97; and it is
    # not exact
    assert cosine.min() > 0.97
    assert not torch.allclose(exact, rough, rtol=1e-5)


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("layers", [Plain(), Evaluation((), ())], ids=["training", "evaluation"])
def test_bf16_without_a_kernel_for_it_rounds_once(monkeypatch, layers, stride):
    """Forward and backward: float32 arithmetic on the bfloat16 operands, each result its nearest bfloat16."""
    monkeypatch.setattr(device, "multiplies_bf16", lambda _: False)
    draws = torch.Generator().manual_seed(4)
    x = torch.randn(4, 8, 6, 6, generator=draws).bfloat16().requires_grad_()
    w = torch.randn(8, 8, 3, 3, generator=draws).bfloat16().requires_grad_()
    exact_x, exact_w = (t.detach().double().requires_grad_() for t in (x, w))
    y, exact_y = layers.convolution(x, w, stride), layers.convolution(exact_x, exact_w, stride)
    sent = torch.randn(y.shape, generator=draws).bfloat16()
    found = [y, *torch.autograd.grad(y, (x, w), sent)]
    exact = [exact_y, *torch.autograd.grad(exact_y, (exact_x, exact_w), sent.double())]
    for mine, true in zip(found, exact, strict=True):
        assert mine.dtype == torch.bfloat16
        # half a unit in the last of 8 bits, and n u Σ|a b| in float32 for sums of n = 144 products of normals
        error = (mine.double() - true).abs()
        assert (error <= 2.0**-8 * true.abs() + 1e-3).all()
        assert error.max() > 0


@pytest.mark.parametrize(
    ("instructions", "dots", "tiles", "name", "kernel"),
    [
        pytest.param("AVX2", False, False, "AMD EPYC 7B13", False, id="no kernels"),
        pytest.param("AVX512", False, False, "Intel(R) Xeon(R) Gold 6130", False, id="emulated"),
        pytest.param("AVX512", True, False, "Intel(R) Xeon(R) Processor", False, id="slow instruction"),
        pytest.param("AVX512", True, True, "Intel(R) Xeon(R) Processor", True, id="tiles"),
        pytest.param("AVX512", True, False, "AMD EPYC 9B14", True, id="fast instruction"),
    ],
)
def test_a_record_says_which_way_bf16_was_multiplied(monkeypatch, instructions, dots, tiles, name, kernel):
    cpu = torch.device("cpu")
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: instructions)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: dots)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: tiles)
    monkeypatch.setattr(machine, "processor", lambda: name)
    assert device.describe(cpu)["instructions"] == instructions
    assert device.describe(cpu)["bfloat16"].endswith("own kernels" if kernel else "float32")
    assert device.multiplies_bf16(cpu) == kernel


def test_bf16_with_and_without_a_kernel_differ_by_rounding(case, monkeypatch):
    """Both round the same operands and results and add up in another order, after which a rounding may fall to the other side:
    at worst the two errors are independent. Over six networks and batches such errors were 0.069 to 0.083, a deviation of 7%;
    that of the quotient of two is √2 · 7% = 10%, and 25% is two and a half of them. (Where the orders agree, as on a
    processor without such kernels, the errors differ by less than 10⁻⁴.)
    """
    net, x, images, labels = case
    exact = gradients.of_clients(net, x, images, labels, CLIENTS).gradients
    errors = []
    for kernel in (True, False):
        monkeypatch.setattr(device, "multiplies_bf16", lambda _, kernel=kernel: kernel)
        way = gradients.by_client(net, x.float(), images.float(), labels, CLIENTS, precision="bf16")
        errors.append(float((way.gradients.double() - exact).norm() / exact.norm()))
    assert errors[1] == pytest.approx(errors[0], rel=0.25), errors


def test_initial_weights_are_kaiming_normal():
    net = Architecture()
    parameters = net.unflatten(net.initial(7))
    for name, array in parameters.items():
        if array.ndim > 1:
            fan_in = array[0].numel()
            count = array.numel()
            # the sample deviation of n normals is σ(1 ± 1/√(2n)); five of those
            assert array.std().item() == pytest.approx((2 / fan_in) ** 0.5, rel=5 / (2 * count) ** 0.5), name
        elif name.endswith(".scale"):
            assert bool((array == 1).all()), name
        elif name.endswith(".shift"):
            assert bool((array == 0).all()), name
    assert parameters["linear.bias"].abs().max() <= 1 / 8
    assert not torch.equal(net.initial(0), net.initial(1))
    assert torch.equal(net.initial(0), net.initial(0))


def test_shortcut_pads_half_on_each_side():
    x = torch.arange(2 * 2 * 4 * 4, dtype=torch.float32).view(2, 2, 4, 4)
    y = shortcut(x, 2, 2)
    assert y.shape == (2, 4, 2, 2)
    assert torch.equal(y[:, 1:3], x[:, :, ::2, ::2])
    assert not y[:, 0].any()
    assert not y[:, 3].any()


@pytest.mark.parametrize(("field", "value"), [("blocks", 0), ("width", 3), ("classes", 1), ("blocks", 1.5)])
def test_impossible_architecture_is_refused(field, value):
    with pytest.raises(ValueError, match=f"{field} = {value}"):
        Architecture(**{field: value})
