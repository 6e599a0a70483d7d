"""cvc5 in a process of its own, because its time limit is not kept inside the cylindrical algebraic coverings."""

from __future__ import annotations

import atexit
import multiprocessing as mp
from collections.abc import Sequence
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from sympy.logic.boolalg import Boolean


class SecondSolver:
    """A worker that is asked one question at a time and replaced when it does not answer in time."""

    def __init__(self) -> None:
        self._worker: tuple[BaseProcess, Connection] | None = None

    def ask(self, formulas: Sequence[Boolean], seconds: float) -> str:
        """sat, unsat or unknown; a worker that dies or runs out of time is `unknown`."""
        worker = self._worker or _start()
        process, pipe = worker
        self._worker = (
            None  # until it has answered: an answer that nobody waited for would be taken for the next one
        )
        try:
            pipe.send(list(formulas))
            if pipe.poll(seconds):
                answer = pipe.recv()
                self._worker = worker
                return answer
        except (EOFError, BrokenPipeError):
            pass
        finally:
            if self._worker is None:
                process.kill()
                process.join()
        return "unknown"

    def close(self) -> None:
        if self._worker:
            self._worker[0].kill()
            self._worker = None


def _start() -> tuple[BaseProcess, Connection]:
    context = mp.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), daemon=True)
    process.start()
    there.close()
    if not here.poll(60) or here.recv() != "ready":
        raise RuntimeError("cvc5 did not start within 60 s")
    return process, here


def _serve(pipe: Connection) -> None:
    from verify.smt import ask_cvc5

    pipe.send("ready")
    while True:
        try:
            formulas = pipe.recv()
        except EOFError:
            return
        pipe.send(ask_cvc5(formulas))


@cache
def cvc5() -> SecondSolver:
    """The one of this process, which ends with it."""
    solver = SecondSolver()
    atexit.register(solver.close)
    return solver
