import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Console

/// What the screens say about the failure that an error of the library carries.
@Suite("Shown failures")
struct ShownFailureTests {
    private static let rejection = OAuthErrorResponse(
        "invalid_client", description: "Why.", suberror: "sub", codes: [700016], status: 400)

    private func failure(_ cause: AuthenticationFailure, correlationID: UUID? = nil) -> Failure {
        Failure(MSALAuthenticationError(cause, correlationID: correlationID), at: testTime)
    }

    private static func response(
        _ endpoint: ResponseFailure.Endpoint, _ rejection: OAuthErrorResponse, status: Int = 400
    ) -> AuthenticationFailure {
        .authority(
            .response(
                ResponseFailure(
                    endpoint, HTTPResponse(status: status, headers: ["Retry-After": "30"]),
                    to: HTTPRequest(.post, URL(filePath: "/token")), .rejected(rejection),
                    at: Date(timeIntervalSince1970: 0))))
    }

    @Test func everythingForSupportIsIncluded() {
        let id = UUID()
        let failure = failure(Self.response(.codeRedemption, Self.rejection), correlationID: id)
        #expect(
            failure
                == Failure(
                    headline: "The authority rejected this application.",
                    reason: "Request rejected: Why. (invalid_client)",
                    nextStep: .changeProfile,
                    advice: "Check the client ID and the tenant. A user of the tenant may need to consent first.",
                    kind: .misconfigured, domain: "MSALErrorDomain", code: -50000,
                    codeNames: ["internal", "internalErrorInvalidClient"], internalCode: -42003,
                    oauthError: "invalid_client", oauthSubError: "sub", serviceCodes: [700016],
                    correlationID: id.uuidString, date: testTime, retryAfter: 30))
        #expect(failure.retryDate == testTime.addingTimeInterval(30))
    }

    static let rows: [(AuthenticationFailure, String)] = [
        (.user(.canceled), "Sign-in cancelled."),
        (response(.authorization, OAuthErrorResponse("access_denied")), "Sign-in declined."),
        (.user(.interactionRequired(.noAccount)), "Sign-in required."),
        (.user(.mismatchedAccount(expected: "a", found: "b")), "Another user signed in."),
        (.authority(.idTokenMalformed(.partCount(2))), "The ID token is malformed."),
        (.authority(.badCallback(.codeMissing)), "The server's response is invalid."),
        (.unexpected("X"), "Unexpected failure."),
    ]

    @Test("Headlines", arguments: rows)
    func headlines(cause: AuthenticationFailure, headline: String) {
        #expect(failure(cause).headline == headline)
    }

    @Test(
        "The cause doesn't repeat the headline",
        arguments: [
            ("Sign-in required.", "Sign-in required: MFA needed.", "MFA needed."),
            ("The broker failed.", "The broker failed. a stopped.", "A stopped."),
            ("It is busy (HTTP 503).", "It is busy (HTTP 503).", ""), ("It failed.", "It failed", ""),
            ("It failed.", "It failed twice.", "It failed twice."), ("It failed.", "Why.", "Why."),
        ])
    func cause(headline: String, reason: String, cause: String) {
        let failure = Failure(headline: headline, reason: reason, advice: "Go.")
        #expect(failure.cause == cause)
        #expect(failure.lines == [["Error: \(headline)", cause, "Go."].filter { !$0.isEmpty }.joined(separator: " ")])
    }

    @Test("The headline of each failure fits in 60 columns", arguments: FailureRow.oAuth + FailureRow.conditions)
    func length(row: FailureRow) {
        let failure = failure(row.failure)
        #expect(failure.headline.count < 60)
        #expect(failure.headline != "The operation failed.", "\(failure.reason)")
    }

    @Test(
        "A failure of the token store has its own headline",
        arguments: [
            (CredentialStoreFailureKind.setAside(as: "x"), "The token cache is damaged."),
            (.damagedRecords, "The token cache is damaged."), (.foundDamaged, "The token cache is damaged."),
            (.notAsLeft, "The token cache may have been replaced."),
            (.unsafePermissions, "A credential file isn't safe."),
            (.keyUnavailable, "The token cache's key isn't available."), (.busy, "The token cache is busy."),
            (.unsupported, "The token cache can't be used."), (.io, "The token cache can't be used."),
        ])
    func store(kind: CredentialStoreFailureKind, headline: String) {
        #expect(failure(.store(CredentialStoreFailure(kind, reason: "Why."))).headline == headline)
    }

    @Test func aRejectedIDTokenNamesItsFailedChecks() {
        let failure = failure(
            .authority(
                .idTokenRejected([
                    Verdict(.signature, .failed, "The token is not signed."), Verdict(.nonce, .failed, "No nonce."),
                ])))
        #expect(failure.headline == "ID token rejected by 2 checks.")
        #expect(failure.cause == "The token is not signed. No nonce.")
    }

    @Test func aScreenSaysTheNextStepInTheLibrarysWords() {
        let failure = failure(.user(.interactionRequired(.scopesNotGranted(["Mail.Read"]))))
        #expect(failure.advice == "Sign in interactively. If the authority declined it before, continue without it.")
        #expect(failure.nextStep.phrase == "Sign in")
    }

    @Test func aForeignErrorHasNoKind() {
        let failure = Failure(NSError(domain: "Other", code: -50002), at: testTime)
        #expect(failure.kind == .other && failure.nextStep == .tryAgain)
        #expect(failure.headline == "The operation failed.")
    }
}
