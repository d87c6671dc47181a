import Foundation
import KeyturnSystem
import Testing

@testable import Subcommands

@Suite("Turns of concurrent sign-ins")
struct SignInTurnTests {
    private func turn(_ scopes: [String], in folder: TemporaryFolder) -> SignInTurn {
        let profile = Profile(
            name: "a", clientID: "1", authority: URL(fileURLWithPath: "/"))
        return SignInTurn(profile: profile, scopes: scopes, environment: ["XDG_RUNTIME_DIR": folder.path])
    }

    @Test("An identical sign-in waits, and reports it; a different one does not", .timeLimit(.minutes(10)))
    func waits() async throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (waited, wait) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await turn(["x", "y"], in: folder).run {
                    Issue.record("the first does not wait")
                } _: { hasWaited in
                    start.yield()
                    for await _ in waited { break }
                    return hasWaited
                }
            }
            for await _ in started { break }
            let other = try await turn(["z"], in: folder).run {
                Issue.record("it signs in to something else")
            } _: {
                $0
            }
            #expect(!other)
            group.addTask {
                try await turn(["y", "x"], in: folder).run {
                    wait.yield()
                } _: {
                    $0
                }
            }
            var results: [Bool] = []
            for try await result in group { results.append(result) }
            #expect(results == [false, true])
        }
    }

    @Test("Signing in with a registration waits only for others at the same issuer, not for the request's own turn")
    func registrations() async throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        let environment = ["XDG_RUNTIME_DIR": folder.path]
        try await turn(["https://a.example"], in: folder).run {
            Issue.record("nothing is under way")
        } _: { _ in
            try await SignInTurn(registrationAt: "https://a.example", environment: environment).run {
                Issue.record("the turn of the request is another one")
            } _: { _ in
                let hasWaited = try await SignInTurn(
                    registrationAt: "https://b.example", environment: environment
                ).run {
                    Issue.record("the issuer is another one")
                } _: {
                    $0
                }
                #expect(!hasWaited)
            }
        }
    }

    @Test("Without a folder for the lock file, nothing waits")
    func noPlace() async throws {
        let profile = Profile(name: "a", clientID: "1", authority: URL(fileURLWithPath: "/"))
        let turn = SignInTurn(profile: profile, scopes: [], environment: ["XDG_RUNTIME_DIR": "/proc/none"])
        let hasWaited = try await turn.run {
        } _: { outer in
            try await turn.run {
            } _: { inner in
                outer || inner
            }
        }
        #expect(!hasWaited)
    }
}
