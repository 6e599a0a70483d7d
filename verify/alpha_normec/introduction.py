"""Sentences of the abstract, of Sections 1 and 3.5 and of the poster: what is guaranteed, what is generalised, who was first."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.alpha_normec.experiments import compare
from verify.alpha_normec.letters import ALPHA, GAMMA, PAPER, RESIDUAL, alpha, gamma, r
from verify.citation import Cite
from verify.claim import Claim, Repair, Values, Witness
from verify.dp_normfedavg.theorems import THEOREM_6
from verify.exact import Quadratic, normalise
from verify.facts import definition, equal, hypothesis, letters
from verify.gram import Space, vectors
from verify.obligation import obligation
from verify.proof import Comparison, Proof

x = sympy.Symbol("x", real=True)


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
    "every α > 0 and every step size DP-SGD without noise stays for ever where three clients have the gradients −α/3, "
    "−α/3 and α.",
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
        "privacy alone",
        Proof((ALPHA,), (obligation("‖g‖/(α + ‖g‖) ≤ 1", (ALPHA, RESIDUAL), r / (alpha + r) <= 1),)),
        weakest="convergence needs more than a bounded norm: error feedback, or clients that agree",
    ),
    consequence="NEC-EX1-SMOOTH: two clients do not suffice for such a failure, three do.",
)  # fmt: skip

Phi, eta = sympy.symbols("Phi eta", real=True)
_g, _kept = vectors("g C(g)")
_space = Space((_g, _kept))
_length, _image, _rest = (
    _space.norm(v, name) for v, name in ((_g, "‖g‖"), (_kept, "‖C(g)‖"), (_g - _kept, "‖g−C(g)‖"))
)
_SHARE = hypothesis("η ∈ (0, 1]", (eta > 0) & (eta <= 1))
_CONTRACTS = hypothesis("‖g − C(g)‖² ≤ (1 − η)²‖g‖²", _rest**2 <= (1 - eta) ** 2 * _length**2)
_PHI = hypothesis("Φ > 0", Phi > 0)
_LONG = hypothesis("‖g‖ = (Φ + 1)/η (the property is for any g)", equal(_length * eta, Phi + 1))
_GROWS = obligation("‖C(g)‖ ≥ η‖g‖", (_SHARE, _CONTRACTS, *_space.facts()), _image >= eta * _length)
EF21 = Claim(
    id="NEC-S35-EF21",
    paper=PAPER,
    place="Section 3.5, against Section 3.3",
    kind="prose",
    printed="This method generalizes EF21, which utilizes a contractive compressor […] defined by ‖g − C(g)‖² ≤ (1 − "
    "η)²‖g‖², for some η ∈ (0, 1] and any g ∈ R^d. [Section 3.3:] Ψ : R^d → R^d is an operator with bounded norm, i.e. "
    "‖Ψ(g)‖ ≤ Φ for some Φ > 0 and any g ∈ R^d.",
    reason="No contractive compressor has a bounded norm: ‖C(g)‖ ≥ η‖g‖, which exceeds every Φ. With the Ψ that Section "
    "3.3 introduces the method leaves out every method that EF21 is.",
    conflict=Proof(
        (_PHI, _SHARE, _CONTRACTS, _LONG),
        (
            _GROWS,
            obligation("at ‖g‖ = (Φ + 1)/η: ‖C(g)‖ > Φ", (_PHI, _SHARE, _GROWS.conclusion, _LONG), _image > Phi),
        ),
    ),
    repair=Repair(
        "Without “bounded norm”, with β = 1 and Ψ = C, (9) is a step whose rest is (1 − η) of what it was, as EF21 needs it: "
        "‖∇f_i − g_i⁺‖ ≤ (1 − η)‖∇f_i − g_i‖.",
        "an unbounded Ψ",
        Proof(
            (_SHARE, _CONTRACTS),
            (
                obligation("g := ∇f_i − g_i: ‖g − C(g)‖ ≤ (1 − η)‖g‖", (_SHARE, _CONTRACTS, *_space.facts()),
                           _rest <= (1 - eta) * _length),
            ),
        ),
        weakest="bounded and contractive exclude each other, whatever Φ and η are",
    ),
    consequence="The sensitivity of an EF21 message is not bounded: privacy needs what EF21's analysis excludes.",
)  # fmt: skip

_r, _tau, _kept_share = sympy.symbols("‖v‖ τ s", real=True)
_CLIP = definition(
    "Clip_τ(v) = s v, s = min(1, τ/‖v‖)",
    sympy.Or((_r <= _tau) & equal(_kept_share, 1), (_r > _tau) & equal(_kept_share * _r, _tau)),
)
_LENGTH = definition("‖v‖ ≥ 0", _r >= 0)
_THRESHOLD = hypothesis("τ > 0", _tau > 0)
CLIPPING = Claim(
    id="NEC-S35-CLIP",
    paper=PAPER,
    place="Section 3.5, with Section 3.3",
    kind="prose",
    printed="For instance, the method encompasses other estimators Ψ(·) such as clipping in Clip21 proposed by Khirirat et al. "
    "(2023). [Section 3.3:] Ψ : R^d → R^d is an operator with bounded norm, i.e. ‖Ψ(g)‖ ≤ Φ for some Φ > 0 and any g ∈ R^d.",
    reason="Clipping is a Ψ of Section 3.3 with Φ = τ; with β = 1, (9) is then g_i + Clip_τ(∇f_i − g_i), which shortens ‖∇f_i − g_i‖ "
    "by τ or to 0. Clip21 updates its memories so.",
    proof=Proof(
        (_THRESHOLD,),
        (
            obligation("‖Clip_τ(v)‖ = s‖v‖ ≤ τ", (_THRESHOLD, _CLIP, _LENGTH), (_kept_share * _r <= _tau) & (_kept_share >= 0)),
            obligation("‖v − Clip_τ(v)‖ = (1 − s)‖v‖ = max(0, ‖v‖ − τ)", (_THRESHOLD, _CLIP, _LENGTH),
                       equal((1 - _kept_share) * _r, sympy.Max(0, _r - _tau)) & (_kept_share <= 1)),
        ),
    ),
)  # fmt: skip

_EARLIER = {found.id: found for found in THEOREM_6}["DAS-T6@fixed-size"]
_CITED = _EARLIER.proof.assumptions if _EARLIER.proof else ()
EARLIER = Proof(
    _CITED,
    (
        compare("Das et al. (2022) is earlier than 19 Feb 2025", Fraction(2022), "<", Fraction(2025)),
        Cite(_EARLIER, _CITED),
    ),
)
"""A convergence guarantee for a private method with clipping and local steps, from before both papers."""
FIRST = Claim(
    id="NEC-S11-FIRST",
    paper=PAPER,
    place="Section 4, first sentence; poster, Conclusion, first sentence; against DP-NormFedAvg, Theorem 6",
    kind="prose",
    printed="we propose α-NormEC, the first distributed method to provide provable convergence guarantees in the DP "
    "setting. [Poster:] α-NormEC is the first distributed private optimization method with convergence guarantees. "
    "[DP-NormFedAvg, Theorem 6:] Suppose each f_i is convex and L-smooth over R^d. […] Algorithm 1 Option (i) […] has the "
    "following convergence guarantee:",
    reason="These two sentences have no qualifier. Das et al. (2022), whom the paper cites, prove a convergence guarantee "
    "for a distributed private method, with clipping and without bounded gradients, for convex f_i; it is machine-checked "
    "here for |S_k| ≤ r.",
    conflict=EARLIER,
    consequence="With its qualifiers (non-convex, without bounded gradients) the claim to be first is another one: "
    "NEC-S11-FIRST@qualified.",
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
    "earlier theorems at hand (DP-NormFedAvg, Theorems 4, 6 and 7) are for convex f_i. Read without the abstract's first "
    "sentence, its “first” is that of NEC-S11-FIRST.",
)
DISTRIBUTED_BEFORE = ("Li et al., 2022", "Wang et al., 2023", "Lowy et al., 2023", "Zhang et al., 2020b")
"""Section 1: of distributed DP gradient methods with clipping, under assumptions such as bounded gradient norms."""
NO_METHOD = Claim(
    id="NEC-S11-FIRST@no-method",
    paper=PAPER,
    place="abstract, second sentence, to the letter, against Sections 1 and 2",
    kind="prose",
    printed="Surprisingly, there is no differentially private distributed method for smooth, non-convex optimization "
    "problems. [Section 1:] Often, distributed DP gradient methods with clipping have been studied under assumptions that "
    "are unrealistic […] such as bounded gradient norms (Li et al., 2022; Wang et al., 2023; Lowy et al., 2023; Zhang et al., "
    "2020b)",
    reason="Section 1 names four works on distributed methods with guarantees under bounded gradients. What the sentence lacks are "
    "its conditions: no bounded gradients, and clipping that acts (NEC-S11-FIRST@qualified).",
    conflict=Proof(
        (),
        (
            compare(
                "works on distributed DP gradient methods that Section 1 names",
                Fraction(len(DISTRIBUTED_BEFORE)),
                ">",
                Fraction(0),
            ),
        ),
    ),
)
CLAIMS = (ROBUST, EF21, CLIPPING, FIRST, NO_METHOD, FIRST_QUALIFIED)
