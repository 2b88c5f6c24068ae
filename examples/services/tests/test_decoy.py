"""Whoever has a stolen key meets a service that is like the real one, in everything that he is answered and in how long
that takes; and nothing real comes of what he does."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import pytest
from conftest import backend_named
from harness import configuration
from harness.configuration import Backend
from harness.http import answer
from harness.load import encoded
from harness.nodes import until
from harness.story import DSA, PRESENCE, QT, THRESHOLD, VAULT, story
from harness.timing import Asked, Wire, samples, welch
from harness.worlds import LABELS, SEALED, World

# The demand: so many requests of each world, and no |t| as large as this.
EACH, T = 2000, 4.5
# Of changes, which are answered at set times: fewer, and after so many milliseconds.
EACH_CHANGE, SLOT = 24, 50
# Those before that count for nothing: what is made at the first one is there.
WARM = 3
# A true difference is there each time; a machine that was busy with one of them is not.
TRIES = 3
# Of two requests, one in each world: what is asked, again and again.
Pair = tuple[Iterator[Asked], Iterator[Asked]]


@pytest.fixture
def worlds(request: pytest.FixtureRequest, tmp_path: Path, own_backend: Backend) -> Iterator[tuple[World, World]]:
    """The real one, and that of the thieves: two services, the second one over a database of its own."""
    with backend_named(own_backend.name, request) as other:
        real = World.prepared(tmp_path / "real", own_backend)
        decoy = World.prepared(tmp_path / "decoy", other).left_to_thieves()
        try:
            yield real, decoy
        finally:
            real.service.close()
            decoy.service.close()


def test_a_thief_is_answered_as_anybody_else(worlds: tuple[World, World]) -> None:
    real, decoy = (story(world) for world in worlds)
    operations = answer(worlds[0].host.get("/openapi.json"))["paths"]
    with_tokens = {
        f"{method.upper()} {path}"
        for path, methods in operations.items()
        for method, operation in methods.items()
        if operation.get("security")
    }
    assert with_tokens <= real.walked, f"not walked: {with_tokens - real.walked}"
    differ = [f"{one}\n{other}\n" for one, other in zip(real.told, decoy.told, strict=True) if one != other]
    assert not differ, "\n".join(["real, decoy:", *differ])
    # By an order that nodes believe they would delete the shards of another split.
    assert (real.orders, decoy.orders) == ([True], [False])
    # Nothing real came of it, and natives know.
    host, names = worlds[1].host, worlds[1].names
    answer(host.post(f"{DSA}/bela", {"identity_id": names["ana"], "stanje": "istina"}))
    for vault_id, (owner, document) in zip(worlds[1].vaults, SEALED, strict=True):
        assert answer(host.get(f"{VAULT}/{vault_id}"))["state"] == "sealed"
        assert host.post(f"{VAULT}/{vault_id}/unseal", {"identity_id": names[owner]}).content == document
    assert answer(host.get(f"{QT}/vaults"))["items"] == []
    assert answer(host.get(f"{PRESENCE}/authenticators", params={"identity_id": names["ana"]}))["items"] == []
    assert answer(host.get(f"{DSA}/status/{names['cy']}"))["bela_stanje"] == "istina"
    until(lambda: answer(host.get(f"{DSA}/alarms"))["items"], lambda: "no alarm")
    alarms = answer(host.get(f"{DSA}/alarms"))["items"]
    assert {names["ana"], names["bo"]} <= {alarm["subject"] for alarm in alarms if alarm["kind"] == "decoy-caller"}
    worlds[1].service.run("chain verify")


def test_the_time_of_an_answer_tells_no_thief(tmp_path: Path) -> None:
    world = World.prepared(tmp_path, configuration.local())
    try:
        pairs = main_requests(world.left_to_thieves(["ana"]))
        wire = Wire(world.service.address)
        for real, decoy in pairs.values():
            samples(wire, real, decoy, 50)
        found = {name: [welch(*samples(wire, *pair, EACH))] for name, pair in pairs.items()}
        for name in [name for name, (t,) in found.items() if abs(t) >= T]:
            found[name] += [welch(*samples(wire, *pairs[name], EACH)) for _ in range(TRIES - 1)]
        wire.close()
        assert not told_apart(found)
    finally:
        world.service.close()


def test_no_change_is_answered_when_it_is_done(tmp_path: Path) -> None:
    world = World.prepared(tmp_path, configuration.local(), {"limits": {"slot": SLOT}})
    try:
        owned = {name: sealed(world, name, TRIES * (WARM + EACH_CHANGE) + 1) for name in ("bo", "ana")}
        world.left_to_thieves(["ana"])
        pairs = changes(world) | of_documents(world, owned)

        def told(pair: Pair) -> float:
            wire = Wire(world.service.address)
            samples(wire, *pair, WARM)
            t = welch(*samples(wire, *pair, EACH_CHANGE))
            wire.close()
            return t

        found = {name: [told(pair)] for name, pair in pairs.items()}
        for name in [name for name, (t,) in found.items() if abs(t) >= T]:
            found[name] += [told(pairs[name]) for _ in range(TRIES - 1)]
        assert not told_apart(found)
    finally:
        world.service.close()


def told_apart(found: dict[str, list[float]]) -> dict[str, list[float]]:
    """What a thief is told by its time, most of the times that it was tried."""
    print({name: [round(t, 2) for t in ts] for name, ts in found.items()})
    return {name: ts for name, ts in found.items() if statistics.median(abs(t) for t in ts) >= T}


def changes(world: World) -> dict[str, Pair]:
    """What changes something, or seems to: by a native whose key is valid and by one whose key is a honeypot."""
    made: dict[str, list[Asked]] = {}
    for name in ("bo", "ana"):
        token, own = str(world.callers[name].token), world.names[name]
        invites = {"identity_id": own, "tier": "noble", "scopes": ["trust"]}
        seals = {"payload_b64": encoded(b"one document"), "type": "CONTRACT", "identity_id": own}
        for what, asked in {
            "seal": Asked.of(token, "POST", f"{VAULT}/seal", seals, 201),
            "keypair": Asked.of(token, "POST", f"{DSA}/keypair", {"identity_id": own}),
            "bela": Asked.of(token, "POST", f"{DSA}/bela", {"identity_id": own, "stanje": "istina"}),
            "rotiraj": Asked.of(token, "POST", f"{DSA}/rotiraj", {"identity_id": own}),
            "sesija": Asked.of(token, "POST", f"{THRESHOLD}/sesija", {"n": 3, "k": 2}, 201),
            "invite": Asked.of(token, "POST", "/api/v1/auth/invitations", invites, 201),
            "revoke": Asked.of(token, "POST", "/api/v1/auth/revoke", {"subject": "00" * 32}),
            "presence": Asked.of(token, "POST", f"{PRESENCE}/invitations", {"identity_id": own}, 201),
            "vouch": Asked.of(token, "POST", f"{PRESENCE}/vouch/begin", {"identity_id": own}, 201),
        }.items():
            made.setdefault(what, []).append(asked)
    return {what: (repeat(asked[0]), repeat(asked[1])) for what, asked in made.items()}


def sealed(world: World, name: str, count: int) -> list[str]:
    """Documents of a caller's own, from before any key was stolen."""
    body = {"payload_b64": encoded(b"one document"), "type": "CONTRACT", "identity_id": world.names[name]}

    def one(_: int) -> str:
        return str(answer(world.service.client(str(world.host.token)).post(f"{VAULT}/seal", body), 201)["vault_id"])

    with ThreadPoolExecutor(8) as many:
        return list(many.map(one, range(count)))


