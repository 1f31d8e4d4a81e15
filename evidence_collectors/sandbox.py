"""Give one process a copy-on-write view of the file system, so that a run harms no file.

Runs inside the child before the user's code, with the standard library only. Overlay mounts in a
private mount namespace cover every top-level folder that holds no further mounts; what the run
writes, renames or deletes there lands in a tmpfs that vanishes with it. What cannot be covered is
made read-only. Only the record folder stays real.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import sys

CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
MS_RDONLY = 0x1
MS_REMOUNT = 0x20
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
SIOCGIFFLAGS = 0x8913
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1

LEFT_ALONE = frozenset({"proc", "sys", "dev", "run", "lost+found"})
"""Top-level folders that hold devices, kernel state and sockets instead of the user's files."""

SHARED_TEMPORARY = "/tmp"  # noqa: S108 - covered, never written by us
"""Holds other programs' files too, so the view must cover it."""
MEMORY_SHARE = 4
"""The upper layers may take a quarter of the machine's memory (it is memory that they cost)."""


class SandboxUnavailable(OSError):
    """This machine does not allow the copy-on-write view; nothing of the user's was touched."""


def enter(mode: str, scratch: str, keep: str, project: str, network: bool = True) -> str:
    """Enter the view and return the mechanism's name: "overlay", or "none" if that was asked.

    `scratch` is an empty folder for the upper layers, `keep` the record folder, which stays real,
    `project` the script's folder. Call it while the process has one thread.

    Raises:
        SandboxUnavailable: namespaces or overlays are not allowed here, or `project`, the home
            folder or /tmp could not be covered. The process should then end: it may already be in
            a private namespace.
    """
    if mode == "none":
        return "none"
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable("mount namespaces exist on Linux only")
    here = os.getcwd()
    scratch, keep = os.path.realpath(scratch), os.path.realpath(keep)
    _Namespace(network).enter()
    _cover(scratch, keep, [os.path.realpath(path) for path in _must_cover(project)])
    os.chdir(here)
    return "overlay"


def _must_cover(project: str) -> list[str]:
    home = os.path.expanduser("~")
    return [path for path in (project, home, SHARED_TEMPORARY) if os.path.isdir(path)]


class _Namespace:
    """The private namespaces of one process."""

    def __init__(self, network: bool) -> None:
        self._network = network
        self._as_root = os.geteuid() == 0

    def enter(self) -> None:
        """Unshare, map the user's own ids, and stop mounts from spreading to the machine."""
        user, group = os.geteuid(), os.getegid()
        flags = CLONE_NEWNS | (0 if self._network else CLONE_NEWNET)
        try:
            _unshare(flags if self._as_root else flags | CLONE_NEWUSER)
        except SandboxUnavailable:
            if not self._as_root:
                raise
            self._as_root = False
            _unshare(flags | CLONE_NEWUSER)
        if not self._as_root:
            _write("/proc/self/setgroups", "deny")
            _write("/proc/self/uid_map", f"{user} {user} 1")
            _write("/proc/self/gid_map", f"{group} {group} 1")
        _mount(None, "/", None, MS_REC | MS_PRIVATE)
        if not self._network:
            _raise_loopback()


def _cover(scratch: str, keep: str, required: list[str]) -> None:
    mounts = _mount_points()
    covered, left = _plan(mounts, required)
    size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MEMORY_SHARE
    _mount("tmpfs", scratch, "tmpfs", 0, f"size={size},mode=700")
    os.chdir(scratch)
    keep_fd = os.open(keep, os.O_RDONLY | os.O_DIRECTORY)
    done: list[str] = []
    try:
        # The folder that holds `scratch` comes last: covering it hides the upper layers' names.
        for number, folder in enumerate(sorted(covered, key=lambda f: _inside(scratch, f))):
            if _overlay(folder, number):
                done.append(folder)
            else:
                left.append(folder)
        for number, path in enumerate(required, start=len(covered)):
            if not any(_inside(path, folder) for folder in done):
                raise SandboxUnavailable(f"no copy-on-write view over {path}")
            if not _takes_files(path) and not (_overlay(path, number) and _takes_files(path)):
                raise SandboxUnavailable(f"the copy-on-write view over {path} takes no files")
        _mount(f"/proc/self/fd/{keep_fd}", keep, None, MS_BIND)
        _protect(left)
    finally:
        os.close(keep_fd)


