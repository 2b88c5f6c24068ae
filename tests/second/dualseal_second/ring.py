"""Key rings (FORMAT.md sections 8 and 9): reading, ring order, entries, the public form, the file and its check."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from . import tree
from .domain import Domain
from .encodings import FormatError, canonical, hex_text, integer, members, origin, timestamp
from .primitives import PUBLIC_KEY_SIZE, h3, hmac_sha3_512

STATES = ("istina", "laz", "oboje", "nijedno")
ROLES = ("current", "retired", "decoy")
KEY = {
    "algoritam", "bela_stanje", "generirano", "identity_id", "javni_kljuc", "opozvan_od", "povijest", "retired", "role",
}  # fmt: skip


class RingError(FormatError):
    """`kind` is RingRollback or RingForged."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(f"{kind}: {what}")
        self.kind = kind


def parse_history(key: dict[str, Any]) -> None:
    """`povijest` and `opozvan_od`, and what they say of the state."""
    if not isinstance(key["povijest"], list) or not key["povijest"]:
        raise FormatError("povijest: not an array with items")
    seqs = []
    for change in key["povijest"]:
        if not isinstance(change, list) or len(change) != 2 or change[1] not in STATES:
            raise FormatError("povijest: not pairs of a seq and a state")
        seqs.append(integer(change[0], "povijest"))
    if any(not a < b for a, b in zip(seqs, seqs[1:])):
        raise FormatError("povijest does not ascend")
    if key["povijest"][0][1] == "laz":
        raise FormatError("a key begins as revoked")
    if key["povijest"][-1][1] != key["bela_stanje"]:
        raise FormatError("bela_stanje is not the last state of povijest")
    revoked = next((seq for seq, state in key["povijest"] if state == "laz"), None)
    if (revoked is None) != (key["opozvan_od"] is None):
        raise FormatError("opozvan_od is set by a revocation alone")
    if revoked is not None and integer(key["opozvan_od"], "opozvan_od") > revoked:
        raise FormatError("opozvan_od is after the first revocation")


def first(key: dict[str, Any]) -> int:
    """The seq of the entry that brought the key."""
    seq: int = key["povijest"][0][0]
    return seq


def parse_key(value: object) -> dict[str, Any]:
    return checked_key(members(value, KEY, "key"))


def checked_key(key: dict[str, Any], *, hashed: bool = False) -> dict[str, Any]:
    """A leaf of the ring tree has the key's hash, as a decoy."""
    hex_text(key["identity_id"], 64, "identity_id")
    timestamp(key["generirano"], "generirano")
    if key["algoritam"] != "ML-DSA-65" or key["bela_stanje"] not in STATES or key["role"] not in ROLES:
        raise FormatError("algoritam, bela_stanje or role of a key")
    is_decoy = key["role"] == "decoy"
    hex_text(key["javni_kljuc"], 64 if is_decoy or hashed else 2 * PUBLIC_KEY_SIZE, "javni_kljuc")
    if is_decoy and key["bela_stanje"] != "oboje":
        raise FormatError("a decoy's state is oboje")
    if key["role"] == "retired":
        integer(key["retired"], "retired")
    elif key["retired"] is not None:
        raise FormatError("retired is null for a key that is not retired")
    parse_history(key)
    if is_decoy and len(key["povijest"]) != 1:
        raise FormatError("a decoy has no changes")
    if key["role"] == "retired" and key["retired"] <= first(key):
        raise FormatError("a key is retired after it came")
    return key


def order(key: dict[str, Any]) -> tuple[str, int, int, str]:
    """Ring order: identity, then current, retired by descending R, decoys by hash."""
    role = ROLES.index(key["role"])
    return (key["identity_id"], role, -(key["retired"] or 0), key["javni_kljuc"] if key["role"] == "decoy" else "")


def key_hash(key: dict[str, Any]) -> str:
    text: str = key["javni_kljuc"]
    return text if key["role"] == "decoy" else h3(bytes.fromhex(text))


