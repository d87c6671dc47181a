import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

/// The file with the last token request, without secrets and names, for the support report.
struct AttemptFile: Sendable, Equatable {
    let path: String
    /// Larger files aren't this program's.
    private static let mostBytes = 1 << 20

    init(path: String) { self.path = path }

    init(in environment: [String: String]) {
        path = BaseDirectory.state(in: environment) + "/keyturn/last-attempt.json"
    }

    /// Replaces the file. Ignores errors, as a full disk must not fail a sign-in.
    func save(_ record: MSALFlowRecord) {
        let text = AttemptReport(record).json.serialized
        try? ExportedFile(path: path, replaces: true).writeMakingFolder(Data(text.utf8))
    }

    func read() -> SupportReport.Attempt {
        do throws(PlainFile.Failure) {
            let bytes = try PlainFile.read(path, atMost: Self.mostBytes)
            guard bytes.count <= Self.mostBytes else { return .damaged }
            return AttemptReport(saved: bytes).map(SupportReport.Attempt.recorded) ?? .damaged
        } catch {
            return error.isMissing ? .notRecorded : .damaged
        }
    }
}
