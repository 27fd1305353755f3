import Desktop
import DesktopWayland
import DesktopX11
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Logging
import TestSupport
import Testing

@testable import DictationViews

/// The overlay in a real compositor that has the layer shell.
@Suite("The overlay in a Wayland session", .serialized, .timeLimit(.minutes(5)))
struct LayerOverlayTests {
    private static let background = 0x1B1D22
    private static let alarm = 0xE5484D
    /// Of the window behind it.
    private static let behind = 0xFF00FF
    /// At the bottom of a screen of 1280 × 800.
    private static let area = ScreenArea(x: 430, y: 624, width: 420, height: 104)

    /// Scenes that stay: so that a slow machine finds them all.
    private static var longTimes: OverlayFlow.Times {
        var times = OverlayFlow.Times()
        (times.inserted, times.error, times.held, times.waiting) = (
            .seconds(600), .seconds(600), .seconds(600), .seconds(600)
        )
        return times
    }

    private static func overlay(
        _ desktop: WaylandDesktop, _ settings: OverlaySettings = OverlaySettings()
    ) -> Overlay {
        Overlay(
            on: WaylandOverlay(socket: desktop.socket), times: longTimes, settings: { settings })
    }

    /// A window that is all of one color.
    private static func startWindow(_ title: String, on desktop: WaylandDesktop) async throws -> Program {
        try Program.start(
            "foot",
            [
                "--title", title, "--override", "locked-title=yes", "--override",
                "colors.background=ff00ff", "sleep", "600",
            ], environment: desktop.environment.merging(["DISPLAY": ""]) { $1 })
    }

    /// Whether the overlay is there, by pixels inside it that have its background in every scene.
    private static func isShown(
        _ picture: ScreenPicture, at area: ScreenArea = area, scale: Int = 1
    ) -> Bool {
        let inside = [(8, 40), (8, 52), (area.width / scale - 10, 52)]
        return inside.allSatisfy { picture[area.x + $0.0 * scale, area.y + $0.1 * scale] == background }
    }

    private static func failure(_ id: DictationID) -> OverlayFlow.Event {
        .changed(
            States.state(
                .failed(DictationFailure(code: .noMicrophone, message: "No microphone. Plug one in.")), id: id
            ))
    }

