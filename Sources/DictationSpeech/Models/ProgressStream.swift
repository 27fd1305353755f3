extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
    /// The reports of a task; a slow reader gets the newest. It ends with the task, and throws what that throws;
    /// letting go of the stream cancels the task.
    static func reporting(
        _ body: @escaping @Sendable (_ report: @escaping @Sendable (Element) -> Void) async throws -> Void
    ) -> AsyncThrowingStream {
        let (stream, output) = makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            do {
                try await body { output.yield($0) }
                output.finish()
            } catch {
                output.finish(throwing: error)
            }
        }
        output.onTermination = { _ in task.cancel() }
        return stream
    }
}
