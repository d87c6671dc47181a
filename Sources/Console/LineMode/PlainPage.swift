/// What is read out before an answer is waited for, and what the answers are.
struct PlainPage: Sendable, Equatable {
    enum Question: Sendable, Equatable {
        case choice
        /// The text that the screen asks for.
        case text(LineQuestion)
        /// The answer to a field of the screen's form.
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
    /// What the screen says.
    var lines: [String] {
        let screen = screens[top]
        let lines = screen.base.lines(context)
        guard screen.cover == .whole, screen.base.showsWalk, let walk = context.profile?.walk else { return lines }
        // What a scenario wants to be looked at and done next.
        let next = walk.next.map { "Step \(walk.done + 1) of \(walk.steps.count): \($0.instruction)." }
        let comment = walk.stop ?? walk.last.map { "Look: \($0.look)" }
        return lines + [comment ?? "\(walk.title): \(walk.story)", next ?? walk.teaches]
    }
}
