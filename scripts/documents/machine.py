"""A machine for one page: a copy of this one's files that is forgotten, and no network but its own loopback.

The process is the first one in new namespaces (`unshare` in check), so all that a page leaves running ends with it.
"""
import fcntl, os, pathlib, socket, struct, subprocess

# The hosts that documents name are this machine.
HOSTS = "127.0.0.1 localhost push.example.com id.example.com db1 db2\n::1 localhost\n"
HOME = "/home/reader"
PROGRAMS, REPOSITORY = "/documents/programs", "/documents/repository"


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def enter(base, programs, repository):
    """Makes the machine below an empty folder, and goes there.

    The changes are in memory, since the upper layer of an overlay cannot lie on another overlay, as a container's root is.
    """
    mount("-t", "tmpfs", "-o", "mode=755", "documents", base)
    root = pathlib.Path(base, "root")
    for name in ["root", "changes", "work"]:
        pathlib.Path(base, name).mkdir()
    mount("-t", "overlay", "documents", root, "-o", f"lowerdir=/,upperdir={base}/changes,workdir={base}/work")
    for path, source in [(PROGRAMS, programs), (REPOSITORY, repository)]:
        place = f"{root}{path}"
        pathlib.Path(place).mkdir(parents=True)
        mount("--bind", source, place)
        mount("-o", "remount,bind,ro", place)
    mount("--rbind", "/dev", f"{root}/dev")
    mount("-t", "proc", "proc", f"{root}/proc")
    mount("-t", "sysfs", "sysfs", f"{root}/sys")
    mount("-t", "tmpfs", "-o", "mode=1777", "tmp", f"{root}/tmp")
    pathlib.Path(root, "etc/hosts").write_text(HOSTS)
    os.chroot(root)
    os.makedirs(f"{HOME}/here")
    # An answer of 400 or more is a failure here, since pages show what works. A terminal shows no progress.
    pathlib.Path(HOME, ".curlrc").write_text("fail-with-body\nno-progress-meter\n")
    os.chdir(f"{HOME}/here")
    loopback_up()


def loopback_up():
    """Sets IFF_UP and IFF_RUNNING of `lo`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x41))


def environment():
    return {"HOME": HOME, "PATH": f"{PROGRAMS}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
            "USER": "root", "SHELL": "/bin/bash", "REPOSITORY": REPOSITORY, "PROGRAMS": PROGRAMS}
