"""Threshold signing (FORMAT.md section 14)."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Any

from . import ids
from .domain import Domain
from .encodings import FormatError, canonical, hex_text, integer, members, timestamp, utf8
from .krunica import Head, Located, append, krunica_hash
from .primitives import PUBLIC_KEY_SIZE, SIGNATURE_SIZE, h3, h5, hmac_sha3_512, public_key_of_seed, sign, verifies
from .shamir import PRIME, agree
from .shamir import deal as deal_values

HMAC = "SHAMIR-2^521-1-HMAC-SHA3-512"
MLDSA = "SHAMIR-2^521-1-ML-DSA-65"

SESSION = {
    "session_id", "split_id", "n", "k", "javni_sidro", "udio_sidra", "algoritam", "kreiran", "prethodni", "ovlast",
}  # fmt: skip
CONSTANTS = ("algoritam", "javni_sidro", "identity_id", "javni_kljuc")
SHARE = {"session_id", "split_id", "indeks", "vrijednost_hex", "vlasnik"}
RESULT = {
    "ok", "potpis", "svjedok_hash", "weise3_hash", "krunica_hash", "algoritam", "ts", "razlog", "culprits",
}  # fmt: skip


class SharingError(FormatError):
    """Shares that give nothing: why, and whose they are."""

    def __init__(self, problem: str, culprits: list[int]) -> None:
        super().__init__(f"{problem}; culprits: {culprits}")
        self.problem = problem
        self.culprits = culprits


class ThresholdError(FormatError):
    """Evidence about a session that does not hold."""


def algorithm(value: object) -> str:
    if value not in (HMAC, MLDSA):
        raise FormatError("algoritam")
    assert isinstance(value, str)
    return value


def parse_session(value: object) -> dict[str, Any]:
    kind = algorithm(value.get("algoritam") if isinstance(value, dict) else None)
    session = members(value, SESSION | ({"identity_id", "javni_kljuc"} if kind == MLDSA else set()), "session")
    hex_text(session["session_id"], 64, "session_id")
    hex_text(session["split_id"], 64, "split_id")
    hex_text(session["javni_sidro"], 128, "javni_sidro")
    timestamp(session["kreiran"], "kreiran")
    n, k = integer(session["n"], "n", 2), integer(session["k"], "k", 2)
    if not k <= n <= 255:
        raise FormatError("k or n out of range")
    if not isinstance(session["udio_sidra"], list) or len(session["udio_sidra"]) != n:
        raise FormatError("udio_sidra: not n of them")
    for commitment in session["udio_sidra"]:
        hex_text(commitment, 128, "udio_sidra")
    if session["prethodni"] is not None:
        hex_text(session["prethodni"], 64, "prethodni")
    if session["ovlast"] is not None:
        if session["prethodni"] is None:
            raise FormatError("ovlast: a founder has none")
        hex_text(session["ovlast"], 128 if kind == HMAC else 2 * SIGNATURE_SIZE, "ovlast")
    if kind == MLDSA:
        hex_text(session["identity_id"], 64, "identity_id")
        hex_text(session["javni_kljuc"], 2 * PUBLIC_KEY_SIZE, "javni_kljuc")
    return session


def parse_share(value: object) -> dict[str, Any]:
    share = members(value, SHARE, "share")
    for name in ("session_id", "split_id", "vlasnik"):
        hex_text(share[name], 64, name)
    if integer(share["indeks"], "indeks", 1) > 255:
        raise FormatError("indeks: above 255")
    PRIME.decode(share["vrijednost_hex"])
    return share


def parse_result(value: object) -> dict[str, Any]:
    result = members(value, RESULT, "result")
    kind = algorithm(result["algoritam"])
    hex_text(result["weise3_hash"], 64, "weise3_hash")
    timestamp(result["ts"], "ts")
    culprits = result["culprits"]
    if not isinstance(culprits, list) or any(integer(index, "culprits", 1) > 255 for index in culprits):
        raise FormatError("culprits")
    if any(not one < other for one, other in zip(culprits, culprits[1:])):
        raise FormatError("culprits: not ascending")
    if result["ok"] is True:
        if result["razlog"] is not None:
            raise FormatError("razlog: not null")
        hex_text(result["svjedok_hash"], 128, "svjedok_hash")
        hex_text(result["krunica_hash"], 64, "krunica_hash")
        hex_text(result["potpis"], 128 if kind == HMAC else 2 * SIGNATURE_SIZE, "potpis")
    elif result["ok"] is False:
        if any(result[name] is not None for name in ("potpis", "svjedok_hash", "krunica_hash")):
            raise FormatError("a failed result has no signature")
        utf8(result["razlog"], "razlog")
    else:
        raise FormatError("ok")
    return result


def join(domain: Domain, label: str, *parts: object) -> str:
    row = domain["threshold"]
    return "::".join((row.prefix, row.labels[label], *map(str, parts), row.suffix))


def anchor(domain: Domain, session_id: str, kind: str, secret: int) -> str:
    return h5(join(domain, "ANCHOR", session_id, kind).encode(), PRIME.encode(secret))


def commitment(domain: Domain, k: int, n: int, share: dict[str, Any]) -> str:
    """Over what the share says of itself, so that one of another session does not hold."""
    text = join(
        domain, "SHARE", share["session_id"], share["split_id"], k, n, share["indeks"], share["vlasnik"]
    )  # fmt: skip
    return h5(text.encode(), PRIME.encode(int(share["vrijednost_hex"], 16)))


def deal(
    domain: Domain, kind: str, ids_: tuple[str, str], coefficients: list[int], owners: list[str], created: str,
    quorum: tuple[str, bytes] | None = None, previous: str | None = None,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:  # fmt: skip
    """The record without authority, and its shares; `quorum` is identity_id and public key of the second kind."""
    session_id, split_id = ids_
    k, n = len(coefficients), len(owners)
    values = deal_values(PRIME, coefficients, n)
    shares = [
        {
            "session_id": session_id,
            "split_id": split_id,
            "indeks": index,
            "vrijednost_hex": PRIME.encode(values[index]).hex(),
            "vlasnik": owner,
        }
        for index, owner in enumerate(owners, start=1)
    ]
    session: dict[str, Any] = {
        "session_id": session_id,
        "split_id": split_id,
        "n": n,
        "k": k,
        "javni_sidro": anchor(domain, session_id, kind, coefficients[0]),
        "udio_sidra": [commitment(domain, k, n, share) for share in shares],
        "algoritam": kind,
        "kreiran": created,
        "prethodni": previous,
        "ovlast": None,
    }
    if quorum is not None:
        session |= {"identity_id": quorum[0], "javni_kljuc": quorum[1].hex()}
    return parse_session(session), shares


def session_message(domain: Domain, session: dict[str, Any]) -> str:
    return join(domain, "SESSION", session["session_id"], h3(canonical(session)))


def succession(domain: Domain, session: dict[str, Any]) -> bytes:
    without = {name: value for name, value in session.items() if name != "ovlast"}
    return join(
        domain, "SUCCESSION", session["session_id"], session["prethodni"], session["split_id"], h3(canonical(without))
    ).encode()


def authorise(domain: Domain, session: dict[str, Any], secret: int) -> dict[str, Any]:
    """The record with its authority, by the secret of the session."""
    text = succession(domain, session)
    if session["algoritam"] == HMAC:
        return parse_session(session | {"ovlast": hmac_sha3_512(PRIME.encode(secret), text)})
    return parse_session(session | {"ovlast": sign(seed_of(session, secret), text).hex()})


def is_authorised(domain: Domain, session: dict[str, Any], secret: int | None) -> bool:
    """By the session's public key, or by its secret. Without that, of the first kind, nobody knows: True."""
    if session["ovlast"] is None:
        return False
    text = succession(domain, session)
    if session["algoritam"] == MLDSA:
        return verifies(bytes.fromhex(session["javni_kljuc"]), bytes.fromhex(session["ovlast"]), text)
    return secret is None or hmac.compare_digest(hmac_sha3_512(PRIME.encode(secret), text), session["ovlast"])


