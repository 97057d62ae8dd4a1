"""The numbers and structures that this package hands to the kernel, compared with its headers.

A wrong number could leave a player without isolation. Those of ARM are in the kernel's generic
headers, which every machine has.
"""

import ctypes
import errno
import os
import shutil
import struct
import subprocess

import pytest

from ludograph.arena.ladder.folder import FLOCK
from ludograph.hosting import channel, crash_report
from ludograph.hosting.sandbox import landlock, mounts, privileges, seccomp, syscalls
from ludograph.players.isolation import Level

HEADERS = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/fs.h>
#include <linux/ioprio.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <linux/filter.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
"""

GENERIC_HEADERS = """
#define __ARCH_WANT_SYS_CLONE3
#include <asm-generic/unistd.h>
#include <asm-generic/fcntl.h>
#include <linux/fcntl.h>
#include <asm-generic/ioctls.h>
#include <asm-generic/mman.h>
#include <asm-generic/signal.h>
#include <asm-generic/socket.h>
#include <asm-generic/sockios.h>
#include <linux/mman.h>
#include <linux/prctl.h>
int printf(const char *, ...);
"""

BY_MACHINE = {
    "SYS_clone3": syscalls.CLONE3,
    "SYS_mount_setattr": syscalls.MOUNT_SETATTR,
    "SYS_landlock_create_ruleset": syscalls.LANDLOCK_CREATE_RULESET,
    "SYS_landlock_add_rule": syscalls.LANDLOCK_ADD_RULE,
    "SYS_landlock_restrict_self": syscalls.LANDLOCK_RESTRICT_SELF,
    "MAP_SHARED | MAP_ANONYMOUS": seccomp.SHARED_ANONYMOUS,
    "MAP_HUGETLB": seccomp.MAP_HUGETLB,
    "SO_TIMESTAMPNS_OLD": channel.SO_TIMESTAMPNS,
    "SA_ONSTACK": crash_report.SA_ONSTACK,
    **{name: code for call in seccomp.COMMANDS.values() for name, code in call.listed.items()},
}
"""Numbers that some machines have of their own, by expressions of C."""

NUMBERS = {
    "SECCOMP_RET_ALLOW": seccomp.ALLOW,
    "SECCOMP_RET_KILL": seccomp.KILL,
    "SECCOMP_RET_ERRNO": seccomp.REFUSE,
    "SECCOMP_MODE_FILTER": seccomp.MODE_FILTER,
    "BPF_LD | BPF_W | BPF_ABS": seccomp.LOAD,
    "BPF_ALU | BPF_AND | BPF_K": seccomp.AND,
    "BPF_JMP | BPF_JEQ | BPF_K": seccomp.EQUAL,
    "BPF_JMP | BPF_JGE | BPF_K": seccomp.AT_LEAST,
    "BPF_RET | BPF_K": seccomp.RETURN,
    "LANDLOCK_ACCESS_FS_EXECUTE": landlock.EXECUTE,
    "LANDLOCK_ACCESS_FS_WRITE_FILE": landlock.WRITE,
    "LANDLOCK_ACCESS_FS_READ_FILE": landlock.READ,
    "LANDLOCK_ACCESS_FS_READ_DIR": landlock.READ_FOLDER,
    "LANDLOCK_RULE_PATH_BENEATH": landlock.BELOW_PATH,
    "_LINUX_CAPABILITY_VERSION_3": privileges.CAPABILITIES_VERSION,
    "CAP_DAC_READ_SEARCH": privileges.CAP_DAC_READ_SEARCH,
    "SECBIT_NO_SETUID_FIXUP": privileges.SECBIT_NO_SETUID_FIXUP,
    "AT_FDCWD": mounts.AT_FDCWD,
    "AT_RECURSIVE": mounts.AT_RECURSIVE,
    "CLOSE_RANGE_UNSHARE": seccomp.CLOSE_RANGE_UNSHARE,
    "POSIX_FADV_DONTNEED": seccomp.FADV_DONTNEED,
    "PRIO_PROCESS": seccomp.PROCESS_ONLY["setpriority"],
    "IOPRIO_WHO_PROCESS": seccomp.PROCESS_ONLY["ioprio_set"],
    **{name: value for name, value in vars(mounts).items() if name.startswith("MS_")},
    **{name: value for name, value in vars(syscalls).items() if name.startswith(("CLONE_", "PR_"))},
}

SIZES = {
    "struct clone_args": syscalls.ARGUMENTS.size,
    "struct mount_attr": mounts.ATTRIBUTES.size,
    "struct landlock_path_beneath_attr": landlock.RULE.size,
    "struct sock_fprog": ctypes.sizeof(seccomp._Program),
    "struct sock_filter": struct.calcsize(seccomp.INSTRUCTION),
    "struct timespec": channel.TIMESPEC.size,
    "struct sigaction": ctypes.sizeof(crash_report._Action),
    "stack_t": ctypes.sizeof(crash_report._Stack),
    "struct flock": struct.calcsize(FLOCK),
}

OFFSETS = {
    "struct clone_args, cgroup": syscalls.ARGUMENTS.size - 8,
    "struct landlock_path_beneath_attr, parent_fd": 8,
    "struct sock_fprog, filter": seccomp._Program.instructions.offset,
    "struct seccomp_data, nr": seccomp.NUMBER,
    "struct seccomp_data, arch": seccomp.PROCESSOR,
    "struct seccomp_data, args": seccomp.ARGUMENTS,
    "struct sigaction, sa_mask": crash_report._Action.mask.offset,
    "struct sigaction, sa_flags": crash_report._Action.flags.offset,
    "stack_t, ss_flags": crash_report._Stack.flags.offset,
    "stack_t, ss_size": crash_report._Stack.size.offset,
    "struct flock, l_start": 8,
    "struct flock, l_pid": 24,
}


@pytest.fixture
def evaluate(tmp_path):
    """Return the values of expressions of C, as a program prints them."""
    if shutil.which("gcc") is None:
        pytest.skip("unavoidable: no C compiler")

    def values(headers, expressions):
        prints = "".join(f'printf("%lld\\n", (long long)({each}));' for each in expressions)
        source, program = tmp_path / "print.c", tmp_path / "print"
        source.write_text(f"{headers}\nint main(void) {{ {prints} return 0; }}\n")
        subprocess.run(["gcc", source, "-o", program], check=True)
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        return dict(zip(expressions, map(int, printed.split()), strict=True))

    return values


def test_numbers_and_structures_are_those_of_the_headers(evaluate):
    expected = {
        **BY_MACHINE,
        **NUMBERS,
        **{f"sizeof({kind})": size for kind, size in SIZES.items()},
        **{f"offsetof({place})": offset for place, offset in OFFSETS.items()},
    }
    assert evaluate(HEADERS, expected) == expected


def test_they_are_the_same_on_arm(evaluate):
    expected = {name.replace("SYS_", "__NR_"): value for name, value in BY_MACHINE.items()}
    assert evaluate(GENERIC_HEADERS, expected) == expected


NUMBER_OR_NONE = """
#ifdef SYS_{0}
#define NUMBER_OF_{0} SYS_{0}
#else
#define NUMBER_OF_{0} -1
#endif
"""


@pytest.mark.parametrize("level", [Level.STRICT, Level.BASIC])
def test_each_refused_call_fails_by_its_number_in_the_headers(level, evaluate):
    """The filter has the numbers from libseccomp; a machine lacks some of the calls."""
    errors = {name: error for error, names in seccomp.REFUSED.items() for name in names.split()}
    changes = 0 if level is Level.STRICT else errno.EPERM
    errors |= dict.fromkeys(seccomp.CHANGES_OF_FILES.split(), changes)
    headers = HEADERS + "".join(map(NUMBER_OR_NONE.format, errors))
    numbers = evaluate(headers, [f"NUMBER_OF_{name}" for name in errors])
    known = {
        name: number
        for name, number in zip(errors, numbers.values(), strict=True)
        if number >= 0 and seccomp_knows(name)
    }
    assert len(known) > 80
    assert errors_of(known, level) == {name: errors[name] for name in known}


def seccomp_knows(name):
    """Tell whether libseccomp is new enough for a call: otherwise the filter lets it pass."""
    library = ctypes.CDLL(seccomp.LIBRARY)
    return library.seccomp_syscall_resolve_name(name.encode()) != -1


def test_calls_that_nobody_has_read_about_do_not_exist():
    """Among them are ``fchmodat2``, ``setxattrat``, ``file_setattr``, and those to come."""
    later = [*range(seccomp.NEWEST + 1, seccomp.NEWEST + 60), 1 << 12, 1 << 30 | 90]
    found = errors_of({number: number for number in later}, Level.STRICT)
    assert found == dict.fromkeys(later, errno.ENOSYS)


@pytest.mark.parametrize("call", seccomp.COMMANDS)
def test_only_listed_commands_exist(call, evaluate):
    """Whatever a caller writes into the upper half of the command, which the kernel ignores."""
    (number,) = evaluate(HEADERS, [f"SYS_{call}"]).values()
    argument, error, listed = seccomp.COMMANDS[call]
    tried = {*range(2000), *range(0x5400, 0x5480), *(1 << bit for bit in range(32)), *OTHERS}
    halves = [(upper, one) for upper in (0, 1, 0xFFFFFFFF) for one in tried | {*listed.values()}]
    commands = {half: half[0] << 32 | half[1] for half in halves}
    found = errors_of(dict.fromkeys(halves, number), Level.STRICT, argument, commands)
    refused = {half[1] for half in halves if found[half] == error}
    assert refused == tried - {*listed.values()}
    assert len({found[upper, one] for upper in (0, 1) for one in refused}) == 1


@pytest.mark.parametrize("call", ["sendto", "preadv2"])
def test_both_halves_of_an_argument_are_compared(call, evaluate):
    """An address may have a lower half of zeros."""
    (number,) = evaluate(HEADERS, [f"SYS_{call}"]).values()
    values = {value: value for value in (0, 1, 1 << 32, 1 << 32 | 1)}
    argument = {"sendto": 4, "preadv2": 5}[call]
    found = errors_of(dict.fromkeys(values, number), Level.STRICT, argument, values)
    refusal = {"sendto": errno.EPERM, "preadv2": errno.EOPNOTSUPP}[call]
    assert {value for value in values if found[value] == refusal} == {*values} - {0}


def test_no_file_is_emptied_where_landlock_knows_no_truncation(evaluate):
    """Before Linux 6.2; it refuses to open files for writing, but not with the access mode 3."""
    (number,) = evaluate(HEADERS, ["SYS_openat"]).values()
    emptying = {os.O_TRUNC, os.O_ACCMODE, os.O_ACCMODE | os.O_TRUNC}
    flags = emptying | {os.O_RDONLY, os.O_RDWR, os.O_WRONLY | os.O_TRUNC}
    found = errors_of(dict.fromkeys(flags, number), Level.BASIC, 2, {one: one for one in flags})
    assert {one for one in flags if found[one] == errno.EPERM} == emptying


@pytest.mark.parametrize("level", [Level.STRICT, Level.BASIC])
def test_no_process_is_started_in_namespaces_of_its_own(level, evaluate):
    """Otherwise it would have all rights in there, as with ``unshare``."""
    (number,) = evaluate(HEADERS, ["SYS_clone"]).values()
    kinds = [value for name, value in vars(syscalls).items() if name.startswith("CLONE_NEW")]
    wrong = 0x800  # CLONE_SIGHAND without CLONE_VM: the kernel itself refuses to start it
    flags = {kind: kind | wrong for kind in (0, *kinds)}
    found = errors_of(dict.fromkeys(flags, number), level, 0, flags)
    assert found == {0: errno.EINVAL} | dict.fromkeys(kinds, errno.EPERM)


OTHERS = (0x6628, 0x8901, 0x8902, 0x40086602, 0x401C5820, 0x40049409, 0xC020660B)
"""``EXT4_IOC_CLEAR_ES_CACHE``, ``FIOSETOWN``, ``SIOCSPGRP``, ``FS_IOC_SETFLAGS``,
``FS_IOC_FSSETXATTR``, ``FICLONE``, ``FS_IOC_FIEMAP``."""


def errors_of(numbers, level, argument=0, commands=None):
    """Return the errors of calls without a valid argument, in a process with the filter.

    Parameters
    ----------
    argument, commands
        The index of one argument, and its value in each call; the others are 0 before index 2.
    """
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
            seccomp.install(seccomp.program(level))
            for which, number in numbers.items():
                ctypes.set_errno(0)
                given = [ctypes.c_long(-1)] * 6
                if commands is not None:
                    given[:2] = [ctypes.c_long(-1 if argument < 2 else 0)] * 2
                    given[argument] = ctypes.c_long(commands[which])
                failed = syscalls.LIBC.syscall(ctypes.c_long(number), *given) == -1
                os.write(write_end, b"%d " % (ctypes.get_errno() if failed else 0))
        finally:
            os._exit(0)
    os.close(write_end)
    with open(read_end, "rb") as file:
        printed = file.read().split()
    os.waitpid(child, 0)
    return dict(zip(numbers, map(int, printed), strict=True))
