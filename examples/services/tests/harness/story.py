"""What callers do with every endpoint that asks for a token, one after the other: the same in each world."""

from __future__ import annotations

import os
from typing import Any

from dualseal_second import presence

from .children import children
from .load import encoded
from .messages import documents_with_an_end, messages, vehicles
from .models import models
from .peers import others
from .present import DOMAIN, alive, asked
from .proofs import proofs
from .worlds import LABELS, Walk, World

AUTH, DSA, QT, PRESENCE = "/api/v1/auth", "/api/v1/dsa", "/api/v1/qt", "/api/v1/presence"
THRESHOLD, VAULT = "/api/v1/threshold", "/api/v1/vault"
UNKNOWN = "ab" * 32


def story(world: World) -> Walk:
    """What a native and a noble of one identity, a second native, and nodes do."""
    walk = Walk(world)
    keys(walk)
    authority(walk)
    person = enrolled(walk)
    threshold(walk)
    documents(walk)
    shards(walk, person)
    for of_a_module in (messages, documents_with_an_end, vehicles, children, proofs, models):
        of_a_module(walk)
    return walk


def keys(walk: Walk) -> None:
    names = walk.world.names
    new = {"content_b64": encoded(b"somebody new"), "creator": "tests", "context": "decoys"}
    made = walk.ask("ana", "POST", f"{DSA}/keypair", new).json()["identity_id"]
    walk.ask("ana", "POST", f"{DSA}/keypair", new)
    walk.ask("noble", "POST", f"{DSA}/keypair", {"identity_id": names["ana"]})
    status = f"{DSA}/status/{{identity_id}}"
    for who, identity_id in (("ana", names["ana"]), ("ana", names["cy"]), ("ana", made), ("ana", UNKNOWN),
                             ("noble", names["ana"]), ("noble", names["cy"])):
        walk.ask(who, "GET", status, parts={"identity_id": identity_id})
    # For somebody else who has a valid key a thief signs nothing, which is another answer: a forgery would be worse.
    for who, identity_id in (("ana", names["ana"]), ("ana", made), ("noble", names["ana"]), ("noble", names["cy"])):
        body = {"identity_id": identity_id, "content_b64": encoded(b"signed")}
        record = walk.ask(who, "POST", f"{DSA}/potpisi", body).json()
        if "krunica_hash" in record:
            told = {"record": record, "identity_id": identity_id, "content_b64": body["content_b64"]}
            walk.ask("nobody", "POST", f"{DSA}/provjeri", told)
            walk.ask("nobody", "GET", "/api/v1/log/entry", params={"krunica_hash": record["krunica_hash"]})
    walk.ask("ana", "POST", f"{DSA}/potpisi-json", {"identity_id": names["ana"], "object": {"a": [1, "č"]}})
    for stanje, status_ in (("nijedno", "nijedno"), ("istina", "istina")):
        walk.ask("ana", "POST", f"{DSA}/bela", {"identity_id": names["cy"], "stanje": stanje})
        walk.ask("ana", "GET", status, parts={"identity_id": names["cy"]}, headers={"Accept": status_})
    walk.ask("ana", "POST", f"{DSA}/bela", {"identity_id": UNKNOWN, "stanje": "laz"})
    walk.ask("ana", "POST", f"{DSA}/rotiraj", {"identity_id": made})
    walk.ask("noble", "POST", f"{DSA}/rotiraj", {"identity_id": made})
    walk.ask("ana", "GET", f"{DSA}/alarms")


