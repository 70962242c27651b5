# SPDX-License-Identifier: GPL-3.0-or-later
"""What the end-to-end tests share: the program, fake servers, a bare gdb client, an ELF's symbols."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time

BUILD = pathlib.Path(os.environ["MPROF_BUILD"])
# Another build of the program, one with sanitizers, against the same servers and firmware.
MPROF = pathlib.Path(os.environ.get("MPROF_PROGRAM", BUILD / "mprof"))
FIRMWARE = BUILD / "firmware"
# A limit for what hangs, and for nothing else: a machine may be busy, and full counts take long.
SOAK = bool(os.environ.get("MPROF_SOAK"))
HANG_S = 3600 if SOAK else 300

# A script that runs make check in its background, and nohup, start it with these ignored, which mprof
# would inherit, and a signal that comes before mprof handles it would be lost.
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL if number == signal.SIGHUP else signal.default_int_handler)


def count(short, full):
    """A number of rounds: short in make check, full in make soak."""
    return full if SOAK else short


# On a busy machine a server may be slow to answer, which is no fault: tests of mprof's time limits
# name theirs. MPROF_TIMEOUT is the default of --timeout.
PATIENCE = {"MPROF_TIMEOUT": str(HANG_S)}


def counted(text):
    """What repetitions came to, as a line of the table that make soak ends with."""
    print(f"counted: {text}", flush=True)


def environment():
    env = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm")
    for name in ("MPROF_ELF", "MPROF_GDB", "MPROF_STORE", "MPROF_TIMEOUT", "COLUMNS", "LINES"):
        env.pop(name, None)
    return env | PATIENCE


def mprof(*args, timeout=HANG_S, **more):
    """Runs mprof to its end. Its standard input is no terminal."""
    return subprocess.run([str(MPROF), *map(str, args)], stdin=subprocess.DEVNULL, text=True,
                          capture_output=True, timeout=timeout, env=environment(), **more)


def start(*args, **more):
    """Starts mprof and leaves it running; the caller ends it by stop()."""
    more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([str(MPROF), *map(str, args)], text=True, env=environment(), **more)


def stop(process):
    if process.poll() is None:
        process.kill()
    process.communicate()


_RESERVED = []


def free_port():
    """A port that is ours as long as this program runs: bound and not listened on, so that the kernel
    gives it to nobody else. A server that sets SO_REUSEADDR can listen there."""
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("127.0.0.1", 0))
    _RESERVED.append(s)
    return s.getsockname()[1]


def wait_for(what, condition, seconds=HANG_S):
    """Waits until condition() is true and returns its value; fails naming what did not happen."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"did not happen in {seconds} s: {what}")


def over_a_time(run, *words):
    """The result of run(), which is as mprof() above, of a snapshot with --duration: as long as this machine
    needs to let the program count."""
    for seconds in ("0.5", "5", "50"):
        done = run(*words, "--duration", seconds)
        if "no samples in" not in done.stderr:
            break
    return done


def state(pid):
    """The letter that the kernel gives a process: R, S, T (stopped), t (traced), Z; "": it is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return text.rpartition(")")[2].split()[0]


def drain(process):
    """Reads what a program that is stopped has printed before."""
    pipe = process.stdout.fileno()
    os.set_blocking(pipe, False)
    try:
        while os.read(pipe, 1 << 16):
            pass
    except BlockingIOError:
        pass
    os.set_blocking(pipe, True)


def goes_on(process):
    """Whether an mprof prints another profile after drain(); else it has ended. The first line may have begun
    before."""
    process.stdout.readline()
    return '"rows"' in process.stdout.readline()


def waited(pid):
    """For a test's last words: a process that had no processor for long tells of the machine."""
    try:
        ran, ready, _ = pathlib.Path(f"/proc/{pid}/schedstat").read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return "not known"
    return f"{state(pid)}, ran {int(ran) / 1e9:.1f} s, waited {int(ready) / 1e9:.1f} s for a processor"


def symbols(elf, nm="arm-none-eabi-nm"):
    """name -> (address, size) of an ELF, as binutils see it."""
    lines = subprocess.run([nm, "-S", str(elf)], text=True, capture_output=True, check=True).stdout
    table = {}
    for line in lines.splitlines():
        fields = line.split()
        if len(fields) == 4:
            table[fields[3]] = (int(fields[0], 16), int(fields[1], 16))
    return table


