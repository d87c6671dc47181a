import Foundation
import MSAL
import OAuthCore

/// Two recordings, logs or configurations beside each other, up to the first value that differs and matters.
package struct Comparison: Sendable, Equatable {
    /// How alike they can be.
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
        /// The place and the outcome in each; nil if only the other one has the step.
        package let first, second: String?
        package let differences: [Difference]
    }

    package let kind: Kind
    /// Those before the first difference, and the one with it.
    package let steps: [Step]
    /// Whether the last step differs.
    package let isDifferent: Bool

    /// `nil` without anything that both have.
    init?(_ first: Evidence, _ second: Evidence, _ kind: Kind) {
        let steps =
            first.hasSignIn && second.hasSignIn
            ? Self.requests(first, second, kind) : kind == .healthy ? [] : Self.values(first, second)
        guard !steps.isEmpty else { return nil }
        let end = steps.firstIndex { !$0.differences.isEmpty || $0.first == nil || $0.second == nil }
        self.kind = kind
        self.steps = Array(steps[...(end ?? steps.count - 1)])
        isDifferent = end != nil
    }

    /// The values of the roles that both have.
    private static func values(_ first: Evidence, _ second: Evidence) -> [Step] {
        ValueRole.allCases.compactMap { role in
            guard let one = first.facts.all.last(where: { $0.role == role }),
                let other = second.facts.all.last(where: { $0.role == role && $0.owner == one.owner })
            else { return nil }
            let rows = [one, other].map { Fact.role(role, $0.value, labelled: "").row.value }
            let differences =
                ValueDifference(one.value, other.value).map { [difference($0.sentence, rows[0], rows[1])] } ?? []
            return Step(
                title: role.title, first: "line \(one.line)", second: "line \(other.line)",
                differences: role == .state || role == .nonce ? [] : differences)
        }
    }

    /// The requests by role, in the order of a sign-in. A program's log lacks what the browser sends, and a browser's recording what
    /// the program sends: neither is a difference. How many pages a user sees depends on the session.
    private static func requests(_ first: Evidence, _ second: Evidence, _ kind: Kind) -> [Step] {
        let judgements = [first, second].map(CauseRules.judgements)
        // What the other one doesn't show may be the same there.
        let causes = [(0, 1), (1, 0)].map { own, other in
            judgements[own].causes.filter { cause in
                cause.strength == .observed
                    && (kind == .healthy || judgements[other].excluded.contains { $0.subject == cause.subject })
            }
        }
        let inBrowser: [Exchange.Role] = [.authorize, .page, .response]
        let direct: [Exchange.Role] = [.device, .preflight, .token, .userInfo]
        func have(_ roles: [Exchange.Role]) -> Bool {
            [first, second].allSatisfy { evidence in roles.contains { !evidence.steps($0).isEmpty } }
        }
        let isBrowser = have(inBrowser)
        let roles =
            (isBrowser ? inBrowser : []) + (have(direct) || kind == .sameApplication && isBrowser ? direct : [])
        let hasCookies = [first, second].allSatisfy { $0.exchanges.contains { $0.requestHeaders["Cookie"] != nil } }
        return roles.flatMap { role in
            let (ones, others) = (first.steps(role), second.steps(role))
            return (0..<min(max(ones.count, others.count), mostSteps)).compactMap { index -> Step? in
                let pair = [ones, others].map { index < $0.count ? $0[index] : nil }
                guard let known = pair[0] ?? pair[1] else { return nil }
                let isEssential = [.authorize, .response, .token, .device].contains(role) || known.rejection != nil
                guard isEssential || !pair.contains(where: { $0 == nil }) else { return nil }
                return Step(
                    title: known.title, first: pair[0].map { outcome($0, first.unit) },
                    second: pair[1].map { outcome($0, second.unit) },
                    differences: differences(pair[0]?.exchange, pair[1]?.exchange, kind, hasCookies, causes))
            }
        }
    }

    private static let mostSteps = 100

    private static func outcome(_ step: Evidence.Step, _ unit: String) -> String {
        (["\(unit) \(step.exchange.number)", step.exchange.statusName] + names(step.rejection)).filter { !$0.isEmpty }
            .joined(separator: "  ")
    }

    private static func names(_ rejection: Exchange.Rejection?) -> [String] {
        guard let rejection else { return [] }
        let error = Privacy.text(rejection.error, of: "error", for: .explanation)
        return (rejection.error.isEmpty || error.hasPrefix("hidden") ? [] : [error])
            + rejection.codes.map { "AADSTS\($0)" }
    }

    private static func differences(
        _ one: Exchange?, _ other: Exchange?, _ kind: Kind, _ hasCookies: Bool, _ causes: [[Cause]]
    ) -> [Difference] {
        guard let one, let other else { return [] }
        let both = [one, other]
        let own = zip(both, causes).map { exchange, causes in causes.filter { $0.positions.last == exchange.number } }
        let ids = causes.map { Set($0.map(\.id)) }
        // What only one of them contradicts itself in says more than values that differ.
        let contradictions =
            own[0].filter { !ids[1].contains($0.id) }.map { difference($0.subject, $0.headline, "in order") }
            + own[1].filter { !ids[0].contains($0.id) }.map { difference($0.subject, "in order", $0.headline) }
        let sent = both.map { $0.requestHeaders["Cookie"] != nil ? "sent" : "–" }
        let places: [Difference] =
            (place(one.endpoint) == place(other.endpoint)
                ? [] : [difference("URL", Privacy.url(one.endpoint), Privacy.url(other.endpoint))])
            + (hasCookies && sent[0] != sent[1] ? [difference("Cookie", sent[0], sent[1])] : [])
        return contradictions + (kind == .sameApplication ? places : []) + parameters(one, other, kind)
            + responses(both)
    }

    /// The port of a loopback address is another one each time (RFC 8252 §7.3).
    private static func place(_ text: String) -> String {
        guard let url = URL(string: text), url.isLoopback, let port = url.port else { return text }
        return text.replacing(":\(port)", with: "", maxReplacements: 1)
    }

    private static func parameters(_ first: Exchange, _ second: Exchange, _ kind: Kind) -> [Difference] {
        let names = (first.parameters.pairs + second.parameters.pairs).map(\.name)
        return names.enumerated().filter { names.firstIndex(of: $1) == $0 }.compactMap { _, name in
            // A token request needs no scope (RFC 6749 §4.1.3).
            let counts =
                kind == .sameApplication || essential.contains(name) && !(name == "scope" && first.ownRole == .token)
            let (one, other) = (first.parameters[name], second.parameters[name])
            guard counts, !isSame(one, other, name, kind) else { return nil }
            let shown = [one, other].map { $0.map { Privacy.text($0, of: name, for: .explanation) } ?? "–" }
            return difference(Privacy.name(name, hasValue: true), shown[0], shown[1])
        }
    }

    private static func isSame(_ one: String?, _ other: String?, _ name: String, _ kind: Kind) -> Bool {
        guard let one, let other else { return one == nil && other == nil || optional.contains(name) }
        let isCompared =
            kind == .healthy
            ? words.contains(name) : WireParameter.named(name)?.secrecy == .plain && !random.contains(name)
        guard isCompared else { return true }
        return name == "scope"
            ? Set(one.split(separator: " ")) == Set(other.split(separator: " "))
            : place(one) == place(other)
    }

    private static func names(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    /// What a sign-in of any application has.
    private static let essential = names(
        "client_id code code_challenge code_challenge_method code_verifier device_code grant_type redirect_uri refresh_token "
            + "response_type scope state")
    /// Those whose values the protocol defines.
    private static let words = names("code_challenge_method grant_type response_type")
    /// Those that differ each time.
    private static let random = names("client-request-id code_challenge x-client-current-telemetry")
    /// Those that depend on who signs in, not on the application.
    private static let optional = names(
        "client-request-id client_info domain_hint login_hint username x-client-current-telemetry x-client-last-telemetry "
            + "instance_aware sso_reload session_state")

    /// The responses, unless one isn't recorded.
    private static func responses(_ both: [Exchange]) -> [Difference] {
        guard both.allSatisfy({ $0.rejection != nil || $0.status != 0 || !$0.mayLackResponse }) else { return [] }
        let failures = both.map { $0.rejection.map(names) ?? ($0.status == 0 || $0.status >= 400 ? [""] : []) }
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
    /// Whether it contains the requests of a sign-in, or values to compare.
    package static func isComparable(_ content: [UInt8]) -> Bool {
        let evidence = evidence(content)
        return evidence.hasSignIn || !evidence.facts.all.isEmpty
    }

    /// Compares two recordings, logs or texts.
    package func compare(
        _ first: [UInt8], with second: [UInt8], as kind: Comparison.Kind = .sameApplication
    ) throws(Rejection) -> Comparison {
        guard let found = Comparison(Self.evidence(first), Self.evidence(second), kind) else { throw .unknown }
        return found
    }

    private static func evidence(_ content: [UInt8]) -> Evidence {
        let bytes = decoded(content)
        if let archive = HARFile(bytes) { return Evidence(archive.exchanges, isCut: archive.isCut) }
        return Evidence(LogFile(bytes), RequestText(bytes).exchanges, Facts(bytes))
    }
}