def authority(walk: Walk) -> None:
    names = walk.world.names
    listed = {"identity_id": names["cy"]}
    code = walk.ask("ana", "POST", f"{AUTH}/invitations", listed | {"tier": "noble", "scopes": ["trust"]}).json()
    public_key = presence.public_key_of(os.urandom(32))
    body = {"invitation": code["invitation"], "public_key": public_key, "label": "phone"}
    key_id = walk.ask("nobody", "POST", f"{AUTH}/enrol", body).json()["key_id"]
    walk.ask("ana", "GET", f"{AUTH}/keys", params=listed)
    for _ in range(2):
        walk.ask("ana", "DELETE", f"{AUTH}/keys/{{key_id}}", parts={"key_id": key_id})
    walk.ask("ana", "GET", f"{AUTH}/keys", params=listed)
    outside = {"issuer": "https://nobody.example/", "subject": "ana", "identity_id": names["cy"], "scopes": ["trust"]}
    walk.ask("ana", "POST", f"{AUTH}/outside", outside)
    walk.ask("ana", "POST", f"{AUTH}/revoke", {"jti": "0192f0c1-2345-7abc-8def-0123456789ab"})
    walk.ask("ana", "POST", f"{AUTH}/revoke", {})
    for who in ("ana", "noble"):
        walk.ask(who, "GET", "/api/v1/integrity/status")
    others(walk)


def enrolled(walk: Walk) -> bytes:
    """The seed of a key that is present for ana, after another was removed."""
    ana, unknown = {"identity_id": walk.world.names["ana"]}, {"identity_id": UNKNOWN}
    for who, body in (("noble", ana), ("ana", unknown)):
        walk.ask(who, "POST", f"{PRESENCE}/invitations", body)
    invited = walk.ask("ana", "POST", f"{PRESENCE}/invitations", ana).json()
    agree = f"{PRESENCE}/invitations/{{invitation_id}}/agree"
    for who in ("ana", "bo", "bo"):
        walk.ask(who, "POST", agree, parts={"invitation_id": invited["invitation_id"]})
    walk.ask("bo", "POST", agree, parts={"invitation_id": UNKNOWN})
    first = enrol(walk, invited["invitation"])
    walk.ask("noble", "GET", f"{PRESENCE}/authenticators", params=ana)
    begun = walk.ask("noble", "POST", f"{PRESENCE}/vouch/begin", ana).json()
    for seed in (os.urandom(32), first, first):
        voucher = alive(begun, seed)
        vouched = walk.ask("noble", "POST", f"{PRESENCE}/vouch/finish",
                           {"enrolment_id": begun["enrolment_id"], "voucher": voucher}).json()
        if "invitation" in vouched:
            second = enrol(walk, vouched["invitation"])
    walk.ask("ana", "GET", f"{PRESENCE}/authenticators", params=ana)
    walk.ask("noble", "GET", f"{PRESENCE}/authenticators", params=unknown)
    for _ in range(2):
        name = presence.public_key_of(first)
        walk.ask("noble", "DELETE", f"{PRESENCE}/authenticators/{{authenticator_id}}", parts={"authenticator_id": name})
    return second


def enrol(walk: Walk, invitation: str) -> bytes:
    seed = os.urandom(32)
    begun = walk.ask("nobody", "POST", f"{PRESENCE}/enrol/begin", {"invitation": invitation, "kind": "ed25519"}).json()
    key = alive(begun, seed)
    finish = {"enrolment_id": begun["enrolment_id"], "label": "phone", "authenticator": key}
    walk.ask("nobody", "POST", f"{PRESENCE}/enrol/finish", finish)
    return seed


