"""`python -m gpu_benchmarks features --dataset cifar10|cifar100 --weights PATH`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gpu_benchmarks.data import load
from gpu_benchmarks.data.cli import add_folder
from gpu_benchmarks.data.fetch import provide
from gpu_benchmarks.data.sources import source
from gpu_benchmarks.device import choose
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.features import resnet18, store
from gpu_benchmarks.features.extract import extract
from gpu_benchmarks.features.extracted import SIDE, Extraction
from methods.terminal.output import check_apart, check_writable
from methods.terminal.progress import progress_bar

DATASETS = ("cifar10", "cifar100")
SMALLEST = 32  # the images' own side: a smaller one would lose pixels
LARGEST = 1024  # what is larger is taken for a slip of the pen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--dataset", choices=DATASETS, required=True, help="whose images (no default)")
    parser.add_argument(
        "--weights",
        type=Path,
        required=True,
        metavar="PATH",
        help="a ResNet-18 trained on ImageNet: a safetensors file with torchvision's names (no default)",
    )
    parser.add_argument(
        "--size",
        type=int,
        default=SIDE,
        help=f"side to which images are enlarged, bilinearly, pixels (from {SMALLEST} to {LARGEST}; default: %(default)s)",
    )
    parser.add_argument("--batch", type=int, default=100, help="images at a time (default: %(default)s)")
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    add_folder(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the result (default: that of the data sets)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def run(args: argparse.Namespace) -> int:
    """0: the features are there. Raises `InputError` for what the user can mend; Ctrl-C keeps what is done."""
    if not SMALLEST <= args.size <= LARGEST:
        raise InputError(f"--size {args.size}: must be in [{SMALLEST}, {LARGEST}]")
    if args.batch < 1:
        raise InputError(f"--batch {args.batch}: must be at least 1")
    device = choose(args.device)
    path = store.path_of(args.dataset, args.out or args.data)
    partial = path.with_suffix(".part")
    check_apart("the result", path, {"the file of --weights": args.weights})
    weights, digest = resnet18.load(args.weights, device)
    which = source(args.dataset)
    extraction = Extraction(args.dataset, digest, store.checksums(which), args.size)
    if path.is_file():
        there = store.read(path, which).extraction
        if there != extraction:
            raise InputError(f"{path}: holds other features ({there}); choose another --out or delete it")
        print(f"{path} is there: {extraction}", file=sys.stderr)
        return 0
    check_writable(path)
    provide(args.dataset, args.data)
    images = load(args.dataset, args.data)
    with progress_bar("images", args.quiet) as bar:
        task = bar.add_task(args.dataset, total=None)
        found = extract(
            images,
            weights,
            extraction,
            partial,
            args.batch,
            device,
            lambda done, of: bar.update(task, completed=done, total=of),
        )
    store.write(path, found)
    partial.unlink(missing_ok=True)
    print(f"{path}: {extraction}", file=sys.stderr)
    return 0