    @Test(
        "is seen where it should be, with corners that show what is behind, takes neither focus nor keys, and goes"
    )
    func shown() async throws {
        let desktop = try await WaylandDesktop.start()
        let typist = try WaylandTypist(socket: desktop.socket)
        let window = try await WaylandWindow.start(on: desktop, title: "Letter")
        let focused = try #require(try await typist.focusedWindow())
        // foot's own color, once it is drawn.
        let isDrawn = { (picture: ScreenPicture) in
            picture.colors(x: Self.area.x..<Self.area.x + 420, y: Self.area.y..<Self.area.y + 104)
                == [0x111111]
        }
        let before = try #require(try await desktop.waitForPicture(where: isDrawn))
        let overlay = Self.overlay(desktop)
        let id = DictationID()
        overlay.handle(.began(id))
        let first = try #require(try await desktop.waitForPicture { Self.isShown($0) })
        // The disc of the microphone.
        let mark = ScreenArea(x: Self.area.x + 38, y: Self.area.y + 32, width: 0, height: 0)
        #expect(first[mark.x - 12, mark.y] == Self.alarm)
        // Nothing else has changed, and not even all of that: its corners are those of the window below.
        let differences = first.differences(from: before)
        #expect(differences.allSatisfy { Self.area.contains(x: $0.x, y: $0.y) })
        let (right, bottom) = (Self.area.x + Self.area.width - 1, Self.area.y + Self.area.height - 1)
        for (x, y) in [
            (Self.area.x, Self.area.y), (right, Self.area.y), (Self.area.x, bottom), (right, bottom),
        ] {
            #expect(first[x, y] == before[x, y], "\(x), \(y)")
        }
        #expect(try await typist.focusedWindow() == focused)
        #expect(try await typist.type("Keys", into: focused) == .typed(4))
        try await window.waitForText(equal: "Keys")

        // Words change only the area of the words.
        let words = ScreenArea(x: Self.area.x + 14, y: Self.area.y + 58, width: 392, height: 42)
        let empty = try await desktop.picture()
        overlay.handle(.words(id, SpokenText(tentative: OverlayWindowTests.sentence)))
        let spoken = try #require(
            try await desktop.waitForPicture { !$0.differences(from: empty).isEmpty })
        #expect(spoken.differences(from: empty).allSatisfy { words.contains(x: $0.x, y: $0.y) })
        // Sound moves its lines.
        overlay.handle(.sound(decibels: 0, milliseconds: 40))
        let bars = ScreenArea(x: Self.area.x + 68, y: Self.area.y + 15, width: 272, height: 34)
        let loud = try #require(
            try await desktop.waitForPicture { picture in
                picture.colors(x: bars.x..<bars.x + bars.width, y: bars.y..<bars.y + 1).contains(Self.alarm)
            })
        #expect(Self.isShown(loud))

        overlay.handle(.changed(States.state(.cancelled, id: id)))
        let after = try #require(try await desktop.waitForPicture { !Self.isShown($0) })
        #expect(after[mark.x - 12, mark.y] != Self.alarm)
        overlay.stop()
        await window.end()
        await desktop.end()
    }

    @Test("every scene has its picture; another place and size are those of the settings")
    func scenes() async throws {
        let desktop = try await WaylandDesktop.start()
        try await desktop.sway("default_border none")
        let window = try await Self.startWindow("Letter", on: desktop)
        _ = try #require(try await desktop.waitForPicture { $0[640, 400] == Self.behind })
        var settings = OverlaySettings()
        settings.position = .topRight
        settings.size = .small
        let overlay = Self.overlay(desktop, settings)
        let id = DictationID()
        overlay.handle(.began(id))
        let area = ScreenArea(x: 1_280 - 336 - 19, y: 19, width: 336, height: 83)
        for (name, phase) in OverlayWindowTests.scenes {
            overlay.handle(
                .changed(
                    States.state(
                        phase, text: OverlayWindowTests.sentence, partial: OverlayWindowTests.sentence,
                        id: id,
                        timings: Timings(typing: 4))))
            // The color of the disc, which each scene has at its left.
            let disc =
                ["recording": Self.alarm, "inserted": 0x2F9E63, "error": Self.alarm][name] ?? 0xD98A12
            // No two that follow each other have the same.
            let isThere = { (picture: ScreenPicture) in
                picture[area.x + 20, area.y + 26] == disc
                    && picture.colors(x: area.x + 54..<area.x + 300, y: area.y + 44..<area.y + 78).count > 10
            }
            let picture = try #require(try await desktop.waitForPicture(where: isThere), "\(name)")
            #expect(picture[area.x + 4, area.y + 40] == Self.background)
            // Rounded: the background is seen in the corners, and next to its edges.
            #expect(picture[area.x, area.y] == Self.behind && picture[area.x - 1, area.y + 40] == Self.behind)
            #expect(picture[area.x + area.width, area.y + 40] == Self.behind)
        }
        overlay.stop()
        _ = try #require(
            try await desktop.waitForPicture { $0.colors(x: 900..<1_280, y: 0..<120) == [Self.behind] })
        await window.end()
        await desktop.end()
    }

    @Test("clicks go to the window below; the one into an error closes it")
    func clicks() async throws {
        let desktop = try await WaylandDesktop.start()
        let mouse = try Program.start("/usr/bin/python3", ["-u", "-c", Self.mouse, desktop.socket])
        try await mouse.waitForLine(containing: "plugged in")
        let left = try await WaylandWindow.start(on: desktop, title: "Left")
        let right = try await WaylandWindow.start(on: desktop, title: "Right")
        let typist = try WaylandTypist(socket: desktop.socket)
        func focused() async throws -> String? { try await typist.focusedWindow()?.title }
        func click(_ x: Int, _ y: Int) async throws {
            try await desktop.sway("seat - cursor set \(x) \(y)")
            try await desktop.sway("seat - cursor press button1")
            try await desktop.sway("seat - cursor release button1")
        }
        #expect(try await focused() == "Right")
        let overlay = Self.overlay(desktop)
        let id = DictationID()
        overlay.handle(.began(id))
        _ = try #require(try await desktop.waitForPicture { Self.isShown($0) })
        try await click(Self.area.x + 100, Self.area.y + 52)
        #expect(try await focused() == "Left")
        try await click(Self.area.x + 320, Self.area.y + 52)
        #expect(try await focused() == "Right")
        overlay.handle(Self.failure(id))
        // In its scene it takes clicks when it is visible, but the compositor may get the region a moment
        // later.
        _ = try #require(
            try await desktop.waitForPicture {
                $0.colors(x: Self.area.x + 68..<Self.area.x + 400, y: Self.area.y + 84..<Self.area.y + 98)
                    .count
                    > 10
            })
        try await click(Self.area.x + 100, Self.area.y + 52)
        #expect(try await focused() == "Right")
        _ = try #require(try await desktop.waitForPicture { !Self.isShown($0) })
        overlay.stop()
        await left.end()
        await right.end()
        await mouse.end()
        await desktop.end()
    }

    /// A mouse that is there and does nothing, so that the compositor offers a pointer: it makes a virtual one, in the
    /// protocol's own bytes.
    private static let mouse = """
        import signal, socket, struct, sys
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(sys.argv[1])
        stream = connection.makefile("rb")
        def ask(target, request, *words):
            body = b"".join(word if isinstance(word, bytes) else struct.pack("=I", word) for word in words)
            connection.sendall(struct.pack("=II", target, (8 + len(body)) << 16 | request) + body)
        def wait(callback):
            offers = {}
            while True:
                target, head = struct.unpack("=II", stream.read(8))
                body = stream.read((head >> 16) - 8)
                if target == 2:
                    name, length = struct.unpack_from("=II", body)
                    offers[body[8:8 + length - 1]] = name
                if target == callback:
                    return offers
        interface = b"zwlr_virtual_pointer_manager_v1"
        ask(1, 1, 2)
        ask(1, 0, 3)
        offers = wait(3)
        ask(2, 0, offers[interface], len(interface) + 1, interface + b"\\0", 1, 4)
        ask(4, 0, 0, 5)
        ask(1, 0, 6)
        wait(6)
        print("plugged in")
        signal.sigwait({signal.SIGTERM})
        """

    @Test("the window of an X server that is XWayland has square corners, and no black ones")
    func xwayland() async throws {
        let desktop = try await WaylandDesktop.start()
        try await desktop.sway("default_border none")
        let window = try await Self.startWindow("Letter", on: desktop)
        _ = try #require(try await desktop.waitForPicture { $0[640, 400] == Self.behind })
        let overlay = Overlay(
            on: X11Overlay(display: desktop.environment["DISPLAY"], isRounded: false),
            settings: { OverlaySettings() })
        overlay.handle(.began(DictationID()))
        let picture = try #require(try await desktop.waitForPicture { Self.isShown($0) })
        let (right, bottom) = (Self.area.x + Self.area.width - 1, Self.area.y + Self.area.height - 1)
        for (x, y) in [
            (Self.area.x, Self.area.y), (right, Self.area.y), (Self.area.x, bottom), (right, bottom),
        ] {
            #expect(picture[x, y] == Self.background, "\(x), \(y)")
        }
        overlay.stop()
        await window.end()
        await desktop.end()
    }

    @Test("follows the focus to another screen with another scale, and a screen that is scaled or turned")
    func screens() async throws {
        let desktop = try await WaylandDesktop.start()
        try await desktop.sway("create_output")
        try await desktop.sway("output HEADLESS-2 resolution 1600x1200 position 1280 0 scale 2")
        try await desktop.sway("workspace 1 output HEADLESS-1")
        try await desktop.sway("workspace 2 output HEADLESS-2")
        try await desktop.sway("workspace 1")
        let first = try await WaylandWindow.start(on: desktop, title: "First")
        try await desktop.sway("workspace 2")
        let second = try await WaylandWindow.start(on: desktop, title: "Second")
        let overlay = Self.overlay(desktop)
        overlay.handle(.began(DictationID()))
        // 800 × 600 units of two pixels each.
        let large = ScreenArea(x: 190 * 2, y: (600 - 104 - 72) * 2, width: 840, height: 208)
        _ = try #require(
            try await desktop.waitForPicture(of: "HEADLESS-2") { Self.isShown($0, at: large, scale: 2) })
        #expect(try await !Self.isShown(desktop.picture(of: "HEADLESS-1")))

        try await first.focus()
        _ = try #require(try await desktop.waitForPicture(of: "HEADLESS-1") { Self.isShown($0) })
        #expect(try await !Self.isShown(desktop.picture(of: "HEADLESS-2"), at: large, scale: 2))
        try await second.focus()
        _ = try #require(
            try await desktop.waitForPicture(of: "HEADLESS-2") { Self.isShown($0, at: large, scale: 2) })

        // Another scale while it is there.
        try await first.focus()
        _ = try #require(try await desktop.waitForPicture(of: "HEADLESS-1") { Self.isShown($0) })
        try await desktop.sway("output HEADLESS-1 scale 2")
        let middle = ScreenArea(x: (640 - 420) / 2 * 2, y: (400 - 104 - 72) * 2, width: 840, height: 208)
        _ = try #require(
            try await desktop.waitForPicture(of: "HEADLESS-1") { Self.isShown($0, at: middle, scale: 2) })
        // And turned, to stand upright.
        try await desktop.sway("output HEADLESS-1 transform 90 scale 1")
        let upright = ScreenArea(x: (800 - 420) / 2, y: 1_280 - 104 - 72, width: 420, height: 104)
        _ = try #require(
            try await desktop.waitForPicture(of: "HEADLESS-1") { Self.isShown($0, at: upright) })
        overlay.stop()
        await first.end()
        await second.end()
        await desktop.end()
    }

    @Test("hidden it never wakes, for no change of the desktop; shown it does not while nothing is new")
    func idle() async throws {
        let desktop = try await WaylandDesktop.start()
        let overlay = Self.overlay(desktop)
        let id = DictationID()
        overlay.handle(.began(id))
        _ = try #require(try await desktop.waitForPicture { Self.isShown($0) })
        let shown = try await Self.restingSleeps(desktop)
        _ = try await desktop.picture()
        #expect(OverlayWindowTests.sleeps() == shown)
        overlay.handle(.changed(States.state(.cancelled, id: id)))
        _ = try #require(try await desktop.waitForPicture { !Self.isShown($0) })
        let hidden = try await Self.restingSleeps(desktop)
        let window = try await WaylandWindow.start(on: desktop, title: "Letter")
        let other = try await WaylandWindow.start(on: desktop, title: "Other")
        try await window.focus()
        await other.end()
        await window.end()
        #expect(OverlayWindowTests.sleeps() == hidden)
        overlay.stop()
        await desktop.end()
    }

    /// How often the overlay's threads have slept, once they sleep for as long as two pictures take.
    private static func restingSleeps(_ desktop: WaylandDesktop) async throws -> Int {
        var last = -1
        while last != OverlayWindowTests.sleeps() {
            last = OverlayWindowTests.sleeps()
            for _ in 0..<2 { _ = try await desktop.picture() }
        }
        return last
    }

    @Test("when the compositor ends, the next dictation is shown by the one that has come in its place")
    func compositorEnds() async throws {
        let folder = try TemporaryFolder("compositor")
        let socket = folder.file("wayland")
        let old = try await WaylandDesktop.start()
        try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: old.socket)
        let overlay = Overlay(
            on: WaylandOverlay(socket: socket), times: Self.longTimes, settings: { OverlaySettings() })
        overlay.handle(.began(DictationID()))
        _ = try #require(try await old.waitForPicture { Self.isShown($0) })
        await old.end()
        let new = try await WaylandDesktop.start()
        try FileManager.default.removeItem(atPath: socket)
        try FileManager.default.createSymbolicLink(atPath: socket, withDestinationPath: new.socket)
        overlay.handle(.began(DictationID()))
        _ = try #require(try await new.waitForPicture { Self.isShown($0) })
        overlay.stop()
        await new.end()
    }
}
