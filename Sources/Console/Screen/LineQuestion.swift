/// The text that a screen asks for in line mode.
struct LineQuestion: Sendable, Equatable {
    var prompt: String
    /// An answer to this holds a code: it is shown nowhere.
    var isSecret = false
    /// What runs may go on without it: at a pipe the lines are for what comes after.
    var isOptional = false
    /// It is asked for once: what was given is on its way, and the screen says what becomes of it.
    var isDelivered = false
}

/// Rows that are answers themselves.
struct RowAnswers: Sendable, Equatable {
    var labels: [String]
    /// What choosing one does. On a row that is a text, the text is asked for instead.
    var command: CommandName
    /// Where the selection rests afterwards.
    var rest: Int?
}

/// The fields of a screen, which line mode asks for one after the other.
struct LineForm: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        var title: String
        var answer: String
        /// What it means, and an example.
        var help: [String]
        /// What the rules make of the answer.
        var finding: String?
        var isWrong: Bool
    }

    var fields: [Field]
    var focused: Int
    /// The first field that keeps the form from being of use.
    var obstacle: Int?
    /// The field that is asked for last; after it the form is sent.
    var last: Int
    var submit: CommandName
    /// The fields are asked for as it opens.
    var isNew: Bool
}
