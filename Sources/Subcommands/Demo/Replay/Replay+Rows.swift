import DemoAuthority
import Diagnosis

extension Replay {
    /// The causes that the built-in authority can produce.
    static let rows: [Row] = [
        Row(
            cause: "redirect-uri-not-registered", title: "Redirect URI not registered",
            fix: "Register exactly the URI that was sent.",
            kind: .client { scenario, customer in
                let path = customer.redirectPath.flatMap { $0 == "/" ? nil : $0 } ?? "/callback"
                scenario.client.redirectURIs = ["http://localhost\(path)", "http://localhost"]
            }),
        Row(
            cause: "unknown-client", title: "Unknown client ID",
            fix: "Configure the client ID of the registration.",
            kind: .client { scenario, _ in
                scenario.client.clientID = Scenario.wrongClientID.client.clientID
                scenario.client.redirectURIs = ["http://localhost", "http://localhost"]
            }),
        Row(
            cause: "declined", title: "The user declined",
            fix: "Explain what the permissions are for. The user accepts.",
            kind: .declined),
        Row(
            cause: "state-changed", title: "Another state", fix: "Let the response return the state of its request.",
            kind: .fault("wrong-state", of: .closed)),
        Row(
            cause: "captive-portal", title: "A web page instead of JSON", fix: "Sign in to the network first.",
            kind: .fault("page", of: .rejected)),
        Row(
            cause: "server_error", title: "The authority failed", fix: "Wait until the authority works again.",
            kind: .fault("error-response", of: .rejected)),
        Row(
            cause: "server-busy", title: "A busy server", fix: "Wait as long as Retry-After says, then try again.",
            kind: .interrupted),
        Row(
            cause: "clock", title: "A wrong clock", fix: "Set the clock automatically.",
            kind: .setting(.warned) { $0.clockOffset = 500 }),
        Row(
            cause: "AADSTS53005", title: "App protection required",
            fix: "Use an application that applies the organisation's protection policy.",
            kind: .setting(.rejected) { $0.policies.protectedTenants = [Directory.contoso] }),
        Row(
            cause: "AADSTS50076", title: "MFA needed", fix: "Sign in interactively, with the claims of the error.",
            kind: .silent(scopes: [], claims: Scenario.challenge)),
        Row(
            cause: "AADSTS65001", title: "Consent needed", fix: "Sign in interactively, so that the user can consent.",
            kind: .silent(scopes: ["Mail.Read"], claims: nil)),
        Row(
            cause: "AADSTS70011", title: "Unknown scope", fix: "Request a scope that the API has.",
            kind: .request(scopes: ["Nothing.Read"])),
        Row(
            cause: "AADSTS28000", title: "Scopes of two APIs", fix: "Request the scopes of one API at a time.",
            kind: .request(scopes: ["User.Read", "api://keyturn-files/Files.Read"])),
        Row(
            cause: "AADSTS50173", title: "Password changed", fix: "Sign in again.",
            kind: .rejectedRefresh(.passwordChanged)),
        Row(
            cause: "AADSTS54005", title: "Code redeemed twice", fix: "Redeem each code once, then sign in again.",
            kind: .rejectedRefresh(
                .codeAlreadyUsed,
                instead: "Keyturn redeems each code once, so the authority returns AADSTS54005 for a refresh token.")),
        Row(
            cause: "AADSTS700082", title: "Refresh token expired", fix: "Sign in again.",
            kind: .rejectedRefresh(.refreshTokenExpired)),
        Row(
            cause: "AADSTS70008", title: "Code or token expired", fix: "Sign in again, and redeem the code at once.",
            kind: .rejectedRefresh(
                .codeExpired,
                instead: "Keyturn redeems a code at once, so the authority returns AADSTS70008 for a refresh token.")),
        Row(
            cause: "AADSTS70000", title: "Invalid grant", fix: "Sign in again.", kind: .rejectedRefresh(.invalidGrant)),
    ]

    /// Why the built-in authority can't produce a cause.
    static func reason(for cause: String) -> String {
        if cause.hasPrefix("AAD") { return "The built-in authority doesn't return \(cause)." }
        return reasons.first { _, causes in causes.contains(cause) }?.0
            ?? "Keyturn has no replay of this cause."
    }

    private static let reasons: [(String, Set<String>)] = [
        (
            "The mistake is in the application's requests, and Keyturn doesn't make it.",
            [
                "code-used-twice", "challenge-method-missing", "wrong-verifier", "verifier-missing",
                "challenge-missing",
                "other-redirect-uri", "other-client", "refresh-token-replaced", "code-expired", "resource-beside-scope",
                "url-cut-off", "response-in-fragment", "secret-required", "wrong-platform", "bound-token",
                "id-token-sent", "access-token-expired", "other-audience", "token-version", "verifier-mismatch",
                "pkce-required", "code-not-valid", "token-request-other-redirect-uri",
            ]
        ),
        (
            "The failure is on the way to the authority, and the built-in one is on this computer.",
            [
                "proxy-password", "proxy-refuses-tunnel", "proxy-stopped", "untrusted-certificate", "tls-failed",
                "offline", "host-not-resolved", "no-response", "proxied-response", "unencrypted-authority",
                "internal-endpoint", "unrelated-service", "nothing-listens-here", "request-timed-out",
            ]
        ),
        (
            "The failure is in the browser: its cookies, its frames or its address.",
            [
                "other-host", "cookie-withheld", "cookies-blocked", "third-party-cookies", "cross-origin", "cors",
                "nobody-listens", "failed-handler", "abandoned", "page-in-frame", "pop-up-blocked", "frame-timed-out",
            ]
        ),
    ]
}
