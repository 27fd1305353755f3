import GRDB

/// The tables, and how older ones become them.
enum StoreSchema {
    /// How many migrations this version knows; the database's header carries it (`PRAGMA user_version`).
    static let version = Int32(migrator.migrations.count)

    /// The tables of which a damaged store's rows are taken over; intents are too short-lived to be worth it.
    static let salvaged = ["dictation", "counter"]

    /// Makes a store whole into which the rows of a damaged one were taken over, as far as they could be read.
    ///
    /// - Parameter revision: the newest one that readers may have seen; revisions go on behind it.
    static func mend(_ db: Database, revision: Revision) throws {
        try db.execute(
            sql: """
                UPDATE counter SET revision = max(?, revision, (SELECT ifnull(max(revision), 0) FROM dictation)) + 1
                """,
            arguments: [revision])
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: dictations, intents and one counter for both") { db in
            try db.execute(
                sql: """
                    CREATE TABLE counter (
                        one INTEGER PRIMARY KEY CHECK (one = 1),
                        revision INTEGER NOT NULL
                    );
                    INSERT INTO counter VALUES (1, 0);

                    -- The order of `spoken` is the order in which texts are typed.
                    CREATE TABLE dictation (
                        spoken INTEGER PRIMARY KEY,
                        id TEXT NOT NULL UNIQUE,
                        revision INTEGER NOT NULL,
                        timestamp INTEGER NOT NULL,
                        status TEXT NOT NULL,
                        delivery TEXT,
                        delivery_detail TEXT,
                        ready_at INTEGER,
                        partial_text TEXT NOT NULL DEFAULT '',
                        raw_text TEXT NOT NULL DEFAULT '',
                        cleaned_text TEXT NOT NULL DEFAULT '',
                        inserted_count INTEGER NOT NULL DEFAULT 0,
                        target_id INTEGER,
                        target_class TEXT,
                        target_title TEXT,
                        target_pid INTEGER,
                        error_code TEXT,
                        error_message TEXT,
                        error_kept TEXT,
                        engine TEXT NOT NULL,
                        locale TEXT NOT NULL,
                        recording_ms INTEGER,
                        recognition_ms INTEGER,
                        cleaning_ms INTEGER,
                        typing_ms INTEGER,
                        CHECK ((delivery IS NULL) = (status <> 'ready'))
                    );
                    CREATE INDEX dictation_revision ON dictation (revision);
                    CREATE INDEX dictation_unfinished ON dictation (spoken)
                        WHERE status IN ('starting', 'recording', 'processing')
                           OR delivery IN ('pending', 'claimed');

                    CREATE TABLE intent (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        revision INTEGER NOT NULL,
                        role TEXT NOT NULL,
                        action TEXT NOT NULL,
                        dictation TEXT,
                        timestamp INTEGER NOT NULL,
                        time_to_live INTEGER NOT NULL,
                        phase TEXT NOT NULL,
                        outcome TEXT,
                        outcome_dictation TEXT
                    );
                    CREATE INDEX intent_revision ON intent (revision);
                    CREATE INDEX intent_pending ON intent (role, id) WHERE phase = 'pending';
                    """)
        }
        return migrator
    }
}
