"""Serving an ASGI application on a socket of this machine."""

import contextlib
import socket
from typing import TYPE_CHECKING

import click

from models.errors import BioglotError

if TYPE_CHECKING:
    from starlette.types import ASGIApp


class AddressError(BioglotError):
    """The server cannot listen where it was told to."""


def bind(host: str, port: int) -> socket.socket:
    """A socket bound to the address, port 0 for any free one; raises AddressError."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with contextlib.ExitStack() as closing:
            bound = closing.enter_context(socket.socket(family, kind, protocol))
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            closing.pop_all()
            return bound
    except OSError as error:
        raise AddressError(
            f"cannot listen on {host} port {port}: {error.strerror}; "
            "choose another address with --host or --port, or stop what runs there"
        ) from None


def url_of(bound: socket.socket) -> str:
    """The address to type into a browser on this machine."""
    host, port = bound.getsockname()[:2]
    if host in ("127.0.0.1", "0.0.0.0", "::1", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def listen(app: "ASGIApp", bound: socket.socket, what: str) -> None:
    """Serves until interrupted; says on standard error where, once it answers. Requests are not logged."""
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            click.echo(f"{what} {url_of(bound)} (stop with Ctrl-C)", err=True)

    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    with bound, contextlib.suppress(KeyboardInterrupt):
        Server(config).run(sockets=[bound])
