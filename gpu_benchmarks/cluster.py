"""Several GPUs or machines with Ray: one worker a GPU, all on one folder. Ray schedules, the folder's locks
keep runs apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from gpu_benchmarks.config import Config
from gpu_benchmarks.data import data_folder
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.sweep import Folder, sweep
from gpu_benchmarks.training import Options


def ready() -> None:
    """Start Ray, or join it. Raises `InputError` where it is not installed or its machines have no GPU."""
    try:
        import ray  # type: ignore[import-not-found]
    except ImportError:
        raise InputError(
            "--ray: Ray is not installed; install the extra, `pip install normec[ray]`"
        ) from None
    ray.init(ignore_reinit_error=True)
    if not _gpus(ray):
        raise InputError("--ray: the Ray cluster has no GPU; run without --ray")


def spread(
    folder: Folder,
    configs: Sequence[Config],
    options: Options,
    minutes: float | None,
    data: Path | None,
    at_once: int,
) -> bool:
    """`sweep` by one Ray worker for each GPU of the cluster, once Ray is `ready`; the folder and the data must be on a disk that
    all of them see.
    """
    import ray  # type: ignore[import-not-found]

    # a worker may stand in another folder than this process, and have another environment
    shared = Folder(folder.path.resolve())
    real = any(config.data != "synthetic" for config in configs)
    store = (data or data_folder()).resolve() if real else None
    worker = ray.remote(num_gpus=1)(_work)
    try:
        ray.get(
            [
                worker.remote(shared, list(configs), options, minutes, store, at_once)
                for _ in range(_gpus(ray))
            ]
        )
    except InputError as error:  # Ray's own subclass of it, with the worker's traceback for a message
        raise InputError(*getattr(error, "cause", error).args) from None
    return all(shared.done(config) for config in configs)


def _gpus(ray: Any) -> int:
    return int(ray.cluster_resources().get("GPU", 0))


def _work(folder: Folder, configs: list[Config], options: Options, minutes, data, at_once: int) -> bool:
    """On a worker with one GPU of its own; the machine that asks may have none."""
    return sweep(folder, configs, replace(options, device=torch.device("cuda")), at_once, minutes, data)
