"""Sentences about the experiments (Section 5 and Appendix D)."""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Values, Witness
from verify.facts import definition, hypothesis
from verify.fed_alpha_normec.letters import (
    claim,
    letters,
    p,
    values,
)
from verify.obligation import obligation
from verify.proof import Comparison, Proof


def _exponential_below(x: Fraction, limit: Fraction) -> bool:
    """Whether exp(x) < limit, for 0 ≤ x < 20: forty terms and a geometric tail."""
    term, total = Fraction(1), Fraction(0)
    for k in range(40):
        total += term
        term = term * x / (k + 1)
    return total + term / (1 - x / 41) < limit


def _round_for_round(numbers: Values) -> Comparison:
    """B at p = 1 against B at p = 1/4 for σ_DP = p √(K log(1/δ))/ε, K = 300, ε = 8, δ = 10⁻⁵; log(1/δ) = 5
    ln 10 > 23/2.

    B(1) − B(1/4) = (3/2)σ(1)² − 6 increases with log(1/δ), so its lower end decides.
    """
    log = numbers["log"]
    variance = numbers["K"] * log / numbers["epsilon"] ** 2
    full = 2 * variance
    part = 2 * (1 - numbers["p"]) / numbers["p"] + 2 * numbers["p"] ** 2 * variance / numbers["p"]
    met = (
        (
            "5 ln 10 > 23/2, that is exp(23/10) < 10",
            log == Fraction(23, 2) and _exponential_below(log / 5, Fraction(10)),
        ),
    )
    return Comparison(full, "<=", part, met)


_v = letters("v")[0]
_PART = hypothesis("0 < p < 1", (p > 0) & (p < 1))
_VARIANCE_READING = obligation(
    "σ² ∝ p ⇒ B(1) < B(p)",
    (_PART, definition("v = σ²/p > 0", _v > 0)),
    2 * _v < 2 * (1 - p) / p + 2 * (p * _v) / p,
)


def _plain_step(numbers: Values) -> Comparison:
    """Without line 12's normalisation x moves by γ‖v̂‖, which is not η."""
    return Comparison(
        numbers["gamma"] * numbers["server"], "==", numbers["gamma"], (("η = γ (Appendix D.1)", True),)
    )


def _counts() -> dict[str, tuple[dict[str, str], ...]]:
    clients = 20
    rows = []
    for p_, sent in ((Fraction(1, 4), 1200), (Fraction(1), 4500)):
        rounds = Fraction(sent) / (p_ * clients)
        rows.append(
            {
                "p": str(p_),
                "transmissions": str(sent),
                "rounds": str(rounds),
                "within 300 rounds": "yes" if rounds <= 300 else "no",
            }
        )
    return {"Transmissions as rounds (20 clients)": tuple(rows)}


CLAIMS = (
    claim(
        "FED-EXP-ROUNDWISE",
        "Section 5",
        "prose",
        "Per communication round, full participation outperforms p = 0.25; this is consistent with Theorem "
        "1: the client sampling variance component of B is zero for p = 1, and the DP "
        "component σ²/p is smaller for p = 0.25",
        "With σ_DP = p√(K log(1/δ))/ε (Section 4's formula with c = 1) B is more than three times *larger* "
        "at p = 1: Theorem 1 predicts the opposite.",
        witness=Witness(
            values(p="1/4", K=300, epsilon=8, log="23/2"),
            "B(p = 1) ≤ B(p = 1/4)",
            _round_for_round,
            "K = 300, ε = 8, δ = 10⁻⁵: 107.8 against 33",
        ),
    ),
    claim(
        "FED-EXP-ROUNDWISE@variance",
        'Section 5, "variance of added noise" ∝ p read literally',
        "prose",
        "Full participation is better per round, consistent with Theorem 1, when the variance (not the "
        "standard deviation) of the noise is proportional to p",
        "Then σ²/p does not depend on p, and the sampling term decides.",
        proof=Proof((_PART,), (_VARIANCE_READING,)),
    ),
    claim(
        "FED-EXP-COND",
        "Section 5, Appendix D",
        "prose",
        "The experiments corroborate the theory: they run Algorithm 1 under the theorems' conditions",
        "Line 12's normalisation is left out, so a step has length γ‖v̂‖, not η; gradients are of "
        "mini-batches; R, L and v_i⁰ are not given.",
        witness=Witness(
            values(gamma="1/10", server=2), "‖x^{k+1} − xᵏ‖ = η", _plain_step, "γ = η = 1/10, ‖v̂‖ = 2"
        ),
        consequence="No theorem of the paper speaks of the method that was run.",
    ),
    claim(
        "FED-EXP-COMM",
        "Section 5, Figure 2",
        "table",
        "To reach approximately 65% test accuracy, p = 0.25 requires about 1200 total communications, "
        "whereas p = 1.0 needs nearly 4500",
        "A training result: it needs the re-run.",
        undecided="A training result that only a re-run can decide; the numbers are compatible with 20 "
        "clients and 300 rounds (240 rounds against 225).",
        tables=_counts,
    ),
)
