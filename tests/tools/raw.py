#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""raw.py INTERFACE COUNT HEX...: send frames as they are through AF_PACKET

A frame begins with the 20-byte link-layer address of who is to get it, then 2 bytes
of ethertype and 2 of nothing. Exit status 1, and how many the kernel took: it refused
some.
"""
import socket
import sys

sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
sock.bind((sys.argv[1], 0))
sent = refused = 0
for _ in range(int(sys.argv[2])):
    for frame in sys.argv[3:]:
        try:
            sock.send(bytes.fromhex(frame.replace(":", "")))
            sent += 1
        except OSError:
            refused += 1
if refused:
    print(sent)
    sys.exit(1)
