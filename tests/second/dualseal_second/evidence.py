"""Evidence in one file (FORMAT.md section 18): made, verified, and two of them compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import as_of, krunica, note, place, seal, signature, threshold, vault
from . import key_proof as proofs
from . import ring as rings
from .domain import Domain
from .encodings import FormatError, Refused, canonical, hex_text, members, parse, utf8
from .primitives import PUBLIC_KEY_SIZE, h3

KINDS = ("potpis", "pecat", "trezor", "kvorum", "brisanje")
MEMBERS = {
    "checkpoint", "domena", "entry", "javni_kljuc", "key", "note", "path", "record", "ring", "verzija", "vrsta",
}  # fmt: skip
PLACE = {"entry", "path"}
NOT_SHOWN = {"brisanje": "completeness of splits not shown", "kvorum": "session in force not shown"}
Check = Callable[[Domain, dict[str, Any], bytes, dict[str, Any], krunica.Located], "str | None"]


@dataclass(frozen=True)
class Policy:
    """What the verifier knows and asks for. `signer` is an identity_id or a key fingerprint; None is anybody."""

    fingerprint: str
    domain: Domain | None = None
    signer: str | None = None
    least_size: int = 0
    witnesses: tuple[note.Key, ...] = ()
    needed: int = 0
    after: str | None = None
    log_until: int | None = None


def read(data: bytes) -> dict[str, Any]:
    return parse_file(parse(data))


def parse_file(value: object) -> dict[str, Any]:
    file = members(value, MEMBERS, "evidence")
    if file["verzija"] != "1" or file["vrsta"] not in KINDS:
        raise FormatError("evidence: verzija or vrsta")
    krunica.parse_checkpoint(file["checkpoint"])
    proofs.parse(file["key"])
    shown = [file] if file["ring"] is None else [file, members(file["ring"], PLACE, "ring")]
    for found in shown:
        krunica.parse_alone(found["entry"], "entry")
        place.parse_path(found["path"])
    if (file["ring"] is None) != (file["checkpoint"]["ring"] is None):
        raise FormatError("evidence: ring is null exactly where the checkpoint's is")
    if (file["javni_kljuc"] is not None) != (file["vrsta"] in ("trezor", "brisanje")):
        raise FormatError("evidence: javni_kljuc is for a record that has none")
    if file["javni_kljuc"] is not None:
        hex_text(file["javni_kljuc"], 2 * PUBLIC_KEY_SIZE, "javni_kljuc")
    if file["note"] is not None:
        note.parse(utf8(file["note"], "note"))
    if file["domena"] is not None:
        utf8(file["domena"], "domena")
    parse_record(file["vrsta"], file["record"])
    return file


def parse_record(kind: str, record: object) -> None:
    if kind == "potpis":
        signature.parse_record(record)
        return
    if kind in ("trezor", "brisanje"):
        parsed = vault.parse_record(record)
        if parsed["L7"]["fragment"] is not None:
            raise FormatError("evidence: a fragment, which never leaves the store")
        if (parsed["sealed"]["header"]["type"] == vault.ERASURE) != (kind == "brisanje"):
            raise FormatError("evidence: vrsta")
        return
    names = {"seal"} if kind == "pecat" else {"result", "session_id"}
    fields = members(record, names | {"identity_id", "javni_kljuc"}, "record")
    hex_text(fields["identity_id"], 64, "identity_id")
    hex_text(fields["javni_kljuc"], 2 * PUBLIC_KEY_SIZE, "javni_kljuc")
    if kind == "pecat":
        seal.parse(utf8(fields["seal"], "seal"))
        return
    hex_text(fields["session_id"], 64, "session_id")
    result = threshold.parse_result(fields["result"])
    if (result["algoritam"], result["ok"]) != (threshold.MLDSA, True):
        raise FormatError("evidence: a result that convinces members alone, or none")


def make(
    kind: str, record: dict[str, Any], at: dict[str, Any], ring_at: dict[str, Any] | None, key: dict[str, Any],
    *, domena: str | None, public_key: str | None = None, seen: note.Note | None = None,
) -> dict[str, Any]:  # fmt: skip
    """From the places of the record's entry and of the ring's, which are proved under one checkpoint."""
    return parse_file(at | {
        "domena": domena,
        "javni_kljuc": public_key,
        "key": key,
        "note": None if seen is None else seen.text(),
        "record": record,
        "ring": None if ring_at is None else {name: ring_at[name] for name in sorted(PLACE)},
        "verzija": "1",
        "vrsta": kind,
    })  # fmt: skip


def write(file: dict[str, Any]) -> bytes:
    return canonical(file)


def signer_of(file: dict[str, Any]) -> tuple[str, str]:
    """identity_id and public key of whoever made the record."""
    record = file["record"]
    if file["vrsta"] in ("trezor", "brisanje"):
        return record["sealed"]["header"]["identity_id"], file["javni_kljuc"]
    return record["identity_id"], record["javni_kljuc"]


def domain_of(file: dict[str, Any], policy: Policy) -> Domain:
    given = policy.domain
    domain = given if file["domena"] is None else Domain.named(file["domena"])
    if domain is None:
        raise FormatError("domena: null, and the verifier has no domain")
    if given is not None and given.rows != domain.rows:
        raise FormatError("domena: not the verifier's domain")
    return domain


def verify(value: object, document: bytes, policy: Policy) -> dict[str, Any]:
    """Whose record it is, what is known of the key and since when; and who saw the log, and before which time."""
    file = parse_file(value)
    domain, checkpoint = domain_of(file, policy), file["checkpoint"]
    public_key = bytes.fromhex(checkpoint["javni_kljuc"])
    told = place.log_fingerprint(domain, checkpoint["origin"], checkpoint["identity_id"], public_key)
    if told != policy.fingerprint:
        raise Refused("evidence-log")
    if checkpoint["size"] < policy.least_size:
        raise Refused("evidence-old")
    if not krunica.is_signed(domain, checkpoint):
        raise Refused("evidence-checkpoint")
    if policy.log_until is not None and checkpoint["size"] > policy.log_until:
        raise Refused("evidence-late")
    signed = check_note(file, checkpoint)
    located = place.located(checkpoint, file["entry"], file["path"])
    check_ring(domain, file["ring"], checkpoint)
    leaf = check_key(file, policy)
    vault_id = check_record(domain, file, document, leaf, located)
    moment, seen = note.witnessed(signed, list(policy.witnesses), policy.needed, policy.after)
    return {
        "as_of": as_of.dates(leaf, checkpoint["size"], located, None) | {"result": result_of(file, leaf)},
        "before": moment,
        "identity_id": leaf["identity_id"],
        "key": leaf["javni_kljuc"],
        "log": told,
        "not_shown": NOT_SHOWN.get(file["vrsta"]),
        "origin": checkpoint["origin"],
        "since": leaf["povijest"][-1][0],
        "state": leaf["bela_stanje"],
        "vault_id": vault_id,
        "vrsta": file["vrsta"],
        "witnesses": [{"key": key.hex(), "time": note.at_second(seen[key])} for key in sorted(seen)],
    }


def result_of(file: dict[str, Any], leaf: dict[str, Any]) -> dict[str, Any]:
    """The verification result of a record that holds: what its key's state makes of it."""
    record, kind, state = file["record"], file["vrsta"], leaf["bela_stanje"]
    if kind == "potpis":
        time = record["timestamp"]
    elif kind == "pecat":
        time = None
    else:
        time = record["result"]["ts"] if kind == "kvorum" else record["sealed"]["header"]["created_at"]
    about = {
        "algoritam": threshold.MLDSA if kind == "kvorum" else "ML-DSA-65",
        "identity_id": leaf["identity_id"],
        "timestamp": time,
    }
    verdict = {"istina": "valid", "laz": "revoked", "nijedno": "suspended"}[state]
    return about | signature.shown(verdict, state, None, public=False)


