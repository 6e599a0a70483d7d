"""Participation, clients' noise and the server's draw from streams of their own."""

from itertools import combinations

import numpy as np

from methods.randomness import Keyed

LIKE = np.zeros(())


def test_participation_and_both_noises_of_a_round_are_independent():
    """Of one seed and round: a pair of normals has r² = −2 ln(1 − u), so a word that two of them share shows in these ranks."""
    draws = 4000
    keyed = Keyed(np.arange(draws))
    radius = {
        "client": (keyed.client_normals(3, (draws,), 1, 2, LIKE)[:, 0] ** 2).sum(axis=-1),
        "server": (keyed.server_normals(3, (draws,), 2, LIKE) ** 2).sum(axis=-1),
        "participation": keyed.uniforms(3, (draws,), 1, LIKE)[:, 0],
    }
    ranks = {name: values.argsort().argsort() for name, values in radius.items()}
    for one, two in combinations(ranks, 2):
        assert abs(np.corrcoef(ranks[one], ranks[two])[0, 1]) < 5 / np.sqrt(draws), (one, two)
