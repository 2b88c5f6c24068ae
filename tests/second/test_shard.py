"""Shards: every field is bound, and every set of shards has its outcome."""

from __future__ import annotations

from typing import Any

import pytest
from dualseal_second import ids, krunica, presence, shard
from dualseal_second.domain import DEFAULT, Domain
from dualseal_second.encodings import FormatError
from dualseal_second.primitives import h3, h5, hmac_sha3_512

MASTER = bytes(range(32))
SECRET = bytes([0, *range(200, 231)])
OWNER = ids.identity_id(DEFAULT, b"", "owner", "")
OTHER = ids.identity_id(DEFAULT, b"", "other", "")
VAULT = ids.vault_id(DEFAULT, b"stored", OWNER, "CONTRACT", 0)
URLS = [f"https://node-{i}.example" for i in range(1, 6)]


def deal(split: str = "5e", m: int = 3, identity: str = OWNER, vault: str = VAULT) -> list[dict[str, Any]]:
    coefficients = [int.from_bytes(SECRET, "big"), *(2**250 + 77 * i for i in range(1, m))]
    return shard.deal(DEFAULT, MASTER, (vault, identity), split * 32, coefficients, URLS)


SERVICE = presence.recipient(b"the service that rebuilds")


def rebuild(
    shards: list[dict[str, Any]], in_force: str | None = None, asked: dict[str, Any] | None = None
) -> tuple[bytes, list[int], list[int]]:
    """For a request that names just these, of the splitting that most of them are of."""
    if asked is None:
        of = [one["split_id"] for one in sorted(shards, key=lambda one: int(one["indeks"]))]
        split = max(of, key=of.count, default="0" * 64)
        asked = shard.request(VAULT, OWNER, SERVICE, split, list({one["shard_id"] for one in shards}))
    return shard.rebuild(DEFAULT, MASTER, asked, SERVICE, shards, in_force)


def forged(one: dict[str, Any]) -> dict[str, Any]:
    return one | {"vrijednost_hex": f"{int(one['vrijednost_hex'], 16) ^ 1:064x}"}


