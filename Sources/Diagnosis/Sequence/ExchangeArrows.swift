import Foundation
import MSAL
import OAuthCore

/// Of an own flow, whose secrets are redacted where its events are recorded, or of a recording, with only what ``Privacy`` permits.
struct ExchangeArrows {
    private typealias Party = SequenceDiagram.Party
    typealias Arrow = SequenceDiagram.Arrow

    private let exchange: Exchange
    private let role: Exchange.Role
    /// The error of a rejecting response if it names one, and remarks; `nil` for another response.
    private let rejection: (error: String?, notes: [String])?
    private let place: String
    /// As far as shown.
    private let target: String
    private let isOwn: Bool
    private let content: String
    private let changes: [String]

    init(_ step: Evidence.Step, unit: String) {
        let method = step.exchange.method.allSatisfy(\.isASCII) && step.exchange.method.count < 8
        (exchange, role, isOwn, content, changes) = (step.exchange, step.shownRole, false, "", [])
        rejection = step.rejection.map(\.names).map { ($0.first, Array($0.dropFirst())) }
        place = " (\(unit) \(exchange.number))"
        target = "\(method ? exchange.method : "") \(Privacy.host(exchange.host))".trimmingCharacters(in: .whitespaces)
    }

    init(_ flow: MSALFlowExchange, changing edits: [MSALRequestEdit] = []) {
        (exchange, role, isOwn, place) = (Exchange(flow), flow.role, true, "")
        changes = [MSALFlowExchange.note(of: flow.changes + edits.map(\.summary))].compactMap(\.self)
        (content, target) = (role.content(flow.mediaType), "\(flow.method) \(flow.address)")
        rejection = exchange.rejection(of: role)
    }

    var all: [Arrow] {
        if receiver == .application { return arrived }
        // A URL of an API is short enough for a picture, and the user's own.
        let name = isOwn && role == .api ? "\(exchange.method) \(pathAsSent)" : role.label
        let label = changes.isEmpty ? name : "\(name), changed"
        let request = arrow(sender, receiver, label, ": \(target)", .sent, changes)
        if exchange.status == 0, exchange.mayLackResponse, rejection == nil {
            let opening = Arrow(
                .application, .browser, "open page", text: "Open the sign-in page in the browser",
                exchange: exchange.number)
            return isOwn ? [opening, request] : [request]
        }
        return role == .message ? [response] : [request, response]
    }

    /// The response. A program's own request must not be redirected.
    private var response: Arrow {
        let status = exchange.status
        let isGood = rejection == nil && (200..<(isOwn ? 300 : 400)).contains(status)
        let words = rejection?.error ?? (exchange.location != nil ? "redirect" : isGood ? content : "")
        let result = status != 0 ? "HTTP \(status)" : rejection?.error == nil ? exchange.failureName : ""
        return Arrow(
            receiver, sender, status != 0 ? "\(status) \(words)" : words.isEmpty ? "no response" : words,
            text: [result, words].filter { !$0.isEmpty }.joined(separator: ", "),
            outcome: isGood ? .responded : .rejected, notes: rejection?.notes ?? [], exchange: exchange.number,
            message: .response)
    }

    /// An authorization response, which is a request to the application.
    private var arrived: [Arrow] {
        let hasArrived =
            exchange.status != 0 || exchange.mayLackResponse || !["http", "https"].contains(exchange.scheme)
        let hasCode = !isOwn || exchange.parameters["code"] != nil
        let result = rejection?.error ?? (!hasArrived ? "no response" : hasCode ? "code" : "response")
        let outcome: SequenceDiagram.Outcome = rejection == nil && hasArrived ? .responded : .rejected
        guard isOwn else {
            return [
                arrow(.browser, .application, result, ": \(target), \(result)", outcome, rejection?.notes, .response)
            ]
        }
        let words =
            rejection?.error.map { " with the error \($0)" }
            ?? (hasCode ? " with an authorization code" : role == .response ? " without a code or error" : "")
        let redirect = Arrow(
            .authority, .browser, "redirect", text: "Redirect to the application\(words)", outcome: outcome,
            exchange: exchange.number, message: .response)
        return [redirect, arrow(.browser, .application, result, words, outcome, rejection?.notes, .response)]
    }

    private func arrow(
        _ from: Party, _ to: Party, _ label: String, _ rest: String, _ outcome: SequenceDiagram.Outcome = .sent,
        _ notes: [String]? = nil, _ message: SequenceDiagram.Message = .request
    ) -> Arrow {
        Arrow(
            from, to, label, text: "\(role.title)\(place)\(rest)", outcome: outcome, notes: notes ?? [],
            exchange: exchange.number, message: message)
    }

