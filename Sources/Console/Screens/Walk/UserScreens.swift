import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// A page of the authority, drawn with text, at a point of the playback.
struct PageView {
    let visit: PageVisit
    /// The ticks since the user began to act.
    let progress: Int
    let glyphs: Glyphs

    /// - Parameter most: the rows to use at most. A page that needs more has its fields side by side, and less text.
    func lines(_ width: Int, most: Int = .max) -> [StyledLine] {
        let width = max(12, width)
        let inside = width - 4
        let whole = body(inside)
        let content = whole.count + 2 <= most ? whole : tight(inside, rows: max(1, most - 2))
        let title = TextFitting.truncate(Printable.sanitize(visit.title), to: width - 6, ellipsis: glyphs.ellipsis)
        let top = String(repeating: glyphs.horizontal, count: max(0, width - 5 - DisplayWidth.of(title)))
        let heading = StyledLine([
            Span("\(glyphs.topLeft)\(glyphs.horizontal) ", .border), Span(title, .title),
            Span(" \(top)\(glyphs.topRight)", .border),
        ])
        let framed = content.map { line in
            let blank = String(repeating: " ", count: max(0, inside - line.width))
            return StyledLine(
                [Span("\(glyphs.vertical) ", .border)] + line.spans + [Span("\(blank) \(glyphs.vertical)", .border)])
        }
        let bottom = String(repeating: glyphs.horizontal, count: width - 2)
        return [heading] + framed + [StyledLine(glyphs.bottomLeft + bottom + glyphs.bottomRight, .border)]
    }

    private func body(_ width: Int) -> [StyledLine] {
        let fields = visit.fields.flatMap { lines($0, progress: progress(of: $0), width) }
        let buttons = Self.rows(buttons, width)
        return alert(width) + text(width) + fields + (buttons.isEmpty ? [] : [.empty] + buttons)
    }

    /// The alert, the fields side by side and the buttons, with as much of the text as there is room for.
    private func tight(_ width: Int, rows: Int) -> [StyledLine] {
        let (buttons, alert) = (Self.rows(buttons, width), alert(width).prefix(1))
        let fields = Self.rows(visit.fields.map { oneLine($0, (width - Self.gap) / 2) }, width)
        let room = max(0, rows - buttons.count - alert.count)
        return alert + text(width).prefix(max(0, room - fields.count)) + fields.prefix(room) + buttons
    }

    private func alert(_ width: Int) -> [StyledLine] {
        visit.alert.isEmpty ? [] : StyledLine.wrap(Printable.sanitize(visit.alert), to: width, style: .danger)
    }

    private func text(_ width: Int) -> [StyledLine] {
        visit.text.prefix(3).flatMap { StyledLine.wrap(Printable.sanitize($0), to: width, style: .muted) }
    }

    private var buttons: [StyledLine] {
        let isPressed = visit.pressed != nil && progress >= visit.fields.count(where: \.isFilled) * 2 + 1
        return visit.buttons.map { label in
            let isThis = isPressed && label == visit.pressed
            return StyledLine(" [\(Printable.sanitize(label))]", isThis ? Style(.key, .reverse) : .key)
        }
    }

    private func progress(of field: PageVisit.Field) -> Int {
        progress - (visit.fields.filter(\.isFilled).firstIndex(of: field) ?? 0) * 2
    }

    private static let gap = 2

    private static func rows(_ pieces: [StyledLine], _ width: Int) -> [StyledLine] {
        pieces.reduce(into: [StyledLine]()) { rows, piece in
            if let last = rows.last, last.width + gap + piece.width <= width {
                rows[rows.count - 1].spans += [Span(String(repeating: " ", count: gap))] + piece.spans
            } else {
                rows.append(piece)
            }
        }
    }

    private func oneLine(_ field: PageVisit.Field, _ width: Int) -> StyledLine {
        switch field.kind {
        case .checkbox: return lines(field, progress: progress(of: field), 2 * width + Self.gap).first ?? .empty
        case .text, .password:
            let label = TextFitting.truncate(Printable.sanitize(field.label), to: width / 2, ellipsis: glyphs.ellipsis)
            let typed = typed(field, progress: progress(of: field))
            let room = max(1, width - DisplayWidth.of(label) - 1)
            return StyledLine([
                Span("\(label) ", .muted), Span(TextFitting.fit(typed, to: room), Style(.text, .underline)),
            ])
        }
    }

