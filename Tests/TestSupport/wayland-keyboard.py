"""A keyboard on a Wayland desktop, which a person could have: it presses and releases the keys that it is told.

    wayland-keyboard.py SOCKET PIPE

Lines of the named pipe, such as "down F9" and "up F9"; each is answered with itself when the compositor has the key. Speaks the
protocol itself, because a program that types a key at once could not hold it.
"""

import array
import os
import socket
import struct
import sys
import time

KEYS = {
    "F7": 65, "F8": 66, "F9": 67, "a": 30, "shift": 42, "ctrl": 29, "left": 105, "right": 106, "end": 107,
    "backspace": 14, "backslash": 43,
}
SHIFT, CONTROL = 1, 4
KEYMAP = """xkb_keymap {
xkb_keycodes { include "evdev+aliases(qwerty)" };
xkb_types { include "complete" };
xkb_compat { include "complete" };
xkb_symbols { include "pc+us+inet(evdev)" };
};
"""


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.last = 1
        self.received = b""

    def new(self):
        self.last += 1
        return self.last

    def send(self, target, opcode, arguments=b"", descriptors=()):
        message = struct.pack("=IHH", target, opcode, 8 + len(arguments)) + arguments
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        self.socket.sendmsg([message], ancillary)

    def event(self):
        """The next event: its object, its number and its arguments."""
        while True:
            if len(self.received) >= 8:
                target, opcode, size = struct.unpack("=IHH", self.received[:8])
                if len(self.received) >= size:
                    arguments = self.received[8:size]
                    self.received = self.received[size:]
                    if (target, opcode) == (1, 0):
                        sys.exit("the compositor refused: " + repr(arguments))
                    return target, opcode, arguments
            more = self.socket.recv(65536)
            if not more:
                sys.exit("the compositor has gone")
            self.received += more

    def wait(self, handle=lambda target, opcode, arguments: None):
        """Returns when the compositor has done all that was asked before."""
        callback = self.new()
        self.send(1, 0, struct.pack("=I", callback))
        while True:
            target, opcode, arguments = self.event()
            if target == callback:
                return
            handle(target, opcode, arguments)


def text(value):
    data = value.encode() + b"\0"
    return struct.pack("=I", len(data)) + data + b"\0" * (-len(data) % 4)


def main():
    connection = Connection(sys.argv[1])
    registry = connection.new()
    found = {}

    def note(target, opcode, arguments):
        if (target, opcode) == (registry, 0):
            name, length = struct.unpack("=II", arguments[:8])
            found[arguments[8 : 8 + length - 1].decode()] = name

    connection.send(1, 1, struct.pack("=I", registry))
    connection.wait(note)

    def bind(interface):
        identifier = connection.new()
        arguments = struct.pack("=I", found[interface]) + text(interface) + struct.pack("=II", 1, identifier)
        connection.send(registry, 0, arguments)
        return identifier

    seat = bind("wl_seat")
    manager = bind("zwp_virtual_keyboard_manager_v1")
    keyboard = connection.new()
    connection.send(manager, 0, struct.pack("=II", seat, keyboard))
    data = KEYMAP.encode() + b"\0"
    file = os.memfd_create("keymap")
    os.write(file, data)
    connection.send(keyboard, 0, struct.pack("=II", 1, len(data)), [file])
    connection.wait()
    print("ready", flush=True)
    modifiers = 0
    for line in open(sys.argv[2]):
        direction, name = line.split()
        is_down = direction == "down"
        milliseconds = time.monotonic_ns() // 1_000_000 & 0xFFFFFFFF
        connection.send(keyboard, 1, struct.pack("=III", milliseconds, KEYS[name], is_down))
        bit = {"shift": SHIFT, "ctrl": CONTROL}.get(name, 0)
        if bit:
            modifiers = modifiers | bit if is_down else modifiers & ~bit
            connection.send(keyboard, 2, struct.pack("=IIII", modifiers, 0, 0, 0))
        connection.wait()
        print(line.strip(), flush=True)


main()
