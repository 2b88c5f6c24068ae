"""Columns in every form that Arrow has: the same verdicts as one by one, row for row."""

from __future__ import annotations

import pickle
import threading
import time
from typing import Any

import dualseal
import pyarrow as pa
import pytest
from conftest import Small, told, verdicts
from dualseal import Domain, KeyRing, SealKey, SealPolicy, SealVerifier, SigningKey, Verifier
from dualseal.arrow import ColumnError, ColumnStream, identify, verify_records, verify_seals
from operated import Operated

TEXTS = [pa.string(), pa.large_string(), pa.string_view()]
BYTES = [pa.binary(), pa.large_binary(), pa.binary_view()]
VALID = ("valid", None, None)


def table(columns: dict[str, list[Any]], **types: pa.DataType) -> pa.Table:
    """A table whose columns have these types, and the others what pyarrow makes of them."""
    arrays = {}
    for name, values in columns.items():
        wanted = types.get(name)
        if wanted is not None and pa.types.is_dictionary(wanted):
            arrays[name] = pa.array(values, wanted.value_type).dictionary_encode().cast(wanted)
        else:
            arrays[name] = pa.array(values, wanted)
    return pa.table(arrays)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("data", BYTES)
def test_every_form_of_text_and_bytes(
    small: Small, sealed: dict[str, list[Any]], text: pa.DataType, data: pa.DataType
) -> None:
    binary = sealed | {"seal": [dualseal.Seal.parse(seal).to_bytes() for seal in sealed["seal"]]}
    as_text = sealed | {"payload": [payload.decode() for payload in sealed["payload"]]}
    raw = sealed | {"identity_id": [bytes.fromhex(identity) for identity in sealed["identity_id"]]}
    for given in (
        table(sealed, seal=text, payload=data, identity_id=text),
        table(binary, seal=data, payload=data, identity_id=text),
        table(as_text, seal=text, payload=text, identity_id=text),
        table(raw, seal=text, payload=data, identity_id=data),
        # The text of seals in a column of bytes.
        table(sealed | {"seal": [seal.encode() for seal in sealed["seal"]]}, seal=data, identity_id=text),
    ):
        assert told(verify_seals(small.seals, given, policy="layer_b")) == [VALID] * 20


@pytest.mark.parametrize("length", [pa.int8(), pa.uint16(), pa.int32(), pa.int64()])
@pytest.mark.parametrize("text", TEXTS[:2])
def test_dictionaries_and_fixed_lengths(
    small: Small, sealed: dict[str, list[Any]], length: pa.DataType, text: pa.DataType
) -> None:
    columns = sealed | {"seal": [dualseal.Seal.parse(seal).to_bytes() for seal in sealed["seal"]]}
    given = table(columns, identity_id=pa.dictionary(length, text), seal=pa.binary(3379))
    assert told(verify_seals(small.seals, given, policy="layer_b")) == [VALID] * 20
    raw = columns | {"identity_id": [bytes.fromhex(identity) for identity in sealed["identity_id"]]}
    assert told(verify_seals(small.seals, table(raw, identity_id=pa.binary(32)), policy="layer_b")) == [VALID] * 20
    # A null of the dictionary's keys, and one of its values.
    keys = pa.array([0, None, 1, *[0] * 17], length)
    ids = pa.DictionaryArray.from_arrays(keys, pa.array([small.identity, None], text))
    with_nulls = given.set_column(given.schema.get_field_index("identity_id"), "identity_id", ids)
    found = told(verify_seals(small.seals, with_nulls, policy="layer_b"))
    null = ("malformed", None, "identity_id: null")
    assert found == [VALID, null, null, *[VALID] * 17]


