"""Vault records (FORMAT.md sections 15.2 to 15.6): made, verified layer by layer, and erased."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from . import ids, krunica, primitives, seal
from .domain import Domain
from .encodings import MAX_INTEGER, FormatError, canonical, hex_text, integer, members, origin, parse, timestamp, utf8
from .presence import public_key_of, strictly_accepts
from .primitives import h3
from .stream import hkdf_sha3_256

ZEROS = "0" * 64
TIERS = ("public", "noble", "native")
ENCRYPTIONS = ("none", "CHACHA20-POLY1305-STREAM")
ERASURE = "ERASURE"
ORDER = ("L0", "L2", "L3", "L4", "L5", "L6", "L7", "L8")
HEADER = {
    "created_at", "encryption", "identity_id", "key_id", "ledger", "length", "seq", "type", "vault_id", "verzija",
}  # fmt: skip
Signer = Callable[[bytes, bytes], bytes]


def required(tier: str) -> list[str]:
    return [layer for layer in ORDER if layer != "L4" or tier != "public"]


def join(domain: Domain, label: str, *parts: object) -> str:
    row = domain["vault"]
    return "::".join((row.prefix, row.labels[label], *map(str, parts), row.suffix))


def derived(domain: Domain, master: bytes, purpose: str, identity_id: str) -> bytes:
    length = 64 if purpose in ("L5A", "SHARD") else 32
    return hkdf_sha3_256(master, b"", join(domain, "KDF", purpose, identity_id).encode(), length)


def key_id(domain: Domain, master: bytes) -> str:
    """Over the 32 raw bytes."""
    return h3(hkdf_sha3_256(master, b"", join(domain, "KDF", "ID").encode(), 32))[:32]


def session_mac(key: bytes, tag: str, chained: str) -> str:
    return hmac.new(key, f"{tag}::{chained}".encode(), hashlib.sha256).hexdigest()


def fragment(domain: Domain, master: bytes, identity_id: str, ledger: str, vault_id: str) -> bytes:
    key = derived(domain, master, "L7", identity_id)
    return hmac.new(key, join(domain, "L7", ledger, vault_id).encode(), hashlib.sha3_256).digest()


def sealed_payload(domain: Domain, block: dict[str, Any]) -> bytes:
    """Without a suffix."""
    row = domain["vault"]
    return f"{row.prefix}::{row.labels['L5']}::".encode() + canonical(block)


def entry_tag(
    domain: Domain, master: bytes, identity_id: str, header: dict[str, Any], sealed: str, prev: str
) -> str:  # fmt: skip
    key = derived(domain, master, "L8", identity_id)
    text = join(domain, "L8", header["ledger"], header["seq"], sealed, prev)
    return hmac.new(key, text.encode(), hashlib.sha3_512).hexdigest()[:64]


def entry_message(
    domain: Domain, master: bytes, identity_id: str, header: dict[str, Any], seal_text: str, prev: str
) -> str:  # fmt: skip
    sealed = h3(seal_text.encode())
    tag = entry_tag(domain, master, identity_id, header, sealed, prev)
    return join(domain, "L8", header["ledger"], header["seq"], sealed, tag)


def read_entry(domain: Domain, ledger: str, message: str) -> tuple[int, str, str] | None:
    """(seq, SHA3-256 of the seal string, tag) of an entry of the ledger; None for one of another form."""
    row = domain["vault"]
    beginning = f"{row.prefix}::{row.labels['L8']}::{ledger}::"
    form = f"{re.escape(beginning)}(0|[1-9][0-9]{{0,15}})::([0-9a-f]{{64}})::([0-9a-f]{{64}})::{re.escape(row.suffix)}"
    match = re.fullmatch(form, message)
    return (int(match[1]), match[2], match[3]) if match and int(match[1]) <= MAX_INTEGER else None


@dataclass(frozen=True)
class Owner:
    """Whoever seals: the secrets, and for noble and native the Ed25519 seed."""

    domain: Domain
    master: bytes
    seed: bytes
    identity_id: str
    tier: str = "public"
    tier_seed: bytes | None = None
    sign: Signer = field(default=primitives.sign)


@dataclass(frozen=True)
class Place:
    """The ledger so far, the chain so far, and what is told from outside."""

    ledger: str
    seq: int
    prev: str
    head: krunica.Head
    time: str
    note: str = ""


def make(
    owner: Owner, place: Place, stored: bytes, kind: str, *, encrypted: bool, tag: bytes
) -> tuple[dict[str, Any], krunica.Head]:
    """The stored record, with its fragment, and the chain's head after it."""
    domain, master, identity_id = owner.domain, owner.master, owner.identity_id
    vault_id = ids.vault_id(domain, stored, identity_id, kind, place.seq)
    chained = h3(stored, place.prev.encode())
    public_key = signature = None
    if owner.tier_seed is not None:
        statement = join(domain, "L4", owner.tier, place.ledger, vault_id, chained).encode()
        public_key = public_key_of(owner.tier_seed)
        signature = Ed25519PrivateKey.from_private_bytes(owner.tier_seed).sign(statement).hex()
    trap = fragment(domain, master, identity_id, place.ledger, vault_id)
    header = {
        "created_at": place.time,
        "encryption": ENCRYPTIONS[encrypted],
        "identity_id": identity_id,
        "key_id": key_id(domain, master),
        "ledger": place.ledger,
        "length": len(stored),
        "seq": place.seq,
        "type": kind,
        "vault_id": vault_id,
        "verzija": "1",
    }
    block = {
        "header": header,
        "layers": {
            "L0": {"hash": chained, "prev": place.prev},
            "L1": {"text": place.note},
            "L2": {
                "hmac": session_mac(derived(domain, master, "L2", identity_id), tag.hex(), chained),
                "tag": tag.hex(),
            },
            "L3": {"baseline": h3(stored)},
            "L4": {"public_key": public_key, "signature": signature, "tier": owner.tier},
            "L7": {"digest": h3(trap)},
        },
        "required": required(owner.tier),
    }
    payload = sealed_payload(domain, block)
    mac = seal.layer_a(derived(domain, master, "L5A", identity_id), payload)
    made = seal.Seal(mac, owner.sign(owner.seed, seal.statement(domain, payload, mac, identity_id)).hex())
    message = entry_message(domain, master, identity_id, header, str(made), place.head.top)
    entry, head = krunica.append(place.head, identity_id, message, place.time)
    handle = krunica.krunica_hash(entry["h"])
    record = {
        "sealed": block,
        "L5": str(made),
        "L6": handle,
        "L7": {"fragment": trap.hex()},
        "L8": entry | {"seq": place.head.size},
        "seal_id": made.seal_id(),
        "krunica_hash": handle,
    }
    return parse_record(record), head


