"""Makes names below .localhost mean this machine, as RFC 6761 section 6.3 says; not every system resolver does."""

import socket

_getaddrinfo = socket.getaddrinfo


def _on_loopback(host, *rest, **named):
    name = host.decode() if isinstance(host, bytes) else host
    return _getaddrinfo("127.0.0.1" if name and name.endswith(".localhost") else host, *rest, **named)


socket.getaddrinfo = _on_loopback
