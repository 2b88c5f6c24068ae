"""Mail on this machine: a name server with keys of DKIM, a server that takes mail by STARTTLS, and Postfix, which hands
mail to the service through a pipe."""

from __future__ import annotations

import base64
import contextlib
import datetime
import ipaddress
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Any

import dkim
import dns.message
import dns.rrset
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

from . import process

SELECTOR = "s1"
SIGNED = ["from", "to", "subject", "date", "message-id"]


@dataclass
class Names:
    """A name server that knows texts, and nothing else."""

    port: int
    texts: dict[str, str] = field(default_factory=dict)

    def answer(self, wire: bytes) -> bytes:
        """What it says to a question."""
        question = dns.message.from_wire(wire)
        reply = dns.message.make_response(question)
        name = str(question.question[0].name).rstrip(".").lower()
        if name in self.texts:
            text = self.texts[name]
            parts = " ".join(f'"{text[at : at + 200]}"' for at in range(0, len(text), 200))
            reply.answer.append(dns.rrset.from_text(f"{name}.", 60, "IN", "TXT", parts))
        else:
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return reply.to_wire()


@contextlib.contextmanager
def names() -> Iterator[Names]:
    """A name server on loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(0.2)
        server, ends = Names(listening.getsockname()[1]), threading.Event()

        def serve() -> None:
            while not ends.is_set():
                try:
                    wire, peer = listening.recvfrom(4096)
                except TimeoutError:
                    continue
                listening.sendto(server.answer(wire), peer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server
        ends.set()
        thread.join()


@dataclass
class Domain:
    """A domain that signs its mail."""

    name: str
    key: rsa.RSAPrivateKey

    @classmethod
    def of(cls, name: str, server: Names) -> Domain:
        """With its key at the name server."""
        key = rsa.generate_private_key(65537, 2048)
        public = key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        server.texts[f"{SELECTOR}._domainkey.{name}"] = f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"
        return cls(name, key)

    def sign(self, raw: bytes, headers: list[str] | None = None, **options: Any) -> bytes:
        """A message with a signature."""
        pem = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
        include = [header.encode() for header in headers or SIGNED]
        made = dkim.sign(raw, SELECTOR.encode(), self.name.encode(), pem, include_headers=include, **options)
        return bytes(made) + raw


def letter(sender: str, text: str, subject: str = "", attached: tuple[str, bytes] | None = None) -> bytes:
    """A message as a program of mail writes it."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "fleet@trust.example", subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=sender.rsplit("@")[-1])
    message.set_content(text)
    if attached is not None:
        message.add_attachment(attached[1], maintype="application", subtype="pdf", filename=attached[0])
    return message.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


class Box:
    """Takes mail, and keeps it."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, str, bool]] = []
        # What it answers instead, to the first so many.
        self.refuses: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:
        """aiosmtpd asks here."""
        if self.refuses:
            return self.refuses.pop(0)
        text = envelope.content.decode(errors="replace")
        self.taken.append((envelope.rcpt_tos[0], text, session.ssl is not None))
        return "250 taken"


@dataclass
class MailServer:
    """One that wants STARTTLS."""

    box: Box
    port: int
    certificate: Path


@contextlib.contextmanager
def mail_server(folder: Path) -> Iterator[MailServer]:
    """A server on loopback, by a certificate of its own."""
    certificate, key = certified(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    box, [port] = Box(), process.free_ports(1)
    controller = Controller(
        box, hostname="127.0.0.1", port=port, tls_context=context, require_starttls=True, ready_timeout=20
    )
    controller.start()
    try:
        yield MailServer(box, port, folder / "root.pem")
    finally:
        controller.stop()


def certified(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost with that of whoever signed it, and its key."""
    root = rsa.generate_private_key(65537, 2048)
    key = rsa.generate_private_key(65537, 2048)
    signer, name = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)]) for text in ("tests", "localhost"))
    now = datetime.datetime.now(datetime.UTC)

    def made(subject: x509.Name, of: rsa.RSAPrivateKey, is_root: bool) -> bytes:
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(signer)
            .public_key(of.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(days=2))
            .add_extension(x509.BasicConstraints(ca=is_root, path_length=None), critical=True)
        )
        if not is_root:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(root, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    certificate, secret, trusted = folder / "mail.pem", folder / "mail.key", folder / "root.pem"
    certificate.write_bytes(made(name, key, is_root=False))
    trusted.write_bytes(made(signer, root, is_root=True))
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    secret.write_bytes(pem)
    return certificate, secret


@contextlib.contextmanager
def postfix(folder: Path, row: str) -> Iterator[int]:
    """Postfix with folders of its own, which hands every message over by a row of its master.cf, `trustd`; its port."""
    assert process.is_root(), "Postfix begins as root"
    [port] = process.free_ports(1)
    etc, queue, data = folder / "etc", folder / "queue", folder / "lib"
    for one in (etc, queue, data):
        one.mkdir(parents=True)
    shutil.chown(data, "postfix")
    (etc / "main.cf").write_text(
        "\n".join(
            [
                f"compatibility_level = 3.6\nqueue_directory = {queue}\ndata_directory = {data}",
                "mail_owner = postfix\nsetgid_group = postdrop\ninet_interfaces = 127.0.0.1\ninet_protocols = ipv4",
                "myhostname = mail.trust.example\nmydestination =\nlocal_recipient_maps =\nalias_maps =",
                "virtual_mailbox_domains = trust.example\nvirtual_transport = trustd:\nmynetworks = 127.0.0.0/8",
                "smtpd_recipient_restrictions = permit_mynetworks, reject\nmaillog_file = /dev/stdout",
                "trustd_destination_recipient_limit = 1\nminimal_backoff_time = 2s\nmaximal_backoff_time = 4s",
                "queue_run_delay = 2s\nsmtputf8_enable = no\nsmtpd_tls_security_level = none",
                "",
            ]
        )
    )
    (etc / "master.cf").write_text(
        f"{port} inet n - n - - smtpd\n"
        "pickup unix n - n 60 1 pickup\ncleanup unix n - n - 0 cleanup\nqmgr unix n - n 300 1 qmgr\n"
        "rewrite unix - - n - - trivial-rewrite\nbounce unix - - n - 0 bounce\ndefer unix - - n - 0 bounce\n"
        "trace unix - - n - 0 bounce\nverify unix - - n - 1 verify\nerror unix - - n - - error\n"
        "retry unix - - n - - error\ndiscard unix - - n - - discard\nsmtp unix - - n - - smtp\n"
        "anvil unix - - n - 1 anvil\npostlog unix-dgram n - n - 1 postlogd\n"
        f"{row}\n"
    )
    log = folder / "postfix.log"
    running = process.start(["/usr/sbin/postfix", "-c", str(etc), "start-fg"], log)

    def ready() -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        return False

    try:
        process.wait_until(ready, running, log, 30)
        yield port
    finally:
        subprocess.run(["/usr/sbin/postfix", "-c", str(etc), "stop"], capture_output=True, check=False)
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(10)
        if running.poll() is None:
            running.kill()
