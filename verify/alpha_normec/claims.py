"""The claims of α-NormEC, in the order of the paper."""

from verify.alpha_normec.corollaries import (
    appendix_f,
    appendix_h,
    corollary1,
    corollary2,
    equation12,
    equation12_ranges,
    small_radius,
)
from verify.alpha_normec.experiments import figures, grids, printed_numbers, private_runs, training
from verify.alpha_normec.lemmas import lemma2, lemma3, memory, memory_limit, operator
from verify.alpha_normec.lemmas import steps as lemma_steps
from verify.alpha_normec.ours import averaged, forgets, sharper, utility
from verify.alpha_normec.text import (
    against_dp_sgd,
    algorithm,
    discrepancies,
    introduction,
    mechanism,
    preliminaries,
    rates,
    remarks,
)
from verify.alpha_normec.theorems import (
    additive,
    clipping,
    descent_displays,
    few_coordinates,
    poster,
    theorem1,
    theorem2,
)

CLAIMS = (
    *introduction.CLAIMS,
    *mechanism.CLAIMS,
    *preliminaries.CLAIMS,
    *operator.CLAIMS,
    *algorithm.CLAIMS,
    *lemma2.CLAIMS,
    *theorem1.CLAIMS,
    *sharper.CLAIMS,
    *additive.CLAIMS,
    *corollary1.CLAIMS,
    *equation12.CLAIMS,
    *equation12_ranges.CLAIMS,
    *rates.CLAIMS,
    *lemma3.CLAIMS,
    *lemma_steps.CLAIMS,
    *theorem2.CLAIMS,
    *descent_displays.CLAIMS,
    *poster.CLAIMS,
    *averaged.CLAIMS,
    *forgets.CLAIMS,
    *clipping.CLAIMS,
    *utility.CLAIMS,
    *few_coordinates.CLAIMS,
    *corollary2.CLAIMS,
    *small_radius.CLAIMS,
    *remarks.CLAIMS,
    *appendix_h.CLAIMS,
    *memory.CLAIMS,
    *memory_limit.CLAIMS,
    *appendix_f.CLAIMS,
    *discrepancies.CLAIMS,
    *printed_numbers.CLAIMS,
    *training.CLAIMS,
    *figures.CLAIMS,
    *private_runs.CLAIMS,
    *grids.CLAIMS,
    *against_dp_sgd.CLAIMS,
)
