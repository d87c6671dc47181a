import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

/// Each failure has its code, its keys, its cause, a headline and a next step (docs/upstream-behaviour.md §6).
@Suite struct FailureTests {
    @Test("Has its code, its keys, a headline and a next step", arguments: FailureRow.oAuth + FailureRow.conditions)
    func table(row: FailureRow) throws {
        let correlationID = UUID()
        let error = MSALAuthenticationError(row.failure, correlationID: correlationID) as NSError
        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == row.code.rawValue)
        #expect(error.failureKind == row.failure.kind)
        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == row.internalCode)
        #expect(error.userInfo[MSALCorrelationIDKey] as? String == correlationID.uuidString)
        #expect(error.userInfo[MSALErrorDescriptionKey] as? String == error.localizedDescription)
        #expect(error.localizedDescription.hasSuffix(".") || error.localizedDescription.hasSuffix(")"))
        #expect(try #require(error.localizedRecoverySuggestion).hasSuffix("."))
        #expect(error.userInfo.filter { !Self.common.contains($0.key) } as NSDictionary == row.keys as NSDictionary)
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause.map { FailureRow.Cause($0.domain, $0.code) } == row.cause)
        let urlError = (error as? MSALAuthenticationError)?.urlError
        #expect(urlError?.errorCode == (row.cause?.domain == NSURLErrorDomain ? row.cause?.code : nil))
        // The error carries the failure, and its public keys say the same.
        let failure = Failure(error)
        #expect(failure == Failure(row.failure, correlationID: correlationID))
        #expect(failure.reason == error.localizedDescription && failure.kind == error.failureKind)
        #expect(failure.told(\.sentence).advice == error.localizedRecoverySuggestion)
        #expect(error.userInfo[MSALHeadlineKey] as? String == failure.headline)
    }

    /// Keys that every error may have; the tests above check them.
    private static let common: Set<String> = [
        NSLocalizedFailureReasonErrorKey,
        NSLocalizedDescriptionKey, NSLocalizedRecoverySuggestionErrorKey, NSUnderlyingErrorKey,
        MSALErrorDescriptionKey, MSALCorrelationIDKey, MSALInternalErrorCodeKey, MSALFailureKindKey,
        MSALHeadlineKey, Failure.key,
    ]

    private static func failure(
        _ endpoint: ResponseFailure.Endpoint, _ response: HTTPResponse, _ body: TokenResponseFailure = .unexplained
    ) -> AuthenticationFailure {
        .authority(
            .response(
                ResponseFailure(
                    endpoint, response, to: HTTPRequest(.post, URL(filePath: "/token")), body,
                    at: Date(timeIntervalSince1970: 0))))
    }

    @Test func foreignTextDoesNotReachTheTerminal() throws {
        let failures: [AuthenticationFailure] = [
            .authority(.badCallback(.issuerMismatch(expected: "https://a", found: "https://b\u{1B}[2J\u{202E}"))),
            .authority(.badCallback(.repeatedParameter("\u{9B}31m"))),
            .machine(.broker(BrokerRejection(.unexpected, context: "no\u{0}\r\n\u{1B}]0;title\u{7}"))),
        ]
        for failure in failures {
            let error = MSALAuthenticationError(failure, correlationID: nil)
            #expect(!error.localizedDescription.hasControlCharacter)
            #expect(try !#require(error.localizedRecoverySuggestion).hasControlCharacter)
        }
    }

    @Test(
        "A network failure names the host once",
        arguments: [
            (.couldNotResolveHost, "Can't resolve a.example (DNS).", "Can't resolve a.example (DNS)."),
            (.couldNotConnect, "Connection refused.", "Can't reach a.example: Connection refused."),
            (.timedOut, "599 bytes", "a.example took too long to respond: 599 bytes."),
            (.connectionLost, "reset", "The connection to a.example was lost: reset."),
            (.plainHTTP, "a.example speaks http, not https.", "a.example speaks http, not https."),
        ] as [(TransportFailure.Kind, String, String)])
    func host(kind: TransportFailure.Kind, reason: String, description: String) {
        let failure = AuthenticationFailure.network(TransportFailure(kind, reason: reason), host: "a.example")
        #expect(MSALAuthenticationError(failure, correlationID: nil).localizedDescription == description)
    }

    @Test func withoutARequestThereIsNoCorrelationID() {
        #expect(MSALAuthenticationError(.user(.canceled), correlationID: nil).userInfo[MSALCorrelationIDKey] == nil)
    }

    @Test func aServerErrorKeepsTheServersWords() {
        let rejection = OAuthErrorResponse(
            "invalid_grant", description: "AADSTS50173: revoked", suberror: "bad_token", codes: [50173], status: 400)
        for endpoint in [ResponseFailure.Endpoint.codeRedemption, .refresh] {
            let failure = Self.failure(endpoint, HTTPResponse(status: 400), .rejected(rejection))
            let error = MSALAuthenticationError(failure, correlationID: nil)
            #expect(error.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
            #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "bad_token")
            #expect(error.userInfo[MSALOAuthSubErrorDescriptionKey] as? String == "AADSTS50173: revoked")
            #expect(error.userInfo[MSALSTSErrorCodesKey] as? [Int] == [50173])
            #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "400")
            #expect(error.localizedDescription.contains("AADSTS50173"))
        }
    }

    @Test func aMissingPageHasItsOwnCause() throws {
        let error = MSALAuthenticationError(
            Self.failure(.codeRedemption, HTTPResponse(status: 404)), correlationID: nil)
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(
            cause.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorUnexpectedHttpResponse.rawValue)
    }

    @Test func headersContainNoCookie() {
        let failure = Self.failure(
            .codeRedemption,
            HTTPResponse(status: 500, headers: ["Set-Cookie": "session=secret", "Retry-After": "3"]))
        let error = MSALAuthenticationError(failure, correlationID: nil)
        #expect(error.userInfo[MSALHTTPHeadersKey] as? [String: String] == ["Retry-After": "3"])
    }

    @Test func samplesOfMSALCatchIt() {
        do {
            throw MSALAuthenticationError(.user(.canceled), correlationID: nil)
        } catch let error as NSError {
            #expect(error.domain == MSALErrorDomain && error.code == MSALError.userCanceled.rawValue)
        }
    }
}
