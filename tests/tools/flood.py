#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""flood.py PORT ADDRESS...: small datagrams to all addresses in turn, without end; to each
by a socket of its own, so that one whose peer takes nothing does not hold up the others
"""
import socket
import sys

port = int(sys.argv[1])
socks = []
for address in sys.argv[2:]:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.connect((address, port))
    socks.append(sock)
while True:
    for sock in socks:
        try:
            sock.send(b"\n", socket.MSG_DONTWAIT)
        except (BlockingIOError, ConnectionRefusedError):
            pass
