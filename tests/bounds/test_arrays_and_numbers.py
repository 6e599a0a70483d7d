"""A bound on arrays is the bound on their entries, next to its limits too: there half of a difference is rounding."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bounds.catalogue import by_name
from bounds.statement import ConditionError

EDGE = {
    "NEC-OUR-T1-FORGETS": {
        "f_gap": 0.0, "gamma": 0.0013647756139917337, "K": 1, "R": 0.0, "L": 0.005225981237480712, "L_max": 9.146334930825631,
        "alpha": 0.008826598190760692, "beta": 0.012482694870991592,
    },
    "FED-R3-FORGETS": {
        "f_gap": 183.24373455857932, "K": 10, "eta": 0.013908711238889865, "R": 0.0, "alpha": 12.811163426728832,
        "beta": 18.11772106785809, "M": 1, "p": 1.0, "V": 0.0037770455614540943, "L": 651.3084050950564,
        "gamma": 0.0007676854714120058, "Delta": 0.008388463243357082, "Delta_local": 0.012029377588978,
    },
}  # fmt: skip
NEAR = {
    "f_gap": 1.0,
    "gamma": 0.3 * (1 - 4e-16) / 3,
    "K": 100,
    "R": 1.0,
    "L": 1.0,
    "L_max": 3.0,
    "alpha": 1.0,
    "beta": 0.3,
}


@pytest.mark.parametrize(("name", "given"), [*EDGE.items(), ("NEC-OUR-T1-FORGETS", NEAR)])
def test_arrays_have_the_bound_of_their_entries(name, given):
    bound = by_name(name)
    expected = bound(**given)
    assert bound(**{letter: np.array([value]) for letter, value in given.items()}).tolist() == [expected]
    for letter, value in given.items():
        for array in (np.array([[value], [value]]), torch.tensor([[value]] * 2, dtype=torch.float64)):
            found = bound(**{**given, letter: array})
            assert type(found) is type(array)
            assert found.tolist() == [[expected]] * 2


@pytest.mark.parametrize("name", EDGE)
def test_a_value_that_an_error_allows_is_allowed_in_arrays(name):
    given, letter = EDGE[name], "gamma" if "gamma" in by_name(name).conditions[-1].variable else "eta"
    beyond = {k: np.array([value]) for k, value in {**given, letter: 2 * given[letter]}.items()}
    with pytest.raises(ConditionError) as caught:
        by_name(name)(**beyond)
    allowed = float(str(caught.value).rsplit("is ", 1)[1])
    assert np.isfinite(by_name(name)(**{**beyond, letter: np.array([allowed])})).all()


def test_a_shorter_type_stays_and_what_leaves_the_floats_is_named():
    bound, given = by_name("NEC-OUR-T1-FORGETS"), {**NEAR, "gamma": 0.001}
    found = bound(**{**given, "f_gap": np.array([1.0, 2.0], np.float32)})
    assert found.dtype == np.float32
    assert found == pytest.approx([bound(**{**given, "f_gap": v}) for v in (1.0, 2.0)], rel=1e-7)
    with pytest.raises(ValueError, match=r"f_gap = 1e\+308, .*: too far apart for floats"):
        bound(**{**given, "f_gap": np.array([1.0, 1e308])})
