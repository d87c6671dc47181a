import Foundation
import MSAL
import OAuthCore

/// Up to the first value that differs and matters.
package struct Comparison: Sendable, Equatable {
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

    /// Up to the one with the first difference.
    package let steps: [Step]
    package let isDifferent: Bool

    /// `nil` without anything that both have. The parameters `names` aren't compared.
    init?(_ first: Evidence, _ second: Evidence, ignoring names: Set<String> = []) {
        let steps =
            first.hasSignIn && second.hasSignIn
            ? Self.requests(first, second, ignoring: names) : Self.values(first, second)
        guard !steps.isEmpty else { return nil }
        let end = steps.firstIndex { !$0.differences.isEmpty || $0.first == nil || $0.second == nil }
        self.steps = Array(steps[...(end ?? steps.count - 1)])
        isDifferent = end != nil
    }

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

    /// A program's log lacks what the browser sends, and a browser's recording what the program sends: neither is a difference.
    private static func requests(_ first: Evidence, _ second: Evidence, ignoring names: Set<String>) -> [Step] {
        let judgements = [first, second].map(CauseRules.judgements)
        // What the other one doesn't show may be the same there.
        let causes = [(0, 1), (1, 0)].map { own, other in
            judgements[own].causes.filter { cause in
                cause.strength == .observed && judgements[other].excluded.contains { $0.subject == cause.subject }
            }
        }
        // A program doesn't see the pages in the browser.
        let seesPages = [first, second].allSatisfy { evidence in
            !evidence.steps(.authorize).allSatisfy(\.exchange.mayLackResponse)
        }
        let inBrowser: [Exchange.Role] = [.authorize] + (seesPages ? [.page] : []) + [.response]
        let direct: [Exchange.Role] = [.device, .preflight, .token, .userInfo]
        func have(_ roles: [Exchange.Role]) -> Bool {
            [first, second].allSatisfy { evidence in roles.contains { !evidence.steps($0).isEmpty } }
        }
        let isBrowser = have(inBrowser)
        let roles = (isBrowser ? inBrowser : []) + (have(direct) || isBrowser ? direct : [])
        let hasCookies = [first, second].allSatisfy { $0.exchanges.contains { $0.requestHeaders["Cookie"] != nil } }
        return roles.flatMap { role in
            let (ones, others) = (first.steps(role), second.steps(role))
            return (0..<min(max(ones.count, others.count), mostSteps)).compactMap { index -> Step? in
                let pair = [ones, others].map { index < $0.count ? $0[index] : nil }
                guard let known = pair[0] ?? pair[1] else { return nil }
                let isEssential = [.authorize, .response, .token, .device].contains(role) || known.rejection != nil
                guard isEssential || !pair.contains(where: { $0 == nil }) else { return nil }
                let isFurther = index > 0 && pair.contains { $0 == nil }
                return Step(
                    title: isFurther ? "further \(known.title)" : known.title,
                    first: pair[0].map { outcome($0, first.unit) }, second: pair[1].map { outcome($0, second.unit) },
                    differences: differences(pair[0]?.exchange, pair[1]?.exchange, hasCookies, causes).filter {
                        !names.contains($0.name)
                    })
            }
        }
    }

    private static let mostSteps = 100

    package func verdict(_ first: String, _ second: String) -> String {
        guard isDifferent, let step = steps.last else {
            return "The recordings differ in nothing that the application decides."
        }
        guard let one = step.first else { return "First difference: \(first) has no \(step.title)." }
        guard step.second != nil else { return "First difference: \(second) has no \(step.title)." }
        let place = one.split(separator: " ").prefix(2).joined(separator: " ")
        return "First difference: the \(step.title) (\(place))."
    }

    private static func outcome(_ step: Evidence.Step, _ unit: String) -> String {
        (["\(unit) \(step.number)", step.exchange.statusName] + (step.rejection?.names ?? [])).filter { !$0.isEmpty }
            .joined(separator: "  ")
    }

    private static func differences(
        _ one: Exchange?, _ other: Exchange?, _ hasCookies: Bool, _ causes: [[Cause]]
    ) -> [Difference] {
        guard let one, let other else { return [] }
        let own = zip([one, other], causes).map { exchange, causes in
            causes.filter { $0.positions.last == exchange.number }
        }
        // What only one of them contradicts itself in says more than values that differ.
        let contradictions =
            own[0].map { difference($0.subject, $0.headline, "in order") }
            + own[1].map { difference($0.subject, "in order", $0.headline) }
        let sides = [one, other].map { values($0, hasCookies) }
        // A response that may be missing isn't compared, unless the other one is a failure.
        let hasResponses = [one, other].contains(where: hasFailed) || ![one, other].contains(where: lacksResponse)
        var listed: [String] = []
        for value in sides.joined() where !listed.contains(value.name) && (hasResponses || value.name != response) {
            listed.append(value.name)
        }
        return contradictions
            + listed.compactMap { name in
                let pair = sides.map { side in side.first { $0.name == name } }
                if let one = pair[0], let other = pair[1], agree(one, other) { return nil }
                // A grant without scopes is for those of the authorization request (RFC 6749 §4.1.3, §6).
                if name == "scope", one.parameters["grant_type"] != nil, pair.contains(where: { $0 == nil }) {
                    return nil
                }
                return difference(Privacy.name(name, hasValue: true), pair[0]?.shown ?? "–", pair[1]?.shown ?? "–")
            }
    }

    private typealias Value = (name: String, compared: String, shown: String)

    /// What a recording hides may be the same in the other one. A URL and a list of scopes can be hidden in part.
    private static func agree(_ one: Value, _ other: Value) -> Bool {
        var others = Placeholders.parts(of: other.compared)
        let left = Placeholders.parts(of: one.compared).filter { part in
            guard let index = others.firstIndex(of: part) else { return true }
            others.remove(at: index)
            return false
        }
        return left.count == others.count
            && (left.allSatisfy(Placeholders.isPlaceholder) || others.allSatisfy(Placeholders.isPlaceholder))
    }

    private static func values(_ exchange: Exchange, _ hasCookies: Bool) -> [Value] {
        let cookie = exchange.requestHeaders["Cookie"] == nil ? "–" : "sent"
        let parameters = exchange.parameters.pairs.filter { !personal.contains($0.name) }.map { pair -> Value in
            let isCompared = WireParameter.named(pair.name)?.secrecy == .plain && pair.name != "code_challenge"
            let value =
                pair.name == "scope" ? pair.value.split(separator: " ").sorted().joined(separator: " ") : pair.value
            return (
                pair.name, isCompared ? place(value) : "", Privacy.text(pair.value, of: pair.name, for: .explanation)
            )
        }
        let failure = exchange.rejection?.names ?? (hasFailed(exchange) ? [""] : [])
        let lacks = lacksResponse(exchange)
        let status = exchange.status != 0 ? "HTTP \(exchange.status)" : lacks ? "not recorded" : exchange.failureName
        return [("URL", place(exchange.endpoint), Privacy.url(exchange.endpoint))]
            + (hasCookies ? [("Cookie", cookie, cookie)] : []) + parameters
            + [
                (
                    response, lacks ? "" : "\(failure)",
                    ([status] + (exchange.rejection?.names ?? [])).joined(separator: " ")
                )
            ]
    }

    private static let response = "Response"

    private static func lacksResponse(_ exchange: Exchange) -> Bool {
        exchange.status == 0 && exchange.mayLackResponse && exchange.rejection == nil
    }

    private static func hasFailed(_ exchange: Exchange) -> Bool {
        exchange.rejection != nil || exchange.status >= 400 || exchange.status == 0 && !exchange.mayLackResponse
    }

    /// The port of a loopback address is another one each time (RFC 8252 §7.3).
    private static func place(_ text: String) -> String {
        guard let url = URL(string: text), url.isLoopback, let port = url.port else { return text }
        return text.replacing(":\(port)", with: "", maxReplacements: 1)
    }

    /// Those that depend on who signs in and when, not on the application.
    private static let personal: Set = [
        "client-request-id", "client_info", "domain_hint", "login_hint", "username", "x-client-current-telemetry",
        "x-client-last-telemetry", "instance_aware", "sso_reload", "session_state",
    ]

    private static func difference(_ name: String, _ first: String, _ second: String) -> Difference {
        Difference(name: name, first: first, second: first == second ? "another one" : second)
    }
}

extension Explainer {
    package static func isComparable(_ content: [UInt8]) -> Bool {
        let evidence = evidence(content)
        return evidence.hasSignIn || !evidence.facts.all.isEmpty
    }

    package func compare(_ first: [UInt8], with second: [UInt8]) throws(Rejection) -> Comparison {
        guard let found = Comparison(Self.evidence(first), Self.evidence(second)) else { throw .unknown }
        return found
    }

    static func evidence(_ content: [UInt8]) -> Evidence {
        let bytes = decoded(content)
        return HARFile(bytes).map { Evidence($0.exchanges, isCut: $0.isCut) } ?? Evidence(text: bytes)
    }
}