def check_note(file: dict[str, Any], checkpoint: dict[str, Any]) -> note.Note | None:
    if file["note"] is None:
        return None
    signed = note.parse(file["note"])
    said = (signed.origin, signed.size, signed.root)
    if checkpoint["nota"] is None or said != tuple(checkpoint[name] for name in ("origin", "size", "root")):
        raise Refused("evidence-note")
    note.check_signed(signed, bytes.fromhex(checkpoint["nota"]))
    return signed


def check_ring(domain: Domain, shown: dict[str, Any] | None, checkpoint: dict[str, Any]) -> None:
    stated = checkpoint["ring"]
    if shown is None or stated is None:
        if shown != stated:
            raise Refused("evidence-ring")
        return
    try:
        located = place.located(checkpoint, shown["entry"], shown["path"])
    except Refused:
        raise Refused("evidence-ring-place") from None
    change = rings.parse_change(domain, located.entry["poruka"])
    if change is None or (change[0], change[2]) != (stated["revision"], stated["root"]):
        raise Refused("evidence-ring")


def check_key(file: dict[str, Any], policy: Policy) -> dict[str, Any]:
    leaf = proofs.verify(file["checkpoint"], file["key"])
    identity_id, public_key = signer_of(file)
    if (leaf["identity_id"], leaf["javni_kljuc"]) != (identity_id, h3(bytes.fromhex(public_key))):
        raise Refused("key-other")
    if proofs.last(leaf) > file["ring"]["entry"]["seq"]:
        raise Refused("evidence-ring")
    if policy.signer not in (None, leaf["identity_id"], leaf["javni_kljuc"]):
        raise Refused("evidence-signer")
    return leaf


