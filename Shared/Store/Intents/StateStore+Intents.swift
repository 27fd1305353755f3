import Foundation
import GRDB

extension StateStore {
    /// Asks something of an agent. Follow ``ChangeSet/intents`` from the returned revision on for the answer.
    ///
    /// - Parameter timeToLive: milliseconds after which it is refused rather than carried out late.
    public func submit(
        _ action: Intent.Action, timeToLive: Int = Intent.defaultTimeToLive, at date: Date = Date()
    ) throws -> Intent {
        try write { try Self.submit(action, timeToLive: timeToLive, at: date, $0) }
    }

    static func submit(
        _ action: Intent.Action, timeToLive: Int, at date: Date, _ transaction: Transaction
    ) throws -> Intent {
        let revision = try transaction.revision(of: .intents)
        var statement = try DirectStatement(
            """
            INSERT INTO intent
                (revision, role, action, dictation, timestamp, time_to_live, seen, options, phase)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending')
            """, transaction.db)
        try statement.bind(revision)
        try statement.bind(action.role.rawValue)
        try statement.bind(action.name)
        try statement.bind(action.dictation?.description)
        try statement.bind(DictationRow.milliseconds(date))
        try statement.bind(timeToLive)
        if case .insertAgain(_, let seen) = action {
            try statement.bind(seen)
        } else {
            try statement.bind(nil as Revision?)
        }
        try statement.bind(Self.options(of: action))
        try statement.run()
        return Intent(
            id: transaction.db.lastInsertedRowID, revision: revision, action: action,
            timestamp: DictationRow.date(DictationRow.milliseconds(date)), timeToLive: timeToLive,
            phase: .pending)
    }

    /// Takes the intents that wait for a role, each exactly once, in the order in which they were given. Those whose
    /// time is over are refused.
    public func takeIntents(for role: AgentRole, at now: Date = Date()) throws -> [Intent] {
        guard try read({ try Self.pendingIntents(role, $0) }).isEmpty == false else { return [] }
        return try write { transaction in
            var taken: [Intent] = []
            for intent in try Self.pendingIntents(role, transaction.db) {
                if intent.isExpired(at: now) {
                    let reason = "too late: it was requested more than \(intent.timeToLive) ms ago"
                    try Self.set(.refused(reason), of: intent.id, transaction)
                } else {
                    try Self.set(.taken, of: intent.id, transaction)
                    taken.append(intent)
                }
            }
            return taken
        }
    }

    /// Answers an intent, so that the requester can stop waiting.
    public func answer(_ id: Int64, _ phase: Intent.Phase) throws {
        try write { try Self.set(phase, of: id, $0) }
    }

    /// Reports the progress of a taken intent to the requester.
    ///
    /// - Parameter progress: 0…1.
    public func note(progress: Double, of id: Int64) throws {
        try write { transaction in
            var statement = try DirectStatement(
                "UPDATE intent SET revision = ?, outcome = ? WHERE id = ? AND phase = 'taken'", transaction.db
            )
            try statement.bind(transaction.revision(of: .intents))
            try statement.bind("\(progress)")
            try statement.bind(id)
            try statement.run()
        }
    }

    /// Removes a selected text, the result of an intent, from the store, and returns it.
    ///
    /// - Parameter id: of an intent that is done.
    /// - Returns: nil if it was taken already.
    public func takeSelection(_ id: Int64) throws -> String? {
        try write { transaction in
            var row = try DirectStatement(
                "SELECT outcome FROM intent WHERE id = ? AND action = 'read-selection' AND phase = 'done'",
                transaction.db)
            try row.bind(id)
            guard try row.step() else { return nil }
            let text = row.textIfAny(0)
            var statement = try DirectStatement(
                "UPDATE intent SET outcome = NULL WHERE id = ?", transaction.db)
            try statement.bind(id)
            try statement.run()
            return text
        }
    }

    /// Refuses the intents that an earlier agent of the role took and did not answer.
    public func refuseAbandonedIntents(of role: AgentRole) throws {
        try write { transaction in
            // The intents of an earlier host are not taken any more.
            if role == .host {
                let statement = try DirectStatement(
                    "UPDATE intent SET outcome = NULL WHERE action = 'read-selection' AND outcome IS NOT NULL",
                    transaction.db)
                try statement.run()
            }
            for intent in try Self.takenIntents(role, transaction.db) {
                // The inserter looks first whether the selected text is still there: ``holdFormerTexts(at:)``.
                if case .replace = intent.action { continue }
                try Self.set(
                    .refused("\(role.rawValue) ended before it was done"), of: intent.id, transaction)
            }
        }
    }

    /// Whether there is an unanswered request to stop typing a dictation.
    public func isAskedToHold(_ id: DictationID) throws -> Bool {
        try read { db in
            var row = try DirectStatement(
                "SELECT 1 FROM intent WHERE role = ? AND phase = 'pending' AND action = 'hold' AND dictation = ?",
                db)
            try row.bind(AgentRole.inserter.rawValue)
            try row.bind(id.description)
            return try row.step()
        }
    }

    public func intent(_ id: Int64) throws -> Intent? {
        try read { db in
            var rows = try DirectStatement("SELECT \(Self.intentColumns) FROM intent WHERE id = ?", db)
            try rows.bind(id)
            return try Self.decode(rows).first
        }
    }

    static func intents(since revision: Revision, _ db: Database) throws -> [Intent] {
        var rows = try DirectStatement(
            "SELECT \(intentColumns) FROM intent WHERE revision > ? ORDER BY revision, id", db)
        try rows.bind(revision)
        return try decode(rows)
    }

