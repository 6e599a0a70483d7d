"""Claims, provers and verdicts.

How to write a claim (see `verify/alpha_normec/` for examples):

    from verify.claim import Claim, Witness, Repair, Gap      # the data
    from verify.facts import hypothesis, definition, standard, derived
    from verify.obligation import obligation                  # given ⊢ goal, discharged by z3 (cvc5 as a second opinion)
    from verify.computation import Comparison, Computation    # exact, in fractions
    from verify.identity import Identity, Limit
    from verify.induction import Induction
    from verify.case import Case                              # steps under one more assumption
    from verify.proof import Proof                            # the graph; `verify.prove` checks it
    from verify.citation import Cite                          # what another claim concludes
    from verify.gram import vectors, Space, inner, square     # vectors of any dimension
    from verify.units import SameUnit, DifferentUnit

- A `Fact` is a named sympy relation over letters `sympy.Symbol(name, real=True)`; positivity is a fact like any other.
  Roots (`sympy.sqrt`, rational powers), |·|, Max, Min and quotients are allowed: they are cleared before a solver sees them.
- `obligation(name, given, goal)` is one step. A `Proof(assumptions, nodes)` is a list of steps; each step may use only the
  assumptions (the printed hypotheses and the domains of letters), definitions, cited textbook results (`standard`) and the
  conclusions of earlier nodes (same name and relation: pass `node.conclusion`, or `.at({letter: value})` of it, where what
  it was shown from holds of the new letters too). The assumptions must be able to hold together.
- A definition introduces a letter or says what every value of it is; it may not narrow the statement (`verify.definitions`),
  and a letter means one thing in a proof. What only some values allow, as f(x⁰) > f^inf, is a hypothesis. What an induction runs
  through is another number in each step (`verify.every_step`, `verify.running`).
- A claim that does not hold as printed carries a `Witness(values, breaks, replay)`: `replay(values)` returns
  `Comparison(lhs, "<=", rhs, presupposed=(("β/(α+R) < 1", True), …))` computed with `fractions.Fraction` only: every
  presupposed hypothesis must hold and the comparison, which is the printed conclusion, must fail.
- `Repair(statement, condition, proof)` is what does hold; a condition that its proof does not need is a failure. Where nothing
  refutes the printed form, `Gap(kind, what, shown)` shows that it is undefined somewhere, or false under one reading. A claim whose
  sources contradict each other offers `conflict`, a proof of the contradiction. What nothing decides says why in `undecided`.
- Nobody writes a verdict: `verify.verdict.establish` derives it, and reports evidence that does not stand as a failure.
- Each package has a module `claims` with a tuple `CLAIMS`; the test of a claim is `tests/verify/test_claims.py::test_claim[ID]`.
"""

import os

# sympy keeps the last 1000 results of each of its functions, which the claims of one paper outrun. It reads this when it is imported.
os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")
