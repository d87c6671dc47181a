import MSAL
import Testing

@Suite("docs/library.md", .oneSessionAtATime) struct LibraryDocumentTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test("Each Swift block compiles unchanged")
    func blocks() throws {
        let blocks = try Self.text("docs/library.md").matches(of: #/```swift\n((?:(?!```)[\s\S])*)```/#).map {
            String($0.1)
        }
        let compiled = [
            try String(contentsOf: Self.folder.appending(path: "LibraryDocument.swift"), encoding: .utf8),
            try Self.text("Tests/LibraryExample/Mail.swift"),
        ]
        #expect(blocks.count > 8)
        for block in blocks where !block.hasPrefix("// swift-tools-version") {
            #expect(compiled.contains { $0.contains(block) }, "not compiled: \(block)")
        }
    }

    @Test("The authority of a tenant is that tenant's")
    func tenant() throws {
        let made = try application(clientID: "client", tenant: "contoso.com").configuration.authority
        #expect(made.url.absoluteString == "https://login.microsoftonline.com/contoso.com")
    }

    @Test("Manifests name products of this package")
    func manifests() throws {
        let own = try Self.text("Package.swift")
        let products = try Self.text("docs/library.md").matches(of: #/\.product\(name: "(\w+)", package: "keyturn"\)/#)
        #expect(Set(products.map { String($0.1) }) == ["MSAL", "MSALTesting"])
        for product in products { #expect(own.contains(".library(name: \"\(product.1)\"")) }
    }

    @Test("Files of this package that it names exist")
    func files() throws {
        let paths = try Self.text("docs/library.md").matches(of: #/\.\.\/keyturn\/([\w\/-]+)/#).map { String($0.1) }
        #expect(!paths.isEmpty)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: path).path), "\(path)")
        }
    }

    @Test("Its test of a program passes")
    func ownTest() async throws { try await testSignIn() }

    @Test("Its test application requests a sign-in")
    func mock() async throws {
        let application = try OfflineApplication(clientId: "client")
        let account = try MockApplication(given: MockResult()).allAccounts()[0]
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        let error = await #expect(throws: NSError.self) { try await application.acquireTokenSilent(with: parameters) }
        #expect(error?.code == MSALError.interactionRequired.rawValue)
    }

    /// The shared libraries of a program that uses only the library: the loader opens these before it runs.
    @Test("A program links only the C libraries that the document names")
    func links() throws {
        let products = Bundle.main.bundleURL.deletingLastPathComponent()
        let example = [products, Bundle.main.bundleURL].map { $0.appending(path: "LibraryExample") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        let output = Pipe()
        let readelf = Process()
        readelf.executableURL = URL(filePath: "/usr/bin/readelf")
        readelf.arguments = ["-d", try #require(example).path]
        readelf.standardOutput = output
        try readelf.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        readelf.waitUntilExit()
        let needed = Set(text.matches(of: #/NEEDED.*\[(.*)\]/#).map { String($0.1) })
        let others = needed.filter { name in
            ![
                "libswift", "lib_", "libFoundation", "libdispatch", "libBlocksRuntime", "libc.so", "libm.so",
                "libresolv.so",
                "libgcc_s", "libstdc++", "ld-linux",
            ]
            .contains { name.hasPrefix($0) }
        }
        #expect(others == ["libnettle.so.8", "libsqlite3.so.0"])
    }
}
