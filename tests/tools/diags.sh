# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# What infiniband-diags have to say of a fabric; read after tests/tools/fabric.sh.

# LIDs and GUIDs by number of the HCA, as sysfs has them; without a process for each
diags_learn() { # N
	local k dir value
	for ((k = 0; k < $1; k++)); do
		dir=/sys/class/infiniband/sib$k
		read -r value <$dir/ports/1/lid
		LID[k]=$((value))
		read -r value <$dir/ports/1/gids/0
		value=${value//:/}
		PORT_GUID[k]=0x${value:16}
		read -r value <$dir/node_guid
		NODE_GUID[k]=0x${value//:/}
	done
	expect "different LIDs" "$1" "$(printf '%s\n' "${LID[@]}" | sort -u | wc -l)"
	SWITCH_LID=$(sed -n 's/^lid \([0-9]*\) .*/\1/p' "$SIB/switch_ports")
}
LID=() PORT_GUID=() NODE_GUID=() SWITCH_LID=''

# has WHAT TEXT OUTPUT: the text is in it, letter by letter
has() {
	[[ $3 == *"$2"* ]] || die "$1: expected '$2', saw: $3"
}

tool() { # COMMAND...: its output; it must succeed
	local output status=0
	output=$(timeout 60 "$@" 2>&1) || status=$?
	[ $status = 0 ] || die "status $status of $*: $output" >&2
	echo "$output"
}

diags_ibstat() { # N
	local k seen=0 line want
	while read -r line; do
		k=${line#CA \'sib} k=${k%%\'*}
		want="Node GUID: ${NODE_GUID[k]} .* State: Active Physical state: LinkUp Rate: 40"
		want+=" Base lid: ${LID[k]} LMC: 0 SM lid: ${LID[0]} .* Port GUID: ${PORT_GUID[k]}"
		want+=" Link layer: InfiniBand"
		expect_match "ibstat sib$k" "$want" "$line"
		seen=$((seen + 1))
	done < <(tool ibstat | awk '/^CA / && NR > 1 { printf "\n" } { $1 = $1; printf "%s ", $0 } END { print "" }')
	expect "HCAs of ibstat" "$1" $seen
}

diags_ibnetdiscover() { # N
	local k output want
	output=$(tool ibnetdiscover -C sib0)
	expect "HCAs of ibnetdiscover" "$1" "$(grep -c '^Ca' <<<"$output")"
	expect "switches of ibnetdiscover" 1 "$(grep -c '^Switch' <<<"$output")"
	for ((k = 0; k < $1; k++)); do
		want="[$((k + 1))]	\"H-${NODE_GUID[k]#0x}\"[1](${PORT_GUID[k]#0x00}) 		# \"sib$k\" lid ${LID[k]} 4xQDR"
		has ibnetdiscover "$want" "$output"
	done
}

diags_iblinkinfo() { # N
	local k output re
	output=$(tool iblinkinfo -C sib0 -l --switches-only | grep -v 'Down/')
	expect "links of iblinkinfo" "$1" "$(grep -c 'Active/  LinkUp' <<<"$output")"
	for ((k = 0; k < $1; k++)); do
		re=" $SWITCH_LID +$((k + 1))\[ *\] ==\( 4X +10\.0 Gbps Active/  LinkUp\)==> +${PORT_GUID[k]} +${LID[k]} +1\[ *\] \"sib$k\""
		expect_match iblinkinfo "$re" "$output"
	done
}

# switch_received PORT: packets, as the switch itself has counted them
switch_received() {
	sed -n "s/^$1 .* rcv=\([0-9]*\).*/\1/p" "$SIB/switch_ports"
}

# perfquery_says LID FIELD COMMAND...: what the command says before or after, or between,
# as others may be sending
perfquery_says() {
	local before output after
	before=$("${@:3}")
	output=$(tool perfquery -C sib0 "$1" 1)
	after=$("${@:3}")
	output=$(sed -n "s/^$2:\.*//p" <<<"$output")
	at_least "$2 of LID $1 by perfquery" "$before" "$output"
	at_most "$2 of LID $1 by perfquery" "$after" "$output"
}

diags_perfquery() { # N
	local k output
	for k in 0 1 $(($1 / 2)) $(($1 - 1)); do
		perfquery_says "${LID[k]}" PortXmitPkts port_counter sib$k port_xmit_packets
		perfquery_says "${LID[k]}" PortRcvPkts port_counter sib$k port_rcv_packets
	done
	perfquery_says "$SWITCH_LID" PortRcvPkts switch_received 1
	output=$(tool perfquery -C sib0 -x "$SWITCH_LID" "$1")
	expect_match "perfquery -x" "PortSelect:\.*$1"$'\n' "$output"
}

diags_saquery() { # N
	local k output
	output=$(tool saquery -C sib0 -N)
	expect "nodes of saquery" $(($1 + 1)) "$(grep -c '^NodeRecord' <<<"$output")"
	for ((k = 0; k < $1; k++)); do
		has saquery "port_guid...............${PORT_GUID[k]}"$'\n' "$output"
	done
	output=$(tool saquery -C sib0 -p --src-to-dst "${LID[0]}:${LID[$1 - 1]}")
	expect_match "path record" "dlid\.*${LID[$1 - 1]}"$'\n' "$output"
	expect_match "path record" "pkey\.*0xFFFF" "$output"
	# MTU 2048, 40 Gbit/s
	expect_match "path record" "mtu\.*0x84" "$output"
	expect_match "path record" "rate\.*0x87" "$output"
}

diags_smpquery() { # N
	local k output
	for k in 0 $(($1 - 1)); do
		output=$(tool smpquery -C sib0 nodeinfo "${LID[k]}")
		expect_match "smpquery nodeinfo" "NodeType:\.*Channel Adapter" "$output"
		expect_match "smpquery nodeinfo" "Guid:\.*${NODE_GUID[k]}" "$output"
		output=$(tool smpquery -C sib0 portinfo "${LID[k]}" 1)
		expect_match "smpquery portinfo" "LinkState:\.*Active" "$output"
		output=$(tool smpquery -C sib0 -D nodedesc "0,1,$((k + 1))")
		expect_match "smpquery nodedesc" "Node Description:\.*sib$k" "$output"
	done
	output=$(tool smpquery -C sib0 switchinfo "$SWITCH_LID")
	expect_match "smpquery switchinfo" "LinearFdbTop:\.*$(($1 + 1))"$'\n' "$output"
}

diags_ibtracert() { # N
	local output last=$(($1 - 1))
	output=$(tool ibtracert -C sib0 "${LID[0]}" "${LID[last]}")
	expect_match ibtracert "From ca \{${NODE_GUID[0]}\} portnum 1 lid ${LID[0]}-${LID[0]} \"sib0\"" "$output"
	expect_match ibtracert "\[1\] -> switch port \{[0-9a-fx]*\}\[1\] lid $SWITCH_LID-$SWITCH_LID" "$output"
	expect_match ibtracert "\[$1\] -> ca port \{${PORT_GUID[last]}\}\[1\] lid ${LID[last]}-${LID[last]} \"sib$last\"" "$output"
}

diags_others() { # N
	local output
	expect "ibhosts" "$1" "$(tool ibhosts -C sib0 | grep -c '^Ca')"
	expect "ibswitches" 1 "$(tool ibswitches -C sib0 | grep -c '^Switch')"
	expect_match sminfo "sm lid ${LID[0]} sm guid 0x0*${PORT_GUID[0]#0x00}, .* SMINFO_MASTER" \
		"$(tool sminfo -C sib0)"
	# What clients sent when they had a LID and the link was not Active yet.
	ibqueryerrors -C sib0 -k >/dev/null 2>&1 || true
	output=$(tool ibqueryerrors -C sib0)
	expect_match ibqueryerrors "$(($1 + 1)) nodes checked, 0 bad nodes found" "$output"
	# One error, and it has another opinion.
	knob sib0 faults/corrupt "next=1 qpn=$NOBODY"
	datagrams sib0 sib1 1
	output=$(ibqueryerrors -C sib0 2>&1) || true
	expect_match ibqueryerrors 'port 1: \[PortRcvErrors == 1\]' "$output"
}

# diags N: all of them, on a fabric of N HCAs
diags() {
	local tool
	fabric_alone hcas="$1"
	diags_learn "$1"
	for tool in ibstat ibnetdiscover iblinkinfo perfquery saquery smpquery ibtracert others; do
		"diags_$tool" "$1"
		echo "$tool is right"
	done
}
