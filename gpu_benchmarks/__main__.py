"""`python -m gpu_benchmarks`."""

from gpu_benchmarks.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