@dataclass(frozen=True)
class Found:
    """The founder and what continues it: of a session of the first kind candidates, until the secret stands."""

    founder: dict[str, Any]
    later: list[tuple[int, dict[str, Any]]]
    ignored: list[tuple[int, str]]

    @property
    def in_force(self) -> dict[str, Any]:
        return self.later[-1][1] if self.later else self.founder

    def by_secret(self, domain: Domain, secret: int) -> Found:
        """Of a session of the first kind: what is left when every authority was checked."""
        current, counted = self.founder, {self.founder["split_id"]}
        kept: list[tuple[int, dict[str, Any]]] = []
        ignored = list(self.ignored)
        for seq, record in self.later:
            if not is_authorised(domain, record, secret):
                ignored.append((seq, "forged-generation"))
            elif record["split_id"] in counted:
                ignored.append((seq, "repeated"))
            elif record["prethodni"] != current["split_id"]:
                ignored.append((seq, "predecessor"))
            else:
                current = record
                counted.add(record["split_id"])
                kept.append((seq, record))
        return Found(self.founder, kept, ignored)


def find(
    domain: Domain, session_id: str, founder: str, located: list[Located], records: list[dict[str, Any]],
    revoked_from: int | None = None,
) -> Found:  # fmt: skip
    """What continues the founder, which is pinned by the short handle of its entry."""
    row = domain["threshold"]
    head = f"{row.prefix}::{row.labels['SESSION']}::{session_id}::"
    own = [entry for entry in located if entry.entry["poruka"].startswith(head)]

    def record_of(found: Located) -> dict[str, Any] | None:
        for record in records:
            same_time = record["kreiran"] == found.entry["t"]
            if same_time and session_message(domain, record) == found.entry["poruka"]:
                return record
        return None

    handles = [krunica_hash(found.entry["h"]) for found in own]
    if founder not in handles:
        raise ThresholdError("the pinned founding is not located")
    place = handles.index(founder)
    first = record_of(own[place])
    if first is None or first["prethodni"] is not None:
        raise ThresholdError(f"the record of entry {own[place].seq} is missing")
    is_hmac = first["algoritam"] == HMAC
    later: list[tuple[int, dict[str, Any]]] = []
    ignored = [(found.seq, "before-founder") for found in own[:place]]
    for found in own[place + 1 :]:
        record = record_of(found)
        known = [first, *(generation for _, generation in later)]
        splits = [generation["split_id"] for generation in known]
        if record is None:
            reason = "no-record"
        elif record in known or record["split_id"] in (splits[:1] if is_hmac else splits):
            reason = "repeated"
        elif record["prethodni"] not in (splits if is_hmac else splits[-1:]):
            reason = "predecessor"
        elif any(first.get(name) != record.get(name) for name in CONSTANTS):
            reason = "changed"
        elif revoked_from is not None and found.seq >= revoked_from:
            reason = "revoked"
        elif not is_authorised(domain, record, None):
            reason = "forged-generation"
        else:
            later.append((found.seq, record))
            continue
        ignored.append((found.seq, reason))
    return Found(first, later, ignored)


