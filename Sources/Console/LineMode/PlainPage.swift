/// The lines to print, the question and its choices.
struct PlainPage: Sendable, Equatable {
    enum Question: Sendable, Equatable {
        case choice
        /// The screen's question for a text.
        case text(LineQuestion)
        /// A field of the screen's form.
        case field(Int)
    }

    var body: [String]
    var question: Question
    var choices: [PlainChoice] = []
    var prompt: String

    var isSecret: Bool {
        if case .text(let question) = question { question.isSecret } else { false }
    }
}

extension Model {
    /// The screen's lines, with the guided walk.
    var lines: [String] {
        let screen = screens[top]
        let lines = screen.base.lines(context)
        guard screen.cover == .whole, screen.base.showsWalk, let walk = context.profile?.walk else { return lines }
        // The walk's comment and next step.
        let next = walk.next.map { "Step \(walk.done + 1) of \(walk.steps.count): \($0.instruction)." }
        let comment = walk.stop ?? walk.last.map { "Look: \($0.look)" }
        return lines + [comment ?? "\(walk.title): \(walk.story)", next ?? walk.teaches]
    }
}