def redacted(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"L7": {"fragment": None}}


def parse_record(value: object) -> dict[str, Any]:
    """The form alone."""
    record = members(value, {"sealed", "L5", "L6", "L7", "L8", "seal_id", "krunica_hash"}, "vault record")
    block = members(record["sealed"], {"header", "layers", "required"}, "sealed")
    header = members(block["header"], HEADER, "header")
    timestamp(header["created_at"], "created_at")
    if header["encryption"] not in ENCRYPTIONS or header["verzija"] != "1":
        raise FormatError("encryption or verzija")
    for name, length in (("identity_id", 64), ("key_id", 32), ("ledger", 64), ("vault_id", 64)):
        hex_text(header[name], length, name)
    for name in ("length", "seq"):
        integer(header[name], name)
    origin(header["type"], "type")
    parse_layers(block)
    if seal.parse(utf8(record["L5"], "L5")).signature is None:
        raise FormatError("L5: a legacy seal")
    for name in ("L6", "krunica_hash"):
        hex_text(record[name], 64, name)
    kept = members(record["L7"], {"fragment"}, "L7")["fragment"]
    if kept is not None:
        hex_text(kept, 64, "fragment")
    krunica.parse_alone(record["L8"], "L8")
    kind, _, named = utf8(record["seal_id"], "seal_id").partition("::")
    if kind != seal.DUAL:
        raise FormatError("seal_id")
    hex_text(named, 64, "seal_id")
    return record


