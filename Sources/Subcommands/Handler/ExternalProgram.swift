import Foundation
import Tasks

/// A program of the system that is run for what it does or says.
enum ExternalProgram {
    struct Result: Sendable, Equatable {
        var status: Int32
        /// What it wrote to its standard output, without the blanks around it.
        var output: String
    }

    /// Seconds that one may take; these look into a few small files.
    private static let patience = 20.0

    /// Runs the first argument, looked up in `PATH`. `nil`: there is no such program, or it cannot be started. One that
    /// takes too long is ended.
    static func run(_ command: [String], environment: [String: String]) async -> Result? {
        guard let name = command.first, let file = path(of: name, in: environment) else { return nil }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: file)
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        let (ended, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { end.yield($0.terminationStatus) }
        do { try process.run() } catch { return nil }
        // Else the end of its output would never be seen: this process could still write there.
        try? pipe.fileHandleForWriting.close()
        let identifier = process.processIdentifier
        let limit = Task(executorPreference: ThreadPool.current) {
            try await sleep(for: .seconds(patience))
            kill(identifier, SIGKILL)
        }
        defer { limit.cancel() }
        let status = await ended.first { _ in true } ?? -1
        let output = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        return Result(status: status, output: output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func path(of name: String, in environment: [String: String]) -> String? {
        (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile(atPath:))
    }
}
