"""Differential privacy of the papers' mechanisms: which ε a noise gives, and which noise an ε needs.

What is released. In every round each client that takes part sends Ψ + z: a message Ψ of norm at most 1 (the
operator's output, before any step β: what is done to Ψ + z afterwards is post-processing) and Gaussian
noise z of standard deviation σ in each coordinate. K such rounds are made. Messages may depend on
everything that was seen before; but for *sum*, on when their client took part as well. Under *sum* a memory that
only participants update can tell in later rounds who took part in earlier ones, and then the upper side does not
hold (a test has such a client); the one of *participants* does.

What the adversary sees (`Trust`) decides the answer as much as σ does:

- *messages*: each message and its sender. This is local privacy. How often a client took part is then
  visible, and the exact curve is a mixture of Gaussian curves over that number;
- *participants*: the sum of a round's messages and who took part;
- *sum*: the sum alone; each participant brings its own noise, so that the noise grows with the number of
  participants;
- *server-noise*: the sum alone, with one noise of fixed variance added to it: the mechanism that the
  moments accountant was made for.

An adversary who sees only the model sees a function of the sums, so the upper sides of *sum* hold for it as
well.

Who is hidden (`Neighbours`): *replace-one* changes all data of one client, so that its message moves by up
to 2; *add-remove* compares with the same client sending noise alone, a distance of up to 1. (Where it sends nothing, its
absence is seen but under *server-noise*, and no noise hides that.) Both are client
level. At example level nothing is gained in the worst case: one example can turn the normalised message of
its client around.

Every number is an `Enclosure`, and the upper side is the safe one. Gaussian curves are enclosed by ball
arithmetic; what hides in the noise of participants who are seen by the law of its size (`bounds.privacy.participants`); hidden
sampling by privacy-loss distributions, composed once pessimistically and once
optimistically with a bound on their rounding. A failure is the enclosure [0, ∞], never ε = 0.
"""

from bounds.privacy.accounting import delta, epsilon
from bounds.privacy.calibration import noise
from bounds.privacy.closed_form import gaussian_noise, participation_noise
from bounds.privacy.enclosure import Enclosure
from bounds.privacy.gaussian import gaussian_delta, gaussian_epsilon, gaussian_mu
from bounds.privacy.setting import Neighbours, Setting, Trust

__all__ = [
    "Enclosure",
    "Neighbours",
    "Setting",
    "Trust",
    "delta",
    "epsilon",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_mu",
    "gaussian_noise",
    "noise",
    "participation_noise",
]
