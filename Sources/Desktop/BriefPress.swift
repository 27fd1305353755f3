/// A press of the hotkey that is over almost as soon as it began: held a little too long for a tap, and hardly long enough
/// for a word.
///
/// ```
/// key     down────────up
/// sound   ·····yes·······    a dictation: speech began while the key was down
/// sound   lking about the    none: somebody talks nearby, and did so before
/// sound   ···············    none
/// ```
public struct BriefPress: Equatable, Sendable {
    /// A press that is shorter has to prove that it is a dictation. The shortest word spoken into a held key takes about
    /// 400 ms from press to release.
    public static let limit: Duration = .milliseconds(400)
    /// Speech that is there so soon was there before the press: nobody speaks sooner than this after his own key. In 431
    /// cuts out of recordings speech stood within 60 ms in 86 %; of words that began 100 ms after the press, 10 % did.
    private static let reaction: Duration = .milliseconds(60)

    /// From press to release.
    public let length: Duration

    public init(length: Duration) { self.length = length }

    /// Whether its sound is to become text.
    ///
    /// - Parameter onset: when speech began, from the beginning of the sound; nil where nobody spoke.
    public func isMeant(onset: Duration?) -> Bool {
        guard let onset else { return false }
        return onset >= Self.reaction && onset < length
    }
}
