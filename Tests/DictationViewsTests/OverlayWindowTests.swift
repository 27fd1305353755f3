import Desktop
import DesktopX11
import DictationSettings
import DictationShared
import Foundation
import TestSupport
import Testing

@testable import DictationViews

/// The overlay on real displays. The pictures stay in .build/overlay, for people to look at.
@Suite("The overlay on the screen", .serialized, .timeLimit(.minutes(5)))
struct OverlayWindowTests {
    static let sentence =
        "Dear Doctor Miller, thank you for sending me the results of the examination so quickly; "
        + "I would like to see the patient again next week, if that is possible for you"

    /// A window that is found on the screen.
    struct Found {
        let id: Int
        let area: ScreenArea
    }

    static func find(_ scene: String, on display: VirtualDisplay) async throws -> Found {
        let output = try await display.xdotool(
            "search", "--sync", "--onlyvisible", "--name", "^VoiceDictation: \(scene)$")
        let id = try #require(Int(output.trimmingCharacters(in: .whitespacesAndNewlines)))
        let geometry = try await display.xdotool("getwindowgeometry", "--shell", "\(id)")
        let values = Dictionary(
            geometry.split(separator: "\n").compactMap { line -> (String, Int)? in
                let parts = line.split(separator: "=")
                return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
            }
        ) { first, _ in first }
        return Found(
            id: id,
            area: ScreenArea(
                x: values["X"] ?? -1, y: values["Y"] ?? -1, width: values["WIDTH"] ?? 0,
                height: values["HEIGHT"] ?? 0))
    }

