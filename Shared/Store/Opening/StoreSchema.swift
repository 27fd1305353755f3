import GRDB

/// The tables, and how older ones become them.
enum StoreSchema {
    /// How many migrations this version knows; the database's header carries it (`PRAGMA user_version`).
    static let version = Int32(migrator.migrations.count)

    /// ``DictationState/isUnfinished``, of a row of `dictation`.
    private static let isUnfinished = """
        (status IN ('starting', 'recording', 'processing') OR ifnull(delivery, '') IN ('pending', 'claimed'))
        """

    /// The same, of a store of this version.
    private static let isUnfinishedNow = "(\(isUnfinished) OR \(DictationRow.isGrowthClaimed))"

    /// The tables whose rows are copied from a damaged store of any version; intents are too
    /// short-lived for that.
    static let salvaged = ["dictation", "counter", "live", "unfinished_dictation", "store_revision"]

    /// Completes a store into which the rows of a damaged one were copied, as far as they could be read.
    ///
    /// - Parameter revision: the newest one that readers may have seen; revisions continue after it.
    static func mend(_ db: Database, revision: Revision) throws {
        let found = try Revision.fetchOne(
            db,
            sql: """
                SELECT max(revision) FROM (SELECT newest AS revision FROM store_revision
                    UNION SELECT revision FROM unfinished_dictation UNION SELECT revision FROM dictation)
                """)
        try db.execute(
            sql: """
                DELETE FROM unfinished_dictation WHERE spoken NOT IN
                    (SELECT spoken FROM dictation WHERE \(isUnfinishedNow));
                INSERT OR IGNORE INTO unfinished_dictation (spoken, revision, inserted_count)
                    SELECT spoken, revision, inserted_count FROM dictation WHERE \(isUnfinishedNow);
                REPLACE INTO signature (spoken) SELECT spoken FROM dictation WHERE NOT \(isUnfinishedNow);
                """)
        let parts = Newest.Part.allCases.map(\.rawValue)
        let next = max(revision, found ?? 0) + 1
        try db.execute(
            sql: """
                REPLACE INTO store_revision (one, \(parts.joined(separator: ", ")))
                    VALUES (1, \(parts.map { _ in "\(next)" }.joined(separator: ", ")))
                """)
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
        migrator.registerMigration("2: what is unfinished lies apart, with the counter") { db in
            try db.execute(
                sql: """
                    -- One row for each dictation that still needs an agent, with all of it that changes many times:
                    -- a partial result writes this one page. The newest revisions of the store lie on it as well:
                    -- of any commit in row 0, of those that changed a finished dictation in -1, an intent in -2.
                    CREATE TABLE live (
                        spoken INTEGER PRIMARY KEY,
                        revision INTEGER NOT NULL,
                        inserted_count INTEGER NOT NULL DEFAULT 0,
                        partial_text TEXT NOT NULL DEFAULT ''
                    );
                    INSERT INTO live (spoken, revision) SELECT 0, revision FROM counter
                        UNION SELECT -1, revision FROM counter UNION SELECT -2, revision FROM counter;
                    INSERT INTO live SELECT spoken, revision, inserted_count, partial_text FROM dictation
                        WHERE \(isUnfinished);
                    DROP TABLE counter;
                    DROP INDEX dictation_unfinished;
                    -- While a row of `live` stands for it, a dictation's own revision and count are out of date.
                    ALTER TABLE dictation DROP COLUMN partial_text;
                    """)
        }
        migrator.registerMigration("3: private dictations, and what tells of removed ones") { db in
            try db.execute(
                sql: """
                    ALTER TABLE dictation ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX dictation_private ON dictation (spoken) WHERE private;
                    -- For readers that hold a state; a row stays for some minutes, and has nothing of what was said.
                    CREATE TABLE removal (
                        revision INTEGER NOT NULL,
                        id TEXT NOT NULL,
                        removed_at INTEGER NOT NULL
                    );
                    CREATE INDEX removal_revision ON removal (revision);
                    INSERT INTO live (spoken, revision) VALUES (-3, 0), (-4, 0), (-5, 0);
                    """)
        }
        migrator.registerMigration("4: a character that is typed in part") { db in
            try db.execute(
                sql: """
                    -- Of the character behind `inserted_count` of the same row: while a row of `live` has counted on,
                    -- it is out of date as that is.
                    ALTER TABLE dictation ADD COLUMN torn_scalars INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("5: a long history costs nothing; what a request has seen") { db in
            db.add(function: wordCount)
            try db.execute(
                sql: """
                    -- Of a text that is finished; 0 as long as it is not.
                    ALTER TABLE dictation ADD COLUMN words INTEGER NOT NULL DEFAULT 0;
                    UPDATE dictation SET words = word_count(cleaned_text) WHERE NOT \(isUnfinished);
                    -- 1: typed exactly as it is, with nothing put before it.
                    ALTER TABLE dictation ADD COLUMN exact INTEGER NOT NULL DEFAULT 0;
                    -- All that statistics need, so that they read no text.
                    CREATE INDEX dictation_statistics ON dictation
                        (timestamp, words, recording_ms, recognition_ms, cleaning_ms, typing_ms)
                        WHERE words > 0 AND recording_ms IS NOT NULL;
                    -- What may be trimmed.
                    CREATE INDEX dictation_done ON dictation (spoken, timestamp) WHERE \(DictationRow.isDone);
                    -- People name a dictation by the end of its identifier.
                    CREATE INDEX dictation_end ON dictation (\(DictationRow.endOfID));
                    -- Which words a finished text may have, as bits: see TextSignature. Nobody can read a word in it.
                    CREATE TABLE signature (
                        spoken INTEGER PRIMARY KEY, made INTEGER NOT NULL DEFAULT 0,
                        \((0..<TextSignature.wordCount).map { "bits\($0) INTEGER NOT NULL DEFAULT -1" }
                            .joined(separator: ", "))
                    );
                    CREATE INDEX signature_due ON signature (spoken) WHERE NOT made;
                    INSERT INTO signature (spoken) SELECT spoken FROM dictation WHERE NOT \(isUnfinished);
                    -- Of a wholly inserted text that is to be inserted once more: its revision as the asker saw it.
                    ALTER TABLE intent ADD COLUMN seen INTEGER;
                    """)
            db.remove(function: wordCount)
        }
        migrator.registerMigration("6: how a recording is to be recognized again") { db in
            // JSON; NULL for intents without options.
            try db.execute(sql: "ALTER TABLE intent ADD COLUMN options TEXT;")
        }
        migrator.registerMigration("7: revisions of the store apart from unfinished dictations") { db in
            try db.execute(
                sql: """
                    -- One row. `newest` is the newest commit, unless an unfinished dictation has a newer one; `finished`,
                    -- `intents` and `removals` are the newest that changed these. Of removals up to
                    -- `unknown_removals` no word is left; `traces` is 0, or a removal whose traces may be in the file.
                    CREATE TABLE store_revision (
                        one INTEGER PRIMARY KEY CHECK (one = 1),
                        newest INTEGER NOT NULL,
                        finished INTEGER NOT NULL,
                        intents INTEGER NOT NULL,
                        removals INTEGER NOT NULL,
                        unknown_removals INTEGER NOT NULL,
                        traces INTEGER NOT NULL
                    );
                    -- A damaged store may lack one of them; it is mended afterward.
                    INSERT INTO store_revision SELECT 1, \((0...5).map { number in
                            "ifnull((SELECT revision FROM live WHERE spoken = -\(number)), 0)"
                        }.joined(separator: ", "));
                    DELETE FROM live WHERE spoken <= 0;
                    ALTER TABLE live RENAME TO unfinished_dictation;
                    """)
        }
        migrator.registerMigration("8: the way that a text goes into its window") { db in
            try db.execute(
                sql: """
                    -- As InsertionRoute names them; NULL where none is known.
                    ALTER TABLE dictation ADD COLUMN way TEXT;
                    -- 1: the application has confirmed what is counted as inserted.
                    ALTER TABLE dictation ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("9: a text that is typed while it grows") { db in
            try db.execute(
                sql: """
                    -- As Growth has it: 'open', 'claimed' and who has it, 'held' and why; NULL where nothing grows.
                    ALTER TABLE dictation ADD COLUMN growing TEXT;
                    ALTER TABLE dictation ADD COLUMN wrong_commits INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("10: how a dictation differs from the settings") { db in
            try db.execute(
                sql: """
                    -- StartOptions as JSON; NULL where it does not differ.
                    ALTER TABLE dictation ADD COLUMN options TEXT;
                    -- The model that is being loaded for it; NULL for none.
                    ALTER TABLE unfinished_dictation ADD COLUMN loading TEXT;
                    """)
        }
        migrator.registerMigration("11: a text that is mended while it grows") { db in
            try db.execute(
                sql: """
                    -- The text as it should be, while some of what is typed of it is otherwise; NULL where nothing is.
                    ALTER TABLE dictation ADD COLUMN revised_text TEXT;
                    """)
        }
        return migrator
    }

    private static let wordCount = DatabaseFunction("word_count", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map(DictationRow.wordCount) ?? 0
    }
}
