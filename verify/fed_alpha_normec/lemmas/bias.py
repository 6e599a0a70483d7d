"""How far P_i = (x − T_i(x))/γ is from ∇f_i(x): P_i − ∇f_i is a mean of differences ∇f(x_j) − ∇f(x) along the local path, of
T local gradient steps or of the N functions of one pass. Where a step is along ∇f_i it is f_i that has to be smooth, and in a pass
every f_{i,j} (`incremental`)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy

from verify.facts import Fact, definition, derived, equal, letters, standard
from verify.fed_alpha_normec.letters import CLIENTS, GAMMA, L, M, N, gamma
from verify.gram import Space, vectors
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Node

_CLIENT, _FUNCTION = "each f_i is L-smooth", "each f_{i,j} is L-smooth"


@dataclass(frozen=True)
class Differences:
    """Differences v_j of gradients at two points whose distance is known, summed one at a time: `length` is ‖Σ v‖, `norms` is
    Σ ‖v‖, `away` the sum of the distances."""

    length: sympy.Symbol
    norms: sympy.Symbol
    away: sympy.Symbol
    fact: Fact
    induction: Induction


def differences(at: tuple[str, str], distance: sympy.Symbol, away: sympy.Symbol) -> Differences:
    """‖Σ v‖ ≤ Σ ‖v‖ ≤ L Σ (distances), for v_l = ∇f(x_l) − ∇f(at[0]) in a sum and v_j = ∇f(x_j) − ∇f(at[1])."""
    every, this = f"∇f(x_l)−∇f({at[0]})", f"∇f(x_j)−∇f({at[1]})"
    summed, one = vectors(f"Σ_{{l<j}}({every}) {this}")
    space = Space((summed, one))
    length, size = space.norm(summed, f"‖Σ_{{l<j}}({every})‖"), space.norm(one, f"‖{this}‖")
    longer = space.norm(summed + one, f"‖Σ_{{l≤j}}({every})‖")
    (norms,) = letters(f"Σ‖{every}‖")
    smooth = standard(f"‖{this}‖ ≤ L‖x_j − {at[1]}‖: {_CLIENT}", size <= L * distance)
    fact = derived(
        f"‖Σ_{{l<j}}({every})‖ ≤ Σ_{{l<j}}‖{every}‖ ≤ L Σ_{{l<j}}‖x_l − {at[0]}‖",
        (length <= norms) & (norms <= L * away),
    )
    start = ((length, 0), (norms, 0), (away, 0))
    later = ((length, longer), (norms, norms + size), (away, away + distance))
    induction = Induction(
        fact.name,
        fact,
        Obligation("no difference", (), derived("no difference", fact.at(dict(start)).relation)),
        Obligation("one difference more", (fact, smooth, *space.facts()),
                   derived("one difference more", fact.at(dict(later)).relation)),
        start,
        later,
    )  # fmt: skip
    return Differences(length, norms, away, fact, induction)


def incremental(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The same nodes for steps along the ∇f_{i,j}: where they use that each f_i is smooth, it is each f_{i,j} that has to be."""

    def renamed(fact: Fact) -> Fact:
        return replace(fact, name=fact.name.replace(_CLIENT, _FUNCTION))

    return tuple(
        replace(node, step=replace(node.step, given=tuple(map(renamed, node.step.given))))
        if isinstance(node, Induction)
        else node
        for node in nodes
    )


away, _distance = letters("Σ‖x_l−x‖ ‖x_j−x‖")
ONE_PATH = differences(("x", "x"), _distance, away)
pulled, norms, PULLED, ALONG = ONE_PATH.length, ONE_PATH.norms, ONE_PATH.fact, ONE_PATH.induction
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
BIAS_NODES = incremental((ALONG, OVER_BIASES))
lag, mean_distance = letters("(1/M)Σ‖T_i(x)−(x−γ∇f_i(x))‖ (1/M)Σ(1/N)Σ‖x_j−x‖")
_MEANS = definition(
    "means over the clients; T_i(x) − (x − γ∇f_i(x)) = −γ(P_i − ∇f_i)",
    equal(lag * M, gamma * biases) & equal(mean_distance * M, distances),
)
ITEM4_IG = obligation(
    "(1/M) Σ ‖T_i(x) − (x − γ∇f_i(x))‖ ≤ γL (1/M) Σ (1/N) Σ ‖x_j − x‖",
    (GAMMA, CLIENTS, BIASED.at({_clients: M}), _MEANS),
    lag <= gamma * L * mean_distance,
)
