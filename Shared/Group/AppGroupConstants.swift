/// The names that both processes, the tools and the desktop files agree on.
public enum AppGroupConstants {
    /// The group's identifier, and the last component of its folder.
    public static let identifier = "group.voicedictation"
    /// The folder below `$XDG_DATA_HOME` that holds the group's folder.
    public static let applicationFolder = "voicedictation"
    /// Names another folder for the group; tests always set it.
    public static let environmentVariable = "VOICEDICTATION_GROUP"
    /// The scheme of `voicedictation://record` and its like.
    public static let urlScheme = "voicedictation"

    /// Files inside the group's folder.
    public enum File {
        public static let database = "dictation.sqlite"
        public static let storeLock = "store.lock"
        public static let revision = "revision"
        public static let reserve = "reserve"
        public static let audioFolder = "audio"
        public static let adaptations = "adaptations.json"
        public static let recognizerOffer = "recognizer-offer"
        public static let pausedPlayers = "paused-players.json"
        public static let loweredStreams = "lowered-streams.json"
        public static let inputMethod = "input-method.json"
        public static let writing = "writing.json"
    }

    /// Marks the database as ours (`PRAGMA application_id`): "VDct" in ASCII.
    public static let databaseApplicationID: Int32 = 0x5644_6374
}
