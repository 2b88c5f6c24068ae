"""Vault records of the second implementation: known answers, every layer, policies, decryption and erasure."""

from __future__ import annotations

import copy
import hashlib
import hmac
from pathlib import Path
from typing import Any

import make_vault_answers
import pytest
from dualseal_second import krunica, primitives, shard, signature, stream, vault
from dualseal_second.domain import Domain
from dualseal_second.encodings import FormatError, canonical, parse
from dualseal_second.presence import public_key_of
from make_vault_answers import MASTER, ORIGIN, TIER_SEEDS

STORED = Path(__file__).parent.parent / "vectors" / "known_answers_vault.json"
ANSWERS = parse(STORED.read_bytes())


class Ledger:
    """One of the known ledgers, with the stored bytes made again."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.answer = answer
        self.domain = Domain.named(answer["domain"])
        self.ring = answer["ring"]
        self.records: list[dict[str, Any]] = []
        self.stored: list[bytes] = []
        head, prev = krunica.heads(answer["chain"])[1], vault.ZEROS
        for seq, made in enumerate(answer["records"]):
            data = make_vault_answers.payload(made["payload_length"])
            if made["type"] == vault.ERASURE:
                data = vault.erasure_payload(self.header(0)["vault_id"], answer["splits"])
            stored = data
            if made["secret_hex"]:
                secret, salt = bytes.fromhex(made["secret_hex"]), bytes.fromhex(made["salt_hex"])
                stored = stream.encrypt(self.domain, secret, answer["identity_id"], made["type"], salt, data)
            owner = vault.Owner(
                self.domain, MASTER, bytes.fromhex(answer["seed_hex"]), answer["identity_id"], made["tier"],
                TIER_SEEDS.get(made["tier"]),
            )  # fmt: skip
            place = vault.Place(answer["ledger"], seq, prev, head, made["created_at"], made["note"])
            tag = bytes.fromhex(made["tag_hex"])
            record, head = vault.make(
                owner, place, stored, made["type"], encrypted=bool(made["secret_hex"]), tag=tag
            )
            prev = record["sealed"]["layers"]["L0"]["hash"]
            self.records.append(record)
            self.stored.append(stored)

    def header(self, seq: int) -> dict[str, Any]:
        header: dict[str, Any] = self.records[seq]["sealed"]["header"]
        return header

    def located(self, seq: int) -> krunica.Located:
        """Of the ledger's own chain, which differs from the stored one in its hedged signatures, and has no splits."""
        entry = {name: value for name, value in self.records[seq]["L8"].items() if name != "seq"}
        return krunica.Located(ORIGIN, self.records[seq]["L8"]["seq"], entry)

    def keys(self) -> dict[tuple[str, str], set[str]]:
        return {(self.answer["identity_id"], tier): {public_key_of(seed)} for tier, seed in TIER_SEEDS.items()}

    def operator(self) -> vault.Policy:
        return vault.Policy(MASTER, self.keys())

    def judge(self, seq: int, record: dict[str, Any] | None = None) -> vault.Report:
        previous = self.records[seq - 1] if seq else None
        return vault.verify(
            self.domain, record or self.records[seq], self.stored[seq], self.ring, self.operator(),
            located=self.located(seq), previous=previous,
        )  # fmt: skip


@pytest.fixture(scope="module", params=range(len(ANSWERS["ledgers"])))
def ledger(request: pytest.FixtureRequest) -> Ledger:
    return Ledger(ANSWERS["ledgers"][request.param])


def test_the_stored_file_is_the_scripts_output() -> None:
    assert STORED.read_text(encoding="utf-8") == make_vault_answers.text()


def test_formulas_written_out() -> None:
    for answer in ANSWERS["ledgers"]:
        name, identity = answer["domain"], answer["identity_id"]
        record = answer["records"][0]["record"]
        header, layers = record["sealed"]["header"], record["sealed"]["layers"]
        keys = {purpose: bytes.fromhex(key) for purpose, key in answer["schedule"]["keys_hex"].items()}
        assert header["key_id"] == answer["schedule"]["key_id"] and len(header["key_id"]) == 32
        mac = hmac.new(keys["L2"], f"{layers['L2']['tag']}::{layers['L0']['hash']}".encode(), "sha256")
        assert mac.hexdigest() == layers["L2"]["hmac"]
        text = f"{name}-VAULT::L7::{answer['ledger']}::{header['vault_id']}::{name}"
        fragment = hmac.new(keys["L7"], text.encode(), hashlib.sha3_256).digest()
        assert fragment.hex() == record["L7"]["fragment"]
        assert hashlib.sha3_256(fragment).hexdigest() == layers["L7"]["digest"]
        payload = f"{name}-VAULT::L5::".encode() + canonical(record["sealed"])
        seal = record["L5"].split("::")
        assert hmac.new(keys["L5A"], payload.hex().encode(), hashlib.sha3_512).hexdigest() == seal[1]
        key = bytes.fromhex(answer["ring"]["keys"][0]["javni_kljuc"])
        statement = f"{payload.hex()}::{seal[1]}::{identity}::{name}".encode()
        assert primitives.verifies(key, bytes.fromhex(seal[2]), statement)
        sealed = hashlib.sha3_256(record["L5"].encode()).hexdigest()
        said = f"{name}-VAULT::L8::{answer['ledger']}::0::{sealed}"
        tag = hmac.new(keys["L8"], f"{said}::{record['L8']['prev']}::{name}".encode(), hashlib.sha3_512).hexdigest()
        assert record["L8"]["poruka"] == f"{said}::{tag[:64]}::{name}"
        assert record["L6"] == hashlib.sha3_256(record["L8"]["h"].encode()).hexdigest() == record["krunica_hash"]
        assert layers["L0"]["prev"] == "0" * 64 and record["seal_id"] == f"SEAL-DUAL::{sealed}"


