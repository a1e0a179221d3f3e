# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# make help prints what there is. Kbuild has the list of objects.

KVERS := 6.1 6.12 7.3

# Which kernel to build for: KVER= one that tests/vm fetches, or else KDIR=.
KVER ?=
REL := $(shell uname -r)
KDIR ?= /lib/modules/$(REL)/build
# The release those headers are of; a running kernel without headers has its own.
KREL := $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h 2>/dev/null),$(REL))

INSTALL_MOD_PATH ?=
UPDATES = $(INSTALL_MOD_PATH)/lib/modules/$(KREL)/updates

VM := tests/vm
NEED := $(VM)/need

# What make test understands; tests/run says what each does.
export T DRIVER KERNEL WITHIN SMP GUESTS MODULE VERBOSE
# ... and make test-debug besides.
export KCSAN RT

.DEFAULT_GOAL := all
.PHONY: all install uninstall demo test test-debug compare check list clean help FORCE

ifeq ($(KVER),)
all: build/$(KREL)/ib_ipoib.ko
	@echo $<

build/$(KREL)/ib_ipoib.ko: FORCE
	@$(NEED) gcc=gcc make=make
	@[ -e $(KDIR)/Makefile ] || \
		{ [ '$(origin KDIR)' = file ] && $(NEED) $(KDIR)/Makefile=linux-headers-$(REL); } || \
		{ echo 'no kernel headers in $(KDIR): give KDIR=, or KVER= one of $(KVERS)'; exit 1; }
	@$(VM)/build $(realpath $(KDIR)) build/$(KREL) driver
else ifeq ($(KVER),all)
all:
	@for v in $(KVERS); do $(VM)/build $$v build/$$v || exit; done
else
all:
	@$(VM)/build $(KVER) build/$(KVER)
	@echo build/$(KVER)/ib_ipoib.ko build/$(KVER)/sib.ko
endif

# modprobe looks in updates/ before the kernel's own directory.
install: build/$(KREL)/ib_ipoib.ko
	@$(NEED) depmod=kmod
	install -D -m 644 $< $(UPDATES)/ib_ipoib.ko
	depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $(KREL)

uninstall:
	@$(NEED) depmod=kmod
	rm -f $(UPDATES)/ib_ipoib.ko
	depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $(KREL)

demo:
	@tests/demo

test:
	@tests/run

test-debug:
	@tests/debug/run

compare:
	@tests/compare

check:
	@tests/check $(KVERS)

list:
	@tests/run --list

# The fetched kernels and roots are kept elsewhere: see tests/vm/common.sh.
clean:
	rm -rf build

help:
	@echo 'make                 build/REL/ib_ipoib.ko for the running kernel, or for KDIR=headers'
	@echo 'make KVER=6.1        driver and test fabric for a Debian kernel: $(KVERS) all'
	@echo 'make install         put it under /lib/modules/REL/updates, for modprobe to prefer'
	@echo 'make uninstall       remove it from there'
	@echo 'make demo            two hosts of a virtual machine ping and use TCP over the driver'
	@echo 'make test            run the test suite in a virtual machine; knobs:'
	@echo '    T=GLOB           only cases of that name; separate several by blanks'
	@echo '    DRIVER=stock     with the driver of the kernel instead (ours)'
	@echo '    KERNEL=6.1       $(KVERS) latest all'
	@echo '    WITHIN=120       only cases that have no more than two minutes to end'
	@echo '    SMP=2            with that many processors (1)'
	@echo '    GUESTS=1         one virtual machine for a kernel, not one for each processor'
	@echo '    MODULE=path.ko   another build of ib_ipoib'
	@echo '    VERBOSE=1        show what cases print'
	@echo 'make test-debug      run it on a kernel that finds mistakes; knobs: those above, and'
	@echo '    KCSAN=1 RT=1     with KCSAN, with PREEMPT_RT (KASAN, lockdep, kmemleak ...)'
	@echo 'make compare         figures of our driver beside those of the kernel'"'"'s; knobs as for test'
	@echo 'make list            the cases and what each shows'
	@echo 'make check           W=1, sparse, checkpatch --strict, shellcheck'
	@echo 'make clean           remove build/'

FORCE:
