"""`python -m verify recipe`: what it prints is what a proved bound gives, and the noise is as private as it says."""

import json

import pytest

import methods.local_work
import methods.published
from bounds.alpha_normec.contracted import PRIVATE_CONTRACTS
from bounds.alpha_normec.forgets import PRIVATE_FORGETS
from bounds.alpha_normec.ours import PRIVATE_SHARP, PRIVATE_WIDE
from bounds.dp_normfedavg.repaired import CLIPPING, NORMALISING
from bounds.fed_alpha_normec.contracted import (
    INCREMENTAL_GRADIENT_CONTRACTS,
    LOCAL_GRADIENT_CONTRACTS,
    ONE_STEP_CONTRACTS,
)
from bounds.fed_alpha_normec.forgets import (
    INCREMENTAL_GRADIENT_FORGETS,
    LOCAL_GRADIENT_FORGETS,
    ONE_STEP_FORGETS,
)
from bounds.fed_alpha_normec.repaired import (
    INCREMENTAL_GRADIENT_SHARP,
    LOCAL_GRADIENT_SHARP,
    ONE_STEP_SHARP,
)
from bounds.privacy import Setting, epsilon
from verify.__main__ import main
from verify.catalogue import claim

PROVED = {b.name: b for b in (PRIVATE_WIDE, PRIVATE_SHARP, PRIVATE_FORGETS, PRIVATE_CONTRACTS, ONE_STEP_SHARP, ONE_STEP_FORGETS,
                              ONE_STEP_CONTRACTS, LOCAL_GRADIENT_SHARP, INCREMENTAL_GRADIENT_SHARP, LOCAL_GRADIENT_FORGETS,
                              INCREMENTAL_GRADIENT_FORGETS, LOCAL_GRADIENT_CONTRACTS, INCREMENTAL_GRADIENT_CONTRACTS, CLIPPING,
                              NORMALISING)}  # fmt: skip
NEC = "alpha-normec --f-gap 2 --L 3 --K 5000 --clients 50"
FED = "fed-alpha-normec --f-gap 2 --L 3 --K 5000 --clients 50"
DAS = "dp-normfedavg --L 3 --G 2 --distance 1 --clients 500 --dimension 20 --epsilon 8"


def answer(capsys: pytest.CaptureFixture, command: str) -> dict:
    assert main(["recipe", *command.split(), "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("command", "theorem", "rest"),
    [
        (NEC, "NEC-OUR-T2-CONTRACTS", {"f_gap": 2, "L": 3, "K": 5000, "L_max": 3, "V": 0, "n": 50}),
        (f"{NEC} --L-max 30", "NEC-OUR-T2-CONTRACTS", {"f_gap": 2, "L": 3, "K": 5000, "L_max": 30, "V": 0, "n": 50}),
        (f"{NEC} --least-R 20", "NEC-OUR-T2-CONTRACTS", {"f_gap": 2, "L": 3, "K": 5000, "L_max": 3, "V": 0, "n": 50}),
        (FED, "FED-R1-CONTRACTS", {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 1}),
        (f"{FED} --least-R 5", "FED-R1-CONTRACTS", {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 1}),
        (f"{FED} --participation 0.5", "FED-R1-SHARP", {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 0.5}),
        (f"{FED} --participation 0.5 --least-R 5", "FED-R1-FORGETS", {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 0.5}),
        (f"{FED} --participation 0.5 --local-steps 4 --Delta 1", "FED-R2-SHARP",
         {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 0.5, "Delta": 1}),
        (f"{FED} --participation 0.5 --local-work incremental --Delta-local 1", "FED-R3-SHARP",
         {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 0.5, "Delta": 0, "Delta_local": 1}),
        (f"{FED} --participation 0.5 --local-steps 4 --Delta 1 --least-R 5", "FED-R2-FORGETS",
         {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 0.5, "Delta": 1}),
        (f"{FED} --participation 0.5 --local-work incremental --Delta-local 1 --least-R 5", "FED-R3-FORGETS",
         {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 0.5, "Delta": 0, "Delta_local": 1}),
        (f"{FED} --local-steps 4 --Delta 1 --least-R 5", "FED-R2-CONTRACTS",
         {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 1, "Delta": 1}),
        (f"{FED} --local-work incremental --Delta-local 1 --least-R 5", "FED-R3-CONTRACTS",
         {"f_gap": 2, "L": 3, "K": 5000, "M": 50, "p": 1, "Delta": 0, "Delta_local": 1}),
        (DAS, "DAS-OURS-CLIP", {"distance": 1, "G": 2, "L": 3, "excess": 0, "Delta": 0}),
        (f"{DAS} --update normalisation", "DAS-OURS-NORM", {"distance": 1, "G": 2, "L": 3, "excess": 0}),
    ],
    ids=["NEC", "NEC, uneven clients", "NEC from afar", "FED", "FED from afar", "FED, absent clients",
         "FED, absent clients from afar", "FED, local steps", "FED, a pass",
         "FED, local steps from afar", "FED, a pass from afar",
         "FED, local steps of everybody from afar", "FED, a pass of everybody from afar", "DAS clipped", "DAS normalised"],
)  # fmt: skip
def test_parameters_stand_inside_the_conditions_of_a_proved_bound_and_give_its_value(
    capsys, command, theorem, rest
):
    found = answer(capsys, command)
    assert found["theorem"] == theorem
    bound = PROVED[theorem]
    letters = {n: v for n, v in found["parameters"].items() if n in bound.parameters}
    assert bound(**{**letters, **rest}) == pytest.approx(found["bound"], rel=1e-12)
    assert found["useful"] == (found["bound"] < found["known"])
    assert claim(theorem).kind == "ours"


@pytest.mark.parametrize(
    ("command", "known", "useful"),
    [
        (NEC, 12**0.5, True),
        (f"{NEC} --epsilon 1 --dimension 100000", 12**0.5, False),
        (FED, 12**0.5, True),
        (f"{FED} --epsilon 1 --dimension 100000", 12**0.5, False),
        (DAS, 1.5, True),
        (DAS.replace("--distance 1", "--distance 2"), 4.0, True),
        (DAS.replace("--epsilon 8", "--epsilon 0.01"), 1.5, False),
    ],
    ids=["NEC", "NEC in noise", "FED", "FED in noise", "DAS near", "DAS far", "DAS in noise"],
)  # fmt: skip
def test_what_is_known_at_the_start_is_a_bound_before_any_round(capsys, command, known, useful):
    """‖∇f(x⁰)‖ ≤ √(2L(f(x⁰) − f^inf)) = √(2·3·2); f(w₀) − f(w*) ≤ min(G D, L D²/2), (2·1, 3/2) or (2·2, 6)."""
    found = answer(capsys, command)
    assert (found["known"], found["useful"]) == (pytest.approx(known, rel=1e-12), useful)


def test_an_answer_says_what_was_asked(capsys):
    asked = answer(capsys, f"{FED} --epsilon 8 --dimension 10")["given"]
    assert asked == {
        "f_gap": 2, "L": 3, "K": 5000, "clients": 50, "epsilon": 8, "delta": 1e-5, "dimension": 10, "participation": 1,
        "least_R": 0, "local_work": "gradient",
    }  # fmt: skip
    assert main(["recipe", *NEC.split()]) == 0
    assert "--f-gap 2.0 --K 5000" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("command", "p", "rest"),
    [(NEC, 1.0, {"L_max": 3, "n": 50}), (f"{FED} --participation 0.25", 0.25, {"M": 50, "p": 0.25})],
    ids=["alpha-normec", "fed-alpha-normec"],
)
def test_the_noise_is_as_private_as_it_says_and_no_more_and_the_bound_counts_all_of_it(
    capsys, command, p, rest
):
    """E‖z‖² = dσ² for d = 10; 1 % less noise would break the ε asked for."""
    answered = answer(capsys, f"{command} --epsilon 8 --dimension 10")
    found, bound = answered["parameters"], PROVED[answered["theorem"]]
    setting = Setting("messages", "replace-one", 5001, p, 50)
    assert (
        epsilon(setting, found["sigma"], 1e-5).upper
        <= 8
        < epsilon(setting, found["sigma"] / 1.01, 1e-5).lower
    )
    letters = {name: value for name, value in found.items() if name in bound.parameters}
    given = {**letters, "f_gap": 2, "L": 3, "K": 5000, "V": 10 * found["sigma"] ** 2, **rest}
    assert bound(**given) == pytest.approx(answered["bound"], rel=1e-12)
    assert answer(capsys, command)["bound"] < answered["bound"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (NEC.replace("--f-gap 2", "--f-gap -2"), "--f-gap -2.0 is outside its domain > 0"),
        (NEC.replace("--f-gap 2", "--f-gap 0"), "--f-gap 0.0 is outside its domain > 0"),
        (FED.replace("--f-gap 2", "--f-gap -1"), "--f-gap -1.0 is outside its domain > 0"),
        (FED.replace("--f-gap 2", "--f-gap 0"), "--f-gap 0.0 is outside its domain > 0"),
        (NEC.replace("--clients 50", "--clients 0"), "error: --clients 0 is outside its domain integer >= 1"),
        (FED.replace("--clients 50", "--clients 0"), "error: --clients 0 is outside its domain integer >= 1"),
        (
            DAS.replace("--clients 500", "--clients 0"),
            "error: --clients 0 is outside its domain integer >= 1",
        ),
        (f"{NEC} --least-R nan", "error: --least-R nan is outside its domain >= 0"),
        (f"{FED} --local-steps 0", "error: --local-steps 0 is outside its domain integer >= 1"),
        (f"{FED} --local-steps 2 --Delta -1", "error: --Delta -1.0 is outside its domain >= 0"),
        (f"{NEC} --largest 0.5", "error: --largest 0.5 is outside its domain"),
        (DAS.replace("--distance 1", "--distance -1"), "error: --distance -1.0 is outside its domain > 0"),
        (DAS.replace("--distance 1", "--distance 0"), "error: --distance 0.0 is outside its domain > 0"),
        (
            f"{NEC} --K {2**53}".replace("--K 5000", "") + " --epsilon 8 --dimension 1",
            f"--K {2**53} is outside its domain",
        ),
        (NEC.replace("--K 5000", "--K -1"), "--K -1"),
        (f"{NEC} --epsilon 8", "--epsilon needs --dimension d"),
        (f"{FED} --epsilon 8 --delta 1e-6", "--epsilon needs --dimension d"),
        (f"{NEC} --dimension 5 --epsilon 0", "--epsilon 0.0 is outside its domain"),
        (
            f"{NEC} --dimension 5 --epsilon 8 --delta 2",
            "--delta 2.0 is outside its domain (0, 1): Gaussian noise gives no δ of 0,",
        ),
        (f"{FED} --participation 0", "--participation 0.0 is outside its domain (0, 1]"),
        (f"{DAS} --update normalisation --Delta 1", "normalisation has no guarantee"),
        (f"{DAS} --K 0", "--K 0 is outside its domain"),
        (f"{NEC} --json /proc/nowhere/out.json", "cannot be written"),
        (f"{NEC} --dimension 5", "--dimension 5: nothing depends on it without --epsilon"),
        (f"{NEC} --delta 0.1", "--delta 0.1: nothing depends on it without --epsilon"),
        (f"{FED} --Delta 1", "--Delta 1.0: nothing depends on it with one local step"),
        (
            f"{FED} --local-steps 4 --Delta-local 1",
            "--Delta-local 1.0: nothing depends on it with --local-work gradient",
        ),
        (f"{FED} --local-work incremental --local-steps 4", "--local-steps 4: with --local-work incremental"),
        (NEC.replace("--L 3", "--L 1e300") + " --least-R 1e300", "too far apart for floats"),
        (NEC.replace("--L 3", "--L 1e-308"), "--L 1e-308, --L-max 1e-308"),
        (f"{NEC} --largest 1e308", "--largest 1e+308: too far apart for floats"),
        (f"{FED} --participation 1e-300", "--participation 1e-300"),
        (
            f"{FED} --participation 1e-320",
            "α comes out as 0.0 (--f-gap 2.0, --L 3.0, --clients 50, --K 5000, --participation 1e-320, V = 0.0): too small",
        ),
        (
            f"{FED} --least-R 1e300",
            "error: β comes out as 0.0 (--f-gap 2.0, --L 3.0, --clients 50, --K 5000, ",
        ),
        (DAS.replace("--epsilon 8", "--epsilon 1e308"), "--epsilon 1e+308"),
        (f"{DAS} --update normalisation --Delta nan", "--Delta nan is outside its domain >= 0"),
        (f"{DAS} --update normalisation --Delta -3", "--Delta -3.0 is outside its domain >= 0"),
        (f"{DAS} --Delta nan", "--Delta nan is outside its domain >= 0"),
        (
            NEC.replace("--f-gap 2", "--f-gap 1e308"),
            "comes out as inf (--L 3.0, --f-gap 1e+308): too large for floats",
        ),
        (
            FED.replace("--f-gap 2 --L 3", "--f-gap 1e-320 --L 1e-10"),
            "comes out as 0.0 (--L 1e-10, --f-gap 1e-320): too small for floats",
        ),
        (
            DAS.replace("--distance 1", "--distance 1e-200"),
            "comes out as 0.0 (--G 2.0, --L 3.0, --distance 1e-200): too small for floats",
        ),
        (
            "dp-normfedavg --L 1 --G 1 --distance 100 --clients 1000000 --dimension 1 --epsilon 8 --update normalisation",
            "error: even with --K 1099511627776 the bound is above 0.000126",
        ),
        (
            "dp-normfedavg --L 1e9 --G 100 --distance 1e150 --clients 2 --dimension 3 --epsilon 8 --update normalisation --K 1000000",
            "η comes out as 0.0 (--L 1000000000.0, --G 100.0, --distance 1e+150, --E 1, --K 1000000): too small for floats; take",
        ),
        (
            "alpha-normec --L 0.5 --clients 9007199254740991 --f-gap 1e150 --K 100 --L-max 1e300",
            "α comes out as inf (--f-gap 1e+150, --L 0.5, --L-max 1e+300, --K 100): too large for floats; take other units",
        ),
        (NEC.replace("--L 3", "--L inf"), "--L inf is outside its domain > 0 and finite"),
        (
            f"{FED} --participation 1e-300 --epsilon 100 --dimension 3",
            "<= --delta 1e-05; leave ε out",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, command, message):
    assert main(["recipe", *command.split()]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "start"), [(NEC, "‖∇f_i(x⁰) − g_i⁰‖"), (FED, "‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖")]
)
def test_the_start_that_the_bound_needs_is_said(capsys, command, start):
    found = answer(capsys, command)
    assert f"every {start} ≤ R = {found['parameters']['R']!r}" in found["start"]
    assert main(["recipe", *command.split()]) == 0
    assert found["start"] in capsys.readouterr().out
    assert "not covered by the noise" in answer(capsys, f"{command} --epsilon 8 --dimension 1")["start"]
    assert answer(capsys, DAS)["start"] == "‖w₀ − w*‖ ≤ 1.0"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"{NEC} --epsilon 8 --dimension 1", ("every message", "x⁰ and the g_i⁰")),
        (f"{FED} --epsilon 8 --dimension 1", ("every message and its sender", "x⁰ and the v_i⁰")),
        (DAS, ("the sum of each round alone, every client taking part in every round", "w₀")),
    ],
    ids=["NEC", "FED", "DAS"],
)
def test_what_privacy_asks_is_said(capsys, command, said):
    """Parameters tuned to the data are releases: NEC-C2-DP@step-size has δ = 1."""
    found = answer(capsys, command)["private"]
    for part in (
        *said,
        "(8.0, 1e-05)-DP",
        "the numbers given",
        "chosen without the data",
        "every data set considered",
    ):
        assert part in found
    assert main(["recipe", *command.split()]) == 0
    assert found in capsys.readouterr().out