def parse_layers(block: dict[str, Any]) -> None:
    layers = members(block["layers"], {"L0", "L1", "L2", "L3", "L4", "L7"}, "layers")
    forms: dict[str, dict[str, int]] = {
        "L0": {"hash": 64, "prev": 64},
        "L2": {"hmac": 64, "tag": 32},
        "L3": {"baseline": 64},
        "L7": {"digest": 64},
    }
    for layer, names in forms.items():
        values = members(layers[layer], set(names), layer)
        for name, length in names.items():
            hex_text(values[name], length, name)
    utf8(members(layers["L1"], {"text"}, "L1")["text"], "text")
    access = members(layers["L4"], {"public_key", "signature", "tier"}, "L4")
    if access["tier"] not in TIERS:
        raise FormatError("tier")
    if access["tier"] == "public":
        if access["public_key"] is not None or access["signature"] is not None:
            raise FormatError("a public record shows no tier")
    else:
        hex_text(access["public_key"], 64, "public_key")
        hex_text(access["signature"], 128, "signature")
    if block["required"] != required(access["tier"]):
        raise FormatError("required")


@dataclass(frozen=True)
class Policy:
    """`master` makes it the operator's; `keys` maps (identity_id, tier) to public keys, None where none are held."""

    master: bytes | None = None
    keys: dict[tuple[str, str], set[str]] | None = None
    least: str = "public"

    def __post_init__(self) -> None:
        if self.keys is None and self.least != "public":
            raise FormatError("a tier above public needs a table of keys")

    def tolerates(self, layer: str) -> bool:
        """Whether a layer that could not be checked is no fault."""
        if self.master is not None:
            return False
        return layer in ("L2", "L6", "L7", "L8") or (layer == "L4" and self.least == "public")


@dataclass(frozen=True)
class Report:
    """Each layer's outcome, the verdict, what it rests on, and the state of L5's key."""

    outcomes: dict[str, str]
    verdict: str
    reason: str | None = None
    state: str | None = None


def verify(
    domain: Domain, value: object, stored: bytes, ring: dict[str, Any], policy: Policy,
    *, located: krunica.Located | None = None, previous: dict[str, Any] | None = None,
) -> Report:  # fmt: skip
    """The state of L5's key decides first, then the layer at fault."""
    record = parse_record(value)
    key, sealed = seal_outcome(domain, record, ring, policy.master, located)
    outcomes = {
        "L0": chain_outcome(record, stored, previous),
        "L1": "recorded",
        "L2": session_outcome(domain, record, policy.master),
        "L3": baseline_outcome(domain, record, stored),
        "L4": access_outcome(domain, record, policy),
        "L5": sealed,
        "L6": handle_outcome(record, ring, located),
        "L7": trap_outcome(domain, record, policy.master),
        "L8": entry_outcome(domain, record, ring, policy.master, located),
    }
    if key is None:
        return Report(outcomes, "invalid", "unknown identity")
    state: str = key["bela_stanje"]
    if state in ("laz", "nijedno"):
        return Report(outcomes, "revoked" if state == "laz" else "suspended", None, state)
    fault = first_fault(outcomes, policy)
    if fault:
        return Report(outcomes, "invalid", fault, state)
    return Report(outcomes, "valid" if state == "istina" else "decoy", None, state)


def first_fault(outcomes: dict[str, str], policy: Policy) -> str | None:
    """The first layer that fails; where none does, the first that was not checked and had to be."""
    failed = [layer for layer in ORDER if outcomes[layer].startswith("fail")]
    unchecked = [layer for layer in ORDER if outcomes[layer].startswith("not_checked")]
    return next(iter([*failed, *(layer for layer in unchecked if not policy.tolerates(layer))]), None)


def judge(holds: bool, why: str) -> str:
    return "pass" if holds else f"fail({why})"


def chain_outcome(record: dict[str, Any], stored: bytes, previous: dict[str, Any] | None) -> str:
    header, layer = record["sealed"]["header"], record["sealed"]["layers"]["L0"]
    if (header["seq"] == 0) != (layer["prev"] == ZEROS):
        return "fail(genesis)"
    if previous is not None:
        before = previous["sealed"]
        expected = (before["header"]["ledger"], before["header"]["seq"] + 1, before["layers"]["L0"]["hash"])
        if (header["ledger"], header["seq"], layer["prev"]) != expected:
            return "fail(previous)"
    return judge(layer["hash"] == h3(stored, layer["prev"].encode()), "hash")


