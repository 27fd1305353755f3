import Desktop
import DictationSettings
import DictationSystem
import Logging

/// The overlay's display ended, or ended the connection.
struct DisplayGone: Error, CustomStringConvertible {
    var description: String { "the display went away; the overlay tries it again with the next dictation" }
}

/// The overlay's place on a display, with its painter: what the overlay's thread owns.
final class OverlayScreen {
    private let surface: any OverlaySurface
    private let settings: @Sendable () -> OverlaySettings
    private let logger: Logger
    private var painter: OverlayPainter?
    private var sheet: OverlaySheet?
    private var shown = OverlayScene.hidden
    private var shownSettings = OverlaySettings()
    /// The state of the sound in the last drawing.
    private var drawnFrames = 0
    /// The change that could not be drawn yet, because the surface was not ready.
    private var missed: Change?

    /// How much of a picture is new.
    private enum Change: Int {
        case movement, content, all
    }

    init(
        _ surface: any OverlaySurface, settings: @escaping @Sendable () -> OverlaySettings, logger: Logger
    ) {
        self.surface = surface
        self.settings = settings
        self.logger = logger
    }

    /// Loads fonts, which takes some tens of milliseconds the first time, before it is needed.
    func warmUp() {
        guard settings().isShown else { return }
        let painter = OverlayPainter(width: 200, height: 100, scale: 1, theme: .dark, isMotionReduced: false)
        for scene in [
            OverlayScene.recording(text: "Warm up"), .error(message: "Warm up"), .inserted(text: ""),
        ] {
            _ = painter.pictures(of: scene, sound: OverlaySound(), isWhole: true)
        }
    }

    /// Shows the scenes, until `look` returns nil.
    ///
    /// - Throws: ``DisplayGone``, ``SystemError``
    func run(_ wakeUp: WakeUp, look: ([OverlayFlow.Event]) -> OverlayFlow?) throws {
        var happened: [OverlayFlow.Event] = []
        while !surface.isLost, let flow = look(happened) {
            show(flow)
            // Events that came along with the display's answers are not in the socket any more.
            var events = surface.takeEvents()
            if events.isEmpty {
                let ready = try waitUntilReadable([wakeUp.raw, surface.descriptor], until: wakeTime(flow))
                if ready.contains(wakeUp.raw) { wakeUp.clear() }
                events = surface.takeEvents()
            }
            happened = events.contains(.clicked) ? [.clicked] : []
            if flow.deadline.map({ .now >= $0 }) == true { happened.append(.timePassed) }
            if events.contains(.emptied) {
                draw(flow, .all)
            } else if events.contains(.ready), let missed {
                draw(flow, missed)
            }
        }
        guard !surface.isLost else { throw DisplayGone() }
        surface.hide()
    }

    /// - Returns: nil if only an event changes anything.
    private func wakeTime(_ flow: OverlayFlow) -> ContinuousClock.Instant? {
        // A display that shows nothing needs no frames.
        surface.isReady || !flow.awaitsFrame ? flow.deadline : nil
    }

    private func show(_ flow: OverlayFlow) {
        if shown == .hidden, flow.scene != .hidden { shownSettings = settings() }
        let scene = shownSettings.isShown ? flow.scene : .hidden
        let before = shown
        shown = scene
        if scene == .hidden {
            surface.hide()
            // A painter holds some hundred kilobytes.
            (painter, sheet, missed) = (nil, nil, nil)
        } else {
            if before == .hidden {
                surface.show(
                    OverlayPlace(position: shownSettings.position, size: shownSettings.size))
            }
            draw(flow, before.name != scene.name ? .all : before != scene ? .content : .movement)
        }
        guard before.name != scene.name else { return }
        // After the picture: a program that finds the window by its name finds the picture in it.
        if scene != .hidden { surface.describe(scene.name, takesClicks: scene.takesClick) }
        logger.debug("the overlay shows: \(scene.name)")
    }

    private func draw(_ flow: OverlayFlow, _ change: Change) {
        guard shown != .hidden else { return }
        if change == .movement {
            // Woken for another reason.
            guard flow.sound.frames != drawnFrames else { return }
            // Four times a second do not look like movement.
            if shownSettings.isMotionReduced, flow.sound.frames % 8 != 0 { return }
        }
        guard surface.isReady, let sheet = surface.sheet else {
            if change.rawValue >= missed?.rawValue ?? 0 { missed = change }
            return
        }
        let isWhole = change == .all || missed == .all || sheet != self.sheet
        (missed, drawnFrames) = (nil, flow.sound.frames)
        let scene = visible(shown)
        let painter = painter(for: sheet)
        for picture in painter.pictures(of: scene, sound: flow.sound, isWhole: isWhole) {
            surface.draw(picture)
        }
        if !isWhole {
            for (areas, color) in painter.rectangles(of: scene, sound: flow.sound) {
                surface.fill(areas, with: color.pixel)
            }
        }
        surface.flush()
    }

    private func painter(for sheet: OverlaySheet) -> OverlayPainter {
        if let painter, sheet == self.sheet { return painter }
        let new = OverlayPainter(
            width: sheet.width, height: sheet.height, scale: sheet.scale, theme: shownSettings.theme,
            isMotionReduced: shownSettings.isMotionReduced)
        (painter, self.sheet) = (new, sheet)
        return new
    }

    /// Without the words, if the settings say so.
    private func visible(_ scene: OverlayScene) -> OverlayScene {
        if shownSettings.showsText { return scene }
        return switch scene {
        case .recording: .recording(text: "")
        case .processing: .processing(text: "")
        case .inserted: .inserted(text: "")
        case .hidden, .held, .error: scene
        }
    }
}