def check_record(
    domain: Domain, file: dict[str, Any], document: bytes, leaf: dict[str, Any], located: krunica.Located
) -> str | None:
    """By that key at that place; of an erasure the vault that it names."""
    key = leaf | {"bela_stanje": "istina", "javni_kljuc": signer_of(file)[1]}
    one = {"keys": [key], "origin": located.origin}
    checks: dict[str, Check] = {"potpis": signed, "pecat": sealed, "kvorum": by_quorum}
    reason = checks.get(file["vrsta"], stored)(domain, file["record"], document, one, located)
    if reason is not None:
        raise Refused("evidence-record", reason)
    return erased(domain, file, document, one, located) if file["vrsta"] == "brisanje" else None


def signed(
    domain: Domain, record: dict[str, Any], document: bytes, ring: dict[str, Any], located: krunica.Located
) -> str | None:
    return signature.failed_check(domain, document, record, ring, ring["keys"][0], located)


def sealed(
    domain: Domain, record: dict[str, Any], document: bytes, ring: dict[str, Any], located: krunica.Located
) -> str | None:
    said = seal.parse(record["seal"])
    report = seal.verify(domain, said, document, record["identity_id"], ring, "LayerB", bytes(32), located=located)
    return report.outcome[1]


def by_quorum(
    domain: Domain, record: dict[str, Any], document: bytes, ring: dict[str, Any], located: krunica.Located
) -> str | None:
    result, key = record["result"], ring["keys"][0]
    session = {"algoritam": threshold.MLDSA, "javni_kljuc": key["javni_kljuc"], "session_id": record["session_id"]}
    if not threshold.verify_public(domain, session, document, result, bytes.fromhex(key["javni_kljuc"])):
        return "signature"
    here = threshold.counts(domain, located, session, document, result)
    if key["role"] == "retired":
        return None if here and located.seq < key["retired"] else "retired key"
    return None if here else "located"


def report_of(
    domain: Domain, record: dict[str, Any], document: bytes, ring: dict[str, Any], located: krunica.Located
) -> vault.Report:
    return vault.verify(domain, record, document, ring, vault.Policy(), located=located)


def stored(
    domain: Domain, record: dict[str, Any], document: bytes, ring: dict[str, Any], located: krunica.Located
) -> str | None:
    return report_of(domain, record, document, ring, located).reason


def erased(
    domain: Domain, file: dict[str, Any], document: bytes, ring: dict[str, Any], located: krunica.Located
) -> str:
    report = report_of(domain, file["record"], document, ring, located)
    return vault.read_erasure(file["record"], report, document)[0]


def log_of(file: dict[str, Any]) -> tuple[str, str, str]:
    checkpoint = file["checkpoint"]
    return checkpoint["origin"], checkpoint["identity_id"], checkpoint["javni_kljuc"]


def compare(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Two verified files of one log and key, in any order: whether the log's signer takes back what it said."""
    if log_of(one) != log_of(other):
        raise Refused("evidence-log")
    if one["key"]["leaf"]["javni_kljuc"] != other["key"]["leaf"]["javni_kljuc"]:
        raise Refused("key-other")
    if krunica.is_fork(one["checkpoint"], other["checkpoint"]):
        raise Refused("evidence-retold")
    earlier, later = sorted((one, other), key=lambda file: int(file["checkpoint"]["size"]))
    size, said, now = earlier["checkpoint"]["size"], earlier["key"]["leaf"], later["key"]["leaf"]
    known, more = now["povijest"][: len(said["povijest"])], now["povijest"][len(said["povijest"]) :]
    was, since = said["opozvan_od"], now["opozvan_od"]
    retired = said["retired"] != now["retired"] and (said["retired"] is not None or now["retired"] < size)
    dated = was is not None and (since is None or since > was)
    if known != said["povijest"] or any(seq < size for seq, _ in more) or retired or dated:
        raise Refused("evidence-retold")
