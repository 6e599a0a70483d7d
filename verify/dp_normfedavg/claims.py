"""The claims of DP-NormFedAvg, in the order of the catalogue."""

from verify.dp_normfedavg import (
    algorithm,
    experiments,
    figures,
    homogeneous,
    lemmas,
    notation,
    prose,
    remarks,
    steps,
    table2,
    theorems,
)

CLAIMS = (
    *theorems.CLAIMS,
    *notation.CLAIMS,
    *prose.CLAIMS,
    *remarks.CLAIMS,
    *homogeneous.CLAIMS,
    *algorithm.CLAIMS,
    *lemmas.CLAIMS,
    *steps.CLAIMS,
    *table2.CLAIMS,
    *figures.CLAIMS,
    *experiments.CLAIMS,
)
