import Diagnosis
import Foundation

package struct ConfigurationError: LocalizedError, Sendable, Equatable {
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
    package var errorDescription: String? { messages.joined(separator: " ") }
    package var recoverySuggestion: String? { "Correct the configuration file." }
}

/// A file from the configuration, with its place there for errors.
package struct ConfiguredFile: Sendable, Equatable {
    package var path: String
    /// The key, for example `profiles.contoso.infoPlist`.
    package var key: String
    package var line: Int?
    private(set) var configuration = ""

    mutating func resolve(in folder: URL, configuration: String) {
        path = URL(fileURLWithPath: path, relativeTo: folder).path
        self.configuration = configuration
    }

    func mistake(_ problem: String, _ remedy: String) -> ConfigurationError {
        let mistake = ConfigurationMistake(line: line, key: key, problem: problem, remedy: remedy)
        return ConfigurationError(file: configuration, mistakes: [mistake])
    }
}