    private static func pendingIntents(_ role: AgentRole, _ db: Database) throws -> [Intent] {
        var rows = try DirectStatement(
            "SELECT \(intentColumns) FROM intent WHERE role = ? AND phase = 'pending' ORDER BY id", db)
        try rows.bind(role.rawValue)
        return try decode(rows)
    }

    /// Unanswered intents of both roles.
    static func openIntents(_ db: Database) throws -> [Intent] {
        try AgentRole.allCases.flatMap { try pendingIntents($0, db) }
    }

    static func takenIntents(_ role: AgentRole, _ db: Database) throws -> [Intent] {
        var rows = try DirectStatement(
            "SELECT \(intentColumns) FROM intent WHERE role = ? AND phase = 'taken' ORDER BY id", db)
        try rows.bind(role.rawValue)
        return try decode(rows)
    }

    static func set(_ phase: Intent.Phase, of id: Int64, _ transaction: Transaction) throws {
        let (word, outcome, dictation): (String, String?, DictationID?) =
            switch phase {
            case .pending: ("pending", nil, nil)
            case .taken: ("taken", nil, nil)
            case .done(let outcome, let dictation): ("done", outcome, dictation)
            case .refused(let reason): ("refused", reason, nil)
            }
        // The selected text and its replacement are not needed after that; a dictation has the instruction
        // then.
        var statement = try DirectStatement(
            """
            UPDATE intent SET revision = ?, phase = ?, outcome = ?, outcome_dictation = ?,
                options = CASE
                    WHEN ?2 NOT IN ('done', 'refused') THEN options
                    WHEN action = 'replace' THEN NULL
                    WHEN action = 'transform' THEN json_remove(options, '$.instruction')
                    ELSE options END
                WHERE id = ?5
            """, transaction.db)
        try statement.bind(transaction.revision(of: .intents))
        try statement.bind(word)
        try statement.bind(outcome)
        try statement.bind(dictation?.description)
        try statement.bind(id)
        try statement.run()
    }

    /// The unanswered intent of a dictation that is a command.
    static func openCommand(of id: DictationID, _ db: Database) throws -> Intent? {
        var rows = try DirectStatement(
            """
            SELECT \(Self.intentColumns) FROM intent
                WHERE role = ? AND action IN ('edit', 'replace') AND dictation = ? AND phase IN ('pending', 'taken')
            """, db)
        try rows.bind(AgentRole.inserter.rawValue)
        try rows.bind(id.description)
        return try decode(rows).first
    }

    private static let intentColumns = """
        id, revision, action, dictation, timestamp, time_to_live, phase, outcome, outcome_dictation, seen,
        options
        """

    /// As JSON.
    private static func options(of action: Intent.Action) throws -> String? {
        let json: Data
        switch action {
        case .recognize(_, let options): json = try JSONEncoder().encode(options)
        case .edit(let request, _): json = try JSONEncoder().encode(request)
        case .transform(let request): json = try JSONEncoder().encode(request)
        case .replace(let request, _): json = try JSONEncoder().encode(request)
        default:
            guard let options = action.startOptions else { return nil }
            json = try JSONEncoder().encode(options)
        }
        return String(decoding: json, as: UTF8.self)
    }

    private static func options<Options: Decodable>(_ text: String?) -> Options? {
        text.flatMap { try? JSONDecoder().decode(Options.self, from: Data($0.utf8)) }
    }

    private static func decode(_ row: consuming DirectStatement) throws -> [Intent] {
        var intents: [Intent] = []
        while try row.step() {
            let dictation = row.textIfAny(3).map(DictationID.init(trusted:))
            let action: Intent.Action
            switch (row.text(2), dictation) {
            case ("insert", let id):
                action =
                    if let id, let seen = row.integerIfAny(9) { .insertAgain(id, seen: seen) } else {
                        .insert(id)
                    }
            case ("hold", let id?): action = .hold(id)
            case ("discard", let id?): action = .discard(id)
            case ("copy", let id): action = .copy(id)
            case ("undo", _): action = .undo
            case ("press", _): action = .key(isDown: true)
            case (Intent.Action.pressWithOptions, _):
                action = .key(isDown: true, options(row.textIfAny(10)) ?? StartOptions())
            case ("release", _): action = .key(isDown: false)
            case ("recognize", let id?): action = .recognize(id, options(row.textIfAny(10)) ?? .init())
            case ("edit", let id):
                action = .edit(options(row.textIfAny(10)) ?? .init(words: ""), spokenIn: id)
            case ("transform", _):
                guard let request: Intent.TransformRequest = options(row.textIfAny(10)) else { continue }
                action = .transform(request)
            case ("read-selection", let id?): action = .readSelection(for: id)
            case ("replace", let id?):
                let request: Intent.ReplaceRequest? = options(row.textIfAny(10))
                action = .replace(request ?? .init(selection: "", text: ""), spokenIn: id)
            case (let name, _):
                // An action of a newer version is left for a newer agent.
                guard
                    let request = Intent.RecordingRequest(
                        name: name, options: options(row.textIfAny(10)))
                else { continue }
                action = .record(request)
            }
            let outcome = row.text(7)
            let phase: Intent.Phase =
                switch row.text(6) {
                case "pending": .pending
                case "taken": .taken
                case "done": .done(outcome, dictation: row.textIfAny(8).map(DictationID.init(trusted:)))
                default: .refused(outcome)
                }
            intents.append(
                Intent(
                    id: row.integer(0), revision: row.integer(1), action: action,
                    timestamp: DictationRow.date(row.integer(4)), timeToLive: Int(row.integer(5)),
                    phase: phase, progress: phase == .taken ? Double(outcome) : nil))
        }
        return intents
    }
}
