"""Prints files of evidence, one a line, for what puts their parts together otherwise; tests/vectors/evidence_files.tsv
is its output.

    python make_evidence_files.py > ../vectors/evidence_files.tsv

Every kind of record, two records of one document by two signers, both of them after one key was revoked, and one of
the same document by the same key in another log.
"""

from __future__ import annotations

from evidence_log import WITNESSES, Kept, Log, drawn, of_every_kind, witness_keys
from make_known_answers import deterministic

from dualseal_second import evidence, primitives

SEEN = dict(zip(WITNESSES, (100, 101, 102)))
COLUMNS = ("vrsta", "log", "identity_id", "key_hash", "size", "document_hex", "evidence")


def row(log: Log, kept: Kept) -> tuple[str, ...]:
    public_key = primitives.public_key_of_seed(kept.seed)
    identity_id = next(key["identity_id"] for key in log.keys if key["javni_kljuc"] == public_key.hex())
    told = (kept.kind, log.fingerprint(), identity_id, primitives.h3(public_key), str(log.head.size))
    return (*told, kept.document.hex(), evidence.write(log.show(kept, SEEN)).decode())


def rows() -> list[tuple[str, ...]]:
    log = Log(sign=deterministic)
    kept = of_every_kind(log)
    first, seed = kept["potpis"], drawn("seed of a second signer")
    log.add("second signer", seed)
    second = log.signed("second signer", seed, first.document)
    made = [row(log, each) for each in (*kept.values(), second)]
    log.set_state(first.seed, "laz")
    made += [row(log, first), row(log, second)]
    other = Log(sign=deterministic, log_seed=drawn("another log"))
    other.add("signer potpis", first.seed)
    return [*made, row(other, other.signed("signer potpis", first.seed, first.document))]


def text() -> str:
    witnesses = [("svjedok", key.text()) for key in witness_keys()]
    return "".join("\t".join(cells) + "\n" for cells in (COLUMNS, *witnesses, *rows()))


if __name__ == "__main__":
    print(text(), end="")
