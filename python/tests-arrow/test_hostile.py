"""Producers that lie: no crash, no row told valid that is not, and an error that names the column."""

from __future__ import annotations

import struct
from typing import Any

import dualseal
import pyarrow as pa
import pytest
from c_stream import Column, Producer, error_of
from conftest import Small, told, verdicts
from dualseal.arrow import identify, verify_evidence, verify_records, verify_seals


def offsets(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def long_offsets(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}q", *numbers)


def view(value: bytes, buffer: int = 0, offset: int = 0) -> bytes:
    if len(value) <= 12:
        return struct.pack("<i12s", len(value), value)
    return struct.pack("<i4sii", len(value), value[:4], buffer, offset)


def text(name: str, *values: bytes) -> Column:
    ends = [0]
    for value in values:
        ends.append(ends[-1] + len(value))
    return Column(name, "u", [None, offsets(*ends), b"".join(values)], len(values))


def creators(column: Column, rows: int = 2) -> Producer:
    """Two contents, with this column beside them."""
    return Producer([text("content", *[b"x"] * rows), column, text("context", *[b"c"] * rows)], rows)


def test_a_producer_of_c_is_read_as_it_says(small: Small) -> None:
    """What the other tests change is right as it stands."""
    long = b"a longer name than twelve"
    for column in (
        text("creator", b"ana", long),
        Column("creator", "U", [None, long_offsets(0, 3, 28), b"ana" + long], 2),
        Column("creator", "vu", [None, view(b"ana") + view(long), long, struct.pack("<q", 25)], 2),
        Column("creator", "i", [None, struct.pack("<ii", 0, 1)], 2, dictionary=text("", b"ana", long)),
        Column("creator", "u", [None, offsets(0, 9, 12, 37), b"skippedxxana" + long], 2, offset=1),
    ):
        expected = [(small.domain.identity_id(b"x", name, "c"), None) for name in ("ana", long.decode())]
        assert told(identify(small.domain, creators(column))) == expected


LIES = [
    Column("creator", "u", [None, offsets(0, 3, 1), b"anabob"], 2),
    Column("creator", "u", [None, offsets(0, 99, 6), b"anabob"], 2),
    Column("creator", "u", [None, offsets(-3, 3, 6), b"anabob"], 2),
    Column("creator", "u", [None, offsets(0, 3, -1), b"anabob"], 2),
    Column("creator", "U", [None, long_offsets(0, 3, -1), b"anabob"], 2),
    Column("creator", "U", [None, long_offsets(0, 1 << 62, 6), b"anabob"], 2),
    Column("creator", "z", [None, offsets(0, -1, 6), b"anabob"], 2),
    Column("creator", "i", [None, struct.pack("<ii", 0, 2)], 2, dictionary=text("", b"ana", b"bob")),
    Column("creator", "i", [None, struct.pack("<ii", 0, -1)], 2, dictionary=text("", b"ana", b"bob")),
    Column("creator", "i", [None, struct.pack("<ii", 0, 1)], 2, dictionary=text("")),
    Column("creator", "vu", [None, view(b"ana") + view(b"bob"), b"", struct.pack("<q", -1)], 2),
    Column("creator", "vu", [None, view(b"ana") + view(b"bob"), b"", None], 2),
    Column("creator", "vu", [None, view(b"ana") + view(b"bob")], 2),
    Column("creator", "u", [None, offsets(0, 3, 6), b"anabob"], 2, shift=1),
    Column("creator", "U", [None, long_offsets(0, 3, 6), b"anabob"], 2, shift=4),
    Column("creator", "vu", [None, view(b"ana") + view(b"bob"), b"", struct.pack("<q", 0)], 2, shift=4),
    Column("creator", "w:-1", [None, b"anabob"], 2),
]


@pytest.mark.parametrize("lie", LIES)
def test_lengths_and_offsets_that_cannot_be_end_the_stream(small: Small, lie: Column) -> None:
    try:
        stream = identify(small.domain, creators(lie))
    except ValueError as error:
        # No such type.
        assert "w:-1" in str(error)
        return
    status, words = error_of(stream)
    assert status == 22 and ('column "creator"' in words or "what its schema says" in words), words


def test_structures_that_contradict_their_schema_end_the_stream(small: Small) -> None:
    good = [text("content", b"x"), text("creator", b"y"), text("context", b"z")]
    lies = [
        Producer(good, 1, arrays=good[:2]),
        Producer(good, -1),
        Producer(good, 2),
        Producer([*good[:2], Column("context", "u", [None], 1)], 1),
        Producer([*good[:2], Column("context", "u", [None, None, b""], 1)], 1),
        Producer([*good[:2], Column("context", "u", [None, offsets(0, 1), b"z"], -1)], 1),
        Producer([*good[:2], Column("context", "u", [None, offsets(0, 1), b"z"], 1, offset=-1)], 1),
        Producer([*good[:2], Column("context", "i", [None, offsets(0)], 1, dictionary=text("", b"z"))], 1, arrays=good),
    ]
    for lie in lies:
        status, words = error_of(identify(small.domain, lie))
        assert status != 0 and words
    for form in (b"i", b"+l", b"?"):
        with pytest.raises(ValueError, match="data is no Arrow stream"):
            identify(small.domain, Producer(good, 1, form=form))


def test_views_that_point_anywhere_are_rows_without_a_value(small: Small) -> None:
    long = b"a longer name than twelve"
    size = struct.pack("<q", len(long))
    for lie in (
        view(long, buffer=1),
        view(long, buffer=-1),
        view(long, offset=1),
        view(long, offset=-1),
        struct.pack("<i4sii", -1, long[:4], 0, 0),
        struct.pack("<i4sii", 0x7FFFFFFF, long[:4], 0, 0),
        # The first bytes, which engines compare by, are others.
        struct.pack("<i4sii", len(long), b"bob ", 0, 0),
    ):
        column = Column("creator", "vu", [None, lie + view(b"bob"), long, size], 2)
        found = told(identify(small.domain, creators(column)))
        assert found[0] == (None, "creator: lies outside of the column's bytes")
        assert found[1] == (small.domain.identity_id(b"x", "bob", "c"), None)


def test_text_that_is_not_utf8_is_a_row(small: Small, sealed: dict[str, list[Any]]) -> None:
    found = told(identify(small.domain, creators(text("creator", b"\xff\xfe", b"bob"))))
    assert found[0] == (None, "creator: is not UTF-8") and found[1][1] is None
    seal = sealed["seal"][0].encode()
    rows = [seal, b"\xff" + seal[1:], seal]
    ids = [small.identity.encode()] * 2 + [b"\xc3" + small.identity.encode()[1:]]
    data = Producer([text("seal", *rows), text("payload", *[b"invoice 0"] * 3), text("identity_id", *ids)], 3)
    found = told(verify_seals(small.seals, data, policy="layer_b"))
    assert found == [
        ("valid", None, None),
        ("malformed", None, "seal: is not UTF-8"),
        ("malformed", None, "identity_id: is not UTF-8"),
    ]


def test_a_count_of_nulls_that_is_a_lie_makes_nothing_valid(small: Small, sealed: dict[str, list[Any]]) -> None:
    seal = sealed["seal"][0].encode()
    data = seal + seal
    for count, validity, expected in (
        (0, b"\x01", ["valid"] * 2),
        (1, b"\x01", ["valid", "malformed"]),
        (7, b"\x01", ["valid", "malformed"]),
        (-1, b"\x02", ["malformed", "valid"]),
    ):
        column = Column("seal", "z", [validity, offsets(0, len(seal), len(data)), data], 2, null_count=count)
        others = [text("payload", *[b"invoice 0"] * 2), text("identity_id", *[small.identity.encode()] * 2)]
        found = verdicts(verify_seals(small.seals, Producer([column, *others], 2), policy="layer_b"))
        assert found == expected, count


def test_a_stream_that_fails_midway_passes_its_error_on(small: Small, sealed: dict[str, list[Any]]) -> None:
    batch = pa.table(sealed).to_batches()[0]

    def failing() -> Any:
        yield batch
        raise RuntimeError("the disk is gone")

    stream = verify_seals(small.seals, pa.RecordBatchReader.from_batches(batch.schema, failing()), policy="layer_b")
    reader = pa.RecordBatchReader.from_stream(stream)
    assert reader.read_next_batch().num_rows == 20
    with pytest.raises(pa.ArrowException, match="data: .*the disk is gone"):
        reader.read_next_batch()
    # What has failed is not asked again, and does not look like an end that was reached.
    columns = [text(name, b"x") for name in ("content", "creator", "context")]
    for words, told_of in ((b"no route to host", "no route to host"), (None, "the number 5"), (b"\xff", "\ufffd")):
        producer = Producer(columns, 1, next_status=lambda: 5, error=words)
        assert told_of in error_of(identify(small.domain, producer))[1]


def test_a_stream_is_taken_once(small: Small) -> None:
    data = Producer([text("content", b"x"), text("creator", b"y"), text("context", b"z")], 1)
    assert told(identify(small.domain, data))[0][1] is None
    with pytest.raises(ValueError, match="released"):
        identify(small.domain, data)

    class Nothing:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return b"no capsule"

    with pytest.raises(TypeError):
        verify_seals(small.seals, Nothing(), policy="layer_b")
    array = pa.array([1]).__arrow_c_array__()

    class Other:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return array[0]

    with pytest.raises(ValueError, match="incorrect name"):
        verify_seals(small.seals, Other(), policy="layer_b")


def test_a_row_of_100_mb_stands_beside_small_ones(small: Small) -> None:
    payloads = [b"small", bytes(100_000_000), b"small too"] * 2
    sealer = dualseal.Sealer(small.domain, small.identity, small.seal_key, small.key)
    seals = [seal.to_bytes() for seal in sealer.seal_many(payloads)]
    payloads[4] = bytes(99_999_999) + b"\1"
    columns = {"identity_id": [small.identity] * 6, "payload": payloads, "seal": seals}
    schema = pa.schema({"identity_id": pa.string(), "payload": pa.large_binary(), "seal": pa.binary()})
    given = pa.table(columns, schema=schema)
    found = verdicts(verify_seals(small.seals, given, policy="layer_b", threads=2))
    assert found == ["valid"] * 4 + ["invalid", "valid"]


@pytest.mark.parametrize("number", range(12))
def test_no_byte_makes_another_row_valid(small: Small, sealed: dict[str, list[Any]], number: int) -> None:
    """One bit of one row changed: that row is found, and no other."""
    columns = {name: list(values) for name, values in sealed.items()}
    seals = [dualseal.Seal.parse(seal).to_bytes() for seal in columns["seal"]]
    at, row = (number * 307) % 3379, number % 20
    changed = bytearray(seals[row])
    changed[at] ^= 1 << number % 8
    seals[row] = bytes(changed)
    columns["seal"] = seals
    found = verdicts(verify_seals(small.seals, pa.table(columns), policy="both", seal_key=small.seal_key))
    assert [place for place, verdict in enumerate(found) if verdict != "valid"] == [row]


def test_bytes_that_are_no_record_or_evidence_are_rows(small: Small, signed: dict[str, list[Any]]) -> None:
    junk = [b"", b"{}", b"DSB1", b"DSB1\1\1" + bytes(5365), b"\xff" * 40, b"[" * 100_000, b'{"a":1}']
    columns = {"identity_id": [small.identity] * 7, "content": [b"x"] * 7, "record": junk}
    found = told(verify_records(small.records, pa.table(columns)))
    assert {row[0] for row in found} <= {"malformed", "invalid"} and [row[0] for row in found].count("malformed") >= 6
    columns = {"identity_id": [small.identity] * 7, "document": [b"x"] * 7, "evidence": junk}
    found = told(verify_evidence(pa.table(columns), log="0" * 64))
    assert all(row[0] == "malformed" and row[2].startswith("evidence: ") and row[3] is None for row in found)
