// swift-tools-version: 6.2

import PackageDescription

/// Every target of the package is built in Swift 6 mode with warnings as errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

func code(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], exclude: [String] = [])
    -> Target
{
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

/// The same files several times, through links, once for each language mode. Their warnings belong to foreign code or its
/// stand-ins, so they are hidden.
func snippets(
    _ name: String, _ mode: SwiftLanguageMode, _ dependencies: [Target.Dependency], exclude: [String] = [],
    flags: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude,
        swiftSettings: [.swiftLanguageMode(mode), .unsafeFlags(["-suppress-warnings"] + flags)])
}

func seedSnippets(_ name: String, _ mode: SwiftLanguageMode) -> Target {
    snippets(
        name, mode, ["MSAL", "AuthEngine", "OAuthCore", "DemoAuthority", "TestSupport"], exclude: ["Fixtures"])
}

/// These see the same API as a program.
func callSites(_ name: String, _ mode: SwiftLanguageMode, flags: [String] = []) -> Target {
    snippets(name, mode, ["MSAL", "MSALTesting", "TestSupport", "LibraryExample"], flags: flags)
}

let package = Package(
    name: "keyturn",
    products: [
        .library(name: "MSAL", targets: ["MSAL"]),
        .library(name: "MSALTesting", targets: ["MSALTesting"]),
        .executable(name: "keyturn", targets: ["keyturn"]),
    ],
    targets: [
        // One small C target for each C library. Those that only some commands need are loaded on first use
        // (CCurl, CGIO, CMicroHTTPD, COpenSSL, CQREncode, CSecret); the others are linked.
        .target(
            name: "CNcurses",
            cSettings: [.define("_DEFAULT_SOURCE"), .define("_XOPEN_SOURCE", to: "700"), .define("NCURSES_WIDECHAR")],
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CNettle", linkerSettings: [.linkedLibrary("nettle")]),
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CKeyturnSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CQREncode", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CGIO", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSecret", dependencies: ["CGIO"], linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "CSpawn"),
        .target(name: "CFileLock"),
        .target(name: "CProcess"),
        // The weak symbol of the live world, which the module MSAL defines.
        .target(name: "CLiveWorld"),

        // Targets that decide.
        code("KeyturnCrypto", ["CNettle", "COpenSSL"]),
        code("OAuthCore", ["KeyturnCrypto"]),
        code("Locks", []),
        code("AuthEngine", ["OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "CLiveWorld"]),
        code("TerminalUI", ["Locks", "CQREncode"]),

        // Targets that act.
        code("Tasks", ["Locks"]),
        code("POSIX", ["CProcess"]),
        code("LoopbackHTTP", ["OAuthCore", "KeyturnCrypto", "POSIX", "Locks", "Tasks", "CMicroHTTPD"]),
        code(
            "LinuxAdapters",
            [
                "AuthEngine", "OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "LoopbackHTTP", "CCurl", "CKeyturnSQLite",
                "CGIO",
                "CSecret", "CSpawn", "CFileLock", "POSIX",
            ]),
        code("TerminalCurses", ["TerminalUI", "Locks", "Tasks", "CNcurses"]),

        // The library.
        code("MSAL", ["AuthEngine", "LinuxAdapters", "POSIX"]),

        // The built-in authority.
        code("DemoAuthority", ["OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "LoopbackHTTP", "CResources"]),

        // An authority, a user and a cache in memory, for the tests of programs that use the library.
        code(
            "MSALTesting",
            ["AuthEngine", "OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "DemoAuthority", "LinuxAdapters"]),

        // The program. CResources embeds the data files of Resources/; CGetopt reads options with the C library.
        .target(name: "CResources"),
        .target(name: "CGetopt"),
        code("Diagnosis", ["AuthEngine", "OAuthCore", "CResources"]),
        code("Console", ["TerminalUI", "AuthEngine", "Diagnosis", "Locks", "Tasks"]),
        // OAuthCore and LinuxAdapters: for the scripted user's browser, on the authority's side of the sign-in.
        code(
            "Subcommands",
            [
                "MSAL", "Console", "Diagnosis", "DemoAuthority", "TerminalCurses", "TerminalUI", "OAuthCore",
                "LinuxAdapters", "CResources", "Locks", "Tasks", "CGetopt", "CFileLock", "CProcess",
                "POSIX",
            ]),
        .executableTarget(name: "keyturn", dependencies: ["Subcommands", "Tasks"], swiftSettings: settings),

        // Tests.
        .executableTarget(
            name: "SignedRequest", dependencies: ["OAuthCore", "KeyturnCrypto"], path: "Tests/Interop/SignedRequest",
            swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "AuthEngine", "OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "DemoAuthority", "TerminalUI",
                "MSALTesting",
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        .target(name: "CCallgrind", path: "Benchmarks/CCallgrind"),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "AuthEngine", "Console", "LinuxAdapters", "OAuthCore", "TerminalUI", "TestSupport", "CCallgrind",
            ],
            path: "Benchmarks/Bench", swiftSettings: settings),
        tests("TasksTests", ["Tasks", "Locks"]),
        tests("POSIXTests", ["POSIX"]),
        tests("CryptoTests", ["KeyturnCrypto"]),
        tests("OAuthCoreTests", ["OAuthCore", "KeyturnCrypto", "TestSupport"]),
        tests(
            "AuthEngineTests",
            ["AuthEngine", "OAuthCore", "KeyturnCrypto", "Locks", "Tasks", "DemoAuthority", "TestSupport"]),
        tests(
            "LinuxAdaptersTests",
            [
                "LinuxAdapters", "AuthEngine", "OAuthCore", "KeyturnCrypto", "POSIX", "Locks", "Tasks", "LoopbackHTTP",
                "TestSupport",
            ]),
        tests("MSALTests", ["MSAL", "AuthEngine", "LinuxAdapters"]),
        tests(
            "DemoAuthorityTests",
            ["DemoAuthority", "LinuxAdapters", "OAuthCore", "KeyturnCrypto", "Locks", "LoopbackHTTP", "TestSupport"]),
        tests("TerminalUITests", ["TerminalUI", "TestSupport"], exclude: ["Screens"]),
        tests("TerminalCursesTests", ["TerminalCurses", "TerminalUI"]),
        tests(
            "DiagnosisTests", ["Diagnosis", "AuthEngine", "OAuthCore"], exclude: ["Explanation/Evidence"]),
        tests(
            "ConsoleTests", ["Console", "Diagnosis", "TerminalUI", "AuthEngine", "Locks", "TestSupport"],
            exclude: ["Screens"]),
        tests(
            "SubcommandsTests",
            ["Subcommands", "Console", "Diagnosis", "MSAL", "Locks", "DemoAuthority", "LinuxAdapters", "TestSupport"]),
        .target(name: "CPowerLoss", path: "Tests/CPowerLoss", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "torture",
            dependencies: [
                "LinuxAdapters", "AuthEngine", "OAuthCore", "KeyturnCrypto", "CKeyturnSQLite", "CPowerLoss",
            ],
            path: "Tests/Torture", swiftSettings: settings),
        tests("TortureTests", ["torture", "CSpawn"]),
        .executableTarget(
            name: "soak",
            dependencies: ["MSAL", "LinuxAdapters", "OAuthCore", "Locks", "LoopbackHTTP", "DemoAuthority"],
            path: "Tests/Soak", swiftSettings: settings),
        .target(
            name: "Fuzzing",
            dependencies: [
                "Subcommands", "Console", "Diagnosis", "DemoAuthority", "AuthEngine", "OAuthCore", "KeyturnCrypto",
                "TerminalUI",
            ],
            path: "Tests/Fuzzing", swiftSettings: settings),
        tests("FuzzingTests", ["Fuzzing"], exclude: ["Corpus"]),
        // Limits all tests of the package to the ICU data of the release.
        .target(
            name: "CLocaleGuard", path: "Tests/CLocaleGuard",
            linkerSettings: [
                .unsafeFlags(
                    ["swift_udata_open", "swift_udata_openChoice"]
                        .flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] })
            ]),
        tests("ArchitectureTests", ["CLocaleGuard"]),
        // The documents' Swift as it stands, and docs/SignIn.swift.
        seedSnippets("SeedSnippetsSwift5Tests", .v5),
        seedSnippets("SeedSnippetsSwift6Tests", .v6),
        // Typical uses of the library in programs for Apple's systems, and each public member.
        .executableTarget(
            name: "LibraryExample", dependencies: ["MSAL"], path: "Tests/LibraryExample", swiftSettings: settings),
        callSites("CallSitesSwift5Tests", .v5),
        callSites("CallSitesSwift5CompleteTests", .v5, flags: ["-strict-concurrency=complete"]),
        callSites("CallSitesSwift6Tests", .v6),
    ]
)

// Only `make fuzz` can link it, because libFuzzer provides the main function.
if Context.environment["KEYTURN_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/FuzzTargets",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
