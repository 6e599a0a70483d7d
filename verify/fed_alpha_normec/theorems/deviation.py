"""F.2 and G.2: how far the mean of the memories is from ∇f, by two triangle inequalities."""

from __future__ import annotations

from typing import Any

import sympy

from verify.facts import Fact, definition, equal, letters
from verify.fed_alpha_normec.letters import CLIENTS, GAMMA, M, gamma
from verify.fed_alpha_normec.ours import rounds as ro
from verify.gram import Space, vectors
from verify.induction import Induction
from verify.obligation import obligation
from verify.proof import Proof

# ‖∇f − v^{k+1}‖: Σ (v_i − ∇f_i) over the clients; v_i − ∇f_i = (v_i − P_i) + (P_i − ∇f_i), P_i = (x − T_i(x))/γ.
_sum, _difference, _fit, _miss = vectors("Σ(v_l−∇f_l) v_i−∇f_i v_i−P_i P_i−∇f_i")
_SUMS, _PARTS = Space((_sum, _difference)), Space((_fit, _miss))
_total, _one = _SUMS.norm(_sum, "‖Σ(v_l−∇f_l)‖"), _SUMS.norm(_difference, "‖v_i−∇f_i‖")
_longer = _SUMS.norm(_sum + _difference, "‖Σ(v_l−∇f_l)+v_i−∇f_i‖")
_PARTS.norm(_fit + _miss, str(_one))
_fitted, _missed = _PARTS.norm(_fit, "‖v_i−P_i‖"), _PARTS.norm(_miss, "‖P_i−∇f_i‖")
_scaled: Any = gamma * _miss
_lag = _PARTS.norm(_scaled, "‖x−T_i(x)−γ∇f_i‖")
_ones, _fits, _misses, _lags = letters("Σ‖v_l−∇f_l‖ Σ‖v_l−P_l‖ Σ‖P_l−∇f_l‖ Σ‖x−T_l(x)−γ∇f_l‖")
_CLIENT = obligation(
    "‖v_i − ∇f_i‖ ≤ ‖v_i − P_i‖ + ‖P_i − ∇f_i‖, and γ‖P_i − ∇f_i‖ = ‖x − T_i(x) − γ∇f_i‖",
    (GAMMA, *_PARTS.facts()),
    (_one <= _fitted + _missed) & equal(gamma * _missed, _lag),
)
_APART = Fact(
    "‖Σ(v_l − ∇f_l)‖ ≤ Σ‖v_l − ∇f_l‖ ≤ Σ‖v_l − P_l‖ + Σ‖P_l − ∇f_l‖, γΣ‖P_l − ∇f_l‖ = Σ‖x − T_l(x) − γ∇f_l‖",
    (_total <= _ones) & (_ones <= _fits + _misses) & equal(gamma * _misses, _lags),
    "derived",
)
_OVER_CLIENTS = Induction(
    _APART.name,
    _APART,
    obligation("no client", (), sympy.true),
    obligation(
        "one client more",
        (GAMMA, _APART, _CLIENT.conclusion, *_SUMS.facts()),
        (_longer <= _ones + _one)
        & (_ones + _one <= _fits + _fitted + _misses + _missed)
        & equal(gamma * (_misses + _missed), _lags + _lag),
    ),
    start=((_total, 0), (_ones, 0), (_fits, 0), (_misses, 0), (_lags, 0)),
    next=(
        (_total, _longer),
        (_ones, _ones + _one),
        (_fits, _fits + _fitted),
        (_misses, _misses + _missed),
        (_lags, _lags + _lag),
    ),
)
_mean_one, _mean_fit, _mean_miss, _mean_lag = letters(
    "Σ‖v_l−∇f_l‖/M Σ‖v_l−P_l‖/M Σ‖P_l−∇f_l‖/M Σ‖x−T_l(x)−γ∇f_l‖/M"
)
_TRIANGLE = obligation(
    "‖∇f − v^{k+1}‖ ≤ (1/M) Σ ‖v_i − ∇f_i‖ ≤ (1/M) Σ ‖v_i − P_i‖ + (1/M) Σ ‖P_i − ∇f_i‖, so ≤ … + (1/γ)(1/M) Σ ‖x − T_i(x) − γ∇f_i‖",
    (
        CLIENTS,
        GAMMA,
        _APART,
        definition(
            "means over M clients, v^{k+1} among them",
            equal(ro.dev * M, _total)
            & equal(_mean_one * M, _ones)
            & equal(_mean_fit * M, _fits)
            & equal(_mean_miss * M, _misses)
            & equal(_mean_lag * M, _lags),
        ),
    ),
    (ro.dev <= _mean_one) & (_mean_one <= _mean_fit + _mean_miss) & (ro.dev <= _mean_fit + _mean_lag / gamma),
)
DEVIATION = Proof((GAMMA,), (_CLIENT, _OVER_CLIENTS, _TRIANGLE))
