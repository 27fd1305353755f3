/// Cuts sound that comes in pieces of any length into frames of one length.
struct Frames<Sample: Equatable & Sendable>: Equatable, Sendable {
    /// Samples in a frame.
    let length: Int
    /// The samples that wait for the next frame.
    private(set) var rest: [Sample] = []

    init(of length: Int) { self.length = length }

    /// The frames that are full with these samples.
    mutating func add(_ samples: [Sample]) -> [ArraySlice<Sample>] {
        let all = rest + samples
        let end = all.count - all.count % length
        rest = Array(all[end...])
        return stride(from: 0, to: end, by: length).map { all[$0..<$0 + length] }
    }
}