def _overlay(folder: str, number: int) -> bool:
    """Lay an overlay over one folder; the current folder is the scratch tmpfs."""
    upper, work = f"upper{number}", f"work{number}"
    os.mkdir(upper)
    os.mkdir(work)
    status = os.stat(folder)
    with contextlib.suppress(OSError):  # an id that is not mapped here: the root shows our own
        os.chown(upper, status.st_uid, status.st_gid)
    os.chmod(upper, status.st_mode & 0o7777)
    lower = folder.replace("\\", "\\\\").replace(":", "\\:").replace(",", "\\,")
    for extra in (",userxattr", ""):
        try:
            options = f"lowerdir={lower},upperdir={upper},workdir={work}{extra}"
            _mount("overlay", folder, "overlay", 0, options)
        except SandboxUnavailable:
            continue
        return True
    return False


def _takes_files(folder: str) -> bool:
    """Whether the view lets a file be made where the user may make one.

    It does not where a parent folder belongs to an id that is not mapped here: an overlay of the
    folder itself then does.
    """
    if not os.access(folder, os.W_OK):
        return True
    probe = os.path.join(folder, f".diagnoser-{os.getpid()}")
    try:
        os.close(os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(probe)
    except OSError:
        return False
    return True


def _protect(left: list[str]) -> None:
    """Make what could not be covered read-only, where the kernel lets us."""
    for folder in ["/", *left]:
        try:
            if folder != "/":
                _mount(folder, folder, None, MS_BIND | MS_REC)
            _mount(None, folder, None, MS_REMOUNT | MS_BIND | MS_RDONLY)
        except SandboxUnavailable:
            continue


def _plan(mounts: list[str], required: list[str]) -> tuple[list[str], list[str]]:
    """Folders to cover, and folders that cannot be covered as they hold further mounts."""
    covered: list[str] = []
    left: list[str] = []

    def visit(folder: str) -> None:
        held = [mount for mount in mounts if mount != folder and _inside(mount, folder)]
        if not held:
            covered.append(folder)
            return
        wanted = [path for path in required + held if _inside(path, folder)]
        left.append(folder)
        for child in _folders(folder):
            if any(_inside(path, child) for path in wanted):
                visit(child)

    for top in _folders("/"):
        if os.path.basename(top) not in LEFT_ALONE:
            visit(top)
    return covered, left


def _folders(parent: str) -> list[str]:
    try:
        with os.scandir(parent) as entries:
            return sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _mount_points() -> list[str]:
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as lines:
        return [line.split()[4].encode().decode("unicode_escape") for line in lines]


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _unshare(flags: int) -> None:
    if _libc().unshare(flags) == 0:
        return
    if ctypes.get_errno() == errno.ENOSPC:  # the kernel's word for a limit, not for a full disk
        raise SandboxUnavailable(errno.ENOSPC, "unshare: no more namespaces are allowed here")
    raise _unavailable("unshare")


def _mount(
    source: str | None, target: str, kind: str | None, flags: int, options: str = ""
) -> None:
    result = _libc().mount(
        None if source is None else os.fsencode(source),
        os.fsencode(target),
        None if kind is None else kind.encode(),
        ctypes.c_ulong(flags),
        os.fsencode(options) if options else None,
    )
    if result != 0:
        raise _unavailable(f"mount {kind or ''} on {target}")


def _unavailable(action: str) -> SandboxUnavailable:
    code = ctypes.get_errno()
    return SandboxUnavailable(code, f"{action}: {os.strerror(code)}")


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="ascii") as target:
            target.write(text)
    except OSError as error:
        raise SandboxUnavailable(error.errno, f"{path}: {error.strerror}") from error


def _raise_loopback() -> None:
    """Bring the loopback interface up, so that ranks and loaders can still talk to each other."""
    import fcntl
    import socket
    import struct

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        request = struct.pack("16sh14s", b"lo", 0, b"")
        flags = struct.unpack("16sh14s", fcntl.ioctl(link, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(link, SIOCSIFFLAGS, struct.pack("16sh14s", b"lo", flags | IFF_UP, b""))
