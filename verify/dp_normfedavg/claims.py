"""The claims of DP-NormFedAvg, in the order of the catalogue."""

from verify.dp_normfedavg.asymptotics import dies_down, homogeneous
from verify.dp_normfedavg.counterexamples import section41
from verify.dp_normfedavg.lemmas import claims as lemmas
from verify.dp_normfedavg.ours import stochastic
from verify.dp_normfedavg.text import (
    algorithm,
    asides,
    experiments,
    figures,
    heterogeneity,
    noise_drowns,
    notation,
    prose,
    remarks,
    scope,
    signal,
    slips,
    table2,
    tight,
    undefined,
)
from verify.dp_normfedavg.theorems import claims as theorems
from verify.dp_normfedavg.theorems import guarantees, received_claims, steps

CLAIMS = (
    *theorems.CLAIMS,
    *received_claims.CLAIMS,
    *notation.CLAIMS,
    *guarantees.CLAIMS,
    *heterogeneity.CLAIMS,
    *prose.CLAIMS,
    *section41.CLAIMS,
    *signal.CLAIMS,
    *undefined.CLAIMS,
    *dies_down.CLAIMS,
    *remarks.CLAIMS,
    *scope.CLAIMS,
    *noise_drowns.CLAIMS,
    *slips.CLAIMS,
    *tight.CLAIMS,
    *stochastic.CLAIMS,
    *homogeneous.CLAIMS,
    *algorithm.CLAIMS,
    *lemmas.CLAIMS,
    *steps.CLAIMS,
    *table2.CLAIMS,
    *figures.CLAIMS,
    *experiments.CLAIMS,
    *asides.CLAIMS,
)