def resealed(one: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """What the operator alone can make: members changed, identifier and seal to go with them."""
    made = one | changes
    made["shard_id"] = shard.shard_id(DEFAULT, made)
    key = shard.shard_key(DEFAULT, MASTER, OWNER)
    made["seal"] = shard.seal(DEFAULT, key, made["vault_id"], made["shard_id"], made["identity_id"])
    return made


def test_formulas_by_hand() -> None:
    first = deal()[0]
    value = h5(f"DUALSEAL-SHARD::VALUE::{'5e' * 32}::1::DUALSEAL".encode(), bytes.fromhex(first["vrijednost_hex"]))
    anchor = h5(f"DUALSEAL-SHARD::ANCHOR::{VAULT}::DUALSEAL".encode(), SECRET)
    assert first["javni_sidro"] == anchor
    text = f"DUALSEAL-SHARD::ID::{VAULT}::{'5e' * 32}::1::3::5::{anchor}::{value}::{h3(URLS[0].encode())}::DUALSEAL"
    assert first["shard_id"] == h3(text.encode())
    key, stated = shard.shard_key(DEFAULT, MASTER, OWNER), f"DUALSEAL-SHARD::SPLIT::{VAULT}::{'0' * 64}::{'5e' * 32}"
    tag = hmac_sha3_512(key, f"{stated}::{'1' * 128}::DUALSEAL".encode())[:64]
    made = shard.split_message(DEFAULT, key, VAULT, "0" * 64, "5e" * 32, "1" * 128)
    assert made == f"{stated}::{tag}::DUALSEAL"


def test_four_fields_and_all() -> None:
    first, second, *_ = deal()
    key = shard.shard_key(DEFAULT, MASTER, OWNER)
    four = (first["shard_id"], VAULT, OWNER, first["seal"])
    assert shard.seal_holds(DEFAULT, key, *four)
    assert not shard.seal_holds(Domain.named("ACME"), key, *four)
    for place, other in enumerate((second["shard_id"], "0" * 64, OTHER, second["seal"])):
        altered = list(four)
        altered[place] = other
        assert not shard.seal_holds(DEFAULT, key, *altered)
    assert shard.holds(DEFAULT, key, first)
    for name, changed in (
        ("indeks", 2), ("m", 2), ("n", 4), ("node_url", ""), ("split_id", "0" * 64), ("vault_id", "0" * 64),
        ("javni_sidro", "0" * 128), ("vrijednost_hex", "0" * 64), ("identity_id", OTHER), ("seal", second["seal"]),
        ("shard_id", second["shard_id"]),
    ):  # fmt: skip
        assert not shard.holds(DEFAULT, key, first | {name: changed}), name


def test_outcomes() -> None:
    shards = deal()
    for given in (shards[:3], shards[2:], shards):
        assert rebuild(given) == (SECRET, [], [])
    assert rebuild([*shards[:3], forged(shards[4])]) == (SECRET, [5], [])
    # Junk under the number of a good one accuses nobody, and a misdealt one is found where there are two to spare.
    assert rebuild([forged(shards[0]), *shards[:3], shards[2]]) == (SECRET, [], [])
    misdealt = [resealed(shards[0], vrijednost_hex="7" * 64), *shards[1:]]
    assert rebuild(misdealt) == rebuild(misdealt[::-1]) == (SECRET, [], [1])
    newer = deal("0f")
    # m good ones rebuild, whatever is among them: what is of another splitting or with other numbers takes no part.
    for among in (
        newer[3], *(resealed(shards[3], **{name: value}) for name, value in (
            ("m", 2), ("javni_sidro", "0" * 128), ("vault_id", "0" * 64), ("identity_id", OTHER),
        )),
    ):  # fmt: skip
        assert rebuild([*shards[:3], among]) == rebuild([among, *shards[:3]]) == (SECRET, [], [])
    cases: list[tuple[list[dict[str, Any]], str, list[int]]] = [
        ([], "NoShards", []),
        (shards[:2], "TooFewShares", []),
        ([*shards[:2], forged(shards[2])], "TooFewShares", [3]),
        ([forged(one) for one in shards], "TooFewShares", [1, 2, 3, 4, 5]),
        ([*shards[:2], shards[1]], "TooFewShares", []),
        ([*shards[:2], newer[3]], "Mixed", [4]),
        ([newer[3], *shards[:2]], "Mixed", [4]),
        ([newer[3], shards[0], newer[4]], "Mixed", [1]),
        ([newer[3], shards[0], newer[4], shards[1]], "Mixed", [4, 5]),
        ([*shards[:2], *(resealed(one, n=6) for one in shards[2:4])], "Mixed", [1, 2, 3, 4]),
        ([*shards[:3], resealed(shards[2], vrijednost_hex="7" * 64)], "Repeated", [3]),
        ([*shards[:2], resealed(shards[3], javni_sidro="0" * 128)], "Mixed", [4]),
        ([*shards[:2], resealed(shards[3], vault_id="0" * 64)], "Mixed", [4]),
        ([*shards[:2], resealed(shards[3], identity_id=OTHER)], "Mixed", [4]),
        (deal(identity=OTHER), "TooFewShares", [1, 2, 3, 4, 5]),
        ([*shards[:2], resealed(shards[2], vrijednost_hex="7" * 64)], "DealerFault", []),
        ([*shards[:2], resealed(shards[2], vrijednost_hex="7" * 64), shards[3]], "DealerFault", []),
    ]
    for given, kind, indices in cases:
        with pytest.raises(shard.ShardError) as refused:
            rebuild(given)
        assert (refused.value.kind, refused.value.indices) == (kind, indices)


def test_requests_name_shards_and_recipient() -> None:
    shards = deal()
    named = [one["shard_id"] for one in shards[:4]]
    asked = shard.request(VAULT, OWNER, SERVICE, shards[0]["split_id"], named)
    assert rebuild(shards[1:4], asked=asked) == rebuild(shards[:4], asked=asked) == (SECRET, [], [])
    assert rebuild(shards, asked=asked) == (SECRET, [], [])
    for given, other, kind, indices in (
        ([*shards[:2], shards[4]], asked, "Mixed", [5]),
        (shards[:3], asked | {"primatelj": "0" * 64}, "OtherRequest primatelj", []),
        (shards[:3], asked | {"shard_ids": [*named, "f" * 64, "e" * 64]}, "OtherRequest shard_ids", []),
        (shards[:3], asked | {"split_id": "0" * 64}, "Mixed", [1, 2, 3]),
    ):
        with pytest.raises(shard.ShardError) as refused:
            rebuild(given, asked=other)
        assert (refused.value.kind, refused.value.indices) == (kind, indices)


def test_a_node_compares_before_it_asks() -> None:
    own = deal()[1]
    named = [one["shard_id"] for one in deal()[:3]]
    asked = shard.request(VAULT, OWNER, SERVICE, own["split_id"], named)
    seen: list[dict[str, Any]] = []
    for in_force in (None, own["split_id"]):
        shard.release(own, asked, SERVICE, in_force, seen.append)
    assert seen == [asked, asked]
    for changes, kind in (
        ({"vault_id": "0" * 64}, "OtherRequest vault_id"),
        ({"split_id": "0" * 64}, "OtherRequest split_id"),
        ({"identity_id": OTHER}, "OtherRequest identity_id"),
        ({"primatelj": presence.recipient(b"another service")}, "OtherRequest primatelj"),
        ({"shard_ids": named[1:2]}, "OtherRequest shard_ids"),
        ({"shard_ids": [*named, "d" * 64, "e" * 64, "f" * 64]}, "OtherRequest shard_ids"),
        ({"shard_ids": [named[0], deal()[3]["shard_id"], deal()[4]["shard_id"]]}, "OtherRequest shard_ids"),
    ):
        with pytest.raises(shard.ShardError) as refused:
            shard.release(own, asked | changes, SERVICE, None, seen.append)
        assert refused.value.kind == kind
    with pytest.raises(shard.ShardError, match="SupersededSplit"):
        shard.release(own, asked, SERVICE, "0f" * 32, seen.append)
    assert len(seen) == 2


class Log:
    """A chain to which anybody writes."""

    def __init__(self) -> None:
        self.head = krunica.Head()
        self.entries: list[dict[str, Any]] = []

    def write(self, message: str, who: str = OWNER) -> None:
        entry, self.head = krunica.append(self.head, who, message, "2026-11-21T10:00:00.000Z")
        self.entries.append(entry)

    def split(self, previous: str, split: str, key: bytes) -> str:
        message = shard.split_message(DEFAULT, key, VAULT, previous, split, self.head.top)
        self.write(message)
        return message


def test_superseded_splittings() -> None:
    old, new = deal(), deal("0f", 2)
    log, key = Log(), shard.shard_key(DEFAULT, MASTER, OWNER)
    log.split(shard.NO_SPLIT, "5e" * 32, key)
    log.split("5e" * 32, "0f" * 32, key)
    in_force = shard.walk(DEFAULT, key, VAULT, log.entries).in_force
    assert rebuild(new[:2], in_force) == (SECRET, [], [])
    with pytest.raises(shard.ShardError, match="SupersededSplit"):
        rebuild(old, in_force)
    assert shard.walk(DEFAULT, key, "0" * 64, log.entries) == shard.Splits()


def test_what_does_not_continue_is_ignored() -> None:
    one, two, three, none = "5e" * 32, "0f" * 32, "3c" * 32, shard.NO_SPLIT
    log, key = Log(), shard.shard_key(DEFAULT, MASTER, OWNER)
    first = log.split(none, one, key)
    log.split(one, two, key)
    log.write(first)  # a good message at another place
    log.split(one, three, shard.shard_key(DEFAULT, MASTER, OTHER))  # a tag by another key
    log.write(first.replace("::DUALSEAL", ":DUALSEAL"), OTHER)
    log.split(one, three, key)  # a second one that was prepared from the same
    log.split(two, one, key)  # a generation that stood before
    found = shard.walk(DEFAULT, key, VAULT, log.entries)
    assert (found.in_force, found.found) == (two, [(0, one), (1, two), (5, three), (6, one)])
    assert found.ignored == [(2, "tag"), (3, "tag"), (4, "form"), (5, "predecessor"), (6, "repeated")]
    public = shard.walk(DEFAULT, None, VAULT, log.entries)
    assert (public.in_force, public.found) == (None, [])
    assert {reason for _, reason in public.ignored} == {"unverified", "form"}
    log.split(two, none, key)
    log.split(none, three, key)
    for _ in range(1100):
        log.write(first)
    erased = shard.walk(DEFAULT, key, VAULT, log.entries)
    assert (erased.in_force, erased.erased, erased.found[-1]) == (None, 7, (8, three))
    assert (len(erased.ignored), erased.more) == (1000, 106)


@pytest.mark.parametrize(
    "changes",
    [
        {"indeks": 0}, {"indeks": 6}, {"m": 1}, {"m": 6}, {"n": 256}, {"vrijednost_hex": "0"}, {"seal": "SEAL-DUAL::0"},
        {"seal": None}, {"node_url": 1}, {"extra": 1}, {"vault_id": "A" * 64},
    ],
)  # fmt: skip
def test_malformed_shards(changes: dict[str, Any]) -> None:
    with pytest.raises(FormatError):
        shard.parse(deal()[0] | changes)
