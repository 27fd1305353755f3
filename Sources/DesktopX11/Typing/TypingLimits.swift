/// The times and counts by which typing and pasting decide, in one place.
enum TypingLimits {
    /// How long an application may take to read its keys, and to fetch a text that is pasted.
    ///
    /// 5 s: a busy browser needs a second at times.
    /// - Used by: `Typist`, for `WindowReader` and `UnreadTexts`; `Paste`.
    static let answer: Duration = .seconds(5)

    /// How long to wait for a key to be released whose hotkey grab keeps the keyboard from the applications.
    ///
    /// 2 s: longer than a key is held by chance. After that the text is held, not lost.
    /// - Used by: `TypingTarget.awaitFreeKeyboard()`.
    static let busy: Duration = .seconds(2)

    /// The server serves its other clients between two grabs of ours only if we stay away for a moment; without it
    /// the window manager starves. No event says when they have been served, so this is a time.
    ///
    /// 300 µs: the work during this time (the progress is written) usually takes as long, so it costs nothing.
    /// - Used by: `TypingRun`, between two batches.
    static let breather: Duration = .microseconds(300)

    /// In this time a window that answers nothing at all (`st`, the oldest programs) has certainly read a
    /// batch.
    ///
    /// 500 ms: on a machine that is not overloaded; a busy xterm may read 150 ms late.
    /// - Used by: `WindowReader`, `UnreadTexts`.
    static let silentReading: Duration = .milliseconds(500)

    /// After this many keys whose reading is not certain, the application is asked while typing continues.
    ///
    /// 256: after a crash, it is unknown of this many characters whether they arrived; each question is a
    /// message to the application.
    /// - Used by: `WindowReader`.
    static let questionInterval = 256

    /// How many keys an application may lag behind. A slow one that reads all the time would otherwise get a
    /// long text faster than it can read the rest within ``answer``, and Escape would come too late for most
    /// of it.
    ///
    /// 512: twice the interval of the questions, so that an application that keeps up never waits for keys.
    /// - Used by: `WindowReader`.
    static let mostUnread = 2 * questionInterval

    /// How many windows that were asked by Editres are remembered: windows come and go, and their numbers come again.
    /// - Used by: `ReadBarrier`.
    static let rememberedWindows = 100

    /// How long after the application has read the paste key, or has last asked for anything, it may take to ask for
    /// the text.
    ///
    /// 500 ms: it does so at once, or never, but on a busy machine "at once" needs a moment.
    /// - Used by: `Paste`.
    static let asking: Duration = .milliseconds(500)

    /// The same if it is unknown when the window has read the key: it does not say so, or an input method may
    /// have the key for longer than the window takes to answer. On a busy machine, xterm with ibus asked more
    /// than 500 ms later.
    /// - Used by: `Paste`.
    static let silentAsking: Duration = .seconds(2)

    /// How long an application that should fetch a text may be silent before it is asked again whether it reads. With ibus,
    /// Chromium may have our answer in its queue and still wait for the next event of any kind: one paste in seven hung in
    /// the middle. The question is such an event.
    /// - Used by: `Paste`.
    static let silence: Duration = .milliseconds(20)

    /// How long the server may take to close a client down whose process has ended.
    ///
    /// 5 s: it needs microseconds; this only keeps a predecessor that unexpectedly stays alive from stopping
    /// its successor.
    /// - Used by: `TypingJournal`.
    static let closeDown: Duration = .seconds(5)
}
