"""A method, its state, and one round.

A round of any method of the algebra, for every run at once:

    u_i = local work from x                                  (..., clients, d)
    Δ_i = Ψ(u_i − g_i)            g_i = 0 without feedback
    Δ̂_i = q_i (Δ_i + z_i)         0 for a client that takes no part
    g_i ← g_i + βΔ_i              with feedback
    v   = ĝ ← ĝ + (β/N) Σ Δ̂_i     with feedback;   v = (1/N) Σ Δ̂_i (+ z) without
    x   ← server rule (x, v)

where q_i and N are those of the participation. `advance` does all of it; `step` takes local updates that
somebody else has computed (a training engine that shares the forward pass among clients) and does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from array_api_compat import device
from jaxtyping import Bool, Float

from methods import checks
from methods.arrays import Array, array_namespace, floating, lift, total
from methods.feedback import EF21
from methods.local_work import Gradients, LocalWork, OneGradient
from methods.noise import Gaussian
from methods.operators import Operator
from methods.participation import Everybody, Participation
from methods.randomness import Randomness
from methods.server import Server


@dataclass(frozen=True)
class Method:
    """A point of the algebra. Parameters of its parts are numbers, or arrays with one value for each run. Raises `TypeError` for a
    part that is of another kind than its place."""

    operator: Operator
    server: Server
    feedback: EF21 | None = None
    noise: Gaussian | None = None
    participation: Participation = Everybody()  # noqa: RUF009 (frozen)
    local_work: LocalWork = OneGradient()  # noqa: RUF009 (frozen)

    def __post_init__(self) -> None:
        server = isinstance(self.operator, Server)  # which can be called, as an operator can
        for name, fits, what in (
            ("operator", callable(self.operator) and not server, "an operator such as methods.operators.SmoothedNorm(alpha)"),
            ("server", isinstance(self.server, Server), "a server rule such as methods.server.Plain(step)"),
            ("feedback", isinstance(self.feedback, EF21 | None), "methods.feedback.EF21(beta) or None"),
            ("noise", isinstance(self.noise, Gaussian | None), "methods.noise.Gaussian(std) or None"),
            ("participation", isinstance(self.participation, Participation), "a rule of methods.participation"),
            ("local_work", isinstance(self.local_work, LocalWork), "one of methods.local_work"),
        ):  # fmt: skip
            if not fits:
                raise TypeError(f"{name} = {getattr(self, name)!r} is of the wrong kind; give {what}")

    @property
    def needs_randomness(self) -> bool:
        """Whether a round draws random numbers."""
        return self.noise is not None or self.participation.random


@dataclass(frozen=True, eq=False)
class State:
    """What a method carries from round to round. Without feedback there are no memories.

    x: the iterate. memories: g_i of each client. server_memory: ĝ. momentum: that of the server rule.
    clients: their number. round: k, rounds done.
    """

    x: Float[Array, "*#runs d"]
    clients: int
    memories: Float[Array, "*#runs clients d"] | None = None
    server_memory: Float[Array, "*#runs d"] | None = None
    momentum: Float[Array, "*#runs d"] | None = None
    round: int = 0


@dataclass(frozen=True, eq=False)
class Round:
    """What happened in a round.

    updates: u_i. shaped: Δ_i. noise: what was added to Δ_i (or to the aggregate, where the noise is the
    server's), None without. took_part: the mask. sent: Δ̂_i, q_i included. direction: v, which the server
    rule used.
    """

    updates: Float[Array, "*#runs clients d"]
    shaped: Float[Array, "*#runs clients d"]
    noise: Array | None
    took_part: Bool[Array, "*#runs clients"]
    sent: Float[Array, "*#runs clients d"]
    direction: Float[Array, "*#runs d"]


def initialise(
    method: Method,
    x0: Float[Array, "*runs d"],
    clients: int,
    memories: Float[Array, "*#runs clients d"] | None = None,
    server_memory: Float[Array, "*#runs d"] | None = None,
) -> State:
    """The state before the first round.

    memories: g_i⁰, zeros if not given. server_memory: ĝ⁰, the mean of the memories if not given.
    Raises `ValueError` for a start or memories that are not finite or do not fit, for memories where the
    method keeps none, for parameters of the method that do not line up with the runs or are of another library or
    precision, and for more participants than clients.
    """
    xp = array_namespace(x0)
    _finite("x⁰", x0)
    if not x0.shape or x0.shape[-1] == 0:
        raise ValueError(f"x⁰ has shape {tuple(x0.shape)}; it must be (..., d) with d >= 1")
    _line_up(method, x0)
    checks.whole("clients", clients)
    clients = int(clients)
    method.participation.check(clients)
    momentum = xp.zeros_like(x0) if method.server.has_momentum else None
    if method.feedback is None:
        if memories is not None or server_memory is not None:
            raise ValueError("memories were given to a method without error feedback; leave them out")
        return State(x=x0, clients=clients, momentum=momentum)
    held = (*x0.shape[:-1], clients, x0.shape[-1])
    given = xp.zeros(held, dtype=x0.dtype, device=device(x0)) if memories is None else memories
    memories = _fit("memories g⁰", given, held, "(..., clients, d)", x0.dtype)
    if server_memory is None:
        server_memory = xp.mean(given, axis=-2) if given.ndim > 1 else given
    server_memory = _fit("server memory ĝ⁰", server_memory, x0.shape, "(..., d)", x0.dtype)
    return State(x0, clients, memories, server_memory, momentum)


def advance(
    method: Method, state: State, gradients: Gradients, randomness: Randomness | None = None
) -> tuple[State, Round]:
    """One round: local work from the state's iterate, then `step`.

    gradients: maps points (..., clients, d) to ∇f_i at the i-th of them. randomness: needed by methods with
    noise or random participation. Raises `ValueError` where it is missing, or where the gradients have
    another shape.
    """
    x = state.x
    points = array_namespace(x).broadcast_to(x[..., None, :], (*x.shape[:-1], state.clients, x.shape[-1]))
    return step(method, state, method.local_work(points, gradients), randomness)


def step(
    method: Method,
    state: State,
    updates: Float[Array, "*#runs clients d"],
    randomness: Randomness | None = None,
) -> tuple[State, Round]:
    """The round after the local work: operator, feedback, noise, participation, server.

    updates: u_i. Raises as `advance` does.
    """
    _check(method, state, updates, randomness)
    feedback = method.feedback
    shaped = method.operator(updates if feedback is None else updates - state.memories)
    noise = _client_noise(method, state.round, shaped, randomness)
    took_part = _took_part(method, state.round, shaped, randomness)
    sent = _sent(method, shaped if noise is None else shaped + noise, took_part)
    aggregate, noise = _aggregate(method, state.round, sent, noise, randomness)
    if feedback is None:
        memories, server_memory, direction = None, None, aggregate
    else:
        memories = _remember(feedback, state.memories, shaped, took_part)
        server_memory = direction = state.server_memory + lift(feedback.beta, aggregate) * aggregate
    x, momentum = method.server(state.x, direction, state.momentum)
    state = replace(
        state, x=x, memories=memories, server_memory=server_memory, momentum=momentum, round=state.round + 1
    )
    return state, Round(updates, shaped, noise, took_part, sent, direction)


def _client_noise(method: Method, round: int, shaped: Array, randomness: Randomness | None) -> Array | None:
    if method.noise is None or method.noise.place != "client":
        return None
    assert randomness is not None
    *runs, clients, d = shaped.shape
    normals = randomness.client_normals(round, tuple(runs), clients, d, shaped)
    return method.noise.scaled(normals)


def _took_part(method: Method, round: int, shaped: Array, randomness: Randomness | None) -> Array:
    xp = array_namespace(shaped)
    *runs, clients, _ = shaped.shape
    if not method.participation.random:
        return xp.ones((*(1,) * len(runs), clients), dtype=xp.bool, device=device(shaped))
    assert randomness is not None
    return method.participation.mask(randomness.uniforms(round, tuple(runs), clients, shaped))


def _sent(method: Method, message: Array, took_part: Array) -> Array:
    """q_i times the message of those who take part; zeros of the others, whatever their message holds."""
    if not method.participation.random:
        return message
    xp = array_namespace(message)
    weighted = lift(method.participation.weight, message) * message
    return xp.where(took_part[..., None], weighted, xp.zeros_like(weighted))


def _aggregate(
    method: Method, round: int, sent: Array, noise: Array | None, randomness: Randomness | None
) -> tuple[Array, Array | None]:
    """(1/N) Σ of what was sent, with the server's noise where it adds one; and the noise of the round."""
    summed = total(sent)
    aggregate = summed / lift(method.participation.divisor(sent.shape[-2]), summed)
    if method.noise is None or method.noise.place != "server":
        return aggregate, noise
    assert randomness is not None
    *runs, d = aggregate.shape
    normals = randomness.server_normals(round, tuple(runs), d, aggregate)
    noise = method.noise.scaled(normals)
    return aggregate + noise, noise


def _remember(feedback: EF21, memories: Array, shaped: Array, took_part: Array) -> Array:
    """g_i + βΔ_i."""
    gain = lift(feedback.beta, shaped) * shaped
    if feedback.participants_only:
        xp = array_namespace(gain)
        gain = xp.where(took_part[..., None], gain, xp.zeros_like(gain))
    gain += memories  # `gain` is this function's own
    return gain


def _check(method: Method, state: State, updates: Any, randomness: Randomness | None) -> None:
    held = (*state.x.shape[:-1], state.clients, state.x.shape[-1])
    for what, in_state, in_method in (
        ("error feedback", state.memories is not None, method.feedback is not None),
        ("momentum", state.momentum is not None, method.server.has_momentum),
    ):
        if in_state != in_method:
            raise ValueError(
                f"the state is of a method with{'' if in_state else 'out'} {what}, this one is with{'' if in_method else 'out'}; "
                "make it with initialise"
            )
    if not hasattr(updates, "shape"):
        raise TypeError(f"local gradients are a {type(updates).__name__}; give an array of shape {held}")
    if tuple(updates.shape) != held:
        raise ValueError(
            f"local gradients have shape {tuple(updates.shape)}; it must be (..., clients, d) = "
            f"{held}, the shape of the points that the oracle is given"
        )
    if updates.dtype != state.x.dtype:
        raise ValueError(
            f"local gradients have dtype {updates.dtype}, the iterate has {state.x.dtype}; give both the same"
        )
    if method.needs_randomness and randomness is None:
        raise ValueError(
            "this method draws noise or participants; give it a randomness, "
            "e.g. methods.randomness.Keyed(seed)"
        )


def _line_up(method: Method, x0: Array) -> None:
    """Raise unless every parameter that is an array has axes that line up with the leading axes of the runs, is of the
    library of x⁰ and leaves its precision as it is."""
    xp, runs = array_namespace(x0), tuple(x0.shape[:-1])
    for part in fields(method):
        owner = getattr(method, part.name)
        for entry in fields(owner) if is_dataclass(owner) else ():
            value: Any = getattr(owner, entry.name)
            shape = tuple(getattr(value, "shape", ()))
            if len(shape) > len(runs) or any(v not in (1, r) for v, r in zip(shape, runs, strict=False)):
                raise ValueError(
                    f"{entry.name} of {type(owner).__name__} has shape {shape}, which does not line up with "
                    f"runs of shape {runs}; give one value for each run, or length 1 where runs share it"
                )
            dtype = getattr(value, "dtype", None)
            if dtype is None or isinstance(value, float):
                _representable(f"{entry.name} of {type(owner).__name__}", value, x0)
                continue
            if array_namespace(value) is not xp or xp.result_type(dtype, x0.dtype) != x0.dtype:
                raise ValueError(
                    f"{entry.name} of {type(owner).__name__} is a {type(value).__name__} of {dtype}, x⁰ a "
                    f"{type(x0).__name__} of {x0.dtype}; give both in one library and one precision"
                )


def _representable(name: str, value: Any, x0: Array) -> None:
    """Raise where a number turns into infinity or into 0 in the precision of x⁰."""
    limits = array_namespace(x0).finfo(x0.dtype)
    least, most = float(limits.smallest_normal), float(limits.max)
    if isinstance(value, float) and value != 0 and not least <= abs(value) <= most:
        raise ValueError(
            f"{name} = {value} is no number of x⁰'s {x0.dtype}; give one from {least:.3g} to {most:.3g}, or a longer type"
        )


def _finite(name: str, value: Array) -> None:
    floating(name, value)
    xp = array_namespace(value)
    if not bool(xp.all(xp.isfinite(value))):
        raise ValueError(f"{name} has an entry that is nan or infinite; every entry must be finite")


def _fit(name: str, value: Array, shape: tuple[int, ...], meaning: str, dtype: Any) -> Array:
    """`value` broadcast to `shape`, checked to be finite and of the dtype of x⁰."""
    _finite(name, value)
    if value.dtype != dtype:
        raise ValueError(f"{name} has dtype {value.dtype}, x⁰ has {dtype}; give both the same")
    if (
        value.shape[-1:] != shape[-1:]
        or len(value.shape) > len(shape)
        or (any(v not in (1, s) for v, s in zip(value.shape[::-1], shape[::-1], strict=False)))
    ):
        raise ValueError(f"{name} has shape {tuple(value.shape)}; it must fit {tuple(shape)}, {meaning}")
    return array_namespace(value).broadcast_to(value, shape)
