"""What stands before every request: limits, headers and where it may come from."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 1_000_000
DRAINED_BYTES = 10 * MAX_BODY_BYTES
"""How much of a body that is refused is still read, so that its sender sees why."""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
)


class BodyTooLarge(HTTPException):
    """A request's body is over the limit; an HTTPException, since FastAPI turns others into a 400."""

    def __init__(self, limit: int) -> None:
        super().__init__(413, f"the body is larger than {limit:,} bytes, which is the limit")


@dataclass(frozen=True, slots=True)
class Guard:
    """ASGI middleware: refuses large bodies and web sockets from other sites, and adds security headers."""

    app: ASGIApp
    max_body_bytes: int = MAX_BODY_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not same_origin(scope):
            await send({"type": "websocket.close", "code": 1008, "reason": "opened by another site"})
        elif scope["type"] == "http":
            await self._guard_request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _guard_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.max_body_bytes:
                await drain(receive, DRAINED_BYTES)
                raise BodyTooLarge(self.max_body_bytes)
            return message

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        if content_length(scope) > self.max_body_bytes:
            await drain(receive, DRAINED_BYTES)
            await self._refuse()(scope, receive, with_headers)
        else:
            await self.app(scope, counted, with_headers)

    def _refuse(self) -> JSONResponse:
        detail = {"type": "BodyTooLarge", "message": BodyTooLarge(self.max_body_bytes).detail}
        return JSONResponse({"error": detail}, status_code=413)


async def drain(receive: Receive, most: int) -> None:
    """Read and drop what is left of a body, at most so many bytes.

    A client that is still sending when the connection closes gets a reset in place of the answer.
    """
    taken = 0
    while taken < most:
        message = await receive()
        taken += len(message.get("body", b""))
        if not message.get("more_body", False):
            return


def content_length(scope: Scope) -> int:
    """The length that the request declares, 0 if it does not."""
    value = header(scope, b"content-length")
    return int(value) if value.isdigit() else 0


def same_origin(scope: Scope) -> bool:
    """Whether the page that connects comes from this server, or it is a program, which sends no origin."""
    origin = header(scope, b"origin")
    return not origin or urlsplit(origin).netloc.lower() == header(scope, b"host").lower()


def header(scope: Scope, name: bytes) -> str:
    """The first header of that name, "" if there is none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