def test_every_record_is_valid(ledger: Ledger) -> None:
    for seq, record in enumerate(ledger.records):
        report = ledger.judge(seq)
        assert (report.verdict, report.state) == ("valid", "istina"), report
        public = ledger.answer["records"][seq]["tier"] == "public"
        assert report.outcomes["L4"] == ("not_required" if public else "pass")
        bare = vault.verify(ledger.domain, vault.redacted(record), ledger.stored[seq], ledger.ring, vault.Policy())
        assert bare.verdict == "valid" and bare.outcomes["L8"] == "not_checked(not located)", bare


def test_decryption(ledger: Ledger) -> None:
    for made, stored in zip(ledger.answer["records"], ledger.stored):
        if not made["secret_hex"]:
            continue
        secret, identity = bytes.fromhex(made["secret_hex"]), ledger.answer["identity_id"]
        opened = stream.decrypt(ledger.domain, secret, identity, made["type"], stored)
        assert hashlib.sha3_256(opened).hexdigest() == made["payload_sha3_256"]
        for other_secret, kind in ((bytes(31) + b"\1", made["type"]), (secret, "OTHER")):
            with pytest.raises(FormatError):
                stream.decrypt(ledger.domain, other_secret, identity, kind, stored)


def change(record: dict[str, Any], path: str, value: object = None) -> dict[str, Any]:
    """A copy with the first digit of a text changed, or with another value."""
    altered = copy.deepcopy(record)
    *above, name = path.split(".")
    at = altered
    for step in above:
        at = at[step]
    if value is None:
        value = f"{(int(at[name][0], 16) + 1) % 16:x}{at[name][1:]}"
    at[name] = value
    return altered


@pytest.mark.parametrize(
    ("path", "value", "first"),
    [
        ("sealed.layers.L0.hash", None, "L0"),
        ("sealed.layers.L0.prev", None, "L0"),
        ("sealed.layers.L1.text", "x", "L5"),
        ("sealed.layers.L2.hmac", None, "L2"),
        ("sealed.layers.L2.tag", None, "L2"),
        ("sealed.layers.L3.baseline", None, "L3"),
        ("sealed.layers.L4.public_key", None, "L4"),
        ("sealed.layers.L4.signature", None, "L4"),
        ("sealed.layers.L7.digest", None, "L5"),
        ("sealed.header.key_id", None, "L2"),
        ("sealed.header.ledger", None, "L0"),
        ("sealed.header.length", 7, "L3"),
        ("sealed.header.seq", 7, "L0"),
        ("sealed.header.type", "X", "L3"),
        ("sealed.header.created_at", "2026-11-21T09:59:00.000Z", "L5"),
        ("L6", None, "L6"),
        ("krunica_hash", None, "L6"),
        ("L7.fragment", None, "L7"),
        ("L8.h", None, "L6"),
        ("L8.prev", None, "L8"),
        ("L8.poruka", "x", "L8"),
        ("L8.t", "2026-11-21T09:59:00.000Z", "L8"),
        ("L8.seq", 7, "L8"),
    ],
)
def test_the_first_layer_at_fault(ledger: Ledger, path: str, value: object, first: str) -> None:
    report = ledger.judge(2, change(ledger.records[2], path, value))
    assert (report.verdict, report.reason) == ("invalid", first), report


def test_what_fails_is_named_before_what_was_not_checked(ledger: Ledger) -> None:
    """Without a place L6 is not checked, and without a table of keys L4 is not."""
    policy = vault.Policy(MASTER)
    for paths, first in (
        ((), "L4"),
        (("L8.prev",), "L8"),
        (("L7.fragment",), "L7"),
        (("L8.prev", "L7.fragment"), "L7"),
        (("L6",), "L6"),
    ):
        record = ledger.records[2]
        for path in paths:
            record = change(record, path)
        report = vault.verify(ledger.domain, record, ledger.stored[2], ledger.ring, policy)
        assert report.outcomes["L4"] == "not_checked(no keys given)"
        assert (report.verdict, report.reason) == ("invalid", first), report


