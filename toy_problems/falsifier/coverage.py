"""Every bound that `bounds` encodes, and why some of them are not attacked."""

from __future__ import annotations

from collections.abc import Mapping

_HIDDEN = (
    "what stands under O(·): no constant is printed, so no one instance can break it; the bound that it is derived "
    "from is attacked"
)

NOT_ATTACKED: Mapping[str, str] = {
    "NEC-C2-UTIL": _HIDDEN,
    "NEC-T2-POSTER@step": "its limit on γ adds different units, so that nothing can be normalised; at L = 1 it is NEC-T2-POSTER, "
    "which is attacked",
    "FED-C2-UTIL": _HIDDEN,
    "FED-C2-UTIL@square-root": _HIDDEN,
    "FED-C4": _HIDDEN,
    "FED-C6": _HIDDEN,
    "DAS-S41-EQ4": "(4) is the limit of DAS-T4a as α → ∞, and (5), with the same right-hand side (DAS-S41-EQ5), that of DAS-T4b; no "
    "finite run reaches it, and both theorems are attacked",
    "gradient descent": "a classical bound that the paper compares with; the search meets PEPit's exact worst case of "
    "gradient descent in tests/toy_problems/test_falsifier_peer.py",
    "NEC-AF (Clip21)": "a bound of another paper on another method, quoted without its conditions; false as quoted: NEC-AF-BOUND",
}
"""Bounds without a target, by name, each with its reason; the report shows them."""
