"""The library and this implementation, live: what one makes the other verifies, and of anything tampered with both say
the same.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import FIRST_SEED, LOG_SEED, ORIGIN, RING_KEY, SECOND_SEED, Ask, Deployment, at, cases, key_entry, settled
from dualseal_second import checkpoint, krunica, primitives, ring, seal
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError

KEY = bytes(range(100, 164))
LOG = "a" * 64


def test_both_derive_the_same_key(ask: Ask) -> None:
    rng = random.Random(1)
    for name in ("DUALSEAL", "ACME"):
        master, identity = rng.randbytes(32), rng.randbytes(32).hex()
        answer = ask("derive", domain=name, master_hex=master.hex(), identity_id=identity)
        assert answer == {"seal_key_hex": seal.derive_key(Domain.named(name), master, identity).hex()}


def test_the_librarys_seals_verify_here(ask: Ask, deployment: Deployment) -> None:
    rng = random.Random(2)
    for length in (0, 1, 35, 36, 37, 1023, 1024, 1025, 5000):
        payload = rng.randbytes(length)
        made = ask(
            "seal", seal_key_hex=KEY.hex(), seed_hex=FIRST_SEED.hex(), identity_id=deployment.identity,
            payload_hex=payload.hex(),
        )  # fmt: skip
        parsed = seal.parse(made["seal"])
        report = seal.verify(DEFAULT, parsed, payload, deployment.identity, deployment.ring, "Both", KEY)
        assert report == seal.Report("pass", "pass", ("valid", None), "istina")
        assert made["legacy"] == str(seal.make_legacy(DEFAULT, KEY, payload))
        assert (made["poruka"], made["info"]) == (seal.chain_message(DEFAULT, parsed), parsed.info())


def test_both_refuse_to_seal_the_same(ask: Ask, deployment: Deployment) -> None:
    for payload in (b"DUALSEAL-VAULT::", b"DUALSEAL-SHARD::x", b"DUALSEAL-VAULT:", b"DUALSEAL-SEAL::", b"ACME-VAULT::"):
        for key in (KEY, KEY[:32], KEY[:33]):
            request = {
                "seal_key_hex": key.hex(), "seed_hex": FIRST_SEED.hex(), "identity_id": deployment.identity,
                "payload_hex": payload.hex(),
            }  # fmt: skip
            refused = "error" in ask("seal", **request)
            try:
                seal.make(DEFAULT, key, FIRST_SEED, deployment.identity, payload)
            except FormatError:
                assert refused
            else:
                assert not refused


def deploy(deployment: Deployment, rng: random.Random, sealed: seal.Seal) -> None:
    """The seal's entry, then some rotations and states."""
    message = seal.chain_message(DEFAULT, sealed)
    entry, deployment.head = krunica.append(deployment.head, deployment.identity, message, at(3))
    deployment.chain.append(entry)
    if rng.random() < 0.6:
        deployment.rotate()
        deployment.ring["keys"][1]["bela_stanje"] = rng.choice(ring.STATES)
    deployment.ring["keys"][0]["bela_stanje"] = rng.choice(["istina", "istina", *ring.STATES])
    deployment.ring = settled(deployment.ring["keys"], ORIGIN)


def tampered(rng: random.Random, request: dict[str, Any]) -> None:
    """One thing changed, or none."""
    def altered(text: str) -> str:
        place = rng.randrange(len(text))
        return text[:place] + rng.choice("0123456789abcdef") + text[place + 1 :]

    match rng.randrange(9):
        case 0:
            request["seal"] = request["seal"][:20] + altered(request["seal"][20:140]) + request["seal"][140:]
        case 1:
            request["seal"] = request["seal"][:-200] + altered(request["seal"][-200:])
        case 2:
            request["payload_hex"] = rng.choice([request["payload_hex"] + "00", request["payload_hex"][2:], "00"])
        case 3:
            request["identity_id"] = rng.choice(["0" * 64, altered(request["identity_id"])])
        case 4:
            request["seal_key_hex"] = rng.choice([KEY[:32].hex(), KEY[:20].hex(), altered(request["seal_key_hex"])])
        case 5:
            request["seal"] = "SEAL-L5::" + request["seal"][11:139]
        case _:
            pass


def here(request: dict[str, Any]) -> dict[str, Any]:
    """This implementation's answer to `verify_seal`."""
    located = None
    if place := request.get("place"):
        pins = krunica.Pins(**place["pins"])
        verified = krunica.verify_checkpoint(DEFAULT, place["checkpoint"], pins)
        located = krunica.locate(place["chain"], verified, place["seq"])
    report = seal.verify(
        DEFAULT, seal.parse(request["seal"]), bytes.fromhex(request["payload_hex"]), request["identity_id"],
        request["ring"], request["policy"], bytes.fromhex(request["seal_key_hex"]), legacy=request["legacy"],
        located=located,
    )  # fmt: skip
    return {
        "layer_a": report.layer_a,
        "layer_b": report.layer_b,
        "outcome": list(report.outcome),
        "internal": list(report.pair(public=False)),
        "public": list(report.pair(public=True)),
    }


