import Diagnosis
import Foundation

/// A file from the configuration, with its place there for errors.
package struct ConfiguredFile: Sendable, Equatable {
    package var path: String
    /// The key, for example `profiles.contoso.infoPlist`.
    package var key: String
    package var line: Int?
    /// The path of the configuration.
    private var configuration = ""

    package init(path: String, key: String, line: Int? = nil) {
        self.path = path
        self.key = key
        self.line = line
    }

    mutating func resolve(in folder: URL, configuration: String) {
        path = URL(fileURLWithPath: path, relativeTo: folder).path
        self.configuration = configuration
    }

    func mistake(_ problem: String, _ remedy: String) -> ConfigurationError {
        let mistake = ConfigurationMistake(line: line, key: key, problem: problem, remedy: remedy)
        return ConfigurationError(file: configuration, mistakes: [mistake])
    }
}
