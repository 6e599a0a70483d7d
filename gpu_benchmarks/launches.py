"""How the kernels of `gpu_benchmarks.kernels` are launched: of what was tried on an H200, with 10 clients of 32 images in bfloat16,
the fastest. No number computed depends on it but by rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Launch:
    """Of a convolution. rows: of a matrix product, output pixels or pairs of them, that a program takes at once; warps: that it
    has; ahead: steps that it loads ahead; room: programs that a multiprocessor has room for, by their registers and shared
    memory. A tensor is shared by no more, unless there are more clients, so that no second round of a few programs holds up the
    next kernel. outputs: pixels in a row, where the stride is 1.
    """

    rows: int
    warps: int
    ahead: int
    room: int
    outputs: int

    def settings(self, dtype: torch.dtype, stride: int = 1) -> dict[str, int]:
        """For a kernel: fewer rows and none ahead where numbers are twice as long as bfloat16, which would not fit otherwise."""
        short = dtype == torch.bfloat16
        return {
            "rows": self.rows if short else min(self.rows, 64),
            "num_warps": self.warps,
            "num_stages": self.ahead if short else 1,
            "outputs": self.outputs if stride == 1 else 1,
        }


# By channels of input and output.
CONVOLVE = {
    (3, 16): Launch(128, 4, 1, 4, 1),
    (16, 16): Launch(64, 4, 1, 5, 2),
    (16, 32): Launch(64, 4, 1, 3, 1),
    (32, 32): Launch(64, 4, 1, 2, 2),
}
WEIGHTS = {
    (3, 16): Launch(128, 4, 1, 4, 1),
    (16, 16): Launch(64, 4, 1, 3, 2),
    (16, 32): Launch(32, 4, 3, 5, 1),
    (32, 32): Launch(32, 4, 3, 2, 2),
    (64, 64): Launch(64, 8, 2, 1, 2),
}
CONVOLVE_BACK = {16: Launch(64, 4, 1, 4, 2), 32: Launch(64, 4, 1, 2, 2)}
OTHERWISE = Launch(64, 4, 1, 2, 1)

# Of the other kernels.
IN_A_PART = 8192  # numbers, at least, that are worth a program
AT_ONCE = 4096  # of them
ROOM = 8  # as of a `Launch`
