import Foundation
import MSAL
import OAuthCore

/// A recording beside another one: their steps in pairs, up to the first difference.
package struct Comparison: Sendable, Equatable {
    /// How alike two recordings can be.
    package enum Kind: Sendable, Equatable {
        /// The same application: "works for Ann, not for Bo".
        case sameApplication
        /// Another application at another authority, of which only the shape of the requests counts.
        case healthy
    }

    package struct Difference: Sendable, Equatable {
        package let name: String
        package let first, second: String
    }

    package struct Step: Sendable, Equatable {
        package let title: String
        /// The place and the outcome in each recording; nil if only the other one has the step.
        package let first, second: String?
        package let differences: [Difference]
    }

    package let kind: Kind
    /// Those before the first difference, and the one with it.
    package let steps: [Step]
    /// Whether the last step differs.
    package let isDifferent: Bool

    init(_ first: Evidence, _ second: Evidence, _ kind: Kind) {
        self.kind = kind
        let hasCookies = [first, second].allSatisfy { evidence in
            evidence.exchanges.contains { $0.requestHeaders["Cookie"] != nil }
        }
        let values = (RepeatedValues(first), kind == .healthy ? .healthy : RepeatedValues(second))
        var steps: [Step] = []
        var isDifferent = false
        let roles = Self.roles(first, second, kind)
        for (one, other) in Self.pairs(Self.compared(first, roles), Self.compared(second, roles)) where !isDifferent {
            let plain = Self.differences(one?.exchange, other?.exchange, kind, hasCookies)
            let changed = Self.mismatches(
                values.0.differences(from: values.1, at: one), values.1.differences(from: values.0, at: other))
            // Two values that are shown say more than that one is another one.
            let differences =
                changed.map { change in plain.first { $0.name == change.name } ?? change }
                + plain.filter { difference in !changed.contains { $0.name == difference.name } }
            let title = (one ?? other)?.title ?? ""
            let isMissing = [one, other].contains { $0 == nil } && (one ?? other).map(Self.isEssential) ?? false
            isDifferent = !differences.isEmpty || isMissing
            steps.append(
                Step(
                    title: title, first: one.map { Self.outcome($0, first.unit) },
                    second: other.map { Self.outcome($0, second.unit) }, differences: differences))
        }
        self.steps = steps
        self.isDifferent = isDifferent
    }

    /// What every sign-in has, whatever its caches. A program's log lacks what the browser sends, and a browser's recording what
    /// the program sends: neither is a difference.
    private static func roles(_ first: Evidence, _ second: Evidence, _ kind: Kind) -> Set<Exchange.Role> {
        let inBrowser: Set<Exchange.Role> = [.authorize, .page, .response]
        let direct: Set<Exchange.Role> = [.token, .device, .userInfo, .preflight]
        func has(_ roles: Set<Exchange.Role>, _ evidence: Evidence) -> Bool {
            evidence.steps.contains { roles.contains($0.role) }
        }
        let hasBrowser = has(inBrowser, first) && has(inBrowser, second)
        let hasDirect = has(direct, first) && has(direct, second) || kind == .sameApplication && hasBrowser
        return (hasBrowser ? inBrowser : []).union(hasDirect ? direct : [])
    }

    private static func compared(_ evidence: Evidence, _ roles: Set<Exchange.Role>) -> [Evidence.Step] {
        Array(evidence.steps.filter { roles.contains($0.role) }.prefix(mostSteps))
    }

    private static let mostSteps = 300

    /// Whether its absence is a difference. How many pages a user sees depends on the session.
    private static func isEssential(_ step: Evidence.Step) -> Bool {
        [.authorize, .response, .token, .device].contains(step.role) || step.rejection != nil
    }

    private static func outcome(_ step: Evidence.Step, _ unit: String) -> String {
        let exchange = step.exchange
        return (["\(unit) \(exchange.number)", exchange.statusName] + names(step.rejection)).filter { !$0.isEmpty }
            .joined(separator: "  ")
    }

    private static func names(_ rejection: Exchange.Rejection?) -> [String] {
        guard let rejection else { return [] }
        let error = Privacy.text(rejection.error, of: "error", for: .explanation)
        return (rejection.error.isEmpty || error.hasPrefix("hidden") ? [] : [error])
            + rejection.codes.map(\.text)
    }
}

