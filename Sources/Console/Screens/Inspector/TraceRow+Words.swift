import AuthEngine
import Foundation
import TerminalUI

/// The texts of an inspector row, for the screen and for reports.
extension TraceRow {
    package var title: String {
        switch self {
        case .exchange(let exchange): ExchangePurpose(exchange).title
        case .step(let step, _): step.step.title(by: .browser)
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
        case .exchange(let exchange): exchange.direction == .backChannel ? exchange.duration : nil
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
            case .failed: Status(word: "failed", style: .danger)
            }
        }
    }

    /// Arrows for request, response or both, in two columns.
    func direction(_ glyphs: Glyphs) -> String {
        switch self {
        case .exchange(let exchange):
            switch exchange.direction {
            case .backChannel: glyphs.arrowRight + glyphs.arrowLeft
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
        case .frontChannelRequest: return TraceRow.Status(word: "opened", style: .text)
        case .frontChannelResponse:
            let isError = parameters.contains { $0.name == "error" }
            return TraceRow.Status(word: isError ? "error" : "arrived", style: isError ? .danger : .success)
        case .backChannel:
            guard let status else { return TraceRow.Status(word: "failed", style: .danger) }
            return TraceRow.Status(word: "\(status)", style: (200..<300).contains(status) ? .success : .danger)
        }
    }
}

extension MSALFlowExchange.Direction {
    /// The parties to the exchange, as a sentence.
    package var sentence: String {
        switch self {
        case .backChannel: "Sent by this program directly to the authority."
        case .frontChannelRequest: "Opened in the browser. Keyturn doesn't see what follows there."
        case .frontChannelResponse: "Received from the browser at the redirect URI."
        }
    }
}