@pytest.mark.parametrize("command", [NEC, FED], ids=["NEC", "FED"])
def test_without_noise_nothing_is_said_of_privacy(capsys, command):
    assert "private" not in answer(capsys, command)


def test_parameters_in_print_stand_inside_the_conditions(capsys):
    """They meet their limits to 12 digits, so that 8 would step over them."""
    found = answer(capsys, NEC)
    assert main(["recipe", *NEC.split()]) == 0
    printed = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[:5])
    letters = {
        name: float(printed[letter])
        for name, letter in zip(("alpha", "beta", "gamma", "R"), "αβγR", strict=True)
    }
    assert letters == {name: found["parameters"][name] for name in letters}
    PROVED[found["theorem"]].check(**letters, f_gap=2, L=3, K=5000, L_max=3, V=0, n=50)


@pytest.mark.parametrize("update", ["clipping", "normalisation"])
@pytest.mark.parametrize(
    "more", ["", " --clients 1 --K 3", " --epsilon 0.7 --E 3 --clients 77"], ids=["many", "one", "few"]
)
def test_the_noise_of_a_client_of_the_sum_and_of_the_mean_are_as_private_as_asked_each_by_itself(
    capsys, more, update
):
    """C is the bound of an update; the noise of one client, added once to the sum of many, would hide nothing."""
    options = dict(zip((words := f"{DAS}{more}".split()[1:])[::2], words[1::2], strict=True))
    found = answer(
        capsys, " ".join(["dp-normfedavg", *(f"{a} {b}" for a, b in options.items()), "--update", update])
    )
    numbers, n, asked = found["parameters"], int(options["--clients"]), float(options["--epsilon"])
    K, C, once = numbers["K"], numbers["C"], Setting("server-noise", "replace-one", numbers["K"])

    def spent(noise: float, setting: Setting = once) -> float:
        return epsilon(setting, noise, 1e-5).upper

    assert "noise" not in numbers
    told = [
        spent(numbers["client_noise"] / C, Setting("sum", "replace-one", K, 1.0, n)),
        spent(numbers["sum_noise"] / C),
        spent(n * numbers["mean_noise"] / C),
    ]
    assert told == [pytest.approx(asked, rel=1e-9)] * 3
    assert max(told) <= asked
    assert n == 1 or spent(numbers["client_noise"] / C) > 5 * asked


