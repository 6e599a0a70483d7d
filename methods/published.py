"""The published methods by name, each with its parameters named as in the paper that it comes from.

Units, f of the objective and x of the iterate: α, τ and C are f/x, as gradients are, and so is the β that multiplies Norm_α, which
has no unit. A step is a length (x) where the vector before it is normalised, else x²/f, as local steps and β_k of DP-NormFedAvg are.
The noise has the unit of the message: none beside Norm_α, else f/x.

Domains: steps, β, τ and C > 0; α and the noise ≥ 0; p in (0, 1]; T, E, k, batch and FedAvg's r whole numbers ≥ 1, the r of
DP-NormFedAvg's Algorithm 1 any number > 0. Outside them a `ValueError` is raised, for what is no number a `TypeError`.

by_name("alpha_normec", gamma=0.1, beta=0.1, alpha=0.01)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from methods.algebra import Method
from methods.arrays import Parameter
from methods.feedback import EF21
from methods.local_work import LocalDescent, LocalSum, LocalWork
from methods.noise import Gaussian
from methods.operators import Clip, FixedNorm, Identity, SmoothedNorm, TopK
from methods.participation import Bernoulli, Everybody, FixedSize, Participation, Poisson
from methods.server import Normalised, Plain


def gradient_descent(gamma: Parameter) -> Method:
    """x ← x − γ (1/n) Σ ∇f_i(x)."""
    return Method(Identity(), Plain(gamma))


def alpha_normec(
    gamma: Parameter, beta: Parameter, alpha: Parameter, server_normalisation: bool = True
) -> Method:
    """α-NormEC (arXiv 2502.13482, Algorithm 1, non-private). Without server normalisation: line 11 reads x −
    γĝ, eq. (11)."""
    server = Normalised(gamma) if server_normalisation else Plain(gamma)
    return Method(SmoothedNorm(alpha), server, EF21(beta))


def dp_alpha_normec(
    gamma: Parameter, beta: Parameter, alpha: Parameter, std: Parameter, server_normalisation: bool = True
) -> Method:
    """DP-α-NormEC (arXiv 2502.13482, Algorithm 1, private). std: of a client's noise, per coordinate, before
    the factor β; see methods.noise for the other readings of "σ²_DP-variance"."""
    server = Normalised(gamma) if server_normalisation else Plain(gamma)
    return Method(SmoothedNorm(alpha), server, EF21(beta), Gaussian(std))


def clip21(gamma: Parameter, tau: Parameter) -> Method:
    """Clip21 (Khirirat et al., 2023), as eqs. (9) to (11) of arXiv 2502.13482 have it: Ψ = Clip_τ, β = 1."""
    return Method(Clip(tau), Plain(gamma), EF21(1.0))


def dp_clip21(gamma: Parameter, tau: Parameter, std: Parameter) -> Method:
    """DP-Clip21 (arXiv 2502.13482, Section 6.2): Clip21 whose clients add noise to what they send. std: per
    coordinate, of that noise as it is sent; for sensitivity τ it scales with τ."""
    return Method(Clip(tau), Plain(gamma), EF21(1.0), Gaussian(std))


def dp_sgd_clip(gamma: Parameter, tau: Parameter, std: Parameter = 0.0, batch: int | None = None) -> Method:
    """DP-SGD with clipping (arXiv 2502.13482, eqs. (2) and (5)). std: per coordinate, of the noise z added to
    the mean; batch: B, everybody if None."""
    return Method(Clip(tau), Plain(gamma), None, _server_noise(std), _subset(batch))


def dp_sgd_smoothed(
    gamma: Parameter, alpha: Parameter, std: Parameter = 0.0, batch: int | None = None
) -> Method:
    """DP-SGD with smoothed normalisation (arXiv 2502.13482, eqs. (2) and (6)); α = 0 is the method of Example
    1."""
    return Method(SmoothedNorm(alpha), Plain(gamma), None, _server_noise(std), _subset(batch))


def ef21(gamma: Parameter, k: int) -> Method:
    """EF21 with Top-k (Richtárik et al., 2021): eqs. (9) to (11) of arXiv 2502.13482 with Ψ = Top-k, β =
    1."""
    return Method(TopK(k), Plain(gamma), EF21(1.0))


def fed_alpha_normec(
    eta: Parameter,
    gamma: Parameter,
    beta: Parameter,
    alpha: Parameter,
    p: Parameter = 1.0,
    T: int = 1,
    std: Parameter | None = None,
    local_work: LocalWork | None = None,
    server_normalisation: bool = True,
) -> Method:
    """(DP-)Fed-α-NormEC (Algorithm 1). eta: server step; gamma: total length of the local steps; p:
    probability to send; T: local gradient steps; std: of a client's noise, per coordinate, None in the
    non-private setting; local_work: takes the place of the T local steps, e.g. CyclicIncremental(gamma)."""
    return Method(
        SmoothedNorm(alpha),
        Normalised(eta) if server_normalisation else Plain(eta),
        EF21(beta),
        None if std is None else Gaussian(std),
        Bernoulli(p),
        local_work or LocalDescent(T, gamma),
    )


def fedavg(eta: Parameter, E: int, r: int | None = None) -> Method:
    """FedAvg with full local gradients (DP-NormFedAvg, Algorithm 2). r: clients in a round, everybody if
    None."""
    return Method(Identity(), Plain(eta), None, None, _subset(r), LocalSum(E, eta))


def dp_fedavg_clip(
    eta: Parameter, beta: Parameter, C: Parameter, E: int, sigma: Parameter, r: Parameter | None = None
) -> Method:
    """DP-FedAvg with clipping (DP-NormFedAvg, Algorithm 1, option (i)); see `dp_normfedavg`."""
    return _algorithm1(Clip(C), eta, beta, E, sigma, r)


def dp_normfedavg(
    eta: Parameter, beta: Parameter, C: Parameter, E: int, sigma: Parameter, r: Parameter | None = None
) -> Method:
    """DP-NormFedAvg (Algorithm 1, option (ii)), with 0/0 = 0 where the paper leaves norm(0, C) undefined.

    eta: local step η_k; beta: server step β_k (for a schedule, `dataclasses.replace` the method in each
    round). sigma: σ as line 12 has it, the noise of a client being N(0, rσ² I_d). r: expected number of
    participants; None is full-device participation, for which the number of clients is not known here: the
    noise is then N(0, σ² I_d) per coordinate in the aggregate, which has the same law as n clients with N(0,
    nσ² I_d) each.
    """
    return _algorithm1(FixedNorm(C), eta, beta, E, sigma, r)


def _algorithm1(operator, eta, beta, E, sigma, r) -> Method:
    if r is None:
        return Method(operator, Plain(beta), None, _server_noise(sigma), Everybody(), LocalSum(E, eta))
    participation = Poisson(r)
    return Method(operator, Plain(beta), None, Gaussian(r**0.5 * sigma), participation, LocalSum(E, eta))


def _subset(size: int | None) -> Participation:
    return Everybody() if size is None else FixedSize(size)


def _server_noise(std: Parameter) -> Gaussian | None:
    """None for a std that is the number 0, so that a noiseless method needs no randomness."""
    return None if isinstance(std, int | float) and std == 0 else Gaussian(std, "server")


PUBLISHED: Mapping[str, Callable[..., Method]] = {
    constructor.__name__: constructor
    for constructor in (
        gradient_descent,
        alpha_normec,
        dp_alpha_normec,
        clip21,
        dp_clip21,
        dp_sgd_clip,
        dp_sgd_smoothed,
        ef21,
        fed_alpha_normec,
        fedavg,
        dp_fedavg_clip,
        dp_normfedavg,
    )
}
"""Constructors by name."""


def by_name(name: str, **parameters: object) -> Method:
    """The published method of that name. Raises `ValueError` for an unknown name and `TypeError` for
    parameters that the method does not take or that are missing; the message lists what there is."""
    if name not in PUBLISHED:
        raise ValueError(f"method {name!r} is unknown; the methods are {', '.join(PUBLISHED)}")
    signature = inspect.signature(PUBLISHED[name])
    try:
        signature.bind(**parameters)
    except TypeError as error:
        raise TypeError(f"{name} takes {', '.join(signature.parameters)}: {error}") from None
    return PUBLISHED[name](**parameters)
