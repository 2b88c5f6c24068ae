"""How much one address may ask for: the length of a body, and how often. Each process counts by itself."""

from __future__ import annotations

import ipaddress
import re
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from .middleware import address_of

Handler = Callable[[HttpRequest], HttpResponse]
MOST_BYTES = 64 << 10
# A form beside the file.
UPLOAD_BYTES = settings.UPLOAD_MOST_BYTES + (1 << 20)
UPLOADS = re.compile(r"/(hr|de|en)/izdavatelj/(novi|[0-9]+/uredi)/")
LOGINS = re.compile(r"/((hr|de|en)/izdavatelj/prijava|admin/login)/")
# What is typeset or written down for whoever asks costs as much as so many pages. An answer is sealed once a document.
COSTLY, COST = re.compile(r"/(hr|de|en)/(obnova/|ponuda/[^/]+/(potvrda\.pdf|dokazi\.zip))"), 5
# Of seconds at the rate, which somebody may ask for at once.
BURST = 6


class Buckets:
    """For each key a bucket of tokens that fills by itself. Of keys that nobody used for longest, nothing is kept."""

    def __init__(self, most: int = 20_000) -> None:
        self._lock, self._most = threading.Lock(), most
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable, rate: float, burst: float, cost: float = 1) -> float:
        """Takes tokens; the seconds until there are enough, where there are not, and else 0."""
        now = monotonic()
        with self._lock:
            left, then = self._left.pop(key, (burst, now))
            left = min(burst, left + (now - then) * rate)
            wait = 0.0 if left >= cost else (cost - left) / rate
            self._left[key] = (left if wait else left - cost, now)
            if len(self._left) > self._most:
                self._left.popitem(last=False)
        return wait


_buckets = Buckets()


def bounded(handler: Handler) -> Handler:
    """A body beyond its length is refused by its header, before anybody reads a byte of it."""

    def handle(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        most = UPLOAD_BYTES if UPLOADS.fullmatch(request.path_info) else MOST_BYTES
        if not (length.isascii() and length.isdigit()) or int(length) > most:
            return HttpResponse(f"at most {most} bytes\n", status=413, content_type="text/plain")
        return handler(request)

    return handle


def limited(handler: Handler) -> Handler:
    """Who asks too often waits (429); who guesses passwords, for longer."""

    def handle(request: HttpRequest) -> HttpResponse:
        wait = _wait(request)
        if not wait:
            return handler(request)
        refused = HttpResponse("too often\n", status=429, content_type="text/plain")
        refused["Retry-After"] = str(int(wait) + 1)
        return refused

    return handle


def _wait(request: HttpRequest) -> float:
    address = ipaddress.ip_address(address_of(request))
    # Whoever has one address of the sixth version has a network of them.
    network = address if address.version == 4 else ipaddress.ip_network((address, 64), strict=False)
    cost = COST if COSTLY.fullmatch(request.path_info) else 1
    wait = _buckets.take(network, settings.RATE, settings.RATE * BURST, cost) if settings.RATE else 0.0
    if not wait and request.method == "POST" and LOGINS.fullmatch(request.path_info):
        per_minute = settings.LOGINS_A_MINUTE
        # As the login itself reads it.
        name = unicodedata.normalize("NFKC", request.POST.get("username", "")[:500]).strip().casefold()
        wait = _buckets.take((network, name), per_minute / 60, per_minute)
        wait = wait or _buckets.take((network, None), per_minute / 10, per_minute * 6)
    return wait
