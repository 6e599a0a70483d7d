"""Worker processes that end with the command that started them."""

from __future__ import annotations

import multiprocessing as mp
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any


def each(work: Callable[..., Any], tasks: Sequence[tuple], workers: int) -> Iterator[tuple[int, Any]]:
    """(index of the task, `work(*task)`) as they are done, in at most `workers` new processes. `work` and the tasks are pickled.

    Whatever ends the loop early ends the workers at once, and so does the death of this process, however it comes.
    """
    workers = min(workers, len(tasks), max(2, os.cpu_count() or 1))  # more would only wait for each other
    with ProcessPoolExecutor(workers, mp.get_context("spawn"), _begin) as pool:
        futures = {pool.submit(work, *task): index for index, task in enumerate(tasks)}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in mp.active_children():  # or the exit would wait for what they are at
                worker.terminate()
            raise


def _begin() -> None:
    """In a worker: Ctrl-C is for the parent to hear, and a parent that was killed is followed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = mp.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()
