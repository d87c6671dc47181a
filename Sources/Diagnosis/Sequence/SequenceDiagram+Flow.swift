import Foundation
import MSAL
import OAuthCore

/// The page, for targets that don't import OAuthCore.
package typealias PageVisit = OAuthCore.PageVisit

extension SequenceDiagram {
    /// The requests of a recording or log.
    init(_ evidence: Evidence) {
        self.init(
            title: "Requests of a sign-in",
            arrows: evidence.steps.flatMap { ExchangeArrows($0, unit: evidence.unit).all })
    }
}

/// The events of an own flow as arrows.
extension SequenceDiagram.Arrow {
    package static func arrows(of exchange: MSALFlowExchange) -> [Self] { ExchangeArrows(exchange).all }

    /// Those of a request that has no response yet.
    package static func requests(of exchange: MSALFlowExchange, changing edits: [MSALRequestEdit] = []) -> [Self] {
        ExchangeArrows(exchange, changing: edits).all.filter { $0.message == .request }
    }

    /// A step of the application without a request.
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

    /// - Parameter index: the position of the page in the flow.
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

    /// A response that the application didn't accept.
    package init(ignoredBecause reason: String) {
        self.init(
            .browser, .application, "ignored response", text: reason, outcome: .rejected, message: .response)
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
