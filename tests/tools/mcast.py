#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""mcast.py receive GROUP INTERFACE PORT FILE: append datagrams to FILE
mcast.py send GROUP INTERFACE PORT TEXT

For IPv6 groups; what socat would do if it took the name of an interface there.
"""
import socket
import struct
import sys

verb, group, interface, port = sys.argv[1:5]
index = socket.if_nametoindex(interface)
sock = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
if verb == "send":
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
    sock.sendto(sys.argv[5].encode() + b"\n", (group, int(port)))
else:
    sock.bind(("::", int(port)))
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP,
                    socket.inet_pton(socket.AF_INET6, group) +
                    struct.pack("@I", index))
    while True:
        data = sock.recv(65536)
        with open(sys.argv[5], "ab") as out:
            out.write(data)
