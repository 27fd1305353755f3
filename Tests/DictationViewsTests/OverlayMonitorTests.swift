import Desktop
import DesktopX11
import DictationSettings
import DictationShared
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DictationViews

/// The overlay if there are several monitors, which an X server without hardware has by RandR's own word.
extension OverlayWindowTests {
    /// Waits until the overlay is there: only its place shows that it has moved.
    private static func waitUntil(_ id: Int, isAt area: ScreenArea, on display: VirtualDisplay) async throws {
        var found = ScreenArea(x: -1, y: -1, width: 0, height: 0)
        let limit = ContinuousClock.now + Program.defaultLimit
        while found != area, .now < limit { found = try await find("recording", on: display).area }
        #expect(found == area)
    }

    /// How often the overlay's threads have slept.
    static func sleeps() -> Int {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return threads.map { thread in
            let folder = "/proc/self/task/\(thread)/"
            guard (try? String(contentsOfFile: folder + "comm", encoding: .utf8)) == "overlay\n",
                let status = try? String(contentsOfFile: folder + "status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: {
                    $0.hasPrefix("voluntary_ctxt_switches")
                })
            else { return 0 }
            return line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }.reduce(0, +)
    }

    /// Moves a window about, by its window manager.
    private static func moveAbout(_ window: TextWindow, on display: VirtualDisplay) async throws {
        for place in [40, 60, 80, 100, 50] {
            try await display.xdotool("windowmove", "--sync", "\(window.id)", "\(place)", "\(place)")
        }
    }

    @Test("goes where the focused window is moved to, and wakes for none while nothing is shown")
    func monitors() async throws {
        let display = try await VirtualDisplay.start()
        let run = { (program: String, arguments: [String]) in
            try await Program.run(program, arguments, environment: display.environment)
        }
        _ = try await run("xrandr", ["--setmonitor", "LEFT", "640/160x800/200+0+0", "screen"])
        _ = try await run("xrandr", ["--setmonitor", "RIGHT", "640/160x800/200+640+0", "none"])
        let window = try await TextWindow.start(.gtkText, on: display, title: "Letter")
        try await display.xdotool("windowsize", "--sync", "\(window.id)", "300", "200")
        try await display.xdotool("windowmove", "--sync", "\(window.id)", "50", "50")
        let overlay = Overlay(on: X11Overlay(display: display.name), settings: { OverlaySettings() })
        let id = DictationID()
        overlay.handle(.began(id))
        overlay.handle(.words(id, SpokenText(tentative: Self.sentence)))
        overlay.handle(.sound(decibels: -10, milliseconds: 250))
        let found = try await Self.find("recording", on: display)
        let left = ScreenArea(x: 110, y: 624, width: 420, height: 104)
        let right = ScreenArea(x: 750, y: 624, width: 420, height: 104)
        #expect(found.area == left)

        try await display.xdotool("windowmove", "--sync", "\(window.id)", "800", "50")
        try await Self.waitUntil(found.id, isAt: right, on: display)
        try await display.xdotool("windowmove", "--sync", "\(window.id)", "50", "50")
        try await Self.waitUntil(found.id, isAt: left, on: display)
        // Another window in the same frame of mind: the focus goes to the other monitor, and its window comes back.
        let other = try await TextWindow.start(.gtkText, on: display, title: "Other")
        try await display.xdotool("windowsize", "--sync", "\(other.id)", "300", "200")
        try await display.xdotool("windowmove", "--sync", "\(other.id)", "800", "50")
        try await Self.waitUntil(found.id, isAt: right, on: display)
        try await display.xdotool("windowmove", "--sync", "\(other.id)", "100", "50")
        try await Self.waitUntil(found.id, isAt: left, on: display)

        // One monitor is taken away, and another desktop's resolution comes.
        _ = try await run("xrandr", ["--delmonitor", "RIGHT"])
        _ = try await run("xrandr", ["--delmonitor", "LEFT"])
        let middle = ScreenArea(x: 430, y: 624, width: 420, height: 104)
        try await Self.waitUntil(found.id, isAt: middle, on: display)
        _ = try await run(
            "xprop",
            ["-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t144\n"])
        let large = ScreenArea(x: 325, y: 536, width: 630, height: 156)
        try await Self.waitUntil(found.id, isAt: large, on: display)
        let picture = repositoryFile(".build/overlay/monitors.png")
        try FileManager.default.createDirectory(
            atPath: repositoryFile(".build/overlay"), withIntermediateDirectories: true)
        try await display.screenshot(to: picture)
        let text = ScreenArea(x: 105, y: 93, width: 450, height: 50)
        #expect(try await Self.colors(found, at: large, in: text, picture: picture) > 10)

        let shown = Self.sleeps()
        try await Self.moveAbout(other, on: display)
        #expect(Self.sleeps() > shown)
        overlay.handle(.changed(States.state(.cancelled, id: id)))
        while try await run("xwininfo", ["-id", "\(found.id)"]).contains("IsViewable") {}
        // Events from before it was hidden are handled to the end.
        var hidden = -1
        while hidden != Self.sleeps() {
            hidden = Self.sleeps()
            try await display.xdotool("getmouselocation")
        }
        try await Self.moveAbout(other, on: display)
        #expect(Self.sleeps() == hidden)
        overlay.stop()
        await display.end()
    }

    /// A display of two monitors, with a window in a frame on the left one.
    private static func startFramed() async throws -> (display: VirtualDisplay, manager: Program) {
        let display = try await VirtualDisplay.start(hasWindowManager: false)
        for (name, place, output) in [
            ("LEFT", "640/160x800/200+0+0", "screen"), ("RIGHT", "640/160x800/200+640+0", "none"),
        ] {
            try await Program.run(
                "xrandr", ["--setmonitor", name, place, output], environment: display.environment)
        }
        let manager = try Program.start(
            "/usr/bin/python3", ["-u", "-c", Self.silentManager], environment: display.environment)
        try await manager.waitForLine(containing: "framed")
        return (display, manager)
    }

    @Test("follows a window whose frame alone is moved, by a window manager that says nothing to the window")
    func frame() async throws {
        let (display, manager) = try await Self.startFramed()
        let overlay = Overlay(on: X11Overlay(display: display.name), settings: { OverlaySettings() })
        overlay.handle(.began(DictationID()))
        let found = try await Self.find("recording", on: display)
        #expect(found.area.x == 110)
        manager.signal(SIGUSR1)
        try await Self.waitUntil(
            found.id, isAt: ScreenArea(x: 750, y: 624, width: 420, height: 104), on: display)
        overlay.stop()
        await manager.end()
        await display.end()
    }

    /// The types of what an X server has sent: 1 for an answer, more for an event.
    private static func types(_ bytes: [UInt8]) -> [UInt8] {
        var types: [UInt8] = []
        var rest = bytes[...]
        while rest.count >= 32, let type = rest.first {
            types.append(type)
            let more = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(32 + (type == 1 ? 4 * more : 0))
        }
        return types
    }

    @Test("a move that is reported together with the answer about the one before is not missed")
    func moveAlongside() async throws {
        let (display, manager) = try await Self.startFramed()
        let connection = try CutConnection(to: display.name)
        let overlay = Overlay(on: X11Overlay(display: connection.name), settings: { OverlaySettings() })
        overlay.handle(.began(DictationID()))
        let found = try await Self.find("recording", on: display)
        // It has asked everything when it has gone to the right and come back.
        let places = [750, 110].map { ScreenArea(x: $0, y: 624, width: 420, height: 104) }
        for place in places {
            manager.signal(SIGUSR1)
            try await Self.waitUntil(found.id, isAt: place, on: display)
        }
        let isMove = { @Sendable (type: UInt8) in type == 22 }
        connection.hold(.answers)
        manager.signal(SIGUSR1)
        await connection.waitUntilHeld { Self.types($0).contains(where: isMove) }
        // Each time it asks where the window is, and the answer comes together with the next move: the first one is read
        // when it was woken, the second one on its way to sleep.
        for _ in 0..<2 {
            connection.pass(holdsOn: true)
            await connection.waitUntilHeld { Self.types($0).contains(1) }
            manager.signal(SIGUSR1)
            await connection.waitUntilHeld { bytes in
                let types = Self.types(bytes)
                return types.last.map(isMove) == true && types.contains(1)
            }
        }
        connection.pass()
        try await Self.waitUntil(found.id, isAt: places[0], on: display)
        overlay.stop()
        connection.end()
        await manager.end()
        await display.end()
    }

    /// Puts a window into a frame, and moves the frame to the other monitor with each SIGUSR1.
    private static let silentManager = """
        import ctypes, signal
        x = ctypes.CDLL("libX11.so.6")
        word = ctypes.c_ulong
        x.XOpenDisplay.restype = ctypes.c_void_p
        display = ctypes.c_void_p(x.XOpenDisplay(None))
        for function in (x.XDefaultRootWindow, x.XCreateSimpleWindow, x.XInternAtom):
            function.restype = word
        root = word(x.XDefaultRootWindow(display))
        def window(parent, place):
            made = word(x.XCreateSimpleWindow(display, parent, place, place, 300, 200, 0, word(0), word(0)))
            x.XMapWindow(display, made)
            return made
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        frame = window(root, 50)
        inner = window(frame, 0)
        atom = lambda name: word(x.XInternAtom(display, name, 0))
        x.XChangeProperty(display, root, atom(b"_NET_ACTIVE_WINDOW"), atom(b"WINDOW"), 32, 0,
                          ctypes.byref(inner), 1)
        x.XSync(display, 0)
        print("framed")
        place = 50
        while True:
            signal.sigwait({signal.SIGUSR1})
            place = 850 - place
            x.XMoveWindow(display, frame, place, 50)
            x.XSync(display, 0)
        """
}
