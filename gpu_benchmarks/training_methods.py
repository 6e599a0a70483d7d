"""The methods that are trained, and what each has: which settings and readings say anything of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class TrainingMethod:
    """name, says: for people, short and in a line.

    message: what a client sends of its vector: `smoothed`, Norm_α of it, at most 1 long; `clipped` at β; or the `whole` of it, which
    nothing bounds, so that no noise makes it private. memories: whether clients keep g_i (error feedback). federated: whether it
    takes participation p and T local steps, as the methods of Fed-α-NormEC's experiments. server_normalisation: whether line 11 of
    α-NormEC's Algorithm 1 can be asked for.
    """

    name: str
    says: str
    message: Literal["smoothed", "clipped", "whole"]
    memories: bool = False
    federated: bool = False
    server_normalisation: bool = False

    @property
    def clips(self) -> bool:
        return self.message == "clipped"


METHODS: Mapping[str, TrainingMethod] = {
    "alpha_normec": TrainingMethod(
        "α-NormEC",
        "α-NormEC; DP-α-NormEC where the run is private",
        "smoothed",
        memories=True,
        server_normalisation=True,
    ),
    "clip21": TrainingMethod(
        "Clip21", "Clip21 with τ = β; DP-Clip21 where the run is private", "clipped", memories=True
    ),
    "dp_sgd": TrainingMethod(
        "DP-SGD smoothed",
        "eq. (2) of α-NormEC with the message β·Norm_α(∇f_i): no error feedback; noise where private",
        "smoothed",
    ),
    "dp_sgd_clip": TrainingMethod(
        "DP-SGD clipped",
        "eq. (2) of α-NormEC with the message Clip_β(∇f_i): no error feedback; noise where private",
        "clipped",
    ),
    "fed_alpha_normec": TrainingMethod(
        "Fed-α-NormEC",
        "Fed-α-NormEC with participation p and T local steps",
        "smoothed",
        memories=True,
        federated=True,
        server_normalisation=True,
    ),
    "fedavg": TrainingMethod(
        "FedAvg",
        "the method of Fed-α-NormEC's D.1: FedAvg with β·Norm_α of the local update, no error feedback",
        "smoothed",
        federated=True,
    ),
    "sgd": TrainingMethod("SGD", "the mean of the clients' gradients, nothing done to it", "whole"),
}