    /// Only browsers send the header fields of the Fetch standard.
    private var sender: Party {
        [.authorize, .page, .signOut, .preflight].contains(role)
            || ["Sec-Fetch-Mode", "Origin"].contains { exchange.requestHeaders[$0] != nil } ? .browser : .application
    }

    private var receiver: Party {
        [.response, .signedOut].contains(role)
            ? .application : [.api, .resourceMetadata].contains(role) ? .api : .authority
    }

    private var pathAsSent: String {
        let parts = exchange.endpoint.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 3 ? "/\(parts[3])" : "/"
    }
}

extension Exchange {
    fileprivate func rejection(of role: Role) -> (error: String?, notes: [String])? {
        if status == 0, !mayLackResponse { return (nil, [failure ?? ""]) }
        guard [.api, .resourceMetadata].contains(role) else {
            let members = mayLackResponse ? nil : json
            func value(_ name: String) -> String? { mayLackResponse ? parameters[name] : members?[name]?.string }
            return value("error").flatMap {
                $0.isEmpty ? nil : ($0, [value("error_description")?.withoutTraceIDs ?? ""])
            }
        }
        let fields = responseHeaders.all("WWW-Authenticate")
        guard !(200..<300).contains(status), !fields.isEmpty, let challenge = try? MSALChallenge(headers: fields) else {
            return nil
        }
        return (
            challenge.error ?? "token required", [challenge.demand.isEmpty ? "" : "API challenge: \(challenge.demand)"]
        )
    }
}

/// The page, for targets that don't import OAuthCore.
package typealias PageVisit = OAuthCore.PageVisit

extension SequenceDiagram {
    init(_ evidence: Evidence) {
        self.init(
            title: "Requests of a sign-in",
            arrows: evidence.steps.flatMap { ExchangeArrows($0, unit: evidence.unit).all })
    }
}

extension SequenceDiagram.Arrow {
    package static func arrows(of exchange: MSALFlowExchange) -> [Self] { ExchangeArrows(exchange).all }

    package static func requests(of exchange: MSALFlowExchange, changing edits: [MSALRequestEdit] = []) -> [Self] {
        ExchangeArrows(exchange, changing: edits).all.filter { $0.message == .request }
    }

    package init(_ step: MSALFlowEvent.Step, _ detail: String, hasFailed: Bool) {
        let short: [MSALFlowEvent.Step: String] = [
            .readCache: "read", .saveTokens: "save tokens", .verifyIDToken: "verify ID token", .listen: "listen",
        ]
        // A refresh that sent a request is shown by its exchange.
        let label =
            step == .refreshToken && hasFailed
            ? "no refresh request" : short[step] ?? step.title.prefix(1).lowercased() + step.title.dropFirst()
        self.init(
            .application, [.readCache, .saveTokens].contains(step) ? .cache : .application, label,
            text: detail.isEmpty ? label : detail, outcome: hasFailed ? .rejected : .sent)
    }

    package static func arrows(of visit: PageVisit, at index: Int) -> [Self] {
        let shown = Self(
            .authority, .browser, visit.title.isEmpty ? "page" : visit.title, text: "Page \"\(visit.title)\"",
            outcome: visit.alert.isEmpty ? .responded : .rejected, notes: [visit.alert], message: .response, page: index
        )
        guard let action = visit.action, let pressed = visit.pressed else { return [shown] }
        let hasPassword = visit.fields.contains { $0.kind == .password }
        let unticked = visit.fields.filter { $0.kind == .checkbox(isTicked: false) }.map { "untick \($0.label)" }
        return [
            shown,
            Self(
                .browser, .authority, hasPassword ? "password" : (unticked + [pressed]).joined(separator: ", "),
                text: action.prefix(1).uppercased() + action.dropFirst(), page: index),
        ]
    }

    package init(ignoredBecause reason: String) {
        self.init(.browser, .application, "ignored response", text: reason, outcome: .rejected, message: .response)
    }
}

extension MSALFlowEvent.Step {
    package var title: String { ParameterDictionary.events[rawValue]?.string ?? rawValue }
}

extension String {
    /// An error text without the identifiers and the time that Microsoft Entra appends, which differ on every run.
    package var withoutTraceIDs: String {
        guard let start = range(of: " Trace ID: "),
            let time = range(of: "Timestamp: ", range: start.upperBound..<endIndex)
        else { return self }
        // A time ends in Z.
        guard let zone = self[time.upperBound...].firstIndex(of: "Z") else { return String(self[..<start.lowerBound]) }
        return String(self[..<start.lowerBound]) + String(self[index(after: zone)...])
    }
}
