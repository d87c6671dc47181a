import AuthEngine
import Console
import Foundation
import Testing

@Suite("Errors for a person")
struct ErrorReportTests {
    private func report(_ code: Int, domain: String = MSALErrorDomain, _ info: [String: Any] = [:]) -> ErrorReport {
        ErrorReport(NSError(domain: domain, code: code, userInfo: info), at: testTime)
    }

    @Test func everythingToQuoteIsTaken() {
        let report = report(
            -50000,
            [
                NSLocalizedDescriptionKey: "Why.", NSLocalizedRecoverySuggestionErrorKey: "What next.",
                MSALInternalErrorCodeKey: -42003, MSALOAuthErrorKey: "invalid_client", MSALOAuthSubErrorKey: "sub",
                MSALSTSErrorCodesKey: [700016], MSALCorrelationIDKey: "c0ffee",
            ])
        #expect(
            report
                == ErrorReport(
                    headline: "The authority does not accept this application.", reason: "Why.", advice: "What next.",
                    remedy: .tryAgain, domain: "MSALErrorDomain", code: -50000,
                    codeNames: ["internal", "internalErrorInvalidClient"], internalCode: -42003,
                    oauthError: "invalid_client", oauthSubError: "sub", serviceCodes: [700016], correlationID: "c0ffee",
                    date: testTime))
    }

    @Test(
        "Headlines",
        arguments: [
            (-50005, nil, "The sign-in was cancelled."), (-50002, nil, "The person has to sign in again."),
            (-50000, -42011, "The redirect URI cannot be used."), (-50000, -42101, "Somebody else signed in."),
            (-50000, -42600, "The authority gave an answer that makes no sense."), (-50000, nil, "It did not work."),
            (-1, nil, "It did not work."),
        ])
    func headlines(code: Int, internalCode: Int?, headline: String) {
        #expect(report(code, internalCode.map { [MSALInternalErrorCodeKey: $0] } ?? [:]).headline == headline)
    }

    @Test func decliningOnThePageIsNotCancellingHere() {
        #expect(report(-50005, [MSALOAuthErrorKey: "access_denied"]).headline == "The sign-in was declined.")
    }

    @Test func theNetworkIsSaidToBeTheNetwork() {
        let underlying = NSError(domain: NSURLErrorDomain, code: NSURLErrorCannotConnectToHost)
        let headline = "The authority could not be reached."
        #expect(report(-50000, [NSUnderlyingErrorKey: underlying]).headline == headline)
        #expect(report(-1004, domain: NSURLErrorDomain).headline == headline)
    }

    @Test(
        "Remedies",
        arguments: [
            (-50002, nil, ErrorReport.Remedy.signIn), (-50000, -42001, .none), (-50000, -42011, .none),
            (-50005, nil, .tryAgain),
            (-50000, -42008, .tryAgain),
        ])
    func remedies(code: Int, internalCode: Int?, remedy: ErrorReport.Remedy) {
        #expect(report(code, internalCode.map { [MSALInternalErrorCodeKey: $0] } ?? [:]).remedy == remedy)
    }

    @Test func onlyTheLibrarysOwnCodeMeansInteraction() {
        #expect(report(-50002).isInteractionRequired)
        #expect(!report(-50002, domain: "Other").isInteractionRequired)
        #expect(!report(-50000).isInteractionRequired)
    }
}
