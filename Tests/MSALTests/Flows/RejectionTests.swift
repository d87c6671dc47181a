import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Silent calls that the authority rejects: the MSAL error (docs/upstream-behaviour.md §5.1) and the effect on the
/// cache.
@Suite("Rejected silent calls", .oneSessionAtATime) struct RejectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var error: String
        var suberror: String?
        var code: MSALError
        var internalCode: Int?

        init(error: String, suberror: String? = nil, code: MSALError, internalCode: Int? = nil) {
            (self.error, self.suberror, self.code, self.internalCode) = (error, suberror, code, internalCode)
        }

        init(error: String, internal internalCode: MSALInternalError) {
            self.init(error: error, code: .internal, internalCode: internalCode.rawValue)
        }

        var testDescription: String { "\(error) \(suberror ?? "") → \(code.rawValue)/\(internalCode ?? 0)" }
    }

    static let rows: [Row] =
        [
            "invalid_grant", "unauthorized_client", "invalid_request", "access_denied", "interaction_required",
            "anything_else", "INVALID_GRANT",
        ].map { Row(error: $0, code: .interactionRequired) } + [
            Row(error: "invalid_grant", suberror: "bad_token", code: .interactionRequired),
            Row(
                error: "unauthorized_client", suberror: "protection_policy_required",
                code: .serverProtectionPoliciesRequired),
            // An outage, which a sign-in does not fix.
            Row(error: "server_error", code: .internal, internalCode: MSALError.serverError.rawValue),
            Row(error: "temporarily_unavailable", internal: .internalErrorAuthorizationFailed),
            Row(error: "invalid_scope", internal: .internalErrorInvalidScope),
            Row(error: "invalid_client", internal: .internalErrorInvalidClient),
        ]

    @Test("Are classified", arguments: rows)
    func classification(row: Row) async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in .rejection(row.error, suberror: row.suberror) }
        let error = try await signedIn.failure(force: true)
        #expect(error.code == row.code.rawValue)
        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == row.internalCode)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == row.error)
        #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == row.suberror)
        #expect(error.userInfo[MSALThrottlingCacheHitKey] == nil)
    }

    @Test func aPolicyErrorNamesItsAccount() async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in .rejection("unauthorized_client", suberror: "protection_policy_required") }
        let error = try await signedIn.failure(force: true)
        #expect(error.userInfo[MSALHomeAccountIdKey] as? String == signedIn.account.identifier)
        #expect(error.userInfo[MSALDisplayableUserIdKey] as? String == "ann@contoso.example")
    }

    @Test func interactionRequiredHasTheServersErrorAsItsCause() async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in .rejection("invalid_grant") }
        let error = try await signedIn.failure(force: true)
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(
            cause?.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidGrant.rawValue)
    }

    @Test(
        "A rejected refresh token is deleted",
        arguments: [
            ("bad_token", true), ("BAD_TOKEN", true), ("consent_required", false), ("client_mismatch", false),
        ])
    func badToken(suberror: String, isDeleted: Bool) async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in .rejection("invalid_grant", suberror: suberror) }
        _ = try await signedIn.failure(force: true)
        #expect(signedIn.secrets(.refreshToken).isEmpty == isDeleted)
    }

    @Test("Outside Entra, a rejected refresh token is deleted and not sent again")
    func spentToken() async throws {
        let world = try OpenIDWorld()
        let account = try await world.signIn("email").account
        world.world.transport.tamper { request, response in
            request.url.path().hasSuffix("/token") ? .rejection("invalid_grant") : response
        }
        world.world.transport.forget()
        for _ in 0..<2 {
            let error = try await SignedInWorld.failure { try await world.token(account, "email", force: true) }
            #expect(error.code == MSALError.interactionRequired.rawValue)
            #expect(!world.world.store.all.contains { $0.key.kind == .refreshToken })
        }
        #expect(world.forms.count == 1)
        #expect(try world.application.allAccounts().map(\.identifier) == [account.identifier])
    }

    @Test("An account of another program stays listed while the cache holds anything of it", arguments: [true, false])
    func importedAccount(hasIDToken: Bool) async throws {
        let signedIn = try await SignedInWorld()
        try signedIn.world.store.update(matching: CredentialQuery()) { records in
            records.filter { $0.key.kind == .accountMetadata || (!hasIDToken && $0.key.kind == .idToken) }
                .map { .delete($0.key) }
        }
        func listed() throws -> [String?] { try signedIn.application.allAccounts().map(\.identifier) }
        signedIn.answer { _ in .rejection("invalid_grant", suberror: "bad_token") }
        _ = try await signedIn.failure(force: true)
        #expect(signedIn.secrets(.refreshToken).isEmpty)
        #expect(try listed() == [signedIn.account.identifier])
        #expect(try signedIn.application.account(forIdentifier: signedIn.account.identifier ?? "").username != nil)
        if hasIDToken { #expect(try await signedIn.token().isFromCache) }
        signedIn.world.time.advance(by: 4000)
        _ = try await signedIn.failure()
        #expect(signedIn.secrets(.accessToken).isEmpty || !hasIDToken)
        #expect(try listed() == [signedIn.account.identifier])
        try signedIn.application.remove(signedIn.account)
        #expect(try listed().isEmpty)
    }

    @Test func aTokenThatAnotherProcessRefreshedMeanwhileIsNotDeleted() async throws {
        let signedIn = try await SignedInWorld()
        let store = signedIn.world.store
        signedIn.answer { _ in
            for var token in store.all where token.key.kind == .refreshToken {
                token.members["secret"] = "renewed"
                try? store.update(matching: CredentialQuery()) { _ in [.save(token)] }
            }
            return .rejection("invalid_grant", suberror: "bad_token")
        }
        _ = try await signedIn.failure(force: true)
        #expect(signedIn.secrets(.refreshToken) == ["renewed"])
    }

    @Test func aDeletedAccountLeavesNothingOfThisClient() async throws {
        let signedIn = try await SignedInWorld()
        signedIn.answer { _ in .rejection("invalid_grant", suberror: "user_account_deleted") }
        _ = try await signedIn.failure(force: true)
        #expect(Set(signedIn.world.store.all.map(\.key.kind)) == [.account, .appMetadata])
        #expect(try signedIn.application.allAccounts().isEmpty)
    }
}
