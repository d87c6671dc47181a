import Foundation
import MSAL
import OAuthCore
import TestSupport
import Testing

@testable import Console

@Suite("Error reports")
struct ErrorReportTests {
    private func report(_ code: Int, domain: String = MSALErrorDomain, _ info: [String: Any] = [:]) -> ErrorReport {
        ErrorReport(NSError(domain: domain, code: code, userInfo: info), at: testTime)
    }

    @Test func everythingForSupportIsIncluded() {
        let report = report(
            -50000,
            [
                NSLocalizedDescriptionKey: "Why.", NSLocalizedRecoverySuggestionErrorKey: "What next.",
                MSALInternalErrorCodeKey: -42003, MSALOAuthErrorKey: "invalid_client", MSALOAuthSubErrorKey: "sub",
                MSALSTSErrorCodesKey: [700016], MSALCorrelationIDKey: "c0ffee", MSALFailureKindKey: "misconfigured",
                MSALRetryAfterKey: 30.0,
            ])
        #expect(
            report
                == ErrorReport(
                    headline: "The authority rejected this application.", reason: "Why.", advice: "What next.",
                    kind: .misconfigured, domain: "MSALErrorDomain", code: -50000,
                    codeNames: ["internal", "internalErrorInvalidClient"], internalCode: -42003,
                    oauthError: "invalid_client", oauthSubError: "sub", serviceCodes: [700016], correlationID: "c0ffee",
                    date: testTime, retryDate: testTime.addingTimeInterval(30)))
    }

    struct Row: Sendable {
        var kind: MSALFailureKind
        var internalCode: Int?
        var oauthError: String?
        var headline: String

        init(
            _ kind: MSALFailureKind, code internalCode: Int? = nil, error: String? = nil,
            _ headline: String
        ) {
            self.kind = kind
            self.internalCode = internalCode
            oauthError = error
            self.headline = headline
        }
    }

    static let rows: [Row] = [
        Row(.canceled, "Sign-in cancelled."),
        Row(.canceled, error: "access_denied", "Sign-in declined."),
        Row(.signInRequired, "Sign-in required."),
        Row(.other, code: -42101, "Another user signed in."),
        Row(.protocolViolation, code: -42600, "The server's response is invalid."),
        Row(.unavailable, code: -42008, "Can't reach the authority."),
        Row(.other, "The operation failed."),
    ]

    @Test("Headlines", arguments: rows)
    func headlines(row: Row) {
        var info: [String: Any] = [MSALFailureKindKey: row.kind.rawValue]
        info[MSALInternalErrorCodeKey] = row.internalCode
        info[MSALOAuthErrorKey] = row.oauthError
        #expect(report(-50000, info).headline == row.headline)
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
        var report = report(-50000, [NSLocalizedDescriptionKey: reason, MSALHeadlineKey: headline])
        #expect(report.cause == cause)
        report.advice = "Go."
        #expect(report.lines == [["Error: \(headline)", cause, "Go."].filter { !$0.isEmpty }.joined(separator: " ")])
    }

    @Test("The headline of each failure fits in 60 columns", arguments: FailureRow.oAuth + FailureRow.conditions)
    func length(row: FailureRow) {
        let error = MSALAuthenticationError(row.failure, correlationID: nil)
        #expect(ErrorReport.headline(of: error).count < 60)
        #expect(ErrorReport.headline(of: error) != "The operation failed.", "\(error.localizedDescription)")
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
        let failure = AuthenticationFailure.store(CredentialStoreFailure(kind, reason: "Why."))
        #expect(ErrorReport.headline(of: MSALAuthenticationError(failure, correlationID: nil)) == headline)
    }

    @Test func aRejectedIDTokenNamesItsFailedChecks() {
        let failure = AuthenticationFailure.authority(
            .idTokenRejected([
                Verdict(.signature, .failed, "The token is not signed."), Verdict(.nonce, .failed, "No nonce."),
            ]))
        let report = ErrorReport(MSALAuthenticationError(failure, correlationID: nil), at: testTime)
        #expect(report.headline == "ID token rejected by 2 checks.")
        #expect(report.cause == "The token is not signed. No nonce.")
    }

    @Test func aForeignErrorHasNoKind() {
        #expect(report(-50002, domain: "Other").kind == .other)
    }
}
