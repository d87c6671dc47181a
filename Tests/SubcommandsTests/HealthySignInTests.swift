import Foundation
import TestSupport
import Testing

@testable import Console
@testable import Diagnosis
@testable import Subcommands

@Suite("A healthy sign-in to compare with", .oneSessionAtATime)
struct HealthySignInTests {
    @Test("A healthy sign-in of the built-in authority is one, and differs from a failed one at its first arrow")
    func healthy() async throws {
        let world = try World()
        let model = try await world.player(.plainSignIn).play(steps: 1)
        let archive = Array(model.archive.utf8)
        let plist = "<plist><dict><key>CFBundleIdentifier</key><string>org.example.app</string></dict></plist>"
        let explainer = try Explainer(clientID: "", infoPlist: Array(plist.utf8), now: .distantPast)
        #expect(try !explainer.compare(archive, with: archive, as: .healthy).isDifferent)
        let failed =
            #"{"log":{"entries":[{"request":{"method":"GET","url":"https://id.example/authorize?client_id=a&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%2F&scope=a&state=b"},"response":{"status":302}}]}}"#
        let comparison = try explainer.compare(Array(failed.utf8), with: archive, as: .healthy)
        #expect(comparison.isDifferent)
        #expect(
            comparison.steps.last?.differences.map(\.name)
                == ["Sign-in page", "code_challenge", "code_challenge_method"])
    }
}
