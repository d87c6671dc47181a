import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Refresh tokens of a family of clients (docs/upstream-behaviour.md §4.7): their order, and what a response changes.
@Suite("Families of clients", .oneSessionAtATime) struct FamilyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var own: String?
        var family: String?
        var membership: String?
        var tried: [String]
        var testDescription: String {
            "own \(own ?? "none"), family's \(family ?? "none"), \(membership.map { "member of \"\($0)\"" } ?? "unknown")"
        }
    }

    static let rows: [Row] = [
        Row(own: "a", family: nil, membership: nil, tried: ["a"]),
        Row(own: nil, family: "f", membership: nil, tried: ["f"]),
        Row(own: nil, family: "f", membership: "1", tried: ["f"]),
        Row(own: nil, family: "f", membership: "", tried: []),
        Row(own: nil, family: "f", membership: "2", tried: []),
        Row(own: "a", family: "f", membership: nil, tried: ["a", "f"]),
        Row(own: "a", family: "f", membership: "1", tried: ["a", "f"]),
        Row(own: "a", family: "f", membership: "", tried: ["a"]),
        Row(own: "a", family: "a", membership: "1", tried: ["a"]),
        Row(own: nil, family: nil, membership: "1", tried: []),
    ]

    /// Replaces the sign-in's refresh tokens with those of a row.
    private func arrange(_ row: Row, in signedIn: SignedInWorld) throws {
        let stored = signedIn.world.store.all.filter { [.refreshToken, .appMetadata].contains($0.key.kind) }
        let token = try #require(stored.first { $0.key.kind == .refreshToken })
        let metadata = try #require(stored.first { $0.key.kind == .appMetadata })
        var own = token
        own.members["secret"] = row.own.map(JSONValue.string)
        var shared = token
        shared.key.client = "1"
        shared.members["family_id"] = "1"
        shared.members["client_id"] = "another-client"
        shared.members["secret"] = row.family.map(JSONValue.string)
        var known = metadata
        known.members["family_id"] = row.membership.map(JSONValue.string)
        let kept = [(own, row.own), (shared, row.family), (known, row.membership)].filter { $0.1 != nil }
        try signedIn.world.store.update(matching: CredentialQuery()) { _ in
            stored.map { .delete($0.key) } + kept.map { .save($0.0) }
        }
    }

    @Test("Refresh tokens are tried in order", arguments: rows)
    func order(row: Row) async throws {
        let signedIn = try await SignedInWorld()
        try arrange(row, in: signedIn)
        signedIn.answer { _ in .rejection("invalid_grant") }
        let error = try await signedIn.failure(force: true)
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(signedIn.tokenRequests.map { $0["refresh_token"] } == row.tried)
    }

    @Test func theFamilysTokenServesWhenTheClientsIsRejected() async throws {
        let signedIn = try await SignedInWorld()
        let good = try #require(signedIn.secrets(.refreshToken).first)
        try arrange(Row(own: "revoked", family: good, membership: "1", tried: []), in: signedIn)
        let result = try await signedIn.token(force: true)
        #expect(!result.isFromCache)
        #expect(signedIn.tokenRequests.map { $0["refresh_token"] } == ["revoked", good])
    }

    @Test func aFamilysResponseIsCachedForClientAndFamilyAndMakesAMember() async throws {
        let signedIn = try await SignedInWorld()
        signedIn.world.transport.changeJSON(of: "/token") {
            $0["foci"] = "1"
        }
        _ = try await signedIn.token(force: true)
        let clients = signedIn.world.store.all.filter { $0.key.kind == .refreshToken }.map(\.key.client)
        #expect(Set(clients) == [signedIn.application.settings.clientID.lowercased(), "1"])
        #expect(signedIn.secrets(.refreshToken).count == 1)
        #expect(signedIn.world.store.all.first { $0.key.kind == .appMetadata }?.members["family_id"] == "1")
    }

    @Test func aMismatchIsRememberedAndTheFamilysTokenKept() async throws {
        let signedIn = try await SignedInWorld()
        try arrange(Row(own: nil, family: "f", membership: nil, tried: []), in: signedIn)
        signedIn.answer { _ in .rejection("invalid_grant", suberror: "client_mismatch") }
        #expect(try await signedIn.failure(force: true).code == MSALError.interactionRequired.rawValue)
        #expect(signedIn.world.store.all.first { $0.key.kind == .appMetadata }?.members["family_id"] == "")
        #expect(signedIn.secrets(.refreshToken) == ["f"])
        #expect(try await signedIn.failure(force: true).code == MSALError.interactionRequired.rawValue)
        #expect(signedIn.tokenRequests.count == 1)
    }
}
