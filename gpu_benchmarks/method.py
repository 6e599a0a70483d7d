"""From a config to a method of `methods`: which published point, and how large its noise is."""

from __future__ import annotations

import math
from dataclasses import replace

import methods
from bounds.experiment_noise import experiment_scale, experiment_scale_short_root
from gpu_benchmarks.config import Config
from gpu_benchmarks.errors import InputError
from gpu_benchmarks.training_methods import METHODS
from methods.feedback import EF21
from methods.local_work import LocalDescent
from methods.noise import Gaussian, per_coordinate
from methods.participation import Bernoulli, Everybody


def printed_scale(config: Config, iterations_per_round: int) -> float:
    """p β √(K log(1/δ))/ε, Section 6.2 of α-NormEC (p = 1), or p β √K log(1/δ)/ε, Section 5 of Fed-α-NormEC, as
    `noise_root` says; both papers call it a variance.
    """
    rounds = config.rounds * (iterations_per_round if config.readings.noise_rounds == "steps" else 1)
    long_root = config.readings.noise_root == "K and log"
    formula = experiment_scale if long_root else experiment_scale_short_root
    return formula(config.beta, float(rounds), config.epsilon, float(config.delta), config.participation)


def noise_std(config: Config, d: int, iterations_per_round: int) -> float:
    """Standard deviation per coordinate of the noise that one client adds to its message.

    Messages are Δ_i with ‖Δ_i‖ ≤ 1, which the server multiplies by β; those that are clipped are up to τ = β
    long and are not multiplied, so that all readings of where the noise joins agree there.
    """
    if not config.private:
        return 0.0
    scale = printed_scale(config, iterations_per_round)
    if not math.isfinite(scale):
        raise InputError(
            f"beta = {config.beta:g}, epsilon = {config.epsilon:g}, delta = {config.delta:g}: noise of scale "
            f"{scale:g} is no finite number; give a smaller β, or a larger ε or δ"
        )
    joins = "message" if METHODS[config.method].clips else config.readings.noise_joins
    scale /= config.beta if joins == "message without β" else 1
    std = float(per_coordinate(scale, d, config.readings.noise))  # type: ignore[arg-type]
    return std / config.beta if joins == "memory" else std


def build(config: Config, d: int, iterations_per_round: int) -> methods.Method:
    """The method of the config for a network with d parameters."""
    beta, gamma, alpha = config.beta, config.gamma, config.alpha
    std = noise_std(config, d, iterations_per_round)
    noise = Gaussian(std) if config.private else None
    who = Everybody() if config.participation == 1 else Bernoulli(config.participation)
    match config.method:
        case "sgd":
            return methods.by_name("gradient_descent", gamma=gamma)
        case "alpha_normec":
            method = methods.by_name(
                "alpha_normec",
                gamma=gamma,
                beta=beta,
                alpha=alpha,
                server_normalisation=config.server_normalisation,
            )
            return replace(method, noise=noise)
        case "clip21":
            return replace(methods.by_name("clip21", gamma=gamma, tau=beta), noise=noise)
        case "dp_sgd":
            # x ← x − γ (1/n) Σ β(Norm_α(∇f_i) + z_i): eq. (2) with the message scaled to the sensitivity β.
            return replace(methods.by_name("dp_sgd_smoothed", gamma=gamma * beta, alpha=alpha), noise=noise)
        case "dp_sgd_clip":
            return replace(methods.by_name("dp_sgd_clip", gamma=gamma, tau=beta), noise=noise)
        case "fed_alpha_normec":
            method = methods.by_name(
                "fed_alpha_normec",
                eta=gamma,
                gamma=gamma,
                beta=beta,
                alpha=alpha,
                p=config.participation,
                T=config.local_steps,
                std=std if config.private else None,
                server_normalisation=config.server_normalisation,
            )
            feedback = EF21(beta, participants_only=config.readings.absent == "idle")
            return replace(method, participation=who, feedback=feedback)
        case "fedavg":
            # Ψ acts on x − T(x) = γu, and Norm_α(γu) = γu/(α + γ‖u‖) = Norm_{α/γ}(u).
            method = methods.by_name("dp_sgd_smoothed", gamma=gamma * beta, alpha=alpha / gamma)
            return replace(
                method,
                noise=noise,
                participation=who,
                local_work=LocalDescent(config.local_steps, gamma),
            )
    raise AssertionError(config.method)
