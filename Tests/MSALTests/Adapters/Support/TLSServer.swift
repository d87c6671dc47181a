import Foundation
import TestSupport

/// OpenSSL's test server on 127.0.0.1, with a self-signed certificate for the name localhost.
final class TLSServer: Sendable {
    static let program = "/usr/bin/openssl"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    struct NotStarted: Error {}

    let port: UInt16
    /// The certificate, as a CA file for clients that trust it.
    let certificate: String
    private let folder: TemporaryFolder
    private let identifier: Int32

    static func start(_ options: [String] = []) async throws -> TLSServer {
        try await RawClient.off { try TLSServer(options) }
    }

    private init(_ options: [String]) throws {
        let folder = try TemporaryFolder()
        let (key, certificate) = (folder.file("key.pem").path, folder.file("certificate.pem").path)
        let request = Process()
        request.executableURL = URL(filePath: Self.program)
        request.arguments =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 2"
            .split(separator: " ").map(String.init)
            + ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
        request.standardError = FileHandle.nullDevice
        try request.run()
        request.waitForEnd()

        let output = Pipe()
        let server = Process()
        server.executableURL = URL(filePath: Self.program)
        server.arguments =
            ["s_server", "-www", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate] + options
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        // It prints `ACCEPT 127.0.0.1:PORT` when it listens.
        var said = ""
        while !said.contains("ACCEPT") || !said.hasSuffix("\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw NotStarted() }
            said += String(decoding: more, as: UTF8.self)
        }
        guard let line = said.split(separator: "\n").last,
            let port = line.split(separator: ":").last.flatMap({ UInt16($0) })
        else { throw NotStarted() }
        self.folder = folder
        self.certificate = certificate
        self.port = port
        identifier = server.processIdentifier
    }

    /// Not SIGTERM: a child of Foundation inherits the signals that the starting thread blocks.
    deinit { kill(identifier, SIGKILL) }
}
