import TerminalUI
import Testing

@testable import Console

/// Every kind of screen has golden screens under every possible condition.
@Suite("Screen matrix")
struct ScreenMatrixTests {
    private static let large = Size(width: 120, height: 40)

    @Test("Each kind of screen is listed under each condition", arguments: ScreenKind.allCases)
    func isComplete(kind: ScreenKind) {
        for condition in ScreenMatrix.Condition.allCases {
            #expect(ScreenMatrix.rows[kind]?[condition] != nil, "\(condition)")
        }
    }

    @Test("A listed state shows that screen under that condition", arguments: ScreenKind.allCases)
    func isTrue(kind: ScreenKind) throws {
        for (condition, entry) in ScreenMatrix.rows[kind] ?? [:] {
            guard case .shown(let name) = entry else { continue }
            let model = try state(named: name)
            #expect(ScreenKind(model) == kind, "\(name)")
            #expect(Self.shows(model, condition), "\(name): \(condition)")
        }
    }

    @Test func namesAreUnique() {
        #expect(Set(screenStates.map(\.name)).count == screenStates.count)
    }

    /// The visible sign of a condition.
    private static func shows(_ model: Model, _ condition: ScreenMatrix.Condition) -> Bool {
        switch condition {
        case .usual, .empty: true
        case .loading: isWaiting(model)
        case .error: view(model, large).cells.contains { [.danger, .warning].contains($0.style.role) }
        case .long: isCut(view(model, Size(width: 40, height: 12)))
        case .wide: view(model, large).cells.contains { $0.width == 2 }
        }
    }

    private static func isWaiting(_ model: Model) -> Bool {
        if case .reading = model.accounts.phase { return true }
        return model.screens[model.newest].base.waits.contains { $0.id != model.newest(SetUpState.self)?.judging }
    }

    /// Something does not fit, and says so above the status line, or fills the screen.
    private static func isCut(_ surface: Surface) -> Bool {
        let body = surface.lines.dropLast()
        let marks = [surface.glyphs.ellipsis, surface.glyphs.arrowUp, surface.glyphs.arrowDown]
        return marks.contains { mark in body.contains { $0.contains(mark) } } || body.allSatisfy { !$0.isEmpty }
    }
}
