"""Hand independent pieces of work to processes.

Threads do not serve here: a round of a chunk is some twenty array operations of 20 to 50 µs, and threads that
pass the interpreter's lock to each other twenty times a round take longer for it than for the arithmetic
(measured: two threads 1.2 times as fast as one, two processes 1.8 times).
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import warnings
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from methods.terminal.console import WorkerDied

Piece = tuple[int, int]
"""First and last but one of a row of runs."""
Work = Callable[[int, int, Callable[[], bool]], Any]
"""What to do with a piece (start, end), and a question to ask from time to time: must I stop?"""
HEAP_BYTES = 30 * 1024 * 1024
"""Just below the largest size (32 MiB) from which glibc learns."""


def each(work: Work, pieces: list[Piece], workers: int) -> Generator[tuple[Piece, Any]]:
    """Every piece with its result, as they are finished; one worker does them here, in their order.

    The workers inherit `work` by fork, so that it may be any function; what it returns is pickled. Where fork
    is not safe (it is on Linux alone), threads take their place. An interrupt, or an error in a piece, stops
    all of them at their next question; so does the death of a worker, which raises `WorkerDied`.
    """
    if min(workers, len(pieces)) == 1:
        for piece in pieces:
            yield piece, work(*piece, lambda: False)
        return
    forks = sys.platform == "linux"
    context = multiprocessing.get_context("fork" if forks else None)
    stop = context.Event()
    pool: Executor
    if forks:
        pool = ProcessPoolExecutor(workers, context, _begin, (work, stop.is_set))
        perform: Callable[[Piece], Any] = _perform
    else:
        pool = ThreadPoolExecutor(workers)
        perform = lambda piece: work(*piece, stop.is_set)  # noqa: E731
    with pool:
        try:
            # A worker is a core: products of matrices that each take all cores were 5 times slower.
            with threadpool_limits(1), warnings.catch_warnings():
                # Python 3.12 warns of a fork beside other threads: they may hold locks. A worker takes none:
                # it computes, and answers through its own pipe.
                warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
                pending = {pool.submit(perform, piece): piece for piece in pieces}
            for future in as_completed(pending):
                yield pending.pop(future), future.result()
        except BaseException as error:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            if isinstance(error, BrokenProcessPool):
                raise WorkerDied("run again when more memory is free") from error
            raise


_inherited: list[tuple[Work, Callable[[], bool]]] = []
"""In a worker: what it was forked to do."""


def _begin(work: Work, must_stop: Callable[[], bool]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, and sets `stop`
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # not the parent's handler, which came with the fork
    # glibc gives freed memory back to the system, and faults it in anew a round later, until it has seen a large
    # block freed: in a fresh process that took a quarter of the time.
    np.empty(HEAP_BYTES, dtype=np.uint8)
    _inherited.append((work, must_stop))


def _perform(piece: Piece) -> Any:
    work, must_stop = _inherited[-1]
    return work(*piece, must_stop)