def checked_keys(keys: list[dict[str, Any]]) -> int:
    """What the keys say together, and how many changes they tell of."""
    places = [order(key) for key in keys]
    # Strictly ascending: an equal pair is a second current key, or two rotations at one seq.
    if any(not a < b for a, b in zip(places, places[1:])):
        raise FormatError("the keys are not in ring order")
    if len({key_hash(key) for key in keys}) != len(keys):
        raise FormatError("a public key stands twice in the ring")
    seqs = [seq for key in keys for seq, _ in key["povijest"]]
    if len(set(seqs)) != len(seqs):
        raise FormatError("one entry is two changes")
    for newer, older in zip(keys, keys[1:]):
        if older["role"] == "retired" and newer["identity_id"] == older["identity_id"]:
            if older["retired"] != first(newer):
                raise FormatError("a key was not retired by the one that came for it")
    return sum(len(key["povijest"]) for key in keys if key["role"] != "decoy")


def parse_ring(value: object) -> dict[str, Any]:
    """The ring file, whose MAC is for `check`."""
    ring = members(value, {"keys", "origin", "ovjera", "revision"}, "ring file")
    origin(ring["origin"], "origin")
    integer(ring["revision"], "revision")
    seal = members(ring["ovjera"], {"mac", "size", "top"}, "ovjera")
    hex_text(seal["mac"], 64, "mac")
    hex_text(seal["top"], 128, "top")
    if not isinstance(ring["keys"], list):
        raise FormatError("keys: not an array")
    keys = [parse_key(key) for key in ring["keys"]]
    if checked_keys(keys) != ring["revision"]:
        raise FormatError("revision is the number of all changes")
    if any(seq >= integer(seal["size"], "size") for key in keys for seq, _ in key["povijest"]):
        raise FormatError("a change beyond the size at which the file was written")
    return ring


def parse_shown(value: object, *, hashed: bool = False) -> dict[str, Any]:
    """A public object, or a leaf."""
    key = checked_key(members(value, KEY | {"salt"}, "key"), hashed=hashed)
    hex_text(key["salt"], 64, "salt")
    if key["role"] == "decoy" or projected(key) != key:
        raise FormatError("a key of a public ring that is not public")
    return key


def parse_public(value: object) -> dict[str, Any]:
    """A public ring."""
    ring = members(value, {"keys", "origin", "revision"}, "ring")
    origin(ring["origin"], "origin")
    integer(ring["revision"], "revision")
    if not isinstance(ring["keys"], list):
        raise FormatError("keys: not an array")
    keys = [parse_shown(key) for key in ring["keys"]]
    changes = checked_keys(keys)
    if ring["revision"] < changes or (ring["revision"] == 0) != (not keys):
        raise FormatError("revision is at least the number of changes that are shown")
    return ring


def of_identity(ring: dict[str, Any], identity_id: str) -> list[dict[str, Any]]:
    return [key for key in ring["keys"] if key["identity_id"] == identity_id]


def knows(ring: dict[str, Any], identity_id: str) -> bool:
    """Decoys alone do not make an identity known."""
    return any(key["role"] != "decoy" for key in of_identity(ring, identity_id))


def find(ring: dict[str, Any], identity_id: str, javni_kljuc: str) -> dict[str, Any] | None:
    """The identity's key with this encoded public key; decoys are found by its hash."""
    wanted = h3(bytes.fromhex(javni_kljuc))
    return next((key for key in of_identity(ring, identity_id) if key_hash(key) == wanted), None)


def projected(key: dict[str, Any]) -> dict[str, Any]:
    """A key as outsiders see it: `oboje` is `istina`, and a change to the state before it is none."""
    history: list[list[Any]] = []
    for seq, state in key["povijest"]:
        shown = "istina" if state == "oboje" else state
        if not history or history[-1][1] != shown:
            history.append([seq, shown])
    return key | {"bela_stanje": history[-1][1], "povijest": history}


