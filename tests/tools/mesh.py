#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""mesh.py N SIZE SECONDS: every host sends every other one a datagram of SIZE bytes

Of the hosts h0 to hN-1 at 10.0.0.1 to 10.0.0.N. What has not arrived is sent
again each second. Ends when all have arrived, or after SECONDS with a line for
each pair that lacks one and status 1. Run outside of the hosts.
"""
import ctypes
import os
import select
import socket
import sys
import time

PORT = 6001
CLONE_NEWNET = 0x40000000


def sockets(number):
    """One of each host; a socket stays in the namespace that it was made in."""
    libc = ctypes.CDLL(None, use_errno=True)
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    found = []
    for host in range(number):
        fd = os.open("/run/netns/h%d" % host, os.O_RDONLY)
        if libc.setns(fd, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
        os.close(fd)
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        # Force: more than net.core.rmem_max
        sock.setsockopt(socket.SOL_SOCKET, 33, 1 << 23)
        sock.setblocking(False)
        sock.bind(("10.0.0.%d" % (host + 1), PORT))
        found.append(sock)
    libc.setns(own, CLONE_NEWNET)
    return found


def receive(socks, missing, until):
    poller = select.poll()
    hosts = {}
    for host, sock in enumerate(socks):
        poller.register(sock, select.POLLIN)
        hosts[sock.fileno()] = host
    while missing:
        ready = poller.poll(max(0, (until - time.monotonic()) * 1000))
        if not ready:
            return
        for fd, _ in ready:
            host = hosts[fd]
            data, sender = socks[host].recvfrom(65536)
            source = int(sender[0].split(".")[3]) - 1
            if data == payload(source, host, len(data)):
                missing.discard((source, host))


def payload(source, host, size):
    head = b"%d to %d " % (source, host)
    return head + bytes(size - len(head))


def main():
    number, size, seconds = (int(word) for word in sys.argv[1:4])
    socks = sockets(number)
    missing = {(a, b) for a in range(number) for b in range(number) if a != b}
    end = time.monotonic() + seconds
    while missing and time.monotonic() < end:
        for a, b in sorted(missing):
            try:
                socks[a].sendto(payload(a, b, size), ("10.0.0.%d" % (b + 1), PORT))
            except OSError:
                pass
            # What was sent lately is taken from time to time.
            if b % 16 == 0:
                receive(socks, missing, 0)
        receive(socks, missing, time.monotonic() + 1)
    for a, b in sorted(missing):
        print("nothing from h%d to h%d" % (a, b))
    return 1 if missing else 0


sys.exit(main())
