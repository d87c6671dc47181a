import Foundation
import MSAL
import OAuthCore

/// The page, for targets that don't import OAuthCore.
package typealias PageVisit = OAuthCore.PageVisit

/// A diagram from the recorded events of a flow. Secrets are redacted where the events are recorded.
extension SequenceDiagram {
    package enum Entry: Sendable, Equatable {
        case exchange(MSALFlowExchange)
        /// A step of the application without a request.
        case step(MSALFlowEvent.Step, detail: String, hasFailed: Bool)
        case page(PageVisit)
        /// A response that the application didn't accept, and why.
        case ignoredResponse(String)
    }

    /// - Parameter entries: in chronological order.
    package init(title: String, _ entries: [Entry]) {
        var pages = 0
        self.init(
            title: title,
            arrows: entries.flatMap { entry -> [Arrow] in
                switch entry {
                case .exchange(let exchange): return Self.arrows(of: exchange)
                case .step(let step, let detail, let hasFailed): return [Self.arrow(of: step, detail, hasFailed)]
                case .page(let visit):
                    defer { pages += 1 }
                    return Self.arrows(of: visit, index: pages)
                case .ignoredResponse(let reason):
                    return [
                        Arrow(
                            .browser, .application, "ignored response", text: reason, outcome: .rejected,
                            message: .response)
                    ]
                }
            })
    }

    private static func arrow(of step: MSALFlowEvent.Step, _ detail: String, _ hasFailed: Bool) -> Arrow {
        let (party, label): (Party, String) =
            switch step {
            case .readCache: (.cache, "read")
            case .saveTokens: (.cache, "save tokens")
            case .verifyIDToken: (.application, "verify ID token")
            case .listen: (.application, "listen")
            case .pushRequest: (.application, "push the request")
            case .callBroker: (.application, "call the broker")
            case .waitForRefresh: (.application, "wait for another process")
            case .findAuthority: (.application, "find the authority")
            case .openBrowser: (.application, "open the browser")
            case .waitForResponse: (.application, "wait for the browser")
            case .showCode: (.application, "get a code")
            case .waitForCode: (.application, "wait for code entry")
            case .exchangeIdentity: (.application, "exchange the identity")
            case .redeemCode: (.application, "redeem the code")
            // A refresh that sent a request is shown by its exchange.
            case .refreshToken: (.application, hasFailed ? "no refresh request" : "refresh the token")
            }
        return Arrow(
            .application, party, label, text: detail.isEmpty ? label : detail, outcome: hasFailed ? .rejected : .sent)
    }

    private static func arrows(of visit: PageVisit, index: Int) -> [Arrow] {
        let shown = Arrow(
            .authority, .browser, visit.title.isEmpty ? "page" : visit.title, text: "Page \"\(visit.title)\"",
            outcome: visit.alert.isEmpty ? .responded : .rejected, notes: [visit.alert], message: .response, page: index
        )
        guard let action = visit.action, let pressed = visit.pressed else { return [shown] }
        let hasPassword = visit.fields.contains { $0.kind == .password }
        let unticked = visit.fields.filter { $0.kind == .checkbox(isTicked: false) }.map { "untick \($0.label)" }
        return [
            shown,
            Arrow(
                .browser, .authority, hasPassword ? "password" : (unticked + [pressed]).joined(separator: ", "),
                text: action.prefix(1).uppercased() + action.dropFirst(), page: index),
        ]
    }

    private static func arrows(of exchange: MSALFlowExchange) -> [Arrow] {
        let purpose = ExchangePurpose(exchange)
        let call = "\(purpose.title): \(exchange.method) \(exchange.address)"
        switch exchange.direction {
        case .frontChannelRequest:
            return [
                exchange.arrow(.application, .browser, "open page", "Open the sign-in page in the browser"),
                exchange.arrow(.browser, .authority, purpose.label, call),
            ]
        case .frontChannelResponse:
            let error = exchange.value("error")
            let result = error ?? (exchange.value("code") == nil ? "response" : "code")
            let text =
                error.map { " with the error \($0)" }
                ?? (result == "code"
                    ? " with an authorization code"
                    : purpose == .authorizationResponse ? " without a code or error" : "")
            let outcome: Outcome = error == nil ? .responded : .rejected
            return [
                exchange.arrow(
                    .authority, .browser, "redirect", "Redirect to the application\(text)", outcome, .response),
                exchange.arrow(
                    .browser, .application, result, "\(purpose.title)\(text)", outcome,
                    notes: [exchange.value("error_description")?.withoutTraceIDs ?? ""], .response),
            ]
        case .backChannel, .resource:
            let party: Party = exchange.direction == .resource ? .api : .authority
            let label = purpose == .apiRequest ? "\(exchange.method) \(exchange.path)" : purpose.label
            return [exchange.arrow(.application, party, label, call), response(to: exchange, purpose, from: party)]
        }
    }

    private static func response(
        to exchange: MSALFlowExchange, _ purpose: ExchangePurpose, from party: Party
    ) -> Arrow {
        guard let status = exchange.status else {
            let failure = exchange.failure ?? "No response arrived"
            return exchange.arrow(party, .application, "failed", "Failed", .rejected, notes: [failure], .response)
        }
        let isGood = (200..<300).contains(status)
        let challenge = party == .api && !isGood ? exchange.challenge : nil
        let error = party == .api ? challenge?.error : exchange.value("error")
        let content = error ?? (isGood ? purpose.content(exchange.mediaType) : challenge == nil ? "" : "token required")
        let note =
            challenge.map { $0.demand.isEmpty ? "" : "API challenge: \($0.demand)" }
            ?? (error == nil ? "" : exchange.value("error_description")?.withoutTraceIDs ?? "")
        return exchange.arrow(
            party, .application, "\(status) \(content)", "HTTP \(status)\(content.isEmpty ? "" : ", ")\(content)",
            isGood ? .responded : .rejected, notes: [note], .response)
    }
}

extension MSALFlowExchange {
    fileprivate func arrow(
        _ from: SequenceDiagram.Party, _ to: SequenceDiagram.Party, _ label: String, _ text: String,
        _ outcome: SequenceDiagram.Outcome = .sent, notes: [String] = [],
        _ message: SequenceDiagram.Message = .request
    ) -> SequenceDiagram.Arrow {
        .init(from, to, label, text: text, outcome: outcome, notes: notes, exchange: number, message: message)
    }

    /// The value of a parameter of the response, with secrets redacted.
    fileprivate func value(_ name: String) -> String? {
        parameters.first {
            $0.name == name && ($0.place == .responseBody || direction == .frontChannelResponse) && !$0.value.isEmpty
        }?.shareableValue
    }
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
