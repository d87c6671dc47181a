import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The details of an inspector row.
extension TraceRow {
    func details(width: Int, _ glyphs: Glyphs) -> [StyledLine] {
        switch self {
        case .exchange(let exchange): Self.lines(of: exchange, width: width, glyphs)
        case .step(let step, _):
            [StyledLine(step.step.title, Style(.accent, .bold))]
                + ([step.detail] + step.remarks).filter { !$0.isEmpty }.flatMap { StyledLine.wrap($0, to: width) }
        }
    }

    private static func lines(of exchange: MSALFlowExchange, width: Int, _ glyphs: Glyphs) -> [StyledLine] {
        let meaning = ParameterDictionary.bundled.entry(for: exchange.role)
        let title = StyledLine([
            Span(exchange.role.title, Style(.accent, .bold)), Span(meaning.map { "  \($0.source)" } ?? "", .muted),
        ])
        let address = StyledLine.wrap(exchange.address, to: width, style: .link)
        let failure = exchange.failure.map { StyledLine.wrap($0, to: width, style: .danger) } ?? []
        let sentences = [meaning?.meaning, exchange.direction.sentence].compactMap { $0 }
        return [title] + address + StyledLine.wrap(result(exchange, glyphs), to: width) + failure
            + sentences.flatMap { StyledLine.wrap($0, to: width, style: .muted) }
            + ParameterList(exchange).sections.flatMap { section in
                let facts = section.parameters.map { (name: $0.name, value: Optional($0.shown)) }
                return [.empty, StyledLine(section.title, Style(.muted, .bold))]
                    + StyledLine.facts(facts, width: width, glyphs: glyphs)
            }
    }

    private static func result(_ exchange: MSALFlowExchange, _ glyphs: Glyphs) -> String {
        let secrets = exchange.parameters.count { $0.isRedacted }
        let parts = [
            exchange.method, exchange.status.map { "status \($0)" }, exchange.mediaType,
            exchange.responseSize > 0 ? "\(exchange.responseSize) bytes" : nil,
            Moment.count(exchange.parameters.count, "parameter"),
            secrets > 0 ? "\(secrets) redacted" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " \(glyphs.separator) ")
    }
}

/// The texts of an inspector row, for the screen and for reports.
extension TraceRow {
    package var title: String {
        switch self {
        case .exchange(let exchange): exchange.role.title
        case .step(let step, _): step.step.title
        }
    }

    /// Host and path of an exchange, or a step's detail.
    package var endpoint: String {
        switch self {
        case .exchange(let exchange):
            let address = exchange.address
            return address.range(of: "://").map { String(address[$0.upperBound...]) } ?? address
        case .step(let step, _): return step.detail
        }
    }

    /// The duration in seconds; nil if the row has none, or if it's still running and `now` is nil.
    package func duration(by now: Date?) -> TimeInterval? {
        switch self {
        case .exchange(let exchange):
            exchange.direction.isDirect ? exchange.duration : nil
        case .step(let step, _): step.duration(by: now)
        }
    }

    struct Status {
        var word: String
        var style: Style
    }

    var status: Status {
        switch self {
        case .exchange(let exchange): exchange.statusShown
        case .step(let step, _):
            switch step.state {
            case .pending, .running: Status(word: "running", style: .accent)
            case .succeeded: Status(word: "done", style: .success)
            case .failed: Status(word: step.endedAt == nil ? "stopped" : "failed", style: .danger)
            }
        }
    }

    /// Arrows for request, response or both, in two columns.
    func direction(_ glyphs: Glyphs) -> String {
        switch self {
        case .exchange(let exchange):
            switch exchange.direction {
            case .backChannel, .resource: glyphs.arrowRight + glyphs.arrowLeft
            case .frontChannelRequest: glyphs.arrowRight
            case .frontChannelResponse: glyphs.arrowLeft
            }
        case .step: glyphs.pending
        }
    }
}

extension MSALFlowExchange {
    fileprivate var statusShown: TraceRow.Status {
        switch direction {
        case .frontChannelRequest: return TraceRow.Status(word: "created", style: .text)
        case .frontChannelResponse:
            let isError = parameters.contains { $0.name == "error" }
            return TraceRow.Status(word: isError ? "error" : "arrived", style: isError ? .danger : .success)
        case .backChannel, .resource:
            guard let status else { return TraceRow.Status(word: "failed", style: .danger) }
            return TraceRow.Status(word: "\(status)", style: (200..<300).contains(status) ? .success : .danger)
        }
    }
}