@pytest.mark.parametrize("case", cases(100, 400))
def test_both_say_the_same_of_any_seal(ask: Ask, deployment: Deployment, case: int) -> None:
    rng = random.Random(case)
    payload = rng.choice([b"", b"content", b"DUALSEAL-VAULT::L5::{}", rng.randbytes(40)])
    seed = rng.choice([FIRST_SEED, FIRST_SEED, SECOND_SEED])
    hmac_hex = seal.layer_a(KEY, payload)
    signed = primitives.sign(seed, seal.statement(DEFAULT, payload, hmac_hex, deployment.identity)).hex()
    made = seal.Seal(hmac_hex, signed)
    deploy(deployment, rng, made)
    request: dict[str, Any] = {
        "ring": deployment.ring,
        "seal": str(made),
        "payload_hex": payload.hex(),
        "identity_id": deployment.identity,
        "policy": rng.choice(seal.POLICIES),
        "seal_key_hex": KEY.hex(),
        "legacy": rng.random() < 0.5,
    }
    tampered(rng, request)
    if rng.random() < 0.6:
        seq = rng.randrange(len(deployment.chain)) if rng.random() < 0.3 else 2
        request["place"] = {
            "pins": vars(deployment.pins()),
            "checkpoint": deployment.checkpoint(),
            "chain": deployment.chain,
            "seq": seq,
        }
    try:
        expected = here(request)
    except FormatError:
        assert "error" in ask("verify_seal", **request)
    else:
        assert ask("verify_seal", **request) == expected


def test_checkpoints_go_both_ways(ask: Ask, deployment: Deployment) -> None:
    pins = deployment.pins()
    made = ask(
        "checkpoint", origin=ORIGIN, identity_id=LOG, seed_hex=LOG_SEED.hex(), time=at(30), chain=deployment.chain
    )["checkpoint"]
    assert checkpoint.verdict(DEFAULT, made, pins) == ("valid", None)
    assert checkpoint.agrees(deployment.chain, made) == "agrees"
    ours = checkpoint.make(DEFAULT, LOG_SEED, ORIGIN, LOG, at(30), deployment.head)
    assert {name: made[name] for name in made if name != "potpis"} == {n: ours[n] for n in ours if n != "potpis"}
    answer = ask("verify_checkpoint", pins=vars(pins), checkpoint=ours, chain=deployment.chain)
    assert answer == {"outcome": ["valid", None], "agrees": True}


SHOWN = {
    "agrees": True,
    "truncated": "the chain was cut off",
    "rewritten": "is not the one",
    "another tree": "the tree over",
}


@pytest.mark.parametrize("case", cases(50, 150))
def test_both_say_the_same_of_any_checkpoint(ask: Ask, deployment: Deployment, case: int) -> None:
    rng = random.Random(1000 + case)
    for number in range(rng.randrange(4)):
        message = f"entry {number}"
        entry, deployment.head = krunica.append(deployment.head, deployment.identity, message, at(10 + number))
        deployment.chain.append(entry)
    fields, pins = deployment.checkpoint(), vars(deployment.pins()) | {"least_size": rng.choice([0, 0, 2, 5])}
    name = rng.choice([*[None] * 12, *fields])
    if name == "size":
        fields["size"] = rng.randrange(8)
    elif name:
        was = fields[name] or "0" * 64
        values = [rng.choice(list(fields.values())), "0" * len(was), None, was[:-1], {"revision": 1, "root": "0" * 64}]
        fields[name] = rng.choice(values)
    members: dict[str, Any] = {"pins": pins, "checkpoint": fields, "chain": chain_like(deployment, rng)}
    if rng.random() < 0.5:
        log = key_entry(LOG, rng.choice([LOG_SEED, LOG_SEED, SECOND_SEED]), at(0))
        log["bela_stanje"] = rng.choice(ring.STATES)
        if rng.random() < 0.3:
            log |= {"role": "retired", "retired": 4}
        members["ring"] = settled([log], ORIGIN)
    answer = ask("verify_checkpoint", **members)
    try:
        outcome = checkpoint.verdict(DEFAULT, fields, krunica.Pins(**pins), members.get("ring"))
    except FormatError:
        assert "error" in answer
        return
    assert answer["outcome"] == list(outcome)
    if outcome[0] != "valid":
        assert answer["agrees"] is None
        return
    shown = SHOWN[checkpoint.agrees(members["chain"], fields)]
    assert answer["agrees"] is True if shown is True else shown in answer["agrees"]


def chain_like(deployment: Deployment, rng: random.Random) -> list[dict[str, str]]:
    """The chain, longer, shorter, written anew or with another time."""
    chain, last = list(deployment.chain), len(deployment.chain) - 1
    match rng.randrange(5):
        case 0:
            chain.append(krunica.append(deployment.head, deployment.identity, "more", at(40))[0])
        case 1:
            del chain[rng.randrange(len(chain)) :]
        case 2:
            before = krunica.heads(chain)[last]
            chain[last] = krunica.append(before, deployment.identity, "another", at(20))[0]
        case 3:
            chain[last] = chain[last] | {"t": at(50)}
        case _:
            pass
    return chain


def test_the_program_answers_after_a_refusal(ask: Ask, deployment: Deployment) -> None:
    assert "error" in ask("no such op")
    assert "error" in ask("verify_seal", ring={})
    good = ask("derive", master_hex=RING_KEY.hex(), identity_id=deployment.identity)
    assert set(good) == {"seal_key_hex"}
