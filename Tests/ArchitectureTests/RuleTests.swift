import Testing

/// Each rule finds violations, and accepts valid code.
@Suite("The rules themselves")
struct RuleTests {
    @Test(
        "Imports",
        arguments: [
            ("Sources/OAuthCore/A.swift", "import MSAL", false),
            ("Sources/OAuthCore/A.swift", "import Glibc", false),
            ("Sources/OAuthCore/A.swift", "@preconcurrency import struct MSAL.CurlTransport", false),
            ("Sources/MSAL/Flows/A.swift", "package import CCurl", false),
            ("Sources/Console/A.swift", "import TerminalCurses", false),
            ("Sources/TerminalUI/A.swift", "import OAuthCore", false),
            ("Sources/Unheard/A.swift", "import Foundation", false),
            ("Sources/OAuthCore/A.swift", "import KeyturnCrypto\nimport Foundation", true),
            ("Sources/MSAL/Adapters/A.swift", "import Glibc", true),
            ("Sources/OAuthCore/A.swift", "// import MSAL", true),
        ])
    func imports(path: String, text: String, isKept: Bool) {
        #expect(ImportRule.violations(in: SourceFile(path: path, text: text)).isEmpty == isKept)
    }

    @Test("Dependencies are read from a manifest")
    func manifest() {
        let text = """
            code("OAuthCore", ["KeyturnCrypto"]),
            code("TerminalUI", []),
            .executableTarget(name: "keyturn", dependencies: ["Subcommands", "Console"], swiftSettings: settings),
            """
        #expect(
            ImportRule.declaredDependencies(manifest: text)
                == ["OAuthCore": ["KeyturnCrypto"], "TerminalUI": [], "keyturn": ["Subcommands", "Console"]])
    }

    @Test("Edges are read from a diagram")
    func drawing() {
        let text = """
            MSAL    ─► OAuthCore, CCurl
            KeyturnCrypto  ─► CCrypto
            tty ─► Key ─► Command
            """
        #expect(
            ImportRule.drawnDependencies(document: text)
                == ["MSAL": ["OAuthCore", "CCurl"], "KeyturnCrypto": ["CCrypto"]])
    }

    @Test(
        "Calls with effects",
        arguments: [
            "let now = Date()", "let now = Date.now", "date.timeIntervalSinceNow < 0",
            "try await Task.sleep(for: .seconds(1))",
            "getenv(\"HOME\")", "ProcessInfo.processInfo", "print(token)", "NSLog(\"x\")", "Task { await run() }",
            "Task {",
            "Task.detached { }", "arc4random()", "var generator = SystemRandomNumberGenerator()",
            "Int.random(in: 0...9)",
            "UUID()", "FileManager.default", "try Data(contentsOf: url)", "\"now \\(Date())\"",
        ])
    func effects(text: String) throws {
        let file = SourceFile(path: "Sources/MSAL/Flows/A.swift", text: text)
        #expect(try EffectRule.violations(in: file).isEmpty == false)
        let adapter = SourceFile(path: "Sources/MSAL/Adapters/A.swift", text: text)
        #expect(try EffectRule.violations(in: adapter).isEmpty)
    }

    @Test(
        "Calls without effects",
        arguments: [
            "// Date() is the adapter's", "\"print(x)\"", "/* Task { } */", "let date = Date(timeIntervalSince1970: 0)",
            "surface.print(text)", "var task: Task<Void, Never>?", "fingerprint(key)",
            "bytes.append(contentsOf: more)",
        ])
    func noEffects(text: String) throws {
        #expect(try EffectRule.violations(in: SourceFile(path: "Sources/MSAL/Flows/A.swift", text: text)).isEmpty)
    }

    @Test("Only the program's effect runner starts tasks")
    func exceptions() throws {
        let text = "Task { await run() }"
        #expect(
            try EffectRule.violations(in: SourceFile(path: "Sources/Console/EffectRunner.swift", text: text)).isEmpty)
        #expect(try !EffectRule.violations(in: SourceFile(path: "Sources/Console/Update.swift", text: text)).isEmpty)
        let print = SourceFile(path: "Sources/Console/EffectRunner.swift", text: "print(1)")
        #expect(try !EffectRule.violations(in: print).isEmpty)
    }

    @Test(
        "APIs that need locale data",
        arguments: [
            ("a.localizedStandardCompare(b)", false), ("a.localizedCaseInsensitiveContains(b)", false),
            ("a.compare(b, locale: .current)", false), ("let a = Locale(identifier: \"de\")", false),
            ("let a = DateFormatter()", false), ("a.formatted()", false), ("a.formatted(.number)", false),
            ("String(localized: a)", false), ("Calendar.current", false), ("Calendar(identifier: .islamic)", false),
            ("a.folding(options: [], locale: nil)", false),
            ("error.localizedDescription", true), ("error.localizedRecoverySuggestion", true),
            ("a.formatted(.iso8601.year())", true), ("a.ISO8601Format()", true), ("a < b", true),
            ("Calendar(identifier: .gregorian)", true), ("// Locale", true),
        ])
    func locale(text: String, isKept: Bool) throws {
        let file = SourceFile(path: "Sources/MSAL/Flows/A.swift", text: text)
        #expect(try LocaleRule.violations(in: file).isEmpty == isKept)
    }

    @Test(
        "Other readers and writers of JSON",
        arguments: [
            ("let data = try JSONEncoder().encode(a)", false), ("JSONDecoder()", false),
            ("try JSONSerialization.data(withJSONObject: a)", false), ("JSONValue(parsing: a)", true),
            ("// JSONEncoder", true),
        ])
    func json(text: String, isKept: Bool) throws {
        #expect(try JSONRule.violations(in: SourceFile(path: "Sources/Console/A.swift", text: text)).isEmpty == isKept)
    }

    @Test(
        "Uses of libdispatch",
        arguments: [
            ("Task { await run() }", false), ("Task(priority: .low) { }", false), ("Task.detached { }", false),
            ("try await Task.sleep(for: .seconds(1))", false), ("let queue = DispatchQueue(label: name)", false),
            ("Task(executorPreference: ThreadPool.current) { }", true), ("try await sleep(for: .seconds(1))", true),
            ("Thread.detachNewThread { }", true), ("var task: Task<Void, Never>?", true), ("// Task { }", true),
        ])
    func dispatch(text: String, isKept: Bool) throws {
        let file = SourceFile(path: "Sources/MSAL/Adapters/A.swift", text: text)
        #expect(try DispatchRule.violations(in: file).isEmpty == isKept)
    }

    @Test(
        "Calls that hide a limit of the process",
        arguments: [
            ("Thread.detachNewThread { }", false), ("let thread = Thread { }", false), ("Thread(block: work)", false),
            ("String(cString: strerror(errno))", false), ("try SystemThread.start { }", true),
            ("systemReason(errno)", true), ("// strerror(errno)", true), ("ThreadPool(threads: 1)", true),
        ])
    func systemLimits(text: String, isKept: Bool) throws {
        let file = SourceFile(path: "Sources/MSAL/Adapters/A.swift", text: text)
        #expect(try SystemLimitRule.violations(in: file).isEmpty == isKept)
    }

    @Test(
        "Code that crashes or races",
        arguments: [
            "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1", "let a = try! f()",
            "let a = b as! C", "let a = Mutex(1)",
            "fatalError(\"no\")", "let a = b!", "f()!.c", "a[0]! + 1", "\"\\(a!)\"",
        ])
    func safety(text: String) throws {
        #expect(try !SafetyRule.violations(in: SourceFile(path: "Sources/A/A.swift", text: text)).isEmpty)
        let explained = SourceFile(path: "Sources/A/A.swift", text: "// The lock above guards it.\n" + text)
        #expect(try SafetyRule.violations(in: explained).isEmpty)
    }

    @Test(
        "Code that neither crashes nor races",
        arguments: ["if !a { }", "a != b", "f(!a)", "\"stop!\"", "try? f()", "// a!", "a as? B"])
    func safe(text: String) throws {
        #expect(try SafetyRule.violations(in: SourceFile(path: "Sources/A/A.swift", text: text)).isEmpty)
    }

    @Test("The library's own types are found in the program's code")
    func libraryFirst() throws {
        let library = SourceFile(
            path: "Sources/MSAL/Flows/A.swift",
            text:
                "package struct TokenCache {\n    package enum Kind {}\n}\npublic class MSALAccount {}\npackage final class Flow {}"
        )
        let hidden = try LibraryFirstRule.hiddenTypes(of: [library])
        #expect(hidden == ["TokenCache", "Flow"])

        func violations(_ path: String, _ text: String) throws -> [Violation] {
            try LibraryFirstRule.violations(in: SourceFile(path: path, text: text), hidden: hidden)
        }
        #expect(
            try violations("Sources/Console/A.swift", "let a: MSALAccount\nlet cache = TokenCache()").map(\.line) == [2]
        )
        #expect(try violations("Sources/Console/A.swift", "// TokenCache\nlet a = Route.Flow.self").isEmpty)
        #expect(try violations("Sources/MSAL/Adapters/A.swift", "let cache = TokenCache()").isEmpty)
        #expect(
            try LibraryFirstRule.ownTypes(of: [SourceFile(path: "", text: "package enum Route { struct Flow {} }")])
                == ["Route", "Flow"])
    }

    @Test(
        "A default beside cases",
        arguments: [
            ("case .a: 1\ndefault: 2", false), ("case .a, .b(_): 1\n// why\ndefault: 2", false),
            ("case nil, .a: 1\ndefault: 2", false), ("case (.a, .b): 1\ndefault: 2", false),
            ("case .b(let x) where x > 1: f { 1 }\ndefault: 2", false), ("case .a: 1\ncase .b, .c: 2", true),
            ("case \"a\": 1\ndefault: 2", true), ("case is A: 1\ndefault: 2", true),
            ("case .a, .z: 1\ndefault: 2", true),
            ("case .a: 1\ncase let x where x.isOdd: 2\ndefault: 3", true),
        ])
    func defaults(cases: String, isKept: Bool) {
        let declaration = SourceFile(
            path: "Sources/A/A.swift",
            text:
                "enum E {\n    case a\n    indirect case b(\n        Int), c\n    var x: Int { switch self { case .a: 1 } }\n}"
        )
        let enumerations = DefaultRule.enumerations(in: [declaration])
        #expect(enumerations == [["a", "b", "c"]])
        let short = SourceFile(path: "Sources/A/C.swift", text: "private enum F { case a, b(Int), c }")
        #expect(DefaultRule.enumerations(in: [short]) == enumerations)
        let file = SourceFile(path: "Sources/A/B.swift", text: "func f() {\n    switch e {\n\(cases)\n    }\n}")
        #expect(DefaultRule.violations(in: file, enumerations: enumerations).isEmpty == isKept)
    }

    @Test("Layers are read from a diagram, and types from the folders")
    func layers() throws {
        #expect(
            LayerRule.drawnLayers(document: "MSAL ─► A, B\nA: Top ► Middle ► Low\nB: one thing\n")
                == ["A": ["Top", "Middle", "Low"]])
        func violations(_ path: String, _ text: String) throws -> [Int] {
            let others = [
                SourceFile(
                    path: "Sources/A/Top/T.swift", text: "package final class Up {}\nextension Low { struct Inner {} }"),
                SourceFile(path: "Sources/A/Low/L.swift", text: "@frozen public struct Down {}"),
            ]
            return try LayerRule.violations(
                in: others + [SourceFile(path: path, text: text)], layers: ["A", "Top", "Middle", "Low"]
            ).map(\.line)
        }
        #expect(
            try violations("Sources/A/Middle/M.swift", "let a: Down\nlet b = Up()\n// Up\nlet c = X.Up.self") == [2])
        #expect(try violations("Sources/A/Low/Inside/M.swift", "let b: [Up]") == [1])
        #expect(try violations("Sources/A/M.swift", "let b: [Up: Down]\nlet c = Inner()").isEmpty)
        #expect(try violations("Sources/A/New/M.swift", "") == [1])
    }

    @Test("Length", arguments: [(SizeRule.mostLines, true), (SizeRule.mostLines + 1, false)])
    func size(lines: Int, isKept: Bool) {
        let text = String(repeating: "\n", count: lines)
        #expect(SizeRule.violations(in: SourceFile(path: "Sources/A/A.swift", text: text)).isEmpty == isKept)
    }

    @Test(
        "Comments and strings are blanked, code in interpolations stays",
        arguments: [
            ("a // b", "a     "),
            ("a /* b /* c */ d */ e", "a                   e"),
            ("f(\"x\\\"y\")z", "f(      )z"),
            ("\"a\\(b(\"c\"))d\"e", "   (b(   ))  e"),
            ("#\"a\"b\\(c)\"#d", "           d"),
            ("\"\"\"\na\"b\n\"\"\"c", "   \n   \n   c"),
        ])
    func blanking(source: String, code: String) {
        #expect(blankingCommentsAndStrings(source) == code)
    }

    @Test(
        "Folders",
        arguments: [
            ("Screens/Check/A.swift", "let a: Other", false), ("Screens/Check/A.swift", "let a: Root", false),
            ("Rules/A.swift", "let a: Frame", false), ("A.swift", "let a = 1", false),
            ("Screens/Check/A.swift", "let a: Own", true), ("Screens/Check/A.swift", "let a: Frame", true),
            ("Program/A.swift", "let a: Other", true), ("Rules/A.swift", "// Frame", true),
        ])
    func folders(path: String, text: String, isKept: Bool) throws {
        let declared = [
            ("Screens/Check/B.swift", "struct Own {}"), ("Screens/Claims/B.swift", "struct Other {}"),
            ("Program/B.swift", "package struct Root {}"), ("Screen/B.swift", "struct Frame {}"),
        ].map { SourceFile(path: "Sources/Console/\($0.0)", text: $0.1) }
        let file = SourceFile(path: "Sources/Console/\(path)", text: text)
        #expect(try FolderRule.violations(in: file, owners: FolderRule.owners(of: declared)).isEmpty == isKept)
    }

    @Test("The rejected words are read from the table")
    func dictionary() {
        let table = """
            | Word | Meaning | Not |
            |---|---|---|
            | user | the human who signs in | person, somebody |
            | account, tenant | as in MSAL's documentation | |
            | cached | stored in the token cache | kept |

            | Folder | Tests | Not |
            """
        #expect(DictionaryRule.rejectedWords(document: table) == ["person", "somebody", "kept"])
    }

    @Test(
        "Declarations with rejected words",
        arguments: [
            ("func ask(_ a: B) {}", false), ("let person: User", false), ("struct StoreSeal {}", false),
            ("private(set) var isRefused = false", false), ("enum Refusal {}", false), ("case answered(A), b", false),
            ("    case a, kept", false), ("guard let kept = a() else { return }", false), ("let resealed = 1", false),
            ("func renewing() {}", false), ("case a(b: Int), vendors", false), ("let personID = 1", false),
            ("func request(_ a: B) {}", true), ("let user: User", true), ("var hasEnded = false", true),
            ("let task = 1", true), ("let basket, mask: Int", true), ("case .refused(let error): break", true),
            ("// let person", true), ("let a = \"person\"", true), ("let sale = 1", true), ("case login = 1", true),
            ("case home, end", true), ("switch a { case b: ask() }", true), ("func server() {}", true),
        ])
    func dictionary(text: String, isAccepted: Bool) throws {
        let words = [
            "person", "vendor", "ask", "answer", "renew", "ends", "end", "refused", "kept", "sealed", "login", "server",
        ]
        let file = SourceFile(path: "Sources/A/A.swift", text: text)
        #expect(try DictionaryRule(words: words).violations(in: file).isEmpty == isAccepted)
    }
}