@pytest.mark.parametrize("chunk", [1, 3, 7, 8, 20])
def test_chunks_of_any_size_and_slices(small: Small, sealed: dict[str, list[Any]], chunk: int) -> None:
    sealed = sealed | {"payload": [*sealed["payload"][:5], b"other", *sealed["payload"][6:]]}
    sealed = sealed | {"seal": [*sealed["seal"][:9], None, *sealed["seal"][10:]]}
    expected: list[tuple[Any, ...]] = [VALID] * 20
    expected[5], expected[9] = ("invalid", "signature", None), ("malformed", None, "seal: null")
    for types in ({}, {"seal": pa.string_view(), "payload": pa.large_binary()}):
        whole = table(sealed, **types)
        for given in (whole, whole.slice(3), whole.slice(4, 7), whole.slice(5, 0)):
            start = 3 if given.num_rows == 17 else 4 if given.num_rows == 7 else 0
            batches = given.to_batches(max_chunksize=chunk)
            reader = pa.RecordBatchReader.from_batches(given.schema, batches)
            stream = verify_seals(small.seals, reader, policy="layer_b", keep=["id"], threads=2)
            rows = [(start + number, *expected[start + number]) for number in range(given.num_rows)]
            assert told(stream) == rows


def test_the_result_has_a_dictionary_and_is_read_once(small: Small, sealed: dict[str, list[Any]]) -> None:
    stream = verify_seals(small.seals, table(sealed), policy=SealPolicy.LAYER_B, keep=["id"])
    schema = pa.schema(stream)
    assert schema.names == ["id", "verdict", "reason", "error"]
    assert schema.field("verdict").type == pa.dictionary(pa.int8(), pa.string())
    assert not schema.field("verdict").nullable
    assert repr(stream) == "ColumnStream(id, verdict, reason, error)"
    assert pa.table(stream).schema == schema
    with pytest.raises(ValueError, match="read before"):
        pa.table(stream)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(stream)
    # Every portion has the same dictionary, so that chunks can be put together.
    many = table(sealed).slice(0, 4)
    assert pa.table(verify_seals(small.seals, pa.concat_tables([many] * 5), policy="layer_b")).combine_chunks()


def test_the_policies_and_their_keys(small: Small, sealed: dict[str, list[Any]]) -> None:
    other, verifier = SealKey.from_bytes(b"\4" * 64), small.seals
    given = table(sealed)
    assert verdicts(verify_seals(verifier, given, policy="both", seal_key=small.seal_key)) == ["valid"] * 20
    each = {small.identity: small.seal_key}
    assert verdicts(verify_seals(verifier, given, policy="both", seal_key=each)) == ["valid"] * 20
    assert verdicts(verify_seals(verifier, given, policy="both", seal_key=other)) == ["invalid"] * 20
    layer_a = verify_seals(verifier, given, policy="layer_a", seal_key=small.seal_key)
    assert verdicts(layer_a) == ["authenticated"] * 20
    assert verdicts(verify_seals(verifier, given, policy="layer_a", seal_key=other)) == ["not-authenticated"] * 20
    nobody = {small.domain.identity_id(b"", "bob", ""): small.seal_key}
    missing = ("malformed", None, "seal_key: none is given for this identity")
    assert told(verify_seals(verifier, given, policy="layer_a", seal_key=nobody)) == [missing] * 20
    for policy, key in (("layer_b", small.seal_key), ("both", None), ("layer_a", {}), ("layer_b", each)):
        with pytest.raises(TypeError):
            verify_seals(verifier, given, policy=policy, seal_key=key)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="mapping"):
        verify_seals(verifier, given, policy="both", seal_key=b"\3" * 64)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="both, or neither"):
        verify_seals(verifier, given, policy="layer_b", place="id")


def test_legacy_seals_count_where_they_are_allowed(small: Small) -> None:
    seal = dualseal.Sealer(small.domain, small.identity, small.seal_key, small.key).seal_legacy(b"old")
    forms = [str(seal).encode(), seal.to_bytes()]
    columns: dict[str, list[Any]] = {
        "identity_id": [small.identity] * 2,
        "payload": [b"old"] * 2,
        "seal": forms,
    }
    for allowed, verdict in ((True, "authenticated"), (False, "not-authenticated")):
        stream = verify_seals(
            small.seals, table(columns), policy="layer_a", seal_key=small.seal_key, allow_legacy=allowed
        )
        assert verdicts(stream) == [verdict] * 2


