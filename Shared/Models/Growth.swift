import DictationSystem

/// The delivery of a text whose end is not known yet: it is typed while the user still speaks.
///
/// A dictation that is being recorded or recognized may have a settled beginning in ``DictationState/cleanedText``. It only
/// grows: no word of it is taken back, unless the inserter mends it (``DictationState/revisedText``). An inserter claims what is
/// settled and not typed, types that, and pauses:
///
/// ```
///             grown          claimed          paused             grown
/// recording ─────────► open ─────────► claimed ──────► open … ─────────► open …
///                        ▲               │ held
///                        └─ requeued ── held
/// ```
///
/// The claim is a lease on the text, next to the phase of the dictation: the host may report any change of the
/// recording during the lease, and the dictation stays unfinished until the inserter has reported its progress.
public enum Growth: Equatable, Sendable {
    /// Settled words are typed as soon as possible. If the text is ready, its end is typed after the part
    /// that is typed.
    case open
    /// An inserter types the words that were settled when it claimed them.
    case claimed(by: Claimant)
    /// The rest is typed only at the user's request.
    case held(HoldReason)

    /// For `--json`.
    public var name: String {
        switch self {
        case .open: "open"
        case .claimed: "claimed"
        case .held: "held"
        }
    }

    /// As stored.
    init(stored: String) {
        let words = stored.split(separator: " ", maxSplits: 1).map(String.init)
        let detail = words.count > 1 ? words[1] : ""
        self =
            switch words.first {
            case "open": .open
            case "claimed": .claimed(by: Claimant(detail))
            // A newer version may know more states: their words are not typed unasked.
            default: .held(HoldReason(rawValue: detail) ?? .typingFailed)
            }
    }

    var stored: String {
        switch self {
        case .open: name
        case .claimed(let claimant): "\(name) \(claimant)"
        case .held(let reason): "\(name) \(reason.rawValue)"
        }
    }
}

extension DictationState {
    /// Whether an inserter types its settled words at this moment, independent of its other state.
    public var isGrowthClaimed: Bool { if case .claimed = growth { true } else { false } }

    /// Why the words after the typed part are not typed; nil if they are.
    public var heldGrowth: HoldReason? { if case .held(let reason) = growth { reason } else { nil } }

    /// Whether its host has not written the whole text yet.
    public var isBeingSpoken: Bool {
        switch phase {
        case .starting, .recording, .processing: true
        case .ready, .failed, .cancelled: false
        }
    }

    /// Whether an inserter may claim some of it now, if it is its turn.
    public var isClaimable: Bool {
        if delivery == .pending { return !isGrowthClaimed }
        return isBeingSpoken && growth == .open && hasMoreToType
    }

    /// Whether a part of the text must be typed or mended.
    package var hasMoreToType: Bool { !remainder.isEmpty || revisedText != nil }

    /// Whether it was begun while the user spoke, and continues by itself, without a question where.
    public var continuesLive: Bool { isBegun && growth == .open }

    /// The beginning that the whole text has to keep, because it is typed or may be typed by now.
    var keptText: String {
        switch growth {
        // It is not being typed, and the count is exact.
        case .open: String(String.UnicodeScalarView(cleanedText.unicodeScalars.prefix(typedScalars)))
        // Some of it may be on its way.
        case .claimed, .held: cleanedText
        case nil: cleanedText
        }
    }

