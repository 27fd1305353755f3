#!/usr/bin/env python3
"""Takes the pictures of the documents again, from the programs themselves: the overlay over a window while somebody
speaks (docs/overlay.png), `dictstate watch` in a terminal (docs/watch.gif), and dictation into a native window of a
Wayland session (docs/wayland.png; this one needs sway, foot and grim).

    make pictures
"""

import argparse
import asyncio
import json
import os
import pathlib
import sys
import tempfile

import demo

HERE = pathlib.Path(__file__).resolve().parent
FRAME = 0.4


class Pictures(demo.Demonstration):
    def __init__(self, build, documents, recording, folder):
        super().__init__(build, documents / "overlay.png", recording, folder)
        self.documents = documents
        self.frames = []

    async def run_to_end(self, *command):
        program = await self.start(*command)
        await asyncio.wait_for(program.ended(), demo.START_LIMIT)
        self.programs.remove(program)
        return program.lines

    async def take_frame(self, terminal):
        path = self.folder / f"frame-{len(self.frames):03}.png"
        await self.run_to_end("import", "-window", terminal, path)
        self.frames.append(path)

    async def run(self):
        self.set_environment()
        seconds = self.set_microphone()
        await self.start_display()
        await self.run_to_end("xsetroot", "-solid", "#4a5a6a")
        for name in ("host-agent", "insert-agent"):
            agent = await self.start(self.build / name)
            await agent.line(lambda line, name=name: f"{name} is ready" in line, "being ready", demo.START_LIMIT)
        await self.start(
            "xterm", "-T", "watch", "-geometry", "92x10+20+2", "-fa", "DejaVu Sans Mono", "-fs", "10", "-bg", "#1b1d22",
            "-fg", "#e8eaee", "+sb", "-e", str(self.build / "dictstate"), "watch")
        terminal = (await self.run_to_end("xdotool", "search", "--sync", "--name", "^watch$"))[0]
        window = await self.start("/usr/bin/python3", HERE / "demo-window.py")
        await window.line(lambda line: '"focused": true' in line, "a window with the focus", demo.START_LIMIT)
        # Below the terminal, and reaching below the overlay.
        await self.run_to_end(
            "xdotool", "search", "--sync", "--onlyvisible", "--name", "^VoiceDictation demo$",
            "windowsize", "--sync", "1000", "470", "windowmove", "--sync", "140", "272")
        letter = self.folder / "letter.txt"
        letter.write_text("Dear Ms Brown,\n\nthank you for the photographs of the early prints. As you say, the wood cuts ")
        await self.run_to_end(self.build / "dictstate", "insert", "--file", letter)
        store = await self.start(self.build / "dictstate", "watch", "--json")
        await self.take_frame(terminal)
        await self.run_to_end("xdotool", "keydown", demo.HOTKEY)
        await store.line(demo.has_status("recording"), "a recording that began", demo.START_LIMIT)
        ends = asyncio.get_running_loop().time() + seconds + demo.TAIL
        while asyncio.get_running_loop().time() < ends:
            began = asyncio.get_running_loop().time()
            await self.take_frame(terminal)
            if len(self.frames) == 15:
                await self.take_picture()
            await asyncio.sleep(max(0, FRAME - (asyncio.get_running_loop().time() - began)))
        await self.run_to_end("xdotool", "keyup", demo.HOTKEY)
        await self.take_frame(terminal)
        json.loads(await store.line(demo.is_outcome, "a result", demo.RESULT_LIMIT))
        for _ in range(4):
            await self.take_frame(terminal)
        await self.run_to_end(
            "convert", "-delay", str(int(FRAME * 100)), *self.frames, "-delay", "300", self.frames[-1], "+repage",
            "-colors", "32", "-layers", "optimize", "-loop", "0", self.documents / "watch.gif")
        await self.run_to_end(
            "convert", self.picture, "-crop", "1040x530+120+254", "+repage", "-colors", "128", self.picture)


