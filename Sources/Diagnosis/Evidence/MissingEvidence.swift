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
        return row("sign-in-request")
    }

    private static func tokenRequest(_ evidence: Evidence) -> Explanation.Row? {
        let hasCode = evidence.steps.contains {
            $0.role == .response && $0.exchange.parameters["code"] != nil || $0.issuedCode != nil
        }
        guard hasCode, evidence.steps(.token).isEmpty else { return nil }
        return row("token-request", evidence.platform.howToLog)
    }

    private static func bodies(_ evidence: Evidence) -> Explanation.Row? {
        let lost = evidence.steps.filter {
            [.token, .device, .page, .authorize].contains($0.role) && $0.exchange.body == nil
                && $0.exchange.status >= 400 && $0.rejection == nil && !$0.exchange.mayLackResponse
        }
        guard !lost.isEmpty else { return nil }
        let numbers = lost.map { "\($0.exchange.number)" }.joined(separator: ", ")
        return row("response-text", "\(evidence.unit) \(numbers)", Optional<Platform>.none.howToLog)
    }

    /// Chromium's default export leaves out what the requests authenticate with.
    private static func cookies(_ evidence: Evidence) -> Explanation.Row? {
        let pages = evidence.steps.filter { [.authorize, .page].contains($0.role) }
        let names = ["Cookie", "Authorization"]
        guard evidence.log == nil, !pages.isEmpty,
            !evidence.exchanges.contains(where: { exchange in names.contains { exchange.requestHeaders[$0] != nil } }),
            !evidence.exchanges.contains(where: { $0.responseHeaders["Set-Cookie"] != nil })
        else { return nil }
        return row("cookies")
    }

    private static func hidden(_ evidence: Evidence) -> Explanation.Row? {
        let names = ["code", "code_verifier", "refresh_token", "redirect_uri", "state"].filter { name in
            evidence.steps.contains { $0.exchange.parameters[name] != nil && $0.exchange.shown(name) == nil }
        }
        guard !names.isEmpty else { return nil }
        return row("values", names.joined(separator: ", "))
    }

    private static func times(_ evidence: Evidence) -> Explanation.Row? {
        guard !evidence.steps.isEmpty,
            !evidence.exchanges.contains(where: { $0.time != nil && $0.date != nil })
        else { return nil }
        return row("times")
    }

    /// A row of `missing` in `Resources/causes.json`, with the values for each `{}`.
    private static func row(_ name: String, _ values: String...) -> Explanation.Row? {
        guard let row = KnownCause.missing[name], let title = row["title"]?.string, let text = row["text"]?.string
        else { return nil }
        var rest = values[...]
        return .init(title, text.filled(with: &rest))
    }
}

extension Platform? {
    /// The command or setting that makes the program log its requests; for an unknown one the program that records those of others.
    var howToLog: String { KnownCause.missing["how"]?[self?.rawValue ?? "other"]?.string ?? "" }
}