def threshold(walk: Walk) -> None:
    ana, found = walk.world.names["ana"], f"{THRESHOLD}/sesija"
    walk.ask("noble", "POST", found, {"n": 3, "k": 2})
    walk.ask("ana", "POST", found, {"n": 4, "k": 2})
    session = walk.ask("ana", "POST", found, {"n": 3, "k": 2, "vlasnici": LABELS}).json()
    name = {"session_id": session["session_id"]}
    pairs = [shares(walk, session, number, label) for number, label in enumerate(LABELS, 1)]
    for who, whose in (("ana", name), ("noble", name), ("bo", name), ("ana", {"session_id": UNKNOWN})):
        walk.ask(who, "GET", f"{found}/{{session_id}}", parts=whose)
        walk.ask(who, "GET", f"{THRESHOLD}/borg/kvorum", params=whose)
    walk.world.covered()
    of_message = name | {"identity_id": ana, "namjena": "potpis", "poruka_b64": encoded(b"a message")}
    walk.ask("noble", "POST", f"{THRESHOLD}/requests", of_message | {"session_id": UNKNOWN})
    request = gathered(walk, session, pairs, of_message)
    sign = name | {"identity_id": ana, "request_id": request}
    result = walk.ask("noble", "POST", f"{THRESHOLD}/potpisi", sign).json()
    walk.ask("noble", "POST", f"{THRESHOLD}/potpisi", sign)
    with_pairs = name | {"poruka_b64": encoded(b"a message"), "udjeli": pairs[:2]}
    walk.ask("nobody", "POST", f"{THRESHOLD}/provjeri", with_pairs | {"rezultat": result})
    walk.ask("ana", "POST", f"{THRESHOLD}/potpisi", with_pairs | {"identity_id": ana})
    again = gathered(walk, session, pairs, name | {"identity_id": ana, "namjena": "obnova"})
    prepare = name | {"identity_id": ana, "request_id": again}
    prepared = walk.ask("ana", "POST", f"{THRESHOLD}/refresh/prepare", prepare).json()
    commit = name | {"split_id": prepared["split_id"]}
    walk.ask("ana", "POST", f"{THRESHOLD}/refresh/commit", commit)
    for number, label in enumerate(LABELS, 1):
        shares(walk, session | prepared, number, label)
    walk.ask("ana", "POST", f"{THRESHOLD}/refresh/commit", commit)
    walk.world.covered()
    for split in (prepared["split_id"], session["split_id"]):
        body = {"split_id": split, "nonce": os.urandom(32).hex()}
        walk.ask(LABELS[0], "POST", f"{THRESHOLD}/udio/{{session_id}}/order", body, parts=name)


def shares(walk: Walk, session: dict[str, Any], number: int, label: str) -> list[Any]:
    """What a node pulls and acknowledges, as a pair."""
    name = {"session_id": session["session_id"]}
    walk.ask(label, "GET", f"{THRESHOLD}/requests")
    pull = f"{THRESHOLD}/udio/{{session_id}}/{{n}}"
    pair = walk.ask(label, "GET", pull, parts=name | {"n": number}).json()
    walk.ask(label, "GET", pull, parts=name | {"n": number % 3 + 1})
    said = {"indeks": number, "split_id": session["split_id"], "udio_sidra": session["zapis"]["udio_sidra"][number - 1]}
    for body in (said | {"udio_sidra": "00" * 64}, said, said):
        walk.ask(label, "POST", f"{THRESHOLD}/udio/{{session_id}}/ack", body, parts=name)
    walk.ask(label, "GET", pull, parts=name | {"n": number})
    return list(pair)


def gathered(walk: Walk, session: dict[str, Any], pairs: list[list[Any]], body: dict[str, Any]) -> str:
    """A request for which two nodes gave their shares back."""
    request = walk.ask("ana", "POST", f"{THRESHOLD}/requests", body).json()["request_id"]
    for label, (number, value) in zip(LABELS[:2], pairs, strict=False):
        walk.ask(label, "GET", f"{THRESHOLD}/requests")
        share = {"session_id": session["session_id"], "split_id": session["split_id"], "request_id": request}
        share |= {"indeks": number, "vrijednost_hex": value, "identity_id": walk.world.names[label]}
        walk.ask(label, "POST", f"{THRESHOLD}/udio", share)
    return str(request)


