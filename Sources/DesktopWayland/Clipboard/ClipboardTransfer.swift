import DictationSystem
import Foundation
import Glibc

/// A format on its way to a program that pastes it. It never blocks.
final class ClipboardTransfer {
    private let pipe: Descriptor
    private let data: Data
    private let whenRead: (() -> Void)?
    private var written = 0
    private(set) var isOver = false

    /// - Parameters:
    ///   - pipe: to be written to and closed.
    ///   - whenRead: called when the program has read all of it.
    init(_ data: Data, into pipe: Int32, whenRead: (() -> Void)? = nil) {
        self.pipe = Descriptor(owning: pipe)
        self.data = data
        self.whenRead = whenRead
        self.pipe.preparePipe(tellsReading: whenRead != nil)
    }

    /// Poll it for output until it is over.
    var descriptor: Int32 { pipe.raw }

    /// Continues after a poll.
    ///
    /// - Parameter isWritable: whether the pipe takes more; otherwise it is no longer read.
    func goOn(isWritable: Bool) {
        guard isWritable else {
            isOver = true
            return
        }
        if written == data.count {
            isOver = true
            whenRead?()
            return
        }
        while written < data.count {
            let count = data[(data.startIndex + written)...].withUnsafeBytes {
                Glibc.write(pipe.raw, $0.baseAddress, $0.count)
            }
            if count < 0 {
                isOver = errno != EAGAIN && errno != EINTR
                return
            }
            written += count
        }
        // Without a callback, the rest is the reader's task.
        if whenRead == nil { isOver = true }
    }
}
