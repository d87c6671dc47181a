import Diagnosis
import Foundation
import MSAL
import POSIX

/// Where the last request for a token is kept, without secrets and names, for a report.
struct AttemptFile: Sendable, Equatable {
    let path: String
    /// What is longer was not written by this program.
    private static let mostBytes = 1 << 20

    init(path: String) { self.path = path }

    init(in environment: [String: String]) {
        path = BaseDirectory.state(in: environment) + "/keyturn/last-attempt.json"
    }

    /// Keeps it in place of the one before. A disk that is full must not end a sign-in: the next report says that there is
    /// none, or has an older one with its date.
    func keep(_ record: MSALFlowRecord) {
        guard let data = try? JSONEncoder().encode(AttemptReport(record)) else { return }
        try? ExportedFile(path: path, replaces: true).writeMakingFolder(data)
    }

    func read() -> SupportReport.Attempt {
        do throws(PlainFile.Failure) {
            let bytes = try PlainFile.read(path, atMost: Self.mostBytes)
            guard bytes.count <= Self.mostBytes else { return .damaged }
            return AttemptReport(kept: bytes).map(SupportReport.Attempt.recorded) ?? .damaged
        } catch {
            return error.isMissing ? .notRecorded : .damaged
        }
    }
}