def session_outcome(domain: Domain, record: dict[str, Any], master: bytes | None) -> str:
    if master is None:
        return "not_checked(no master)"
    header, layers = record["sealed"]["header"], record["sealed"]["layers"]
    if header["key_id"] != key_id(domain, master):
        return "fail(another master)"
    key = derived(domain, master, "L2", header["identity_id"])
    expected = session_mac(key, layers["L2"]["tag"], layers["L0"]["hash"])
    return judge(hmac.compare_digest(expected, layers["L2"]["hmac"]), "hmac")


def baseline_outcome(domain: Domain, record: dict[str, Any], stored: bytes) -> str:
    header = record["sealed"]["header"]
    if record["sealed"]["layers"]["L3"]["baseline"] != h3(stored):
        return "fail(baseline)"
    if header["length"] != len(stored):
        return "fail(length)"
    vault_id = ids.vault_id(domain, stored, header["identity_id"], header["type"], header["seq"])
    return judge(header["vault_id"] == vault_id, "vault_id")


def access_outcome(domain: Domain, record: dict[str, Any], policy: Policy) -> str:
    header, layers = record["sealed"]["header"], record["sealed"]["layers"]
    access = layers["L4"]
    tier = access["tier"]
    if TIERS.index(tier) < TIERS.index(policy.least):
        return "fail(tier)"
    if tier == "public":
        return "not_required"
    if policy.keys is None:
        return "not_checked(no keys given)"
    if access["public_key"] not in policy.keys.get((header["identity_id"], tier), set()):
        return "fail(key)"
    statement = join(domain, "L4", tier, header["ledger"], header["vault_id"], layers["L0"]["hash"]).encode()
    raw = bytes.fromhex(access["public_key"]), bytes.fromhex(access["signature"])
    return judge(strictly_accepts(*raw, statement), "signature")


def seal_outcome(
    domain: Domain, record: dict[str, Any], ring: dict[str, Any], master: bytes | None,
    located: krunica.Located | None,
) -> tuple[dict[str, Any] | None, str]:  # fmt: skip
    """The key whose state decides, and the outcome of L5."""
    identity_id = record["sealed"]["header"]["identity_id"]
    payload, made = sealed_payload(domain, record["sealed"]), seal.parse(record["L5"])
    tried = seal.tried_keys(ring, identity_id, located)
    by = next((key for key in tried if seal.signed_by(domain, key, made, payload, identity_id)), None)
    deciding = by or next(iter(tried), None)
    if deciding is None:
        return None, "fail(unknown identity)"
    if master is not None:
        expected = seal.layer_a(derived(domain, master, "L5A", identity_id), payload)
        if not hmac.compare_digest(expected, made.hmac):
            return deciding, "fail(layer A)"
    if by is None:
        return deciding, "fail(layer B)"
    if by["role"] == "retired":
        here = located is not None and stands(record, ring, located) and located.seq < by["retired"]
        if not here:
            return deciding, "fail(retired key)"
    return deciding, judge(record["seal_id"] == made.seal_id(), "seal_id")


def ours(ring: dict[str, Any], located: krunica.Located) -> bool:
    return ring["origin"] in (None, located.origin)


def stands(record: dict[str, Any], ring: dict[str, Any], located: krunica.Located) -> bool:
    """The whole entry is compared."""
    return ours(ring, located) and same_entry(record, located)


def same_entry(record: dict[str, Any], located: krunica.Located) -> bool:
    return bool(located.entry | {"seq": located.seq} == record["L8"])


def handle_outcome(record: dict[str, Any], ring: dict[str, Any], located: krunica.Located | None) -> str:
    handle = krunica.krunica_hash(record["L8"]["h"])
    if not record["L6"] == record["krunica_hash"] == handle:
        return "fail(handle)"
    if located is None:
        return "not_checked(not located)"
    return judge(ours(ring, located) and located.entry["h"] == record["L8"]["h"], "located")


