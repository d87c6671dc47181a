import AuthEngine
import Foundation
import OAuthCore
import Testing

/// Each failure has its code, its keys, a sentence and a next step (msal-behaviours §6).
@Suite struct FailureTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var failure: AuthenticationFailure
        var code: MSALError
        var internalCode: MSALInternalError?
        var testDescription: String { "\(failure) → \(code.rawValue)/\(internalCode?.rawValue ?? 0)" }

        init(_ failure: AuthenticationFailure, _ code: MSALError) {
            self.failure = failure
            self.code = code
        }

        init(_ failure: AuthenticationFailure, _ internalCode: MSALInternalError) {
            self.init(failure, MSALError.internal)
            self.internalCode = internalCode
        }

        static func refused(
            _ error: String, suberror: String? = nil, codes: [Int] = [], _ code: MSALError
        ) -> Row {
            Row(.refused(OAuthErrorResponse(error, suberror: suberror, codes: codes)), code)
        }

        static func refused(_ error: String, _ internalCode: MSALInternalError) -> Row {
            Row(.refused(OAuthErrorResponse(error)), internalCode)
        }
    }

    static let rows: [Row] = [
        .refused("invalid_request", codes: [50142], .serverInvalidRequestResetPasswordRequired),
        .refused("invalid_request", .internalErrorInvalidRequest),
        .refused("invalid_client", .internalErrorInvalidClient),
        .refused("invalid_grant", .internalErrorInvalidGrant),
        .refused("invalid_scope", .internalErrorInvalidScope),
        .refused("unauthorized_client", suberror: "protection_policy_required", .serverProtectionPoliciesRequired),
        .refused("unauthorized_client", .internalErrorUnauthorizedClient),
        .refused("interaction_required", .interactionRequired),
        .refused("access_denied", .userCanceled),
        .refused("ACCESS_DENIED", .userCanceled),
        .refused("anything_else", .internalErrorAuthorizationFailed),
        Row(.canceled, .userCanceled),
        Row(.interactionRequired(.noAccount), .interactionRequired),
        Row(.interactionRequired(.refused(OAuthErrorResponse("invalid_grant"))), .interactionRequired),
        Row(.declinedScopes(granted: ["a"], declined: ["b"]), .serverDeclinedScopes),
        Row(.mismatchedAccount(expected: "a", found: "b"), .internalErrorMismatchedUser),
        Row(.sessionAlreadyRunning, .internalErrorInteractiveSessionAlreadyRunning),
        Row(.reservedScopes(["openid"]), .internalErrorInvalidParameter),
        Row(.clientIDMissing, .internalErrorInvalidParameter),
        Row(.badCallback(.stateMismatch), .internalErrorInvalidState),
        Row(.badCallback(.codeMissing), .internalErrorInvalidResponse),
        Row(.unexpectedStatus(503, [:], host: "h"), .internalErrorUnhandledResponse),
        Row(.network(TransportFailure(.timedOut, detail: "late"), host: "h"), .internalErrorUnexpected),
    ]

    @Test(arguments: rows)
    func hasItsCodeASentenceAndANextStep(row: Row) throws {
        let correlationID = UUID()
        let error = MSALAuthenticationError(row.failure, correlationID: correlationID) as NSError
        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == row.code.rawValue)
        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == row.internalCode?.rawValue)
        #expect(error.userInfo[MSALCorrelationIDKey] as? String == correlationID.uuidString)
        #expect(error.localizedDescription.hasSuffix(".") || error.localizedDescription.hasSuffix(")"))
        #expect(try #require(error.localizedRecoverySuggestion).hasSuffix("."))
    }

    @Test func aRefusalKeepsWhatTheAuthoritySaid() {
        let refusal = OAuthErrorResponse(
            "invalid_grant", description: "AADSTS50173: revoked", suberror: "bad_token", codes: [50173])
        let error = MSALAuthenticationError(.interactionRequired(.refused(refusal)), correlationID: nil)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
        #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "bad_token")
        #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [50173])
        #expect(error.localizedDescription.contains("AADSTS50173"))
    }

    @Test func aNetworkFailureCarriesItsNSURLError() {
        let error = MSALAuthenticationError(
            .network(TransportFailure(.couldNotResolveHost, detail: "no such host"), host: "h"), correlationID: nil)
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.domain == NSURLErrorDomain)
        #expect(underlying?.code == NSURLErrorCannotFindHost)
    }

    @Test func itIsCaughtAsUpstreamSamplesCatchIt() {
        do {
            throw MSALAuthenticationError(.canceled, correlationID: nil)
        } catch let error as NSError {
            #expect(error.domain == MSALErrorDomain && error.code == MSALError.userCanceled.rawValue)
        }
    }
}
