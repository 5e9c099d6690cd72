"""The servers and clients of others that scripts/conformance/matrix runs: what they are, how they are built and started.

A peer's `sources` are repositories at a commit, as folders OWNER+NAME below the folder of --sources; `build` gets the folder of the
build. A peer without the programs or sources that it needs is not run.
"""
import os, pathlib, shutil, subprocess

root = pathlib.Path(__file__).resolve().parents[2]
adapters = root / "Tests/Peers/conformance"
python = str(root / ".build/python/bin/python")
JARS = ":".join(f"/usr/share/java/{name}.jar" for name in [
    *(f"netty-{part}" for part in "buffer codec codec-dns codec-http codec-http2 codec-socks common handler handler-proxy resolver"
      " resolver-dns transport transport-native-epoll transport-native-kqueue transport-native-unix-common".split()), "slf4j-api"])
PUSHY, UUID = ("jchambers+pushy", "pushy-0.15.4"), ("jchambers+fast-uuid", "fast-uuid-0.2.0")
APNSMOCK = ("baobabus+go-apnsmock", "1988585b03a7a03377367fd2fd0aff9db6290af7")
APNS_MOCK = ("bibaijin+apns-mock", "a334e984d4dc782eb249695290af459ebc1bbe6a")
APNS2 = ("sideshow+apns2", "22443bc957912b3edcea972c4103a91e0f95931f")


class Missing(Exception):
    """The reason why a peer cannot be run."""


class Peer:
    def __init__(self, name, version, start, needs=(), sources=(), build=None, note=""):
        self.name, self.version, self.start, self.note = name, version, start, note
        self.needs, self.sources, self.build = needs, sources, build

    def prepare(self, sources, folder):
        """Checks what it needs, and builds it."""
        for program in self.needs:
            if not shutil.which(program):
                raise Missing(f"there is no {program}")
        for name, commit in self.sources:
            if not sources or not (sources / name).is_dir():
                raise Missing(f"--sources has no {name} at {commit}")
        if self.build:
            self.build(sources, folder)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise Missing(f"{command[0]} {command[1]}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout.strip()


def package(name):
    """Reads the version of an installed package of PyPI."""
    return lambda: run([python, "-c", f"import importlib.metadata as m; print(m.version('{name}'))"])


def go(name, *repositories):
    """Builds a Go program with the modules of Debian and of repositories."""
    def build(sources, folder):
        path = folder / "go"
        for repository, _ in repositories:
            target = path / "src/github.com" / repository.replace("+", "/")
            if not target.exists():
                # With copies of its own it would have another HTTP/2 than the adapter.
                shutil.copytree(sources / repository, target, ignore=shutil.ignore_patterns("vendor"))
        env = {**os.environ, "GO111MODULE": "off", "GOPATH": f"{path}:/usr/share/gocode", "GOCACHE": str(folder / "go-cache")}
        run(["go", "build", "-o", str(folder / name), str(adapters / f"{name}.go")], env=env)
    return build


def go_folder(name, repository, path):
    """Builds a Go program that a repository has."""
    def build(sources, folder):
        target = folder / "go/src/github.com" / repository[0].replace("+", "/")
        if not target.exists():
            shutil.copytree(sources / repository[0], target)
        env = {**os.environ, "GO111MODULE": "off", "GOPATH": f"{folder / 'go'}:/usr/share/gocode", "GOCACHE": str(folder / "go-cache")}
        run(["go", "build", "-o", str(folder / name), path], env=env, cwd=target)
    return build


def java(name):
    """Compiles pushy and the adapter with the libraries of Debian."""
    def build(sources, folder):
        classes = folder / "classes"
        files = [
            str(file) for repository, part in [(UUID, ""), (PUSHY, "pushy")]
            for file in (sources / repository[0] / part / "src/main/java").rglob("*.java")]
        if not classes.exists():
            run(["javac", "-nowarn", "-cp", JARS, "-d", str(classes), *files])
            resources = sources / PUSHY[0] / "pushy/src/main/resources"
            if resources.is_dir():
                shutil.copytree(resources, classes, dirs_exist_ok=True)
        run(["javac", "-nowarn", "-cp", f"{JARS}:{classes}", "-d", str(classes), str(adapters / f"{name}.java")])
    return build


def java_command(name, folder):
    return ["java", "-cp", f"{JARS}:{folder / 'classes'}", name]


def fixed(text):
    return lambda: text


# A server's `start` gets the build's folder and a value with port, certificate, key, public_key and the rest; it prints
# `listening PORT`, or listens on the given port, which is then tried until it is open.
SERVERS = [
    Peer("pushy's mock server", fixed("0.15.4"),
         lambda folder, it: java_command("PushyServer", folder) + [
             str(it.port), it.certificate, it.key, it.public_key, it.team, it.key_id, it.topic, it.token, it.gone_token],
         ["java", "javac"], [PUSHY, UUID], java("PushyServer")),
    Peer("go-apnsmock", fixed("1988585 of 2017"),
         lambda folder, it: [str(folder / "server_apnsmock"), it.certificate, it.key],
         ["go"], [APNSMOCK], go("server_apnsmock", APNSMOCK)),
    Peer("apns-mock of bibaijin", fixed("a334e98 of 2017"),
         lambda folder, it: [
             str(folder / "apns-mock"), "-port", str(it.port), "-certfile", it.certificate, "-keyfile", it.key],
         ["go"], [APNS_MOCK], go_folder("apns-mock", APNS_MOCK, ".")),
    Peer("nghttpd", lambda: run(["nghttpd", "--version"]).split("/")[-1],
         lambda folder, it: ["nghttpd", "--echo-upload", "-a", "127.0.0.1", str(it.port), it.key, it.certificate],
         ["nghttpd"], note="a server of HTTP/2, which knows nothing of APNs"),
    Peer("Tests/Peers/apns_h2.py", lambda: "h2 " + package("h2")(),
         lambda folder, it: [python, str(root / "Tests/Peers/apns_h2.py"), it.certificate, it.key, "none:1"],
         [], note="ours, on h2 of PyPI"),
]

# A client's `start` gets the build's folder, and returns the shell command.
CLIENTS = [
    Peer("aioapns", package("aioapns"), lambda folder: f"{python} {adapters}/client_aioapns.py"),
    Peer("mopyapns", package("mopyapns"), lambda folder: f"{python} {adapters}/client_mopyapns.py"),
    Peer("httpx", lambda: f"{package('httpx')()}, h2 {package('h2')()}", lambda folder: f"{python} {adapters}/client_httpx.py"),
    Peer("node's http2", lambda: run(["node", "--version"]).lstrip("v"), lambda folder: f"node {adapters}/client_node.mjs", ["node"]),
    Peer("curl", lambda: run(["curl", "--version"]).split()[1], lambda folder: f"{adapters}/client_curl.sh", ["curl", "openssl"],
         note="by Apple's recipe, one run a push"),
    Peer("Go's net/http", lambda: run(["go", "version"]).split()[2].removeprefix("go"), lambda folder: str(folder / "client_http"),
         ["go"], [], go("client_http")),
    Peer("apns2 for Go", fixed("0.25"), lambda folder: str(folder / "client_apns2"), ["go"], [APNS2], go("client_apns2", APNS2)),
    Peer("pushy", fixed("0.15.4"), lambda folder: " ".join(java_command("PushyClient", folder)),
         ["java", "javac"], [PUSHY, UUID], java("PushyClient")),
]
