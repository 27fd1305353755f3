import Foundation

/// The pause between two batches that a profile asks for (`pace`).
///
/// It is for an application that loses what comes too fast and has no way to say so. Nothing tells when such a one is ready, so
/// the time itself is waited for: on the typist's own thread, which has nothing else to do meanwhile.
package func rest(forPace pace: Duration) {
    if pace > .zero { Thread.sleep(forTimeInterval: pace / .seconds(1)) }
}
