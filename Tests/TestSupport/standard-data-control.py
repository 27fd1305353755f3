"""A Wayland socket behind which a compositor offers ext-data-control-v1 instead of wlr-data-control, for tests.

What programs say to each other passes unchanged, descriptors too; only the name of the manager is another one where it is
offered and where it is bound. The standard's first version has what the other one has in its second.
Arguments: the compositor's socket, and where to listen. Prints "serving".
"""

import array
import selectors
import socket
import struct
import sys

FORMER, STANDARD = b"zwlr_data_control_manager_v1", b"ext_data_control_manager_v1"


def packed(name):
    text = name + b"\0"
    return struct.pack("<I", len(text)) + text + bytes(-len(text) % 4)


def renamed(message, old, new, version):
    """The name is in both messages followed by the version: in the one that offers, and in the one that binds."""
    before, found, after = message.partition(packed(old))
    if not found:
        return message
    message = before + packed(new) + struct.pack("<I", version) + after[4:]
    operation = struct.unpack_from("<H", message, 4)[0]
    return message[:4] + struct.pack("<HH", operation, len(message)) + message[8:]


class Pipe:
    """One direction of a connection."""

    def __init__(self, source, target, *names):
        self.source, self.target, self.names = source, target, names
        self.bytes, self.descriptors = b"", array.array("i")

    def move(self):
        """Returns whether there may be more."""
        data, ancillary, *_ = self.source.recvmsg(65536, socket.CMSG_SPACE(28 * 4))
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                self.descriptors.frombytes(content[:len(content) // 4 * 4])
        self.bytes += data
        whole = b""
        while len(self.bytes) >= 8 and len(self.bytes) >= (size := struct.unpack_from("<H", self.bytes, 6)[0]):
            whole += renamed(self.bytes[:size], *self.names)
            self.bytes = self.bytes[size:]
        if whole:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, self.descriptors)] if self.descriptors else []
            self.target.sendall(whole[self.target.sendmsg([whole], rights):])
            for descriptor in self.descriptors:
                socket.close(descriptor)
            self.descriptors = array.array("i")
        return bool(data)


def accept():
    program, compositor = listener.accept()[0], socket.socket(socket.AF_UNIX)
    compositor.connect(sys.argv[1])
    pipes = [Pipe(program, compositor, STANDARD, FORMER, 2), Pipe(compositor, program, FORMER, STANDARD, 1)]
    for pipe in pipes:
        selector.register(pipe.source, selectors.EVENT_READ, lambda pipe=pipe: go_on(pipe, pipes))


def go_on(pipe, pipes):
    try:
        is_open = pipe.move()
    except OSError:
        is_open = False
    if not is_open:
        for end in pipes:
            selector.unregister(end.source)
            end.source.close()


listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[2])
listener.listen()
selector = selectors.DefaultSelector()
selector.register(listener, selectors.EVENT_READ, accept)
print("serving", flush=True)
while True:
    for key, _ in selector.select():
        if key.fileobj.fileno() >= 0:
            key.data()