def test_records_in_every_form(small: Small, signed: dict[str, list[Any]]) -> None:
    records = [dualseal.SignatureRecord.from_json(record) for record in signed["record"]]
    forms = (
        signed["record"],
        [record.to_json().encode() for record in records],
        [record.to_bytes() for record in records],
        [record.to_bytes(with_key=False) for record in records],
    )
    for form in forms:
        assert told(verify_records(small.records, table(signed | {"record": form}))) == [VALID] * 12
        swapped = table(signed | {"record": [form[1], form[0], *form[2:]]})
        content = ("invalid", "content", None)
        assert told(verify_records(small.records, swapped)) == [content] * 2 + [VALID] * 10
        cut = table(signed | {"record": [form[0][:-1], None, *form[2:]]})
        found = told(verify_records(small.records, cut))
        assert [row[0] for row in found[:2]] == ["malformed"] * 2 and found[2:] == [VALID] * 10
        assert found[0][2].startswith("record: ") and found[1][2] == "record: null"
    others = [small.domain.identity_id(b"", "bob", "")] * 12
    for form in forms:
        found = told(verify_records(small.records, table(signed | {"record": form, "identity_id": others})))
        assert found == [("invalid", "other signer", None)] * 12
    stranger = Verifier(small.domain, KeyRing.pinned(others[0], small.key.public_key))
    for form in forms:
        found = told(verify_records(stranger, table(signed | {"record": form})))
        assert found == [("invalid", "unknown identity", None)] * 12


def test_a_record_without_its_key_finds_a_retired_one(small: Small) -> None:
    """The keys that the ring has for its identity are tried in turn; that one is retired is said of it, too."""
    log, keys = Operated(small.domain), [SigningKey.generate() for _ in range(3)]
    log.add(small.identity, keys[0])
    records = []
    for key in keys:
        if key is not keys[0]:
            log.rotate(small.identity, key)
        records.append(log.sign(small.identity, key, b"x"))
    checkpoint = log.checkpoint()
    proofs = [proof.to_json() for proof in log.proofs(checkpoint, records)]
    verifier = Verifier(small.domain, log.ring)
    retired = ("invalid", "retired key", None)
    for with_key in (True, False):
        columns: dict[str, list[Any]] = {
            "record": [record.to_bytes(with_key=with_key) for record in records],
            "identity_id": [small.identity] * 3,
            "content": ["x"] * 3,
            "place": proofs,
        }
        assert told(verify_records(verifier, table(columns))) == [retired, retired, VALID]
        placed = verify_records(verifier, table(columns), place="place", checkpoint=checkpoint)
        assert told(placed) == [VALID] * 3
        lies = [proofs[1], None, proofs[2].replace("example.org", "example.com")]
        found = told(verify_records(verifier, table(columns | {"place": lies}), place="place", checkpoint=checkpoint))
        assert [row[:2] for row in found] == [retired[:2], retired[:2], ("invalid", "place-foreign")]


def test_contents_are_identified(small: Small) -> None:
    columns: dict[str, list[Any]] = {
        "content": [b"a", b"", b"b", None, b"c" * 100_000],
        "creator": ["ana", "ana", "a::b", "ana", "ana"],
        "context": ["x", "", "x", "x", "y"],
    }
    found = told(identify(small.domain, table(columns, creator=pa.string_view()), threads=2))
    for row, (identity, error) in enumerate(found):
        arguments = [columns[name][row] for name in ("content", "creator", "context")]
        if arguments[0] is None:
            assert (identity, error) == (None, "content: null")
            continue
        try:
            expected = (small.domain.identity_id(*arguments), None)
        except dualseal.MalformedError as malformed:
            expected = (None, str(malformed))  # type: ignore[assignment]
        assert (identity, error) == expected
    assert [row[0] is None for row in found] == [False, False, True, True, False]


