"""The claims of α-NormEC: `claims` has them in the order of the paper, `letters` the letters and hypotheses that they share.

lemmas        Lemmas 1 to 3, the operator, the memories of Appendix C
theorems      Theorems 1 and 2 in each printed version
corollaries   Corollaries 1 and 2, Appendices F and H, equation (12)
ours          what we prove beyond them
text          what the paper says outside its numbered statements
experiments   Section 6, Appendix I and the poster, by numbers
"""
