"""Secret sharing (FORMAT.md section 13) with Python's integers: two fields, dealing, rebuilding, the `ssss` form."""

from __future__ import annotations

import abc
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import primitives
from .domain import Domain
from .encodings import FormatError, hex_text, integer


class Field(abc.ABC):
    """Elements are integers; in the binary field their bits are coefficients."""

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.size = size

    @abc.abstractmethod
    def add(self, a: int, b: int) -> int: ...

    @abc.abstractmethod
    def subtract(self, a: int, b: int) -> int: ...

    @abc.abstractmethod
    def multiply(self, a: int, b: int) -> int: ...

    @abc.abstractmethod
    def invert(self, a: int) -> int: ...

    @abc.abstractmethod
    def check(self, a: int) -> int: ...

    def encode(self, a: int) -> bytes:
        return a.to_bytes(self.size, "big")

    def decode(self, text: object) -> int:
        return self.check(int(hex_text(text, 2 * self.size, "vrijednost_hex"), 16))


class Prime(Field):
    MODULUS = 2**521 - 1

    def __init__(self) -> None:
        super().__init__("SHAMIR-2^521-1", 66)

    def add(self, a: int, b: int) -> int:
        return (a + b) % self.MODULUS

    def subtract(self, a: int, b: int) -> int:
        return (a - b) % self.MODULUS

    def multiply(self, a: int, b: int) -> int:
        return a * b % self.MODULUS

    def invert(self, a: int) -> int:
        return pow(a, -1, self.MODULUS)

    def check(self, a: int) -> int:
        if a >= self.MODULUS:
            raise FormatError("a value of p or more")
        return a


class Binary(Field):
    MODULUS = 1 << 256 | 1 << 10 | 1 << 5 | 1 << 2 | 1

    def __init__(self) -> None:
        super().__init__("SHAMIR-GF(2^256)", 32)

    def add(self, a: int, b: int) -> int:
        return a ^ b

    def subtract(self, a: int, b: int) -> int:
        return a ^ b

    def multiply(self, a: int, b: int) -> int:
        product = 0
        while b:
            if b & 1:
                product ^= a
            b >>= 1
            a <<= 1
            if a >> 256:
                a ^= self.MODULUS
        return product

    def invert(self, a: int) -> int:
        """Euclid, on polynomials."""
        old, new, old_factor, new_factor = self.MODULUS, a, 0, 1
        while new:
            while old.bit_length() >= new.bit_length():
                shift = old.bit_length() - new.bit_length()
                old ^= new << shift
                old_factor ^= new_factor << shift
            old, new, old_factor, new_factor = new, old, new_factor, old_factor
        return old_factor

    def check(self, a: int) -> int:
        return a


PRIME, BINARY = Prime(), Binary()


def threshold(k: object, n: object) -> tuple[int, int]:
    n = integer(n, "n", 2)
    k = integer(k, "k", 2)
    if n > 255 or k > n:
        raise FormatError("2 <= k <= n <= 255")
    return k, n


def deal(field: Field, coefficients: Sequence[int], n: int) -> dict[int, int]:
    """Shares of coefficients[0], by the powers of the index."""
    shares = {}
    for index in range(1, n + 1):
        power, total = 1, 0
        for coefficient in coefficients:
            total = field.add(total, field.multiply(coefficient, power))
            power = field.multiply(power, index)
        shares[index] = total
    return shares


def interpolate(field: Field, shares: dict[int, int], at: int = 0) -> int:
    """Lagrange, as it is written in textbooks."""
    total = 0
    for i, value in shares.items():
        above, below = 1, 1
        for j in shares:
            if j != i:
                above = field.multiply(above, field.subtract(at, j))
                below = field.multiply(below, field.subtract(i, j))
        total = field.add(total, field.multiply(value, field.multiply(above, field.invert(below))))
    return total


def nearest(field: Field, k: int, shares: dict[int, int]) -> tuple[int, list[int]] | None:
    """The secret and the outliers, found by trying every k shares; for small sets."""
    most = (len(shares) - k) // 2
    for chosen in itertools.combinations(shares, k):
        points = {index: shares[index] for index in chosen}
        outliers = [index for index, value in shares.items() if interpolate(field, points, index) != value]
        if len(outliers) <= most:
            return interpolate(field, points), sorted(outliers)
    return None


