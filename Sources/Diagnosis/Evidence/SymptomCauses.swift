/// Causes found by one text or number: a browser's reason for a missing response, or a line of a log.
enum SymptomCauses {
    static let all: [CauseRules.Rule] = (networkRows + appRows).map(rule)

    /// Causes that an error of `keyturn` doesn't name: it contains the transport's words.
    static let beforeOwnErrors: [CauseRules.Rule] =
        proxyRows.map(rule) + [NetworkCauses.proxyPassword, NetworkCauses.proxyStopped, rule(endpoint)]

    /// Causes that often accompany another one.
    static let accompanying: [CauseRules.Rule] = accompanyingRows.map(rule)

    private static func rule(_ row: Row) -> CauseRules.Rule {
        { evidence in
            // A page also loads what doesn't belong to the sign-in, for example from hosts that the network blocks.
            let requests = evidence.steps.isEmpty ? evidence.exchanges : evidence.steps.map(\.exchange)
            if let failed = requests.first(where: row.explains) {
                return Cause(row.subject, row.headline, facts: [.host(failed.host)], fix: row.fix, at: failed.number)
            }
            return evidence.log?.first(row.marks).map { Cause(row.subject, row.headline, fix: row.fix, at: $0) }
        }
    }

    /// What ``LogFile`` looks for.
    static let marks: [LogFile.Mark] = (proxyRows + [endpoint] + networkRows + appRows + accompanyingRows)
        .flatMap(\.marks)

    struct Row: Sendable {
        var subject: String
        var codes: [Int] = []
        var texts: [String] = []
        var headline: String
        var fix: String

        fileprivate var marks: [LogFile.Mark] { codes.map(LogFile.Mark.code) + texts.map(LogFile.Mark.text) }

        fileprivate func explains(_ exchange: Exchange) -> Bool {
            guard let failure = exchange.failure else { return false }
            return texts.contains { failure.contains($0) }
        }
    }

    private static let accompanyingRows: [Row] = [
        Row(
            subject: "Clock", texts: ["This computer's clock is "],
            headline: "The device's clock differs from the authority's.",
            fix: "Set the clock automatically (NTP). In a virtual machine, set it again after sleep.")
    ]

    static let proxyPassword = Row(
        subject: "Proxy",
        texts: [
            "407 Proxy Authentication Required", "(407) Proxy", "407 (Proxy", "status code '407'",
            "Tunnel connection failed: 407",
            "HTTP code 407 from proxy", "CONNECT tunnel failed, response 407", "Proxy response (407)",
            "Proxy-Authenticate", "ERR_PROXY_AUTH_", "ERR_UNEXPECTED_PROXY_AUTH", "PROXY_AUTHENTICATION_FAILED",
        ],
        headline: "The proxy requires a password.",
        fix: "Give the program the proxy's username and password, or ask for access.")

    static let proxyStopped = Row(
        subject: "Proxy",
        texts: [
            "ERR_PROXY_CONNECTION_FAILED", "Unable to connect to proxy", "Cannot connect to proxy", "proxyconnect tcp",
            "Could not resolve proxy", "PROXY_CONNECTION_REFUSED", "UNKNOWN_PROXY_HOST", "ProxyConnectionError",
            "Can't use the proxy: Failed to connect", "doesn't respond with TLS. Start its URL with http://",
            "doesn't respond as a proxy.",
        ],
        headline: "The proxy at the configured address doesn't respond.",
        fix:
            "Start the proxy, or correct its address in HTTPS_PROXY or the system's settings. To bypass it, use NO_PROXY."
    )

    private static let proxyRows: [Row] = [
        proxyPassword,
        Row(
            subject: "Proxy",
            texts: [
                "Tunnel connection failed", "ERR_TUNNEL_CONNECTION_FAILED", "CONNECT tunnel failed",
                "from proxy after CONNECT", "Proxy CONNECT aborted", "The proxy tunnel request to proxy",
                "PROXY_FORBIDDEN", "PROXY_BAD_GATEWAY",
            ],
            headline: "The proxy doesn't connect to the authority.",
            fix: "Ask the proxy's operator to allow the authority's hosts."),
        proxyStopped,
    ]

