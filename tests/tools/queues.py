#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""queues.py INTERFACE [MODE]: what netlink (family netdev) says of its queues

A line for each queue, "TYPE NUMBER napi=ID NAME=VALUE ...", then one for the device.
Or sets the NAPIs that serve them to MODE: off, on (in threads) or poll (in threads that
poll all the time).
Exit status 2: the kernel has no such family, or not for this.
"""
import socket
import struct
import sys

NETLINK_GENERIC, GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 16, 16, 3
CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME = 1, 2
NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 1, 4, 0x300
NLMSG_ERROR, NLMSG_DONE = 2, 3
CMD_QUEUE_GET, CMD_QSTATS_GET, CMD_NAPI_SET = 10, 12, 14
MODES = {"off": 0, "on": 1, "poll": 2}
NAMES = {8: "rx-packets", 9: "rx-bytes", 10: "tx-packets", 11: "tx-bytes",
         12: "rx-alloc-fail"}
sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)


def attribute(kind, data):
    size = 4 + len(data)
    return struct.pack("HH", size, kind) + data + bytes(-size % 4)


def attributes(data):
    found = {}
    while len(data) >= 4:
        size, kind = struct.unpack_from("HH", data)
        found[kind & 0x3fff] = data[4:size]
        data = data[(size + 3) & ~3:]
    return found


def ask(family, command, flags, attrs):
    """The attributes of each answer."""
    sock.send(struct.pack("IHHII", 20 + len(attrs), family, NLM_F_REQUEST | flags, 1, 0)
              + struct.pack("BBH", command, 1, 0) + attrs)
    answers = []
    while True:
        data = sock.recv(65536)
        while data:
            size, kind = struct.unpack_from("IH", data)
            if kind in (NLMSG_ERROR, NLMSG_DONE):
                error = struct.unpack_from("i", data, 16)[0]
                if error:
                    print(f"netlink: error {-error}", file=sys.stderr)
                    sys.exit(2)
                return answers
            answers.append(attributes(data[20:size]))
            data = data[(size + 3) & ~3:]


def number(data):
    return int.from_bytes(data or b"", "little")


family = ask(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK,
             attribute(CTRL_ATTR_FAMILY_NAME, b"netdev\0"))[0]
family = number(family[CTRL_ATTR_FAMILY_ID])
index = struct.pack("I", socket.if_nametoindex(sys.argv[1]))

napis = {}
for queue in ask(family, CMD_QUEUE_GET, NLM_F_DUMP, attribute(2, index)):
    napis[number(queue.get(3)), number(queue.get(1))] = number(queue.get(4))


if len(sys.argv) > 2:
    mode = attribute(8, struct.pack("I", MODES[sys.argv[2]]))
    linked = set(napis.values()) - {0}
    if not linked:
        sys.exit("no NAPI is linked to a queue")
    for napi in sorted(linked):
        ask(family, CMD_NAPI_SET, NLM_F_ACK, attribute(2, struct.pack("I", napi)) + mode)
    sys.exit()


def numbers(stats):
    return " ".join(f"{name}={number(stats[kind])}" for kind, name in NAMES.items()
                    if kind in stats)


for stats in ask(family, CMD_QSTATS_GET, NLM_F_DUMP,
                 attribute(1, index) + attribute(4, struct.pack("I", 1))):
    which = number(stats.get(2)), number(stats.get(3))
    print("tx" if which[0] else "rx", which[1], f"napi={napis.get(which, 0)}", numbers(stats))
for stats in ask(family, CMD_QSTATS_GET, NLM_F_DUMP, attribute(1, index)):
    print("device", numbers(stats))
