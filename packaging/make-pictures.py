#!/usr/bin/env python3
"""Takes the pictures of the README again, from the programs themselves: the overlay over a window while somebody
speaks (docs/overlay.png), and `dictstate watch` in a terminal (docs/watch.gif).

    make pictures
"""

import argparse
import asyncio
import json
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


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / ".build/release")
    parser.add_argument("--documents", type=pathlib.Path, default=HERE.parent / "docs")
    parser.add_argument("recording", type=pathlib.Path, nargs="?", default=HERE.parent / "Tests/Recordings/demo.wav")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="voicedictation-pictures-") as folder:
        pictures = Pictures(options.build.resolve(), options.documents, options.recording, pathlib.Path(folder))
        try:
            await pictures.run()
        finally:
            await pictures.end()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except demo.DemoError as error:
        sys.exit(f"make-pictures: {error}")
