"""PDF files with attachments: by pikepdf, which shares nothing with the page, and by hand where that is too tidy."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence

import pikepdf


def attached(files: Sequence[tuple[str, bytes]], **options: bool) -> bytes:
    """A PDF as programs write it, compressed as far as PDF goes unless `options` say otherwise."""
    pdf = pikepdf.new()
    pdf.add_blank_page()
    for name, data in files:
        pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, data, filename=name)
    out = io.BytesIO()
    modes = pikepdf.ObjectStreamMode
    pdf.save(out, object_stream_mode=modes.generate if options.get("dense", True) else modes.disable)
    return out.getvalue()


def encrypted(files: Sequence[tuple[str, bytes]]) -> bytes:
    pdf = pikepdf.open(io.BytesIO(attached(files)))
    out = io.BytesIO()
    pdf.save(out, encryption=pikepdf.Encryption(owner="owner", user=""))
    return out.getvalue()


def stream(number: int, dictionary: str, data: bytes, end: bytes = b"\r\n") -> bytes:
    return f"{number} 0 obj\n<< {dictionary} >>\nstream".encode() + end + data + b"\nendstream\nendobj\n"


def by_hand(data: bytes, form: str) -> bytes:
    """One attachment as a rare writer may put it."""
    packed, kind = zlib.compress(data), "/Type /EmbeddedFile"
    bodies = {
        "plain": stream(4, f"{kind} /Length {len(data)}", data),
        "length elsewhere": stream(4, f"/Length 5 0 R {kind} /Filter [ /FlateDecode ]", packed, b"\n")
        + f"5 0 obj\n{len(packed)}\nendobj\n".encode(),
        "no length": stream(4, kind, data.replace(b"\n", b" ") + b"", b"\n"),
        "cut off": stream(4, f"{kind} /Length {len(packed)} /Filter /FlateDecode", packed)[:-200],
        "lies about its length": stream(4, f"{kind} /Length 99999999 /Filter /FlateDecode", packed),
        "not deflated": stream(4, f"{kind} /Length {len(data)} /Filter /FlateDecode", data),
        "rare filter": stream(4, f"{kind} /Length {len(data)} /Filter /LZWDecode", data),
    }
    return b"%PDF-1.7\n1 0 obj\n<< /Names << /EmbeddedFiles 2 0 R >> >>\nendobj\n" + bodies[form]


def bomb(size: int = 1 << 28) -> bytes:
    """Some 300 kB that would be 256 MiB."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()
    return b"%PDF-1.7\n" + stream(4, f"/Type /EmbeddedFile /Length {len(packed)} /Filter /FlateDecode", packed)