def trap_outcome(domain: Domain, record: dict[str, Any], master: bytes | None) -> str:
    header, digest = record["sealed"]["header"], record["sealed"]["layers"]["L7"]["digest"]
    kept = record["L7"]["fragment"]
    if kept is not None and not hmac.compare_digest(h3(bytes.fromhex(kept)), digest):
        return "fail(fragment)"
    if master is None:
        return "not_checked(no master)"
    expected = fragment(domain, master, header["identity_id"], header["ledger"], header["vault_id"])
    return judge(hmac.compare_digest(h3(expected), digest), "digest")


def entry_outcome(
    domain: Domain, record: dict[str, Any], ring: dict[str, Any], master: bytes | None, located: krunica.Located | None
) -> str:
    """The tag is for the master that made the record."""
    header, entry = record["sealed"]["header"], record["L8"]
    said = read_entry(domain, header["ledger"], entry["poruka"])
    sealed = h3(record["L5"].encode())
    if said is None or said[:2] != (header["seq"], sealed):
        return "fail(entry)"
    if master is not None and key_id(domain, master) == header["key_id"]:
        tag = entry_tag(domain, master, entry["w3"], header, sealed, entry["prev"])
        if not hmac.compare_digest(tag, said[2]):
            return "fail(entry)"
    expected = {
        "w3": header["identity_id"],
        "t": header["created_at"],
        "h": krunica.entry_hash(entry["w3"], entry["poruka"], entry["prev"], entry["seq"]),
    }
    if any(entry[name] != value for name, value in expected.items()):
        return "fail(entry)"
    if located is None:
        return "not_checked(not located)"
    return judge(stands(record, ring, located), "located")


class LedgerError(ValueError):
    """Where the record at fault stood, or should; and the layer or the kind of fault."""

    def __init__(self, seq: int, fault: str) -> None:
        super().__init__(f"record {seq}: {fault}")
        self.seq, self.fault = seq, fault


@dataclass(frozen=True)
class Places:
    """What a chain under a verified checkpoint says of each place of a ledger; `ignored` by position and reason."""

    found: dict[int, list[krunica.Located]]
    verified: bool
    ignored: list[tuple[int, str]]

    def vouched(self, seq: int) -> bool:
        return self.verified and seq in self.found

    def unverified(self, seqs: Iterable[int], located: krunica.Located | None = None) -> list[int]:
        here = [place.seq for seq in seqs for place in self.found.get(seq, [])]
        return [] if self.verified else [seq for seq in here if located is None or seq != located.seq]


NO_PLACES = Places({}, True, [])


def vouched(
    domain: Domain, ledger: str, chain: list[Any], checkpoint: dict[str, Any], master: bytes | None = None
) -> Places:
    """With the master only entries whose tag it made for their place; without it all that have the form."""
    if not krunica.agrees(chain, checkpoint):
        raise FormatError("the chain does not agree with the checkpoint")
    found: dict[int, list[krunica.Located]] = {}
    seals: dict[int, str] = {}
    forks: list[int] = []
    ignored: list[tuple[int, str]] = []
    row = domain["vault"]
    for place, entry in enumerate(chain[: checkpoint["size"]]):
        if not entry["poruka"].startswith(f"{row.prefix}::{row.labels['L8']}::{ledger}::"):
            continue
        said = read_entry(domain, ledger, entry["poruka"])
        if said is None:
            ignored.append((place, "form"))
            continue
        seq, sealed, tag = said
        if master is not None:
            expected = entry_tag(domain, master, entry["w3"], {"ledger": ledger, "seq": seq}, sealed, entry["prev"])
            if not hmac.compare_digest(expected, tag):
                ignored.append((place, "tag"))
                continue
            if seq in found:
                if seals[seq] != sealed:
                    forks.append(seq)
                ignored.append((place, "repeated"))
                continue
        seals[seq] = sealed
        found.setdefault(seq, []).append(krunica.Located(checkpoint["origin"], place, entry))
    if forks:
        raise LedgerError(min(forks), "fork")
    return Places(found, master is not None, ignored)


