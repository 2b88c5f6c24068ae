"""A second implementation of the byte formats in docs/FORMAT.md.

It shares no code with the library: hashes and MACs come from hashlib and hmac, ML-DSA-65 from pyca/cryptography. Each
module restates one part of that page; where both implementations agree, the page says enough.
"""