@dataclass(frozen=True)
class Health:
    present: list[int]
    missing: list[int]
    invalid: list[int]
    foreign: list[int]


def holds(domain: Domain, session: dict[str, Any], share: dict[str, Any]) -> bool:
    if share["indeks"] > session["n"]:
        return False
    computed = commitment(domain, session["k"], session["n"], share)
    return hmac.compare_digest(computed, session["udio_sidra"][share["indeks"] - 1])


def health(domain: Domain, session: dict[str, Any], shares: list[dict[str, Any]]) -> Health:
    own = [
        share
        for share in shares
        if share["indeks"] <= session["n"]
        and (share["session_id"], share["split_id"]) == (session["session_id"], session["split_id"])
    ]
    good = {share["indeks"] for share in own if holds(domain, session, share)}
    return Health(
        sorted(good),
        [index for index in range(1, session["n"] + 1) if index not in good],
        sorted({share["indeks"] for share in own if not holds(domain, session, share)}),
        sorted({share["indeks"] for share in shares if share not in own}),
    )


def reconstruct(
    domain: Domain, session: dict[str, Any], shares: list[dict[str, Any]]
) -> tuple[int, list[int], list[int]]:
    """The anchored secret, whose shares do not hold, and the misdealt."""
    good = {share["indeks"]: int(share["vrijednost_hex"], 16) for share in shares if holds(domain, session, share)}
    culprits = sorted({share["indeks"] for share in shares} - set(good))
    if len(good) < session["k"]:
        raise SharingError(f"{len(good)} of {session['k']}", culprits)

    def is_secret(secret: int) -> bool:
        computed = anchor(domain, session["session_id"], session["algoritam"], secret)
        return hmac.compare_digest(computed, session["javni_sidro"])

    found = agree(PRIME, session["k"], good, is_secret)
    if found is None:
        raise SharingError("dealer fault", culprits)
    return found[0], culprits, found[1]