// MARK: Alignment

extension Comparison {
    private typealias Pair = (Evidence.Step?, Evidence.Step?)

    /// The steps in pairs of the same role: the longest common sequence of roles, with the others between.
    private static func pairs(_ first: [Evidence.Step], _ second: [Evidence.Step]) -> [Pair] {
        var lengths = Array(repeating: Array(repeating: 0, count: second.count + 1), count: first.count + 1)
        for i in first.indices.reversed() {
            for j in second.indices.reversed() {
                lengths[i][j] =
                    first[i].role == second[j].role
                    ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
            }
        }
        var (pairs, i, j): ([Pair], Int, Int) = ([], 0, 0)
        while i < first.count || j < second.count {
            if i < first.count, j < second.count, first[i].role == second[j].role {
                pairs.append((first[i], second[j]))
                (i, j) = (i + 1, j + 1)
            } else if j == second.count
                || i < first.count
                    && isNext(first[i].role, lengths[i + 1][j], before: second[j].role, lengths[i][j + 1])
            {
                pairs.append((first[i], nil))
                i += 1
            } else {
                pairs.append((nil, second[j]))
                j += 1
            }
        }
        return pairs
    }

    /// Whether the step of the first recording comes next: that with the longer common rest, otherwise the earlier of a sign-in.
    private static func isNext(_ role: Exchange.Role, _ rest: Int, before other: Exchange.Role, _ otherRest: Int)
        -> Bool
    {
        guard rest == otherRest else { return rest > otherRest }
        func place(_ role: Exchange.Role) -> Int { order.firstIndex(of: role) ?? order.count }
        return place(role) <= place(other)
    }

    private static let order: [Exchange.Role] = [.authorize, .page, .response, .device, .preflight, .token, .userInfo]
}

/// Which parameters have the values of an earlier request.
private struct RepeatedValues {
    /// Those that have another one, by the number of the request.
    private(set) var changed: [Int: Set<String>] = [:]
    private(set) var same: Set<String> = []

    init(_ evidence: Evidence) {
        for rule in CauseRules.all {
            guard let name = rule.id.flatMap({ Self.names[$0] }) else { continue }
            let judgement = rule(evidence)
            if let number = judgement.cause?.positions.last { changed[number, default: []].insert(name) }
            if judgement.exclusion != nil { same.insert(name) }
        }
    }

    /// Those of a sign-in whose recording hides them.
    static let healthy = RepeatedValues(same: Set(names.values))

    private init(same: Set<String>) { self.same = same }

    private static let names = [
        "state-changed": "state", "wrong-verifier": "code_verifier", "other-redirect-uri": "redirect_uri",
        "other-client": "client_id",
    ]

    func differences(from other: Self, at step: Evidence.Step?) -> Set<String> {
        step.flatMap { changed[$0.exchange.number] }?.intersection(other.same) ?? []
    }
}

// MARK: Differences

extension Comparison {
    private static func differences(
        _ first: Exchange?, _ second: Exchange?, _ kind: Kind, _ hasCookies: Bool
    ) -> [Difference] {
        guard let first, let second else { return [] }
        return endpoint(first, second, kind) + parameters(first, second, kind)
            + (hasCookies && kind == .sameApplication ? cookies(first, second) : []) + responses(first, second)
    }

    private static func mismatches(_ first: Set<String>, _ second: Set<String>) -> [Difference] {
        func words(_ isOther: Bool) -> String { isOther ? "another than in its sign-in" : "that of its sign-in" }
        return first.union(second).sorted().map {
            Difference(name: $0, first: words(first.contains($0)), second: words(second.contains($0)))
        }
    }

    private static func endpoint(_ first: Exchange, _ second: Exchange, _ kind: Kind) -> [Difference] {
        guard kind == .sameApplication, place(first.endpoint) != place(second.endpoint) else { return [] }
        return [difference("URL", Privacy.url(first.endpoint), Privacy.url(second.endpoint))]
    }

    /// The port of a loopback address is another one each time (RFC 8252 §7.3).
    private static func place(_ text: String) -> String {
        guard let url = URL(string: text), url.isLoopback, let port = url.port else { return text }
        return text.replacing(":\(port)", with: "", maxReplacements: 1)
    }

