"""How public values are made again from a copy or a pickle."""

from __future__ import annotations

from typing import Any


def again(kind: Any, maker: str, written: Any) -> Any:
    """What this maker of a class makes of what a value was written as."""
    return getattr(kind, maker)(*written) if isinstance(written, tuple) else getattr(kind, maker)(written)


def domain(prefixes: dict[str, str], suffixes: dict[str, str], labels: dict[tuple[str, str], str]) -> Any:
    """The domain of these constants, which were those of one."""
    from dualseal import Domain  # noqa: PLC0415

    return Domain(prefixes=prefixes, suffixes=suffixes, labels=labels, legacy_shared_constants=True)


def quorum_result(json: str) -> Any:
    """A quorum's result with a signature."""
    from dualseal import ThresholdResult  # noqa: PLC0415

    return ThresholdResult.from_json(json).signed
