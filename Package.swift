// swift-tools-version: 6.1
import PackageDescription

// Flags of debug builds. SwiftPM refuses them in a package that another one depends on. It checks those out into a folder of this
// name.
let isDependency = Context.packageDirectory.contains("/checkouts/")
// A crash tells the lines of the code with these. What a debugger needs for variables takes a seventh of a whole build.
let debugInformation: [SwiftSetting] =
    isDependency ? [] : [.unsafeFlags(["-Xfrontend", "-gline-tables-only"], .when(configuration: .debug))]
// The clean-up is 20 times as slow without optimization, and most tests of it do nothing else.
let optimized: [SwiftSetting] =
    isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]
let optimizedC: [CSetting] = isDependency ? [] : [.unsafeFlags(["-O2"], .when(configuration: .debug))]

let strict: [SwiftSetting] =
    debugInformation + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "VoiceDictation",
    products: [
        .executable(name: "host-agent", targets: ["HostAgent"]),
        .executable(name: "insert-agent", targets: ["InsertAgent"]),
        .executable(name: "dictstate", targets: ["dictstate"]),
        .executable(name: "dictation-bench", targets: ["dictation-bench"]),
        .library(name: "DictationSpeech", targets: ["DictationSpeech"]),
        .library(name: "DictationText", targets: ["DictationText"]),
        .library(name: "DictationHTTP", targets: ["DictationHTTP"]),
        // The name that ALSA looks for when a configuration says `type virtualmic`.
        .library(name: "asound_module_pcm_virtualmic", type: .dynamic, targets: ["VirtualMicrophone"]),
        // For tests: a separate process on a store, and what records a process's system calls (LD_PRELOAD).
        .executable(name: "model-trial", targets: ["ModelTrialProgram"]),
        .executable(name: "store-torture", targets: ["StoreTorture"]),
        .library(name: "callrecorder", type: .dynamic, targets: ["CallRecorder"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C libraries, each behind one door.
        .target(name: "CLinux"),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(
            name: "CSampleRate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(
            name: "CPocketSphinx", pkgConfig: "pocketsphinx", providers: [.apt(["libpocketsphinx-dev"])]),
        // Its interface; the library is loaded at run time.
        .target(
            name: "CSherpaOnnx", exclude: ["README.md", "LICENSE"], linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CX11",
            providers: [
                .apt([
                    "libx11-dev", "libx11-xcb1", "libxtst-dev", "libxi-dev", "libxkbcommon-dev",
                    "libxcb1-dev",
                    "libxcb-randr0-dev", "libxcb-shape0-dev", "libxcb-xfixes0-dev",
                ])
            ]),
        // Over libwayland-client, with the code of further protocols.
        .target(name: "CWayland", exclude: ["generate", "protocols"]),
        .systemLibrary(name: "CPango", providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
        .target(
            name: "VirtualMicrophone", dependencies: ["CALSA"],
            cSettings: [.define("PIC", to: "1"), .define("_GNU_SOURCE")]),
        // Over the Swift runtime's own hook.
        .target(name: "CTaskThreads", cSettings: [.define("_GNU_SOURCE")]),
        // The weights of the clean-up's models, compiled in.
        .target(
            name: "CCorrectionWeights", exclude: ["data"], cSettings: [.headerSearchPath("data")]),
        // Ordinary words, which no name on the screen replaces, compiled in.
        .target(
            name: "COrdinaryWords", exclude: ["data", "README.md", "LICENSE"],
            cSettings: [.headerSearchPath("data")]),
        // Over toml++ (libtomlplusplus-dev), which is headers only.
        .target(name: "CTOML"),

        // Libraries.
        .target(name: "DictationSystem", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "DictationShared",
            dependencies: [
                "CLinux", "Desktop", "DictationSystem", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Shared", swiftSettings: strict),
        .target(
            name: "DictationSettings",
            dependencies: ["CTOML", "CleanupChoices", "Desktop", "DictationShared", "DictationSystem", log],
            swiftSettings: strict),
        // The choices of the clean-up in the settings, without its rules and its data: `dictstate` has none of those.
        .target(name: "CleanupChoices", swiftSettings: strict),
        // Says where bare words have marks.
        .target(name: "CMarkNetwork", cSettings: optimizedC),
        // Finds self-corrections: a grammar and a small model.
        .target(
            name: "SelfCorrection", dependencies: ["CCorrectionWeights"], swiftSettings: strict + optimized),
        .target(
            name: "DictationText",
            dependencies: ["CMarkNetwork", "COrdinaryWords", "CleanupChoices", "SelfCorrection"],
            resources: ["de", "en", "es"].map { .embedInCode("Languages/\($0).json5") },
            swiftSettings: strict + optimized),
        .target(
            name: "DictationPolish", dependencies: ["DictationHTTP", "DictationText"], swiftSettings: strict),
        .target(name: "DictationHTTP", dependencies: ["CCurl", "DictationSystem"], swiftSettings: strict),
        .target(
            name: "DictationSpeech",
            dependencies: [
                "DictationHTTP", "DictationSystem", "CALSA", "CLinux", "CSndFile", "CSampleRate",
                "CPocketSphinx",
                "CArchive", "CCrypto", "CSherpaOnnx", log,
            ],
            resources: [.embedInCode("Models/catalogue.json")],
            swiftSettings: strict),
        // The values that all display systems share; no C library.
        .target(name: "Desktop", dependencies: ["DictationSystem"], swiftSettings: strict),
        .target(
            name: "DesktopX11", dependencies: ["CX11", "Desktop", "DictationSystem", log],
            swiftSettings: strict),
        .target(name: "DesktopFile", dependencies: ["Desktop", "DictationSystem"], swiftSettings: strict),
        .target(
            name: "DesktopWayland",
            dependencies: [
                "CWayland", "Desktop", "DesktopAccessibility", "DesktopX11", "DictationSystem", log,
            ],
            swiftSettings: strict),
        // The parts that `dictstate` shares with the agents, without the life of an agent.
        .target(
            name: "DictationProgram",
            dependencies: ["DictationSettings", "DictationShared", "DictationSystem", arguments],
            swiftSettings: strict),
        .target(
            name: "DictationService",
            dependencies: [
                "CTaskThreads", "DictationProgram", "DictationShared", "DictationSettings", "DictationSystem",
                log, lifecycle, signals, arguments,
            ],
            swiftSettings: strict),

        // Options and settings that need a display's names of keys.
        .target(
            name: "DictationOptions",
            dependencies: [
                "Desktop", "DesktopX11", "DictationSettings", "DictationShared", arguments,
            ],
            swiftSettings: strict),

        // The desktop's services: notices, locks and sleep on D-Bus.
        .target(
            name: "DictationBus", dependencies: ["CSystemd", "Desktop", "DictationSystem", log],
            swiftSettings: strict),
        // Pauses or lowers the sound of other programs during a recording.
        .target(
            name: "DictationDucking", dependencies: ["CPulse", "DictationBus", "DictationSystem", log],
            swiftSettings: strict),
        // The user's input method as a way to insert.
        .target(
            name: "DesktopIBus", dependencies: ["Desktop", "DictationBus", "DictationSystem", log],
            swiftSettings: strict),
        // Inserts by the interface that programs offer to assistive technology.
        .target(
            name: "DesktopAccessibility", dependencies: ["Desktop", "DictationBus", "DictationSystem"],
            swiftSettings: strict),
        // The desktop's portals: shortcuts of GNOME and KDE.
        .target(
            name: "DesktopPortal", dependencies: ["Desktop", "DictationBus", "DictationSystem", log],
            swiftSettings: strict),
        // The overlay: the picture of a dictation.
        .target(
            name: "DictationViews",
            dependencies: [
                "CPango", "Desktop", "DictationSettings", "DictationShared", "DictationSystem", log,
            ],
            path: "HostAgent/Views", swiftSettings: strict),
        // The work of host-agent.
        .target(
            name: "DictationHost",
            dependencies: [
                "DictationBus", "DictationDucking", "DictationOptions", "DictationShared", "DictationViews",
                "DictationSettings", "DictationSpeech", "DictationText", "DictationPolish", "DictationHTTP",
                "Desktop", "DesktopPortal", "DesktopWayland", "DesktopX11", "DictationService",
                "DictationSystem", log,
                lifecycle,
                arguments,
            ],
            path: "HostAgent", exclude: ["Views", "Program"], resources: [.copy("Sounds")],
            swiftSettings: strict),
        // Programs.
        .executableTarget(
            name: "HostAgent",
            dependencies: [
                "Desktop", "DesktopAccessibility", "DesktopIBus", "DesktopWayland", "DesktopX11",
                "DictationHost", "DictationInsertion", "DictationOptions", "DictationService",
                "DictationSettings", "DictationShared", "DictationSpeech", "DictationSystem", "DictationText",
                arguments, lifecycle, log, signals,
            ],
            path: "HostAgent/Program", swiftSettings: strict),
        // The work of insert-agent: a program of its own, or a part of the one that records.
        .target(
            name: "DictationInsertion",
            dependencies: [
                "Desktop", "DesktopFile", "DesktopIBus", "DesktopWayland", "DictationBus", "DictationOptions",
                "DictationService", "DictationSettings", "DictationShared", "DictationSystem",
                "DictationText",
                arguments, lifecycle, log,
            ],
            path: "InsertAgent", exclude: ["Program"], swiftSettings: strict),
        .executableTarget(
            name: "InsertAgent",
            dependencies: [
                "DictationInsertion", "DictationOptions", "DictationService", "DictationShared",
                "DictationSystem", arguments,
            ],
            path: "InsertAgent/Program", swiftSettings: strict),
        .executableTarget(
            name: "dictstate",
            dependencies: [
                "Desktop", "DictationProgram", "DictationShared", "DictationSettings", "DictationSystem",
                arguments,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "dictation-bench",
            dependencies: [
                "CLinux", "CleanupChoices", "CleanupSets", "DictationHost", "DictationShared", "DesktopX11",
                "DictationService",
                "DictationSettings",
                "DictationSpeech", "DictationSystem", "DictationText", "TestSupport", arguments,
            ],
            path: "Tools/dictation-bench", resources: [.embedInCode("insert-sink.py")], swiftSettings: strict),
        // Tools of those who work on it.
        .target(name: "CleanupSets", path: "Tools/CleanupSets", swiftSettings: strict),
        .target(
            name: "CMarkLearner", dependencies: ["CMarkNetwork"], path: "Tools/CMarkLearner",
            cSettings: [.headerSearchPath("../../Sources/CMarkNetwork")]),
        .executableTarget(
            name: "train-cleanup",
            dependencies: [
                "CMarkLearner", "CleanupSets", "DictationText", "SelfCorrection", "TestSupport", arguments,
            ],
            path: "Tools/CleanupTrainer",
            exclude: ["conversation-pairs.py", "disco-pairs.py", "fluent-texts.py", "marked-texts.py"],
            swiftSettings: strict),
        // How the speech library is used, in thirty lines.
        .executableTarget(
            name: "live-transcript", dependencies: ["DictationSpeech"], path: "Examples/LiveTranscript",
            swiftSettings: strict),

        // Tests.
        .target(
            name: "TestSupport", dependencies: ["CLinux", "CX11", "DictationShared", "DictationSystem"],
            path: "Tests/TestSupport",
            exclude: [
                "accessible-window.py", "ibus-focus.py", "mutter-seat.py", "portal-backend.py",
                "portal-frontend.py", "standard-data-control.py", "wayland-keyboard.py", "window.py",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DictationSystemTests", dependencies: ["DictationSystem", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DictationSharedTests",
            dependencies: [
                "CLinux", "Desktop", "DictationShared", "DictationSystem", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "dictstateTests",
            dependencies: [
                "dictstate", "DictationProgram", "DictationShared", "DictationSystem", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DictationSettingsTests",
            dependencies: [
                "CleanupChoices", "DictationSettings", "DictationShared", "DictationText", "TestSupport", log,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DictationPolishTests",
            dependencies: ["DictationPolish", "DictationHTTP", "DictationText", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DictationTextTests",
            dependencies: ["CleanupSets", "DictationText", "SelfCorrection", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DictationHTTPTests", dependencies: ["DictationHTTP", "DictationSystem", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DictationSpeechTests",
            dependencies: [
                "CleanupChoices", "DictationHTTP", "DictationSpeech", "DictationSystem", "ModelTrialProgram",
                "live-transcript",
                "TestSupport",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "ModelTrialProgram", dependencies: ["DictationSpeech", "DictationSystem"],
            path: "Tests/ModelTrial", swiftSettings: strict),
        .testTarget(
            name: "DesktopWaylandTests",
            dependencies: ["Desktop", "DesktopWayland", "DictationSystem", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DesktopIBusTests",
            dependencies: [
                "Desktop", "DesktopIBus", "DesktopX11", "DictationBus", "DictationSystem", "TestSupport", log,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DesktopAccessibilityTests",
            dependencies: [
                "Desktop", "DesktopAccessibility", "DictationBus", "DictationSystem", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DesktopPortalTests", dependencies: ["Desktop", "DesktopPortal"],
            swiftSettings: strict),
        .testTarget(name: "DesktopTests", dependencies: ["Desktop"], swiftSettings: strict),
        .testTarget(
            name: "DesktopFileTests",
            dependencies: ["Desktop", "DesktopFile", "DictationSystem", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DesktopX11Tests",
            dependencies: ["CX11", "Desktop", "DesktopX11", "DictationSystem", "TestSupport", log],
            swiftSettings: strict),
        .testTarget(
            name: "DictationViewsTests",
            dependencies: [
                "Desktop", "DesktopWayland", "DesktopX11", "DictationViews", "DictationSettings",
                "DictationShared", "DictationSystem", "TestSupport", log,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HostAgentTests",
            dependencies: [
                "Desktop", "DictationBus", "DictationHost", "DictationService", "DictationSettings",
                "DictationShared", "DictationSpeech", "DictationSystem", "DictationText", "HostAgent",
                "TestSupport", log,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "InsertAgentTests",
            dependencies: [
                "InsertAgent", "Desktop", "DictationInsertion", "DictationSettings", "DictationShared",
                "DictationSystem", "DictationText", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(name: "ModelTests", dependencies: ["TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "dictstate", "DictationHTTP", "DictationPolish", "DictationSettings", "DictationShared",
                "DictationSpeech", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Desktop", "DictationSettings", "DictationShared", "DictationSystem", "DictationText",
                "TestSupport",
            ],
            swiftSettings: strict),
        .target(name: "CallRecorder", path: "Tests/CallRecorder", cSettings: [.define("_GNU_SOURCE")]),
        .executableTarget(
            name: "StoreTorture",
            dependencies: ["DictationShared", "DictationSystem", "TestSupport", arguments],
            path: "Tests/StoreTorture", swiftSettings: strict),
        .testTarget(
            name: "TortureTests",
            dependencies: [
                "StoreTorture", "DictationShared", "DictationSystem", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

// A build with a sanitizer is for the suites without a display (`Tests/run --sanitizer`). The others, and the tools, are nearly
// half of a whole build. The clean-up computes in one thread: the thread sanitizer can find nothing there.
if let sanitizer = Context.environment["VOICEDICTATION_SANITIZED"] {
    var others: Set = [
        "CMarkLearner", "CallRecorder", "DesktopAccessibilityTests", "DesktopIBusTests",
        "DesktopWaylandTests", "DesktopX11Tests", "DictationViewsTests", "EndToEndTests", "ModelTests",
        "StoreTorture", "TortureTests", "dictation-bench", "train-cleanup",
    ]
    if sanitizer == "thread" { others.formUnion(["CleanupSets", "DictationTextTests"]) }
    package.targets.removeAll { others.contains($0.name) }
    package.products.removeAll { ["callrecorder", "dictation-bench", "store-torture"].contains($0.name) }
}
