"""What the papers leave open about their CIFAR-10 experiments, each point a named reading with its options.

A reading is chosen in a config, goes into every record, and is never a default that the code hides.
`OPTIONS` is the one
list: validation, `--help` and the report read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from methods.noise import READINGS as NOISE_READINGS
from methods.terminal.console import shown

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "round": {
        "pass": "a printed round is one pass over every client's data, each mini-batch an iteration",
        "step": "a printed round is one mini-batch of each client, one iteration",
    },
    "split": {
        "tenth-of-training": "10% of the 50,000 training images are the test set; the official one is unused",
        "tenth-of-all": "10% of all 60,000 images are the test set",
        "official-test": "the official test set; another 10% of the training images are held out",
    },
    "augmentation": {
        "none": "images as they are",
        "crop-and-flip": "zero padding by 4, random 32 × 32 crop, horizontal flip with probability 1/2",
        "crop": "the crop without the flip",
        "flip": "the flip without the crop",
    },
    "pixels": {
        "imagenet": "channels shifted and scaled by ImageNet's figures, as the code base built on does",
        "cifar": "channels shifted and scaled by CIFAR-10's own figures",
        "unit": "pixels in [0, 1]",
    },
    "batches": {
        "pass": "every client goes through its shuffled data, without replacement within a pass",
        "independent": "every mini-batch is drawn afresh, with replacement",
    },
    "last_batch": {
        "short": "the last mini-batch of a pass holds what is left (4,500 = 140 × 32 + 20)",
        "drop": "what is left is dropped",
        "wrap": "the last mini-batch is filled up with the first images of the pass",
    },
    "local_batches": {
        "fresh": "each of the T local steps takes the next mini-batch, so a pass has 1/T as many communications",
        "same": "all T local steps of a round use one mini-batch; no paper prints this",
    },
    "noise": {name: f"the printed scale is the {name}" for name in NOISE_READINGS},
    "noise_joins": {
        "message": "noise of the printed scale is added to the message, which the server multiplies by β",
        "message without β": "the printed scale's β is that factor, and noise of the scale without it is added to the message: "
        "α-NormEC's Section 5 has no β in σ_DP",
        "memory": "the noise that reaches the memory, after the factor β, has the printed scale",
    },
    "noise_root": {
        "K alone": "the printed scale has √K log(1/δ), as Fed-α-NormEC prints it",
        "K and log": "the printed scale has √(K log(1/δ)), as α-NormEC prints it: less by √log(1/δ), 3.4 at δ = 10⁻⁵",
    },
    "noise_rounds": {
        "rounds": "K in the noise is the number of printed rounds",
        "steps": "K in the noise is the number of iterations",
    },
    "statistics": {
        "in-turn": "running averages of batch norm move once a client and local step, one after the other, by 0.1",
        "mean": "running averages move once a local step, by 0.1 towards the clients' mean",
    },
    "memories": {
        "zero": "g_i⁰ = 0",
        "first-gradient": "g_i⁰ is the gradient of the client's first mini-batch at x⁰",
    },
    "absent": {
        "update": "a client that does not send still updates its memory, as line 6 of Fed-α-NormEC prints",
        "idle": "a client that does not send leaves its memory as it is",
    },
}

ACCURACIES: Mapping[str, str] = {
    "highest": "the largest test accuracy over the rounds",
    "final": "the test accuracy after the last round",
    "mean of the last 5 rounds": "the mean of the last 5 test accuracies",
}
"""Which accuracy of a run a printed number is of, where the paper leaves it open: a reading of the table, not of the run,
whose record holds every round. `reported.toml` names one for each number and says why its verdict keeps to that one.
"""


@dataclass(frozen=True)
class Readings:
    """One option for each open point; see `OPTIONS`. `local_batches` matters with T > 1 alone, which no printed
    number has: the theorem's local steps use the full local gradient, the experiments batches of 32, and a
    local step on fresh data is what local SGD means, hence the default. Which accuracy is meant is no part of it: see `ACCURACIES`.

    absent: a client that does not send still computes under either option, and in FedAvg: its mini-batches move the
    running averages of batch norm and enter the training loss, as if everyone evaluated and some stayed silent.

    noise_root: the default is what runs had before this was a reading, so that their records mean what they did. It is
    what Fed-α-NormEC prints; where α-NormEC's methods are private the plans, files of runs and `train` say the other
    (`config.printed_root`).
    """

    round: str = "pass"
    split: str = "tenth-of-training"
    augmentation: str = "none"
    pixels: str = "imagenet"
    batches: str = "pass"
    last_batch: str = "short"
    local_batches: str = "fresh"
    noise: str = "variance per coordinate"
    noise_joins: str = "message"
    noise_root: str = "K alone"
    noise_rounds: str = "rounds"
    statistics: str = "in-turn"
    memories: str = "zero"
    absent: str = "update"

    def __post_init__(self) -> None:
        for item in fields(self):
            value, options = getattr(self, item.name), OPTIONS[item.name]
            if not isinstance(value, str) or value not in options:
                raise ValueError(
                    f"reading {item.name} = {shown(value)} is unknown; the options are {', '.join(options)}"
                )