    /// Discovery below the path of an endpoint.
    private static let endpoint = Row(
        subject: "Authority",
        texts: [
            "/authorize/.well-known/", "/authorize/v2.0/.well-known/", "/token/.well-known/",
            "/token/v2.0/.well-known/",
            "/openid-connect/auth/.well-known/", "openid-configuration/.well-known/",
        ],
        headline: "The configured authority is the URL of an endpoint.",
        fix: "Leave out the end of the URL: write only what precedes /oauth2/, /authorize, /token or /.well-known.")

    private static let networkRows: [Row] = [
        Row(
            subject: "Certificate",
            texts: [
                "ERR_CERT_", "SEC_ERROR_", "CERTIFICATE_VERIFY_FAILED", "certificate verify failed",
                "SSL certificate problem", "self-signed certificate", "self signed certificate",
                "unable to get local issuer certificate", "UntrustedRoot", "PartialChain",
                "RemoteCertificateChainErrors", "PKIX path building failed", "signed by unknown authority",
                "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_GET_ISSUER_CERT",
                "unable to verify the first certificate", "remote certificate is invalid", "SSLHandshakeException",
            ],
            headline: "The authority's certificate isn't trusted, often because a proxy replaces it.",
            fix:
                "Give the program the certificate authority of the proxy (keyturn: --ca-file; Python: REQUESTS_CA_BUNDLE)."
        ),
        Row(
            subject: "Certificate", codes: Array(-1206 ... -1200),
            headline: "The TLS connection to the authority failed.",
            fix: "Trust the proxy's certificate authority on the device, or exclude the authority from inspection."),
        Row(
            subject: "Network", codes: [-1009], texts: ["ERR_INTERNET_DISCONNECTED", "Network is unreachable"],
            headline: "The device was offline.", fix: "Connect to a network and try again."),
        Row(
            subject: "DNS", codes: [-1003],
            texts: [
                "ERR_NAME_NOT_RESOLVED", "getaddrinfo failed", "Name or service not known", "Could not resolve host",
                " (DNS)",
                "nodename nor servname", "Temporary failure in name resolution", "Failed to resolve", "ENOTFOUND",
                "EAI_AGAIN", "UnknownHostException", "No such host is known", "no such host", "NameResolutionFailure",
            ],
            headline: "The authority's host name can't be resolved.",
            fix: "Check the spelling of the host, and whether this network needs a proxy or a VPN."),
        Row(
            subject: "Network", codes: [-1001, -1004],
            texts: [
                "ERR_CONNECTION_TIMED_OUT", "ERR_CONNECTION_REFUSED", "Connection timed out", "ConnectTimeout",
                "Read timed out", "ETIMEDOUT",
                "Connection refused", "ECONNREFUSED", "Couldn't connect to server", "java.net.ConnectException",
                "actively refused it",
            ],
            headline: "The authority didn't respond at this URL.",
            fix: "Check the host and port, the firewall, and whether this network needs a proxy or a VPN."),
        Row(
            subject: "Network",
            texts: [
                "Unexpected token '<'", "Unexpected token <", "JSONDecodeError", "Expecting value: line 1 column 1",
            ],
            headline: "A response wasn't JSON, often a network login page.",
            fix: "Open any web page: the network may require a sign-in. Otherwise check the URL and the proxy."),
        Row(
            subject: "Authority",
            texts: [
                "should consist of an https url", "invalid_instance", "Unable to get authority configuration",
                "OIDC Discovery failed", "Unable to complete OIDC Discovery",
            ],
            headline: "The authority's metadata can't be read at this URL.",
            fix: "Compare the authority's URL with the tenant's or provider's documentation."),
        Row(
            subject: "Server",
            texts: [
                "429 Client Error", "429 Too Many Requests", "Too Many Requests", "502 Bad Gateway",
                "503 Service Unavailable", "504 Gateway Time", "503 Server Error", "502 Server Error",
            ],
            headline: "The server is busy or down.",
            fix: "Try again later, after the time in Retry-After; nothing is wrong with the configuration."),
    ]