class WaylandPicture(demo.Demonstration):
    """Dictates two texts into foot on sway, and takes the picture while the second one is spoken."""

    async def run_to_end(self, *command):
        program = await self.start(*command)
        await asyncio.wait_for(program.ended(), demo.START_LIMIT)
        self.programs.remove(program)

    async def start_display(self):
        (self.folder / "run").mkdir(mode=0o700)
        configuration = self.folder / "sway.conf"
        configuration.write_text(
            "output HEADLESS-1 resolution 1000x420\noutput * bg #4a5a6a solid_color\ndefault_border normal\n"
            "exec sh -c 'echo \"session $WAYLAND_DISPLAY $SWAYSOCK\"'\n")
        self.environment.update(XDG_RUNTIME_DIR=str(self.folder / "run"), GDK_BACKEND="wayland")
        # sway refuses to be root: in a user namespace it sees another number.
        as_user = [] if os.geteuid() else ["unshare", "--user", "--map-user=1000", "--map-group=1000"]
        sway = await self.start(
            "env", "WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman", *as_user, "sway", "-c",
            configuration)
        session = await sway.line(lambda line: line.startswith("session "), "a session", demo.START_LIMIT)
        _, self.environment["WAYLAND_DISPLAY"], self.environment["SWAYSOCK"] = session.split()

    async def dictate(self, store, seconds, meanwhile):
        await self.run_to_end(self.build / "dictstate", "start")
        await store.line(demo.has_status("recording"), "a recording that began", demo.START_LIMIT)
        # This is how long the speaker speaks.
        await asyncio.sleep(seconds * 0.7)
        await meanwhile()
        await asyncio.sleep(seconds * 0.3 + demo.TAIL)
        await self.run_to_end(self.build / "dictstate", "stop")
        state = json.loads(await store.line(demo.is_outcome, "a result", demo.RESULT_LIMIT))
        if state.get("delivery") != "inserted":
            raise demo.DemoError(f"the text was not inserted: {state}")

    async def take_picture(self):
        await self.run_to_end("grim", self.picture)

    async def run(self):
        self.set_environment()
        seconds = self.set_microphone()
        await self.start_display()
        for name in ("host-agent", "insert-agent"):
            agent = await self.start(self.build / name)
            await agent.line(lambda line, name=name: f"{name} is ready" in line, "being ready", demo.START_LIMIT)
        windows = await self.start("swaymsg", "-t", "subscribe", "-m", "-r", '["window"]')
        await self.start(
            "foot", "--title", "Letter", "--override", "locked-title=yes", "--font", "DejaVu Sans Mono:size=11",
            "sh", "-c", "exec cat > /dev/null")
        await windows.line(lambda line: '"focus"' in line, "a window with the focus", demo.START_LIMIT)
        store = await self.start(self.build / "dictstate", "watch", "--json")

        async def nothing():
            pass

        await self.dictate(store, seconds, nothing)
        await self.dictate(store, seconds, self.take_picture)


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / ".build/release")
    parser.add_argument("--documents", type=pathlib.Path, default=HERE.parent / "docs")
    parser.add_argument("recording", type=pathlib.Path, nargs="?", default=HERE.parent / "Tests/Recordings/demo.wav")
    parser.add_argument("--only-wayland", action="store_true", help="take the picture of the Wayland session alone")
    options = parser.parse_args()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory(prefix="voicedictation-pictures-") as folder:
        folder = pathlib.Path(folder)
        wayland = folder / "wayland"
        wayland.mkdir()
        pictures = [
            Pictures(build, options.documents, options.recording, folder),
            WaylandPicture(build, options.documents / "wayland.png", options.recording, wayland),
        ]
        for picture in pictures[1:] if options.only_wayland else pictures:
            try:
                await picture.run()
            finally:
                await picture.end()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except demo.DemoError as error:
        sys.exit(f"make-pictures: {error}")