    /// What the user has typed. It takes two ticks.
    private func typed(_ field: PageVisit.Field, progress: Int) -> String {
        let value = Printable.sanitize(field.value)
        return field.isPrefilled || progress >= 2 ? value : String(value.prefix(progress == 1 ? value.count / 2 : 0))
    }

    private func lines(_ field: PageVisit.Field, progress: Int, _ width: Int) -> [StyledLine] {
        let label = Printable.sanitize(field.label)
        switch field.kind {
        case .checkbox(let isTicked):
            let (mark, style): (String, Style) = isTicked || progress < 1 ? ("[x] ", .text) : ("[ ] ", .warning)
            return TextFitting.wrap(label, to: width - mark.count).enumerated().map { row, text in
                StyledLine((row == 0 ? mark : "    ") + text, style)
            }
        case .text, .password:
            let typed = TextFitting.fit(typed(field, progress: progress), to: width)
            return [
                StyledLine(TextFitting.truncate(label, to: width), .muted), StyledLine(typed, Style(.text, .underline)),
            ]
        }
    }
}

/// The screen of a scenario's device at an arrow: the code while it is of use, and what each poll returned.
struct DeviceScreen {
    private enum State: Equatable { case off, waiting, done, failed }

    private let shown: ShownDeviceCode
    private let state: State
    private let polls: [String]
    /// The seconds between polls now.
    private let interval: Int
    @Boxed private var context: Context
    /// The polls to show, so that a user who takes long finds the code.
    private static let mostPolls = 4
    /// What each `slow_down` adds to the interval (RFC 8628 §3.5).
    private static let slowDownSeconds = 5

    init(
        _ shown: ShownDeviceCode, _ arrows: some Sequence<SequenceDiagram.Arrow>, _ exchanges: [MSALFlowExchange],
        _ context: Context
    ) {
        self.shown = shown
        self.context = context
        var (state, polls, slowed) = (State.off, [String](), 0)
        for arrow in arrows where arrow.message == .response {
            let role = exchanges.first { $0.number == arrow.exchange }?.role
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

    func lines(_ width: Int) -> [StyledLine] {
        let history = polls.enumerated().suffix(Self.mostPolls).map { index, result in
            StyledLine([Span("Poll \(index + 1)  ", .muted), Span(Printable.sanitize(result))])
        }
        switch state {
        case .off: return StyledLine.wrap("The device has no code yet.", to: width, style: .muted)
        case .done: return history + [StyledLine("\(context.glyphs.check) The device is signed in.", .success)]
        case .failed: return history + [StyledLine("\(context.glyphs.cross) The device has no tokens.", .danger)]
        case .waiting: return beside(picture(width), width) { waiting($0, history) }
        }
    }

    private func waiting(_ width: Int, _ history: [StyledLine]) -> [StyledLine] {
        func muted(_ text: String) -> [StyledLine] { StyledLine.wrap(text, to: width, style: .muted) }
        return muted("Open") + StyledLine.wrap(shown.code.verificationURL.absoluteString, to: width, style: .link)
            + muted("and enter") + [StyledLine(shown.code.userCode, Style(.title, .bold))] + history
            + muted("It polls every \(Moment.count(interval, "second")).")
    }

    /// Scanners cope with less than the standard quiet zone, which needs more rows than a small window has.
    private static let quiet = 1
    private static let narrowestText = 26
    private static let gap = 2

    private func picture(_ width: Int) -> [StyledLine] {
        guard let code = shown.picture else { return [] }
        let lines = AddressPicture(code, isASCII: context.options.ascii).lines(quiet: Self.quiet)
        return DisplayWidth.of(lines.first ?? "") <= width ? lines.map { StyledLine($0, .picture) } : []
    }

    private func beside(_ picture: [StyledLine], _ width: Int, _ text: (Int) -> [StyledLine]) -> [StyledLine] {
        let side = picture.first?.width ?? 0
        guard side > 0 else { return text(width) }
        let room = width - side - Self.gap
        guard room >= Self.narrowestText else { return text(width) + picture }
        let lines = text(room)
        return (0..<max(lines.count, picture.count)).map { row in
            let line = lines[at: row] ?? .empty
            let blank = Span(String(repeating: " ", count: max(0, room + Self.gap - line.width)))
            return picture[at: row].map { StyledLine(line.spans + [blank] + $0.spans) } ?? line
        }
    }
}
