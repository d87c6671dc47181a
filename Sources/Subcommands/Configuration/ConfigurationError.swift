import Diagnosis
import Foundation

/// An unusable configuration, with all its mistakes.
package struct ConfigurationError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case missing, unreadable, mistaken
        /// It has no profile of this name, or several and no default.
        case noProfile
        /// Other users can change it.
        case unsafe
    }

    package var kind: Kind = .mistaken
    package var file: String
    package var mistakes: [ConfigurationMistake]

    package var headline: String {
        switch kind {
        case .missing: "No configuration."
        case .unreadable: "Can't read the configuration."
        case .mistaken: "The configuration is invalid."
        case .noProfile: "Can't select a profile."
        case .unsafe: "The configuration file isn't safe."
        }
    }

    package var messages: [String] { mistakes.map { $0.message(in: file) } }
}

extension ConfigurationError: LocalizedError {
    package var errorDescription: String? { messages.joined(separator: " ") }
    package var recoverySuggestion: String? { "Correct the configuration file." }
}