def anchor(domain: Domain, field: Field, dealing_id: str, secret: int) -> str:
    row = domain["shard"]
    text = f"{row.prefix}::{row.labels['ANCHOR']}::{dealing_id}::{row.suffix}"
    return primitives.h5(text.encode(), field.encode(secret))


def commitment(domain: Domain, field: Field, split_id: str, index: int, value: int) -> str:
    row = domain["shard"]
    text = f"{row.prefix}::{row.labels['VALUE']}::{split_id}::{index}::{row.suffix}"
    return primitives.h5(text.encode(), field.encode(value))


DEALING = frozenset({"algoritam", "dealing_id", "javni_sidro", "k", "n", "split_id", "udio_sidra"})


def parse_dealing(record: Any, field: Field) -> dict[str, Any]:
    if not isinstance(record, dict) or set(record) != DEALING:
        raise FormatError("a dealing has exactly its members")
    if record["algoritam"] != field.name:
        raise FormatError("algoritam")
    for name, length in (("dealing_id", 64), ("split_id", 64), ("javni_sidro", 128)):
        hex_text(record[name], length, name)
    _, n = threshold(record["k"], record["n"])
    if not isinstance(record["udio_sidra"], list) or len(record["udio_sidra"]) != n:
        raise FormatError("udio_sidra")
    for item in record["udio_sidra"]:
        hex_text(item, 128, "udio_sidra")
    return record


def dealing(
    domain: Domain, field: Field, dealing_id: str, split_id: str, coefficients: Sequence[int], n: int
) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """What a dealer publishes of coefficients[0], and the shares as their holders get them."""
    shares = deal(field, coefficients, n)
    record = {
        "algoritam": field.name,
        "dealing_id": dealing_id,
        "javni_sidro": anchor(domain, field, dealing_id, coefficients[0]),
        "k": len(coefficients),
        "n": n,
        "split_id": split_id,
        "udio_sidra": [commitment(domain, field, split_id, index, value) for index, value in shares.items()],
    }
    return record, [(index, field.encode(value).hex()) for index, value in shares.items()]


class Refused(Exception):
    """No secret: why, and the culprits."""

    def __init__(self, problem: str, culprits: list[int]) -> None:
        super().__init__(problem, culprits)
        self.problem = problem
        self.culprits = culprits


def reconstruct(
    domain: Domain, field: Field, record: dict[str, Any], shares: Iterable[tuple[int, int]]
) -> tuple[int, list[int], list[int]]:
    """The dealer's secret, the culprits and the misdealt, or `Refused`."""
    good, bad = {}, set()
    for index, value in shares:
        committed = record["udio_sidra"][index - 1] if 1 <= index <= record["n"] else None
        if commitment(domain, field, record["split_id"], index, value) == committed:
            good[index] = value
        else:
            bad.add(index)
    culprits = sorted(bad - set(good))
    if len(good) < record["k"]:
        raise Refused("too few", culprits)
    found = agree(
        field, record["k"], good,
        lambda secret: anchor(domain, field, record["dealing_id"], secret) == record["javni_sidro"],
    )  # fmt: skip
    if found is None:
        raise Refused("dealer", culprits)
    return found[0], culprits, found[1]


def agree(
    field: Field, k: int, good: dict[int, int], is_secret: Callable[[int], bool]
) -> tuple[int, list[int]] | None:
    """The committed secret from shares that hold, and those that are not on its polynomial."""
    first = {index: good[index] for index in sorted(good)[:k]}
    secret = interpolate(field, first)
    if is_secret(secret):
        return secret, []
    found = nearest(field, k, good)
    return found if found is not None and is_secret(found[0]) else None


def ssss_text(k: int, n: int, index: int, value: int) -> str:
    for_ssss = value ^ ssss_term(k, index)
    return f"{index:0{len(str(n))}}-{for_ssss:064x}"


def ssss_term(k: int, index: int) -> int:
    term = 1
    for _ in range(k):
        term = BINARY.multiply(term, index)
    return term