def documents(walk: Walk) -> None:
    names, vaults = walk.world.names, walk.world.vaults
    sealed = []
    for identity_id, kind in (("ana", "CONTRACT"), ("ana", "ERASURE"), ("ana", "")):
        body = {"payload_b64": encoded(b"sealed now"), "type": kind, "identity_id": names[identity_id]}
        sealed.append(walk.ask("ana", "POST", f"{VAULT}/seal", body).json())
    walk.ask("noble", "POST", f"{VAULT}/seal", {})
    own = sealed[0]["vault_id"]
    callers = [("ana", vaults[0]), ("ana", vaults[2]), ("noble", vaults[2]), ("noble", own), ("ana", UNKNOWN)]
    for who, vault_id in callers:
        walk.ask(who, "GET", f"{VAULT}/{{id}}", parts={"id": vault_id})
        walk.ask(who, "POST", f"{VAULT}/{{id}}/unseal", {"identity_id": names["ana"]}, parts={"id": vault_id})
    walk.ask("ana", "POST", f"{VAULT}/{{id}}/unseal", {"identity_id": names["cy"]}, parts={"id": vaults[2]})
    erased = []
    for vault_id, whose, splits in ((own, "ana", [UNKNOWN]), (own, "ana", []), (vaults[2], "cy", []), (own, "ana", [])):
        body = {"identity_id": names[whose], "splits": splits}
        found = walk.ask("ana", "POST", f"{VAULT}/{{id}}/erase", body, parts={"id": vault_id}).json()
        erased += [found["erasure"]] if "erasure" in found else []
    for vault_id in (own, *erased):
        record = walk.ask("ana", "GET", f"{VAULT}/{{id}}", parts={"id": vault_id}).json()["record"]
        # What a thief has sealed for others holds for nobody, and verifies as that.
        for who in ("ana", "nobody") if vault_id != erased[1] else ():
            walk.ask(who, "POST", f"{VAULT}/verify", {"vault_id": vault_id})
        walk.ask("nobody", "GET", "/api/v1/log/entry", params={"krunica_hash": record["krunica_hash"]})
        for action in ("unseal", "erase"):
            body = {"identity_id": names["ana"]}
            walk.ask("ana", "POST", f"{VAULT}/{{id}}/{action}", body, parts={"id": vault_id})
    for who, query in (("ana", {}), ("noble", {}), ("ana", {"limit": "2"}), ("ana", {"type": "ERASURE"}),
                       ("noble", {"identity_id": names["cy"]})):
        walk.ask(who, "GET", f"{VAULT}/", params=query)