def of_documents(world: World, owned: dict[str, list[str]]) -> dict[str, Pair]:
    """The same of documents: each can be split once, and erased once."""
    made: dict[str, list[Iterator[Asked]]] = {}
    for name in ("bo", "ana"):
        caller, token, own = world.callers[name], str(world.callers[name].token), {"identity_id": world.names[name]}
        kept, *others = owned[name]
        split, nodes = f"{QT}/split", {"m": 2, "n": 3, "node_urls": LABELS}
        answer(caller.post(split, own | nodes | {"vault_id": kept}), 201)
        world.covered()
        unseals = Asked.of(token, "POST", f"{VAULT}/{kept}/unseal", own)
        rebuilds = Asked.of(token, "POST", f"{QT}/reconstruct", own | {"vault_id": kept}, 201)
        for what, asked in {
            "unseal": repeat(unseals),
            "reconstruct": repeat(rebuilds),
            "split": iter([Asked.of(token, "POST", split, own | nodes | {"vault_id": one}, 201) for one in others]),
            "erase": iter([Asked.of(token, "POST", f"{VAULT}/{one}/erase", own) for one in others]),
        }.items():
            made.setdefault(what, []).append(asked)
    return {what: (asked[0], asked[1]) for what, asked in made.items()}


def main_requests(world: World) -> dict[str, Pair]:
    """What is asked most, by a native whose key is valid and by one whose key is a honeypot: each of their own."""
    [kept, *_] = world.vaults
    made: dict[str, list[Asked]] = {}
    for name in ("bo", "ana"):
        caller, own = world.callers[name], world.names[name]
        split = {"vault_id": kept, "identity_id": world.names["ana"], "m": 2, "n": 3, "node_urls": LABELS}
        real = caller if name == "ana" else world.host
        answer(real.post(f"{QT}/split", split if name == "ana" else split | of_cy(world)), 201)
        signs = {"identity_id": own, "content_b64": encoded(b"one document")}
        record = answer(caller.post(f"{DSA}/potpisi", signs), 201)
        token = str(caller.token)
        for what, asked in {
            "sign": Asked.of(token, "POST", f"{DSA}/potpisi", signs, 201),
            "verify": Asked.of(token, "POST", f"{DSA}/provjeri", signs | {"record": record}),
            "status": Asked.of(token, "GET", f"{DSA}/status/{own}"),
            "vault list": Asked.of(token, "GET", f"{VAULT}/"),
            "vault get": Asked.of(token, "GET", f"{VAULT}/{kept}"),
            "qt vaults": Asked.of(token, "GET", f"{QT}/vaults"),
            "reports": Asked.of(token, "GET", "/api/v1/fleet/reports"),
        }.items():
            made.setdefault(what, []).append(asked)
    return {what: (repeat(asked[0]), repeat(asked[1])) for what, asked in made.items()}


def of_cy(world: World) -> dict[str, str]:
    """The document that a native who is no thief splits: that of ana holds for nobody any more."""
    return {"vault_id": world.vaults[2], "identity_id": world.names["cy"]}
