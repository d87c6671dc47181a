import Foundation
import Glibc
import KeyturnSystem

/// A program of the system.
enum ExternalProgram {
    struct Result: Sendable, Equatable {
        /// Negative for a signal.
        var status: Int32
        /// The standard output without surrounding white space.
        var output: String
    }

    /// The time limit in seconds.
    static let patience = 20.0

    /// The status of a program that was ended at the limit.
    static let overdue = -SIGKILL

    /// Runs the first argument from `PATH`, with a time limit; `nil` if it is missing or can't start. The end of the task ends it,
    /// with the programs that it started.
    static func run(_ command: [String], environment: [String: String]) async -> Result? {
        guard let name = command.first, let file = path(of: name, in: environment) else { return nil }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: file)
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessEnvironment.ofProgram(environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        let (ended, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            end.yield($0.terminationReason == .uncaughtSignal ? -$0.terminationStatus : $0.terminationStatus)
        }
        do { try process.run() } catch { return nil }
        // Otherwise reading never ends.
        try? pipe.fileHandleForWriting.close()
        let identifier = process.processIdentifier
        @Sendable func stop() { kill(getpgid(identifier) == identifier ? -identifier : identifier, SIGKILL) }
        let limit = Task(executorPreference: ThreadPool.current) {
            try await sleep(for: .seconds(patience))
            stop()
        }
        defer { limit.cancel() }
        let status =
            await withTaskCancellationHandler {
                await ended.first { _ in true }
            } onCancel: {
                stop()
            } ?? -1
        let output = String(decoding: content(of: pipe.fileHandleForReading), as: UTF8.self)
        return Result(status: status, output: output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What is in a pipe. A process that the program left behind can keep it open.
    private static func content(of pipe: FileHandle) -> [UInt8] {
        _ = fcntl(pipe.fileDescriptor, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(pipe.fileDescriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    static func path(of name: String, in environment: [String: String]) -> String? {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
        return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile(atPath:))
    }
}
