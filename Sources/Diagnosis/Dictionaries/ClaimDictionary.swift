import CResources
import Foundation

/// What claims mean, from `Resources/claims.json`.
package struct ClaimDictionary: Sendable, Decodable {
    package struct Entry: Sendable, Equatable, Decodable {
        /// One sentence.
        package var meaning: String
        /// Who defined the claim.
        package var source: String
    }

    private var claims: [String: Entry]
    private var header: [String: Entry]
    /// For families of claims that share the start of their names.
    private var prefixes: [String: Entry]
    /// What single values of a claim mean, as phrases.
    private var values: [String: [String: String]]

    /// - Throws: a `DecodingError` for anything that is not such a file.
    package init(json: Data) throws {
        self = try JSONDecoder().decode(ClaimDictionary.self, from: json)
    }

    private init() {
        (claims, header, prefixes, values) = ([:], [:], [:], [:])
    }

    /// The dictionary in the program. A test reads it. If it were damaged, claims would have no meanings.
    package static let bundled = (try? ClaimDictionary(json: Data(keyturn_resource_claims()))) ?? ClaimDictionary()

    package func entry(forClaim name: String) -> Entry? {
        claims[name] ?? prefixes.first { name.hasPrefix($0.key) }?.value
    }

    package func entry(forHeader name: String) -> Entry? { header[name] }

    /// As a phrase: `pwd` of `amr` (RFC 8176 §2) is "a password".
    package func meaning(ofValue value: String, in claim: String) -> String? { values[claim]?[value] }

    package var names: [String] { claims.keys.sorted() }
}
