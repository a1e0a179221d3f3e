#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""stream.py udp|tcp receive ADDRESS PORT
   stream.py udp|tcp send ADDRESS PORT PER-SECOND

A stream of numbered messages, 100 bytes each, until told to end (SIGINT or
SIGTERM). Then the sender prints how many it sent, and the receiver the number of
the last that came, how many before it did not, and for how long at most nothing
came:

    sent=5004
    last=5003 lost=0 gap_ms=12

Every byte is checked. A datagram that comes twice or out of order is said to be
one too few or too many, which is an error.
"""
import signal
import socket
import struct
import sys
import time

SIZE = 100
# Messages that are sent at each turn: a wake-up for each would be too much to emulate.
TURN = 0.005


def message(number):
    return struct.pack("!Q", number) + bytes((number + i) & 0xff for i in range(SIZE - 8))


class Ended(Exception):
    pass


def end(*_):
    raise Ended


class Tally:
    def __init__(self):
        self.first = self.next = None
        self.received = 0
        self.gap = 0.0
        self.last = time.monotonic()

    def take(self, data):
        number = struct.unpack("!Q", data[:8])[0]
        if data != message(number):
            sys.exit("message %d is damaged" % number)
        if self.first is None:
            self.first = number
            self.last = time.monotonic()
        elif number < self.next:
            sys.exit("message %d comes twice or late, after %d" % (number, self.next - 1))
        now = time.monotonic()
        self.gap = max(self.gap, now - self.last)
        self.last = now
        self.next = number + 1
        self.received += 1

    def report(self):
        if self.first is None:
            sys.exit("nothing came")
        print("last=%d lost=%d gap_ms=%d" %
              (self.next - 1, self.next - self.first - self.received, self.gap * 1000))


def receive(sock, stream):
    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    tally = Tally()
    try:
        if stream:
            sock.listen()
            sock = sock.accept()[0]
            data = b""
            while True:
                more = sock.recv(65536)
                if not more:
                    # The sender is done; whether all has come, the gap tells.
                    signal.pause()
                data += more
                while len(data) >= SIZE:
                    tally.take(data[:SIZE])
                    data = data[SIZE:]
        else:
            # Force: more than net.core.rmem_max
            sock.setsockopt(socket.SOL_SOCKET, 33, 1 << 22)
            while True:
                tally.take(sock.recv(65536))
    except Ended:
        pass
    tally.report()


def send(sock, address, rate):
    ended = []
    # Not as an exception: it could come between a message and its being counted.
    signal.signal(signal.SIGINT, lambda *_: ended.append(1))
    signal.signal(signal.SIGTERM, lambda *_: ended.append(1))
    sock.connect(address)
    begin = time.monotonic()
    number = 0
    while not ended:
        while number < (time.monotonic() - begin) * rate and not ended:
            try:
                sock.send(message(number))
            except OSError as error:
                # A datagram that the host would not take is lost like any other.
                if sock.type != socket.SOCK_DGRAM:
                    sys.exit("send: %s" % error)
            number += 1
        time.sleep(max(TURN, 1 / rate))
    print("sent=%d" % number)


def main():
    kind, role, host, port = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET,
                         socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM)
    if role == "receive":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        receive(sock, kind == "tcp")
    else:
        send(sock, (host, port), int(sys.argv[5]))


main()
