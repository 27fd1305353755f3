import DictationBus
import Foundation

/// Offers a better recognizer in a notification, installs it, and reports its progress: events in, effects
/// out; no clock, no bus, no installer.
///
///     advised ─► show the offer ─── Not now ──► quiet for a month
///                    │ Install
///                    ▼
///               progress, in the same notification ─► done, or failed with what to do
///
/// Install counts once, even if it is clicked several times.
struct OfferFlow: Equatable {
    enum Answer: String, CaseIterable {
        case install
        case later
    }

    enum Event: Equatable {
        /// - isQuiet: the user has seen the offer a short while ago, or wants no notifications.
        case advised(RecognizerAdvice.Model, isQuiet: Bool)
        case answered(Answer)
        /// 0…1 of the installation, and its current step.
        case progressed(Double, String)
        case installed
        case failed(reason: String)
    }

    enum Effect: Equatable {
        case show(DesktopNotice)
        case close
        case install(String)
        /// No offer for this long from now on.
        case beQuiet(Duration)
    }

    /// An offer that was seen and not answered.
    static let day = Duration.seconds(24 * 3600)
    /// One that was refused.
    static let month = Duration.seconds(30 * 24 * 3600)
    /// Percent between two pictures of the progress: some services make a sound or a movement for each.
    static let step = 5

    private enum Phase: Equatable {
        case idle
        case offered(RecognizerAdvice.Model)
        case installing(RecognizerAdvice.Model, percent: Int)
    }
    private var phase = Phase.idle

    mutating func handle(_ event: Event) -> [Effect] {
        switch (event, phase) {
        case (.advised(let model, let isQuiet), .idle):
            phase = .offered(model)
            return isQuiet ? [] : [.show(Self.offer(of: model)), .beQuiet(Self.day)]
        case (.answered(.install), .offered(let model)):
            phase = .installing(model, percent: 0)
            return [.install(model.name), .show(Self.progress("Checking what is needed", percent: 0))]
        case (.answered(.later), .offered):
            phase = .idle
            return [.beQuiet(Self.month), .close]
        case (.progressed(let fraction, let text), .installing(let model, let percent)):
            let now = Int(min(1, max(0, fraction)) * 100)
            guard now >= percent + Self.step else { return [] }
            phase = .installing(model, percent: now)
            return [.show(Self.progress(text, percent: now))]
        case (.installed, .installing):
            phase = .idle
            return [
                .show(
                    DesktopNotice(
                        summary: "The better recognizer is installed",
                        body: "The next dictation uses it, once it is loaded."))
            ]
        case (.failed(let reason), .installing(let model, _)):
            // The button stays: a partial download is kept, and the next try continues from there.
            phase = .offered(model)
            return [
                .show(
                    DesktopNotice(
                        summary: "The better recognizer could not be installed",
                        body: "\(reason)\nOr in a terminal: \(model.command)",
                        actions: [.init(Answer.install.rawValue, label: "Try again")]))
            ]
        default: return []
        }
    }

    private static func offer(of model: RecognizerAdvice.Model) -> DesktopNotice {
        DesktopNotice(
            summary: "Install the better recognizer (\(model.size))",
            body: "It gets far fewer words wrong than PocketSphinx, and nothing you say leaves this machine. "
                + "In a terminal: \(model.command)",
            actions: [
                .init(Answer.install.rawValue, label: "Install (\(model.size))"),
                .init(Answer.later.rawValue, label: "Not now"),
            ])
    }

    private static func progress(_ text: String, percent: Int) -> DesktopNotice {
        DesktopNotice(summary: "Installing the better recognizer: \(percent) %", body: text)
    }
}
