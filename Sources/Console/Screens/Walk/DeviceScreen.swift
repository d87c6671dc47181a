import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The screen of a scenario's device at an arrow: the code while it is of use, and what each poll returned.
struct DeviceScreen {
    private enum State: Equatable { case off, waiting, done, failed }

    private let shown: ShownDeviceCode
    private let state: State
    /// The result of each poll, as the authority words it.
    private let polls: [String]
    /// The seconds between polls now.
    private let interval: Int
    @Boxed private var context: Context
    /// The polls to show, so that a user who takes long finds the code.
    private static let mostPolls = 4
    /// What each `slow_down` adds to the interval (RFC 8628 §3.5).
    private static let slowDownSeconds = 5

    /// - Parameters:
    ///   - arrows: those shown so far.
    ///   - exchanges: those of the flow.
    init(
        _ shown: ShownDeviceCode, _ arrows: some Sequence<SequenceDiagram.Arrow>, _ exchanges: [MSALFlowExchange],
        _ context: Context
    ) {
        self.shown = shown
        self.context = context
        var (state, polls, slowed) = (State.off, [String](), 0)
        for arrow in arrows where arrow.message == .response {
            guard let exchange = exchanges.first(where: { $0.number == arrow.exchange }) else { continue }
            let role = exchange.role
            if role == .device, arrow.outcome == .responded { state = .waiting }
            guard role == .deviceGrant else { continue }
            polls += Array(repeating: arrow.label, count: arrow.count)
            slowed += arrow.label.contains("slow_down") ? arrow.count : 0
            state = arrow.outcome == .responded ? .done : arrow.isPending ? .waiting : .failed
        }
        (self.state, self.polls) = (state, polls)
        interval = shown.code.interval + slowed * Self.slowDownSeconds
    }

    /// Whether it needs the application's pane for itself.
    var isWaiting: Bool { state == .waiting }

    /// The screen in a few words, below the flow.
    var summary: StyledLine {
        let words: (String, Style) =
            switch state {
            case .off: ("no code yet", .muted)
            case .waiting: (polls.last.map { "poll \(polls.count): \($0)" } ?? "waits for the user", .text)
            case .done: ("signed in", .success)
            case .failed: (polls.last ?? "no tokens", .danger)
            }
        let code = state == .waiting ? [Span(shown.code.userCode, Style(.title, .bold)), Span("  ")] : []
        return StyledLine([Span("Device  ", .muted)] + code + [Span(Printable.sanitize(words.0), words.1)])
    }

    /// The whole screen.
    func lines(_ width: Int) -> [StyledLine] {
        let history = polls.enumerated().suffix(Self.mostPolls).map { index, result in
            StyledLine([Span("Poll \(index + 1)  ", .muted), Span(Printable.sanitize(result))])
        }
        switch state {
        case .off: return StyledLine.wrap("The device has no code yet.", to: width, style: .muted)
        case .done: return history + [StyledLine("\(context.glyphs.check) The device is signed in.", .success)]
        case .failed: return history + [StyledLine("\(context.glyphs.cross) The device has no tokens.", .danger)]
        case .waiting: return beside(picture(width), width) { instructions($0) + history + pace($0) }
        }
    }

    private func instructions(_ width: Int) -> [StyledLine] {
        StyledLine.wrap("Open", to: width, style: .muted)
            + StyledLine.wrap(shown.code.verificationURL.absoluteString, to: width, style: .link)
            + StyledLine.wrap("and enter", to: width, style: .muted)
            + [StyledLine(shown.code.userCode, Style(.title, .bold))]
    }

    private func pace(_ width: Int) -> [StyledLine] {
        StyledLine.wrap("It polls every \(Moment.count(interval, "second")).", to: width, style: .muted)
    }

    /// Scanners cope with less than the standard quiet zone, which needs more rows than a small window has.
    private static let quiet = 1
    private static let narrowestText = 26
    private static let gap = 2

    /// The picture; empty if it doesn't fit.
    private func picture(_ width: Int) -> [StyledLine] {
        guard let code = shown.picture else { return [] }
        let lines = AddressPicture(code, isASCII: context.options.ascii).lines(quiet: Self.quiet)
        return DisplayWidth.of(lines.first ?? "") <= width ? lines.map { StyledLine($0, .picture) } : []
    }

    /// Text beside the picture, or above it.
    private func beside(
        _ picture: [StyledLine], _ width: Int, _ text: (Int) -> [StyledLine]
    ) -> [StyledLine] {
        let side = picture.first?.width ?? 0
        guard side > 0 else { return text(width) }
        let room = width - side - Self.gap
        guard room >= Self.narrowestText else { return text(width) + picture }
        let lines = text(room)
        return (0..<max(lines.count, picture.count)).map { row in
            let line = row < lines.count ? lines[row] : .empty
            guard row < picture.count else { return line }
            let blank = Span(String(repeating: " ", count: max(0, room + Self.gap - line.width)))
            return StyledLine(line.spans + [blank] + picture[row].spans)
        }
    }
}
