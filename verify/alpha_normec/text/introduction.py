"""Sentences of the abstract, of Section 1 and of the poster: what is guaranteed, and who was first."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.alpha_normec.experiments.printed_numbers import compare
from verify.alpha_normec.letters import ALPHA, GAMMA, PAPER, RESIDUAL, alpha, gamma, r
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Quadratic
from verify.dp_normfedavg.letters import C as CUT_AT
from verify.dp_normfedavg.theorems import sampling as das
from verify.dp_normfedavg.theorems.claims import SIX_SPECIFIC_FIXED, THEOREM_6
from verify.exact import normalise
from verify.facts import definition, equal, hypothesis, letters, replaced
from verify.obligation import obligation
from verify.privacy import arguments as private
from verify.privacy.dp_normfedavg import CLAIMS as PRIVATE
from verify.proof import Proof


def _three_clients(values: Values) -> Comparison:
    """DP-SGD (2) with Norm_α, B = n = 3 and z = 0, exactly, on ½(x − t/3)², ½(x − t/3)², ½(x + t)² from x⁰ = 0."""
    a, step, t = values["alpha"], values["gamma"], values["t"]
    clients = [Quadratic(Fraction(1), centre) for centre in (t / 3, t / 3, -t)]
    position, lengths, slopes = Fraction(0), [], []
    for _ in range(int(values["rounds"]) + 1):
        sent = [normalise(a, f.gradient(position)) for f in clients]
        slopes.append(abs(sum((f.gradient(position) for f in clients), Fraction(0)) / 3))
        lengths += [abs(message) for message in sent]
        position -= step * sum(sent, Fraction(0)) / 3
    return Comparison(min(slopes), "<", slopes[0], (
        ("α, γ > 0", min(a, step) > 0),
        ("t = α", t == a),
        ("‖Norm_α(∇f_i)‖ ≤ 1 (7)", max(lengths) <= 1),
        ("∇f(x⁰) ≠ 0", slopes[0] > 0),
    ))  # fmt: skip


_near, _far = letters("Norm_α(−α/3) Norm_α(α)")
_SENT = definition(
    "Norm_α at the gradients −α/3 and α",
    equal(_near * (alpha + alpha / 3), -alpha / 3) & equal(_far * (alpha + alpha), alpha),
)
ROBUST = Claim(
    id="NEC-S1-ROBUST",
    paper=PAPER,
    place="Section 1, against Section 3.4",
    kind="prose",
    printed="By ensuring that the Euclidean norm of the normalized gradient is bounded above by one, smoothed "
    "normalization guarantees robust performance of DP-SGD in convergence and privacy. [Section 3.4:] Naively applying "
    "normalization to the gradients in DP-SGD leads to the method that does not converge in the distributed setting "
    "without further assumptions.",
    reason="The bound on the norm limits a client's share, which is what privacy needs; it guarantees no convergence. For "
    "every α > 0 and every step size DP-SGD without noise, all clients in each round, stays for ever where three have the "
    "gradients −α/3, −α/3 and α.",
    witness=Witness(
        {"alpha": Fraction(1, 100), "t": Fraction(1, 100), "gamma": Fraction(1, 10), "rounds": Fraction(300)},
        "min_{k≤300} ‖∇f(x^k)‖ < ‖∇f(x⁰)‖",
        _three_clients,
        "f_1 = f_2 = ½(x − t/3)², f_3 = ½(x + t)², x⁰ = 0, t = α = 0.01, z = 0",
        universal=Proof(
            (ALPHA, GAMMA),
            (
                obligation(
                    "for every α and γ, x¹ = x⁰ = 0, and so for every later round",
                    (ALPHA, GAMMA, _SENT),
                    equal(0 - gamma * (2 * _near + _far) / 3, 0),
                ),
                obligation("while ∇f(x⁰) = α/9 ≠ 0", (ALPHA,), (-alpha / 3 - alpha / 3 + alpha) / 3 > 0),
            ),
        ),
    ),
    repair=Repair(
        "Smoothed normalisation guarantees a message of length at most 1, for which the noise can be chosen.",
        "only the claim on privacy is kept",
        Proof((ALPHA,), (obligation("‖g‖/(α + ‖g‖) ≤ 1", (ALPHA, RESIDUAL), r / (alpha + r) <= 1),)),
        weakest="convergence needs more than a bounded norm: error feedback, or clients that agree",
    ),
    consequence="NEC-OUR-EX1: two clients do not suffice for such a failure, three do.",
)  # fmt: skip

_THEOREM6 = {found.id: found for found in THEOREM_6}["DAS-T6@specific-fixed-size"]
_THEOREM3 = {found.id: found for found in PRIVATE}["DAS-T3"]
_EVERY = hypothesis(
    "|S_k| ≤ n and r = n: all clients in each round",
    (das.size >= 0) & (das.size <= das.n) & equal(das.r, das.n),
)
_CITED = (*(fact for fact in SIX_SPECIFIC_FIXED.assumptions if fact != das.AT_MOST_R), _EVERY)
_log, _noise, _moves, _spent, _root = letters("ln(1/δ) nσ/C s zCDP √zCDP")
_HERE = (
    (private.L, _log),
    (private.sigma, _noise),
    (private.s, _moves),
    (private.rho, _spent),
    (private.root, _root),
)
"""Letters of DAS-T3 that mean something else in Theorem 6."""
_SIZE = hypothesis(
    "nσ/C, σ the deviation of a coordinate",
    (_noise > 0) & equal(_noise**2 * CUT_AT**2, das.n**2 * das.sigma2),
)
_ENOUGH = tuple(
    hypothesis(f.name, replaced(f.relation, _HERE)) for f in private.enough(private.CLOSED_FORM).assumptions
)
EARLIER = Proof(
    (*_CITED, _SIZE, *_ENOUGH),
    (
        compare("Das et al. (2022) is earlier than 19 Feb 2025", Fraction(2022), "<", Fraction(2025)),
        Cite(_THEOREM6, _CITED),
        Cite(_THEOREM3, (_SIZE, *_ENOUGH), _HERE, repaired=True),
    ),
)
"""A convergence guarantee for a method with clipping and local steps, from before both papers, and how much of its noise makes the
method private: σ is free in the guarantee."""
_at, _to, _far, _limit = letters("at to far Phi")
_ANY = hypothesis("Φ > 0", _limit > 0)
_WIDE = hypothesis("c > Φ", _far > _limit)
UNBOUNDED = Proof(
    (*EARLIER.assumptions, _ANY, _WIDE),
    (
        *EARLIER.nodes,
        *(
            obligation(
                f"½(x {sign} c)² is convex and 1-smooth, as the guarantee asks",
                (),
                sympy.And(
                    sympy.Ge((_to + move) ** 2 / 2, (_at + move) ** 2 / 2 + (_at + move) * (_to - _at), evaluate=False),
                    sympy.Le((_to + move) ** 2 / 2,
                             (_at + move) ** 2 / 2 + (_at + move) * (_to - _at) + (_to - _at) ** 2 / 2, evaluate=False),
                ),
            )
            for sign, move in (("−", -_far), ("+", _far))
        ),
        obligation("and at x = 0 their gradients exceed Φ", (_ANY, _WIDE), (sympy.Abs(0 - _far) > _limit)),
    ),
)  # fmt: skip
_DAS = (
    "[DP-NormFedAvg, Theorem 6:] Suppose each f_i is convex and L-smooth over R^d. […] Algorithm 1 Option (i) […] has the "
    "following convergence guarantee:"
)
_PRIVATE = (
    "With all clients in each round, where it is machine-checked here, the noise of DAS-T3's repair makes their method (ε, δ)-DP; "
    "their own privacy theorem is refuted (DAS-T3). The guarantee is that of Theorem 6's second part, whose factor is positive, as "
    "the first's need not be (DAS-T6-SIGN); as in the first, a client whose update is cut counts with a multiple of ‖u_i‖, so that "
    "it bounds the mean of f where nothing is cut (DAS-T6-MEANS)"
)
FIRST = Claim(
    id="NEC-S11-FIRST",
    paper=PAPER,
    place="Section 4, first sentence and after Algorithm 1; Section 2, on distributed methods; Section 5, second sentence; poster, "
    "Conclusion, first sentence; against DP-NormFedAvg, Theorem 6",
    kind="prose",
    printed="we propose α-NormEC, the first distributed method to provide provable convergence guarantees in the DP setting. […] "
    "α-NormEC achieves […] the first convergence guarantees in the DP setting. [Section 2:] Our method provides the first provable "
    "convergence in the DP setting […] [Section 5:] Unlike Clip21, α-NormEC achieves the first provable convergence guarantees in the "
    "presence of DP noise […] [Poster:] α-NormEC is the first distributed private optimization method with convergence guarantees. "
    f"{_DAS}",
    reason=f"Without a qualifier such as “non-convex” Das et al. (2022), whom the paper cites, are earlier: they prove a convergence "
    f"guarantee for a distributed method with noise, with clipping, for convex f_i. {_PRIVATE}.",
    conflict=EARLIER,
    consequence="“Non-convex” makes it another claim, NEC-S11-FIRST@qualified; “without bounded gradient norms” does not "
    "(NEC-S11-FIRST@unbounded).",
)
FIRST_UNBOUNDED = Claim(
    id="NEC-S11-FIRST@unbounded",
    paper=PAPER,
    place="Section 1.1, first paragraph, against DP-NormFedAvg, Theorem 6",
    kind="prose",
    printed="Our method provides the first provable convergence guarantees in the DP setting without bounded gradient norm "
    f"assumptions typically imposed in prior works. {_DAS}",
    reason="Das et al. (2022) bound no gradients either: their f_i are convex and L-smooth, as ½(x ∓ c)², whose gradients exceed "
    f"every Φ. {_PRIVATE}.",
    conflict=UNBOUNDED,
)
FIRST_STANDARD = Claim(
    id="NEC-S11-FIRST@standard",
    paper=PAPER,
    place="Section 1.1, third contribution, against DP-NormFedAvg, Theorem 6",
    kind="prose",
    printed="The first provable convergence in the private setting under standard assumptions. […] This is the first provably "
    "efficient distributed method in the DP setting under standard assumptions [convexity and smoothness are standard; efficient: "
    f"with a convergence guarantee] {_DAS}",
    reason=f"If convexity and smoothness are standard assumptions, Das et al. (2022) are earlier; which ones are is not said, and if "
    f"convexity is not, the sentence is that of NEC-S11-FIRST@qualified. {_PRIVATE}.",
    conflict=UNBOUNDED,
)
FIRST_QUALIFIED = Claim(
    id="NEC-S11-FIRST@qualified",
    paper=PAPER,
    place="abstract; Sections 1.1, 5 and 7; poster, Our Contributions",
    kind="prose",
    printed="Surprisingly, there is no differentially private distributed method for smooth, non-convex optimization "
    "problems. […] we obtain the first differentially private distributed optimization algorithm with provable "
    "convergence guarantees. [Section 1.1:] α-NormEC achieves the first convergence guarantees for DP, non-convex, smooth "
    "problems without ignoring the bias introduced by smoothed normalization. [Section 5:] the first utility bound in the "
    "DP distributed setting that accounts for the effect of smoothed normalization [Section 7:] the first utility bound for "
    "private training without relying on restrictive assumptions [Poster:] This is the first provable convergence guarantee "
    "for a distributed DP method that explicitly handles the operator-induced bias without restrictive assumptions.",
    reason="Das et al. (2022) is about convex f_i, so it does not contradict what is said of non-convex problems.",
    undecided="That nobody proved it before is a statement about the literature, which no machine here can check: the "
    "earlier theorems at hand (DP-NormFedAvg, Theorems 4, 6 and 7) are for convex f_i. Read without “non-convex”, the abstract's "
    "“first” is that of NEC-S11-FIRST; if convexity is no restrictive assumption, Section 7's and the poster's are that of "
    "NEC-S11-FIRST@standard.",
)
_DISTRIBUTED = {"Li et al., 2022", "Wang et al., 2023", "Lowy et al., 2023", "Zhang et al., 2020b"}
"""Section 1: of distributed DP gradient methods with clipping, under assumptions such as bounded gradient norms."""
_SMOOTH = {"Li et al., 2022", "Wang et al., 2023", "Lowy et al., 2023", "Zhang et al., 2020b", "Zhang et al., 2022",
           "Murata and Suzuki, 2023", "Wang et al., 2024"}  # fmt: skip
"""Section 2: of convergence results for smooth functions under DP, with the assumption of bounded gradient norms."""
_NON_CONVEX = {"Lowy et al., 2023"}
"""Whose title, in Fed-α-NormEC's list, says “private”, “non-convex” and “federated”."""
NO_METHOD = Claim(
    id="NEC-S11-FIRST@no-method",
    paper=PAPER,
    place="abstract, second sentence, to the letter, against Sections 1 and 2 and reference [39] of Fed-α-NormEC",
    kind="prose",
    printed="Surprisingly, there is no differentially private distributed method for smooth, non-convex optimization "
    "problems. [Section 1:] Often, distributed DP gradient methods with clipping have been studied under assumptions that "
    "are unrealistic […] such as bounded gradient norms (Li et al., 2022; Wang et al., 2023; Lowy et al., 2023; Zhang et al., 2020b) "
    "[Section 2:] convergence results for smooth functions under differential privacy often require either the assumption of bounded "
    "gradient norms […] Lowy et al., 2023 […] [Fed-α-NormEC:] Private non-convex federated learning without a trusted server.",
    reason="Lowy et al. (2023) have one by the paper's own words: Section 1 has them on distributed DP methods, Section 2 on "
    "convergence for smooth functions under DP, and their title says non-convex. What the sentence lacks are its conditions: no "
    "bounded gradients, and clipping that acts (NEC-S11-FIRST@qualified).",
    conflict=Proof(
        (),
        (
            compare(
                "works of Section 1's list and of Section 2's whose title says non-convex",
                Fraction(len(_DISTRIBUTED & _SMOOTH & _NON_CONVEX)),
                ">",
                Fraction(0),
            ),
        ),
    ),
)
LI = Claim(
    id="NEC-S2-LI",
    paper=PAPER,
    place="Section 2, on distributed non-private methods, against Section 3.4",
    kind="prose",
    printed="Distributed non-private methods with clipping. […] For example, federated optimization methods with clipping have been "
    "analyzed under the bounded difference between the local and global gradients (Wei et al., 2020; Liu et al., 2022; Crawshaw et "
    "al., 2023; Li et al., 2024). [Section 3.4:] Recently, Li et al. (2024) extended the analysis of Koloskova et al. (2023) to a "
    "distributed private setting under strong gradient dissimilarity condition.",
    reason="Section 2 counts Li et al. (2024) among the non-private methods, and Section 3.4 has its analysis in a private setting.",
    undecided="Both are true of a work that analyses clipping without noise and with it; Li et al. (2024), which would decide, is not "
    "at hand.",
)
CLAIMS = (ROBUST, FIRST, FIRST_UNBOUNDED, FIRST_STANDARD, NO_METHOD, FIRST_QUALIFIED, LI)
