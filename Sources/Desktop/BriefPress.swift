/// A very short press of the hotkey: a little too long for a tap, and hardly long enough for a word.
///
/// ```
/// key     down────────up
/// sound   ·····yes·······    a dictation: speech began while the key was down
/// sound   lking about the    none: somebody talks nearby, and did so before
/// sound   ···············    none
/// ```
public struct BriefPress: Equatable, Sendable {
    /// A shorter press counts as a dictation only if somebody spoke. The shortest word spoken into a held key takes about
    /// 400 ms from press to release.
    public static let limit: Duration = .milliseconds(400)
    /// Speech that is heard sooner began before the press: nobody speaks so soon after pressing a key. In 431 cuts out of
    /// running speech, 86 % had speech within 60 ms; of words that began 100 ms after the press, 10 % had.
    private static let reaction: Duration = .milliseconds(60)

    /// The time from press to release.
    public let length: Duration

    public init(length: Duration) { self.length = length }

    /// Whether its sound becomes text.
    ///
    /// - Parameter onset: when speech began, from the beginning of the sound; nil if nobody spoke.
    public func isMeant(onset: Duration?) -> Bool {
        guard let onset else { return false }
        return onset >= Self.reaction && onset < length
    }
}
