"""Both sides of every bound scale alike, but for those that print a sum of different units; and every letter has its domain."""

import pytest
import sympy

from bounds.alpha_normec import symbols as nec
from bounds.catalogue import every
from bounds.dp_normfedavg import symbols as das
from bounds.fed_alpha_normec import symbols as fed
from bounds.symbols import GRADIENT, VALUE
from verify.units import UnitError, unit_of

BOUNDS = every()
MIXED = {  # in print: a root where none is due, max(α, 2), L D₁D₂ for D₁D₂/L, Δ^inf for its root
    "NEC-T2-POSTER@step", "FED-C1-MAIN", "FED-C3", "FED-C5", "FED-C2-UTIL", "FED-C2-UTIL@square-root", "FED-C4",
    "FED-C6",
}  # fmt: skip
NUMBER = "α > 1"
"""A gradient compared with a number: NEC-EQ12@alpha-above-one."""
ROOTED = "ηγ ≤ 1/(K+1) · Δ^inf/(4L√(2L))"


@pytest.mark.parametrize("name", sorted(set(BOUNDS) - MIXED))
def test_a_bound_and_its_conditions_have_one_unit(name):
    bound = BOUNDS[name]
    letters = {n: bound.symbols[n].sympy() for n in bound.parameters} | (
        {"T": sympy.Integer(2)} if "T" in bound.parameters else {}
    )
    assert unit_of(bound.value(**letters), bound.symbols) == (VALUE if name.startswith("DAS") else GRADIENT)
    for condition in bound.conditions:
        if condition.printed not in (ROOTED, NUMBER):
            limit = unit_of(condition.bound(letters), bound.symbols)
            assert limit in (None, bound.symbols[condition.variable].unit), condition.printed


@pytest.mark.parametrize("name", sorted(MIXED - {"NEC-T2-POSTER@step"}))
def test_what_is_printed_in_mixed_units_is_mixed(name):
    letters = {n: BOUNDS[name].symbols[n].sympy() for n in BOUNDS[name].parameters}
    with pytest.raises(UnitError):
        unit_of(BOUNDS[name].value(**letters), BOUNDS[name].symbols)


ALLOWED = {
    "nec": {
        -1: "",
        0: "f_gap K R sigma C_1",
        0.5: "f_gap L L_max alpha beta gamma R D sigma epsilon delta tau C_1 beta_0",
        1: "f_gap K L L_max alpha beta gamma R D sigma n d epsilon tau C_1 beta_0",
        1.5: "f_gap L L_max alpha beta gamma R D sigma epsilon tau C_1 beta_0",
    },
    "fed": {
        -1: "Delta Delta_local",
        0: "f_gap K R sigma V Delta Delta_local",
        0.5: "f_gap L alpha beta gamma eta R p sigma V Delta Delta_local s D_1 D_2 B_hat c C epsilon delta",
        1: "f_gap K L alpha beta gamma eta R p sigma V M T N d Delta Delta_local s D_1 D_2 B_hat c C epsilon",
        1.5: "f_gap L alpha beta gamma eta R sigma V Delta Delta_local s D_1 D_2 B_hat c C epsilon",
    },
    "das": {
        -1: "",
        0: "distance Delta Delta_max Delta_kept share_kept z_Delta excess",
        0.5: "r L G C C_hat gamma alpha rho eta distance Delta Delta_max Delta_kept share_kept z_Delta excess epsilon delta q",
        1: "n r d E K L G C C_hat gamma alpha rho eta distance Delta Delta_max Delta_kept share_kept z_Delta excess epsilon q",
        1.5: "r L G C C_hat gamma alpha rho eta distance Delta Delta_max Delta_kept share_kept z_Delta excess epsilon q",
    },
}


@pytest.mark.parametrize("value", [-1, 0, 0.5, 1, 1.5])
@pytest.mark.parametrize("paper", ALLOWED)
def test_letters_allow_what_they_stand_for(paper, value):
    table = {"nec": nec, "fed": fed, "das": das}[paper].SYMBOLS
    assert {name for name, symbol in table.items() if symbol.allows(value)} == set(
        ALLOWED[paper][value].split()
    )
