import AuthEngine
import Foundation

/// Everything that was told of one flow: what the inspector shows and a report holds.
package struct FlowTrace: Sendable, Equatable {
    package enum Ending: Sendable, Equatable {
        case succeeded
        /// The headline of the error.
        case failed(String)
        case cancelled
    }

    package var id: EffectID
    /// What it was for, as in "Sign in".
    package var title: String
    package var ending: Ending?
    package private(set) var progress = FlowProgress(expecting: [])
    package private(set) var exchanges: [MSALFlowExchange] = []

    package init(id: EffectID, title: String) {
        self.id = id
        self.title = title
    }

    /// What comes after the end is dropped.
    package mutating func record(_ event: MSALFlowEvent) {
        if ending == nil { progress.record(event) }
    }

    package mutating func record(_ exchange: MSALFlowExchange) {
        if ending == nil { exchanges.append(exchange) }
    }

    /// How it went, in a few words.
    var endingWords: String {
        switch ending {
        case .succeeded: "succeeded"
        case .failed(let headline): "failed: \(headline)"
        case .cancelled: "cancelled"
        case nil: "running"
        }
    }

    package var correlationID: String? { exchanges.first?.correlationId.uuidString }

    package var startDate: Date? { rows.first?.startDate }

    /// In the order of time. A step that only says what an exchange shows is left out; so is one that never began.
    package var rows: [TraceRow] {
        let steps = progress.steps.compactMap { step in
            isShownByExchange(step) ? nil : TraceRow(ending == nil ? step : step.stopped)
        }
        let rows = steps + exchanges.map(TraceRow.exchange)
        return rows.enumerated().sorted { first, second in
            (first.element.startDate, first.offset) < (second.element.startDate, second.offset)
        }.map(\.element)
    }

    private func isShownByExchange(_ step: FlowProgress.Step) -> Bool {
        guard !step.step.isLocal, let start = step.startedAt else { return false }
        let end = step.endedAt ?? .distantFuture
        return exchanges.contains { $0.startDate >= start && $0.startDate <= end }
    }
}

extension FlowProgress.Step {
    /// A step that ran when its flow ended did not come to its own end.
    fileprivate var stopped: Self {
        guard state == .running else { return self }
        var stopped = self
        stopped.state = .failed
        stopped.endedAt = startedAt
        return stopped
    }
}

/// One row of the inspector.
package enum TraceRow: Sendable, Equatable {
    case exchange(MSALFlowExchange)
    /// What this program did by itself, from when on.
    case step(FlowProgress.Step, startDate: Date)

    /// Nil: the step never began.
    init?(_ step: FlowProgress.Step) {
        guard let start = step.startedAt else { return nil }
        self = .step(step, startDate: start)
    }

    package var startDate: Date {
        switch self {
        case .exchange(let exchange): exchange.startDate
        case .step(_, let start): start
        }
    }

    package var exchange: MSALFlowExchange? {
        guard case .exchange(let exchange) = self else { return nil }
        return exchange
    }
}

extension MSALFlowEvent.Step {
    /// Nothing of it is to be seen on the wire, or that is not what it is about.
    fileprivate var isLocal: Bool {
        switch self {
        case .readCache, .askBroker, .listen, .waitForRenewal, .verifyIDToken, .saveTokens: true
        case .findAuthority, .openBrowser, .waitForResponse, .showCode, .waitForCode, .redeemCode, .refreshToken: false
        }
    }
}
