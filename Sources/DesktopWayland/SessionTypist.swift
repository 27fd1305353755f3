import Desktop
import DictationSystem

/// Types into X11 windows and into native ones, whichever is meant. Both typists work on one thread.
actor SessionTypist<X11: TextTyping, Native: NativeTyping>: TextTyping {
    private nonisolated let x11: X11
    private nonisolated let native: Native

    nonisolated var unownedExecutor: UnownedSerialExecutor { x11.unownedExecutor }
    nonisolated var unfinished: [TypingRecord] { x11.unfinished }
    nonisolated var unread: Set<String> { x11.unread }
    nonisolated var unsurePastes: Set<String> { x11.unsurePastes.union(native.unsurePastes) }
    nonisolated let readings: AsyncStream<Void>

    /// - Parameter native: next to the other one, on its thread.
    init(x11: X11, native: Native) {
        self.x11 = x11
        self.native = native
        let (readings, news) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.readings = readings
        for part in [x11.readings, native.readings] {
            Task { for await _ in part { news.yield() } }
        }
    }

    func takeLateReadings() -> [TypingRecord] {
        x11.assumeIsolated { $0.takeLateReadings() } + native.assumeIsolated { $0.takeLateReadings() }
    }

    func forgetUnfinished() {
        x11.assumeIsolated { $0.forgetUnfinished() }
        native.assumeIsolated { $0.forgetUnfinished() }
    }

    func getReady() throws {
        try x11.assumeIsolated { try $0.getReady() }
        try native.assumeIsolated { try $0.getReady() }
    }

    func survey(_ text: String, options: TypingOptions, window: WindowInfo) throws -> TypingSurvey {
        if window.isNative {
            return try native.assumeIsolated { try $0.survey(text, options: options, window: window) }
        }
        return try x11.assumeIsolated { try $0.survey(text, options: options, window: window) }
    }

    func type(
        _ text: String, into expected: WindowInfo?, options: TypingOptions, pace: Duration,
        record: TypingRecord?, progress: @Sendable (TypingProgress) throws -> Void
    ) throws -> TypingOutcome {
        if expected?.isNative == true {
            return try native.assumeIsolated {
                try $0.type(
                    text, into: expected, options: options, pace: pace, record: record, progress: progress)
            }
        }
        return try x11.assumeIsolated {
            try $0.type(
                text, into: expected, options: options, pace: pace, record: record, progress: progress)
        }
    }
}
