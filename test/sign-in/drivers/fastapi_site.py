"""The route of the block, as an ASGI server calls the application."""
import asyncio
import os
import sys
from base64 import b64encode
from json import dumps

from itsdangerous import TimestampSigner

sys.path.insert(0, os.getcwd())

from main import app


async def ask(user):
    cookie = TimestampSigner(os.environ["SECRET_KEY"]).sign(b64encode(dumps({"user": user}).encode()))
    messages = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        messages.append(message)

    headers = [(b"cookie", b"session=" + cookie)] if user else []
    scope = {"type": "http", "method": "GET", "path": "/clip-session", "query_string": b"", "headers": headers}
    await app(scope, receive, send)
    start, *rest = messages
    cache = dict(start["headers"]).get(b"cache-control", b"").decode()
    print(start["status"], f"[{cache}]", b"".join(one.get("body", b"") for one in rest).decode())


for user in sys.argv[1:]:
    asyncio.run(ask(user))
