"""What the runs of Section 5 and Appendix D do not say of themselves: both directions, γ and η, FedAvg's β, smoothness."""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Repair, Values, Witness
from verify.facts import hypothesis
from verify.fed_alpha_normec.letters import L, M, claim, equal, gamma, letters, p, values
from verify.obligation import obligation
from verify.proof import Comparison, Computation, Identity, Proof

# Communications in both directions: by Algorithm 1 every client computes in every round, and needs xᵏ for that.
rounds, more_rounds, q = letters("k k_p p_2")
_TWO = hypothesis("0 < p < p₂ ≤ 1, M ≥ 1", (p > 0) & (p < q) & (q <= 1) & (M >= 1))
_LONGER = hypothesis("k rounds at p₂, k_p ≥ k at p", (rounds > 0) & (more_rounds >= rounds))

_SAVED = obligation(
    "with the models that every client receives the saving is less than 2, and less than p₂k/(pk_p)",
    (_TWO, _LONGER),
    (rounds * (1 + q) < 2 * more_rounds * (1 + p))
    & (rounds * (1 + q) * p * more_rounds < q * rounds * more_rounds * (1 + p)),
)


def _both_ways(v: Values) -> Comparison:
    """k rounds: M models down, pM messages up in the mean."""
    total = v["rounds"] * v["M"] * (1 + v["p"])
    met = (("0 < p ≤ 1", 0 < v["p"] <= 1), ("k ≥ 1 rounds, M ≥ 1 clients", v["rounds"] >= 1 and v["M"] >= 1))
    return Comparison(v["rounds"] * v["p"] * v["M"], "==", total, met)


# γ in Algorithm 1 with one local gradient step.
x, slope, other = letters("x gradient gamma_2")
_STEPS = hypothesis("γ, γ₂ > 0", (gamma > 0) & (other > 0))
_CANCELS = Identity("(x − T_i(x))/γ = ∇f_i(x)", (x - (x - gamma * slope)) / gamma, slope, (_STEPS,))
_SAME = obligation(
    "two γ give the same message, memory and model",
    (_STEPS,),
    equal((x - (x - gamma * slope)) / gamma, (x - (x - other * slope)) / other),
)

DISPLAY = (
    "x^{k+1} = x^k − (η/B)[Σ_{i∈S^k} Ψ(x^k − T_i(x^k)) + z_i^k], where Ψ is the smoothed normalization operator, "
    "T_i(x) = x − γ∇f_i(x)"
)
OF_FEDAVG = (
    "the highest test accuracy achieved by FedAvg for each (β, γ) pair. The optimal performance for FedAvg is observed at "
    "β = 0.1"
)


def _letter() -> Comparison:
    return Comparison(Fraction(DISPLAY.count("β")), "<", Fraction(OF_FEDAVG.count("β")))


# Assumption 1 and one ReLU.
near, lipschitz = letters("h L_any")
_NEAR = hypothesis("L > 0 and 0 < h < 1/(2L + 1)", (L > 0) & (near > 0) & (near * (2 * L + 1) < 1))
_JUMP = obligation("|f'(h) − f'(−h)| = 1 − h > L · 2h", (_NEAR,), 1 - near > L * 2 * near)
_ONE_SIDE = hypothesis(
    "0 < h₁ < h₂ < 1: no ReLU switches in between", (near > 0) & (near < lipschitz) & (lipschitz < 1)
)


def _kink(v: Values) -> Comparison:
    """f(w) = ½(max(w, 0) − 1)²: f' is 0 on the left of 0 and w − 1 on its right."""
    h = v["h"]
    return Comparison(
        abs((h - 1) - 0), "<=", v["L"] * 2 * h, (("0 < h < 1, L > 0", 0 < h < 1 and v["L"] > 0),)
    )


CLAIMS = (
    claim(
        "FED-EXP-KPM@both-directions",
        "Section 5, Figure 2",
        "prose",
        "performance against the total number of client-server communications (i.e., k × p × M) [as Algorithm 1 needs them, in both "
        "directions]",
        "kpM counts what clients send. In Algorithm 1 every client computes in every round (FED-ALG1@participants) and needs xᵏ for "
        "it, so that kM(1 + p) are needed: for 65 % accuracy 6,000 against 9,000, not 1,200 against 4,500.",
        witness=Witness(
            values(p="1/4", M=20, rounds=240),
            "k p M = k M (1 + p)",
            _both_ways,
            "M = 20, p = 1/4, 240 rounds: 1,200 messages to the server, 6,000 in both directions",
        ),
        repair=Repair(
            "kpM is the mean number of messages to the server (FED-EXP-KPM). In both directions the factor that a smaller p "
            "saves is less than 2, and less than kpM says, where the smaller p does not need fewer rounds.",
            "client-to-server, as the caption of Figure 2 says",
            Proof((_TWO, _LONGER), (_SAVED,)),
        ),
        consequence="The factor 3.75 of Section 5 is one of 1.5 once the models count.",
    ),
    claim(
        "FED-EXP-GAMMA",
        "Section 5, against Algorithm 1 with one local gradient step",
        "prose",
        "The step size γ is tuned for every combination of parameters p and β. […] T_i(x) = x − γ∇f_i(x) is the local "
        "gradient mapping "
        "[as in Corollaries 1 and 2; Algorithm 1 takes γ in (x^k − T_i(x^k))/γ alone]",
        "With one local gradient step γ cancels from Algorithm 1, and there is nothing to tune. Either several local "
        "steps were made, "
        "and T is not given, or what was tuned is η, which is not given for Fed-α-NormEC (η = γ is said of FedAvg).",
        conflict=Proof((_STEPS,), (_CANCELS, _SAME)),
    ),
    claim(
        "FED-EXP-FEDAVG-BETA",
        "Appendix D.1, Figure 4",
        "prose",
        f"{DISPLAY} […] {OF_FEDAVG}",
        "D.1's FedAvg has no β: whether it scales Ψ, the noise alone, or both, is not said (α-NormEC's DP-SGD has the same gap: "
        "NEC-EXP-DPSGD).",
        conflict=Proof(
            (),
            (
                Computation(
                    "how often β stands in the display, and in what is said of it", "enumeration", _letter
                ),
            ),
        ),
    ),
    claim(
        "FED-EXP-COND@smooth",
        "Section 5, against Assumption 1",
        "prose",
        "each individual function f_{i,j}(x) is L-smooth […] we use the CIFAR-10 dataset [34] and the ResNet20 "
        "architecture [22] [whose "
        "activations are ReLUs]",
        "A loss with ReLUs in it is not L-smooth for any L: its gradient jumps where a ReLU switches.",
        witness=Witness(
            values(L=1000, h="1/10000"),
            "|f'(h) − f'(−h)| ≤ L · 2h",
            _kink,
            "one weight w, one ReLU, the loss ½(max(w, 0) − 1)²; for every other L the same with a smaller h",
            universal=Proof((_NEAR,), (_JUMP,)),
        ),
        repair=Repair(
            "Where no ReLU switches that loss is 1-smooth.",
            "no switch",
            Proof(
                (_ONE_SIDE,),
                (
                    obligation(
                        "|f'(h₂) − f'(h₁)| ≤ h₂ − h₁",
                        (_ONE_SIDE,),
                        (lipschitz - 1) - (near - 1) <= lipschitz - near,
                    ),
                ),
            ),
        ),
        consequence="No theorem of the paper speaks of the network, at whatever step size.",
    ),
)
