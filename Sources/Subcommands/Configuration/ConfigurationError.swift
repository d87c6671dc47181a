import Diagnosis
import Foundation

/// An unusable configuration, with all its mistakes.
package struct ConfigurationError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case missing, unreadable, mistaken
        /// Other users can change it.
        case unsafe
    }

    package var kind: Kind = .mistaken
    package var file: String
    package var mistakes: [ConfigurationMistake]

    package var messages: [String] { mistakes.map { $0.message(in: file) } }
}

extension ConfigurationError: LocalizedError {
    package var errorDescription: String? { messages.joined(separator: " ") }
    package var recoverySuggestion: String? { "Correct the configuration file." }
}
