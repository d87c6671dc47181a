import CResources
import Foundation

/// What the parameters and header fields of a sign-in's messages are for, from `Resources/parameters.json`.
package struct ParameterDictionary: Sendable, Decodable {
    package struct Entry: Sendable, Equatable, Decodable {
        /// One sentence.
        package var meaning: String
        /// Who defined it: a document and its section where it has one.
        package var source: String

        package init(meaning: String, source: String) {
            self.meaning = meaning
            self.source = source
        }
    }

    /// What whole exchanges are for, by the inspector's names of them.
    private var steps: [String: Entry]
    private var parameters: [String: Entry]
    private var headers: [String: Entry]
    /// For families of names that share their start.
    private var prefixes: [String: Entry]

    /// - Throws: a `DecodingError` for anything that is not such a file.
    package init(json: Data) throws {
        self = try JSONDecoder().decode(ParameterDictionary.self, from: json)
    }

    private init() {
        (steps, parameters, headers, prefixes) = ([:], [:], [:], [:])
    }

    /// The dictionary in the program. A test reads it. If it were damaged, parameters would have no meanings.
    package static let bundled =
        (try? ParameterDictionary(json: Data(keyturn_resource_parameters()))) ?? ParameterDictionary()

    package func entry(forStep name: String) -> Entry? { steps[name] }

    /// A parameter of a query or a form, or a member of a JSON answer.
    package func entry(forParameter name: String) -> Entry? { parameters[name] ?? family(of: name) }

    /// A header field, in any case (RFC 9110 §5.1).
    package func entry(forHeader name: String) -> Entry? {
        let name = name.lowercased()
        return headers[name] ?? parameters[name] ?? family(of: name)
    }

    /// Whether there is an entry for this very name: one of a family may be anything.
    package func isListed(_ name: String) -> Bool { parameters[name] != nil || headers[name.lowercased()] != nil }

    package var names: [String] { parameters.keys.sorted() }

    private func family(of name: String) -> Entry? {
        let name = name.lowercased()
        return prefixes.first { name.hasPrefix($0.key) }?.value
    }
}