def test_a_table_says_whose_noise_it_is(capsys):
    assert main(["recipe", *DAS.split()]) == 0
    printed = capsys.readouterr().out
    numbers = answer(capsys, DAS)["parameters"]
    for label, key in (
        ("noise of each client, per coordinate", "client_noise"),
        ("in the sum of a round", "sum_noise"),
        ("in the mean of a round", "mean_noise"),
    ):
        (line,) = (line for line in printed.splitlines() if label in line and "private" not in line)
        assert line.split()[-1] == repr(numbers[key])
    for command in (NEC, FED):
        assert main(["recipe", *command.split(), "--epsilon", "8", "--dimension", "2"]) == 0
        assert "σ of each client's message, per coordinate  " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "place", "key"),
    [
        (DAS, "server", "mean_noise"),
        (f"{DAS} --update normalisation --E 3", "server", "mean_noise"),
        (NEC, None, ""),
        (f"{NEC} --epsilon 8 --dimension 2", "client", "sigma"),
        (FED, None, ""),
        (f"{FED} --epsilon 8 --dimension 2 --participation 0.5 --local-steps 4", "client", "sigma"),
        (f"{FED} --epsilon 8 --dimension 2 --local-work incremental", "client", "sigma"),
    ],
)
def test_the_code_that_is_named_makes_the_method_with_this_noise(capsys, command, place, key):
    found = answer(capsys, command)
    method = eval(found["code"], {"methods": methods})
    numbers = found["parameters"]
    assert (method.noise and method.noise.place) == place
    assert place is None or method.noise.std == numbers[key]
    assert numbers["beta"] == (method.feedback.beta if method.feedback else method.server.step)
    step = {"alpha-normec": "gamma", "fed-alpha-normec": "eta", "dp-normfedavg": "beta"}[command.split()[0]]
    assert method.server.step == numbers[step]
    assert getattr(method.operator, "alpha", None) == numbers.get("alpha")
    assert getattr(method.local_work, "gamma", numbers.get("gamma")) == numbers.get("gamma")
    steps = {"--local-steps 4": 4, "--E 3": 3}
    assert getattr(method.local_work, "steps", 1) == next(
        (n for words, n in steps.items() if words in command), 1
    )
    assert main(["recipe", *command.split()]) == 0
    assert found["code"] in capsys.readouterr().out


def test_the_table_names_the_claim_that_proves_the_bound(capsys):
    assert main(["recipe", *NEC.split()]) == 0
    assert "python -m verify --claim NEC-OUR-T2-CONTRACTS" in capsys.readouterr().out
