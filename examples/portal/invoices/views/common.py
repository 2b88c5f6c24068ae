"""What views of clients and of issuers share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse

View = Callable[..., HttpResponseBase]


def attached(content: bytes | Iterator[str], name: str, kind: str) -> HttpResponseBase:
    """A file to keep, whole or as it is made."""
    of = HttpResponse if isinstance(content, bytes) else StreamingHttpResponse
    return of(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
