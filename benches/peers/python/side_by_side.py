"""The wheel beside what else a Python program verifies ML-DSA-65 with: in turn, in one process.

`cargo xtask bench` runs it as `side_by_side.py [--quick|--once] GROUP ROW LIBRARY`, in a virtual environment of its
own, with OQS_INSTALL_PATH set for liboqs-python; the library exports mldsa-native. It prints lines as the program of
`benches/peers/` does.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from importlib import metadata

import dualseal
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PublicKey

# It prints when it is imported, and warns of a liboqs of another version than its own.
with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings(action="ignore"):
    import oqs

CONTENT = b"\x5a" * 128
# Passes over all contenders, nanoseconds of one round of a contender, seconds of a pass, most rounds of a pass.
FULL, QUICK, ONCE = (5, 2_000_000, 1.6, 101), (2, 1_000_000, 0.45, 51), (1, 0, 0.0, 1)

Call = Callable[[], object]


def contenders(library: str) -> list[tuple[str, str, Call]]:
    """Role, name, and the call, which ends in an exception unless the signature is accepted."""
    domain, key = dualseal.Domain(), dualseal.SigningKey.from_seed(bytes([7]) * 32)
    identity = domain.identity_id(b"bench", "bench", "")
    signer = dualseal.Signer(domain, identity, key)
    record = signer.sign(CONTENT, head=dualseal.Head.EMPTY, time=10**11, deterministic=True).record
    verifier = dualseal.Verifier(domain, dualseal.KeyRing.pinned(identity, key.public_key))
    valid, json = dualseal.VerdictKind.VALID, record.to_json().encode()

    def ours(json: bytes = json) -> None:
        assert verifier.verify(record=json, signer=identity, content=CONTENT).kind is valid

    # What the record's signature is over. The others have it, and signature and key, ready as bytes.
    parts = ["STATEMENT", "ML-DSA-65", "1", identity, record.content_hash, record.krunica_hash, record.time]
    message = "::".join(["DUALSEAL-SIGN", *parts, "DUALSEAL"]).encode()
    signature, public = record.signature, key.public_key.to_bytes()

    liboqs = oqs.Signature("ML-DSA-65")

    def by_liboqs(signature: bytes = signature) -> None:
        assert liboqs.verify(message, signature, public)

    native = ctypes.CDLL(library)

    def by_native(signature: bytes = signature) -> None:
        # As liboqs-python calls liboqs.
        c_message = ctypes.create_string_buffer(message, len(message))
        c_message_bytes = ctypes.c_size_t(len(c_message))
        c_signature = ctypes.create_string_buffer(signature, len(signature))
        c_signature_bytes = ctypes.c_size_t(len(c_signature))
        c_public = ctypes.create_string_buffer(public, len(public))
        assert native.mldsa_native_verify(c_message, c_message_bytes, c_signature, c_signature_bytes, c_public)

    pyca = MLDSA65PublicKey.from_public_bytes(public)

    def by_pyca(signature: bytes = signature) -> None:
        pyca.verify(signature, message)

    changed = bytes([signature[0] ^ 1]) + signature[1:]
    for refused in (
        lambda: ours(json.replace(signature.hex().encode(), changed.hex().encode())),
        lambda: by_liboqs(changed),
        lambda: by_native(changed),
        lambda: by_pyca(changed),
    ):
        try:
            refused()
        except (AssertionError, InvalidSignature):
            continue
        raise SystemExit("a changed signature was accepted")
    return [
        ("ours", "dualseal", ours),
        ("peer", f"liboqs-python over liboqs {'.'.join(oqs.oqs_version().split('.')[:2])}, bare", by_liboqs),
        ("peer", "mldsa-native (liboqs 0.16) by ctypes, bare", by_native),
        ("peer", "cryptography, bare", by_pyca),
    ]


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
    effort = {"--quick": QUICK, "--once": ONCE}.get(arguments[0], FULL)
    group, row, library = arguments[-3:]
    passes, slot, seconds, most = effort
    measured = contenders(library)
    rounds: list[list[float]] = [[] for _ in measured]
    # As the standard library's timeit does.
    gc.disable()
    for _ in range(passes):
        calls = [calibrated(call, slot) for _, _, call in measured]
        end = time.monotonic() + seconds
        for _ in range(most):
            for (_, _, call), number, all_of_it in zip(measured, calls, rounds):
                all_of_it.append(taken(call, number))
            if time.monotonic() >= end:
                break
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("liboqs-python", "cryptography"))
    print(f"#\tPython\t{platform.python_version()}, {versions}, liboqs {oqs.oqs_version()}")
    for (role, name, _), times in zip(measured, rounds):
        low, middle, high = statistics.quantiles(times, n=4) if len(times) > 1 else times * 3
        print(f"{group}\t{row}\tcall\t{role}\t{name}\t{middle:.2f}\t{low:.2f}\t{high:.2f}\t\t{len(times)}")


main(sys.argv[1:])
