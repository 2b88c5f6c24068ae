"""A night's audit: every seal of a table, on every core of a cluster, under one ring and one checkpoint.

    python audit.py FOLDER OUT [--spark MASTER] [--partitions N] [--threads N]

reads what an operator gives an auditor, and no secret: `FOLDER/seals/` (Parquet: id, identity_id, payload, seal,
place), `ring.json` (the public ring), `checkpoint.json`, and `log.json` (the domain's name, the pins of the log, and
the identities that are `watched`). Without `--spark` the files are read one after the other, each on all threads.

Every row that is not valid is written to `OUT/suspects/` (Parquet), as it is, with its verdict. So is every row of a
watched identity: whose state the public ring does not tell is for the operator, who verifies the suspects again by its
own ring. What comes back to the driver is `OUT/summary.json`: the number of rows by verdict. The exit status is 0 when
every row was valid, and 1 when there are suspects.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import dualseal
import dualseal.arrow
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

COLUMNS = ["id", "identity_id", "payload", "seal", "place"]
TEXT = pa.string()
TOLD = {"verdict": TEXT, "reason": TEXT, "error": TEXT, "watched": pa.bool_()}


@dataclass(frozen=True)
class Given:
    """What each partition is given: text, so that it is the same in every process."""

    domain: str
    ring: str
    checkpoint: str
    log: str
    watched: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> Given:
        def text(name: str) -> str:
            return (folder / name).read_text(encoding="utf-8")

        log = json.loads(text("log.json"))
        given = cls(log["domain"], text("ring.json"), text("checkpoint.json"), text("log.json"), tuple(log["watched"]))
        given.open()
        return given

    def open(self) -> tuple[dualseal.SealVerifier, dualseal.VerifiedCheckpoint]:
        """Verifies the checkpoint, and that the ring is the one that it states. Raises where either does not hold."""
        domain, log = dualseal.Domain(self.domain), json.loads(self.log)
        pins = dualseal.Pins(**{name: log[name] for name in ("origin", "identity_id", "key_hash", "least_size")})
        checkpoint = dualseal.CheckpointVerifier(domain, pins).verify(self.checkpoint).verified()
        ring = dualseal.AttestedRing(dualseal.PublicRing.from_json(self.ring), checkpoint)
        return dualseal.SealVerifier(domain, ring), checkpoint


def audit(given: Given, threads: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A partition: of each batch the suspects, and a row for each verdict with how often it was told, whose id is
    null."""
    verifier, checkpoint = given.open()

    def verify(data: Any) -> dualseal.arrow.ColumnStream:
        return dualseal.arrow.verify_seals(
            verifier, data, policy="layer_b", place="place", checkpoint=checkpoint, keep=COLUMNS, threads=threads
        )

    counts: Counter[str] = Counter()
    schema = None
    for batch in dualseal.arrow.map_batches(batches, verify):
        for pair in pc.value_counts(batch["verdict"]).to_pylist():
            counts[pair["values"]] += pair["counts"]
        watched = pc.is_in(batch["identity_id"], pa.array(given.watched, TEXT))
        batch = batch.append_column("watched", watched)
        schema = batch.schema
        suspects = batch.filter(pc.or_(pc.not_equal(batch["verdict"], "valid"), watched))
        if suspects.num_rows:
            yield suspects.append_column("rows", pa.nulls(suspects.num_rows, pa.int64()))
    if schema is not None:
        empty = {field.name: pa.nulls(len(counts), field.type) for field in schema}
        told = {"verdict": pa.array(counts.keys(), TEXT), "rows": pa.array(counts.values(), pa.int64())}
        yield pa.RecordBatch.from_pydict(empty | told)


def files(folder: Path) -> list[Path]:
    found = sorted((folder / "seals").glob("*.parquet"))
    if not found:
        raise SystemExit(f"{folder / 'seals'} has no Parquet file")
    return found


def locally(given: Given, folder: Path, out: Path, threads: int) -> Counter[str]:
    """One file after the other, in this process."""
    counts: Counter[str] = Counter()
    (out / "suspects").mkdir(parents=True)
    for file in files(folder):
        batches = pq.ParquetFile(file).iter_batches(batch_size=10_000, columns=COLUMNS)
        found = [batch for batch in audit(given, threads, batches)]
        if not found:
            continue
        *suspects, total = found
        counts.update(dict(zip(total["verdict"].to_pylist(), total["rows"].to_pylist(), strict=True)))
        if suspects:
            pq.write_table(pa.Table.from_batches(suspects).drop(["rows"]), out / "suspects" / file.name)
    return counts


def on_spark(given: Given, folder: Path, out: Path, threads: int, master: str, partitions: int) -> Counter[str]:
    """One task a partition: the ring is broadcast, and rows are read and written by the executors alone."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    session = SparkSession.builder.master(master).appName("dualseal audit")
    session = session.config("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
    session = session.config("spark.task.cpus", str(threads)).config("spark.ui.enabled", "false")
    spark = session.getOrCreate()
    try:
        shared = spark.sparkContext.broadcast(asdict(given))
        rows = spark.read.parquet(*(str(file) for file in files(folder))).select(COLUMNS).repartition(partitions)
        told = ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in rows.schema)
        told += ", verdict string, reason string, error string, watched boolean, rows bigint"
        found = rows.mapInArrow(partial(partition, shared, threads), told)
        found.write.parquet(str(out / "found"))
        found = spark.read.parquet(str(out / "found"))
        found.where("rows is null").drop("rows").write.parquet(str(out / "suspects"))
        totals = found.where("rows is not null").groupBy("verdict").sum("rows").collect()
        return Counter({row[0]: row[1] for row in totals})
    finally:
        spark.stop()


def partition(shared: Any, threads: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from audit(Given(**shared.value), threads, batches)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--spark", metavar="MASTER", help="a master of Spark, as local-cluster[2,1,1024]")
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1, help="of one task")
    given = parser.parse_args(arguments)
    begun = time.monotonic()
    everything = Given.read(given.folder)
    if given.spark:
        counts = on_spark(everything, given.folder, given.out, given.threads, given.spark, given.partitions)
    else:
        counts = locally(everything, given.folder, given.out, given.threads)
    seconds = time.monotonic() - begun
    summary = {"rows": sum(counts.values()), "verdicts": dict(sorted(counts.items())), "seconds": round(seconds, 1)}
    (given.out / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    print(json.dumps(summary))
    return 0 if set(counts) <= {"valid"} else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
