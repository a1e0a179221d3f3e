#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# a port goes down and comes back: the carrier follows, and a connection lives on
# TIME: 60

# shellcheck source=tests/lib.sh
. /work/tests/lib.sh
# shellcheck source=tests/tools/ipoib.sh
. /work/tests/tools/ipoib.sh

hosts 3
rm -f /tmp/link-pipe
at_exit rm -f /tmp/link-pipe /tmp/link-got
# A connection from h0 to h1, of which more is said after the link came back.
mkfifo /tmp/link-pipe
exec {pipe}<>/tmp/link-pipe
spawn on h1 socat -u TCP-LISTEN:7777 OPEN:/tmp/link-got,creat
wait_for 5 listening h1 7777
spawn on h0 socat -u OPEN:/tmp/link-pipe,rdonly TCP:10.0.0.2:7777
got() { [ "$(cat /tmp/link-got)" = "$1" ]; }
echo before >&"$pipe"
wait_for 10 got before

link_down sib1
wait_for 5 no_carrier h1
check carrier h0
refuse pings h0 10.0.0.2
check pings h0 10.0.0.3
echo meanwhile >&"$pipe"

link_up sib1
wait_active sib1
wait_carrier h1
wait_for 10 pings h0 10.0.0.2
echo after >&"$pipe"
wait_for 20 got $'before\nmeanwhile\nafter'
