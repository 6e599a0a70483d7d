"""What a communication round is: the committed training records against the printed 86.09%."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verify.alpha_normec.letters import PAPER
from verify.claim import Claim
from verify.sampling import Sampling, most_whatever_the_law, sample

RECORDS = Path(__file__).parents[3] / "gpu_benchmarks" / "records"
PRINTED, ROUNDING = 86.09, 0.005
"""Table 2, final test accuracy of α-NormEC at β = γ = 0.1, α = 0.01 after 300 rounds, in percent."""
CELL = {
    "method": "alpha_normec", "gamma": 0.1, "beta": 0.1, "alpha": 0.01, "server_normalisation": False, "clients": 10,
    "batch": 32, "rounds": 300, "stop_after": None, "images": None, "private": False, "data": "cifar10", "blocks": 3,
    "width": 16, "precision": "float32",
}  # fmt: skip
STEP = {
    "round": "step", "augmentation": "none", "memories": "zero", "split": "tenth-of-training", "pixels": "imagenet",
    "batches": "pass", "last_batch": "short", "statistics": "in-turn",
}  # fmt: skip
"""What is not printed, as these runs have it; the readings that are left out concern noise, local steps and absent clients."""
FIRST, LONGER = (42, 0, 1, 2, 3, 4), (5, 6, 7, 8, 9, 10, 11)
"""Seeds of the first set of runs and of the independent, longer one: fixed when four of the first had been seen and none of the
second, and not to be changed by what comes out."""
LEAST_DEVIATION = 0.5
"""Percentage points: what 5,000 test images alone scatter; equal seeds must not shrink the interval below it."""


def final_accuracies(folder: Path) -> dict[int, float]:
    """Final accuracy by seed of the full runs of the printed cell with a round read as one mini-batch step."""
    found = {}
    for config, metrics in _records(folder):
        readings = config["readings"]
        cell = all(config[name] == value for name, value in CELL.items())
        if cell and all(readings[name] == value for name, value in STEP.items()):
            found[config["seed"]] = float(metrics["test_accuracy"][-1])
    return found


def _records(folder: Path) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        yield record["config"], record["metrics"]


def step_sampling(folder: Path = RECORDS) -> Sampling:
    """The mean final accuracy under the reading "one step" against the printed one, over two sets of seeds. The limit that takes no
    law for granted was added when all runs had been seen; it can only keep the claim from being refuted."""
    accuracy = final_accuracies(folder)
    breaks, bound = "the mean final accuracy, in percent, reaches the printed one", PRINTED - ROUNDING
    if missing := [seed for seed in (*FIRST, *LONGER) if seed not in accuracy]:
        return Sampling(breaks, f"no full run with seed {', '.join(map(str, missing))}", ">=", bound)
    samples = tuple(
        sample({seed: accuracy[seed] for seed in seeds}, "upper", LEAST_DEVIATION)
        for seeds in (FIRST, LONGER)
    )
    said = [
        f"seeds {', '.join(map(str, s.seeds))}: mean {s.mean:.2f}, at most {s.limit:.2f} at confidence 1 − 1e-6"
        for s in samples
    ]
    any_law = most_whatever_the_law([accuracy[seed] for seed in (*FIRST, *LONGER)], 100.0)
    said.append(f"all of them, whatever the law of the accuracies: at most {any_law:.2f}")
    problem = f"300 rounds of one step, all of CIFAR-10, final accuracy in percent; {'; '.join(said)}; printed {PRINTED}"
    return Sampling(breaks, problem, ">=", bound, samples, any_law)


ROUND_STEP = Claim(
    id="NEC-EXP-ROUND@step",
    paper=PAPER,
    place="I.1 and Table 2, a round read as one iteration of Algorithm 1",
    kind="prose",
    printed="Every worker computed gradients with batch size 32. The training was performed for 300 communication rounds. […] "
    "α-NormEC without server normalization […] at β = 0.1 […] 86.09%. [a round is one iteration of Algorithm 1; 86.09% is reached in "
    "the mean over seeds; what is not printed as in our protocol: memories that start from 0, no augmentation, a tenth of the "
    "training images as the test set]",
    reason="As in Algorithm 1 a round is then one gradient of each worker, and 300 rounds of 32 images each are two passes over the "
    "data; full runs of the printed cell do not reach the printed accuracy in this protocol (with crop and flip a run of one seed "
    "ended lower still). Each set's interval takes the accuracy of a run to be normally distributed over the seeds; one over all "
    "thirteen runs takes nothing for granted but that they are independent draws of one law and no accuracy is above 100%, and "
    "lies below the printed one too",
    undecided="In Algorithm 1 a round is one gradient of each worker; of 32 images each, 300 such rounds are two passes over the "
    "data. Two independent sets of full runs, six seeds and seven, are to put the mean below the printed accuracy at 1e-6; "
    "not all of them are among the records (`python -m gpu_benchmarks sweep --plan steps --out DIR --test-every 50`).",
    statistical=step_sampling,
    consequence="In our protocol the printed 86.09% belongs to some other number of communications; if it is the paper's too, what "
    "K = 300 counts in the noise has to be said.",
)
CLAIMS = (ROUND_STEP,)
