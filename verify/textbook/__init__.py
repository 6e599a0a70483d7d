"""Textbook results that proofs cite, tried on cases.

A proof may take a textbook result for granted (`verify.facts.standard`), and then nobody asks a solver whether it is true. A slip
there (a constant, a direction, a letter that stands for something else) would prove what is false. So each such fact is tried: a
*trial* draws concrete cases of what the result is about (functions that are known to be smooth, vectors, random variables,
mechanisms), computes what the fact's letters stand for from the case alone, in 60 digits, and the fact has to hold. Cases have to be
so sharp that a coefficient that is off by a quarter of itself shows.

    trial.py       a trial, and what it finds
    draws.py       random numbers and vectors, with the special ones among them
    functions.py   smooth functions that know their constants and infima
    library.py     all trials, and the few facts that no case can speak of, each with the reason
    survey.py      what comes of all of them; `python -m verify textbook` prints it

The other files hold the trials, by what they are about. To try a new fact, add a trial of its name; `tests/verify/test_textbook.py`
names every fact that has none.
"""