    /// Numbers of MSAL's or AppAuth's `NSError` and of OSStatus, and texts of libraries.
    private static let appRows: [Row] = [
        Row(
            subject: "Broker", codes: [-42700], texts: ["application did not receive response from broker"],
            headline: "The broker's response didn't reach MSAL.",
            fix: "Call MSALPublicClientApplication.handleMSALResponse(_:sourceApplication:) where the app opens URLs."),
        Row(
            subject: "Broker", codes: [-42714], texts: ["LSApplicationQueriesSchemes"],
            headline: "iOS doesn't tell the app whether a broker is installed.",
            fix: "Add msauthv2 and msauthv3 to LSApplicationQueriesSchemes in Info.plist."),
        Row(
            subject: "Broker", texts: ["Source application does not match redirect uri host"],
            headline: "The broker rejected the app: its bundle identifier isn't the one in the redirect URI.",
            fix: "Use msauth.BUNDLE-ID://auth with the bundle identifier of the signed app."),
        Row(
            subject: "Info.plist", codes: [-42001],
            headline: "The redirect URI's scheme is missing from Info.plist.",
            fix: "Add msauth.BUNDLE-ID to CFBundleURLSchemes."),
        Row(
            subject: "Redirect URI", codes: [-42011],
            headline: "The redirect URI belongs to another bundle identifier.",
            fix: "Use one bundle identifier in the registration, the code and Info.plist."),
        Row(
            subject: "Redirect URI", texts: ["one generated with package name and signature hash"],
            headline: "The app's signing key isn't the one in its redirect URI.",
            fix:
                "Register the redirect URI with the hash of the installed app's certificate, for example Google Play's, and configure it."
        ),
        Row(
            subject: "Keychain", codes: [-34018],
            headline: "The app lacks the entitlement for its keychain group.",
            fix: "Add the keychain group to the entitlements of every build configuration."),
        Row(
            subject: "Keychain", codes: [-25308],
            headline: "The keychain is locked, or no user interaction is allowed.",
            fix: "Unlock the device or the login keychain; a daemon or an ssh session can't use it."),
        Row(
            subject: "Keychain", codes: [-25293],
            headline: "The keychain item belongs to an app with another signature.",
            fix: "Sign the app with the same team, or delete the item and sign in again."),
        Row(
            subject: "Window", texts: ["WebAuthenticationSession Code=2", "WebAuthenticationSession Code=3"],
            headline: "The sign-in page had no window to appear in.",
            fix: "Pass a view controller that is on the screen when the sign-in starts."),
        Row(
            subject: "Sign-in", codes: [-42402], texts: ["interaction_in_progress"],
            headline: "A second interactive sign-in started while one was running.",
            fix: "Wait for the first one to finish, or cancel it."),
        Row(
            subject: "Scope", texts: ["You cannot use any scope value that is"],
            headline: "The program requests a scope that MSAL adds itself.",
            fix: "Leave out openid, profile and offline_access."),
        Row(
            subject: "Account", texts: ["No account provided"],
            headline: "The silent request named no account.",
            fix: "Read the account from the cache first, or sign in interactively."),
        Row(
            subject: "State", codes: [-42501], texts: ["state mismatch", "State mismatch"],
            headline: "The response belongs to another request: its state differs.",
            fix: "Start the sign-in again in one tab; keep the state of each request separately."),
        Row(
            subject: "User",
            texts: ["WebAuthenticationSession Code=1 ", "MSALErrorUserCanceled", "user_cancelled"],
            headline: "The user closed the sign-in page.",
            fix: "Sign in again. If the page showed an error, the user may have closed it for that reason."),
        Row(
            subject: "Authority", codes: [-42602],
            headline: "The sign-in redirects to http.", fix: "Ask the authority's operator."),
        Row(
            subject: "Clock",
            texts: [
                "Issued at time is more than", "The ID token is not yet valid", "time and time zone are both correct",
            ],
            headline: "The device's clock differs from the authority's.",
            fix: "Set the clock automatically (NTP). In a virtual machine, set it again after sleep."),
        Row(
            subject: "Azure Identity", texts: ["DefaultAzureCredential failed to retrieve a token"],
            headline: "None of the credentials of DefaultAzureCredential returned a token.",
            fix: "Choose one of the credentials that the log lists, and configure only that one."),
        Row(
            subject: "ADAL", texts: ["AD_ERROR_TOKENBROKER_RESPONSE_NOT_RECEIVED", "ADAuthenticationErrorDomain"],
            headline: "The app uses ADAL, which Microsoft no longer supports.", fix: "Move the app to MSAL."),
    ]
}
