#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""mad.py HCA COMMAND...: what an SM and its clients say, through /dev/infiniband/umad*

alias LID GUID   ask the SA to give the port at LID another GUID, at index 1 (section
                 15.2.5.18, GUIDInfoRecord)
churn LID N      N times: write the port's GUID at index 7 and ask its clients to
                 register again, as an SM may do (sections 14.2.5.5 and 14.2.5.6)

Exit status 1, and why, if a request is not answered or is refused.
"""
import fcntl
import glob
import os
import struct
import sys

REGISTER, ENABLE_PKEY = 0xC01C1B01, 0x1B03  # IB_USER_MAD_*, of <rdma/ib_user_mad.h>
GET, SET = 1, 2
SUBN_LID, SUBN_ADM = (1, 1), (3, 2)  # class and its version
GUID_INFO, PORT_INFO, GUID_INFO_RECORD = 0x14, 0x15, 0x30


class Port:
    """The first port of an HCA, from which MADs of one class are sent."""

    def __init__(self, hca, mgmt_class):
        self.hca, self.mgmt_class = hca, mgmt_class
        for name in glob.glob("/sys/class/infiniband_mad/umad*"):
            if open(name + "/ibdev").read().strip() == hca:
                self.fd = os.open("/dev/infiniband/" + os.path.basename(name), os.O_RDWR)
                break
        else:
            sys.exit(f"no umad device of {hca}")
        fcntl.ioctl(self.fd, ENABLE_PKEY)
        smi = mgmt_class == SUBN_LID
        req = bytearray(struct.pack("=I16s7Bx", 0, b"", not smi, *mgmt_class, 0, 0, 0, 0))
        fcntl.ioctl(self.fd, REGISTER, req)
        self.agent = struct.unpack_from("=I", req)[0]
        self.qpn, self.qkey = (0, 0) if smi else (1, 0x80010000)
        self.tid = 0

    def ask(self, lid, method, attr, mod, body):
        """Returns the answer's body, what is behind the common header."""
        self.tid += 1
        mad = struct.pack(">4B2HQ2HI", 1, *self.mgmt_class, method, 0, 0, self.tid, attr, 0, mod)
        mad += body.ljust(232, b"\0")
        header = struct.pack("=5I", self.agent, 0, 5000, 3, len(mad))
        header += struct.pack(">2IH", self.qpn, self.qkey, lid).ljust(44, b"\0")
        os.write(self.fd, header + mad)
        answer = os.read(self.fd, 320)
        (lost,) = struct.unpack_from("=I", answer, 4)
        if lost:
            sys.exit(f"no answer from LID {lid} to attribute {attr:#x}: {os.strerror(lost)}")
        (status,) = struct.unpack_from(">H", answer, 64 + 4)
        if status:
            sys.exit(f"LID {lid} refuses attribute {attr:#x}: status {status:#06x}")
        return answer[64 + 24 :]


def sm_lid(hca):
    return int(open(f"/sys/class/infiniband/{hca}/ports/1/sm_lid").read(), 16)


def alias(hca, lid, guid):
    # Behind RMPP header and SM_Key: offset, what the mask says is given, and the record
    given = 1 << 0 | 1 << 1 | 1 << 5  # LID, BlockNum, the second GUID
    record = struct.pack(">HB5x2Q", lid, 0, 0, guid)
    body = bytes(20) + struct.pack(">2HQ", 0, 0, given) + record
    answer = Port(hca, SUBN_ADM).ask(sm_lid(hca), SET, GUID_INFO_RECORD, 0, body)
    (got,) = struct.unpack_from(">Q", answer, 32 + 16)
    if got != guid:
        sys.exit(f"the SA assigns {got:#018x} instead")


def churn(hca, lid, count):
    port = Port(hca, SUBN_LID)
    for i in range(count):
        info = bytearray(port.ask(lid, GET, PORT_INFO, 1, b""))
        # Behind M_Key and 32 bytes of nothing; no state is asked for.
        info[40 + 32] &= 0xF0
        info[40 + 33] &= 0x0F
        info[40 + 51] |= 0x80  # ClientReregister
        guids = bytearray(port.ask(lid, GET, GUID_INFO, 0, b""))
        struct.pack_into(">Q", guids, 40 + 7 * 8, i + 1)
        port.ask(lid, SET, PORT_INFO, 1, bytes(info))
        port.ask(lid, SET, GUID_INFO, 0, bytes(guids))


hca, command, *rest = sys.argv[1:]
{"alias": alias, "churn": churn}[command](hca, *(int(word, 0) for word in rest))