def seed_of(session: dict[str, Any], secret: int) -> bytes:
    """The ML-DSA seed that a rebuilt secret must be."""
    raw = PRIME.encode(secret)
    if any(raw[:34]) or not any(raw):
        raise ThresholdError("the secret is not a seed")
    if public_key_of_seed(raw[34:]).hex() != session["javni_kljuc"]:
        raise ThresholdError("the secret is not the seed of the session's key")
    return raw[34:]


def witness_message(domain: Domain, session: dict[str, Any], message: bytes) -> str:
    return join(domain, "WITNESS", ids.binding(domain, session["session_id"], message))


def statement(domain: Domain, session: dict[str, Any], message: bytes, result: dict[str, Any]) -> bytes:
    binding = ids.binding(domain, session["session_id"], message)
    return join(
        domain, "RESULT", session["algoritam"], session["session_id"], binding, result["weise3_hash"],
        result["svjedok_hash"], result["krunica_hash"], result["ts"], ",".join(map(str, result["culprits"])),
    ).encode()  # fmt: skip


def make(
    domain: Domain, session: dict[str, Any], shares: list[dict[str, Any]], message: bytes, requester: str, time: str,
    head: Head,
) -> tuple[dict[str, Any], dict[str, str], Head]:  # fmt: skip
    """The result, its chain entry and the head after it. The entry stands before the signature is made."""
    secret, culprits, _ = reconstruct(domain, session, shares)
    entry, new_head = append(head, requester, witness_message(domain, session, message), time)
    result: dict[str, Any] = {
        "ok": True,
        "potpis": None,
        "svjedok_hash": entry["h"],
        "weise3_hash": requester,
        "krunica_hash": krunica_hash(entry["h"]),
        "algoritam": session["algoritam"],
        "ts": time,
        "razlog": None,
        "culprits": culprits,
    }
    text = statement(domain, session, message, result)
    if session["algoritam"] == HMAC:
        result["potpis"] = hmac_sha3_512(PRIME.encode(secret), text)
    else:
        result["potpis"] = sign(seed_of(session, secret), text).hex()
    return result, entry, new_head


def verify_with_shares(
    domain: Domain, session: dict[str, Any], message: bytes, value: object, shares: list[dict[str, Any]]
) -> bool:
    result = parse_result(value)
    if (session["algoritam"], result["algoritam"], result["ok"]) != (HMAC, HMAC, True):
        raise ThresholdError("another kind of session or result")
    secret, _, _ = reconstruct(domain, session, shares)
    if krunica_hash(result["svjedok_hash"]) != result["krunica_hash"]:
        return False
    mac = hmac_sha3_512(PRIME.encode(secret), statement(domain, session, message, result))
    return hmac.compare_digest(mac, result["potpis"])


def verify_public(domain: Domain, session: dict[str, Any], message: bytes, value: object, public_key: bytes) -> bool:
    """With the public key that the verifier holds for the session's identity, and nothing secret."""
    result = parse_result(value)
    if (session["algoritam"], result["algoritam"], result["ok"]) != (MLDSA, MLDSA, True):
        return False
    if session["javni_kljuc"] != public_key.hex() or krunica_hash(result["svjedok_hash"]) != result["krunica_hash"]:
        return False
    return verifies(public_key, bytes.fromhex(result["potpis"]), statement(domain, session, message, result))


def counts(domain: Domain, located: Located, session: dict[str, Any], message: bytes, result: dict[str, Any]) -> bool:
    """Whether a located entry is this result's: what a retired quorum key needs."""
    entry = located.entry
    return (
        entry["w3"] == result["weise3_hash"]
        and entry["poruka"] == witness_message(domain, session, message)
        and entry["t"] == result["ts"]
        and krunica_hash(entry["h"]) == result["krunica_hash"]
    )


def message_hash(message: bytes) -> str:
    return hashlib.sha3_512(message).hexdigest()
