import ArgumentParser
import DictationHost
import DictationService
import DictationSettings
import DictationSpeech
import DictationSystem
import DictationText
import Foundation
import Synchronization

struct TranscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe",
        abstract: "Transcribe recordings to text, JSON or subtitles.",
        discussion: """
            Reads WAV, FLAC, Ogg, Opus, MP3 and AIFF, and everything that ffmpeg or sox reads if they are \
            installed. Without --output or --beside, transcripts are printed in the given order. A file that \
            already has a transcript is skipped. With --output, --beside or --watch, an interrupted run can \
            be started again, and continues where it stopped, also in the middle of a file. Files that \
            cannot be read are reported, and the others continue.
            """)

    @Argument(help: "The recordings.", completion: .file())
    var files: [String] = []
    @Option(
        help: ArgumentHelp(
            "text: one line per recording. json: one object per line, with segments and words. srt, vtt: subtitles. "
                + "tsv: a line per segment, with milliseconds.",
            valueName: TranscriptFormat.allCases.map(\.rawValue).joined(separator: "|")))
    var format: TranscriptFormat?
    @Flag(help: "Short for --format json.")
    var json = false
    @Option(
        help: ArgumentHelp("Write the transcripts into this folder.", valueName: "folder"),
        completion: .directory)
    var output: String?
    @Flag(help: "Write each transcript next to its recording.")
    var beside = false
    @Option(
        help: ArgumentHelp(
            "Recognize the recordings in this folder, and those that are added later, until Ctrl-C. Transcripts are "
                + "written next to them, or into --output.", valueName: "folder"), completion: .directory)
    var watch: String?
    @Flag(
        help: "Clean the text like dictated text: fillers, repetitions, punctuation, the dictionary."
    )
    var clean = false
    @Flag(help: "Transcribe again recordings that already have a transcript.")
    var overwrite = false
    @Option(
        help: ArgumentHelp(
            "How many recordings to recognize at once. Each loads the model. (default: as many as cores, at most 4)",
            valueName: "number"))
    var jobs: Int?

    private var kind: TranscriptFormat { format ?? (json ? .json : .text) }
    private var destination: TranscriptDestination {
        if let output { return .folder(output) }
        return beside || watch != nil ? .beside : .standardOutput
    }

    func validate() throws {
        if json, format != nil, format != .json { throw ValidationError("--json is --format json") }
        if output != nil, beside { throw ValidationError("--output and --beside exclude each other") }
        if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs is 1 to 64") }
        if files.contains("") { throw ValidationError("Name a file; one of the names is empty.") }
        if output == "" { throw ValidationError("Name a folder after --output.") }
        if watch == "" { throw ValidationError("Name a folder after --watch.") }
        if watch == nil, files.isEmpty {
            throw ValidationError("name the recordings, or a folder with --watch")
        }
        if watch != nil, !files.isEmpty {
            throw ValidationError("--watch takes a folder, and no recordings in addition")
        }
        if destination == .standardOutput, files.count > 1, !kind.canFollow {
            throw ValidationError("several recordings as \(kind.rawValue) need --output or --beside")
        }
        if let (first, second) = destination.collision(of: files, as: kind) {
            throw ValidationError(
                "\(first) and \(second) would have the same transcript: use another --output for one")
        }
    }

    func run() async throws {
        let run: TranscriptionRun
        do {
            if let watch { try WatchedRecordings.checkFolder(watch) }
            if case .folder(let folder) = destination { try Self.create(folder) }
            run = TranscriptionRun(
                format: kind, destination: destination, cleaner: clean ? try Self.cleaner() : nil,
                overwrites: overwrite, sessions: try await sessions(),
                fingerprint: SpeechSession.configuredFingerprint)
            if let watch { try await follow(watch, run) }
        } catch let code as ExitCode {
            throw code
        } catch {
            Complaint.say(error)
            throw ExitStatus(shared: error).exitCode
        }
        let failures = Mutex(0)
        await run.transcribe(files) { file, error in
            Self.report(error, of: file)
            failures.withLock { $0 += 1 }
        }
        if failures.withLock({ $0 }) > 0 { throw ExitStatus.failed.exitCode }
    }

    private static func create(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            Complaint.say("\(folder): cannot be created: \(error.plainReason)")
            throw ExitStatus.failed.exitCode
        }
    }

    private func follow(_ folder: String, _ run: TranscriptionRun) async throws {
        let recordings = WatchedRecordings(folder: folder, destination: destination, format: kind)
        var tried: [String: FileStamp] = [:]
        for await _ in try recordings.changes() {
            let due = recordings.due(tried: tried)
            for file in due { tried[file] = FileStamp(of: file) }
            await run.transcribe(due) { [tried] file, error in
                // One that is still written comes again when it is complete.
                if FileStamp(of: file) == tried[file] { Self.report(error, of: file) }
            }
        }
    }

    private static func report(_ error: any Error, of file: String) {
        let name = URL(fileURLWithPath: file).lastPathComponent
        let story = error.story.contains(name) ? error.story : "\(file): \(error.story)"
        guard case SpeechSessionError.unknownAudioFormat = error else { return Complaint.say(story) }
        Complaint.say(story + " Or install ffmpeg: then this command reads the file by itself.")
    }

    private static func cleaner() throws -> @Sendable (String) -> TextCleaner {
        let file = SettingsFile.standard()
        let settings = try file.load().values
        let dictionary = try DictionaryFile(beside: file).load()
        for line in dictionary.warningLines { Complaint.say("warning: \(line)") }
        let options = TextCleaner.Options(
            rules: settings.clean.rules, dictionary: dictionary.dictionary)
        return { TextCleaner(options: options, language: .matching(settings.speech.locale, of: $0)) }
    }

    /// One for each recording that is recognized at the same time, with its share of the cores.
    private func sessions() async throws -> [SpeechSession] {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let most = watch == nil ? files.count : Self.mostSessions
        let count = min(most, jobs ?? min(cores, Self.mostSessions))
        var sessions: [SpeechSession] = []
        for _ in 0..<count {
            sessions.append(
                try await .configured { settings in
                    if count > 1, settings.speech.threads == 0 {
                        settings.speech.threads = max(1, cores / count)
                    }
                })
        }
        return sessions
    }

    /// A model takes up to a gigabyte of memory.
    private static let mostSessions = 4
}
