#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""burst.py ADDRESS PORT SIZE COUNT TIMES: TIMES writes that the stack cuts into COUNT
datagrams of SIZE bytes each (UDP_SEGMENT), which thus come to the driver at once
"""
import socket
import sys
import time

UDP_SEGMENT = 103

address, port, size, count, times = sys.argv[1], *map(int, sys.argv[2:])
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, size)
for _ in range(times):
    sock.sendto(bytes(size * count), (address, port))
    time.sleep(0.02)