def end_socket(one):
    """Closes a socket of which a thread may wait in accept() or recv(). close() does not wake it; and when
    this process is stopped and goes on, it waits again, by the number of the descriptor: then another
    socket's."""
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


class FakeServer:
    """Listens on a free port and gives each connection to serve(socket) in a thread."""

    def __init__(self, serve):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.serve = serve
        self.sockets = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.sockets.append(connection)
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        try:
            self.serve(connection)
        except OSError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in (self.listener, *self.sockets):
            end_socket(one)


class Gdb:
    """A gdb client of a few packets, written apart from libgdbmi so that the two can disagree."""

    def __init__(self, port):
        """port: its number on this host, or the path of a socket."""
        if isinstance(port, int):
            self.socket = socket.create_connection(("127.0.0.1", port), timeout=HANG_S)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(HANG_S)
            self.socket.connect(port)
        self.buffer = b""

    def send(self, payload):
        data = payload.encode()
        self.socket.sendall(b"+$" + data + b"#%02x" % (sum(data) % 256))

    def packet(self, timeout=HANG_S):
        """The next packet's payload, or None when none comes in time."""
        end = time.monotonic() + timeout
        while True:
            begin = self.buffer.find(b"$")
            finish = self.buffer.find(b"#", begin)
            if begin >= 0 and 0 <= finish <= len(self.buffer) - 3:
                payload = self.buffer[begin + 1:finish]
                self.buffer = self.buffer[finish + 3:]
                return payload.decode("latin-1")
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(4096)
            except socket.timeout:
                return None
            if not data:
                raise ConnectionError("the server closed the connection")
            self.buffer += data

    def ask(self, payload):
        self.send(payload)
        return self.packet()

    def read(self, addr, size):
        return bytes.fromhex(self.ask(f"m{addr:x},{size:x}"))

    def write(self, addr, data):
        assert self.ask(f"M{addr:x},{len(data):x}:{data.hex()}") == "OK"

    def attach(self):
        """After connecting to QEMU: whether the machine ran. It pauses for us and says T02 only then,
        before it answers what it was asked. ("?" would delete breakpoints.)"""
        ran = self.ask("vCont?").startswith("T02")
        if ran:
            self.packet()
        return ran

    def detach(self):
        """Lets QEMU run and leaves; close() leaves it as it is."""
        assert self.ask("D") == "OK"
        self.close()

    def close(self):
        self.socket.close()


def qemu_runs(port):
    """Whether the machine behind QEMU's gdb port runs. It is left as it was."""
    gdb = Gdb(port)
    try:
        ran = gdb.attach()
        if ran:
            gdb.detach()
        return ran
    finally:
        gdb.close()


def sockets_at(port, *states):
    """Whether a socket of this port of the machine is in one of these states of the kernel's tcp_states.h."""
    with open("/proc/net/tcp", encoding="ascii") as file:
        fields = [line.split()[1:4] for line in file]
    return any(local.endswith(f":{port:04X}") and state in states for local, _, state in fields)


def listens(port):
    """Whether somebody listens there, without a connection."""
    return sockets_at(port, "0A")


def has_client(port):
    """Whether the server there has a connection that it has not closed yet."""
    return sockets_at(port, "01", "08")


def farewell(port):
    """Waits until the server there has closed its connections: OpenOCD takes one gdb, and turns the next away
    if it has not yet seen that the last one left."""
    wait_for("the server's farewell", lambda: not has_client(port))


def side_by_side(work, items, most=8):
    """work(item) of each item, several at once, for what mostly waits; fails when all have ended,
    naming the first item that failed. Returns the results in their order."""
    items = list(items)
    with concurrent.futures.ThreadPoolExecutor(most) as pool:
        futures = [pool.submit(work, item) for item in items]
    for item, future in zip(items, futures):
        if future.exception():
            raise AssertionError(f"of {item}: {future.exception()}") from future.exception()
    return [future.result() for future in futures]


def json_lines(text):
    return [json.loads(line) for line in text.splitlines()]


def sampled(elf, hits, *link):
    """Waits until the table has so many hits; the last report. link: the options that name it."""
    def enough():
        result = mprof("report", "--elf", elf, *link, "--format", "json")
        if result.returncode != 0 and "not initialised" in result.stderr:
            return None
        assert result.returncode == 0, result.stderr
        report = json.loads(result.stdout)
        return report if report["hits"] >= hits else None
    return wait_for("samples", enough, HANG_S + hits / 10)
