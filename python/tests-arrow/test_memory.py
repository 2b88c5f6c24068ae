"""Memory does not grow with the number of rows. Each figure is of a process of its own, which has nothing to give out
again that was freed before."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import dualseal
import pyarrow as pa
import pytest
from dualseal.arrow import ColumnStream, identify, verify_seals

BATCHES, WARM = 220, 20
Call = Callable[[pa.RecordBatchReader], ColumnStream]
Fresh = Callable[[], pa.RecordBatch]


def large_payloads() -> tuple[Call, Fresh]:
    """A batch has 1 MB of payloads, of which nothing but verdicts is told, unless they are kept."""
    domain, key = dualseal.Domain(), dualseal.SigningKey.generate()
    identity = domain.identity_id(b"", "ana", "")
    payloads = [bytes([number]) * 100_000 for number in range(10)]
    sealer = dualseal.Sealer(domain, identity, dualseal.SealKey.from_bytes(b"\3" * 64), key)
    columns = {
        "identity_id": [identity] * 10,
        "payload": payloads,
        "seal": [seal.to_bytes() for seal in sealer.seal_many(payloads)],
    }
    verifier = dualseal.SealVerifier(domain, dualseal.KeyRing.pinned(identity, key.public_key))
    return (
        lambda data: verify_seals(verifier, data, policy="layer_b", keep=["payload"]),
        lambda: pa.RecordBatch.from_pydict(columns),
    )


def many_identities() -> tuple[Call, Fresh]:
    """Of a batch 0.7 MB are told, of which the library itself makes every byte."""
    domain = dualseal.Domain()
    columns = {name: ["x"] * 8192 for name in ("content", "creator", "context")}
    return (lambda data: identify(domain, data), lambda: pa.RecordBatch.from_pydict(columns))


CALLS = {"large_payloads": large_payloads, "many_identities": many_identities}


def memory() -> int:
    """Bytes of this process that are in memory, whoever allocated them."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def grown(call: Call, fresh: Fresh, keep: bool) -> int:
    """By how much this process grows over 200 batches, none of which has its bytes in common with another."""
    reading = pa.RecordBatchReader.from_batches(fresh().schema, (fresh() for _ in range(BATCHES)))
    telling = pa.RecordBatchReader.from_stream(call(reading))
    kept, rows, before = [], 0, 0
    for number in range(BATCHES):
        if number == WARM:
            before = memory()
        told = telling.read_next_batch()
        rows += told.num_rows
        if keep:
            kept.append(told)
    assert rows == BATCHES * fresh().num_rows
    return memory() - before


def grown_in_a_process(name: str, keep: bool) -> int:
    command = [sys.executable, __file__, name, *(["keep"] if keep else [])]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("name", CALLS)
def test_memory_does_not_grow_with_the_number_of_rows(name: str) -> None:
    """Who keeps what is told is seen to grow, so that a library which kept anything would be seen as well."""
    assert grown_in_a_process(name, keep=False) < 20_000_000
    assert grown_in_a_process(name, keep=True) > 60_000_000


if __name__ == "__main__":
    print(grown(*CALLS[sys.argv[1]](), keep="keep" in sys.argv))
