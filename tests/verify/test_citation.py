"""A citation gives what the cited proof concludes, about letters that satisfy its hypotheses, and nothing else."""

import re
from dataclasses import replace

import pytest
import sympy

from verify.alpha_normec.letters import sigma
from verify.alpha_normec.theorems.descent import f_inf
from verify.catalogue import claims
from verify.citation import Cite
from verify.claim import Claim
from verify.facts import definition, hypothesis, standard
from verify.obligation import Obligation, Settings, obligation
from verify.privacy.utility import OUR_UTILITY, PUBLIC_GAP
from verify.proof import Proof
from verify.prove import prove

x, y, u, root = sympy.symbols("x y u root", real=True)
SETTINGS = Settings()
LARGE = hypothesis("x > 2", x > 2)
SQUARE = Claim(
    "NEC-TEST", "alpha-normec", "nowhere", "lemma", "printed", "reason",
    proof=Proof((LARGE,), (obligation("x² > 4", [LARGE], x**2 > 4),)),
)  # fmt: skip
ROOT = definition("root = √x", (root >= 0) & sympy.Eq(root**2, x))
WITH_ROOT = replace(
    SQUARE, proof=Proof((LARGE,), (obligation("root > 1", [LARGE, ROOT], root > 1),))
)  # fmt: skip


def test_the_conclusion_is_the_cited_one_at_the_new_letters() -> None:
    cite = Cite(SQUARE, (hypothesis("y > 5", y > 5),), at=((x, y - 3),))
    assert cite.conclusion.relation == ((y - 3) ** 2 > 4)
    proof = Proof(cite.given, (cite, obligation("(y − 3)² > 3", [cite.conclusion], (y - 3) ** 2 > 3)))
    assert prove(proof, SETTINGS).ok


def test_a_hypothesis_of_the_cited_claim_that_does_not_hold_is_found() -> None:
    found = Cite(SQUARE, (hypothesis("y > 4", y > 4),), at=((x, y - 3),)).discharge(SETTINGS)
    assert found.status == "unknown"
    assert "NEC-TEST needs: x > 2" in found.detail


def test_only_what_the_cited_claim_needs_is_needed_here() -> None:
    """A condition does not become needed by being handed on."""
    idle, larger = hypothesis("y < 9", y < 9), hypothesis("y > 5", y > 5)
    word_for_word = Cite(SQUARE, (LARGE, idle)).discharge(SETTINGS)
    shown_from = Cite(SQUARE, (larger, LARGE, idle), at=((x, y - 3),)).discharge(SETTINGS)
    assert (word_for_word.needed, shown_from.needed) == (("x > 2",), ("y > 5",))
    unused = replace(SQUARE, proof=Proof((LARGE, idle), SQUARE.proof.nodes if SQUARE.proof else ()))
    assert Cite(unused, (LARGE, idle)).discharge(SETTINGS).needed == ("x > 2",)


def test_a_hypothesis_that_nobody_mentions_is_found() -> None:
    assert Cite(SQUARE, ()).discharge(SETTINGS).status == "unknown"


def test_a_letter_that_means_something_else_here_is_found() -> None:
    """`root` is √x there; here it is another number, or a number of which nothing is said."""
    here = definition("root = 2x", sympy.Eq(root, 2 * x))
    assert Cite(WITH_ROOT, (LARGE, here)).discharge(SETTINGS).status == "unknown"
    assert Cite(WITH_ROOT, (LARGE,)).discharge(SETTINGS).status == "unknown"
    assert Cite(WITH_ROOT, (LARGE, ROOT)).discharge(SETTINGS).ok
    assert (
        Cite(WITH_ROOT, (LARGE, definition("u = √x", ROOT.relation.subs(root, u))), at=((root, u),))
        .discharge(SETTINGS)
        .ok
    )


def test_textbook_results_of_what_is_cited_are_listed() -> None:
    known = standard("squares are large", x**2 > 3)
    resting = replace(SQUARE, proof=Proof((LARGE,), (obligation("x² > 4", [LARGE, known], x**2 > 4),)))
    assert Proof((LARGE,), (Cite(resting, (LARGE,)),)).standard == ("squares are large",)