def test_states_decide_first(ledger: Ledger) -> None:
    broken = change(ledger.records[2], "sealed.layers.L3.baseline")
    for state, good, bad in (
        ("istina", "valid", "invalid"),
        ("laz", "revoked", "revoked"),
        ("oboje", "decoy", "invalid"),
        ("nijedno", "suspended", "suspended"),
    ):
        ring = copy.deepcopy(ledger.ring)
        ring["keys"][0]["bela_stanje"] = state
        for record, expected in ((ledger.records[2], good), (broken, bad)):
            args = (ledger.domain, record, ledger.stored[2], ring, ledger.operator())
            report = vault.verify(*args, located=ledger.located(2), previous=ledger.records[1])
            assert (report.verdict, report.state) == (expected, state)


def test_a_retired_key_needs_its_place(ledger: Ledger) -> None:
    for retired, located, expected in ((9, True, "valid"), (9, False, "invalid"), (1, True, "invalid")):
        ring = copy.deepcopy(ledger.ring)
        ring["keys"][0] |= {"role": "retired", "retired": retired}
        place = ledger.located(0) if located else None
        policy = vault.Policy(keys=ledger.keys())
        report = vault.verify(ledger.domain, ledger.records[0], ledger.stored[0], ring, policy, located=place)
        assert report.verdict == expected, report


def test_tiers(ledger: Ledger) -> None:
    for least, expected in (("public", "valid"), ("noble", "valid"), ("native", "invalid")):
        policy = vault.Policy(keys=ledger.keys(), least=least)
        report = vault.verify(ledger.domain, ledger.records[2], ledger.stored[2], ledger.ring, policy)
        assert report.verdict == expected
    with pytest.raises(FormatError):
        vault.Policy(least="noble")
    held = {(ledger.answer["identity_id"], "native"): {public_key_of(TIER_SEEDS["noble"])}}
    policy = vault.Policy(keys=held)
    report = vault.verify(ledger.domain, ledger.records[2], ledger.stored[2], ledger.ring, policy)
    assert report.outcomes["L4"] == "fail(key)"


def test_the_fragment_is_a_trap(ledger: Ledger) -> None:
    seed = bytes.fromhex(ledger.records[0]["L7"]["fragment"])
    identity = ledger.answer["identity_id"]
    record, _, _ = signature.make(ledger.domain, seed, identity, b"x", "2026-11-21T10:00:00.000Z", krunica.Head())
    assert signature.verify(ledger.domain, record["identity_id"], b"x", record, ledger.ring)[0] == "decoy"


def checked(
    ledger: Ledger, order: list[int], ring: dict[str, Any] | None = None, size: int = 6,
    *, altered: dict[str, Any] | None = None, policy: vault.Policy | None = None,
) -> None:  # fmt: skip
    """The records in this order, the third as it is given, against the ledger's own chain under a checkpoint of this
    size; none with size 0."""
    chain = [ledger.answer["chain"][0], *(ledger.located(seq).entry for seq in range(5))]
    head = krunica.heads(chain)[size]
    checkpoint = head.stated() | {"origin": ORIGIN}
    name = ledger.answer["ledger"]
    kept = [(altered if altered and seq == 2 else ledger.records[seq], ledger.stored[seq]) for seq in order]
    places = vault.vouched(ledger.domain, name, chain, checkpoint, MASTER) if size else vault.NO_PLACES
    vault.check_ledger(ledger.domain, name, kept, ring or ledger.ring, policy or ledger.operator(), places)


@pytest.mark.parametrize(
    ("path", "value", "layer"),
    [
        ("sealed.header.seq", 1, "L3"),
        ("sealed.header.seq", 3, "L3"),
        ("sealed.header.seq", 0, "L0"),
        ("sealed.header.ledger", None, "L4"),
        ("sealed.layers.L0.prev", None, "L0"),
        ("sealed.layers.L3.baseline", None, "L3"),
        ("L6", None, "L6"),
    ],
)
def test_a_ledger_names_the_layer_before_the_place(ledger: Ledger, path: str, value: object, layer: str) -> None:
    with pytest.raises(vault.LedgerError) as raised:
        checked(ledger, [0, 1, 2, 3, 4], altered=change(ledger.records[2], path, value))
    assert (raised.value.seq, raised.value.fault) == (2, layer)


def test_what_was_not_checked_is_a_fault_in_every_state(ledger: Ledger) -> None:
    for state in ("istina", "laz", "oboje", "nijedno"):
        ring = copy.deepcopy(ledger.ring)
        ring["keys"][0]["bela_stanje"] = state
        for policy, size, fault in ((vault.Policy(MASTER), 6, "L4"), (ledger.operator(), 0, "L6")):
            with pytest.raises(vault.LedgerError) as raised:
                checked(ledger, [0, 1, 2, 3, 4], ring, size, policy=policy)
            assert (raised.value.seq, raised.value.fault) == (0, fault)
        checked(ledger, [0, 1, 2, 3, 4], ring)


def test_a_ledger_begins_at_its_first_record_and_in_its_own_log(ledger: Ledger) -> None:
    public = vault.Policy(keys=ledger.keys())
    checked(ledger, [0, 1, 2, 3, 4], size=0, policy=public)
    foreign = ledger.ring | {"origin": "other.example/krunica"}
    for order, ring, size, fault in (([1, 2, 3, 4], ledger.ring, 0, "L0"), ([0, 1, 2, 3, 4], foreign, 6, "L6")):
        with pytest.raises(vault.LedgerError) as raised:
            checked(ledger, order, ring, size, policy=public)
        assert (raised.value.seq, raised.value.fault) == (0, fault)


@pytest.mark.parametrize(
    ("order", "at", "fault"),
    [
        ([0, 1, 2, 3], 4, "truncated"),
        ([], 0, "truncated"),
        ([1, 2, 3, 4], 0, "truncated"),
        ([0, 1, 3, 4], 2, "truncated"),
        ([0, 1, 1, 2, 3, 4], 2, "fork"),
        ([0, 1, 2, 0], 3, "fork"),
    ],
)
def test_a_ledger_with_records_missing_or_twice(ledger: Ledger, order: list[int], at: int, fault: str) -> None:
    checked(ledger, [0, 1, 2, 3, 4])
    with pytest.raises(vault.LedgerError) as raised:
        checked(ledger, order)
    assert (raised.value.seq, raised.value.fault) == (at, fault)


def test_a_ledger_needs_its_decoys_and_its_chain(ledger: Ledger) -> None:
    without = ledger.ring | {"keys": ledger.ring["keys"][:1]}
    for ring, size, at, fault in ((without, 6, 0, "no decoy"), (ledger.ring, 5, 4, "L6")):
        with pytest.raises(vault.LedgerError) as raised:
            checked(ledger, [0, 1, 2, 3, 4], ring, size)
        assert (raised.value.seq, raised.value.fault) == (at, fault)


def test_erasure(ledger: Ledger) -> None:
    record, report = ledger.records[4], ledger.judge(4)
    erased, splits = vault.read_erasure(record, report, ledger.stored[4])
    assert splits == sorted(ledger.answer["splits"])
    key = vault.derived(ledger.domain, MASTER, "SHARD", ledger.answer["identity_id"])
    # Of the two the first was committed, and nothing continues the erasure, whose record stands at 6.
    of_chain = shard.walk(ledger.domain, key, erased, ledger.answer["chain"])
    assert (of_chain.found, of_chain.in_force, of_chain.erased) == ([(5, ledger.answer["splits"][0])], None, 7)
    assert of_chain.ignored == []
    assert vault.covers(record, erased, ledger.records[0])
    assert not any(vault.covers(record, erased, other) for other in ledger.records[1:])
    elsewhere = change(ledger.records[0], "sealed.header.ledger")
    assert not vault.covers(record, erased, elsewhere)
    with pytest.raises(FormatError):
        vault.read_erasure(record, ledger.judge(4, change(record, "L6")), ledger.stored[4])
    with pytest.raises(FormatError):
        vault.read_erasure(ledger.records[1], ledger.judge(1), ledger.stored[1])
    public = vault.verify(ledger.domain, record, ledger.stored[4], ledger.ring, vault.Policy(None, ledger.keys()))
    assert public.verdict == "valid"
    with pytest.raises(FormatError, match="not located"):
        vault.read_erasure(record, public, ledger.stored[4])


def test_what_has_not_the_form(ledger: Ledger) -> None:
    record = ledger.records[0]
    layers = ["L0", "L2", "L3", "L4", "L5", "L6", "L7", "L8"]
    for path, value in (
        ("sealed.required", layers[:7]),
        ("sealed.required", layers[::-1]),
        ("sealed.required", [*layers, "L9"]),
        ("sealed.layers.L4.tier", "royal"),
        ("sealed.layers.L4.tier", "public"),
        ("sealed.header.verzija", "2"),
        ("sealed.header.encryption", "AES"),
        ("sealed.header.type", "a::b"),
        ("L5", "SEAL-L5::" + "0" * 128),
        ("L7", {}),
        ("L8.seq", -1),
    ):
        with pytest.raises(FormatError):
            vault.parse_record(change(record, path, value))
