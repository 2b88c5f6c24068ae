"""Spark in local-cluster mode: two executors, each a process of its own with its own Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import dualseal
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import Small
from dualseal.arrow import map_batches, verify_seals
from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    # What tests import, executors do not.
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    # Both are to have work: a task waits for the executor that is near to its data, which here is neither.
    session = builder.config("spark.scheduler.minRegisteredResourcesRatio", "1.0").getOrCreate()
    yield session
    session.stop()


def test_two_executors_verify_one_column(spark: SparkSession, small: Small, tmp_path: Path) -> None:
    columns = small.sealed(2000)
    for row in (3, 1999):
        columns["payload"][row] = b"another invoice"
    pq.write_table(pa.table(columns), tmp_path / "seals.parquet")
    # A closure carries what pickles: a domain and a public key do.
    domain, identity, key = small.domain, small.identity, small.key.public_key

    def partition(batches: Iterable[Any]) -> Iterator[Any]:
        ring = dualseal.KeyRing.pinned(identity, key)
        verifier = dualseal.SealVerifier(domain, ring)

        def call(data: Any) -> Any:
            return verify_seals(verifier, data, policy="layer_b", keep=["id"], threads=1)

        # Of each batch, which process it was verified in.
        for batch in map_batches(batches, call):
            process = pa.array([f"{os.getppid()} {os.getpid()}"] * batch.num_rows)
            yield batch.append_column("process", process)

    rows = spark.read.parquet(str(tmp_path / "seals.parquet")).repartition(8)
    schema = "id bigint, verdict string, reason string, error string, process string"
    told = rows.mapInArrow(partition, schema).collect()
    assert sorted(row.id for row in told) == list(range(2000))
    assert sorted((row.id, row.verdict, row.reason) for row in told if row.verdict != "valid") == [
        (3, "invalid", "signature"),
        (1999, "invalid", "signature"),
    ]
    daemons = {row.process.split()[0] for row in told}
    assert len(daemons) == 2, daemons
    assert str(os.getpid()) not in {number for row in told for number in row.process.split()}