def test_columns_have_any_name_and_are_named_by_errors(small: Small, sealed: dict[str, list[Any]]) -> None:
    given = table(sealed).rename_columns(["id", "who", "what", "stamp"])
    named: dict[str, Any] = {"seal": "stamp", "payload": "what", "identity_id": "who"}
    assert verdicts(verify_seals(small.seals, given, policy="layer_b", **named)) == ["valid"] * 20
    arrays = [given["who"], given["who"], given["what"], given["stamp"]]
    twice = pa.Table.from_arrays(arrays, names=["who", "who", "what", "stamp"])
    cases = [
        (given, named | {"payload": "text"}, "missing", "text"),
        (given, named | {"payload": "id"}, "type", "id"),
        (given, named | {"keep": ["nothing"]}, "missing", "nothing"),
        (twice, named, "twice", "who"),
        (given.append_column("verdict", given["id"]), named | {"keep": ["verdict"]}, "kept", "verdict"),
    ]
    for data, arguments, name, column in cases:
        with pytest.raises(ColumnError, match=f'"{column}"') as raised:
            verify_seals(small.seals, data, policy="layer_b", **arguments)
        assert (raised.value.name, raised.value.column) == (name, column)
        assert isinstance(raised.value, (dualseal.DualsealError, ValueError))
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        verify_seals(small.seals, [sealed], policy="layer_b")  # type: ignore[arg-type]
    with pytest.raises(dualseal.MalformedError):
        verify_seals(small.seals, given, policy="layer_b", threads=0, **named)


def test_nothing_is_read_before_it_is_asked_for(small: Small, sealed: dict[str, list[Any]]) -> None:
    batch = table(sealed).to_batches()[0]
    produced: list[int] = []

    def endless() -> Any:
        while True:
            produced.append(1)
            yield batch

    stream = verify_seals(small.seals, pa.RecordBatchReader.from_batches(batch.schema, endless()), policy="layer_b")
    assert not produced
    reader = pa.RecordBatchReader.from_stream(stream)
    for number in range(1, 50):
        assert reader.read_next_batch().num_rows == 20
        assert len(produced) == number


def test_the_interpreter_is_free_while_rows_are_verified(small: Small, sealed: dict[str, list[Any]]) -> None:
    """A consumer that holds it, as one by ctypes would, does not keep others from running."""
    big = pa.concat_tables([table(sealed)] * 200).combine_chunks()
    turns = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal turns
        while not ended.is_set():
            turns += 1
            time.sleep(0.0005)

    counting = threading.Thread(target=count)
    stream = verify_seals(small.seals, big, policy="layer_b", threads=1)
    from c_stream import read_holding_the_interpreter  # noqa: PLC0415

    counting.start()
    try:
        before = turns
        rows = read_holding_the_interpreter(stream)
        during = turns - before
    finally:
        ended.set()
        counting.join()
    assert rows == 4000
    assert during >= 5, during


def test_a_small_cache_is_warned_of(small: Small) -> None:
    keys = [SigningKey.generate() for _ in range(3)]
    ids = [small.domain.identity_id(b"", f"{number}", "") for number in range(3)]
    log = Operated(small.domain)
    rows: dict[str, list[Any]] = {"identity_id": [], "payload": [], "seal": []}
    for identity, key in zip(ids, keys, strict=True):
        log.add(identity, key)
    for _ in range(3):
        for identity, key in zip(ids, keys, strict=True):
            rows["identity_id"].append(identity)
            rows["payload"].append(b"x")
            rows["seal"].append(str(dualseal.Sealer(small.domain, identity, small.seal_key, key).seal(b"x")))
    verifier = SealVerifier(small.domain, log.ring, cache_bytes=50_000)
    given = pa.concat_tables([table(rows)] * 3)
    with pytest.warns(dualseal.KeyCacheWarning):
        assert verdicts(verify_seals(verifier, given, policy="layer_b", threads=1)) == ["valid"] * 27


def test_a_domain_of_another_name_verifies_nothing(small: Small, sealed: dict[str, list[Any]]) -> None:
    verifier = SealVerifier(Domain("OTHER"), small.ring)
    stream: ColumnStream = verify_seals(verifier, table(sealed), policy="layer_b")
    assert told(stream) == [("invalid", "signature", None)] * 20
