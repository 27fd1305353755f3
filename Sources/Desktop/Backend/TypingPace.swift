import Foundation

/// The pause between two batches that a profile asks for (`pace`).
///
/// For an application that loses what comes too fast. No event says when such an application is ready, so
/// this waits for a time, on the typist's own thread, which has nothing else to do.
package func rest(forPace pace: Duration) {
    if pace > .zero { Thread.sleep(forTimeInterval: pace / .seconds(1)) }
}
