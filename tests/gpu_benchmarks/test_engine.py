"""The engine against a textbook implementation, and its readings one by one."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from scipy import stats

import textbook
from gpu_benchmarks.batches import PAD, Data, augment, empty_plans, fill, key
from gpu_benchmarks.config import Config, with_readings
from gpu_benchmarks.engine import EXPLODED, Measured, Trainer
from gpu_benchmarks.federation import federated
from gpu_benchmarks.layers import averaging
from gpu_benchmarks.method import noise_std
from gpu_benchmarks.passes import groups, sizes
from gpu_benchmarks.training import Options, Run, train

CPU = torch.device("cpu")
TINY = Config(data="synthetic", clients=3, batch=16, rounds=2, blocks=1, width=4, precision="float64", seed=0)
OPTIONS = Options(CPU)


@pytest.fixture(scope="module")
def data() -> Data:
    return federated(TINY)


def textbook_run(config: Config, data: Data, trainer: Trainer, iterations: int):
    """α-NormEC without noise by its printed lines, one client after the other with torch.nn, on the
    trainer's batches.
    """
    x = trainer.buffers["x"].clone()
    n, d = config.clients, len(trainer.buffers["x"])
    memories, server = torch.zeros(n, d, dtype=x.dtype), torch.zeros(d, dtype=x.dtype)
    model = textbook.ResNet(config.blocks, config.width).double()
    for iteration in range(iterations):
        (size,) = trainer.prepare(iteration)
        images, labels = trainer.mini_batch(size)
        model.load(x)
        for i in range(n):
            _, g = textbook.gradient(model, images[i::n], labels[i::n])
            difference = g - memories[i]
            message = difference / (config.alpha + difference.norm())
            memories[i] += config.beta * message
            server += config.beta / n * message
        x = x - config.gamma * (server / server.norm() if config.server_normalisation else server)
    return x, textbook.running(model)


@pytest.mark.parametrize("server_normalisation", [False, True], ids=["plain", "normalised"])
def test_alpha_normec_equals_the_textbook(data, server_normalisation):
    config = replace(TINY, server_normalisation=server_normalisation)
    trainer = Trainer(config, data, CPU)
    expected, running = textbook_run(config, data, Trainer(config, data, CPU), trainer.iterations_per_round)
    trainer.enqueue()
    measured = trainer.collect()
    # rounding 1e-16 relative, amplified by 9 iterations of a network: eight digits are left with room
    torch.testing.assert_close(trainer.buffers["x"], expected, rtol=0, atol=1e-9)
    torch.testing.assert_close(torch.stack([trainer.means, trainer.variances]), running, rtol=1e-8, atol=1e-9)

    model = textbook.ResNet(config.blocks, config.width).double().load(expected).eval()
    norms = [m for m in model.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    for norm, mean, variance in zip(
        norms,
        running[0].split([m.num_features for m in norms]),
        running[1].split([m.num_features for m in norms]),
        strict=True,
    ):
        norm.running_mean, norm.running_var = mean.clone(), variance.clone()
    answers = model(trainer.pixels(data.test_images)).argmax(1)
    assert measured.test_accuracy == 100 * (answers == data.test_labels).sum().item() / len(answers)


def test_every_image_is_seen_once_a_pass(data):
    clients, each = data.shards.shape
    for last, expected in (("short", each), ("drop", each // 16 * 16)):
        plan = sizes(each, 16, last)
        plans = empty_plans(plan, clients, False, CPU)
        fill(plans, plan, data.shards, seed=0, number=0, independent=False)
        seen = torch.cat(
            [p.indices.reshape(-1, size, clients).reshape(-1, clients) for size, p in plans.items()]
        )
        assert seen.shape == (expected, clients)
        for c in range(clients):
            assert len(set(seen[:, c].tolist())) == expected
            assert set(seen[:, c].tolist()) <= set(data.shards[c].tolist())


def test_the_printed_schedule_is_42300_iterations():
    plan = sizes(4500, 32, "short")
    assert len(plan) * 300 == 42_300
    assert plan[-1] == 20
    assert len(sizes(4500, 32, "drop")) == 140
    assert sizes(4500, 32, "wrap")[-1] == 32
    assert sizes(64, 32, "short") == (32, 32)


def test_a_pass_is_keyed_by_seed_and_number(data):
    plan = sizes(data.shards.shape[1], 16, "short")

    def drawn(seed, number):
        plans = empty_plans(plan, len(data.shards), True, CPU)
        fill(plans, plan, data.shards, seed, number, False)
        return plans[16]

    again = drawn(0, 1)
    assert torch.equal(drawn(0, 1).indices, again.indices)
    assert torch.equal(drawn(0, 1).moves, again.moves)
    assert not torch.equal(drawn(0, 2).indices, again.indices)
    assert not torch.equal(drawn(1, 1).indices, again.indices)
    assert key(0, "round", 1) != key(0, "pass", 1)


def test_augmentation_is_a_padded_crop_and_a_flip():
    image = torch.arange(1, 3 * 32 * 32 + 1, dtype=torch.int64).view(1, 3, 32, 32).repeat(3, 1, 1, 1)
    moves = torch.tensor([[4, 4, 0], [4, 4, 1], [0, 8, 0]])
    still, flipped, moved = augment(image, moves)
    assert torch.equal(still, image[0])
    assert torch.equal(flipped, image[0].flip(2))
    assert not moved[:, :4].any(), "the rows above the image are padding"
    assert not moved[:, :, -4:].any(), "so are the columns to its right"
    assert torch.equal(moved[:, 4:, :-4], image[0][:, :-4, 4:])


def test_each_crop_and_flip_is_as_likely_as_any_other():
    """One pass at the printed size: 45,000 images over 9 · 9 · 2 moves; chi-square at 1e-6."""
    plan = sizes(4500, 32, "short")
    plans = empty_plans(plan, 10, True, CPU)
    fill(plans, plan, torch.arange(45_000).view(10, 4500), seed=0, number=0, independent=False)
    moves = torch.cat([p.moves.reshape(-1, 3) for p in plans.values() if p.moves is not None])
    down, right, flip = moves.unbind(1)
    counts = torch.bincount((down * 9 + right) * 2 + flip, minlength=162)
    assert [part.max().item() for part in (down, right, flip)] == [8, 8, 1]
    assert counts.sum() == 45_000
    assert stats.chisquare(counts.numpy()).pvalue > 1e-6


def test_half_an_augmentation_moves_as_the_whole_does_and_leaves_the_other_half_where_it_is():
    plan = sizes(64, 32, "short")

    def moves(augmentation: str):
        plans = empty_plans(plan, 2, True, CPU)
        fill(plans, plan, torch.arange(128).view(2, 64), 0, 0, False, augmentation)
        (own,) = plans.values()
        return own.indices, own.moves

    (order, both), (first, crop), (second, flip) = map(moves, ("crop-and-flip", "crop", "flip"))
    assert torch.equal(order, first)
    assert torch.equal(order, second)
    assert torch.equal(crop[..., :2], both[..., :2])
    assert not crop[..., 2].any()
    assert (flip[..., :2] == PAD).all(), "the crop in the middle is the image"
    assert torch.equal(flip[..., 2], both[..., 2])
    image = torch.rand(1, 3, 32, 32)
    assert torch.equal(augment(image, torch.tensor([[PAD, PAD, 0]])), image)


@pytest.mark.parametrize("clients", [1, 3, 10])
def test_running_averages_in_turn_are_the_unrolled_recursion(clients):
    keep, move = averaging("in-turn", clients, torch.float64, CPU)
    statistics = torch.randn(clients, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    r = expected = 0.7
    for s in statistics.tolist():
        expected = 0.9 * expected + 0.1 * s
    assert keep * r + (move @ statistics).item() == pytest.approx(expected, abs=1e-14)
    keep, move = averaging("mean", clients, torch.float64, CPU)
    assert keep * r + (move @ statistics).item() == pytest.approx(
        0.9 * r + 0.1 * statistics.mean().item(), abs=1e-14
    )


@pytest.mark.parametrize(
    "change",
    [
        {"method": "clip21"},
        {"method": "dp_sgd", "gamma": 1.0},
        {"method": "dp_sgd_clip", "gamma": 1.0},
        {"method": "sgd"},
        {"method": "fed_alpha_normec", "participation": 0.5, "local_steps": 2},
        {"method": "fedavg", "participation": 0.5, "gamma": 1.0},
        {"method": "alpha_normec", "server_normalisation": True, "gamma": 0.1},
    ],
    ids=lambda change: change["method"],
)
def test_every_method_learns_the_synthetic_classes(change):
    """Two passes bring the training loss of the second below that of the first; nothing moves at γ ≈ 0."""
    config = replace(TINY, precision="float32", **change)
    record = train(config, federated(config), OPTIONS)
    losses = record.metrics["train_loss"]
    assert record.status == "complete"
    assert losses[1] < losses[0] - 0.02


@pytest.mark.parametrize("reading", ["fresh", "same"])
def test_local_steps_move_each_client_along_its_own_gradients(data, reading):
    """T = 2 against two explicit local steps of the textbook network, client by client; so are the running
    averages.
    """
    config = replace(TINY, method="fed_alpha_normec", local_steps=2, gamma=0.5)
    config = with_readings(config, round="step", local_batches=reading)
    trainer, probe = Trainer(config, data, CPU), Trainer(config, data, CPU)
    start = probe.buffers["x"].clone()
    model = textbook.ResNet(1, 4).double()
    points, updates = start.repeat(config.clients, 1), torch.zeros(config.clients, len(start)).double()
    sizes_drawn = probe.prepare(0)
    assert sizes_drawn == (16, 16)
    images, labels = probe.mini_batch(16)
    for step in range(2):
        if step and reading == "fresh":
            images, labels = probe.mini_batch(16)
        for i in range(config.clients):
            own = images[i :: config.clients], labels[i :: config.clients]
            _, gradient = textbook.gradient(model.load(points[i]), *own)
            points[i] -= 0.5 / 2 * gradient
            updates[i] += gradient / 2
    server = sum(u / (config.alpha + u.norm()) for u in updates) * config.beta / config.clients
    trainer.enqueue()
    torch.testing.assert_close(trainer.buffers["x"], start - 0.5 * server, rtol=0, atol=1e-10)
    averages = torch.stack([trainer.means, trainer.variances])
    torch.testing.assert_close(averages, textbook.running(model), rtol=1e-8, atol=1e-9)


def test_a_pass_with_fresh_local_mini_batches_uses_each_once(data):
    """133 images of a client are 8 mini-batches of 16 and one of 5: with T = 4 three communications, the last of
    one local step; the same number of mini-batches as with T = 1. With one mini-batch a round there are nine.
    """
    assert groups((16,) * 8 + (5,), 4, "fresh") == ((16,) * 4, (16,) * 4, (5,))
    assert groups((16, 5), 3, "same") == ((16,) * 3, (5,) * 3)
    assert groups((16, 5), 1, "fresh") == groups((16, 5), 1, "same") == ((16,), (5,))
    config = replace(TINY, method="fed_alpha_normec", local_steps=4)
    trainer = Trainer(config, data, CPU)
    each = data.shards.shape[1]
    assert trainer.iterations_per_round == math.ceil(math.ceil(each / 16) / 4)
    trainer.enqueue()
    assert [int(plan.position) for plan in trainer.plans.values()] == [each // 16, 1]
    same = Trainer(with_readings(config, local_batches="same"), data, CPU)
    assert same.iterations_per_round == math.ceil(each / 16)


def test_the_training_loss_is_that_of_the_first_local_steps(data, monkeypatch):
    """`records.METRICS`: of each iteration one mini-batch of each client, and a short one counts as much as a whole one."""
    trainer = Trainer(replace(TINY, method="fed_alpha_normec", local_steps=7), data, CPU)
    found, gradients = [], trainer._gradients

    def seen(*args):
        found.append(gradients(*args))
        return found[-1]

    monkeypatch.setattr(trainer, "_gradients", seen)
    trainer.enqueue(test=False)
    assert trainer.groups == ((16,) * 7, (8,))
    first = [found[0].losses.mean().item(), found[7].losses.mean().item()]
    assert trainer.collect().train_loss == pytest.approx(sum(first) / 2, rel=1e-14)


def test_clipped_dp_sgd_is_its_formula(data):
    """x ← x − γ (1/n) Σ min(1, β/‖∇f_i‖) ∇f_i."""
    config = with_readings(replace(TINY, method="dp_sgd_clip", gamma=0.7), round="step")
    trainer, probe = Trainer(config, data, CPU), Trainer(config, data, CPU)
    x = probe.buffers["x"].clone()
    images, labels = probe.mini_batch(*probe.prepare(0))
    model = textbook.ResNet(1, 4).double().load(x)
    found = [textbook.gradient(model, images[i::3], labels[i::3])[1] for i in range(3)]
    mean = sum(g * min(1.0, config.beta / g.norm().item()) for g in found) / 3
    trainer.enqueue()
    torch.testing.assert_close(trainer.buffers["x"], x - 0.7 * mean, rtol=0, atol=1e-10)
    private = replace(config, private=True)
    joins = [with_readings(private, noise_joins=j) for j in ("message", "memory")]
    assert noise_std(joins[0], 100, 9) == noise_std(joins[1], 100, 9) > 0


def test_first_gradient_memories_make_the_first_message_zero(data):
    config = with_readings(TINY, memories="first-gradient", round="step")
    trainer = Trainer(config, data, CPU)
    before = trainer.buffers["memories"].clone()
    assert before.norm(dim=1).min() > 0.1
    trainer.enqueue()
    torch.testing.assert_close(trainer.buffers["memories"], before, rtol=0, atol=1e-9)


def test_absent_clients_update_or_idle():
    readings = replace(TINY.readings, round="step")
    base = replace(
        TINY, method="fed_alpha_normec", participation=0.5, clients=8, batch=8, seed=1, readings=readings
    )
    moved = {}
    for reading in ("update", "idle"):
        trainer = Trainer(with_readings(base, absent=reading), federated(base), CPU)
        trainer.enqueue()
        moved[reading] = trainer.buffers["memories"].norm(dim=1) > 0
    assert moved["update"].all()
    assert 0 < moved["idle"].sum() < base.clients, "with this seed some take part and some do not"


def test_divergence_ends_the_run_with_its_status(data):
    config = replace(TINY, precision="float32", gamma=1e30, rounds=5)
    record = train(config, data, OPTIONS)
    assert record.status == "diverged"
    assert record.rounds < 5
    assert record.metrics["test_loss"][-1] is None or record.metrics["train_loss"][-1] is None


def test_rounds_without_a_test_change_no_other_number(data):
    """Every third round and the last five are tested; what is measured is what is measured without."""
    config = replace(TINY, precision="float32", rounds=12, readings=replace(TINY.readings, round="step"))
    every, some = train(config, data, OPTIONS), train(config, data, replace(OPTIONS, test_every=3))
    tested = [k for k in range(12) if some.metrics["test_accuracy"][k] is not None]
    assert tested == [2, 5, 7, 8, 9, 10, 11]
    assert some.metrics["train_loss"] == every.metrics["train_loss"]
    for name in ("test_loss", "test_accuracy"):
        assert [some.metrics[name][k] for k in tested] == [every.metrics[name][k] for k in tested]
        assert all(some.metrics[name][k] is None for k in range(12) if k not in tested)


def test_no_bit_of_a_test_depends_on_the_number_of_threads(data):
    """As long as there are no more than parts, of 50 images; and the parts together are the whole."""
    trainer = Trainer(replace(TINY, precision="float32"), data, CPU)
    before, found = torch.get_num_threads(), []
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            trainer.evaluate()
            found.append(trainer.test.clone())
            assert torch.get_num_threads() == threads, "the caller keeps its own"
    finally:
        torch.set_num_threads(before)
    assert torch.equal(*found)
    at_once = Trainer(replace(TINY, precision="float32"), data, CPU, joint=True)
    at_once.evaluate()
    torch.testing.assert_close(found[0], at_once.test, rtol=1e-6, atol=0)


def test_the_last_rounds_of_a_run_that_is_cut_short_are_tested(data):
    config = replace(TINY, precision="float32", rounds=12, stop_after=7)
    config = with_readings(config, round="step")
    record = train(config, data, replace(OPTIONS, test_every=3))
    assert [a is not None for a in record.metrics["test_accuracy"]] == [False, False, *[True] * 5]


def test_the_last_round_of_a_run_that_diverges_is_tested(data):
    config = replace(TINY, precision="float32", gamma=1e30, rounds=20)
    every, none = train(config, data, OPTIONS), train(config, data, replace(OPTIONS, test_every=20))
    assert none.status == "diverged"
    assert none.rounds < 20 - 5, "before the rounds that are tested anyway"
    assert none.metrics["test_accuracy"][-1] == every.metrics["test_accuracy"][none.rounds - 1]


def test_explosion_counts_as_divergence():
    assert Measured(2 * EXPLODED, 1.0, 10.0).diverged
    assert Measured(math.nan, 1.0, 10.0).diverged
    assert not Measured(EXPLODED / 2, 1.0, 10.0).diverged
    assert not Measured(1.0, None, None).diverged


def test_repetition_is_bit_for_bit(data):
    config = replace(TINY, precision="float32", private=True)
    first, second = train(config, data, OPTIONS), train(config, data, OPTIONS)
    assert first.result() == second.result()
    assert (
        train(replace(config, seed=1), federated(replace(config, seed=1)), OPTIONS).result() != first.result()
    )


@pytest.mark.parametrize("iterations", [5, *(pytest.param(at, marks=pytest.mark.slow) for at in (0, 11))])
def test_interruption_inside_a_round_loses_that_round_alone(tmp_path, data, monkeypatch, iterations):
    """Ctrl-C in the middle of a pass: the checkpoint holds the last whole round, and going on gives the
    same record.
    """
    config = replace(TINY, precision="float32", private=True, rounds=3)
    whole = train(config, data, OPTIONS)
    options = replace(OPTIONS, checkpoints=tmp_path, every=1e9)
    done, advance = [], Trainer.advance

    def interrupted(self, size):
        if len(done) == iterations:
            raise KeyboardInterrupt
        done.append(size)
        advance(self, size)

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "advance", interrupted)
        with pytest.raises(KeyboardInterrupt):
            train(config, data, options)
    assert [path.suffix for path in tmp_path.iterdir()] == [".safetensors"]
    assert train(config, data, options).result() == whole.result()


@pytest.mark.parametrize("every_round_in", [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 3))])
def test_resuming_is_bit_for_bit(tmp_path, data, every_round_in):
    """Stop after some rounds, start again from the checkpoint: the same record, in both senses of a round."""
    local = {"method": "fed_alpha_normec", "local_steps": 2}
    for reading, change in (("pass", {}), ("step", {}), ("step", local)):
        config = replace(TINY, precision="float32", private=True, rounds=4, **change)
        config = with_readings(config, round=reading)
        whole = train(config, data, OPTIONS)
        options = replace(OPTIONS, checkpoints=tmp_path, every=0.0)

        def stop(run, measured):
            if len(run.rounds) == every_round_in:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train(config, data, options, stop)
        assert train(config, data, options).result() == whole.result()


def test_a_reduced_run_is_made_longer_without_repeating_a_round(tmp_path, data, monkeypatch):
    """One round, then two more of the same trajectory, equal three undisturbed ones; a shorter run after a longer
    one starts anew; the whole run leaves no checkpoint.
    """
    whole = replace(TINY, precision="float32", private=True, rounds=4)
    one, three = (replace(whole, stop_after=k) for k in (1, 3))
    assert one.trajectory == three.trajectory == whole.run
    undisturbed = train(three, data, OPTIONS)
    options = replace(OPTIONS, checkpoints=tmp_path)
    enqueued, enqueue = [], Trainer.enqueue
    monkeypatch.setattr(Trainer, "enqueue", lambda self, *test: (enqueued.append(1), enqueue(self, *test))[1])

    def rounds(config):
        enqueued.clear()
        run = Run(config, data, options)
        while run.record is None:
            run.start()
            run.finish()
        run.forget()
        return run.record.result(), len(enqueued)

    assert rounds(one) == (train(one, data, OPTIONS).result(), 1)
    assert rounds(three) == (undisturbed.result(), 2)
    assert rounds(one) == (train(one, data, OPTIONS).result(), 1)
    assert rounds(whole)[1] == 1, "the shorter run has left the longer one's checkpoint alone"
    assert not list(tmp_path.iterdir())


def test_damaged_checkpoint_is_named(tmp_path, data):
    from gpu_benchmarks.checkpoint import Checkpoint, path_of, write
    from gpu_benchmarks.errors import InputError

    config = replace(TINY, precision="float32")
    path = path_of(config, tmp_path)
    path.write_bytes(b"not safetensors")
    options = replace(OPTIONS, checkpoints=tmp_path)
    with pytest.raises(InputError, match=r"damaged checkpoint.*delete it"):
        train(config, data, options)
    write(Checkpoint(config.trajectory, (), {"x": torch.zeros(3)}, 1.0), path)
    with pytest.raises(InputError, match=r"do not fit this run.*delete it"):
        train(config, data, options)
    saved = Trainer(config, data, CPU).saved()
    write(Checkpoint(config.trajectory, (), saved | {"x": saved["x"].long()}, 1.0), path)
    with pytest.raises(InputError, match=r"do not fit this run: x; delete it"):
        train(config, data, options)
    for loss, accuracy, seconds in (
        ("1", 10.0, 1.0),
        (1.0, "10", 1.0),
        (1.0, 110.0, 1.0),
        (-1.0, 10.0, 1.0),
        (1.0, 10.0, math.nan),
    ):
        write(Checkpoint(config.trajectory, (Measured(loss, 1.0, accuracy),), saved, seconds), path)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r"damaged checkpoint.*delete it"):
            train(config, data, options)


@pytest.mark.parametrize("place", [-1, 1500], ids=["in a tensor", "in a round"])
def test_a_checkpoint_with_a_flipped_bit_is_named(tmp_path, data, place):
    """The file is still one that safetensors can read."""
    from gpu_benchmarks.checkpoint import Checkpoint, path_of, read, write
    from gpu_benchmarks.errors import InputError

    config = replace(TINY, precision="float32")
    path = path_of(config, tmp_path)
    rounds = (Measured(1.125, 1.5, 10.0),) * 50
    write(Checkpoint(config.trajectory, rounds, Trainer(config, data, CPU).saved(), 1.0), path)
    assert read(config, path) is not None
    content = bytearray(path.read_bytes())
    place = place if place < 0 else content.index(b"1.125", place) + 2
    content[place] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"damaged checkpoint \(not as it was written.*delete it"):
        read(config, path)
