#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""udp.py wait|start OWN-ADDRESS PEER-ADDRESS COUNT [SIZE [WINDOW]]

Sends COUNT datagrams to a peer that does the same, and expects the peer's: all
of them, in order, once, with the right content. SIZE is the largest; sizes vary
if it is not given. At most WINDOW more are sent than were received, so that no
socket buffer overflows: what is lost, the network lost. The one told to wait is
to be there first, and begins when it hears from the other.
"""
import os
import socket
import sys

PORT = 6000
SIZES = (12, 13, 100, 184, 185, 500, 1024, 1400, 1990)
BODY = bytes(i & 0xff for i in range(65536 + 256))


def payload(sender, number, size):
    """What that datagram of that sender has to contain."""
    head = b"%s %5d " % (sender.encode(), number)
    return head + BODY[number & 0xff:][:size - len(head)]


def main():
    role, own, peer, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    size = int(sys.argv[5]) if len(sys.argv) > 5 else None
    window = int(sys.argv[6]) if len(sys.argv) > 6 else 32
    other = "start" if role == "wait" else "wait"

    sock = socket.socket(socket.AF_INET6 if ":" in own else socket.AF_INET,
                         socket.SOCK_DGRAM)
    # Force: more than net.core.rmem_max
    sock.setsockopt(socket.SOL_SOCKET, 33, 1 << 22)
    sock.bind((own, PORT))
    sock.connect((peer, PORT))

    limit = 10 * int(os.environ.get("SCALE", "2"))
    sock.settimeout(limit)

    sent = received = 0
    while sent < count or received < count:
        if sent < count and sent < received + window and \
                (role == "start" or received > 0):
            sock.send(payload(role, sent, size or SIZES[sent % len(SIZES)]))
            sent += 1
            continue
        try:
            data = sock.recv(65536)
        except socket.timeout:
            sys.exit("nothing from %s for %d s: sent %d, received %d of %d" %
                     (peer, limit, sent, received, count))
        want = payload(other, received, size or SIZES[received % len(SIZES)])
        if data != want:
            sys.exit("from %s: expected %d bytes %r..., saw %d bytes %r..." %
                     (peer, len(want), want[:16], len(data), data[:16]))
        received += 1
    print("%d sent, %d received in order" % (sent, received))


main()
