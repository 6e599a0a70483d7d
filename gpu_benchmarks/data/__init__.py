"""Data sets as numpy arrays of bytes, and the splits and client partitions that the papers leave open.

`NORMEC_DATA` names the folder that holds the files; without it, the user's cache folder. Every file is
compared with a checksum fixed in `gpu_benchmarks.data.sources` before it is used. Nothing is ever
unpickled.

    sources    which files, from where, with which checksum
    fetch      download: progress, resume, rename when whole
    load       files -> uint8 arrays
    partition  seeded splits and client partitions, as indices
"""

from gpu_benchmarks.data.load import Images, load
from gpu_benchmarks.data.sources import DATASETS, DataError, data_folder

__all__ = ["DATASETS", "DataError", "Images", "data_folder", "load"]
