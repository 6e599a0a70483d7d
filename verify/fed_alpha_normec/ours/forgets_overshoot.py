"""Several local steps from any memories, for every β: where β > √2 α a small residual may be overshot, which raises its potential by
at most (3/2)(β² − 2α²) a round (`forgets`, `forgets_several`).
"""

from __future__ import annotations

from dataclasses import replace

import sympy

from bounds.fed_alpha_normec import forgets as bounds
from verify.facts import definition, equal, letters
from verify.fed_alpha_normec.lemmas import bias as bi
from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas.lemma1 import SHRUNK, r, w
from verify.fed_alpha_normec.letters import ALPHA, BETA, Delta, Delta_local, L, alpha, beta, claim, eta
from verify.fed_alpha_normec.ours import forgets as fo
from verify.fed_alpha_normec.ours import forgets_several as fs
from verify.fed_alpha_normec.ours import rounds as ro
from verify.obligation import obligation

over = letters("over")[0]
OVER = definition("over = (3/2) max(β² − 2α², 0)", equal(over, 3 * sympy.Max(beta**2 - 2 * alpha**2, 0) / 2))
FALL = obligation(
    "φ(w) + βw ≤ φ(r) + over, φ(x) = x²/2 + αx, over ≥ 0",
    (ALPHA, BETA, SHRUNK, OVER),
    (fo.phi(w) + beta * w <= fo.phi(r) + over) & (over >= 0),
)
ANY = replace(
    fs.GENTLE,
    potential=fo.potential(2 * L * eta, fs.STRIDE, over),
    falls=(FALL,),
    asked=(fs.STRIDE,),
    meaning=(OVER,),
    more=3 * sympy.Max(beta**2 - 2 * alpha**2, 0) / (beta - 2 * L * eta),
)
_MORE = "{} for every β with η < β/(2L); where β > √2 α its bound is larger by 3(β² − 2α²)/(β − a), a = 2Lη"
R2_ANY = claim(
    "FED-R2-FORGETS@any-beta",
    "ours, FED-R2-FORGETS without β ≤ √2 α",
    "ours",
    _MORE.format("FED-R2-FORGETS"),
    "A residual below β − α is overshot to at most (√β − √α)², which adds at most (3/2)(β² − 2α²) to its potential.",
    proof=fs.proof(
        fs.NEAR_GD, fs.FROM_GD, sympy.Integer(1), Delta, fs.LEAST_GD,
        ro.right_side(bounds.LOCAL_GRADIENT_FORGETS), memory=ANY
    ),
)  # fmt: skip
R3_ANY = claim(
    "FED-R3-FORGETS@any-beta",
    "ours, FED-R3-FORGETS without β ≤ √2 α",
    "ours",
    _MORE.format("FED-R3-FORGETS"),
    "The same for incremental gradient.",
    proof=fs.proof(
        fs.NEAR_IG, fs.FROM_IG, sympy.Integer(2), Delta + Delta_local, fs.LEAST_IG,
        ro.right_side(bounds.INCREMENTAL_GRADIENT_FORGETS), steps=bi.incremental(gd.ITEM24), memory=ANY,
    ),
)  # fmt: skip
CLAIMS = (R2_ANY, R3_ANY)
