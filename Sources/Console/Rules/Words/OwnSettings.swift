import TerminalUI

/// What the user chose for the terminal program in the configuration.
package struct OwnSettings: Sendable, Equatable {
    /// Keys for verbs. The letters keep their meaning, so that texts which name them stay right.
    var keys: [Verb: Key] = [:]
    package var colors = OwnColors()
    var commands: [OwnCommand] = []

    package init() {}

    /// The keys of a command, the user's first.
    func with(_ letters: [Key]) -> [Key] { letters.compactMap { $0.verb.flatMap { keys[$0] } } + letters }

    /// The letter that a key stands for, or else the key itself.
    func meaning(of key: Key) -> Key { keys.first { $0.value == key }?.key.key ?? key }
}

package struct OwnCommand: Sendable, Equatable {
    let key: Key
    package let title: String
    package let arguments: [String]

    /// The most seconds that it may take.
    package static let patience = 60.0
}

package struct EndedCommand: Sendable, Equatable {
    /// How it ended, as a sentence.
    package var ending: String
    package var hasSucceeded: Bool
    package var output: CopiedText

    package init(ending: String, hasSucceeded: Bool, output: String) {
        (self.ending, self.hasSucceeded) = (ending, hasSucceeded)
        self.output = CopiedText("the output", fileName: "output.txt", output)
    }
}
