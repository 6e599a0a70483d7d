"""The commands of `python -m gpu_benchmarks`, one a file: arguments in, exit status out."""