    /// How many colors there are in a part of the window: text and shapes have many, by their smooth edges.
    static func colors(
        _ found: Found, at area: ScreenArea? = nil, in part: ScreenArea, picture: String
    ) async throws -> Int {
        let area = area ?? found.area
        let crop = "\(part.width)x\(part.height)+\(area.x + part.x)+\(area.y + part.y)"
        let output = try await Program.run(
            "convert", [picture, "-crop", crop, "+repage", "-format", "%k", "info:"])
        return Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    private static func windowBelowPointer(
        _ display: VirtualDisplay, at area: ScreenArea
    ) async throws -> String {
        try await display.xdotool("mousemove", "\(area.middle.x)", "\(area.middle.y)")
        return try await display.xdotool("getmouselocation", "--shell")
    }

    static let scenes: [(name: String, phase: DictationState.Phase)] = [
        ("recording", .recording), ("processing", .processing), ("inserted", .ready(.inserted)),
        ("held", .ready(.held(.focusMoved))),
        (
            "error",
            .failed(
                DictationFailure(
                    code: .noMicrophone,
                    message:
                        "The microphone “default” cannot be opened: no such device. Nothing was recorded."))
        ),
    ]

    @Test(
        "every scene is there, where it should be, with text in it, and without the focus",
        arguments: [96, 192])
    func scenes(dpi: Int) async throws {
        let display = try await VirtualDisplay.start()
        let window = try await TextWindow.start(.gtkText, on: display, title: "Letter")
        try await Program.run(
            "xprop",
            ["-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t\(dpi)\n"],
            environment: display.environment)
        let focused = try await display.xdotool("getwindowfocus")
        // So that a slow machine finds them all.
        var times = OverlayFlow.Times()
        (times.inserted, times.error, times.held, times.waiting) = (
            .seconds(600), .seconds(600), .seconds(600), .seconds(600)
        )
        let overlay = Overlay(
            on: X11Overlay(display: display.name), times: times, settings: { OverlaySettings() })
        let folder = URL(fileURLWithPath: repositoryFile(".build/overlay"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let scale = dpi / 96
        let id = DictationID()
        overlay.handle(.began(id))
        for step in 0..<60 {
            let loudness = -8 - 30 * abs(sin(Double(step) / 5)) - Double(step % 7)
            overlay.handle(.sound(decibels: loudness, milliseconds: step * 33))
            // As sound comes, so that the pictures show bars; nothing that is checked depends on it.
            try await Task.sleep(for: OverlaySound.frame)
        }
        for (name, phase) in Self.scenes {
            overlay.handle(
                .changed(
                    States.state(
                        phase, text: Self.sentence, partial: Self.sentence, id: id,
                        timings: Timings(typing: 4))))
            let found = try await Self.find(name, on: display)
            #expect(
                found.area
                    == ScreenArea(
                        x: (1_280 - 420 * scale) / 2, y: 800 - 104 * scale - 72 * scale, width: 420 * scale,
                        height: 104 * scale))
            let picture = folder.appendingPathComponent("\(name)-\(dpi).png").path
            try await display.screenshot(to: picture)
            let mark = ScreenArea(x: 20 * scale, y: 14 * scale, width: 36 * scale, height: 36 * scale)
            let text = ScreenArea(x: 70 * scale, y: 62 * scale, width: 300 * scale, height: 34 * scale)
            #expect(try await Self.colors(found, in: mark, picture: picture) > 10, "\(name)")
            #expect(try await Self.colors(found, in: text, picture: picture) > 10, "\(name)")
            #expect(try await display.xdotool("getwindowfocus") == focused)
            // Clicks reach the windows below, except at the banner.
            let below = try await Self.windowBelowPointer(display, at: found.area)
            #expect(below.contains("WINDOW=\(found.id)\n") == (name == "error"), "\(name): \(below)")
        }
        // Keys that are typed while it is there arrive in the window.
        try tapKey("a", on: display)
        try await window.waitForText(equal: "a")
        let found = try await Self.find("error", on: display)
        let watch = try Program.start(
            "xprop", ["-id", "\(found.id)", "-spy", "WM_NAME"], environment: display.environment)
        try await watch.waitForLine(containing: "VoiceDictation: error")
        _ = try await Self.windowBelowPointer(display, at: found.area)
        try await display.xdotool("click", "1")
        try await watch.waitForLine(containing: "VoiceDictation: hidden")
        await watch.end()
        overlay.stop()
        await display.end()
    }

    @Test("settings: another place, nothing at all, without the words")
    func settings() async throws {
        let display = try await VirtualDisplay.start()
        var settings = OverlaySettings()
        settings.position = .topRight
        settings.theme = .contrast
        settings.size = .small
        settings.showsText = false
        settings.isMotionReduced = true
        let chosen = settings
        let overlay = Overlay(on: X11Overlay(display: display.name), settings: { chosen })
        let id = DictationID()
        overlay.handle(.began(id))
        overlay.handle(.sound(decibels: -10, milliseconds: 250))
        overlay.handle(.changed(States.state(.processing, partial: Self.sentence, id: id)))
        let found = try await Self.find("processing", on: display)
        #expect(found.area == ScreenArea(x: 1_280 - 336 - 19, y: 19, width: 336, height: 83))
        let picture = repositoryFile(".build/overlay/contrast.png")
        try await display.screenshot(to: picture)
        let text = ScreenArea(x: 54, y: 42, width: 240, height: 34)
        #expect(try await Self.colors(found, in: text, picture: picture) == 1)
        overlay.stop()
        var off = OverlaySettings()
        off.isShown = false
        let hidden = off
        let second = Overlay(on: X11Overlay(display: display.name), settings: { hidden })
        second.handle(.began(id))
        second.handle(.changed(States.state(.failed(.noSpeech), id: id)))
        let visible = try Program.start(
            "xdotool", ["search", "--onlyvisible", "--name", "^VoiceDictation: error"],
            environment: display.environment)
        #expect(try await visible.exitCode == 1)
        second.stop()
        await display.end()
    }

    /// A message as long as the longest ones: a reason, and what to do.
    private static let reason =
        "The model “moonshine-tiny-en” in /home/somebody/.local/share/voicedictation/engines/models/moonshine-tiny-en "
        + "cannot be used: the library does not take its files. What was said is kept. Install the model again with: "
        + "host-agent install-engines moonshine-tiny-en"

    @Test("without a compositor its corners show what is behind it; a long message has its last words")
    func cornersAndMessage() async throws {
        let display = try await VirtualDisplay.start()
        try await Program.run("xsetroot", ["-solid", "#ff00ff"], environment: display.environment)
        var times = OverlayFlow.Times()
        times.error = .seconds(600)
        let overlay = Overlay(
            on: X11Overlay(display: display.name), times: times, settings: { OverlaySettings() })
        let id = DictationID()
        overlay.handle(.began(id))
        overlay.handle(
            .changed(
                States.state(
                    .failed(DictationFailure(code: .modelUnusable, message: Self.reason)), id: id)))
        let found = try await Self.find("error", on: display)
        let folder = URL(fileURLWithPath: repositoryFile(".build/overlay"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let picture = folder.appendingPathComponent("corners.png").path
        try await display.screenshot(to: picture)
        let (right, bottom) = (found.area.x + found.area.width - 1, found.area.y + found.area.height - 1)
        for (x, y) in [
            (found.area.x, found.area.y), (right, found.area.y), (found.area.x, bottom), (right, bottom),
        ] {
            let pixel = try await Program.run(
                "convert", [picture, "-format", "%[hex:p{\(x),\(y)}]", "info:"])
            #expect(pixel.hasPrefix("FF00FF"), "\(x), \(y)")
        }
        overlay.stop()
        await display.end()
    }

    @Test("all of a long reason and of what to do fits; more than that loses its end", arguments: [1, 3])
    func fits(times: Int) throws {
        let painter = OverlayPainter(
            width: Int(OverlayPlace.width), height: Int(OverlayPlace.height), scale: 1, theme: .dark,
            isMotionReduced: false)
        let message = [String](repeating: Self.reason, count: times).joined(separator: " ")
        func picture(_ message: String) throws -> [UInt8] {
            let pictures = painter.pictures(
                of: .error(message: message), sound: OverlaySound(), isWhole: true)
            let picture = try #require(pictures.first)
            return Array(UnsafeBufferPointer(start: picture.bytes, count: picture.stride * picture.height))
        }
        // Its last word is seen if it makes a difference.
        let isSeen = try picture(message + " Now") != picture(message + " Yes")
        #expect(isSeen == (times == 1))
    }
}
