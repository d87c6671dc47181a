import Foundation
import Glibc

/// A process of this program with another job.
final class Child {
    private let process = Process()

    init(_ arguments: String...) throws {
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["worker"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func kill(after microseconds: UInt32) {
        usleep(microseconds)
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// `nil`: it did not end within the limit, and was killed.
    func status(within seconds: Double) -> Int32? {
        let end = Date().addingTimeInterval(seconds)
        while process.isRunning {
            if Date() > end {
                kill(after: 0)
                return nil
            }
            usleep(5000)
        }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
