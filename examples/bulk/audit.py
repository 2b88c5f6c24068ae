"""A night's audit: every seal of a table, on every core of a cluster, under one ring and one checkpoint.

    python audit.py FOLDER OUT --log FILE [--spark MASTER] [--partitions N] [--threads N]

reads what an operator gives an auditor, and no secret: `FOLDER/seals/` (Parquet: id, identity_id, payload, seal,
place), `ring.json` (the public ring) and `checkpoint.json`. `--log` is the auditor's own and lies elsewhere: the
domain's name, the pins of the log, and the identities that are `watched`. Without `--spark` the files are read one
after the other, each on all threads.

Every row that is not valid is written to `OUT/suspects/` (Parquet), as it is, with its verdict. So is every row of a
watched identity: whose state the public ring does not tell is for the operator, who verifies the suspects again by its
own ring. What comes back to the driver is `OUT/summary.json`: the number of rows by verdict, and of suspects. The exit
status is 0 when there is none, 1 when there are suspects, and 2 when the audit did not come to its end: then nothing is
known of any row.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
import traceback
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
# How many rows have a verdict, and are or are not of a watched identity.
Counts = Counter[tuple[str, bool]]


@dataclass(frozen=True)
class Given:
    """What each partition is given: text, so that it is the same in every process."""

    domain: str
    ring: str
    checkpoint: str
    log: str
    watched: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path, pins: Path) -> Given:
        def text(file: Path) -> str:
            return file.read_text(encoding="utf-8")

        if pins.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"{pins} lies in {folder}: whoever wrote the seals would say which log is the right one")
        log = json.loads(text(pins))
        watched = tuple(log["watched"])
        # In any other form it would be the identity of no row.
        if wrong := [identity for identity in watched if not re.fullmatch("[0-9a-f]{64}", identity)]:
            raise ValueError(f"watched: {wrong[0]!r} is no identity")
        given = cls(log["domain"], text(folder / "ring.json"), text(folder / "checkpoint.json"), text(pins), watched)
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
    """A partition: of each batch the suspects, and rows whose id is null, with how many have a verdict and are
    watched."""
    verifier, checkpoint = given.open()
    # An identity in bytes is one of 32, or its text.
    every_form = [form for identity in given.watched for form in (identity.encode(), bytes.fromhex(identity))]

    def verify(data: Any) -> dualseal.arrow.ColumnStream:
        return dualseal.arrow.verify_seals(
            verifier, data, policy="layer_b", place="place", checkpoint=checkpoint, keep=COLUMNS, threads=threads
        )

    counts: Counts = Counter()
    schema = None
    for batch in dualseal.arrow.map_batches(batches, verify):
        # Columns of text, of bytes, of fixed length, of views and in dictionaries are all compared as bytes.
        identities = batch["identity_id"].cast(pa.large_binary())
        watched = pc.is_in(identities, pa.array(every_form, pa.large_binary()))
        batch = without_views(batch).append_column("watched", watched)
        schema = batch.schema
        told = batch.select(["verdict", "watched"])
        for pair in pa.table(told).group_by(told.schema.names).aggregate([([], "count_all")]).to_pylist():
            counts[pair["verdict"], pair["watched"]] += pair["count_all"]
        suspects = batch.filter(pc.or_(pc.not_equal(batch["verdict"], "valid"), watched))
        if suspects.num_rows:
            yield suspects.append_column("rows", pa.nulls(suspects.num_rows, pa.int64()))
    if schema is not None:
        empty = {field.name: pa.nulls(len(counts), field.type) for field in schema}
        verdicts, watched = zip(*counts, strict=True) if counts else ((), ())
        totals = {"verdict": pa.array(verdicts, TEXT), "watched": pa.array(watched, pa.bool_())}
        yield pa.RecordBatch.from_pydict(empty | totals | {"rows": pa.array(counts.values(), pa.int64())})


def without_views(batch: pa.RecordBatch) -> pa.RecordBatch:
    """What pyarrow can filter: it has no filter of views."""
    plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    columns = [column.cast(plain.get(column.type, column.type)) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def files(folder: Path) -> list[Path]:
    found = sorted((folder / "seals").glob("*.parquet"))
    if not found:
        raise FileNotFoundError(f"{folder / 'seals'} has no Parquet file")
    return found


def locally(given: Given, folder: Path, out: Path, threads: int) -> Counts:
    """One file after the other, in this process."""
    counts: Counts = Counter()
    (out / "suspects").mkdir(parents=True)
    for file in files(folder):
        batches = pq.ParquetFile(file).iter_batches(batch_size=10_000, columns=COLUMNS)
        found = [batch for batch in audit(given, threads, batches)]
        if not found:
            continue
        *suspects, total = found
        for row in total.select(["verdict", "watched", "rows"]).to_pylist():
            counts[row["verdict"], row["watched"]] += row["rows"]
        if suspects:
            pq.write_table(pa.Table.from_batches(suspects).drop(["rows"]), out / "suspects" / file.name)
    return counts


def on_spark(given: Given, folder: Path, out: Path, threads: int, master: str, partitions: int) -> Counts:
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
        totals = found.where("rows is not null").groupBy("verdict", "watched").sum("rows").collect()
        return Counter({(row[0], row[1]): row[2] for row in totals})
    finally:
        spark.stop()


def partition(shared: Any, threads: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from audit(Given(**shared.value), threads, batches)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--log", type=Path, required=True, metavar="FILE", help="the auditor's own, from elsewhere")
    parser.add_argument("--spark", metavar="MASTER", help="a master of Spark, as local-cluster[2,1,1024]")
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1, help="of one task")
    given = parser.parse_args(arguments)
    begun = time.monotonic()
    everything = Given.read(given.folder, given.log)
    if given.spark:
        counts = on_spark(everything, given.folder, given.out, given.threads, given.spark, given.partitions)
    else:
        counts = locally(everything, given.folder, given.out, given.threads)
    seconds = time.monotonic() - begun
    verdicts: Counter[str] = Counter()
    for (verdict, _), rows in counts.items():
        verdicts[verdict] += rows
    suspects = sum(rows for (verdict, watched), rows in counts.items() if verdict != "valid" or watched)
    summary = {"rows": sum(counts.values()), "verdicts": dict(sorted(verdicts.items())), "suspects": suspects}
    summary["seconds"] = round(seconds, 1)
    (given.out / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    print(json.dumps(summary))
    return 1 if suspects else 0


if __name__ == "__main__":
    try:
        STATUS = main(sys.argv[1:])
    except SystemExit:
        raise
    except BaseException:  # noqa: BLE001
        # Python's own status of an error is that of suspects.
        traceback.print_exc()
        STATUS = 2
    sys.exit(STATUS)