    /// Applies a transition to a text that grows; nil if the transition is not about its growth.
    func growing(_ transition: DictationTransition) -> DictationState? {
        var next = self
        switch (growth, transition) {
        case (_, .grown(let text)) where isBeingSpoken && text.withoutControls.hasScalars(of: cleanedText):
            next.cleanedText = text.withoutControls
            next.growth = growth ?? .open
        case (_, .regrown(let text)) where isBeingSpoken:
            next.regrow(text.withoutControls)
        case (.open, .claimed(let claimant)) where isBeingSpoken && isClaimable:
            next.growth = .claimed(by: claimant)
        case (.open, .held(let reason)) where isBeingSpoken:
            next.growth = .held(reason)
        case (.claimed, .progress(let count)) where (0...cleanedText.count).contains(count):
            if count > insertedCount { next.setInserted(count) }
        case (.claimed, .noticed(let notice)):
            next.notice = notice
        case (.claimed, .routed(let route)):
            next.route = route
        case (.claimed, .paused(let count)) where (0...cleanedText.count).contains(count):
            if count > insertedCount { next.setInserted(count) }
            next.release(nil)
        case (.claimed, .held(let reason)):
            next.release(reason)
        // While an inserter is typing it, "from the start" has no clear meaning.
        case (.claimed, .requeued) where delivery == .inserted || delivery == .discarded: return nil
        case (.claimed, .undone(let count)) where (0..<max(insertedCount, 1)).contains(count) && isBegun:
            next.setInserted(count)
        case (.claimed, .mended(let revised)) where revisedText ?? revised == revised:
            next.mend()
        case (.claimed, .claimed), (.claimed, .undone), (.claimed, .mended): return nil
        case (.held, .requeued) where isBeingSpoken:
            next.growth = .open
        case (.held(.inserterDied), .held(let reason)) where isBeingSpoken:
            next.growth = .held(reason)
        case (.open, .undone(let count)), (.held, .undone(let count)):
            guard (0..<max(insertedCount, 1)).contains(count), isBegun else { return nil }
            if isBeingSpoken {
                next.growth = .held(.undone)
            } else {
                guard delivery == .pending else { return nil }
                next.phase = .ready(.held(.undone))
                next.growth = nil
            }
            next.setInserted(count)
        case (_, .recounted(let scalars)) where delivery == nil && mayRecount(scalars) && !isGrowthClaimed:
            next.setInserted(scalars: scalars)
        default: return nil
        }
        return next
    }

    /// The inserter releases its claim.
    ///
    /// - Parameter reason: why the rest is held; nil if it is not held.
    private mutating func release(_ reason: HoldReason?) {
        if isBeingSpoken {
            growth = reason.map(Growth.held) ?? .open
            return
        }
        growth = reason.map(Growth.held) ?? .open
        switch phase {
        case .ready(.pending) where !hasMoreToType:
            phase = .ready(.inserted)
            timings.typing = 0
        case .ready(.pending):
            guard let reason else { return }
            phase = .ready(.held(reason))
        // The user must look before asking for the text, for any reason why it was held. A command that
        // takes it types nothing.
        case .ready(.held(let other)) where reason == .pasteUnsure && other != .askedFor:
            phase = .ready(.held(.pasteUnsure))
        default: break
        }
        endGrowth()
    }

    /// The text stops growing. A dictation that ends without a text keeps the typed part.
    mutating func endGrowth() {
        guard growth != nil, !isGrowthClaimed else { return }
        if delivery == nil { cleanedText = keptText }
        growth = nil
    }
}

// MARK: - Revising

extension DictationState {
    /// Takes everything recognized so far, independent of what was settled before.
    private mutating func regrow(_ text: String) {
        let kept = keptText
        cleanedText = LiveJoin(kept, text).text
        revisedText = text.hasScalars(of: kept) ? nil : text
        growth = growth ?? .open
    }

    /// The inserter has removed the words that are different, as far as possible. The rest stays, and the
    /// revised text follows it.
    mutating func mend() {
        guard let revised = revisedText else { return }
        let typed = String(String.UnicodeScalarView(cleanedText.unicodeScalars.prefix(typedScalars)))
        let whole = LiveJoin(typed, revised)
        cleanedText = whole.text
        if !isBeingSpoken { wrongCommits = whole.wrongWords }
        revisedText = nil
    }

    /// Whether an inserter may still mend what it has typed.
    var mayBeMended: Bool {
        switch (phase, growth) {
        case (.ready(.claimed), _): true
        case (.ready(.pending), .open), (.ready(.pending), .claimed): true
        case (_, .open), (_, .claimed): isBeingSpoken
        default: false
        }
    }
}

extension String {
    func hasScalars(of beginning: String) -> Bool {
        unicodeScalars.starts(with: beginning.unicodeScalars)
    }
}

/// The text of a dictation that is being spoken, for display: the typed part, and the words that may still
/// change.
public struct SpokenText: Equatable, Sendable {
    public let typed: String
    /// Begins with the space after the typed part, if there is one.
    public let tentative: String
    /// Why the words that follow are not typed; nil if they are, or if live typing is off.
    public let held: HoldReason?

    public init(typed: String = "", tentative: String, held: HoldReason? = nil) {
        (self.typed, self.tentative, self.held) = (typed, tentative, held)
    }

    public var whole: String { typed + tentative }
}

extension DictationState {
    /// The text so far, of a dictation that is being spoken.
    public var spokenText: SpokenText {
        let typed = String(cleanedText.prefix(insertedCount))
        guard !typed.isEmpty else { return SpokenText(tentative: partialText, held: heldGrowth) }
        return SpokenText(
            typed: typed, tentative: String(LiveJoin(typed, partialText).text.dropFirst(typed.count)),
            held: heldGrowth)
    }
}
