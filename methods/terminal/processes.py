"""Worker processes that end with the command that started them."""

from __future__ import annotations

import multiprocessing as mp
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from methods.terminal.console import WorkerDied


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def each(work: Callable[..., Any], tasks: Sequence[tuple], workers: int) -> Iterator[tuple[int, Any]]:
    """(index of the task, `work(*task)`) as they are done, in at most `workers` new processes. `work` and the tasks are pickled.

    Whatever ends the loop early ends the workers at once, and so does the death of this process, however it comes. The death of
    a worker raises `WorkerDied`.
    """
    workers = min(workers, len(tasks), max(2, cores()))  # more would only wait for each other
    with ProcessPoolExecutor(workers, mp.get_context("spawn"), _begin) as pool:
        try:
            with _signals_later():
                futures = {pool.submit(work, *task): index for index, task in enumerate(tasks)}
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in mp.active_children():  # or the exit would wait for what they are at
                worker.terminate()
            if isinstance(error, BrokenProcessPool):
                raise WorkerDied("run again with fewer --jobs") from error
            raise


@contextmanager
def _signals_later() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait while workers are started: one that gets half of what it reads complains of it. Ctrl-C is blocked
    too, which workers inherit: a terminal sends it to them as well, and `_begin` comes only after their imports."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: caught.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
    for number in caught:
        signal.raise_signal(number)


def _begin() -> None:
    """In a worker: Ctrl-C is for the parent to hear, and a parent that was killed is followed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = mp.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()
