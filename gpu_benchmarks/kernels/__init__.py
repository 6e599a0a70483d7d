"""Triton kernels for a batch of several clients' images on a GPU: convolutions that take along what normalisation needs,
normalisation, ReLU and shortcut in one pass, and weight gradients client by client.

Tensors are in channels-last order, as if (image, row, column, channel) were their axes, and images are interleaved as
`layers` says: image b of client c is number b·clients + c. A *row* is one pixel of one image, `channels` numbers. Sums go
over one client's rows, in parts that the next kernel adds up in a fixed order, so that a repetition gives the same bits.
Numbers are read and written in the tensor's type and computed in float32.

Convolutions are 3 × 3. For each row of the kernel the pixels under its three columns are taken as one long vector, of four
columns, since lengths are powers of two. Where the stride is 1 all four can be used: a row of the matrix product is then a *pair* of
neighbouring output pixels, `outputs` = 2, whose numbers lie side by side in memory too. Half as many bytes go through a
multiprocessor as with one pixel a row, `outputs` = 1, where the fourth column is 0.
"""

from gpu_benchmarks.kernels.convolutions import convolve, convolve_back
from gpu_benchmarks.kernels.ends import gather_linear, linear, mini_batch
from gpu_benchmarks.kernels.normalisation import masked, normalise, statistics, through_normalisation
from gpu_benchmarks.kernels.weights import gather_weight_gradients, weight_gradients

__all__ = [
    "convolve",
    "convolve_back",
    "gather_linear",
    "gather_weight_gradients",
    "linear",
    "masked",
    "mini_batch",
    "normalise",
    "statistics",
    "through_normalisation",
    "weight_gradients",
]
