import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The events of a flow, for the inspector and reports.
package struct FlowTrace: Sendable, Equatable {
    package enum Ending: Sendable, Equatable {
        case succeeded, failed(_ headline: String), cancelled

        init(_ record: GuidedWalk.Record.Result) {
            switch record {
            case .failed(let report): self = .failed(report.headline)
            case .responded(let response) where !response.isSuccess: self = .failed("HTTP \(response.status)")
            case .token, .responded, .done: self = .succeeded
            }
        }
    }

    /// The arrows of something that happened, with its date.
    private typealias Dated = (date: Date, value: [SequenceDiagram.Arrow])

    package let id: EffectID
    package let title: String
    package var ending: Ending? { didSet { derive() } }
    package private(set) var progress = FlowProgress(expecting: []) { didSet { derive() } }
    package private(set) var exchanges: [MSALFlowExchange] = [] { didSet { derive() } }
    /// The arrows of each exchange by its number. Stored, because each event changes the diagram.
    private var exchangeArrows: [Int: [SequenceDiagram.Arrow]] = [:]
    private(set) var ignored: [MSALFlowEvent] = [] { didSet { derive() } }
    package private(set) var visits: [PageVisit] = [] { didSet { derive() } }
    /// The rows in chronological order, without steps that duplicate an exchange or never started.
    package private(set) var rows: [TraceRow] = []
    /// The flow as a diagram. Stored, because each frame of a scenario reads it many times.
    package private(set) var diagram: SequenceDiagram

    package init(id: EffectID, title: String) {
        (self.id, self.title) = (id, title)
        diagram = SequenceDiagram(title: title, arrows: [])
    }

    package mutating func record(_ event: MSALFlowEvent) {
        guard ending == nil else { return }
        if event.isIgnoredResponse { ignored.append(event) }
        progress.record(event)
    }

    package mutating func record(_ exchange: MSALFlowExchange) {
        guard ending == nil else { return }
        var exchange = exchange
        // A call to an API consists of several requests of the library, and each numbers its own exchanges.
        if exchanges.contains(where: { $0.number == exchange.number }) { exchange.number = exchanges.count + 1 }
        exchangeArrows[exchange.number] = SequenceDiagram.Arrow.arrows(of: exchange)
        exchanges.append(exchange)
    }

    /// Records a page, also after the end: the last page may load later.
    package mutating func record(_ visit: PageVisit) { visits.append(visit) }

    var endingWords: String {
        switch ending {
        case .succeeded: "succeeded"
        case .failed(let headline): "failed: \(headline)"
        case .cancelled: "cancelled"
        case nil: "running"
        }
    }

    private mutating func derive() {
        let steps = progress.steps.compactMap { step -> TraceRow? in
            var step = step
            // It failed at an unknown time, because its flow ended first.
            if ending != nil, step.state == .running { step.state = .failed }
            return isShownByExchange(step) ? nil : TraceRow(step)
        }
        rows = Self.sorted((steps + exchanges.map(TraceRow.exchange)).map { ($0.startDate, $0) })
        func arrows(_ rows: [TraceRow]) -> [Dated] { rows.map { ($0.startDate, self.arrows(of: $0)) } }
        let pages = visits.enumerated().map { Dated($1.date, SequenceDiagram.Arrow.arrows(of: $1, at: $0)) }
        let ignored = ignored.map { Dated($0.date, [.init(ignoredBecause: $0.detail)]) }
        // A wait that failed comes last of what happened at that moment.
        let (others, waits) = (rows.filter { !$0.isFailedWait }, rows.filter(\.isFailedWait))
        diagram = SequenceDiagram(
            title: title, arrows: Self.sorted(arrows(others) + pages + ignored + arrows(waits)).flatMap(\.self))
    }

    /// The arrows of a row; none for a step of this program that other rows show.
    private func arrows(of row: TraceRow) -> [SequenceDiagram.Arrow] {
        switch row {
        case .exchange(let exchange): return exchangeArrows[exchange.number] ?? []
        case .step(let step, _):
            let hasFailed = step.state == .failed
            return step.step.isLocal || hasFailed ? [.init(step.step, step.detail, hasFailed: hasFailed)] : []
        }
    }

    /// The values by date; those of the same date in their order.
    private static func sorted<Value>(_ values: [(date: Date, value: Value)]) -> [Value] {
        values.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element.value)
    }

    /// The ID in the authority's logs.
    package var correlationID: String? { exchanges.first { $0.direction != .resource }?.correlationId.uuidString }

    package var startDate: Date? { rows.first?.startDate }

    private func isShownByExchange(_ step: FlowProgress.Step) -> Bool {
        guard !step.step.isLocal, let start = step.startedAt else { return false }
        let finish = step.endedAt ?? .distantFuture
        return exchanges.contains {
            ($0.startDate >= start && $0.startDate <= finish)
                || (step.step == .openBrowser && $0.direction == .frontChannelRequest)
        }
    }
}

package enum TraceRow: Sendable, Equatable {
    case exchange(MSALFlowExchange)
    /// A step of this program, with the date that it is listed by.
    case step(FlowProgress.Step, startDate: Date)

    /// Nil if the step never started.
    init?(_ step: FlowProgress.Step) {
        guard let start = step.startedAt else { return nil }
        // The ID token is verified after the requests for keys that the verification sends, and a wait fails at its end.
        let counts = step.step == .verifyIDToken || step.state == .failed
        self = .step(step, startDate: counts ? step.endedAt ?? start : start)
    }

    package var startDate: Date {
        switch self {
        case .exchange(let exchange): exchange.startDate
        case .step(_, let start): start
        }
    }

    fileprivate var isFailedWait: Bool {
        guard case .step(let step, _) = self else { return false }
        return step.step == .waitForResponse && step.state == .failed
    }

    package var exchange: MSALFlowExchange? { if case .exchange(let exchange) = self { exchange } else { nil } }
}

extension MSALFlowEvent.Step {
    /// Whether the step is about local work rather than requests.
    fileprivate var isLocal: Bool {
        switch self {
        case .readCache, .callBroker, .listen, .waitForRefresh, .verifyIDToken, .saveTokens: true
        case .findAuthority, .pushRequest, .openBrowser, .waitForResponse, .showCode, .waitForCode, .redeemCode,
            .refreshToken, .exchangeIdentity:
            false
        }
    }
}

/// Identifies one run of an effect, so that late results can be ignored.
package struct EffectID: Sendable, Hashable {
    package var number: Int

    package init(_ number: Int) { self.number = number }
}

/// The flows of the session, newest last. They contain tokens, so they are kept in memory only, up to a limit.
package struct FlowTraces: Sendable, Equatable {
    package static let limit = 64

    package private(set) var all: [FlowTrace] = []

    package subscript(id: EffectID) -> FlowTrace? { all.first { $0.id == id } }

    package var newest: FlowTrace? { all.last }

    package mutating func begin(_ id: EffectID, _ title: String) {
        all.append(FlowTrace(id: id, title: title))
        all.removeFirst(max(0, all.count - Self.limit))
    }

    package mutating func change(_ id: EffectID, _ body: (inout FlowTrace) -> Void) {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        body(&all[index])
    }

    /// The trace `distance` before or after another; nil past either end.
    package func neighbour(of id: EffectID, by distance: Int) -> FlowTrace? {
        all.firstIndex { $0.id == id }.flatMap { all[at: $0 + distance] }
    }
}