def keyed(ring_key: bytes, message: bytes) -> str:
    if len(ring_key) != 32:
        raise FormatError("a ring key has 32 bytes")
    return hmac_sha3_512(ring_key, message)[:64]


def salt(domain: Domain, ring_key: bytes, revision: int, hashed_key: str) -> str:
    row = domain["signature"]
    return keyed(ring_key, f"{row.prefix}::{row.labels['SALT']}::{revision}::{hashed_key}::{row.suffix}".encode())


def public_objects(domain: Domain, ring_key: bytes, ring: dict[str, Any]) -> list[dict[str, Any]]:
    """The public objects of all keys but decoys, in ring order."""
    held = [key for key in ring["keys"] if key["role"] != "decoy"]
    seqs = sorted(seq for key in held for seq, _ in key["povijest"])
    shown = []
    for key in held:
        last = max(seq for other in held if other["identity_id"] == key["identity_id"] for seq, _ in other["povijest"])
        revision = sum(seq <= last for seq in seqs)
        shown.append(projected(key) | {"salt": salt(domain, ring_key, revision, key_hash(key))})
    return shown


def public(domain: Domain, ring_key: bytes, ring: dict[str, Any]) -> dict[str, Any]:
    """The form in which a ring leaves the operator."""
    shown = public_objects(domain, ring_key, ring)
    return {"keys": shown, "origin": ring["origin"], "revision": ring["revision"]}


def counted(hashed: list[bytes]) -> bytes:
    return len(hashed).to_bytes(8, "big") + tree.root(hashed)


