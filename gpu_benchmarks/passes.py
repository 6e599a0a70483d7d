"""How a pass over the clients' data splits into iterations: from the config alone, without data and without torch."""

from __future__ import annotations

from gpu_benchmarks.config import Config
from gpu_benchmarks.errors import InputError

SYNTHETIC = (400, 100)  # training and test images
OFFICIAL = {"cifar10": (50_000, 10_000), "synthetic": SYNTHETIC}


def split_sizes(config: Config) -> tuple[int, int]:
    """(training, test) images by the reading `split`, before `images` cuts any off."""
    training, test = OFFICIAL[config.data]
    whole = training + test if config.readings.split == "tenth-of-all" else training
    return whole - whole // 10, test if config.readings.split == "official-test" else whole // 10


def share(config: Config, training: int) -> int:
    """Images of each client, where there are so many training images. Raises `InputError` where they do not suffice."""
    if config.images is not None and config.images > training:
        raise InputError(f"images = {config.images}: {config.data} has {training} training images")
    each = (config.images or training) // config.clients
    if each < config.batch:
        raise InputError(
            f"clients = {config.clients}, batch = {config.batch}: each client gets {each} images, "
            "fewer than one mini-batch; use fewer clients or a smaller batch"
        )
    return each


def sizes(each: int, batch: int, last: str) -> tuple[int, ...]:
    """Images of a client in each mini-batch of one pass over its `each` images, by the reading `last_batch`."""
    full, rest = divmod(each, batch)
    if full == 0:
        raise ValueError(f"a client holds {each} images, fewer than one mini-batch of {batch}")
    if rest == 0 or last == "drop":
        return (batch,) * full
    return (batch,) * full + ((rest,) if last == "short" else (batch,))


def groups(pass_sizes: tuple[int, ...], local_steps: int, reading: str) -> tuple[tuple[int, ...], ...]:
    """The iterations of one pass: for each, the sizes of the mini-batches of its local steps, by the reading
    `local_batches`.

    With fresh mini-batches an iteration uses up `local_steps` of them, and the last one of a pass makes as
    many local steps as there are mini-batches left.
    """
    if reading == "same":
        return tuple((size,) * local_steps for size in pass_sizes)
    return tuple(pass_sizes[k : k + local_steps] for k in range(0, len(pass_sizes), local_steps))


def iterations(config: Config) -> tuple[tuple[int, ...], ...]:
    """The iterations of one pass of the config; see `groups`. Raises `InputError` where `share` does."""
    each = share(config, split_sizes(config)[0])
    readings = config.readings
    return groups(sizes(each, config.batch, readings.last_batch), config.local_steps, readings.local_batches)


def iterations_per_round(config: Config, of_a_pass: tuple[tuple[int, ...], ...] = ()) -> int:
    """How many iterations a printed round is, by the reading `round`.

    of_a_pass: the iterations of one pass, where they are known from the data; by default those of the config.
    """
    return len(of_a_pass or iterations(config)) if config.readings.round == "pass" else 1
