"""Shards of a vault secret (FORMAT.md section 16)."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import presence
from .domain import Domain
from .encodings import FormatError, hex_text, integer, members, utf8
from .primitives import h3, h5, hmac_sha3_512
from .shamir import BINARY, agree
from .shamir import deal as deal_values
from .stream import hkdf_sha3_256

SHARD = {
    "shard_id", "vault_id", "split_id", "indeks", "m", "n", "vrijednost_hex", "javni_sidro", "identity_id", "node_url",
    "seal",
}  # fmt: skip

NO_SPLIT = "0" * 64
MOST_IGNORED = 1000


class ShardError(FormatError):
    """Shards that give no secret: `kind` names why, `indices` whose they are, `culprits` whose do not hold as well."""

    def __init__(self, kind: str, indices: list[int] | None = None, culprits: list[int] | None = None) -> None:
        super().__init__(f"{kind}: {indices or []}")
        self.kind = kind
        self.indices = indices or []
        self.culprits = culprits or []


def join(domain: Domain, label: str, *parts: object) -> str:
    row = domain["shard"]
    return "::".join((row.prefix, row.labels[label], *map(str, parts), row.suffix))


def shard_key(domain: Domain, master: bytes, identity_id: str) -> bytes:
    row = domain["vault"]
    info = f"{row.prefix}::{row.labels['KDF']}::SHARD::{identity_id}::{row.suffix}".encode()
    return hkdf_sha3_256(master, b"", info, 64)


def anchor(domain: Domain, vault_id: str, secret: bytes) -> str:
    return h5(join(domain, "ANCHOR", vault_id).encode(), secret)


def shard_id(domain: Domain, shard: dict[str, Any]) -> str:
    value = bytes.fromhex(shard["vrijednost_hex"])
    value_anchor = h5(join(domain, "VALUE", shard["split_id"], shard["indeks"]).encode(), value)
    url = h3(shard["node_url"].encode())
    return h3(
        join(
            domain, "ID", shard["vault_id"], shard["split_id"], shard["indeks"], shard["m"], shard["n"],
            shard["javni_sidro"], value_anchor, url,
        ).encode()
    )  # fmt: skip


def seal(domain: Domain, key: bytes, vault_id: str, shard: str, identity_id: str) -> str:
    """SEAL-L5: the payload is hexed once."""
    payload = join(domain, "SEAL", vault_id, shard, identity_id).encode()
    return f"SEAL-L5::{hmac_sha3_512(key, payload.hex().encode())}"


def parse(value: object) -> dict[str, Any]:
    shard = members(value, SHARD, "shard")
    for name in ("shard_id", "vault_id", "split_id", "vrijednost_hex", "identity_id"):
        hex_text(shard[name], 64, name)
    hex_text(shard["javni_sidro"], 128, "javni_sidro")
    m, n, index = (integer(shard[name], name, least) for name, least in (("m", 2), ("n", 2), ("indeks", 1)))
    if not m <= n <= 255 or index > n:
        raise FormatError("m, n or indeks out of range")
    utf8(shard["node_url"], "node_url")
    text = shard["seal"]
    if not isinstance(text, str) or not text.startswith("SEAL-L5::"):
        raise FormatError("seal")
    hex_text(text.removeprefix("SEAL-L5::"), 128, "seal")
    return shard


def split_message(domain: Domain, key: bytes, vault_id: str, previous: str, split_id: str, prev: str) -> str:
    """Of the entry after `prev`; Z64 for no split before, and after the last one."""
    tag = hmac_sha3_512(key, join(domain, "SPLIT", vault_id, previous, split_id, prev).encode())[:64]
    return join(domain, "SPLIT", vault_id, previous, split_id, tag)


@dataclass
class Splits:
    """What a chain says of a vault: (seq, split_id) whose tags hold, what is in force, and what counts for nothing."""

    found: list[tuple[int, str]] = field(default_factory=list)
    in_force: str | None = None
    erased: int | None = None
    ignored: list[tuple[int, str]] = field(default_factory=list)
    more: int = 0


def walk(domain: Domain, key: bytes | None, vault_id: str, entries: list[dict[str, Any]]) -> Splits:
    """Follows the generations; without a key nothing counts."""
    row, splits, counted = domain["shard"], Splits(), set[str]()
    head = f"{row.prefix}::{row.labels['SPLIT']}::{vault_id}::"
    for seq, entry in enumerate(entries):
        if not entry["poruka"].startswith(head):
            continue
        reason = judge_split(domain, key, vault_id, entry, head, splits, counted, seq)
        if reason is not None:
            if len(splits.ignored) < MOST_IGNORED:
                splits.ignored.append((seq, reason))
            else:
                splits.more += 1
    return splits


def judge_split(
    domain: Domain, key: bytes | None, vault_id: str, entry: dict[str, Any], head: str, splits: Splits,
    counted: set[str], seq: int,
) -> str | None:  # fmt: skip
    parts = entry["poruka"].removeprefix(head).split("::")
    hexes = all(re.fullmatch("[0-9a-f]{64}", part) for part in parts[:3])
    if len(parts) != 4 or parts[3] != domain["shard"].suffix or not hexes:
        return "form"
    previous, split_id, _ = parts[:3]
    if key is None:
        return "unverified"
    expected = split_message(domain, key, vault_id, previous, split_id, entry["prev"])
    if not hmac.compare_digest(expected, entry["poruka"]):
        return "tag"
    reason = None
    if splits.erased is not None or previous != (splits.in_force or NO_SPLIT):
        reason = "predecessor"
    elif split_id in counted:
        reason = "repeated"
    if split_id == NO_SPLIT:
        if reason is None:
            splits.in_force, splits.erased = None, seq
        return reason
    splits.found.append((seq, split_id))
    if reason is None:
        splits.in_force = split_id
        counted.add(split_id)
    return reason


def deal(
    domain: Domain, master: bytes, vault: tuple[str, str], split_id: str, coefficients: list[int], urls: list[str]
) -> list[dict[str, Any]]:
    vault_id, identity_id = vault
    values = deal_values(BINARY, coefficients, len(urls))
    shards = []
    for index, url in enumerate(urls, start=1):
        shard: dict[str, Any] = {
            "vault_id": vault_id,
            "split_id": split_id,
            "indeks": index,
            "m": len(coefficients),
            "n": len(urls),
            "vrijednost_hex": BINARY.encode(values[index]).hex(),
            "javni_sidro": anchor(domain, vault_id, BINARY.encode(coefficients[0])),
            "identity_id": identity_id,
            "node_url": url,
        }
        shard["shard_id"] = shard_id(domain, shard)
        key = shard_key(domain, master, identity_id)
        shard["seal"] = seal(domain, key, vault_id, shard["shard_id"], identity_id)
        shards.append(parse(shard))
    return shards


def seal_holds(domain: Domain, key: bytes, shard: str, vault_id: str, identity_id: str, text: str) -> bool:
    """From the four fields of the specification."""
    return hmac.compare_digest(seal(domain, key, vault_id, shard, identity_id), text)


def holds(domain: Domain, key: bytes, shard: dict[str, Any]) -> bool:
    good_id = hmac.compare_digest(shard_id(domain, shard), shard["shard_id"])
    good_seal = seal_holds(
        domain, key, shard["shard_id"], shard["vault_id"], shard["identity_id"], shard["seal"]
    )  # fmt: skip
    return good_id and good_seal


def request(
    vault_id: str, identity_id: str, recipient: str, split_id: str, ids: list[str], op: str = "rebuild",
    **arguments: Any,
) -> dict[str, Any]:  # fmt: skip
    """What is asked of the nodes and of the gate."""
    made = {
        "op": op, "vault_id": vault_id, "split_id": split_id, "shard_ids": sorted(ids),
        "args": presence.args_hash(**arguments), "primatelj": recipient, "identity_id": identity_id,
    }  # fmt: skip
    return presence.parse_request(made)


def names_as_many_as(asked: dict[str, Any], m: int, n: int) -> bool:
    return m <= len(set(asked["shard_ids"])) == len(asked["shard_ids"]) <= n


def release(
    shard: dict[str, Any], asked: dict[str, Any], recipient: str, in_force: str | None,
    gate: Callable[[dict[str, Any]], None],
) -> None:  # fmt: skip
    """What a node compares before it asks the gate; `in_force` is the split_id that the operator told it."""
    fits = {
        "vault_id": asked["vault_id"] == shard["vault_id"],
        "split_id": asked["split_id"] == shard["split_id"],
        "identity_id": asked["identity_id"] == shard["identity_id"],
        "primatelj": asked["primatelj"] == recipient,
        "shard_ids": names_as_many_as(asked, shard["m"], shard["n"]) and shard["shard_id"] in asked["shard_ids"],
    }
    for name, good in fits.items():
        if not good:
            raise ShardError(f"OtherRequest {name}")
    if in_force is not None and in_force != shard["split_id"]:
        raise ShardError("SupersededSplit")
    gate(asked)


def rebuild(
    domain: Domain, master: bytes, asked: dict[str, Any], recipient: str, shards: list[dict[str, Any]],
    in_force: str | None = None,
) -> tuple[bytes, list[int], list[int]]:  # fmt: skip
    """The anchored secret, whose shards do not hold, and the misdealt. The gate is asked by whoever calls this."""
    vault_id, identity_id = asked["vault_id"], asked["identity_id"]
    if asked["primatelj"] != recipient:
        raise ShardError("OtherRequest primatelj")
    if not shards:
        raise ShardError("NoShards")
    indices = [shard["indeks"] for shard in shards]
    if len(set(indices)) < min(shard["m"] for shard in shards):
        raise ShardError("TooFewShares")
    key = shard_key(domain, master, identity_id)
    good = [shard for shard in shards if holds(domain, key, shard)]
    culprits = sorted(set(indices) - {shard["indeks"] for shard in good})
    if not good:
        raise ShardError("TooFewShares", culprits)
    common = ("split_id", "m", "n", "javni_sidro")
    groups: dict[tuple[Any, ...], list[int]] = {}
    for one in good:
        if all(one[name] == asked[name] for name in ("vault_id", "identity_id", "split_id")):
            groups.setdefault(tuple(one[name] for name in common), []).append(one["indeks"])
    if in_force is not None and asked["split_id"] != in_force:
        raise ShardError("SupersededSplit", culprits)
    # Where m, n or the anchor differ: what most of them have; of a tie nobody knows.
    most = [of for of in groups if len(groups[of]) == max(map(len, groups.values()))]
    chosen = most[0] if len(most) == 1 else None
    of_one = [
        one for one in good
        if all(one[name] == asked[name] for name in ("vault_id", "identity_id", "split_id"))
        and tuple(one[name] for name in common) == chosen and one["shard_id"] in asked["shard_ids"]
    ]  # fmt: skip
    mixed = sorted({one["indeks"] for one in good if one not in of_one})
    if not of_one:
        raise ShardError("Mixed", mixed, culprits)
    good, m = of_one, of_one[0]["m"]
    points = {shard["indeks"]: int(shard["vrijednost_hex"], 16) for shard in good}
    ids = {shard["indeks"]: shard["shard_id"] for shard in good}
    twice = sorted({shard["indeks"] for shard in good if ids[shard["indeks"]] != shard["shard_id"]})
    if twice:
        raise ShardError("Repeated", twice)
    if len(points) < m and mixed:
        raise ShardError("Mixed", mixed, culprits)
    if len(points) < m:
        raise ShardError("TooFewShares", culprits)
    if not names_as_many_as(asked, m, good[0]["n"]):
        raise ShardError("OtherRequest shard_ids")
    found = agree(
        BINARY, m, points,
        lambda secret: hmac.compare_digest(anchor(domain, vault_id, BINARY.encode(secret)), good[0]["javni_sidro"]),
    )  # fmt: skip
    if found is None:
        raise ShardError("DealerFault", culprits)
    return BINARY.encode(found[0]), culprits, found[1]
