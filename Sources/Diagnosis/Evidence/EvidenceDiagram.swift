import Foundation
import MSAL

/// The requests of a recording or log as a diagram. Its texts contain only what ``Privacy`` permits.
extension SequenceDiagram {
    init(_ evidence: Evidence) {
        self.init(
            title: "Requests of a sign-in",
            arrows: evidence.steps.flatMap { Self.arrows(of: $0, unit: evidence.unit) })
    }

    private static func arrows(of step: Evidence.Step, unit: String) -> [Arrow] {
        let (exchange, role, errors) = (step.exchange, step.shownRole, step.rejection?.names)
        let (sender, receiver) = parties(of: exchange, role)
        let place = "\(unit) \(exchange.number)"
        let method = exchange.method.allSatisfy(\.isASCII) && exchange.method.count < 8 ? exchange.method : ""
        let target = "\(method) \(Privacy.host(exchange.host))".trimmingCharacters(in: .whitespaces)
        let name = step.title
        let title = name.prefix(1).uppercased() + name.dropFirst()
        // An authorization response is a request to the application.
        if role == .response {
            let hasArrived =
                exchange.status != 0 || exchange.mayLackResponse || !["http", "https"].contains(exchange.scheme)
            let label = errors?.first ?? (hasArrived ? "code" : "no response")
            return [
                Arrow(
                    sender, receiver, label, text: "\(title) (\(place)): \(target), \(label)",
                    outcome: errors == nil && hasArrived ? .responded : .rejected,
                    notes: Array((errors ?? []).dropFirst()), exchange: exchange.number,
                    message: .response)
            ]
        }
        let label = name.replacing(" request", with: "")
        let request = Arrow(sender, receiver, label, text: "\(title) (\(place)): \(target)", exchange: exchange.number)
        if exchange.status == 0, exchange.mayLackResponse, errors == nil { return [request] }
        let reason = exchange.status == 0 ? exchange.failureName : "HTTP \(exchange.status)"
        let short = exchange.status == 0 ? "no response" : "\(exchange.status)"
        let content = errors?.first ?? (exchange.location == nil ? "" : "redirect")
        let response = Arrow(
            receiver, sender, [short, content].filter { !$0.isEmpty }.joined(separator: " "),
            text: [reason, content].filter { !$0.isEmpty }.joined(separator: ", "),
            outcome: errors == nil && (200..<400).contains(exchange.status) ? .responded : .rejected,
            notes: Array((errors ?? []).dropFirst()), exchange: exchange.number, message: .response)
        return role == .message ? [response] : [request, response]
    }

    /// The sender and the receiver of a request. Only browsers send the header fields of the Fetch standard.
    private static func parties(of exchange: Exchange, _ role: Exchange.Role) -> (Party, Party) {
        switch role {
        case .authorize, .page, .signOut, .preflight: return (.browser, .authority)
        case .response: return (.browser, .application)
        case .push, .token, .device, .discovery, .keys, .userInfo, .message, .api:
            let isBrowser = ["Sec-Fetch-Mode", "Origin"].contains { exchange.requestHeaders[$0] != nil }
            return (isBrowser ? .browser : .application, role == .api ? .api : .authority)
        }
    }
}
