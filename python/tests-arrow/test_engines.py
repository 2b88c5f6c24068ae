"""The same call under the engines that people have: pyarrow, Polars, DuckDB."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from conftest import Small
from dualseal.arrow import map_batches, verify_seals

PAGE = Path(__file__).parents[2] / "docs/BULK.md"
ROWS, BAD = 3000, [0, 17, 1999, 2999]


@pytest.fixture(scope="module")
def table(small: Small) -> pa.Table:
    columns = small.sealed(ROWS)
    for row in BAD:
        columns["payload"][row] = b"another invoice"
    return pa.table(columns)


@pytest.fixture(scope="module")
def folder(table: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seals")
    for number in range(3):
        part = table.slice(number * 1000, 1000)
        pq.write_table(part, folder / f"{number}.parquet", row_group_size=300)
    return folder


def bad(result: pa.Table) -> list[int]:
    assert result.num_rows == ROWS
    rows = zip(result["id"].to_pylist(), result["verdict"].to_pylist(), strict=True)
    return [number for number, verdict in rows if verdict != "valid"]


def test_a_dataset_of_parquet(small: Small, folder: Path) -> None:
    scanner = ds.dataset(folder).scanner(batch_size=512)
    stream = verify_seals(small.seals, scanner.to_reader(), policy="layer_b", keep=["id"])
    assert bad(pa.table(stream)) == BAD


def test_the_result_goes_on_to_parquet(small: Small, table: pa.Table, tmp_path: Path) -> None:
    stream = verify_seals(small.seals, table, policy="layer_b", keep=["id"])
    with pq.ParquetWriter(tmp_path / "verdicts.parquet", pa.schema(stream)) as writer:
        for batch in pa.RecordBatchReader.from_stream(stream):
            writer.write_batch(batch)
    assert bad(pq.read_table(tmp_path / "verdicts.parquet")) == BAD


def test_batches_one_by_one(small: Small, table: pa.Table) -> None:
    def call(data: Any) -> Any:
        return verify_seals(small.seals, data, policy="layer_b", keep=["id"])

    batches = list(map_batches(iter(table.to_batches(max_chunksize=700)), call))
    assert len(batches) == 5 and batches[0].schema.field("verdict").type == pa.string()
    assert bad(pa.Table.from_batches(batches)) == BAD
    assert list(map_batches(iter([]), call)) == []


def test_polars_frames_and_its_streaming_engine(small: Small, folder: Path) -> None:
    def verify(frame: pl.DataFrame) -> pl.DataFrame:
        return pl.DataFrame(verify_seals(small.seals, frame, policy="layer_b", keep=["id"]))

    frame = pl.read_parquet(folder)
    told = verify(frame)
    assert told.schema["verdict"] == pl.Categorical or told.schema["verdict"] == pl.Enum
    assert bad(told.to_arrow()) == BAD
    lazy = pl.scan_parquet(folder).map_batches(verify, streamable=True, schema=told.schema)
    assert bad(lazy.collect(engine="streaming").to_arrow()) == BAD
    only = lazy.filter(pl.col("verdict").cast(pl.String) != "valid").select("id").collect(engine="streaming")
    assert sorted(only["id"]) == BAD


def test_duckdb_reads_and_is_read(small: Small, folder: Path) -> None:
    # A connection that is read from takes no other query meanwhile.
    data, connection = duckdb.connect(), duckdb.connect()
    rows = data.sql(f"select * from read_parquet('{folder}/*.parquet') order by id")
    stream = verify_seals(small.seals, rows, policy="layer_b", keep=["id"])
    told = pa.RecordBatchReader.from_stream(stream)
    found = connection.sql("select id, reason from told where verdict <> 'valid' order by id").fetchall()
    assert found == [(row, "signature") for row in BAD]
    again = verify_seals(small.seals, rows, policy="layer_b", keep=["id"])
    assert connection.sql("select count(*) from again where verdict = 'valid'").fetchall() == [(ROWS - len(BAD),)]


def test_the_page_says_what_works(small: Small, folder: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 2
    scope: dict[str, Any] = {}
    exec(compile(blocks[0], str(PAGE), "exec"), scope)
    found = scope["bad_rows"](str(folder), small.seals)
    assert sorted(found["id"].to_pylist()) == BAD
    compile(blocks[1], str(PAGE), "exec")
