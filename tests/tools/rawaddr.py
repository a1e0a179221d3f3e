#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""rawaddr.py INTERFACE SIZE ADDRESS...: send SIZE bytes as IPv4 through AF_PACKET, to
addresses of any length in hex, which the kernel puts into the header

Prints of each whether it was sent or refused. Python itself knows no address of more than 8 bytes.
"""
import ctypes
import errno
import os
import socket
import struct
import sys

interface, size = sys.argv[1], int(sys.argv[2])
libc = ctypes.CDLL(None, use_errno=True)
sock = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM)
for address in map(bytes.fromhex, sys.argv[3:]):
    # struct sockaddr_ll, with the address that long
    name = struct.pack("=HHiHBB", socket.AF_PACKET, socket.htons(0x0800),
                       socket.if_nametoindex(interface), 0, 0, len(address)) + address
    sent = libc.sendto(sock.fileno(), bytes(size), size, 0, name, len(name))
    if sent == size:
        print("sent")
    elif sent < 0 and ctypes.get_errno() == errno.EINVAL:
        print("refused")
    else:
        sys.exit("sendto: %d, %s" % (sent, os.strerror(ctypes.get_errno())))
