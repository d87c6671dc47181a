/// What the evidence of a sign-in lacks, and how to get it.
struct MissingEvidence {
    /// Empty if the evidence proves the cause.
    let needed: [Explanation.Row]

    /// - Parameter cause: the one that comes first. If the evidence proves it, nothing else is needed.
    init(_ evidence: Evidence, for cause: Cause?) {
        let isProven = cause.map { [.observed, .stated, .coded].contains($0.strength) } ?? false
        needed =
            isProven
            ? []
            : [Self.start, Self.tokenRequest, Self.bodies, Self.cookies, Self.hidden, Self.times].compactMap {
                $0(evidence)
            }
    }

    private static func start(_ evidence: Evidence) -> Explanation.Row? {
        let codes = evidence.steps(.token).contains { $0.exchange.parameters["code"] != nil }
        guard codes || !evidence.steps(.response).isEmpty, evidence.steps(.authorize).isEmpty else { return nil }
        return .init("Sign-in request", "Start recording before the sign-in, so that its parameters can be compared.")
    }

    private static func tokenRequest(_ evidence: Evidence) -> Explanation.Row? {
        let hasCode = evidence.steps.contains {
            $0.role == .response && $0.exchange.parameters["code"] != nil || $0.issuedCode != nil
        }
        guard hasCode, evidence.steps(.token).isEmpty else { return nil }
        return .init(
            "Token request",
            "A browser doesn't record what a program sends. Ask for the program's log: "
                + evidence.platform.howToLog)
    }

    private static func bodies(_ evidence: Evidence) -> Explanation.Row? {
        let lost = evidence.steps.filter {
            [.token, .device, .page, .authorize].contains($0.role) && $0.exchange.body == nil
                && $0.exchange.status >= 400 && $0.rejection == nil && !$0.exchange.mayLackResponse
        }
        guard !lost.isEmpty else { return nil }
        let numbers = lost.map { "\($0.exchange.number)" }.joined(separator: ", ")
        return .init(
            "Response text",
            "The text of \(evidence.unit) \(numbers) isn't recorded. Export directly after the failure, or record with "
                + MissingEvidence.proxy)
    }

    /// Chromium's default export leaves out what the requests authenticate with.
    private static func cookies(_ evidence: Evidence) -> Explanation.Row? {
        let pages = evidence.steps.filter { [.authorize, .page].contains($0.role) }
        let names = ["Cookie", "Authorization"]
        guard evidence.log == nil, !pages.isEmpty,
            !evidence.exchanges.contains(where: { exchange in names.contains { exchange.requestHeaders[$0] != nil } }),
            !evidence.exchanges.contains(where: { $0.responseHeaders["Set-Cookie"] != nil })
        else { return nil }
        return .init(
            "Cookies", "No request has one. In Chromium, choose \"Export HAR (with sensitive data)\".")
    }

    private static func hidden(_ evidence: Evidence) -> Explanation.Row? {
        let names = ["code", "code_verifier", "refresh_token", "redirect_uri", "state"].filter { name in
            evidence.steps.contains { $0.exchange.parameters[name] != nil && $0.exchange.shown(name) == nil }
        }
        guard !names.isEmpty else { return nil }
        return .init(
            "Values",
            "Somebody replaced \(names.joined(separator: ", ")). Ask for a copy by keyturn explain --redact, which keeps "
                + "equal values equal.")
    }

    private static func times(_ evidence: Evidence) -> Explanation.Row? {
        guard !evidence.steps.isEmpty,
            !evidence.exchanges.contains(where: { $0.time != nil && $0.date != nil })
        else { return nil }
        return .init("Times", "No response has both times, so that the clock can't be checked.")
    }

    /// The program that records the requests of every other one.
    static let proxy = "mitmdump --set hardump=FILE, and HTTPS_PROXY=http://127.0.0.1:8080 for the program."
}

extension Platform? {
    /// The command or setting that makes the program log its requests.
    var howToLog: String {
        switch self {
        case .apple: "MSALGlobalConfig.loggerConfig.logLevel = .verbose, with setLogCallback."
        case .android: "Logger.getInstance().setLogLevel(Logger.LogLevel.VERBOSE), then adb logcat."
        case .spa: "system.loggerOptions with logLevel: LogLevel.Verbose, and the browser's console."
        case .web: "at level Debug for the sign-in's categories (ASP.NET: Microsoft.Identity, Microsoft.AspNetCore)."
        case .native: "az login --debug, or logging.basicConfig(level=logging.DEBUG) with MSAL Python."
        case .kubernetes: "kubectl -v=8 with the credential plugin's own option (kubelogin: -v1)."
        case nil: MissingEvidence.proxy
        }
    }
}
