import CSystem
import Foundation
import Glibc
import Testing

/// The torture program, built beside the tests.
enum TortureTool {
    static var path: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "torture").path
    }

    struct NotStarted: Error {
        var code: Int32
    }

    /// Runs a shell script to its end, off the threads that tasks run on. Returns its status and output.
    ///
    /// Not with `Process`: a child would inherit the blocked signals of a Dispatch thread, and a bus that cannot be
    /// stopped outlives its session.
    static func run(_ script: String, environment: [String: String]) async throws -> (status: Int32, output: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let environment = sanitizerOptions.merging(environment) { _, new in new }
            .merging(["OUTPUT": file.path, "TORTURE": path]) { _, new in new }
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try wait(for: spawn("exec >\"$OUTPUT\" 2>&1\n\(script)", environment)) })
            }
        }
        return (status, try String(contentsOf: file, encoding: .utf8))
    }

    /// The settings of `scripts/sanitize` hold for the child too, which is built like the tests.
    private static var sanitizerOptions: [String: String] {
        ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    }

    private static func spawn(_ script: String, _ environment: [String: String]) throws -> pid_t {
        let words = ["sh", "-c", script]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var child: Int32 = 0
        let error = keyturn_spawn_detached(arguments, variables, -1, 0, &child)
        guard error == 0 else { throw NotStarted(code: error) }
        return child
    }

    private static func wait(for child: pid_t) throws -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw NotStarted(code: errno) }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
