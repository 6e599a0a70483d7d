"""False neighbours of the bounds for several local steps from any memories must lose their proof."""

import pytest

from verify.fed_alpha_normec.lemmas import local_gradient as gd
from verify.fed_alpha_normec.lemmas.lemma1 import moved
from verify.fed_alpha_normec.letters import L, eta
from verify.fed_alpha_normec.ours import forgets, forgets_several, potential
from verify.obligation import Obligation, Settings


@pytest.mark.parametrize(("times", "status"), [(2, "proved"), (1, "refuted")], ids=["2Lη", "half of it"])
def test_the_charge_is_for_as_far_as_the_local_steps_move(times: int, status: str) -> None:
    """‖P_i(xᵏ⁺¹) − P_i(xᵏ)‖ ≤ 2Lη pays with a = 2Lη, and not with a = Lη."""
    moves = gd.MOVES.conclusion.at({gd.slope: moved})
    charged = forgets.potential(times * L * eta, forgets_several.STRIDE)
    client = potential.one_round(charged, forgets.FALL.conclusion, moves).nodes[0]
    assert isinstance(client, Obligation)
    assert client.discharge(Settings(minimise=False)).status == status
