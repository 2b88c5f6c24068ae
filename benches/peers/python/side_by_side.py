"""The wheel beside what else a Python program has ML-DSA-65 from: in turn, in one process.

`cargo xtask bench` runs it as `side_by_side.py [--quick|--once] GROUP LIBRARY`, in a virtual environment of its own,
with OQS_INSTALL_PATH set for liboqs-python; the library exports mldsa-native. It prints lines as the program of
`benches/peers/` does.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import itertools
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

import dualseal
import dualseal.arrow
import fast_mldsa
import pyarrow as pa
import pyarrow.compute as pc
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PrivateKey, MLDSA65PublicKey

# It prints when it is imported, and warns of a liboqs of another version than its own.
with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings(action="ignore"):
    import oqs

CONTENT = b"\x5a" * 128
IDENTITIES, MANY = 256, 1024
# Passes over all contenders, nanoseconds of one round of a contender, seconds of a pass, most rounds of a pass.
FULL, QUICK, ONCE = (5, 2_000_000, 1.6, 101), (2, 1_000_000, 0.45, 51), (1, 0, 0.0, 1)
LIBOQS = f"liboqs-python over liboqs {'.'.join(oqs.oqs_version().split('.')[:2])}, bare"
NATIVE, PYCA, FAST = "mldsa-native (liboqs 0.16) by ctypes, bare", "cryptography, bare", "fast-mldsa, bare"

Call = Callable[[], object]


@dataclass
class Row:
    """What is measured in turn: role, name and call of each, which raises unless each signature is accepted."""

    name: str
    contenders: list[tuple[str, str, Call]]
    # How many a call works on, where its time is told of each.
    each: int = 1


@dataclass
class Signed:
    """A message as the library signs it, with the signature and the key: what the others have ready as bytes."""

    message: bytes
    signature: bytes
    public: bytes

    def changed(self) -> Signed:
        return Signed(self.message, bytes([self.signature[0] ^ 1]) + self.signature[1:], self.public)


class Others:
    """Everybody else, each called as its own page says."""

    def __init__(self, library: str) -> None:
        self.liboqs, self.native = oqs.Signature("ML-DSA-65"), ctypes.CDLL(library)

    def by_liboqs(self, signed: Signed) -> None:
        assert self.liboqs.verify(signed.message, signed.signature, signed.public)

    def by_native(self, signed: Signed) -> None:
        # As liboqs-python calls liboqs.
        c_message = ctypes.create_string_buffer(signed.message, len(signed.message))
        c_signature = ctypes.create_string_buffer(signed.signature, len(signed.signature))
        c_public = ctypes.create_string_buffer(signed.public, len(signed.public))
        sizes = ctypes.c_size_t(len(c_message)), ctypes.c_size_t(len(c_signature))
        assert self.native.mldsa_native_verify(c_message, sizes[0], c_signature, sizes[1], c_public)

    def verifiers(self, public: bytes) -> list[tuple[str, Callable[[Signed], object]]]:
        """Each with the key made ready, where there is such a thing."""
        pyca = MLDSA65PublicKey.from_public_bytes(public)
        fast = fast_mldsa.VerificationKey.from_bytes(public)

        def by_fast(signed: Signed) -> None:
            assert fast.verify(signed.signature, signed.message)

        def by_pyca(signed: Signed) -> None:
            pyca.verify(signed.signature, signed.message)

        return [(LIBOQS, self.by_liboqs), (NATIVE, self.by_native), (PYCA, by_pyca), (FAST, by_fast)]

    def over(self, signed: list[Signed]) -> list[tuple[str, str, Call]]:
        """Calls that verify all of these, one after the other."""
        ready: dict[bytes, list[tuple[str, Callable[[Signed], object]]]] = {}
        for one in signed:
            ready.setdefault(one.public, self.verifiers(one.public))
            for _, verify in ready[one.public]:
                refuses(lambda: verify(one.changed()))

        def each(number: int) -> Call:
            pairs = [(ready[one.public][number][1], one) for one in signed]

            def call() -> None:
                for verify, one in pairs:
                    verify(one)

            return call

        names = [name for name, _ in next(iter(ready.values()))]
        return [("peer", name, each(number)) for number, name in enumerate(names)]


def refuses(call: Call) -> None:
    try:
        call()
    except (AssertionError, InvalidSignature):
        return
    raise SystemExit("a changed signature was accepted")


class Ours:
    """A domain and identities, each with a key, in one ring."""

    def __init__(self) -> None:
        self.domain = dualseal.Domain()
        self.keys = [dualseal.SigningKey.from_seed(bytes([number, 7]) * 16) for number in range(IDENTITIES)]
        names = [self.domain.identity_id(b"bench", f"{number}", "") for number in range(IDENTITIES)]
        self.identities = names
        self.ring = dualseal.CheckedRing("bench", dualseal.RingKey(self.domain, bytes([9]) * 32))
        head = dualseal.Head.EMPTY
        for identity, key in zip(names, self.keys):
            _, head = self.ring.add(identity, key.public_key, head=head, time=10**11)
        self.cache = dualseal.KeyCache(64 << 20)
        self.verifier = dualseal.Verifier(self.domain, self.ring, cache=self.cache)
        self.seals = dualseal.SealVerifier(self.domain, self.ring, cache=self.cache)
        self.seal_key = dualseal.SealKey.from_bytes(bytes([3]) * 64)

    def record(self, number: int) -> tuple[dualseal.SignatureRecord, Signed]:
        """A record, and what its signature is over."""
        signer = dualseal.Signer(self.domain, self.identities[number], self.keys[number])
        record = signer.sign(CONTENT, head=dualseal.Head.EMPTY, time=10**11, deterministic=True).record
        parts = ["STATEMENT", "ML-DSA-65", "1", record.identity_id]
        parts += [record.content_hash, record.krunica_hash, record.time]
        message = "::".join(["DUALSEAL-SIGN", *parts, "DUALSEAL"]).encode()
        return record, Signed(message, record.signature, record.public_key.to_bytes())

    def seal(self, number: int, payload: bytes) -> tuple[dualseal.Seal, Signed]:
        """A seal, and what its layer B is over."""
        identity, key = self.identities[number], self.keys[number]
        seal = dualseal.Sealer(self.domain, identity, self.seal_key, key).seal(payload)
        _, hmac, signature = str(seal).split("::")
        message = f"{payload.hex()}::{hmac}::{identity}::DUALSEAL".encode()
        return seal, Signed(message, bytes.fromhex(signature), key.public_key.to_bytes())


def rows(library: str) -> list[Row]:
    others, ours = Others(library), Ours()
    return [
        one_record(others, ours),
        many_identities(others, ours),
        verify_many(others, ours),
        one_seal(others, ours),
        column(others, ours),
        rows_without_seals(ours),
        sign(ours),
    ]


def one_record(others: Others, ours: Ours) -> Row:
    record, signed = ours.record(0)
    json, identity, valid = record.to_json().encode(), ours.identities[0], dualseal.VerdictKind.VALID

    def verify(json: bytes = json) -> None:
        assert ours.verifier.verify(record=json, signer=identity, content=CONTENT).kind is valid

    changed = signed.changed().signature.hex().encode()
    refuses(lambda: verify(json.replace(signed.signature.hex().encode(), changed)))
    name = "Python: JSON bytes to verdict, one identity"
    return Row(name, [("ours", "dualseal", verify), *others.over([signed])])


def many_identities(others: Others, ours: Ours) -> Row:
    made = [ours.record(number) for number in range(IDENTITIES)]
    records = [(record.to_json().encode(), record.identity_id) for record, _ in made]
    valid = dualseal.VerdictKind.VALID

    def verify() -> None:
        for json, identity in records:
            assert ours.verifier.verify(record=json, signer=identity, content=CONTENT).kind is valid

    name = f"Python: JSON bytes to verdict, {IDENTITIES} identities, each"
    return Row(name, [("ours", "dualseal", verify), *others.over([signed for _, signed in made])], IDENTITIES)


def verify_many(others: Others, ours: Ours) -> Row:
    made = [ours.record(number % 4) for number in range(MANY)]
    content = {identity: ours.domain.content_hash(identity, CONTENT) for identity in ours.identities[:4]}
    items = [(record.to_json().encode(), content[record.identity_id], None) for record, _ in made]
    valid = dualseal.VerdictKind.VALID

    def verify() -> None:
        verdicts = ours.verifier.verify_many(items, threads=1)
        assert all(isinstance(verdict, dualseal.Verdict) and verdict.kind is valid for verdict in verdicts)

    name = f"Python: verify_many of {MANY}, one thread, each"
    return Row(name, [("ours", "dualseal", verify), *others.over([signed for _, signed in made])], MANY)


def one_seal(others: Others, ours: Ours) -> Row:
    seal, signed = ours.seal(0, CONTENT)
    text, identity, valid = str(seal), ours.identities[0], dualseal.VerdictKind.VALID

    def verify(payload: bytes = CONTENT) -> None:
        report = ours.seals.verify(text, payload, identity, policy="layer_b")
        assert report.verdict is not None and report.verdict.kind is valid

    refuses(lambda: verify(CONTENT[:-1]))
    return Row("Python: seal text to verdict", [("ours", "dualseal", verify), *others.over([signed])])


def column(others: Others, ours: Ours) -> Row:
    payloads = [CONTENT + str(number).encode() for number in range(MANY)]
    made = [ours.seal(number % 4, payload) for number, payload in enumerate(payloads)]
    columns = {
        "identity_id": [ours.identities[number % 4] for number in range(MANY)],
        "payload": payloads,
        "seal": [seal.to_bytes() for seal, _ in made],
    }
    data = pa.table(columns)

    def verify(data: pa.Table = data) -> None:
        stream = dualseal.arrow.verify_seals(ours.seals, data, policy="layer_b", threads=1)
        verdicts = pa.table(stream)["verdict"].combine_chunks()
        # 0 is valid: no key of another is in the column.
        assert pc.max(verdicts.indices).as_py() == 0 and verdicts.dictionary[0].as_py() == "valid"

    columns["payload"] = [b"another", *payloads[1:]]
    refuses(lambda: verify(pa.table(columns)))
    name = f"Python: column of {MANY} seals to verdicts, one thread, each"
    return Row(name, [("ours", "dualseal", verify), *others.over([signed for _, signed in made])], MANY)


def rows_without_seals(ours: Ours) -> Row:
    """What a row costs before anything is verified: its slices are found, and a reason is written."""
    columns = {
        "identity_id": [ours.identities[number % 4] for number in range(MANY)],
        "payload": [CONTENT] * MANY,
        "seal": pa.nulls(MANY, pa.binary()),
    }
    data = pa.table(columns)

    def read() -> None:
        verdicts = pa.table(dualseal.arrow.verify_seals(ours.seals, data, policy="layer_b", threads=1))["verdict"]
        assert verdicts.combine_chunks().unique().to_pylist() == ["malformed"]

    def objects() -> None:
        assert len(data.to_pylist()) == MANY

    name = f"Python: column of {MANY} rows without a seal to reasons, one thread, each"
    return Row(name, [("ours", "dualseal", read), ("peer", "pyarrow, rows as objects alone", objects)], MANY)


def sign(ours: Ours) -> Row:
    signer = dualseal.Signer(ours.domain, ours.identities[0], ours.keys[0].expand())
    contents = (bytes([number % 256, number >> 8 & 255]) + CONTENT[2:] for number in itertools.count())
    seed = bytes([0, 7]) * 16
    pyca = MLDSA65PrivateKey.from_seed_bytes(seed)
    _, fast = fast_mldsa.MlDsa65.key_gen(seed)
    liboqs = oqs.Signature("ML-DSA-65")
    liboqs.generate_keypair()

    def by_us() -> None:
        signer.sign(next(contents), head=dualseal.Head.EMPTY, time=10**11)

    calls: list[tuple[str, str, Call]] = [
        ("ours", "dualseal", by_us),
        ("peer", LIBOQS, lambda: liboqs.sign(next(contents))),
        ("peer", PYCA, lambda: pyca.sign(next(contents))),
        ("peer", FAST, lambda: fast.sign(next(contents))),
    ]
    return Row("Python: sign 128 B (a record with its entry), key kept", calls)


def taken(call: Call, calls: int) -> float:
    """Nanoseconds of a call on this thread's processor."""
    start = time.thread_time_ns()
    for _ in range(calls):
        call()
    return (time.thread_time_ns() - start) / calls


