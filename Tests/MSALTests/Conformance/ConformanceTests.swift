import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Every fault of the built-in authority, and how the client reacts.
@Suite("Conformance", .oneSessionAtATime)
struct ConformanceTests {
    @Test("The client reacts as required", arguments: Fault.allCases, ["query", "form_post"])
    func demands(fault: Fault, responseMode: String) async throws {
        let run = try ConformanceRun(fault, responseMode: responseMode)
        let ending = try await run.ending()
        #expect(ending.demand == fault.demand, "\(ending)")
        if fault.demand != .accept, !fault.isOfRefreshes {
            // The sign-in at the organisation has worked.
            #expect(run.kept == (fault.isOfAssertions ? [.idToken, .refreshToken] : []))
        }
        guard case .rejected(let reason) = ending else { return }
        #expect(reason.hasSuffix(".") || reason.hasSuffix(")"))
        #expect(!reason.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(!reason.contains("eyJ"))
    }

    @Test("Userinfo is not requested for claims in the ID token")
    func userInfo() async throws {
        let run = try ConformanceRun(try #require(Fault(named: "userinfo-wrong-subject")))
        _ = try await run.ending()
        #expect(!run.world.transport.requests.contains { $0.url.path().contains("userinfo") })
    }

    @Test("Rotated keys are fetched again once")
    func rotation() async throws {
        let run = try ConformanceRun(try #require(Fault(named: "key-rotation")))
        _ = try await run.ending()
        #expect(run.world.transport.requests.count { $0.url.path().hasSuffix("/keys") } == 2)
    }

    @Test("Fault names are unique, and docs/conformance.md lists every result")
    func document() async throws {
        var document = ConformanceDocument()
        for fault in Fault.allCases { document.add(fault, try await ConformanceRun(fault).ending()) }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/conformance.md").standardized
        if GoldenScreen.isRecording {
            try Data(document.markdown.utf8).write(to: file)
            Issue.record("Recorded \(file.lastPathComponent). Review it, then run the tests again.")
        } else {
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == document.markdown)
        }
    }
}
