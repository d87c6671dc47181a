import OAuthCore

/// Requests that a program sends to the authority before it opens the browser (RFC 9126).
enum PushedRequests {
    /// Adds the pushed parameters to the authorization requests that refer to them, as the authority does (§4).
    static func resolve(_ exchanges: [Exchange]) -> [Exchange] {
        var pushed: [String: Parameters] = [:]
        return exchanges.map { exchange in
            if let uri = exchange.pushedRequestURI { pushed[uri] = exchange.form }
            guard let parameters = exchange.parameters["request_uri"].flatMap({ pushed[$0] }) else { return exchange }
            var exchange = exchange
            for pair in parameters.pairs where exchange.parameters[pair.name] == nil {
                exchange.parameters.append(pair.name, pair.value)
            }
            return exchange
        }
    }

    /// A request URI that expired before or during the sign-in, or was opened a second time.
    @Sendable static func unusable(_ evidence: Evidence) -> Cause? {
        let pushes = evidence.steps(.push).first(by: \.exchange.pushedRequestURI)
        let openings = evidence.steps(.authorize).first { $0.parameters["request_uri"] }
        let steps = evidence.steps.filter { [.authorize, .page].contains($0.role) }
        for step in steps.reversed() where step.isRejected {
            guard let uri = (step.request ?? step.exchange).parameters["request_uri"], let push = pushes[uri]?.exchange
            else { continue }
            let opening = openings[uri]?.exchange
            if let life = push.json?["expires_in"]?.double, life >= 0, let wait = push.seconds(until: step.exchange),
                wait >= life
            {
                return Cause(
                    opening == step.exchange ? "pushed-request-late" : "pushed-request-expired",
                    facts: [.seconds("Lifetime", life), .seconds("Age", wait)], at: push.number, step.number)
            }
            if step.role == .authorize, let opening, opening != step.exchange {
                return Cause("pushed-request-twice", at: opening.number, step.number)
            }
        }
        return nil
    }
}

extension Exchange {
    /// Whether the parameters of an authorization request were sent directly, and JSON came back.
    var isPush: Bool {
        method == "POST" && form["response_type"] != nil
            && (json.map { $0["request_uri"] != nil || $0["error"] != nil } ?? false)
    }

    /// What stands for the pushed parameters, if the authority accepted them.
    fileprivate var pushedRequestURI: String? { isPush ? json?["request_uri"]?.string : nil }
}

extension Evidence.Step {
    /// The kind of request, for users. To the rules, a rejected push is an authorization request that was rejected.
    var title: String { shownRole.name }
    var shownRole: Exchange.Role { exchange.isPush ? .push : role }
}
