"""How far P_i = (x − T_i(x))/γ is from ∇f_i(x): P_i − ∇f_i is a mean of differences ∇f(x_j) − ∇f(x) along the local path, of
T local gradient steps or of the N functions of one pass."""

from __future__ import annotations

from verify.facts import definition, derived, equal, letters, standard
from verify.fed_alpha_normec.letters import CLIENTS, GAMMA, L, M, N, gamma
from verify.gram import Space, vectors
from verify.obligation import Obligation, obligation
from verify.proof import Induction

_sum, _one = vectors("Σ_{l<j}(∇f(x_l)−∇f(x)) ∇f(x_j)−∇f(x)")
_differences = Space((_sum, _one))
pulled, _difference = (
    _differences.norm(_sum, "‖Σ_{l<j}(∇f(x_l)−∇f(x))‖"),
    _differences.norm(_one, "‖∇f(x_j)−∇f(x)‖"),
)
_pulled_next = _differences.norm(_sum + _one, "‖Σ_{l≤j}(∇f(x_l)−∇f(x))‖")
norms, away, _distance = letters("Σ‖∇f(x_l)−∇f(x)‖ Σ‖x_l−x‖ ‖x_j−x‖")
LIPSCHITZ = standard("‖∇f(x_j) − ∇f(x)‖ ≤ L‖x_j − x‖: each f_{i,j} is L-smooth", _difference <= L * _distance)
PULLED = derived(
    "‖Σ_{l<j}(∇f(x_l) − ∇f(x))‖ ≤ Σ_{l<j}‖∇f(x_l) − ∇f(x)‖ ≤ L Σ_{l<j}‖x_l − x‖",
    (pulled <= norms) & (norms <= L * away),
)
_NOTHING = ((pulled, 0), (norms, 0), (away, 0))
_ONE_MORE = ((pulled, _pulled_next), (norms, norms + _difference), (away, away + _distance))
ALONG = Induction(
    PULLED.name,
    PULLED,
    Obligation("no difference", (), derived("no difference", PULLED.at(dict(_NOTHING)).relation)),
    Obligation("one difference more", (PULLED, LIPSCHITZ, *_differences.facts()),
               derived("one difference more", PULLED.at(dict(_ONE_MORE)).relation)),
    _NOTHING,
    _ONE_MORE,
)  # fmt: skip
TRIANGLE = obligation(
    "γ‖(1/N) Σ (∇f_{i,j}(x_j) − ∇f_{i,j}(x))‖ ≤ γ(1/N) Σ ‖∇f_{i,j}(x_j) − ∇f_{i,j}(x)‖",
    (GAMMA, PULLED, definition("N ≥ 1", N >= 1)),
    gamma * pulled / N <= gamma * norms / N,
)

# One pass of every client: P_i − ∇f_i = (1/N) Σ_j (∇f_{i,j}(x_j) − ∇f_{i,j}(x)).
_bias, biases, distances, _clients = letters("‖P_i−∇f_i‖ Σ‖P_i−∇f_i‖ Σ(1/N)Σ‖x_j−x‖ m")
_MEAN_OF_N = definition("P_i − ∇f_i is a mean of N ≥ 1 differences", (N >= 1) & equal(_bias * N, pulled))
BIASED = derived("Σ_i ‖P_i − ∇f_i‖ ≤ L Σ_i (1/N) Σ_j ‖x_j − x‖", biases <= L * distances)
_NO_CLIENT = ((_clients, 0), (biases, 0), (distances, 0))
_NEXT_CLIENT = ((_clients, _clients + 1), (biases, biases + _bias), (distances, distances + away / N))
OVER_BIASES = Induction(
    BIASED.name,
    BIASED,
    Obligation("no client", (), derived("no client", BIASED.at(dict(_NO_CLIENT)).relation)),
    Obligation("one client more", (BIASED, PULLED, _MEAN_OF_N),
               derived("one client more", BIASED.at(dict(_NEXT_CLIENT)).relation)),
    _NO_CLIENT,
    _NEXT_CLIENT,
)  # fmt: skip
BIAS_NODES = (ALONG, OVER_BIASES)
_lag, _mean_distance = letters("(1/M)Σ‖T_i(x)−(x−γ∇f_i(x))‖ (1/M)Σ(1/N)Σ‖x_j−x‖")
_MEANS = definition(
    "means over the clients; T_i(x) − (x − γ∇f_i(x)) = −γ(P_i − ∇f_i)",
    equal(_lag * M, gamma * biases) & equal(_mean_distance * M, distances),
)
ITEM4_IG = obligation(
    "(1/M) Σ ‖T_i(x) − (x − γ∇f_i(x))‖ ≤ γL (1/M) Σ (1/N) Σ ‖x_j − x‖",
    (GAMMA, CLIENTS, BIASED.at({_clients: M}), _MEANS),
    _lag <= gamma * L * _mean_distance,
)