def check_ledger(
    domain: Domain, ledger: str, kept: list[tuple[dict[str, Any], bytes]], ring: dict[str, Any], policy: Policy,
    places: Places,
) -> tuple[Counter[str], list[int]]:  # fmt: skip
    """Every record with its stored bytes, in order; raises at the first that does not hold or does not come. How often
    there was each verdict, and the entries that nobody verified and no record is of."""
    top, verdicts, unverified = ZEROS, Counter[str](), list[int]()
    for seq, (value, stored) in enumerate(kept):
        record = parse_record(value)
        named = places.found.get(record["sealed"]["header"]["seq"], [])
        located = next((place for place in named if same_entry(record, place)), None)
        report = verify(domain, record, stored, ring, policy, located=located)
        fault = ledger_fault(record, report.outcomes, policy, (ledger, seq, top), places, located)
        if fault is None and policy.master is not None and not has_decoy(domain, record, ring, policy.master):
            fault = "no decoy"
        if fault:
            raise LedgerError(seq, fault)
        top = record["sealed"]["layers"]["L0"]["hash"]
        verdicts[report.verdict] += 1
        unverified += places.unverified([seq], located)
    after = sorted(seq for seq in places.found if seq >= len(kept))
    if after and places.verified:
        raise LedgerError(after[0], "truncated")
    return verdicts, unverified + places.unverified(after)


def ledger_fault(
    record: dict[str, Any], outcomes: dict[str, str], policy: Policy, head: tuple[str, int, str],
    places: Places, located: krunica.Located | None,
) -> str | None:  # fmt: skip
    """The record by itself, then its place, then what was not checked, whatever the state of its key."""
    ledger, seq, top = head
    header = record["sealed"]["header"]
    here = (header["ledger"], header["seq"]) == (ledger, seq)
    if here and record["sealed"]["layers"]["L0"]["prev"] != top:
        return "L0"
    failed = next((layer for layer in ORDER if outcomes[layer].startswith("fail")), None)
    if failed:
        return failed
    if header["ledger"] != ledger:
        return "another ledger"
    if header["seq"] < seq:
        return "fork"
    if places.vouched(seq) and (header["seq"] > seq or located is None):
        return "truncated"
    return "L0" if header["seq"] > seq else first_fault(outcomes, policy)


def has_decoy(domain: Domain, record: dict[str, Any], ring: dict[str, Any], master: bytes) -> bool:
    header = record["sealed"]["header"]
    trap = fragment(domain, master, header["identity_id"], header["ledger"], header["vault_id"])
    named = h3(primitives.public_key_of_seed(trap))
    return any(
        (key["role"], key["identity_id"], key["javni_kljuc"]) == ("decoy", header["identity_id"], named)
        for key in ring["keys"]
    )


def erasure_payload(vault_id: str, splits: list[str]) -> bytes:
    return canonical({"splits": sorted(set(splits)), "vault_id": vault_id})


def read_erasure(record: dict[str, Any], report: Report, stored: bytes) -> tuple[str, list[str]]:
    """(vault_id, splits) of an erasure that was itself found valid and located over these stored bytes."""
    header = record["sealed"]["header"]
    if report.outcomes["L8"] != "pass":
        raise FormatError("not located")
    if report.verdict != "valid" or header["type"] != ERASURE or header["encryption"] != "none":
        raise FormatError("not a valid erasure")
    if record["sealed"]["layers"]["L3"]["baseline"] != h3(stored):
        raise FormatError("other bytes")
    value = members(parse(stored), {"splits", "vault_id"}, "erasure")
    if not isinstance(value["splits"], list):
        raise FormatError("splits")
    splits = [hex_text(split, 64, "splits") for split in value["splits"]]
    if any(not one < other for one, other in zip(splits, splits[1:])):
        raise FormatError("splits: not ascending")
    return hex_text(value["vault_id"], 64, "vault_id"), splits


def covers(erasure: dict[str, Any], erased_id: str, record: dict[str, Any]) -> bool:
    """Whether an erasure, which names a vault, counts for a record."""
    says, of = erasure["sealed"]["header"], record["sealed"]["header"]
    same = all(says[name] == of[name] for name in ("ledger", "identity_id"))
    return same and of["vault_id"] == erased_id and of["encryption"] != "none"
