import Diagnosis

/// The configuration cannot be used. Every mistake that was found is in it: a person wants to fix them in one go.
package struct ConfigurationError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case missing, unreadable, mistaken
        /// Others can change it.
        case unsafe
    }

    package var kind: Kind = .mistaken
    package var file: String
    package var mistakes: [ConfigurationMistake]

    package var messages: [String] { mistakes.map { $0.message(in: file) } }
}
