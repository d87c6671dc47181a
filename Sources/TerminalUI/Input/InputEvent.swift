package enum InputEvent: Sendable, Equatable {
    case key(Key)
    /// Keys that came at once: typed ahead, or pasted by a terminal that doesn't bracket pastes.
    case keys([Key])
    case mouse(MouseEvent)
    case resize(Size)
    /// Pasted text as sent by the terminal, with line ends and not sanitized.
    case paste(String)
    /// What the user typed before this was dropped, as asked.
    case forgotten
    /// SIGINT from another process; Ctrl-C in the terminal is a key.
    case interrupt
    /// SIGTERM, SIGHUP or a closed terminal. The program must quit.
    case terminate
}

/// A key. Letters with Ctrl are lower case: Ctrl-C is `.control("c")`. A literal is a character.
package indirect enum Key: Sendable, Hashable, ExpressibleByExtendedGraphemeClusterLiteral {
    case character(Character)
    case enter, escape, tab, backTab
    case up, down, left, right
    case home, end, pageUp, pageDown
    case backspace, delete
    case function(Int), control(Character), alt(Key)

    package init(extendedGraphemeClusterLiteral value: Character) { self = .character(value) }

    package var typed: Character? { if case .character(let character) = self { character } else { nil } }

    fileprivate var isControl: Bool { if case .control = self { true } else { false } }
}

package struct MouseEvent: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case press, wheelUp, wheelDown
        /// The second press of a double click; the first is a ``press``.
        case doublePress
    }

    package var kind: Kind
    package var point: Point

    package init(_ kind: Kind, at point: Point) { (self.kind, self.point) = (kind, point) }

    /// A report with columns and rows from 1. Nil for moves, releases and unsupported buttons.
    init?(button: Int, column: Int, row: Int) {
        guard column > 0, row > 0 else { return nil }
        let kinds: [Int: Kind] = [0: .press, 64: .wheelUp, 65: .wheelDown]
        // Bits 2 to 4 are Shift, Alt and Ctrl.
        guard let kind = kinds[button & ~0b11100] else { return nil }
        self.init(kind, at: Point(x: column - 1, y: row - 1))
    }
}

package struct DoubleClicks: Sendable {
    private static let interval = Duration.milliseconds(400)
    private var first: (point: Point, time: Duration)?

    package init() {}

    /// - Parameter time: the time since any fixed moment.
    package mutating func read(_ event: InputEvent, at time: Duration) -> InputEvent {
        guard case .mouse(var mouse) = event, mouse.kind == .press else {
            first = nil
            return event
        }
        if let first, first.point == mouse.point, time - first.time <= Self.interval {
            mouse.kind = .doublePress
            self.first = nil
        } else {
            first = (mouse.point, time)
        }
        return .mouse(mouse)
    }
}

extension [InputEvent] {
    /// Joins successive keys. Those with Ctrl stay apart, because the terminal's adapter reads some of them itself.
    package var joiningKeys: [InputEvent] {
        reduce(into: []) { events, event in
            guard case .key(let key) = event, !key.isControl else { return events.append(event) }
            switch events.last {
            case .key(let first) where !first.isControl: events[events.count - 1] = .keys([first, key])
            case .keys(let keys): events[events.count - 1] = .keys(keys + [key])
            case .key, .mouse, .resize, .paste, .forgotten, .interrupt, .terminate, nil: events.append(event)
            }
        }
    }
}
