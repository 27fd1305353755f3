#!/usr/bin/python3
"""Runs both agents on a virtual display, lets a recording speak, and measures what a window really received.

Everything is real: the X server, the window manager, the application, the hotkey, the sound library, the
recognizer and the keys. Only the screen is not shown, and the microphone plays a file. Exit code 0 if the window
received exactly the cleaned text, otherwise 1.
"""

import argparse
import array
import asyncio
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import wave

HOTKEY = "F9"
# Generous, because these are waited for only where something is broken.
START_LIMIT = 60.0
RESULT_LIMIT = 180.0
# Seconds of silence after the recording, as a speaker leaves before releasing the key.
TAIL = 0.3

HERE = pathlib.Path(__file__).resolve().parent
OPENBOX = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew></focus>
  <desktops><number>1</number><popupTime>0</popupTime></desktops>
  <keyboard></keyboard>
</openbox_config>
"""


class DemoError(Exception):
    """Something did not go as it should; the words are for the user."""


def say(text):
    print(text, file=sys.stderr, flush=True)


class Program:
    """A program in a process group of its own; its lines are read as they come."""

    def __init__(self, name, process):
        self.name, self.process = name, process
        self.lines = []
        self.changed = asyncio.Condition()
        self.readers = [
            asyncio.create_task(self._read(stream)) for stream in (process.stdout, process.stderr) if stream
        ]

    @classmethod
    async def start(cls, path, *arguments, environment):
        try:
            process = await asyncio.create_subprocess_exec(
                str(path), *map(str, arguments), env=environment, stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
                limit=1 << 24)
        except OSError as error:
            raise DemoError(f"{path} cannot be started: {error}") from error
        return cls(pathlib.Path(path).name, process)

    async def _read(self, stream):
        async for line in stream:
            async with self.changed:
                self.lines.append(line.decode(errors="replace").rstrip("\n"))
                self.changed.notify_all()

    async def ended(self):
        # Not `gather`: it would cancel the readers together with who waits for them.
        await asyncio.wait(self.readers)
        await self.process.wait()

    async def line(self, wanted, what, limit):
        """The first line that `wanted` takes, from the first one on."""

        async def look():
            seen = 0
            async with self.changed:
                while True:
                    for line in self.lines[seen:]:
                        if wanted(line):
                            return line
                    seen = len(self.lines)
                    await self.changed.wait()

        found, ended = asyncio.create_task(look()), asyncio.create_task(self.ended())
        try:
            await asyncio.wait({found, ended}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if found.done():
                return found.result()
            line = next((line for line in self.lines if wanted(line)), None)
            if line is not None:
                return line
            how = f"ended (exit code {self.process.returncode})" if ended.done() else f"went on for {limit:.0f} s"
            said = "\n".join("    " + line for line in self.lines[-20:])
            raise DemoError(f"{self.name} {how} without {what}. What it said:\n{said}")
        finally:
            found.cancel()
            ended.cancel()

    def objects(self):
        """Its lines that are JSON objects."""
        for line in self.lines:
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict):
                yield value

    def signal_group(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    async def end(self):
        """SIGTERM to the group, SIGKILL to what is left of it; all its lines are here afterwards."""
        if self.process.returncode is None:
            self.signal_group(signal.SIGTERM)
            try:
                await asyncio.wait_for(self.process.wait(), 10)
            except asyncio.TimeoutError:
                pass
        self.signal_group(signal.SIGKILL)
        await self.ended()


def prepare_recording(source, target):
    """Writes the recording as 16-bit mono, which is what the virtual microphone plays; returns its seconds."""
    try:
        with wave.open(str(source), "rb") as file:
            channels, width, rate, count = file.getparams()[:4]
            data = file.readframes(count)
    except FileNotFoundError:
        raise DemoError(f"The recording {source} is not there.") from None
    except (OSError, EOFError, wave.Error) as error:
        raise DemoError(
            f"The recording {source} cannot be read ({error}). A WAV file with PCM samples is needed; "
            f"`ffmpeg -i {source} -c:a pcm_s16le new.wav` makes one.") from error
    if count == 0 or not data:
        raise DemoError(f"The recording {source} holds no samples.")
    if width == 1:
        samples = array.array("h", ((byte - 128) << 8 for byte in data))
    else:
        # Little endian: the two highest bytes of each sample are the 16 bits to keep.
        high = bytearray(len(data) // width * 2)
        high[0::2], high[1::2] = data[width - 2 :: width], data[width - 1 :: width]
        samples = array.array("h", bytes(high))
    if channels > 1:
        samples = array.array(
            "h", (sum(samples[i : i + channels]) // channels for i in range(0, len(samples), channels)))
    with wave.open(str(target), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return count / rate


class Demonstration:
    def __init__(self, build, picture, recording, folder):
        self.build, self.picture, self.recording, self.folder = build, picture, recording, folder
        self.programs = []
        self.environment = {}

    async def start(self, path, *arguments):
        program = await Program.start(path, *arguments, environment=self.environment)
        self.programs.append(program)
        return program

    async def end(self):
        while self.programs:
            await self.programs.pop().end()

    def set_environment(self):
        """Nothing leads to the user's own desktop, sound, settings or dictations."""
        unwanted = ("DISPLAY", "WAYLAND_DISPLAY", "XMODIFIERS", "GTK_IM_MODULE", "SESSION_MANAGER",
                    "DBUS_SESSION_BUS_ADDRESS", "NOTIFY_SOCKET")
        self.environment = {
            name: value for name, value in os.environ.items()
            if name not in unwanted and not name.startswith("VOICEDICTATION_")
        }
        # The recognizer is the one that the user has.
        engines = os.environ.get("VOICEDICTATION_ENGINES") or str(pathlib.Path(
            os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share") / "voicedictation/engines")
        self.environment["VOICEDICTATION_ENGINES"] = engines
        group = self.folder / "group"
        group.mkdir(mode=0o700)
        for name in ("config", "data", "cache", "state"):
            (self.folder / name).mkdir(mode=0o700)
            self.environment[f"XDG_{name.upper()}_HOME"] = str(self.folder / name)
        self.environment.update(
            VOICEDICTATION_GROUP=str(group), ALSA_CONFIG_PATH=str(self.folder / "asound.conf"),
            XAUTHORITY=str(self.folder / "no-authority"), GDK_BACKEND="x11", NO_AT_BRIDGE="1",
            GSETTINGS_BACKEND="memory", LC_ALL="C.UTF-8", DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent/bus")

    def set_microphone(self):
        recording = self.folder / "recording.wav"
        seconds = prepare_recording(self.recording, recording)
        plugin = self.build / "libasound_module_pcm_virtualmic.so"
        # The hooks would load the user's and the system's own files, whose default device would win.
        (self.folder / "asound.conf").write_text(
            "</usr/share/alsa/alsa.conf>\n!@hooks []\n"
            f'pcm_type.virtualmic {{ lib "{plugin}" }}\n'
            f'pcm.!default {{ type virtualmic infile "{recording}" }}\n')
        return seconds

    async def start_display(self):
        server = await self.start(
            "Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1280x800x24")
        number = await server.line(str.isdigit, "the number of its display", START_LIMIT)
        self.environment["DISPLAY"] = ":" + number
        watch = await self.start("xprop", "-root", "-spy", "-notype")
        await watch.line(lambda line: line.startswith("_XKB_RULES_NAMES"), "a property", START_LIMIT)
        configuration = self.folder / "openbox.xml"
        configuration.write_text(OPENBOX)
        await self.start("openbox", "--sm-disable", "--config-file", configuration)
        # The list of windows is the last thing that openbox announces.
        await watch.line(lambda line: line.startswith("_NET_CLIENT_LIST:"), "a window manager", START_LIMIT)

    async def xdotool(self, *arguments):
        program = await self.start("xdotool", *arguments)
        await asyncio.wait_for(program.ended(), START_LIMIT)
        self.programs.remove(program)
        if program.process.returncode != 0:
            raise DemoError(f"xdotool {' '.join(arguments)} failed: {' '.join(program.lines)}")

    async def run(self):
        self.set_environment()
        seconds = self.set_microphone()
        await self.start_display()
        window = await self.start("/usr/bin/python3", HERE / "demo-window.py")
        await window.line(lambda line: '"focused": true' in line, "a window with the focus", START_LIMIT)
        host, inserter = [await self.start(self.build / name) for name in ("host-agent", "insert-agent")]
        for agent in (host, inserter):
            await agent.line(lambda line: f"{agent.name} is ready" in line, "being ready", START_LIMIT)
        store = await self.start(self.build / "dictstate", "watch", "--json")

        recognizer = await self.recognizer()
        say(f"Holding {HOTKEY} while the recording speaks for {seconds:.1f} s.")
        await self.xdotool("keydown", HOTKEY)
        try:
            await store.line(has_status("recording"), "a recording that began", START_LIMIT)
            # The one wait for time: it is how long the speaker speaks.
            await asyncio.sleep(seconds + TAIL)
        finally:
            released = time.monotonic()
            await self.xdotool("keyup", HOTKEY)
        state = json.loads(await store.line(is_outcome, "a result", RESULT_LIMIT))
        cleaned = state.get("cleanedText") or ""
        if state.get("delivery") == "inserted":
            try:
                await window.line(lambda line: text_of(line) == cleaned, "the text", START_LIMIT)
            except DemoError:
                pass  # The text that it has instead is reported below.
        await self.take_picture()
        # Nothing can be typed after the agents' end: what the window says then is final.
        for program in (inserter, host, store, window):
            await program.end()
            self.programs.remove(program)
        return self.report(state, list(window.objects()), released, (host, inserter), recognizer)

    async def recognizer(self):
        """The engine and its model, as in "sherpa-onnx, moonshine-tiny-en"."""
        program = await self.start(self.build / "host-agent", "check", "--engine")
        await asyncio.wait_for(program.ended(), START_LIMIT)
        self.programs.remove(program)
        said = [line.removeprefix("engine: ok, ") for line in program.lines if line.startswith("engine: ok, ")]
        return said[0] if said else ""

    async def take_picture(self):
        self.picture.parent.mkdir(parents=True, exist_ok=True)
        program = await self.start("import", "-window", "root", self.picture)
        await asyncio.wait_for(program.ended(), START_LIMIT)
        self.programs.remove(program)

    def report(self, state, reports, released, agents, recognizer):
        raw, cleaned = state.get("rawText") or "", state.get("cleanedText") or ""
        typed = reports[-1]["text"] if reports else ""
        changes = [report["time"] for before, report in zip(reports, reports[1:]) if before["text"] != report["text"]]
        engine = state.get("engine") or ""
        # Where a model cannot be used after all, another engine has recognized.
        print(f"recognized by: {recognizer if recognizer.startswith(engine) else engine}")
        print(f"recognized: {raw}")
        print(f"cleaned: {cleaned}")
        print(f"typed: {typed}")
        if changes:
            print(f"release to last character: {(changes[-1] - released) * 1000:.0f} ms")
        if self.picture.exists():
            print(f"screenshot: {self.picture}")
        sys.stdout.flush()
        if typed and typed == cleaned:
            return 0
        if typed:
            say("FAILED: the window did not receive the cleaned text.")
        else:
            say(f"FAILED: nothing was typed (status {state.get('status')}, delivery {state.get('delivery')}, "
                f"reason {state.get('heldReason')}, error {state.get('error')}).")
        for agent in agents:
            say(f"What {agent.name} said:")
            for line in agent.lines[-20:]:
                say("    " + line)
        return 1


def object_of(line):
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def text_of(line):
    return object_of(line).get("text")


def has_status(*wanted):
    return lambda line: object_of(line).get("status") in wanted + ("error", "cancelled", "processing", "ready")


def is_outcome(line):
    state = object_of(line)
    if state.get("status") in ("error", "cancelled"):
        return True
    return state.get("status") == "ready" and state.get("delivery") in ("inserted", "held", "discarded")


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder with the programs")
    parser.add_argument("--picture", type=pathlib.Path, required=True, help="where the screenshot is written")
    parser.add_argument("recording", type=pathlib.Path, help="a WAV file with PCM samples")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="voicedictation-demo-"))
    demonstration = Demonstration(
        options.build.resolve(), options.picture.absolute(), options.recording, folder)
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)
    try:
        return await demonstration.run()
    except DemoError as error:
        say(f"FAILED: {error}")
        return 1
    except asyncio.TimeoutError:
        say("FAILED: a tool of the display did not answer.")
        return 1
    except asyncio.CancelledError:
        say("Interrupted.")
        return 130
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, lambda: None)
        await demonstration.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