def test_what_is_not_proved_cannot_be_cited() -> None:
    false = replace(SQUARE, proof=Proof((LARGE,), (obligation("x² > 5", [LARGE], x**2 > 5),)))
    assert Cite(false, (LARGE,)).discharge(SETTINGS).status == "unknown"
    with pytest.raises(ValueError, match="offers no proof"):
        Cite(SQUARE, (LARGE,), repaired=True).discharge(SETTINGS)


def test_a_step_cannot_use_a_citation_that_its_proof_does_not_make() -> None:
    cite = Cite(SQUARE, (LARGE,))
    assert Proof((LARGE,), (obligation("x² > 3", [cite.conclusion], x**2 > 3),)).gaps()


def test_the_noise_per_coordinate_is_not_taken_for_that_of_the_vector() -> None:
    """Corollary 2's repair speaks of E‖z_i‖², ours of σ_DP per coordinate: without √d the citation fails."""
    assert OUR_UTILITY.proof is not None
    utility = OUR_UTILITY.proof.nodes[-1]
    assert isinstance(utility, Cite)
    assert all(premise.discharge(SETTINGS).ok for premise in utility.premises())
    per_vector = replace(
        utility, at=tuple((letter, value) for letter, value in utility.at if letter != sigma)
    )
    assert not all(premise.discharge(SETTINGS).ok for premise in per_vector.premises())


def test_the_start_that_is_known_to_the_public_is_a_bound_for_the_start() -> None:
    """Where G may be below f(x⁰) − f^inf, f^inf − (G − (f(x⁰) − f^inf)) need not lie below f."""
    assert OUR_UTILITY.proof is not None
    lower = next(node for node in OUR_UTILITY.proof.nodes if PUBLIC_GAP in node.given)
    assert isinstance(lower, Obligation)
    assert lower.discharge(SETTINGS).ok
    anything = replace(lower, given=tuple(fact for fact in lower.given if fact is not PUBLIC_GAP))
    assert anything.discharge(SETTINGS).status == "refuted"


def test_a_letter_whose_definition_is_deep_in_a_citation_cannot_be_replaced_alone() -> None:
    """f(x⁰) − f^inf becomes G only where f^inf becomes what lies G below f(x⁰): that stands in what the cited claim cites."""
    assert OUR_UTILITY.proof is not None
    utility = OUR_UTILITY.proof.nodes[-1]
    assert isinstance(utility, Cite)
    alone = replace(utility, at=tuple((letter, value) for letter, value in utility.at if letter != f_inf))
    assert [premise.name for premise in _unmet(alone)] == ["NEC-C2-UTIL (repaired) needs: gap"]
    assert not _unmet(utility)


def _unmet(citation: Cite) -> list[Obligation]:
    return [premise for premise in citation.premises() if not premise.discharge(SETTINGS).ok]


def cited() -> list[Cite]:
    offered = (proof for claim in claims().values() for proof in claim.proofs)
    return [node for proof in offered for node in proof.nodes if isinstance(node, Cite)]


def test_every_cited_claim_is_in_the_catalogue() -> None:
    assert {cite.claim.id for cite in cited()} >= {
        "NEC-L1b",
        "NEC-T1",
        "NEC-T2-APP",
        "NEC-C1@equality",
        "NEC-C2-DP",
    }
    assert all(claims()[cite.claim.id] is cite.claim for cite in cited())


def test_what_is_cited_ends_with_what_it_says() -> None:
    """A citation concludes what the last step of the cited proof does, and a limit or a run last would leave it nothing."""
    assert not {cite.claim.id for cite in cited() if cite.conclusion.relation == sympy.true}


def test_a_text_that_speaks_of_a_bound_or_a_witness_says_whose() -> None:
    """These sentences are made from a form, in which a name can land in the place of another."""
    texts = [(it.id, it.consequence) for it in claims().values() if it.consequence]
    witnesses = [
        (name, found) for name, text in texts for found in re.findall(r"witness of (\S+) has (\S+)", text)
    ]
    bounds = [(name, found) for name, text in texts for found in re.findall(r"bound of (\S+) smaller", text)]
    assert len(witnesses) > 10 < len(bounds)
    for name, (owner, letter) in witnesses:
        assert owner in claims(), f"{name}: whose witness is that of “{owner}”?"
        assert claims()[owner].witness is not None, f"{name}: {owner} has no witness"
        assert letter in ("Δ^inf", "D₂"), f"{name}: the witness of {owner} has “{letter}”?"
    assert {found for _, found in bounds} <= set(claims())