    private static func parameters(_ first: Exchange, _ second: Exchange, _ kind: Kind) -> [Difference] {
        var known: Set<String> = []
        let names = (first.parameters.pairs + second.parameters.pairs).map(\.name).filter { known.insert($0).inserted }
        return names.compactMap { name in
            guard kind == .sameApplication || essential.contains(name) else { return nil }
            // A token request needs no scope (RFC 6749 §4.1.3).
            if kind == .healthy, name == "scope", first.ownRole == .token { return nil }
            let (one, other) = (first.parameters[name], second.parameters[name])
            guard !isSame(one, other, name, kind) else { return nil }
            func shown(_ value: String?) -> String {
                value.map { Privacy.text($0, of: name, for: .explanation) } ?? "–"
            }
            return difference(Privacy.name(name, hasValue: true), shown(one), shown(other))
        }
    }

    private static func isSame(_ one: String?, _ other: String?, _ name: String, _ kind: Kind) -> Bool {
        guard let one, let other else { return one == nil && other == nil || optional.contains(name) }
        let isCompared =
            kind == .healthy
            ? words.contains(name) : WireParameter.named(name)?.secrecy == .plain && !random.contains(name)
        guard isCompared else { return true }
        switch name {
        case "scope": return Set(one.split(separator: " ")) == Set(other.split(separator: " "))
        case "redirect_uri": return place(one) == place(other)
        default: return one == other
        }
    }

    /// What a sign-in of any application has.
    private static let essential: Set<String> = [
        "client_id", "code", "code_challenge", "code_challenge_method", "code_verifier", "device_code", "grant_type",
        "redirect_uri", "refresh_token", "response_type", "scope", "state",
    ]
    /// Those whose values the protocol defines.
    private static let words: Set<String> = ["code_challenge_method", "grant_type", "response_type"]
    /// Those that differ each time.
    private static let random: Set<String> = ["client-request-id", "code_challenge", "x-client-current-telemetry"]
    /// Those that depend on who signs in, not on the application.
    private static let optional: Set<String> = [
        "client-request-id", "client_info", "domain_hint", "login_hint", "username", "x-client-current-telemetry",
        "x-client-last-telemetry", "instance_aware", "sso_reload", "session_state",
    ]

    private static func cookies(_ first: Exchange, _ second: Exchange) -> [Difference] {
        let sent = [first, second].map { $0.requestHeaders["Cookie"] != nil }
        guard sent[0] != sent[1] else { return [] }
        return [difference("Cookie", sent[0] ? "sent" : "–", sent[1] ? "sent" : "–")]
    }

    /// The responses, unless one isn't recorded.
    private static func responses(_ first: Exchange, _ second: Exchange) -> [Difference] {
        let both = [first, second]
        guard both.allSatisfy({ $0.rejection != nil || $0.status != 0 || !$0.mayLackResponse }) else { return [] }
        let failures = both.map { $0.rejection.map(Self.names) ?? ($0.status == 0 || $0.status >= 400 ? [""] : []) }
        guard failures[0] != failures[1] else { return [] }
        let words = both.map { exchange in
            let status = exchange.status == 0 ? exchange.failureName : "HTTP \(exchange.status)"
            return ([status] + names(exchange.rejection)).joined(separator: " ")
        }
        return [difference("Response", words[0], words[1])]
    }

    private static func difference(_ name: String, _ first: String, _ second: String) -> Difference {
        Difference(name: name, first: first, second: first == second ? "another one" : second)
    }
}

extension Explainer {
    /// Whether it contains the requests of a sign-in.
    package static func hasSignIn(_ content: [UInt8]) -> Bool { evidence(content).hasSignIn }

    /// Compares two recordings or logs.
    package func compare(
        _ first: [UInt8], with second: [UInt8], as kind: Comparison.Kind = .sameApplication
    ) throws(Rejection) -> Comparison {
        let (one, other) = (Self.evidence(first), Self.evidence(second))
        guard one.hasSignIn, other.hasSignIn else { throw .unknown }
        return Comparison(one, other, kind)
    }

    private static func evidence(_ content: [UInt8]) -> Evidence {
        let bytes = decoded(content)
        if let archive = HARFile(bytes) { return Evidence(archive.exchanges, isCut: archive.isCut) }
        return Evidence(LogFile(bytes), RequestText(bytes).exchanges)
    }
}
