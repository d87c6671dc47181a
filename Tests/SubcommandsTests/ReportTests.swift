import Foundation
import TestSupport
import Testing

@testable import Subcommands

@Suite("keyturn report", .serialized, .oneSessionAtATime)
struct ReportTests {
    @Test func aSignInIsInTheReportAndNoNameIs() async throws {
        let world = try await SignInTests.World()
        defer { world.close() }
        #expect(await world.keyturn("report", "--offline").output.contains("None recorded."))
        let signedIn = await world.keyturn("sign-in")
        #expect(signedIn.exitCode == .done)

        let file = AttemptFile(in: world.environment)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let report = await world.keyturn("report", "--offline").output
        #expect(report.contains("redeemCode succeeded"))
        #expect(report.contains("[skipped] Authority"))
        let kept = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file.path)), as: UTF8.self)
        for text in [report.lowercased(), kept.lowercased()] {
            for word in ["ann", "contoso", "eyj", world.folder.path.lowercased()] {
                let found = text.firstRange(of: try Regex("\\b\(NSRegularExpression.escapedPattern(for: word))"))
                #expect(found == nil, "\(word) in \(text)")
            }
        }
    }

    @Test func anUnreadableRecordIsDamaged() throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        let file = AttemptFile(path: folder.path + "/last-attempt.json")
        #expect(file.read() == .notRecorded)
        for text in ["{\"kind\":1}", "", String(repeating: " ", count: 1 << 21)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
            #expect(file.read() == .damaged)
        }
    }
}