def calibrated(call: Call, slot: int) -> int:
    """As many calls as fit a round."""
    calls = 1
    while taken(call, calls) * calls * 4 < slot:
        calls *= 2
    return max(1, int(slot / taken(call, calls))) if slot else 1


def main(arguments: list[str]) -> None:
    assert __debug__, "what is measured is checked by assertions"
    passes, slot, seconds, most = {"--quick": QUICK, "--once": ONCE}.get(arguments[0], FULL)
    group, library = arguments[-2:]
    names = ("liboqs-python", "cryptography", "fast-mldsa", "pyarrow")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in names)
    print(f"#\tPython\t{platform.python_version()}, {versions}, liboqs {oqs.oqs_version()}")
    measured = rows(library)
    times: list[list[list[float]]] = [[[] for _ in row.contenders] for row in measured]
    # As the standard library's timeit does.
    gc.disable()
    for _ in range(passes):
        for row, of_row in zip(measured, times):
            calls = [calibrated(call, slot) for _, _, call in row.contenders]
            end = time.monotonic() + seconds
            for _ in range(most):
                for (_, _, call), number, of_call in zip(row.contenders, calls, of_row):
                    of_call.append(taken(call, number) / row.each)
                if time.monotonic() >= end:
                    break
    for row, of_row in zip(measured, times):
        for (role, name, _), of_call in zip(row.contenders, of_row):
            low, middle, high = statistics.quantiles(of_call, n=4) if len(of_call) > 1 else of_call * 3
            print(f"{group}\t{row.name}\tcall\t{role}\t{name}\t{middle:.2f}\t{low:.2f}\t{high:.2f}\t\t{len(of_call)}")


main(sys.argv[1:])