def shards(walk: Walk, seed: bytes) -> None:
    ana, vault_id = walk.world.names["ana"], walk.world.vaults[1]
    asks = {"vault_id": vault_id, "identity_id": ana}
    split = asks | {"m": 2, "n": 3, "node_urls": LABELS}
    for body in (split | {"m": 1}, split | {"vault_id": UNKNOWN}, split | {"node_urls": [*LABELS[:2], "x"]}):
        walk.ask("ana", "POST", f"{QT}/split", body)
    walk.ask(LABELS[0], "GET", f"{QT}/requests")
    walk.ask(LABELS[0], "GET", f"{QT}/shard/{{vault_id}}", parts={"vault_id": vault_id})
    made = [walk.ask("ana", "POST", f"{QT}/split", split).json() for _ in range(2)][0]
    walk.world.covered()
    walk.ask("ana", "POST", f"{QT}/refresh/commit", {"vault_id": vault_id, "split_id": UNKNOWN})
    held = [pulled(walk, vault_id, label) for label in LABELS]
    seal = {name: held[0][name] for name in ("shard_id", "vault_id", "identity_id", "seal")}
    for body in (seal, seal | {"shard_id": UNKNOWN}):
        walk.ask("nobody", "POST", f"{QT}/verify", body)
    for who in ("ana", "noble", "bo"):
        walk.ask(who, "GET", f"{QT}/vaults")
    walk.ask("ana", "POST", f"{VAULT}/{{id}}/unseal", {"identity_id": ana}, parts={"id": vault_id})
    walk.order(LABELS[0], f"{QT}/shard/{{vault_id}}/order", vault_id)

    for body in (asks | {"vault_id": UNKNOWN}, asks | {"shard_ids": [UNKNOWN]}):
        walk.ask("ana", "POST", f"{QT}/reconstruct", body)
    request = released(walk, walk.ask("ana", "POST", f"{QT}/reconstruct", asks).json(), seed, held)
    document = f"{QT}/requests/{{request_id}}/document"
    for who in ("bo", "ana", "ana"):
        walk.ask(who, "GET", document, parts=request)
    walk.ask("noble", "GET", f"{QT}/requests/{{request_id}}", parts=request)

    prepare = asks | {"node_urls": LABELS}
    opened = walk.ask("ana", "POST", f"{QT}/refresh/prepare", prepare).json()["request"]
    prepare |= released(walk, opened, seed, held)
    prepared = walk.ask("ana", "POST", f"{QT}/refresh/prepare", prepare).json()["split"]
    commit = {"vault_id": vault_id, "split_id": prepared["split_id"]}
    walk.ask("ana", "POST", f"{QT}/refresh/commit", commit)
    for label in LABELS:
        pulled(walk, vault_id, label)
    walk.ask("ana", "POST", f"{QT}/refresh/commit", commit)
    assert made["split_id"] != prepared["split_id"]
    walk.world.covered()
    walk.ask(LABELS[2], "GET", f"{QT}/requests")
    walk.ask("ana", "GET", f"{QT}/vaults")

    walk.ask("ana", "POST", f"{VAULT}/{{id}}/erase", {"identity_id": ana}, parts={"id": vault_id})
    for call in (f"{QT}/split", f"{QT}/reconstruct"):
        walk.ask("ana", "POST", call, split if call.endswith("split") else asks)
    deleted = [shard["shard_id"] for shard in made["shards"]] + [shard["shard_id"] for shard in prepared["shards"]]
    for shard_id, label in zip(deleted, LABELS * 2, strict=True):
        body = {"shard_id": shard_id, "said": "deleted"}
        walk.ask(label, "POST", f"{QT}/shard/{{vault_id}}/ack", body, parts={"vault_id": vault_id})
    walk.ask("ana", "GET", f"{VAULT}/{{id}}", parts={"id": vault_id})
    walk.ask("ana", "GET", f"{QT}/vaults")


def pulled(walk: Walk, vault_id: str, label: str) -> dict[str, Any]:
    """The shard that a node pulls, and says that it holds."""
    name = {"vault_id": vault_id}
    walk.ask(label, "GET", f"{QT}/requests")
    found = walk.ask(label, "GET", f"{QT}/shard/{{vault_id}}", parts=name).json()
    for body in ({"shard_id": UNKNOWN, "said": "held"}, {"shard_id": found["shard_id"], "said": "held"}):
        walk.ask(label, "POST", f"{QT}/shard/{{vault_id}}/ack", body, parts=name)
    walk.ask(label, "GET", f"{QT}/shard/{{vault_id}}", parts=name)
    return dict(found)


def released(walk: Walk, request: dict[str, Any], seed: bytes, held: list[dict[str, Any]]) -> dict[str, Any]:
    """A request that a person approved, and two nodes answered."""
    name = {"request_id": request["request_id"]}
    for who in ("ana", "noble", "bo"):
        walk.ask(who, "GET", f"{QT}/requests/open")
    shard = f"{QT}/requests/{{request_id}}/shards"
    walk.ask(LABELS[0], "POST", shard, held[0], parts=name)
    walk.ask("ana", "GET", f"{QT}/requests/{{request_id}}/document", parts=name)
    for key in (os.urandom(32), seed):
        proof = {"kind": "ed25519", "proof": presence.answer(DOMAIN, asked(request), key)}
        walk.ask("noble", "POST", f"{QT}/requests/{{request_id}}/proofs", proof, parts=name)
    for label, one in zip(LABELS[:2], held, strict=False):
        walk.ask(label, "GET", f"{QT}/requests")
        walk.ask(label, "POST", shard, one, parts=name)
    return name
