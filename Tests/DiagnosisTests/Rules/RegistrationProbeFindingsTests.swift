import Diagnosis
import Foundation
import MSAL
import Testing

@Suite("Registration probe")
struct RegistrationProbeFindingsTests {
    private static let entra =
        "<html>$Config={\"sErrorCode\":\"50011\",\"strServiceExceptionMessage\":\"AADSTS50011: PLANTED\"}</html>"

    @Test(
        "The response of a provider and the verdict",
        arguments: [
            // The built-in authority, Django and Entra: a redirect to the application, whatever the error.
            (303, "http://localhost/?error=login_required&error_description=AADSTS50058&state=s", "", .passed),
            (302, "HTTP://LOCALHOST?error=interaction_required&state=s", "", .passed),
            (302, "http://localhost/?error=invalid_scope&state=s", "", .passed),
            (302, "http://localhost/?code=PLANTED&state=s", "", .passed),
            (302, "http://localhost/?error=login_required&state=other", "", .skipped),
            (302, "https://tenant.example/error?error=login_required&state=s", "", .skipped),
            (400, nil, "<html>AADSTS50011: PLANTED</html>", .failed), (200, nil, entra, .failed),
            (400, nil, "<html>AADSTS700016: PLANTED</html>", .failed),
            (400, nil, "<p>Mismatching redirect URI.</p>", .failed),
            (200, nil, "<p>Mismatching redirect URI.</p>", .failed),
            (400, nil, "<p>Invalid client_id parameter value.</p>", .failed),
            (400, nil, "{\"error\":\"invalid_client\"}", .failed),
            (400, nil, "<p>Error 400: redirect_uri_mismatch</p>", .failed),
            (400, nil, "<p>Invalid parameter: redirect_uri</p>", .failed),
            (403, nil, "<p>Callback URL mismatch.</p>", .failed),
            (200, nil, "<form>PLANTED</form>", .skipped), (429, nil, "<p>Mismatching redirect URI.</p>", .skipped),
            (503, nil, "", .skipped), (400, nil, "<p>PLANTED</p>", .skipped),
            (302, "https://login.example/login?PLANTED=1", "", .skipped),
        ] as [(Int, String?, String, CheckFinding.Verdict)])
    func verdicts(status: Int, location: String?, body: String, verdict: CheckFinding.Verdict) throws {
        let request = try #require(
            URL(
                string: "https://login.example/authorize?client_id=native&response_type=code&prompt=none&state=s&"
                    + "redirect_uri=http%3A%2F%2Flocalhost"))
        let probe = MSALRegistrationProbe(request: request, status: status, location: location, body: body)
        let finding = RegistrationProbeFindings(probe).finding
        #expect(finding.verdict == verdict, "\(finding.fact)")
        #expect((verdict == .failed) == (finding.fix != nil))
        #expect(finding.fact.contains("HTTP \(status)") && !"\(finding)".contains("PLANTED"))
    }

    @Test(
        "A page tells nothing, but one that a client that doesn't exist gets too does",
        arguments: [
            (400, "<b>Oops, native!</b> 17", 400, "<i>Oops, nobody!</i> 4", .failed), (404, "", 404, "", .failed),
            (401, "", 401, "", .warning), (403, "<p>No", 403, "<p>No", .warning), (429, "", 429, "", .skipped),
            (200, "", 200, "", .skipped), (503, "", 503, "", .skipped),
            (400, "<p>Redirect", 400, "<p>Client", .skipped),
            (400, "", 404, "", .skipped),
        ] as [(Int, String, Int, String, CheckFinding.Verdict)])
    func comparison(status: Int, page: String, other: Int, otherPage: String, verdict: CheckFinding.Verdict) throws {
        func probe(_ client: String, _ status: Int, _ page: String) throws -> MSALRegistrationProbe {
            let place =
                "https://login.example/authorize?client_id=\(client)&state=s&redirect_uri=http%3A%2F%2Flocalhost"
            return MSALRegistrationProbe(request: try #require(URL(string: place)), status: status, body: page)
        }
        let found = try RegistrationProbeFindings(
            probe("native", status, page), besides: probe("nobody", other, otherPage))
        #expect(found.finding.verdict == verdict, "\(found.finding.fact)")
    }

    @Test(
        "Another port than the registered one: any clear rejection is about the port",
        arguments: [
            (302, "http://localhost/?error=login_required&state=s", .passed), (400, nil, .warning),
            (404, nil, .warning),
            (429, nil, .skipped), (200, nil, .skipped), (302, "https://login.example/login", .skipped),
        ] as [(Int, String?, CheckFinding.Verdict)])
    func loopback(status: Int, location: String?, verdict: CheckFinding.Verdict) throws {
        let request = try #require(
            URL(string: "https://login.example/authorize?client_id=n&state=s&redirect_uri=http%3A%2F%2Flocalhost"))
        let probe = MSALRegistrationProbe(request: request, status: status, location: location, body: "{}")
        #expect(RegistrationProbeFindings.loopback(RegistrationProbeFindings(probe)).verdict == verdict)
        #expect(RegistrationProbeFindings.loopback(nil).verdict == .skipped)
    }
}
