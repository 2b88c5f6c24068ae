"""Recomputes, without the library, every hash and signature that the quickstart example wrote.

    python verify_quickstart.py DIR FILE

DIR is what the example was given as --out, FILE is the file that it signed. Prints each check; stops at the first
difference with one line and exit status 1 (2 when it cannot read its input).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dualseal_second import ids, krunica, primitives, ring, seal, signature
from dualseal_second.domain import Domain
from dualseal_second.encodings import FormatError, hex_text, members, parse, timestamp

IDENTITY = {"content", "creator", "context", "domain", "identity_id"}
KEY_PAIR = {"identity_id", "javni_kljuc", "algoritam", "bela_stanje", "generirano"}


class Difference(Exception):
    """A recomputed value is not the one that was written."""


def require(condition: bool, what: str) -> None:
    if not condition:
        raise Difference(what)


class Quickstart:
    """What the example wrote, read strictly."""

    def __init__(self, directory: Path, content: bytes) -> None:
        self.content = content
        self.public = {path.name: path.read_bytes() for path in sorted((directory / "public").iterdir())}
        self.operator = {path.name: path.read_bytes() for path in sorted((directory / "operator").iterdir())}
        self.identity = members(self.read("public", "identity.json"), IDENTITY, "identity.json")
        self.domain = Domain.named(self.identity["domain"])
        self.identity_id = hex_text(self.identity["identity_id"], 64, "identity_id")
        self.record = signature.parse_record(self.read("public", "record.json"))
        self.chain: list[Any] = krunica.parse_export(self.file("public", "chain.json"))
        self.public_ring = ring.parse_public(self.read("public", "ring.json"))
        self.ring = ring.parse_ring(self.read("operator", "ring.json"))
        self.ring_key = self.secret("ring-key.hex")
        self.seed = self.secret("seed.hex")

    def file(self, part: str, name: str) -> bytes:
        files = self.public if part == "public" else self.operator
        require(name in files, f"{part}/{name} is missing")
        return files[name]

    def read(self, part: str, name: str) -> Any:
        try:
            return parse(self.file(part, name))
        except FormatError as error:
            raise FormatError(f"{part}/{name}: {error}") from None

    def secret(self, name: str) -> bytes:
        return bytes.fromhex(hex_text(self.file("operator", name).decode("ascii").rstrip("\n"), 64, name))

    def checks(self) -> Iterator[str]:
        """Yields a line for each check that held."""
        yield from self.identity_checks()
        yield from self.chain_checks()
        yield from self.ring_checks()
        yield from self.record_checks()
        yield from self.checkpoint_checks()
        yield from self.result_checks()
        yield from self.disclosure_checks()

    def identity_checks(self) -> Iterator[str]:
        text = self.identity
        recomputed = ids.identity_id(self.domain, text["content"].encode(), text["creator"], text["context"])
        require(recomputed == self.identity_id, f"identity.json: identity_id is {recomputed} when recomputed")
        yield f"identity_id {recomputed} recomputed in domain {text['domain']}"

    def chain_checks(self) -> Iterator[str]:
        head = krunica.heads(self.chain)[-1]
        require(head.size > 0, "chain.json: no entries")
        yield f"chain: h of {head.size} entries recomputed, each prev is the h before; top {head.top[:16]}..."

    def ring_checks(self) -> Iterator[str]:
        changes = [ring.parse_change(self.domain, entry["poruka"]) for entry in self.chain]
        require(changes[0] is not None, "chain.json: entry 0 is not a ring entry")
        for entry, change in zip(self.chain, changes):
            if change is None and not self.is_own_message(entry["poruka"]):
                require(not self.domain.reserves(entry["poruka"]), "chain.json: a reserved message of no known form")
        revisions = [change[0] for change in changes if change]
        require(revisions == list(range(1, len(revisions) + 1)), "chain.json: ring revisions are not 1, 2, 3...")
        yield f"chain: {len(revisions)} ring entries with revisions 1 to {len(revisions)}"
        ring.check(self.domain, self.ring, self.ring_key, self.chain)
        yield "operator ring: revision and keyed tags recomputed from the ring key"
        for key in self.ring["keys"]:
            if key["role"] == "retired":
                self.check_rotation(key, changes)
                yield f"operator ring: entry {key['retired']} of the chain is the rotation that retired a key"
        shown = ring.public(self.domain, self.ring_key, self.ring)
        require(self.public_ring == shown, "public/ring.json is not the operator ring's public form")
        yield "public ring: the operator's without decoys, oboje shown as istina"
        self.check_key_pair()
        yield "keypair.json: a key of the identity in the public ring, and the operator's seed gives it"

    def is_own_message(self, poruka: str) -> bool:
        return signature.is_chain_message(self.domain, poruka) or seal.is_chain_message(self.domain, poruka)

    def check_rotation(self, key: dict[str, Any], changes: list[tuple[int, str] | None]) -> None:
        seq = key["retired"]
        require(seq < len(changes), f"operator/ring.json: a key retired at {seq}, beyond the chain")
        is_rotation = changes[seq] is not None and self.chain[seq]["w3"] == key["identity_id"]
        require(is_rotation, f"operator/ring.json: entry {seq} is no ring entry of the key's identity")
        later = [k for k in ring.of_identity(self.ring, key["identity_id"]) if k["role"] != "decoy"]
        born = any(k["generirano"] == self.chain[seq]["t"] for k in later if k is not key)
        require(born, f"operator/ring.json: no key was generated at the time of the rotation at {seq}")

    def check_key_pair(self) -> None:
        info = members(self.read("public", "keypair.json"), KEY_PAIR, "keypair.json")
        require(info["identity_id"] == self.identity_id, "keypair.json: another identity_id")
        hex_text(info["javni_kljuc"], 2 * primitives.PUBLIC_KEY_SIZE, "keypair.json: javni_kljuc")
        timestamp(info["generirano"], "keypair.json: generirano")
        key = ring.find(self.public_ring, self.identity_id, info["javni_kljuc"])
        require(key is not None, "keypair.json: javni_kljuc is not a key of the identity in the public ring")
        assert key is not None
        for name in ("algoritam", "generirano"):
            require(info[name] == key[name], f"keypair.json: {name} differs from the ring's")
        seeded = primitives.public_key_of_seed(self.seed).hex()
        require(info["javni_kljuc"] == seeded, "operator/seed.hex: not the seed of the key in keypair.json")
        # The key may have been retired or given another state since; what it is now, the ring says.
        require(info["bela_stanje"] in ring.STATES, "keypair.json: bela_stanje")

    def record_checks(self) -> Iterator[str]:
        record = self.record
        require(record["identity_id"] == self.identity_id, "record.json: another identity_id")
        recomputed = ids.content_hash(self.domain, self.identity_id, self.content)
        require(record["sadrzaj_hash"] == recomputed, f"record.json: sadrzaj_hash of the file is {recomputed}")
        yield f"record: sadrzaj_hash {recomputed} recomputed from the file"
        message = signature.chain_message(
            self.domain, record["sadrzaj_hash"], bytes.fromhex(record["javni_kljuc"])
        )
        places = [
            seq
            for seq, entry in enumerate(self.chain)
            if (entry["w3"], entry["poruka"], entry["t"]) == (self.identity_id, message, record["timestamp"])
            and krunica.krunica_hash(entry["h"]) == record["krunica_hash"]
        ]
        require(bool(places), "record.json: no entry of the chain has its identity, hash, time and krunica_hash")
        yield f"record: krunica_hash is that of entry {places[0]}, with the record's identity, content hash and time"
        key = ring.find(self.public_ring, self.identity_id, record["javni_kljuc"])
        require(key is not None, "record.json: javni_kljuc is not a key of the identity in the public ring")
        assert key is not None
        public_key = bytes.fromhex(key["javni_kljuc"])
        require(signature.signature_verifies(self.domain, record, public_key), "record.json: potpis does not verify")
        yield "record: potpis verifies (ML-DSA-65, empty context) under the ring's key over the recomputed statement"
        pinned = {"keys": [key | {"bela_stanje": "istina", "retired": None, "role": "current"}], "origin": None}
        kind = signature.verify(self.domain, self.identity_id, self.content, record, pinned)[0]
        require(kind == "valid", f"record.json: {kind} with the key pinned")
        yield "record: Valid for a stranger who pins the key"
        self.check_tampering(pinned)
        yield "record: Invalid after any change of content, time, krunica_hash or potpis"

    def check_tampering(self, pinned: dict[str, Any]) -> None:
        """A verifier that accepted everything would pass every check above."""
        record = self.record
        times = ("2024-02-29T00:00:00.000Z", "2028-02-29T00:00:00.000Z")
        other_time = next(time for time in times if time != record["timestamp"])
        for content, change in (
            (self.content + b"\0", {}),
            (self.content, {"timestamp": other_time}),
            (self.content, {"krunica_hash": flipped(record["krunica_hash"])}),
            (self.content, {"potpis": flipped(record["potpis"])}),
        ):
            kind = signature.verify(self.domain, self.identity_id, content, record | change, pinned)[0]
            require(kind == "invalid", f"record.json: {kind} after a change of {', '.join(change) or 'the content'}")

    def checkpoint_checks(self) -> Iterator[str]:
        checkpoint = self.read("public", "checkpoint.json")
        # The example's log has a key of its own, which a relying party would pin beforehand.
        key_hash = primitives.h3(bytes.fromhex(hex_text(checkpoint["javni_kljuc"], 3904, "checkpoint.json")))
        pins = krunica.Pins(self.ring["origin"], checkpoint["identity_id"], key_hash, len(self.chain))
        verified = krunica.verify_checkpoint(self.domain, checkpoint, pins)
        require(krunica.agrees(self.chain, verified), "checkpoint.json: the chain does not agree with it")
        yield f"checkpoint: potpis verifies, and all {verified['size']} entries agree with it, times included"
        for name, chain in (("cut off", self.chain[:-1]), ("retimed", self.retimed())):
            require(not krunica.agrees(chain, verified), f"checkpoint.json: agrees with a chain that was {name}")
        yield "checkpoint: disagrees with the chain when its end is cut off or a time is altered"

    def retimed(self) -> list[Any]:
        first = self.chain[0] | {"t": "2001-01-01T00:00:00.000Z"}
        return [first, *self.chain[1:]]

    def result_checks(self) -> Iterator[str]:
        public, operator = (self.results(part) for part in ("public", "operator"))
        cases = [(item["case"], item["kind"]) for item in operator]
        require(
            [case for case, _ in cases] == [item["case"] for item in public], "results.json: the two differ in cases"
        )
        require(bool(cases), "results.json: no cases")
        for shown, known in zip(public, operator):
            self.check_result(shown, known)
        kinds = sorted({kind for _, kind in cases})
        yield f"results: {len(cases)} cases ({', '.join(kinds)}), both projections as the verdict table has them"

    def results(self, part: str) -> list[Any]:
        items = self.read(part, "results.json")
        require(isinstance(items, list), f"{part}/results.json: not an array")
        for item in items:
            # The kind tells a decoy from a pass, so it is the operator's alone.
            expected = {"case", "kind", "result"} if part == "operator" else {"case", "result"}
            members(item, expected, f"{part}/results.json")
            members(item["result"], signature.RESULT, f"{part}/results.json, case {item['case']}")
        return list(items)

    def check_result(self, shown: dict[str, Any], known: dict[str, Any]) -> None:
        case, kind, internal, public = known["case"], known["kind"], known["result"], shown["result"]
        where = f"results.json, case {case}"
        require(kind in ("valid", "invalid", "revoked", "decoy", "suspended"), f"{where}: kind {kind}")
        hex_text(internal["identity_id"], 64, f"{where}: identity_id")
        timestamp(internal["timestamp"], f"{where}: timestamp")
        state, reason = internal["bela_stanje"], internal["razlog"]
        if kind == "invalid":
            require(reason in signature.REASONS, f"{where}: razlog {reason}")
            without_key = reason in ("unknown identity", "foreign key")
            states = (None,) if without_key else ("istina", "oboje")
            require(state in states, f"{where}: bela_stanje {state} with razlog {reason}")
        about = {name: internal[name] for name in ("identity_id", "algoritam", "timestamp")}
        require(about["algoritam"] == "ML-DSA-65", f"{where}: algoritam")
        for result, is_public in ((internal, False), (public, True)):
            expected = about | signature.shown(kind, state, reason, public=is_public)
            projection = "public" if is_public else "operator"
            require(result == expected, f"{projection}/{where}: {result} where the verdict table has {expected}")

    def disclosure_checks(self) -> Iterator[str]:
        for name, data in self.public.items():
            for secret in (self.seed, self.ring_key):
                require(secret.hex().encode() not in data, f"public/{name} holds a secret of the operator")
            if name in ("identity.json", "results.json"):
                continue  # free text: the names of the cases tell the story
            require(b"oboje" not in data and b"decoy" not in data, f"public/{name} shows a decoy")
        yield "public files: neither the seed nor the ring key, and no evidence shows a decoy"


def flipped(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: verify_quickstart.py DIR FILE", file=sys.stderr)
        return 2
    try:
        count = 0
        for line in Quickstart(Path(arguments[0]), Path(arguments[1]).read_bytes()).checks():
            print(f"ok  {line}")
            count += 1
    except (Difference, FormatError) as difference:
        print(f"DIFFERENT  {difference}")
        return 1
    except (OSError, UnicodeDecodeError) as error:
        print(f"cannot read: {error}", file=sys.stderr)
        return 2
    print(f"all {count} checks hold")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
