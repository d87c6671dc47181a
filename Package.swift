// swift-tools-version: 6.2

import PackageDescription

/// Every target of the package is built in Swift 6 mode with warnings as errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// Set by the Makefile. Without it there are no unsafe flags, so that other packages can require a version of this one.
let isProgram = Context.environment["KEYTURN_PROGRAM"] != nil

/// Set by `make fuzz`, whose sanitizer checks the functions that hardening replaces.
let isFuzzed = Context.environment["KEYTURN_FUZZING"] != nil

/// Compiled for size in the program, which has a limit (docs/decisions/0026). `isHot`: most of the time of the tests is spent in
/// it, so that optimizing it takes less time than it saves.
func code(_ name: String, _ dependencies: [Target.Dependency], isHot: Bool = false) -> Target {
    let size: [SwiftSetting] = isProgram ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : []
    let speed: [SwiftSetting] = isProgram && isHot ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []
    return .target(name: name, dependencies: dependencies, swiftSettings: settings + size + speed)
}

/// A C target, hardened in the release. A flag for all targets would reach Swift's importer too, which finds two of each function
/// that glibc 2.40 checks.
func clang(
    _ name: String, cSettings: [CSetting] = [], linkerSettings: [LinkerSetting] = []
) -> Target {
    let hardened: [CSetting] =
        isProgram && !isFuzzed ? [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))] : []
    return .target(name: name, cSettings: cSettings + hardened, linkerSettings: linkerSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], exclude: [String] = [])
    -> Target
{
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

/// The library's tests in several modules, because an edit compiles its whole module.
func msalTests(_ name: String, _ folder: String, exclude: [String] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: [
            "MSAL", "OAuthCore", "KeyturnCrypto", "KeyturnSystem", "LoopbackHTTP", "DemoAuthority", "TestSupport",
        ],
        path: "Tests/MSALTests\(folder)", exclude: exclude, swiftSettings: settings)
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
        name, mode, ["MSAL", "OAuthCore", "DemoAuthority", "TestSupport"], exclude: ["Fixtures"])
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
        // Small C targets over C libraries. Those that only some commands need are loaded on first use (curl, GLib,
        // libmicrohttpd, OpenSSL, libqrencode, libsecret); the others are linked.
        clang(
            "CNcurses",
            cSettings: [.define("_DEFAULT_SOURCE"), .define("_XOPEN_SOURCE", to: "700"), .define("NCURSES_WIDECHAR")],
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        clang("CCrypto", linkerSettings: [.linkedLibrary("nettle"), .linkedLibrary("dl")]),
        clang("CCurl", linkerSettings: [.linkedLibrary("dl")]),
        clang("CDesktop", linkerSettings: [.linkedLibrary("dl")]),
        clang("CKeyturnSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        clang("CMicroHTTPD", linkerSettings: [.linkedLibrary("dl")]),
        clang("CQREncode", linkerSettings: [.linkedLibrary("dl")]),
        // Functions of the C library that Swift can't call, and the loader of the other targets.
        clang("CSystem"),
        // The data files of Resources/.
        clang("CResources"),

        // Below the library.
        code("KeyturnCrypto", ["CCrypto"]),
        code("KeyturnSystem", ["CSystem"]),
        code("JSON", [], isHot: true),
        code("OAuthCore", ["JSON", "KeyturnCrypto", "CResources"], isHot: true),
        code("LoopbackHTTP", ["OAuthCore", "KeyturnCrypto", "KeyturnSystem", "CMicroHTTPD"]),

        // The library.
        code(
            "MSAL",
            [
                "OAuthCore", "KeyturnCrypto", "KeyturnSystem", "LoopbackHTTP", "CCurl", "CDesktop", "CKeyturnSQLite",
                "CSystem",
            ]),

        // The built-in authority.
        code(
            "DemoAuthority", ["OAuthCore", "KeyturnCrypto", "KeyturnSystem", "LoopbackHTTP", "CResources"]),

        // An authority, a user and a cache in memory, for the tests of programs that use the library.
        code("MSALTesting", ["MSAL", "OAuthCore", "KeyturnCrypto", "KeyturnSystem", "DemoAuthority"]),

        // The program.
        code("TerminalUI", ["JSON", "KeyturnSystem", "CQREncode"]),
        code("TerminalCurses", ["TerminalUI", "KeyturnSystem", "CNcurses"]),
        code("Diagnosis", ["MSAL", "OAuthCore", "JSON", "KeyturnCrypto", "CResources"], isHot: true),
        code("Console", ["TerminalUI", "MSAL", "Diagnosis", "JSON", "KeyturnSystem"]),
        // OAuthCore: for the scripted user's browser, on the authority's side of the sign-in. KeyturnCrypto: for digests.
        code(
            "Subcommands",
            [
                "MSAL", "Console", "Diagnosis", "DemoAuthority", "TerminalCurses", "TerminalUI", "OAuthCore",
                "JSON", "KeyturnSystem", "KeyturnCrypto", "LoopbackHTTP", "CResources", "CSystem",
            ]),
        .executableTarget(name: "keyturn", dependencies: ["Subcommands", "KeyturnSystem"], swiftSettings: settings),

        // Tests.
        .executableTarget(
            name: "SignedRequest", dependencies: ["OAuthCore", "KeyturnCrypto"], path: "Tests/Interop/SignedRequest",
            swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "MSAL", "OAuthCore", "KeyturnCrypto", "KeyturnSystem", "DemoAuthority", "TerminalUI", "MSALTesting",
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        .target(name: "CCallgrind", path: "Benchmarks/CCallgrind"),
        .executableTarget(
            name: "Bench",
            dependencies: ["MSAL", "Console", "Diagnosis", "OAuthCore", "TerminalUI", "TestSupport", "CCallgrind"],
            path: "Benchmarks/Bench", swiftSettings: settings),
        tests("KeyturnSystemTests", ["KeyturnSystem", "TestSupport"]),
        tests("CryptoTests", ["KeyturnCrypto"]),
        tests("OAuthCoreTests", ["OAuthCore", "KeyturnCrypto", "TestSupport"]),
        msalTests("MSALTests", "", exclude: ["Adapters", "Flows"]),
        msalTests("MSALAdapterTests", "/Adapters"),
        msalTests("MSALFlowTests", "/Flows"),
        tests(
            "DemoAuthorityTests",
            ["DemoAuthority", "MSAL", "OAuthCore", "KeyturnCrypto", "KeyturnSystem", "LoopbackHTTP", "TestSupport"]),
        tests("TerminalUITests", ["TerminalUI", "TerminalCurses", "TestSupport"], exclude: ["Screens"]),
        tests(
            "DiagnosisTests",
            ["Diagnosis", "MSAL", "OAuthCore", "KeyturnCrypto", "DemoAuthority", "JSON", "TestSupport"],
            exclude: [
                "Explanation/Evidence", "Explanation/Cases", "Dictionaries/aadsts-published.txt",
                "Sequence/handout.html",
            ]),
        tests(
            "ConsoleTests", ["Console", "Diagnosis", "TerminalUI", "MSAL", "KeyturnSystem", "TestSupport"],
            exclude: ["Screens"]),
        tests(
            "SubcommandsTests",
            [
                "Subcommands", "Console", "Diagnosis", "MSAL", "KeyturnSystem", "KeyturnCrypto", "DemoAuthority",
                "TestSupport", "CSystem",
            ]),
        .target(name: "CPowerLoss", path: "Tests/CPowerLoss", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "torture",
            dependencies: ["MSAL", "OAuthCore", "KeyturnCrypto", "CKeyturnSQLite", "CPowerLoss"],
            path: "Tests/Torture", swiftSettings: settings),
        tests("TortureTests", ["torture", "CSystem"]),
        .executableTarget(
            name: "soak",
            dependencies: ["MSAL", "OAuthCore", "KeyturnSystem", "LoopbackHTTP", "DemoAuthority"],
            path: "Tests/Soak", swiftSettings: settings),
        .target(
            name: "Fuzzing",
            dependencies: [
                "Subcommands", "Console", "Diagnosis", "DemoAuthority", "MSAL", "OAuthCore", "KeyturnCrypto",
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
if isFuzzed {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/FuzzTargets",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
