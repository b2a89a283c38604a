"""Takes mail: from Dovecot on PLAIN without a password, from clients on STARTTLS and TLS with one.

relay.py FOLDER CERTIFICATE KEY PASSWORD LMTP PLAIN STARTTLS TLS

Every message becomes FOLDER/<number>.json. What is for @mail.test is delivered to Dovecot. Recipients that begin with
  nobody  are refused with 550, later with 451
  dropped  have their message taken, and the connection is closed without an answer
  spam  are accepted, and the message is refused with 554
"""
import asyncio
import base64
import itertools
import json
import logging
import os
import smtplib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

FOLDER, CERTIFICATE, KEY, PASSWORD, LMTP = sys.argv[1:6]
PLAIN, STARTTLS, TLS = map(int, sys.argv[6:9])
# It warns of what is meant: TLS that is there already.
logging.getLogger("mail.log").setLevel(logging.ERROR)
numbers = itertools.count(1)


class Keep:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody"):
            return "550 5.1.1 No such user"
        if address.startswith("later"):
            return "451 4.7.1 Try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if any(to.startswith("spam") for to in envelope.rcpt_tos):
            return "554 5.7.1 This looks like spam"
        sent = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "options": envelope.mail_options,
            "content": base64.b64encode(envelope.original_content).decode(),
        }
        path = f"{FOLDER}/{next(numbers):06}.json"
        with open(f"{path}.new", "w") as file:
            json.dump(sent, file)
        os.rename(f"{path}.new", path)
        local = [to for to in envelope.rcpt_tos if to.endswith("@mail.test")]
        if local:
            await asyncio.to_thread(deliver, envelope.mail_from, local, envelope.original_content)
        if any(to.startswith("dropped") for to in envelope.rcpt_tos):
            server.transport.abort()
        return "250 2.0.0 Taken"


def deliver(sender, to, content):
    with smtplib.LMTP(LMTP) as client:
        client.sendmail(sender or "", to, content)


def authenticate(server, session, envelope, mechanism, data):
    is_right = data.password.decode() == PASSWORD
    return AuthResult(success=is_right, handled=False, auth_data=data.login)


def make(**options):
    return SMTP(Keep(), hostname="mail.test", data_size_limit=30 * 1024 * 1024, enable_SMTPUTF8=True, **options)


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, KEY)
    known = {"authenticator": authenticate, "auth_required": True}
    loop = asyncio.get_running_loop()
    await loop.create_server(lambda: make(), "127.0.0.1", PLAIN)
    await loop.create_server(
        lambda: make(tls_context=context, require_starttls=True, **known), "127.0.0.1", STARTTLS
    )
    # TLS is there already: no STARTTLS has to come before the password.
    await loop.create_server(lambda: make(auth_require_tls=False, **known), "127.0.0.1", TLS, ssl=context)
    await asyncio.Event().wait()


asyncio.run(main())
