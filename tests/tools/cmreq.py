#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""cmreq.py LID FROM-LID GID FROM-GID QPN [SEED [COUNT]]: REQs of connections that nobody wants

Writes words for the fabric's "inject" (Documentation/fabric.rst), a line for each
of COUNT REQs to the IPoIB service of QPN at LID and GID. Their private data is
random bytes, with a Receive MTU of 0, of 2^31 and of all ones among them, and
every fifth comes twice. LIDs, GIDs (32 digits) and QPN are hexadecimal.
"""
import random
import struct
import sys


def bits(*fields):
    """Big-endian bytes of (value, width) fields, in order."""
    value = width = 0
    for v, w in fields:
        value, width = value << w | v, width + w
    return value.to_bytes(width // 8, "big")


def req(lid, slid, gid, sgid, qpn, number, private):
    """A MAD: InfiniBand Architecture, sections 13.4.2 and 12.6.5."""
    mad = struct.pack(">BBBBHHQHHI", 1, 7, 2, 3, 0, 0, 0xb0b00000 + number, 0x10, 0, 0)
    mad += struct.pack(">IIQQII", 0x70000000 + number, 0, 0x1000000000000000 | qpn,
                       0xbad0000000000000 + number, 0, 0)
    mad += bits((0x100 + number, 24), (0, 8), (0, 24), (0, 8))
    mad += bits((0, 24), (12, 5), (0, 2), (1, 1), (number, 24), (12, 5), (7, 3))
    mad += bits((0xffff, 16), (4, 4), (0, 1), (6, 3), (1, 4), (0, 1), (0, 3))
    mad += struct.pack(">HH", slid, lid) + sgid + gid
    mad += bits((0, 20), (0, 6), (7, 6), (0, 8), (0, 8), (0, 4), (1, 1), (0, 3), (14, 5), (0, 3))
    return mad + bytes(44) + private


def main():
    lid, slid, qpn = (int(sys.argv[i], 16) for i in (1, 2, 5))
    gid, sgid = (bytes.fromhex(sys.argv[i]) for i in (3, 4))
    rng = random.Random(sys.argv[6] if len(sys.argv) > 6 else None)
    count = int(sys.argv[7]) if len(sys.argv) > 7 else 20
    mtus = [0, 1 << 31, (1 << 32) - 1]
    for number in range(count):
        private = bytearray(rng.randbytes(92))
        if number < len(mtus):
            private[4:8] = mtus[number].to_bytes(4, "big")
        mad = req(lid, slid, gid, sgid, qpn, number, bytes(private))
        assert len(mad) == 256
        print("dlid=0x%x qpn=1 sqpn=1 qkey=0x80010000 count=%d hex=%s" %
              (lid, 2 if number % 5 == 0 else 1, mad.hex()))


main()
