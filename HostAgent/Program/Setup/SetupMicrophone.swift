import DictationHost
import DictationSettings
import DictationSpeech
import Foundation

enum SetupMicrophone {
    private static let again = "dictstate setup microphone"

    static func look() async -> SetupFlow.Look {
        let current = SetupSteps.settings.audio.device
        let devices = ALSAInput.devices()
        let listed = [current, "default"] + devices.map(\.name)
        var seen: Set<String> = []
        let names = listed.filter { seen.insert($0).inserted }
        do {
            _ = try await ALSAInput(device: current).level(over: firstSound)
        } catch {
            // Another one may be there.
            guard names.contains(where: { $0 != current && $0 != "default" }) else {
                return .outcome(SetupFlow.Outcome(kind: .missing, text: error.story, command: again))
            }
        }
        let choices = names.map { name in
            let about = devices.first { $0.name == name }?.about
            let what = about ?? (name == "default" ? "what the desktop has chosen" : "")
            return SetupFlow.Choice(value: name, label: what.isEmpty ? name : "\(name)  (\(what))")
        }
        return .question(SetupFlow.Question(text: "", choices: choices))
    }

    /// Shows the level until canceled.
    static func listen(to device: String, _ context: SetupWalk.Context) async {
        let capture = ALSAInput(device: device).start()
        defer { capture.stop(tail: .zero) }
        var meter = LevelMeter()
        var wasSilent = false
        var shown = Duration.zero
        var position = Duration.zero
        do {
            for try await chunk in capture.chunks {
                if Task.isCancelled { return }
                meter.add(chunk.level, lasting: chunk.duration)
                position += chunk.duration
                // Read only when it falls silent: sound shows that it was turned on.
                let isSilent = meter.verdict == .silent
                if isSilent, !wasSilent { meter.mixerProblem = CaptureSwitch.of(device)?.problem }
                wasSilent = isSilent
                // Ten times a second is fast enough to read.
                guard position - shown >= .milliseconds(100) else { continue }
                shown = position
                context.show(meter.line)
            }
        } catch {
            if !Task.isCancelled { context.show(error.story) }
        }
    }

    static func take(_ device: String) async -> SetupFlow.Outcome {
        do {
            let level = try await ALSAInput(device: device).level(over: firstSound)
            var meter = LevelMeter()
            meter.add(level, lasting: .seconds(1))
            let current = SetupSteps.settings.audio.device
            if let problem = SetupSteps.set("audio.device", to: device, from: current) { return problem }
            let text = "“\(device)”, \(Int(level.rms.rounded())) dB"
            guard meter.verdict != .silent else {
                meter.mixerProblem = CaptureSwitch.of(device)?.problem
                return SetupFlow.Outcome(kind: .missing, text: "\(text): \(meter.remark)", command: again)
            }
            return SetupFlow.Outcome(kind: .set, text: text)
        } catch {
            return SetupFlow.Outcome(kind: .missing, text: error.story, command: again)
        }
    }

    /// A device that can be opened may still give nothing.
    private static let firstSound = Duration.milliseconds(500)
}
