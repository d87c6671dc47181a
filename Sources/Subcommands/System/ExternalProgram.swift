import Foundation
import Glibc
import KeyturnSystem

enum ExternalProgram {
    struct Result: Sendable, Equatable {
        /// Negative for a signal.
        var status: Int32
        /// The standard output without surrounding white space.
        var output: String
    }

    /// In seconds.
    static let patience = 20.0

    /// The status of a program that was ended at the limit.
    static let overdue = -SIGKILL

    /// Of output. A program that prints more waits until its time is over.
    private static let mostBytes = 1 << 20
    /// `F_SETPIPE_SZ` (fcntl(2)), which Swift doesn't import.
    private static let setPipeSize: Int32 = 1031

    /// Runs the first argument from `PATH`, with a time limit; `nil` if it is missing or can't start. The end of the task ends it,
    /// with the programs that it started.
    /// - Parameter withErrors: whether the output has standard error too.
    static func run(
        _ command: [String], environment: [String: String], within patience: Double = patience, withErrors: Bool = false
    ) async -> Result? {
        guard let name = command.first, let file = path(of: name, in: environment) else { return nil }
        var files: [Int32] = [-1, -1]
        guard pipe(&files) == 0 else { return nil }
        let (reading, writing) = (files[0], files[1])
        defer { close(reading) }
        _ = fcntl(writing, setPipeSize, Int32(mostBytes))
        let child = try? ChildProcess.start(
            [file] + command.dropFirst(), environment: environment, .into(writing, withErrors: withErrors))
        close(writing)
        guard let child else { return nil }
        let exit = await withTaskCancellationHandler {
            await child.wait(within: patience)
        } onCancel: {
            child.killGroup()
        }
        child.killGroup()
        let status =
            switch exit {
            case .exited(let status): status
            case .killed(let signal): -signal
            case nil: overdue
            }
        let output = String(decoding: content(of: reading), as: UTF8.self)
        return Result(status: status, output: output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What is in a pipe. A process that the program left behind can keep it open.
    private static func content(of pipe: Int32) -> [UInt8] {
        _ = fcntl(pipe, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = read(pipe, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    static func path(of name: String, in environment: [String: String]) -> String? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return (name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }).first { path in
            // A folder can be executable, too.
            [path, "\(path)/."].map(FileManager.default.isExecutableFile(atPath:)) == [true, false]
        }
    }
}