def in_order(keys: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(keys, key=first)


def leaves(public_ring: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of the ring tree: each has the key's hash in the place of the key."""
    return [key | {"javni_kljuc": key_hash(key)} for key in in_order(public_ring["keys"])]


def root(public_ring: dict[str, Any]) -> str:
    """The ring root."""
    return sha256(b"\2" + counted([canonical(leaf) for leaf in leaves(public_ring)])).hexdigest()


def state_root(ring: dict[str, Any]) -> str:
    held = [canonical(key) for key in in_order(ring["keys"]) if key["role"] != "decoy"]
    decoys = [canonical(key) for key in in_order(ring["keys"]) if key["role"] == "decoy"]
    return sha256(b"\3" + counted(held) + counted(decoys)).hexdigest()


def state_mac(domain: Domain, ring_key: bytes, ring: dict[str, Any], size: int, top: str) -> str:
    row = domain["signature"]
    said = f"{ring['origin']}::{ring['revision']}::{size}::{top}::{state_root(ring)}"
    return keyed(ring_key, f"{row.prefix}::{row.labels['STATE']}::{said}::{row.suffix}".encode())


def sealed(domain: Domain, ring_key: bytes, ring: dict[str, Any], size: int, top: str) -> dict[str, Any]:
    """The ring file, with its MAC at this head."""
    mac = state_mac(domain, ring_key, ring, size, top)
    members = {name: ring[name] for name in ("keys", "origin", "revision")}
    return members | {"ovjera": {"mac": mac, "size": size, "top": top}}


def tag(domain: Domain, ring_key: bytes, revision: int, entries: list[dict[str, Any]]) -> str:
    """The keyed tag of a change; `entries` are the identity's current and retired keys after it, in ring order."""
    row = domain["signature"]
    head = f"{row.prefix}::{row.labels['RING']}::{revision}::{row.suffix}".encode()
    return keyed(ring_key, head + canonical(entries))


def entry_mac(domain: Domain, ring_key: bytes, prev: str, w3: str, said: str) -> str:
    row = domain["signature"]
    return keyed(ring_key, f"{row.prefix}::{row.labels['ENTRY']}::{prev}::{w3}::{said}::{row.suffix}".encode())


def change_message(domain: Domain, ring_key: bytes, prev: str, w3: str, ring: dict[str, Any]) -> str:
    """The message of the entry of the last change, which `ring` is the ring after."""
    row, revision = domain["signature"], ring["revision"]
    entries = [key for key in of_identity(ring, w3) if key["role"] != "decoy"]
    after = root(public(domain, ring_key, ring))
    said = f"{revision}::{tag(domain, ring_key, revision, entries)}::{after}"
    return f"{row.prefix}::{row.labels['RING']}::{said}::{entry_mac(domain, ring_key, prev, w3, said)}::{row.suffix}"


def parse_change(domain: Domain, poruka: str) -> tuple[int, str, str, str] | None:
    """(revision, tag, ring root, mac) of a ring entry's message; None for any other message."""
    row = domain["signature"]
    head, digits = re.escape(f"{row.prefix}::{row.labels['RING']}::"), "([0-9a-f]{64})"
    form = f"{head}([1-9][0-9]{{0,15}})::{digits}::{digits}::{digits}::{re.escape(row.suffix)}"
    match = re.fullmatch(form, poruka)
    if match is None or int(match[1]) >= 2**53:
        return None
    return int(match[1]), match[2], match[3], match[4]


def counts(domain: Domain, ring_key: bytes, entry: dict[str, Any]) -> tuple[int, str, str] | None:
    """(revision, tag, ring root) of an entry whose mac holds at its place."""
    change = parse_change(domain, entry["poruka"])
    if change is None:
        return None
    said = "::".join(map(str, change[:3]))
    mac = entry_mac(domain, ring_key, entry["prev"], entry["w3"], said)
    return change[:3] if hmac.compare_digest(mac, change[3]) else None


def check(
    domain: Domain, ring: dict[str, Any], ring_key: bytes, chain: list[Any],
    is_record: Callable[[Any], bool] = lambda _: False,
) -> list[int]:
    """Whether the ring file is the one that the (already checked) chain's ring entries describe. Gives the seqs of the
    entries that begin as ring entries and count for nothing."""
    seal, row = ring["ovjera"], domain["signature"]
    mac = state_mac(domain, ring_key, ring, seal["size"], seal["top"])
    if not hmac.compare_digest(mac, seal["mac"]):
        raise RingError("RingForged", "the MAC does not hold")
    last: dict[str, tuple[int, str, str]] = {}
    greatest, ordered, record, after, ignored = 0, True, False, None, []
    for seq, entry in enumerate(chain):
        change = counts(domain, ring_key, entry)
        if change is None:
            if entry["poruka"].startswith(f"{row.prefix}::{row.labels['RING']}::"):
                ignored.append(seq)
            record = record or (seq >= seal["size"] and is_record(entry))
            continue
        last[entry["w3"]] = change
        ordered = ordered and change[0] == greatest + 1
        greatest, after = max(greatest, change[0]), change[2]
    if greatest > ring["revision"] or record:
        raise RingError("RingRollback", f"the chain is at revision {greatest}, the ring at {ring['revision']}")
    if greatest < ring["revision"]:
        raise RingError("RingForged", f"revision {ring['revision']} is not in the chain")
    top = chain[seal["size"] - 1]["h"] if 0 < seal["size"] <= len(chain) else "0" * 128
    if len(chain) < seal["size"] or top != seal["top"]:
        raise RingError("RingForged", "the chain does not go on from where the file was written")
    held = {key["identity_id"] for key in ring["keys"] if key["role"] != "decoy"}
    if held != last.keys():
        raise RingError("RingForged", "an identity is missing in the ring or in the chain")
    if not ordered:
        raise RingError("RingForged", "the revisions in the chain are not 1, 2, 3 and so on")
    for identity_id, (revision, stated, _) in last.items():
        entries = [key for key in of_identity(ring, identity_id) if key["role"] != "decoy"]
        if tag(domain, ring_key, revision, entries) != stated:
            raise RingError("RingForged", f"the keys of {identity_id} are not those of revision {revision}")
    if after is not None and after != root(public(domain, ring_key, ring)):
        raise RingError("RingForged", "the ring root is not that of the last ring entry")
    return ignored
