import Foundation
import MSAL

/// A question for a text in line mode.
struct LineQuestion: Sendable, Equatable {
    var prompt: String
    /// Whether the answer is secret and must not be echoed.
    var isSecret = false
    /// Whether the running flow can finish without an answer. Input from a pipe then goes to the next question.
    var isOptional = false
    /// Whether to ask only once: the answer is delivered to a running flow, which reports the outcome.
    var isDelivered = false
}

/// Rows that are choices themselves.
struct RowChoices: Sendable, Equatable {
    var labels: [String]
    /// The command to run for the chosen row. On a text row, the text is asked for instead.
    var command: CommandName
    /// The row to select afterwards.
    var rest: Int?
}

/// A form whose fields line mode asks one after the other. The command `submit` submits it from its last field.
struct LineForm: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        var title, value: String
        var isSecret = false
        var help: [String]
        var finding: String?
        var isWrong: Bool
        /// Whether an empty answer keeps a wrong value, after a question.
        var canStay: Bool
    }

    var fields: [Field]
    var focused: Int
    var obstacle: Int?
    var isNew: Bool
}

/// A screen that asks for a text.
protocol PromptingScreen: ConsoleScreen {
    /// The question; nil if the screen asks for a choice now.
    func question(_ context: Context) -> LineQuestion?
    mutating func reply(_ text: String, _ context: inout Context) -> Reaction
}

/// A screen whose content is a form. An answer goes to the focused field.
protocol FormScreen: PromptingScreen {
    var form: LineForm { get }
    mutating func focus(field: Int)
}

extension FormScreen {
    func question(_ context: Context) -> LineQuestion? { nil }
}

/// Formats progress as lines, with the same words as the commands.
package struct PlainTeller: Sendable {
    /// - Parameter page: the sign-in page, once opened.
    package typealias Step = @Sendable (MSALFlowEvent, SignInMethod, MethodProposal, _ page: URL?) -> [String]

    package var step: Step
    package var code: @Sendable (MSALDeviceCode) -> String

    package init(step: @escaping Step, code: @escaping @Sendable (MSALDeviceCode) -> String) {
        (self.step, self.code) = (step, code)
    }
}
