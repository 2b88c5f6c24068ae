"""The Arrow C stream interface by ctypes: a consumer that holds the interpreter, and a producer that lies."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, PYFUNCTYPE, Structure, byref, c_char_p, c_int, c_int64, c_void_p, cast, pointer
from typing import Any, ClassVar


class CSchema(Structure):
    pass


class CArray(Structure):
    pass


class CStream(Structure):
    pass


SCHEMA_RELEASE, ARRAY_RELEASE = PYFUNCTYPE(None, POINTER(CSchema)), PYFUNCTYPE(None, POINTER(CArray))
STREAM_RELEASE = PYFUNCTYPE(None, POINTER(CStream))
GET_SCHEMA = PYFUNCTYPE(c_int, POINTER(CStream), POINTER(CSchema))
GET_NEXT = PYFUNCTYPE(c_int, POINTER(CStream), POINTER(CArray))
GET_ERROR = PYFUNCTYPE(c_void_p, POINTER(CStream))

CSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(CSchema))),
    ("dictionary", POINTER(CSchema)),
    ("release", SCHEMA_RELEASE),
    ("private_data", c_void_p),
]
CArray._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(CArray))),
    ("dictionary", POINTER(CArray)),
    ("release", ARRAY_RELEASE),
    ("private_data", c_void_p),
]
CStream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_ERROR),
    ("release", STREAM_RELEASE),
    ("private_data", c_void_p),
]

POINTER_OF = ctypes.pythonapi.PyCapsule_GetPointer
POINTER_OF.restype, POINTER_OF.argtypes = c_void_p, [ctypes.py_object, c_char_p]
CAPSULE = ctypes.pythonapi.PyCapsule_New
CAPSULE.restype, CAPSULE.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]


def read_holding_the_interpreter(data: Any) -> int:
    """The number of rows of a stream, whose functions are called as ctypes.PyDLL calls them: with the lock."""
    capsule = data.__arrow_c_stream__()
    stream = cast(POINTER_OF(capsule, b"arrow_array_stream"), POINTER(CStream))
    rows = 0
    while True:
        array = CArray()
        assert stream.contents.get_next(stream, byref(array)) == 0
        if not array.release:
            return rows
        rows += array.length
        array.release(byref(array))


def error_of(data: Any) -> tuple[int, str]:
    """The number and the text of the error that a stream's first batch is."""
    capsule = data.__arrow_c_stream__()
    stream = cast(POINTER_OF(capsule, b"arrow_array_stream"), POINTER(CStream))
    array = CArray()
    status = stream.contents.get_next(stream, byref(array))
    assert status != 0, "the batch was taken"
    text = ctypes.string_at(stream.contents.get_last_error(stream)).decode()
    # What failed has ended.
    assert stream.contents.get_next(stream, byref(array)) == 0 and not array.release
    return status, text


class Column:
    """A column as its producer says it is: what of its array is said may be anything."""

    def __init__(
        self,
        name: str,
        form: str,
        buffers: list[bytes | None],
        length: int,
        *,
        null_count: int = 0,
        offset: int = 0,
        dictionary: Column | None = None,
        shift: int = 0,
    ) -> None:
        self.schema = CSchema(form.encode(), name.encode(), None, 2)
        # Behind so many bytes, which are none of theirs.
        shifted = [None if data is None else bytes(shift) + data for data in buffers]
        kept = [None if data is None else ctypes.create_string_buffer(data, len(data)) for data in shifted]
        addresses = [None if data is None else ctypes.addressof(data) + shift for data in kept]
        self.buffers = (c_void_p * max(len(kept), 1))(*addresses)
        self.array = CArray(length, null_count, offset, len(kept), 0, cast(self.buffers, POINTER(c_void_p)))
        if dictionary is not None:
            self.schema.dictionary = pointer(dictionary.schema)
            self.array.dictionary = pointer(dictionary.array)
        self.held = (kept, dictionary)


class Producer:
    """A stream of one batch. All that is released is the mark in each struct: what it is made of is Python's."""

    alive: ClassVar[list[object]] = []

    def __init__(
        self,
        columns: list[Column],
        length: int,
        *,
        arrays: list[Column] | None = None,
        next_status: Callable[[], int] = lambda: 0,
        error: bytes | None = None,
        form: bytes = b"+s",
    ) -> None:
        arrays = columns if arrays is None else arrays
        self.columns, self.arrays, self.length, self.form = columns, arrays, length, form
        self.next_status, self.error, self.given = next_status, error, False
        self.schemas = (POINTER(CSchema) * len(columns))(*[pointer(column.schema) for column in columns])
        self.children = (POINTER(CArray) * len(arrays))(*[pointer(column.array) for column in arrays])
        self.no_buffer = (c_void_p * 1)(None)
        self.text = None if error is None else ctypes.create_string_buffer(error)
        released = [SCHEMA_RELEASE(self.released), ARRAY_RELEASE(self.released)]
        for column in {*columns, *arrays}:
            column.schema.release, column.array.release = released
        self.callbacks = (
            GET_SCHEMA(self.get_schema),
            GET_NEXT(self.get_next),
            GET_ERROR(lambda _: None if self.text is None else ctypes.addressof(self.text)),
            STREAM_RELEASE(self.released),
        )
        self.release = released
        self.stream = CStream(*self.callbacks)
        # What C has pointers to outlives every test.
        self.alive.append(self)

    @staticmethod
    def released(struct: Any) -> None:
        struct.contents.release = type(struct.contents.release)()

    def get_schema(self, _: Any, out: Any) -> int:
        children = cast(self.schemas, POINTER(POINTER(CSchema)))
        out[0] = CSchema(self.form, b"", None, 0, len(self.columns), children, None, self.release[0])
        return 0

    def get_next(self, _: Any, out: Any) -> int:
        status = self.next_status()
        if status:
            return status
        children = cast(self.children, POINTER(POINTER(CArray)))
        release = ARRAY_RELEASE() if self.given else self.release[1]
        buffers = cast(self.no_buffer, POINTER(c_void_p))
        out[0] = CArray(self.length, 0, 0, 1, len(self.arrays), buffers, children, None, release)
        self.given = True
        return 0

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return CAPSULE(ctypes.addressof(self.stream), b"arrow_array_stream", None)
